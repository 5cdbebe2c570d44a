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

bool
axt_matrix_like(enum axt_dtype in[], enum axt_dtype out[])
{
	in[0] = out[0] = axt_matrix_dtype(in, 1);
	return true;
}

const char *
axt_matrix_square(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	(void)args;
	return len['m' - 'a'] == len['n' - 'a'] ? NULL : "the matrix is not square";
}

const char *
axt_matrix_lesser(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	(void)args;
	len['l' - 'a'] = MIN(len['m' - 'a'], len['n' - 'a']);
	return NULL;
}

const char *
axt_matrix_square_lesser(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	axt_matrix_lesser(args, len);
	return axt_matrix_square(args, len);
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

/* Small matrices are packed row by row, large ones column by column. */
static struct axt_packing
packing(const struct tensor *s, const struct axt_mats *x, int64_t from, int calls)
{
	struct axt_packing o = { .n = { 1, 1 } };

	for (int c = 0; c < s->n; c++) {
		int k = x->fns ? 2 - s->n + c : 1 - c;

		o.n[k] = s->len[c];
		o.stride[k] = s->at.stride[c];
	}
	/* lanes without a call have the last one once more */
	for (int l = 0; l < x->lanes; l++)
		o.lane[l] = (from + MIN(l, calls - 1)) * s->at.step;
	return o;
}

/*
 * Does BODY for each number of one large matrix, block by block, so that the numbers of a block are
 * read from few pages and written to few.
 */
#define BLOCK 32
#define NUMBERS(o, parts, BODY)                                                                  \
	for (int64_t i0 = 0; i0 < (o)->n[0]; i0 += BLOCK)                                        \
		for (int64_t j0 = 0; j0 < (o)->n[1]; j0 += BLOCK)                                \
			for (int64_t i = i0; i < MIN(i0 + BLOCK, (o)->n[0]); i++)                \
				for (int64_t j = j0; j < MIN(j0 + BLOCK, (o)->n[1]); j++)        \
					for (int k = 0; k < (parts); k++) {                      \
						int64_t at = (i * (o)->stride[0] +               \
								 j * (o)->stride[1] +            \
								 (o)->lane[0]) *                 \
							(parts) +                                \
						    k;                                           \
						int64_t packed = (i * (o)->n[1] + j) * (parts) + \
						    k;                                           \
                                                                                                 \
						BODY;                                            \
					}

/* Blocks of matrices whose numbers are copied as they are. */
#define COPIED_ROWS 64
#define COPIED_COLUMNS 32
#define BLOCKS(o, BODY)                                                                         \
	for (int64_t i = 0; i < (o)->n[0]; i += COPIED_ROWS)                                    \
		for (int64_t j = 0; j < (o)->n[1]; j += COPIED_COLUMNS) {                       \
			int64_t rows = MIN(COPIED_ROWS, (o)->n[0] - i),                         \
				cols = MIN(COPIED_COLUMNS, (o)->n[1] - j);                      \
			int64_t at = (i * (o)->stride[0] + j * (o)->stride[1] + (o)->lane[0]) * \
			    size;                                                               \
			int64_t packed = (i * (o)->n[1] + j) * size;                            \
                                                                                                \
			BODY;                                                                   \
		}

static bool
is_double(const struct tensor *s)
{
	return s->at.dtype == AXT_F64 || s->at.dtype == AXT_C128;
}

/* Rows of n numbers that are ld apart: 0 if all are finite, else NaN. */
static double
sum_of_zeros(const double *p, int64_t rows, int64_t n, int64_t ld)
{
	double a = 0, b = 0, c = 0, d = 0; /* which do not wait for each other */

	for (int64_t i = 0; i < rows; i++) {
		const double *x = p + i * ld;
		int64_t j = 0;

		for (; j + 4 <= n; j += 4) {
			a += x[j] * 0;
			b += x[j + 1] * 0;
			c += x[j + 2] * 0;
			d += x[j + 3] * 0;
		}
		for (; j < n; j++)
			a += x[j] * 0;
	}
	return a + b + c + d;
}

/* Loads a large matrix. Returns whether a number is not finite. */
static unsigned
load_large(const struct tensor *s, const struct axt_packing *o, double *to)
{
	int parts = s->parts, size = 8 * parts;
	const uint8_t *from = s->at.p;
	double sum = 0;

	if (is_double(s)) {
		BLOCKS(o, {
			uint8_t *block = (uint8_t *)to + packed;

			axt_kern_gather2(block, o->n[1], from + at, rows, cols, o->stride[0],
			    o->stride[1], size);
			sum += sum_of_zeros((double *)block, rows, cols * parts, o->n[1] * parts);
		})
	} else {
		NUMBERS(o, parts, to[packed] = (double)((const axt_operand_f32 *)s->at.p)[at])
		sum = sum_of_zeros(to, 1, s->count * parts, 0);
	}
	return sum != 0;
}

static void
store_large(const struct tensor *s, const struct axt_packing *o, const double *from)
{
	int size = 8 * s->parts;
	uint8_t *to = s->at.p;

	if (is_double(s) && o->stride[1] == 1)
		BLOCKS(o,
		    axt_kern_gather2(to + at, o->stride[0], (const uint8_t *)from + packed, rows,
			cols, o->n[1], 1, size))
	else if (is_double(s) && o->stride[0] == 1)
		BLOCKS(o,
		    axt_kern_gather2(to + at, o->stride[1], (const uint8_t *)from + packed, cols,
			rows, 1, o->n[1], size))
	else if (is_double(s))
		NUMBERS(o, s->parts, ((double *)s->at.p)[at] = from[packed])
	else if (s->at.dtype == AXT_I64)
		NUMBERS(o, 1, ((int64_t *)s->at.p)[at] = (int64_t)from[packed])
	else
		NUMBERS(o, s->parts, ((float *)s->at.p)[at] = (float)from[packed])
}

static unsigned
load(const struct tensor *s, const struct axt_mats *x, int64_t from, int calls, double *to)
{
	struct axt_packing o = packing(s, x, from, calls);
	const struct axt_lanes *l = axt_lanes();

	if (!x->fns)
		return load_large(s, &o, to);
	return s->at.dtype == AXT_F64 || s->at.dtype == AXT_C128
	    ? l->load_f64[s->parts - 1](&o, s->at.p, to)
	    : l->load_f32[s->parts - 1](&o, s->at.p, to);
}

static void
store(const struct tensor *s, const struct axt_mats *x, int64_t from, int calls, const double *p)
{
	struct axt_packing o = packing(s, x, from, calls);
	const struct axt_lanes *l = axt_lanes();

	if (!x->fns)
		store_large(s, &o, p);
	else if (s->at.dtype == AXT_I64)
		l->store_i64(&o, p, s->at.p);
	else if (s->at.dtype == AXT_F64 || s->at.dtype == AXT_C128)
		l->store_f64[s->parts - 1](&o, p, s->at.p);
	else
		l->store_f32[s->parts - 1](&o, p, s->at.p);
}

/*
 * Replaces the first operand by the identity in the lanes `which`, so that it can be computed with.
 * (A column of a later operand that is not finite makes that column of the results NaN by itself.)
 */
static void
replace(const struct tensor *s, const struct axt_matrix *m, unsigned which)
{
	int64_t diagonal = s->len[m->x.fns ? 1 : 0] + 1;

	for (int l = 0; l < m->x.lanes; l++)
		for (int64_t e = 0; e < s->count * s->parts && which & 1u << l; e++)
			m->t[0][e * m->x.lanes + l] = e % s->parts == 0 &&
			    e / s->parts % diagonal == 0;
}

/* Makes the results of the lanes `nan` NaN. */
static void
spoil(double *p, int64_t n, int lanes, unsigned nan)
{
	for (int64_t i = 0; i < n; i++)
		if (nan & 1u << i % lanes)
			p[i] = NAN;
}

/* The calls from `from` on, one in each lane. Returns false where one fails. */
static bool
some_calls(const struct axt_matrix_fns *f, struct axt_gufunc_calls *x, const struct axt_matrix *m,
    const struct tensor s[], int64_t from, int calls)
{
	int nin = x->sig->nin, all = nin + x->sig->nout, lanes = m->x.lanes;
	unsigned nan = load(&s[0], &m->x, from, calls, m->t[0]), failed, mine = (1u << calls) - 1;

	if (nan)
		replace(&s[0], m, nan);
	for (int t = 1; t < nin; t++)
		load(&s[t], &m->x, from, calls, m->t[t]);
	failed = f->run(m, &x->why) & mine;
	for (int t = nin; t < all && !failed; t++)
		if (nan && s[t].at.p && s[t].at.dtype == AXT_I64) {
			failed = nan & mine;
			x->why = "the matrix has values that are not finite";
		}
	x->spoiled += __builtin_popcount(nan & mine);
	if (failed) {
		x->failed = from + __builtin_ctz(failed);
		return false;
	}
	for (int t = nin; t < all; t++) {
		if (!s[t].at.p)
			continue;
		if (nan)
			spoil(m->t[t], s[t].count * s[t].parts * lanes, lanes, nan);
		store(&s[t], &m->x, from, calls, m->t[t]);
	}
	return true;
}

bool
axt_matrix_calls(const struct axt_matrix_fns *f, struct axt_gufunc_calls *x)
{
	struct axt_matrix m = described(f, x);
	struct tensor s[AXT_GUFUNC_TENSORS];
	double *p = x->work;

	for (int t = 0; t < tensors(x); t++) {
		s[t] = tensor(x, t);
		m.t[t] = p;
		m.needed[t] = x->t[t].p;
		p += doubles_of(x, t, m.x.lanes);
	}
	m.work = p;
	for (int64_t c = 0; c < x->calls; c += m.x.lanes)
		if (!some_calls(f, x, &m, s, c, (int)MIN(m.x.lanes, x->calls - c)))
			return false;
	return true;
}
