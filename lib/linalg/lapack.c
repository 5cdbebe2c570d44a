/* lapack.c - loads LAPACK. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/cpu.h"
#include "linalg/lapack.h"

#define LIBRARY "libopenblas.so.0"

static struct axt_lapack lapack;
static const char *absent;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
load(void)
{
#define F(id, real, complex, args) \
	{ "d" real "_", &lapack.id[0] }, { "z" complex "_", &lapack.id[1] },
#define G(id, args) { #id "_", &lapack.id },
	static const struct {
		const char *name;
		void *to;
	} row[] = { AXT_LAPACK_FUNCTIONS(F) AXT_LAPACK_PAIRS(G) };
	static char text[200];
	void *so;

	/*
	 * One thread, whatever the user's setting: the threads are axt's, whose stacks have no room for
	 * what OpenBLAS keeps there of each of its own, and bits do not depend on their number.
	 */
	setenv("OPENBLAS_NUM_THREADS", "1", 1);
	setenv("OMP_NUM_THREADS", "1", 1);
	/* 0.3.21 knows no processor that is newer, and takes it for one without AVX */
	if (CPU_HAS(avx512f) && CPU_HAS(avx512bw) && CPU_HAS(avx512dq) && CPU_HAS(avx512vl))
		setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
	else if (CPU_HAS(avx2) && CPU_HAS(fma))
		setenv("OPENBLAS_CORETYPE", "Haswell", 0);
	so = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	absent = so ? NULL : LIBRARY " cannot be loaded (Debian's package libopenblas0-pthread)";
	for (int i = 0; so && i < ARRAY_LEN(row); i++) {
		void *f = dlsym(so, row[i].name);

		memcpy(row[i].to, &f, sizeof(f));
		if (!f && !absent) {
			snprintf(text, sizeof(text), LIBRARY " has no function %s", row[i].name);
			absent = text;
		}
	}
}

const struct axt_lapack *
axt_lapack(const char **why)
{
	pthread_once(&once, load);
	*why = absent;
	return absent ? NULL : &lapack;
}
