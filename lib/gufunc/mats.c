/* mats.c - matrices of any size: small ones by our own functions, larger ones by LAPACK. */
#include <math.h>
#include <string.h>

#include "gufunc/gufunc.h"
#include "gufunc/mats.h"

struct axt_mats
axt_mats(bool small, int parts, const char **why)
{
	const struct axt_lanes *l = axt_lanes();

	*why = NULL;
	return small ? (struct axt_mats){ parts, l->lanes, &l->fns[parts - 1], NULL }
		     : (struct axt_mats){ parts, 1, NULL, axt_lapack(why) };
}

/* The doubles of scratch that LAPACK asks for, in the form that it tells them in. */
static int
asked(const double work[2])
{
	return work[0] < INT32_MAX ? (int)work[0] : INT32_MAX;
}

void
axt_mats_mul(const struct axt_mats *x, int m, int k, int n, const double *a, const double *b,
    double *c)
{
	const double one[2] = { 1 }, zero[2] = { 0 };
	int kk = MAX(1, k);

	if (x->fns)
		x->fns->mul(m, k, n, a, b, c);
	else
		x->lapack->gemm[x->parts - 1]("N", "N", &m, &n, &k, one, a, &m, b, &kk, zero, c, &m,
		    1, 1);
}

void
axt_mats_adjoint(const struct axt_mats *x, int m, int n, const double *a, double *b)
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++)
			for (int p = 0; p < x->parts; p++)
				for (int l = 0; l < x->lanes; l++) {
					double v = a[AXT_MATS_AT(x, m, n, i, j, p, l)];

					b[AXT_MATS_AT(x, n, m, j, i, p, l)] = p ? -v : v;
				}
}

void
axt_mats_identity(const struct axt_mats *x, int n, double *a)
{
	memset(a, 0, sizeof(*a) * (size_t)axt_mats_size(x, (int64_t)n * n));
	for (int i = 0; i < n; i++)
		for (int l = 0; l < x->lanes; l++)
			a[AXT_MATS_AT(x, n, n, i, i, 0, l)] = 1;
}

void
axt_mats_part(const struct axt_mats *x, int m, int n, const double *a, int r, int c, double *b)
{
	for (int i = 0; i < r; i++)
		for (int j = 0; j < c; j++)
			memcpy(&b[AXT_MATS_AT(x, r, c, i, j, 0, 0)],
			    &a[AXT_MATS_AT(x, m, n, i, j, 0, 0)],
			    sizeof(*b) * (size_t)(x->parts * x->lanes));
}

unsigned
axt_mats_lu(const struct axt_mats *x, int n, double *a, int *exchange)
{
	int info = 0;

	if (x->fns)
		return x->fns->lu(a, n, exchange);
	x->lapack->getrf[x->parts - 1](&n, &n, a, &n, exchange, &info);
	for (int i = 0; i < n; i++)
		exchange[i]--;
	return info != 0;
}

void
axt_mats_lu_solve(const struct axt_mats *x, int n, const double *a, int *exchange, double *b, int k)
{
	int info;

	if (x->fns) {
		x->fns->lu_solve(a, n, exchange, b, k);
		return;
	}
	for (int i = 0; i < n; i++)
		exchange[i]++;
	x->lapack->getrs[x->parts - 1]("N", &n, &k, a, &n, exchange, b, &n, &info, 1);
	for (int i = 0; i < n; i++)
		exchange[i]--;
}

unsigned
axt_mats_cholesky(const struct axt_mats *x, int n, double *a)
{
	int info = 0;

	if (x->fns)
		return x->fns->cholesky(a, n);
	x->lapack->potrf[x->parts - 1]("L", &n, a, &n, &info, 1);
	for (int j = 0; j < n; j++)
		memset(&a[(int64_t)j * n * x->parts], 0, sizeof(*a) * (size_t)(j * x->parts));
	return info != 0;
}

/* Multiplies n elements that are `step` elements apart by -1. */
static void
negate(const struct axt_mats *x, double *a, int64_t step, int n)
{
	for (int i = 0; i < n; i++)
		for (int p = 0; p < x->parts; p++)
			a[i * step * x->parts + p] *= -1;
}

int64_t
axt_mats_qr_work(const struct axt_mats *x, int m, int n)
{
	int query = -1, info, k = MIN(m, n), need;
	double w[2] = { 0 }, none[2];

	if (x->fns || !x->lapack)
		return 0;
	x->lapack->geqrf[x->parts - 1](&m, &n, none, &m, none, w, &query, &info);
	need = asked(w);
	x->lapack->orgqr[x->parts - 1](&m, &k, &k, none, &m, none, w, &query, &info);
	return ((int64_t)MAX(need, asked(w)) + k) * x->parts;
}

unsigned
axt_mats_qr(const struct axt_mats *x, int m, int n, double *a, double *q, double *work)
{
	int k = MIN(m, n), info, parts = x->parts;
	int64_t size = axt_mats_qr_work(x, m, n) / parts - k;
	int lwork = (int)MIN(size, INT32_MAX);
	double *tau = work, *w = work ? work + (int64_t)k * parts : NULL;

	if (x->fns) {
		x->fns->qr(a, m, n, q, k);
		return 0;
	}
	x->lapack->geqrf[parts - 1](&m, &n, a, &m, tau, w, &lwork, &info);
	memcpy(q, a, sizeof(*a) * (size_t)m * k * parts);
	x->lapack->orgqr[parts - 1](&m, &k, &k, q, &m, tau, w, &lwork, &info);
	for (int j = 0; j < k; j++)
		if (a[((int64_t)j * m + j) * parts] < 0) {
			negate(x, a + ((int64_t)j * m + j) * parts, m, n - j);
			negate(x, q + (int64_t)j * m * parts, 1, m);
		}
	for (int j = 0; j < n; j++)
		if (j + 1 < m)
			memset(a + ((int64_t)j * m + j + 1) * parts, 0,
			    sizeof(*a) * (size_t)(m - j - 1) * parts);
	return 0;
}

/*
 * Multiplies each of n columns of m elements so that its largest element (of equal ones the first)
 * becomes positive, and each of the n rows of vh, which has `rows` columns, by the inverse of that
 * factor.
 */
static void
turn(const struct axt_mats *x, double *u, int m, int n, double *vh, int rows)
{
	for (int j = 0; j < n; j++) {
		double *c = u + (int64_t)j * m * x->parts, best = -1, by[2] = { 1, 0 };

		for (int i = 0; i < m; i++) {
			double re = c[i * x->parts], im = x->parts == 2 ? c[2 * i + 1] : 0;
			double size = re * re + im * im;

			if (size > best) {
				best = size;
				by[0] = re;
				by[1] = im;
			}
		}
		best = axt_hypot(by[0], by[1]);
		if (best == 0)
			continue;
		by[0] /= best;
		by[1] /= -best;
		for (int i = 0; i < m; i++) {
			double re = c[i * x->parts];

			if (x->parts == 1) {
				c[i] *= by[0];
				continue;
			}
			c[2 * i] = re * by[0] - c[2 * i + 1] * by[1];
			c[2 * i + 1] = re * by[1] + c[2 * i + 1] * by[0];
		}
		for (int i = 0; vh && i < rows; i++) {
			double *v = vh + ((int64_t)i * n + j) * x->parts, re = v[0];

			if (x->parts == 1) {
				v[0] *= by[0];
				continue;
			}
			v[0] = re * by[0] + v[1] * by[1];
			v[1] = -re * by[1] + v[1] * by[0];
		}
	}
}

/* How much scratch of each kind the LAPACK function for eigh needs. */
struct sizes {
	int lwork, lrwork, liwork;
};

static void
eigh_call(const struct axt_mats *x, int n, double *a, double *w, bool vectors, double *work,
    double *rwork, int *iwork, struct sizes s, int *info)
{
	const char *job = vectors ? "V" : "N";

	if (x->parts == 1)
		x->lapack->dsyevd(job, "L", &n, a, &n, w, work, &s.lwork, iwork, &s.liwork, info, 1,
		    1);
	else
		x->lapack->zheevd(job, "L", &n, a, &n, w, work, &s.lwork, rwork, &s.lrwork, iwork,
		    &s.liwork, info, 1, 1);
}

static struct sizes
eigh_sizes(const struct axt_mats *x, int n, bool vectors)
{
	double work[2] = { 0 }, rwork[1] = { 0 }, none[2];
	int iwork[1] = { 0 }, info;

	eigh_call(x, n, none, none, vectors, work, rwork, iwork, (struct sizes){ -1, -1, -1 },
	    &info);
	return (struct sizes){ asked(work), (int)rwork[0], iwork[0] };
}

/* Whether few eigenvectors of a real matrix are needed, which are computed by themselves. */
static bool
are_few(const struct axt_mats *x, int n, int last)
{
	return x->parts == 1 && last > 0 && last <= n / 4;
}

/* What it needs for these: numbers of the tridiagonal matrix, and of each function. */
static int
few_lwork(const struct axt_mats *x, int n, int last)
{
	double work[1] = { 0 }, none[1] = { 0 };
	int query = -1, info, most;

	x->lapack->dsytrd("L", &n, none, &n, none, none, none, work, &query, &info, 1);
	most = MAX(18 * n, (int)work[0]);
	x->lapack->dormtr("L", "L", "N", &n, &last, none, &n, none, none, &n, work, &query, &info,
	    1, 1, 1);
	return MAX(most, (int)work[0]);
}

/*
 * All eigenvalues, and the last eigenvectors: the matrix becomes tridiagonal, and only these
 * vectors of that are found and turned back. v has room for all, and others become 0.
 */
static int
few_vectors(const struct axt_mats *x, int n, int last, double *a, double *w, double *v,
    double *work)
{
	const struct axt_lapack *f = x->lapack;
	int lwork = few_lwork(x, n, last), liwork = 10 * n, first = n - last + 1, m, exact = 1,
	    info;
	double *d = work + lwork, *e = d + n, *tau = e + n, *off = tau + n, *top = off + n,
	       *z = v + (int64_t)n * (n - last), none = 0;
	int *iwork = (int *)(top + n), *support = iwork + liwork;

	f->dsytrd("L", &n, a, &n, d, e, tau, work, &lwork, &info, 1);
	memcpy(w, d, (size_t)n * sizeof(*w));
	memcpy(off, e, (size_t)n * sizeof(*e));
	if (info == 0)
		f->dsterf(&n, w, off, &info);
	if (info == 0)
		f->dstemr("V", "I", &n, d, e, &none, &none, &first, &n, &m, top, z, &n, &last,
		    support, &exact, work, &lwork, iwork, &liwork, &info, 1, 1);
	if (info == 0 && m != last)
		info = 1;
	if (info == 0)
		f->dormtr("L", "L", "N", &n, &last, a, &n, tau, z, &n, work, &lwork, &info, 1, 1,
		    1);
	memset(v, 0, sizeof(*v) * (size_t)n * (size_t)(n - last));
	if (info == 0) {
		memcpy(w + n - last, top, (size_t)last * sizeof(*w));
		turn(x, z, n, last, NULL, 0);
	}
	return info;
}

int64_t
axt_mats_eigh_work(const struct axt_mats *x, int n, int last, bool vectors)
{
	struct sizes s;

	if (x->fns || !x->lapack)
		return 0;
	if (vectors && are_few(x, n, last))
		return few_lwork(x, n, last) + 5 * (int64_t)n + (12 * (int64_t)n + 1) / 2;
	s = eigh_sizes(x, n, vectors);
	return (int64_t)s.lwork * x->parts + s.lrwork + (s.liwork + 1) / 2;
}

unsigned
axt_mats_eigh(const struct axt_mats *x, int n, int last, double *a, double *w, double *v,
    double *work)
{
	struct sizes s;
	double *rwork;
	int info = 0;

	if (x->fns) {
		x->fns->eigh(a, n, w, v);
		if (v)
			x->fns->turn(v, n, n, NULL, 0);
		return 0;
	}
	if (v && are_few(x, n, last))
		return few_vectors(x, n, last, a, w, v, work) != 0;
	s = eigh_sizes(x, n, v);
	rwork = work + (int64_t)s.lwork * x->parts;
	eigh_call(x, n, a, w, v, work, rwork, (int *)(rwork + s.lrwork), s, &info);
	if (v) {
		memcpy(v, a, sizeof(*v) * (size_t)n * n * x->parts);
		turn(x, v, n, n, NULL, 0);
	}
	return info != 0;
}

static void
svd_call(const struct axt_mats *x, int m, int n, double *a, double *u, double *s, double *vh,
    double *work, int lwork, double *rwork, int *iwork, int *info)
{
	const char *job = u ? "S" : "N";
	int k = MAX(1, MIN(m, n)), ldm = MAX(1, m);

	if (x->parts == 1)
		x->lapack->dgesdd(job, &m, &n, a, &ldm, s, u, &ldm, vh, &k, work, &lwork, iwork,
		    info, 1);
	else
		x->lapack->zgesdd(job, &m, &n, a, &ldm, s, u, &ldm, vh, &k, work, &lwork, rwork,
		    iwork, info, 1);
}

static int
svd_lwork(const struct axt_mats *x, int m, int n, bool vectors)
{
	double work[2] = { 0 }, none[2];
	int iwork[8], info;

	svd_call(x, m, n, none, vectors ? none : NULL, none, vectors ? none : NULL, work, -1, none,
	    iwork, &info);
	return asked(work);
}

/* The doubles of rwork that zgesdd documents. */
static int64_t
svd_rwork(const struct axt_mats *x, int64_t m, int64_t n, bool vectors)
{
	int64_t least = MIN(m, n), most = MAX(m, n);

	if (x->parts == 1)
		return 0;
	return vectors
	    ? MAX(5 * least * least + 5 * least, 2 * most * least + 2 * least * least + least)
	    : 7 * least;
}

int64_t
axt_mats_svd_work(const struct axt_mats *x, int m, int n, bool vectors)
{
	int64_t k = MIN(m, n);

	if (x->fns) /* two squares or rectangles beside: for the adjoint, and right vectors */
		return axt_mats_size(x, (int64_t)m * n) + axt_mats_size(x, k * k);
	if (!x->lapack)
		return 0;
	return (int64_t)svd_lwork(x, m, n, vectors) * x->parts + svd_rwork(x, m, n, vectors) +
	    4 * k;
}

static void
svd_small(const struct axt_mats *x, int m, int n, double *a, double *u, double *s, double *vh,
    double *work)
{
	int k = MIN(m, n);
	double *tall = work, *v = work + axt_mats_size(x, (int64_t)m * n);

	/* U' S V'^H of the adjoint of a wide matrix: then U is V', and V is U' */
	if (m < n)
		axt_mats_adjoint(x, m, n, a, tall);
	else
		tall = a;
	x->fns->svd(tall, MAX(m, n), k, s, u ? v : NULL);
	if (!u)
		return;
	if (m < n) {
		x->fns->turn(v, m, k, tall, n);
		memcpy(u, v, sizeof(*u) * (size_t)axt_mats_size(x, (int64_t)m * k));
		axt_mats_adjoint(x, n, k, tall, vh);
	} else {
		x->fns->turn(tall, m, k, v, n);
		memcpy(u, tall, sizeof(*u) * (size_t)axt_mats_size(x, (int64_t)m * k));
		axt_mats_adjoint(x, n, k, v, vh);
	}
}

unsigned
axt_mats_svd(const struct axt_mats *x, int m, int n, double *a, double *u, double *s, double *vh,
    double *work)
{
	int lwork, info = 0;
	double *rwork;

	if (x->fns) {
		svd_small(x, m, n, a, u, s, vh, work);
		return 0;
	}
	lwork = svd_lwork(x, m, n, u);
	rwork = work + (int64_t)lwork * x->parts;
	svd_call(x, m, n, a, u, s, vh, work, lwork, rwork, (int *)(rwork + svd_rwork(x, m, n, u)),
	    &info);
	if (u)
		turn(x, u, m, MIN(m, n), vh, n);
	return info != 0;
}

/* ---- matrices of any kind ---- */

/*
 * Computes one call. The matrix is not balanced: balancing may make eigenvalues of a badly scaled
 * matrix more accurate, but makes their residuals larger.
 */
static void
eig_call(const struct axt_mats *x, int n, double *a, double *w, double *v, double *work, int lwork,
    double *rwork, double *scale, int *info)
{
	const char *job = v ? "V" : "N";
	int ld = MAX(1, n), lo, hi;
	double norm;

	if (x->parts == 1)
		x->lapack->dgeevx("N", "N", job, "N", &n, a, &ld, w, w + n, NULL, &ld, v, &ld, &lo,
		    &hi, scale, &norm, NULL, NULL, work, &lwork, NULL, info, 1, 1, 1, 1);
	else
		x->lapack->zgeevx("N", "N", job, "N", &n, a, &ld, w, NULL, &ld, v, &ld, &lo, &hi,
		    scale, &norm, NULL, NULL, work, &lwork, rwork, info, 1, 1, 1, 1);
}

static int
eig_lwork(const struct axt_mats *x, int n, bool vectors)
{
	double work[2] = { 0 }, none[2];
	int info;

	eig_call(x, n, none, none, vectors ? none : NULL, work, -1, none, none, &info);
	return asked(work);
}

/* LAPACK's scratch; the eigenvalues and vectors in its order; the order of the results. */
int64_t
axt_mats_eig_work(const struct axt_mats *x, int n, bool vectors)
{
	if (x->fns || !x->lapack)
		return 0;
	return (int64_t)eig_lwork(x, n, vectors) * x->parts + 6 * (int64_t)n +
	    (vectors ? (int64_t)n * n * x->parts : 0);
}

/* The elements of w by falling size; of equal ones first the one above the real axis. */
static void
order(const double *w, int n, int *at)
{
	for (int i = 0; i < n; i++) {
		const double *x = w + 2 * i;
		int j = i;

		for (; j > 0; j--) {
			const double *y = w + 2 * at[j - 1];
			double sx = axt_hypot(x[0], x[1]), sy = axt_hypot(y[0], y[1]);

			if (sx < sy ||
			    (sx == sy && (x[0] < y[0] || (x[0] == y[0] && x[1] <= y[1]))))
				break;
			at[j] = at[j - 1];
		}
		at[j] = i;
	}
}

/*
 * Gives eigenvector i of n. LAPACK stores the eigenvectors of a pair of conjugate eigenvalues as
 * two columns: the real and the imaginary part of the first one.
 */
static void
vector(const struct axt_mats *x, const double *w, const double *from, int n, int i, double *to)
{
	bool second = x->parts == 1 && w[2 * i + 1] < 0;
	const double *re = from + (int64_t)(second ? i - 1 : i) * n * x->parts;

	for (int r = 0; r < n; r++) {
		to[2 * r] = x->parts == 2 ? re[2 * r] : re[r];
		to[2 * r + 1] = x->parts == 2 ? re[2 * r + 1]
		    : w[2 * i + 1] == 0       ? 0
					      : (second ? -1 : 1) * re[n + r];
	}
}

unsigned
axt_mats_eig(const struct axt_mats *x, int n, double *a, double *w, double *v, double *work)
{
	const struct axt_mats both = { .parts = 2, .lanes = 1 };
	int lwork = eig_lwork(x, n, v), info = 0, *at;
	double *own = work + (int64_t)lwork * x->parts, *rwork = own + 2 * n,
	       *scale = rwork + 2 * n, *vectors = scale + 2 * n;

	at = (int *)(scale + n);
	eig_call(x, n, a, own, v ? vectors : NULL, work, lwork, rwork, scale, &info);
	for (int i = n - 1; i >= 0 && x->parts == 1; i--) /* re..., im... as pairs */
		rwork[i] = own[n + i];
	for (int i = n - 1; i >= 0 && x->parts == 1; i--) {
		own[2 * i] = own[i];
		own[2 * i + 1] = rwork[i];
	}
	order(own, n, at);
	for (int i = 0; i < n; i++) {
		w[2 * i] = own[2 * at[i]];
		w[2 * i + 1] = own[2 * at[i] + 1];
		if (v)
			vector(x, own, vectors, n, at[i], v + 2 * (int64_t)i * n);
	}
	if (v)
		turn(&both, v, n, n, NULL, 0);
	return info != 0;
}
