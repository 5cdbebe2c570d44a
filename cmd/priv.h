/* priv.h - shared by cmd.c, opts.c, operands.c, end.c and usage.c. */
#ifndef AXT_CMD_PRIV_H
#define AXT_CMD_PRIV_H

#include "cmd.h"

/* The values of the common options. */
struct cmd_common {
	const char *output, *dataset, *files_from, *name, *axes, *join, *chunk, *unlimited, *fill,
	    *blas, *compress, *shuffle, *quantize, *part, *size;
	struct cmd_list attrs;
	enum axt_dtype dtype;
	int64_t threads, memory, deflate, ranks;
	int device, progress, units, layout;
	bool no_clobber, force, raw, allow_external, stale, print, no_history, explain, quiet,
	    copies, verbose, help, version, options, each;
};

/* The state of the command. There is one in each process. */
struct cmd_state {
	const struct cmd *c;
	struct cmd_common o;
	struct cmd_list given;   /* the words of the command line that are options */
	struct cmd_list args;    /* the operands: words first, then tensors */
	struct cmd_list typed;   /* CMD_LISTS: the operands as they were typed */
	struct cmd_list unsplit; /* CMD_NAMED: the same, with the names before them */
	struct cmd_list names;   /* names of the tensors, if they have names */
	struct cmd_list paths;   /* CMD_LISTS: where each tensor goes in the output; "": not told */
	bool *found; /* of each tensor whether a pattern found it that is not its name */
	int nfound;
	int nwords; /* how many of the operands are words */
	bool built; /* the expression was built: what fails now is no matter of words */
	int argc;   /* the command line as it was typed */
	char *const *argv;
	char *history;
	size_t history_len;
};
extern struct cmd_state cmd_st;
/* What `build` gave, for one output. */
struct cmd_results {
	struct axt_expr **v;
	int n;
	const char *rest_of; /* the file whose other datasets are written too; NULL */
};
extern struct cmd_results cmd_results;
extern const struct cmd_opt cmd_common_opts[];

/* the words of --device, in the order of enum axt_device_kind */
extern const char cmd_devices[]; /* such as "cpu|cuda|auto" */
enum { CMD_PROGRESS_AUTO, CMD_PROGRESS_ALWAYS, CMD_PROGRESS_NEVER };

/* Ends the program because the option takes `want`, and not the value. */
void cmd_bad_value(const struct cmd_opt *o, const char *value, const char *want)
    __attribute__((noreturn));
bool cmd_has(const struct cmd_opt *o);
/* The k-th option of this command; its own come before common ones. NULL after the last. */
const struct cmd_opt *cmd_opt_at(int k);
void cmd_fill_descriptors(void);
/*
 * In again.c: sees whether anything goes to standard output from now on; begins the command again,
 * from its command line, after a file has changed under it. This returns where that cannot be, and
 * where it was done often enough.
 */
void cmd_watch(void);
void cmd_begin_again(void);
/* Whether this line was printed before the command began again. */
bool cmd_said_before(const char *line, size_t n);
/* The exit status after a failure. */
int cmd_fail_status(void);
/* Separates words and specs from tensors, and checks how many tensors there are. */
void cmd_check_operands(void);
/* After a command's own check, since a part of a word may be an operand, as in linear:A. */
void cmd_check_stdin(void);
/* Lets the graph know all operands of the command line. */
void cmd_tell_operands(struct axt_graph *g);
/*
 * CMD_NAMED: makes operands that are files without a name into their datasets whose names stand in
 * the text.
 */
void cmd_name_files(struct axt_graph *g, const char *text);
/* In whole.c, for CMD_LISTS: makes operands that mean several tensors into one for each. */
void cmd_expand(struct axt_graph *g);
/*
 * In whole.c: builds results for each tensor that operands such as FILE:* mean. false: there is no
 * such operand.
 */
bool cmd_whole_files(struct axt_graph *g, void (*build)(struct axt_graph *g));
/*
 * In parts.c: a whole file begins, so that its tensors may lack axes (see cmd_skips), or does not;
 * and whether some part of the command line was left out by all of the n tensors, which makes it an
 * error when one of them is built once more.
 */
void cmd_parts_begin(bool several);
bool cmd_parts_end(int n);
/* The i-th operand as typed, such as FILE:*, while results of one of its tensors are built. */
const char *cmd_as_typed(int i);
void cmd_parse(int argc, char *argv[]);
/* Adds s itself, without copying it. */
void cmd_add(struct cmd_list *l, const char *s);
/* adds a copy of the first n bytes of s */
void cmd_add_copy(struct cmd_list *l, const char *s, size_t n);
/* Frees a list of which each text was added by cmd_add_copy. */
void cmd_free_copies(struct cmd_list *l);
void cmd_history_add(const char *word);
/* The whole command line as it was typed, with quotes as the shell needs them. Free it. */
char *cmd_typed_line(void);

/*
 * In guess*.c: what was typed, with its words put where they were most likely meant; NULL: no
 * guess. There are too many operands; the last operand is the output; the first word is no choice;
 * an operand is no file.
 */
const char *cmd_guess_output(void);
const char *cmd_guess_choice(const char *word);
/* np.sqrt for sqrt, which is one of the n names, or is called so elsewhere. */
const char *cmd_guess_module(const char *word, const char *const *names, int n);
/* -t DTYPE, of an option with that letter that takes a number: --dtype. */
const char *cmd_guess_type(char letter, const char *value, int argc, char *const argv[]);
const char *cmd_guess_failed(const char *error);
/* As cmd_guess_failed; where it has a guess, that is better than a hint of the library. */
const char *cmd_guess_sure(const char *error);
/* Where a hint says that another dataset was meant: the line that was typed, with that one. */
const char *cmd_guess_mended(const char *error, const char *hint);
/*
 * The line that does what the n words, those behind "axt", mean in CDO, NCO or Python; NULL: none.
 */
const char *cmd_guess_tool(int n, char *const v[]);
const char *cmd_guess_nco(int n, char *const v[]);
/* The same for a word that is this command's first operand. */
const char *cmd_guess_word_of_tool(const char *word);
const char *cmd_guess_list(const char *typed, int rest);
/* Puts the names that the first file of a line has for time, lat, lon and lev into the line. */
void cmd_own_axes(char *line, size_t size, int n, char *const v[]);
/* Writes the command line of an operation or function of this name; false: none has it. */
bool cmd_guess_operation(const char *name, char *out, size_t n);
/*
 * For the unknown option argv[i], which is an axis or, with `axes`, is called as an option of axes
 * elsewhere: the line with its value as an operand.
 */
const char *cmd_guess_no_option(int i, int argc, char *const argv[], bool axes);
/*
 * For the unknown option argv[i], which is called `near` here: the line with names of axes for the
 * numbers in its value.
 */
const char *cmd_guess_numbers(const char *near, int i, int argc, char *const argv[]);
/* The dtype of axt that NumPy calls so, as "f4", "<i8" and "np.float32". */
const char *cmd_guess_dtype(const char *typed);
/* axt-fillnan --method ffill: a command of its own. */
const char *cmd_guess_filled(const char *option, const char *value, int argc, char *const argv[]);
/*
 * What is done in place of the option argv[i], which this command does not need: the line without
 * it, or with its value as an operand.
 */
const char *cmd_guess_needless(const char *name, int i, int argc, char *const argv[]);
/* The line with what is likely missing: the tensor that takes another value, or a number. */
const char *cmd_guess_missing(void);
/* axt-clip --min LO --max HI: the line with both as operands. */
const char *cmd_guess_bounds(int argc, char *const argv[]);
/* axt-clip FILE with one bound or none: the line with what is missing. */
const char *cmd_guess_bound(void);
/* Ends with a message if a word of the command is missing, and a file stands in its place. */
void cmd_guess_words(void);
/*
 * Called when the parser, or what builds the expression, has refused the command line: ends with a
 * hint where its words stand in places that are not theirs. A line that is carried out never comes
 * here, whatever its words look like.
 */
void cmd_refused(void);
/* Warns of a result with a new axis that is called as a file: AXIS was likely not typed. */
void cmd_tell_new_axis(struct axt_graph *g);

/* In main.c: does what the command that argv[0] names does, and returns its status. */
int cmd_run(int argc, char *argv[]);

void cmd_help(void);
void cmd_list_options(void);
/* Prints one line on standard error; kind is "", "warning: " or "hint: ". */
void cmd_say(const char *kind, const char *text);
/*
 * In hint.c: prints the hint of an error, unless it is the line that was typed; its outputs get
 * free names.
 */
void cmd_say_hint(const char *error, const char *hint);
/*
 * In try.c: if the hint begins with a line that fails, and what that says has a hint with a line
 * that works, puts that in its place.
 */
bool cmd_try_hint(char *text, size_t size);
/* Whether the command runs only to try the line of a hint. */
bool cmd_is_hint_tried(void);
/*
 * In confine.c: from now on the process can read files and compute, and nothing else. false: the
 * kernel cannot see to that.
 */
bool cmd_confine(void);
/* The status of a trial that did not begin, since it could not be confined. */
enum { CMD_UNTRIED = 3 };
__attribute__((noreturn)) void cmd_oom(void);
/* Flushes and closes standard output. Returns status or, after a message, that of a failure. */
int cmd_flush(int status);

#endif
