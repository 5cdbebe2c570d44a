/*
 * calc.h - expressions as text (axt-calc(1)). The parser builds nodes while it reads, with the
 * public functions that commands use as well. Depth and work are limited, so that reading ends soon
 * for any text.
 */
#ifndef AXT_CALC_CALC_H
#define AXT_CALC_CALC_H

#include "expr/expr.h"

/* the deepest recursion; a pair of parentheses takes two levels or more */
#define AXT_CALC_DEPTH 1000
#define AXT_CALC_WORK 4000 /* the most values and operations in a text */
#define AXT_CALC_ARGS 64   /* the most arguments of a call */

enum axt_calc_kind {
	AXT_CALC_END,
	AXT_CALC_SEP, /* ";", or the end of a line outside parentheses */
	AXT_CALC_NUMBER,
	AXT_CALC_NAME,
	/* an operator, a bracket, a word such as "and", or a byte without meaning */
	AXT_CALC_SIGN
};

struct axt_calc_token {
	enum axt_calc_kind kind;
	const char *s;
	size_t n;
};

/* The value that a name stands for. If a name is there twice, the later one counts. */
struct axt_calc_name {
	const char *name; /* of an operand, also the path of a dataset: /model1/tas */
	struct axt_expr *e;
	struct axt_expr *labels; /* e for by=, once it is called by its local name there */
	bool operand, used;
	struct axt_calc_name *next;
};

/* Values that are field k of dates, as time.month is. */
struct axt_calc_dates {
	const struct axt_expr *e;
	int k;
	struct axt_calc_dates *next;
};

struct axt_calc {
	struct axt_graph *g;
	const char *text, *p; /* p: what follows the token */
	struct axt_calc_token tok;
	struct axt_calc_name *names;
	struct axt_calc_dates *dates;
	int depth, parens, work;
	int deepest; /* how far depth may go; 0: not asked yet */
	/* in the value that was read last, the outermost & or | without parentheses; NULL: none */
	const char *bits;
	bool located; /* whether the message of the error already tells the position */
	/*
	 * The name or call that was read last. If a result consists of it alone, it names the
	 * result.
	 */
	struct {
		const char *from, *to, *name;
		bool call;
	} whole;
};

/* ---- lex.c ---- */
void axt_calc_next(struct axt_calc *c);
bool axt_calc_is(const struct axt_calc *c, const char *sign);
/* Whether the token is a name that "=" follows; *value is then what comes after "=". */
bool axt_calc_assigns(const struct axt_calc *c, const char **value);
/*
 * Reads from s up to one of the characters in `ends`, and returns the word that would be typed on a
 * command line for it: without blanks around operators, without parentheses around lists, and
 * without quotes. names: characters that were quoted are escaped. c then stands behind the word.
 * NULL: error.
 */
const char *axt_calc_word(struct axt_calc *c, const char *s, const char *ends, bool names);
/* The length of the path of a dataset at s, such as /model1/tas; 0: there is none. */
size_t axt_calc_path(const char *s);
/* A copy in the arena of the token's text, or of n bytes at s. */
const char *axt_calc_copy(struct axt_calc *c, const char *s, size_t n);

/* Fails with a message that ends in "... at character 12 of "sqrt(a)"". */
struct axt_expr *axt_calc_fail(struct axt_calc *c, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Makes what the error of axt_calc_fail is about, BAD_SYNTAX, something that says more. */
void axt_calc_about(struct axt_calc *c, enum axt_about about, const char *word, const char *of);
/*
 * In reword.c: if the hint of the graph's error is a command line, replaces it by the expression
 * that does the same.
 */
void axt_calc_reword(struct axt_calc *c);
/* Returns e, a node just built. If building it failed, its position is added to the message. */
struct axt_expr *axt_calc_at(struct axt_calc *c, const char *at, struct axt_expr *e);
/*
 * Returns e. If messages would call it "result", they will call it by the text of the expression
 * from s to the token.
 */
struct axt_expr *axt_calc_named(struct axt_calc *c, const char *s, struct axt_expr *e);
/* The n bytes at s as a message shows them. */
const char *axt_calc_show(struct axt_calc *c, const char *s, size_t n);
/* Counts one more value or operation. Returns false, with an error, if there are too many. */
bool axt_calc_work(struct axt_calc *c, const char *at);

/* In parse.c: reads a value; the result is never NULL. */
struct axt_expr *axt_calc_value(struct axt_calc *c);
/* Hints how an operand that is the imaginary unit is made, since numbers in the text are real. */
void axt_calc_hint_unit(struct axt_calc *c);
/*
 * Fails at the token. The message says what is missing before the token, or, if the token belongs
 * to another language, what to write here instead of it.
 */
struct axt_expr *axt_calc_unexpected(struct axt_calc *c, const char *missing);

/*
 * In names.c: reads a name, a call, or the path or quoted name of a dataset. NULL: the token is
 * none of them, and nothing has been read.
 */
struct axt_expr *axt_calc_name(struct axt_calc *c);
/* Whether an operand or a result may have the name. */
bool axt_calc_is_name(const char *s);
/* Whether e was read as a field of dates, and which one it is. */
bool axt_calc_field_of(const struct axt_calc *c, const struct axt_expr *e, int *k);
/* The local name, of a value that was computed, that is all of the text from s up to here. */
struct axt_calc_name *axt_calc_computed(const struct axt_calc *c, const char *s);

/*
 * In fold.c: builds an operation. If all operands are numbers, the result is computed at once, and
 * is a number as if it had been typed.
 */
struct axt_expr *axt_calc_map(struct axt_calc *c, enum axt_op op, int n,
    struct axt_expr *const a[]);
/* The negative of `a`, which is a number if `a` is one. */
struct axt_expr *axt_calc_negative(struct axt_calc *c, struct axt_expr *a);
/* The text of a number in the form that axt_number reads; NULL if e is no number. */
const char *axt_calc_number(struct axt_calc *c, const struct axt_expr *e);

/*
 * In target.c. axt_calc_targets: whether a statement "FILE... OP VALUE", an assignment to a file,
 * begins at the token. axt_calc_target reads the part of it before VALUE.
 */
bool axt_calc_targets(const struct axt_calc *c);
bool axt_calc_target(struct axt_calc *c, const char **target, const char **op);

/* In views.c: reads a[...]; the token is the "[". */
struct axt_expr *axt_calc_part(struct axt_calc *c, struct axt_expr *a);
/* In call.c: reads NAME(...); the token is the "(", and `name` is the token before it. */
struct axt_expr *axt_calc_call(struct axt_calc *c, struct axt_calc_token name);
/* In operation.c. */
bool axt_calc_is_function(const char *name);

#endif
