/*
 * out.c - writes a store: it makes a directory beside the target, keeps values until all are known,
 * and at the end writes arrays, coordinates and groups.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/hidden.h"
#include "bytes/packing.h"
#include "zarr/store.h"
#include "zarr/write/write.h"

#define MOST_UNLIMITED 1024 /* names of axes in one group */

struct kept {
	struct axt_sink sink;
	struct axt_zarr_out *o;
	const struct axt_out_var *v;
	struct axt_chunking as;
	struct axt_waiting wait;
	int64_t bytes, got;
};
/* A path in the store that is taken: of a tensor, of coordinates, of an auxiliary dataset. */
struct taken {
	const char *path;
	const struct axt_axis *axis; /* coordinates, or the axis without any */
	struct taken *next;
};
struct axt_zarr_out {
	struct axt_arena *m;
	int n;
	struct kept *k;
	const struct axt_attr *attrs;
	const struct axt_out_rest *rest;
	struct taken *taken;
	struct axt_buf all;     /* metadata of all nodes */
	struct axt_packers how; /* what packing the chunks of tensors may take */
	struct axt_filter_use pack;
	struct axt_filters filters; /* none, or pack */
	bool no_clobber, apart;
	struct axt_temp temp;  /* in whose directory values wait */
	char *target;          /* without links */
	char shown[256];       /* as typed, with escapes, for messages */
	struct axt_hidden dir; /* the directory that will get its name */
};

static int
nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

static int
failed(const char *shown, struct axt_err *e)
{
	return axt_fail(e, AXT_E_IO, "%s: %s", shown, strerror(errno));
}

/* How many bytes of a target are the name of a store: up to ".zarr"; 0: it is none. */
static size_t
store_end(const char *target)
{
	static const char end[] = ".zarr";
	const char *s = target;

	while ((s = strcasestr(s, end))) {
		s += sizeof(end) - 1;
		if (s[strspn(s, "/")] == '\0' || *s == ':')
			return (size_t)(s - target);
	}
	return 0;
}

bool
axt_zarr_target(const char *target)
{
	return target && store_end(target) > 0;
}

/* ---- the directory ---- */

/* Checks what is there by the name of the target. */
static int
check_target(const struct axt_zarr_out *o, const struct axt_out_opts *opt, struct axt_err *e)
{
	struct stat st;
	const char *name = o->shown;

	if (stat(o->target, &st))
		return axt_is_absent(errno) ? 0 : failed(o->shown, e);
	if (!S_ISDIR(st.st_mode))
		return axt_fail(e, AXT_E_EXISTS, "%s: is a file, and no store of Zarr", name);
	if (opt->no_clobber) {
		axt_fail(e, AXT_E_EXISTS, "%s: exists", name);
		return axt_about(e, AXT_EXISTS, o->target, NULL);
	}
	if (!axt_is_store(o->target) && rmdir(o->target) == 0)
		return 0;
	if (!axt_is_store(o->target))
		return axt_fail(e, AXT_E_EXISTS, "%s: is a directory, and no store of Zarr", name);
	if (opt->shared_input && !opt->force) {
		axt_output_shared(o->target, e);
		axt_hint(e, "--force replaces the store");
	}
	return e->code;
}

/* Gives the new directory the mode and, if allowed, the owner of the store that it replaces. */
static int
inherit(const struct axt_zarr_out *o)
{
	struct stat old, st;

	if (stat(o->target, &old))
		return errno == ENOENT ? 0 : -1;
	if (stat(o->dir.path, &st))
		return -1;
	if ((st.st_uid != old.st_uid || st.st_gid != old.st_gid) &&
	    lchown(o->dir.path, old.st_uid, old.st_gid) && errno != EPERM && errno != EINVAL)
		return -1;
	return chmod(o->dir.path, old.st_mode & (0777 | S_ISGID | S_ISVTX));
}

/* Makes the directory, under a hidden name. */
static int
make_directory(struct axt_zarr_out *o, struct axt_err *e)
{
	return axt_hidden_make(&o->dir, o->target) || inherit(o) ? failed(o->shown, e) : 0;
}

/* Gives the directory the name of the target. The store that had it goes. */
static int
take_name(struct axt_zarr_out *o, struct axt_err *e)
{
	bool foreign;

	if (axt_hidden_show(&o->dir, o->target, !o->no_clobber, &foreign) == 0) {
		axt_hidden_sweep(o->target);
		return 0;
	}
	return !foreign
	    ? failed(o->shown, e)
	    : axt_fail(e, AXT_E_EXISTS,
		  "%s: got this name while the store was computed, and is no store of Zarr",
		  o->shown);
}

/* ---- values ---- */

static int
put(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct kept *k = (struct kept *)s;

	__atomic_fetch_add(&k->got, n, __ATOMIC_RELAXED);
	return axt_wait_put(&k->wait, off, p, n, e);
}

struct axt_sink *
axt_zarr_out_sink(struct axt_zarr_out *o, int i)
{
	return &o->k[i].sink;
}

/*
 * Why a path cannot be the name of an array; NULL: it can. Its parts become names of directories. A
 * backslash is refused because other readers take it for a slash.
 */
static const char *
bad_path(const char *path)
{
	uint32_t c;
	int n;

	if (!*path || !axt_store_sane(path))
		return "leads elsewhere in a directory";
	for (const char *s = path; *s; s += n)
		if ((n = axt_utf8(s, &c)) == 0)
			return "is no UTF-8";
		else if (c == '\\')
			return "has a backslash";
	for (const char *s = path; s; s = strchr(s, '/'), s = s ? s + 1 : NULL) {
		size_t len = strcspn(s, "/");

		if (len > NAME_MAX)
			return "has a part of over 255 bytes";
		if (len == 9 && strncmp(s, "zarr.json", len) == 0)
			return "has a part that is the name of metadata";
	}
	return NULL;
}

static int
check_path(const char *path, struct axt_err *e)
{
	const char *why = bad_path(path);
	char name[256];

	if (!why)
		return 0;
	return axt_fail(e, AXT_E_NAME, "\"%s\" cannot be a name in Zarr: it %s",
	    axt_escape_to(name, sizeof(name), path), why);
}

/*
 * What chunks are packed by: zstd, or gzip where that was asked for or there is no libzstd. Returns
 * 1, 0 for nothing, or -1 after an error.
 */
static int
choose_filter(const struct axt_out_opts *opt, struct axt_filter_use *pack, struct axt_err *e)
{
	const struct axt_filter *zstd = &axt_filters[AXT_FILTER_ZSTD];
	struct axt_filter_use use[AXT_MAX_FILTERS], *last;
	bool none = opt->compress && strcmp(opt->compress, "none") == 0;
	int n = axt_filters_choose(opt->compress ? opt->compress : "zstd", none ? NULL : "none", 1,
	    use, e);
	char shown[256];

	if (n < 0)
		return -1;
	last = &use[MAX(n - 1, 0)];
	axt_escape_to(shown, sizeof(shown), opt->target);
	if (opt->shuffle && strcmp(opt->shuffle, "none") != 0) {
		axt_fail(e, AXT_E_ARG, "%s: --shuffle is for HDF5", shown);
		return -1;
	}
	if (n == 0)
		return 0;
	if (n > 1 || (last->f != zstd && last->f != &axt_filters[AXT_FILTER_DEFLATE])) {
		axt_fail(e, AXT_E_ARG,
		    "%s: a store of Zarr is compressed by zstd or deflate, or none", shown);
		return -1;
	}
	*pack = *last;
	if (last->f == zstd && !opt->compress &&
	    axt_filters_cannot_pack(&(struct axt_filters){ .n = 1, .use = pack }))
		*pack = (struct axt_filter_use){ .n = 1, .param = { 5 } };
	if (pack->f != zstd)
		pack->f = &axt_filters[AXT_FILTER_GZIP];
	return 1;
}

int
axt_zarr_chunking(struct axt_chunking *as, const struct axt_out_var *v,
    const struct axt_axes *first, const struct axt_out_opts *o, struct axt_err *e)
{
	struct axt_out_opts how = *o;
	struct axt_filter_use pack;
	int n = choose_filter(o, &pack, e);

	how.compress = "deflate"; /* there are always chunks */
	how.shuffle = NULL;
	if (n < 0 || axt_chunking_choose(as, v, first, &how, e))
		return e->code;
	for (int d = 0; d < v->axes.n; d++) {
		if (v->like && !o->has_chunk)
			as->chunk[d] = MIN(v->like->chunk[d], v->axes.a[d].len);
		as->chunk[d] = MAX(as->chunk[d], 1);
	}
	as->nfilters = n;
	if (n > 0)
		as->filter[0] = pack;
	return 0;
}

static int
open_tensor(struct axt_zarr_out *o, int i, const struct axt_out_var *v,
    const struct axt_out_opts *opt, struct axt_err *e)
{
	struct kept *k = &o->k[i];
	int64_t count;

	*k = (struct kept){ .o = o, .v = v, .wait = { .fd = -1 }, .sink = { .write = put } };
	if (v->none || v->virt)
		return axt_fail(e, AXT_E_ARG, "a store of Zarr holds values, no expressions");
	if (!axt_axes_count(&v->axes, &count) || !axt_mul(count, axt_size(v->dtype), &k->bytes))
		return axt_fail(e, AXT_E_LIMIT, "\"%s\" is too large", v->name);
	if (check_path(v->name, e) || axt_zarr_chunking(&k->as, v, &o->k[0].v->axes, opt, e))
		return e->code;
	return o->apart ? 0
			: axt_wait_open(&k->wait, MAX(k->bytes, 1),
			      MIN(AXT_WAIT_FEW, opt->memory / 4), &o->temp, e);
}

static int
open_out(struct axt_zarr_out *o, const struct axt_out_var *v, const struct axt_out_opts *opt,
    struct axt_err *e)
{
	const char *dset = opt->target + store_end(opt->target);
	char *real, values[PATH_MAX + 16];

	o->target = strndup(opt->target, (size_t)(dset - opt->target));
	if (!o->target)
		return nomem(e);
	axt_escape_to(o->shown, sizeof(o->shown), o->target);
	if (dset[strspn(dset, "/:")] != '\0')
		return axt_fail(e, AXT_E_ARG,
		    "%s%s: one array of a store cannot be written by itself: --name NAME names it in a new one",
		    o->shown, dset);
	for (size_t k = strlen(o->target); k > 1 && o->target[k - 1] == '/';)
		o->target[--k] = '\0';
	if (!(real = axt_target_followed(o->target)))
		return failed(o->shown, e);
	free(o->target);
	o->target = real;
	o->filters = (struct axt_filters){ .n = choose_filter(opt, &o->pack, e), .use = &o->pack };
	if (o->filters.n < 0 || check_target(o, opt, e) || make_directory(o, e))
		return e->code;
	snprintf(values, sizeof(values), "%s/values", o->dir.path);
	if (axt_temp_open(&o->temp, values, true, false, e))
		return e->code;
	for (int i = 0; i < o->n; i++)
		if (open_tensor(o, i, &v[i], opt, e))
			return e->code;
	return 0;
}

static void
free_out(struct axt_zarr_out *o)
{
	for (int i = 0; o->k && i < o->n; i++)
		axt_wait_close(&o->k[i].wait);
	axt_temp_drop(&o->temp);
	axt_hidden_drop(&o->dir);
	free(o->target);
	axt_buf_release(&o->all);
	free(o->k);
	free(o);
}

int
axt_zarr_out_open(struct axt_arena *m, const struct axt_out_var *v, int n,
    const struct axt_attr *attrs, const struct axt_out_opts *opt, struct axt_zarr_out **out,
    struct axt_err *e)
{
	struct axt_zarr_out *o = calloc(1, sizeof(*o));

	*out = NULL;
	if (!o || !(o->k = calloc((size_t)n, sizeof(*o->k)))) {
		free(o);
		return nomem(e);
	}
	o->m = m;
	o->n = n;
	o->attrs = attrs;
	o->rest = opt->rest;
	o->how = (struct axt_packers){ .threads = opt->threads,
		.memory = opt->memory,
		.beside = &o->temp };
	o->no_clobber = opt->no_clobber;
	o->apart = opt->apart;
	o->dir = (struct axt_hidden){ .fd = -1, .slot = -1 };
	o->temp = (struct axt_temp){ .fd = -1, .dirfd = -1, .slot = -1 };
	for (int i = 0; i < n; i++)
		o->k[i].wait.fd = -1;
	o->k[0].v = v;
	if (open_out(o, v, opt, e)) {
		free_out(o);
		return e->code;
	}
	*out = o;
	return 0;
}

bool
axt_zarr_out_share(const struct axt_zarr_out *o, char *path)
{
	return realpath(o->dir.path, path) != NULL;
}

/* ---- what is written at the end ---- */

/* Notes a path. *again: it is taken, by the same axis. An error: by something else. */
static int
take(struct axt_zarr_out *o, const char *path, const struct axt_axis *axis, bool *again,
    struct axt_err *e)
{
	struct taken *t;
	char name[256];
	int64_t a, b;

	*again = false;
	for (t = o->taken; t; t = t->next) {
		if (strcmp(t->path, path) != 0)
			continue;
		a = t->axis ? t->axis->len : -1;
		b = axis ? axis->len : -1;
		*again = axis && t->axis && a == b;
		if (*again && t->axis->coord && axis->coord && t->axis->coord != axis->coord) {
			struct axt_axis met;

			axt_axis_meet(o->m, t->axis, axis, NULL, &met, e);
		}
		if (*again || e->code)
			return e->code;
		return axt_fail(e, AXT_E_AXES, "\"%s\" would be two arrays of the store",
		    axt_escape_to(name, sizeof(name), path));
	}
	t = axt_alloc(o->m, sizeof(*t));
	if (!t)
		return nomem(e);
	*t = (struct taken){ path, axis, o->taken };
	o->taken = t;
	return 0;
}

static const char *
in_group(struct axt_arena *m, const char *group, const char *name)
{
	return *group ? axt_sprintf(m, "%s/%s", group, name) : name;
}

/* Adds the names of unlimited axes to a list, each once. */
static int
note_unlimited(struct axt_zarr_out *o, const struct axt_axes *x, const char **name, int n)
{
	for (int k = 0; x && k < x->n; k++) {
		const char *own = x->a[k].unlimited ? axt_axis_spell(o->m, &x->a[k]) : NULL;
		bool known = !own || n == MOST_UNLIMITED;

		for (int i = 0; i < n && !known; i++)
			known = strcmp(name[i], own) == 0;
		if (!known)
			name[n++] = own;
	}
	return n;
}

/* Whether a path is that of something in the group itself. */
static bool
lies_in(const char *path, const char *group)
{
	size_t n = strlen(group);

	return n == 0
	    ? !strchr(path, '/')
	    : strncmp(path, group, n) == 0 && path[n] == '/' && !strchr(path + n + 1, '/');
}

/*
 * The attributes l of a group, with the one that names the unlimited axes of its arrays. Zarr has
 * no unlimited axes, but copies to files that have them make them unlimited again.
 */
static const struct axt_attr *
with_unlimited(struct axt_zarr_out *o, const char *group, const struct axt_attr *l)
{
	const char **name = axt_alloc(o->m, MOST_UNLIMITED * sizeof(*name));
	struct axt_attr *a = axt_alloc(o->m, sizeof(*a));
	int n = 0;

	for (int i = 0; a && name && i < o->n; i++) {
		const struct axt_out_var *v = o->k[i].v;

		if (!lies_in(v->name, group))
			continue;
		n = note_unlimited(o, &v->axes, name, n);
		for (const struct axt_aux *x = v->aux; x; x = x->next)
			n = note_unlimited(o, &x->axes, name, n);
	}
	for (const struct axt_out_rest *r = o->rest; a && name && r; r = r->next) {
		if (strcmp(r->group + (r->group[0] == '/'), group) != 0)
			continue;
		n = note_unlimited(o, r->shared ? r->axes : NULL, name, n);
		for (const struct axt_aux *x = r->aux; x; x = x->next)
			n = note_unlimited(o, &x->axes, name, n);
	}
	if (n == 0)
		return l;
	*a = (struct axt_attr){ .name = AXT_ZARR_UNLIMITED };
	axt_attr_set_list(a, name, n);
	return axt_attr_set(o->m, l, a);
}

/* Writes all groups that a path leads through. */
static int
put_groups(struct axt_zarr_out *o, const char *path, struct axt_err *e)
{
	const char *s = path;

	while ((s = strchr(s, '/'))) {
		const char *group = axt_strndup(o->m, path, (size_t)(s - path));
		const struct axt_out_rest *r = o->rest;
		bool again = false;

		if (!group)
			return nomem(e);
		for (const struct taken *t = o->taken; t && !again; t = t->next)
			again = strcmp(t->path, group) == 0;
		while (r && strcmp(r->group + (r->group[0] == '/'), group) != 0)
			r = r->next;
		if (!again &&
		    (take(o, group, NULL, &again, e) ||
			axt_zarr_put_group(o->dir.path, group,
			    with_unlimited(o, group, r ? r->attrs : NULL), &o->all, e)))
			return e->code;
		s++;
	}
	return 0;
}

/* Texts as UTF-32, each of *chars characters. NULL: out of memory. */
static uint32_t *
wide(const char *const *text, int64_t n, int64_t *chars)
{
	uint32_t *out, c;

	*chars = 1;
	for (int64_t i = 0; i < n; i++) {
		int64_t k = 0;

		for (const char *s = text[i]; *s; k++) {
			int len = axt_utf8(s, &c);

			s += MAX(len, 1);
		}
		*chars = MAX(*chars, k);
	}
	out = calloc((size_t)(n * *chars + 1), sizeof(*out));
	for (int64_t i = 0; out && i < n; i++) {
		uint32_t *to = out + i * *chars;

		for (const char *s = text[i]; *s; to++) {
			int len = axt_utf8(s, &c);

			*to = len > 0 ? c : (uint8_t)*s;
			s += MAX(len, 1);
		}
	}
	return out;
}

/* Writes an array that is in memory as one chunk, or in chunks as v->like has them. */
static int
put_small(struct axt_zarr_out *o, const char *path, const struct axt_out_var *v, bool text,
    const void *data, struct axt_err *e)
{
	struct axt_zarr_new a = { .dir = o->dir.path,
		.all = &o->all,
		.path = path,
		.v = v,
		.data = data,
		.filters = o->filters };
	uint32_t *chars = NULL;
	int64_t n;

	if (check_path(path, e) || put_groups(o, path, e))
		return e->code;
	if (!axt_axes_count(&v->axes, &n))
		return axt_fail(e, AXT_E_LIMIT, "\"%s\" is too large", path);
	for (int i = 0; i < v->axes.n; i++) {
		int64_t len = v->axes.a[i].len, most = v->like ? v->like->chunk[i] : len;

		a.chunk[i] = MAX(MIN(len, most), 1);
	}
	if (text && !(a.data = chars = wide(data, n, &a.chars)))
		return nomem(e);
	axt_zarr_put_array(o->m, &a, o->how, e);
	free(chars);
	return e->code;
}

/* Whether a result of that path has the coordinates of the axis, which may lie in a group above. */
static bool
is_result(const struct axt_zarr_out *o, const char *path, const struct axt_axis *a, bool above)
{
	for (int i = 0; i < o->n; i++) {
		const struct axt_out_var *v = o->k[i].v;

		if (strcmp(v->name, path) == 0)
			return above || (v->axes.n == 1 && axt_axes_find(&v->axes, a) == 0);
	}
	return false;
}

/* Whether a group, of n bytes, is above another one. */
static bool
is_above(const char *at, size_t n, const char *group)
{
	return n == 0 ? *group != '\0' : strncmp(group, at, n) == 0 && group[n] == '/';
}

/* The group above this one that the axis, or what goes along, is shared in; or NULL. */
static const char *
shared_in(const struct axt_zarr_out *o, const char *group, const struct axt_axis *a,
    const struct axt_aux *aux)
{
	const char *found = NULL;

	for (const struct axt_out_rest *r = o->rest; r; r = r->next) {
		const struct axt_axis *b = r->axes ? &r->axes->a[0] : NULL;
		const char *at = r->group + strspn(r->group, "/");
		size_t n = strlen(at);
		bool same = a ? b && axt_axis_same(a, b) && a->len == b->len &&
			axt_coord_equal(a->coord, b->coord)
			      : r->aux && axt_aux_same(r->aux, aux);

		if (r->shared && same && is_above(at, n, group) && (!found || strlen(found) < n))
			found = at;
	}
	return found;
}

/* The coordinates of the axes of an array, in its group, unless they are written already. */
static int
put_coords(struct axt_zarr_out *o, const char *group, const struct axt_axes *x, const char *of,
    struct axt_err *e)
{
	for (int i = 0; i < x->n; i++) {
		const struct axt_axis *a = &x->a[i];
		const char *name = axt_axis_spell(o->m, a), *path;
		struct axt_out_var v = { .name = name, .axes = { .n = 1, .a = { *a } } };
		const char *above = shared_in(o, group, a, NULL);
		const struct axt_coord *c;
		bool again;

		path = name ? in_group(o->m, above ? above : group, name) : NULL;
		if (!path)
			return nomem(e);
		/* a tensor along its own name is the coordinates itself */
		if (!a->coord || !a->coord->data || strcmp(path, of) == 0 ||
		    is_result(o, path, a, above))
			continue;
		if (take(o, path, a, &again, e))
			return e->code;
		if (!(c = axt_coord_as_stored(o->m, a->coord)))
			return nomem(e);
		v.dtype = c->text ? AXT_U8 : c->dtype;
		v.attrs = c->attrs;
		v.axes.a[0].label = c->label;
		v.like = c->like;
		if (!again && put_small(o, path, &v, c->text, c->data, e))
			return e->code;
	}
	return 0;
}

/*
 * The texts of an auxiliary dataset. If its last axis is that of the characters of a text, they are
 * joined along it and the axis is removed from *x, since Zarr has strings. NULL: out of memory.
 */
static const char *const *
joined(struct axt_arena *m, const struct axt_aux *aux, struct axt_axes *x)
{
	const char *const *text = aux->data;
	int64_t n, len = x->n > 0 ? x->a[x->n - 1].len : 0;
	const char **out;

	if (!aux->chars || aux->flags || len == 0 || !axt_axes_count(x, &n))
		return text;
	x->n--;
	out = axt_alloc(m, (size_t)(n / len + 1) * sizeof(*out));
	for (int64_t i = 0; out && i < n / len; i++) {
		struct axt_buf b = { 0 };

		for (int64_t k = 0; k < len; k++)
			axt_buf_adds(&b, text[i * len + k]);
		if (!(out[i] = axt_buf_text(m, &b)))
			return NULL;
	}
	return out;
}

static int
put_aux(struct axt_zarr_out *o, const char *group, const struct axt_aux *aux, struct axt_err *e)
{
	for (; aux; aux = aux->next) {
		const char *above = shared_in(o, group, NULL, aux);
		const char *path = in_group(o->m, above ? above : group, aux->name);
		struct axt_out_var v = { .name = aux->name,
			.dtype = aux->text ? AXT_U8 : aux->dtype,
			.axes = aux->axes,
			.like = aux->like,
			.attrs = aux->attrs };
		/* coordinates that nothing but what goes along lies at */
		const struct axt_axis *own = aux->axes.n == 1 ? &aux->axes.a[0] : NULL;
		const char *axis = own ? axt_axis_spell(o->m, own) : "";
		const void *data = aux->text ? joined(o->m, aux, &v.axes) : aux->data;
		bool there = false, again;

		if (!path || !axis || (aux->text && !data))
			return nomem(e);
		if (strcmp(axis, aux->name) != 0)
			own = NULL;
		for (const struct taken *t = o->taken; t && !there; t = t->next)
			there = strcmp(t->path, path) == 0;
		if (there) /* it goes along with several tensors */
			continue;
		if (take(o, path, own, &again, e) || put_small(o, path, &v, aux->text, data, e) ||
		    put_coords(o, above ? above : group, &v.axes, path, e))
			return e->code;
	}
	return 0;
}

static int
put_tensor(struct axt_zarr_out *o, struct kept *k, struct axt_err *e)
{
	const struct axt_out_var *v = k->v;
	struct axt_zarr_new a = { .dir = o->dir.path,
		.all = &o->all,
		.path = v->name,
		.v = v,
		.filters = o->filters };
	const char *slash = strrchr(v->name, '/'),
		   *group = axt_strndup(o->m, v->name, slash ? (size_t)(slash - v->name) : 0);

	if (!group)
		return nomem(e);
	memcpy(a.chunk, k->as.chunk, sizeof(a.chunk));
	if (put_groups(o, v->name, e) || (!o->apart && axt_wait_map(&k->wait, e)))
		return e->code;
	a.data = k->wait.mem; /* NULL if others write the chunks */
	if (axt_zarr_put_array(o->m, &a, o->how, e))
		return e->code;
	axt_wait_close(&k->wait);
	return put_coords(o, group, &v->axes, v->name, e) || put_aux(o, group, v->aux, e)
	    ? (int)e->code
	    : 0;
}

/*
 * Writes a group that is copied along with the tensors, which may have no arrays, and the datasets
 * in it. The name of the group comes from another file, so it is checked as names of arrays are:
 * ".." would be a folder beside the output.
 */
static int
put_rest(struct axt_zarr_out *o, const struct axt_out_rest *r, struct axt_err *e)
{
	const char *group = r->group + (r->group[0] == '/');
	const char *path = axt_sprintf(o->m, "%s/", group);

	if (!path)
		return nomem(e);
	if (*group && !r->link && (check_path(group, e) || put_groups(o, path, e)))
		return e->code;
	return put_aux(o, group, r->aux, e);
}

int
axt_zarr_out_finish(struct axt_zarr_out *o, struct axt_err *e)
{
	const struct axt_out_rest *r = o->rest;
	bool again;

	for (int i = 0; i < o->n; i++) {
		if (!o->apart && o->k[i].got != o->k[i].bytes)
			return axt_fail(e, AXT_E_IO, "only %lld of %lld bytes were computed",
			    (long long)o->k[i].got, (long long)o->k[i].bytes);
		if (take(o, o->k[i].v->name, NULL, &again, e))
			return e->code;
	}
	for (int i = 0; i < o->n; i++)
		if (put_tensor(o, &o->k[i], e))
			return e->code;
	for (; r; r = r->next)
		if (put_rest(o, r, e))
			return e->code;
	return axt_zarr_put_group(o->dir.path, "", with_unlimited(o, "", o->attrs), &o->all, e);
}

int
axt_zarr_out_close(struct axt_zarr_out *o, bool ok, struct axt_err *e)
{
	if (!o)
		return e->code;
	axt_temp_drop(&o->temp);
	o->temp = (struct axt_temp){ .fd = -1, .dirfd = -1, .slot = -1 };
	if (ok && !e->code)
		take_name(o, e);
	free_out(o);
	return e->code;
}
