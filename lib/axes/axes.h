/*
 * axes.h - axis names, levels, coordinates; the algebra of design: union, dot
 * pairing, cast, rename, order.
 */
#ifndef AXT_AXES_AXES_H
#define AXT_AXES_AXES_H

#include "cf/cf.h"

/* The values along an axis. Immutable once made; shared between axes. */
struct axt_coord {
	bool text;			/* strings: data is const char *const * */
	enum axt_dtype dtype;
	int64_t n;
	const void *data;		/* NULL: attributes only */
	const struct axt_attr *attrs;
};
struct axt_axis {
	const char *name;		/* without stars */
	int level;			/* stars: 0 for M, 1 for M*, -1 for M*-1 */
	int64_t len;			/* -1: not told (in a list a user typed) */
	const struct axt_coord *coord;	/* NULL: none */
	const char *from;		/* "a.nc:t", for messages; may be NULL */
	const char *parts;		/* flattened: "A:2,B:3"; else NULL */
	const char *along;		/* positions in windows: along this axis; else NULL */
	bool unlimited;			/* records may be added along it in its file */
};
struct axt_axes {
	int n;
	struct axt_axis a[AXT_MAX_RANK];
};
/* A name as spelled in files and output: "M", "M*", "M*2", "M*-1". In the arena. */
const char *axt_axis_spell(struct axt_arena *m, const struct axt_axis *a);
/* A comma list of axes which[n] of x, as a user would type it. NULL: out of memory. */
const char *axt_axes_typed(struct axt_arena *m, const struct axt_axes *x, const int *which, int n);
/*
 * Parses a typed list "D=4,B*,C^-1" (`^` as `*`, `\` takes the next byte literally, `NAME=LEN`
 * where with_len). Checks names (see axt-axes(7)) and duplicates. "" is the empty list. A word
 * "..." (the rest) is allowed where rest >= 0: its position goes to *rest, else -1.
 */
int axt_axes_parse(struct axt_arena *m, const char *s, bool with_len, struct axt_axes *out,
    int *rest, struct axt_err *e);
/* A name as it stands in a file ("M*2"), without escapes; any bytes are accepted. */
int axt_axis_from_file(struct axt_arena *m, const char *s, struct axt_axis *out);
/* Whether one may be typed or written: the rules of axis names. what: "axis", for the message. */
int axt_name_check(const char *s, const char *what, struct axt_err *e);
/* Index of the axis with that name and level, or -1. */
int axt_axes_find(const struct axt_axes *x, const struct axt_axis *a);
static inline bool
axt_axis_same(const struct axt_axis *a, const struct axt_axis *b)
{
	return a->level == b->level && strcmp(a->name, b->name) == 0;
}
/* Whether names, levels and lengths are the same, in the same order. */
bool axt_axes_same(const struct axt_axes *x, const struct axt_axes *y);
/* "lat, lon (361, 720)"-like text of a list for messages: names spelled, escaped. */
const char *axt_axes_text(struct axt_arena *m, const struct axt_axes *x);
/* Product of the lengths; false when it does not fit. */
bool axt_axes_count(const struct axt_axes *x, int64_t *n);
/* That of axes which[0] to which[n - 1]; INT64_MAX when it does not fit. */
int64_t axt_axes_product(const struct axt_axes *x, const int *which, int n);
int axt_axes_check_unique(struct axt_arena *m, const struct axt_axes *x, struct axt_err *e);
/*
 * A dataset that travels with a tensor because an attribute names it (bounds,
 * coordinates, grid_mapping). Small: held and written whole. own[i]: axis i is no axis of
 * the tensor it came with (the 2 of bounds).
 */
struct axt_aux {
	const char *name;
	struct axt_axes axes;
	bool own[AXT_MAX_RANK];
	enum axt_dtype dtype;
	bool text;			/* data is const char *const * */
	const void *data;
	const struct axt_attr *attrs;
	struct axt_aux *next;
};
/* --join: which axes take the first operand's coordinates instead of comparing. */
struct axt_join {
	bool override_all;
	struct axt_axes override;	/* these only */
};
/*
 * Two axes of the same name meet: lengths must agree, then coordinates (narrower dtype, CF times as
 * instants, text bytewise; other units must be the same) unless overridden. *out gets a's, with b's
 * coordinates where a has none.
 * Errors: AXT_E_AXES, AXT_E_COORD, naming the axis, both numbers and both origins, the first
 * difference, and "one is the other reversed" when so.
 */
int axt_axis_meet(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    const struct axt_join *j, struct axt_axis *out, struct axt_err *e);
/* Ordered union: a's axes, then those of b that a lacks. */
int axt_axes_union(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_join *j, struct axt_axes *out, struct axt_err *e);
/*
 * --axes: want names every axis of have (any order) and may add axes with
 * lengths. Lengths given must agree.
 * *out: want's order with have's lengths, coordinates. Errors name the missing axis.
 */
int axt_axes_override(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e);
/*
 * A permutation by name: want names have's axes, each once; rest >= 0: where the unnamed
 * ones go, in order. perm[i] = index in have.
 */
int axt_axes_permute(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    int rest, int perm[AXT_MAX_RANK], struct axt_err *e);
/*
 * Reduction: to and/or over (NULL: not given). kept: result axes in result
 * order, with their index in x.
 */
int axt_axes_reduce(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *to,
    const struct axt_axes *over, int kept[AXT_MAX_RANK], int *nkept, struct axt_err *e);
/*
 * Relabel by position: rank and lengths (where told) must agree. Keeps
 * coordinates only where the name stays.
 */
int axt_axes_cast(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e);
/* "old=new,...": simultaneous; unknown old names and collisions are errors. Coordinates stay. */
int axt_axes_rename(struct axt_arena *m, const struct axt_axes *have, const char *map,
    struct axt_axes *out, struct axt_err *e);
/* Levels k -> 1-k. */
void axt_axes_transpose(const struct axt_axes *have, struct axt_axes *out);
/* How the axes of a dot fall. Indices into a and b. */
struct axt_pairing {
	int nk, ka[AXT_MAX_RANK], kb[AXT_MAX_RANK];	/* contracted pairs */
	int nb, ba[AXT_MAX_RANK], bb[AXT_MAX_RANK];	/* kept in both (batch): --keep */
	int nm, ma[AXT_MAX_RANK];			/* a's rest */
	int nn, nbx[AXT_MAX_RANK];			/* b's rest */
	/* a's axes that stay (batch at their place in a), then b's rest */
	struct axt_axes out;
	bool tf32;					/* AXT_TF32 */
};
enum axt_pair_mode { AXT_PAIR_DEFAULT, AXT_PAIR_STRICT, AXT_PAIR_PLAIN };
int axt_axes_pair(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    enum axt_pair_mode mode, const struct axt_axes *over, const struct axt_axes *keep,
    const struct axt_join *j, struct axt_pairing *out, struct axt_err *e);
/* The pairing whose contracted and batch pairs (valid indices, none twice) are given's. */
int axt_axes_pair_given(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_pairing *given, const struct axt_join *j, struct axt_pairing *out,
    struct axt_err *e);

#endif
