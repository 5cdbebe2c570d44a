/* blas.c - loads libraries of BLAS and LAPACK, and calls ?gemm. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "isa/cpu.h"
#include "linalg/blas.h"

static const struct library {
	const char *name, *files, *package;
} libraries[] = {
#define BLAS(name, files, package) { #name, files, package },
#include "blas.def"
#undef BLAS
};

static const struct library *
find(const char *name)
{
	for (int i = 0; i < ARRAY_LEN(libraries); i++)
		if (strcmp(libraries[i].name, name) == 0)
			return &libraries[i];
	return NULL;
}

bool
axt_blas_named(const char *name)
{
	return find(name) || strchr(name, '/');
}

/*
 * Sets the environment variables that libraries read when they are loaded. Whatever the user has
 * set, libraries use one thread per call: axt's own threads call them, whose stacks are too small
 * for what OpenBLAS keeps there for each thread of its own, and the bits then do not depend on a
 * number of threads.
 */
static void
set_variables(void)
{
	const char *processor = CPU_OPENBLAS;

	setenv("OPENBLAS_NUM_THREADS", "1", 1);
	setenv("BLIS_NUM_THREADS", "1", 1);
	setenv("MKL_NUM_THREADS", "1", 1);
	setenv("OMP_NUM_THREADS", "1", 1);
	setenv("MKL_THREADING_LAYER", "SEQUENTIAL", 0);
	if (processor)
		setenv("OPENBLAS_CORETYPE", processor, 0);
}

void *
axt_blas_library(const char *name, struct axt_err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct library *l = find(name);
	char file[64];
	void *so = NULL;

	axt_reach();
	pthread_once(&once, set_variables);
	if (!l) {
		so = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
		if (!so)
			axt_fail(e, AXT_E_NOSYS, "BLAS cannot be loaded: %s", dlerror());
		return so;
	}
	for (const char *s = l->files; *s != '\0' && !so; s += strspn(s, " ")) {
		size_t n = strcspn(s, " ");

		memcpy(file, s, n);
		file[n] = '\0';
		so = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
		s += n;
	}
	if (!so)
		axt_fail(e, AXT_E_NOSYS, "%.*s cannot be loaded (Debian's package %s)",
		    (int)strcspn(l->files, " "), l->files, l->package);
	return so;
}

/* ---- products ---- */

static const char *
gemm_of(enum axt_dtype d)
{
	return d == AXT_F32 ? "sgemm_"
	    : d == AXT_F64  ? "dgemm_"
	    : d == AXT_C64  ? "cgemm_"
	    : d == AXT_C128 ? "zgemm_"
			    : NULL;
}

bool
axt_blas_has(enum axt_dtype d)
{
	return gemm_of(d) != NULL;
}

int
axt_blas_open(struct axt_blas *x, const char *name, enum axt_dtype d, struct axt_err *e)
{
	void *so = axt_blas_library(name, e), *f = so ? dlsym(so, gemm_of(d)) : NULL;

	x->name = name;
	memcpy(&x->gemm, &f, sizeof(f));
	return !so ? (int)e->code
	    : f    ? 0
		   : axt_fail(e, AXT_E_NOSYS, "BLAS %s has no function %s", name, gemm_of(d));
}

/* Fortran's matrices are stored by columns, so it is the transposed product that is asked for. */
void
axt_blas_multiply(const struct axt_blas *x, enum axt_dtype d, int64_t m, int64_t n, int64_t k,
    const struct axt_blas_side *left, const struct axt_blas_side *right, bool add, void *c,
    int64_t ldc)
{
	static const float ones[2] = { 1 }, none[2] = { 0 };
	static const double one[2] = { 1 }, zero[2] = { 0 };
	bool single = d == AXT_F32 || d == AXT_C64;
	const void *alpha = single ? (const void *)ones : one,
		   *beta = add ? alpha
	    : single           ? (const void *)none
			       : zero;

	x->gemm(right->k_last ? "T" : "N", left->k_last ? "N" : "T", &n, &m, &k, alpha, right->p,
	    &right->ld, left->p, &left->ld, beta, c, &ldc, 1, 1);
}
