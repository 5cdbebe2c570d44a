/*
 * saved.c - saved expressions: a dataset without values, whose attribute axt_plan has the text of
 * the plan that gives them (axt-pipelines(7)). Inputs are named relative to the folder of the file.
 * When the expression is read, they must be unchanged, and lie in that folder or below. Where HDF5
 * has a way to say the same, the dataset is a virtual dataset as well, for other programs; axt uses
 * the text.
 *
 *	file 0 size=8320 mtime=1700000000 ns=0 name=sub/a.nc
 *	node 0 leaf f32 [x=4] file=0 path=/t sum=0123456789abcdef
 *	data 1 bytes=8 01000000ffffffff
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wire/text.h"
#include "bytes/bytes.h"
#include "hdf5/format/virtual.h"
#include "inputs/plan_inputs.h"

#define INPUTS (1 << 18)
#define DATA 30000 /* the largest tensor in memory, in bytes, that is stored in the text */

/* ---- checksums of datasets ---- */

/* bytes that a checksum covers: all, or pieces of that total spread evenly */
#define SUMMED ((int64_t)256 << 20)
#define PIECE ((int64_t)1 << 20)

/* Adds n bytes of the file from addr on to the sum. */
static int
add_bytes(const struct axt_storage *st, uint64_t addr, int64_t n, uint8_t *buffer, uint64_t *sum,
    struct axt_err *e)
{
	for (int64_t at = 0, m; at < n; at += m) {
		m = MIN(PIECE, n - at);
		if (axt_pread(st, addr + (uint64_t)at, (size_t)m, buffer, e))
			return e->code;
		*sum = axt_hash(*sum, buffer, (size_t)m);
	}
	return 0;
}

/* The same for chunks that lie apart. */
static int
add_apart(const struct axt_storage *st, uint64_t *sum, struct axt_err *e)
{
	struct axt_decoder *z = axt_decoder_new();
	int64_t step = st->count * st->esize / SUMMED + 1;

	if (!z)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int64_t c = 0; c < st->nchunks && !e->code; c += step) {
		size_t n;
		const uint8_t *p = axt_chunk_apart(st, z, c, &n, e);

		*sum = axt_hash(*sum, &n, sizeof(n));
		if (!e->code && n != SIZE_MAX)
			*sum = axt_hash(*sum, p, n);
	}
	axt_decoder_free(z);
	return e->code;
}

static int
add_chunks(const struct axt_storage *st, uint8_t *buffer, uint64_t *sum, struct axt_err *e)
{
	int64_t all = 0, step;

	for (int64_t c = 0; c < st->nchunks; c++)
		all += st->chunks[c].addr != UINT64_MAX ? st->chunks[c].size : 0;
	step = all / SUMMED + 1;
	for (int64_t c = 0; c < st->nchunks; c += step) {
		bool there = st->chunks[c].addr != UINT64_MAX;

		*sum = axt_hash(*sum, &there, sizeof(there));
		if (there && add_bytes(st, st->chunks[c].addr, st->chunks[c].size, buffer, sum, e))
			return e->code;
	}
	return 0;
}

/* The same for a member of records that are one after another: of its bytes alone. */
static int
add_records(const struct axt_storage *st, uint8_t *buffer, uint64_t *sum, struct axt_err *e)
{
	int64_t n = st->dims[0], record = (int64_t)st->record,
		bytes = st->count / MAX(n, 1) * st->esize;
	int64_t many = MAX(PIECE / record, 1), step = many * (n * bytes / SUMMED + 1);

	for (int64_t at = 0; at < n && !e->code; at += step) {
		int64_t k = MIN(many, n - at);
		uint64_t addr = st->offset + (uint64_t)(at * record);

		if (k == 1) {
			add_bytes(st, addr, bytes, buffer, sum, e);
			continue;
		}
		if (axt_pread(st, addr, (size_t)((k - 1) * record + bytes), buffer, e))
			return e->code;
		for (int64_t i = 0; i < k; i++)
			*sum = axt_hash(*sum, buffer + i * record, (size_t)bytes);
	}
	return e->code;
}

/*
 * The checksum of the bytes that a dataset is stored in. Copies of a file have the same, whatever
 * their times.
 */
static int
sum_of(const struct axt_storage *st, uint64_t *sum, struct axt_err *e)
{
	int64_t all = st->count * st->esize, step = PIECE * (all / SUMMED + 1);
	uint8_t *buffer;

	*sum = axt_hash(0, &st->count, sizeof(st->count));
	if (st->mem)
		*sum = axt_hash(*sum, st->mem, (size_t)all);
	if (st->mem ||
	    (st->layout != AXT_LAYOUT_CONTIGUOUS && st->layout != AXT_LAYOUT_CHUNKED &&
		st->layout != AXT_LAYOUT_RECORDS))
		return 0;
	if (st->apart)
		return add_apart(st, sum, e);
	buffer = malloc((size_t)PIECE);
	if (!buffer)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (st->layout == AXT_LAYOUT_CHUNKED)
		add_chunks(st, buffer, sum, e);
	if (st->layout == AXT_LAYOUT_RECORDS)
		add_records(st, buffer, sum, e);
	for (int64_t at = 0; st->layout == AXT_LAYOUT_CONTIGUOUS && at < all && !e->code;
	     at += step)
		add_bytes(st, st->offset + (uint64_t)at, MIN(PIECE, all - at), buffer, sum, e);
	free(buffer);
	return e->code;
}

/* ---- writing ---- */

struct writer {
	struct axt_graph *g;
	const char *folder; /* folder of the file that will be written, without links */
	const char *target; /* name of that file as typed */
	struct axt_buf inputs;
	struct axt_table known; /* inputs of type struct input, by key */
	int n;
};

/* An input that has a line in the text. key is the file or the memory. */
struct input {
	const void *key;
	const char *name;
	int number;
};

static const struct input *
known(const struct writer *w, const void *key)
{
	for (const struct axt_entry *x = axt_table_first(&w->known, axt_hash_pointer(key)); x;
	     x = axt_table_next(x)) {
		const struct input *y = x->value;

		if (y->key == key)
			return y;
	}
	return NULL;
}

/* Adds an input and returns its number; -1 if out of memory. */
static int
add_input(struct writer *w, const void *key, const char *name)
{
	struct input *x = axt_alloc(w->g->m, sizeof(*x));

	if (!x || !axt_table_add(w->g->m, &w->known, axt_hash_pointer(key), x)) {
		axt_fail(&w->g->err, AXT_E_MEM, "out of memory");
		return -1;
	}
	*x = (struct input){ key, name, w->n };
	return w->n++;
}

static int
too_many(struct writer *w)
{
	axt_fail(&w->g->err, AXT_E_LIMIT, "an expression with more than %d inputs cannot be saved",
	    INPUTS);
	return -1;
}

/* The path that leads from the folder to `path`; both are absolute and without links. */
static char *
relative(struct axt_arena *m, const char *folder, const char *path)
{
	struct axt_buf b = { 0 };
	size_t same = 0, i;

	for (i = 0; folder[i] && folder[i] == path[i]; i++)
		if (folder[i] == '/')
			same = i + 1;
	if (!folder[i] && path[i] == '/')
		same = i + 1;
	else if (same < strlen(folder)) {
		axt_buf_adds(&b, "../");
		for (const char *p = folder + same; *p; p++)
			if (*p == '/')
				axt_buf_adds(&b, "../");
	}
	axt_buf_adds(&b, path + same);
	return axt_buf_text(m, &b);
}

/*
 * Adds a file as an input. Its path may come from another process, so it is checked that the path
 * leads to this file.
 */
static int
file_input(struct writer *w, const struct axt_file *f)
{
	const char *name = axt_escape(w->g->m, f->path);
	char path[PATH_MAX];
	const struct input *x = known(w, f);
	char *from;

	if (x)
		return x->number;
	if (w->n == INPUTS)
		return too_many(w);
	if (f->stream || strcmp(f->path, "-") == 0 || !axt_same_file(f, f->path, &w->g->err) ||
	    !realpath(f->path, path)) {
		axt_fail(&w->g->err, AXT_E_ARG,
		    "%s cannot be named in a saved expression: it is not found by that name", name);
		return -1;
	}
	if (axt_same_file(f, w->target, &w->g->err) || w->g->err.code) {
		axt_fail(&w->g->err, AXT_E_ARG,
		    "%s is read by the expression that is to be saved there", name);
		return -1;
	}
	from = relative(w->g->m, w->folder, path);
	if (!from) {
		axt_fail(&w->g->err, AXT_E_MEM, "out of memory");
		return -1;
	}
	if (strncmp(from, "../", 3) == 0)
		axt_warn(w->g,
		    "%s lies outside the folder of the expression: who reads it needs "
		    "--allow-external",
		    name);
	axt_plan_input_write(&w->inputs,
	    &(struct axt_plan_input){ .number = w->n, .id = f->id, .name = from });
	axt_buf_adds(&w->inputs, "\n");
	return add_input(w, f, from);
}

static int
data_input(struct writer *w, const struct axt_storage *st)
{
	int64_t n = st->count * axt_size(st->dtype);
	const struct input *x = known(w, st->mem);

	if (x)
		return x->number;
	if (w->n == INPUTS)
		return too_many(w);
	if (n > DATA) {
		axt_fail(&w->g->err, AXT_E_LIMIT,
		    "%lld bytes in memory are too many for a saved expression", (long long)n);
		return -1;
	}
	axt_plan_input_write(&w->inputs,
	    &(struct axt_plan_input){ .kind = AXT_INPUT_DATA, .number = w->n, .bytes = n });
	axt_buf_adds(&w->inputs, " ");
	for (int64_t k = 0; k < n; k++)
		axt_buf_addf(&w->inputs, "%02x", ((const uint8_t *)st->mem)[k]);
	axt_buf_adds(&w->inputs, "\n");
	return add_input(w, st->mem, NULL);
}

static bool
leaf_words(void *ctx, const struct axt_expr *leaf, struct axt_buf *b)
{
	struct writer *w = ctx;
	const struct axt_storage *st = leaf->u.leaf.st;
	struct axt_file *f;
	const struct axt_dset *d = axt_leaf_dataset(w->g, st, &f);
	int i = d ? file_input(w, f) : st->mem ? data_input(w, st) : -1;
	char text[20];
	uint64_t sum;

	if (d && !axt_has_path(f, d)) {
		axt_fail(&w->g->err, AXT_E_ARG, "%s: what axt-from takes from a file is not saved",
		    axt_escape(w->g->m, f->path));
		axt_hint(&w->g->err, "npy, safetensors and PNM files are operands as they are");
	}
	if (i < 0 || w->g->err.code || (d && sum_of(st, &sum, &w->g->err)))
		return false;
	if (d)
		snprintf(text, sizeof(text), "%016" PRIx64, sum);
	axt_plan_leaf_write(b,
	    &(struct axt_plan_leaf){ .data = !d,
		.number = i,
		.path = d ? d->path : NULL,
		.sum = d ? text : NULL });
	return true;
}

/* The folder of the file that target names, without links. *to is the path of that file. */
static const char *
folder_of(struct axt_graph *g, const char *target, const char **to)
{
	const char *file, *dset;
	char *path, *slash, real[PATH_MAX];

	if (!target || strcmp(target, "-") == 0) {
		axt_fail(&g->err, AXT_E_ARG,
		    "a saved expression needs the name of a file: -o FILE");
		return NULL;
	}
	if (axt_target_split(g->m, target, &file, &dset, &g->err))
		return NULL;
	*to = file;
	if (realpath(file, real)) /* the link stays, and the file it leads to is replaced */
		file = real;
	else if (!axt_is_absent(errno))
		axt_fail(&g->err, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s",
		    axt_escape(g->m, target), strerror(errno));
	path = g->err.code ? NULL : axt_strdup(g->m, file);
	slash = path ? strrchr(path, '/') : NULL;
	if (slash)
		slash[slash == path] = 0;
	if (path && realpath(slash ? path : ".", real))
		return axt_strdup(g->m, real);
	axt_fail(&g->err, path ? AXT_E_IO : AXT_E_MEM, "%s: %s", axt_escape(g->m, target),
	    strerror(errno));
	return NULL;
}

/* Replaces the names in the maps by those that HDF5 can find from the new file. */
static const struct axt_virtual *
named(struct writer *w, const struct axt_virtual *v)
{
	for (int k = 0; v && k < v->n; k++) {
		v->map[k].file = known(w, v->map[k].of)->name;
		v->map[k].path = v->map[k].dset->path;
	}
	return v;
}

int
axt_saved_var(struct axt_graph *g, struct axt_expr *e, const char *target, struct axt_out_var *v)
{
	struct writer w = { .g = g };
	struct axt_attr *a = axt_alloc(g->m, sizeof(*a));
	struct axt_buf nodes = { 0 }, text = { 0 };
	struct axt_plan_out out = { v->name, NULL };
	const char *why;

	w.folder = folder_of(g, target, &w.target);
	if (!w.folder || !a || axt_unify(g, &e, 1, &out.e)) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return g->err.code;
	}
	if (!axt_plan_write(g, &out, 1, leaf_words, &w, &nodes))
		axt_fail(&g->err, AXT_E_ARG,
		    "%s comes through a pipe whose writer offers no plan: "
		    "name a file",
		    e->from);
	axt_buf_adds(&text, AXT_PLAN_VERSION "\n");
	axt_buf_add(&text, w.inputs.p ? w.inputs.p : "", w.inputs.n);
	axt_buf_add(&text, nodes.p ? nodes.p : "", nodes.n);
	if (text.bad || nodes.bad || w.inputs.bad)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (text.n > AXT_PLAN_BYTES)
		axt_fail(&g->err, AXT_E_LIMIT,
		    "the expression takes %zu bytes as text: %d can be saved", text.n,
		    AXT_PLAN_BYTES);
	*a = (struct axt_attr){ .name = "axt_plan",
		.kind = AXT_ATTR_TEXT,
		.text = g->err.code ? NULL : axt_strdup(g->m, text.p) };
	v->attrs = a->text ? axt_attr_set(g->m, v->attrs, a) : NULL;
	v->none = true;
	if (g->err.code == 0)
		v->virt = named(&w, axt_virtual_of(g, out.e, &why));
	if (!v->attrs)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_buf_release(&nodes);
	axt_buf_release(&text);
	axt_buf_release(&w.inputs);
	return g->err.code;
}

/* ---- reading ---- */

struct reader {
	struct axt_graph *g;
	const char *from, *folder;
	bool external;
	/* why an input cannot be used; the reader of the plan only knows in which line */
	struct axt_err err;
	struct read_input {
		struct axt_file *file;
		const char *name;
		/*
		 * Size or time differ: the file was written, or copied, since the expression was
		 * saved.
		 */
		bool changed;
		void *data;
		int64_t bytes;
	} * in;
	int n;
};

/* Makes space for one more input. */
static bool
reserve_input(struct reader *r)
{
	struct read_input *p = r->in;

	if (r->n && (r->n & (r->n - 1)) != 0)
		return true;
	r->in = axt_alloc(r->g->m, (size_t)MAX(1, 2 * r->n) * sizeof(*p));
	if (r->in && r->n)
		memcpy(r->in, p, (size_t)r->n * sizeof(*p));
	return r->in != NULL;
}

static bool
is_below(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	return strncmp(path, folder, n) == 0 && (path[n] == '/' || (n == 1 && path[0] == '/'));
}

/* The path of an open file, without links. */
static bool
path_of(int fd, char real[PATH_MAX])
{
	char proc[64];
	ssize_t n;

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	n = readlink(proc, real, PATH_MAX - 1);
	real[MAX(n, 0)] = 0;
	return n > 0 && real[0] == '/';
}

/*
 * Opens an input for reading. `at` is a descriptor of the input that was opened with O_PATH. The
 * checks of path and kind are made on this descriptor, and the file is opened through it, so that
 * nobody can exchange the file, or a link, in between.
 */
static struct axt_file *
open_checked(struct axt_graph *g, const char *from, const char *folder, const char *shown, int at,
    bool external, struct axt_err *e)
{
	char real[PATH_MAX], proc[64];
	const char *path;
	struct stat st;
	int fd;

	if (fstat(at, &st) || !path_of(at, real)) {
		axt_fail(e, AXT_E_IO, "%s: its input %s: %s", from, shown, strerror(errno));
		return NULL;
	}
	if (!external && !is_below(folder, real)) {
		axt_fail(e, AXT_E_ARG, "%s: its input %s lies outside its folder", from, shown);
		axt_hint(e, "--allow-external reads it all the same");
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		axt_fail(e, AXT_E_FORMAT, "%s: its input %s is no file", from, shown);
		return NULL;
	}
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", at);
	fd = axt_open_reading(proc);
	path = axt_strdup(g->m, real);
	if (fd < 0 || !path) {
		axt_fail(e,
		    fd >= 0                    ? AXT_E_MEM
			: axt_is_absent(errno) ? AXT_E_CHANGED
					       : AXT_E_IO,
		    "%s: its input %s: %s", from, shown, strerror(fd < 0 ? errno : ENOMEM));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	return axt_open_fd(g, fd, path);
}

struct axt_file *
axt_open_input(struct axt_graph *g, const char *from, const char *folder, const char *name,
    bool external, struct axt_err *e)
{
	const char *path = name[0] == '/' ? name : axt_sprintf(g->m, "%s/%s", folder, name),
		   *shown = axt_escape(g->m, name);
	struct axt_file *f;
	int at = path ? open(path, O_PATH | O_CLOEXEC) : -1;

	if (at < 0) {
		axt_fail(e,
		    !path                      ? AXT_E_MEM
			: axt_is_absent(errno) ? AXT_E_CHANGED
					       : AXT_E_IO,
		    "%s: its input %s: %s", from, shown, strerror(path ? errno : ENOMEM));
		return NULL;
	}
	f = open_checked(g, from, folder, shown, at, external, e);
	close(at);
	if (!f && !e->code)
		*e = g->err;
	return f;
}

static bool
open_input(struct reader *r, const struct axt_plan_input *x)
{
	struct axt_file *f = axt_open_input(r->g, r->from, r->folder, x->name, r->external,
	    &r->err);

	if (!f)
		return false;
	if (f->stream)
		return axt_fail(&r->err, AXT_E_FORMAT, "%s: its input %s is no file", r->from,
			   axt_escape(r->g->m, x->name)) == 0;
	r->in[r->n++] = (struct read_input){ .file = f,
		.name = axt_escape(r->g->m, x->name),
		.changed = f->id.size != x->id.size || f->id.mtime.tv_sec != x->id.mtime.tv_sec ||
		    f->id.mtime.tv_nsec != x->id.mtime.tv_nsec };
	return true;
}

/*
 * Whether a dataset of an input may be read. If the file has changed, the dataset must have the
 * checksum that it had, unless it is a variable, or the user allows changes.
 */
static bool
may_be_read(struct reader *r, const struct read_input *in, const struct axt_dset *d,
    const char *sum)
{
	const struct axt_tensor_kind *k = axt_kind_of(d->attrs);
	uint64_t now;

	if (!in->changed || r->g->stale || (k && k->trainable))
		return true;
	if (sum && sum_of(&d->st, &now, &r->err))
		return false;
	if (sum && strtoull(sum, NULL, 16) == now)
		return true;
	axt_fail(&r->err, AXT_E_CHANGED,
	    "%s: its input %s has other values than when the expression "
	    "was saved",
	    r->from, in->name);
	axt_hint(&r->err, "--stale reads it all the same");
	return false;
}

static int
digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
take_data(struct reader *r, const char *hex, int64_t n)
{
	uint8_t *p;

	if (n > DATA || (int64_t)strlen(hex) != 2 * n || !(p = axt_alloc(r->g->m, (size_t)n + 1)))
		return false;
	for (int64_t i = 0; i < n; i++) {
		int hi = digit(hex[2 * i]), lo = digit(hex[2 * i + 1]);

		if (hi < 0 || lo < 0)
			return false;
		p[i] = (uint8_t)(hi << 4 | lo);
	}
	r->in[r->n].data = p;
	r->in[r->n++].bytes = n;
	return true;
}

static bool
line(void *ctx, char *s)
{
	struct reader *r = ctx;
	struct axt_plan_input x;

	if (r->n == INPUTS || !reserve_input(r) || !axt_plan_input_read(s, &x) || x.number != r->n)
		return false;
	if (x.kind == AXT_INPUT_DATA)
		return take_data(r, x.hex, x.bytes);
	return x.kind == AXT_INPUT_FILE && !x.handed && open_input(r, &x);
}

/* Fails because an input changed in a way that no option allows. */
static struct axt_expr *
lost(struct reader *r, const struct read_input *in, const char *path, const char *why)
{
	if (r->g->err.code == AXT_E_MEM || r->g->err.code == AXT_E_IO)
		r->err = r->g->err; /* this error says nothing about the input */
	axt_fail(&r->err, AXT_E_CHANGED, "%s: its input %s:%s %s", r->from, in->name,
	    axt_escape(r->g->m, path + (*path == '/')), why);
	return NULL;
}

static struct axt_expr *
leaf(void *ctx, enum axt_dtype d, const struct axt_axes *x, char *s)
{
	struct reader *r = ctx;
	const struct read_input *in;
	struct axt_plan_leaf w;
	struct axt_dset *set;
	struct axt_expr *e;

	if (!axt_plan_leaf_read(s, &w) || w.number >= r->n)
		return NULL;
	in = &r->in[w.number];
	if (w.data)
		return axt_plan_data(r->g, d, x, in->data, in->bytes);
	if (!in->file || !w.path)
		return NULL;
	if (axt_file_find(r->g->m, in->file, w.path, &set, &r->g->err) ||
	    strcmp(set->path, w.path) != 0 || axt_dset_load(r->g->m, in->file, set, &r->g->err))
		return lost(r, in, w.path, "cannot be read any more");
	if (axt_attr_find(set->attrs, "axt_plan") || set->virt)
		return lost(r, in, w.path, "is put together of others now");
	e = axt_dataset_leaf(r->g, in->file, set, d, x);
	if (!e)
		return lost(r, in, w.path,
		    "has another shape or dtype than when the expression was saved");
	return may_be_read(r, in, set, w.sum) ? e : NULL;
}

/* The folder is found by the descriptor, whatever path the file was opened by. */
const char *
axt_input_folder(struct axt_graph *g, struct axt_file *f)
{
	char real[PATH_MAX], *slash;
	const char *folder;
	bool found;
	int fd;

	if (f->stream || (fd = axt_file_take(f, &g->err)) < 0)
		return NULL;
	errno = 0;
	found = path_of(fd, real);
	axt_file_give(f);
	if (!found && errno)
		axt_fail(&g->err, AXT_E_IO, "%s: its folder cannot be told: %s",
		    axt_escape(g->m, f->path), strerror(errno));
	if (!found)
		return NULL;
	slash = strrchr(real, '/');
	slash[slash == real] = 0;
	folder = axt_strdup(g->m, real);
	if (!folder)
		axt_node_failed(g);
	return folder;
}

struct axt_expr **
axt_saved_plan(struct axt_graph *g, struct axt_file *f, const struct axt_dset *d,
    const struct axt_expr *e, bool external)
{
	const char *text = axt_attr_text(d->attrs, "axt_plan"), *why = "it is no text";
	struct axt_plan_reader pr = { .line = line, .leaf = leaf };
	struct reader *r = axt_alloc(g->m, sizeof(*r));
	struct axt_plan_out out[AXT_PLAN_OUTS];
	struct axt_expr **plan = axt_alloc(g->m, sizeof(struct axt_expr *));
	int n = 0;

	if (!r || !plan) {
		axt_node_failed(g);
		return NULL;
	}
	*r = (struct reader){ .g = g,
		.from = e->from,
		.folder = axt_input_folder(g, f),
		.external = external };
	pr.ctx = r;
	if (!r->folder) {
		axt_fail(&g->err, AXT_E_ARG,
		    "%s is a saved expression: it is read from its file, not from a pipe", e->from);
		return NULL;
	}
	if (text && axt_plan_read(g, text, strlen(text), &pr, out, &n, &why) && n == 1 &&
	    axt_stands_for(out[0].e, e)) {
		*plan = axt_relabel(g, out[0].e, &e->axes, axt_identity);
		return axt_bad(*plan) ? NULL : plan;
	}
	if (r->err.code)
		g->err = r->err;
	else if (!why || axt_arena_failed(g->m))
		axt_fail(&g->err, AXT_E_MEM, "%s: out of memory", e->from);
	else
		axt_fail(&g->err, AXT_E_DAMAGED, "%s: its expression is damaged: %s", e->from,
		    n ? "it does not give what the file describes" : why);
	return NULL;
}
