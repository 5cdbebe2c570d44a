/* graph.c - graphs, the failed node, fresh nodes, descriptions. */
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "expr/expr.h"
#include "linalg/blas.h"

static const struct axt_meta no_meta;

/* A quarter of the machine's memory, or of the address space where that is limited. */
static int64_t
memory_bound(void)
{
	int64_t n = (int64_t)sysconf(_SC_PHYS_PAGES) / 4 * sysconf(_SC_PAGESIZE);
	struct rlimit r;

	if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur / 4 < (uint64_t)n)
		n = MAX(1, (int64_t)(r.rlim_cur / 4));
	return n;
}

struct axt_graph *
axt_graph_new(void)
{
	struct axt_graph *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->m = axt_arena_new();
	if (!g->m) {
		free(g);
		return NULL;
	}
	g->failed.g = g;
	g->failed.kind = AXT_NODE_FAILED;
	g->failed.meta = &no_meta;
	g->failed.from = "";
	g->told.share = 1;
	g->memory = memory_bound();
	axt_kern_init(&g->err); /* tables of kernels tell the dtypes of results */
	return g;
}

void
axt_graph_free(struct axt_graph *g)
{
	if (!g)
		return;
	if (g->taken_free)
		g->taken_free(g);
	for (struct axt_open_file *f = g->files; f; f = f->next)
		f->close(f->f);
	axt_arena_free(g->m);
	free(g);
}

const char *
axt_graph_error(const struct axt_graph *g)
{
	return g->err.code ? g->err.text : NULL;
}

const char *
axt_graph_hint(const struct axt_graph *g)
{
	return g->err.code && g->err.hint[0] ? g->err.hint : NULL;
}

enum axt_code
axt_graph_code(const struct axt_graph *g)
{
	return g->err.code;
}

const struct axt_fact *
axt_graph_fact(const struct axt_graph *g)
{
	return &g->err.fact;
}

struct axt_expr *
axt_graph_fail(struct axt_graph *g, enum axt_code code, const char *fmt, ...)
{
	char text[sizeof(g->err.text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	axt_fail(&g->err, code, "%s", text);
	return &g->failed;
}

void
axt_graph_clear(struct axt_graph *g)
{
	g->err = (struct axt_err){ 0 };
	axt_kern_init(&g->err);
}

bool
axt_graph_lacks_axis(const struct axt_graph *g)
{
	return axt_axes_is_unknown(&g->err);
}

void
axt_graph_on_warning(struct axt_graph *g, void (*warn)(void *ctx, const char *line), void *ctx)
{
	g->warn = warn;
	g->warn_ctx = ctx;
}

void
axt_graph_on_progress(struct axt_graph *g, void (*progress)(void *ctx, double done), void *ctx)
{
	g->progress = progress;
	g->progress_ctx = ctx;
}

void
axt_progress(const struct axt_graph *g, double done)
{
	if (g->progress)
		g->progress(g->progress_ctx, g->told.from + g->told.share * done);
}

struct axt_stretch
axt_progress_part(struct axt_graph *g, double from, double share)
{
	struct axt_stretch old = g->told;

	g->told = (struct axt_stretch){ old.from + old.share * from, old.share * share };
	return old;
}

void
axt_warn(struct axt_graph *g, const char *fmt, ...)
{
	char line[1024];
	va_list ap;

	if (!g->warn)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	g->warn(g->warn_ctx, line);
}

void
axt_graph_set_threads(struct axt_graph *g, int n)
{
	g->threads = n > 0 ? n : 0;
}

void
axt_graph_set_memory(struct axt_graph *g, int64_t bytes)
{
	if (bytes > 0)
		g->memory = bytes;
}

void
axt_graph_set_fuse(struct axt_graph *g, enum axt_fuse mode)
{
	g->fuse = mode;
}

const char *const axt_device_words[] = { [AXT_DEVICE_CPU] = "cpu",
#define DEVICE(NAME, name) [AXT_DEVICE_##NAME] = #name,
#include "devices.def"
#undef DEVICE
	[AXT_DEVICE_AUTO] = "auto" };

void
axt_graph_set_device(struct axt_graph *g, enum axt_device_kind d)
{
	g->device = d;
}

enum axt_code
axt_graph_set_blas(struct axt_graph *g, const char *name)
{
	if (strcmp(name, "axt") == 0)
		g->blas = NULL;
	else if (!axt_blas_named(name))
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "--blas takes axt"
#define BLAS(name, files, package) ", " #name
#include "blas.def"
#undef BLAS
		    " or a path of a library, such as ./libblas.so, not \"%s\"",
		    axt_escape(g->m, name));
	else if (!(g->blas = axt_strdup(g->m, name)))
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return g->err.code;
}

const char *
axt_device_line(const struct axt_graph *g)
{
	return axt_sprintf(g->m, "device %s%s%s", axt_device_words[g->device],
	    g->blas ? " blas " : "", g->blas ? axt_escape(g->m, g->blas) : "");
}

enum axt_code
axt_graph_set_join(struct axt_graph *g, const char *join)
{
	struct axt_join j = { 0 };

	if (strcmp(join, "override") == 0)
		j.override_all = true;
	else if (strncmp(join, "override:", 9) == 0)
		axt_axes_parse(g->m, join + 9, false, &j.override, NULL, &g->err);
	else if (strcmp(join, "exact") != 0) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "--join takes exact, override or override:AXES, not \"%s\"", join);
		axt_about(&g->err, AXT_BAD_VALUE, join, "join");
	}
	g->join = j;
	return g->err.code;
}

void
axt_graph_set_units(struct axt_graph *g, enum axt_units mode)
{
	g->units = mode;
}

struct axt_expr *
axt_node_failed(struct axt_graph *g)
{
	/* axt_fail keeps an error that was set before */
	axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return &g->failed;
}

int
axt_no_form(struct axt_graph *g, const char *word, const char *form)
{
	axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is not %s", axt_escape(g->m, word), form);
	return axt_about(&g->err, AXT_BAD_WORD, word, form);
}

struct axt_expr *
axt_undefined(struct axt_graph *g, const char *what, const struct axt_expr *a)
{
	const char *is = what ? axt_sprintf(g->m, "%s is", what) : NULL;

	axt_not_defined(g, is ? is : "it is", a);
	return axt_node_failed(g);
}

int
axt_not_defined(struct axt_graph *g, const char *what_is, const struct axt_expr *a)
{
	axt_fail(&g->err, AXT_E_DTYPE, "%s not defined for %s (%s)", what_is,
	    axt_dtypes[a->dtype].name, a->from);
	return axt_about(&g->err, AXT_OTHER_DTYPE, axt_dtypes[a->dtype].name, a->from);
}

struct axt_expr *
axt_needs_length(struct axt_graph *g, const struct axt_axis *a)
{
	const char *name = axt_escape(g->m, axt_axis_spell(g->m, a));

	axt_fail(&g->err, AXT_E_SYNTAX, "axis \"%s\" needs a length: %s=LEN", name, name);
	axt_about(&g->err, AXT_BAD_WORD, axt_axis_spell(g->m, a), "AXIS=LEN");
	return axt_node_failed(g);
}

int
axt_lacks(struct axt_graph *g, const struct axt_expr *a, const char *what,
    const struct axt_axis *axis)
{
	const char *name = axt_axis_spell(g->m, axis);

	axt_fail(&g->err, AXT_E_AXES, "the %s have the axis \"%s\", which %s lacks", what,
	    axt_escape(g->m, name), a->from);
	axt_about(&g->err, AXT_NO_AXIS, name, a->from);
	for (int i = 0; i < a->axes.n; i++)
		axt_about_among(&g->err, axt_axis_spell(g->m, &a->axes.a[i]));
	return g->err.code;
}

struct axt_expr *
axt_too_big(struct axt_graph *g, double v, enum axt_dtype d)
{
	char word[32];

	snprintf(word, sizeof(word), "%.17g", v);
	axt_fail(&g->err, AXT_E_RANGE, "the number %s does not fit %s", word, axt_dtypes[d].name);
	axt_about(&g->err, AXT_DOES_NOT_FIT, word, axt_dtypes[d].name);
	return axt_node_failed(g);
}

int
axt_not_one_axis(struct axt_graph *g, const char *word)
{
	axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is not one axis", axt_escape(g->m, word));
	return axt_about(&g->err, AXT_BAD_WORD, word, "AXIS");
}

bool
axt_refused(struct axt_graph *g, const struct axt_expr *e)
{
	if (!e)
		axt_fail(&g->err, AXT_E_ARG, "a tensor is NULL");
	else if (e->g != g)
		axt_fail(&g->err, AXT_E_ARG, "%s is of another graph",
		    *e->from ? e->from : "a tensor that failed");
	else if (e->kind == AXT_NODE_FAILED)
		axt_fail(&g->err, AXT_E_ARG, "a tensor failed before the error was cleared");
	else if (!e->text)
		return false;
	else {
		axt_fail(&g->err, AXT_E_DTYPE, "%s holds text, not numbers", e->from);
		axt_about(&g->err, AXT_IS_TEXT, e->from, e->from);
		axt_hint(&g->err,
		    "NAME == \"TEXT\" is true where it is that text; by=NAME takes it as labels");
	}
	return true;
}

struct axt_expr *
axt_node(struct axt_graph *g, enum axt_kind kind, enum axt_dtype d)
{
	struct axt_expr *e = g->err.code ? NULL : axt_alloc(g->m, sizeof(*e));

	if (!e)
		return axt_node_failed(g);
	e->g = g;
	e->kind = kind;
	e->dtype = d;
	e->meta = &no_meta;
	e->from = "result";
	e->arg = e->few;
	return e;
}

struct axt_expr *
axt_node_like(struct axt_graph *g, enum axt_kind kind, struct axt_expr *a)
{
	struct axt_expr *e = axt_node(g, kind, a->dtype);

	if (axt_bad(e))
		return e;
	e->axes = a->axes;
	e->meta = a->meta;
	e->from = a->from;
	e->flat = a->flat;
	e->concats = a->concats;
	e->nargs = 1;
	e->arg[0] = a;
	return e;
}

struct axt_expr *
axt_conv(struct axt_graph *g, struct axt_expr *a, enum axt_dtype d, enum axt_overflow mode)
{
	struct axt_expr *e;

	if (axt_bad(a) || a->dtype == d)
		return a;
	e = axt_node_like(g, AXT_NODE_CONV, a);
	if (axt_bad(e))
		return e;
	if (a->meta->stored || a->meta->fill) {
		struct axt_meta *m = axt_meta_copy(g, a->meta);

		if (!m)
			return axt_node_failed(g);
		axt_meta_computed(m);
		e->meta = m;
	}
	e->dtype = d;
	e->u.overflow = mode;
	return e;
}

struct axt_expr *
axt_view_node(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *axes, const int *src,
    const struct axt_sel *const *sel, const int64_t *from)
{
	struct axt_expr *e = axt_node_like(g, AXT_NODE_VIEW, a);
	const struct axt_sel **s = NULL;
	int64_t *f = NULL;

	if (axt_bad(e))
		return e;
	e->axes = *axes;
	for (int i = 0; i < axes->n; i++)
		e->u.view.src[i] = src[i];
	if (sel && !(s = axt_alloc(g->m, (size_t)MAX(1, axes->n) * sizeof(*s))))
		return axt_node_failed(g);
	if (from && !(f = axt_alloc(g->m, (size_t)MAX(1, a->axes.n) * sizeof(*f))))
		return axt_node_failed(g);
	if (s)
		memcpy(s, sel, (size_t)axes->n * sizeof(*s));
	if (f)
		memcpy(f, from, (size_t)a->axes.n * sizeof(*f));
	e->u.view.sel = s;
	e->u.view.from = f;
	if (axt_count(e) < 0)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	return e;
}

struct axt_expr *
axt_relabel(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *axes, const int *src)
{
	return axt_view_node(g, a, axes, src, NULL, NULL);
}

struct axt_expr *
axt_flatten_node(struct axt_graph *g, struct axt_expr *a, const struct axt_axes *axes, int at,
    int n)
{
	struct axt_expr *e = axt_node_like(g, AXT_NODE_FLATTEN, a);

	if (axt_bad(e))
		return e;
	e->axes = *axes;
	e->flat = true;
	e->u.flat.at = at;
	e->u.flat.n = n;
	return e;
}

struct axt_expr *
axt_concat_node(struct axt_graph *g, int n, struct axt_expr *const part[],
    const struct axt_axes *axes, int axis)
{
	struct axt_expr *e = axt_node_like(g, AXT_NODE_CONCAT, part[0]);

	if (axt_bad(e))
		return e;
	e->axes = *axes;
	e->concats = true;
	e->u.concat = axis;
	e->nargs = n;
	if (n > ARRAY_LEN(e->few) && !(e->arg = axt_alloc(g->m, (size_t)n * sizeof(*e->arg))))
		return axt_node_failed(g);
	for (int k = 0; k < n; k++) {
		e->arg[k] = part[k];
		e->flat = e->flat || part[k]->flat;
	}
	if (axt_count(e) < 0)
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	return e;
}

int64_t
axt_count(const struct axt_expr *e)
{
	int64_t n;

	return axt_axes_count(&e->axes, &n) ? n : -1;
}

enum axt_dtype
axt_expr_dtype(const struct axt_expr *e)
{
	return axt_bad(e) ? AXT_DTYPE_AUTO : e->dtype;
}

bool
axt_expr_text(const struct axt_expr *e)
{
	return !axt_bad(e) && e->text;
}

int
axt_expr_rank(const struct axt_expr *e)
{
	return axt_bad(e) ? 0 : e->axes.n;
}

const char *
axt_expr_axis(const struct axt_expr *e, int i)
{
	return !axt_bad(e) && i >= 0 && i < e->axes.n ? axt_axis_spell(e->g->m, &e->axes.a[i])
						      : NULL;
}

int
axt_axis_meant(const struct axt_expr *e, const char *word)
{
	return axt_bad(e) ? -1 : axt_axes_meant(&e->axes, word);
}

int64_t
axt_expr_len(const struct axt_expr *e, int i)
{
	return !axt_bad(e) && i >= 0 && i < e->axes.n ? e->axes.a[i].len : -1;
}

const char *
axt_expr_name(const struct axt_expr *e)
{
	return axt_bad(e) ? NULL : e->meta->name;
}

static bool
conv_fields(struct axt_fields *f, struct axt_expr *e)
{
	static const char *const words[] = { [AXT_OVERFLOW_ERROR] = "error",
		[AXT_OVERFLOW_SATURATE] = "saturate",
		[AXT_OVERFLOW_WRAP] = "wrap" };

	return f->field(f,
	    AXT_FIELD(CHOICE, "overflow=", &e->u.overflow, .hi = ARRAY_LEN(words) - 1,
		.words = words));
}

static struct axt_expr *
conv_build(struct axt_graph *g, struct axt_expr *d)
{
	if (!axt_kern_conv(d->dtype, d->arg[0]->dtype, d->u.overflow))
		return NULL;
	return axt_conv(g, d->arg[0], d->dtype, d->u.overflow);
}

static const char *
conv_does(struct axt_graph *g, const struct axt_expr *e)
{
	return axt_sprintf(g->m, "converts %s to %s", axt_dtypes[e->arg[0]->dtype].name,
	    axt_dtypes[e->dtype].name);
}

const struct axt_node_kind axt_node_conv = {
	.min_args = 1, .max_args = 1, .fields = conv_fields, .build = conv_build, .does = conv_does
};

/* A leaf has no fields: lib/inputs writes and reads what a plan's text says of files. */
static bool
leaf_fields(struct axt_fields *f, struct axt_expr *e)
{
	struct axt_view *v = &e->u.leaf.view;
	int n = v->nd * (int)sizeof(*v->shape);

	return axt_field_bytes(f, "", &e->u.leaf.st, sizeof(void *)) &&
	    axt_field_bytes(f, "", v->shape, n) && axt_field_bytes(f, "", v->stride, n) &&
	    axt_field_bytes(f, "", &v->offset, sizeof(v->offset));
}

const struct axt_node_kind axt_node_leaf = { .fields = leaf_fields };

struct axt_expr *
axt_is_number_here(struct axt_graph *g, const char *text)
{
	axt_fail(&g->err, AXT_E_SYNTAX, "%s", text);
	axt_about(&g->err, AXT_NUMBER, NULL, NULL);
	return axt_node_failed(g);
}
