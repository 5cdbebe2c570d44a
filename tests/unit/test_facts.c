/*
 * test_facts.c - what errors are about: each kind of lib/facts.def is made once, by a word as a
 * user types it, and has to bring that word, what it belongs to, and the names that it may have
 * been meant for. A kind without a case fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "axt_builds.h"
#include "axt_cmd.h"
#include "axt_operation.h"

static int bad; /* cases that are not as they should be */

/* ---- files, in a directory of their own ---- */

/* A tensor of times, latitudes and colours, with coordinates. */
static struct axt_expr *
field(struct axt_graph *g)
{
	struct axt_expr *a = axt_make(g, "iota", "time=3,lat=2,c=2,n=2", AXT_F32, 0);

	a = axt_set_coord(g, a, "time=0:1", NULL);
	a = axt_set_coord(g, a, "lat=10:10", NULL);
	a = axt_set_coord(g, a, "c=red,green", NULL);
	a = axt_set_attr(g, a, "time:units=days since 2000-01-30");
	a = axt_set_attr(g, a, "units=K");
	return axt_set_name(g, a, "t");
}

static const char *const files[] = { "a.nc", "none.h5", "two.nc", "words.txt" };

static void
write_files(void)
{
	static const char *const only = "none.h5:t";
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *a = field(g), *two[] = { a, axt_set_name(g, a, "u") };
	struct axt_save_opts o = { .output = "a.nc" };
	FILE *f = fopen("words.txt", "w");

	axt_save(g, &a, 1, &o);
	o.output = "none.h5";
	axt_save(g, &a, 1, &o);
	axt_remove(g, &only, 1, false, false, NULL);
	o.output = "two.nc";
	axt_save(g, two, 2, &o);
	if (axt_graph_error(g))
		fail_msg("%s", axt_graph_error(g));
	axt_graph_free(g);
	assert_non_null(f);
	fputs("these are words\n", f);
	fclose(f);
}

/* ---- what is done with a word ---- */

static struct axt_expr *
stored(struct axt_graph *g)
{
	return axt_open(g, "a.nc", NULL);
}

static void
opens(struct axt_graph *g, const char *word)
{
	axt_eval(g, axt_open(g, word, NULL), &(float){ 0 }, sizeof(float));
}

/* An expression of a, which is a.nc; b, a part of it; e, with another axis; p, a placeholder. */
static void
calculates(struct axt_graph *g, const char *text)
{
	static const char *const names[] = { "a", "b", "e", "p" };
	struct axt_expr *a = stored(g), *out[4];
	struct axt_expr *in[] = { a, axt_slice(g, a, "lat=0:1", false),
		axt_make(g, "zeros", "far=3", AXT_F32, 0),
		axt_make(g, "placeholder", "x=2", AXT_F32, 0) };

	if (axt_calc(g, text, names, in, 4, out, 4) > 0)
		axt_save(g, out, 1, &(struct axt_save_opts){ .output = "out.nc" });
}

static void
saves(struct axt_graph *g, const char *output)
{
	struct axt_expr *a = axt_open(g, "two.nc:t", NULL);

	axt_save(g, &a, 1,
	    &(struct axt_save_opts){ .output = output, .no_clobber = strcmp(output, "a.nc") == 0 });
}

/* Writes two tensors in the form that the name of the file tells. */
static void
exports(struct axt_graph *g, const char *file)
{
	struct axt_expr *a[] = { axt_open(g, "two.nc:t", NULL), axt_open(g, "two.nc:u", NULL) };

	axt_to(g, a, 2, file, NULL);
}

static void
shows_attribute(struct axt_graph *g, const char *word)
{
	axt_attr_edit(g, "a.nc", &word, 1, false, false, NULL, stdout);
}

static void
sorts_twice(struct axt_graph *g, const char *word)
{
	struct axt_expr *a = stored(g);

	axt_call(g, "sort", &a, 1,
	    (struct axt_arg[]){ { word, "lat", NULL }, { word, "lat", NULL } }, 2);
}

static void
calls(struct axt_graph *g, const char *name)
{
	struct axt_expr *a[] = { stored(g), stored(g), stored(g) };

	axt_call(g, name, a, 3, NULL, 0);
}

static void
orders(struct axt_graph *g, const char *axes)
{
	axt_order(g, stored(g), axes);
}

static void
casts(struct axt_graph *g, const char *axes)
{
	axt_cast_axes(g, stored(g), axes);
}

static void
names(struct axt_graph *g, const char *name)
{
	axt_set_name(g, stored(g), name);
}

static void
converts(struct axt_graph *g, const char *to)
{
	axt_convert(g, stored(g), to, NULL);
}

static void
makes(struct axt_graph *g, const char *kind)
{
	axt_make(g, kind, "x=3", AXT_F32, 0);
}

static void
sets_fill(struct axt_graph *g, const char *number)
{
	axt_set_fill(g, stored(g), number);
}

static void
labels(struct axt_graph *g, const char *list)
{
	struct axt_expr *by = axt_make(g, "iota", "lat=2", AXT_I32, 0);

	axt_reduce(g, AXT_RED_SUM, stored(g),
	    &(struct axt_reduce_opts){ .over = "lat", .by = by, .labels = list });
}

/* Multiplies two tensors that share no axis, and are large. */
static void
multiplies(struct axt_graph *g, const char *axis)
{
	struct axt_expr *a;
	char of[2][40];

	for (int i = 0; i < 2; i++)
		snprintf(of[i], sizeof(of[i]), "%s%d=60000", axis, i);
	a = axt_map2(g, AXT_OP_MUL, axt_make(g, "iota", of[0], AXT_F32, 0),
	    axt_make(g, "iota", of[1], AXT_F32, 0));
	axt_save(g, &a, 1, &(struct axt_save_opts){ .output = "out.nc" });
}

static void
joins(struct axt_graph *g, const char *axis)
{
	struct axt_expr *a = stored(g);

	axt_concat(g, axis, 2, (struct axt_expr *[]){ a, a });
}

static void
joins_others(struct axt_graph *g, const char *axis)
{
	axt_concat(g, axis, 2,
	    (struct axt_expr *[]){ axt_open(g, "two.nc:t", NULL),
		axt_slice(g, stored(g), "lat=0", false) });
}

/* ---- the kinds ---- */

static const struct row {
	enum axt_about about;
	void (*act)(struct axt_graph *g, const char *word);
	const char *arg, *word, *of, *among;
} rows[] = {
	{ AXT_BAD_VALUE, calculates, "cast(a, i8, overflow=odd)", "odd", "overflow", NULL },
	{ AXT_NEEDS_OPTION, calculates, "sort(a)", "along", "sort", NULL },
	{ AXT_NOT_TOGETHER, calculates, "order(a, time, like=b)", "like", "axes", NULL },
	{ AXT_NO_CHOICE, makes, "zeroes", "zeroes", "", "zeros\nones" },
	{ AXT_TOO_FEW, calculates, "where(a, 1)", "", "where", NULL },
	{ AXT_TOO_MANY, calls, "sort", "", "sort", NULL },
	{ AXT_BAD_WORD, calculates, "onehot(cast(a, i32), x)", "x", "AXIS=LEN", NULL },
	{ AXT_TWICE, sorts_twice, "along", "along", "sort", NULL },
	{ AXT_NO_FILE, opens, "b.nc:t", "b.nc", "b.nc:t", NULL },
	{ AXT_NO_DATASET, opens, "two.nc:v w", "v w", "two.nc", "time\nlat\nc\nt\nu" },
	{ AXT_NO_ATTRIBUTE, shows_attribute, "scale", "scale", "a.nc:t", "units" },
	{ AXT_SEVERAL, opens, "two.nc", "two.nc", "", "t\nu" },
	{ AXT_NO_TENSOR, opens, "none.h5", "none.h5", "", NULL },
	{ AXT_OTHER_FORMAT, opens, "words.txt", "words.txt", "text", NULL },
	{ AXT_IS_TEXT, opens, "a.nc:c", "a.nc:c", "a.nc:c", NULL },
	{ AXT_EXISTS, saves, "a.nc", "a.nc", "", NULL },
	{ AXT_CANNOT_WRITE, saves, "no/where.nc", "no/where.nc", "", NULL },
	{ AXT_INPUT_TOO, saves, "two.nc", "two.nc", "", NULL },
	{ AXT_NO_FORMAT, exports, "two.xyz", "two.xyz", "", NULL },
	{ AXT_ONE_TENSOR, exports, "two.npy", "npy", "", NULL },
	{ AXT_NO_AXIS, orders, "lta", "lta", "a.nc:t", "time\nlat\nc\nn" },
	{ AXT_BAD_NAME, names, "a/b", "a/b", "tensor", NULL },
	{ AXT_AXIS_TWICE, orders, "lat,lat", "lat", "", NULL },
	{ AXT_LEFT_OUT, casts, "time,lat,c", "n", "a.nc:t", "time\nlat\nc" },
	{ AXT_AXIS_THERE, calculates, "onehot(cast(a, i32), lat=2)", "lat", "a.nc:t", NULL },
	{ AXT_LONGER, calculates, "squeeze(a, over=lat)", "lat", "a.nc:t", NULL },
	{ AXT_BAD_POSITION, calculates, "a[lat=first]", "first", "lat", NULL },
	{ AXT_OUTSIDE, calculates, "a[lat=7]", "7", "lat", NULL },
	{ AXT_NOTHING, calculates, "a[lat@1:2]", "1:2", "lat", NULL },
	{ AXT_BAD_COORDINATE, calculates, "a[lat@north]", "north", "lat", NULL },
	{ AXT_NO_COORDINATE, calculates, "a[lat@12]", "12", "lat", NULL },
	{ AXT_NO_LABEL, calculates, "a[c@blue]", "blue", "c", "red\ngreen" },
	{ AXT_COORDINATE_TWICE, calculates, "take(a, lat=(0, 0))[lat@10]", "10", "lat", NULL },
	{ AXT_UNLABELLED, calculates, "a[n@1]", "n", "a.nc:t", NULL },
	{ AXT_BAD_DATE, calculates, "a[time@May]", "May", "time", NULL },
	{ AXT_BAD_FIELD, calculates, "a[time.month@May]", "May", "time.month", NULL },
	{ AXT_BAD_PERIOD, calculates, "mean(a, every=fortnight)", "fortnight", "", NULL },
	{ AXT_NO_TIMES, calculates, "mean(e, every=month)", "", "result", NULL },
	{ AXT_LENGTHS, calculates, "a + b[n=0:1]", "lat", "a.nc:t", NULL },
	{ AXT_COORDINATES, calculates, "a + flip(a, lat)", "lat", "a.nc:t", NULL },
	{ AXT_OUTER, multiplies, "x", "x0 (60000)", "result", "result\nresult" },
	{ AXT_OTHER_AXES, joins_others, "time", "a.nc:t", "two.nc:t", NULL },
	{ AXT_UNITS, converts, "m", "K", "m", NULL },
	{ AXT_NOT_INCREASING, joins, "lat", "lat", "a.nc:t", NULL },
	{ AXT_BAD_NUMBER, sets_fill, "many", "many", "", NULL },
	{ AXT_DOES_NOT_FIT, calculates, "cast(a, u8) + 300", "300", "u8", NULL },
	{ AXT_NUMBER, calculates, "clip(3, a, 4)", "", "", NULL },
	{ AXT_BAD_DTYPE, calculates, "cast(a, f33)", "f33", "", NULL },
	{ AXT_OTHER_DTYPE, calculates, "softmax(cast(a, c64), along=lat)", "c64", "a.nc:t", NULL },
	{ AXT_NO_LABELS, labels, "one,two", "one", "result", NULL },
	{ AXT_NO_NAME, calculates, "a + aa", "aa", "", "a\nb\ne\np" },
	{ AXT_NO_FUNCTION, calculates, "sqroot(a)", "sqroot", "", NULL },
	{ AXT_NO_PARAMETER, calculates, "sort(a, axis=lat)", "axis", "sort", "along" },
	{ AXT_BAD_SYNTAX, calculates, "a + )", ")", "a + )", NULL },
};

/* Kinds that only the parser of a command line makes. */
static bool
is_of_commands(enum axt_about about)
{
	return about == AXT_NO_OPTION || about == AXT_NO_VALUE || about == AXT_NO_OUTPUT;
}

static void
is_made(const struct row *r)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_fact *fact = axt_graph_fact(g);

	r->act(g, r->arg);
	if (fact->about != r->about || strcmp(fact->word, r->word) != 0 ||
	    strcmp(fact->of, r->of) != 0 ||
	    (r->among && strncmp(fact->among, r->among, strlen(r->among)) != 0))
		print_error("%s is kind %d, \"%s\" of \"%s\" among \"%s\", not %d: %s\n", r->arg,
		    fact->about, fact->word, fact->of, fact->among, r->about,
		    axt_graph_error(g) ? axt_graph_error(g) : "it succeeds"),
		    bad++;
	axt_graph_clear(g);
	assert_int_equal(axt_graph_fact(g)->about, AXT_ABOUT_NOTHING);
	axt_graph_free(g);
}

static void
every_kind_is_made(void **state)
{
	int n[AXT_NFACTS] = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		is_made(&rows[i]);
		n[rows[i].about]++;
	}
	assert_int_equal(bad, 0);
	for (int k = AXT_ABOUT_NOTHING + 1; k < AXT_NFACTS; k++)
		if (!n[k] == !is_of_commands(k))
			fail_msg("kind %d of facts.def has %d cases", k, n[k]);
}

/* The first error is kept with what it is about, as its text is. */
static void
the_first_is_kept(void **state)
{
	struct axt_graph *g = axt_graph_new();

	(void)state;
	opens(g, "b.nc");
	calculates(g, "a + aa");
	assert_int_equal(axt_graph_fact(g)->about, AXT_NO_FILE);
	assert_string_equal(axt_graph_fact(g)->word, "b.nc");
	axt_graph_free(g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_made),
		cmocka_unit_test(the_first_is_kept),
	};
	char dir[] = "/tmp/axt-facts-XXXXXX";
	int failed;

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	write_files();
	failed = cmocka_run_group_tests_name("facts", tests, NULL, NULL);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		unlink(files[i]);
	return rmdir(dir) || failed;
}
