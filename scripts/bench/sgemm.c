/*
 * sgemm.c - the floor of products: prints the most flops a second that OpenBLAS reaches for
 * matrices of 4096 x 4096 in memory, with its own threads, and the type of core it found.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 4096, ROW_MAJOR = 101, NO_TRANS = 111 };

typedef void gemm_fn(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
    int lda, const float *b, int ldb, float beta, float *c, int ldc);

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float *
matrix(void)
{
	float *p = aligned_alloc(4096, sizeof(*p) * N * N);

	if (!p)
		exit(1);
	for (size_t i = 0; i < (size_t)N * N; i++)
		p[i] = rand() / (float)RAND_MAX - 0.5f;
	return p;
}

int
main(void)
{
	void *blas = dlopen("libopenblas.so.0", RTLD_NOW);
	gemm_fn *gemm = blas ? (gemm_fn *)dlsym(blas, "cblas_sgemm") : NULL;
	char *(*core)(void) = blas ? (char *(*)(void))dlsym(blas, "openblas_get_corename") : NULL;
	float *a = matrix(), *b = matrix(), *c = matrix();
	double best = 0;

	if (!gemm || !core) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	for (int i = 0; i < 5; i++) {
		double t = now();

		gemm(ROW_MAJOR, NO_TRANS, NO_TRANS, N, N, N, 1, a, N, b, N, 0, c, N);
		t = now() - t;
		/* the first warms up */
		if (i > 0 && 2.0 * N * N * N / t > best)
			best = 2.0 * N * N * N / t;
	}
	printf("%.4g %s\n", best, core());
	return 0;
}
