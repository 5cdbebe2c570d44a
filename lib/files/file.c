/* file.c - opens a file, loads its datasets, checks that it has not changed, and closes it. */
#define _GNU_SOURCE
#include "hdf5/format/growth.h"
#include "hdf5/format/raw.h"
#include "files/inner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/bytes.h"
#include "bytes/deeds.h"
#include "zarr/zarr.h"

#define SPOOL_MEMORY ((int64_t)32 << 20)
#define PIPE_SIZE (1 << 20)

static int
nomem(struct axt_err *e)
{
	return axt_fail(e, AXT_E_MEM, "out of memory");
}

const char *
axt_h5_where(struct axt_arena *m, const struct axt_file *f, const struct axt_dset *d)
{
	const char *file = axt_escape(m, f->path), *path = axt_escape(m, d->path);
	bool root = path && path[0] == '/' && !strchr(path + 1, '/');

	return file && path ? axt_sprintf(m, "%s:%s", file, path + root) : NULL;
}

/* ---- descriptor ---- */

/*
 * The number of an inherited descriptor that is a pipe, or -1. The descriptor itself is used, since
 * the pipe cannot be opened by its name once the writer has ended: that would wait for another
 * writer.
 */
static int
inherited(const char *path)
{
	bool dash = strcmp(path, "-") == 0;
	int n = dash || strcmp(path, "/dev/stdin") == 0 ? 0 : axt_fd_number(path);
	struct stat st;

	return n >= 0 && (dash || (fstat(n, &st) ? errno != EBADF : S_ISFIFO(st.st_mode))) ? n : -1;
}

/*
 * Locks a directory that was opened, and tells whether its name still leads to it. If so, it stays
 * while it is read: a command that replaces a store waits a little for those that have locked the
 * old one, before it removes that.
 */
static bool
is_kept(int fd, const char *path)
{
	struct stat st, named;

	if (fstat(fd, &st) || !S_ISDIR(st.st_mode))
		return true;
	flock(fd, LOCK_SH | LOCK_NB);
	return stat(path, &named) || (named.st_dev == st.st_dev && named.st_ino == st.st_ino);
}

/* Opens a file without waiting for the writer of a FIFO. Reading waits for it with poll. */
static int
open_fd(const char *path)
{
	int n = inherited(path), fd;

	if (n >= 0)
		return fcntl(n, F_DUPFD_CLOEXEC, 3);
	while ((fd = axt_open_reading(path)) >= 0 && !is_kept(fd, path))
		close(fd);
	return fd;
}

static int
identify(struct axt_file *f, struct axt_err *e)
{
	struct stat st;
	char name[256];

	axt_escape_to(name, sizeof(name), f->path);
	do
		if (fstat(f->fd, &st) != 0)
			return axt_fail(e, AXT_E_IO, "%s: %s", name, strerror(errno));
	while (S_ISREG(st.st_mode) && axt_lock_await(f->fd));
	f->directory = S_ISDIR(st.st_mode);
	f->stream = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
	if (f->stream)
		axt_reach(); /* what it brings can be read only once */
	if (!f->stream && !f->directory && !S_ISREG(st.st_mode))
		return axt_fail(e, AXT_E_FORMAT, "%s: is neither a file nor a pipe", name);
	axt_file_identify(&st, &f->id);
	f->links = st.st_nlink;
	f->mode = st.st_mode;
	f->owner = st.st_uid;
	f->group = st.st_gid;
	if (f->stream)
		fcntl(f->fd, F_SETPIPE_SZ, PIPE_SIZE);
	return AXT_OK;
}

/* ---- reading the metadata ---- */

/*
 * Turns rc, the result of reading the metadata, into an error if memory ran out or the disk failed.
 * Parts that cannot be read for other reasons are only left out.
 */
static int
whole(const struct axt_arena *m, struct axt_file *f, int rc, struct axt_err *e)
{
	struct axt_src *s = f->src;

	if (axt_arena_failed(m) || s->starved) {
		*e = (struct axt_err){ 0 };
		return nomem(e);
	}
	if (rc == AXT_OK && (s->err || (s->stream && s->eof && s->size < s->eoa)))
		return axt_h5_failed(f, "", e);
	return rc;
}

static struct axt_file *
new_file(struct axt_arena *m, const char *path, int64_t memory)
{
	struct axt_file *f = axt_alloc(m, sizeof(*f));

	if (!f)
		return NULL;
	f->path = axt_strdup(m, path);
	f->h5 = axt_alloc(m, sizeof(*f->h5));
	f->src = axt_alloc(m, sizeof(*f->src));
	if (!f->path || !f->h5 || !f->src)
		return NULL;
	f->fd = -1;
	f->src->spool = -1;
	f->src->memory = memory;
	f->src->bound = (size_t)MAX(MIN(memory / 8, SPOOL_MEMORY), 1 << 20);
	return f;
}

int
axt_file_begin(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e)
{
	int fd = open_fd(path);
	char name[256];

	*out = NULL;
	if (fd < 0) {
		bool absent = axt_is_absent(errno);

		axt_fail(e, AXT_E_IO, "%s: %s", axt_escape_to(name, sizeof(name), path),
		    strerror(errno));
		return absent ? axt_about(e, AXT_NO_FILE, path, path) : (int)e->code;
	}
	return axt_file_begin_fd(m, fd, path, memory, out, e);
}

int
axt_file_begin_fd(struct axt_arena *m, int fd, const char *path, int64_t memory,
    struct axt_file **out, struct axt_err *e)
{
	struct axt_file *f = new_file(m, path, memory);

	*out = NULL;
	if (!f) {
		close(fd);
		return nomem(e);
	}
	f->fd = fd;
	f->told = f->unseen = fd < 0;
	if (!f->told && identify(f, e)) {
		axt_file_close(f);
		return e->code;
	}
	f->src->fd = f->stream ? f->fd : -1;
	f->src->of = f;
	if (!f->stream && !f->told)
		axt_file_opened(f);
	f->src->stream = f->stream;
	f->src->size = f->stream || f->directory ? 0 : (uint64_t)f->id.size;
	*out = f;
	return AXT_OK;
}

/* Fails with a message about a directory where a file is meant. */
static int
sniff_directory(const char *path, struct axt_err *e)
{
	static const char *const ends[] = { ".nc", ".h5", ".nc4", ".hdf5", ".he5" };
	int n[ARRAY_LEN(ends)] = { 0 }, most = 0;
	DIR *d;
	char name[256];

	axt_escape_to(name, sizeof(name), path);
	for (size_t k = strlen(name); k > 1 && name[k - 1] == '/'; k--)
		name[k - 1] = '\0';
	d = opendir(path);
	for (const struct dirent *x; d && (x = readdir(d));)
		for (int i = 0; i < ARRAY_LEN(ends); i++) {
			size_t len = strlen(x->d_name), end = strlen(ends[i]);

			n[i] += len > end && strcmp(x->d_name + len - end, ends[i]) == 0;
			most = n[i] > n[most] ? i : most;
		}
	if (d)
		closedir(d);
	axt_fail(e, AXT_E_FORMAT, "%s: is a directory", name);
	axt_about(e, AXT_OTHER_FORMAT, path, "a directory");
	if (n[most] > 0)
		axt_hint(e, "%s/*%s names its files", name, ends[most]);
	return AXT_E_FORMAT;
}

int
axt_file_read(struct axt_arena *m, struct axt_file *f, struct axt_err *e)
{
	const struct axt_file_kind *k = &axt_kind_hdf5;
	struct axt_store *store = f->stream ? NULL : axt_zarr_open(m, f, e);
	int rc;

	if (e->code || (f->directory && !store))
		return e->code ? (int)e->code : sniff_directory(f->path, e);
	if (store)
		k = &axt_kind_zarr;
	else if (axt_is_classic(f))
		k = &axt_kind_classic;
	f->h5->own = store;
	rc = whole(m, f, k->list(m, f, e), e);
	if (rc == AXT_OK) {
		f->h5->kind = k;
		axt_file_roles(f);
	}
	return rc;
}

bool
axt_file_is_hdf5(const struct axt_file *f)
{
	return f->h5->kind == &axt_kind_hdf5;
}

struct axt_dset *
axt_file_list(struct axt_file *f, int n)
{
	size_t most = (size_t)MAX(n, 1);

	free(f->dsets);
	free(f->h5->objs);
	free(f->h5->groups);
	f->ndsets = 0;
	f->dsets = calloc(most, sizeof(*f->dsets));
	f->h5->objs = calloc(most, sizeof(*f->h5->objs));
	f->h5->groups = calloc(1, sizeof(*f->h5->groups));
	if (!f->dsets || !f->h5->objs || !f->h5->groups)
		return NULL;
	f->h5->groups[0] = (struct axt_group){ .path = "", .loaded = true };
	f->h5->ngroups = 1;
	f->h5->cap = n;
	return f->dsets;
}

int
axt_file_open(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e)
{
	if (axt_file_begin(m, path, memory, out, e))
		return e->code;
	if (axt_file_read(m, *out, e)) {
		axt_file_blame(*out, e);
		axt_file_close(*out);
		*out = NULL;
		return e->code;
	}
	return AXT_OK;
}

void
axt_file_ring(struct axt_file *a, struct axt_file *b)
{
	struct axt_src *x = a->src, *y = b->src;

	if (!a->stream || !b->stream || a == b)
		return;
	y->peer = x->peer ? x->peer : x;
	x->peer = y;
}

struct axt_kept {
	void *p;
	struct axt_kept *next;
};

bool
axt_file_keep(struct axt_arena *m, struct axt_file *f, void *p)
{
	struct axt_kept *k = axt_alloc(m, sizeof(*k));

	if (!k) {
		free(p);
		return false;
	}
	*k = (struct axt_kept){ p, f->kept };
	f->kept = k;
	return true;
}

/* Removes a stream that is being closed from its ring. */
static void
leave(struct axt_src *s)
{
	struct axt_src *x = s->peer;

	while (x && x->peer != s)
		x = x->peer;
	if (x)
		x->peer = s->peer == x ? NULL : s->peer;
	s->peer = NULL;
}

void
axt_file_close(struct axt_file *f)
{
	if (!f)
		return;
	leave(f->src);
	axt_src_release(f->src);
	free(f->dsets);
	free(f->h5->objs);
	free(f->h5->groups);
	free(f->h5->types);
	free(f->h5->links);
	free(f->h5->seen);
	for (; f->kept; f->kept = f->kept->next)
		free(f->kept->p);
	f->dsets = NULL;
	f->ndsets = 0;
	f->h5->objs = NULL;
	f->h5->groups = NULL;
	f->h5->seen = NULL;
	axt_file_shut(f);
}

/* ---- one dataset ---- */

static int
load(struct axt_arena *m, struct axt_file *f, int i, struct axt_err *e)
{
	struct axt_dset *d = &f->dsets[i];
	struct axt_dims x = { .said = { NULL } };
	int rc = f->h5->kind->load(m, f, i, &d->attrs, &x, e);

	if (rc == AXT_OK)
		axt_take_labels(m, d->rank, axt_dset_is_chars(f, d), &d->attrs, x.said);
	if (rc == AXT_OK)
		rc = axt_file_axes(m, f, i, &x, e);
	if (rc == AXT_OK)
		rc = axt_dset_view(m, d, e);
	/* after an error the dataset counts as not loaded, even if parts of it are */
	if (rc != AXT_OK) {
		d->axes = (struct axt_axes){ 0 };
		d->attrs = NULL;
		return rc;
	}
	/*
	 * the attribute that tells that bool or bfloat16 is stored describes the storage, and not
	 * the tensor
	 */
	if (d->dtype == AXT_BOOL || d->dtype == AXT_BF16)
		if (axt_attr_find(d->attrs, "dtype"))
			d->attrs = axt_attr_drop(m, d->attrs, "dtype");
	return rc;
}

int
axt_dset_load(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, struct axt_err *e)
{
	int rc;

	if (d->loaded)
		return AXT_OK;
	if (d->role == AXT_ROLE_OTHER)
		return axt_fail(e, AXT_E_DTYPE, "%s: %s", axt_h5_where(m, f, d), d->why);
	rc = whole(m, f, load(m, f, (int)(d - f->dsets), e), e);
	d->loaded = rc == AXT_OK;
	return rc;
}

const struct axt_storage *
axt_dset_packed(const struct axt_dset *d)
{
	return d->st.layout == AXT_LAYOUT_CHUNKED && d->st.filters.n > 0 && !d->st.record &&
		d->st.rank == d->rank && !d->reversed
	    ? &d->st
	    : NULL;
}

int
axt_dset_read(struct axt_file *f, struct axt_dset *d, void *out, struct axt_err *e)
{
	(void)f;
	return axt_storage_whole(&d->st, out, e);
}

/* Writes a character as UTF-8, and returns what is behind it. */
static char *
put_utf8(char *to, uint32_t c)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	*to++ = (char)(more == 0 ? c : (0xff00u >> (more + 1) & 0xff) | c >> 6 * more);
	while (more-- > 0)
		*to++ = (char)(0x80 | (c >> 6 * more & 0x3f));
	return to;
}

/* UTF-8 of n bytes of UTF-32, up to the first zero; NULL: no characters, or out of memory. */
static const char *
utf32_text(struct axt_arena *m, const uint8_t *p, size_t n, bool big)
{
	char *s = axt_alloc(m, n + 1), *to = s;
	uint8_t b[4];

	for (size_t i = 0; s && i + 4 <= n; i += 4) {
		uint32_t c;

		memcpy(b, p + i, 4);
		if (big)
			axt_swap_items(b, 1, 4);
		c = axt_le32(b);
		if (c == 0)
			break;
		if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
			return NULL;
		to = put_utf8(to, c);
	}
	return s;
}

/* The code of the character at p, which has `size` bytes, and may be half of a pair. */
static uint32_t
letter(const uint8_t *p, int size)
{
	uint16_t u16;
	uint32_t u32;

	if (size == 1)
		return *p;
	if (size == 4)
		return memcpy(&u32, p, 4), u32;
	return memcpy(&u16, p, 2), u16;
}

/*
 * Text number i of an array of characters of MATLAB, in UTF-8. Texts of one array are filled up
 * with blanks, which are removed. NULL: it has something else than characters, or memory ran out.
 */
static const char *
matlab_text(struct axt_arena *m, const struct axt_obj *o, const uint8_t *p, int64_t i)
{
	int64_t n = o->letters[0], rows = o->letters[1];
	char *s = axt_alloc(m, (size_t)(n * 4) + 1), *to = s;
	size_t size = (size_t)o->of_matlab;

	for (int64_t k = 0; s && k < n; k++) {
		uint32_t c = letter(p + (size_t)(k * rows + i) * size, o->of_matlab), low = 0;

		if (c == 0)
			break;
		if (size == 2 && c >= 0xd800 && c < 0xdc00 && k + 1 < n)
			low = letter(p + (size_t)((k + 1) * rows + i) * size, o->of_matlab);
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			k++;
		}
		if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
			return NULL;
		to = size == 1 ? (*to = (char)c, to + 1) : put_utf8(to, c);
	}
	while (s && rows > 1 && to > s && to[-1] == ' ')
		*--to = '\0';
	return s;
}

/*
 * The string that is stored at p. A variable-length string that was never written is empty. NULL:
 * it cannot be read.
 */
static const char *
string_at(struct axt_arena *m, struct axt_file *f, const struct axt_obj *o, const uint8_t *p,
    size_t n)
{
	if (o->utf32)
		return utf32_text(m, p, n, o->utf32 == 2);
	if (o->vlen)
		p = axt_raw_vlen(m, f->src, p, 1, &n);
	return p ? axt_h5_string(m, p, n, o->space_pad) : NULL;
}

/* The strings of a dataset, each of `join` of its elements. */
static int
strings(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, int64_t join,
    const char *const **out, int64_t *n, struct axt_err *e)
{
	const struct axt_obj *o = &f->h5->objs[d - f->dsets];
	int64_t bytes, count = o->of_matlab ? MAX(d->st.count, o->letters[1]) : d->st.count,
		       size = o->esize * join;
	const char **s = NULL;
	uint8_t *p = NULL;
	int rc = AXT_OK;

	*out = NULL;
	*n = 0;
	if (d->role != AXT_ROLE_TEXT)
		return axt_fail(e, AXT_E_DTYPE, "%s: is no text", axt_h5_where(m, f, d));
	if (!axt_mul(count, o->esize + (int64_t)sizeof(*s), &bytes) || bytes > (int64_t)1 << 31)
		return axt_fail(e, AXT_E_LIMIT, "%s: too many strings", d->st.from);
	s = axt_alloc(m, ((size_t)count + 1) * sizeof(*s));
	if (s && o->vlen && f->h5->kind && f->h5->kind->texts) {
		*out = s;
		*n = count;
		return f->h5->kind->texts(m, f, (int)(d - f->dsets), s, e);
	}
	p = malloc((size_t)(count * o->esize) + 1);
	if (!p || !s)
		rc = nomem(e);
	else
		rc = axt_storage_whole(&d->st, p, e);
	count = o->of_matlab ? o->letters[1] : count / join;
	for (int64_t i = 0; i < count && rc == AXT_OK; i++) {
		s[i] = o->of_matlab ? matlab_text(m, o, p, i)
				    : string_at(m, f, o, p + i * size, (size_t)size);
		if (!s[i])
			rc = axt_fail(e, AXT_E_DAMAGED, "%s: string %lld cannot be read",
			    d->st.from, (long long)i);
	}
	free(p);
	*out = s;
	*n = count;
	return rc;
}

int
axt_dset_strings(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, struct axt_err *e)
{
	return strings(m, f, d, 1, out, n, e);
}

bool
axt_dset_is_chars(const struct axt_file *f, const struct axt_dset *d)
{
	const struct axt_obj *o = f->h5 ? &f->h5->objs[d - f->dsets] : NULL;

	return o && d->role == AXT_ROLE_TEXT && !o->vlen && !o->of_matlab && o->esize == 1;
}

/* Whether x holds numbers along the axis, beside d. */
static bool
has_axis(struct axt_arena *m, struct axt_file *f, struct axt_dset *x, const struct axt_dset *d,
    const struct axt_axis *axis)
{
	size_t group = (size_t)(axt_last_part(d->path) - d->path);
	struct axt_err ignore = { 0 };
	int k = 0;

	while (k < x->rank && x->dims[k] != axis->len)
		k++;
	if ((x->role != AXT_ROLE_TENSOR && x->role != AXT_ROLE_AUX) || k == x->rank ||
	    strncmp(x->path, d->path, group) != 0 || strchr(x->path + group, '/') ||
	    axt_dset_load(m, f, x, &ignore) != AXT_OK)
		return false;
	k = axt_axes_find(&x->axes, axis);
	return k >= 0 && x->axes.a[k].len == axis->len;
}

bool
axt_dset_are_flags(struct axt_arena *m, struct axt_file *f, struct axt_dset *d)
{
	const struct axt_axis *last = &d->axes.a[MAX(d->rank, 1) - 1];

	if (d->flags != AXT_FLAGS_UNKNOWN || !d->loaded || d->rank < 1 || d->axes.n != d->rank ||
	    !axt_dset_is_chars(f, d))
		return d->flags == AXT_FLAGS_YES;
	d->flags = AXT_FLAGS_NO;
	for (int i = 0; i < f->ndsets && !axt_axis_unnamed(last); i++)
		if (has_axis(m, f, &f->dsets[i], d, last)) {
			d->flags = AXT_FLAGS_YES;
			break;
		}
	return d->flags == AXT_FLAGS_YES;
}

int
axt_dset_texts(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, const char *const **out,
    int64_t *n, int *rank, struct axt_err *e)
{
	bool chars = d->rank > 1 && d->dims[d->rank - 1] > 0 && axt_dset_is_chars(f, d) &&
	    !axt_dset_are_flags(m, f, d);

	*rank = d->rank - chars;
	return strings(m, f, d, chars ? d->dims[d->rank - 1] : 1, out, n, e);
}

/*
 * Whether the file was written to since it was opened. Its time of modification can be set back, so
 * the time of change (ctime) is compared, too. That also changes with the name, links, owner and
 * permissions, which do not matter for reading.
 */
static bool
is_rewritten(const struct axt_file *f, const struct stat *now)
{
	struct axt_file_id id;
	struct stat named = { 0 };

	axt_file_identify(now, &id);
	if (!axt_file_same(&f->id, &id))
		return true;
	return !axt_file_untouched(&f->id, &id) && f->links == now->st_nlink &&
	    f->mode == now->st_mode && f->owner == now->st_uid && f->group == now->st_gid &&
	    (stat(f->path, &named) ? !axt_is_absent(errno)
				   : named.st_dev == id.dev && named.st_ino == id.ino);
}

/*
 * Whether the changes of a file are those of its writer, which lets others read meanwhile (SWMR).
 * What was read from the file stays where it was, since such a writer frees nothing.
 */
static bool
has_grown(const struct axt_file *f, const struct stat *now)
{
	return f->src->shared_write && now->st_dev == f->id.dev && now->st_ino == f->id.ino &&
	    (uint64_t)now->st_size >= f->src->size;
}

/*
 * Whether a store that is open is being removed, because another one has got its name. The files
 * that mark it as a store are removed first; so as long as they are there, no removed chunk was
 * taken for one that was never written.
 */
static bool
is_removed(struct axt_file *f)
{
	struct axt_err ignore = { 0 };
	bool store = f->directory && (f->told || f->h5->own);
	int dir = store ? axt_file_take(f, &ignore) : -1;
	bool there = !store || (dir >= 0 && axt_is_store_at(dir));

	if (dir >= 0)
		axt_file_give(f);
	return !there;
}

/* Whether another process has changed the file, whose state is now st, since it was opened here. */
static bool
is_disturbed(struct axt_file *f, const struct stat *st)
{
	return (is_rewritten(f, st) && !f->src->ours && !axt_growth_only(f) && !has_grown(f, st)) ||
	    is_removed(f);
}

static int
disturbed(const struct axt_file *f, struct axt_err *e)
{
	char name[256];

	axt_deed_note(AXT_DISTURBED);
	return axt_fail(e, AXT_E_CHANGED, "%s: changed while being read",
	    axt_escape_to(name, sizeof(name), f->path));
}

int
axt_file_check(struct axt_file *f, struct axt_err *e)
{
	struct stat st;
	char name[256];

	if (f->stream)
		return axt_src_end(f->src, f->path, e);
	if (f->unseen)
		return AXT_OK;
	if (axt_file_stat(f, &st) != 0)
		return axt_fail(e, AXT_E_IO, "%s: %s", axt_escape_to(name, sizeof(name), f->path),
		    strerror(errno));
	return is_disturbed(f, &st) ? disturbed(f, e) : AXT_OK;
}

/* Whether an error can come from what a file holds, and so from what it held for a moment only. */
static bool
is_of_content(enum axt_code code)
{
	return code != AXT_OK && code != AXT_E_MEM && code != AXT_E_CANCELLED &&
	    code != AXT_E_RANK && code != AXT_E_EXISTS && code != AXT_E_SYNTAX;
}

bool
axt_file_disturbed(struct axt_file *f)
{
	struct stat st;

	return !f->stream && !f->unseen && !axt_deed_done(AXT_CHANGES) &&
	    axt_file_stat(f, &st) == 0 && is_disturbed(f, &st);
}

bool
axt_file_blame(struct axt_file *f, struct axt_err *e)
{
	if (!is_of_content(e->code) || !axt_file_disturbed(f))
		return false;
	*e = (struct axt_err){ 0 };
	disturbed(f, e);
	return true;
}

void
axt_file_is_read(struct axt_file *f)
{
	struct axt_err ignore = { 0 };
	int fd = f->directory && !f->told ? axt_file_take(f, &ignore) : -1;

	if (fd < 0)
		return;
	flock(fd, LOCK_UN);
	axt_file_give(f);
}
