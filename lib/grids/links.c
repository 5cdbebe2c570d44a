/*
 * links.c - weights for each cell of the new grid, by how much it shares with cells of the old one,
 * or by how near these are. Threads take some rows at a time; which one makes a row does not
 * matter.
 */
#include "grids/links.h"

#include "grids/between.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/threads.h"
#include "eval/eval.h"

#define SHARE 64 /* rows that a thread takes at a time */
#define SLIVER \
	1e-12 /* what cells share of the smaller one, below which it is an error of rounding */
/* the distance of places that are one: others then do not change a bit, unless it is missing */
#define AT_ONE 1e-30
#define NEIGHBOURS 4 /* of AXT_REGRID_DISTANCE, as many as CDO takes */

void
axt_row_add(struct axt_row *r, int64_t from, double weight)
{
	if (r->n == r->room) {
		int64_t room = r->room ? 2 * r->room : 256, *f;
		double *w;

		f = realloc(r->from, (size_t)room * sizeof(*f));
		r->from = f ? f : r->from;
		w = realloc(r->weight, (size_t)room * sizeof(*w));
		r->weight = w ? w : r->weight;
		r->bad = r->bad || !f || !w;
		if (r->bad)
			return;
		r->room = room;
	}
	r->from[r->n] = from;
	r->weight[r->n++] = weight;
}

/* ---- rows of each method ---- */

/* How much a cell counts, and the place in the order in which such numbers are added. */
struct share {
	int64_t i, turn;
	double weight;
};

struct maker {
	const struct axt_grid *from, *to;
	struct axt_tree tree; /* of the cells of the old grid, or their middles */
	const struct axt_ball *ball;
	struct axt_tree centres; /* of second order: middles of mass of the old cells */
	struct axt_between between;
	void (*row)(const struct maker *m, int64_t t, struct axt_row *r);
};

/* Between circles of latitude: how long ranges of longitudes overlap, times a range of sines. */
static double
between_circles(const struct axt_box4 *a, const struct axt_box4 *b)
{
	double south = fmax(a->south, b->south), north = fmin(a->north, b->north), wide = 0;

	if (north <= south)
		return 0;
	for (double turn = -720; turn <= 720; turn += 360)
		wide += fmax(0, fmin(a->east, b->east + turn) - fmax(a->west, b->west + turn));
	return wide * (M_PI / 180) * 2 * cos((north + south) * (M_PI / 360)) *
	    sin((north - south) * (M_PI / 360));
}

double
axt_grid_area(const struct axt_grid *x, bool circles, int64_t i)
{
	struct axt_polygon v;
	struct axt_box4 a;
	double sum = 0;

	if (circles && axt_grid_box(x, i, &a))
		return between_circles(&a, &a);
	for (int p = axt_grid_pieces(x, i) - 1; p >= 0; p--) {
		axt_grid_polygon(x, i, p, &v);
		sum += axt_polygon_area(&v);
	}
	return sum;
}

/* Both add to part[] what cell t shares with each of the cells that r has found. */
static void
share_circles(const struct maker *m, int64_t t, struct axt_row *r)
{
	struct axt_box4 a, b;

	axt_grid_box(m->to, t, &b);
	for (int64_t k = 0; k < r->found.n; k++) {
		axt_grid_box(m->from, r->found.i[k], &a);
		r->part[k] += between_circles(&a, &b);
		if (m->centres.ball)
			axt_circles_moment(&a, &b, r->moment[k]);
	}
}

static void
share_polygons(const struct maker *m, int64_t t, struct axt_row *r)
{
	struct axt_polygon a, b;

	for (int p = axt_grid_pieces(m->to, t) - 1; p >= 0; p--) {
		axt_grid_polygon(m->to, t, p, &b);
		for (int64_t k = 0; k < r->found.n; k++)
			for (int q = axt_grid_pieces(m->from, r->found.i[k]) - 1; q >= 0; q--) {
				axt_grid_polygon(m->from, r->found.i[k], q, &a);
				if (a.n > 2 && b.n > 2)
					r->part[k] += axt_polygon_overlap_moment(&a, &b,
					    m->centres.ball ? r->moment[k] : NULL);
			}
	}
}

/* Room for what the cells that r has found share. */
static bool
make_room(const struct maker *m, struct axt_row *r)
{
	double *more, (*moments)[3];

	if (r->found.n > r->parts) {
		more = realloc(r->part, (size_t)r->found.room * sizeof(*more));
		r->part = more ? more : r->part;
		moments = m->centres.ball
		    ? realloc(r->moment, (size_t)r->found.room * sizeof(*moments))
		    : r->moment;
		r->moment = moments ? moments : r->moment;
		if (!more || (m->centres.ball && !moments))
			return false;
		r->parts = r->found.room;
	}
	for (int64_t k = 0; k < r->found.n; k++)
		r->part[k] = 0;
	if (m->centres.ball)
		memset(r->moment, 0, (size_t)r->found.n * sizeof(*r->moment));
	return true;
}

static int
by_cell(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	return x->i != y->i ? (x->i < y->i ? -1 : 1) : x->turn < y->turn ? -1 : x->turn > y->turn;
}

/*
 * Adds to the links of a row, which begin at `first`, what the slopes within the old cells make of
 * it: a part whose middle of mass is not that of its cell has more or less than the cell's mean.
 */
static void
add_slopes(const struct maker *m, double all, struct axt_row *r)
{
	int64_t n = 0, most = r->found.n * (AXT_AROUND + 2);
	struct share *s = malloc((size_t)most * sizeof(*s) + 1);

	r->bad = r->bad || !s;
	for (int64_t k = 0; k < r->found.n && s; k++) {
		int64_t i = r->found.i[k], from[AXT_AROUND + 1];
		double weight[AXT_AROUND + 1], off[3];
		int some;

		if (!(r->part[k] > SLIVER * all))
			continue;
		s[n++] = (struct share){ i, k * (AXT_AROUND + 2), r->part[k] / all };
		for (int d = 0; d < 3; d++)
			off[d] = r->moment[k][d] / r->part[k] - m->centres.ball[i].at[d];
		some = isnan(off[0]) ? 0 : axt_slope(m->from, &m->centres, i, off, from, weight);
		for (int j = 0; j < some; j++)
			s[n++] = (struct share){ from[j], k * (AXT_AROUND + 2) + j + 1,
				r->part[k] / all * weight[j] };
	}
	if (s && n > 1)
		qsort(s, (size_t)n, sizeof(*s), by_cell);
	for (int64_t k = 0, end; k < n; k = end) {
		double sum = 0;

		for (end = k; end < n && s[end].i == s[k].i; end++)
			sum += s[end].weight;
		if (sum != 0)
			axt_row_add(r, s[k].i, sum);
	}
	free(s);
}

/* The parts of cell t that cells of the old grid cover. */
static void
overlaps(const struct maker *m, int64_t t, struct axt_row *r)
{
	bool circles = m->from->kind == AXT_GRID_CROSSED && m->to->kind == AXT_GRID_CROSSED;
	double all = axt_grid_area(m->to, circles, t);

	if (!(all > 0) || isnan(m->ball[t].at[0]))
		return;
	r->bad = r->bad || !axt_tree_touching(&m->tree, &m->ball[t], &r->found);
	if (r->bad)
		return;
	r->bad = !make_room(m, r);
	if (r->bad)
		return;
	if (circles)
		share_circles(m, t, r);
	else
		share_polygons(m, t, r);
	if (m->centres.ball) {
		add_slopes(m, all, r);
		return;
	}
	for (int64_t k = 0; k < r->found.n && !r->bad; k++)
		if (r->part[k] > SLIVER * all ||
		    (r->part[k] > 0 &&
			r->part[k] > SLIVER * axt_grid_area(m->from, circles, r->found.i[k])))
			axt_row_add(r, r->found.i[k], r->part[k] / all);
}

static void
nearest(const struct maker *m, int64_t t, struct axt_row *r)
{
	double v[3], d[1];
	int64_t i[1];

	axt_grid_middle(m->to, t, v);
	if (!isnan(v[0]) && axt_tree_nearest(&m->tree, v, 1, i, d) == 1)
		axt_row_add(r, i[0], 1);
}

/* The four nearest cells, by the reciprocals of their distances, straight as CDO has them. */
static void
four_nearest(const struct axt_tree *tree, const double v[3], struct axt_row *r)
{
	double d[NEIGHBOURS], sum = 0;
	int64_t i[NEIGHBOURS];
	int n = isnan(v[0]) ? 0 : axt_tree_nearest(tree, v, NEIGHBOURS, i, d);

	for (int k = 0; k < n; k++) {
		d[k] = 1 / fmax(AT_ONE, sqrt(d[k]));
		sum += d[k];
	}
	for (int k = 0; k < n; k++) { /* in rising order */
		int least = 0;

		for (int j = 1; j < n; j++)
			if (i[j] < i[least])
				least = j;
		axt_row_add(r, i[least], d[least] / sum);
		i[least] = INT64_MAX;
	}
}

static void
by_distance(const struct maker *m, int64_t t, struct axt_row *r)
{
	double v[3];

	axt_grid_middle(m->to, t, v);
	four_nearest(&m->tree, v, r);
}

/*
 * Between the cells around a place. Between the last circle of latitude and the pole, where the
 * grid goes around, the four nearest cells count by their distances, as in CDO.
 */
static void
between(const struct maker *m, int64_t t, struct axt_row *r)
{
	const struct axt_grid *from = m->from;
	double v[3];

	axt_grid_middle(m->to, t, v);
	if (!axt_between_row(&m->between, v, r) && from->kind == AXT_GRID_CROSSED && from->circle)
		four_nearest(&m->between.tree, v, r);
}

static void
between_cubic(const struct maker *m, int64_t t, struct axt_row *r)
{
	double v[3];

	axt_grid_middle(m->to, t, v);
	if (!axt_between_cubic(&m->between, v, r) && m->from->circle)
		four_nearest(&m->between.tree, v, r);
}

/* ---- all rows ---- */

/* Some rows, as a thread has made them. */
struct some {
	int64_t n, *from;
	double *weight;
	int64_t each[SHARE]; /* how many links each row has */
};

struct job {
	const struct maker *m;
	int64_t rows;
	struct some *some; /* [share] */
	atomic_llong next;
	atomic_bool bad;
};

static void
make_some(void *ctx, int id, struct axt_team *team)
{
	struct job *j = ctx;
	struct axt_row r = { 0 };
	int64_t k;

	(void)id;
	(void)team;
	while ((k = atomic_fetch_add(&j->next, 1)) * SHARE < j->rows && !r.bad) {
		struct some *s = &j->some[k];
		size_t n;

		r.n = 0;
		for (int64_t t = k * SHARE; t < MIN((k + 1) * SHARE, j->rows); t++) {
			int64_t before = r.n;

			j->m->row(j->m, t, &r);
			s->each[t - k * SHARE] = r.n - before;
		}
		n = (size_t)r.n;
		s->from = malloc(n * sizeof(*s->from) + 1);
		s->weight = malloc(n * sizeof(*s->weight) + 1);
		r.bad = r.bad || !s->from || !s->weight;
		if (r.bad)
			break;
		s->n = r.n;
		if (n) {
			memcpy(s->from, r.from, n * sizeof(*s->from));
			memcpy(s->weight, r.weight, n * sizeof(*s->weight));
		}
	}
	if (r.bad)
		atomic_store(&j->bad, true);
	free(r.from);
	free(r.weight);
	free(r.found.i);
	free(r.part);
	free(r.moment);
}

/* Puts all rows together, one after another. */
static int
put_together(struct axt_graph *g, const struct job *j, int64_t shares, struct axt_links *out)
{
	int64_t n = 0, t = 0;

	for (int64_t k = 0; k < shares; k++)
		n += j->some[k].n;
	*out = (struct axt_links){ .rows = j->rows,
		.start = axt_alloc(g->m, ((size_t)j->rows + 1) * sizeof(*out->start)),
		.from = axt_alloc(g->m, (size_t)n * sizeof(*out->from) + 1),
		.weight = axt_alloc(g->m, (size_t)n * sizeof(*out->weight) + 1) };
	if (!out->start || !out->from || !out->weight)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int64_t k = 0; k < shares; k++) {
		const struct some *s = &j->some[k];

		memcpy(out->from + out->n, s->from, (size_t)s->n * sizeof(*s->from));
		memcpy(out->weight + out->n, s->weight, (size_t)s->n * sizeof(*s->weight));
		for (int64_t i = 0; t < j->rows && i < SHARE; i++, t++) {
			out->start[t] = out->n;
			out->n += s->each[i];
		}
	}
	out->start[t] = out->n;
	return 0;
}

static int
make_rows(struct axt_graph *g, const struct maker *m, struct axt_links *out)
{
	int64_t shares = (m->to->n + SHARE - 1) / SHARE;
	struct job j = { .m = m,
		.rows = m->to->n,
		.some = calloc((size_t)shares + 1, sizeof(*j.some)) };

	if (!j.some)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_team_run((int)MIN(axt_graph_threads(g), MAX(1, shares)), make_some, &j);
	if (atomic_load(&j.bad))
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else
		put_together(g, &j, shares, out);
	for (int64_t k = 0; k < shares; k++) {
		free(j.some[k].from);
		free(j.some[k].weight);
	}
	free(j.some);
	return g->err.code;
}

/* The tree of the middles of mass, whose balls are returned. NULL: an error. */
static struct axt_ball *
slopes(struct axt_graph *g, struct maker *m)
{
	bool circles = m->from->kind == AXT_GRID_CROSSED && m->to->kind == AXT_GRID_CROSSED;
	double(*at)[3] = axt_grid_centres(g, m->from, circles);
	struct axt_ball *b = malloc((size_t)m->from->n * sizeof(*b) + 1);

	for (int64_t i = 0; at && b && i < m->from->n; i++)
		b[i] = (struct axt_ball){ { at[i][0], at[i][1], at[i][2] }, 0 };
	free(at);
	if (!b)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	else if (!g->err.code)
		axt_tree_make(g, b, m->from->n, &m->centres);
	return b;
}

bool
axt_regrid_needs_cells(enum axt_regrid_method m)
{
	return m == AXT_REGRID_CONSERVATIVE || m == AXT_REGRID_LARGEST ||
	    m == AXT_REGRID_CONSERVATIVE2;
}

int
axt_links_make(struct axt_graph *g, const struct axt_grid *from, const struct axt_grid *to,
    enum axt_regrid_method method, struct axt_links *out)
{
	static void (*const rows[])(const struct maker *, int64_t, struct axt_row *) = {
		[AXT_REGRID_CONSERVATIVE] = overlaps,
		[AXT_REGRID_BILINEAR] = between,
		[AXT_REGRID_NEAREST] = nearest,
		[AXT_REGRID_DISTANCE] = by_distance,
		[AXT_REGRID_LARGEST] = overlaps,
		[AXT_REGRID_BICUBIC] = between_cubic,
		[AXT_REGRID_CONSERVATIVE2] = overlaps,
	};
	bool cells = axt_regrid_needs_cells(method);
	struct maker m = { .from = from, .to = to, .row = rows[method] };
	struct axt_ball *of = NULL, *at = NULL, *middle = NULL;

	if (method == AXT_REGRID_BICUBIC && from->kind != AXT_GRID_CROSSED)
		axt_fail(&g->err, AXT_E_COORD,
		    "the latitudes and longitudes of %s are no axes, as bicubic needs them",
		    from->what);
	else if (method == AXT_REGRID_BILINEAR || method == AXT_REGRID_BICUBIC) {
		axt_between_make(g, from, &m.between);
	} else {
		of = axt_grid_balls(g, from, !cells);
		at = cells && of ? axt_grid_balls(g, to, false) : NULL;
		m.ball = at;
		if (!g->err.code)
			axt_tree_make(g, of, from->n, &m.tree);
		if (!g->err.code && method == AXT_REGRID_CONSERVATIVE2)
			middle = slopes(g, &m);
	}
	if (!g->err.code)
		make_rows(g, &m, out);
	axt_between_free(&m.between);
	axt_tree_free(&m.tree);
	axt_tree_free(&m.centres);
	free(of);
	free(at);
	free(middle);
	return g->err.code;
}
