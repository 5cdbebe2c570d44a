/*
 * mutants.c - HDF5 files with their metadata changed and their checksums made right again: axt may
 * read one or refuse it, but neither die nor hang, nor give other values than libhdf5 does, nor
 * change them when a tensor is added.
 *
 *	mutants [-k KEEP] [-o] COUNT SEED DIR FILE...
 *	mutants shared FILE		makes a file that h5py cannot make
 *
 * Writes into DIR; what fails stays there as bad-NUMBER.h5, and every KEEP-th mutant as
 * keep-NUMBER.h5. -o: one kind of child only, the reader, for sanitizers that do not know libhdf5.
 *
 * Each mutant is read in child processes: by axt, by libhdf5 (which may die), and by axt with a
 * tensor added. They leave what they found in shared memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hdf5/format/raw.h"
#include "hdf5/write/write.h"

#define MAX_FILE (4 << 20)
#define MAX_BLOCKS 20000
#define MAX_FOUND 400
#define MAX_VALUES (1 << 18)
#define SECONDS 100 /* on a busy machine */

/* ---- files, and the blocks in them that have checksums ---- */

struct seed {
	uint8_t *p;
	size_t n;
	struct block {
		size_t at, n, sum; /* the checksum is at `sum`, of all but itself */
		bool zeroed;       /* ... which counts as zeros, in its middle */
		bool summed;
	} * block;
	int nblocks;
};

static unsigned long long dice;

static unsigned
roll(unsigned n)
{
	dice = dice * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(dice >> 33) % n;
}

static void
add_block(struct seed *s, struct block b)
{
	if (s->nblocks < MAX_BLOCKS)
		s->block[s->nblocks++] = b;
}

static uint32_t
sum_of(const uint8_t *file, const struct block *b)
{
	uint8_t *q;
	uint32_t sum;

	if (!b->zeroed)
		return axt_lookup3(file + b->at, b->sum - b->at);
	q = malloc(b->n);
	memcpy(q, file + b->at, b->n);
	memset(q + (b->sum - b->at), 0, 4);
	sum = axt_lookup3(q, b->n);
	free(q);
	return sum;
}

/* A block whose checksum follows it: the length is tried until it is right. */
static bool
find_end(struct seed *s, size_t at, size_t from, size_t most)
{
	for (size_t n = from; n <= most && at + n + 4 <= s->n; n++)
		if (axt_sum_ok(s->p + at, n)) {
			add_block(s, (struct block){ at, n + 4, at + n, false, true });
			return true;
		}
	return false;
}

/* A direct block of a heap: of a power of two bytes, its checksum in its head. */
static void
find_direct(struct seed *s, size_t at)
{
	for (size_t n = 64; n <= 65536 && at + n <= s->n; n *= 2)
		for (size_t k = 14; k <= 21; k++) {
			struct block b = { at, n, at + k, true, true };

			if (sum_of(s->p, &b) == axt_le32(s->p + b.sum)) {
				add_block(s, b);
				return;
			}
		}
}

/* Objects of a global heap: the maps of a virtual dataset have a checksum. */
static void
find_maps(struct seed *s, size_t at)
{
	size_t end = at + (size_t)axt_le(s->p + at + 8, 8), o = at + 16;

	for (end = MIN(end, s->n); o + 16 <= end;) {
		size_t n = (size_t)axt_le(s->p + o + 8, 8);

		if (axt_le(s->p + o, 2) == 0 || n > end - o - 16)
			break;
		if (n > 8 && axt_sum_ok(s->p + o + 16, n - 4))
			add_block(s, (struct block){ o + 16, n, o + 16 + n - 4, false, true });
		o += 16 + ((n + 7) & ~(size_t)7);
	}
}

static void
find_blocks(struct seed *s)
{
	static const char signs[][5] = { "OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "FRHP", "FHIB",
		"FAHD", "FADB", "EAHD", "EAIB", "EADB", "EASB", "SMTB", "SMLI", "FSHD", "FSSE" };
	static const char plain[][5] = { "TREE", "SNOD", "HEAP", "GCOL" };

	s->block = calloc(MAX_BLOCKS, sizeof(*s->block));
	for (size_t at = 0; at + 64 <= s->n; at++) {
		const uint8_t *p = s->p + at;

		if (memcmp(p, "\211HDF", 4) == 0 && p[8] >= 2)
			find_end(s, at, 20, 60);
		else if (memcmp(p, "\211HDF", 4) == 0)
			add_block(s, (struct block){ .at = at, .n = 96 });
		else if (memcmp(p, "FHDB", 4) == 0)
			find_direct(s, at);
		for (int k = 0; k < ARRAY_LEN(signs); k++)
			if (memcmp(p, signs[k], 4) == 0)
				find_end(s, at, 8, 20000);
		for (int k = 0; k < ARRAY_LEN(plain); k++)
			if (memcmp(p, plain[k], 4) == 0)
				add_block(s, (struct block){ .at = at, .n = MIN(s->n - at, 512) });
		if (memcmp(p, "GCOL", 4) == 0)
			find_maps(s, at);
		/* a header of version 1: few messages, one reference, a size in eights */
		if (at % 8 == 0 && p[0] == 1 && p[1] == 0 && p[2] && !p[3] && p[4] && p[4] < 9 &&
		    !(p[5] | p[6] | p[7]) && axt_le32(p + 8) >= 16 && axt_le32(p + 8) < 4096 &&
		    axt_le32(p + 8) % 8 == 0 && axt_le32(p + 12) == 0)
			add_block(s,
			    (struct block){ .at = at, .n = MIN(s->n - at, axt_le32(p + 8) + 16u) });
	}
}

static void
load_seed(struct seed *s, const char *path)
{
	FILE *f = fopen(path, "rb");

	s->p = malloc(MAX_FILE);
	s->n = f ? fread(s->p, 1, MAX_FILE, f) : 0;
	if (f)
		fclose(f);
	find_blocks(s);
	if (s->nblocks == 0) {
		fprintf(stderr, "mutants: %s: no metadata is found in it\n", path);
		exit(2);
	}
}

/* ---- mutation ---- */

/* One field changed: a byte, a number of 2, 4 or 8 bytes, a number taken from elsewhere. */
static void
change(uint8_t *p, const struct seed *s, size_t at, size_t n)
{
	static const uint64_t odd[] = { 0, 1, 2, 3, 7, 8, 0x7f, 0xff, 0x100, 0x7fff, 0xffff,
		0x7fffffff, 0xffffffff, 0x100000000, UINT64_MAX >> 1, UINT64_MAX, UINT64_MAX - 1 };
	size_t k = at + roll((unsigned)n);
	int width = 1 << roll(4);
	uint64_t v = odd[roll(ARRAY_LEN(odd))];
	const struct block *b = &s->block[roll((unsigned)s->nblocks)];

	switch (roll(6)) {
	case 0: p[k] ^= (uint8_t)(1 << roll(8)); return;
	case 1: p[k] = (uint8_t)roll(256); return;
	case 2: p[k] = (uint8_t)(p[k] + (roll(2) ? 1 : -1)); return;
	case 3: /* the address of another block */
		v = b->at;
		width = 8;
		break;
	case 4: memcpy(&v, s->p + b->at + roll((unsigned)MAX(b->n, 9) - 8), 8); break;
	}
	for (int i = 0; i < width && k + (size_t)i < at + n; i++)
		p[k + (size_t)i] = (uint8_t)(v >> 8 * i);
}

static void
mutate(uint8_t *p, const struct seed *s)
{
	memcpy(p, s->p, s->n);
	for (unsigned k = roll(3) + 1; k > 0; k--) {
		const struct block *b = &s->block[roll((unsigned)s->nblocks)];

		change(p, s, b->at, b->summed && !b->zeroed ? b->n - 4 : b->n);
	}
	for (int i = 0; i < s->nblocks; i++) {
		const struct block *b = &s->block[i];
		uint32_t sum;

		if (!b->summed || memcmp(p + b->at, s->p + b->at, b->n) == 0)
			continue;
		sum = sum_of(p, b);
		memcpy(p + b->sum, &sum, 4);
	}
}

/* ---- what children find ---- */

/* Values of one dataset or attribute. */
struct found {
	char path[400], attr[100];
	int type; /* enum axt_dtype */
	int rank;
	int64_t dims[AXT_MAX_RANK];
	uint64_t hash;
	bool differs, compared;
};
static struct shared {
	int at; /* the mutant at hand */
	struct {
		int taken, added;
		int n;
		struct found f[MAX_FOUND];
	} of[];
} * shared;

static uint64_t
hash(const void *p, size_t n)
{
	const uint8_t *q = p;
	uint64_t h = 14695981039346656037u;

	while (n-- > 0)
		h = (h ^ *q++) * 1099511628211u;
	return h;
}

static bool
compared(enum axt_dtype d)
{
	return (d >= AXT_I8 && d <= AXT_U64) || d == AXT_F32 || d == AXT_F64;
}

static struct found *
new_found(int i, const char *path, const char *attr)
{
	struct found *x = &shared->of[i].f[shared->of[i].n];

	if (shared->of[i].n >= MAX_FOUND || strlen(path) >= sizeof(x->path) ||
	    strlen(attr) >= sizeof(x->attr))
		return NULL;
	*x = (struct found){ 0 };
	strcpy(x->path, path);
	strcpy(x->attr, attr);
	return x;
}

static void
note_attrs(int i, const char *path, const struct axt_attr *l)
{
	for (; l; l = l->next) {
		struct found *x = l->kind == AXT_ATTR_NUM && compared(l->dtype) && *l->name
		    ? new_found(i, path, l->name)
		    : NULL;

		if (!x)
			continue;
		x->type = l->dtype;
		x->dims[0] = l->n;
		x->hash = hash(l->data, (size_t)l->n * (size_t)axt_size(l->dtype));
		shared->of[i].n++;
	}
}

static void
note(int i, struct axt_file *f, struct axt_dset *d, struct axt_err *e)
{
	struct found *x = compared(d->dtype) && d->role != AXT_ROLE_TEXT && !d->virt && !d->reversed
	    ? new_found(i, d->path, "")
	    : NULL;
	void *p;

	if (d->st.count > MAX_VALUES || d->virt)
		return;
	p = malloc((size_t)d->st.count * (size_t)d->st.esize + 1);
	if (p && axt_dset_read(f, d, p, e) == AXT_OK && x) {
		x->type = d->dtype;
		x->rank = d->rank;
		memcpy(x->dims, d->st.dims, sizeof(x->dims));
		x->hash = hash(p, (size_t)d->st.count * (size_t)d->st.esize);
		shared->of[i].n++;
	}
	free(p);
}

/* Everything that axt reads of a file. */
static int
read_all(const char *path, int i)
{
	struct axt_arena *m = axt_arena_new();
	struct axt_err e = { 0 };
	struct axt_file *f = NULL;
	int rc = axt_file_open(m, path, 1 << 24, &f, &e);

	if (rc != AXT_OK && (!e.text[0] || strchr(e.text, '\n')))
		abort(); /* no message, or more than a line */
	for (int k = 0; rc == AXT_OK && k < f->ndsets; k++) {
		struct axt_dset *d = &f->dsets[k], *same;
		const char *const *strings;
		int64_t n;

		e = (struct axt_err){ 0 };
		if (axt_dset_load(m, f, d, &e) != AXT_OK)
			continue;
		note(i, f, d, &e);
		if (d->role == AXT_ROLE_TEXT && d->st.count < 10000)
			axt_dset_strings(m, f, d, &strings, &n, &e);
		e = (struct axt_err){ 0 };
		axt_file_find(m, f, d->path, &same, &e);
		note_attrs(i, d->path, d->attrs);
	}
	axt_file_close(f);
	axt_arena_free(m);
	return rc;
}

/* The same by libhdf5, of what axt found. */
static bool
read_type(int type, hid_t *t)
{
	const hid_t all[AXT_NDTYPES] = { [AXT_I8] = H5T_NATIVE_SCHAR,
		[AXT_I16] = H5T_NATIVE_SHORT,
		[AXT_I32] = H5T_NATIVE_INT,
		[AXT_I64] = H5T_NATIVE_LLONG,
		[AXT_U8] = H5T_NATIVE_UCHAR,
		[AXT_U16] = H5T_NATIVE_USHORT,
		[AXT_U32] = H5T_NATIVE_UINT,
		[AXT_U64] = H5T_NATIVE_ULLONG,
		[AXT_F32] = H5T_NATIVE_FLOAT,
		[AXT_F64] = H5T_NATIVE_DOUBLE };

	*t = all[type];
	return *t > 0;
}

static bool
other_space(hid_t space, const struct found *x)
{
	hsize_t dims[AXT_MAX_RANK];
	int rank = H5Sget_simple_extent_ndims(space);

	if (*x->attr)
		return H5Sget_simple_extent_npoints(space) != x->dims[0];
	if (rank != x->rank || H5Sget_simple_extent_dims(space, dims, NULL) != rank)
		return true;
	for (int k = 0; k < rank; k++)
		if ((int64_t)dims[k] != x->dims[k])
			return true;
	return false;
}

/*
 * Whether a dataset has fewer records than its axis, which is unlimited: as netCDF does, axt reads
 * fill values for the rest, and libhdf5 knows nothing of that.
 */
static bool
lacks_records(hid_t space, const struct found *x)
{
	hsize_t dims[AXT_MAX_RANK], most[AXT_MAX_RANK];
	int rank = H5Sget_simple_extent_ndims(space);

	if (*x->attr || rank < 1 || rank != x->rank ||
	    H5Sget_simple_extent_dims(space, dims, most) != rank || most[0] != H5S_UNLIMITED)
		return false;
	for (int k = 1; k < rank; k++)
		if ((int64_t)dims[k] != x->dims[k])
			return false;
	return (int64_t)dims[0] < x->dims[0];
}

/*
 * Whether floats have other fields than IEEE's. axt computes what the fields say; libhdf5 makes
 * other numbers of those whose leading one is stored and is 0, and other bits of NaN. tests/bits.py
 * compares numbers of such types that are in order.
 */
static bool
has_own_fields(hid_t d, hid_t a)
{
	hid_t t = a >= 0 ? H5Aget_type(a) : H5Dget_type(d);
	size_t spos, epos, esize, mpos, msize;
	bool is_double, own = false;

	if (t >= 0 && H5Tget_class(t) == H5T_FLOAT &&
	    H5Tget_fields(t, &spos, &epos, &esize, &mpos, &msize) >= 0) {
		is_double = msize == 52;
		own = H5Tget_norm(t) != H5T_NORM_IMPLIED || msize != (is_double ? 52 : 23) ||
		    esize != (is_double ? 11 : 8) || epos != msize || mpos != 0 ||
		    spos != esize + msize || H5Tget_ebias(t) != (is_double ? 1023 : 127);
	}
	if (t >= 0)
		H5Tclose(t);
	return own;
}

static void
compare(hid_t file, struct found *x)
{
	hid_t d = H5Dopen2(file, x->path, H5P_DEFAULT), a = -1, t, space;
	hssize_t n;
	void *p;

	if (d >= 0 && *x->attr)
		a = H5Aopen(d, x->attr, H5P_DEFAULT);
	if (d < 0 || (*x->attr && a < 0) || !read_type(x->type, &t) || has_own_fields(d, a))
		return;
	space = a >= 0 ? H5Aget_space(a) : H5Dget_space(d);
	n = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
	if (n < 0 || n > MAX_VALUES || lacks_records(space, x))
		return;
	p = calloc((size_t)n + 1, 8);
	if ((a >= 0 ? H5Aread(a, t, p) : H5Dread(d, t, H5S_ALL, H5S_ALL, H5P_DEFAULT, p)) >= 0) {
		x->differs = other_space(space, x) ||
		    hash(p, (size_t)n * (size_t)axt_size((enum axt_dtype)x->type)) != x->hash;
		x->compared = true;
	}
	free(p);
}

static void
compare_all(const char *path, int i)
{
	hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), file;

	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG);
	file = H5Fopen(path, H5F_ACC_RDONLY, fapl);
	for (int k = 0; file >= 0 && k < shared->of[i].n; k++)
		compare(file, &shared->of[i].f[k]);
	if (file >= 0)
		H5Fclose(file);
	H5Pclose(fapl);
}

static const char *
file_of(const char *dir, const char *what, int i)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s-%d.h5", dir, what, i);
	return path;
}

/* Adds a tensor to a copy; what was there must be the same after it. */
static void
add_one(const char *dir, int i)
{
	struct axt_arena *m = axt_arena_new();
	struct axt_axes x = { .n = 1 };
	struct axt_out_var v = { .name = "added_by_mutants", .dtype = AXT_F64 };
	struct axt_out_opts o = { .threads = 1, .memory = 1 << 24, .add = true };
	struct axt_err e = { 0 };
	struct axt_out *out;
	double ones[3] = { 1, 1, 1 };
	char path[4096], line[9000];
	int n = shared->of[i].n;
	bool ok;

	snprintf(path, sizeof(path), "%s", file_of(dir, "added", 0));
	snprintf(line, sizeof(line), "cp '%s' '%s'", file_of(dir, "m", i), path);
	if (system(line) != 0)
		_exit(2);
	x.a[0] = (struct axt_axis){ .name = "axis_of_mutants", .len = 3 };
	v.axes = x;
	o.target = axt_sprintf(m, "%s:added_by_mutants", path);
	ok = axt_out_open(m, &v, 1, NULL, &o, &out, &e) == AXT_OK;
	if (ok) {
		struct axt_sink *s = axt_out_sink(out, 0);

		ok = s->write(s, 0, ones, sizeof(ones), &e) == AXT_OK;
		ok = axt_out_close(out, ok, &e) == AXT_OK && ok;
	}
	axt_arena_free(m);
	if (!ok && (!e.text[0] || strchr(e.text, '\n')))
		abort();
	shared->of[i].added = ok;
	if (!ok)
		return;
	/* both lists stand in the same order, but for the new dataset and its axis */
	read_all(path, i);
	for (int k = 0; k < n; k++) {
		struct found *old = &shared->of[i].f[k];
		bool same = shared->of[i].n == MAX_FOUND;

		for (int j = n; j < shared->of[i].n; j++) {
			struct found *new = &shared->of[i].f[j];

			same = same ||
			    (strcmp(old->path, new->path) == 0 &&
				strcmp(old->attr, new->attr) == 0 && old->hash == new->hash);
		}
		old->differs |= !same;
	}
	shared->of[i].n = n;
}

/* ---- children ---- */

enum what { READ, COMPARE, ADD };
static const char *const names[] = { "reading", "libhdf5", "adding" };

static void
child(enum what what, const char *dir, int from, int to)
{
	for (int i = from; i < to; i++) {
		shared->at = i;
		alarm(SECONDS);
		if (what == READ)
			shared->of[i].taken = read_all(file_of(dir, "m", i), i) == AXT_OK;
		else if (what == COMPARE)
			compare_all(file_of(dir, "m", i), i);
		else
			add_one(dir, i);
	}
	_exit(0);
}

static int bad;

static void
keep(const char *dir, const char *as, int i, long number)
{
	char to[4096], line[9000];

	snprintf(to, sizeof(to), "%s/%s-%ld.h5", dir, as, number);
	snprintf(line, sizeof(line), "cp '%s' '%s'", file_of(dir, "m", i), to);
	if (system(line) != 0)
		fprintf(stderr, "mutants: %s: not kept\n", to);
}

/* Runs children until the batch is done: one that dies is a failure, unless it is libhdf5. */
static int
run(enum what what, const char *dir, int n, long first)
{
	int deaths = 0, status;

	for (int from = 0; from < n; from = shared->at + 1) {
		pid_t pid = fork();

		if (pid == 0)
			child(what, dir, from, n);
		if (pid < 0 || waitpid(pid, &status, 0) != pid) {
			perror("mutants");
			exit(2);
		}
		if (status == 0)
			break;
		deaths++;
		/* where it is compiled with assertions, libhdf5 ends the process like an error */
		if (what == COMPARE ||
		    (what == ADD && WIFEXITED(status) && WEXITSTATUS(status) == 1))
			continue;
		bad++;
		printf("# mutant %ld: %s %s %d\n", first + shared->at, names[what],
		    WIFSIGNALED(status) ? "ended by signal" : "ended with status",
		    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		keep(dir, "bad", shared->at, first + shared->at);
	}
	return deaths;
}

static void
report(const char *dir, int n, long first, bool after)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < shared->of[i].n; k++) {
			struct found *x = &shared->of[i].f[k];

			if (!x->differs)
				continue;
			bad++;
			printf("# mutant %ld: %s%s%s: other values %s\n", first + i, x->path,
			    *x->attr ? " attribute " : "", x->attr,
			    after ? "once a tensor was added" : "than libhdf5's");
			keep(dir, "bad", i, first + i);
			x->differs = false;
		}
}

/* A file whose messages are in its heap of shared ones: h5py cannot make it. */
static int
make_shared(const char *path)
{
	hid_t c = H5Pcreate(H5P_FILE_CREATE), a = H5Pcreate(H5P_FILE_ACCESS), f, s, d, x;
	hsize_t n = 4;
	int v[4] = { 1, 2, 3, 4 };

	H5Pset_shared_mesg_nindexes(c, 1);
	H5Pset_shared_mesg_index(c, 0, H5O_SHMESG_ALL_FLAG, 1);
	H5Pset_libver_bounds(a, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
	H5Pset_fclose_degree(a, H5F_CLOSE_STRONG);
	f = H5Fcreate(path, H5F_ACC_TRUNC, c, a);
	s = H5Screate_simple(1, &n, NULL);
	for (int i = 0; f >= 0 && i < 6; i++) {
		char name[] = "a";

		name[0] = (char)('a' + i);
		d = H5Dcreate2(f, name, H5T_STD_I32BE, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
		H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v);
		x = H5Acreate2(d, "n", H5T_STD_I32LE, s, H5P_DEFAULT, H5P_DEFAULT);
		H5Awrite(x, H5T_NATIVE_INT, v);
	}
	return f < 0 || H5Fclose(f) < 0;
}

int
main(int argc, char *argv[])
{
	enum { BATCH = 50 };
	const size_t size = sizeof(*shared) + BATCH * sizeof(shared->of[0]);
	long count, taken = 0, values = 0, added = 0, deaths = 0, every = 0;
	static struct seed *seed;
	static uint8_t *p;
	const char *dir;
	bool only = false;
	int opt, nseeds;

	while ((opt = getopt(argc, argv, "k:o")) != -1) {
		if (opt == 'k')
			every = atol(optarg);
		else
			only = true;
	}
	argv += optind;
	argc -= optind;
	if (argc == 2 && strcmp(argv[0], "shared") == 0)
		return make_shared(argv[1]);
	if (argc < 4)
		return 2;
	count = atol(argv[0]);
	dice = strtoull(argv[1], NULL, 10);
	dir = argv[2];
	nseeds = argc - 3;
	seed = calloc((size_t)nseeds, sizeof(*seed));
	for (int i = 0; i < nseeds; i++)
		load_seed(&seed[i], argv[3 + i]);
	p = malloc(MAX_FILE);
	shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (long first = 0; first < count; first += BATCH) {
		int n = (int)MIN(count - first, (long)BATCH);

		memset(shared, 0, size);
		for (int i = 0; i < n; i++) {
			const struct seed *s = &seed[(first + i) % nseeds];
			FILE *f = fopen(file_of(dir, "m", i), "wb");

			mutate(p, s);
			if (!f || fwrite(p, 1, s->n, f) != s->n || fclose(f) != 0) {
				perror(dir);
				return 2;
			}
			if (every && (first + i) % every == 0)
				keep(dir, "keep", i, first + i);
		}
		run(READ, dir, n, first);
		if (!only)
			deaths += run(COMPARE, dir, n, first);
		report(dir, n, first, false);
		if (!only)
			run(ADD, dir, n, first);
		report(dir, n, first, true);
		for (int i = 0; i < n; i++) {
			taken += shared->of[i].taken;
			added += shared->of[i].added;
			for (int k = 0; k < shared->of[i].n; k++)
				values += shared->of[i].f[k].compared;
		}
		fflush(stdout);
	}
	unlink(file_of(dir, "added", 0));
	for (int i = 0; i < BATCH; i++)
		unlink(file_of(dir, "m", i));
	printf(
	    "%ld mutants of %d files: %ld opened, %ld datasets and attributes compared, libhdf5 died of "
	    "%ld, %ld were added to; %d failures\n",
	    count, nseeds, taken, values, deaths, added, bad);
	return bad > 0;
}
