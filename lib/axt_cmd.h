/*
 * axt_cmd.h - functions of libaxt that only the commands of axt need, in addition to axt.h. It is
 * not installed, and may change at any time. Comments have the same form as those of axt.h.
 */
#ifndef AXT_AXT_CMD_H
#define AXT_AXT_CMD_H

#include "axt.h"
#include "axt_fact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the process, which belongs to one command ---- */

/*
 * Tells the graph all operands, as typed, that one run will open. FIFOs among them are opened
 * together, before one is waited for, so that a process that writes to several of them is not
 * blocked. Without this call, and for axt_eval and axt_equal, pipes are kept in memory and in
 * $TMPDIR; with it, data that the run reads in order are not.
 */
AXT_API void axt_graph_operands(struct axt_graph *g, const char *const *operand, int n);
/*
 * Lets files such as references of Zarr, which stand for parts of other files, name any file.
 * Without this call the files must be in their folder or below.
 */
AXT_API void axt_graph_set_external(struct axt_graph *g);
/*
 * Lets files be read through memory maps. A map of a file that shrinks would end the process by
 * SIGBUS. So this installs a handler of that signal, which a library must not do by itself: the
 * handler maps zeros in place of what is lost, and the run fails with CHANGED.
 */
AXT_API void axt_guard_mapped_files(void);
/*
 * For a graph that has failed. If another process has changed a file that it read, what was wrong
 * may have been so for a moment only, and the error becomes CHANGED, "FILE: changed while being
 * read". Returns whether the command may begin again: a file was changed, others have seen nothing
 * of this process yet, no stream was read or written, and no output has got its name.
 */
AXT_API bool axt_graph_disturbed(struct axt_graph *g);
/*
 * Whether another process has changed a file that the graph reads. What was found in the file may
 * have been so for a moment only, so that warnings about it are not printed.
 */
AXT_API bool axt_graph_in_doubt(struct axt_graph *g);
/* Notes that something was read or written that cannot be read or written once more. */
AXT_API void axt_cannot_begin_again(void);
/*
 * For a process that only finds out whether a command line can be carried out. From now on the
 * function is called where a value of a tensor or a byte of a pipe would be read, something would
 * be opened to be written, or a library that a word names would be loaded.
 */
AXT_API void axt_look_only(void (*reached)(void));
/* Removes the temporary files of unfinished outputs. Async-signal-safe, for signal handlers. */
AXT_API void axt_cleanup(void);

/* ---- text, labels, dates, areas, coordinates ---- */

/*
 * axt_open_text - does what axt_open does, but also opens text: a node that axt_compare_text takes,
 * and that most other functions refuse. The texts are read now.
 * axt_compare_text - where a is equal (op AXT_OP_EQ) or unequal (AXT_OP_NE) to the text s. Warns if
 * no text is equal.
 * shapes  that of a, without the axis of the characters of text that is stored as single ones.
 * dtypes  axt_compare_text: bool.
 * errors  those of axt_open, LIMIT; axt_compare_text: DTYPE (numbers), ARG (another operation).
 */
AXT_API struct axt_expr *axt_open_text(struct axt_graph *g, const char *operand,
    const struct axt_open_opts *o);
AXT_API struct axt_expr *axt_compare_text(struct axt_graph *g, enum axt_op op, struct axt_expr *a,
    const char *s);

/*
 * Whether a word is AXIS.FIELD, such as time.month, of an axis of a; or of any axis, if no file has
 * this name.
 */
AXT_API bool axt_means_field(struct axt_graph *g, const struct axt_expr *a, const char *word);
/*
 * axt_labels_of - the labels that a word means: a field of the dates along an axis of a, as by
 * axt_field; a file's tensor, as by axt_labels; or, if there is no such file, a coordinate of a
 * that is no axis, or a dataset beside a in its file. The word may be several of these with commas
 * between: a reduction by them has an axis for each, called as it would be alone.
 * errors  NAME, ARG (no CF time axis), RANGE (no date); those of axt_labels.
 */
AXT_API struct axt_expr *axt_labels_of(struct axt_graph *g, struct axt_expr *a, const char *word,
    const struct axt_open_opts *o);

/*
 * The axis of e that somebody most likely means by a usual word, for hints: by "lat" one that is
 * called latitude or has the units degrees_north; likewise by "longitude", "TIME", "lev", and "x"
 * to "z" and "t". -1: none, or several that are equally likely.
 */
AXT_API int axt_axis_meant(const struct axt_expr *e, const char *word);

/*
 * axt_weights_of - the weights of a that a word means: "area", or AXIS.FIELD, a field of its dates
 * that has numbers, such as time.daysinmonth.
 * Areas are the dataset that the attribute cell_measures of a names, if the file of a has it.
 * Otherwise, if latitudes are an axis of a: with bounds, differences of the sines of these, times
 * the widths of longitudes if these differ; without bounds, cosines of latitudes. If latitudes are
 * no axis: areas on a sphere of radius 1, by the vertices of cells, which are the bounds of
 * latitudes and longitudes. Areas that are computed are right in relation to each other, and have
 * no unit.
 * shapes  of areas: the axes of the dataset; else that of latitudes, and that of longitudes if
 *         their widths differ, or those of the cells with vertices. dtypes that of the dataset, or
 *         f64.
 * errors  COORD (no latitudes, or no axis of them and no vertices), ARG (a latitude beyond 90
 *         degrees); those of axt_field, DTYPE (a field that is text).
 */
AXT_API struct axt_expr *axt_weights_of(struct axt_graph *g, struct axt_expr *a, const char *word);

/*
 * axt_meet_dates - makes n operands meet by dates, as xarray's groupby does for daily values and
 * their means by month. If one operand has an axis called month, year, season, dayofyear or another
 * field of dates, with coordinates, and another one has times in its place, the first is replaced
 * by its value for the month of each time. Other operands stay as they are. Commands, and functions
 * of axt-calc, that combine operands do this first.
 * returns  0, or the code of the graph's error; the operands are nodes in any case. Errors are
 *          those of axt_take, and AXES if the coordinates say that they are no such field.
 */
AXT_API int axt_meet_dates(struct axt_graph *g, int n, struct axt_expr *a[]);

/*
 * axt_set_fill - sets the number as which missing values are stored, and which _FillValue has: a
 * number as in NAME:=NUMBERS, in the stored dtype. axt_to and axt_print write missing values as
 * this number, too; in memory they stay NaN. A run fails if another value equals the number.
 * errors  SYNTAX, DTYPE (bool, complex; another dtype), RANGE (it does not fit); in the run RANGE.
 */
AXT_API struct axt_expr *axt_set_fill(struct axt_graph *g, struct axt_expr *a, const char *value);

/* ---- words of a command line ---- */

/* Prints a text as a string of JSON. */
AXT_API void axt_json_word(FILE *out, const char *s);

/* Of n words, the one that is most similar to w by edit distance; NULL if none is similar. */
AXT_API const char *axt_nearest_word(const char *w, const char *const *words, int n);
/*
 * What a word of another tool (CDO, NCO, xarray, NumPy ...) is called here: an operation, function
 * or command, or an option. i counts from 0, as a word may have several such names. NULL after the
 * last.
 */
AXT_API const char *axt_foreign_name(const char *word, int i);
AXT_API const char *axt_foreign_option(const char *word, int i);
/*
 * Writes a whole command line as an example, which does what the word does in another tool, or
 * writes that axt has no such thing yet. Returns false if the word is not known.
 */
AXT_API bool axt_foreign_line(const char *word, char *out, size_t n);
/*
 * Writes s to out as messages show it: control characters, bidi controls, invisible characters and
 * bytes that are not UTF-8 become \xHH. The text is cut at n-1 bytes. Returns out.
 */
AXT_API const char *axt_escape_to(char *out, size_t n, const char *s);
/*
 * Writes s to out as one word of a command line, in quotes if the shell needs them; or "FILE" if
 * that does not fit into n bytes. Returns out.
 */
AXT_API const char *axt_quoted_to(char *out, size_t n, const char *s);
/* Parses a word that is an integer in [lo, hi]. Returns false if it is anything else. */
AXT_API bool axt_parse_int(const char *s, int64_t lo, int64_t hi, int64_t *out);
/*
 * Parses a word that is a number of bytes: "4096", "512M", "1.5G" (powers of 1024). Returns false
 * if it is anything else.
 */
AXT_API bool axt_parse_size(const char *s, int64_t *out);
/*
 * Parses a word that is a number or a quotient of two, as "1/4096". Returns false if it is anything
 * else.
 */
AXT_API bool axt_parse_ratio(const char *s, double *out);
/*
 * Whether the word stands in the text, and is not part of a longer word of letters, digits and
 * underscores.
 */
AXT_API bool axt_has_word(const char *text, const char *word);
/* The index of the word in a list such as "a|b|c"; -1: it is none of them. */
AXT_API int axt_choice(const char *choices, const char *word);
/* Whether axt_number accepts the word. */
AXT_API bool axt_is_number(const char *text);
/*
 * The name of the i-th function of expressions, and a line about it. Returns false after the last.
 */
AXT_API bool axt_calc_function(int i, const char **name, const char **line);
/* The name of the i-th kind for axt_set_kind, and a line about it. Returns false after the last. */
AXT_API bool axt_kind_row(int i, const char **name, const char **line);

/* ---- whole files ---- */

/*
 * The tensors that FILE:PATTERN means, such as "a.nc:*" and "a.nc:/g/t?". With `each`, FILE means
 * FILE:*, and the name of a group means all tensors in it. A pattern (fnmatch(3)) without a slash
 * is compared with names and with paths.
 * out     for each tensor an operand that means it alone, and its path; lists of the graph that end
 *         with NULL. If the word is a group, the path within the group begins at *base in each path
 * whole   if the word means no tensor, the coordinates that it means are taken instead
 * returns how many there are; 0 if the word means one tensor, or is a number; -1 on failure.
 * errors  those of opening the file, NAME (no tensor fits the pattern).
 */
AXT_API int axt_match(struct axt_graph *g, const char *word, bool each, bool whole,
    const char *const **operands, const char *const **paths, int *base);
/*
 * The datasets of a file that have numbers or text, as lists of the graph: an operand for each, and
 * its path without the first slash. For FILE:/GROUP/ they are those in the group, with paths that
 * begin there; for FILE:DATASET that dataset. First come *tensors tensors, then numbers that belong
 * to tensors, such as coordinates, then *texts texts. Returns how many there are, or -1.
 * errors  those of opening the file.
 */
AXT_API int axt_names(struct axt_graph *g, const char *file, const char *const **operands,
    const char *const **paths, int *tensors, int *texts);
/*
 * axt_from_words - the tensors of a file of another format. Of FILE:*, and of a csv whose lines are
 * records, such as date,tmax,tmin, they are all tensors: in a csv each column of numbers, along the
 * first column. Of other files it is the one that axt_from gives. If the file, or FILE:COLUMN, is
 * one column of text, *w becomes its words, with w->n of 0 or more, and there is no tensor;
 * otherwise w->n is -1. *out and what *w points to belong to the graph.
 * returns how many tensors there are; -1: an error.
 * errors  as axt_from.
 */
struct axt_words {
	const char *name; /* of the column; NULL: it has none */
	const char *axis; /* along which the words are */
	const char *const *word;
	int64_t n;
};
AXT_API int axt_from_words(struct axt_graph *g, const char *file, const struct axt_from_opts *o,
    struct axt_expr ***out, struct axt_words *w);
/*
 * axt_save_words, axt_print_words - write words as a dataset of text, or print them as lines. If
 * their axis has the name of the words, they are written as its coordinates. Of o, only output,
 * no_clobber, force and history are used.
 * errors  ARG (a dataset in a file, or another format than HDF5), NAME, IO, EXISTS.
 */
AXT_API enum axt_code axt_save_words(struct axt_graph *g, const struct axt_words *w,
    const struct axt_save_opts *o);
AXT_API enum axt_code axt_print_words(struct axt_graph *g, const struct axt_words *w, FILE *out);
/*
 * Opens points for axt_take_nearest. FILE:TENSOR is a tensor, as axt_open opens it. FILE alone may
 * also be a file that has the two coordinates and no tensor.
 * errors  those of axt_open; AMBIG.
 */
AXT_API struct axt_expr *axt_points_in(struct axt_graph *g, const char *operand, const char *names,
    const struct axt_open_opts *o);
/*
 * Prints the strings of a dataset of text, a line for each. Characters along the last axis of an
 * array make a string. open and o may be NULL.
 * errors  those of axt_open, DTYPE (no text), SYNTAX (a format), IO.
 */
AXT_API enum axt_code axt_print_text(struct axt_graph *g, const char *operand,
    const struct axt_open_opts *open, const struct axt_print_opts *o);
/*
 * axt_equal_texts compares text: all datasets of strings in two files or groups, by their names; or
 * two datasets, if a and b are both FILE:DATASET and text. axt_is_text tells whether an operand
 * names a dataset that is text.
 * returns  as axt_equal.
 * errors   IO, FORMAT, DAMAGED, NAME, LIMIT.
 */
AXT_API int axt_equal_texts(struct axt_graph *g, const char *a, const char *b,
    const struct axt_equal_opts *o, FILE *out);
AXT_API bool axt_is_text(struct axt_graph *g, const char *operand);
/*
 * Compares the groups of two files, or in two groups, and their attributes. The attributes of the
 * root are those of the file, of which history is not compared. Datasets are not compared.
 * returns  as axt_equal.
 * errors   IO, FORMAT, DAMAGED.
 */
AXT_API int axt_equal_groups(struct axt_graph *g, const char *a, const char *b, FILE *out);
/* The errors of axt_split that come before the first file is written; nothing is computed. */
AXT_API enum axt_code axt_check_split(struct axt_graph *g, struct axt_expr *const a[], int n,
    const char *axis, const char *pattern, const struct axt_save_opts *o);
/* a, as the dataset PATH of an output, in the groups that PATH names. */
AXT_API struct axt_expr *axt_set_path(struct axt_graph *g, struct axt_expr *a, const char *path);
/*
 * axt_is_integer tells whether a dtype has integers or is bool; axt_has_integers whether e is
 * stored as such a dtype, without scale_factor.
 */
AXT_API bool axt_is_integer(enum axt_dtype d);
AXT_API bool axt_has_integers(struct axt_graph *g, const struct axt_expr *e);
/* What the graph's error is about; its `about` is AXT_ABOUT_NOTHING where that is not known. */
AXT_API const struct axt_fact *axt_graph_fact(const struct axt_graph *g);
/* Whether the graph's error is that a tensor has no such axis. */
AXT_API bool axt_graph_lacks_axis(const struct axt_graph *g);

/* ---- what single commands do ---- */

/*
 * Prints a line for each tensor of a file that axt_from reads: name, dtype and axes with lengths,
 * with tabs between them.
 * errors  those of axt_from.
 */
AXT_API enum axt_code axt_from_list(struct axt_graph *g, const char *file,
    const struct axt_from_opts *o, FILE *out);
/*
 * Converts a to dtype d if d holds every value of a's dtype; otherwise returns a. The operation is
 * then computed in d, so that u8 5 - 10 is -5 in i16. Returns a for AXT_DTYPE_AUTO, and if a is a
 * number.
 */
AXT_API struct axt_expr *axt_widen(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d);
/*
 * axt_calc_to - does what axt_calc does, and also accepts statements "FILE:DATASET[AXIS=SPEC,...]
 * OP VALUE", which become assignments for axt_assign_all. o: options with which each target is
 * checked; NULL: targets are not checked.
 * returns  the number of results; either all of them have targets or none has.
 */
AXT_API int axt_calc_to(struct axt_graph *g, const char *text, const char *const names[],
    struct axt_expr *const a[], int n, const struct axt_assign_opts *o, struct axt_assignment out[],
    int max);
/*
 * How the text of an expression uses the dataset at `path`, which has no first slash; 0: not at
 * all. BY_NAME: by the last part of the path, a name that the text has not assigned to before.
 * BY_PATH: by its path, as /g/tas or in quotes; an operand for this is named "/g/tas". ASSIGNED: it
 * assigns to the name.
 */
enum { AXT_CALC_BY_NAME = 1, AXT_CALC_BY_PATH = 2, AXT_CALC_ASSIGNED = 4 };
AXT_API int axt_calc_uses(const char *text, const char *path);
/* Whether the text needs a value of a name that is none of these. */
AXT_API bool axt_calc_lacks(const char *text, const char *const names[], int n);
/*
 * For a text that axt_calc refuses: the expression that was most likely meant, if the text is in
 * the style of another language (np.mean(a, axis=0), c ? a : b, 1_000). axt_calc can read it. NULL:
 * there is none.
 */
AXT_API const char *axt_calc_mended(struct axt_graph *g, const char *text,
    const char *const names[], struct axt_expr *const a[], int n);
/*
 * Words as axt takes them, for words as other tools write them: dtypes, for np.float32, 'float64',
 * int, "<f4"; periods of time, for the frequencies of pandas, 1M, MS, QS-DEC, 5D. NULL: the word is
 * no such thing. The texts live as long as the graph.
 */
AXT_API const char *axt_respell_dtype(struct axt_graph *g, const char *typed);
AXT_API const char *axt_respell_period(struct axt_graph *g, const char *typed);
/* A number with a unit, such as 30degC, as the number of `units` that it is; NULL: it is none. */
AXT_API const char *axt_respell_measure(struct axt_graph *g, const char *typed, const char *units);
/*
 * A list without brackets, quotes and blanks, for ["time", "lat"], (time lat) and c(time, lat); for
 * slice(0, 3) a range 0:3.
 */
AXT_API const char *axt_respell_list(struct axt_graph *g, const char *typed);
/*
 * What axt takes behind AXIS= or AXIS@, for slice(0, 3), [0, 3], "2001-01-03", -30..30, 60S,
 * 5.1.2001, 1 Jan 2001. MONTH_FIRST: in dates of numbers the month stands before the day. PAIRS:
 * two values may be a range. WORDS: several words may stand beside each other, and "-" between the
 * ends of a range.
 */
enum { AXT_SPEC_MONTH_FIRST = 1, AXT_SPEC_PAIRS = 2, AXT_SPEC_WORDS = 4 };
AXT_API const char *axt_respell_spec(struct axt_graph *g, const char *typed, unsigned how);
/* Of months, quarters and seasons, AXIS.month@1:3 and AXIS.season@DJF. NULL: it is none. */
AXT_API const char *axt_respell_field(struct axt_graph *g, const char *axis, const char *typed);
/*
 * Prints how axt_save would save the expression: as a virtual dataset, or only as text, and why.
 * errors: those of streams that are read.
 */
AXT_API enum axt_code axt_explain_save(struct axt_graph *g, struct axt_expr *e, FILE *out);
/*
 * Fails if e has random numbers without a seed, which each process of a job would draw for itself.
 * errors  ARG
 */
AXT_API enum axt_code axt_check_seeds(struct axt_graph *g, struct axt_expr *e);
/*
 * Prints the plan of the tensors as another process would receive it (axt-pipelines(7)).
 * errors  MEM; those of streams that are read.
 */
AXT_API enum axt_code axt_plan_print(struct axt_graph *g, struct axt_expr *const e[], int n,
    FILE *out);
/*
 * Prints the grid of the tensor `word`, or that the word means, as cdo griddes does.
 * errors  those of axt_open; COORD.
 */
AXT_API enum axt_code axt_grid_print(struct axt_graph *g, const char *word,
    const struct axt_open_opts *open, FILE *out);
/*
 * Shows or changes attributes of FILE, FILE:DATASET or FILE:/group/. Without specs, all of them are
 * printed on out. Specs "[AXIS:]NAME" and ":NAME" print those attributes; with `values` only their
 * values. Specs as in axt_set_attr set or remove attributes: in a copy that replaces the file or,
 * if in_place, in the file itself. history: a line that is added to the file's history if
 * attributes change and no spec sets the history; NULL: none.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG, SYNTAX; for numbers DTYPE, RANGE.
 */
AXT_API enum axt_code axt_attr_edit(struct axt_graph *g, const char *operand,
    const char *const *specs, int nspecs, bool values, bool in_place, const char *history,
    FILE *out);
/*
 * Warns of datasets of FILE or FILE:PATTERN that an output of tensors will lack, because axt does
 * not have their types. Returns the code of the graph's error.
 */
AXT_API int axt_tell_unreadable(struct axt_graph *g, const char *word);
/*
 * Removes datasets from files: FILE:DATASET, and those that FILE:PATTERN and FILE:/group/ mean. It
 * is an error if something that stays names one of them in an attribute. With `force`, that name is
 * removed from the attribute, and an axis whose coordinates are removed stays without. history: a
 * line for each file's history, or NULL. in_place: files are changed themselves, not replaced by
 * copies.
 * errors  IO, FORMAT, DAMAGED, NAME, AMBIG; EXISTS (something refers to the dataset).
 */
AXT_API enum axt_code axt_remove(struct axt_graph *g, const char *const *operand, int n, bool force,
    bool in_place, const char *history);
/*
 * Renames datasets of a file, all at once: map is "OLD=NEW,...". Axes are renamed with their
 * coordinates, and attributes that name a dataset get its new name.
 * errors  as axt_remove; SYNTAX; EXISTS (there is a dataset NEW).
 */
AXT_API enum axt_code axt_move(struct axt_graph *g, const char *map, const char *file,
    bool in_place, const char *history);
/*
 * Lists the variables of a file, or of all HDF5 files in a directory and its subdirectories,
 * sorted: a line FILE:DATASET for each or, as JSON, an array of objects.
 * errors  IO, FORMAT, DAMAGED (of files in a directory, only those that are HDF5).
 */
AXT_API enum axt_code axt_trainable(struct axt_graph *g, const char *const *path, int n, bool json,
    FILE *out);

/* ---- jobs of several processes ---- */

struct axt_part_opts {
	const char *part; /* "K/N": part K of N, from 1 */
	/* the command that makes it, which axt_merge tells where a part is missing; NULL: none */
	const char *command;
	/*
	 * o->output is the output of the whole job: a folder beside it, with ".parts" behind its
	 * name, has the parts that are done, which are not computed again, and the last of them is
	 * followed by axt_merge
	 */
	bool into;
};
/*
 * axt_save_part - computes and writes one of N parts of the results that axt_save would write;
 * axt_merge makes the same file, byte for byte, of all parts. Of each result a part has chunks that
 * follow each other along its outermost axes, and no two parts differ by more than one chunk; it is
 * empty if there are fewer chunks than parts. Its file has its values as tensors. {} in o->output
 * is replaced by K, the number of the part. Axes that an operation needs whole, such as that of a
 * sort, are not cut.
 * axt_explain_part - prints what the part reads and writes; no data are read.
 * errors  as axt_save; SYNTAX; ARG for streams, devices, o->output that is no file; EXISTS where
 *         the file is another part, or of another job.
 */
AXT_API enum axt_code axt_save_part(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_part_opts *part);
AXT_API enum axt_code axt_explain_part(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_part_opts *part, FILE *out);
/*
 * axt_explain_ranks - prints what a job of `ranks` parts or processes would read, write and send:
 * all together, and the one that does least and most. No data are read. Of chunks that are read all
 * bytes count, as they are in memory.
 * errors  as axt_explain_part; ARG if ranks is not from 1 to 1000000.
 */
AXT_API enum axt_code axt_explain_ranks(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, long ranks, FILE *out);
struct axt_merge_opts {
	const char *output; /* FILE or FILE:DATASET */
	bool no_clobber;    /* fail with EXISTS instead of replacing */
};
/*
 * axt_merge - puts the n files of a job's parts together, in whatever order they are given. The
 * inputs of the job are not needed any more.
 * errors  ARG where a file is no part, or of another job, or a part is there twice or missing;
 *         DAMAGED; those of a run, EXISTS.
 */
AXT_API enum axt_code axt_merge(struct axt_graph *g, const char *const files[], int n,
    const struct axt_merge_opts *o);

/* How a launcher of parallel jobs, mpirun or srun, runs this process. */
struct axt_launch {
	const char *launcher; /* "mpirun" */
	const char *variable; /* of the environment, which has the number of processes */
	long processes, rank; /* how many, at least 2, and which one this is, from 0 */
	bool joins;           /* they can be one job: axt has what it needs for their MPI */
	const char *why;      /* why they cannot, if axt has that, and it cannot be loaded; or "" */
};
/* Whether a launcher runs this process as one of several. */
AXT_API bool axt_launched(struct axt_launch *out);
/*
 * axt_join_ranks - begins MPI, for a process that a launcher runs as one of several, before it
 * opens the inputs of what axt_save_ranks will save. Where all processes have the same `command`,
 * the words of a command line, the first one alone goes on, and the others wait until it has opened
 * the inputs and calls axt_save_ranks. They then compute and write their parts, and open only those
 * inputs whose values they read. Returns -1 where this process goes on with the command, and the
 * status that it ends with where it does not, or failed: see the graph's error. If a pipe is open
 * in the graph, it does nothing.
 * errors  NOSYS where the MPI has another number of processes than the launcher; those of
 *         axt_save_ranks.
 */
AXT_API int axt_join_ranks(struct axt_graph *g, const char *command);
/*
 * axt_save_ranks - does what axt_save does, by all processes that a launcher of MPI runs. Each
 * process calls it with the same expressions, unless it waits in axt_join_ranks, computes one part
 * as axt_save_part does, and writes that part into the output. The output has the same bytes as
 * that of a single process. This begins MPI unless axt_join_ranks has, which a process can do once;
 * a later call does nothing. A process that has failed before calls it as well, in any case, so
 * that the others do not wait for it and one alone tells why.
 * errors  as axt_save_part and axt_merge; NOSYS where there is no launcher, or its MPI has another
 *         number of processes; RANK where another process has failed, whose graph has the error;
 *         CHANGED where inputs are not the same for all.
 */
AXT_API enum axt_code axt_save_ranks(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o);
/*
 * axt_stop_ranks - if others wait in axt_join_ranks for this process, ends them with that status.
 * axt_leave_ranks - waits for the other processes and ends MPI, if it has begun. Call both once
 * this process has printed what it has to: when a process ends with an error, the launcher may end
 * the others.
 */
AXT_API void axt_stop_ranks(int status);
/*
 * axt_fail_ranks - begins MPI, unless it has begun, for a process that is about to end because its
 * own words are wrong, so that the others do not wait for it: axt_leave_ranks then tells them.
 * Returns whether all processes have those words, and another one is the first, which says why.
 */
AXT_API bool axt_fail_ranks(const char *command);
AXT_API void axt_leave_ranks(void);

/* ---- pictures ---- */

/* BLOCKS: half blocks and braille; SIXEL, KITTY: what such terminals draw as a picture. */
enum axt_plot_form {
	AXT_PLOT_AUTO, /* by the suffix of the output */
	AXT_PLOT_PNG,
	AXT_PLOT_SVG,
	AXT_PLOT_PDF,
	AXT_PLOT_ASCII,
	AXT_PLOT_BLOCKS,
	AXT_PLOT_SIXEL,
	AXT_PLOT_KITTY
};
/* SHAPE: one axis is a line, two are a map. */
enum axt_plot_what { AXT_PLOT_SHAPE, AXT_PLOT_HIST, AXT_PLOT_SCATTER, AXT_PLOT_IMAGE };
/* Of colours on a terminal: none, the 256 that most have, or all. */
enum axt_plot_ink { AXT_PLOT_PLAIN, AXT_PLOT_256, AXT_PLOT_TRUE };
struct axt_plot_opts {
	const char *output; /* NULL: `out` */
	FILE *out;
	bool no_clobber;
	enum axt_plot_form form;
	enum axt_plot_what what;
	enum axt_plot_ink ink;
	/* pixels of a picture, or columns and lines of text; 0: chosen */
	int width, height;
	bool at_most;              /* a picture may be smaller, where a map has another shape */
	const char *const *frames; /* [nframes]: specs of axt_slices */
	int nframes;
	bool nearest;   /* of such specs */
	bool mean_rest; /* axes that are not drawn are averaged over */
	/* names of axes: across, up, a line for each index, a panel for each index; or NULL */
	const char *x, *y, *lines, *all;
	const char *range; /* "LO,HI" of values; NULL: least and greatest that are drawn */
	double clip;       /* leaves out so many percent of the cells at both ends of the range */
	bool log, quick, bare, no_coast;
	const char *colors; /* the name of a colour map; NULL: chosen */
	const char *title;  /* NULL: from the attributes */
	int64_t bins;       /* HIST; 0: 50 */
	FILE *explain;      /* gets the plan of what would be read, and nothing is drawn; NULL */
};
/*
 * axt_plot - draws n tensors: a line for each or, of one tensor with two axes, a map. Values are
 * reduced while they are read, so that no more memory is needed than for the picture: cells of maps
 * are means of blocks, and lines show the least and the greatest value of each block. quick: one
 * element of each block is drawn instead. no_coast: maps of latitudes and longitudes have no coast
 * lines.
 * shapes  axes of length 1 are left out. Further ones are an error, unless frames or mean_rest say
 *         what becomes of them.
 * dtypes  real.
 * units   those of x and y stand at the axes; lines must have the same kind of coordinates.
 * errors  those of a run; AXES, NAME, DTYPE, ARG (nothing to draw), SYNTAX (range, the output's
 *         name), NOSYS (no cairo), IO. After an error an output that was there is as it was.
 */
AXT_API enum axt_code axt_plot(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_plot_opts *o);
struct axt_spark_opts {
	int columns; /* of a row at most; 0: 60 */
	bool ascii;  /* characters of ASCII instead of blocks */
	FILE *out;
	FILE *explain; /* gets the plan of what would be read, and nothing is drawn; NULL */
};
/*
 * axt_spark - prints a line of blocks for each row along the last axis of n tensors. Under a
 * heading, a line has the coordinates along the other axes; blocks whose heights are means of equal
 * ranges of the row, from the least mean to the greatest, with blanks where all values are missing
 * or infinite; and the least and the greatest finite value. All come from one pass over each
 * tensor.
 * shapes  one axis or more, at most 10,000 rows. dtypes real.
 * errors  those of a run; AXES, DTYPE, ARG (no elements, too many rows), IO. After an error other
 *         than IO nothing is printed.
 */
AXT_API enum axt_code axt_spark(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_spark_opts *o);
/*
 * axt_spark_files - prints a line for each tensor of n words FILE, FILE:DATASET, FILE:PATTERN or
 * FILE:/GROUP/. It has the name, behind "FILE:" if n > 1; dtype and axes; the values, if the tensor
 * has one axis, or else a histogram of them, for which it is read twice; the least and the greatest
 * finite value, and the units.
 * errors  those of opening the tensors, and of a run; IO. After an error other than IO nothing is
 *         printed.
 */
AXT_API enum axt_code axt_spark_files(struct axt_graph *g, const char *const *word, int n,
    const struct axt_open_opts *open, const struct axt_spark_opts *o);
/*
 * The axes that a map of e has if none is asked for: latitude and longitude, else the last two. A
 * line has only x, and a single value has neither. Axes of length 1 are not taken. -1: none.
 */
AXT_API void axt_plot_axes(const struct axt_expr *e, int *y, int *x);
/* Whether indices along axis i fall in a picture: to the right, or (up) upward. */
AXT_API bool axt_plot_falls(struct axt_graph *g, const struct axt_expr *e, int i, bool up);
/*
 * The coordinate at an index of axis i as text: a date, a number, escaped text, or the index where
 * there are no coordinates. The graph owns it. NULL: no such axis or index, out of memory.
 */
AXT_API const char *axt_index_text(struct axt_graph *g, const struct axt_expr *e, int i,
    int64_t index);
/* The name of the i-th colour map; NULL after the last. */
AXT_API const char *axt_plot_colors(int i);

#ifdef __cplusplus
}
#endif
#endif
