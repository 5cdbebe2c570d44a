/* info.c - axt-info and axt-list: what is told of whole files. */
#include <errno.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "graph/graph.h"
#include "source/source.h"

struct stats_of {
	struct axt_graph *g;
	struct axt_file *f;
	const struct axt_open_opts *open;
};

/*
 * Checks the inputs of dataset d. Of a dataset whose values lie in its own file that file alone is
 * looked at, so that a listing of many files does not look at all of them for each.
 */
static int
check(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d)
{
	bool others = f->stream || d->virt || axt_attr_find(d->attrs, "axt_plan");

	return others || axt_guard_hit() ? axt_files_check(g) : axt_file_check(f, &g->err);
}

/* count, missing, min, max and mean of one tensor; complex ones are only counted. */
static int
stats(void *ctx, const struct axt_dset *d, struct axt_info_stats *s, struct axt_err *e)
{
	static const enum axt_red ops[] = { AXT_RED_COUNT, AXT_RED_MIN, AXT_RED_MAX, AXT_RED_MEAN };
	struct stats_of *o = ctx;
	struct axt_graph *g = o->g;
	void *out[] = { &s->count, &s->min, &s->max, &s->mean };
	struct axt_expr *a = axt_named_tensor(g,
	    &(struct axt_named){ .f = o->f, .d = (struct axt_dset *)d }, o->open);
	struct axt_expr *r[ARRAY_LEN(out)];
	struct axt_mem_sink m[ARRAY_LEN(out)];
	struct axt_sink *sink[ARRAY_LEN(out)];

	(void)e; /* the graph has the error */
	s->min = s->max = s->mean = __builtin_nan("");
	if (axt_bad(a))
		return g->err.code;
	s->count = axt_count(a);
	if (s->count == 0 || axt_dtypes[a->dtype].cls == AXT_CLASS_COMPLEX)
		return 0;
	a = axt_conv(g, a, AXT_F64, AXT_OVERFLOW_WRAP);
	for (int k = 0; k < ARRAY_LEN(out); k++) {
		r[k] = axt_reduce(g, ops[k], a, &(struct axt_reduce_opts){ .nan = 1 });
		axt_mem_sink_init(&m[k], out[k], 8);
		sink[k] = &m[k].sink;
	}
	s->missing = s->count;
	if (axt_run(g, r, ARRAY_LEN(out), sink) || check(g, o->f, d))
		return g->err.code;
	s->missing -= s->count;
	if (s->count == 0)
		s->min = s->max = s->mean = __builtin_nan("");
	return 0;
}

static int
tensors_of(const struct axt_file *f)
{
	int n = 0;

	for (int i = 0; i < f->ndsets; i++)
		n += f->dsets[i].role == AXT_ROLE_TENSOR;
	return n;
}

/*
 * Sets fits[i] where dataset i fits the pattern that x names. *fits becomes NULL if x names one
 * dataset, a group, or everything.
 */
static int
fitting(struct axt_graph *g, const struct axt_named *x, const bool **fits)
{
	const char *pattern = axt_named_pattern(g, x), *none;
	bool *in;

	*fits = NULL;
	if (!pattern || strcmp(pattern, "*") == 0)
		return g->err.code;
	none = axt_pattern_misfit(g, pattern, x->f, false);
	if (none)
		return axt_pattern_none(g, x, "dataset", none);
	in = axt_alloc(g->m, (size_t)x->f->ndsets + 1);
	if (!in)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < x->f->ndsets; i++)
		in[i] = axt_pattern_fits(g, pattern, &x->f->dsets[i]);
	*fits = in;
	return g->err.code;
}

enum axt_code
axt_info(struct axt_graph *g, const char *operand, const struct axt_info_opts *o, FILE *out)
{
	static const char form[] = { 't', 'j', 'c', 'b', 'n' };
	static const struct axt_info_opts plain;
	struct stats_of so = { .g = g };
	struct axt_describing de = { .g = g };
	const struct axt_attr *attrs = NULL;
	struct axt_info_how how;
	struct axt_named x;
	const char *group;
	const bool *fits;

	o = o ? o : &plain;
	so.open = de.open = &o->open;
	g->stale = o->open.stale;
	if (o->stats) /* several tensors take several runs, and the first would use the stream up */
		g->fuse = AXT_FUSE_OFF;
	if (axt_named_words(g, operand, o->open.dataset, &x) || axt_named_file(g, &x) ||
	    fitting(g, &x, &fits))
		return g->err.code;
	group = o->form == AXT_INFO_CDL ? NULL : axt_named_group(&x);
	if (group ? axt_attrs_of_group(g, x.f, group, &attrs)
		  : x.name && *x.name && !axt_named_pattern(g, &x) && axt_named_dataset(g, &x))
		return g->err.code;
	so.f = x.f;
	/* with several tensors, the first run would use the stream up */
	g->once = g->once && tensors_of(x.f) == 1;
	how = (struct axt_info_how){ form[o->form], o->file_names, o->width, group, attrs, fits };
	axt_info_write(g->m, x.f, x.d, &how, out, o->stats ? stats : NULL, &so, axt_describe, &de,
	    &g->err);
	return g->err.code;
}

const char *const *
axt_tensors(struct axt_graph *g, const char *file)
{
	struct axt_file *f = axt_open_file(g, file);
	const char **names;
	int n = 0;

	if (!f || !(names = axt_alloc(g->m, (size_t)(f->ndsets + 1) * sizeof(*names))))
		return NULL;
	for (int i = 0; i < f->ndsets; i++)
		if (f->dsets[i].role == AXT_ROLE_TENSOR)
			names[n++] = f->dsets[i].path;
	return names;
}
