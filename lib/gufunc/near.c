/*
 * near.c - missing values over two axes that take the value of the nearest place that has one, or
 * the mean of the four nearest ones by the reciprocals of their distances.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gufunc/gufunc.h"

#define MOST 4      /* how many places count */
#define SIDE_MAX 64 /* the most boxes along a side of the cube around the sphere */

/* Places that have a value, by the box that they lie in: those of box b from first[b] on. */
struct boxes {
	int64_t rows, cols;
	int side;
	double (*point)[3];
	int64_t *first, *at;
};

/* The nearest places so far, the nearest first; d: squares of distances. */
struct nearest {
	int n, most;
	double d[MOST];
	int64_t at[MOST];
};

static bool
dtypes(enum axt_dtype in[], enum axt_dtype out[])
{
	if (in[0] == AXT_F16 || in[0] == AXT_BF16)
		in[0] = AXT_F32;
	in[1] = in[2] = AXT_F64;
	out[0] = in[0];
	return in[0] == AXT_F32 || in[0] == AXT_F64;
}

/* Of each place, three numbers of its point on the sphere, and its number. */
static int64_t
work(const struct axt_gufunc_calls *k)
{
	int64_t boxes = SIDE_MAX * SIDE_MAX * SIDE_MAX + 2,
		n = k->len['m' - 'a'] * k->len['n' - 'a'];

	return n * 3 * (int64_t)sizeof(double) + (boxes + n) * (int64_t)sizeof(int64_t);
}

static double
number(const struct axt_gufunc_tensor *t, int64_t i, int64_t j, int64_t call)
{
	int64_t at = call * t->step + i * t->stride[0] + j * t->stride[1];

	return t->dtype == AXT_F32 ? (double)((const axt_operand_f32 *)t->p)[at]
				   : ((const axt_operand_f64 *)t->p)[at];
}

/* The points of the places of a call; NaN where a coordinate is missing. */
static void
find_points(struct boxes *b, const struct axt_gufunc_calls *k, int64_t call)
{
	double scale = k->args->x[0] * M_PI / 180;

	for (int64_t i = 0; i < b->rows * b->cols; i++) {
		double lat = scale * number(&k->t[1], i / b->cols, i % b->cols, call),
		       lon = scale * number(&k->t[2], i / b->cols, i % b->cols, call);

		b->point[i][0] = cos(lat) * cos(lon);
		b->point[i][1] = cos(lat) * sin(lon);
		b->point[i][2] = sin(lat) + 0 * lon;
	}
}

static void
box_of(const struct boxes *b, const double v[3], int x[3])
{
	for (int c = 0; c < 3; c++)
		x[c] = MAX(0, MIN(b->side - 1, (int)((v[c] + 1) / 2 * b->side)));
}

static int
number_of(const struct boxes *b, const int x[3])
{
	return (x[0] * b->side + x[1]) * b->side + x[2];
}

/* Puts the places of a call that have a value into boxes. Returns how many there are. */
static int64_t
fill_boxes(struct boxes *b, const struct axt_gufunc_tensor *in, int64_t call)
{
	int64_t n = b->rows * b->cols, some = 0, all;
	int x[3];

	for (int64_t i = 0; i < n; i++)
		some += !isnan(number(in, i / b->cols, i % b->cols, call));
	b->side = (int)MAX(1, MIN(SIDE_MAX, sqrt((double)some / 4)));
	all = (int64_t)b->side * b->side * b->side;
	memset(b->first, 0, (size_t)(all + 2) * sizeof(*b->first));
	/* first counts them, then has where a box begins, and moves on as places come */
	for (int pass = 0; pass < 2; pass++) {
		for (int64_t i = 0; i < n; i++) {
			const double *v = b->point[i];

			if (isnan(v[0]) || isnan(number(in, i / b->cols, i % b->cols, call)))
				continue;
			box_of(b, v, x);
			if (pass)
				b->at[b->first[number_of(b, x) + 1]++] = i;
			else
				b->first[number_of(b, x) + 2]++;
		}
		for (int64_t k = 2; k < all + 2 && !pass; k++)
			b->first[k] += b->first[k - 1];
	}
	return b->first[all];
}

/*
 * How far squares of distances may be apart that are one but for rounding: points on the sphere
 * have errors of some 1e-15.
 */
static double
slack(double d)
{
	return 1e-12 * d + 2e-14 * sqrt(d);
}

/* Of places at one distance the first one counts. */
static void
offer(struct nearest *best, double d, int64_t at)
{
	int k = best->n;

	for (; k > 0; k--) {
		double more = d - best->d[k - 1];

		if (fabs(more) <= slack(d) ? at > best->at[k - 1] : more > 0)
			break;
	}
	if (k == best->most)
		return;
	best->n = MIN(best->n + 1, best->most);
	for (int i = best->n - 1; i > k; i--) {
		best->d[i] = best->d[i - 1];
		best->at[i] = best->at[i - 1];
	}
	best->d[k] = d;
	best->at[k] = at;
}

static void
search_box(const struct boxes *b, const int x[3], const double v[3], struct nearest *best)
{
	int k = number_of(b, x);

	for (int64_t i = b->first[k]; i < b->first[k + 1]; i++) {
		const double *w = b->point[b->at[i]];
		double d = 0;

		for (int c = 0; c < 3; c++)
			d += (w[c] - v[c]) * (w[c] - v[c]);
		offer(best, d, b->at[i]);
	}
}

/* Searches the boxes that are r away from that of v, and no nearer. */
static void
search_shell(const struct boxes *b, const int o[3], int r, const double v[3], struct nearest *best)
{
	for (int i = MAX(0, o[0] - r); i <= MIN(b->side - 1, o[0] + r); i++)
		for (int j = MAX(0, o[1] - r); j <= MIN(b->side - 1, o[1] + r); j++) {
			bool face = abs(i - o[0]) == r || abs(j - o[1]) == r;

			for (int k = o[2] - r; k <= o[2] + r; k += face ? 1 : MAX(1, 2 * r))
				if (k >= 0 && k < b->side)
					search_box(b, (int[]){ i, j, k }, v, best);
		}
}

static double
value_near(const struct boxes *b, const struct axt_gufunc_tensor *in, int64_t call, int64_t at,
    bool distance)
{
	struct nearest best = { .most = distance ? MOST : 1 };
	const double *v = b->point[at];
	double sum = 0, weights = 0, h = 2. / b->side;
	int o[3];

	if (isnan(v[0]))
		return NAN;
	box_of(b, v, o);
	for (int r = 0; r < b->side; r++) {
		search_shell(b, o, r, v, &best);
		if (best.n == best.most && best.d[best.n - 1] < r * h * r * h * (1 - 1e-9))
			break;
	}
	for (int k = 0; k < best.n; k++) {
		double w = distance ? 1 / fmax(1e-30, sqrt(best.d[k])) : 1;

		sum += w * number(in, best.at[k] / b->cols, best.at[k] % b->cols, call);
		weights += w;
	}
	return best.n > 0 ? sum / weights : NAN;
}

static bool
calls(struct axt_gufunc_calls *k)
{
	const struct axt_gufunc_tensor *in = &k->t[0], *out = &k->t[3];
	struct boxes b = { .point = k->work, .rows = k->len['m' - 'a'], .cols = k->len['n' - 'a'] };
	bool same = k->t[1].step == 0 && k->t[2].step == 0;

	b.first = (int64_t *)(b.point + b.rows * b.cols);
	b.at = b.first + SIDE_MAX * SIDE_MAX * SIDE_MAX + 2;
	for (int64_t c = 0; c < k->calls; c++) {
		if (c == 0 || !same)
			find_points(&b, k, c);
		fill_boxes(&b, in, c);
		for (int64_t i = 0; i < b.rows * b.cols; i++) {
			int64_t row = i / b.cols, col = i % b.cols,
				to = c * out->step + row * out->stride[0] + col * out->stride[1];
			double v = number(in, row, col, c);

			v = isnan(v) ? value_near(&b, in, c, i, k->args->n[0]) : v;
			if (out->dtype == AXT_F32)
				((float *)out->p)[to] = (float)v;
			else
				((double *)out->p)[to] = v;
		}
	}
	return true;
}

const struct axt_gufunc axt_gufunc_NEAR = {
	.dtypes = dtypes, .work = work, .calls = calls, .like = 1
};
