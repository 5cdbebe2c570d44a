/*
 * calc.h - expressions as text (axt-calc(1)): a parser that builds nodes as it reads, by the same
 * public functions that commands use. Depth and work are bounded, so that reading any text ends
 * soon.
 */
#ifndef AXT_CALC_CALC_H
#define AXT_CALC_CALC_H

#include "expr/expr.h"

#define AXT_CALC_DEPTH 1000 /* of recursion; a parenthesis takes at least two */
#define AXT_CALC_WORK 4000  /* values and operations */
#define AXT_CALC_ARGS 64    /* arguments of a call */

enum axt_calc_kind {
	AXT_CALC_END,
	AXT_CALC_SEP, /* ";", or the end of a line outside parentheses */
	AXT_CALC_NUMBER,
	AXT_CALC_NAME,
	/* an operator, a bracket, a word such as "and", or a byte of no meaning */
	AXT_CALC_SIGN
};

struct axt_calc_token {
	enum axt_calc_kind kind;
	const char *s;
	size_t n;
};

/* What a name stands for. Later names hide earlier ones. */
struct axt_calc_name {
	const char *name;
	struct axt_expr *e;
	bool operand, used;
	struct axt_calc_name *next;
};

struct axt_calc {
	struct axt_graph *g;
	const char *text, *p; /* p: after the token */
	struct axt_calc_token tok;
	struct axt_calc_name *names;
	int depth, parens, work;
	bool located; /* the error already says where it is */
	/* The name or call read last, for results that consist only of it. */
	struct {
		const char *from, *to, *name;
		bool call;
	} whole;
};

/* ---- lex.c ---- */
void axt_calc_next(struct axt_calc *c);
bool axt_calc_is(const struct axt_calc *c, const char *sign);
/* Whether the token is a name and "=" follows; *value: what comes after that. */
bool axt_calc_assigns(const struct axt_calc *c, const char **value);
/*
 * Reads from s up to one of ends, and makes it what would be typed as a word of a command line:
 * without blanks around operators, parentheses around lists, and quotes; in names, what was quoted
 * is escaped. Reading goes on after it. NULL on error.
 */
const char *axt_calc_word(struct axt_calc *c, const char *s, const char *ends, bool names);
/* A copy in the arena of the token's text, or of n bytes at s. */
const char *axt_calc_copy(struct axt_calc *c, const char *s, size_t n);

/* Fails with a message that ends in "... at character 12 of "sqrt(a)"". */
struct axt_expr *axt_calc_fail(struct axt_calc *c, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns e, a node just built. If building it failed, its position is added to the message. */
struct axt_expr *axt_calc_at(struct axt_calc *c, const char *at, struct axt_expr *e);
/* The n bytes at s as messages show them. */
const char *axt_calc_show(struct axt_calc *c, const char *s, size_t n);
/* Counts one more value or operation; false, with an error, when there are too many. */
bool axt_calc_work(struct axt_calc *c, const char *at);

/* In parse.c: reads a value; the result is never NULL. */
struct axt_expr *axt_calc_value(struct axt_calc *c);
/*
 * Fails at the token: says what is missing before it or, where other languages write that, what to
 * write here.
 */
struct axt_expr *axt_calc_unexpected(struct axt_calc *c, const char *missing);
/* Whether an operand or a result may have the name. */
bool axt_calc_is_name(const char *s);

/*
 * In fold.c: an operation. If all its operands are numbers, so is its result, as if it had been
 * typed.
 */
struct axt_expr *axt_calc_map(struct axt_calc *c, enum axt_op op, int n,
    struct axt_expr *const a[]);
/* -a; if a is a number, a number. */
struct axt_expr *axt_calc_negative(struct axt_calc *c, struct axt_expr *a);
/* The text of a number, as axt_number takes it; NULL when e is none. */
const char *axt_calc_number(struct axt_calc *c, const struct axt_expr *e);

/* In target.c: whether the token begins "FILE... OP VALUE"; and reading that, up to the value. */
bool axt_calc_targets(const struct axt_calc *c);
bool axt_calc_target(struct axt_calc *c, const char **target, const char **op);

/* In views.c: a[...], where the token is the "[". */
struct axt_expr *axt_calc_part(struct axt_calc *c, struct axt_expr *a);
/* In call.c: NAME(...), where the token is the "(", and name the one before it. */
struct axt_expr *axt_calc_call(struct axt_calc *c, struct axt_calc_token name);
bool axt_calc_is_function(const char *name);

#endif
