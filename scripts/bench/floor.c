/*
 * floor.c - the floor of the bench: what one fused loop written by hand needs from file to file.
 * Inputs are the contiguous datasets "x" of HDF5 files, mapped; threads are OpenMP's; output goes
 * out by pwrite from a cache-sized buffer. Plain f32 sums, no checks, no names: this is not how axt
 * may compute, only how fast it could be.
 *
 * usage: floor OP IN... [OUT]
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <hdf5.h>
#include <immintrin.h>
#include <libdeflate.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 16)

struct var {
	int fd, nd;
	size_t n;
	hsize_t d[8];
	const char *data;
};

static int out_fd;
static size_t out_off;

static void
die(const char *what)
{
	perror(what);
	exit(1);
}

static void *
buffer(size_t n)
{
	void *p = aligned_alloc(4096, (n + 4095) & ~(size_t)4095);

	if (!p)
		die("alloc");
	return p;
}

static struct var
in_named(const char *path, const char *name)
{
	struct var v = { 0 };
	struct stat st;
	size_t more = 0;
	hid_t f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	hid_t d = H5Dopen2(f, name, H5P_DEFAULT);
	hid_t s = H5Dget_space(d);
	size_t off = H5Dget_offset(d);

	v.nd = H5Sget_simple_extent_dims(s, v.d, NULL);
	v.n = H5Sget_simple_extent_npoints(s);
	H5Sclose(s);
	H5Dclose(d);
	H5Fclose(f);
	v.fd = open(path, O_RDONLY);
	if (v.fd < 0 || fstat(v.fd, &st) < 0)
		die(path);
	/* Files of one size shall not lie at addresses that AMD\'s L1 takes for each other. */
	if (getenv("FLOOR_APART"))
		more = (size_t)(v.fd % 8 + 1) << 21;
	v.data = mmap(NULL, st.st_size + more, PROT_READ, MAP_SHARED, v.fd, 0);
	if (v.data == MAP_FAILED)
		die("mmap");
	v.data += off;
	return v;
}

static struct var
in_open(const char *path)
{
	return in_named(path, "x");
}

static void
out_open(const char *path, int nd, const hsize_t *d)
{
	hid_t f, p, s, x;

	unlink(path);
	f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	p = H5Pcreate(H5P_DATASET_CREATE);
	s = H5Screate_simple(nd, d, NULL);
	H5Pset_alloc_time(p, H5D_ALLOC_TIME_EARLY);
	H5Pset_fill_time(p, H5D_FILL_TIME_NEVER);
	x = H5Dcreate2(f, "x", H5T_IEEE_F32LE, s, H5P_DEFAULT, p, H5P_DEFAULT);
	out_off = H5Dget_offset(x);
	H5Dclose(x);
	H5Sclose(s);
	H5Pclose(p);
	H5Fclose(f);
	out_fd = open(path, O_WRONLY);
	if (out_fd < 0)
		die(path);
}

static void
out_write(const float *b, size_t n, size_t at)
{
	const char *p = (const char *)b;

	n *= 4;
	at = at * 4 + out_off;
	while (n > 0) {
		ssize_t k = pwrite(out_fd, p, n, at);

		if (k <= 0)
			die("pwrite");
		p += k;
		at += k;
		n -= k;
	}
}

/* the sum of p times q, or of p when there is no q */
static inline __attribute__((always_inline)) double
dot_of(const float *p, const float *q, size_t n)
{
	double r = 0;
	size_t i = 0;

	while (i < n) {
		float s[64] = { 0 };
		size_t end = i + 4096 < n ? i + 4096 : n;

		for (; i + 64 <= end; i += 64)
			for (int j = 0; j < 64; j++)
				s[j] += q ? p[i + j] * q[i + j] : p[i + j];
		for (; i < end; i++)
			r += q ? p[i] * q[i] : p[i];
		for (int j = 0; j < 64; j++)
			r += s[j];
	}
	return r;
}

static double
sum_of(const float *p, size_t n)
{
	return dot_of(p, NULL, n);
}

/* a + b, same order */
static void
op_add(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	const float *p = (const float *)a.data, *q = (const float *)b.data;

	out_open(v[2], a.nd, a.d);
#pragma omp parallel
	{
		float *z = buffer(BLOCK * 4);

#pragma omp for schedule(static)
		for (size_t i = 0; i < a.n; i += BLOCK) {
			size_t n = a.n - i < BLOCK ? a.n - i : BLOCK;

			for (size_t k = 0; k < n; k++)
				z[k] = p[i + k] + q[i + k];
			out_write(z, n, i);
		}
	}
}

/* a(c,h,w,n) - b(w,h) */
static void
op_bperm(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	size_t H = a.d[1], W = a.d[2], N = a.d[3], rows = BLOCK / N < W ? BLOCK / N : W;
	const float *p = (const float *)a.data, *q = (const float *)b.data;

	out_open(v[2], a.nd, a.d);
#pragma omp parallel
	{
		float *z = buffer(rows * N * 4);

#pragma omp for schedule(static)
		for (size_t ch = 0; ch < a.d[0] * H; ch++)
			for (size_t w0 = 0; w0 < W; w0 += rows) {
				size_t nw = W - w0 < rows ? W - w0 : rows, at = (ch * W + w0) * N;

				for (size_t w = 0; w < nw; w++) {
					float s = q[(w0 + w) * H + ch % H];

					for (size_t k = 0; k < N; k++)
						z[w * N + k] = p[at + w * N + k] - s;
				}
				out_write(z, nw * N, at);
			}
	}
}

/* mean over the first axis */
static void
op_meant(char **v)
{
	struct var a = in_open(v[0]);
	const float *p = (const float *)a.data;
	size_t T = a.d[0], plane = a.n / T, B = 1 << 14;

	out_open(v[1], a.nd - 1, a.d + 1);
#pragma omp parallel
	{
		float *z = buffer(B * 4);
		double *s = buffer(B * 8);

#pragma omp for schedule(static)
		for (size_t i = 0; i < plane; i += B) {
			size_t n = plane - i < B ? plane - i : B;

			memset(s, 0, n * 8);
			for (size_t t = 0; t < T; t++)
				for (size_t k = 0; k < n; k++)
					s[k] += p[t * plane + i + k];
			for (size_t k = 0; k < n; k++)
				z[k] = s[k] / T;
			out_write(z, n, i);
		}
	}
}

/* mean over the first axis of int16 packed by 0.002 and 273 */
static void
op_meanti(char **v)
{
	struct var a = in_open(v[0]);
	const short *p = (const short *)a.data;
	size_t T = a.d[0], plane = a.n / T, B = 1 << 14;

	out_open(v[1], a.nd - 1, a.d + 1);
#pragma omp parallel
	{
		float *z = buffer(B * 4);
		int *s = buffer(B * 4);

#pragma omp for schedule(static)
		for (size_t i = 0; i < plane; i += B) {
			size_t n = plane - i < B ? plane - i : B;

			memset(s, 0, n * 4);
			for (size_t t = 0; t < T; t++)
				for (size_t k = 0; k < n; k++)
					s[k] += p[t * plane + i + k];
			for (size_t k = 0; k < n; k++)
				z[k] = 273.0 + 0.002 * s[k] / T;
			out_write(z, n, i);
		}
	}
}

static void
op_sum(char **v)
{
	struct var a = in_open(v[0]);
	const float *p = (const float *)a.data;
	double t = 0;

#pragma omp parallel for schedule(static) reduction(+ : t)
	for (size_t i = 0; i < a.n; i += BLOCK)
		t += sum_of(p + i, a.n - i < BLOCK ? a.n - i : BLOCK);
	printf("%.9g\n", t);
}

/* the sum of (a - b)^2 */
static void
op_dist(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	const float *p = (const float *)a.data, *q = (const float *)b.data;
	double t = 0;

#pragma omp parallel reduction(+ : t)
	{
		float *z = buffer(4096 * 4);

#pragma omp for schedule(static)
		for (size_t i = 0; i < a.n; i += 4096) {
			size_t n = a.n - i < 4096 ? a.n - i : 4096;

			for (size_t k = 0; k < n; k++)
				z[k] = (p[i + k] - q[i + k]) * (p[i + k] - q[i + k]);
			t += sum_of(z, n);
		}
	}
	printf("%.9g\n", t);
}

/* the square root of the mean over the first axis of (a - b)^2 */
static void
op_rmsd(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	const float *p = (const float *)a.data, *q = (const float *)b.data;
	size_t T = a.d[0], plane = a.n / T, B = 1 << 14;

	out_open(v[2], a.nd - 1, a.d + 1);
#pragma omp parallel
	{
		float *z = buffer(B * 4);
		double *s = buffer(B * 8);

#pragma omp for schedule(static)
		for (size_t i = 0; i < plane; i += B) {
			size_t n = plane - i < B ? plane - i : B;

			memset(s, 0, n * 8);
			for (size_t t = 0; t < T; t++)
				for (size_t k = 0; k < n; k++) {
					float x = p[t * plane + i + k] - q[t * plane + i + k];

					s[k] += x * x;
				}
			for (size_t k = 0; k < n; k++)
				z[k] = sqrtf(s[k] / T);
			out_write(z, n, i);
		}
	}
}

static void
transpose8(const float *a, size_t sa, float *b, size_t sb)
{
	__m256 r[8], t[8];

	for (int i = 0; i < 8; i++)
		r[i] = _mm256_loadu_ps(a + i * sa);
	for (int i = 0; i < 8; i += 2) {
		t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
		t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
	}
	for (int i = 0; i < 8; i += 4) {
		r[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
		r[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xEE);
		r[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
		r[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xEE);
	}
	for (int i = 0; i < 4; i++) {
		_mm256_storeu_ps(b + i * sb, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
		_mm256_storeu_ps(b + (i + 4) * sb, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
	}
}

/* (t,y,x) -> (x,y,t) of the first T times: a band of columns of the output at a time */
static void
transpose(char **v, struct var a, size_t T)
{
	hsize_t d[3] = { a.d[2], a.d[1], T };
	size_t Y = a.d[1], X = a.d[2], XB = 48, YB = 16;
	const float *p = (const float *)a.data;

	out_open(v[1], 3, d);
#pragma omp parallel
	{
		float *z = buffer(XB * YB * T * 4);

#pragma omp for schedule(static) collapse(2)
		for (size_t x0 = 0; x0 < X; x0 += XB)
			for (size_t y0 = 0; y0 < Y; y0 += YB) {
				size_t nx = X - x0 < XB ? X - x0 : XB,
				       ny = Y - y0 < YB ? Y - y0 : YB, t = 0;

				for (; t + 8 <= T; t += 8)
					for (size_t y = 0; y < ny; y++) {
						const float *s = p + (t * Y + y0 + y) * X + x0;
						size_t k = 0;

						for (; k + 8 <= nx; k += 8)
							transpose8(s + k, Y * X,
							    z + (k * YB + y) * T + t, YB * T);
						for (; k < nx; k++)
							for (int j = 0; j < 8; j++)
								z[(k * YB + y) * T + t + j] =
								    s[j * Y * X + k];
					}
				for (; t < T; t++)
					for (size_t y = 0; y < ny; y++)
						for (size_t k = 0; k < nx; k++)
							z[(k * YB + y) * T + t] =
							    p[(t * Y + y0 + y) * X + x0 + k];
				for (size_t k = 0; k < nx; k++)
					out_write(z + k * YB * T, ny * T, ((x0 + k) * Y + y0) * T);
			}
	}
}

static void
op_transpose(char **v)
{
	struct var a = in_open(v[0]);

	transpose(v, a, a.d[0]);
}

/* transposed, and the first 512 columns that gives: half of them */
static void
op_ordslice(char **v)
{
	struct var a = in_open(v[0]);

	transpose(v, a, a.d[0] < 512 ? a.d[0] : 512);
}

/* the mean over the first axis of sqrt(a a + b b) |a - b| / (c + 1) + max(a, b): 12 operations */
static void
op_calc(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]), c = in_open(v[2]);
	const float *p = (const float *)a.data, *q = (const float *)b.data,
		    *r = (const float *)c.data;
	size_t T = a.d[0], plane = a.n / T, B = 1 << 14;

	out_open(v[3], a.nd - 1, a.d + 1);
#pragma omp parallel
	{
		float *z = buffer(B * 4);
		double *s = buffer(B * 8);

#pragma omp for schedule(static)
		for (size_t i = 0; i < plane; i += B) {
			size_t n = plane - i < B ? plane - i : B;

			memset(s, 0, n * 8);
			for (size_t t = 0; t < T; t++)
				for (size_t k = 0; k < n; k++) {
					size_t at = t * plane + i + k;
					float x = p[at], y = q[at], w = r[at];

					s[k] += sqrtf(x * x + y * y) * fabsf(x - y) / (w + 1) +
					    (x > y ? x : y);
				}
			for (size_t k = 0; k < n; k++)
				z[k] = s[k] / T;
			out_write(z, n, i);
		}
	}
}

/* functions of libzstd and liblz4, whose headers need not be there */
size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t n);
int LZ4_decompress_safe(const char *from, char *to, int n, int room);

/* puts the four bytes of each of n elements together */
static void
together(unsigned *q, const unsigned char *u, size_t n)
{
	for (size_t k = 0; k < n; k++)
		q[k] = u[k] | u[n + k] << 8 | u[2 * n + k] << 16 | (unsigned)u[3 * n + k] << 24;
}

/* A chunk of `size` packed bytes c becomes n floats w. u: scratch of as many bytes. */
typedef void unpack_fn(void *w, unsigned char *c, size_t size, unsigned char *u, size_t n);

static void
unpack_deflate(void *w, unsigned char *c, size_t size, unsigned char *u, size_t n)
{
	static _Thread_local struct libdeflate_decompressor *z;
	size_t got;

	z = z ? z : libdeflate_alloc_decompressor();
	if (libdeflate_zlib_decompress(z, c, size, u, 4 * n, &got) || got != 4 * n)
		die("inflate");
	together(w, u, n);
}

static void
unpack_zstd(void *w, unsigned char *c, size_t size, unsigned char *u, size_t n)
{
	if (ZSTD_decompress(u, 4 * n, c, size) != 4 * n)
		die("zstd");
	together(w, u, n);
}

/* 8 rows of n / 8 bytes, which are the bits of n bytes */
static void
turn_rows(unsigned char *to, const unsigned char *u, size_t n)
{
	__m128i a[8], b[8], t;

	for (size_t k = 0; k < n / 8; k += 16) {
		for (int i = 0; i < 8; i++)
			a[i] = _mm_loadu_si128((const __m128i *)(u + (size_t)i * (n / 8) + k));
		for (int s = 0; s < 3; s++) {
			for (int i = 0; i < 4; i++) {
				b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 4]);
				b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 4]);
			}
			memcpy(a, b, sizeof(a));
		}
		for (int i = 0; i < 8; i++) {
#define TURN(shift, mask)                                                   \
	t = _mm_and_si128(_mm_xor_si128(a[i], _mm_srli_epi64(a[i], shift)), \
	    _mm_set1_epi64x(mask));                                         \
	a[i] = _mm_xor_si128(a[i], _mm_xor_si128(t, _mm_slli_epi64(t, shift)))
			TURN(7, 0x00aa00aa00aa00aa);
			TURN(14, 0x0000cccc0000cccc);
			TURN(28, 0x00000000f0f0f0f0);
			_mm_storeu_si128((__m128i *)(to + 8 * k + 16 * (size_t)i), a[i]);
		}
	}
}

/* blocks of 2048 elements, whose bits are shuffled and packed by LZ4 */
static void
unpack_bits(void *w, unsigned char *c, size_t size, unsigned char *u, size_t n)
{
	unsigned char planes[8192];
	const unsigned char *p = c + 12;
	unsigned *q = w;
	const size_t m = 2048;

	if (n % m)
		die("chunks of no whole blocks");
	for (size_t k = 0; k < n; k += m) {
		size_t bytes = (size_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];

		if (LZ4_decompress_safe((const char *)p + 4, (char *)u, (int)bytes,
			sizeof(planes)) != sizeof(planes))
			die("lz4");
		for (size_t j = 0; j < 4; j++)
			turn_rows(planes + j * m, u + j * m, m);
		together(q + k, planes, m);
		p += 4 + bytes;
	}
	(void)size;
}

/* sum of packed f32 chunks: a chunk at a time in every thread */
static void
sum_chunks(char **v, unpack_fn *unpack)
{
	hid_t f = H5Fopen(v[0], H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(f, "x", H5P_DEFAULT);
	hid_t pl = H5Dget_create_plist(d), s = H5Dget_space(d);
	hsize_t ch[8], nch, o[8];
	int nd = H5Pget_chunk(pl, 8, ch), fd = open(v[0], O_RDONLY);
	size_t bytes = 4;
	haddr_t *addr;
	hsize_t *size;
	double tot = 0;

	for (int i = 0; i < nd; i++)
		bytes *= ch[i];
	H5Dget_num_chunks(d, s, &nch);
	addr = buffer(nch * sizeof(*addr));
	size = buffer(nch * sizeof(*size));
	for (hsize_t i = 0; i < nch; i++) {
		unsigned mask;

		H5Dget_chunk_info(d, s, i, o, &mask, addr + i, size + i);
	}
#pragma omp parallel reduction(+ : tot)
	{
		unsigned char *c = buffer(bytes * 2), *u = buffer(bytes);
		float *w = buffer(bytes);
		size_t n = bytes / 4;

#pragma omp for schedule(dynamic)
		for (hsize_t i = 0; i < nch; i++) {
			if (pread(fd, c, size[i], addr[i]) != (ssize_t)size[i])
				die("pread");
			unpack(w, c, size[i], u, n);
			tot += sum_of(w, n);
		}
	}
	printf("%.9g\n", tot);
}

static void
op_sumz(char **v)
{
	sum_chunks(v, unpack_deflate);
}

static void
op_sumzstd(char **v)
{
	sum_chunks(v, unpack_zstd);
}

static void
op_sumbits(char **v)
{
	sum_chunks(v, unpack_bits);
}

/* a matrix and a vector */
static void
op_matvec(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	const float *p = (const float *)a.data, *q = (const float *)b.data;
	float *z = buffer(a.d[0] * 4);

	out_open(v[2], 1, a.d);
#pragma omp parallel for schedule(static)
	for (size_t i = 0; i < a.d[0]; i++)
		z[i] = dot_of(p + i * b.n, q, b.n);
	out_write(z, a.d[0], 0);
}

static void
op_inner(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	const float *p = (const float *)a.data, *q = (const float *)b.data;
	double t = 0;

#pragma omp parallel for schedule(static) reduction(+ : t)
	for (size_t i = 0; i < a.n; i += BLOCK)
		t += dot_of(p + i, q + i, a.n - i < BLOCK ? a.n - i : BLOCK);
	printf("%.9g\n", t);
}

/*
 * Rows of n elements, each made by fill(z, source, row), in order: what copies and reorders rows.
 */
struct rows {
	struct var a;
	size_t rows, n;
	void (*fill)(float *z, const struct rows *r, size_t row);
};

static void
write_rows(const struct rows *r)
{
	size_t many = BLOCK / r->n > 0 ? BLOCK / r->n : 1;

#pragma omp parallel
	{
		float *z = buffer(many * r->n * 4);

#pragma omp for schedule(static)
		for (size_t i = 0; i < r->rows; i += many) {
			size_t m = r->rows - i < many ? r->rows - i : many;

			for (size_t k = 0; k < m; k++)
				r->fill(z + k * r->n, r, i + k);
			out_write(z, m * r->n, i * r->n);
		}
	}
}

static const float *
row_of(const struct rows *r, size_t row)
{
	return (const float *)r->a.data + row * r->a.d[2];
}

static void
fill_every2(float *z, const struct rows *r, size_t row)
{
	const float *p = row_of(r, row);

	for (size_t k = 0; k < r->n; k++)
		z[k] = p[2 * k];
}

static void
fill_flip(float *z, const struct rows *r, size_t row)
{
	const float *p = row_of(r, row) + r->n - 1;

	for (size_t k = 0; k < r->n; k++)
		z[k] = *(p - k);
}

/* time=100:900, lat=50:300, lon=100:600 */
static void
fill_block(float *z, const struct rows *r, size_t row)
{
	memcpy(z, row_of(r, (100 + row / 250) * r->a.d[1] + 50 + row % 250) + 100, r->n * 4);
}

/* 10 zeros at both ends of lat and lon */
static void
fill_pad(float *z, const struct rows *r, size_t row)
{
	size_t lat = row % (r->a.d[1] + 20), n = r->a.d[2];

	memset(z, 0, r->n * 4);
	if (lat >= 10 && lat < r->a.d[1] + 10)
		memcpy(z + 10, row_of(r, row / (r->a.d[1] + 20) * r->a.d[1] + lat - 10), n * 4);
}

static void
fill_concat(float *z, const struct rows *r, size_t row)
{
	memcpy(z, row_of(r, row % (r->a.d[0] * r->a.d[1])), r->n * 4);
}

static void
rows_to(const char *out, struct rows *r, hsize_t d0, hsize_t d1, hsize_t d2)
{
	hsize_t d[] = { d0, d1, d2 };

	out_open(out, 3, d);
	r->rows = d0 * d1;
	r->n = d2;
	write_rows(r);
}

static void
op_every2(char **v)
{
	struct rows r = { .a = in_open(v[0]), .fill = fill_every2 };

	rows_to(v[1], &r, r.a.d[0], r.a.d[1], r.a.d[2] / 2);
}

static void
op_flip(char **v)
{
	struct rows r = { .a = in_open(v[0]), .fill = fill_flip };

	rows_to(v[1], &r, r.a.d[0], r.a.d[1], r.a.d[2]);
}

static void
op_block(char **v)
{
	struct rows r = { .a = in_open(v[0]), .fill = fill_block };

	rows_to(v[1], &r, 800, 250, 500);
}

static void
op_pad(char **v)
{
	struct rows r = { .a = in_open(v[0]), .fill = fill_pad };

	rows_to(v[1], &r, r.a.d[0], r.a.d[1] + 20, r.a.d[2] + 20);
}

static void
op_concat(char **v)
{
	struct rows r = { .a = in_open(v[0]), .fill = fill_concat };

	rows_to(v[1], &r, 4 * r.a.d[0], r.a.d[1], r.a.d[2]);
}

/* ---- short rows: c numbers to one, or to as many ---- */

static inline __attribute__((always_inline)) void
softmax_of(float *z, const float *x, size_t c)
{
	float m = x[0], s = 0;

	for (size_t k = 1; k < c; k++)
		m = x[k] > m ? x[k] : m;
	for (size_t k = 0; k < c; k++)
		s += z[k] = expf(x[k] - m);
	for (size_t k = 0; k < c; k++)
		z[k] /= s;
}

static inline __attribute__((always_inline)) void
short_rows(char **v, char op, size_t c, int nd)
{
	struct var a = in_open(v[0]);
	const unsigned char *u = (const unsigned char *)a.data;
	const float *p = (const float *)a.data;
	size_t all = a.n / c, most = BLOCK / c, wide = op == 'x' ? c : 1;

	out_open(v[1], nd, a.d);
#pragma omp parallel
	{
		float *z = buffer(BLOCK * 4);

#pragma omp for schedule(static)
		for (size_t i = 0; i < all; i += most) {
			size_t n = all - i < most ? all - i : most;

			for (size_t k = 0; k < n; k++) {
				const float *x = p + (i + k) * c;
				float s = 0;

				if (op == 'x') {
					softmax_of(z + k * c, x, c);
					continue;
				}
				for (size_t j = 0; j < c; j++)
					s += op == 'u'  ? (float)u[(i + k) * c + j]
					    : op == 'q' ? x[j] * x[j]
							: x[j];
				z[k] = op == 'u' ? s / c : op == 'q' ? sqrtf(s) : s;
			}
			out_write(z, n * wide, i * wide);
		}
	}
}

static void
op_rgb(char **v)
{
	short_rows(v, 'u', 3, 2);
}

static void
op_norm3(char **v)
{
	short_rows(v, 'q', 3, 1);
}

static void
op_sum10(char **v)
{
	short_rows(v, 's', 10, 1);
}

static void
op_softmax10(char **v)
{
	short_rows(v, 'x', 10, 2);
}

/* ---- windows: `outer` times n numbers that lie `inner` apart ---- */

static inline __attribute__((always_inline)) void
window_of(float *z, const float *x, size_t m, size_t w, size_t inner, int max)
{
	for (size_t k = 0; k < m; k++)
		z[k] = x[k];
	for (size_t j = 1; j < w; j++)
		for (size_t k = 0; k < m; k++) {
			float y = x[k + j * inner];

			z[k] = max ? y > z[k] ? y : z[k] : z[k] + y;
		}
	for (size_t k = 0; k < m && !max; k++)
		z[k] /= w;
}

static inline __attribute__((always_inline)) void
windows(char **v, int axis, size_t w, int max)
{
	struct var a = in_open(v[0]);
	const float *p = (const float *)a.data;
	hsize_t d[] = { a.d[0], a.d[1], a.d[2] };
	size_t inner = axis == 0 ? a.d[1] * a.d[2] : 1, n, outer = axis == 0 ? 1 : a.d[0] * a.d[1],
	       B = 1 << 14, rows;

	d[axis] -= w - 1;
	n = d[axis] * inner;
	rows = n < B ? B / n : 1; /* that lie together in the output */
	out_open(v[1], 3, d);
#pragma omp parallel
	{
		float *z = buffer(B * 4);

#pragma omp for collapse(2) schedule(static)
		for (size_t o = 0; o < outer; o += rows)
			for (size_t i = 0; i < n; i += B) {
				size_t m = n - i < B ? n - i : B,
				       end = o + rows < outer ? o + rows : outer;

				for (size_t r = o; r < end; r++)
					window_of(z + (r - o) * n, p + r * a.d[axis] * inner + i, m,
					    w, inner, max);
				out_write(z, (end - o - 1) * n + m, o * n + i);
			}
	}
}

static void
op_roll7(char **v)
{
	windows(v, 0, 7, 0);
}

static void
op_rollmax5(char **v)
{
	windows(v, 2, 5, 1);
}

/* ---- groups, anomalies, small matrices ---- */

static void
op_bylabel(char **v)
{
	enum { GROUPS = 20000 };
	struct var a = in_open(v[0]), l = in_named(v[1], "lab");
	const float *p = (const float *)a.data;
	const int *lab = (const int *)l.data;
	static double all[GROUPS];
	static float z[GROUPS];
	hsize_t d[] = { GROUPS };

	out_open(v[2], 1, d);
#pragma omp parallel
	{
		double *s = buffer(GROUPS * sizeof(*s));

		memset(s, 0, GROUPS * sizeof(*s));
#pragma omp for schedule(static)
		for (size_t i = 0; i < a.n; i++)
			s[lab[i]] += p[i];
#pragma omp critical
		for (size_t g = 0; g < GROUPS; g++)
			all[g] += s[g];
	}
	for (size_t g = 0; g < GROUPS; g++)
		z[g] = all[g];
	out_write(z, GROUPS, 0);
}

static void
op_eddy(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	size_t n = a.d[2], rows = a.n / n;
	float *z = buffer(rows * 4);

	out_open(v[2], 2, a.d);
#pragma omp parallel for schedule(static)
	for (size_t r = 0; r < rows; r++) {
		const float *p = (const float *)a.data + r * n, *q = (const float *)b.data + r * n;
		float x = 0, y = 0, s = 0;

		for (size_t i = 0; i < n; i++) {
			x += p[i];
			y += q[i];
		}
		x /= n;
		y /= n;
		for (size_t i = 0; i < n; i++)
			s += (p[i] - x) * (q[i] - y);
		z[r] = s / n;
	}
	out_write(z, rows, 0);
}

static void
op_batch3(char **v)
{
	struct var a = in_open(v[0]), b = in_open(v[1]);
	size_t all = a.n / 9, most = BLOCK / 9;

	out_open(v[2], 3, a.d);
#pragma omp parallel
	{
		float *z = buffer(BLOCK * 4);

#pragma omp for schedule(static)
		for (size_t i = 0; i < all; i += most) {
			const float *p = (const float *)a.data + i * 9,
				    *q = (const float *)b.data + i * 9;
			size_t n = all - i < most ? all - i : most;

			for (size_t k = 0; k < 9 * n; k++) {
				const float *x = p + k / 3 * 3, *y = q + k / 9 * 9 + k % 3;

				z[k] = x[0] * y[0] + x[1] * y[3] + x[2] * y[6];
			}
			out_write(z, n * 9, i * 9);
		}
	}
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(char **v);
		int args;
	} ops[] = {
		{ "add", op_add, 3 },
		{ "bperm", op_bperm, 3 },
		{ "meant", op_meant, 2 },
		{ "meanti", op_meanti, 2 },
		{ "sum", op_sum, 1 },
		{ "transpose", op_transpose, 2 },
		{ "sumz", op_sumz, 1 },
		{ "sumzstd", op_sumzstd, 1 },
		{ "sumbits", op_sumbits, 1 },
		{ "dist", op_dist, 2 },
		{ "rmsd", op_rmsd, 3 },
		{ "every2", op_every2, 2 },
		{ "flip", op_flip, 2 },
		{ "block", op_block, 2 },
		{ "pad", op_pad, 2 },
		{ "concat", op_concat, 2 },
		{ "ordslice", op_ordslice, 2 },
		{ "calc", op_calc, 4 },
		{ "rgb", op_rgb, 2 },
		{ "norm3", op_norm3, 2 },
		{ "sum10", op_sum10, 2 },
		{ "softmax10", op_softmax10, 2 },
		{ "roll7", op_roll7, 2 },
		{ "rollmax5", op_rollmax5, 2 },
		{ "bylabel", op_bylabel, 3 },
		{ "eddy", op_eddy, 3 },
		{ "dot-batch3", op_batch3, 3 },
		{ "dot-matvec", op_matvec, 3 },
		{ "dot-inner", op_inner, 2 },
	};

	for (size_t i = 0; argc > 2 && i < sizeof(ops) / sizeof(ops[0]); i++)
		if (strcmp(argv[1], ops[i].name) == 0 && argc == 2 + ops[i].args) {
			ops[i].run(argv + 2);
			return 0;
		}
	fprintf(stderr, "usage: floor OP IN... [OUT]\n");
	return 2;
}
