/*
 * cmd.h - for the main functions of commands. Options and operands are rows of tables that are
 * bound to typed variables; parsing, -h, the synopsis, the history line and completion are made
 * from the rows.
 *
 * A command declares its rows, and a function `build` that makes expressions of cmd_in and passes
 * them to cmd_result; CMD_MAIN makes its main. Once there is an error it stays in the graph and
 * later calls do nothing, so that errors are checked only at the end. Commands whose output is not
 * a tensor call cmd_begin and cmd_finish themselves. The exit status is 0 if all went well, 1 after
 * a failure, 2 after wrong usage.
 */
#ifndef AXT_CMD_H
#define AXT_CMD_H

#include "axt_cmd.h"

/* The values of an option that may be given several times. */
struct cmd_list {
	const char **v;
	int n;
};

enum cmd_type {
	CMD_T_END,
	CMD_T_FLAG,    /* bool */
	CMD_T_SET,     /* int: is set to lo; rows with the same variable exclude each other */
	CMD_T_CHOICE,  /* int: the index of the value in arg, which is such as "a|b|c" */
	CMD_T_STR,     /* const char *: any text */
	CMD_T_OPERAND, /* const char *: an operand that is opened by cmd_open */
	CMD_T_INT,     /* int64_t: a whole number in [lo, hi] */
	CMD_T_SIZE,    /* int64_t: a number of bytes, such as "512M" */
	CMD_T_NUM,     /* double */
	CMD_T_DTYPE,   /* enum axt_dtype */
	CMD_T_LIST     /* struct cmd_list: may be given several times */
};

struct cmd_opt {
	const char *name, *arg, *help;
	void *var;
	int64_t lo, hi;
	enum cmd_type type;
	/*
	 * For an option that several commands have: the flag, such as CMD_FILES, of the commands
	 * that have it; 0: all have it.
	 */
	unsigned group;
	char letter; /* 0: the option has no letter */
	/* it changes neither values nor labels, so the history line leaves it out */
	bool plumbing;
	/* where it is given, the command has no words, or if it has none, no last tensor */
	bool instead;
	/* reads the value in place of what the type says; ends the program where there is none */
	void (*read)(const struct cmd_opt *o, const char *value);
};

/* Checks at compile time that the variable has the type of the row. */
#define CMD_VAR(type_, v) (1 ? (v) : (type_ *)NULL)
#define CMD_FLAG(c, n, v, h, ...)                                                        \
	{                                                                                \
		.letter = (c), .name = (n), .type = CMD_T_FLAG, .var = CMD_VAR(bool, v), \
		.help = (h), ##__VA_ARGS__                                               \
	}
#define CMD_SET(c, n, v, value, h, ...)                                                \
	{                                                                              \
		.letter = (c), .name = (n), .type = CMD_T_SET, .var = CMD_VAR(int, v), \
		.lo = (value), .help = (h), ##__VA_ARGS__                              \
	}
#define CMD_CHOICE(c, n, v, a, h, ...)                                                    \
	{                                                                                 \
		.letter = (c), .name = (n), .type = CMD_T_CHOICE, .var = CMD_VAR(int, v), \
		.arg = (a), .help = (h), ##__VA_ARGS__                                    \
	}
#define CMD_STR(c, n, v, a, h, ...)                                                             \
	{                                                                                       \
		.letter = (c), .name = (n), .type = CMD_T_STR, .var = CMD_VAR(const char *, v), \
		.arg = (a), .help = (h), ##__VA_ARGS__                                          \
	}
#define CMD_OPERAND(c, n, v, a, h, ...)                                                 \
	{                                                                               \
		.letter = (c), .name = (n), .type = CMD_T_OPERAND,                      \
		.var = CMD_VAR(const char *, v), .arg = (a), .help = (h), ##__VA_ARGS__ \
	}
#define CMD_INT(c, n, v, l, u, a, h, ...)                                                  \
	{                                                                                  \
		.letter = (c), .name = (n), .type = CMD_T_INT, .var = CMD_VAR(int64_t, v), \
		.lo = (l), .hi = (u), .arg = (a), .help = (h), ##__VA_ARGS__               \
	}
#define CMD_SIZE(c, n, v, a, h, ...)                                                        \
	{                                                                                   \
		.letter = (c), .name = (n), .type = CMD_T_SIZE, .var = CMD_VAR(int64_t, v), \
		.arg = (a), .help = (h), ##__VA_ARGS__                                      \
	}
#define CMD_NUM(c, n, v, a, h, ...)                                                       \
	{                                                                                 \
		.letter = (c), .name = (n), .type = CMD_T_NUM, .var = CMD_VAR(double, v), \
		.arg = (a), .help = (h), ##__VA_ARGS__                                    \
	}
#define CMD_DTYPE(c, n, v, a, h, ...)                                                     \
	{                                                                                 \
		.letter = (c), .name = (n), .type = CMD_T_DTYPE,                          \
		.var = CMD_VAR(enum axt_dtype, v), .arg = (a), .help = (h), ##__VA_ARGS__ \
	}
#define CMD_LIST(c, n, v, a, h, ...)                                                       \
	{                                                                                  \
		.letter = (c), .name = (n), .type = CMD_T_LIST,                            \
		.var = CMD_VAR(struct cmd_list, v), .arg = (a), .help = (h), ##__VA_ARGS__ \
	}
/*
 * Names of the formats other than HDF5, for CMD_CHOICE. Their indices are the numbers of enum
 * axt_format.
 */
extern const char cmd_formats[];
#define CMD_END                   \
	{                         \
		.type = CMD_T_END \
	}

/* Groups of common options; a command has those whose flags it sets. */
#define CMD_OPENS 0x4000u /* -d --raw --allow-external --stale */
#define CMD_JOINS 0x01u   /* --join */
#define CMD_READS (CMD_OPENS | CMD_JOINS)
#define CMD_RUNS 0x02u   /* -t -m --device --progress */
#define CMD_SHAPES 0x04u /* --name --axes --dtype --attr --fill --explain */
#define CMD_WRITES 0x08u /* -o -N --force -p --compress --chunk --unlimited --no-history */
#define CMD_TENSOR (CMD_READS | CMD_RUNS | CMD_SHAPES | CMD_WRITES)
#define CMD_MAKES (CMD_RUNS | CMD_SHAPES | CMD_WRITES) /* for commands that have no operands */
#define CMD_PRINTS 0x10u                               /* only -p */
#define CMD_NARY 0x20u /* the last operand may be repeated, and --files-from gives more */
/* Which operand may be missing; standard input then takes its place. */
#define CMD_STDIN 0x40u    /* the last operand */
#define CMD_MEET 0x80000u  /* operands that cmd_all_in gives have met by their dates */
#define CMD_COMMUTES 0x80u /* any operand; standard input is then the first */
/* the command passes --dtype to its node, so the result is not cast */
#define CMD_OWN_DTYPE 0x100u
#define CMD_FREE 0x200u  /* the command checks the number of operands itself */
#define CMD_BARE 0x400u  /* the command has no common options */
#define CMD_NAMED 0x800u /* the tensors are NAME=OPERAND, any number of them */
/*
 * -N --force --compress --chunk --unlimited --no-history, for commands that name their output files
 * themselves
 */
#define CMD_FILES 0x2000u
/* values are only moved: those that cannot be unpacked stay as stored */
#define CMD_MOVES 0x100000u
#define CMD_OPTIONAL 0x200000u   /* the last tensor may be left out */
#define CMD_STORES 0x400000u     /* --size --layout */
#define CMD_EXPRESSION 0x800000u /* the expression is saved, and not its values */
#define CMD_CHANGES 0x20000u     /* the command changes or writes files without -o */
#define CMD_HISTORY 0x40000u /* --no-history, for commands that change the datasets or attributes */
#define CMD_SPECS 0x1000u    /* words NAME=... and NAME@... are specs and no tensors */
/* what follows = or @ in specs, or in NAME=OPERAND of a command with CMD_FREE, is an operand */
#define CMD_SPEC_OPERANDS 0x8000u
/*
 * The command takes FILE:*, and FILE too unless it is axt-print, as a list of all tensors of the
 * file, and builds its results once. Other commands build results for each tensor by itself.
 */
#define CMD_LISTS 0x10000u

struct cmd {
	/* the name, such as "axt-dot", and one line that says what it does */
	const char *name, *line;
	const struct cmd_opt *opts; /* its own options, of which CMD_END is last; NULL: none */
	const char *words[4];       /* operands that stand before the tensors, such as "OP" */
	const char *in[4];          /* names of the tensors in the synopsis */
	unsigned flags;
	/* all operands as in the synopsis, if words and in cannot describe them */
	const char *operands;
	const char *two; /* the hint where there are two tensors in place of one; NULL */
	int fail;        /* exit status of a failure, if it is not 1 */
	/* Ends the program where options and words do not go together; no operand is open then. */
	void (*check)(void);
	/*
	 * Gives the i-th value that the first word may have, and a line about it. Returns false
	 * after the last. -h and completion call it.
	 */
	bool (*choice)(int i, const char **name, const char **line);
};

/*
 * Makes the main function of the command `c` of the file c.c, whose function `build` passes each
 * result to cmd_result. Other commands define cmd_main_NAME themselves; the table of all is made of
 * these definitions.
 */
#define CMD_MAIN(c)                                       \
	int cmd_main_##c(int argc, char *argv[])          \
	{                                                 \
		return cmd_main(&(c), build, argc, argv); \
	}
int cmd_main(const struct cmd *c, void (*build)(struct axt_graph *g), int argc, char *argv[]);
/* Adds a result. Results are written to a file or stream, printed or explained. */
void cmd_result(struct axt_graph *g, struct axt_expr *y);

/* Parses the command line. -h and --version end the program with status 0, wrong usage with 2. */
struct axt_graph *cmd_begin(const struct cmd *c, int argc, char *argv[]);
/* Another graph, by the options of the command line. */
struct axt_graph *cmd_graph(void);
int cmd_nin(struct axt_graph *g);
/* In whole.c: whether the results that are built are those of one of several tensors of FILE:*. */
bool cmd_one_of_several(void);
/* Which one of them it is, from 0. */
int cmd_nth_of_several(void);
const char *cmd_word(struct axt_graph *g, int i);
/* For CMD_SPECS: the number of specs beside those of `words`, and the i-th of them. */
int cmd_nspecs(struct axt_graph *g);
const char *cmd_spec(struct axt_graph *g, int i);
/* The i-th tensor operand as it was typed, or "-" if standard input takes its place. */
const char *cmd_operand(struct axt_graph *g, int i);
struct axt_expr *cmd_in(struct axt_graph *g, int i);
/* The same, but text is good too, as axt_open_text has it. */
struct axt_expr *cmd_in_text(struct axt_graph *g, int i);
/* For CMD_NAMED: the names of all tensors, of which there are cmd_nin. */
const char *const *cmd_operand_names(struct axt_graph *g);
/* All tensors, of which there are cmd_nin. */
struct axt_expr *const *cmd_all_in(struct axt_graph *g);
/*
 * Opens any operand, by the options of the command line. `duplicates`: two axes of the operand may
 * have the same name.
 */
struct axt_expr *cmd_open(struct axt_graph *g, const char *operand, bool duplicates);
/* The options of the command line that matter for opening operands. */
struct axt_open_opts cmd_open_opts(struct axt_graph *g);
/* Opens an operand as labels of `a`; they may be text, or AXIS.FIELD of an axis of `a`. */
struct axt_expr *cmd_labels(struct axt_graph *g, struct axt_expr *a, const char *operand);
/*
 * Weights of the elements of `a`: an operand, the word "area", or AXIS.FIELD of an axis of `a`;
 * NULL: none.
 */
struct axt_expr *cmd_weights(struct axt_graph *g, struct axt_expr *a, const char *operand);
/*
 * All operands, each converted to the dtype of --dtype if that dtype holds all values of the
 * operand's. Elementwise commands compute in the wider dtype so.
 */
struct axt_expr *const *cmd_all_wide(struct axt_graph *g);
/* The value of --dtype, for commands with CMD_OWN_DTYPE. */
enum axt_dtype cmd_dtype(struct axt_graph *g);
/*
 * All tensors, each in the dtype of --dtype; if that is a floating one, integers that a pattern
 * such as FILE:* found, like flags and indices, stay as they are.
 */
struct axt_expr *const *cmd_all_cast(struct axt_graph *g);
/*
 * Whether y, made of operand i, keeps its dtype in spite of --dtype, because it has integers and a
 * pattern such as FILE:* found it. Such tensors are counted, so that a note can name how many there
 * are; where all tensors have integers, none of them keeps its dtype.
 */
bool cmd_spares(struct axt_graph *g, int i, const struct axt_expr *y);
/*
 * For FILE:*: whether the graph failed because this tensor lacks the axis of the i-th part of the
 * command line: a word AXIS..., or an item of a list of axes; -1: the axis of any part. If so, the
 * error is cleared, and the caller builds the result without that part. Where all tensors lack the
 * axis, the error stays.
 */
bool cmd_skips(struct axt_graph *g, int part);
/* Does with `a` what one part of the command line says, or a list of axes with commas. */
typedef struct axt_expr *cmd_part_fn(struct axt_graph *g, struct axt_expr *a, const char *part);
/* Does a list of axes as a whole. Of FILE:* each tensor is done along those of them that it has. */
struct axt_expr *cmd_listed(struct axt_graph *g, struct axt_expr *a, const char *list,
    cmd_part_fn *all);
/*
 * For commands that do several parts at once, after cmd_skips(g, -1) was true: moves the parts
 * whose axes the tensor has to the front, and returns how many these are; n if there are none.
 * `one` is tried with each of the n parts.
 */
int cmd_keep(struct axt_graph *g, struct axt_expr *a, const char **part, int n, cmd_part_fn *one);
/* Whether --fill, -q, and -d, were given. */
bool cmd_has_fill(struct axt_graph *g);
bool cmd_quiet(struct axt_graph *g);
/* Prints a warning, unless --quiet is given or it is the one before. */
void cmd_warn(const char *text);
/*
 * In copies.c: ends the program with an error if a launcher such as mpirun runs several copies of
 * it, each of which would write `file`. With --copies they may.
 */
void cmd_refuse_copies(const char *file);
/*
 * The same for copies that would write to standard output, unless this is /dev/null, or a pipe to
 * another command of the same copy.
 */
void cmd_refuse_copies_shown(void);
/* In copies.c: whether a launcher of MPI runs this process as one of several that are one job. */
bool cmd_joins_ranks(void);
bool cmd_has_dataset(struct axt_graph *g);
/* The value of -d, or NULL; and whether --raw was given. */
const char *cmd_default_dataset(struct axt_graph *g);
bool cmd_is_raw(struct axt_graph *g);

/*
 * The line for the attribute history, or NULL with --no-history. The line has a date only if the
 * variable SOURCE_DATE_EPOCH gives one, so that equal commands write equal files.
 */
const char *cmd_history(struct axt_graph *g);
/* Sets how the result is stored: see axt_save_opts. */
void cmd_storage(const char *size, char layout);
/* Has the results written to one file for each index of an axis. */
void cmd_split(const char *axis, const char *pattern);
/* Sets the options of an assignment by -d, --raw and -N. */
void cmd_assign_opts(struct axt_assign_opts *o);
/*
 * The functions from here to cmd_spark finish commands whose results do not go to one file, and
 * apply the common options first. This one assigns results to their targets.
 */
void cmd_assign(struct axt_graph *g, struct axt_assignment *y, int n, struct axt_assign_opts *o);
/* Prints on standard output. Sets out and terminal of o. */
void cmd_print(struct axt_graph *g, struct axt_expr *const y[], int n, struct axt_print_opts *o);
/* Writes to a file of another format. */
void cmd_to(struct axt_graph *g, struct axt_expr *const y[], int n, const char *file,
    const struct axt_to_opts *o);
/* Writes or prints words, which are no tensor: what axt-from does with a column of text. */
void cmd_words(struct axt_graph *g, struct axt_words *w);
/* Draws: see axt_plot. */
void cmd_plot(struct axt_graph *g, struct axt_expr *const y[], int n,
    const struct axt_plot_opts *o);
/* Prints each row of n results as a line of blocks. */
void cmd_spark(struct axt_graph *g, struct axt_expr *const y[], int n);
/*
 * For commands that write their own text: reports the graph's error, if it has one, and flushes
 * standard output. Returns `status`, or the exit status of a failure.
 */
int cmd_finish(struct axt_graph *g, int status);

/* In terminal.c: what standard output is. */
struct cmd_terminal {
	bool is;            /* a terminal */
	int columns, lines; /* 80 and 24 if it is none */
	int width, height;  /* in pixels; 0: not known */
	bool kitty, sixel;  /* pictures that it draws */
	bool utf8;          /* the locale has characters of Unicode */
	bool blocks;        /* characters of Unicode, on a terminal */
	bool colors;        /* NO_COLOR does not forbid them */
	bool all_colors;    /* not only 256 */
};
/* pictures: the terminal is asked which pictures it can draw, which takes a moment. */
void cmd_terminal(struct cmd_terminal *out, bool pictures);

/*
 * Show and remove the bar of --progress around a run. cmd_progress_beside_text is for runs that
 * print text, and shows no bar if that text goes to a terminal. cmd_progress_part says that the
 * next run is the i-th of n, counted from 0, and fills the i-th part of the bar.
 */
void cmd_progress_begin(struct axt_graph *g);
void cmd_progress_beside_text(struct axt_graph *g);
void cmd_progress_part(int i, int n);
void cmd_progress_end(void);

/* A hint that has the operands of the synopsis: "axt-add A B ...; axt-add -h tells how". */
const char *cmd_help_hint(void);

/*
 * Sets what the next message of cmd_usage is about, by which a better command line is looked for;
 * the text of the message is not read for that. `word` and `of` are as they were typed.
 */
void cmd_about(enum axt_about about, const char *word, const char *of);
/*
 * Reports wrong usage, and exits with status 2. Names in the message have to go through cmd_name.
 * hint may be NULL.
 */
void cmd_usage(const char *hint, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/*
 * Reports "unknown WHAT \"word\"" and ends the program. The hint says what does the same here if
 * `word` is one of another tool, else how to list the words that there are.
 */
__attribute__((noreturn)) void cmd_unknown(const char *what, const char *word);
/*
 * Adds a blank and a word, quoted for the shell where it has to be, to the text *line of *len
 * bytes, which is reallocated.
 */
void cmd_add_word(char **line, size_t *len, const char *word);
/* A word as messages show it, with escapes. The result is valid until a few more calls. */
const char *cmd_name(const char *s);

#endif
