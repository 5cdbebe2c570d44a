/*
 * mend.h - an expression that cannot be read, written as it was most likely meant: rules for what
 * other languages write in another way. A rule changes one place; the text is read again after each
 * change, and only a text that can be read is ever shown.
 */
#ifndef AXT_CALC_MEND_H
#define AXT_CALC_MEND_H

#include "calc/call.h"

/* A token, or a text in quotes. mate: of a bracket, the other one of its pair, or -1. */
struct axt_mend_token {
	enum axt_calc_kind kind;
	bool quoted;
	const char *s;
	size_t n;
	int mate;
};

struct axt_mend {
	struct axt_calc *c; /* the operands and the arena */
	const char *text;
	struct axt_mend_token *t; /* [n], and one of kind END */
	int n;
	const char *out; /* the text that a rule has changed */
};

/* Changes what begins at token i, and returns whether there was something to change. */
typedef bool axt_mend_rule(struct axt_mend *m, int i);
/*
 * In mend_names.c, mend_signs.c and mend_calls.c: the rules, in the order in which they are tried;
 * NULL ends them.
 */
extern axt_mend_rule *const axt_mend_names[], *const axt_mend_signs[], *const axt_mend_calls[];
/* In mend_xarray.c: methods of xarray. */
extern axt_mend_rule *const axt_mend_xarray[];
/* In mend_words.c: words of R and NCO, and lists. */
extern axt_mend_rule *const axt_mend_words[];
/* There, in mend_near.c and mend_names.c: rules for what is otherwise as it is written here. */
extern axt_mend_rule *const axt_mend_parts[], *const axt_mend_near[], *const axt_mend_last_words[];

/* The arguments of a call or the words in brackets: tokens from[i] up to, but without, to[i]. */
struct axt_mend_args {
	int n, from[16], to[16];
};

/* The token i, or that of kind END outside the text. */
const struct axt_mend_token *axt_mend_at(const struct axt_mend *m, int i);
bool axt_mend_is(const struct axt_mend *m, int i, const char *s);
/* Whether nothing stands between token i and the one before it. */
bool axt_mend_glued(const struct axt_mend *m, int i);
bool axt_mend_is_name(const struct axt_mend *m, int i);
/* Whether a value may begin, or end, with token i. */
bool axt_mend_begins(const struct axt_mend *m, int i);
bool axt_mend_ends(const struct axt_mend *m, int i);
/* The first token of the name, call or parenthesis with parts that ends with token i; the last. */
int axt_mend_first(const struct axt_mend *m, int i);
int axt_mend_last(const struct axt_mend *m, int i);
/* Where the argument or statement that has token i begins, and the token behind it. */
int axt_mend_from(const struct axt_mend *m, int i);
int axt_mend_to(const struct axt_mend *m, int i);
/* The text of tokens from up to, but without, to. */
const char *axt_mend_text(const struct axt_mend *m, int from, int to);
/* The number that these tokens are, or 0. */
double axt_mend_number(const struct axt_mend *m, int from, int to);
/* Puts a text in place of these tokens; true. */
bool axt_mend_put(struct axt_mend *m, int from, int to, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The arguments between bracket `open` and its mate; false: the bracket has none, or too many. */
bool axt_mend_args(const struct axt_mend *m, int open, struct axt_mend_args *a);
/* The operand or local name that token i is, or NULL. */
const struct axt_calc_name *axt_mend_known(const struct axt_mend *m, int i);
bool axt_mend_assigned(const struct axt_mend *m, int i);
/* Whether an operand has an axis of that name. */
bool axt_mend_is_axis(const struct axt_mend *m, const char *s);
/* Another name for an axis where two of one name meet: j for dim_0, k for dim_1, lat2 for lat. */
const char *axt_mend_new_axis(const struct axt_mend *m, const char *name);
/* A word without the quotes around it. */
const char *axt_mend_word(const struct axt_mend *m, int i);
/* In mend_calls.c: the words of a list without quotes and brackets: ["a", "b"] is (a, b). */
const char *axt_mend_bare(const struct axt_mend *m, int from, int to);

/* The next change of the text by any rule, or NULL. */
const char *axt_mend_once(struct axt_calc *c, const char *text);
/* In mend_signs.c: signs of UTF-8, as documents have them, in ASCII; NULL: there are none. */
const char *axt_mend_ascii(struct axt_calc *c, const char *text);

#endif
