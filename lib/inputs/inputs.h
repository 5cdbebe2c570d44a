/*
 * inputs.h - what an operand means: a dataset of a file, the plan that a pipe's writer offers, a
 * saved expression, a virtual dataset; with its coordinates and what goes along with it.
 */
#ifndef AXT_INPUTS_INPUTS_H
#define AXT_INPUTS_INPUTS_H

#include "hdf5/write/write.h"
#include "show/show.h"
#include "source/source.h"

/* Opens a file, or finds it open already: a tensor used twice is read once. NULL: error. */
struct axt_file *axt_open_file(struct axt_graph *g, const char *path);
/* The same for an open descriptor, which is the graph's from here on; path: what it is called. */
struct axt_file *axt_open_fd(struct axt_graph *g, int fd, const char *path);
/*
 * The file `path` is locked: what the graph opened of it before, and is not as it was, is opened
 * again, and the tensors in it are read from there. CHANGED where they are not what they were.
 */
int axt_renew_file(struct axt_graph *g, const char *path, const struct axt_lock *l);
/* Tensors of `old` are read from `now`; false: they are others there. */
bool axt_read_instead(struct axt_graph *g, const struct axt_file *old, struct axt_file *now);
/*
 * In named.c: what a word names. Each function finds what is not found yet, and returns the graph's
 * error. Not all of them need be called: a target of an assignment is a file before it is a dataset.
 */
struct axt_named {
	const char *word;
	const char *file; /* NULL: the word is a number */
	const char
	    *name; /* of the dataset: the word's, else the one given for words without; NULL */
	struct axt_file *f;
	struct axt_dset *d; /* loaded; NULL: name is a field of times, such as time.month */
};
/* Splits the word; nothing is opened. dataset: what a word that names none means; NULL. */
int axt_named_words(struct axt_graph *g, const char *word, const char *dataset,
    struct axt_named *x);
int axt_named_file(struct axt_graph *g, struct axt_named *x);
/* A dataset of the file, loaded; where the file has no such one it is an error. */
int axt_named_dataset(struct axt_graph *g, struct axt_named *x);
/* A dataset of the file, or a field of times, which has values but is no dataset. */
int axt_named_values(struct axt_graph *g, struct axt_named *x);
/* All of that, for what may also be a number; o is not NULL. */
int axt_named_operand(struct axt_graph *g, const char *word, const struct axt_open_opts *o,
    struct axt_named *x);
/* In open.c: the tensor that was found. */
struct axt_expr *axt_named_tensor(struct axt_graph *g, const struct axt_named *x,
    const struct axt_open_opts *o);
/* Tells by warnings; NULL: out of memory, nothing is told. */
struct axt_talk *axt_graph_talk(struct axt_graph *g);
/* Whether the path leads to the file opened as f. */
bool axt_same_file(const struct axt_file *f, const char *path, struct axt_err *e);
/*
 * The open descriptor of that very file, HDF5 or foreign; the graph owns it. NULL: it is not, or
 * not readable.
 */
struct axt_file *axt_adopt_file(struct axt_graph *g, int fd, const char *path,
    const struct axt_file_id *id, bool foreign);
/* The dataset a leaf's storage is of; NULL: of memory. */
const struct axt_dset *axt_leaf_dataset(struct axt_graph *g, const struct axt_storage *st,
    struct axt_file **f);
/* A leaf over a dataset seen as dtype t with axes x; NULL: it is no such thing. */
struct axt_expr *axt_dataset_leaf(struct axt_graph *g, struct axt_file *f, struct axt_dset *d,
    enum axt_dtype t, const struct axt_axes *x);
/* Opens a file for the readers of formats/formats.h, without reading it. NULL on error. */
struct axt_file *axt_begin_foreign(struct axt_graph *g, const char *path);
/* What a leaf of stored values means. */
struct axt_expr *axt_unpack(struct axt_graph *g, struct axt_expr *leaf,
    const struct axt_packing *p);
/* A leaf over memory of the caller, which lives as long as the graph. */
struct axt_expr *axt_memory_leaf(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x,
    const void *data);
/* Whether NAME is AXIS.month or the like and no dataset of the file. */
bool axt_is_calendar(struct axt_file *f, const char *name);
/* Says what there is, where NAME, which was not found, is AXIS.something. */
void axt_calendar_hint(struct axt_graph *g, const struct axt_file *f, const char *name);
/* The values of such a name over AXIS, i32. */
struct axt_expr *axt_calendar(struct axt_graph *g, struct axt_file *f, const char *name);
/* inputs/auxiliary.c: the datasets of f that go along with d, into *all. */
int axt_add_aux(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_aux **all);
/* Names, attributes and auxiliaries of n results as they leave. */
int axt_out_vars(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_out_var **v);
/*
 * inputs/history.c: the attributes of an output, whose history has `line` in front of that of l and
 * of the streams that were read. NULL: l's.
 */
const struct axt_attr *axt_with_history(struct axt_graph *g, const struct axt_attr *l,
    const char *line);
/* v as the dataset that keeps e's plan, in the file that target names. */
int axt_saved_var(struct axt_graph *g, struct axt_expr *e, const char *target,
    struct axt_out_var *v);
/*
 * Where the plan that dataset d of f keeps stands, as values of the leaf e. NULL: error. external:
 * inputs may lie outside the folder of f.
 */
struct axt_expr **axt_saved_plan(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_expr *e, bool external);
/*
 * The folder of an open file, resolved; NULL: it has none, or g's error tells why it is not known.
 */
const char *axt_input_folder(struct axt_graph *g, struct axt_file *f);
/*
 * An input that is named from there: in the folder or below, links and ".." resolved, unless
 * external. from: what names it. NULL: error, in e or the graph's.
 */
struct axt_file *axt_open_input(struct axt_graph *g, const char *from, const char *folder,
    const char *name, bool external, struct axt_err *e);
/*
 * In as_virtual.c: e, unified, as a virtual dataset with the same values; NULL: *why says why not.
 */
const struct axt_virtual *axt_virtual_of(struct axt_graph *g, const struct axt_expr *e,
    const char **why);
/*
 * inputs/virtual.c: the leaf e of the virtual dataset d of f, as the expression that gives its
 * values. external: as of axt_saved_plan.
 */
struct axt_expr *axt_mapped_leaf(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    struct axt_expr *e, bool external);
/* In describe.c: what gives dataset d of f its values. An axt_info_plan_fn. */
struct axt_describing { /* its ctx */
	struct axt_graph *g;
	const struct axt_open_opts *open;
};
int axt_describe(void *ctx, struct axt_file *f, const struct axt_dset *d, struct axt_info_plan *p);
/*
 * Offers the plan of e, whose results are v, to the reader of a pipe, until axt_offer_end, which
 * tells whether it was taken; ok and sent: the run went well, or stopped for that reason, after so
 * many bytes. g->cancelled is set when it is taken. NULL: nothing is offered.
 */
struct axt_offer *axt_offer_begin(struct axt_graph *g, struct axt_expr *const e[],
    const struct axt_out_var *v, int n, int pipe);
/*
 * Waits a moment for a reader that is about to take it: worth it before heavy work. Patient:
 * seconds. Whether it is taken.
 */
bool axt_offer_wait(struct axt_offer *o, bool patient);
bool axt_offer_end(struct axt_offer *o, int64_t sent, bool ok);
/* The text that would be offered. */
void axt_offer_print(struct axt_graph *g, struct axt_expr *const e[], const struct axt_out_var *v,
    int n, FILE *out);
/* Whether p, which a plan gives, can be e, as its header describes it. */
bool axt_stands_for(const struct axt_expr *p, const struct axt_expr *e);
/* Asks the writer of a stream for its plan. Keeps to the bytes where there is any doubt. */
void axt_take_offer(struct axt_graph *g, struct axt_file *f);
/* Where the plan of a leaf of the stream f stands: NULL there once it is declined. */
struct axt_expr **axt_taken_plan(struct axt_graph *g, const struct axt_file *f,
    const struct axt_expr *e);
/* Gives up the offers that are not taken yet; whether there were any. */
bool axt_taken_decline(struct axt_graph *g, const char *why);
/*
 * Tells the writers that their plans are taken: before anything is evaluated. Whether a plan that
 * was counted on was not to be had, so that the bytes are read.
 */
bool axt_taken_commit(struct axt_graph *g);
/* Takes the pipes to their ends, which must be where their writers stopped. */
int axt_taken_drain(struct axt_graph *g);
/* A line per stream: what became of it. */
void axt_taken_explain(struct axt_graph *g, FILE *out);

/* In waits.c: a sink of values that wait; `to` is to be closed, also after a failure. */
struct axt_wait_sink {
	struct axt_sink sink;
	struct axt_waiting *to;
};
int axt_wait_sink_open(struct axt_graph *g, struct axt_wait_sink *k, const struct axt_expr *e,
    struct axt_waiting *to);
/* e, of values that wait (axt_wait_map), with the name and attributes of `like`. */
struct axt_expr *axt_wait_leaf(struct axt_graph *g, const struct axt_expr *e,
    const struct axt_expr *like, const struct axt_waiting *w);
/*
 * Whether a lock should not be held while it is computed: it reads a pipe, whose writer may wait
 * for that lock, or it computes much for few values.
 */
bool axt_is_slow(struct axt_graph *g, struct axt_expr *e);
/* In values.c: a copy of the values, kept. NULL: error (DTYPE, ARG, LIMIT). */
const void *axt_values_copy(struct axt_graph *g, const struct axt_values *v);

#endif
