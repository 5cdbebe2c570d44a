/* cdl.c - axt-info --cdl: the header as CDL, the text form of netCDF, like ncdump -h. */
#include "files/inner.h"
#include "show/info.h"

/*
 * The name of a dtype in CDL: bool, which is stored as i8, is byte; f16, bf16 and complex dtypes,
 * which netCDF lacks, have axt's names.
 */
static const char *
type_name(const struct axt_file *f, const struct axt_dset *d)
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

	if (d->role == AXT_ROLE_TEXT)
		return axt_dset_is_chars(f, d) ? "char" : "string";
	return names[d->dtype] ? names[d->dtype] : axt_dtypes[d->dtype].name;
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

static void
add_attrs(struct axt_info_ctx *c, const char *indent, const char *owner, const struct axt_attr *a)
{
	char text[AXT_TEXT];
	int64_t i;

	for (; a; a = a->next) {
		axt_buf_addf(&c->b, "%s\t\t", indent);
		if (a->kind == AXT_ATTR_TEXTS)
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
			axt_buf_adds(&c->b, text);
		}
		axt_buf_adds(&c->b, " ;\n");
	}
}

/* ---- groups ---- */

/*
 * The path of the dataset behind that of the group, which is "" or "/g"; NULL if the dataset is not
 * inside the group.
 */
static const char *
inside(const char *group, const struct axt_dset *d)
{
	size_t n = strlen(group);

	return strncmp(d->path, group, n) == 0 && d->path[n] == '/' ? d->path + n + 1 : NULL;
}

static bool
is_here(const struct axt_info_ctx *c, const char *group, const struct axt_dset *d)
{
	const char *rest = inside(group, d);

	return rest && !strchr(rest, '/') && (!c->only || d == c->only);
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
 * The length of an axis in a group. If it is unlimited that is the greatest length, since some
 * variables may have fewer records.
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
 * Whether a parent of the group shows the dimension. Groups of netCDF inherit dimensions from their
 * parents.
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
	int k;

	if (!d->loaded) {
		axt_buf_addf(&c->b, "%s\t// ", indent);
		add_name(c, d->name);
		axt_buf_addf(&c->b, ": %s\n", d->why ? d->why : "cannot be read");
		return;
	}
	axt_buf_addf(&c->b, "%s\t%s ", indent, type_name(c->f, d));
	add_name(c, d->name);
	for (k = 0; k < d->axes.n; k++) {
		axt_buf_adds(&c->b, k == 0 ? "(" : ", ");
		add_axis_name(c, &d->axes.a[k]);
	}
	axt_buf_adds(&c->b, d->axes.n > 0 ? ") ;\n" : " ;\n");
	add_attrs(c, indent, d->name, d->attrs);
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

/* Whether the group was opened for an earlier dataset. */
static bool
group_seen(const struct axt_info_ctx *c, const char *group, int i, const char *name, size_t n)
{
	int p;

	for (p = 0; p < i; p++) {
		const char *rest = inside(group, &c->f->dsets[p]);

		if (rest && strncmp(rest, name, n) == 0 && rest[n] == '/')
			return true;
	}
	return false;
}

static void
add_group(struct axt_info_ctx *c, const char *group, const char *indent)
{
	const char *deeper = axt_sprintf(c->m, "%s  ", indent);
	int i;

	add_dims(c, group, indent);
	add_vars(c, group, indent);
	if (*group == '\0' && c->f->attrs && !c->only) {
		axt_buf_adds(&c->b, "\n// global attributes:\n");
		add_attrs(c, indent, NULL, c->f->attrs);
	}
	for (i = 0; deeper && i < c->f->ndsets; i++) {
		const char *rest = inside(group, &c->f->dsets[i]);
		const char *slash = rest ? strchr(rest, '/') : NULL;
		char *name, *path;

		if (!slash ||
		    (c->only ? &c->f->dsets[i] != c->only
			     : group_seen(c, group, i, rest, (size_t)(slash - rest))))
			continue;
		name = axt_strndup(c->m, rest, (size_t)(slash - rest));
		path = name ? axt_sprintf(c->m, "%s/%s", group, name) : NULL;
		if (!path)
			break;
		axt_buf_addf(&c->b, "\n%sgroup: ", indent);
		add_name(c, name);
		axt_buf_adds(&c->b, " {\n");
		add_group(c, path, deeper);
		axt_buf_addf(&c->b, "%s} // group ", deeper);
		add_name(c, name);
		axt_buf_adds(&c->b, "\n");
	}
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
	add_group(c, "", "");
	axt_buf_adds(&c->b, "}\n");
	return c->e->code;
}
