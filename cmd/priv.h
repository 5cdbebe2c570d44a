/* priv.h - shared by cmd.c, opts.c, operands.c, end.c and usage.c. */
#ifndef AXT_CMD_PRIV_H
#define AXT_CMD_PRIV_H

#include "cmd.h"

/* The values of the common options. */
struct cmd_common {
	const char *output, *dataset, *files_from, *name, *axes, *join, *chunk, *unlimited, *fill,
	    *blas, *compress, *shuffle, *quantize, *part, *into, *size;
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
	int nwords;           /* how many of the operands are words */
	struct axt_fact fact; /* of the message that follows */
	int argc;             /* the command line as it was typed */
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
 * In copies.c: if this is one of the processes of a job, tells the others that it has failed. Of
 * those that have failed, one alone keeps its error.
 */
void cmd_fail_jointly(struct axt_graph *g);
/*
 * In again.c. cmd_watch notes from now on whether anything goes to standard output. cmd_begin_again
 * starts the command once more, with the same words, after another process has changed a file that
 * it reads; it returns if that is not possible, or was done often enough.
 */
void cmd_watch(void);
/*
 * Flushes standard output and closes its descriptor. The stream itself stays open, because a
 * library that was loaded meanwhile, such as libstdc++ beside MPI, may flush it when the process
 * ends.
 */
int cmd_close_stdout(void);
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
 * For CMD_NAMED: replaces each operand that is a file without NAME= by those of its datasets whose
 * names stand in the expression `text`.
 */
void cmd_name_files(struct axt_graph *g, const char *text);
/* In whole.c, for CMD_LISTS: makes operands that mean several tensors into one for each. */
void cmd_expand(struct axt_graph *g);
/*
 * In whole.c: builds results for each tensor of operands such as FILE:*. Returns false if there is
 * no such operand, and builds nothing then.
 */
bool cmd_whole_files(struct axt_graph *g, void (*build)(struct axt_graph *g));
/*
 * In lacking_axes.c. cmd_lacking_begin is called before the tensors of operands are done;
 * `several`: they are those of a whole file, and may lack axes (see cmd_skips). cmd_lacking_end
 * returns whether all n tensors lack the axis of some part; building one of them once more then is
 * an error.
 */
void cmd_lacking_begin(bool several);
bool cmd_lacking_end(int n);
/* The i-th operand as typed, such as FILE:*, while results of one of its tensors are built. */
const char *cmd_as_typed(int i);
void cmd_parse(int argc, char *argv[]);
/* Adds s itself, without copying it. */
void cmd_add(struct cmd_list *l, const char *s);
/* By the bytes of the words. */
void cmd_sort(struct cmd_list *l);
/* adds a copy of the first n bytes of s */
void cmd_add_copy(struct cmd_list *l, const char *s, size_t n);
/* Frees a list of which each text was added by cmd_add_copy. */
void cmd_free_copies(struct cmd_list *l);
void cmd_history_add(const char *word);
/* The whole command line as it was typed, with quotes as the shell needs them. Free it. */
char *cmd_typed_line(void);

/*
 * In advice_calc.c: the expression that was likely meant when one was refused; NULL: none is known.
 */
const char *advice_expression_meant(void);
/* In advice.c: the line that was likely meant by the one that was refused; NULL: none is found. */
const char *cmd_advice(const struct axt_fact *why);
/* In axt_tools.c: the line that does what n words behind "axt" mean in CDO, NCO or Python; NULL. */
const char *cmd_guess_tool(int n, char *const v[]);
const char *cmd_guess_nco(int n, char *const v[]);
/* Puts the names that the first file of a line has for time, lat, lon and lev into the line. */
void cmd_own_axes(char *line, size_t size, int n, char *const v[]);
/* Writes the command line of an operation or function of this name; false: none has it. */
bool cmd_guess_operation(const char *name, char *out, size_t n);

/* In main.c: does what the command that argv[0] names does, and returns its status. */
int cmd_run(int argc, char *argv[]);

void cmd_help(void);
void cmd_list_options(void);
/* Prints one line on standard error; kind is "", "warning: " or "hint: ". */
void cmd_say(const char *kind, const char *text);
/*
 * Prints a hint. If the hint writes to a file that exists and was not typed as an output, another
 * name is put in its place, so that whoever types the hint loses no file.
 */
void cmd_hint(const char *text);
/*
 * In try.c: whether this process only tries whether a command line can be carried out; and how such
 * a process ends when the line cannot.
 */
extern bool cmd_trying;
__attribute__((noreturn)) void cmd_trial_failed(const struct axt_fact *why);
/* Forgets the command line, so that another one can be carried out in this process. */
void cmd_reset(void);
void cmd_reset_end(void);
void cmd_reset_operation(void);
void cmd_reset_whole(void);
/* Whether an option takes a value; whether a word of a command line is an option. */
bool cmd_takes_value(const struct cmd_opt *o);
bool cmd_is_option(const char *w);
/* Adds text to a line as it is. */
void cmd_add_raw(char **line, size_t *len, const char *text);
/*
 * In copies.c: makes this process one of a job. Returns where it does the command, for all of them
 * or by itself; others are ended here.
 */
void cmd_join_ranks(struct axt_graph *g);
/*
 * In copies.c: has this process of a job, which is about to end because its words are wrong, meet
 * the others. Returns whether the first of them says this text, as all have the same words.
 */
bool cmd_first_says(const char *text);
/* In opts.c: whether a word that was typed begins so. */
bool cmd_typed(const char *begin);
/* Ends this process, and those of its job that wait for it. */
__attribute__((noreturn)) void cmd_exit(int status);
__attribute__((noreturn)) void cmd_oom(void);
/* n bytes, which are zero, and are kept until the process ends. */
void *cmd_kept(size_t n);
/* Flushes and closes standard output. Returns status or, after a message, that of a failure. */
int cmd_flush(int status);

#endif
