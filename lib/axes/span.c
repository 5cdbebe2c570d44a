/*
 * span.c - positions along an axis: reads them as the user typed them, turns them into spans, and
 * takes the coordinates of spans.
 */
#include <stdlib.h>

#include "axes/pick.h"

/* ---- spans ---- */

/*
 * How many positions from pos on make one span. It is 1 if the positions after the first one go on
 * with another step, and make a longer span without it.
 */
static int64_t
run_length(const int64_t *pos, int64_t n)
{
	int64_t len = 2, step, next;

	if (n < 3)
		return n;
	step = pos[1] - pos[0];
	next = pos[2] - pos[1];
	if (next != step && (next == 1 || next == -1 || (n > 3 && pos[3] - pos[2] == next)))
		return 1;
	while (len < n && pos[len] - pos[len - 1] == step)
		len++;
	return len;
}

int
axt_spans_of(struct axt_arena *m, const int64_t *pos, int64_t n, struct axt_span **span,
    int *nspans)
{
	struct axt_span *s = NULL;
	int64_t k = 0, i, len;

	*nspans = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (i = k = 0; i < n; i += len, k++) {
			len = run_length(pos + i, n - i);
			if (pass)
				s[k] = (struct axt_span){ pos[i], len > 1 ? pos[i + 1] - pos[i] : 1,
					len };
		}
		if (!pass && (k > INT32_MAX || !(s = axt_alloc(m, (size_t)k * sizeof(*s) + 1))))
			return AXT_E_MEM;
	}
	*span = s;
	*nspans = (int)k;
	return AXT_OK;
}

static void
take_values(char *out, const char *in, size_t size, const struct axt_span *span, int nspans)
{
	for (int s = 0; s < nspans; s++) {
		if (span[s].step == 1) {
			memcpy(out, in + span[s].start * (int64_t)size, (size_t)span[s].len * size);
			out += span[s].len * (int64_t)size;
			continue;
		}
		for (int64_t i = 0; i < span[s].len; i++, out += size)
			memcpy(out, in + (span[s].start + i * span[s].step) * (int64_t)size, size);
	}
}

/* Takes the n values at the spans as the file has them, too: r has them as they mean. */
static int
take_stored(struct axt_arena *m, const struct axt_coord *c, const struct axt_span *span, int nspans,
    struct axt_coord *r)
{
	const struct axt_coord_stored *s = c->stored;
	struct axt_coord_stored *own;
	void *data;

	r->stored = NULL;
	if (c->text || !s || s->of != c->data || s->n < c->n)
		return AXT_OK;
	own = axt_alloc(m, sizeof(*own));
	data = axt_alloc(m, (size_t)r->n * (size_t)axt_size(s->dtype) + 1);
	if (!own || !data)
		return AXT_E_MEM;
	take_values(data, s->data, (size_t)axt_size(s->dtype), span, nspans);
	*own = *s;
	own->of = r->data;
	own->n = r->n;
	own->data = data;
	r->stored = own;
	return AXT_OK;
}

int
axt_coord_take(struct axt_arena *m, const struct axt_coord *c, const struct axt_span *span,
    int nspans, const struct axt_coord **out)
{
	struct axt_coord *r;
	size_t size;
	void *data;

	*out = c;
	if (!c || (nspans == 1 && span->start == 0 && span->step == 1 && span->len == c->n))
		return AXT_OK;
	r = axt_alloc(m, sizeof(*r));
	if (!r)
		return AXT_E_MEM;
	*r = *c;
	r->n = 0;
	for (int s = 0; s < nspans; s++)
		r->n += span[s].len;
	*out = r;
	if (!c->data)
		return AXT_OK;
	size = c->text ? sizeof(const char *) : (size_t)axt_size(c->dtype);
	data = axt_alloc(m, (size_t)r->n * size + 1);
	if (!data)
		return AXT_E_MEM;
	take_values(data, c->data, size, span, nspans);
	r->data = data;
	return take_stored(m, c, span, nspans, r);
}

/* ---- positions that the user typed ---- */

/* Reads an integer. If it does not fit, the nearest one that does is taken. */
static bool
whole(const char *s, int64_t *out)
{
	struct axt_num n;

	if (s[strspn(s, "+-0123456789")] || !axt_parse_num(s, &n))
		return false;
	*out = n.is_big || n.is_unsigned ? n.f < 0 ? -INT64_MAX : INT64_MAX : n.i;
	*out = MAX(*out, -INT64_MAX);
	return true;
}

int
axt_pick_about(const struct axt_picking *p, enum axt_about about, const char *word)
{
	return axt_about(p->e, about, word, axt_axis_spell(p->m, p->a));
}

static int
no_position(struct axt_picking *p, const char *word)
{
	axt_fail(p->e, AXT_E_SYNTAX,
	    "axis \"%s\": \"%s\" is no position (i, i:j, i:j:k or i,j,...)", p->name,
	    axt_show(p->m, word));
	axt_pick_about(p, AXT_BAD_POSITION, word);
	if (strcmp(word, "last") == 0 || strcmp(word, "end") == 0)
		axt_hint(p->e, "%s=-1 is the last one", p->name);
	else if (strcmp(word, "first") == 0)
		axt_hint(p->e, "%s=0 is the first one", p->name);
	else if (*word == '=')
		axt_hint(p->e, "%s=%s", p->name, axt_show(p->m, word + strspn(word, "= ")));
	else if (p->a->coord && p->a->coord->data)
		axt_hint(p->e, "%s@SPEC selects by coordinate", p->name);
	return p->e->code;
}

/* Whether the word, which is the number v, lies among the coordinates, or is a year that do. */
static bool
is_coordinate(const struct axt_picking *p, const char *word, int64_t v)
{
	const struct axt_coord *c = p->a->coord;
	struct axt_err ignored = { 0 };
	struct axt_cftime t;
	bool times = axt_axis_times(p->a, p->name, &t, &ignored) == 0, below = false, above = false;
	double lo = (double)v, hi = lo;

	if (times && (strlen(word) != 4 || !axt_cftime_period(&t, word, &lo, &hi)))
		return false;
	for (int64_t i = 0; c && c->data && !c->text && i < c->n; i++) {
		double x = axt_load_f64(c->dtype, (const char *)c->data + i * axt_size(c->dtype));

		x = times ? axt_cftime_seconds(&t, x) : x;
		below = below || x <= hi;
		above = above || x >= lo;
	}
	return below && above;
}

static int
position(struct axt_picking *p, const char *word, int64_t *out)
{
	int64_t i;

	if (!whole(word, &i))
		return no_position(p, word);
	*out = i < 0 ? i + p->a->len : i;
	if (*out < 0 || *out >= p->a->len) {
		axt_fail(p->e, AXT_E_ARG, "axis \"%s\" has length %lld%s: there is no index %s",
		    p->name, (long long)p->a->len, p->in, axt_show(p->m, word));
		axt_pick_about(p, AXT_OUTSIDE, word);
		if (is_coordinate(p, word, i))
			axt_hint(p->e, "positions are 0 to %lld; %s@%s selects by coordinate",
			    (long long)p->a->len - 1, p->name, axt_show(p->m, word));
		else if (p->a->len > 0)
			axt_hint(p->e, "positions count from 0: %s=-1 is the last one", p->name);
		return p->e->code;
	}
	return AXT_OK;
}

/*
 * Splits a range at its colons; a missing end becomes "". Returns false if there are more than
 * three pieces.
 */
static bool
pieces(char *s, char *out[3])
{
	out[0] = s;
	out[1] = out[2] = s + strlen(s);
	for (int k = 1; (s = strchr(s, ':')); k++) {
		if (k > 2)
			return false;
		*s++ = '\0';
		out[k] = s;
	}
	return true;
}

/* Reads "i:j:k" by the rules of Python. */
static int
range(struct axt_picking *p, const char *spec)
{
	char *s = axt_strdup(p->m, spec), *w[3];
	int64_t at[3] = { 0, 0, 1 }, n = p->a->len, lo, hi, len = 0;

	if (!s)
		return axt_axes_nomem(p->e);
	if (!pieces(s, w))
		return no_position(p, spec);
	for (int k = 0; k < 3; k++)
		if (*w[k] && !whole(w[k], &at[k]))
			return no_position(p, spec);
	if (at[2] == 0) {
		axt_fail(p->e, AXT_E_SYNTAX, "axis \"%s\": the step of \"%s\" is 0", p->name,
		    axt_show(p->m, spec));
		return axt_pick_about(p, AXT_BAD_POSITION, spec);
	}
	/*
	 * Clamps both ends to the axis. An end may be one position outside the axis, in the
	 * direction of the step.
	 */
	lo = at[2] > 0 ? 0 : -1;
	hi = at[2] > 0 ? n : n - 1;
	for (int k = 0; k < 2; k++) {
		if (!*w[k])
			at[k] = (k == 0) == (at[2] > 0) ? lo : hi;
		else
			at[k] = MAX(lo, MIN(hi, at[k] < 0 ? at[k] + n : at[k]));
	}
	if (at[2] > 0 ? at[0] < at[1] : at[0] > at[1])
		len = at[2] > 0 ? (at[1] - at[0] - 1) / at[2] + 1
				: (at[0] - at[1] - 1) / -at[2] + 1;
	return axt_pick_run(p, at[0], len > 1 ? at[2] : 1, len);
}

int
axt_pick_positions(struct axt_picking *p, const char *spec)
{
	int64_t i = 0;

	if (strchr(spec, ':'))
		return strchr(spec, ',') ? axt_pick_union(p, spec, axt_pick_positions)
					 : range(p, spec);
	for (const char *s = spec;; s++) {
		size_t n = strcspn(s, ",");
		const char *word = axt_strndup(p->m, s, n);

		if (!word)
			return axt_axes_nomem(p->e);
		if (position(p, word, &i) || axt_pick(p, i))
			return p->e->code;
		s += n;
		if (!*s)
			break;
	}
	p->drop = !strchr(spec, ',');
	return AXT_OK;
}
