/*
 * test_parts.c - parts of an output: each element and each chunk is in one of them, and none is
 * larger by more than a chunk, or as a piece of a grid by more than one along each axis. The record
 * of an output, damaged in every byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "jobs/parts.h"

#define MOST 40000 /* elements of an output whose every element is marked */

static uint64_t state = 88172645463325252u;

/* A number below n. */
static int64_t
below(int64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)n);
}

/* Marks the elements of a box; returns how many chunks it has. */
static int64_t
mark(const struct axt_partition *p, const struct axt_box *box, uint8_t *seen)
{
	int64_t idx[AXT_MAX_RANK] = { 0 }, n = 1, chunks = 1;

	for (int i = 0; i < p->rank; i++) {
		assert_true(box->from[i] >= 0 && box->len[i] > 0 &&
		    box->from[i] + box->len[i] <= p->len[i]);
		n *= box->len[i];
	}
	for (int k = 0; k < p->n; k++) { /* whole chunks */
		int i = p->axis[k];
		int64_t end = box->from[i] + box->len[i];

		assert_true(box->from[i] % p->unit[i] == 0);
		assert_true(end % p->unit[i] == 0 || end == p->len[i]);
		chunks *= (box->len[i] + p->unit[i] - 1) / p->unit[i];
	}
	for (int64_t e = 0; e < n && seen; e++) {
		int64_t at = 0;

		for (int i = 0; i < p->rank; i++)
			at = at * p->len[i] + box->from[i] + idx[i];
		assert_int_equal(seen[at]++, 0);
		for (int i = p->rank - 1; i >= 0 && ++idx[i] == box->len[i]; i--)
			idx[i] = 0;
	}
	return chunks;
}

/*
 * Marks all parts of n: each element and each chunk is in one of them. part[k] becomes the number
 * of chunks of part k + 1.
 */
static void
cover(const struct axt_partition *p, int64_t n, int64_t *part)
{
	static uint8_t seen[MOST];
	static struct axt_box box[AXT_PART_BOXES];
	static uint8_t met[MOST];
	static int64_t number[MOST];
	int64_t count = 1, all = 0, grid;

	assert_true(axt_partition_sound(p));
	for (int i = 0; i < p->rank; i++)
		count *= p->len[i];
	assert_true(count <= MOST);
	memset(seen, 0, sizeof(seen));
	memset(met, 0, sizeof(met));
	grid = axt_partition_grid(p);
	assert_true(grid <= MOST);
	for (int64_t k = 1; k <= n; k++) {
		int m = axt_partition_boxes(p, k, n, box);
		int64_t chunks = 0;

		assert_true(m >= 0 && m <= 2 * p->n + 1);
		for (int i = 0; i < m; i++)
			chunks += mark(p, &box[i], seen);
		for (int64_t i = axt_partition_chunks(p, box, m, number); i > 0; i--) {
			assert_true(number[i - 1] >= 0 && number[i - 1] < grid);
			assert_int_equal(met[number[i - 1]]++, 0);
		}
		part[k - 1] = chunks;
		all += chunks;
	}
	assert_int_equal(all, p->chunks);
	for (int64_t i = 0; i < count; i++)
		assert_int_equal(seen[i], 1);
	for (int64_t i = 0; i < grid; i++)
		assert_int_equal(met[i], 1);
}

/* Along each axis pieces differ by at most one chunk, and they are counted last axis first. */
static void
check_pieces(const struct axt_partition *p, int64_t pieces, int64_t n)
{
	static struct axt_box box[AXT_PART_BOXES];

	for (int64_t k = 1; k <= n; k++) {
		int64_t rest = k - 1;
		int m = axt_partition_boxes(p, k, n, box);

		assert_int_equal(m, k <= pieces);
		for (int j = p->n - 1; m > 0 && j >= 0; rest /= p->pieces[j--]) {
			int i = p->axis[j];
			int64_t chunks = (p->len[i] + p->unit[i] - 1) / p->unit[i],
				own = (box->len[i] + p->unit[i] - 1) / p->unit[i],
				at = rest % p->pieces[j];

			assert_true(own == chunks / p->pieces[j] ||
			    own == (chunks + p->pieces[j] - 1) / p->pieces[j]);
			assert_true(at > 0 || box->from[i] == 0);
			assert_true(
			    at < p->pieces[j] - 1 || box->from[i] + box->len[i] == p->len[i]);
		}
	}
}

/* A grid with random pieces along up to four axes, for as many parts, for more, and for fewer. */
static void
check_grid(const struct axt_axes *x, const int64_t *unit, const int *order, int norder)
{
	static int64_t part[MOST];
	struct axt_partition p;
	int64_t pieces = 1, most = 0, more = below(4), large[2];

	axt_partition_make(x, unit, order, norder < AXT_GRID_AXES ? norder : AXT_GRID_AXES,
	    INT64_MAX, &p);
	if (p.n == 0)
		return;
	for (int j = 0; j < p.n; j++) {
		int i = p.axis[j];

		p.pieces[j] = (int)(1 + below((p.len[i] + p.unit[i] - 1) / p.unit[i]));
		pieces *= p.pieces[j];
	}
	cover(&p, pieces + more, part);
	check_pieces(&p, pieces, pieces + more);
	for (int64_t k = 0; k < pieces; k++)
		most = part[k] > most ? part[k] : most;
	assert_int_equal(axt_partition_large(&p, pieces + more, large), 1);
	assert_int_equal(part[large[0] - 1], most);
	if (pieces > 1)
		cover(&p, pieces - 1, part);
	p.pieces[0] = (int)((p.len[p.axis[0]] + p.unit[p.axis[0]] - 1) / p.unit[p.axis[0]]) + 1;
	assert_false(axt_partition_sound(&p));
}

static void
check(const struct axt_axes *x, const int64_t *unit, const int *order, int norder, int64_t n)
{
	static int64_t part[MOST];
	struct axt_partition p;
	struct axt_box box[AXT_PART_BOXES];
	int64_t least = INT64_MAX, most = 0, large[2];

	axt_partition_make(x, unit, order, norder, n, &p);
	cover(&p, n, part);
	for (int64_t k = 0; k < n; k++) {
		least = part[k] < least ? part[k] : least;
		most = part[k] > most ? part[k] : most;
	}
	assert_true(most - least <= 1);
	if (axt_partition_large(&p, n, large) == 2)
		assert_true(axt_partition_boxes(&p, large[1], n, box) > 1);
	assert_int_equal(part[large[0] - 1], most);
}

static void
covers_once(void **ctx)
{
	(void)ctx;
	for (int round = 0; round < 2000; round++) {
		struct axt_axes x = { .n = (int)below(5) };
		int64_t unit[AXT_MAX_RANK], count = 1;
		int order[AXT_MAX_RANK], n = 0;

		for (int i = 0; i < x.n; i++) {
			int64_t most = MOST / count;

			x.a[i] = (struct axt_axis){ .name = "x" };
			x.a[i].len = below(4) ? 1 + below(most < 30 ? most : 30) : 1;
			if (i == 0 && below(8) == 0)
				x.a[i].len = 1 + below(most);
			if (below(60) == 0)
				x.a[i].len = 0;
			count *= x.a[i].len ? x.a[i].len : 1;
			unit[i] = below(2) ? 1 : 1 + below(x.a[i].len + 2);
			if (below(4) == 0)
				continue;
			order[n++] = i;
			if (below(2)) { /* before those that lie further out */
				memmove(&order[1], order, (size_t)(n - 1) * sizeof(order[0]));
				order[0] = i;
			}
		}
		check(&x, unit, order, n, 1 + below(below(3) ? 70 : 10000));
		check_grid(&x, unit, order, n);
	}
}

/* Numbers of chunks near the largest there are do not overflow. */
static void
large(void **ctx)
{
	struct axt_axes x = { .n = 2, .a = { { .name = "a" }, { .name = "b" } } };
	struct axt_partition p;
	struct axt_box box[AXT_PART_BOXES];
	int64_t unit[2] = { 1, 1 }, n = AXT_PARTS_MAX, end = 0;
	int order[2] = { 0, 1 };

	(void)ctx;
	x.a[0].len = (int64_t)1 << 62;
	x.a[1].len = 1;
	axt_partition_make(&x, unit, order, 2, n, &p);
	assert_true(axt_partition_sound(&p) && p.chunks == x.a[0].len);
	for (int64_t k = 1; k <= n; k++) {
		assert_int_equal(axt_partition_boxes(&p, k, n, box), 1);
		assert_int_equal(box->from[0], end);
		end += box->len[0];
	}
	assert_int_equal(end, x.a[0].len);
	p.pieces[0] =
	    INT32_MAX; /* for more parts than there are: chunks are dealt out as without */
	assert_true(axt_partition_sound(&p));
	assert_int_equal(axt_partition_boxes(&p, n, n, box), 1);
	assert_int_equal(box->from[0] + box->len[0], x.a[0].len);
	p.axis[0] = 7;
	assert_false(axt_partition_sound(&p));
}

static void
numbers(void **ctx)
{
	static const char *const bad[] = { "", "3", "0/4", "5/4", "1/0", "-1/4", "1/4 ", "a/b",
		"1/4/5", "1/2000000", "00000000000000000000000000001/4" };
	int64_t k, n;

	(void)ctx;
	assert_true(axt_part_number("3/64", &k, &n) && k == 3 && n == 64);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(axt_part_number(bad[i], &k, &n));
}

/* A record that is cut short, or has a byte changed, is refused or read, and nothing else. */
static void
damaged_records(void **ctx)
{
	static const double at[3] = { 1, 2, 3 };
	static const struct axt_attr units = { .name = "units",
		.kind = AXT_ATTR_TEXT,
		.text = "m" };
	static const char *const words[] = { "a", "b" };
	static const struct axt_attr list = { .name = "list",
		.kind = AXT_ATTR_TEXTS,
		.n = 2,
		.data = words };
	struct axt_coord c = { .dtype = AXT_F64, .n = 3, .data = at, .attrs = &units };
	struct axt_aux aux = { .name = "lon", .dtype = AXT_F64, .data = at, .axes = { .n = 1 } };
	struct axt_part_tensor t[2] = { { .v = { .name = "t", .dtype = AXT_F32, .attrs = &list } },
		{ .v = { .name = "one", .dtype = AXT_I64 } } };
	struct axt_out_rest link = { .group = "g", .attrs = &units, .link = "l", .to = "/t" },
			    rest = { .group = "", .shared = true, .next = &link };
	struct axt_part_output o = { .n = 2, .t = t, .attrs = &units, .opts.rest = &rest }, back;
	const struct axt_part_tensor *is;
	struct axt_arena *m = axt_arena_new();
	struct axt_buf b = { 0 };
	int64_t unit[1] = { 1 };
	int order[1] = { 0 };

	(void)ctx;
	t[0].v.axes = (struct axt_axes){ .n = 1, .a = { { .name = "x", .len = 3, .coord = &c } } };
	aux.axes = t[0].v.axes;
	rest.axes = &t[0].v.axes;
	rest.aux = t[0].v.aux = &aux;
	axt_partition_make(&t[0].v.axes, unit, order, 1, 2, &t[0].cut);
	t[0].cut.pieces[0] = 2;
	axt_partition_make(&t[1].v.axes, unit, order, 0, 2, &t[1].cut);
	t[0].states = (struct axt_part_states){ .on = true, .cut = t[0].cut };
	t[0].states.of = (struct axt_states_of){ .op = AXT_RED_VAR,
		.dtype = AXT_F32,
		.ddof = 1,
		.kept = 3,
		.count = 7 };
	assert_int_equal(axt_part_output_write(&b, &o), 0);
	assert_int_equal(axt_part_output_read(m, b.p, b.n, &back), 0);
	assert_int_equal(back.n, 2);
	is = back.t;
	assert_string_equal(is->v.name, "t");
	assert_true(axt_axes_same(&is->v.axes, &t[0].v.axes) && is->cut.chunks == 3 &&
	    is->cut.pieces[0] == 2);
	assert_true(is->states.on && is->states.of.op == AXT_RED_VAR && is->states.of.ddof == 1 &&
	    is->states.of.kept == 3 && is->states.of.count == 7 && is->states.cut.chunks == 3);
	assert_string_equal(axt_attr_text(back.attrs, "units"), "m");
	assert_string_equal(((const char *const *)is->v.attrs->data)[1], "b");
	assert_memory_equal(is->v.aux->data, at, sizeof(at));
	assert_true(is[1].v.dtype == AXT_I64 && is[1].v.axes.n == 0 && is[1].cut.chunks == 1);
	assert_true(back.opts.rest->shared && back.opts.rest->axes->a[0].len == 3);
	assert_string_equal(back.opts.rest->next->to, "/t");
	assert_string_equal(axt_attr_text(back.opts.rest->next->attrs, "units"), "m");
	for (size_t n = 0; n < b.n; n++)
		assert_int_equal(axt_part_output_read(m, b.p, n, &back), -1);
	for (size_t i = 0; i < b.n; i++)
		for (int bit = 0; bit < 8; bit += 7) {
			b.p[i] ^= (char)(1 << bit);
			axt_part_output_read(m, b.p, b.n, &back);
			b.p[i] ^= (char)(1 << bit);
		}
	axt_buf_release(&b);
	axt_arena_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(covers_once),
		cmocka_unit_test(large),
		cmocka_unit_test(numbers),
		cmocka_unit_test(damaged_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
