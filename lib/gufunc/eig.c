/*
 * eig.c - eigenvalues and eigenvectors: those of Hermitian matrices as numpy.linalg.eigh and
 * eigvalsh give them, those of others as eig and eigvals.
 */
#include <math.h>

#include "gufunc/matrix.h"

static const char unsettled[] = "the eigenvalues were not found";

static bool
eigh_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = out[1] = axt_matrix_dtype(in, 1);
	out[0] = axt_matrix_real(in[0]);
	return true;
}

static int64_t
eigh_work(const struct axt_matrix *k)
{
	return axt_mats_eigh_work(&k->x, LEN(k, 'm'), k->args->n[0], true);
}

static unsigned
eigh_run(const struct axt_matrix *k, const char **why)
{
	*why = unsettled;
	return axt_mats_eigh(&k->x, LEN(k, 'm'), k->args->n[0], k->t[0], k->t[1],
	    k->needed[2] ? k->t[2] : NULL, k->work);
}

static const struct axt_matrix_fns eigh = { .order = 32, .work = eigh_work, .run = eigh_run };
AXT_MATRIX_GUFUNC(EIGH, eigh, eigh_dtypes, axt_matrix_square_lesser)

static bool
eig_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = axt_matrix_dtype(in, 1);
	out[0] = out[1] = axt_matrix_complex(in[0]);
	return true;
}

static int64_t
eig_work(const struct axt_matrix *k)
{
	return axt_mats_eig_work(&k->x, LEN(k, 'm'), true);
}

static unsigned
eig_run(const struct axt_matrix *k, const char **why)
{
	*why = unsettled;
	return axt_mats_eig(&k->x, LEN(k, 'm'), k->t[0], k->t[1], k->needed[2] ? k->t[2] : NULL,
	    k->work);
}

static const struct axt_matrix_fns eig = { .work = eig_work, .run = eig_run };
AXT_MATRIX_GUFUNC(EIG, eig, eig_dtypes, axt_matrix_square_lesser)
