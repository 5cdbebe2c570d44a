/*
 * test_store_write.c - outputs: files, streams, chunks, additions, attribute edits. What is written
 * is read back through the store. With a directory as argument the files stay there, for other
 * tools to look at.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bytes/packing.h"
#include "graph/graph.h"

static char dir[200];
static struct axt_arena *m;
static struct axt_err err;

#define OK(call)                                                  \
	do {                                                      \
		int rc_ = (call);                                 \
		if (rc_)                                          \
			print_error("%s: %s\n", #call, err.text); \
		assert_int_equal(rc_, 0);                         \
	} while (0)
#define FAILS(code_, call)                       \
	do {                                     \
		err = (struct axt_err){ 0 };     \
		assert_int_equal((call), code_); \
		assert_true(err.text[0]);        \
		err = (struct axt_err){ 0 };     \
	} while (0)

static const char *
in_dir(const char *name)
{
	char *p = axt_sprintf(m, "%s/%s", dir, name);

	if (!p)
		abort();
	return p;
}

/* ---- tensors to write ---- */

static struct axt_axes
axes(const char *list)
{
	struct axt_axes x;

	OK(axt_axes_parse(m, list, true, &x, NULL, &err));
	return x;
}

static const struct axt_attr *
attr(const struct axt_attr *l, struct axt_attr a)
{
	struct axt_attr *r = axt_attr_set(m, l, &a);

	assert_non_null(r);
	return r;
}

static const struct axt_attr *
text(const struct axt_attr *l, const char *name, const char *value)
{
	return attr(l, (struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = value });
}

static const struct axt_coord *
coord(enum axt_dtype d, int64_t n, const struct axt_attr *attrs)
{
	struct axt_coord *c = axt_alloc(m, sizeof(*c));
	char *p = axt_alloc(m, (size_t)(n + 1) * 16);
	struct axt_num v = { .is_int = true };

	for (int64_t i = 0; i < n; i++) {
		v.i = i;
		v.f = (double)(i);
		axt_num_store(&v, d, p + i * axt_size(d));
	}
	*c = (struct axt_coord){ .dtype = d, .n = n, .data = p, .attrs = attrs };
	return c;
}

static const struct axt_coord *
words(int64_t n)
{
	struct axt_coord *c = axt_alloc(m, sizeof(*c));
	const char **p = axt_alloc(m, (size_t)(n + 1) * sizeof(*p));

	for (int64_t i = 0; i < n; i++)
		p[i] = i == 1 ? "" : axt_sprintf(m, "w%ld\xc3\xa9", (long)i);
	*c = (struct axt_coord){ .text = true, .n = n, .data = p };
	return c;
}

static int64_t
bytes_of(const struct axt_out_var *v)
{
	int64_t n;

	assert_true(axt_axes_count(&v->axes, &n));
	return n * axt_size(v->dtype);
}

/* Bytes that are good values of any dtype. */
static unsigned char *
payload(const struct axt_out_var *v)
{
	int64_t n = bytes_of(v);
	unsigned char *p = calloc((size_t)n + 1, 1);

	for (int64_t i = 0; i < n; i++)
		p[i] = v->dtype == AXT_BOOL ? i % 3 == 0 : (unsigned char)((i * 7 + i / 11) % 60);
	return p;
}

static void
put(struct axt_out *o, const struct axt_out_var *v, int i, int64_t piece)
{
	struct axt_sink *s = axt_out_sink(o, i);
	unsigned char *p = payload(v);

	for (int64_t at = 0, n = bytes_of(v); at < n; at += piece)
		OK(s->write(s, at, p + at, MIN(piece, n - at), &err));
	free(p);
}

static void
save(const struct axt_out_var *v, int n, const struct axt_attr *attrs,
    const struct axt_out_opts *opt)
{
	struct axt_out *o;

	OK(axt_out_open(m, v, n, attrs, opt, &o, &err));
	for (int i = 0; i < n; i++)
		put(o, &v[i], i, 1000);
	OK(axt_out_close(o, true, &err));
}

/* The word of a deflate level; 0: NULL. */
static const char *
deflate(int level)
{
	return level ? axt_sprintf(m, "deflate:%d", level) : NULL;
}

/* -o path; with a deflate level (0: none) and more */
#define WITH(path, level, ...) \
	(&(struct axt_out_opts){ .target = path, .compress = deflate(level), __VA_ARGS__ })
#define TO(path) WITH(path, 0, .threads = 1)

/* ---- chunks that others write ---- */

#define CHUNKS 3000

static struct {
	void *p[CHUNKS];
	int64_t n[CHUNKS];
} packed;

static int
keep(void *ctx, int64_t i, const void *p, size_t n, struct axt_err *e)
{
	(void)ctx;
	(void)e;
	assert_true(i < CHUNKS);
	packed.p[i] = malloc(n);
	packed.n[i] = (int64_t)n;
	memcpy(packed.p[i], p, n);
	return 0;
}

/* Writes a tensor whose chunks are packed here, and which are then placed by their lengths. */
static void
save_apart(const struct axt_out_var *v, const struct axt_out_opts *opt)
{
	struct axt_out_opts o = *opt;
	unsigned char *p = payload(v);
	struct axt_chunking as;
	struct axt_cut cut;
	struct axt_out *out;
	int64_t at[CHUNKS], offset = 0;
	char path[PATH_MAX];
	int fd;

	o.apart = true;
	OK(axt_chunking_choose(&as, v, &v->axes, &o, &err));
	axt_cut_init(&cut, &v->axes, axt_size(v->dtype), as.chunk,
	    (struct axt_filters){ .n = as.nfilters, .use = as.filter }, p, -1, NULL);
	OK(axt_packers_run(&cut,
	    &(struct axt_packers){ .threads = 3, .memory = 1 << 24, .put = keep }, &err));
	OK(axt_out_open(m, v, 1, NULL, &o, &out, &err));
	assert_true(axt_out_share(out, 0, true, path, &offset));
	assert_int_equal(offset, -1);
	memcpy(at, packed.n, sizeof(at));
	OK(axt_out_place(out, 0, at, &err));
	fd = open(path, O_WRONLY);
	for (int64_t i = 0; i < cut.nchunks; i++) {
		OK(axt_pwrite(fd, packed.p[i], (size_t)packed.n[i], (uint64_t)at[i], "", &err));
		free(packed.p[i]);
	}
	close(fd);
	OK(axt_out_close(out, true, &err));
	free(p);
}

/* ---- reading back ---- */

static struct axt_file *
load(const char *path, const char *name, struct axt_dset **d)
{
	struct axt_file *f;

	OK(axt_file_open(m, path, 1 << 20, &f, &err));
	OK(axt_file_find(m, f, name, d, &err));
	OK(axt_dset_load(m, f, *d, &err));
	return f;
}

static void
same_axes(const struct axt_axes *a, const struct axt_axes *b)
{
	assert_int_equal(a->n, b->n);
	for (int i = 0; i < a->n; i++) {
		struct axt_axis out;
		const struct axt_join none = { 0 };

		assert_string_equal(axt_axis_spell(m, &a->a[i]), axt_axis_spell(m, &b->a[i]));
		OK(axt_axis_meet(m, &a->a[i], &b->a[i], &none, &out, &err));
		if (a->a[i].coord && a->a[i].len > 0)
			assert_non_null(b->a[i].coord);
		if (a->a[i].parts)
			assert_string_equal(a->a[i].parts, b->a[i].parts);
	}
}

static void
check(const char *path, const char *name, const struct axt_out_var *v)
{
	struct axt_dset *d;
	struct axt_file *f = load(path, name, &d);
	unsigned char *want = payload(v), *got = calloc((size_t)bytes_of(v) + 1, 1);

	assert_int_equal(d->dtype, v->dtype);
	same_axes(&v->axes, &d->axes);
	OK(axt_dset_read(f, d, got, &err));
	assert_memory_equal(got, want, (size_t)bytes_of(v));
	for (const struct axt_attr *a = v->attrs; a; a = a->next)
		assert_true(axt_attr_equal(a, axt_attr_find(d->attrs, a->name)));
	free(want);
	free(got);
	axt_file_close(f);
}

static unsigned char *
slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	unsigned char *p;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	p = malloc((size_t)st.st_size + 1);
	*n = fread(p, 1, (size_t)st.st_size, f);
	assert_int_equal(*n, st.st_size);
	fclose(f);
	return p;
}

static void
same_bytes(const char *a, const char *b)
{
	size_t na, nb;
	unsigned char *pa = slurp(a, &na), *pb = slurp(b, &nb);

	assert_int_equal(na, nb);
	assert_memory_equal(pa, pb, na);
	free(pa);
	free(pb);
}

static bool
there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* No temporary stays. */
static void
assert_clean(void)
{
	char cmd[512];

	snprintf(cmd, sizeof(cmd), "test -z \"$(find '%s' -name '.*.axt*')\"", dir);
	assert_int_equal(system(cmd), 0);
}

/* The same output through a pipe must be the same bytes as a named file. */
static void
stream_like(const struct axt_out_var *v, int n, const struct axt_attr *attrs, const char *file)
{
	const char *fifo = in_dir("fifo"), *copy = in_dir("streamed");
	struct axt_out *o;
	pid_t pid;
	int status;

	unlink(fifo);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	pid = fork();
	if (pid == 0) {
		execlp("sh", "sh", "-c", "cat \"$0\" > \"$1\"", fifo, copy, (char *)NULL);
		_exit(127);
	}
	OK(axt_out_open(m, v, n, attrs, TO(fifo), &o, &err));
	for (int i = 0; i < n; i++) {
		assert_true(axt_out_sink(o, i)->ordered);
		put(o, &v[i], i, 70000);
	}
	OK(axt_out_close(o, true, &err));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	same_bytes(file, copy);
	unlink(copy);
	unlink(fifo);
}

/* ---- layouts ---- */

static const struct axt_attr *
all_attrs(void)
{
	static const double d[] = { 1.5, -2 };
	static const int16_t i = 7;
	static const uint8_t b[] = { 1, 0, 1 };
	static const char *const l[] = { "one", "", "tw\xc3\xb6" };
	const struct axt_attr *a = text(NULL, "units", "K");

	a = text(a, "long_name", "temp\xc3\xa9rature");
	a = text(a, "empty", "");
	a = attr(a,
	    (struct axt_attr){ .name = "pair",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_F64,
		.n = 2,
		.data = d });
	a = attr(a,
	    (struct axt_attr){ .name = "one",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_I16,
		.n = 1,
		.data = &i });
	a = attr(a,
	    (struct axt_attr){ .name = "u8s",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_U8,
		.n = 3,
		.data = b });
	a = attr(a, (struct axt_attr){ .name = "list", .kind = AXT_ATTR_TEXTS, .n = 3, .data = l });
	for (int k = 0; k < 12; k++)
		a = text(a, axt_sprintf(m, "z%d", 11 - k), "more than eight");
	return a;
}

static void
test_ranks(void **state)
{
	static const char *const lists[] = {
		"",
		"x=5",
		"y=3,x=5",
		"z=2,y=3,x=5",
		"a=2,b=3,c=4,d=5",
		"a=2,b=1,c=4,d=5,e=2",
		"a=2,b=1,c=4,d=5,e=2,f=3",
		"a=2,b=1,c=4,d=5,e=2,f=3,g=2",
		"a=2,b=1,c=4,d=5,e=2,f=3,g=2,h=2",
	};

	(void)state;
	for (int r = 0; r < ARRAY_LEN(lists); r++) {
		struct axt_out_var v = { .name = "t",
			.dtype = AXT_F32,
			.axes = axes(lists[r]),
			.attrs = all_attrs() };
		const char *p = in_dir(axt_sprintf(m, "rank%d.nc", r));

		save(&v, 1, text(NULL, "title", "ranks"), TO(p));
		check(p, NULL, &v);
		stream_like(&v, 1, text(NULL, "title", "ranks"), p);
	}
}

/* Whether libhdf5 ends the process: 2.2 has an assertion that 32 axes have no chunks. */
static bool
refuses_chunks(const struct axt_out_var *v)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(2);
		save(v, 1, NULL, WITH(in_dir("tried.nc"), 5, .threads = 2));
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static void
test_rank_32(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_I16 };
	struct axt_buf list = { 0 };

	(void)state;
	for (int i = 0; i < AXT_MAX_RANK; i++)
		axt_buf_addf(&list, "%sd%d=%d", i ? "," : "", i, 1 + (i % 3 == 0));
	v.axes = axes(list.p);
	axt_buf_release(&list);
	save(&v, 1, NULL, TO(in_dir("rank32.nc")));
	check(in_dir("rank32.nc"), "t", &v);
	stream_like(&v, 1, NULL, in_dir("rank32.nc"));
	if (refuses_chunks(&v))
		skip();
	save(&v, 1, NULL, WITH(in_dir("rank32z.nc"), 5, .threads = 2));
	check(in_dir("rank32z.nc"), "t", &v);
}

static void
test_dtypes(void **state)
{
	(void)state;
	for (enum axt_dtype d = AXT_BOOL; d < AXT_NDTYPES; d++) {
		struct axt_out_var v = { .name = "t", .dtype = d, .axes = axes("lat=3,lon=4,k=2") };
		const char *p = in_dir(axt_sprintf(m, "%s.nc", axt_dtypes[d].name));

		v.axes.a[0].coord = coord(d, 3, text(NULL, "units", "degrees_north"));
		v.axes.a[1].coord = words(4);
		if (d == AXT_C64 || d == AXT_C128)
			v.axes.a[0].coord = NULL;
		save(&v, 1, NULL, TO(p));
		check(p, "t", &v);
		stream_like(&v, 1, NULL, p);
		save(&v, 1, NULL, TO(in_dir("again.nc")));
		same_bytes(p, in_dir("again.nc"));
	}
}

static void
test_names(void **state)
{
	struct axt_out_var v = { .name = "W",
		.dtype = AXT_F64,
		.axes = axes("M=3,M*=3,M*2=2,M*-1=2,a b=2") };
	const char *p = in_dir("names.nc");

	(void)state;
	v.axes.a[4].parts = "A:1,B:2";
	v.axes.a[1].coord = coord(AXT_F64, 3, NULL);
	save(&v, 1, NULL, TO(p));
	check(p, "W", &v);
	v.name = "M*"; /* an axis with coordinates */
	FAILS(AXT_E_NAME,
	    axt_out_open(m, &v, 1, NULL, TO(in_dir("never.nc")), &(struct axt_out *){ NULL },
		&err));
	v.name = "M"; /* one without */
	save(&v, 1, NULL, TO(p));
	check(p, "M", &v);
	v.name = "a/.";
	FAILS(AXT_E_NAME,
	    axt_out_open(m, &v, 1, NULL, TO(in_dir("never.nc")), &(struct axt_out *){ NULL },
		&err));
	assert_false(there(in_dir("never.nc")));
	assert_clean();
}

static void
test_empty(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_I32, .axes = axes("a=3,b=0,c=2") };
	const char *p = in_dir("empty.nc");

	(void)state;
	v.axes.a[0].coord = coord(AXT_I64, 3, NULL);
	v.axes.a[1].coord = coord(AXT_F32, 0, NULL);
	save(&v, 1, NULL, TO(p));
	check(p, "t", &v);
	stream_like(&v, 1, NULL, p);
	save(&v, 1, NULL, WITH(in_dir("empty9.nc"), 9, .threads = 2));
	check(in_dir("empty9.nc"), "t", &v);
}

static void
test_several(void **state)
{
	struct axt_out_var v[] = {
		{ .name = "mean", .dtype = AXT_F32, .axes = axes("lat=30,lon=40") },
		{ .name = "n", .dtype = AXT_I64, .axes = axes("lon=40") },
		{ .name = "none", .dtype = AXT_U16, .axes = axes("e=0,lon=40") },
		{ .name = "std", .dtype = AXT_F64, .axes = axes("lon=40,lat=30,time=17") },
		{ .name = "all", .dtype = AXT_U8, .axes = axes("") },
		{ .name = "time", .dtype = AXT_F64, .axes = axes("time=17") },
	};
	const char *p = in_dir("several.nc");

	(void)state;
	v[0].axes.a[0].coord = v[3].axes.a[1].coord = coord(AXT_F64, 30,
	    text(NULL, "units", "degrees_north"));
	save(v, 6, NULL, TO(p));
	for (int i = 0; i < 5; i++)
		check(p, v[i].name, &v[i]);
	stream_like(v, 6, NULL, p);
	v[1].name = "mean";
	FAILS(AXT_E_NAME,
	    axt_out_open(m, v, 2, NULL, TO(in_dir("never.nc")), &(struct axt_out *){ NULL }, &err));
	v[1].name = "lat";
	FAILS(AXT_E_NAME,
	    axt_out_open(m, v, 2, NULL, TO(in_dir("never.nc")), &(struct axt_out *){ NULL }, &err));
}

static void
test_aux(void **state)
{
	static const double bnds[] = { 0, 1, 1, 2, 2, 3 };
	static const char *const place[] = { "here", "there", "" };
	static const float height = 2;
	struct axt_aux a[3] = { { .name = "lat_bnds", .dtype = AXT_F64, .data = bnds },
		{ .name = "place", .text = true, .data = place },
		{ .name = "height", .dtype = AXT_F32, .data = &height } };
	struct axt_out_var v = { .name = "t",
		.dtype = AXT_F32,
		.axes = axes("lat=3,lon=4"),
		.aux = a,
		.attrs = text(NULL, "coordinates", "place height") };
	const char *p = in_dir("aux.nc");
	struct axt_dset *d;
	struct axt_file *f;
	const char *const *s;
	double got[6];
	int64_t n;

	(void)state;
	v.axes.a[0].coord = coord(AXT_F64, 3, text(NULL, "bounds", "lat_bnds"));
	a[0].axes = axes("lat=3,bnds=2");
	a[0].axes.a[0] = v.axes.a[0];
	a[0].next = &a[1];
	a[1].axes = axes("lat=3");
	a[1].next = &a[2];
	v.name = "bnds"; /* an axis of what goes along, without coordinates */
	save(&v, 1, NULL, TO(p));
	check(p, "bnds", &v);
	v.name = "t";
	save(&v, 1, NULL, TO(p));
	check(p, NULL, &v);
	stream_like(&v, 1, NULL, p);
	f = load(p, "lat_bnds", &d);
	OK(axt_dset_read(f, d, got, &err));
	assert_memory_equal(got, bnds, sizeof(bnds));
	axt_file_close(f);
	OK(axt_file_open(m, p, 1 << 20, &f, &err));
	OK(axt_file_find(m, f, "height", &d, &err));
	assert_int_equal(d->rank, 0);
	for (int i = 0; i < f->ndsets; i++) {
		if (strcmp(f->dsets[i].name, "place"))
			continue;
		OK(axt_dset_load(m, f, &f->dsets[i], &err));
		OK(axt_dset_strings(m, f, &f->dsets[i], &s, &n, &err));
		assert_int_equal(n, 3);
		assert_string_equal(s[1], "there");
		assert_string_equal(s[2], "");
	}
	axt_file_close(f);
}

/* ---- chunks ---- */

static void
test_chunks(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_F32, .axes = axes("a=7,b=50,c=33") };

	(void)state;
	v.axes.a[0].coord = coord(AXT_F64, 7, NULL);
	for (int level = 0; level <= 9; level++) {
		const char *p = in_dir(axt_sprintf(m, "deflate%d.nc", level));

		save(&v, 1, NULL,
		    WITH(p, level, .has_chunk = true, .chunk = { 2, 20, -1 }, .threads = 2));
		check(p, "t", &v);
		save(&v, 1, NULL, WITH(p, level, .threads = 1));
		check(p, "t", &v);
	}
	for (enum axt_dtype d = AXT_BOOL; d < AXT_NDTYPES; d++) {
		const char *p = in_dir(axt_sprintf(m, "chunked_%s.nc", axt_dtypes[d].name));

		v.dtype = d;
		save(&v, 1, NULL,
		    WITH(p, 4, .has_chunk = true, .chunk = { 1, 7, 33 }, .threads = 3));
		check(p, "t", &v);
	}
	FAILS(AXT_E_ARG,
	    axt_out_open(m, &v, 1, NULL, WITH(NULL, 1, .threads = 2), &(struct axt_out *){ NULL },
		&err));
	FAILS(AXT_E_ARG,
	    axt_out_open(m, &v, 1, NULL,
		WITH(in_dir("never.nc"), 0, .has_chunk = true, .threads = 2),
		&(struct axt_out *){ NULL }, &err));
	v.dtype = AXT_F64;
	v.axes = axes("a=300,b=50,c=330");
	save(&v, 1, NULL, WITH(in_dir("auto.nc"), 1, .threads = 2));
	check(in_dir("auto.nc"), "t", &v);
}

/* ---- what is there already ---- */

static void
test_replace(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_F32, .axes = axes("a=7") };
	const char *p = in_dir("old.nc"), *l = in_dir("link.nc"), *dangling = in_dir("dangling.nc");
	struct axt_out *o;
	struct stat st;

	(void)state;
	umask(027);
	save(&v, 1, NULL, TO(p));
	assert_int_equal(stat(p, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	umask(022);
	assert_int_equal(chmod(p, 04604), 0);
	assert_int_equal(symlink("old.nc", l), 0);
	v.dtype = AXT_F64;
	save(&v, 1, NULL, TO(l));
	assert_int_equal(lstat(l, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(p, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0604);
	check(p, "t", &v);
	assert_int_equal(symlink("new_by_link.nc", dangling), 0);
	save(&v, 1, NULL, TO(dangling));
	check(in_dir("new_by_link.nc"), "t", &v);
	FAILS(AXT_E_EXISTS,
	    axt_out_open(m, &v, 1, NULL, WITH(p, 0, .no_clobber = true, .threads = 2), &o, &err));
	FAILS(AXT_E_EXISTS,
	    axt_out_open(m, &v, 1, NULL, WITH(p, 0, .shared_input = true, .threads = 2), &o, &err));
	save(&v, 1, NULL, WITH(p, 0, .shared_input = true, .force = true, .threads = 2));
	/* it came while we worked */
	OK(axt_out_open(m, &v, 1, NULL,
	    WITH(in_dir("late.nc"), 0, .no_clobber = true, .threads = 2), &o, &err));
	put(o, &v, 0, 8);
	save(&v, 1, NULL, TO(in_dir("late.nc")));
	FAILS(AXT_E_EXISTS, axt_out_close(o, true, &err));
	save(&v, 1, NULL, WITH(in_dir("first.nc"), 0, .no_clobber = true, .threads = 2));
	/* not ok, or not all: the old file stays */
	v.dtype = AXT_I8;
	OK(axt_out_open(m, &v, 1, NULL, TO(p), &o, &err));
	put(o, &v, 0, 8);
	OK(axt_out_close(o, false, &err));
	OK(axt_out_open(m, &v, 1, NULL, TO(p), &o, &err));
	FAILS(AXT_E_IO, axt_out_close(o, true, &err));
	v.dtype = AXT_F64;
	check(p, "t", &v);
	assert_clean();
}

static void
test_bad_targets(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_F32, .axes = axes("a=7") };
	struct axt_out *o;
	char longname[300];

	(void)state;
	memset(longname, 'x', sizeof(longname));
	longname[299] = '\0';
	FAILS(AXT_E_IO, axt_out_open(m, &v, 1, NULL, TO(""), &o, &err));
	FAILS(AXT_E_IO, axt_out_open(m, &v, 1, NULL, TO(dir), &o, &err));
	FAILS(AXT_E_IO, axt_out_open(m, &v, 1, NULL, TO(axt_sprintf(m, "%s/", dir)), &o, &err));
	FAILS(AXT_E_IO, axt_out_open(m, &v, 1, NULL, TO(in_dir("none/x.nc")), &o, &err));
	FAILS(AXT_E_IO, axt_out_open(m, &v, 1, NULL, TO(in_dir(longname)), &o, &err));
	assert_int_equal(symlink("loop", in_dir("loop")), 0);
	FAILS(AXT_E_IO, axt_out_open(m, &v, 1, NULL, TO(in_dir("loop")), &o, &err));
	FAILS(AXT_E_SYNTAX, axt_out_open(m, &v, 1, NULL, TO("x.nc:"), &o, &err));
	longname[255] = '\0';
	save(&v, 1, NULL, TO(in_dir(longname)));
	check(in_dir(longname), "t", &v);
	save(&v, 1, NULL, TO(in_dir(longname)));
	unlink(in_dir(longname));
	save(&v, 1, NULL, TO("/dev/null"));
	assert_clean();
}

/* ---- FILE:DATASET ---- */

static void
test_add(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_F32, .axes = axes("lat=3,lon=4") };
	struct axt_out_var u = { .name = "u", .dtype = AXT_F64, .axes = axes("lon=4,lat=3,z=2") };
	const char *p = in_dir("add.nc"), *to = in_dir("add.nc:u"), *deep = in_dir("add.nc:/g/h/u");
	FILE *f;
	struct axt_out *o;

	(void)state;
	v.axes.a[0].coord = u.axes.a[1].coord = coord(AXT_F64, 3, NULL);
	v.axes.a[1].coord = u.axes.a[0].coord = words(4);
	u.axes.a[2].coord = coord(AXT_I16, 2, NULL);
	save(&v, 1, text(NULL, "title", "first"), TO(p));
	save(&u, 1, text(NULL, "title", "second"), TO(to));
	check(p, "t", &v);
	check(p, "u", &u);
	u.dtype = AXT_C64;
	save(&u, 1, NULL, TO(to)); /* replaced */
	check(p, "u", &u);
	save(&u, 1, NULL, WITH(deep, 3, .threads = 2));
	check(p, "/g/h/u", &u);
	check(p, "t", &v);
	save(&u, 1, NULL, TO(in_dir("fresh.nc:/g/h/u")));
	check(in_dir("fresh.nc"), "/g/h/u", &u);
	FAILS(AXT_E_EXISTS,
	    axt_out_open(m, &u, 1, NULL, WITH(to, 0, .no_clobber = true, .threads = 2), &o, &err));
	FAILS(AXT_E_NAME, axt_out_open(m, &u, 1, NULL, TO(in_dir("add.nc:g")), &o, &err));
	FAILS(AXT_E_NAME, axt_out_open(m, &u, 1, NULL, TO(in_dir("add.nc:lat")), &o, &err));
	FAILS(AXT_E_NAME, axt_out_open(m, &u, 1, NULL, TO(in_dir("add.nc:/t/u")), &o, &err));
	u.axes = axes("lat=2");
	FAILS(AXT_E_AXES, axt_out_open(m, &u, 1, NULL, TO(to), &o, &err));
	u.axes = axes("lat=3");
	u.axes.a[0].coord = coord(AXT_F64, 3, NULL);
	((double *)(uintptr_t)u.axes.a[0].coord->data)[1] = 9;
	FAILS(AXT_E_COORD, axt_out_open(m, &u, 1, NULL, TO(to), &o, &err));
	f = fopen(in_dir("words"), "w");
	assert_true(f && fputs("These are words.\n", f) >= 0 && fclose(f) == 0);
	FAILS(AXT_E_FORMAT, axt_out_open(m, &u, 1, NULL, TO(in_dir("words:u")), &o, &err));
	check(p, "t", &v);
	assert_clean();
}

static int
edit_file(const char *p, const struct axt_attr_edit *ed, int n, bool in_place)
{
	struct axt_lock l;

	OK(axt_lock_take(&l, AT_FDCWD, p, p, AXT_LOCK_WRITE, NULL, &err));
	axt_attr_edit_file(m, p, NULL, ed, n, in_place, &l, &err);
	assert_int_equal(axt_lock_drop(&l), 0);
	return err.code;
}

static void
test_attr_edit(void **state)
{
	struct axt_out_var v = { .name = "t",
		.dtype = AXT_F32,
		.axes = axes("M=3,M*=4"),
		.attrs = all_attrs() };
	const char *p = in_dir("edit.nc");
	static const float fill = -1;
	struct axt_attr_edit ed[] = {
		{ NULL, { .name = "units", .kind = AXT_ATTR_TEXT, .text = "degC" } },
		{ NULL,
		    { .name = "_FillValue",
			.kind = AXT_ATTR_NUM,
			.dtype = AXT_F32,
			.n = 1,
			.data = &fill } },
		{ NULL, { .name = "pair", .kind = AXT_ATTR_TEXT, .text = "" } },
		{ "", { .name = "title", .kind = AXT_ATTR_TEXT, .text = "edited" } },
		{ "M*", { .name = "note", .kind = AXT_ATTR_TEXT, .text = "of an axis" } },
	};
	struct axt_dset *d;
	struct axt_file *f;

	(void)state;
	v.axes.a[1].coord = coord(AXT_I32, 4, NULL);
	save(&v, 1, text(NULL, "title", "first"), TO(p));
	for (int place = 0; place < 2; place++) {
		OK(edit_file(p, ed, 5, place));
		f = load(p, "t", &d);
		assert_string_equal(axt_attr_text(d->attrs, "units"), "degC");
		assert_string_equal(axt_attr_text(d->attrs, "long_name"), "temp\xc3\xa9rature");
		assert_null(axt_attr_find(d->attrs, "pair"));
		assert_true(axt_attr_equal(&ed[1].attr, axt_attr_find(d->attrs, "_FillValue")));
		assert_string_equal(axt_attr_text(f->attrs, "title"), "edited");
		assert_string_equal(axt_attr_text(d->axes.a[1].coord->attrs, "note"), "of an axis");
		axt_file_close(f);
		ed[2].attr.name = "list";
	}
	ed[0].object = "nope";
	FAILS(AXT_E_NAME, edit_file(p, ed, 1, false));
	ed[0].object = NULL;
	ed[0].attr.name = "DIMENSION_LIST";
	FAILS(AXT_E_ARG, edit_file(p, ed, 1, false));
	assert_clean();
}

/* Over 64 kB: libhdf5 keeps them apart from the object's header. */
static void
test_attr_long(void **state)
{
	enum { N = 100000 };
	static double d[N];
	static char s[N + 1];
	static const char *l[N];
	struct axt_attr_edit ed = { NULL, { .name = "n", .kind = AXT_ATTR_TEXT, .text = s } };
	struct axt_out_var v = { .name = "t", .dtype = AXT_F32, .axes = axes("x=5") };
	const char *p = in_dir("long.nc");
	struct axt_dset *set;
	struct axt_file *f;

	(void)state;
	for (int i = 0; i < N; i++) {
		d[i] = i / 3.0;
		l[i] = i % 2 ? "odd" : "";
	}
	memset(s, 's', N);
	v.attrs = text(all_attrs(), "long", s);
	v.attrs = attr(v.attrs,
	    (struct axt_attr){ .name = "n",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_F64,
		.n = N,
		.data = d });
	v.attrs = attr(v.attrs,
	    (struct axt_attr){ .name = "many", .kind = AXT_ATTR_TEXTS, .n = N, .data = l });
	save(&v, 1, text(NULL, "title", s), TO(p));
	check(p, NULL, &v);
	stream_like(&v, 1, text(NULL, "title", s), p);
	OK(edit_file(p, &ed, 1, true));
	f = load(p, "t", &set);
	assert_string_equal(axt_attr_text(set->attrs, "n"), s);
	assert_string_equal(axt_attr_text(f->attrs, "title"), s);
	axt_file_close(f);
	assert_clean();
}

/* ---- targets ---- */

static void
split(const char *target, const char *file, const char *dset)
{
	const char *f, *d;

	OK(axt_target_split(m, target, &f, &d, &err));
	assert_string_equal(f, file);
	if (dset)
		assert_string_equal(d, dset);
	else
		assert_null(d);
}

static void
test_split(void **state)
{
	const char *here = in_dir("odd:name"), *d = in_dir("d:"), *x = in_dir("d:/x"),
		   *y = in_dir("d:/x.nc");

	(void)state;
	split("a.nc", "a.nc", NULL);
	split("a.nc:t", "a.nc", "t");
	split("a.HDF5:t:0", "a.HDF5", "t:0");
	split("a.nc:/g/t:0", "a.nc", "/g/t:0");
	split("out:/g/t", "out", "/g/t");
	split("out:t", "out:t", NULL);
	split("wrfout_d01_2005-08-28_00:00:00", "wrfout_d01_2005-08-28_00:00:00", NULL);
	split("wrfout_d01_2005-08-28_00:00:00.nc:T", "wrfout_d01_2005-08-28_00:00:00.nc", "T");
	split("-:t", "-", "t");
	split(".nc:t", ".nc:t", NULL);
	fclose(fopen(here, "w"));
	split(here, here, NULL);
	split(in_dir("odd:name:t"), here, "t");
	assert_int_equal(mkdir(d, 0700), 0);
	split(x, x, NULL);
	split(in_dir("d:/x.nc:y"), y, "y");
	unlink(here);
	rmdir(d);
}

/* ---- streams and faults ---- */

/* What a reader of a pipe gets when the writer ends with ok or not. */
static size_t
pipe_bytes(const struct axt_out_var *v, bool ok)
{
	int p[2], status;
	size_t n = 0;
	ssize_t r;
	char buf[4096];
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (pid == 0) {
		struct axt_out *o;
		struct axt_sink *s;
		unsigned char *q = payload(v);
		char name[32];

		close(p[0]);
		fcntl(p[1], F_SETFL, fcntl(p[1], F_GETFL) | O_NONBLOCK);
		snprintf(name, sizeof(name), "/dev/fd/%d", p[1]);
		if (axt_out_open(m, v, 1, NULL, TO(name), &o, &err))
			_exit(2);
		s = axt_out_sink(o, 0);
		if (s->write(s, 0, q, bytes_of(v), &err))
			_exit(3);
		_exit(axt_out_close(o, ok, &err));
	}
	close(p[1]);
	while ((r = read(p[0], buf, sizeof(buf))) > 0)
		n += (size_t)r;
	close(p[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return n;
}

static void
test_held_back(void **state)
{
	static const char *const sizes[] = { "x=1", "x=100", "x=65536", "x=65537", "x=1000000" };
	struct axt_out_var v = { .name = "t", .dtype = AXT_I8 };

	(void)state;
	for (int i = 0; i < ARRAY_LEN(sizes); i++) {
		size_t all, some;

		v.axes = axes(sizes[i]);
		all = pipe_bytes(&v, true);
		some = pipe_bytes(&v, false);
		assert_true(some < all && all - some <= 65536);
	}
	v.axes = axes("x=0");
	assert_int_equal(pipe_bytes(&v, false), 0);
	assert_true(pipe_bytes(&v, true) > 500);
}

static int
try(const struct axt_out_var *v, const struct axt_out_opts *opt, struct axt_err *e)
{
	struct axt_out *o;
	struct axt_sink *s;
	unsigned char *p = payload(v);

	*e = (struct axt_err){ 0 };
	if (axt_out_open(m, v, 1, NULL, opt, &o, e) == 0) {
		s = axt_out_sink(o, 0);
		axt_out_close(o, s->write(s, 0, p, bytes_of(v), e) == 0, e);
	}
	free(p);
	return (int)e->code;
}

static void
test_faults(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_F64, .axes = axes("x=100000") };
	struct rlimit old, low = { 100000, RLIM_INFINITY };
	const char *p = in_dir("limit.nc");
	struct axt_err e;
	int fd[2];
	char name[32];

	(void)state;
	assert_int_equal(try(&v, TO("/dev/full"), &e), AXT_E_IO);
	assert_non_null(strstr(e.text, strerror(ENOSPC)));
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fd), 0);
	close(fd[0]);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd[1]);
	assert_int_equal(try(&v, TO(name), &e), AXT_E_IO);
	assert_non_null(strstr(e.text, strerror(EPIPE)));
	close(fd[1]);
	signal(SIGPIPE, SIG_DFL);
	v.dtype = AXT_I8;
	assert_int_equal(try(&v, TO(p), &e), 0);
	v.dtype = AXT_F64;
	signal(SIGXFSZ, SIG_IGN); /* for good: under valgrind it comes late */
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	low.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	assert_int_equal(try(&v, TO(p), &e), AXT_E_IO);
	assert_int_equal(
	    try(&v, WITH(p, 0, .has_chunk = true, .chunk = { 1000 }, .threads = 2), &e), AXT_E_IO);
	assert_int_equal(try(&v, TO(in_dir("limit.nc:u")), &e), AXT_E_IO);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	v.dtype = AXT_I8;
	check(p, "t", &v);
	assert_clean();
}

/* Killed in the middle, the old file stays; ended by a handler, nothing else does. */
static void
test_killed(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_F64, .axes = axes("x=100000") };
	const char *p = in_dir("killed.nc");
	int status;

	(void)state;
	save(&v, 1, NULL, TO(p));
	v.dtype = AXT_F32;
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			struct axt_out *o;

			if (axt_out_open(m, &v, 1, NULL, TO(p), &o, &err) == 0)
				put(o, &v, 0, 4096);
			if (i)
				axt_out_cleanup();
			raise(SIGKILL);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
	}
	v.dtype = AXT_F64;
	check(p, "t", &v);
	assert_clean();
}

/* Several threads write one file at once. */
struct part {
	struct axt_sink *s;
	const unsigned char *p;
	int64_t from, n;
	struct axt_err e;
};

static void *
write_part(void *ctx)
{
	struct part *t = ctx;

	for (int64_t i = 0; i < t->n; i += 777)
		t->s->write(t->s, t->from + i, t->p + t->from + i, MIN((int64_t)777, t->n - i),
		    &t->e);
	return NULL;
}

static void
test_threads(void **state)
{
	struct axt_out_var v = { .name = "t", .dtype = AXT_I8, .axes = axes("x=400000") };

	(void)state;
	for (int level = 0; level < 2; level++) {
		unsigned char *p = payload(&v);
		struct part part[4];
		pthread_t t[4];
		struct axt_out *o;

		OK(axt_out_open(m, &v, 1, NULL, WITH(in_dir("threads.nc"), level, .threads = 2), &o,
		    &err));
		for (int i = 0; i < 4; i++) {
			part[i] = (struct part){ axt_out_sink(o, 0), p, (3 - i) * 100000, 100000,
				{ 0 } };
			assert_int_equal(pthread_create(&t[i], NULL, write_part, &part[i]), 0);
		}
		for (int i = 0; i < 4; i++) {
			pthread_join(t[i], NULL);
			assert_int_equal(part[i].e.code, 0);
		}
		OK(axt_out_close(o, true, &err));
		check(in_dir("threads.nc"), "t", &v);
		free(p);
	}
}

static int
begin(void **state)
{
	(void)state;
	m = axt_arena_new();
	err = (struct axt_err){ 0 };
	return m ? 0 : -1;
}

static int
end(void **state)
{
	(void)state;
	axt_arena_free(m);
	return 0;
}

/* Chunks that others write make the same file, also where the index of chunks has several nodes. */
static void
test_apart(void **state)
{
	static const struct {
		const char *axes;
		int level;
		int64_t chunk[2];
	} cases[] = { { "x=40,y=70", 1, { 40, 70 } }, { "x=40,y=70", 6, { 7, 9 } },
		{ "x=40,y=70", 0, { 7, 9 } }, { "x=40,y=70", 3, { 1, 1 } },
		{ "x=40,y=70", 2, { 16, 70 } }, { "x=1,y=1", 1, { 1, 1 } } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct axt_out_var v = { .name = "t",
			.dtype = AXT_F64,
			.axes = axes(cases[i].axes) };
		struct axt_out_opts o = *WITH(in_dir("here.nc"), cases[i].level, .threads = 2,
		    .memory = 1 << 24, .has_chunk = true);
		char cmd[600];

		v.axes.a[0].unlimited = i % 2 == 0;
		memcpy(o.chunk, cases[i].chunk, sizeof(cases[i].chunk));
		save(&v, 1, NULL, &o);
		o.target = in_dir("apart.nc");
		save_apart(&v, &o);
		snprintf(cmd, sizeof(cmd), "cmp '%s' '%s'", in_dir("here.nc"), in_dir("apart.nc"));
		assert_int_equal(system(cmd), 0);
	}
}

int
main(int argc, char *argv[])
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ranks, begin, end),
		cmocka_unit_test_setup_teardown(test_rank_32, begin, end),
		cmocka_unit_test_setup_teardown(test_dtypes, begin, end),
		cmocka_unit_test_setup_teardown(test_names, begin, end),
		cmocka_unit_test_setup_teardown(test_empty, begin, end),
		cmocka_unit_test_setup_teardown(test_several, begin, end),
		cmocka_unit_test_setup_teardown(test_aux, begin, end),
		cmocka_unit_test_setup_teardown(test_chunks, begin, end),
		cmocka_unit_test_setup_teardown(test_apart, begin, end),
		cmocka_unit_test_setup_teardown(test_replace, begin, end),
		cmocka_unit_test_setup_teardown(test_bad_targets, begin, end),
		cmocka_unit_test_setup_teardown(test_add, begin, end),
		cmocka_unit_test_setup_teardown(test_attr_edit, begin, end),
		cmocka_unit_test_setup_teardown(test_attr_long, begin, end),
		cmocka_unit_test_setup_teardown(test_split, begin, end),
		cmocka_unit_test_setup_teardown(test_held_back, begin, end),
		cmocka_unit_test_setup_teardown(test_faults, begin, end),
		cmocka_unit_test_setup_teardown(test_killed, begin, end),
		cmocka_unit_test_setup_teardown(test_threads, begin, end),
	};
	char cmd[256];
	int rc;

	umask(022);
	snprintf(dir, sizeof(dir), "%s", argc > 1 ? argv[1] : "/tmp/axt-write-XXXXXX");
	if (argc < 2 && !mkdtemp(dir))
		return 1;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	if (argc < 2) {
		snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
		rc |= system(cmd);
	}
	return rc;
}
