/*
 * axes.h - lists of named axes with levels and coordinates, and what is done with such lists:
 * union, the pairing of axes in a dot, reduction, cast, renaming, order.
 */
#ifndef AXT_AXES_AXES_H
#define AXT_AXES_AXES_H

#include "cf/cf.h"

struct axt_storage; /* bytes/bytes.h */

/* The values along an axis. They do not change after they are made, so that axes can share them. */
struct axt_coord {
	bool text; /* the values are strings: data is const char *const * */
	enum axt_dtype dtype;
	int64_t n;
	const void *data; /* NULL: there are attributes, but no values */
	const struct axt_attr *attrs;
	const struct axt_coord_stored *stored; /* how a file has them otherwise; or NULL */
	const char *label; /* of the dimension of their own dataset: see struct axt_axis */
	const struct axt_storage *like; /* how their file has them in compressed chunks; or NULL */
};
/* Coordinates as a file has them: packed, or with marks of missing values. */
struct axt_coord_stored {
	const void *of; /* these are the first n of those values, and of no others */
	int64_t n;
	enum axt_dtype dtype;
	const void *data;
	const struct axt_attr *attrs; /* those that tell how to unpack them, such as scale_factor */
};
/*
 * The coordinates to write to a file: as their file stored them, packed for instance, if nobody has
 * changed them since; else c. NULL: out of memory.
 */
const struct axt_coord *axt_coord_as_stored(struct axt_arena *m, const struct axt_coord *c);
struct axt_axis {
	const char *name;              /* the name without its stars */
	int level;                     /* M is 0, M* is 1, M*-1 is -1 */
	int64_t len;                   /* -1: not given, in a list that the user typed */
	const struct axt_coord *coord; /* NULL: none */
	const char *from;  /* where the axis comes from, for messages: "a.nc:t"; may be NULL */
	const char *parts; /* of a flattened axis: the axes it is made of, "A:2,B:3"; else NULL */
	/* of an axis of positions within windows: the axis on which the windows lie; else NULL */
	const char *along;
	bool unlimited; /* unlimited in its file, so that records can be added along it */
	/* what its file says in AXT_LABELS; "": the name of the axis, whatever that is; NULL: none */
	const char *label;
};
/*
 * The attribute of a dataset in which HDF5 keeps a label for each dimension. Files of other formats
 * have an attribute of that name as well.
 */
#define AXT_LABELS "DIMENSION_LABELS"
struct axt_axes {
	int n;
	struct axt_axis a[AXT_MAX_RANK];
};
/* The name of an axis as files and outputs spell it: "M", "M*", "M*2", "M*-1". In the arena. */
const char *axt_axis_spell(struct axt_arena *m, const struct axt_axis *a);
/* The label of an axis, "" if it has none. NULL: out of memory. */
const char *axt_axis_label(struct axt_arena *m, const struct axt_axis *a);
/* The attribute AXT_LABELS of axes of which one has a label; NULL: none has, or out of memory. */
const struct axt_attr *axt_axes_labels(struct axt_arena *m, const struct axt_axes *x);
/* The index of the axis that is spelled so, or -1. */
int axt_axes_spelled(const struct axt_axes *x, const char *name);
/*
 * The axis that a usual word such as "lat" or "TIME" means. An axis spelled like the word comes
 * first. Then come, in this order, an axis of that name in another case, one whose attribute `axis`
 * is the letter, one that is the same kind of coordinate (latitude, longitude, time, height) by its
 * attributes, or by its name, one whose standard_name or long_name is the word, and one whose name
 * begins like the word. -1: none, or several at the same step.
 */
int axt_axes_meant(const struct axt_axes *x, const char *word);
/* The axes which[0..n) of x as a list that a user could type. NULL: out of memory. */
const char *axt_axes_typed(struct axt_arena *m, const struct axt_axes *x, const int *which, int n);
/*
 * Parses a list that the user typed, such as "D=4,B*,C^-1". `^` means `*`, a byte after `\` is
 * literal, and `NAME=LEN` is allowed if with_len. Names must obey the rules of axt-axes(7), no axis
 * may occur twice, and "" is the empty list. If rest is not NULL, the word "..." is allowed once
 * and stands for all other axes; *rest becomes its position in the list, or -1.
 */
int axt_axes_parse(struct axt_arena *m, const char *s, bool with_len, struct axt_axes *out,
    int *rest, struct axt_err *e);
/* An axis from its name in a file ("M*2"), which has no escapes and may have any bytes. */
int axt_axis_from_file(struct axt_arena *m, const char *s, struct axt_axis *out);
/*
 * Checks that a name obeys the rules of axt-axes(7). `what` says what it is the name of, such as
 * "axis", in the message.
 */
int axt_name_check(const char *s, const char *what, struct axt_err *e);
/* The index of the axis with that name and level, or -1. */
int axt_axes_find(const struct axt_axes *x, const struct axt_axis *a);
static inline bool
axt_axis_same(const struct axt_axis *a, const struct axt_axis *b)
{
	return a->level == b->level && strcmp(a->name, b->name) == 0;
}
/*
 * In dates.c: the number of the field (axt_cffield_named) that the word "AXIS.FIELD", such as
 * time.month, names. *axis becomes the index of AXIS in x. -1: the word has another form, or x has
 * no such axis.
 */
int axt_axes_field(struct axt_arena *m, const struct axt_axes *x, const char *word, int *axis);
/* The axis for messages: axis "time" in a.nc:t. from may be NULL. NULL: out of memory. */
const char *axt_axis_where(struct axt_arena *m, const struct axt_axis *a, const char *from);
/* Fails with ARG if the coordinates are no CF times. what: the axis in messages. */
int axt_axis_times(const struct axt_axis *a, const char *what, struct axt_cftime *t,
    struct axt_err *e);
/*
 * The dates of a CF time axis. NULL: an error; ARG (no CF time axis), RANGE (no date), MEM.
 */
struct axt_cffields *axt_axis_dates(struct axt_arena *m, const struct axt_axis *a, const char *what,
    struct axt_err *e);
/* Value i as messages show it: text in quotes, and dates if t is not NULL. Never NULL. */
const char *axt_coord_value(struct axt_arena *m, const struct axt_coord *c,
    const struct axt_cftime *t, int64_t i);
/* Whether names, levels and lengths are the same, in the same order. */
bool axt_axes_same(const struct axt_axes *x, const struct axt_axes *y);
/*
 * A list of axes for messages, such as "lat, lon (361, 720)". Names have stars for levels, and
 * escapes.
 */
const char *axt_axes_text(struct axt_arena *m, const struct axt_axes *x);
/*
 * Fails with NAME because x, the axes of the tensor that messages call `in`, has no axis a. The
 * message lists the axes of x, and the hint is the axis that was likely meant.
 */
int axt_axes_unknown_in(struct axt_arena *m, const struct axt_axes *x, const struct axt_axis *a,
    const char *in, struct axt_err *e);
/* The same for any axis of CF times. */
int axt_axes_no_times(struct axt_arena *m, const struct axt_axes *x, const char *in,
    struct axt_err *e);
/* Fails because an axis, of from or of what it knows that it is from, has no coordinates. */
int axt_axis_unlabelled(struct axt_arena *m, const struct axt_axis *a, const char *from,
    struct axt_err *e);
/* Whether the error is that an axis is not there. */
bool axt_axes_is_unknown(const struct axt_err *e);
/* The product of the lengths. Returns false if it does not fit. */
bool axt_axes_count(const struct axt_axes *x, int64_t *n);
/* The product of the lengths of axes which[0] to which[n - 1]; INT64_MAX if it does not fit. */
int64_t axt_axes_product(const struct axt_axes *x, const int *which, int n);
int axt_axes_check_unique(struct axt_arena *m, const struct axt_axes *x, struct axt_err *e);
/*
 * An auxiliary dataset. It is read and written with a tensor because an attribute of the tensor or
 * of its coordinates names it (bounds, coordinates, grid_mapping), or because a command takes a
 * whole file. Its values are in memory. own[i]: the tensor with which the dataset was read does not
 * have axis i, such as the axis of length 2 of bounds.
 */
struct axt_aux {
	const char *name;
	struct axt_axes axes;
	bool own[AXT_MAX_RANK];
	enum axt_dtype dtype;
	bool text;  /* the values are strings: data is const char *const * */
	bool chars; /* they were stored as single characters, netCDF's type char ... */
	bool flags; /* ... each of which is a text by itself, as those along axes of numbers are */
	/* how its file has it in chunks, if these are compressed; else NULL */
	const struct axt_storage *like;
	/* no attribute names it: it is text of a whole file that lies along axes of the tensor */
	bool beside;
	const void *data;
	const struct axt_attr *attrs;
	struct axt_aux *next;
};
/* The first dataset of that name in the list, or NULL. */
const struct axt_aux *axt_aux_find(const struct axt_aux *l, const char *name);
/*
 * Whether x is the dataset that the attributes l, of coordinates, name as bounds or climatology,
 * and has real numbers.
 */
bool axt_is_bounds(const struct axt_attr *l, const struct axt_aux *x);
/*
 * Unpacks the n numbers of the dataset called `name`. Before, c has its stored dtype, data and
 * attributes; afterwards those of the unpacked values, with NaN where one is missing.
 */
int axt_coord_decode(struct axt_arena *m, const char *name, struct axt_coord *c, struct axt_err *e);
/* Whether the axis has coordinates with values. */
static inline bool
axt_axis_has_values(const struct axt_axis *a)
{
	return a->coord && a->coord->data;
}
/* Whether two axes have the same coordinates, or both none. */
bool axt_coord_equal(const struct axt_coord *a, const struct axt_coord *b);
/* Whether two auxiliary datasets are the same, values included. */
bool axt_aux_same(const struct axt_aux *a, const struct axt_aux *b);
/*
 * Whether the axes `of`, at least one, are all in the list x, with the same lengths. If so, *as
 * gets them as x has them, with coordinates; as may be NULL.
 */
bool axt_axes_over(const struct axt_axes *of, const struct axt_axes *x, struct axt_axes *as);
/* Whether x has no axis of its tensor: it is a coordinate of rank 0, or the bounds of one. */
bool axt_aux_apart(const struct axt_aux *x);
/*
 * Makes the text x, strings or characters, into coordinates of `along`: c gets a string for each of
 * its positions. Returns 1; 0 if x is no text that lies along this axis alone; -1 with an error.
 */
int axt_aux_strings(struct axt_arena *m, const struct axt_axis *along, const struct axt_aux *x,
    struct axt_coord *c, struct axt_err *e);
/* Whether the two disagree: in dtype or axes or, if they have no axis of the tensor, in values. */
bool axt_aux_differ(struct axt_arena *m, const struct axt_aux *a, const struct axt_aux *b);
/*
 * Whether x, from the list l, is a coordinate of rank 0 that was left when an axis was dropped, or
 * the bounds of such a coordinate, and `axes` have an axis of the coordinate's name.
 */
bool axt_aux_shadowed(const struct axt_aux *l, const struct axt_aux *x,
    const struct axt_axes *axes);
/*
 * Merges the auxiliary datasets of two operands, whose result has `axes`. Of two datasets of one
 * name that of a is taken, or none if they differ (axt_aux_differ). A coordinate of rank 0 is left
 * out if `axes` have an axis of its name.
 */
int axt_aux_merge(struct axt_arena *m, const struct axt_aux *a, const struct axt_aux *b,
    const struct axt_axes *axes, const struct axt_aux **out, struct axt_err *e);
/*
 * Adds a copy of x at the end of a list, and moves *tail, the place of the list's last pointer, on.
 * Returns the copy; NULL: out of memory.
 */
struct axt_aux *axt_aux_add(struct axt_arena *m, const struct axt_aux *x, struct axt_aux ***tail);
/* Removes the dataset of that name, with its bounds, from the list and from "coordinates". */
int axt_aux_leave(struct axt_arena *m, const char *name, const struct axt_aux **list,
    const struct axt_attr **attrs, struct axt_err *e);
/* The warning of that: the names of the dataset, of the tensor, and of what contradicts it. */
#define AXT_AUX_LEFT "the coordinate \"%s\" of %s is left out: %s has another one of that name"
/*
 * The option --join: the axes on which the coordinates of the first operand are taken without
 * comparing them with those of the others.
 */
struct axt_join {
	bool override_all;
	struct axt_axes override; /* these axes, unless override_all */
};
/*
 * Joins two axes of one name and level for a union. Their lengths must agree and, unless the axis
 * is overridden, their coordinates. These are compared in the narrower dtype, CF times as instants,
 * text bytewise; units must be the same. *out has the coordinates of a, or those of b if a has
 * none. Errors: AXT_E_AXES and AXT_E_COORD, with the axis, both origins, both values at the first
 * difference, and "one is the other reversed" if that is so.
 */
int axt_axis_meet(struct axt_arena *m, const struct axt_axis *a, const struct axt_axis *b,
    const struct axt_join *j, struct axt_axis *out, struct axt_err *e);
/* Whether two axes have names or coordinates of one: lat and latitude, lon and lon_u. */
bool axt_axes_alike(const struct axt_axis *a, const struct axt_axis *b);
/* Whether the axis has no name in its file, so that it is called by its number, dim_1. */
bool axt_axis_unnamed(const struct axt_axis *a);
/*
 * Whether there are axes, all without coordinates and without a name in their file, so that axt
 * calls them dim_0, dim_1 and so on. Where another dataset of the group has such axes with other
 * lengths, the tensor is written without dimension scales; when it is read, its axes get the same
 * names again.
 */
bool axt_axes_numbered(const struct axt_axes *x);
/* The one of two axes of times that ends before the other begins; NULL: none does. */
const struct axt_axis *axt_times_apart(struct axt_arena *m, const struct axt_axis *a,
    const struct axt_axis *b);
/* The ordered union: the axes of a, followed by those of b that a lacks. */
int axt_axes_union(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_join *j, struct axt_axes *out, struct axt_err *e);
/*
 * Orders the axes of `have` as --axes, `want`, names them. `want` must name all of them with the
 * right lengths, if it has any, and may add axes with lengths. *out has the lengths and coordinates
 * of `have`. Errors name the axis that is missing.
 */
int axt_axes_override(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e);
/*
 * A permutation by names: perm[i] is the index in `have` of axis i of the result. No name of want
 * may occur twice. If rest >= 0, the axes that want does not name are put at that position, in
 * their order.
 */
int axt_axes_permute(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    int rest, int perm[AXT_MAX_RANK], struct axt_err *e);
/*
 * Finds which axes a reduction keeps: kept gets their indices in x, in order. `to` has the axes to
 * keep, `over` those to reduce; either may be NULL.
 */
int axt_axes_reduce(struct axt_arena *m, const struct axt_axes *x, const struct axt_axes *to,
    const struct axt_axes *over, int kept[AXT_MAX_RANK], int *nkept, struct axt_err *e);
/*
 * Gives axes new names, by position. Ranks must agree, and lengths if they are given. An axis keeps
 * its coordinates only if it keeps its name.
 */
int axt_axes_cast(struct axt_arena *m, const struct axt_axes *have, const struct axt_axes *want,
    struct axt_axes *out, struct axt_err *e);
/*
 * Renames axes by "old=new,...", all at once. It is an error if an old name does not exist, or if
 * two axes of the result have the same name. Coordinates stay.
 */
int axt_axes_rename(struct axt_arena *m, const struct axt_axes *have, const char *map,
    struct axt_axes *out, struct axt_err *e);
/* Changes each level k to 1-k. */
void axt_axes_transpose(const struct axt_axes *have, struct axt_axes *out);
/* What a dot does with each axis: the axes are given as indices in a and b. */
struct axt_pairing {
	int nk, ka[AXT_MAX_RANK], kb[AXT_MAX_RANK]; /* pairs that are contracted */
	/* batch: pairs that stay in the result (--keep) */
	int nb, ba[AXT_MAX_RANK], bb[AXT_MAX_RANK];
	int nm, ma[AXT_MAX_RANK];  /* the other axes of a */
	int nn, nbx[AXT_MAX_RANK]; /* the other axes of b */
	/*
	 * The axes of the result: those of a that stay, batch axes among them, and then the other
	 * axes of b.
	 */
	struct axt_axes out;
	/* AXT_TF32: products may be rounded to TF32 */
	bool tf32;
};
enum axt_pair_mode { AXT_PAIR_DEFAULT, AXT_PAIR_STRICT, AXT_PAIR_PLAIN };
int axt_axes_pair(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    enum axt_pair_mode mode, const struct axt_axes *over, const struct axt_axes *keep,
    const struct axt_join *j, struct axt_pairing *out, struct axt_err *e);
/*
 * Completes `given`, a pairing that has only the contracted and the batch pairs. These must be
 * valid, with no axis in two pairs.
 */
int axt_axes_pair_given(struct axt_arena *m, const struct axt_axes *a, const struct axt_axes *b,
    const struct axt_pairing *given, const struct axt_join *j, struct axt_pairing *out,
    struct axt_err *e);

#endif
