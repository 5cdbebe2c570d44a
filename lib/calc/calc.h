/*
 * calc.h - expressions as text (axt-calc(1)): a reader that builds nodes as it goes, by the same
 * public functions commands use. Depth and work are bounded, so that any text ends soon.
 */
#ifndef AXT_CALC_CALC_H
#define AXT_CALC_CALC_H

#include "expr/expr.h"

#define AXT_CALC_DEPTH 1000	/* of recursion: two a parenthesis, or more */
#define AXT_CALC_WORK 4000	/* values and operations */
#define AXT_CALC_ARGS 64	/* arguments of a call */

enum axt_calc_kind {
	AXT_CALC_END,
	AXT_CALC_SEP,		/* ";", or a line's end outside parentheses */
	AXT_CALC_NUMBER,
	AXT_CALC_NAME,
	AXT_CALC_SIGN		/* an operator, a bracket, a word such as "and", or a stray byte */
};

struct axt_calc_token {
	enum axt_calc_kind kind;
	const char *s;
	size_t n;
};

/* What a name stands for; later ones hide earlier ones. */
struct axt_calc_name {
	const char *name;
	struct axt_expr *e;
	bool operand, used;
	struct axt_calc_name *next;
};

struct axt_calc {
	struct axt_graph *g;
	const char *text, *p;		/* p: behind the token */
	struct axt_calc_token tok;
	struct axt_calc_name *names;
	int depth, parens, work;
	bool located;			/* the error tells its place */
	/* the last name or call read, for results that are nothing else */
	struct {
		const char *from, *to, *name;
		bool call;
	} whole;
};

/* lex.c */
void axt_calc_next(struct axt_calc *c);
bool axt_calc_is(const struct axt_calc *c, const char *sign);
/* Whether the token is a name and "=" comes next; *value: what is behind that. */
bool axt_calc_assigns(const struct axt_calc *c, const char **value);
/*
 * What stands at s up to one of ends, as a word of a command line: without blanks around signs,
 * parentheses around lists, and quotes; in names, what was quoted is escaped. Goes on behind it.
 * NULL: error.
 */
const char *axt_calc_word(struct axt_calc *c, const char *s, const char *ends, bool names);
/* The text of the token, or of n bytes at s, in the arena. */
const char *axt_calc_copy(struct axt_calc *c, const char *s, size_t n);

/* Fails: "... at character 12 of "sqrt(a)"". */
struct axt_expr *axt_calc_fail(struct axt_calc *c, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A node just built: where it failed, the message gets the place. */
struct axt_expr *axt_calc_at(struct axt_calc *c, const char *at, struct axt_expr *e);
/* Names go into messages through this. */
const char *axt_calc_show(struct axt_calc *c, const char *s, size_t n);
/* One more value or operation: false, and an error, when that is too many. */
bool axt_calc_work(struct axt_calc *c, const char *at);

/* parse.c: a value; e is never NULL. */
struct axt_expr *axt_calc_value(struct axt_calc *c);
/* Fails for the token: what is missing before it, and what to write for an operator of others. */
struct axt_expr *axt_calc_unexpected(struct axt_calc *c, const char *missing);
/* A name that may be given to an operand or a result. */
bool axt_calc_is_name(const char *s);

/* fold.c: an operation; of numbers alone a number, as if typed. */
struct axt_expr *axt_calc_map(struct axt_calc *c, enum axt_op op, int n,
    struct axt_expr *const a[]);
/* -a; of a number that number. */
struct axt_expr *axt_calc_negative(struct axt_calc *c, struct axt_expr *a);
/* The text of a number as axt_number takes it; NULL when e is no number. */
const char *axt_calc_number(struct axt_calc *c, const struct axt_expr *e);

/* target.c: whether the token begins "FILE... OP VALUE"; reads that up to the value. */
bool axt_calc_targets(const struct axt_calc *c);
bool axt_calc_target(struct axt_calc *c, const char **target, const char **op);

/* views.c: a[...], the token being the "[". */
struct axt_expr *axt_calc_part(struct axt_calc *c, struct axt_expr *a);
/* call.c: NAME(...), the token being the "(" and the name that before it. */
struct axt_expr *axt_calc_call(struct axt_calc *c, struct axt_calc_token name);
bool axt_calc_is_function(const char *name);

#endif
