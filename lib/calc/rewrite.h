/*
 * rewrite.h - turns an expression that cannot be read into the one that was most likely meant. A
 * row of rewrites.def changes one place of it; after each change the text is read again. Only a
 * text that can be read is shown.
 */
#ifndef AXT_CALC_REWRITE_H
#define AXT_CALC_REWRITE_H

#include "calc/calc.h"

/* A token, or a text in quotes. mate: of a bracket, the other one of its pair, or -1. */
struct axt_rw_token {
	enum axt_calc_kind kind;
	bool quoted;
	const char *s;
	size_t n;
	int mate;
};

struct axt_rw {
	struct axt_calc *c; /* the operands, as names, and the graph */
	const char *const *name;
	struct axt_expr *const *operand;
	int noperands;
	const char *text;
	struct axt_rw_token *t; /* [n], and one of kind END */
	int n;
	const char *out; /* the text that a row has changed */
	/* what words are as functions, kept since it takes a while to find */
	struct axt_rw_function {
		const char *word, *ours;
		struct axt_rw_function *next;
	} * *functions;
};

/* Arguments of a call, or words in brackets: tokens from[i] up to, but without, to[i]. */
struct axt_rw_args {
	int n, from[24], to[24];
};

/* ---- tokens.c ---- */
/* Splits the text; false: it is too long. */
bool axt_rw_split(struct axt_rw *w);
/* The token i, or that of kind END outside the text. */
const struct axt_rw_token *axt_rw_at(const struct axt_rw *w, int i);
bool axt_rw_is(const struct axt_rw *w, int i, const char *s);
/* Whether nothing stands between token i and the one before it. */
bool axt_rw_glued(const struct axt_rw *w, int i);
bool axt_rw_is_name(const struct axt_rw *w, int i);
/* Whether a value may begin, or end, with token i; whether an argument or statement ends before. */
bool axt_rw_begins(const struct axt_rw *w, int i);
bool axt_rw_ends(const struct axt_rw *w, int i);
bool axt_rw_bounds(const struct axt_rw *w, int i);
/*
 * Where the value that begins at token `from` may end, later than at token `to`: a name, number,
 * call or parenthesis may go on with parts [...] and methods. Call it first with `to` equal to
 * `from`, then with the last result. -1: there is no later end.
 */
int axt_rw_longer(const struct axt_rw *w, int from, int to);
/* The text of tokens; a token without the quotes around it. */
const char *axt_rw_text(const struct axt_rw *w, int from, int to);
const char *axt_rw_word(const struct axt_rw *w, int i);
/* Puts a text in place of these tokens; whether that changes something. */
bool axt_rw_put(struct axt_rw *w, int from, int to, const char *s);
/* The arguments between a bracket and its mate; false: they are not all there, or too many. */
bool axt_rw_args(const struct axt_rw *w, int open, struct axt_rw_args *a);
/* Of an argument NAME=VALUE, where VALUE begins; of another one, 0. */
int axt_rw_value(const struct axt_rw *w, int from, int to);

/* ---- meaning.c ---- */
/* The operand that token i is, or NULL; whether it is one, or a name that is assigned. */
const struct axt_calc_name *axt_rw_operand(const struct axt_rw *w, int i);
bool axt_rw_known(const struct axt_rw *w, int i);
/* Whether an operand has an axis of that name. */
bool axt_rw_is_axis(const struct axt_rw *w, const char *s);
/* The value of a text, which may use names that are assigned before token i; NULL: it is none. */
struct axt_expr *axt_rw_built(const struct axt_rw *w, int i, const char *text);
/* What the word is as a function here: itself, in small letters, or by foreign.def; NULL. */
const char *axt_rw_function(const struct axt_rw *w, const char *word);
/* The axis of an operand that is usually called so, such as latitude for lat; NULL. */
const char *axt_rw_usual(const struct axt_rw *w, const char *word);
/* The dataset whose path ends with these words; NULL: there is none. */
const char *axt_rw_path(const struct axt_rw *w, const char *words);

/*
 * ---- kinds.c: what a $name of a pattern matches ----
 * axt_rw_kind finds the kind of the $name of n characters, without digits at its end; NULL: the
 * name is that of a list of words, or of nothing.
 */
struct axt_rw_kind {
	const char *names; /* of the kind */
	/* whether it is one token; a value; balanced up to "," or "="; balanced */
	enum { AXT_RW_ONE, AXT_RW_OPERAND, AXT_RW_VALUE, AXT_RW_ARGS, AXT_RW_ANY } span;
	/* what it stands for, if these tokens are of the kind; NULL: they are not */
	const char *(*is)(const struct axt_rw *w, int from, int to);
};
const struct axt_rw_kind *axt_rw_kind(const char *name, size_t n);
/*
 * The word of the list `words` that token i is, in any case of letters, if it is a name of no
 * operand and no axis. pairs: `words` are pairs, of which token i is the first word, and the second
 * is returned. NULL: token i is none of them.
 */
const char *axt_rw_listed(const struct axt_rw *w, int i, const char *words, bool pairs);

/* ---- fill.c: $name(...) in the text that a row puts ---- */
struct axt_rw_values {
	const struct axt_rw *w;
	int at;           /* where the row matched */
	const char *v[4]; /* the arguments */
};
/* The function's text; NULL: there is none, so that the row does not fit. */
const char *axt_rw_fill(const char *name, size_t n, const struct axt_rw_values *v);

/* ---- steps: rows that are functions, which change what begins at token i, or return false ---- */
typedef bool axt_rw_step(struct axt_rw *w, int i);
axt_rw_step axt_rw_brackets, axt_rw_numbers, axt_rw_paths, axt_rw_names, axt_rw_calls, axt_rw_parts,
    axt_rw_coordinates;

/* ---- rewrite.c ---- */
/* The next change of the text by any row, or NULL. */
const char *axt_rw_once(struct axt_rw *w);

#endif
