/*
 * axt_operation.h - operations as rows: what each is called, what it takes, and how it is built.
 *
 * An operation is declared once, in a file of its own of lib/operations. From its row come the
 * command (options, -h, synopsis, completion), the function of axt-calc and axt_call(), so that a
 * parameter has one name, type, default and range everywhere. On a command line "max_gap" is
 * --max-gap, in expressions max_gap=.
 *
 * A row's parameters fill a struct of the operation's own, which `build` gets. Rows are constants:
 * nobody frees them, and any thread may read them.
 */
#ifndef AXT_AXT_OPERATION_H
#define AXT_AXT_OPERATION_H

#include <string.h>

#include "axt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- parameters ---- */

/* The types, and what a parameter is in the operation's struct. */
enum axt_param_type {
	AXT_PARAM_TENSOR,  /* struct axt_expr *; NULL: not given */
	AXT_PARAM_AXES,    /* const char *: a list of axes; NULL: not given */
	AXT_PARAM_FLAG,    /* bool */
	AXT_PARAM_CHOICE,  /* int: the index of the word in `words` */
	AXT_PARAM_INTEGER, /* int64_t in [lo, hi] */
	AXT_PARAM_NUMBER,  /* double, from lo on, and up to hi unless that is 0 */
	AXT_PARAM_DTYPE,   /* enum axt_dtype; the words in `words` are numbered from AXT_NDTYPES */
	AXT_PARAM_TEXT,    /* const char *; NULL: not given */
	AXT_PARAM_SPECS,   /* struct axt_specs */
	AXT_PARAM_VALUE, /* struct axt_expr *: a number, exactly as it is typed; NULL: not given */
	/*
	 * const char *: a list of numbers; NULL: not given. If lo is above 0, the numbers are
	 * whole, from lo on, and at most hi of them.
	 */
	AXT_PARAM_NUMBERS,
	AXT_PARAM_LABELS /* struct axt_label_list */
};

/* Labels of groups: a list or a range as text, "1,2" or "1:12", or a tensor that has them. */
struct axt_label_list {
	const char *list;
	struct axt_expr *e;
};

/* What is asked for along axes, one after another. */
struct axt_specs {
	int n;
	const char *const *word;   /* [n]: AXIS=... or AXIS@..., as typed, with escapes in names */
	struct axt_expr *const *e; /* [n]: what stands behind = or @, where it is a tensor; NULL */
};

enum {
	AXT_PARAM_REQUIRED = 1 << 0,
	AXT_PARAM_WORD = 1
	    << 1, /* on a command line it stands without its name, before the tensors */
	/* where it is given, the word is not needed, or if there is none, the last operand */
	AXT_PARAM_INSTEAD = 1 << 2,
	/* AXES, SPECS: of FILE:* each tensor is done along those of the axes that it has */
	AXT_PARAM_PARTIAL = 1 << 3,
	/* AXES: one axis; SPECS: one of them; TENSOR: goes with one of the specs */
	AXT_PARAM_ONE = 1 << 4,
	/* in expressions it may stand without its name, behind the tensors; a WORD then has none */
	AXT_PARAM_BARE = 1 << 5,
	AXT_PARAM_PLAIN = AXT_PARAM_WORD | AXT_PARAM_BARE,
	/* AXES: new ones, for which a number is no name, nor a dtype where the operation has one */
	AXT_PARAM_NEW = 1 << 6,
	AXT_PARAM_LENGTHS = 1 << 7, /* AXES: each with its length */
	/* TENSOR: "area" is the areas of cells of the first operand, AXIS.FIELD a field of its dates */
	AXT_PARAM_AREA = 1 << 8,
	AXT_PARAM_RESULT = 1 << 9,    /* FLAG: only the result of this name */
	AXT_PARAM_OPERANDS = 1 << 10, /* SPECS: in expressions what stands behind = may be one */
	/* TENSOR: labels, which may be text, AXIS.FIELD of the first operand, or several of them */
	AXT_PARAM_GROUPS = 1 << 11,
	/* AXES: where it is given, two axes of the operand may have one name */
	AXT_PARAM_DUPLICATES = 1 << 12,
	/* SPECS: in a command, a file that is there, behind = or @, is opened as a tensor */
	AXT_PARAM_FILES = 1 << 13,
	/* SPECS: what stands behind = or @ is a tensor, unless it is a list of numbers */
	AXT_PARAM_INDEX = 1 << 14,
	/* SPECS: an axis may be in two of them: the second is a part of what the first has left */
	AXT_PARAM_TWICE = 1 << 15,
	/* FLAG: it is what the common option --fill means for the operation as well */
	AXT_PARAM_FILL = 1 << 16
};

struct axt_param {
	const char *name, *help;
	const char *arg;   /* as -h shows the value, such as "N"; NULL: by the type */
	const char *such;  /* a value for hints, such as "degC"; NULL: of axes that of time */
	const char *words; /* of CHOICE: "linear|nearest"; the first is the default */
	/* an older name, or of a FLAG NAME=WORD, which expressions still take; NULL */
	const char *was;
	/*
	 * Names of parameters, with blanks between. If this one is given, none of `excludes` may
	 * be, and all of `needs` must be. "mode=edge" stands for the parameter mode if it has that
	 * value.
	 */
	const char *excludes, *needs;
	/* of CHOICE: the parameter whose value may stand behind the word, as in linear:0.5; NULL */
	const char *colon;
	/* of FLAG: which one false sets, as skip_nan=false is keep_nan; NULL */
	const char *opposite;
	/*
	 * With the flag AREA. `of`: the parameter whose axes and dates AXIS.FIELD and "area" mean;
	 * NULL: those of the first operand. `as`: a parameter whose word is also taken for this
	 * one, if this one is not given and `of` is; NULL.
	 */
	const char *of, *as;
	enum axt_param_type type;
	unsigned flags;
	size_t at; /* where it is in the operation's struct */
	int64_t lo, hi;
	/* the default of INTEGER; of NUMBER it is in `number`, of TEXT, AXES and VALUE in `text` */
	int64_t value;
	double number; /* NaN: none is set, and the operation decides */
	const char *text;
};

/* The place of a member; it does not compile if the member has another type than T. */
#define AXT_PARAM_AT(S, m, T) (offsetof(S, m) * (size_t) _Generic(((S *)0)->m, T : 1))
#define AXT_PARAM_OF(S, m, T, t, h, ...)                                                     \
	{                                                                                    \
		.name = #m, .help = (h), .type = AXT_PARAM_##t, .at = AXT_PARAM_AT(S, m, T), \
		##__VA_ARGS__                                                                \
	}
#define AXT_TENSOR_OF(S, m, h, ...) AXT_PARAM_OF(S, m, struct axt_expr *, TENSOR, h, ##__VA_ARGS__)
#define AXT_AXES_OF(S, m, h, ...) AXT_PARAM_OF(S, m, const char *, AXES, h, ##__VA_ARGS__)
/* One axis, which must be given. */
#define AXT_AXIS_OF(S, m, h) AXT_AXES_OF(S, m, h, .flags = AXT_PARAM_REQUIRED | AXT_PARAM_ONE)
#define AXT_FLAG_OF(S, m, h, ...) AXT_PARAM_OF(S, m, bool, FLAG, h, ##__VA_ARGS__)
#define AXT_CHOICE_OF(S, m, w, h, ...) \
	AXT_PARAM_OF(S, m, int, CHOICE, h, .words = (w), ##__VA_ARGS__)
#define AXT_INTEGER_OF(S, m, l, u, h, ...) \
	AXT_PARAM_OF(S, m, int64_t, INTEGER, h, .lo = (l), .hi = (u), ##__VA_ARGS__)
#define AXT_NUMBER_OF(S, m, l, h, ...) \
	AXT_PARAM_OF(S, m, double, NUMBER, h, .lo = (l), ##__VA_ARGS__)
#define AXT_DTYPE_OF(S, m, h, ...) AXT_PARAM_OF(S, m, enum axt_dtype, DTYPE, h, ##__VA_ARGS__)
#define AXT_TEXT_OF(S, m, h, ...) AXT_PARAM_OF(S, m, const char *, TEXT, h, ##__VA_ARGS__)
#define AXT_NUMBERS_OF(S, m, h, ...) AXT_PARAM_OF(S, m, const char *, NUMBERS, h, ##__VA_ARGS__)
#define AXT_LABELS_OF(S, m, h, ...) \
	AXT_PARAM_OF(S, m, struct axt_label_list, LABELS, h, ##__VA_ARGS__)
#define AXT_VALUE_OF(S, m, h, ...) AXT_PARAM_OF(S, m, struct axt_expr *, VALUE, h, ##__VA_ARGS__)
/* Words AXIS=..., which every operation calls `specs`. */
#define AXT_SPECS_OF(S, a, f, h, ...)                                                \
	AXT_PARAM_OF(S, specs, struct axt_specs, SPECS, h, .arg = (a),               \
	    .flags = AXT_PARAM_REQUIRED | AXT_PARAM_PLAIN | AXT_PARAM_PARTIAL | (f), \
	    ##__VA_ARGS__)
#define AXT_PARAMS_END       \
	{                    \
		.name = NULL \
	}

/* ---- operations ---- */

struct axt_call;

/*
 * Another name of an operation, with values that are set: rfft is fft with "real=true". second: the
 * parameter that takes the value behind the operands, as in broadcast_like(a, b); NULL: none.
 * result: which of several results the name stands for; NULL: those that are asked for.
 */
struct axt_alias {
	const char *name, *preset, *line, *second, *result;
};

enum {
	/* the last operand may be left out on a command line: standard input takes its place */
	AXT_OPERATION_STDIN = 1 << 0,
	AXT_OPERATION_MANY = 1 << 1,     /* the last operand may be there several times */
	AXT_OPERATION_COMMUTES = 1 << 2, /* any of them may be left out, and is the first then */
	AXT_OPERATION_MEET = 1 << 3,     /* operands meet by their dates: axt_meet_dates */
	/* computed in the dtype that is asked for, where that holds all values of the operands */
	AXT_OPERATION_WIDE = 1 << 4,
	AXT_OPERATION_NUMBERS = 1
	    << 5,                    /* `kind` is an enum axt_op; of numbers alone it is a number */
	AXT_OPERATION_TEXT = 1 << 6, /* one operand may be text, and the other the word to find */
	/* its command can store the result column-major, and with room to grow */
	AXT_OPERATION_STORES = 1 << 7,
	AXT_OPERATION_OF_TEXT = 1 << 8 /* operands may be text */
};

#define AXT_MOST_RESULTS 8
/* Parameters have a bit each, and rows in the tables of their command. */
#define AXT_MOST_PARAMS 32

/* The parameters of an operation that has only one, a text. */
struct axt_one {
	union {
		const char *along, *over, *axes, *axis, *names;
	};
};

struct axt_operation {
	const char *name, *line; /* "matrix_norm", whose command is axt-matrix-norm */
	/* their names with blanks between, "A B", of which "[B]" may be left out */
	const char *operands;
	const char *typed; /* the same in the order of a command line; NULL: that order */
	const char *two;   /* of one operand: what is meant where two are typed; NULL */
	const struct axt_param *params;
	const struct axt_alias *aliases; /* the last has no name; NULL: none */
	size_t size;                     /* of the struct that the parameters fill */
	unsigned flags;
	int kind; /* the number of its row, where it is one of a table such as ops.def */
	/*
	 * Names of parameters, with blanks between, whose values may stand behind the operation's
	 * name where that is a word of a command, as in quantile:0.9. In expressions they stand
	 * behind the operands: full(3, x=2). NULL: none.
	 */
	const char *colon;
	/*
	 * Builds the node of the result. After an error, which is in the graph, it returns a failed
	 * node, and never NULL.
	 */
	struct axt_expr *(*build)(struct axt_graph *g, const struct axt_call *c);
	/* The same, where the parameters are a struct axt_one, of one operand and that text. */
	struct axt_expr *(*build_of)(struct axt_graph *g, struct axt_expr *a, const char *text);
	/*
	 * In place of `build`, for several results. results: their names, with blanks between; a
	 * command gives all of them, unless RESULT parameters ask for some. other_results: their
	 * names if the parameter `where` is given. build_all puts their nodes into
	 * out[AXT_MOST_RESULTS], and returns 0, or the code of the graph's error.
	 */
	const char *results, *where, *other_results;
	int (*build_all)(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out);
};

/*
 * A command whose first word is the name of an operation of a table, as axt-map sqrt. It has the
 * parameters of all operations of the table, whose structs are of one type.
 */
struct axt_chooser {
	struct axt_operation all; /* what they have in common; it is not built */
	const char *word;         /* as the synopsis shows it, such as "FUNC" */
	const char *noun;         /* what a word is, in messages, such as "function" */
	/* how the names of its rows end, and words do not: axt-coord set is set_coord; NULL */
	const char *affix;
	/*
	 * The operations. Those with the operands of `all`, and with a name that is not empty, are
	 * words of the command. A row whose name is NULL ends the table.
	 */
	const struct axt_operation *table;
	bool list; /* several words with commas give several results */
};

/* What an operation is built of. */
struct axt_call {
	const struct axt_operation *op;
	struct axt_expr *const *in;
	int n;
	const void *values;               /* op->size bytes; what was not given has its default */
	uint64_t given;                   /* bit i: op->params[i] was given */
	const struct axt_open_opts *open; /* how words of specs that name files are opened; NULL */
	int nth;      /* of the tensors of FILE:* that are done one after another, from 0 */
	bool several; /* there are such */
	/*
	 * Whether e keeps its integers where another dtype is asked for, because a pattern such as
	 * FILE:* found it; NULL: no tensor does.
	 */
	bool (*spares)(struct axt_graph *g, const struct axt_expr *e);
};
#define AXT_VALUES(S, c) ((const S *)(c)->values)

/*
 * The i-th operation; NULL behind the last. Operations that have a file of their own come first,
 * sorted by their names, and then the rows of tables.
 */
AXT_API const struct axt_operation *axt_operation_row(int i);
/*
 * The operation that has the name, or an alias of that name; a dash in it counts as an underscore.
 * *alias becomes the alias, or NULL if the name is the operation's own. NULL: there is no such
 * operation.
 */
AXT_API const struct axt_operation *axt_operation_named(const char *name,
    const struct axt_alias **alias);
/* The command that does it as one of several; NULL: it has one of its own. */
AXT_API const struct axt_chooser *axt_operation_chooser(const struct axt_operation *op);
/* The chooser of that name, in which a dash is an underscore; NULL: there is none. */
AXT_API const struct axt_chooser *axt_chooser_named(const char *name);
/* How many characters of the name of an operation are the word that chooses it. */
AXT_API size_t axt_chooser_word(const struct axt_chooser *chooser, const struct axt_operation *op);
/* How many operands it has; *most, unless that is NULL, if all of them are given. */
AXT_API int axt_operation_operands(const struct axt_operation *op, int *most);
/* The number of the parameter whose name are the n characters at `name`; -1: there is none. */
AXT_API int axt_param_named(const struct axt_operation *op, const char *name, size_t n);

/* The names of its several results where these parameters are given; NULL: there is one. */
AXT_API const char *axt_operation_results(const struct axt_operation *op, uint64_t given);
/* The number of the n characters at `name` in a list with blanks between; -1: it is not there. */
AXT_API int axt_word_index(const char *results, const char *name, size_t n);
/*
 * Builds the result, or the results, into out[AXT_MOST_RESULTS]. Operands with the flag MEET must
 * have met by axt_meet_dates. Returns how many results there are; 0: error.
 */
AXT_API int axt_call_build(struct axt_graph *g, const struct axt_call *c, struct axt_expr **out);

/* What is wrong with the arguments of a call, as facts of which each surface makes its message. */
enum axt_misuse_kind {
	AXT_MISUSE_NONE,
	AXT_MISUSE_VALUE,    /* the parameter takes `want`, and not `word` */
	AXT_MISUSE_MISSING,  /* the parameter is required */
	AXT_MISUSE_NUMBER,   /* the parameter is a name of a new axis, and `word` a number */
	AXT_MISUSE_EXCLUDED, /* the parameter and `other` exclude each other */
	AXT_MISUSE_ALONE,    /* the parameter goes with `other`, which is not there */
	AXT_MISUSE_WORD,     /* it goes with `other` being `want`, such as "linear, not nearest" */
	AXT_MISUSE_TWICE,    /* `word` and `again` are specs of one axis */
	AXT_MISUSE_MANY,     /* the parameter goes with one spec */
	AXT_MISUSE_BOTH /* a tensor stands behind `word`, which is AXIS=, and `again` as well */
};
struct axt_misuse {
	enum axt_misuse_kind kind;
	const struct axt_param *param, *other;
	const char *word, *again;
	char want[256];
};

/* Puts the defaults, and then the values of an alias (NULL: none), into values, and its bits. */
AXT_API void axt_call_defaults(const struct axt_operation *op, const struct axt_alias *alias,
    void *values, uint64_t *given);
/*
 * Converts a word to the value of parameter i, and stores it. A text is not copied. The value of a
 * TENSOR is no word, and cannot be read so. Returns false, with the facts in *wrong, if the word is
 * no value of the parameter.
 */
AXT_API bool axt_param_read(const struct axt_operation *op, int i, const char *word, void *values,
    uint64_t *given, struct axt_misuse *wrong);
/* Where the node of a parameter of that name is, which is a TENSOR or a VALUE. */
static inline struct axt_expr **
axt_param_node(const struct axt_operation *op, const char *name, void *values)
{
	return (struct axt_expr **)((char *)values +
	    op->params[axt_param_named(op, name, strlen(name))].at);
}
/* Whether a node may be its value: of a TENSOR, a VALUE or LABELS. */
static inline bool
axt_param_is_node(const struct axt_param *p)
{
	return p->type == AXT_PARAM_TENSOR || p->type == AXT_PARAM_VALUE ||
	    p->type == AXT_PARAM_LABELS;
}
/* Gives parameter i, of which a node may be the value, that node. */
static inline void
axt_param_tensor(const struct axt_operation *op, int i, struct axt_expr *e, void *values,
    uint64_t *given)
{
	void *to = (char *)values + op->params[i].at;

	if (op->params[i].type == AXT_PARAM_LABELS)
		*(struct axt_label_list *)to = (struct axt_label_list){ NULL, e };
	else
		*(struct axt_expr **)to = e;
	*given |= UINT64_C(1) << i;
}
/* Gives parameter i, which is SPECS, these n words, which stay the caller's. */
static inline void
axt_param_specs(const struct axt_operation *op, int i, int n, const char *const *word, void *values,
    uint64_t *given)
{
	*(struct axt_specs *)((char *)values + op->params[i].at) = (struct axt_specs){ n, word,
		NULL };
	if (n > 0)
		*given |= UINT64_C(1) << i;
}
/* The characters of AXIS=... or AXIS@... that are the axis. */
AXT_API size_t axt_spec_axis(const char *spec);
/*
 * Whether a call is right: all required parameters are given, none that exclude each other, none
 * without those that it needs, and no axis is in two specs. Returns false with the facts in *wrong.
 */
AXT_API bool axt_call_check(const struct axt_operation *op, const void *values, uint64_t given,
    struct axt_misuse *wrong);
/* Whether words of a parameter, which is SPECS, are names of axes alone, without = and @. */
AXT_API bool axt_param_is_names(const struct axt_param *p);
/* Whether in expressions and on command lines it stands without its name. */
AXT_API bool axt_param_is_plain(const struct axt_param *p);
/*
 * Writes what is wrong as one line. Parameters are named as in an expression that calls `name`,
 * max_gap=, or, if name is NULL, as options, --max-gap. Words are quoted as they are in *m.
 */
AXT_API const char *axt_misuse_text(const struct axt_misuse *m, const char *name, char *text,
    size_t size);
/*
 * Gives each parameter that is not given, but has `as` (see struct axt_param), the node of the
 * parameter that `as` names.
 */
AXT_API void axt_call_repeat(const struct axt_operation *op, void *values, uint64_t given);
/*
 * The number of the parameter whose value is also that of parameter i, by `as` of struct axt_param:
 * i is not given, and the parameter that its `of` names is. -1: there is none.
 */
AXT_API int axt_param_again(const struct axt_operation *op, int i, uint64_t given);
/* What -h shows as the value of a parameter, such as "AXES" or "a|b"; NULL: it is a flag. */
AXT_API const char *axt_param_value(const struct axt_param *p);
/* The help of a parameter, with what its row says of the default: "(required)", "(default 1)". */
AXT_API const char *axt_param_help(const struct axt_param *p, char *text, size_t size);

/*
 * Writes all operations as an array of JSON: their names, and what they take, with types, defaults
 * and ranges. Returns false if memory runs out. Errors of writing are those of `out`.
 */
AXT_API bool axt_operations_json(FILE *out);

/* ---- calls by name ---- */

/*
 * A parameter of a call, as a text like on a command line or as a node. For a word AXIS=... both
 * may be there: the text "x=", and the node that would stand behind it. Several words are several
 * parameters.
 */
struct axt_arg {
	const char *name, *text;
	struct axt_expr *e;
};
/*
 * axt_call - the result of the operation of that name, of n tensors and nargs parameters:
 * axt_call(g, "sort", &a, 1, (struct axt_arg[]){ { "along", "time", NULL } }, 1). Where it has
 * several, the argument "result" says which: { "result", "slope", NULL }.
 * shapes, dtypes, units  those of the operation, as the page of its command says.
 * errors  SYNTAX (no such operation or parameter, a word that is no value, what is missing), and
 *         those of the operation.
 * threads  as all functions of a graph: one at a time.
 */
AXT_API struct axt_expr *axt_call(struct axt_graph *g, const char *name,
    struct axt_expr *const in[], int n, const struct axt_arg *args, int nargs);

#ifdef __cplusplus
}
#endif

#endif
