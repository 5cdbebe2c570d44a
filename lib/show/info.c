/* info.c - axt-info as text for people; json.c and cdl.c have the other forms. */
#include <errno.h>
#include <unistd.h>

#include "files/inner.h"
#include "show/info.h"

/* ---- used by all three forms ---- */

const char *
axt_info_name(const struct axt_dset *d)
{
	return d->path[0] == '/' && !strchr(d->path + 1, '/') ? d->path + 1 : d->path;
}

const char *
axt_info_layout(const struct axt_storage *s)
{
	static const char *const names[] = { "none", "contiguous", "compact", "chunked", "records",
		"virtual" };

	return s->rows ? "chunked" : names[s->layout];
}

const char *
axt_info_role(enum axt_role role)
{
	static const char *const names[] = { "tensor", "scale", "dimension", "auxiliary", "text",
		"other" };

	return names[role];
}

const char *
axt_info_order(const struct axt_dset *d)
{
	bool padded = false;
	int k;

	for (k = 0; k < d->rank && d->loaded; k++)
		padded = padded || d->dims[k] < d->st.dims[k];
	return d->reversed ? padded ? "column-major, padded" : "column-major"
	    : padded       ? "row-major, padded"
			   : "row-major";
}

static bool
may_be_written(const struct axt_info_ctx *c)
{
	char esc[256];

	if (access(c->f->path, W_OK) == 0)
		return true;
	if (axt_is_absent(errno) || errno == EROFS || errno == EPERM || errno == ETXTBSY)
		return false;
	axt_escape_to(esc, sizeof(esc), c->f->path);
	axt_fail(c->e, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s", esc, strerror(errno));
	return false;
}

bool
axt_info_read_only(const struct axt_info_ctx *c, const struct axt_dset *d)
{
	const struct axt_tensor_kind *kind = axt_kind_of(d->attrs);

	return c->f->stream || (kind && kind->constant) || axt_attr_find(d->attrs, "axt_plan") ||
	    d->virt || d->table || !may_be_written(c);
}

bool
axt_info_in(const struct axt_info_ctx *c, const struct axt_dset *d)
{
	size_t n = c->how->group ? strlen(c->how->group) : 0;

	if (c->how->fits && !c->how->fits[d - c->f->dsets])
		return false;
	return n == 0 || (strncmp(d->path, c->how->group, n) == 0 && d->path[n] == '/');
}

bool
axt_info_shows(const struct axt_info_ctx *c, const struct axt_dset *d)
{
	return c->only ? d == c->only : d->role == AXT_ROLE_TENSOR && axt_info_in(c, d);
}

bool
axt_info_load(struct axt_info_ctx *c, struct axt_dset *d)
{
	struct axt_err quiet = { .code = AXT_OK };

	if (d->role == AXT_ROLE_OTHER)
		return false;
	/*
	 * A damaged dataset is only listed as damaged, unless it is a tensor or the one that was
	 * asked for. It is an error if reading fails or memory runs out, since the dataset may then
	 * be intact.
	 */
	if (axt_info_shows(c, d))
		return axt_dset_load(c->m, c->f, d, c->e) == AXT_OK;
	if (axt_dset_load(c->m, c->f, d, &quiet) == AXT_OK)
		return true;
	if (c->e->code == AXT_OK && (quiet.code == AXT_E_IO || quiet.code == AXT_E_MEM))
		*c->e = quiet;
	return false;
}

/* ---- text ---- */

static const char *
spell(struct axt_info_ctx *c, const struct axt_axis *a)
{
	const char *s = axt_axis_spell(c->m, a);

	s = s ? axt_escape(c->m, s) : NULL;
	return s ? s : "?";
}

static const char *
escape(struct axt_info_ctx *c, const char *s)
{
	const char *t = axt_escape(c->m, s);

	return t ? t : "?";
}

void
axt_info_quoted(struct axt_info_ctx *c, const char *s)
{
	axt_buf_adds(&c->b, "\"");
	while (*s != '\0') {
		size_t n = strcspn(s, "\n\t\r\"\\");
		char *part = axt_strndup(c->m, s, n);

		axt_buf_adds(&c->b, part ? escape(c, part) : "?");
		s += n;
		if (*s != '\0') {
			axt_buf_addf(&c->b, "\\%c",
			    *s == '\n'       ? 'n'
				: *s == '\t' ? 't'
				: *s == '\r' ? 'r'
					     : *s);
			s++;
		}
	}
	axt_buf_adds(&c->b, "\"");
}

static void
add_attr(struct axt_info_ctx *c, const char *indent, const struct axt_attr *a)
{
	char text[AXT_TEXT];
	int64_t i;

	axt_buf_addf(&c->b, "%s%s =", indent, escape(c, a->name));
	if (a->kind == AXT_ATTR_TEXT) {
		axt_buf_adds(&c->b, " ");
		axt_info_quoted(c, a->text);
	}
	for (i = 0; a->kind != AXT_ATTR_TEXT && i < a->n; i++) {
		axt_buf_adds(&c->b, i > 0 ? ", " : " ");
		if (a->kind == AXT_ATTR_TEXTS) {
			axt_info_quoted(c, ((const char *const *)a->data)[i]);
			continue;
		}
		axt_value_text(text, a->dtype, (const char *)a->data + i * axt_size(a->dtype));
		axt_buf_adds(&c->b, text);
	}
	if (a->kind == AXT_ATTR_NUM)
		axt_buf_addf(&c->b, " (%s)", axt_dtypes[a->dtype].name);
	axt_buf_adds(&c->b, "\n");
}

static void
add_shape(struct axt_info_ctx *c, const struct axt_dset *d)
{
	int64_t size[AXT_MAX_RANK];
	int k, axis[AXT_MAX_RANK];
	struct axt_view v;

	axt_dset_layout(d, &v, size, axis);
	for (k = 0; k < d->rank; k++) {
		if (d->loaded)
			axt_buf_addf(&c->b, " %s=%lld", spell(c, &d->axes.a[axis[k]]),
			    (long long)v.shape[k]);
		else
			axt_buf_addf(&c->b, "%s%lld", k == 0 ? " " : "x", (long long)d->dims[k]);
	}
}

static void
add_storage(struct axt_info_ctx *c, const struct axt_dset *d)
{
	const struct axt_storage *s = &d->st;
	const char *order = axt_info_order(d);
	int64_t size[AXT_MAX_RANK], chunks = 1;
	int k, axis[AXT_MAX_RANK];
	struct axt_view v;

	axt_dset_layout(d, &v, size, axis);
	if (strcmp(order, "row-major") != 0) {
		axt_buf_addf(&c->b, "  %s, allocated", order);
		for (k = 0; k < d->rank; k++)
			axt_buf_addf(&c->b, " %s=%lld", spell(c, &d->axes.a[axis[k]]),
			    (long long)size[k]);
		axt_buf_adds(&c->b, "\n");
	}
	axt_buf_adds(&c->b, "  strides");
	for (k = 0; k < d->rank; k++)
		axt_buf_addf(&c->b, " %lld", (long long)v.stride[k]);
	axt_buf_addf(&c->b, "%s, offset 0\n  storage %s", d->rank == 0 ? " none" : "",
	    axt_info_layout(s));
	if (s->layout == AXT_LAYOUT_CONTIGUOUS || s->layout == AXT_LAYOUT_RECORDS)
		axt_buf_addf(&c->b, " at byte %llu", (unsigned long long)s->offset);
	if (s->layout == AXT_LAYOUT_RECORDS)
		axt_buf_addf(&c->b, ", one every %llu bytes", (unsigned long long)s->record);
	if (s->layout == AXT_LAYOUT_CHUNKED || s->rows) {
		for (k = 0; k < s->rank; k++)
			chunks *= s->grid[k];
		axt_buf_addf(&c->b, ", %lld chunks of", (long long)chunks);
		for (k = 0; k < s->rank; k++)
			axt_buf_addf(&c->b, "%s%lld", k == 0 ? " " : "x", (long long)s->chunk[k]);
	}
	for (k = 0; k < s->filters.n; k++)
		axt_buf_addf(&c->b, "%s %s", k == 0 ? "," : "", s->filters.use[k].f->name);
	axt_buf_addf(&c->b, "%s%s\n", s->swap ? ", big-endian" : "",
	    axt_info_read_only(c, d) ? ", read-only" : "");
}

/* Adds the statistics of the tensor, if they are asked for, between two texts. */
static int
add_stats(struct axt_info_ctx *c, const struct axt_dset *d, const char *before, const char *after)
{
	struct axt_info_stats s = { .count = 0 };
	char lo[AXT_TEXT], hi[AXT_TEXT], mean[AXT_TEXT];

	if (!c->stats || d->role == AXT_ROLE_TEXT)
		return AXT_OK;
	if (c->stats(c->stats_ctx, d, &s, c->e) != AXT_OK)
		return c->e->code;
	axt_value_text(lo, AXT_F64, &s.min);
	axt_value_text(hi, AXT_F64, &s.max);
	axt_value_text(mean, AXT_F64, &s.mean);
	axt_buf_addf(&c->b, "%s%lld values, %lld missing, min %s, max %s, mean %s%s", before,
	    (long long)s.count, (long long)s.missing, lo, hi, mean, after);
	return AXT_OK;
}

/* Adds the kind of the tensor, which is shown instead of the attribute axt_kind. */
static void
add_kind(struct axt_info_ctx *c, const struct axt_dset *d)
{
	const struct axt_tensor_kind *k = axt_kind_of(d->attrs);
	char flags[AXT_KIND_FLAGS];

	if (k)
		axt_buf_addf(&c->b, "  kind %s (%s)\n", k->name, axt_kind_flags(k, ", ", flags));
}

/* Adds the names of an enumeration: "  enum cloud_t: Clear 0, Stratus 2". */
static void
add_enum(struct axt_info_ctx *c, const struct axt_dset *d)
{
	const struct axt_attr *a = axt_attr_enum(d->attrs);
	const char *const *s = a ? a->data : NULL;

	if (!a)
		return;
	axt_buf_addf(&c->b, "  enum%s%s", a->text ? " " : "",
	    a->text ? escape(c, a->text + !strchr(a->text + 1, '/')) : "");
	for (int64_t i = 0; i + 1 < a->n; i += 2)
		axt_buf_addf(&c->b, "%s %s %s", i > 0 ? "," : ":", escape(c, s[i]), s[i + 1]);
	axt_buf_adds(&c->b, "\n");
}

static void
add_list(struct axt_info_ctx *c, const char *what, const struct axt_info_list *l)
{
	int i;

	axt_buf_adds(&c->b, what);
	for (i = 0; i < l->n; i++)
		axt_buf_addf(&c->b, "%s%s", i > 0 ? ", " : " ", escape(c, l->word[i]));
	axt_buf_adds(&c->b, l->more ? ", ...\n" : "\n");
}

/*
 * Adds the names of the inputs of a tensor that is computed from others. Values that the command
 * itself made, or parsed from text, are a view of memory; memory has no name, and is not told.
 */
static void
add_plan(struct axt_info_ctx *c, const struct axt_dset *d)
{
	struct axt_info_plan p;
	int k;

	if (!c->plan || c->plan(c->plan_ctx, c->f, d, &p) <= 0)
		return; /* the error is reported at the end */
	if (p.inputs.n > 0)
		add_list(c,
		    p.view       ? "  view of"
			: p.maps ? "  put together from"
				 : "  computed from",
		    &p.inputs);
	else if (!p.view && p.places.n == 0)
		axt_buf_adds(&c->b, "  computed from no file\n");
	if (p.places.n > 0)
		add_list(c, "  placeholders", &p.places);
	if (!p.view || p.inputs.n == 0)
		return;
	axt_buf_adds(&c->b, "  shares its storage by strides");
	for (k = 0; k < p.v.nd; k++)
		axt_buf_addf(&c->b, " %lld", (long long)p.v.stride[k]);
	axt_buf_addf(&c->b, "%s, offset %lld\n", p.v.nd == 0 ? " none" : "", (long long)p.v.offset);
}

static int
add_tensor(struct axt_info_ctx *c, struct axt_dset *d)
{
	const struct axt_attr *a;

	if (!axt_info_load(c, d))
		return axt_fail(c->e, AXT_E_DTYPE, "%s:%s: %s", escape(c, c->f->path),
		    escape(c, axt_info_name(d)), d->why ? d->why : "cannot be read");
	axt_buf_addf(&c->b, "%s %s", escape(c, axt_info_name(d)),
	    d->role == AXT_ROLE_TEXT ? "text" : axt_dtypes[d->dtype].name);
	add_shape(c, d);
	axt_buf_adds(&c->b, "\n");
	if (d->role != AXT_ROLE_TEXT)
		add_storage(c, d);
	if (add_stats(c, d, "  stats ", "\n") != AXT_OK)
		return c->e->code;
	add_plan(c, d);
	add_kind(c, d);
	add_enum(c, d);
	if (d->rank > 1 && axt_attr_find(d->attrs, "MATLAB_class"))
		axt_buf_adds(&c->b, "  of MATLAB, where the axes have the reverse order\n");
	for (a = d->attrs; a; a = a->next)
		if (strncmp(a->name, "axt_", 4) != 0 || strcmp(a->name, "axt_seed") == 0)
			add_attr(c, "  ", a);
	return AXT_OK;
}

/*
 * Adds a line for an axis: "  time 240 unlimited f64 1860-06-01 .. 2099-06-01 hours since
 * 1970-01-01 (360_day)".
 */
static void
add_axis(struct axt_info_ctx *c, const struct axt_dset *d, int k)
{
	const struct axt_axis *x = &d->axes.a[k];
	const struct axt_coord *co = x->coord;
	const char *calendar = co ? axt_attr_text(co->attrs, "calendar") : NULL;
	const char *units = co ? axt_attr_text(co->attrs, "units") : NULL;

	axt_buf_addf(&c->b, "  %s %lld", spell(c, x), (long long)x->len);
	if (x->unlimited)
		axt_buf_adds(&c->b, " unlimited");
	if (co && co->data) {
		axt_buf_addf(&c->b, " %s ", co->text ? "text" : axt_dtypes[co->dtype].name);
		if (axt_coord_text(&c->b, co, 0) && co->n > 1) {
			axt_buf_adds(&c->b, " .. ");
			axt_coord_text(&c->b, co, co->n - 1);
		}
	}
	if (units)
		axt_buf_addf(&c->b, " %s", escape(c, units));
	if (calendar)
		axt_buf_addf(&c->b, " (%s)", escape(c, calendar));
	if (x->parts)
		axt_buf_addf(&c->b, " of %s", escape(c, x->parts));
	if (x->along)
		axt_buf_addf(&c->b, " along %s", escape(c, x->along));
	axt_buf_adds(&c->b, "\n");
}

/* Whether an earlier tensor in the listing has the same axis. */
static bool
axis_seen(const struct axt_info_ctx *c, int i, int k)
{
	const struct axt_axis *x = &c->f->dsets[i].axes.a[k], *y;
	int p, q;

	for (p = 0; p <= i; p++) {
		const struct axt_dset *d = &c->f->dsets[p];

		if (!axt_info_shows(c, d))
			continue;
		for (q = 0; q < (p < i ? d->axes.n : k); q++) {
			y = &d->axes.a[q];
			if (axt_axis_same(x, y) && x->len == y->len && x->coord == y->coord &&
			    x->unlimited == y->unlimited)
				return true;
		}
	}
	return false;
}

static void
add_axes(struct axt_info_ctx *c)
{
	bool head = false;
	int i, k;

	for (i = 0; i < c->f->ndsets; i++)
		for (k = 0; axt_info_shows(c, &c->f->dsets[i]) && k < c->f->dsets[i].axes.n; k++) {
			if (axis_seen(c, i, k))
				continue;
			if (!head)
				axt_buf_adds(&c->b, "\naxes\n");
			head = true;
			add_axis(c, &c->f->dsets[i], k);
		}
}

/* Whether d is the scale of an axis that is already shown. */
static bool
is_shown_axis(const struct axt_info_ctx *c, const struct axt_dset *d)
{
	struct axt_axis x;
	int i;

	if (d->role == AXT_ROLE_DIM)
		return true;
	if (d->role == AXT_ROLE_TEXT && d->loaded && d->axes.n == 1 &&
	    strcmp(d->axes.a[0].name, d->name) != 0)
		return false;
	if ((d->role != AXT_ROLE_SCALE && d->role != AXT_ROLE_TEXT) ||
	    axt_axis_from_file(c->m, d->name, &x) != AXT_OK)
		return false;
	for (i = 0; i < c->f->ndsets; i++)
		if (axt_info_shows(c, &c->f->dsets[i]) &&
		    axt_axes_find(&c->f->dsets[i].axes, &x) >= 0)
			return true;
	return false;
}

/*
 * Adds the value of a coordinate without axes, such as the longitude of a point. Nothing is added
 * if the value cannot be read, or not at once, as in a stream.
 */
static void
add_point(struct axt_info_ctx *c, const struct axt_dset *d)
{
	_Alignas(16) uint8_t value[16];
	struct axt_coord x = { .dtype = d->dtype, .n = 1, .data = value, .attrs = d->attrs };
	struct axt_err quiet = { 0 };

	if (!d->loaded || d->st.count != 1 || d->rank != 0 || !d->named_by ||
	    strcmp(d->named_by, "coordinates") != 0 || d->role == AXT_ROLE_TEXT || c->f->stream ||
	    d->virt || axt_attr_find(d->attrs, "axt_plan") ||
	    axt_storage_whole(&d->st, value, &quiet) || axt_coord_decode(c->m, d->name, &x, &quiet))
		return;
	axt_buf_adds(&c->b, " = ");
	axt_coord_text(&c->b, &x, 0);
}

/* Adds the datasets that are no tensors, a line for each. */
static void
add_others(struct axt_info_ctx *c)
{
	bool head = false;
	int i;

	for (i = 0; i < c->f->ndsets; i++) {
		struct axt_dset *d = &c->f->dsets[i];

		if (axt_info_shows(c, d) || is_shown_axis(c, d) || !axt_info_in(c, d))
			continue;
		if (!head)
			axt_buf_adds(&c->b, "\nothers\n");
		head = true;
		axt_info_load(c, d);
		axt_buf_addf(&c->b, "  %s", escape(c, axt_info_name(d)));
		if (d->role != AXT_ROLE_OTHER && d->role != AXT_ROLE_TEXT)
			axt_buf_addf(&c->b, " %s", axt_dtypes[d->dtype].name);
		add_shape(c, d);
		add_point(c, d);
		axt_buf_addf(&c->b, " (%s%s)\n",
		    d->why            ? d->why
			: d->named_by ? d->named_by
				      : axt_info_role(d->role),
		    d->named_by && d->role == AXT_ROLE_TEXT ? ", text" : "");
	}
}

/* Cuts the line that begins at `from` to the width of the terminal, in characters of UTF-8. */
static void
cut_line(struct axt_info_ctx *c, size_t from)
{
	size_t cut = from;
	int columns = 0;

	if (c->how->width < 20 || c->b.bad)
		return;
	for (size_t i = from; i + 1 < c->b.n; i++) { /* the last byte ends the line */
		if (((unsigned char)c->b.p[i] & 0xc0) == 0x80)
			continue;
		if (columns++ == c->how->width - 3)
			cut = i;
	}
	if (columns <= c->how->width)
		return;
	c->b.n = cut;
	axt_buf_adds(&c->b, "...\n");
}

int
axt_info_text(struct axt_info_ctx *c)
{
	const struct axt_attr *a;
	size_t from;
	int i, n = 0;

	axt_buf_addf(&c->b, "%s\n", escape(c, c->f->path));
	for (i = 0; i < c->f->ndsets; i++) {
		if (!axt_info_shows(c, &c->f->dsets[i]))
			continue;
		axt_buf_adds(&c->b, "\n");
		n++;
		if (add_tensor(c, &c->f->dsets[i]) != AXT_OK)
			return c->e->code;
	}
	if (n == 0 && !c->how->fits)
		axt_buf_adds(&c->b, "\nno tensor\n");
	add_axes(c);
	if (c->only)
		return AXT_OK;
	add_others(c);
	if (c->how->fits)
		return AXT_OK;
	a = c->how->group ? c->how->attrs : c->f->attrs;
	if (a)
		axt_buf_addf(&c->b, "\n%s attributes\n", c->how->group ? "group" : "file");
	for (; a; a = a->next) {
		from = c->b.n;
		add_attr(c, "  ", a);
		cut_line(c, from);
	}
	return AXT_OK;
}

/* Adds a line for each tensor: its name, which is typed after FILE:, and in the brief form more. */
static int
lines(struct axt_info_ctx *c)
{
	static const char *const told[] = { "units", "long_name" };

	for (int i = 0; i < c->f->ndsets; i++) {
		struct axt_dset *d = &c->f->dsets[i];

		if (!axt_info_shows(c, d))
			continue;
		axt_buf_addf(&c->b, "%s%s%s", c->how->file_names ? escape(c, c->f->path) : "",
		    c->how->file_names ? ":" : "", escape(c, axt_info_name(d)));
		if (c->how->form == 'b') {
			if (!axt_info_load(c, d))
				return axt_fail(c->e, AXT_E_DTYPE, "%s:%s: %s",
				    escape(c, c->f->path), escape(c, axt_info_name(d)),
				    d->why ? d->why : "cannot be read");
			axt_buf_addf(&c->b, " %s",
			    d->role == AXT_ROLE_TEXT ? "text" : axt_dtypes[d->dtype].name);
			add_shape(c, d);
			for (int k = 0; k < ARRAY_LEN(told); k++) {
				const char *text = axt_attr_text(d->attrs, told[k]);

				if (text)
					axt_buf_addf(&c->b, "%s%s",
					    k && axt_attr_text(d->attrs, told[0]) ? ", " : "  ",
					    escape(c, text));
			}
			if (add_stats(c, d, "  ", "") != AXT_OK)
				return c->e->code;
		}
		axt_buf_adds(&c->b, "\n");
	}
	return AXT_OK;
}

/* ---- what other rooms call ---- */

int
axt_info_write(struct axt_arena *m, struct axt_file *f, struct axt_dset *only,
    const struct axt_info_how *how, FILE *out, axt_info_stats_fn *stats, void *ctx,
    axt_info_plan_fn *plan, void *plan_ctx, struct axt_err *e)
{
	struct axt_info_ctx c = { .m = m,
		.f = f,
		.how = how,
		.only = only,
		.stats = stats,
		.stats_ctx = ctx,
		.plan = plan,
		.plan_ctx = plan_ctx,
		.e = e };
	int r;

	r = (how->form == 'j'      ? axt_info_json
		: how->form == 'c' ? axt_info_cdl
		: how->form == 't' ? axt_info_text
				   : lines)(&c);
	if (r == AXT_OK)
		r = e->code;
	if (r == AXT_OK && c.b.bad)
		r = axt_fail(e, AXT_E_MEM, "out of memory");
	if (r == AXT_OK)
		r = axt_file_check(f, e);
	errno = 0;
	if (r == AXT_OK && c.b.n > 0 && fwrite(c.b.p, 1, c.b.n, out) != c.b.n)
		r = axt_fail(e, AXT_E_IO, "standard output: %s",
		    strerror(errno != 0 ? errno : EIO));
	axt_buf_release(&c.b);
	return r;
}
