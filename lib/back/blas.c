/* blas.c - the contraction kernel. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "blas.h"

enum { ROW_MAJOR = 101, NO_TRANS = 111 };

static struct {
	void (*sgemm)(int, int, int, int, int, int, float, const void *, int, const void *, int,
	    float, void *, int);
	void (*dgemm)(int, int, int, int, int, int, double, const void *, int, const void *, int,
	    double, void *, int);
	void (*cgemm)(int, int, int, int, int, int, const void *, const void *, int, const void *,
	    int, const void *, void *, int);
	void (*zgemm)(int, int, int, int, int, int, const void *, const void *, int, const void *,
	    int, const void *, void *, int);
	bool ok;
} blas;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* OpenBLAS starts its threads, which then spin, when it is loaded: it must see 1 at that moment. */
static void *
load_single_threaded(void)
{
	static const char *const names[] = { "libopenblas.so.0", "libblas.so.3" };
	const char *var = "OPENBLAS_NUM_THREADS", *old = getenv(var);
	char *saved = old ? strdup(old) : NULL;
	void *h = NULL;

	setenv(var, "1", 1);
	for (int i = 0; i < ARRAY_LEN(names) && !h; i++)
		h = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (saved)
		setenv(var, saved, 1);
	else
		unsetenv(var);
	free(saved);
	return h;
}

static void
load(void)
{
	void *h = load_single_threaded();
	void (*threads)(int);

	if (!h)
		return;
	*(void **)&blas.sgemm = dlsym(h, "cblas_sgemm");
	*(void **)&blas.dgemm = dlsym(h, "cblas_dgemm");
	*(void **)&blas.cgemm = dlsym(h, "cblas_cgemm");
	*(void **)&blas.zgemm = dlsym(h, "cblas_zgemm");
	*(void **)&threads = dlsym(h, "openblas_set_num_threads");
	if (threads)
		threads(1);
	blas.ok = blas.sgemm && blas.dgemm && blas.cgemm && blas.zgemm;
}

int
axt_blas_load(enum axt_dtype d, struct axt_err *e)
{
	if (axt_dtypes[d].cls < AXT_CLASS_FLOAT)
		return 0;
	pthread_once(&once, load);
	if (blas.ok)
		return 0;
	axt_fail(e, AXT_E_NOSYS, "dot of %s needs OpenBLAS, and libopenblas.so.0 cannot be loaded",
	    axt_dtypes[d].name);
	axt_hint(e, "install libopenblas0-pthread");
	return e->code;
}

/* Wraps as integer sums do; u64 serves i64 too. */
static void
gemm_int(int64_t m, int64_t n, int64_t k, const uint64_t *a, int64_t lda, const uint64_t *b,
    int64_t ldb, uint64_t *c, int64_t ldc)
{
	for (int64_t i = 0; i < m; i++) {
		uint64_t *ci = c + i * ldc;

		memset(ci, 0, (size_t)n * sizeof *ci);
		for (int64_t l = 0; l < k; l++) {
			uint64_t x = a[i * lda + l];
			const uint64_t *bl = b + l * ldb;

			for (int64_t j = 0; j < n; j++)
				ci[j] += x * bl[j];
		}
	}
}

void
axt_gemm(enum axt_dtype d, int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
    const void *b, int64_t ldb, void *c, int64_t ldc)
{
	static const double one[2] = { 1, 0 }, zero[2];
	static const float onef[2] = { 1, 0 }, zerof[2];
	int im = (int)m, in = (int)n, ik = (int)k, la = (int)lda, lb = (int)ldb, lc = (int)ldc;

	switch (d) {
	case AXT_F32:
		blas.sgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, im, in, ik, 1, a, la, b, lb, 0, c, lc);
		break;
	case AXT_F64:
		blas.dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, im, in, ik, 1, a, la, b, lb, 0, c, lc);
		break;
	case AXT_C64:
		blas.cgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, im, in, ik, onef, a, la, b, lb, zerof, c,
		    lc);
		break;
	case AXT_C128:
		blas.zgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, im, in, ik, one, a, la, b, lb, zero, c,
		    lc);
		break;
	default:
		gemm_int(m, n, k, a, lda, b, ldb, c, ldc);
	}
}
