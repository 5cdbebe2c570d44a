/*
 * fft.c - Fourier transforms, as those of numpy.fft, by FFTW, which is loaded for the first
 * transform. All are computed in double precision. FFTW is told not to use vectors and not to
 * measure what is fastest, so that the bits are the same on every machine.
 * source  Frigo and Johnson, The Design and Implementation of FFTW3, Proc. IEEE 93 (2005)
 */
#include <complex.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/library.h"
#include "gufunc/fft.h"

typedef double _Complex cplx;
typedef struct fftw_plan_s *plan;

/* flags of fftw3.h: estimate, never measure; any alignment; no vectors */
#define FLAGS (1U << 6 | 1U << 1 | 1U << 17)

static struct {
	plan (*c2c)(int n, cplx *in, cplx *out, int sign, unsigned flags);
	plan (*r2c)(int n, double *in, cplx *out, unsigned flags);
	plan (*c2r)(int n, cplx *in, double *out, unsigned flags);
	void (*run_c2c)(plan p, cplx *in, cplx *out);
	void (*run_r2c)(plan p, double *in, cplx *out);
	void (*run_c2r)(plan p, cplx *in, double *out);
} fftw;
static const struct axt_library_function functions[] = { { "fftw_plan_dft_1d", &fftw.c2c },
	{ "fftw_plan_dft_r2c_1d", &fftw.r2c }, { "fftw_plan_dft_c2r_1d", &fftw.c2r },
	{ "fftw_execute_dft", &fftw.run_c2c }, { "fftw_execute_dft_r2c", &fftw.run_r2c },
	{ "fftw_execute_dft_c2r", &fftw.run_c2r }, { NULL, NULL } };
static struct axt_library library = { .so = "libfftw3.so.3",
	.package = "libfftw3-double3",
	.functions = functions };

const char *
axt_fft_missing(void)
{
	return axt_library_load(&library);
}

/* ---- plans ---- */

/* The ways that FFTW has. */
enum way { FORWARD, BACKWARD, FROM_REAL, TO_REAL };
/* A plan for lines of one length, which is kept until the process ends. */
struct kept {
	enum way way;
	int n;
	plan p;
	struct kept *next;
};

/*
 * Gives the plan for lines of n elements, which is made when it is first asked for; NULL: out of
 * memory. in and out have room for a line. The lock is there because FFTW makes plans in one thread
 * at a time.
 */
static plan
plan_for(enum way way, int n, cplx *in, cplx *out)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct kept *all;
	struct kept *k;
	plan p;

	pthread_mutex_lock(&lock);
	for (k = all; k && (k->way != way || k->n != n); k = k->next)
		;
	if (!k && (k = malloc(sizeof(*k)))) {
		p = way == FROM_REAL ? fftw.r2c(n, (double *)in, out, FLAGS)
		    : way == TO_REAL ? fftw.c2r(n, in, (double *)out, FLAGS)
				     : fftw.c2c(n, in, out, way == FORWARD ? -1 : 1, FLAGS);
		*k = (struct kept){ .way = way, .n = n, .p = p, .next = all };
		all = k;
	}
	p = k ? k->p : NULL;
	pthread_mutex_unlock(&lock);
	return p;
}

/* ---- dtypes, lengths, memory ---- */

/* f16 and bf16 are computed in f32, as in all operations, and integers in f64, as by numpy. */
static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	if (axt_dtypes[in[0]].cls < AXT_CLASS_FLOAT)
		in[0] = AXT_F64;
	else if (axt_dtypes[in[0]].cls == AXT_CLASS_FLOAT)
		in[0] = axt_dtypes[in[0]].comp;
	out[0] = in[0] == AXT_F32 || in[0] == AXT_C64 ? AXT_C64 : AXT_C128;
	return true;
}

/* The inverse that gives real numbers. */
static bool
real_dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	dtypes(in, out);
	in[0] = out[0];
	out[0] = in[0] == AXT_C64 ? AXT_F32 : AXT_F64;
	return true;
}

static const char *
sizes(const struct axt_gufunc_args *args, int64_t len[AXT_LETTERS])
{
	int64_t n = len['n' - 'a'], *m = &len['m' - 'a'];

	*m = args->n[AXT_FFT_KIND] == AXT_RFFT   ? n / 2 + 1
	    : args->n[AXT_FFT_KIND] == AXT_IRFFT ? args->n[AXT_FFT_LENGTH]
						 : n;
	if (n < 1)
		return "a line without elements has no transform";
	if (n > INT32_MAX || *m > INT32_MAX)
		return "a line of more than 2^31 - 1 elements";
	if (args->n[AXT_FFT_KIND] == AXT_IRFFT && *m / 2 + 1 != n)
		return "the length of the result is 2*n - 2 or 2*n - 1, where n is that of the "
		       "operand";
	return NULL;
}

/* How many lines are taken together, so that elements of a cache line are used at once. */
static int64_t
together(int64_t n)
{
	return MAX(1, MIN(8, 65536 / n));
}

/* The elements of the longer one of a line and its transform. */
static int64_t
longest(const struct axt_gufunc_calls *x)
{
	return MAX(x->len['n' - 'a'], x->len['m' - 'a']);
}

/* Complex numbers that have room for a line before (0) or after (1), which may be of doubles. */
static int64_t
room(const struct axt_gufunc_calls *x, int t)
{
	int64_t n = t ? x->len['m' - 'a'] : x->len['n' - 'a'];

	return axt_dtypes[x->t[t].dtype].cls == AXT_CLASS_FLOAT ? (n + 1) / 2 : n;
}

/* Lines as doubles or complex numbers, before and after. */
static int64_t
work(const struct axt_gufunc_calls *x)
{
	return together(longest(x)) * (room(x, 0) + room(x, 1)) * (int64_t)sizeof(cplx);
}

/* ---- lines ---- */

/* What is done with all lines of some calls. */
struct job {
	const struct axt_gufunc_calls *x;
	int64_t n, m;     /* elements of a line and of its transform */
	int64_t from, to; /* by how many places both are turned: element 0 is there */
	int64_t room[2];  /* between lines in memory, before and after, in complex numbers */
	double scale;     /* what the transform is multiplied by */
	bool whole;       /* the other half of a transform of real numbers is wanted, too */
	enum way way;
	plan p;
	cplx *before, *after;
};

typedef float _Complex operand_c64 __attribute__((aligned(1)));
typedef double _Complex operand_c128 __attribute__((aligned(1)));

/* Elements of the lines from c on, `lines` of them, which are NAME's, to memory as TO. */
#define GATHER(NAME, TYPE, TO)                                                                   \
	static void NAME(const struct job *j, int64_t c, int64_t lines)                          \
	{                                                                                        \
		const struct axt_gufunc_tensor *t = &j->x->t[0];                                 \
		int64_t es = t->stride[0], step = t->step, first = j->from;                      \
		const TYPE *in = (const TYPE *)t->p + c * step;                                  \
                                                                                                 \
		for (int64_t i = 0; i < j->n; i++) {                                             \
			int64_t k = i + first < j->n ? i + first : i + first - j->n;             \
                                                                                                 \
			for (int64_t l = 0; l < lines; l++)                                      \
				((TO *)(j->before + l * j->room[0]))[i] = in[k * es + l * step]; \
		}                                                                                \
	}
GATHER(from_f32, axt_operand_f32, double)
GATHER(from_f64, axt_operand_f64, double)
GATHER(from_c64, operand_c64, cplx)
GATHER(from_c128, operand_c128, cplx)

/* The transforms of these lines, which are in memory as FROM, to where they belong. */
#define SCATTER(NAME, TYPE, FROM)                                                     \
	static void NAME(const struct job *j, int64_t c, int64_t lines)               \
	{                                                                             \
		const struct axt_gufunc_tensor *t = &j->x->t[1];                      \
		int64_t es = t->stride[0], step = t->step, first = j->to;             \
		TYPE *out = (TYPE *)t->p + c * step;                                  \
                                                                                      \
		for (int64_t i = 0; i < j->m; i++) {                                  \
			int64_t k = i + first < j->m ? i + first : i + first - j->m;  \
                                                                                      \
			for (int64_t l = 0; l < lines; l++) {                         \
				const FROM *in = (FROM *)(j->after + l * j->room[1]); \
                                                                                      \
				out[k * es + l * step] = (TYPE)(in[i] * j->scale);    \
			}                                                             \
		}                                                                     \
	}
SCATTER(to_f32, float, double)
SCATTER(to_f64, double, double)
SCATTER(to_c64, float _Complex, cplx)
SCATTER(to_c128, double _Complex, cplx)

static void
transform(const struct job *j, cplx *in, cplx *out)
{
	if (j->way == FROM_REAL)
		fftw.run_r2c(j->p, (double *)in, out);
	else if (j->way == TO_REAL)
		fftw.run_c2r(j->p, in, (double *)out);
	else
		fftw.run_c2c(j->p, in, out);
	if (j->whole)
		for (int64_t i = j->m / 2 + 1; i < j->m; i++)
			out[i] = conj(out[j->m - i]);
}

static bool
calls(struct axt_gufunc_calls *x)
{
	static void (*const gather[])(const struct job *, int64_t,
	    int64_t) = { [AXT_F32] = from_f32,
		[AXT_F64] = from_f64,
		[AXT_C64] = from_c64,
		[AXT_C128] = from_c128 };
	static void (*const scatter[])(const struct job *, int64_t, int64_t) = { [AXT_F32] = to_f32,
		[AXT_F64] = to_f64,
		[AXT_C64] = to_c64,
		[AXT_C128] = to_c128 };
	enum axt_fft_kind kind = (enum axt_fft_kind)x->args->n[AXT_FFT_KIND];
	bool inverse = kind == AXT_IFFT || kind == AXT_IRFFT, center = x->args->n[AXT_FFT_CENTER],
	     real = axt_dtypes[x->t[0].dtype].cls == AXT_CLASS_FLOAT;
	struct job j = { .x = x,
		.n = x->len['n' - 'a'],
		.m = x->len['m' - 'a'],
		.room = { room(x, 0), room(x, 1) },
		.scale = x->args->x[AXT_FFT_SCALE],
		.whole = real && kind == AXT_FFT,
		.way = kind == AXT_IRFFT ? TO_REAL
		    : real               ? FROM_REAL
		    : inverse            ? BACKWARD
					 : FORWARD };
	int64_t lines = together(longest(x));

	j.from = center && inverse ? j.n / 2 : 0;
	j.to = center && !inverse ? j.m / 2 : 0;
	j.before = x->work;
	j.after = j.before + lines * j.room[0];
	if (!(x->why = axt_fft_missing()) &&
	    !(j.p = plan_for(j.way, (int)(kind == AXT_IRFFT ? j.m : j.n), j.before, j.after)))
		x->why = "out of memory";
	if (x->why)
		return false;
	for (int64_t c = 0; c < x->calls; c += lines) {
		int64_t k = MIN(lines, x->calls - c);

		gather[x->t[0].dtype](&j, c, k);
		for (int64_t l = 0; l < k; l++)
			transform(&j, j.before + l * j.room[0], j.after + l * j.room[1]);
		scatter[x->t[1].dtype](&j, c, k);
	}
	return true;
}

static const char *
by(const int64_t len[AXT_LETTERS])
{
	(void)len;
	return "FFTW";
}

const struct axt_gufunc axt_gufunc_FFT = {
	.dtypes = dtypes, .sizes = sizes, .work = work, .calls = calls, .by = by
};
const struct axt_gufunc axt_gufunc_IRFFT = {
	.dtypes = real_dtypes, .sizes = sizes, .work = work, .calls = calls, .by = by
};
