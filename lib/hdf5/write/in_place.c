/*
 * in_place.c - assigns values to a slice of an existing dataset. The values wait until all are
 * known. Then they are written to a copy of the file, which is renamed over it, or to the file
 * itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "axt_cmd.h"
#include "hdf5/format/raw.h"
#include "bytes/boxes.h"
#include "bytes/repack.h"
#include "hdf5/write/output.h"

/* bytes of the file that are read, changed and written at once */
#define WINDOW (256 << 10)
/* with more bytes between elements, each is written separately */
#define FAR 8192
#define PSEUDO ((int64_t)4 << 20) /* bytes of a box, of a dataset without chunks */

struct axt_assign {
	struct axt_sink sink;
	struct axt_file *f;
	struct axt_dset *d;
	struct axt_slice_dim dim[AXT_MAX_RANK];
	bool in_place;
	const struct axt_lock *lock;
	int64_t count, memory;
	/*
	 * temp is the copy of the file that is written to: `own`, or that of an assignment to
	 * another slice of the file. In an assignment in place it only has a name, for messages.
	 */
	struct axt_temp own, *temp;
	struct axt_waiting values, old;
	int64_t got;
	/* the slice is one run of bytes of the copy: values are written at once */
	bool direct;
	uint64_t run; /* where it begins */
};

static int
io(const struct axt_assign *a, struct axt_err *e)
{
	return axt_fail(e, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s", a->temp->path,
	    strerror(errno));
}

/* The temporary whose folder other temporary files go to. */
static struct axt_temp *
beside(const struct axt_assign *a)
{
	return a->in_place ? NULL : a->temp;
}

static int
wait_open(struct axt_assign *a, struct axt_waiting *w, struct axt_err *e)
{
	return axt_wait_open(w, a->count * a->d->st.esize, MIN(AXT_WAIT_FEW, a->memory / 4),
	    beside(a), e);
}

/* ---- the sink ---- */

static int
take(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e)
{
	struct axt_assign *a = (struct axt_assign *)s;
	int64_t bytes = a->count * a->d->st.esize;

	if (off < 0 || n < 0 || off > bytes || n > bytes - off)
		return axt_fail(e, AXT_E_IO, "%s: more values than the slice has", a->temp->path);
	if (a->direct
		? axt_pwrite(a->temp->fd, p, (size_t)n, a->run + (uint64_t)off, a->temp->path, e)
		: axt_wait_put(&a->values, off, p, n, e))
		return e->code;
	__atomic_fetch_add(&a->got, n, __ATOMIC_RELAXED);
	return 0;
}

struct axt_sink *
axt_assign_sink(struct axt_assign *a)
{
	return &a->sink;
}

/* ---- contiguous storage ---- */

/* The slice as runs of n items of `item` bytes, `step` bytes apart, along dimension d. */
struct runs {
	int d;                              /* -1: there is one run */
	int64_t item, stride[AXT_MAX_RANK]; /* in bytes; of the storage's dimensions */
	uint64_t at; /* the offset of fixed positions in dimensions after d */
};

static bool
is_whole(const struct axt_assign *a, int d)
{
	const struct axt_slice_dim *s = &a->dim[d];

	return s->nspans == 1 && s->span[0].start == 0 && s->len == a->d->st.dims[d] &&
	    (s->len < 2 || s->span[0].step == 1);
}

static void
find_runs(const struct axt_assign *a, struct runs *r)
{
	const struct axt_storage *st = &a->d->st;
	bool records = st->layout == AXT_LAYOUT_RECORDS; /* other bytes lie between them */

	r->item = st->esize;
	r->at = st->offset;
	for (int64_t k = st->rank - 1, n = st->esize; k >= 0; k--) {
		r->stride[k] = n;
		n *= st->dims[k];
	}
	if (records)
		r->stride[0] = (int64_t)st->record;
	for (r->d = st->rank - 1; r->d >= records && is_whole(a, r->d); r->d--)
		r->item *= st->dims[r->d];
	for (; r->d >= 0 && a->dim[r->d].len == 1; r->d--)
		r->at += (uint64_t)(a->dim[r->d].span[0].start * r->stride[r->d]);
}

/* Moves n bytes between the file and p. */
static int
move(struct axt_assign *a, int fd, bool reading, uint64_t at, void *p, size_t n, struct axt_err *e)
{
	if (!reading)
		return axt_pwrite(fd, p, n, at, a->temp->path, e);
	if (axt_read_at(fd, p, n, at) == n)
		return 0;
	errno = errno ? errno : EIO;
	return io(a, e);
}

/* Moves n items that are adjacent in p (backwards where dir is -1) and `step` apart in the file. */
static int
move_apart(struct axt_assign *a, int fd, bool reading, uint64_t at, int64_t step, uint8_t *p,
    int dir, int64_t n, int64_t item, uint8_t *window, struct axt_err *e)
{
	int64_t most = MAX(1, (WINDOW - item) / step + 1);

	for (int64_t k; n > 0; n -= k, at += (uint64_t)(k * step), p += k * dir * item) {
		size_t bytes;

		k = step > FAR ? 1 : MIN(n, most);
		bytes = (size_t)((k - 1) * step + item);
		if (k == 1) {
			if (move(a, fd, reading, at, p, bytes, e))
				return e->code;
			continue;
		}
		if (move(a, fd, true, at, window, bytes, e))
			return e->code;
		for (int64_t i = 0; i < k; i++) {
			uint8_t *here = p + i * dir * item, *there = window + i * step;

			memcpy(reading ? here : there, reading ? there : here, (size_t)item);
		}
		if (!reading && move(a, fd, false, at, window, bytes, e))
			return e->code;
	}
	return 0;
}

/* Moves the current box of b, index by index in the dimensions before those of the runs. */
static int
move_box(struct axt_assign *a, int fd, bool reading, const struct runs *r,
    const struct axt_boxes *b, uint8_t *values, uint8_t *window, struct axt_err *e)
{
	const struct axt_piece *q = axt_box(b, r->d);
	int64_t i[AXT_MAX_RANK] = { 0 }, step = q->step * r->stride[r->d];
	int d, bad;

	do {
		uint64_t at = r->at + (uint64_t)(q->index * r->stride[r->d]);
		uint8_t *p = values + q->place * b->stride[r->d] * b->esize;

		for (d = 0; d < r->d; d++) {
			const struct axt_piece *o = axt_box(b, d);

			at += (uint64_t)((o->index + i[d] * o->step) * r->stride[d]);
			p += (o->place + i[d] * o->dir) * b->stride[d] * b->esize;
		}
		if (step == r->item && q->dir > 0)
			bad = move(a, fd, reading, at, p, (size_t)(q->len * r->item), e);
		else
			bad = move_apart(a, fd, reading, at, step, p, q->dir, q->len, r->item,
			    window, e);
		for (d = r->d - 1; d >= 0 && ++i[d] == axt_box(b, d)->len; d--)
			i[d] = 0;
	} while (!bad && d >= 0);
	return bad;
}

/* Moves the values of the slice between w and contiguous storage in fd. */
static int
move_contiguous(struct axt_assign *a, int fd, bool reading, struct axt_waiting *w,
    struct axt_err *e)
{
	struct axt_boxes b;
	uint8_t *window;
	struct runs r;
	bool fresh;

	find_runs(a, &r);
	if (r.d < 0)
		return move(a, fd, reading, r.at, w->mem, (size_t)w->bytes, e);
	if (axt_boxes_init(&b, r.d + 1, a->d->st.esize, a->dim, NULL, e))
		return e->code;
	for (int64_t k = r.d, n = r.item / b.esize; k >= 0; n *= b.len[k--])
		b.stride[k] = n;
	window = malloc(WINDOW + FAR);
	if (!window)
		axt_fail(e, AXT_E_MEM, "out of memory");
	while (window && !e->code && axt_boxes_next(&b, &fresh))
		move_box(a, fd, reading, &r, &b, w->mem, window, e);
	free(window);
	axt_boxes_free(&b);
	return e->code;
}

/* Whether the values lie in the file as they are, so that they are written by their places. */
static bool
lies_plain(const struct axt_storage *st)
{
	return st->layout == AXT_LAYOUT_CONTIGUOUS || st->layout == AXT_LAYOUT_RECORDS;
}

/* ---- other storage ---- */

/* Writes the values of the slice by libhdf5; chunks are decoded and packed in assign.c. */
static int
write_by_hdf5(struct axt_assign *a, int fd, struct axt_err *e)
{
	struct axt_storage *st = &a->d->st;
	bool chunked = st->layout == AXT_LAYOUT_CHUNKED;
	int64_t box[AXT_MAX_RANK], bytes = st->esize;
	struct axt_boxes b;

	for (int d = st->rank - 1; d >= 0; d--) {
		box[d] = chunked ? st->chunk[d] : MAX(1, MIN(st->dims[d], PSEUDO / bytes));
		bytes *= box[d];
	}
	if (axt_boxes_init(&b, st->rank, st->esize, a->dim, box, e))
		return e->code;
	if (chunked) {
		axt_h5_assign_chunks(fd, a->f->path, a->d->path, st, &b, a->memory, beside(a),
		    a->values.mem, e);
	} else {
		axt_swap(st, a->values.mem, a->count);
		axt_h5_assign(fd, a->f->path, a->d->path, &b, (size_t)bytes, a->values.mem, e);
	}
	axt_boxes_free(&b);
	return e->code;
}

/* ---- the values before the assignment ---- */

static int
read_old(struct axt_assign *a, struct axt_err *e)
{
	int fd = axt_file_take(a->f, e);

	if (fd < 0)
		return e->code;
	move_contiguous(a, fd, true, &a->old, e);
	axt_file_give(a->f);
	return e->code;
}

int
axt_assign_old(struct axt_assign *a, struct axt_storage *out, struct axt_err *e)
{
	const struct axt_storage *st = &a->d->st;

	if (wait_open(a, &a->old, e) || axt_wait_map(&a->old, e))
		return e->code;
	if (!lies_plain(st))
		axt_slice_values(st, a->dim, a->count, a->memory, beside(a), a->old.mem, e);
	else if (read_old(a, e) == 0)
		axt_swap(st, a->old.mem, a->count);
	*out = (struct axt_storage){ .layout = AXT_LAYOUT_COMPACT,
		.dtype = st->dtype,
		.esize = st->esize,
		.fd = -1,
		.mem = a->old.mem,
		.from = st->from,
		.count = a->count };
	return e->code;
}

/* ---- begin and end ---- */

static void
free_assign(struct axt_assign *a)
{
	axt_wait_close(&a->values);
	axt_wait_close(&a->old);
	axt_temp_drop(&a->own);
	free(a);
}

/* Whether the slice is one run of bytes in a copy, so that values need not wait. */
static bool
is_one_run(const struct axt_assign *a, uint64_t *at)
{
	const struct axt_storage *st = &a->d->st;
	struct runs r;

	if (a->in_place || st->layout != AXT_LAYOUT_CONTIGUOUS || st->swap)
		return false;
	find_runs(a, &r);
	for (int d = 0; d < r.d; d++) {
		if (a->dim[d].len != 1)
			return false;
		r.at += (uint64_t)(a->dim[d].span[0].start * r.stride[d]);
	}
	if (r.d >= 0) {
		if (a->dim[r.d].nspans != 1 || a->dim[r.d].span[0].step != 1 ||
		    r.item != r.stride[r.d])
			return false;
		r.at += (uint64_t)(a->dim[r.d].span[0].start * r.stride[r.d]);
	}
	*at = r.at;
	return true;
}

int
axt_assign_open(struct axt_file *f, struct axt_dset *d, const struct axt_slice_dim *dim,
    bool in_place, const struct axt_lock *lock, const struct axt_assign *first, int64_t memory,
    struct axt_assign **out, struct axt_err *e)
{
	struct axt_assign *a = calloc(1, sizeof(*a));
	char word[480];

	*out = NULL;
	if (!a)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (d->st.cut) {
		free(a);
		axt_fail(e, AXT_E_ARG,
		    "%s has %lld records in the file, and its axis %lld: the others are not there "
		    "to be assigned to",
		    d->st.from, (long long)d->st.stored, (long long)d->dims[0]);
		axt_hint(e, "axt-copy %s -o FILE makes a file that has them all",
		    axt_quoted_to(word, sizeof(word), f->path));
		return e->code;
	}
	a->sink.write = take;
	a->f = f;
	a->d = d;
	a->in_place = in_place;
	a->lock = lock;
	a->memory = memory;
	a->count = 1;
	a->values.fd = a->old.fd = a->own.fd = a->own.dirfd = a->own.slot = -1;
	a->temp = first ? first->temp : &a->own;
	axt_escape_to(a->own.path, sizeof(a->own.path), f->path);
	for (int i = 0; i < d->rank; i++) {
		a->dim[i] = dim[i];
		a->count *= dim[i].len;
	}
	if (axt_h5_closed(f, e) == AXT_OK && d->st.layout == AXT_LAYOUT_CHUNKED)
		axt_repack_fits(&d->st, true, memory, e);
	if (!e->code && !in_place && !first &&
	    axt_temp_open(a->temp, f->path, false, false, e) == 0)
		axt_temp_copy(a->temp, lock->fd, e);
	a->direct = is_one_run(a, &a->run);
	if (!e->code && !a->direct)
		wait_open(a, &a->values, e);
	if (e->code)
		free_assign(a);
	else
		*out = a;
	return e->code;
}

int
axt_assign_write(struct axt_assign *a, struct axt_err *e)
{
	int fd = a->in_place ? a->lock->fd : a->temp->fd;

	if (a->got != a->count * a->d->st.esize)
		return axt_fail(e, AXT_E_IO, "%s: only %lld of %lld bytes were computed",
		    a->temp->path, (long long)a->got, (long long)(a->count * a->d->st.esize));
	if (a->direct)
		return 0;
	if (axt_wait_map(&a->values, e))
		return e->code;
	if (a->in_place)
		axt_lock_changes(a->lock);
	if (!lies_plain(&a->d->st))
		return write_by_hdf5(a, fd, e);
	axt_swap(&a->d->st, a->values.mem, a->count);
	return move_contiguous(a, fd, false, &a->values, e);
}

int
axt_assign_close(struct axt_assign *a, bool ok, struct axt_err *e)
{
	if (!a)
		return e->code;
	if (ok && !a->in_place && a->temp == &a->own)
		axt_temp_commit_locked(a->temp, a->lock, e);
	free_assign(a);
	return e->code;
}
