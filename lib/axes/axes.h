/*
 * axes.h - lists of named axes, with levels and coordinates, and the functions on them: union, the
 * pairing of a dot, reduction, cast, rename, order.
 */
#ifndef AXT_AXES_AXES_H
#define AXT_AXES_AXES_H

#include "cf/cf.h"

/* The values along an axis. They never change once made, and axes share them. */
struct axt_coord {
	bool text; /* strings: data is const char *const * */
	enum axt_dtype dtype;
	int64_t n;
	const void *data; /* NULL: there are attributes only */
	const struct axt_attr *attrs;
};
struct axt_axis {
	const char *name;              /* without stars */
	int level;                     /* M is 0, M* is 1, M*-1 is -1 */
	int64_t len;                   /* -1: not given, in a list that a user typed */
	const struct axt_coord *coord; /* NULL: none */
	const char *from;              /* the origin for messages, "a.nc:t"; may be NULL */
	const char *parts;             /* of a flattened axis: "A:2,B:3"; else NULL */
	/* of positions in windows: the axis they lie along; else NULL */
	const char *along;
	bool unlimited; /* records may be added along it in its file */
};
struct axt_axes {
	int n;
	struct axt_axis a[AXT_MAX_RANK];
};
/* A name as spelled in files and output: "M", "M*", "M*2", "M*-1". In the arena. */
const char *axt_axis_spell(struct axt_arena *m, const struct axt_axis *a);
/* The axis of x that is spelled so, or -1. */
int axt_axes_spelled(const struct axt_axes *x, const char *name);
/* The axes which[0..n) of x as a list that a user could type. NULL when out of memory. */
const char *axt_axes_typed(struct axt_arena *m, const struct axt_axes *x, const int *which, int n);
/*
 * Parses a list as typed, "D=4,B*,C^-1": `^` means `*`, a byte after `\` is literal, `NAME=LEN` is
 * allowed if with_len. Names must keep the rules of axt-axes(7), none may stand twice, and "" is
 * the empty list. If rest >= 0, one word "..." is allowed, which stands for all other axes: *rest
 * gets its position in the list, or -1.
 */
int axt_axes_parse(struct axt_arena *m, const char *s, bool with_len, struct axt_axes *out,
    int *rest, struct axt_err *e);
/* An axis from its name in a file ("M*2"), which has no escapes and may have any bytes. */
int axt_axis_from_file(struct axt_arena *m, const char *s, struct axt_axis *out);
/* Whether the name keeps the rules of axis names. what: "axis", for the message. */
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
/* A list for messages, such as "lat, lon (361, 720)", names spelled with stars and escaped. */
const char *axt_axes_text(struct axt_arena *m, const struct axt_axes *x);
/* The product of the lengths; false when it does not fit. */
bool axt_axes_count(const struct axt_axes *x, int64_t *n);
/* The product of the lengths of axes which[0] to which[n - 1]; INT64_MAX when it does not fit. */
int64_t axt_axes_product(const struct axt_axes *x, const int *which, int n);
int axt_axes_check_unique(struct axt_arena *m, const struct axt_axes *x, struct axt_err *e);
/*
 * A dataset that comes and goes with a tensor because an attribute names it (bounds, coordinates,
 * grid_mapping). It is small: read and written whole. own[i]: the tensor that it came with has no
 * axis i (the 2 of bounds).
 */
struct axt_aux {
	const char *name;
	struct axt_axes axes;
	bool own[AXT_MAX_RANK];
	enum axt_dtype dtype;
	bool text; /* data is const char *const * */
	const void *data;
	const struct axt_attr *attrs;
	struct axt_aux *next;
};
/* --join: on which axes the coordinates of the first operand are taken, without comparing. */
struct axt_join {
	bool override_all;
	struct axt_axes override; /* on these axes only */
};
/*
 * Two axes of the same name and level meet in a union: their lengths must agree, and unless
 * overridden their coordinates too (compared in the narrower dtype, CF times as instants, text
 * bytewise; units must be the same). *out gets the coordinates of a, or those of b if a has none.
 * Errors: AXT_E_AXES, AXT_E_COORD, naming the axis, both values and both origins, the first
 * difference, and "one is the other reversed" where that is so.
 */
int axt_axis_meet(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    const struct axt_join *j, struct axt_axis *out, struct axt_err *e);
/* Ordered union: a's axes, then those of b that a lacks. */
int axt_axes_union(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_join *j, struct axt_axes *out, struct axt_err *e);
/*
 * --axes: want names every axis of have, in any order, and may add axes that have a length. Lengths
 * that are given must agree. *out has want's order with have's lengths and coordinates. Errors name
 * the axis that is missing.
 */
int axt_axes_override(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e);
/*
 * A permutation by name: want names axes of have, none twice. If rest >= 0, the axes it does not
 * name come at that position, in their order. perm[i] is an index into have.
 */
int axt_axes_permute(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    int rest, int perm[AXT_MAX_RANK], struct axt_err *e);
/*
 * A reduction to the axes `to` and/or over the axes `over` (NULL: not given). kept gets the
 * indices in x of the result's axes, in order.
 */
int axt_axes_reduce(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *to,
    const struct axt_axes *over, int kept[AXT_MAX_RANK], int *nkept, struct axt_err *e);
/*
 * New names by position: ranks must agree, and lengths where given. Coordinates stay only where the
 * name stays.
 */
int axt_axes_cast(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e);
/*
 * "old=new,...", all at once. Unknown old names and results that stand twice are errors.
 * Coordinates stay.
 */
int axt_axes_rename(struct axt_arena *m, const struct axt_axes *have, const char *map,
    struct axt_axes *out, struct axt_err *e);
/* Each level k becomes 1-k. */
void axt_axes_transpose(const struct axt_axes *have, struct axt_axes *out);
/* Which axes of a dot are summed and which stay, as indices into a and b. */
struct axt_pairing {
	int nk, ka[AXT_MAX_RANK], kb[AXT_MAX_RANK]; /* contracted pairs */
	/* pairs that stay in the result (batch): --keep */
	int nb, ba[AXT_MAX_RANK], bb[AXT_MAX_RANK];
	int nm, ma[AXT_MAX_RANK];  /* the other axes of a */
	int nn, nbx[AXT_MAX_RANK]; /* the other axes of b */
	/*
	 * the result: a's axes that stay, with batch axes at their position in a, then b's other
	 * axes
	 */
	struct axt_axes out;
	/* products may be rounded to TF32: AXT_TF32 */
	bool tf32;
};
enum axt_pair_mode { AXT_PAIR_DEFAULT, AXT_PAIR_STRICT, AXT_PAIR_PLAIN };
int axt_axes_pair(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    enum axt_pair_mode mode, const struct axt_axes *over, const struct axt_axes *keep,
    const struct axt_join *j, struct axt_pairing *out, struct axt_err *e);
/*
 * The pairing whose contracted and batch pairs are those of given, which must be valid and name no
 * axis twice.
 */
int axt_axes_pair_given(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_pairing *given, const struct axt_join *j, struct axt_pairing *out,
    struct axt_err *e);

#endif
