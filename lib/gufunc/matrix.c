/* matrix.c - packs the matrices of calls, has them computed, and unpacks the results. */
#include <math.h>

#include "gufunc/matrix.h"

#define WORK_MAX 1e16 /* bytes: more than that fits no memory */

/* A result that is not needed has no dtype, and may be complex. */
static int
parts_of(enum axt_dtype d)
{
	return d == AXT_DTYPE_AUTO || axt_dtypes[d].cls == AXT_CLASS_COMPLEX ? 2 : 1;
}

enum axt_dtype
axt_matrix_dtype(const enum axt_dtype in[], int n)
{
	enum axt_dtype d = in[0];

	for (int t = 1; t < n; t++)
		d = axt_promote(d, in[t]);
	return axt_dtypes[d].cls < AXT_CLASS_FLOAT ? AXT_F64
	    : parts_of(d) == 1                     ? axt_dtypes[d].comp
						   : d;
}

enum axt_dtype
axt_matrix_real(enum axt_dtype d)
{
	return d == AXT_C64 ? AXT_F32 : d == AXT_C128 ? AXT_F64 : d;
}

enum axt_dtype
axt_matrix_complex(enum axt_dtype d)
{
	return d == AXT_F32 ? AXT_C64 : d == AXT_F64 ? AXT_C128 : d;
}

/* Whether matrices of these lengths are small; all that is computed of them fits the caches. */
static bool
is_small(const struct axt_matrix_fns *f, const int64_t len[AXT_LETTERS])
{
	int64_t m = len['m' - 'a'], n = len['n' - 'a'];

	return (n <= f->order || (f->wide && m <= f->order)) &&
	    m * n <= AXT_SMALL_ORDER * AXT_SMALL_ORDER;
}

const char *
axt_matrix_ready(const struct axt_matrix_fns *f, const int64_t len[AXT_LETTERS])
{
	const char *why;

	for (int l = 0; l < AXT_LETTERS; l++)
		if (len[l] > INT32_MAX)
			return "a matrix has more than 2^31 rows or columns";
	axt_mats(is_small(f, len), 1, &why);
	return why;
}

const char *
axt_matrix_by(const struct axt_matrix_fns *f, const int64_t len[AXT_LETTERS])
{
	return is_small(f, len) ? "by axt, the same bits everywhere"
				: "by LAPACK, bits of this kind of processor";
}

/* A tensor of calls with its lengths. */
struct tensor {
	struct axt_gufunc_tensor at;
	int n, parts;
	int64_t len[AXT_GUFUNC_CORE], count;
};

static struct tensor
tensor(const struct axt_gufunc_calls *x, int t)
{
	const struct axt_core *core = &x->sig->core[t];
	struct tensor s = { .at = x->t[t],
		.n = core->n,
		.parts = parts_of(x->t[t].dtype),
		.count = 1 };

	for (int c = 0; c < core->n; c++) {
		s.len[c] = x->len[core->axis[c] - 'a'];
		s.count *= s.len[c];
	}
	return s;
}

static int
tensors(const struct axt_gufunc_calls *x)
{
	return x->sig->nin + x->sig->nout;
}

/* What a function is told, but for where tensors are. */
static struct axt_matrix
described(const struct axt_matrix_fns *f, const struct axt_gufunc_calls *x)
{
	const char *why;

	return (
	    struct axt_matrix){ .x = axt_mats(is_small(f, x->len), parts_of(x->t[0].dtype), &why),
		.args = x->args,
		.len = x->len };
}

/* The doubles of a tensor of all lanes. */
static int64_t
doubles_of(const struct axt_gufunc_calls *x, int t, int lanes)
{
	struct tensor s = tensor(x, t);

	return (s.count * s.parts * lanes + 7) / 8 * 8;
}

int64_t
axt_matrix_work(const struct axt_matrix_fns *f, const struct axt_gufunc_calls *x)
{
	struct axt_matrix m = described(f, x);
	double n = 0;

	if (!m.x.fns && !m.x.lapack)
		return 0; /* this was an error before */
	for (int t = 0; t < tensors(x); t++)
		n += (double)doubles_of(x, t, m.x.lanes);
	n += f->work ? (double)f->work(&m) : 0;
	return (int64_t)MIN(n * 8, WORK_MAX);
}

/* Where element e of tensor t is, counted from the first; e counts row by row, or by columns. */
static int64_t
place(const struct tensor *t, int64_t e, bool columns)
{
	int64_t at = 0;

	for (int k = 0; k < t->n; k++) {
		int c = columns ? k : t->n - 1 - k;

		at += e % t->len[c] * t->at.stride[c];
		e /= t->len[c];
	}
	return at;
}

/* Copies element e of a tensor for each lane, to or from where that element is packed. */
static void
load(const struct axt_gufunc_tensor *t, int parts, int64_t at, int lanes, int calls, double *to)
{
	bool wide = t->dtype == AXT_F64 || t->dtype == AXT_C128;

	for (int l = 0; l < lanes; l++) {
		int64_t i = (at + MIN(l, calls - 1) * t->step) * parts;

		for (int k = 0; k < parts; k++)
			to[k * lanes + l] = wide ? ((const double *)t->p)[i + k]
						 : (double)((const float *)t->p)[i + k];
	}
}

static void
store(const struct axt_gufunc_tensor *t, int parts, int64_t at, int lanes, int calls,
    const double *from)
{
	bool wide = t->dtype == AXT_F64 || t->dtype == AXT_C128;

	for (int l = 0; l < calls; l++) {
		int64_t i = (at + l * t->step) * parts;

		for (int k = 0; k < parts; k++) {
			double v = from[k * lanes + l];

			if (t->dtype == AXT_I64)
				((int64_t *)t->p)[i] = (int64_t)v;
			else if (wide)
				((double *)t->p)[i + k] = v;
			else
				((float *)t->p)[i + k] = (float)v;
		}
	}
}

/*
 * Replaces matrices that are not finite by the identity, and gives the lanes of these. A column of a
 * later operand that is not finite makes that column of the results NaN by itself.
 */
static unsigned
clean(const struct axt_gufunc_calls *x, const struct axt_matrix *m)
{
	struct tensor s = tensor(x, 0);
	int64_t n = s.count * s.parts, diagonal = s.len[m->x.fns ? 1 : 0] + 1;
	unsigned bad = 0;

	for (int64_t e = 0; e < n; e++)
		for (int l = 0; l < m->x.lanes; l++)
			bad |= (unsigned)!isfinite(m->t[0][e * m->x.lanes + l]) << l;
	for (int l = 0; l < m->x.lanes && bad; l++)
		for (int64_t e = 0; e < n && bad & 1u << l; e++)
			m->t[0][e * m->x.lanes + l] = e % s.parts == 0 &&
			    e / s.parts % diagonal == 0;
	return bad;
}

static void
pack(const struct axt_gufunc_calls *x, const struct axt_matrix *m, int64_t from, int calls)
{
	for (int t = 0; t < x->sig->nin; t++) {
		struct tensor s = tensor(x, t);

		s.at.p = (uint8_t *)s.at.p + from * s.at.step * axt_size(s.at.dtype);
		for (int64_t e = 0; e < s.count; e++)
			load(&s.at, s.parts, place(&s, e, !m->x.fns), m->x.lanes, calls,
			    m->t[t] + e * s.parts * m->x.lanes);
	}
}

/* Stores the results of `calls` lanes; those of the lanes `nan` are NaN. */
static bool
unpack(struct axt_gufunc_calls *x, const struct axt_matrix *m, int64_t from, int calls,
    unsigned nan)
{
	for (int t = x->sig->nin; t < tensors(x); t++) {
		struct tensor s = tensor(x, t);

		if (!s.at.p)
			continue;
		if (nan && s.at.dtype == AXT_I64) {
			x->failed = from + __builtin_ctz(nan);
			x->why = "the matrix has values that are not finite";
			return false;
		}
		s.at.p = (uint8_t *)s.at.p + from * s.at.step * axt_size(s.at.dtype);
		for (int64_t e = 0; e < s.count; e++) {
			double *p = m->t[t] + e * s.parts * m->x.lanes;

			for (int i = 0; i < s.parts * m->x.lanes && nan; i++)
				if (nan & 1u << i % m->x.lanes)
					p[i] = NAN;
			store(&s.at, s.parts, place(&s, e, !m->x.fns), m->x.lanes, calls, p);
		}
	}
	return true;
}

bool
axt_matrix_calls(const struct axt_matrix_fns *f, struct axt_gufunc_calls *x)
{
	struct axt_matrix m = described(f, x);
	double *p = x->work;

	for (int t = 0; t < tensors(x); t++) {
		m.t[t] = p;
		m.needed[t] = x->t[t].p;
		p += doubles_of(x, t, m.x.lanes);
	}
	m.work = p;
	for (int64_t c = 0; c < x->calls; c += m.x.lanes) {
		int calls = (int)MIN(m.x.lanes, x->calls - c);
		unsigned nan, failed;

		pack(x, &m, c, calls);
		nan = clean(x, &m);
		failed = f->run(&m, &x->why) & ((1u << calls) - 1);
		if (failed) {
			x->failed = c + __builtin_ctz(failed);
			return false;
		}
		if (!unpack(x, &m, c, calls, nan & ((1u << calls) - 1)))
			return false;
	}
	return true;
}
