/*
 * test_store_read.c - reading: types, axes, storage, streams, names, and files that are not what
 * they should be. Files are made here with libhdf5's own calls.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <hdf5.h>

#include "graph/graph.h"
#include "hdf5/format/virtual.h"

#define MEMORY ((int64_t)64 << 20)

static char dir[100];
static struct axt_arena *m;
static struct axt_err err;

static const char *
in_dir(const char *name)
{
	return axt_sprintf(m, "%s/%s", dir, name);
}

static int
setup(void **state)
{
	struct axt_file *f;

	(void)state;
	strcpy(dir, "/tmp/axt-read-XXXXXX");
	m = axt_arena_new();
	/* Sets libhdf5 up, so that the test's own calls are silent too. */
	return !m || !mkdtemp(dir) || axt_file_open(m, dir, MEMORY, &f, &err) == AXT_OK;
}

static int
teardown(void **state)
{
	const char *cmd = axt_sprintf(m, "rm -rf %s", dir);
	int rc = system(cmd);

	(void)state;
	axt_arena_free(m);
	H5close();
	return rc;
}

/* ---- making files ---- */

static hid_t
make(const char *name)
{
	hid_t p = H5Pcreate(H5P_FILE_ACCESS), f;

	H5Pset_fclose_degree(p, H5F_CLOSE_STRONG);
	f = H5Fcreate(in_dir(name), H5F_ACC_TRUNC, H5P_DEFAULT, p);
	assert_true(f >= 0);
	H5Pclose(p);
	return f;
}

static hid_t
put(hid_t f, const char *name, hid_t type, int rank, const hsize_t *dims, hid_t plist, hid_t mem,
    const void *data)
{
	hid_t s = rank ? H5Screate_simple(rank, dims, NULL) : H5Screate(H5S_SCALAR);
	hid_t d = H5Dcreate2(f, name, type, s, H5P_DEFAULT, plist, H5P_DEFAULT);

	assert_true(d >= 0);
	if (data)
		assert_true(H5Dwrite(d, mem, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
	H5Sclose(s);
	return d;
}

static void
text(hid_t obj, const char *name, const char *value)
{
	hid_t t = H5Tcopy(H5T_C_S1), s = H5Screate(H5S_SCALAR), a;

	H5Tset_size(t, strlen(value) + 1);
	a = H5Acreate2(obj, name, t, s, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(H5Awrite(a, t, value) >= 0);
	H5Aclose(a);
	H5Sclose(s);
	H5Tclose(t);
}

static void
texts(hid_t obj, const char *name, const char **value, hsize_t n)
{
	hid_t t = H5Tcopy(H5T_C_S1), s = H5Screate_simple(1, &n, NULL), a;

	H5Tset_size(t, H5T_VARIABLE);
	a = H5Acreate2(obj, name, t, s, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(H5Awrite(a, t, value) >= 0);
	H5Aclose(a);
	H5Sclose(s);
	H5Tclose(t);
}

static void
number(hid_t obj, const char *name, hid_t type, const void *value)
{
	hid_t s = H5Screate(H5S_SCALAR),
	      a = H5Acreate2(obj, name, type, s, H5P_DEFAULT, H5P_DEFAULT);

	assert_true(H5Awrite(a, type, value) >= 0);
	H5Aclose(a);
	H5Sclose(s);
}

/* Scales, one for each axis (NULL: none), attached without H5DS. */
static void
attach(hid_t f, hid_t d, const char **scales, hsize_t n)
{
	hid_t t = H5Tvlen_create(H5T_STD_REF_OBJ), s = H5Screate_simple(1, &n, NULL), a;
	hobj_ref_t refs[8];
	hvl_t v[8];

	for (hsize_t k = 0; k < n; k++) {
		v[k].len = scales[k] != NULL;
		v[k].p = &refs[k];
		if (scales[k])
			assert_true(H5Rcreate(&refs[k], f, scales[k], H5R_OBJECT, -1) >= 0);
	}
	a = H5Acreate2(d, "DIMENSION_LIST", t, s, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(H5Awrite(a, t, v) >= 0);
	H5Aclose(a);
	H5Sclose(s);
	H5Tclose(t);
}

static const float grid[6] = { 0, 1.5f, -2, 3, 4, 5 };
static const double lat[2] = { -45, 45 };

/* t(lat, M*): coordinates on one axis, a bare netCDF dimension on the other. */
static const char *
named_file(void)
{
	hid_t f = make("named.nc"), d;
	hsize_t dims[2] = { 2, 3 };

	d = put(f, "lat", H5T_IEEE_F64BE, 1, dims, H5P_DEFAULT, H5T_NATIVE_DOUBLE, lat);
	text(d, "CLASS", "DIMENSION_SCALE");
	text(d, "units", "degrees_north");
	d = put(f, "M*", H5T_IEEE_F32BE, 1, dims + 1, H5P_DEFAULT, -1, NULL);
	text(d, "CLASS", "DIMENSION_SCALE");
	text(d, "NAME", "This is a netCDF dimension but not a netCDF variable.         3");
	d = put(f, "t", H5T_IEEE_F32LE, 2, dims, H5P_DEFAULT, H5T_NATIVE_FLOAT, grid);
	attach(f, d, (const char *[]){ "lat", "M*" }, 2);
	texts(d, "words", (const char *[]){ "a", "", "ccc" }, 3);
	texts(d, "coordinates", (const char *[]){ "height" }, 1);
	put(f, "height", H5T_STD_I16LE, 0, NULL, H5P_DEFAULT, H5T_NATIVE_SHORT, &(short){ 2 });
	text(f, "title", "a file");
	assert_true(H5Fclose(f) >= 0);
	return in_dir("named.nc");
}

/* ---- reading ---- */

static struct axt_file *
open_ok(const char *path)
{
	struct axt_file *f = NULL;

	err = (struct axt_err){ 0 };
	if (axt_file_open(m, path, MEMORY, &f, &err) != AXT_OK)
		fail_msg("%s", err.text);
	return f;
}

static struct axt_dset *
load_ok(struct axt_file *f, const char *name)
{
	struct axt_dset *d = NULL;

	err = (struct axt_err){ 0 };
	if (axt_file_find(m, f, name, &d, &err) != AXT_OK || axt_dset_load(m, f, d, &err) != AXT_OK)
		fail_msg("%s", err.text);
	return d;
}

static void
same_data(struct axt_file *f, struct axt_dset *d, const void *want)
{
	size_t n = (size_t)d->st.count * (size_t)axt_size(d->dtype);
	void *p = malloc(n + 1);

	assert_int_equal(axt_dset_read(f, d, p, &err), AXT_OK);
	assert_memory_equal(p, want, n);
	free(p);
}

static void
check_named(struct axt_file *f)
{
	struct axt_dset *d = load_ok(f, NULL);
	const struct axt_attr *w;

	assert_string_equal(d->path, "/t");
	assert_int_equal(d->dtype, AXT_F32);
	assert_int_equal(d->axes.n, 2);
	assert_string_equal(d->axes.a[0].name, "lat");
	assert_int_equal(d->axes.a[0].coord->dtype, AXT_F64);
	assert_memory_equal(d->axes.a[0].coord->data, lat, sizeof(lat));
	assert_string_equal(axt_attr_text(d->axes.a[0].coord->attrs, "units"), "degrees_north");
	assert_string_equal(d->axes.a[1].name, "M");
	assert_int_equal(d->axes.a[1].level, 1);
	assert_null(d->axes.a[1].coord);
	assert_string_equal(axt_attr_text(d->attrs, "coordinates"), "height");
	assert_null(axt_attr_find(d->attrs, "DIMENSION_LIST"));
	w = axt_attr_find(d->attrs, "words");
	assert_int_equal(w->kind, AXT_ATTR_TEXTS);
	assert_string_equal(((const char *const *)w->data)[2], "ccc");
	same_data(f, d, grid);
}

static void
test_named(void **state)
{
	struct axt_file *f = open_ok(named_file());

	(void)state;
	check_named(f);
	assert_string_equal(axt_attr_text(f->attrs, "title"), "a file");
	assert_int_equal(f->ndsets, 4);
	for (int i = 0; i < f->ndsets; i++)
		if (strcmp(f->dsets[i].name, "height") == 0)
			assert_int_equal(f->dsets[i].role, AXT_ROLE_AUX);
	assert_int_equal(axt_file_check(f, &err), AXT_OK);
	axt_file_close(f);
}

static void
find_fails(struct axt_file *f, const char *name, int code, const char *want)
{
	struct axt_err e = { 0 };
	struct axt_dset *d;

	assert_int_equal(axt_file_find(m, f, name, &d, &e), code);
	if (!strstr(e.text, want))
		fail_msg("\"%s\" is not in \"%s\"", want, e.text);
}

static void
test_find(void **state)
{
	hid_t h = make("many.h5"), g;
	struct axt_file *f;
	float one = 1;

	(void)state;
	put(h, "t", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT, H5T_NATIVE_FLOAT, &one);
	g = H5Gcreate2(h, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	put(g, "u", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT, H5T_NATIVE_FLOAT, &one);
	put(g, "u:0", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT, H5T_NATIVE_FLOAT, &one);
	put(g, "t", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT, H5T_NATIVE_FLOAT, &one);
	put(h, "o", H5Tcreate(H5T_OPAQUE, 3), 0, NULL, H5P_DEFAULT, -1, NULL);
	H5Lcreate_hard(h, "/", g, "loop", H5P_DEFAULT, H5P_DEFAULT);
	H5Lcreate_soft("/nowhere", h, "dangling", H5P_DEFAULT, H5P_DEFAULT);
	H5Lcreate_soft("/g/u", h, "alias", H5P_DEFAULT, H5P_DEFAULT);
	H5Lcreate_external("/etc/passwd", "/", h, "external", H5P_DEFAULT, H5P_DEFAULT);
	assert_true(H5Fclose(h) >= 0);
	f = open_ok(in_dir("many.h5"));
	assert_int_equal(f->ndsets, 5);
	assert_string_equal(load_ok(f, "t")->path, "/t");
	assert_string_equal(load_ok(f, "u")->path, "/g/u");
	assert_string_equal(load_ok(f, "g/t")->path, "/g/t");
	assert_string_equal(load_ok(f, "/g/u:0")->path, "/g/u:0");
	assert_string_equal(load_ok(f, "alias")->path, "/g/u");
	find_fails(f, NULL, AXT_E_AMBIG, "holds several tensors: ");
	find_fails(f, "x", AXT_E_NAME, "no dataset \"x\" (there are: ");
	find_fails(f, "external", AXT_E_NAME, "no dataset");
	find_fails(f, "dangling", AXT_E_NAME, "no dataset");
	find_fails(f, "o", AXT_E_DTYPE, "opaque");
	axt_file_close(f);
}

static hid_t
two_byte_float(size_t epos, size_t esize, size_t msize, size_t bias)
{
	hid_t t = H5Tcopy(H5T_IEEE_F32LE);

	H5Tset_fields(t, 15, epos, esize, 0, msize);
	H5Tset_size(t, 2);
	H5Tset_ebias(t, bias);
	return t;
}

static void
test_types(void **state)
{
	static const uint16_t be[2] = { 0x0102, 0xfffe }, bf[2] = { 0x3f80, 0xc000 };
	static const int8_t flags[2] = { 0, 1 };
	hid_t f = make("types.h5"), b = H5Tenum_create(H5T_STD_I8LE),
	      c = H5Tcreate(H5T_COMPOUND, 16);
	hid_t bf16 = two_byte_float(7, 8, 7, 127), f16 = two_byte_float(10, 5, 10, 15);
	hid_t odd = H5Tcopy(H5T_STD_I32LE), d;
	hsize_t n = 2;
	struct axt_file *r;

	(void)state;
	H5Tenum_insert(b, "FALSE", &flags[0]);
	H5Tenum_insert(b, "TRUE", &flags[1]);
	H5Tinsert(c, "r", 0, H5T_IEEE_F64BE);
	H5Tinsert(c, "i", 8, H5T_IEEE_F64BE);
	H5Tset_precision(odd, 24);
	put(f, "u16be", H5T_STD_U16BE, 1, &n, H5P_DEFAULT, H5T_NATIVE_USHORT, be);
	put(f, "bf16", bf16, 1, &n, H5P_DEFAULT, bf16, bf);
	put(f, "f16", f16, 1, &n, H5P_DEFAULT, f16, bf);
	put(f, "bool", b, 1, &n, H5P_DEFAULT, b, flags);
	d = put(f, "i8bool", H5T_STD_I8LE, 1, &n, H5P_DEFAULT, H5T_NATIVE_SCHAR, flags);
	text(d, "dtype", "bool");
	put(f, "c128", c, 1, &n, H5P_DEFAULT, -1, NULL);
	put(f, "odd", odd, 1, &n, H5P_DEFAULT, -1, NULL);
	put(f, "i32", H5T_STD_I32LE, 0, NULL, H5P_DEFAULT, H5T_NATIVE_INT, &(int){ -7 });
	assert_true(H5Fclose(f) >= 0);
	r = open_ok(in_dir("types.h5"));
	assert_int_equal(load_ok(r, "u16be")->dtype, AXT_U16);
	same_data(r, load_ok(r, "u16be"), be);
	assert_int_equal(load_ok(r, "bf16")->dtype, AXT_BF16);
	same_data(r, load_ok(r, "bf16"), bf);
	assert_int_equal(load_ok(r, "f16")->dtype, AXT_F16);
	assert_int_equal(load_ok(r, "bool")->dtype, AXT_BOOL);
	same_data(r, load_ok(r, "bool"), flags);
	assert_int_equal(load_ok(r, "i8bool")->dtype, AXT_BOOL);
	assert_null(axt_attr_find(load_ok(r, "i8bool")->attrs, "dtype"));
	assert_int_equal(load_ok(r, "c128")->dtype, AXT_C128);
	assert_true(load_ok(r, "c128")->st.swap);
	assert_int_equal(load_ok(r, "i32")->rank, 0);
	same_data(r, load_ok(r, "i32"), &(int){ -7 });
	assert_int_equal(load_ok(r, "odd")->dtype, AXT_I32);
	axt_file_close(r);
}

static hid_t
chunked(hsize_t a, hsize_t b, bool filters)
{
	hid_t p = H5Pcreate(H5P_DATASET_CREATE);
	hsize_t c[2] = { a, b };

	H5Pset_chunk(p, 2, c);
	if (filters) {
		H5Pset_shuffle(p);
		H5Pset_deflate(p, 6);
		H5Pset_fletcher32(p);
	}
	return p;
}

/* 50 x 37 in chunks that do not divide it; one more never written, one compact. */
static const char *
chunk_file(bool latest)
{
	static int32_t v[50 * 37];
	hid_t a = H5Pcreate(H5P_FILE_ACCESS), f, c = H5Pcreate(H5P_DATASET_CREATE),
	      p = chunked(16, 10, false);
	const char *path = in_dir(latest ? "latest.h5" : "chunks.h5");
	hsize_t dims[2] = { 50, 37 };
	int32_t seven = 7;

	for (int i = 0; i < 50 * 37; i++)
		v[i] = i * i;
	if (latest)
		H5Pset_libver_bounds(a, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
	H5Pset_fclose_degree(a, H5F_CLOSE_STRONG);
	f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, a);
	put(f, "z", H5T_STD_I32BE, 2, dims, chunked(16, 10, true), H5T_NATIVE_INT, v);
	put(f, "p", H5T_STD_I32LE, 2, dims, chunked(7, 37, false), H5T_NATIVE_INT, v);
	H5Pset_fill_value(p, H5T_NATIVE_INT, &seven);
	put(f, "fill", H5T_STD_I32BE, 2, dims, p, -1, NULL);
	H5Pset_layout(c, H5D_COMPACT);
	put(f, "small", H5T_STD_I32LE, 2, dims, c, H5T_NATIVE_INT, v);
	for (int i = 0; i < 60; i++) {
		char name[20];

		snprintf(name, sizeof(name), "a%d", i);
		number(H5Oopen(f, "z", H5P_DEFAULT), name, H5T_NATIVE_INT, &i);
	}
	assert_true(H5Fclose(f) >= 0);
	return path;
}

static void
check_chunks(const char *path)
{
	static int32_t v[50 * 37], w[50 * 37];
	struct axt_file *f = open_ok(path);
	int n = 0;

	for (int i = 0; i < 50 * 37; i++) {
		v[i] = i * i;
		w[i] = 7;
	}
	same_data(f, load_ok(f, "z"), v);
	same_data(f, load_ok(f, "p"), v);
	same_data(f, load_ok(f, "small"), v);
	same_data(f, load_ok(f, "fill"), w);
	assert_true(load_ok(f, "fill")->st.fill == 7);
	for (const struct axt_attr *a = load_ok(f, "z")->attrs; a; a = a->next)
		n++;
	assert_int_equal(n, 60);
	axt_file_close(f);
}

static void
test_chunks(void **state)
{
	(void)state;
	check_chunks(chunk_file(false));
	check_chunks(chunk_file(true));
}

static void
test_axes(void **state)
{
	static const char *const want[] = { "dim_0", "dim_1_", "dim_2" };
	static const short packed[2] = { 1, -1 };
	hid_t f = make("axes.h5"), d;
	hsize_t dims[3] = { 2, 3, 3 };
	struct axt_file *r;
	struct axt_dset *x;
	float scale = 0.5f;

	(void)state;
	/*
	 * A scale that is too short, a label that an invented name would repeat, a scale of rank 2.
	 */
	d = put(f, "short", H5T_IEEE_F32LE, 1, dims, H5P_DEFAULT, -1, NULL);
	text(d, "CLASS", "DIMENSION_SCALE");
	d = put(f, "t", H5T_IEEE_F32LE, 3, dims, H5P_DEFAULT, -1, NULL);
	texts(d, "DIMENSION_LABELS", (const char *[]){ "", "", "dim_1" }, 3);
	attach(f, d, (const char *[]){ NULL, "short", NULL }, 3);
	d = put(f, "wide", H5T_IEEE_F32LE, 2, dims, H5P_DEFAULT, -1, NULL);
	text(d, "CLASS", "DIMENSION_SCALE");
	d = put(f, "p", H5T_STD_I16LE, 1, dims, H5P_DEFAULT, H5T_NATIVE_SHORT, packed);
	text(d, "CLASS", "DIMENSION_SCALE");
	text(d, "axt_parts", "A:1,B:2");
	number(d, "scale_factor", H5T_NATIVE_FLOAT, &scale);
	d = put(f, "u", H5T_IEEE_F32LE, 2, dims, H5P_DEFAULT, -1, NULL);
	attach(f, d, (const char *[]){ "p", "wide" }, 2);
	d = put(f, "v", H5T_IEEE_F32LE, 2, (hsize_t[]){ 2, 2 }, H5P_DEFAULT, -1, NULL);
	attach(f, d, (const char *[]){ "p", "p" }, 2);
	assert_true(H5Fclose(f) >= 0);
	r = open_ok(in_dir("axes.h5"));
	x = load_ok(r, "t");
	assert_string_equal(x->axes.a[0].name, want[0]);
	assert_string_equal(x->axes.a[1].name, want[1]);
	assert_string_equal(x->axes.a[2].name, "dim_1");
	assert_null(x->axes.a[1].coord);
	x = load_ok(r, "u");
	assert_string_equal(x->axes.a[0].name, "p");
	assert_string_equal(x->axes.a[0].parts, "A:1,B:2");
	assert_int_equal(x->axes.a[0].coord->dtype, AXT_F32);
	assert_true(((const float *)x->axes.a[0].coord->data)[1] == -0.5f);
	assert_null(x->axes.a[0].coord->attrs);
	assert_string_equal(x->axes.a[1].name, "wide");
	assert_null(x->axes.a[1].coord);
	assert_false(x->dup_axes);
	assert_true(load_ok(r, "v")->dup_axes);
	axt_file_close(r);
}

/* ---- refusals ---- */

static void
write_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	fclose(f);
}

static uint8_t *
slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *p = malloc(1 << 20);

	assert_non_null(f);
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

static void
open_fails(const char *path, int code, const char *want)
{
	struct axt_err e = { 0 };
	struct axt_file *f;

	assert_int_equal(axt_file_open(m, path, MEMORY, &f, &e), code);
	if (!strstr(e.text, want) || strchr(e.text, '\n'))
		fail_msg("\"%s\" is not in \"%s\"", want, e.text);
}

static void
test_sniff(void **state)
{
	const char *p = in_dir("x");

	(void)state;
	open_fails(in_dir("none"), AXT_E_IO, "No such file");
	open_fails(dir, AXT_E_FORMAT, "is a directory");
	write_file(p, "", 0);
	open_fails(p, AXT_E_FORMAT, "is empty");
	write_file(p, "CDF\001xxxxxxxxxxxxx", 16);
	open_fails(p, AXT_E_DAMAGED, "is damaged: its list of dimensions begins with");
	write_file(p, "\223NUMPY\001", 7);
	open_fails(p, AXT_E_FORMAT, ".npy");
	write_file(p, "\037\213\010", 3);
	open_fails(p, AXT_E_FORMAT, "gzip");
	write_file(p, "PK\003\004", 4);
	open_fails(p, AXT_E_FORMAT, "zip");
	write_file(p, "lat lon\n1 2\n", 12);
	open_fails(p, AXT_E_FORMAT, "is text");
	write_file(p, "\000\001\002\003\004\005", 6);
	open_fails(p, AXT_E_FORMAT, "is not HDF5");
}

static void
test_truncated(void **state)
{
	size_t n;
	uint8_t *p = slurp(named_file(), &n);
	struct axt_file *f;

	(void)state;
	for (size_t k = 0; k < n; k += k < 200 ? 1 : 61) {
		struct axt_err e = { 0 };

		write_file(in_dir("cut"), p, k);
		assert_int_not_equal(axt_file_open(m, in_dir("cut"), MEMORY, &f, &e), AXT_OK);
		assert_true(e.text[0]);
	}
	free(p);
}

static void
test_refused(void **state)
{
	hid_t f = make("refused.h5"), ext = H5Pcreate(H5P_DATASET_CREATE),
	      vds = H5Pcreate(H5P_DATASET_CREATE);
	hid_t opaque = H5Tcreate(H5T_OPAQUE, 3), s, null = H5Screate(H5S_NULL);
	hsize_t n = 4;
	struct axt_file *r;

	(void)state;
	s = H5Screate_simple(1, &n, NULL);
	H5Pset_external(ext, "/etc/passwd", 0, 16);
	put(f, "ext", H5T_STD_I32LE, 1, &n, ext, -1, NULL);
	H5Pset_virtual(vds, s, ".", "/vds", s);
	put(f, "vds", H5T_STD_I32LE, 1, &n, vds, -1, NULL);
	put(f, "opaque", opaque, 1, &n, H5P_DEFAULT, -1, NULL);
	put(f, "huge", H5T_STD_I32LE, 2, (hsize_t[]){ (hsize_t)1 << 33, (hsize_t)1 << 33 },
	    H5P_DEFAULT, -1, NULL);
	H5Dcreate2(f, "null", H5T_STD_I32LE, null, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	assert_true(H5Fclose(f) >= 0);
	r = open_ok(in_dir("refused.h5"));
	find_fails(r, "ext", AXT_E_DTYPE, "external");
	find_fails(r, "opaque", AXT_E_DTYPE, "opaque");
	find_fails(r, "huge", AXT_E_DTYPE, "too large");
	find_fails(r, "null", AXT_E_DTYPE, "null");
	axt_file_close(r);
}

/* Of parts of the file itself; one that grows with them. */
static void
test_virtual(void **state)
{
	hid_t f = make("virtual.h5"), p = H5Pcreate(H5P_DATASET_CREATE),
	      q = H5Pcreate(H5P_DATASET_CREATE), s, t;
	hsize_t n = 6, m = 4, more = H5S_UNLIMITED, start = 1, step = 2, count = 3, one = 1;
	const struct axt_map *x;
	struct axt_file *r;
	struct axt_dset *d;
	int32_t out[6];
	struct axt_err e = { 0 };

	(void)state;
	s = H5Screate_simple(1, &n, NULL);
	t = H5Screate_simple(1, &n, NULL);
	H5Sselect_hyperslab(t, H5S_SELECT_SET, &start, &step, &count, &one);
	H5Sselect_hyperslab(s, H5S_SELECT_SET, &start, NULL, &one, &count);
	H5Pset_virtual(p, t, ".", "/x", s);
	H5Pset_virtual(p, s, "50%%.h5", "/y", s);
	put(f, "v", H5T_STD_I32LE, 1, &n, p, -1, NULL);
	t = H5Screate_simple(1, &m, &more);
	H5Sselect_hyperslab(t, H5S_SELECT_SET, &start, NULL, &more, &one);
	H5Pset_virtual(q, t, "part.h5", "/x", t);
	H5Dcreate2(f, "grows", H5T_STD_I32LE, t, H5P_DEFAULT, q, H5P_DEFAULT);
	assert_true(H5Fclose(f) >= 0);
	r = open_ok(in_dir("virtual.h5"));
	find_fails(r, "grows", AXT_E_DTYPE, "grows");
	d = load_ok(r, "v");
	assert_int_equal(d->st.layout, AXT_LAYOUT_VIRTUAL);
	assert_int_equal(d->virt->n, 2);
	x = d->virt->map;
	assert_string_equal(x->file, ".");
	assert_string_equal(x->path, "/x");
	assert_int_equal(x->src.sel[0].n, 1);
	assert_int_equal(x->src.sel[0].span[0].len, 3);
	assert_int_equal(x->dst.sel[0].n, 1);
	assert_int_equal(x->dst.sel[0].span[0].start, 1);
	assert_int_equal(x->dst.sel[0].span[0].step, 2);
	assert_string_equal(x[1].file, "50%.h5");
	assert_int_equal(axt_dset_read(r, d, out, &e), AXT_E_DTYPE);
	axt_file_close(r);
}

/* Types, extents, fill values, filters and attributes in the file's heap of shared messages. */
static void
test_shared(void **state)
{
	hid_t c = H5Pcreate(H5P_FILE_CREATE), a = H5Pcreate(H5P_FILE_ACCESS), f, p, d;
	hsize_t dims[2] = { 50, 37 };
	struct axt_file *r;
	int seven = 7;

	(void)state;
	for (unsigned cutoff = 0; cutoff < 2; cutoff++) {
		H5Pset_shared_mesg_nindexes(c, 2);
		H5Pset_shared_mesg_index(c, 0, H5O_SHMESG_ATTR_FLAG, 1);
		H5Pset_shared_mesg_index(c, 1,
		    H5O_SHMESG_ALL_FLAG & ~(unsigned)H5O_SHMESG_ATTR_FLAG, 1);
		H5Pset_shared_mesg_phase_change(c, cutoff ? 50 : 0, 0);
		H5Pset_fclose_degree(a, H5F_CLOSE_STRONG);
		H5Pset_libver_bounds(a, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
		f = H5Fcreate(in_dir("shared.h5"), H5F_ACC_TRUNC, c, a);
		p = chunked(16, 10, true);
		H5Pset_fill_value(p, H5T_NATIVE_INT, &seven);
		for (int i = 0; i < 20; i++) {
			char name[20];

			snprintf(name, sizeof(name), "d%d", i);
			d = put(f, name, H5T_STD_I32BE, 2, dims, p, -1, NULL);
			text(d, "units", "K");
			for (int k = 0; k < 12; k++) {
				snprintf(name, sizeof(name), "a%d", k);
				number(d, name, H5T_NATIVE_INT, &k);
			}
		}
		assert_true(H5Fclose(f) >= 0);
		r = open_ok(in_dir("shared.h5"));
		assert_int_equal(r->ndsets, 20);
		for (int i = 0; i < 20; i++) {
			struct axt_dset *x = &r->dsets[i];

			assert_int_equal(axt_dset_load(m, r, x, &err), AXT_OK);
			assert_int_equal(x->dims[1], 37);
			assert_int_equal(x->dtype, AXT_I32);
			assert_int_equal(x->st.filters.n, 3);
			assert_true(x->st.fill == 7);
			assert_string_equal(axt_attr_text(x->attrs, "units"), "K");
			assert_non_null(axt_attr_find(x->attrs, "a11"));
		}
		axt_file_close(r);
	}
}

static void
test_bad_chunk(void **state)
{
	struct axt_file *f = open_ok(chunk_file(false));
	const struct axt_chunk_loc *l = &load_ok(f, "z")->st.chunks[3];
	const char *bad = in_dir("bad.h5");
	struct axt_dset *d;
	int32_t out[50 * 37];
	size_t n;
	uint8_t *p = slurp(in_dir("chunks.h5"), &n);

	(void)state;
	p[l->addr + l->size / 2] ^= 1;
	write_file(bad, p, n);
	axt_file_close(f);
	f = open_ok(bad);
	d = load_ok(f, "z");
	assert_int_equal(axt_dset_read(f, d, out, &err), AXT_E_DAMAGED);
	assert_non_null(strstr(err.text, "chunk 3"));
	err = (struct axt_err){ 0 };
	assert_int_equal(axt_file_check(f, &err), AXT_OK);
	write_file(bad, p, n / 2);
	assert_int_equal(axt_file_check(f, &err), AXT_E_CHANGED);
	axt_file_close(f);
	free(p);
}

/* ---- streams ---- */

/* A FIFO that a child fills with n bytes, `step` at a time. */
static const char *
fifo(const uint8_t *p, size_t n, size_t step, pid_t *pid)
{
	const char *path = in_dir("fifo");

	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	*pid = fork();
	if (*pid == 0) {
		int fd = open(path, O_WRONLY);

		signal(SIGPIPE, SIG_IGN);
		for (size_t k = 0; k < n; k += step)
			if (write(fd, p + k, n - k < step ? n - k : step) < 0)
				break;
		_exit(0);
	}
	return path;
}

static void
test_streams(void **state)
{
	size_t n;
	uint8_t *p = slurp(named_file(), &n);
	struct axt_file *f;
	struct axt_dset *d;
	pid_t pid;

	(void)state;
	f = open_ok(fifo(p, n, 7, &pid));
	assert_true(f->stream);
	check_named(f);
	axt_file_close(f);
	waitpid(pid, NULL, 0);

	/* One byte more. */
	f = open_ok(fifo(p, n + 1, 4096, &pid));
	assert_int_equal(axt_file_find(m, f, NULL, &d, &err), AXT_OK);
	assert_int_equal(axt_dset_load(m, f, d, &err), AXT_OK);
	assert_int_equal(axt_file_check(f, &err), AXT_E_DAMAGED);
	assert_non_null(strstr(err.text, "after its end"));
	err = (struct axt_err){ 0 };
	axt_file_close(f);
	waitpid(pid, NULL, 0);

	for (size_t k = 0; k < n; k += 97) {
		struct axt_err e = { 0 };
		int rc = axt_file_open(m, fifo(p, k, 4096, &pid), MEMORY, &f, &e);

		if (rc == AXT_OK) {
			rc = axt_file_find(m, f, "t", &d, &e);
			if (rc == AXT_OK)
				rc = axt_dset_load(m, f, d, &e);
			if (rc == AXT_OK)
				rc = axt_file_check(f, &e);
			axt_file_close(f);
		}
		assert_int_not_equal(rc, AXT_OK);
		waitpid(pid, NULL, 0);
	}
	free(p);
}

/* A stream larger than memory allows goes on in a file. */
static void
test_spool(void **state)
{
	static float v[1 << 20];
	hid_t h = make("big.h5");
	hsize_t n = 1 << 20;
	struct axt_file *f = NULL;
	struct axt_dset *d;
	char cmd[300];
	int fds[2];

	(void)state;
	for (int i = 0; i < 1 << 20; i++)
		v[i] = (float)i;
	put(h, "t", H5T_IEEE_F32LE, 1, &n, H5P_DEFAULT, H5T_NATIVE_FLOAT, v);
	assert_true(H5Fclose(h) >= 0);
	assert_int_equal(pipe(fds), 0);
	if (fork() == 0) {
		dup2(fds[1], 1);
		close(fds[0]);
		execlp("cat", "cat", in_dir("big.h5"), (char *)NULL);
		_exit(1);
	}
	close(fds[1]);
	snprintf(cmd, sizeof(cmd), "/dev/fd/%d", fds[0]);
	assert_int_equal(axt_file_open(m, cmd, 4 << 20, &f, &err), AXT_OK);
	close(fds[0]);
	assert_int_equal(axt_file_find(m, f, NULL, &d, &err), AXT_OK);
	assert_int_equal(axt_dset_load(m, f, d, &err), AXT_OK);
	assert_non_null(d->st.src);
	assert_int_equal(axt_stream_spool(&d->st, &err), AXT_OK);
	assert_null(d->st.src);
	assert_null(d->st.mem);
	assert_true(d->st.fd >= 0);
	same_data(f, d, v);
	axt_file_close(f);
	while (wait(NULL) > 0)
		;
}

static void
test_operands(void **state)
{
	const char *file, *dset, *p = in_dir("a:b.nc");

	(void)state;
	write_file(p, "x", 1);
	assert_int_equal(axt_operand_split(m, p, &file, &dset, &err), AXT_OK);
	assert_string_equal(file, p);
	assert_null(dset);
	assert_int_equal(axt_operand_split(m, in_dir("a:b.nc:/g/k:0"), &file, &dset, &err), AXT_OK);
	assert_string_equal(file, p);
	assert_string_equal(dset, "/g/k:0");
	assert_int_equal(axt_operand_split(m, "-:tas", &file, &dset, &err), AXT_OK);
	assert_string_equal(file, "-");
	assert_string_equal(dset, "tas");
	assert_int_equal(axt_operand_split(m, "-", &file, &dset, &err), AXT_OK);
	assert_null(dset);
	assert_int_equal(axt_operand_split(m, in_dir("no.nc:t"), &file, &dset, &err), AXT_E_IO);
	assert_non_null(strstr(err.text, "no.nc: No such file"));
	err = (struct axt_err){ 0 };
}

/* ---- damage ---- */

static void
read_all(const char *path)
{
	struct axt_arena *a = axt_arena_new();
	struct axt_err e = { 0 };
	struct axt_file *f;

	if (axt_file_open(a, path, MEMORY, &f, &e) == AXT_OK) {
		for (int i = 0; i < f->ndsets; i++) {
			struct axt_dset *d = &f->dsets[i];
			void *p;

			e = (struct axt_err){ 0 };
			if (axt_dset_load(a, f, d, &e) != AXT_OK || d->st.count > 1 << 22)
				continue;
			p = malloc((size_t)d->st.count * (size_t)d->st.esize + 1);
			axt_dset_read(f, d, p, &e);
			free(p);
		}
		axt_file_close(f);
	}
	axt_arena_free(a);
}

/* One or two bytes of the metadata changed, in a child that must live and end soon. */
static void
mutate(const char *path, int runs, unsigned seed)
{
	const char *bad = in_dir("mutant.h5");
	size_t n;
	uint8_t *p = slurp(path, &n);
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		alarm(60);
		for (int i = 0; i < runs; i++) {
			size_t at = (size_t)rand_r(&seed) % n, bt = (size_t)rand_r(&seed) % n;
			uint8_t a = p[at], b = p[bt];

			p[at] ^= (uint8_t)(1 << rand_r(&seed) % 8);
			p[bt] = rand_r(&seed) % 2 ? (uint8_t)rand_r(&seed) : p[bt];
			write_file(bad, p, n);
			read_all(bad);
			p[bt] = b;
			p[at] = a;
		}
		_exit(0);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	free(p);
}

static void
test_mutants(void **state)
{
	(void)state;
	mutate(named_file(), 600, 1);
	mutate(chunk_file(false), 200, 2);
	mutate(chunk_file(true), 200, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_chunks),
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_sniff),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_virtual),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_bad_chunk),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_spool),
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_mutants),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
