/*
 * attributes.c - lists of attributes. No list is changed: setting or dropping an attribute makes a
 * new list, which has copies of those before it and shares those behind it with the old list.
 */
#include <stdlib.h>

#include "cf/cf.h"

const char *const axt_naming[] = {
	"bounds",
	"climatology",
	"coordinates",
	"grid_mapping",
	"cell_measures",
	"ancillary_variables",
	"formula_terms",
	"edges",
	"mesh",
	"node_coordinates",
	"edge_coordinates",
	"face_coordinates",
	"volume_coordinates",
	"face_node_connectivity",
	"edge_node_connectivity",
	"face_edge_connectivity",
	"face_face_connectivity",
	"edge_face_connectivity",
	"boundary_node_connectivity",
};

const struct axt_attr *
axt_attr_find(const struct axt_attr *l, const char *name)
{
	for (; l; l = l->next)
		if (!strcmp(l->name, name))
			return l;
	return NULL;
}

const char *
axt_attr_text(const struct axt_attr *l, const char *name)
{
	const struct axt_attr *a = axt_attr_find(l, name);

	return a && a->kind == AXT_ATTR_TEXT ? a->text : NULL;
}

bool
axt_is_cf_id(const struct axt_attr *l)
{
	static const char *const ids[] = { "timeseries_id", "profile_id", "trajectory_id" };
	const char *role = axt_attr_text(l, "cf_role");

	for (int i = 0; role && i < ARRAY_LEN(ids); i++)
		if (strcmp(role, ids[i]) == 0)
			return true;
	return false;
}

/* Copies l up to the node `stop`, which may be NULL for all of l, and appends tail. */
static struct axt_attr *
splice(struct axt_arena *m, const struct axt_attr *l, const struct axt_attr *stop,
    const struct axt_attr *tail)
{
	struct axt_attr *first = NULL, **at = &first;

	for (; l != stop; l = l->next) {
		*at = axt_alloc(m, sizeof(**at));
		if (!*at)
			return NULL;
		**at = *l;
		at = &(*at)->next;
	}
	*at = (struct axt_attr *)tail;
	return first;
}

struct axt_attr *
axt_attr_drop(struct axt_arena *m, const struct axt_attr *l, const char *name)
{
	const struct axt_attr *old = axt_attr_find(l, name);

	return old ? splice(m, l, old, old->next) : (struct axt_attr *)l;
}

void
axt_attr_set_list(struct axt_attr *a, const char *const *text, int64_t n)
{
	static const int64_t one = 1;

	a->n = n;
	if (n != 1) {
		a->kind = AXT_ATTR_TEXTS;
		a->data = text;
		return;
	}
	a->kind = AXT_ATTR_TEXT;
	a->text = text[0];
	a->dims = &one;
	a->rank = 1;
}

struct axt_attr *
axt_attr_set(struct axt_arena *m, const struct axt_attr *l, const struct axt_attr *a)
{
	const struct axt_attr *old = axt_attr_find(l, a->name);
	struct axt_attr *node = axt_alloc(m, sizeof(*node));

	if (!node)
		return NULL;
	*node = *a;
	node->next = old ? old->next : NULL;
	return splice(m, l, old, node);
}

struct axt_attr *
axt_attrs_only(struct axt_arena *m, const struct axt_attr *l, bool (*wanted)(const char *name))
{
	struct axt_attr *first = NULL, **at = &first;

	for (; l; l = l->next) {
		if (!wanted(l->name))
			continue;
		*at = axt_alloc(m, sizeof(**at));
		if (!*at)
			return NULL;
		**at = *l;
		(*at)->next = NULL;
		at = &(*at)->next;
	}
	return first;
}

const struct axt_attr *
axt_attr_enum(const struct axt_attr *l)
{
	const struct axt_attr *a = axt_attr_find(l, AXT_ENUM);

	return a && a->dtype != AXT_BOOL ? a : NULL;
}

const struct axt_attr *
axt_enum_flags(struct axt_arena *m, const struct axt_attr *l)
{
	const struct axt_attr *a = axt_attr_find(l, AXT_ENUM);
	const char *const *s = a ? a->data : NULL;
	struct axt_attr values = { .name = "flag_values", .kind = AXT_ATTR_NUM },
			words = { .name = "flag_meanings", .kind = AXT_ATTR_TEXT };
	struct axt_buf b = { 0 };
	uint8_t *p;

	if (!a || a->dtype == AXT_BOOL || axt_attr_find(l, words.name))
		return a ? axt_attr_drop(m, l, AXT_ENUM) : l;
	values.dtype = a->dtype;
	values.n = a->n / 2;
	values.data = p = axt_alloc(m, (size_t)values.n * (size_t)axt_size(a->dtype));
	for (int64_t i = 0; p && i < values.n; i++) {
		int64_t v = (int64_t)strtoull(s[2 * i + 1], NULL, 10);

		memcpy(p + i * axt_size(a->dtype), axt_int_bytes(&v, axt_size(a->dtype)),
		    (size_t)axt_size(a->dtype));
		axt_buf_addf(&b, "%s", i > 0 ? " " : "");
		for (const char *c = s[2 * i]; *c; c++)
			axt_buf_add(&b, *c == ' ' ? "_" : c, 1);
	}
	words.text = axt_buf_text(m, &b);
	l = p && words.text ? axt_attr_drop(m, l, AXT_ENUM) : NULL;
	return l || !a->next ? axt_attr_set(m, axt_attr_set(m, l, &values), &words) : NULL;
}

static bool
same_texts(const struct axt_attr *a, const struct axt_attr *b)
{
	const char *const *p = a->data, *const *q = b->data;

	for (int64_t i = 0; i < a->n; i++)
		if (strcmp(p[i], q[i]) != 0)
			return false;
	return true;
}

/* Whether both are lists, or have the same shape. A number is as good as a list of one. */
static bool
same_shape(const struct axt_attr *a, const struct axt_attr *b)
{
	int i = 0;

	if (a->n == 1 && b->n == 1)
		return true;
	if (!a->dims != !b->dims || (a->dims && a->rank != b->rank))
		return false;
	while (a->dims && i < a->rank && a->dims[i] == b->dims[i])
		i++;
	return !a->dims || i == a->rank;
}

void
axt_attr_shape_as(struct axt_attr *a, const struct axt_attr *old)
{
	if (!old || old->kind != a->kind || a->kind == AXT_ATTR_TEXTS)
		return;
	if (a->kind == AXT_ATTR_NUM ? old->n != a->n : !axt_attr_listed(old))
		return;
	a->n = old->n;
	a->dims = old->dims;
	a->rank = old->rank;
	a->fixed = old->fixed;
}

bool
axt_attr_equal(const struct axt_attr *a, const struct axt_attr *b)
{
	if (a->kind != b->kind || strcmp(a->name, b->name) != 0)
		return false;
	if (a->kind != AXT_ATTR_TEXT && !same_shape(a, b))
		return false;
	switch (a->kind) {
	case AXT_ATTR_TEXT: return !strcmp(a->text, b->text);
	case AXT_ATTR_TEXTS: return a->n == b->n && same_texts(a, b);
	default:
		return a->dtype == b->dtype && a->n == b->n &&
		    (!a->n || !memcmp(a->data, b->data, (size_t)a->n * (size_t)axt_size(a->dtype)));
	}
}

bool
axt_attrs_equal(const struct axt_attr *a, const struct axt_attr *b)
{
	for (; a && b && axt_attr_equal(a, b); a = a->next)
		b = b->next;
	return !a && !b;
}

enum axt_attr_form
axt_attr_form(const char *name)
{
	static const struct {
		const char *name;
		enum axt_attr_form form;
	} rows[] = {
		{ "_FillValue", AXT_FORM_STORED },
		{ "missing_value", AXT_FORM_STORED },
		{ "valid_min", AXT_FORM_STORED },
		{ "valid_max", AXT_FORM_STORED },
		{ "valid_range", AXT_FORM_STORED },
		{ "flag_values", AXT_FORM_STORED },
		{ "flag_masks", AXT_FORM_STORED },
		{ "scale_factor", AXT_FORM_PACKING },
		{ "add_offset", AXT_FORM_PACKING },
		{ "actual_range", AXT_FORM_UNPACKED },
		{ "leap_month", AXT_FORM_NUMBERS },
		{ "leap_year", AXT_FORM_NUMBERS },
		{ "month_lengths", AXT_FORM_NUMBERS },
		{ "azimuth_of_central_line", AXT_FORM_NUMBERS },
		{ "earth_radius", AXT_FORM_NUMBERS },
		{ "false_easting", AXT_FORM_NUMBERS },
		{ "false_northing", AXT_FORM_NUMBERS },
		{ "grid_north_pole_latitude", AXT_FORM_NUMBERS },
		{ "grid_north_pole_longitude", AXT_FORM_NUMBERS },
		{ "inverse_flattening", AXT_FORM_NUMBERS },
		{ "latitude_of_projection_origin", AXT_FORM_NUMBERS },
		{ "longitude_of_central_meridian", AXT_FORM_NUMBERS },
		{ "longitude_of_prime_meridian", AXT_FORM_NUMBERS },
		{ "longitude_of_projection_origin", AXT_FORM_NUMBERS },
		{ "north_pole_grid_longitude", AXT_FORM_NUMBERS },
		{ "perspective_point_height", AXT_FORM_NUMBERS },
		{ "scale_factor_at_central_meridian", AXT_FORM_NUMBERS },
		{ "scale_factor_at_projection_origin", AXT_FORM_NUMBERS },
		{ "semi_major_axis", AXT_FORM_NUMBERS },
		{ "semi_minor_axis", AXT_FORM_NUMBERS },
		{ "standard_parallel", AXT_FORM_NUMBERS },
		{ "straight_vertical_longitude_from_pole", AXT_FORM_NUMBERS },
		{ "towgs84", AXT_FORM_NUMBERS },
	};

	for (int k = 0; k < ARRAY_LEN(rows); k++)
		if (strcmp(rows[k].name, name) == 0)
			return rows[k].form;
	return AXT_FORM_TEXT;
}

const struct axt_attr *
axt_coordinates_less(struct axt_arena *m, const struct axt_attr *l, const char *name)
{
	struct axt_attr a = { .name = "coordinates", .kind = AXT_ATTR_TEXT };
	const char *old = axt_attr_text(l, a.name);
	struct axt_buf b = { 0 };

	for (const char *p = old ? old + strspn(old, " ") : ""; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (n != strlen(name) || strncmp(p, name, n) != 0)
			axt_buf_addf(&b, "%s%.*s", b.n ? " " : "", (int)n, p);
		p += n;
	}
	a.text = axt_buf_text(m, &b);
	if (!old || !a.text)
		return l;
	return *a.text ? axt_attr_set(m, l, &a) : axt_attr_drop(m, l, a.name);
}
