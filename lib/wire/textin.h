/* textin.h - what the files that read a plan's text share. */
#ifndef AXT_WIRE_TEXTIN_H
#define AXT_WIRE_TEXTIN_H

#include "wire/text.h"

struct axt_text_reader {
	struct axt_graph *g;
	const struct axt_plan_reader *r;
	struct axt_expr **node;
	int n, cap;
};

/* The next word as it stands, behind key, with which it begins; NULL: not so, or the line ends. */
char *axt_text_word(char **s, const char *key);
/* A word that is an integer in [lo, hi]. */
bool axt_text_int(char **s, const char *key, int64_t lo, int64_t hi, int64_t *out);
/* A node read before, by its number. NULL: none. */
struct axt_expr *axt_text_arg(struct axt_text_reader *r, char **s);
/* NULL, or a node that still has to be what its line says. */
struct axt_expr *axt_read_view(struct axt_text_reader *r, const struct axt_axes *x, char **s);
struct axt_expr *axt_read_flatten(struct axt_text_reader *r, const struct axt_axes *x, char **s);
struct axt_expr *axt_read_join(struct axt_text_reader *r, const struct axt_axes *x, char **s,
    int nparts);

#endif
