/*
 * axt_cmd.h - what only the commands of axt need of libaxt, beside axt.h. It is not installed, and
 * may change at any time. Comments say what those of axt.h say: shapes, dtypes, returns, errors.
 */
#ifndef AXT_AXT_CMD_H
#define AXT_AXT_CMD_H

#include "axt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the process: a command has it for itself ---- */

/*
 * All operands that are going to be opened, as typed, for one run. FIFOs among them are opened
 * together, before one is waited for, so that a writer to several is not stopped; and what that run
 * reads from a pipe in order is not kept. Without this call, and by axt_eval and axt_equal, pipes
 * are kept in memory and $TMPDIR.
 */
AXT_API void axt_graph_operands(struct axt_graph *g, const char *const *operand, int n);
/*
 * Files may be read through memory maps. It takes the process's SIGBUS, which a library may not do.
 * The handler maps zeros over what a shrinking file lost, and the run fails with CHANGED.
 */
AXT_API void axt_guard_mapped_files(void);
/* Removes the temporaries of unfinished outputs. Async-signal-safe: for signal handlers. */
AXT_API void axt_cleanup(void);

/* ---- words ---- */

/* The nearest of n words to w by edit distance; NULL when none is near. */
AXT_API const char *axt_nearest_word(const char *w, const char *const *words, int n);
/*
 * A name as messages show it: control bytes, bidi controls, what shows nothing and bad UTF-8 as
 * \xHH; cut at n-1 bytes. Returns out.
 */
AXT_API const char *axt_escape_to(char *out, size_t n, const char *s);
/* A whole word that is an integer in [lo, hi]; else false. */
AXT_API bool axt_parse_int(const char *s, int64_t lo, int64_t hi, int64_t *out);
/* A whole word that is a number of bytes: "4096", "512M", "1.5G" (powers of 1024); else false. */
AXT_API bool axt_parse_size(const char *s, int64_t *out);
/* Whether axt_number would take the word. */
AXT_API bool axt_is_number(const char *text);
/* The i-th function of expressions and its line; false after the last. */
AXT_API bool axt_calc_function(int i, const char **name, const char **line);
/* The i-th kind of axt_set_kind and what it is; false after the last. */
AXT_API bool axt_kind_row(int i, const char **name, const char **line);

/* ---- what single commands do ---- */

/*
 * A line for each tensor of a file that axt_from reads: name, dtype, axes with lengths, separated
 * by tabs.
 * errors  those of axt_from.
 */
AXT_API enum axt_code axt_from_list(struct axt_graph *g, const char *file,
    const struct axt_from_opts *o, FILE *out);
/*
 * a in dtype d where that holds every value of a's, else a itself: what is computed of it is then
 * computed in d, so that u8 5 - 10 is -5 in i16. AXT_DTYPE_AUTO and numbers: a itself.
 */
AXT_API struct axt_expr *axt_widen(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d);
/*
 * axt_calc_to - axt_calc, where "FILE:DATASET[AXIS=SPEC,...] OP VALUE" is a statement, for
 * axt_assign_all. o: options of axt_assign_all, which would take each target; NULL: that is not
 * looked at.
 * returns  the number of results; either all of them have targets or none has.
 */
AXT_API int axt_calc_to(struct axt_graph *g, const char *text, const char *const names[],
    struct axt_expr *const a[], int n, const struct axt_assign_opts *o, struct axt_assignment out[],
    int max);
/*
 * A line that tells how axt_save would keep the expression: as a virtual dataset, or as text only
 * and why. errors: those of streams that are read.
 */
AXT_API enum axt_code axt_explain_save(struct axt_graph *g, struct axt_expr *e, FILE *out);
/*
 * The text of their plan, as another process would take it (axt-pipelines(7)).
 * errors  MEM; those of streams that are read.
 */
AXT_API enum axt_code axt_plan_print(struct axt_graph *g, struct axt_expr *const e[], int n,
    FILE *out);
/*
 * The attributes of FILE or FILE:DATASET. Without specs, or with names ("[AXIS:]NAME", ":NAME"),
 * shows them on out; with specs as of axt_set_attr, sets and removes them, in a copy that replaces
 * the file or in place.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG, SYNTAX, and of numbers DTYPE, RANGE.
 */
AXT_API enum axt_code axt_attr_edit(struct axt_graph *g, const char *operand,
    const char *const *specs, int nspecs, bool in_place, FILE *out);
/*
 * Lists the variables of a file, or of all HDF5 files in a directory and below, sorted: one
 * FILE:DATASET per line, as JSON an array of objects.
 * errors  IO, FORMAT, DAMAGED (of a directory's files, those that are HDF5).
 */
AXT_API enum axt_code axt_trainable(struct axt_graph *g, const char *const *path, int n, bool json,
    FILE *out);

#ifdef __cplusplus
}
#endif
#endif
