/*
 * inputs.h - what an operand means: a dataset of a file, the plan that the writer of a pipe offers,
 * a saved expression or a virtual dataset; with its coordinates and auxiliary datasets.
 */
#ifndef AXT_INPUTS_INPUTS_H
#define AXT_INPUTS_INPUTS_H

#include "bytes/output.h"
#include "files/files.h"
#include "show/show.h"
#include "source/source.h"

/* Opens a file, or finds it among the files that the graph has open. NULL: error. */
struct axt_file *axt_open_file(struct axt_graph *g, const char *path);
/* The same for an open descriptor, which the graph closes. path: the file's name in messages. */
struct axt_file *axt_open_fd(struct axt_graph *g, int fd, const char *path);
/*
 * For a file that was just locked. If the graph has it open and it has changed since, it is opened
 * again, and leaves over the old file read from the new one. Fails with CHANGED if their tensors
 * are no longer the same.
 */
int axt_renew_file(struct axt_graph *g, const char *path, const struct axt_lock *l);
/*
 * Makes leaves over `old` read from `now`. Returns false if a tensor is missing or different there.
 */
bool axt_read_instead(struct axt_graph *g, const struct axt_file *old, struct axt_file *now);
/*
 * In named.c: what a word names, which is found in steps: file and dataset of the word, the open
 * file, the loaded dataset. Each function does the steps that are not done yet, and returns the
 * code of the graph's error. Callers stop where they like: the target of an assignment is locked as
 * a file before its dataset is looked for.
 */
struct axt_named {
	const char *word;
	const char *file; /* NULL if the word is a number */
	/* name of the dataset: that of the word or the default; NULL if there is none */
	const char *name;
	struct axt_file *f;
	struct axt_dset *d; /* loaded; NULL if the name is a field of times, such as time.month */
	bool outside;       /* links led from the file of the word to f */
};
/*
 * Splits the word into file and dataset, and opens nothing. `dataset` is taken if the word names no
 * dataset; it may be NULL.
 */
int axt_named_words(struct axt_graph *g, const char *word, const char *dataset,
    struct axt_named *x);
/*
 * Opens the file. If the name leads through links to another file, file and name become those of
 * the place where the links lead.
 */
int axt_named_file(struct axt_graph *g, struct axt_named *x);
/* Finds and loads the dataset. It is an error if the file has no such dataset. */
int axt_named_dataset(struct axt_graph *g, struct axt_named *x);
/* Does the same, but also accepts a field of times, which is no dataset but has values. */
int axt_named_values(struct axt_graph *g, struct axt_named *x);
/*
 * The path of the group that a name means, with or without slashes around it; "" is the root. A
 * name without a slash also means a group inside another one, if only one group has it. NULL: no
 * group.
 */
const char *axt_group_path(const struct axt_file *f, const char *name);
/* The same for x, whose file is open; NULL where a dataset has that name. */
const char *axt_named_group(const struct axt_named *x);
/*
 * The patterns of the datasets that a word means, such as "t*,pr": FILE alone gives "*", and a
 * group "/g/" gives "/g/" and a star; if the file is open, the last slash may be left out. NULL:
 * the word names one dataset.
 */
const char *axt_pattern(struct axt_graph *g, const struct axt_named *x);
/* The same of x, whose file is open, where it names neither one dataset nor a group; or NULL. */
const char *axt_named_pattern(struct axt_graph *g, const struct axt_named *x);
/*
 * Whether one of the patterns of fnmatch(3), with commas between them, fits the path of the
 * dataset. A pattern without a slash may also fit its name in its group.
 */
bool axt_pattern_fits(struct axt_graph *g, const char *pattern, const struct axt_dset *d);
/* The same for a group and all in it, by its path. */
bool axt_pattern_takes(struct axt_graph *g, const char *pattern, const char *group);
/* The first of those patterns that means no dataset, or no tensor, of the file; NULL: none. */
const char *axt_pattern_misfit(struct axt_graph *g, const char *pattern, const struct axt_file *f,
    bool tensors);
/* Fails because no tensor, or no dataset, of the file has a name of pattern `none`. */
int axt_pattern_none(struct axt_graph *g, const struct axt_named *x, const char *what,
    const char *none);
/* Does all steps for a word that may also be a number. o is not NULL. */
int axt_named_operand(struct axt_graph *g, const char *word, const struct axt_open_opts *o,
    struct axt_named *x);
/* In open.c: makes the tensor that x names. */
struct axt_expr *axt_named_tensor(struct axt_graph *g, const struct axt_named *x,
    const struct axt_open_opts *o);
/*
 * Through this, functions that know no graph give warnings; NULL: out of memory, and then they give
 * none.
 */
struct axt_talk *axt_graph_talk(struct axt_graph *g);
/* Whether the path leads to the open file f. */
bool axt_same_file(const struct axt_file *f, const char *path, struct axt_err *e);
/*
 * Makes an open descriptor a file of the graph, if it is the file with that id. foreign: the file
 * is no HDF5. NULL: it is another file, or cannot be read.
 */
struct axt_file *axt_adopt_file(struct axt_graph *g, int fd, const char *path,
    const struct axt_file_id *id, bool foreign);
/* Whether d can be found in f by its path: not what axt-from took from a file. */
bool axt_has_path(const struct axt_file *f, const struct axt_dset *d);
/* The dataset that a storage belongs to, and its file; NULL if the storage is memory. */
const struct axt_dset *axt_leaf_dataset(struct axt_graph *g, const struct axt_storage *st,
    struct axt_file **f);
/* A leaf over a dataset, read as dtype t with axes x; NULL: the dataset cannot be read so. */
struct axt_expr *axt_dataset_leaf(struct axt_graph *g, struct axt_file *f, struct axt_dset *d,
    enum axt_dtype t, const struct axt_axes *x);
/* Opens a file for the readers of formats/formats.h, without reading it. NULL: error. */
struct axt_file *axt_begin_foreign(struct axt_graph *g, const char *path);
/*
 * Unpacks a leaf of stored values: applies scale and offset, and makes missing values NaN. Unless
 * valid is NULL, values outside valid[0] to valid[1] are missing, too.
 */
struct axt_expr *axt_unpack(struct axt_graph *g, struct axt_expr *leaf, const struct axt_packing *p,
    const double *valid);
/*
 * What a reader will see of e once it is written: e unpacked by its attributes. It is e itself if
 * these describe no packing, or nothing but the number that --fill has stored for NaN.
 */
struct axt_expr *axt_as_read(struct axt_graph *g, struct axt_expr *e);
/* A leaf over memory that the caller keeps as long as the graph. */
struct axt_expr *axt_memory_leaf(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x,
    const void *data);
/* Whether the name is AXIS.FIELD, such as time.month, and the file has no dataset of that name. */
bool axt_is_calendar(struct axt_file *f, const char *name);
/* Adds a hint to the error about a name that was not found, if it has the form AXIS.FIELD. */
void axt_calendar_hint(struct axt_graph *g, const struct axt_file *f, const char *name);
/* The values of such a field as a tensor of i32 over AXIS. */
struct axt_expr *axt_calendar(struct axt_graph *g, struct axt_file *f, const char *name);
/* The same of field k of the dates of axis x. what, from: the axis and the tensor in messages. */
struct axt_expr *axt_axis_calendar(struct axt_graph *g, const struct axt_axis *x, int k,
    const char *what, const char *from);
/* A tensor over axis x with those values, which the caller keeps. */
struct axt_expr *axt_time_leaf(struct axt_graph *g, const struct axt_axis *x, const int32_t *v,
    const char *name, const char *from);
/* In auxiliary.c: adds the auxiliary datasets of d, a dataset of f, to *all. */
int axt_add_aux(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_aux **all);
/* The dataset with that name, of n bytes, in the group of d or one above it; or NULL. */
struct axt_dset *axt_beside(const struct axt_file *f, const struct axt_dset *d, const char *name,
    size_t n);
/*
 * In companion.c: what a name means to a tensor that has no axis of that name. It is `aux` if the
 * tensor carries it; otherwise it is d, which lies beside the tensor in the file f and has the axes
 * that it has there. Its dtype may be any.
 */
struct axt_companion {
	const struct axt_aux *aux;
	struct axt_dset *d;
	struct axt_file *f;
	bool itself; /* d is the dataset that the tensor is made of */
};
/* Whether there is one. An error of the graph is possible, and is none. */
bool axt_companion_find(struct axt_graph *g, const struct axt_expr *a, const char *name,
    struct axt_companion *c);
/* Reads what lies beside a into aux. Returns 1, 0 if it is too large, or -1 with an error. */
int axt_companion_read(struct axt_graph *g, const struct axt_expr *a, struct axt_companion *c);
/*
 * The name of the next dataset of text in the group of the dataset that a is made of, beginning
 * with dataset number *i of the file; *i moves on. NULL: there are no more.
 */
const char *axt_beside_text(struct axt_graph *g, const struct axt_expr *a, int *i);
/*
 * Reads the values of dataset x, which belongs to a tensor with those axes, into a. Returns nonzero
 * if they are too many to be kept in memory, or with an error of the graph.
 */
int axt_load_aux(struct axt_graph *g, struct axt_file *f, struct axt_dset *x,
    const struct axt_axes *axes, struct axt_aux *a);
/* The values of d in memory, read once for all outputs. NULL: an error, or there are too many. */
struct axt_aux *axt_held_aux(struct axt_graph *g, struct axt_file *f, struct axt_dset *d);
/* Makes v describe the dataset that stores the plan of e, in the file that target names. */
int axt_saved_var(struct axt_graph *g, struct axt_expr *e, const char *target,
    struct axt_out_var *v);
/*
 * The expression that the saved dataset d of f stands for, in place of the leaf e; the result is
 * for e->u.leaf.plan. external: its inputs may lie outside the folder of f. NULL: error.
 */
struct axt_expr **axt_saved_plan(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_expr *e, bool external);
/* The folder of an open file, without links. NULL: it has none, or the graph has an error. */
const char *axt_input_folder(struct axt_graph *g, struct axt_file *f);
/*
 * Opens an input that is named relative to `folder`. Unless `external`, it must lie in that folder
 * or below, after links and ".." are resolved. from: the tensor whose input it is, for messages.
 * NULL: an error, in e or in the graph.
 */
struct axt_file *axt_open_input(struct axt_graph *g, const char *from, const char *folder,
    const char *name, bool external, struct axt_err *e);
/*
 * In as_virtual.c: a virtual dataset that has the values of e, which is unified. NULL: HDF5 cannot
 * describe it, and *why says why.
 */
const struct axt_virtual *axt_virtual_of(struct axt_graph *g, const struct axt_expr *e,
    const char **why);
/*
 * In from_virtual.c: gives the leaf e, over the virtual dataset d of f, the expression that
 * computes its values. external: as in axt_saved_plan.
 */
struct axt_expr *axt_mapped_leaf(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    struct axt_expr *e, bool external);
/* In describe.c: an axt_info_plan_fn, which tells where the values of dataset d of f come from. */
struct axt_describing { /* ctx points to this */
	struct axt_graph *g;
	const struct axt_open_opts *open;
};
int axt_describe(void *ctx, struct axt_file *f, const struct axt_dset *d, struct axt_info_plan *p);
/*
 * axt_offer_begin offers the plan of e to the reader of a pipe; v has the names of the results.
 * When the reader takes the plan, g->cancelled is set. NULL: nothing is offered. axt_offer_end ends
 * the offer and returns whether the plan was taken. ok: the run went well, or stopped because of
 * the offer; sent: how many bytes had been written then.
 */
struct axt_offer *axt_offer_begin(struct axt_graph *g, struct axt_expr *const e[],
    const struct axt_out_var *v, int n, int pipe);
/*
 * Waits some milliseconds, or if patient some seconds, for a reader that takes the plan, which pays
 * before much work. Returns whether it was taken.
 */
bool axt_offer_wait(struct axt_offer *o, bool patient);
bool axt_offer_end(struct axt_offer *o, int64_t sent, bool ok);
/* Prints the text that would be offered. */
void axt_offer_print(struct axt_graph *g, struct axt_expr *const e[], const struct axt_out_var *v,
    int n, FILE *out);
/* Whether p, from a plan, has the dtype and axes that e has by the header of the stream. */
bool axt_stands_for(const struct axt_expr *p, const struct axt_expr *e);
/* Asks the writer of a stream for its plan. If anything is doubtful, the bytes are read instead. */
void axt_take_offer(struct axt_graph *g, struct axt_file *f);
/*
 * The place that has the plan of leaf e over the stream f. It becomes NULL if the plan is declined.
 */
struct axt_expr **axt_taken_plan(struct axt_graph *g, const struct axt_file *f,
    const struct axt_expr *e);
/* Declines the plans that are not taken yet. Returns whether there were any. */
bool axt_taken_decline(struct axt_graph *g, const char *why);
/*
 * Tells the writers that their plans are taken, before anything is evaluated. Returns whether some
 * plan could not be taken after all, so that its stream is read instead.
 */
bool axt_taken_commit(struct axt_graph *g);
/* Reads the pipes to their ends, and checks that their writers stopped there. */
int axt_taken_drain(struct axt_graph *g);
/* Prints a line for each stream: whether its plan was taken, and if not, why. */
void axt_taken_explain(struct axt_graph *g, FILE *out);

/* In values.c: a copy of the values in the graph's arena. NULL: error (DTYPE, ARG, LIMIT). */
const void *axt_values_copy(struct axt_graph *g, const struct axt_values *v);

#endif
