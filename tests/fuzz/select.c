/*
 * select.c - a fuzz target: a byte that chooses an axis and a way, then any bytes as the spec of a
 * selection. What is selected lies on the axis and has its coordinates. `make fuzz` gives it to
 * libFuzzer; test_select.c to a few thousand mutations.
 */
#include <stdlib.h>
#include <string.h>

#include "axes/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* An axis of the tests: n values first, first + step, ...; or words, or numbers of text. */
struct made {
	const char *name;
	int64_t n;
	enum axt_dtype dtype;
	double first, step;
	const char *units, *calendar;
	const char *words; /* text, or numbers of another pattern; between blanks */
	bool text, bare;   /* bare: no coordinates */
};

static const struct made made[] = {
	{ .name = "x", .n = 10, .bare = true },
	{ .name = "lat",
	    .n = 13,
	    .dtype = AXT_F32,
	    .first = 90,
	    .step = -15,
	    .units = "degrees_north" },
	{ .name = "lon",
	    .n = 36,
	    .dtype = AXT_F64,
	    .first = 0,
	    .step = 10,
	    .units = "degrees_east" },
	{ .name = "west",
	    .n = 36,
	    .dtype = AXT_I16,
	    .first = -180,
	    .step = 10,
	    .units = "degrees_east" },
	{ .name = "time",
	    .n = 48,
	    .dtype = AXT_F64,
	    .first = 15,
	    .step = 30.4375,
	    .units = "days since 2009-01-01" },
	{ .name = "hour",
	    .n = 30,
	    .dtype = AXT_I32,
	    .first = 0,
	    .step = 6,
	    .units = "hours since 2010-05-30 12:00",
	    .calendar = "360_day" },
	{ .name = "station", .n = 5, .text = true, .words = "Oslo Bergen Rome a:b c,d" },
	{ .name = "f", .n = 11, .dtype = AXT_F32, .first = 0, .step = 0.1 },
	{ .name = "odd", .n = 6, .dtype = AXT_F64, .words = "3 1 4 1 nan 9" },
	{ .name = "big",
	    .n = 3,
	    .dtype = AXT_I64,
	    .words = "9007199254740992 9007199254740993 9007199254740994" },
	{ .name = "empty", .n = 0, .dtype = AXT_F64, .words = "" },
	{ .name = "cyclic",
	    .n = 37,
	    .dtype = AXT_F32,
	    .first = 0,
	    .step = 10,
	    .units = "degrees_east" },
	{ .name = "eastward",
	    .n = 36,
	    .dtype = AXT_U16,
	    .first = 350,
	    .step = -10,
	    .units = "degrees_east" },
	{ .name = "records",
	    .n = 6,
	    .dtype = AXT_F64,
	    .words = "40 10 20 50 41 300",
	    .units = "days since 2010-01-01",
	    .calendar = "noleap" },
};

static const struct axt_attr *
text_attr(struct axt_arena *m, const struct axt_attr *l, const char *name, const char *text)
{
	struct axt_attr *a = axt_alloc(m, sizeof(*a));

	if (!a || !text)
		return l;
	*a = (struct axt_attr){ .name = name, .kind = AXT_ATTR_TEXT, .text = text };
	return axt_attr_set(m, l, a);
}

static void
store(struct axt_coord *c, char *data, int64_t i, const struct made *d, const char *word)
{
	struct axt_num n = { .f = d->first + (double)i * d->step };

	if (word && !axt_parse_num(word, &n))
		abort();
	if (!word && axt_dtypes[c->dtype].cls < AXT_CLASS_FLOAT)
		n = (struct axt_num){ .is_int = true,
			.f = n.f,
			.i = (int64_t)n.f,
			.u = (uint64_t)(int64_t)n.f };
	if (!axt_num_store(&n, c->dtype, data + i * axt_size(c->dtype)))
		abort();
}

static struct axt_axis
make_axis(struct axt_arena *m, const struct made *d)
{
	struct axt_axis a = { .name = d->name, .len = d->n, .from = "a.nc:t" };
	struct axt_coord *c = axt_alloc(m, sizeof(*c));
	char *words = d->words ? axt_strdup(m, d->words) : NULL, *save = NULL, *word;
	char *data = axt_alloc(m, (size_t)d->n * 16 + 16);

	if (!c || !data || d->bare)
		return a;
	*c = (struct axt_coord){ .text = d->text, .dtype = d->dtype, .n = d->n, .data = data };
	c->attrs = text_attr(m, text_attr(m, NULL, "units", d->units), "calendar", d->calendar);
	for (int64_t i = 0; i < d->n; i++) {
		word = words ? strtok_r(i ? NULL : words, " ", &save) : NULL;
		if (d->text)
			((const char **)data)[i] = word;
		else
			store(c, data, i, d, word);
	}
	a.coord = c;
	return a;
}

/* Aborts unless a selection is what it must be. */
static void
check(const struct axt_axis *a, const struct axt_selection *s, bool by_value)
{
	int64_t len = 0;

	for (int k = 0; k < s->nspans; k++) {
		int64_t last = s->span[k].start + (s->span[k].len - 1) * s->span[k].step;

		if (s->span[k].len < 1 || s->span[k].start < 0 || s->span[k].start >= a->len ||
		    last < 0 || last >= a->len || (s->span[k].len == 1 && s->span[k].step != 1))
			abort();
		len += s->span[k].len;
	}
	if (len != s->len || (s->drop && len != 1) || (by_value && !len) || (s->drop && s->coord))
		abort();
	if (s->drop || !a->coord)
		return;
	if (!s->coord || s->coord->n != len || s->coord->attrs != a->coord->attrs)
		abort();
	if (by_value || s->coord->text || !len)
		return;
	if (axt_load_f64(a->coord->dtype,
		(const char *)a->coord->data + s->span[0].start * axt_size(a->coord->dtype)) !=
		axt_load_f64(s->coord->dtype, s->coord->data) &&
	    strcmp(a->name, "odd") != 0)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct axt_arena *m = n ? axt_arena_new() : NULL;
	struct axt_selection s = { 0 };
	struct axt_err e = { 0 };
	struct axt_axis a;
	char *spec;
	int taken;

	if (!m)
		return 0;
	a = make_axis(m, &made[p[0] % ARRAY_LEN(made)]);
	spec = axt_strndup(m, (const char *)p + 1, n - 1);
	taken = !axt_select(m, &a, spec, p[0] & 0x80, p[0] & 0x40, "b.nc:t", &s, &e);
	if (taken)
		check(&a, &s, p[0] & 0x80);
	else if (!e.code || !e.text[0] || strchr(e.text, '\n'))
		abort();
	axt_arena_free(m);
	return taken;
}
