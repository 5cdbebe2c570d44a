/* cdl.c - axt-info --cdl: the header as CDL, the text form of netCDF, like ncdump -h. */
#include <stdlib.h>

#include "files/inner.h"
#include "show/info.h"

/*
 * The name of a dtype in CDL: bool, which is stored as i8, is byte; f16, bf16 and complex dtypes,
 * which netCDF lacks, have axt's names.
 */
static const char *
number_name(enum axt_dtype d)
{
	static const char *const names[AXT_NDTYPES] = {
		[AXT_BOOL] = "byte",
		[AXT_I8] = "byte",
		[AXT_I16] = "short",
		[AXT_I32] = "int",
		[AXT_I64] = "int64",
		[AXT_U8] = "ubyte",
		[AXT_U16] = "ushort",
		[AXT_U32] = "uint",
		[AXT_U64] = "uint64",
		[AXT_F32] = "float",
		[AXT_F64] = "double",
	};

	return names[d] ? names[d] : axt_dtypes[d].name;
}

/* The name of number v of the enumeration in the list, or NULL. */
static const char *
enum_word(const struct axt_attr *l, int64_t v)
{
	const struct axt_attr *a = axt_attr_enum(l);
	const char *const *s = a ? a->data : NULL;

	for (int64_t i = 0; a && i + 1 < a->n; i += 2)
		if (strtoll(s[i + 1], NULL, 10) == v)
			return s[i];
	return NULL;
}

/* The name of an enumeration, which is that of the dataset and "_t" if it has none. */
static const char *
enum_name(struct axt_info_ctx *c, const struct axt_dset *d, const struct axt_attr *a)
{
	const char *name = a->text ? axt_last_part(a->text) : axt_sprintf(c->m, "%s_t", d->name);

	return name ? name : "?";
}

static void add_name(struct axt_info_ctx *c, const char *s);

static void
add_type(struct axt_info_ctx *c, const struct axt_dset *d)
{
	const struct axt_attr *a = axt_attr_enum(d->attrs);

	if (a)
		add_name(c, enum_name(c, d, a));
	else if (d->role == AXT_ROLE_TEXT)
		axt_buf_adds(&c->b, axt_dset_is_chars(c->f, d) ? "char" : "string");
	else
		axt_buf_adds(&c->b, number_name(d->dtype));
}

/*
 * Adds a name. A backslash is put before all characters except letters, digits, _ . + - @ and those
 * beyond ASCII, and before a digit at the beginning.
 */
static void
add_name(struct axt_info_ctx *c, const char *s)
{
	const char *t = axt_escape(c->m, s);
	int i;

	/* a name that is not UTF-8 is shown as axt shows it elsewhere */
	if (!t || strcmp(t, s) != 0) {
		axt_buf_adds(&c->b, t ? t : "?");
		return;
	}
	for (i = 0; t[i] != '\0'; i++) {
		unsigned char b = (unsigned char)t[i];
		bool digit = b >= '0' && b <= '9', letter = (b | 32) >= 'a' && (b | 32) <= 'z';

		if (b < 0x80 && !letter && !(digit && i > 0) && !strchr("_.+-@", b))
			axt_buf_adds(&c->b, "\\");
		axt_buf_add(&c->b, t + i, 1);
	}
}

static void
add_axis_name(struct axt_info_ctx *c, const struct axt_axis *x)
{
	const char *s = axt_axis_spell(c->m, x);

	add_name(c, s ? s : "?");
}

/* The name of the missing value of an enumeration, or NULL. */
static const char *
fill_name(const struct axt_attr *l, const struct axt_attr *a)
{
	char text[AXT_TEXT];

	if (a->kind != AXT_ATTR_NUM || a->n != 1)
		return NULL;
	axt_value_text(text, a->dtype, a->data);
	return enum_word(l, strtoll(text, NULL, 10));
}

static void
add_attrs(struct axt_info_ctx *c, const char *indent, const char *owner, const struct axt_attr *a,
    const char *type)
{
	const struct axt_attr *l = a;
	char text[AXT_TEXT];
	int64_t i;

	for (; a; a = a->next) {
		const char *name = type && strcmp(a->name, "_FillValue") == 0 ? fill_name(l, a)
									      : NULL;

		/* CDL cannot tell a list without values */
		if (strcmp(a->name, AXT_ENUM) == 0 || (a->kind != AXT_ATTR_TEXT && a->n == 0))
			continue;
		axt_buf_addf(&c->b, "%s\t\t", indent);
		if (name) {
			add_name(c, type);
			axt_buf_adds(&c->b, " ");
		}
		if (a->kind == AXT_ATTR_TEXTS || axt_attr_listed(a))
			axt_buf_adds(&c->b, "string ");
		if (owner)
			add_name(c, owner);
		axt_buf_adds(&c->b, ":");
		add_name(c, a->name);
		axt_buf_adds(&c->b, " = ");
		if (a->kind == AXT_ATTR_TEXT)
			axt_info_quoted(c, a->text);
		for (i = 0; a->kind != AXT_ATTR_TEXT && i < a->n; i++) {
			axt_buf_adds(&c->b, i > 0 ? ", " : "");
			if (a->kind == AXT_ATTR_TEXTS) {
				axt_info_quoted(c, ((const char *const *)a->data)[i]);
				continue;
			}
			axt_value_cdl(text, a->dtype,
			    (const char *)a->data + i * axt_size(a->dtype));
			if (name)
				add_name(c, name);
			else
				axt_buf_adds(&c->b, text);
		}
		axt_buf_adds(&c->b, " ;\n");
	}
}

/* ---- groups ---- */

/*
 * The part of the dataset's path behind the group, which is "" or "/g"; NULL: the dataset is not
 * inside the group.
 */
static const char *
inside(const char *group, const struct axt_dset *d)
{
	size_t n = strlen(group);

	return strncmp(d->path, group, n) == 0 && d->path[n] == '/' ? d->path + n + 1 : NULL;
}

/* Whether the dataset is told: it is the one that was asked for, or one of those. */
static bool
is_told(const struct axt_info_ctx *c, const struct axt_dset *d)
{
	return c->only ? d == c->only : axt_info_in(c, d);
}

/* Whether the group has something that is told, in it or in a group below. */
static bool
leads_to_told(const struct axt_info_ctx *c, const char *group)
{
	bool any = !c->only && !c->how->fits;

	for (int i = 0; i < c->f->ndsets && !any; i++)
		any = inside(group, &c->f->dsets[i]) && is_told(c, &c->f->dsets[i]);
	return any;
}

static bool
is_here(const struct axt_info_ctx *c, const char *group, const struct axt_dset *d)
{
	const char *rest = inside(group, d);

	return rest && !strchr(rest, '/') && is_told(c, d);
}

static bool
dim_seen(const struct axt_info_ctx *c, const char *group, int i, int k)
{
	const struct axt_axis *x = &c->f->dsets[i].axes.a[k];
	int p, q;

	for (p = 0; p <= i; p++) {
		const struct axt_dset *d = &c->f->dsets[p];

		for (q = 0; is_here(c, group, d) && q < (p < i ? d->axes.n : k); q++)
			if (axt_axis_same(&d->axes.a[q], x))
				return true;
	}
	return false;
}

/*
 * The length of an axis in a group. For an unlimited axis it is the greatest length among the
 * variables of the group, of which some may have fewer records.
 */
static int64_t
longest(struct axt_info_ctx *c, const char *group, const struct axt_axis *x)
{
	int64_t len = x->len;

	for (int i = 0; i < c->f->ndsets; i++) {
		struct axt_dset *d = &c->f->dsets[i];

		if (!is_here(c, group, d) || !axt_info_load(c, d))
			continue;
		for (int k = 0; k < d->axes.n; k++)
			if (axt_axis_same(&d->axes.a[k], x))
				len = MAX(len, d->axes.a[k].len);
	}
	return len;
}

/* Whether the group has a scale of that name, which defines the dimension. */
static bool
has_scale(const struct axt_info_ctx *c, const char *group, const struct axt_axis *x)
{
	const char *name = axt_axis_spell(c->m, x);

	for (int i = 0; name && i < c->f->ndsets; i++) {
		const struct axt_dset *d = &c->f->dsets[i];
		const char *rest = inside(group, d);

		if (rest && strcmp(rest, name) == 0 &&
		    (d->role == AXT_ROLE_SCALE || d->role == AXT_ROLE_DIM))
			return true;
	}
	return false;
}

/*
 * Whether dimension k of `of` is shown by a group above, from which groups of netCDF inherit
 * dimensions.
 */
static bool
inherited(struct axt_info_ctx *c, const char *group, const struct axt_dset *of, int k)
{
	const struct axt_axis *x = &of->axes.a[k];
	const char *slash = strrchr(group, '/');
	const char *above = slash ? axt_strndup(c->m, group, (size_t)(slash - group)) : NULL;

	if (!above || has_scale(c, group, x))
		return false;
	for (int i = 0; i < c->f->ndsets; i++) {
		struct axt_dset *d = &c->f->dsets[i];

		if (!is_here(c, above, d) || !axt_info_load(c, d))
			continue;
		for (int q = 0; q < d->axes.n; q++)
			if (axt_axis_same(&d->axes.a[q], x))
				return d->axes.a[q].len == x->len || x->unlimited;
	}
	return inherited(c, above, of, k);
}

static void
add_dims(struct axt_info_ctx *c, const char *group, const char *indent)
{
	bool head = false;
	int i, k;

	for (i = 0; i < c->f->ndsets; i++) {
		struct axt_dset *d = &c->f->dsets[i];

		if (!is_here(c, group, d) || !axt_info_load(c, d))
			continue;
		for (k = 0; k < d->axes.n; k++) {
			if (dim_seen(c, group, i, k) || inherited(c, group, d, k))
				continue;
			if (!head)
				axt_buf_addf(&c->b, "%sdimensions:\n", indent);
			head = true;
			axt_buf_addf(&c->b, "%s\t", indent);
			add_axis_name(c, &d->axes.a[k]);
			if (d->axes.a[k].unlimited)
				axt_buf_addf(&c->b, " = UNLIMITED ; // (%lld currently)\n",
				    (long long)longest(c, group, &d->axes.a[k]));
			else
				axt_buf_addf(&c->b, " = %lld ;\n", (long long)d->axes.a[k].len);
		}
	}
}

static void
add_var(struct axt_info_ctx *c, const struct axt_dset *d, const char *indent)
{
	const struct axt_attr *type = axt_attr_enum(d->attrs);
	int k;

	if (!d->loaded) {
		axt_buf_addf(&c->b, "%s\t// ", indent);
		add_name(c, d->name);
		axt_buf_addf(&c->b, ": %s\n", d->why ? d->why : "cannot be read");
		return;
	}
	axt_buf_addf(&c->b, "%s\t", indent);
	add_type(c, d);
	axt_buf_adds(&c->b, " ");
	add_name(c, d->name);
	for (k = 0; k < d->axes.n; k++) {
		axt_buf_adds(&c->b, k == 0 ? "(" : ", ");
		add_axis_name(c, &d->axes.a[k]);
	}
	axt_buf_adds(&c->b, d->axes.n > 0 ? ") ;\n" : " ;\n");
	add_attrs(c, indent, d->name, d->attrs, type ? enum_name(c, d, type) : NULL);
}

/* Whether the type of dataset i is declared in that group, and not by an earlier dataset. */
static bool
declares(struct axt_info_ctx *c, const char *group, int i)
{
	struct axt_dset *d = &c->f->dsets[i];
	const struct axt_attr *a, *b;
	size_t n = strlen(group);

	if (d->role == AXT_ROLE_OTHER || !is_told(c, d) || !axt_info_load(c, d))
		return false;
	a = axt_attr_enum(d->attrs);
	if (!a || !a->text)
		return a && is_here(c, group, d);
	if (strncmp(a->text, group, n) != 0 || strrchr(a->text, '/') != a->text + n)
		return false;
	for (int k = 0; k < i; k++) {
		b = !is_told(c, &c->f->dsets[k]) || !c->f->dsets[k].loaded
		    ? NULL
		    : axt_attr_enum(c->f->dsets[k].attrs);
		if (b && b->text && strcmp(b->text, a->text) == 0)
			return false;
	}
	return true;
}

/* Puts what was added since `from` on a line of its own, which *line is then the beginning of. */
static void
break_line(struct axt_info_ctx *c, size_t *line, size_t from, const char *indent)
{
	char *text = axt_strndup(c->m, c->b.p + from, c->b.n - from);

	c->b.n = from;
	axt_buf_adds(&c->b, "\n");
	*line = c->b.n;
	axt_buf_addf(&c->b, "%s      %s", indent, text ? text : "?");
}

/* Adds the types that datasets have, in lines as long as those of ncdump. */
static void
add_types(struct axt_info_ctx *c, const char *group, const char *indent)
{
	bool head = false;

	for (int i = 0; i < c->f->ndsets; i++) {
		const struct axt_dset *d = &c->f->dsets[i];
		const struct axt_attr *a;
		const char *const *s;
		size_t line;

		if (!declares(c, group, i))
			continue;
		if (!head)
			axt_buf_addf(&c->b, "%stypes:\n", indent);
		head = true;
		a = axt_attr_enum(d->attrs);
		s = a->data;
		line = c->b.n + strlen(indent); /* as ncdump counts */
		axt_buf_addf(&c->b, "%s  %s enum ", indent, number_name(a->dtype));
		add_name(c, enum_name(c, d, a));
		axt_buf_adds(&c->b, " {");
		for (int64_t k = 0; k + 1 < a->n; k += 2) {
			size_t from = c->b.n;

			add_name(c, s[k]);
			axt_buf_addf(&c->b, " = %s%s", s[k + 1], k + 2 < a->n ? ", " : "} ;\n");
			if (c->b.n - line > 78)
				break_line(c, &line, from, indent);
		}
	}
}

static void
add_vars(struct axt_info_ctx *c, const char *group, const char *indent)
{
	bool head = false;
	int i;

	for (i = 0; i < c->f->ndsets; i++) {
		if (!is_here(c, group, &c->f->dsets[i]) || c->f->dsets[i].role == AXT_ROLE_DIM)
			continue;
		if (!head)
			axt_buf_addf(&c->b, "%svariables:\n", indent);
		head = true;
		add_var(c, &c->f->dsets[i], indent);
	}
}

static void add_group(struct axt_info_ctx *c, int i, const char *indent);

/* Adds the groups in a group; where not all is told, only those that lead to what is. */
static void
add_groups(struct axt_info_ctx *c, const char *group, const char *indent)
{
	const char *deeper = axt_sprintf(c->m, "%s  ", indent);
	size_t n = strlen(group);

	for (int i = 1; deeper && i < axt_file_ngroups(c->f); i++) {
		const char *path = axt_file_group(c->f, i), *name = axt_last_part(path);

		if (strncmp(path, group, n) != 0 || path + n + 1 != name || !leads_to_told(c, path))
			continue;
		axt_buf_addf(&c->b, "\n%sgroup: ", indent);
		add_name(c, name);
		axt_buf_adds(&c->b, " {\n");
		add_group(c, i, deeper);
		axt_buf_addf(&c->b, "%s} // group ", deeper);
		add_name(c, name);
		axt_buf_adds(&c->b, "\n");
	}
}

static void
add_group(struct axt_info_ctx *c, int i, const char *indent)
{
	const char *group = axt_file_group(c->f, i);
	const struct axt_attr *attrs = c->f->attrs;

	add_types(c, group, indent);
	add_dims(c, group, indent);
	add_vars(c, group, indent);
	if (i > 0 && axt_group_attrs(c->m, c->f, i, &attrs, c->e) != AXT_OK)
		return;
	if (attrs && !c->only && !c->how->fits) {
		axt_buf_addf(&c->b, "\n%s// %s attributes:\n", indent, i ? "group" : "global");
		add_attrs(c, indent, NULL, attrs, NULL);
	}
	add_groups(c, group, indent);
}

int
axt_info_cdl(struct axt_info_ctx *c)
{
	const char *base = axt_last_part(c->f->path), *dot = strrchr(base, '.');
	char *name;

	name = axt_strndup(c->m, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
	if (!name)
		return axt_fail(c->e, AXT_E_MEM, "out of memory");
	axt_buf_adds(&c->b, "netcdf ");
	add_name(c, strcmp(name, "-") == 0 ? "stdin" : name);
	axt_buf_adds(&c->b, " {\n");
	add_group(c, 0, "");
	axt_buf_adds(&c->b, "}\n");
	return c->e->code;
}
