/*
 * test_select.c - selection along an axis: specs, spans, coordinates, labels, joining. With an
 * argument it reads axes and specs, one a line, and prints what is selected: tests/selection.py.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "../fuzz/select.c"

static struct axt_arena *m;

static int
setup(void **state)
{
	(void)state;
	m = axt_arena_new();
	return m ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	axt_arena_free(m);
	return 0;
}

/* ---- specs ---- */

enum way { POSITION, VALUE, NEAR };

/*
 * What comes out: spans "start:step:len", blanks between them, "drop"; then "= first .. last" of
 * coordinates that are not the axis's. Else a code and words of the message, parted by "|".
 */
static const struct row {
	const char *axis;
	enum way way;
	const char *spec, *want;
} rows[] = {
	/* positions */
	{ "x", POSITION, "0", "0:1:1 drop" },
	{ "x", POSITION, "9", "9:1:1 drop" },
	{ "x", POSITION, "-1", "9:1:1 drop" },
	{ "x", POSITION, "-10", "0:1:1 drop" },
	{ "x", POSITION, "10", "ARG|axis \"x\" has length 10 in b.nc:t: there is no index 10" },
	{ "x", POSITION, "-11", "ARG|there is no index -11" },
	{ "x", POSITION, "99999999999999999999", "ARG|no index 99999999999999999999" },
	{ "x", POSITION, "2:5", "2:1:3" },
	{ "x", POSITION, ":", "0:1:10" },
	{ "x", POSITION, "::", "0:1:10" },
	{ "x", POSITION, "7:", "7:1:3" },
	{ "x", POSITION, ":3", "0:1:3" },
	{ "x", POSITION, "-3:", "7:1:3" },
	{ "x", POSITION, ":-8", "0:1:2" },
	{ "x", POSITION, "5:100", "5:1:5" },
	{ "x", POSITION, "-100:2", "0:1:2" },
	{ "x", POSITION, "5:5", "" },
	{ "x", POSITION, "6:2", "" },
	{ "x", POSITION, "20:30", "" },
	{ "x", POSITION, "::2", "0:2:5" },
	{ "x", POSITION, "1::3", "1:3:3" },
	{ "x", POSITION, "::-1", "9:-1:10" },
	{ "x", POSITION, "5:0:-1", "5:-1:5" },
	{ "x", POSITION, "5::-2", "5:-2:3" },
	{ "x", POSITION, ":5:-2", "9:-2:2" },
	{ "x", POSITION, "0:5:-1", "" },
	{ "x", POSITION, "::100", "0:1:1" },
	{ "x", POSITION, "::9223372036854775807", "0:1:1" },
	{ "x", POSITION, "::-9223372036854775808", "9:1:1" },
	{ "x", POSITION, "::-99999999999999999999", "9:1:1" },
	{ "x", POSITION, "99999999999999999999::-1", "9:-1:10" },
	{ "x", POSITION, "::0", "SYNTAX|the step of \"::0\" is 0" },
	{ "x", POSITION, "0,5,7", "0:5:2 7:1:1" },
	{ "x", POSITION, "0,2,4,9", "0:2:3 9:1:1" },
	{ "x", POSITION, "3,3,3", "3:0:3" },
	{ "x", POSITION, "-1,-2,-3", "9:-1:3" },
	{ "x", POSITION, "1,10", "ARG|no index 10" },
	{ "x", POSITION, "", "SYNTAX|\"\" is no position" },
	{ "x", POSITION, "1,", "SYNTAX|\"\" is no position" },
	{ "x", POSITION, "1.5", "SYNTAX|\"1.5\" is no position" },
	{ "x", POSITION, "1e1", "SYNTAX|is no position" },
	{ "x", POSITION, "0x1", "SYNTAX|is no position" },
	{ "x", POSITION, " 1", "SYNTAX|is no position" },
	{ "x", POSITION, "a", "SYNTAX|is no position" },
	{ "x", POSITION, "1:2:3:4", "SYNTAX|\"1:2:3:4\" is no position" },
	{ "x", POSITION, "1:a", "SYNTAX|is no position" },
	{ "x", POSITION, "1:3,5", "1:1:2 5:1:1" },
	{ "empty", POSITION, ":", "" },
	{ "empty", POSITION, "0", "ARG|has length 0" },
	{ "lat", POSITION, "1::4", "1:4:3 = 75 .. -45" },
	{ "lat", POSITION, "90.0", "SYNTAX|is no position|lat@SPEC selects by coordinate" },
	/* numbers */
	{ "x", VALUE, "3", "COORD|axis \"x\" in b.nc:t has no coordinates|x=SPEC" },
	{ "lat", VALUE, "60", "2:1:1 drop" },
	{ "lat", VALUE, "60,75,-90", "2:-1:2 12:1:1 = 60 .. -90" },
	{ "lat", VALUE, "33.3",
	    "ARG|axis \"lat\" in b.nc:t has no 33.3: nearest is 30; it runs from -90 to 90" },
	{ "lat", NEAR, "33.3", "4:1:1 drop" },
	{ "lat", NEAR, "37.5", "3:1:1 drop" }, /* as near: the larger */
	{ "lat", NEAR, "1000", "0:1:1 drop" },
	{ "lat", NEAR, "-inf", "12:1:1 drop" },
	{ "lat", VALUE, "30:60", "2:1:3 = 60 .. 30" },
	{ "lat", VALUE, "60:30", "2:1:3 = 60 .. 30" },
	{ "lat", VALUE, "30/60", "2:1:3 = 60 .. 30" },
	{ "lat", VALUE, "29:61", "2:1:3 = 60 .. 30" },
	{ "lat", VALUE, "75:", "0:1:2 = 90 .. 75" },
	{ "lat", VALUE, ":-75", "11:1:2 = -75 .. -90" },
	{ "lat", VALUE, ":", "0:1:13" },
	{ "lat", VALUE, "-inf:inf", "0:1:13" },
	{ "lat", VALUE, "61:74",
	    "ARG|axis \"lat\" in b.nc:t has nothing in 61:74; it runs from -90 to 90" },
	{ "lat", VALUE, "91:95", "ARG|has nothing in 91:95" },
	{ "lat", VALUE, "30:60:2", "SYNTAX|\"60:2\" is no value" },
	{ "lat", VALUE, "nan", "SYNTAX|\"nan\" is no value" },
	{ "lat", VALUE, "", "SYNTAX|\"\" is no value" },
	{ "lat", VALUE, "x", "SYNTAX|\"x\" is no value" },
	{ "lat", VALUE, "30:60,75", "1:1:4 = 75 .. 30" },
	{ "lat", VALUE, "30:60,x", "SYNTAX|\"x\" is no value" },
	/* in the dtype of the coordinates */
	{ "f", VALUE, "0.1", "1:1:1 drop" },
	{ "f", VALUE, "0.3:0.7", "3:1:5 = 0.3 .. 0.7" },
	{ "f", VALUE, "0.3,0.7", "3:4:2 = 0.3 .. 0.7" },
	{ "f", VALUE, "0.30001", "ARG|has no 0.30001: nearest is 0.3" },
	{ "big", VALUE, "9007199254740993", "1:1:1 drop" },
	{ "big", VALUE, "9007199254740993:", "1:1:2 = 9007199254740993 .. 9007199254740994" },
	{ "big", VALUE, "9007199254740995", "ARG|nearest is 9007199254740994" },
	{ "big", NEAR, "9007199254740995", "2:1:1 drop" },
	{ "odd", VALUE, "4", "2:1:1 drop" },
	{ "odd", VALUE, "1",
	    "AMBIG|has 1 twice, at index 1 and 3|odd=1 selects one by position, odd@<(axt-eq FILE:odd 1) all where it is that" },
	{ "odd", VALUE, "1:4", "COORD|axis \"odd\" in b.nc:t neither rises nor falls" },
	{ "odd", NEAR, "100", "5:1:1 drop" },
	{ "empty", VALUE, "3", "ARG|axis \"empty\" in b.nc:t has no 3; it has no values" },
	{ "empty", NEAR, "3", "ARG|it has no values" },
	{ "empty", VALUE, ":", "ARG|has nothing in :; it has no values" },
	/* longitudes */
	{ "lon", VALUE, "350", "35:1:1 drop" },
	{ "lon", VALUE, "-10", "35:1:1 drop" },
	{ "lon", VALUE, "710", "35:1:1 drop" },
	{ "lon", VALUE, "-10,0,370", "35:1:1 0:1:2 = 350 .. 10" },
	{ "lon", VALUE, "355", "ARG|has no 355: nearest is 0; it runs from 0 to 350" },
	{ "lon", NEAR, "357", "0:1:1 drop" },
	{ "lon", NEAR, "-14", "35:1:1 drop" },
	{ "lon", VALUE, "10:30", "1:1:3 = 10 .. 30" },
	{ "lon", VALUE, "-30:-10", "33:1:3 = 330 .. 350" },
	{ "lon", VALUE, "350:20", "35:1:1 0:1:3 = -10 .. 20" },
	{ "lon", VALUE, "-10:20", "35:1:1 0:1:3 = -10 .. 20" },
	{ "lon", VALUE, "-180:180", "18:1:18 0:1:18 = -180 .. 170" },
	{ "lon", VALUE, "-175:175", "19:1:17 0:1:18 = -170 .. 170" },
	{ "lon", VALUE, "0:360", "0:1:36" },
	{ "lon", VALUE, "0:355", "0:1:36" },
	{ "lon", VALUE, "-400:400", "0:1:36" },
	{ "lon", VALUE, "-10:", "35:1:1 = 350 .. 350" },
	{ "lon", VALUE, ":-340", "0:1:3 = 0 .. 20" },
	{ "lon", VALUE, "1:9", "ARG|has nothing in 1:9" },
	{ "lon", VALUE, "1e30:2e30", "ARG|has nothing in 1e30:2e30" },
	{ "west", VALUE, "350", "17:1:1 drop" },
	{ "west", VALUE, "350:20", "17:1:4 = -10 .. 20" },
	{ "west", VALUE, "170:190", "35:1:1 0:1:2 = 170 .. 190" },
	{ "west", VALUE, "170:-170", "35:1:1 0:1:2 = -190 .. -170" },
	{ "west", VALUE, "0:360", "18:1:18 0:1:18 = 0 .. 350" },
	{ "cyclic", VALUE, "0", "0:1:1 drop" },
	{ "cyclic", VALUE, "360", "36:1:1 drop" },
	{ "cyclic", VALUE, "0:360", "0:1:37" },
	{ "cyclic", VALUE, "350:20", "35:1:2 1:1:2 = -10 .. 20" },
	{ "eastward", VALUE, "-10:20", "33:1:3 0:1:1 = 20 .. -10" },
	/* times */
	{ "time", VALUE, "2010", "12:1:12 = 380.25 .. 715.0625" },
	{ "time", VALUE, "2010-06", "17:1:1 = 532.4375 .. 532.4375" },
	{ "time", VALUE, "2010-06:2010-08", "17:1:3 = 532.4375 .. 593.3125" },
	{ "time", VALUE, "2010-06/2010-08", "17:1:3 = 532.4375 .. 593.3125" },
	{ "time", VALUE, "2012-10:", "45:1:3 = 1384.6875 .. 1445.5625" },
	{ "time", VALUE, ":2009-01", "0:1:1 = 15 .. 15" },
	{ "time", VALUE, "2010,2012", "12:1:12 36:1:12 = 380.25 .. 1445.5625" },
	{ "time", VALUE, "2009-01-16T00:00", "0:1:1 drop" },
	{ "time", VALUE, "2009-01-16T00:00:00Z", "0:1:1 drop" },
	{ "time", VALUE, "2009-01-16 00:00", "0:1:1 drop" },
	{ "time", VALUE, "2009-01-16T02:00+02:00", "0:1:1 drop" },
	{ "time", VALUE, "2009-01-16", "0:1:1 = 15 .. 15" },
	{ "time", VALUE, "2009-01-16T00:00/2009-02-15T10:30", "0:1:2 = 15 .. 45.4375" },
	{ "time", VALUE, "2009-01-16T00:01/2009-02-15T10:29", "ARG|has nothing in" },
	{ "time", VALUE, "2009-01-16T00:00:2009-02-15T10:30", "SYNTAX|is no date|is written A/B" },
	{ "time", VALUE, "2009-01-17",
	    "ARG|has no 2009-01-17: nearest is 2009-01-16; it runs from 2009-01-16 to "
	    "2012-12-16T13:30:00" },
	{ "time", VALUE, "2008", "ARG|axis \"time\" in b.nc:t has no 2008: nearest is 2009-01-16" },
	{ "time", NEAR, "2008", "0:1:1 = 15 .. 15" },
	{ "time", NEAR, "2009-01-17T00:00", "0:1:1 drop" },
	{ "time", VALUE, "2000:2005",
	    "ARG|has nothing in 2000:2005; it runs from 2009-01-16 to 2012-12-16" },
	{ "time", VALUE, "2010-13", "SYNTAX|\"2010-13\" is no date" },
	{ "time", VALUE, "2010-02-29", "SYNTAX|\"2010-02-29\" is no date" },
	{ "time", VALUE, "12.5", "SYNTAX|is no date|dates are 2010, 2010-06" },
	{ "time", VALUE, "2010-06T12", "SYNTAX|is no date" },
	{ "time", VALUE, "1582-10-10", "SYNTAX|is no date" },
	{ "time", VALUE, "/", "0:1:48" },
	{ "hour", VALUE, "2010-05-30", "0:1:2 = 0 .. 6" },
	{ "hour", VALUE, "2010-05", "0:1:2 = 0 .. 6" },
	{ "hour", VALUE, "2010-06-30", "ARG|has no 2010-06-30" },
	{ "hour", VALUE, "2010-06-01:2010-06-02", "2:1:8 = 12 .. 54" },
	{ "hour", VALUE, "2010-05-31", "SYNTAX|is no date" },
	{ "hour", VALUE, "2010-06-01T06", "3:1:1 drop" },
	{ "records", VALUE, "2010-02", "0:1:1 3:1:2 = 40 .. 41" },
	{ "records", VALUE, "2010-01", "1:1:2 = 10 .. 20" },
	{ "records", VALUE, "2010-01:2010-02", "COORD|neither rises nor falls" },
	{ "records", VALUE, "2010-02,2010-01", "0:1:1 3:1:2 1:1:2 = 40 .. 20" },
	/* text */
	{ "station", VALUE, "Oslo", "0:1:1 drop" },
	{ "station", VALUE, "Rome,Oslo", "2:-2:2 = \"Rome\" .. \"Oslo\"" },
	{ "station", VALUE, "a:b", "3:1:1 drop" },
	{ "station", VALUE, "c\\,d", "4:1:1 drop" },
	{ "station", VALUE, "c\\,d,a\\:b", "4:-1:2 = \"c,d\" .. \"a:b\"" },
	{ "station", VALUE, "oslo",
	    "ARG|axis \"station\" in b.nc:t has no \"oslo\"|did you mean \"Oslo\"?" },
	{ "station", VALUE, "", "ARG|has no \"\"" },
	{ "station", NEAR, "Os", "ARG|has no \"Os\"" },
};

static const char *
code_name(int code)
{
	switch (code) {
#define ERR(id, num, line) \
	case num:          \
		return #id;
#include "errs.def"
#undef ERR
	}
	return "OK";
}

/* Value i of a coordinate as in messages, without dates. */
static const char *
value(const struct axt_coord *c, int64_t i)
{
	char text[AXT_TEXT];

	if (c->text)
		return axt_sprintf(m, "\"%s\"", ((const char *const *)c->data)[i]);
	axt_value_text(text, c->dtype, (const char *)c->data + i * axt_size(c->dtype));
	return axt_strdup(m, text);
}

static void
show(struct axt_buf *b, const struct axt_axis *a, const struct axt_selection *s)
{
	for (int k = 0; k < s->nspans; k++)
		axt_buf_addf(b, "%s%lld:%lld:%lld", k ? " " : "", (long long)s->span[k].start,
		    (long long)s->span[k].step, (long long)s->span[k].len);
	if (s->drop)
		axt_buf_adds(b, " drop");
	if (s->coord && s->coord != a->coord && s->len)
		axt_buf_addf(b, " = %s .. %s", value(s->coord, 0), value(s->coord, s->len - 1));
}

/* "CODE|part|part": every part stands in the message or its hint. */
static bool
says(const struct axt_err *e, const char *want)
{
	const char *bar = strchr(want, '|');

	if (!e->code || strncmp(want, code_name((int)e->code), (size_t)(bar - want)) != 0)
		return false;
	while (bar) {
		const char *end = strchr(bar + 1, '|');
		char *part = end ? axt_strndup(m, bar + 1, (size_t)(end - bar - 1))
				 : axt_strdup(m, bar + 1);

		if (!strstr(e->text, part) && !strstr(e->hint, part))
			return false;
		bar = end;
	}
	return true;
}

static const struct made *
named(const char *name)
{
	for (int i = 0; i < ARRAY_LEN(made); i++)
		if (!strcmp(made[i].name, name))
			return &made[i];
	fail_msg("no axis %s", name);
	return NULL;
}

/* Integers over 2^53: valgrind's long double is a double. */
static bool
too_fine(const char *axis)
{
	const char *s = getenv("AXT_SANITIZER");

	return s && !strcmp(s, "valgrind") && !strcmp(axis, "big");
}

static void
specs_select(void **state)
{
	int bad = 0;

	(void)state;
	for (int i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *r = &rows[i];
		struct axt_axis a = make_axis(m, named(r->axis));
		struct axt_selection s = { 0 };
		struct axt_err e = { 0 };
		struct axt_buf b = { 0 };
		int rc = axt_select(m, &a, r->spec, r->way != POSITION, r->way == NEAR, "b.nc:t",
		    &s, &e);
		bool good;

		if (too_fine(r->axis))
			continue;
		axt_buf_adds(&b, "");
		if (!rc) {
			check(&a, &s, r->way != POSITION);
			show(&b, &a, &s);
		}
		good = rc ? strchr(r->want, '|') && says(&e, r->want) : !strcmp(b.p, r->want);
		if (!good)
			print_error("%s%s%s: got %s%s%s|%s, want %s\n", r->axis, r->way ? "@" : "=",
			    r->spec, b.p, rc ? code_name(rc) : "", e.text, e.hint, r->want);
		bad += !good;
		axt_buf_release(&b);
	}
	assert_int_equal(bad, 0);
}

/* A time of few digits is found all the same. */
static void
coarse_times_are_instants(void **state)
{
	struct made d = { .name = "time",
		.n = 200,
		.dtype = AXT_F32,
		.first = 55000,
		.step = 1.0 / 24,
		.units = "days since 1850-01-01" };
	struct axt_axis a;
	struct axt_selection s;
	struct axt_err e = { 0 };

	(void)state;
	a = make_axis(m, &d);
	assert_int_equal(axt_select(m, &a, "2000-08-02T13:00", true, false, NULL, &s, &e), AXT_OK);
	assert_true(s.drop && s.span->start == 13);
	assert_int_equal(axt_select(m, &a, "2000-08-03", true, false, NULL, &s, &e), AXT_OK);
	assert_true(s.len == 24 && s.span->start == 24);
}

/* ---- labels ---- */

static struct axt_coord *
numbers(enum axt_dtype d, const char *units, const char *words)
{
	struct made k = { .name = "l", .dtype = d, .units = units, .words = words };

	for (const char *p = words; *p; p++)
		k.n += p == words || p[-1] == ' ';
	return (struct axt_coord *)make_axis(m, &k).coord;
}

static void
labels_are_found(void **state)
{
	static const struct {
		const char *axis;
		enum axt_dtype dtype;
		const char *units, *labels, *want;
	} cases[] = {
		{ "lat", AXT_F64, NULL, "0 90 0 -90", "6 0 6 12" },
		{ "lat", AXT_I32, NULL, "15 -15", "5 7" },
		{ "f", AXT_F64, NULL, "0.1 0.7", "1 7" },
		{ "big", AXT_I64, NULL, "9007199254740993 9007199254740992", "1 0" },
		{ "big", AXT_U64, NULL, "9007199254740993", "1" },
		{ "odd", AXT_U8, NULL, "9 3 4", "5 0 2" },
		{ "lon", AXT_F32, NULL, "-10 370 50", "35 1 5" },
		{ "time", AXT_F64, "hours since 2009-01-01", "360 1090.5", "0 1" },
		{ "time", AXT_F64, NULL, "15 45.4375", "0 1" },
		{ "odd", AXT_I8, NULL, "7",
		    "ARG|7 of w.nc:m (element 0) is not on axis \"odd\" in a.nc:t, which runs from 1 to 9" },
		{ "odd", AXT_F32, NULL, "3 nan", "ARG|nan of w.nc:m (element 1)" },
		{ "odd", AXT_F32, NULL, "3 1", "AMBIG|has 1 twice, at index 1 and 3" },
		{ "x", AXT_F32, NULL, "3", "COORD|axis \"x\" in a.nc:t has no coordinates" },
		{ "station", AXT_F32, NULL, "3",
		    "COORD|has text for coordinates, and w.nc:m has numbers" },
		{ "lat", AXT_C64, NULL, "3", "DTYPE|complex" },
		{ "hour", AXT_F64, "days since 2010-06-01", "3",
		    "COORD|calendar 360_day in a.nc:t, and w.nc:m "
		    "has standard" },
		{ "time", AXT_F64, "hours since 2009-01-01", "361",
		    "ARG|2009-01-16T01:00:00 of w.nc:m" },
	};
	int64_t pos[8];

	(void)state;
	for (int i = 0; i < ARRAY_LEN(cases); i++) {
		struct axt_axis a = make_axis(m, named(cases[i].axis));
		struct axt_coord *l = numbers(cases[i].dtype, cases[i].units, cases[i].labels);
		struct axt_err e = { 0 };
		const char *got = "";

		if (too_fine(cases[i].axis))
			continue;
		if (!axt_labels_find(m, &a, l, NULL, "w.nc:m", AXT_ABSENT_FAILS, pos, &e)) {
			for (int64_t k = 0; k < l->n; k++)
				got = axt_sprintf(m, "%s%s%lld", got, k ? " " : "",
				    (long long)pos[k]);
			assert_string_equal(got, cases[i].want);
		} else if (!strchr(cases[i].want, '|') || !says(&e, cases[i].want)) {
			fail_msg("%s %s: %s", cases[i].axis, cases[i].labels, e.text);
		}
	}
}

static void
text_labels_are_found(void **state)
{
	const char *words[] = { "Rome", "Oslo", "Rome", "Paris" };
	struct axt_coord l = { .text = true, .n = 3, .data = words };
	struct axt_axis a = make_axis(m, named("station"));
	struct axt_err e = { 0 };
	int64_t pos[4];

	(void)state;
	assert_int_equal(axt_labels_find(m, &a, &l, NULL, "w.nc:m", AXT_ABSENT_FAILS, pos, &e),
	    AXT_OK);
	assert_true(pos[0] == 2 && pos[1] == 0 && pos[2] == 2);
	l.n = 4;
	assert_int_equal(axt_labels_find(m, &a, &l, NULL, "w.nc:m", AXT_ABSENT_FAILS, pos, &e),
	    AXT_E_ARG);
	assert_non_null(
	    strstr(e.text, "\"Paris\" of w.nc:m (element 3) is not on axis \"station\""));
}

/* A million labels on an axis of a million, in no order: seconds, not minutes. */
static void
many_labels_are_quick(void **state)
{
	const char *slow = getenv("AXT_SANITIZER");
	int64_t n = slow && *slow ? 20000 : 1000000;
	const char **text = axt_alloc(m, (size_t)n * sizeof(*text));
	double *v = axt_alloc(m, (size_t)n * sizeof(*v));
	int64_t *pos = axt_alloc(m, (size_t)n * sizeof(*pos));
	struct axt_coord c = { .dtype = AXT_F64, .n = n, .data = v };
	struct axt_coord t = { .text = true, .n = n, .data = text };
	struct axt_axis a = { .name = "x", .len = n, .coord = &c };
	struct axt_err e = { 0 };
	clock_t start;

	(void)state;
	for (int64_t i = 0; i < n; i++) {
		v[i] = (double)(i * 7919 % n);
		text[i] = axt_sprintf(m, "label %g", v[i]);
	}
	start = clock();
	assert_int_equal(axt_labels_find(m, &a, &c, NULL, "l", AXT_ABSENT_FAILS, pos, &e), AXT_OK);
	for (int64_t i = 0; i < n; i++)
		assert_true(pos[i] == i);
	print_message("# %lld numbers: %.2f s\n", (long long)n,
	    (double)(clock() - start) / CLOCKS_PER_SEC);
	a.coord = &t;
	start = clock();
	assert_int_equal(axt_labels_find(m, &a, &t, NULL, "l", AXT_ABSENT_FAILS, pos, &e), AXT_OK);
	for (int64_t i = 0; i < n; i++)
		assert_true(pos[i] == i);
	print_message("# %lld texts: %.2f s\n", (long long)n,
	    (double)(clock() - start) / CLOCKS_PER_SEC);
	assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
}

/* ---- joining ---- */

static void
coordinates_join(void **state)
{
	static const struct {
		enum axt_dtype d[3];
		const char *units[3], *words[3]; /* words NULL: no coordinates; "" : no length */
		bool override;
		const char *want;
	} cases[] = {
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1 2", "3", "4 5" }, false,
		    "f64: 1 2 3 4 5" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "5 4", "3", "1" }, false,
		    "f64: 5 4 3 1" },
		{ { AXT_I16, AXT_I32, AXT_I8 }, { 0 }, { "1 2", "3", "" }, false, "i32: 1 2 3" },
		{ { AXT_F32, AXT_F64, AXT_F64 }, { 0 }, { "1", "2.5", "4" }, false,
		    "f64: 1 2.5 4" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { NULL, NULL, NULL }, false, "none" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "", "", "" }, false, "f64:" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1", NULL, "2" }, true, "none" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1", NULL, "2" }, false,
		    "COORD|axis \"t\" has coordinates in a.nc:t and none in b.nc:t|--join override:t" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1 2", "2 3", "4" }, false,
		    "COORD|axis \"t\" repeats a value: 2 in a.nc:t, then 2 in b.nc:t|--join override:t" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1 2", "0 3", "4" }, false,
		    "COORD|is not increasing: 2 (a.nc:t) is followed by 0 (b.nc:t)" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "2", "1", "4" }, false,
		    "COORD|is not decreasing: 1 (b.nc:t) is followed by 4 (operand 3)" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1 3 2", "4", "5" }, false,
		    "COORD|is not increasing in a.nc:t: 3 at index 1, 2 at 2" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1 2", "2 1", "nan" }, true,
		    "f64: 1 2 2 1 nan" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { 0 }, { "1 2", "nan", "3" }, false,
		    "COORD|is not increasing" },
		{ { AXT_F64, AXT_F64, AXT_F64 },
		    { "days since 2000-01-01", "days since 2001-01-01", "hours since 2002-01-01" },
		    { "0 365.5", "0.25 364", "12 36" }, false,
		    "f64: 0 365.5 366.25 730 731.5 732.5" },
		{ { AXT_I32, AXT_I32, AXT_I32 },
		    { "days since 2000-01-01", "days since 2001-01-01", "hours since 2002-01-01" },
		    { "0 365", "0 364", "0 24" }, false, "i32: 0 365 366 730 731 732" },
		{ { AXT_I32, AXT_I32, AXT_I32 },
		    { "days since 2000-01-01", "days since 2001-01-01", "hours since 2002-01-01" },
		    { "0 365", "0 364", "0 12" }, false, "f64: 0 365 366 730 731 731.5" },
		{ { AXT_I32, AXT_I32, AXT_I32 },
		    { "days since 2000-01-01", "days since 2001-01-01", "days since 2000-01-01" },
		    { "0 366", "0 364", "800" }, false,
		    "COORD|repeats a value: 2001-01-01 in a.nc:t, then 2001-01-01 in b.nc:t" },
		{ { AXT_I32, AXT_I32, AXT_I32 }, { "days since 2000-01-01", NULL, NULL },
		    { "1", "2", "3" }, true,
		    "COORD|axis \"t\" has CF times for coordinates in a.nc:t and numbers in b.nc:t" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { "hPa", "mbar", "Pa" }, { "1", "2", "3" }, false,
		    "COORD|axis \"t\" has units \"hPa\" in a.nc:t and \"Pa\" in operand 3" },
		{ { AXT_F64, AXT_F64, AXT_F64 }, { "hPa", "", "Pa" }, { "1", "2", "3" }, true,
		    "f64: 1 2 3" },
		{ { AXT_F64, AXT_F64, AXT_F64 },
		    { "months since 2000-01-01", NULL, "days since 2000-01-01" }, { "1", "2", "3" },
		    false,
		    "COORD|axis \"t\" has CF times for coordinates in a.nc:t and numbers in b.nc:t" },
		{ { AXT_C64, AXT_C64, AXT_C64 }, { 0 }, { "1", "2", "3" }, true, "DTYPE|complex" },
		{ { AXT_U64, AXT_I64, AXT_I8 }, { 0 }, { "1", "2", "3" }, false, "f64: 1 2 3" },
	};

	(void)state;
	for (int i = 0; i < ARRAY_LEN(cases); i++) {
		struct axt_axis a[3], out;
		const struct axt_axis *p[3] = { &a[0], &a[1], &a[2] };
		struct axt_err e = { 0 };
		const char *got = "none";

		for (int k = 0; k < 3; k++) {
			a[k] = (struct axt_axis){ .name = "t",
				.len = 2,
				.from = k == 2 ? NULL
				    : k        ? "b.nc:t"
					       : "a.nc:t" };
			if (!cases[i].words[k])
				continue;
			a[k].coord = numbers(cases[i].d[k], cases[i].units[k], cases[i].words[k]);
			a[k].len = a[k].coord->n;
		}
		if (axt_coords_concat(m, p, 3, cases[i].override, NULL, &out, &e)) {
			if (!strchr(cases[i].want, '|') || !says(&e, cases[i].want))
				fail_msg("%d: %s|%s", i, e.text, e.hint);
			continue;
		}
		assert_int_equal(out.len, a[0].len + a[1].len + a[2].len);
		if (out.coord) {
			assert_int_equal(out.coord->n, out.len);
			got = axt_sprintf(m, "%s:", axt_dtypes[out.coord->dtype].name);
			for (int64_t k = 0; k < out.len; k++)
				got = axt_sprintf(m, "%s %s", got, value(out.coord, k));
		}
		assert_string_equal(got, cases[i].want);
	}
}

static void
texts_join(void **state)
{
	struct made d = { .name = "s", .n = 2, .text = true, .words = "Bonn Kiel" };
	struct axt_axis a = make_axis(m, named("station")), b = make_axis(m, &d), out;
	const struct axt_axis *p[] = { &a, &b, &a };
	struct axt_err e = { 0 };

	(void)state;
	assert_int_equal(axt_coords_concat(m, p, 2, false, NULL, &out, &e), AXT_OK);
	assert_int_equal(out.len, 7);
	assert_string_equal(((const char *const *)out.coord->data)[6], "Kiel");
	assert_int_equal(axt_coords_concat(m, p, 3, true, NULL, &out, &e), AXT_OK);
	assert_int_equal(axt_coords_concat(m, p, 3, false, NULL, &out, &e), AXT_E_COORD);
	assert_non_null(strstr(e.text, "repeats a value"));
}

/* ---- any bytes ---- */

static unsigned
dice(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static void
mutations_do_no_harm(void **state)
{
	static const char bytes[] = "0123456789-+.,:/eT Znaif\\x";
	const char *slow = getenv("AXT_SANITIZER");
	int rounds = slow && strcmp(slow, "valgrind") == 0 ? 300 : 20000, taken = 0;
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < rounds; i++) {
		const char *spec = rows[dice(&seed, ARRAY_LEN(rows))].spec;
		uint8_t s[128];
		size_t n = (size_t)snprintf((char *)s, sizeof(s), "%c%s", (int)dice(&seed, 255) + 1,
		    spec);

		for (unsigned k = dice(&seed, 3); k > 0; k--)
			s[1 + dice(&seed, (unsigned)n)] = (uint8_t)
			    bytes[dice(&seed, sizeof(bytes) - 1)];
		taken += LLVMFuzzerTestOneInput(s, n + dice(&seed, 2));
	}
	assert_true(taken >= rounds / 50 && taken <= rounds);
}

/* ---- axes and specs from a file ---- */

/*
 * "value|index, nearest or not, dtype, units, calendar, values, spec" by tabs: one line of what it
 * selects.
 */
static void
one_line(char *line)
{
	struct made d = { .name = "x" };
	struct axt_selection s = { 0 };
	struct axt_err e = { 0 };
	struct axt_axis a;
	char *f[7] = { 0 }, *save = line;

	for (int i = 0; i < 7; i++)
		f[i] = strsep(&save, "\t");
	d.text = !strcmp(f[2], "text");
	d.dtype = d.text ? AXT_F64 : axt_dtype_parse(f[2]);
	d.units = *f[3] ? f[3] : NULL;
	d.calendar = *f[4] ? f[4] : NULL;
	d.words = f[5];
	for (const char *p = f[5]; *p; p++)
		d.n += p == f[5] || p[-1] == ' ';
	a = make_axis(m, &d);
	if (axt_select(m, &a, f[6], *f[0] == 'v', *f[1] == 'n', NULL, &s, &e)) {
		printf("%s\t%s\n", code_name((int)e.code), e.text);
		return;
	}
	check(&a, &s, *f[0] == 'v');
	printf("%s\t", s.drop ? "drop" : "keep");
	for (int k = 0; k < s.nspans; k++)
		for (int64_t i = 0; i < s.span[k].len; i++)
			printf(" %lld", (long long)(s.span[k].start + i * s.span[k].step));
	printf("\t");
	for (int64_t i = 0; s.coord && i < s.len; i++)
		printf(" %s", value(s.coord, i));
	printf("\n");
}

static int
lines(void)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, stdin)) > 0) {
		line[n - 1] = '\0';
		m = axt_arena_new();
		one_line(line);
		axt_arena_free(m);
	}
	free(line);
	return 0;
}

int
main(int argc, char *argv[])
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(specs_select, setup, teardown),
		cmocka_unit_test_setup_teardown(coarse_times_are_instants, setup, teardown),
		cmocka_unit_test_setup_teardown(labels_are_found, setup, teardown),
		cmocka_unit_test_setup_teardown(text_labels_are_found, setup, teardown),
		cmocka_unit_test_setup_teardown(many_labels_are_quick, setup, teardown),
		cmocka_unit_test_setup_teardown(coordinates_join, setup, teardown),
		cmocka_unit_test_setup_teardown(texts_join, setup, teardown),
		cmocka_unit_test(mutations_do_no_harm),
	};

	(void)argv;
	return argc > 1 ? lines() : cmocka_run_group_tests(tests, NULL, NULL);
}
