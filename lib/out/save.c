/* save.c - saves results to HDF5 files and streams. */
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/packing.h"
#include "bytes/summed.h"
#include "wire/text.h"
#include "formats/formats.h"
#include "out/inner.h"
#include "zarr/write/write.h"

#define HEAVY (8 << 20) /* a run that reads and writes this many bytes takes milliseconds */

/* Sets the chunk lengths that spec, such as "time=1,lat=90", gives for axes of the result. */
static int
parse_chunk(struct axt_graph *g, const struct axt_expr *e, const char *spec, struct axt_out_opts *o)
{
	struct axt_axes x;

	if (axt_axes_parse(g->m, spec, true, &x, NULL, &g->err))
		return g->err.code;
	for (int i = 0; i < e->axes.n; i++)
		o->chunk[i] = -1;
	for (int i = 0; i < x.n; i++) {
		int k = axt_axes_find(&e->axes, &x.a[i]);

		if (k < 0)
			return axt_axes_unknown_in(g->m, &e->axes, &x.a[i], "the result", &g->err);
		if (x.a[i].len < 1)
			return axt_fail(&g->err, AXT_E_ARG,
			    "the chunk length of \"%s\" must be at least 1",
			    axt_escape(g->m, x.a[i].name));
		o->chunk[k] = MIN(x.a[i].len, MAX(1, e->axes.a[k].len));
	}
	o->has_chunk = true;
	return 0;
}

/*
 * Marks unlimited axes: those that `spec` lists or, if that is NULL, those that are unlimited in
 * any of the tensors. Axes of one name become unlimited in all tensors.
 */
static int
set_unlimited(struct axt_graph *g, struct axt_out_var *v, int n, const char *spec)
{
	struct axt_axes x = { 0 };

	if (spec && axt_axes_parse(g->m, spec, false, &x, NULL, &g->err))
		return g->err.code;
	for (int i = 0; i < n; i++)
		for (int k = 0; !spec && k < v[i].axes.n; k++)
			if (v[i].axes.a[k].unlimited && x.n < AXT_MAX_RANK &&
			    axt_axes_find(&x, &v[i].axes.a[k]) < 0)
				x.a[x.n++] = v[i].axes.a[k];
	for (int j = 0; j < x.n; j++) {
		bool found = false;

		for (int i = 0; i < n && !found; i++)
			found = axt_axes_find(&v[i].axes, &x.a[j]) >= 0;
		if (!found)
			return axt_axes_unknown_in(g->m, &v[0].axes, &x.a[j], "the result",
			    &g->err);
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < v[i].axes.n; k++)
			v[i].axes.a[k].unlimited = axt_axes_find(&x, &v[i].axes.a[k]) >= 0;
	return 0;
}

/* Whether a result is called as the dataset. */
static bool
is_saved(const struct axt_dset *d, const struct axt_delivery *o)
{
	for (int i = 0; i < o->n; i++)
		if (strcmp(o->v[i].name, d->path + 1) == 0)
			return true;
	return false;
}

/*
 * Whether replacing the target would lose tensors: it is a file that an operand is read from
 * (*over), and has tensors beside that. It would lose none if the results are made of all of the
 * file, and are written with what else the file has.
 */
static bool
shared_input(struct axt_graph *g, const struct axt_way *way, const struct axt_delivery *o,
    const char *rest_of, bool *over)
{
	const char *file = way->file;
	size_t len = file ? strlen(file) : 0;
	bool all,
	    whole = len && rest_of && strncmp(rest_of, file, len) == 0 &&
	    (!rest_of[len] || strcmp(rest_of + len, ":*") == 0);
	int tensors;

	if (!file || way->kind == AXT_WAY_DATASET)
		return false;
	for (struct axt_open_file *f = g->files; f; f = f->next) {
		if ((f->adopted && !f->both) || !axt_same_file(f->f, file, &g->err))
			continue;
		*over = true;
		tensors = 0;
		all = whole;
		for (int i = 0; i < f->f->ndsets; i++) {
			const struct axt_dset *d = &f->f->dsets[i];

			tensors += d->role == AXT_ROLE_TENSOR;
			all = all && d->role != AXT_ROLE_OTHER &&
			    (d->role != AXT_ROLE_TENSOR || is_saved(d, o));
		}
		if (tensors > 1 && !all)
			return true;
	}
	return false;
}

/* ---- HDF5 files and streams as a kind of output ---- */

#define DEFLATE_COST 8 /* measured: to deflate a byte takes as long as to read or write this many */

struct stored {
	struct axt_delivery out;
	struct axt_out_opts opts;
	const struct axt_save_opts *o;
	const struct axt_save_place *in; /* may be NULL */
	struct axt_way way;
	struct axt_out *to;
	struct axt_zarr_out *zarr; /* instead of `to`: a store of Zarr */
	struct axt_padded padded;
	struct axt_quantize quantize;
	struct axt_summed *summed; /* [n], if the place asks for sums */
	struct axt_offer *offer;
	int64_t sent; /* bytes that were written to a stream */
	/* the share of the progress that is the run; the rest is packing chunks */
	double run;
	struct axt_stretch all;
};

static void
told(void *ctx, double done)
{
	axt_progress(ctx, done);
}

/* Whether a result has a number for missing values, which an offered plan would not tell. */
static bool
any_filled(struct axt_expr *const e[], int n)
{
	for (int i = 0; i < n; i++)
		if (e[i]->meta->fill)
			return true;
	return false;
}

/* The chunked storage that a result is an unchanged copy of, or NULL. */
static const struct axt_storage *
copied(const struct axt_expr *e)
{
	const struct axt_expr *leaf = e;

	for (; axt_is_relabel(leaf); leaf = leaf->arg[0])
		for (int i = 0; i < leaf->axes.n; i++)
			if (leaf->u.view.src[i] != i)
				return NULL;
	if (leaf->kind != AXT_NODE_LEAF || leaf->axes.n != e->axes.n || !leaf->u.leaf.st->file ||
	    leaf->u.leaf.st->layout != AXT_LAYOUT_CHUNKED || leaf->u.leaf.st->record ||
	    leaf->u.leaf.st->rank != e->axes.n)
		return NULL;
	for (int i = 0; i < e->axes.n; i++)
		if (leaf->u.leaf.st->dims[i] != e->axes.a[i].len)
			return NULL;
	return leaf->u.leaf.st;
}

/*
 * Whether the name of an output has a colon, and no ending such as ".nc" behind it: "data:x" may
 * have been meant as FILE:DATASET.
 */
static bool
has_colon(const char *target)
{
	const char *name = axt_last_part(target), *colon = strchr(name, ':');

	return colon && !strchr(colon, '.');
}

void
axt_warn_of_colon(struct axt_graph *g, const char *file)
{
	size_t n = strlen(file) - strlen(axt_last_part(file));

	if (!has_colon(file) || access(file, F_OK) == 0)
		return;
	n += strcspn(file + n, ":");
	axt_warn(g, "the new file is called \"%s\"; %s.nc:%s is a dataset of a file",
	    axt_escape(g->m, file), axt_escape(g->m, axt_strndup(g->m, file, n)),
	    axt_escape(g->m, file + n + 1));
}

/* Warns if the name of the output promises a format that is not written, such as "b.tif". */
static void
check_suffix(struct axt_graph *g, const struct axt_way *way)
{
	const char *file = way->file, *writer;

	if (!file || way->kind == AXT_WAY_DATASET)
		return;
	axt_warn_of_colon(g, file);
	writer = axt_way_writer(way);
	if (writer)
		axt_warn(g, "%s is written as HDF5: %s writes %s", axt_escape(g->m, file), writer,
		    way->format ? axt_formats[way->format].name : strrchr(file, '.'));
}

/*
 * The storage like which e is stored, whose values were moved from the tensor `of`: with the chunks
 * and filters that `of` has in its file, along the axes that are left. NULL: `of` is not
 * compressed, or its values are computed.
 */
static const struct axt_storage *
moved_from(struct axt_graph *g, const struct axt_expr *e, const struct axt_expr *of)
{
	struct axt_storage *st;
	const struct axt_storage *has;

	/* a conversion, as to the dtype of values whose packing is another one, moves them, too */
	while (axt_is_relabel(of) || of->kind == AXT_NODE_CONV)
		of = of->arg[0];
	if (of->meta && of->meta->stored)
		of = of->meta->stored->raw;
	has = of->kind == AXT_NODE_LEAF ? of->u.leaf.st : NULL;
	if (!has || !has->file || has->layout != AXT_LAYOUT_CHUNKED || has->record ||
	    has->filters.n == 0 || has->rank != of->axes.n || !(st = axt_alloc(g->m, sizeof(*st))))
		return NULL;
	*st = *has;
	st->rank = e->axes.n;
	for (int i = 0; i < e->axes.n; i++) {
		int k = axt_axes_find(&of->axes, &e->axes.a[i]);

		if (k < 0 || has->dims[k] != of->axes.a[k].len)
			return NULL;
		st->chunk[i] = has->chunk[k];
	}
	return st;
}

/*
 * The storage like which result i is laid out, or NULL. A stream gets none, since it is read once,
 * and not compressed.
 */
static const struct axt_storage *
like(const struct stored *s, const struct axt_expr *e, int i)
{
	const struct axt_storage *st = copied(e);

	if (s->in && s->in->like)
		return s->in->like[i];
	if (st || (!s->in && axt_stream_is(s->o->output)))
		return st;
	if (s->in && s->in->whole)
		return moved_from(s->out.g, e, s->in->whole[i]);
	while (axt_is_relabel(e))
		e = e->arg[0];
	return e->kind == AXT_NODE_CONCAT ? moved_from(s->out.g, e, e->arg[0]) : NULL;
}

/* The group that is the target, FILE:/group/; else NULL. */
static const char *
target_group(const struct stored *s)
{
	const char *dset = s->in ? NULL : s->way.dset;

	return dset && dset[strlen(dset) - 1] == '/' ? dset : NULL;
}

/*
 * The attributes of a new file whose results go to `group`. Attributes of the file or group that
 * the results are from, in `rest`, go to that group. If it is the root, they replace attributes of
 * the file; otherwise equal ones are removed from the file, so that they are not there twice.
 */
static const struct axt_attr *
beside_group(struct axt_graph *g, const struct axt_attr *attrs, const struct axt_out_rest *rest,
    const char *group)
{
	bool root = group[strspn(group, "/")] == '\0';

	while (rest && (rest->shared || *rest->group))
		rest = rest->next;
	for (const struct axt_attr *a = rest ? rest->attrs : NULL; a; a = a->next) {
		const struct axt_attr *old = axt_attr_find(attrs, a->name);
		struct axt_attr *own = root ? axt_alloc(g->m, sizeof(*own)) : NULL;

		if (own) {
			*own = *a;
			attrs = axt_attr_set(g->m, attrs, own);
		} else if (old && axt_attr_equal(old, a)) {
			attrs = axt_attr_drop(g->m, attrs, a->name);
		}
	}
	return attrs;
}

/* Warns of attributes of the dataset of that name beside d, if there is one. */
static void
tell_lost_beside(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const char *name)
{
	const struct axt_dset *x = axt_beside(f, d, name, strlen(name));

	if (x)
		axt_tell_lost(g, f, x->path);
}

/*
 * Warns of attributes that a result does not get though its values were moved from a dataset,
 * because their types are not read. Those of its coordinates and auxiliary datasets are looked at
 * as well.
 */
static void
tell_lost_of(struct axt_graph *g, const struct axt_expr *e, const struct axt_out_var *v)
{
	const struct axt_dset *d;
	struct axt_file *f;

	/* what parts are joined to has the attributes of the first */
	while ((e->nargs == 1 && (e->kind == AXT_NODE_VIEW || e->kind == AXT_NODE_CONV)) ||
	    (e->kind == AXT_NODE_CONCAT && e->nargs > 0))
		e = e->arg[0];
	if (e->meta->stored)
		e = e->meta->stored->raw;
	d = e->kind == AXT_NODE_LEAF ? axt_leaf_dataset(g, e->u.leaf.st, &f) : NULL;
	if (!d)
		return;
	axt_tell_lost(g, f, d->path);
	for (int i = 0; i < v->axes.n; i++)
		if (v->axes.a[i].coord)
			tell_lost_beside(g, f, d, v->axes.a[i].name);
	for (const struct axt_aux *x = v->aux; x; x = x->next)
		tell_lost_beside(g, f, d, x->name);
}

/* Whether a stream ends in a file, by a redirection of the shell. */
static bool
is_redirected(const char *target)
{
	struct stat st;

	return stat(!target || strcmp(target, "-") == 0 ? "/dev/stdout" : target, &st) == 0 &&
	    S_ISREG(st.st_mode);
}

const char *
axt_path_in(struct axt_graph *g, const char *dset, const char *name)
{
	bool group = dset[strlen(dset) - 1] == '/';

	return axt_sprintf(g->m, "/%s%s", dset + strspn(dset, "/"), group ? name : "");
}

/*
 * Whether it is known now what the output will have beside the results; *in becomes that. It is not
 * known of pipes, whose reader may add what results name, of parts, which are put together later,
 * and of records, which are appended where everything else is.
 */
static bool
is_known(const struct stored *s, struct axt_out_known *in)
{
	const struct axt_save_place *to = s->in;
	const char *file = s->way.file, *dset = s->way.dset;
	struct axt_graph *g = s->out.g;

	*in = (struct axt_out_known){ .rest = s->opts.rest };
	if (to && (to->into || to->sums || to->lock))
		return false;
	if (!to && s->out.ordered)
		return is_redirected(file);
	if (!file)
		return false;
	if (dset && access(file, F_OK) == 0) {
		in->file = file;
		in->path = axt_path_in(g, dset, s->out.v[0].name);
	}
	return !dset || !in->file || in->path;
}

/* What the options say of chunks, and like what each result is laid out. */
static int
chunk_options(struct stored *s)
{
	const struct axt_delivery *o = &s->out;

	if (s->o->chunk && parse_chunk(o->g, o->e[0], s->o->chunk, &s->opts))
		return o->g->err.code;
	for (int i = 0; i < o->n; i++)
		o->v[i].like = like(s, o->e[i], i);
	return 0;
}

/* What else the options say: rounding, and what goes along. */
static int
stored_options(struct stored *s, const char *group, const struct axt_attr **attrs)
{
	const struct axt_delivery *o = &s->out;
	struct axt_graph *g = o->g;
	struct axt_out_known in;

	for (int i = 0; i < o->n && !s->o->rest_of; i++)
		tell_lost_of(g, o->e[i], &o->v[i]);
	if (s->o->quantize &&
	    (axt_quantize_parse(s->o->quantize, &s->quantize, &g->err) ||
		axt_quantize_vars(g, &s->quantize, o->v, o->n)))
		return g->err.code;
	if (s->in && s->in->rest)
		s->opts.rest = s->in->rest;
	if (s->o->rest_of)
		s->opts.rest = axt_rest_of(g, s->o->rest_of, group != NULL, o->v, o->n);
	if (!g->err.code && is_known(s, &in))
		axt_out_known(g, o->v, o->e, o->n, &in);
	if (group && s->opts.rest)
		*attrs = beside_group(g, *attrs, s->opts.rest, group);
	return g->err.code;
}

/* Opens the output, with one more dataset for the sums where they are asked for. */
static int
open_output(struct stored *s, const struct axt_attr *attrs)
{
	const struct axt_delivery *o = &s->out;
	struct axt_graph *g = o->g;
	struct axt_out_var *v = o->v;
	int n = o->n;

	if (s->in && s->in->sums) {
		s->summed = axt_alloc(g->m, (size_t)n * sizeof(*s->summed));
		v = axt_alloc(g->m, (size_t)(n + 1) * sizeof(*v));
		if (!s->summed || !v)
			return axt_fail(&g->err, AXT_E_MEM, "out of memory");
		memcpy(v, o->v, (size_t)n * sizeof(*v));
		v[n++] = (struct axt_out_var){ .name = s->in->sums,
			.dtype = AXT_U64,
			.axes = { .n = 1, .a = { { .name = s->in->sums, .len = o->n } } } };
	}
	return axt_out_open(g->m, v, n, attrs, &s->opts, &s->to, &g->err);
}

/* The sums are known once all values have come. */
static int
write_sums(struct stored *s)
{
	struct axt_sink *to = axt_out_sink(s->to, s->out.n);

	for (int i = 0; i < s->out.n; i++)
		if (to->write(to, 8 * i, &s->summed[i].sum, 8, &s->out.g->err))
			return s->out.g->err.code;
	return 0;
}

static int
stored_open(struct axt_delivery *o)
{
	struct stored *s = (struct stored *)o;
	struct axt_graph *g = o->g;
	double chunks, bytes = o->plan ? (double)axt_plan_bytes(o->plan) : 0;
	const struct axt_attr *attrs = o->e[0]->meta->file_attrs;
	const char *group = target_group(s);

	if (stored_options(s, group, &attrs))
		return g->err.code;
	if (!s->opts.is_file)
		check_suffix(g, &s->way);
	s->opts.shared_input = !s->opts.is_file &&
	    shared_input(g, &s->way, o, s->o->rest_of, &s->opts.over_input);
	if (g->err.code || open_output(s, axt_with_history(g, attrs, s->o->history)))
		return g->err.code;
	chunks = (double)axt_out_chunked(s->to) *
	    (s->opts.compress && strcmp(s->opts.compress, "none") != 0 ? DEFLATE_COST : 1);
	s->run = chunks > 0 && o->plan ? bytes / (bytes + chunks) : 1;
	s->all = g->told;
	return 0;
}

static struct axt_sink *
stored_sink(struct axt_delivery *o, int i)
{
	struct stored *s = (struct stored *)o;
	struct axt_sink *sink = axt_out_sink(s->to, i);

	if (s->summed) {
		axt_summed_begin(&s->summed[i], sink);
		sink = &s->summed[i].sink;
	}
	if (o->n == 1 && !axt_axes_same(&o->v->axes, &o->e[0]->axes))
		sink = axt_padded_begin(&s->padded, o->e[0], o->v, sink, &o->g->err)
		    ? NULL
		    : &s->padded.sink;
	return s->o->quantize ? axt_quantized(o->g, &s->quantize, &o->v[i], sink) : sink;
}

/*
 * Begins the output, and offers the plan to the reader of a stream. It waits for an answer if the
 * run would take long, or cannot be done here because a placeholder has no value.
 */
static int
stored_begin(struct axt_delivery *o)
{
	struct stored *s = (struct stored *)o;
	struct axt_graph *g = o->g;
	bool unbound = !o->plan, taken = false;

	if (o->computed)
		return axt_out_begin(s->to, &g->err);
	if (!any_filled(o->e, o->n) && !s->o->quantize)
		s->offer = axt_offer_begin(g, o->e, o->v, o->n, axt_out_fd(s->to));
	if (axt_out_begin(s->to, &g->err))
		return g->err.code;
	if (g->fuse == AXT_FUSE_WAIT || unbound || axt_plan_bytes(o->plan) >= HEAVY)
		taken = axt_offer_wait(s->offer, unbound);
	if (unbound && taken) { /* the reader computes the result, so there is nothing to do here */
		axt_taken_commit(g);
		return axt_fail(&g->err, AXT_E_CANCELLED, "the plan was taken");
	}
	axt_progress_part(g, 0, s->run);
	return 0;
}

/*
 * Clears the error AXT_E_CANCELLED: the run stopped because the reader of the stream took the plan,
 * which is no failure.
 */
static void
end_offer(struct stored *s)
{
	struct axt_graph *g = s->out.g;

	if (g->err.code == AXT_E_CANCELLED) {
		g->err = (struct axt_err){ 0 };
		axt_taken_drain(g);
	}
	axt_offer_end(s->offer, s->sent, g->err.code == 0);
}

/* Takes the chunks that inputs have. These may have changed up to then. */
static bool
took_chunks(struct stored *s)
{
	struct axt_graph *g = s->out.g;
	bool any = false;

	for (int i = 0; i < s->out.n; i++)
		any = any || s->out.v[i].chunks;
	return !any || (axt_out_finish(s->to, &g->err) == 0 && axt_files_check(g) == 0);
}

static void
stored_close(struct axt_delivery *o, bool ok)
{
	struct stored *s = (struct stored *)o;

	o->g->told = s->all;
	axt_progress_part(o->g, s->run, 1 - s->run);
	ok = ok && (!s->summed || !write_sums(s)) && took_chunks(s);
	axt_out_close(s->to, ok, &o->g->err);
	o->g->told = s->all;
	if (!o->computed)
		end_offer(s);
}

static const struct axt_delivery_kind stored_file = {
	.open = stored_open, .sink = stored_sink, .begin = stored_begin, .close = stored_close
};

/* ---- sinks of the caller as a kind of output ---- */

static int
into_open(struct axt_delivery *o)
{
	const struct axt_attr *attrs = NULL;

	return stored_options((struct stored *)o, NULL, &attrs);
}

static struct axt_sink *
into_sink(struct axt_delivery *o, int i)
{
	struct stored *s = (struct stored *)o;
	struct axt_sink *sink = s->in->into[i];

	return s->o->quantize ? axt_quantized(o->g, &s->quantize, &o->v[i], sink) : sink;
}

static void
into_close(struct axt_delivery *o, bool ok)
{
	(void)o, (void)ok;
}

static const struct axt_delivery_kind stored_into = { .open = into_open,
	.sink = into_sink,
	.close = into_close };

/* ---- stores of Zarr as a kind of output ---- */

static int
zarr_open(struct axt_delivery *o)
{
	struct stored *s = (struct stored *)o;
	struct axt_graph *g = o->g;
	const struct axt_attr *attrs = o->e[0]->meta->file_attrs;
	const char *store = s->way.file;

	if (stored_options(s, NULL, &attrs))
		return g->err.code;
	s->opts.shared_input = store &&
	    shared_input(g, &s->way, o, s->o->rest_of, &s->opts.over_input);
	if (s->o->rest_of)
		axt_tell_lacks(g, store, o, s->opts.rest, AXT_LACKING_ZARR);
	return axt_zarr_out_open(g->m, o->v, o->n, axt_with_history(g, attrs, s->o->history),
	    &s->opts, &s->zarr, &g->err);
}

static struct axt_sink *
zarr_sink(struct axt_delivery *o, int i)
{
	struct stored *s = (struct stored *)o;
	struct axt_sink *sink = axt_zarr_out_sink(s->zarr, i);

	return s->o->quantize ? axt_quantized(o->g, &s->quantize, &o->v[i], sink) : sink;
}

static int
zarr_finish(struct axt_delivery *o)
{
	return axt_zarr_out_finish(((struct stored *)o)->zarr, &o->g->err);
}

static void
zarr_close(struct axt_delivery *o, bool ok)
{
	for (struct axt_open_file *f = o->g->files; f; f = f->next)
		axt_file_is_read(f->f); /* one of them may be the store that is replaced */
	axt_zarr_out_close(((struct stored *)o)->zarr, ok, &o->g->err);
}

static const struct axt_delivery_kind stored_zarr = {
	.open = zarr_open, .sink = zarr_sink, .finish = zarr_finish, .close = zarr_close
};
/* ---- results without values: placeholders and saved expressions ---- */

/* Saves the dtype, axes and attributes of a tensor that has no values. */
static enum axt_code
save_without_values(struct stored *s)
{
	struct axt_graph *g = s->out.g;
	struct axt_out_var *v = s->out.v;
	struct axt_attr *kind = axt_alloc(g->m, sizeof(*kind));

	if (s->o->compress || s->o->chunk || s->o->size || s->o->quantize)
		return axt_fail(&g->err, AXT_E_ARG,
		    "a placeholder has no values: it takes no --compress, --chunk, --size or --quantize");
	if (!kind)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*kind = (struct axt_attr){ .name = "axt_kind",
		.kind = AXT_ATTR_TEXT,
		.text = "placeholder" };
	if (!v->none)
		v->attrs = axt_attr_set(g->m, v->attrs, kind);
	v->none = s->out.computed = true;
	return axt_deliver(&s->out);
}

/*
 * Saves the plan in place of the values. Commands that offered plans through pipes are told that
 * their plans are taken, so that they need not write their values.
 */
static enum axt_code
save_expression(struct stored *s, struct axt_expr *e)
{
	struct axt_graph *g = s->out.g;
	struct axt_plan *p;

	if (e->meta->fill)
		return axt_fail(&g->err, AXT_E_ARG,
		    "a saved expression gives NaN for missing values: --fill is of stored ones");
	if (!axt_find_place(g, e) && axt_draft_plan(g, &e, 1, false, &p))
		return g->err.code;
	if (axt_saved_var(g, e, s->o->output, s->out.v))
		return g->err.code;
	axt_taken_commit(g);
	return g->err.code ? g->err.code : save_without_values(s);
}

/* Whether e is a placeholder, perhaps renamed. */
static bool
is_place(const struct axt_expr *e)
{
	while (axt_is_relabel(e) && e->axes.n == e->arg[0]->axes.n)
		e = e->arg[0];
	return e->kind == AXT_NODE_PLACE;
}

/* What is known of an output from its options alone. */
static struct stored
stored_by(struct axt_graph *g, int n, const struct axt_save_opts *o,
    const struct axt_save_place *in)
{
	struct axt_way way = { 0 };

	if (in)
		way = (struct axt_way){ .file = in->file, .dset = in->dataset };
	else
		axt_way_of(g, o->output, &way);
	return (struct stored){
		.out = { .kind = &stored_file,
		    .g = g,
		    .n = n,
		    .planned = true,
		    .ordered = !in && axt_stream_is(o->output) },
		.o = o,
		.in = in,
		.way = way,
		.opts = { .target = in ? in->file : o->output,
		    .is_file = in != NULL,
		    .dataset = in ? in->dataset : NULL,
		    .lock = in ? in->lock : NULL,
		    .no_clobber = o->no_clobber,
		    .force = o->force,
		    .compress = o->compress,
		    .shuffle = o->shuffle,
		    .unlimited = o->unlimited || (in && in->lock),
		    .memory = g->memory,
		    .threads = axt_graph_threads(g),
		    .progress = told,
		    .progress_ctx = g,
		    .talk = axt_graph_talk(g) },
	};
}

/* Finds what takes chunks that are there, if the output is stored like that in any case. */
static const struct axt_in_chunks *
chunks_for(const struct stored *s, int i, bool *comes)
{
	const struct axt_delivery *o = &s->out;
	const struct axt_out_var *v = &o->v[i];
	const struct axt_in_chunks *in;
	struct axt_err none = { 0 };
	struct axt_chunking as;
	struct axt_cut cut;

	if (axt_chunking_choose(&as, v, &o->v[0].axes, &s->opts, &none))
		return NULL;
	*comes = s->in && s->in->chunks;
	in = *comes ? s->in->chunks[i] : axt_out_chunks(o->g, o->e[i], &as, s->o, NULL, NULL);
	if (!in || !as.chunked)
		return NULL;
	axt_cut_init(&cut, &v->axes, axt_size(v->dtype), as.chunk,
	    (struct axt_filters){ .n = as.nfilters, .use = as.filter }, NULL, -1, in);
	*comes = *comes || (int64_t)cut.takes > s->opts.memory / 2;
	return cut.chunks;
}

/*
 * Finds which chunks of results are chunks of files. Results of such chunks alone need no run, if
 * there is memory to unpack one. What is added to a file may have to be written twice, while its
 * inputs change.
 */
static void
find_chunks(struct stored *s)
{
	const struct axt_delivery *o = &s->out;

	if (o->kind != &stored_file || axt_stream_is(s->way.file) || s->way.dset)
		return;
	for (int i = 0; i < o->n; i++)
		if (!s->in || !s->in->sums || s->in->chunks)
			o->v[i].chunks = chunks_for(s, i, &o->v[i].comes);
}

/* Saves results whose values are as they will be stored. */
static enum axt_code
save_stored(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_save_place *in)
{
	struct stored s = stored_by(g, n, o, in);
	struct axt_expr *first;

	s.opts.sent = &s.sent;
	if (in && in->into)
		s.out.kind = &stored_into;
	if (s.way.kind == AXT_WAY_ZARR) {
		s.out.kind = &stored_zarr;
		if (o->size || o->layout || o->expression || is_place(e[0]))
			return axt_fail(&g->err, AXT_E_ARG,
			    "a store of Zarr holds values as they are: no expressions, --size or --layout");
	}
	if ((o->size || o->layout) && n != 1)
		return axt_fail(&g->err, AXT_E_ARG,
		    "--size and --layout are for one result, and there are %d", n);
	first = axt_padded_order(g, e[0], o);
	e = n == 1 ? &first : e;
	s.out.e = e;
	if (g->err.code || axt_out_vars(g, e, n, &s.out.v))
		return g->err.code;
	/* into sinks go pieces of one result */
	if ((!(in && in->into) && axt_out_agree(g, s.out.v, e, n)) ||
	    ((o->size || o->layout) && axt_padded_var(g, first, o, s.out.v)))
		return g->err.code;
	if (set_unlimited(g, s.out.v, n, o->unlimited) || chunk_options(&s))
		return g->err.code;
	if (o->expression)
		return save_expression(&s, first);
	if (n == 1 && is_place(first))
		return save_without_values(&s);
	for (int i = 0; i < n;
	     i++) /* cannot be planned here; the reader of the stream may bind it */
		if (axt_find_place(g, e[i]))
			s.out.planned = false;
	if (s.out.planned)
		find_chunks(&s);
	return axt_deliver(&s.out);
}

/* Whether both results go to the same group. */
static bool
in_one_group(const struct axt_expr *a, const struct axt_expr *b)
{
	const char *x = axt_expr_name(a), *y = axt_expr_name(b);
	const char *p = x ? strrchr(x, '/') : NULL, *q = y ? strrchr(y, '/') : NULL;

	return !p || !q ? !p == !q : p - x == q - y && strncmp(x, y, (size_t)(p - x)) == 0;
}

/* Puts the results of each group next to each other, in the order in which a stream has them. */
static void
gather_groups(struct axt_expr **e, int n)
{
	for (int i = 0, at = 1; i < n; i = at, at++)
		for (int k = at; k < n; k++)
			if (in_one_group(e[i], e[k])) {
				struct axt_expr *x = e[k];

				memmove(e + at + 1, e + at,
				    (size_t)(k - at) * sizeof(struct axt_expr *));
				e[at++] = x;
			}
}

enum axt_code
axt_save_in(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_save_place *in)
{
	struct axt_expr **s;

	if (n < 1)
		return axt_fail(&g->err, AXT_E_ARG, "there is nothing to write");
	s = axt_all_as_stored(g, e, n);
	if (!g->err.code && !in && axt_stream_is(o->output))
		gather_groups(s, n);
	return g->err.code ? g->err.code : save_stored(g, s, n, o, in);
}

enum axt_code
axt_save_stored(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o)
{
	axt_doubt_units(g, e, n);
	return axt_save_in(g, e, n, o, NULL);
}

enum axt_code
axt_save_ready(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, struct axt_save_ready *out)
{
	struct stored s = stored_by(g, n, o, NULL);
	const struct axt_attr *attrs;

	axt_doubt_units(g, e, n);
	out->e = s.out.e = axt_all_as_stored(g, e, n);
	if (g->err.code || axt_out_vars(g, out->e, n, &s.out.v) ||
	    axt_out_agree(g, s.out.v, out->e, n) || set_unlimited(g, s.out.v, n, o->unlimited))
		return g->err.code;
	attrs = out->e[0]->meta->file_attrs;
	if (chunk_options(&s) || stored_options(&s, target_group(&s), &attrs))
		return g->err.code;
	out->v = s.out.v;
	out->attrs = axt_with_history(g, attrs, o->history);
	out->opts = s.opts;
	out->opts.shared_input = shared_input(g, &s.way, &s.out, o->rest_of, &out->opts.over_input);
	return g->err.code;
}

void
axt_cleanup(void)
{
	axt_out_cleanup();
}

enum axt_code
axt_plan_print(struct axt_graph *g, struct axt_expr *const e[], int n, FILE *out)
{
	struct axt_expr **s = axt_all_as_stored(g, e, n);
	struct axt_out_var *v;

	if (g->err.code == 0 && axt_out_vars(g, s, n, &v) == 0)
		axt_offer_print(g, s, v, n, out);
	axt_taken_commit(g); /* the plans of the pipes were taken, so their writers can end */
	return g->err.code ? g->err.code : (enum axt_code)axt_taken_drain(g);
}
