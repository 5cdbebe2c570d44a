/*
 * text.h - an expression as text, so that another process can evaluate it: one node per line,
 * arguments before users. axt-pipelines(7) describes it.
 *
 *	axt-plan 1
 *	file 0 ...
 *	node 0 leaf f32 [time=12,lat=90] file=0 path=/t
 *	node 1 const f32 [] 0000803f
 *	node 2 map add f32 [time=12,lat=90] 0 1
 *	out t 2
 *	end
 *
 * Names are percent-encoded. Metadata stay out: they are in the header of the stream.
 */
#ifndef AXT_WIRE_TEXT_H
#define AXT_WIRE_TEXT_H

#include "plan/plan.h"

#define AXT_PLAN_VERSION "axt-plan 1"
#define AXT_PLAN_BYTES (16 << 20) /* a longer plan is neither offered nor read */
#define AXT_PLAN_OUTS 64

/* Adds a word of a plan to b. Characters other than [A-Za-z0-9_.*:/+-] become %XX. */
void axt_plan_word(struct axt_buf *b, const char *s);

struct axt_plan_out {
	const char *name; /* of the dataset */
	struct axt_expr *e;
};

/*
 * Adds to b a line for each node, and a line "out" for each result. `leaf` writes the words that
 * tell where a leaf's bytes are; if no other process can read them it returns false, and so does
 * axt_plan_write.
 */
typedef bool axt_leaf_words_fn(void *ctx, const struct axt_expr *leaf, struct axt_buf *b);
bool axt_plan_write(struct axt_graph *g, const struct axt_plan_out *out, int n,
    axt_leaf_words_fn *leaf, void *ctx, struct axt_buf *b);

/*
 * Reads the text of a plan, and checks every rule of lib/expr again. r->line gets the lines that
 * are no nodes ("file ..."); r->leaf makes a leaf of that dtype and those axes by the words that an
 * axt_leaf_words_fn wrote. For text that is no valid plan this returns false, leaves no error in
 * the graph, and sets *why to "line 3: ..." (NULL: out of memory).
 */
struct axt_plan_reader {
	void *ctx;
	bool (*line)(void *ctx, char *words);
	struct axt_expr *(
	    *leaf)(void *ctx, enum axt_dtype d, const struct axt_axes *x, char *words);
};
bool axt_plan_read(struct axt_graph *g, const char *text, size_t len,
    const struct axt_plan_reader *r, struct axt_plan_out out[AXT_PLAN_OUTS], int *n,
    const char **why);
/*
 * Takes the next word off *s and returns what is behind `key` in it, decoded in place. NULL: no
 * word is left, or it does not begin with key ("" fits any word).
 */
char *axt_plan_take(char **s, const char *key);

#endif
