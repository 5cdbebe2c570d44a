/*
 * cmd.h - what a command's main is made of. Options and operands are rows bound to typed variables;
 * the rows give parsing, -h, the synopsis, the history line and completion.
 *
 * A main declares its rows, calls cmd_begin, builds an expression from cmd_in and
 * gives it to cmd_end. Errors stick to the graph, so nothing in between has to be
 * checked. Status: 0 done, 1 failed, 2 wrong usage.
 */
#ifndef AXT_CMD_H
#define AXT_CMD_H

#include "axt.h"

/* Values of a repeatable option. */
struct cmd_list {
	const char **v;
	int n;
};

enum cmd_type {
	CMD_T_END,
	CMD_T_FLAG,	/* bool */
	CMD_T_SET,	/* int: set to lo; rows that share the variable exclude each other */
	CMD_T_CHOICE,	/* int: index of the value among the words of arg, "a|b|c" */
	CMD_T_STR,	/* const char * */
	CMD_T_OPERAND,	/* const char *: a tensor operand, for cmd_open */
	CMD_T_INT,	/* int64_t in [lo, hi] */
	CMD_T_SIZE,	/* int64_t: bytes, "512M" */
	CMD_T_NUM,	/* double */
	CMD_T_DTYPE,	/* enum axt_dtype */
	CMD_T_LIST	/* struct cmd_list */
};

struct cmd_opt {
	const char *name, *arg, *help;
	void *var;
	int64_t lo, hi;
	enum cmd_type type;
	unsigned group;		/* common rows: the commands that have it; 0: all */
	char letter;		/* 0: none */
	bool plumbing;		/* does not shape values or labels: stays out of the history */
};

/* The variable's type is checked where the row is written. */
#define CMD_VAR(type_, v) (1 ? (v) : (type_ *)NULL)
#define CMD_FLAG(c, n, v, h, ...) { .letter = (c), .name = (n), .type = CMD_T_FLAG, \
	.var = CMD_VAR(bool, v), .help = (h), ##__VA_ARGS__ }
#define CMD_SET(c, n, v, value, h, ...) { .letter = (c), .name = (n), .type = CMD_T_SET, \
	.var = CMD_VAR(int, v), .lo = (value), .help = (h), ##__VA_ARGS__ }
#define CMD_CHOICE(c, n, v, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_CHOICE, \
	.var = CMD_VAR(int, v), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_STR(c, n, v, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_STR, \
	.var = CMD_VAR(const char *, v), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_OPERAND(c, n, v, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_OPERAND, \
	.var = CMD_VAR(const char *, v), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_INT(c, n, v, l, u, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_INT, \
	.var = CMD_VAR(int64_t, v), .lo = (l), .hi = (u), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_SIZE(c, n, v, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_SIZE, \
	.var = CMD_VAR(int64_t, v), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_NUM(c, n, v, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_NUM, \
	.var = CMD_VAR(double, v), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_DTYPE(c, n, v, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_DTYPE, \
	.var = CMD_VAR(enum axt_dtype, v), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_LIST(c, n, v, a, h, ...) { .letter = (c), .name = (n), .type = CMD_T_LIST, \
	.var = CMD_VAR(struct cmd_list, v), .arg = (a), .help = (h), ##__VA_ARGS__ }
#define CMD_END { .type = CMD_T_END }

/* Groups of common options. */
#define CMD_READS 0x01u		/* -d --raw --join */
#define CMD_RUNS 0x02u		/* -t -m --device --progress */
#define CMD_SHAPES 0x04u	/* --name --axes --dtype --attr --fill --explain */
#define CMD_WRITES 0x08u	/* -o -N --force -p --deflate --chunk --unlimited --no-history */
#define CMD_TENSOR (CMD_READS | CMD_RUNS | CMD_SHAPES | CMD_WRITES)
#define CMD_MAKES (CMD_RUNS | CMD_SHAPES | CMD_WRITES)		/* no operand */
#define CMD_PRINTS 0x10u	/* -p alone */
#define CMD_NARY 0x20u		/* the last operand may be repeated; --files-from */
/* How operands may be missing. */
#define CMD_STDIN 0x40u		/* the last one: standard input */
#define CMD_COMMUTES 0x80u	/* any one: standard input goes first */
#define CMD_OWN_DTYPE 0x100u	/* the command gives --dtype to its node; no cast at the end */
#define CMD_FREE 0x200u		/* operands are counted by the command */
#define CMD_BARE 0x400u		/* no common options */
#define CMD_NAMED 0x800u	/* tensors are NAME=OPERAND; any number of them */
#define CMD_FILES 0x2000u	/* -N --force --deflate --chunk --unlimited --no-history: it names its files */
#define CMD_SPECS 0x1000u	/* words NAME=... and NAME@... among the operands are no tensors */

struct cmd {
	const char *name, *line;		/* "axt-dot", one line of what it does */
	const struct cmd_opt *opts;		/* its own rows, CMD_END last; NULL: none */
	const char *words[4];			/* leading operands that are no tensors: "OP" */
	const char *in[4];			/* tensors */
	unsigned flags;
	const char *operands;	/* the synopsis of the operands, if it is not words and in */
	int fail;		/* status of a failure, if not 1 */
	/* The i-th value the first word can have and its line; false after the
	 * last. For -h and completion. */
	bool (*choice)(int i, const char **name, const char **line);
};

/* Parses; -h and --version end the program (0), wrong usage too (2). */
struct axt_graph *cmd_begin(const struct cmd *c, int argc, char *argv[]);
int cmd_nin(struct axt_graph *g);
const char *cmd_word(struct axt_graph *g, int i);
/* CMD_SPECS: how many such words there are behind those of `words`, and the i-th. */
int cmd_nspecs(struct axt_graph *g);
const char *cmd_spec(struct axt_graph *g, int i);
/* The i-th tensor operand as typed, "-" for a missing one. */
const char *cmd_operand(struct axt_graph *g, int i);
struct axt_expr *cmd_in(struct axt_graph *g, int i);
/* CMD_NAMED: the names of all of them, cmd_nin. */
const char *const *cmd_operand_names(struct axt_graph *g);
/* All of them, cmd_nin. */
struct axt_expr *const *cmd_all_in(struct axt_graph *g);
/*
 * Any operand, with the open options of the command line; duplicates: two axes
 * may have one name.
 */
struct axt_expr *cmd_open(struct axt_graph *g, const char *operand, bool duplicates);
/* The same for labels, which may be text. */
struct axt_expr *cmd_labels(struct axt_graph *g, const char *operand);
/* An operand in the dtype of --dtype, where that holds its values: for what is computed elementwise. */
struct axt_expr *cmd_wide(struct axt_graph *g, struct axt_expr *a);
/* The same of all operands. */
struct axt_expr *const *cmd_all_wide(struct axt_graph *g);
/* --dtype, for commands with CMD_OWN_DTYPE. */
enum axt_dtype cmd_dtype(struct axt_graph *g);
/* Whether -q, -d were given. */
bool cmd_quiet(struct axt_graph *g);
bool cmd_has_dataset(struct axt_graph *g);
/* What -d and --raw say: a name or NULL. */
const char *cmd_default_dataset(struct axt_graph *g);
bool cmd_is_raw(struct axt_graph *g);

/* How the result is to be stored: see axt_save_opts. */
void cmd_storage(const char *size, char layout);
/* The expression itself is to be saved. */
void cmd_expression(void);
/* Casts, orders, names, writes, prints or explains; ends the graph; returns the exit status. */
int cmd_end(struct axt_graph *g, struct axt_expr *y);
int cmd_end_n(struct axt_graph *g, struct axt_expr *const y[], int n);
/* What the command line says of targets: -d --raw -N. */
void cmd_assign_opts(struct axt_assign_opts *o);
/* The same as cmd_end_n, into the targets. */
int cmd_assign(struct axt_graph *g, struct axt_assignment *y, int n, struct axt_assign_opts *o);
/* One file for each index of an axis. */
int cmd_split(struct axt_graph *g, struct axt_expr *y, const char *axis, const char *pattern);
/* The same, but always as text on standard output; fills out and terminal of o. */
int cmd_print(struct axt_graph *g, struct axt_expr *y, struct axt_print_opts *o);
/* The same, into a file of another format. */
int cmd_to(struct axt_graph *g, struct axt_expr *const y[], int n, const char *file,
    const struct axt_to_opts *o);
/*
 * For commands that wrote their own text: reports the graph's error, flushes;
 * returns `status` or the failure's.
 */
int cmd_finish(struct axt_graph *g, int status);

/* Wrong usage: the message (names through cmd_name), a hint (may be NULL), status 2. */
void cmd_usage(const char *hint, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
/*
 * "unknown WHAT \"word\"" with the nearest of the command's choices, or the
 * foreign word's meaning.
 */
__attribute__((noreturn)) void cmd_unknown(const char *what, const char *word);
/* A word as messages show it: escaped, in one of a few rotating buffers. */
const char *cmd_name(const char *s);

#endif
