/* lapack.c - loads LAPACK. */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "linalg/blas.h"
#include "linalg/lapack.h"

static struct axt_lapack lapack;
static struct axt_err absent;
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
	void *so = axt_blas_library("openblas", &absent);

	for (int i = 0; so && i < ARRAY_LEN(row); i++) {
		void *f = dlsym(so, row[i].name);

		memcpy(row[i].to, &f, sizeof(f));
		if (!f)
			axt_fail(&absent, AXT_E_NOSYS, "OpenBLAS has no function %s", row[i].name);
	}
}

const struct axt_lapack *
axt_lapack(const char **why)
{
	pthread_once(&once, load);
	*why = absent.code ? absent.text : NULL;
	return absent.code ? NULL : &lapack;
}
