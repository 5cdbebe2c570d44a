/*
 * cmd.h - for the main functions of commands. Options and operands are rows bound to typed
 * variables; parsing, -h, the synopsis, the history line and completion are made from the rows.
 *
 * A command declares its rows, and a function `build` that makes expressions of cmd_in and passes
 * them to cmd_result; CMD_MAIN is its main. Errors stick to the graph, so that nothing in between
 * has to be checked. Commands that write something else than tensors call cmd_begin and cmd_finish
 * themselves. Status: 0 done, 1 failed, 2 wrong usage.
 */
#ifndef AXT_CMD_H
#define AXT_CMD_H

#include "axt_cmd.h"

/* The values of an option that may be repeated. */
struct cmd_list {
	const char **v;
	int n;
};

enum cmd_type {
	CMD_T_END,
	CMD_T_FLAG,    /* bool */
	CMD_T_SET,     /* int: set to lo; rows that share the variable exclude each other */
	CMD_T_CHOICE,  /* int: the index of the value among the words of arg, "a|b|c" */
	CMD_T_STR,     /* const char * */
	CMD_T_OPERAND, /* const char *: an operand, for cmd_open */
	CMD_T_INT,     /* int64_t in [lo, hi] */
	CMD_T_SIZE,    /* int64_t: a number of bytes, "512M" */
	CMD_T_NUM,     /* double */
	CMD_T_DTYPE,   /* enum axt_dtype */
	CMD_T_LIST     /* struct cmd_list */
};

struct cmd_opt {
	const char *name, *arg, *help;
	void *var;
	int64_t lo, hi;
	enum cmd_type type;
	unsigned group; /* for common options: which commands have it; 0: all */
	char letter;    /* 0: none */
	/* it does not change values or labels, and so is left out of the history */
	bool plumbing;
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
 * Names of the formats that are not HDF5, for CMD_CHOICE: their numbers are those of enum
 * axt_format.
 */
extern const char cmd_formats[];
#define CMD_END                   \
	{                         \
		.type = CMD_T_END \
	}

/* Groups of common options. */
#define CMD_OPENS 0x4000u /* -d --raw --allow-external --stale */
#define CMD_JOINS 0x01u   /* --join */
#define CMD_READS (CMD_OPENS | CMD_JOINS)
#define CMD_RUNS 0x02u   /* -t -m --device --progress */
#define CMD_SHAPES 0x04u /* --name --axes --dtype --attr --fill --explain */
#define CMD_WRITES 0x08u /* -o -N --force -p --deflate --chunk --unlimited --no-history */
#define CMD_TENSOR (CMD_READS | CMD_RUNS | CMD_SHAPES | CMD_WRITES)
#define CMD_MAKES (CMD_RUNS | CMD_SHAPES | CMD_WRITES) /* for commands without operands */
#define CMD_PRINTS 0x10u                               /* only -p */
#define CMD_NARY 0x20u /* the last operand may be repeated; --files-from */
/* Which operand may be missing, so that standard input takes its place. */
#define CMD_STDIN 0x40u    /* the last one */
#define CMD_COMMUTES 0x80u /* any one: standard input is then the first operand */
/* the command passes --dtype to its node, so that there is no cast at the end */
#define CMD_OWN_DTYPE 0x100u
#define CMD_FREE 0x200u  /* the command counts its operands itself */
#define CMD_BARE 0x400u  /* no common options */
#define CMD_NAMED 0x800u /* tensors are NAME=OPERAND, any number of them */
/* -N --force --deflate --chunk --unlimited --no-history: the command names its files itself */
#define CMD_FILES 0x2000u
#define CMD_SPECS 0x1000u /* words NAME=... and NAME@... among the operands are no tensors */
/* what follows = or @ in such words, and in NAME=OPERAND of CMD_FREE, is an operand */
#define CMD_SPEC_OPERANDS 0x8000u

struct cmd {
	const char *name, *line;    /* "axt-dot"; one line that says what it does */
	const struct cmd_opt *opts; /* its own options, CMD_END last; NULL: none */
	const char *words[4];       /* operands before the tensors: "OP" */
	const char *in[4];          /* the tensors */
	unsigned flags;
	const char *operands; /* the operands in the synopsis, where words and in do not say it */
	int fail;             /* the status of a failure, if not 1 */
	/*
	 * The i-th value that the first word can have, and a line about it; false after the last.
	 * For -h and completion.
	 */
	bool (*choice)(int i, const char **name, const char **line);
};

/*
 * main() of a command whose function `build` builds its results from the operands and gives each to
 * cmd_result.
 */
#define CMD_MAIN(c)                                       \
	int main(int argc, char *argv[])                  \
	{                                                 \
		return cmd_main(&(c), build, argc, argv); \
	}
int cmd_main(const struct cmd *c, void (*build)(struct axt_graph *g), int argc, char *argv[]);
/* Adds a result to those that are written to a file or stream, printed or explained. */
void cmd_result(struct axt_graph *g, struct axt_expr *y);

/* Parses the command line. -h and --version end the program (0), as does wrong usage (2). */
struct axt_graph *cmd_begin(const struct cmd *c, int argc, char *argv[]);
int cmd_nin(struct axt_graph *g);
const char *cmd_word(struct axt_graph *g, int i);
/* CMD_SPECS: how many such words there are (beside those of `words`), and the i-th. */
int cmd_nspecs(struct axt_graph *g);
const char *cmd_spec(struct axt_graph *g, int i);
/* The i-th tensor operand as typed, or "-" for the missing one. */
const char *cmd_operand(struct axt_graph *g, int i);
struct axt_expr *cmd_in(struct axt_graph *g, int i);
/* CMD_NAMED: the names of all tensors, cmd_nin of them. */
const char *const *cmd_operand_names(struct axt_graph *g);
/* All tensors, cmd_nin of them. */
struct axt_expr *const *cmd_all_in(struct axt_graph *g);
/*
 * Any operand, opened with the options of the command line. duplicates: two axes may have one name.
 */
struct axt_expr *cmd_open(struct axt_graph *g, const char *operand, bool duplicates);
/* How the options of the command line tell to open operands. */
struct axt_open_opts cmd_open_opts(struct axt_graph *g);
/* The same for labels, which may be text. */
struct axt_expr *cmd_labels(struct axt_graph *g, const char *operand);
/*
 * An operand converted to the dtype of --dtype, if that holds all its values: for elementwise
 * commands.
 */
struct axt_expr *cmd_wide(struct axt_graph *g, struct axt_expr *a);
/* The same for all operands. */
struct axt_expr *const *cmd_all_wide(struct axt_graph *g);
/* The value of --dtype, for commands with CMD_OWN_DTYPE. */
enum axt_dtype cmd_dtype(struct axt_graph *g);
/* Whether -q, -d were given. */
bool cmd_quiet(struct axt_graph *g);
bool cmd_has_dataset(struct axt_graph *g);
/* The values of -d and --raw, or NULL. */
const char *cmd_default_dataset(struct axt_graph *g);
bool cmd_is_raw(struct axt_graph *g);

/* How the result is to be stored: see axt_save_opts. */
void cmd_storage(const char *size, char layout);
/* Saves the expression itself instead of its values. */
void cmd_expression(void);
/* Sets what the command line says of targets: -d --raw -N. */
void cmd_assign_opts(struct axt_assign_opts *o);
/*
 * What becomes of results that are not written to one file: the common options are applied to them,
 * and they are assigned to their targets, ...
 */
void cmd_assign(struct axt_graph *g, struct axt_assignment *y, int n, struct axt_assign_opts *o);
/* ... written to one file for each index of an axis, ... */
void cmd_split(struct axt_graph *g, struct axt_expr *y, const char *axis, const char *pattern);
/* ... printed on standard output, which sets out and terminal of o, ... */
void cmd_print(struct axt_graph *g, struct axt_expr *y, struct axt_print_opts *o);
/* ... or written to a file of another format. */
void cmd_to(struct axt_graph *g, struct axt_expr *const y[], int n, const char *file,
    const struct axt_to_opts *o);
/*
 * For commands that write their own text: reports the graph's error and flushes. Returns `status`,
 * or that of the failure.
 */
int cmd_finish(struct axt_graph *g, int status);

/*
 * Reports wrong usage, with status 2: a message (show names by cmd_name), and a hint (may be NULL).
 */
void cmd_usage(const char *hint, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/*
 * Reports "unknown WHAT \"word\"", with a hint: the nearest of the command's choices, or what a
 * word from elsewhere is called here.
 */
__attribute__((noreturn)) void cmd_unknown(const char *what, const char *word);
/* A word as messages show it, escaped. The result is one of a few buffers used in turn. */
const char *cmd_name(const char *s);

#endif
