/* enums.c - enumerations: integers whose type has names for them. */
#include "hdf5/format/raw.h"
#include "files/inner.h"

/* The number of a member, as text. */
static const char *
number(struct axt_arena *m, enum axt_dtype d, const uint8_t *stored, bool swap)
{
	uint64_t v[2] = { 0 };
	char text[AXT_TEXT];

	memcpy(v, stored, (size_t)axt_size(d));
	if (swap)
		axt_swap_items(v, 1, axt_size(d));
	axt_value_text(text, d, v);
	return axt_strdup(m, text);
}

static struct axt_attr *
attr_of(struct axt_arena *m, const struct axt_htype *t)
{
	struct axt_attr *a = axt_alloc(m, sizeof(*a));
	const char **s = axt_alloc(m, 2 * (size_t)t->n * sizeof(*s)), *why;
	enum axt_dtype d, as;
	bool swap;

	if (!a || !s || !axt_h5_dtype(t, &d, &swap, &why))
		return NULL;
	as = d == AXT_BOOL ? AXT_U8 : d;
	for (int i = 0; i < t->n; i++) {
		s[2 * i] = axt_strdup(m, t->member[i].name);
		s[2 * i + 1] = number(m, as, t->member[i].value, swap);
		if (!s[2 * i] || !s[2 * i + 1])
			return NULL;
	}
	*a = (struct axt_attr){ .name = AXT_ENUM,
		.dtype = d,
		.kind = AXT_ATTR_TEXTS,
		.n = 2 * t->n,
		.data = s };
	return a;
}

/* Whether the object of that path is in the group of the type, or below. */
static bool
is_above(const char *of, const char *path)
{
	return strncmp(of, path, (size_t)(strrchr(path, '/') + 1 - path)) == 0;
}

/*
 * The path of the committed type of an object, or of an attribute of it. That is the type at addr
 * or, if addr is 0, one that is equal, as netCDF writes files: of several, the nearest one in the
 * groups above the object, or else the first. NULL: there is none.
 */
static const char *
path_of(struct axt_arena *m, const struct axt_h5 *h, const char *of, uint64_t addr,
    const struct axt_attr *a)
{
	const char *found = NULL;

	for (int i = 0; i < h->ntypes; i++) {
		const struct axt_named_type *x = &h->types[i];
		struct axt_cur c = { .p = x->message, .n = x->n };
		const struct axt_htype *t;
		const struct axt_attr *b;

		if (addr && x->addr == addr)
			return x->path;
		if (addr || x->n == 0 || (x->message[0] & 15) != AXT_T_ENUM)
			continue;
		t = axt_msg_type(m, &c);
		b = t ? attr_of(m, t) : NULL;
		if (b && a->dtype == b->dtype && axt_attr_equal(a, b) &&
		    (!found ||
			(is_above(of, x->path) &&
			    (!is_above(of, found) || strlen(found) < strlen(x->path)))))
			found = x->path;
	}
	return found;
}

const struct axt_attr *
axt_h5_members(struct axt_arena *m, const struct axt_file *f, const struct axt_htype *t)
{
	struct axt_attr *a = t->class == AXT_T_ENUM ? attr_of(m, t) : NULL;

	if (a)
		a->text = path_of(m, f->h5, "/", 0, a);
	return a;
}

int
axt_h5_enum(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    const struct axt_attr **attrs, struct axt_err *e)
{
	const struct axt_msg *g = axt_head_msg(h, AXT_MSG_TYPE);
	const struct axt_dset *d = &f->dsets[i];
	const struct axt_htype *t;
	struct axt_cur c;
	struct axt_attr *a;

	if (!g || g->c.n == 0 || (g->c.p[0] & 15) != AXT_T_ENUM || d->role == AXT_ROLE_OTHER)
		return AXT_OK;
	c = g->c;
	t = axt_msg_type(h->r.m, &c);
	a = t ? attr_of(m, t) : NULL;
	if (!a)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	a->text = path_of(h->r.m, f->h5, d->path, h->type, a);
	a->next = (struct axt_attr *)*attrs;
	*attrs = a;
	return AXT_OK;
}
