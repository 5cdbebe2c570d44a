/* view_slice.c - which part of a tensor axt-view shows: two axes, and an index of each other. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

/* Zooming in ends at so many indices. */
#define FEWEST 4
/* So many coordinates are searched in one graph, which keeps their texts. */
#define SEARCHED 65536

/* ---- opening ---- */

/* Keys step along the first axis that is not drawn, unless they do so along one already. */
static void
choose_step(struct view_slice *s)
{
	if (s->step >= 0 && s->step != s->x && s->step != s->y)
		return;
	s->step = -1;
	for (int i = s->rank - 1; i >= 0; i--)
		if (i != s->x && i != s->y && s->axis[i].len > 1)
			s->step = i;
}

static void
directions(struct axt_graph *g, struct view_slice *s, const struct axt_expr *e)
{
	for (int i = 0; i < s->rank; i++)
		s->axis[i].falls = axt_plot_falls(g, e, i, i == s->y);
}

bool
view_slice_open(struct view_slice *s, const char *operand)
{
	struct axt_graph *g = view_graph();
	struct axt_expr *e = cmd_open(g, operand, false);
	bool good;

	*s = (struct view_slice){ .step = -1, .colors = -1, .quick = -1 };
	if (!axt_graph_error(g)) {
		s->operand = strdup(operand);
		s->dtype = axt_expr_dtype(e);
		axt_plot_axes(e, &s->y, &s->x);
		s->rank = axt_expr_rank(e);
		for (int i = 0; i < s->rank; i++) {
			s->axis[i].name = strdup(axt_expr_axis(e, i));
			s->axis[i].len = s->axis[i].to = axt_expr_len(e, i);
			if (!s->axis[i].name || !s->operand)
				axt_graph_fail(g, AXT_E_MEM, "out of memory");
		}
		directions(g, s, e);
		choose_step(s);
		s->table = s->x < 0 || s->dtype == AXT_C64 || s->dtype == AXT_C128;
	}
	good = !view_failed(g);
	if (!good)
		view_slice_free(s);
	axt_graph_free(g);
	return good;
}

void
view_slice_free(struct view_slice *s)
{
	free(s->operand);
	for (int i = 0; i < s->rank; i++)
		free(s->axis[i].name);
	*s = (struct view_slice){ .operand = NULL };
}

/* ---- axes that are not drawn ---- */

bool
view_slice_step(struct view_slice *s, int64_t n)
{
	struct view_axis *a = &s->axis[s->step < 0 ? 0 : s->step];
	int64_t to = a->at + n;

	if (s->step < 0) {
		view_say("all axes are shown: none is left to step along");
		return false;
	}
	to = to < 0 ? 0 : to >= a->len ? a->len - 1 : to;
	if (to == a->at)
		view_say("this is the %s index along %s", n < 0 ? "first" : "last",
		    cmd_name(a->name));
	a->at = to;
	return true;
}

void
view_slice_next_step(struct view_slice *s)
{
	for (int k = 1; k <= s->rank; k++) {
		int i = (s->step + k) % s->rank;

		if (i == s->x || i == s->y || s->axis[i].len == 1)
			continue;
		if (i == s->step)
			view_say("%s is the only axis that is not drawn",
			    cmd_name(s->axis[i].name));
		s->step = i;
		return;
	}
	view_say("all axes are shown: none is left to step along");
}

/* Lower case of ASCII, so that a search need not know how something is spelt. */
static bool
contains(const char *text, const char *part)
{
	return strcasestr(text, part) != NULL;
}

bool
view_slice_search(struct view_slice *s, const char *text, bool back)
{
	int axis = s->step >= 0 ? s->step : !s->table ? -1 : s->y >= 0 ? s->y : s->x;
	struct view_axis *a = &s->axis[axis < 0 ? 0 : axis];
	int64_t i = s->step >= 0 ? a->at : a->from + s->row;
	struct axt_graph *g = NULL;
	struct axt_expr *e = NULL;
	bool found = false;

	for (int64_t k = 0; axis >= 0 && k < a->len && !found; k++) {
		const char *c;

		if (k % SEARCHED == 0) {
			axt_graph_free(g);
			g = view_graph();
			e = cmd_open(g, s->operand, false);
		}
		i = back ? i - 1 : i + 1;
		i = i < 0 ? a->len - 1 : i >= a->len ? 0 : i;
		c = axt_index_text(g, e, axis, i);
		if (!c)
			break;
		found = contains(c, text);
	}
	if (g && view_failed(g))
		found = false;
	else if (axis < 0)
		view_say("all axes are shown: v shows values, whose coordinates are searched");
	else if (!found)
		view_say("no coordinate of %s has \"%s\" in it", cmd_name(a->name), cmd_name(text));
	axt_graph_free(g);
	if (found)
		*(s->step >= 0 ? &a->at : &s->row) = s->step >= 0 ? i : i - a->from;
	return found;
}

/* ---- axes that are drawn ---- */

/* The axis after i that is longer than 1; -1 after the last, if there may be none. */
static int
after(const struct view_slice *s, int i, bool none)
{
	do {
		i++;
		if (i >= s->rank && none)
			return -1;
		i = i >= s->rank ? 0 : i;
	} while (s->axis[i].len == 1);
	return i;
}

void
view_slice_turn(struct view_slice *s, bool up)
{
	struct axt_graph *g = view_graph();
	struct axt_expr *e;
	int was = up ? s->y : s->x, *other = up ? &s->x : &s->y, i;

	if (s->x >= 0) {
		i = after(s, was, up);
		if (i == *other && up && s->rank > 1)
			i = after(s, i, up);
		if (i == *other && !up)
			*other = was;
		*(up ? &s->y : &s->x) = i;
		s->turned = true;
		s->row = s->column = 0;
		view_slice_whole(s);
		choose_step(s);
	}
	e = cmd_open(g, s->operand, false);
	directions(g, s, e);
	view_failed(g);
	axt_graph_free(g);
}

void
view_slice_whole(struct view_slice *s)
{
	for (int i = 0; i < s->rank; i++) {
		s->axis[i].from = 0;
		s->axis[i].to = s->axis[i].len;
	}
}

/* Shows n indices, of which the first is `from`, as far as there are so many. */
static void
set_part(struct view_axis *a, int64_t from, int64_t n)
{
	n = n < FEWEST ? FEWEST : n;
	n = n > a->len ? a->len : n;
	from = from < 0 ? 0 : from;
	a->from = from + n > a->len ? a->len - n : from;
	a->to = a->from + n;
}

static void
zoom(struct view_axis *a, double by)
{
	int64_t n = a->to - a->from, to = (int64_t)((double)n / by);

	set_part(a, a->from + (n - to) / 2, to);
}

void
view_slice_zoom(struct view_slice *s, double by)
{
	if (s->x >= 0)
		zoom(&s->axis[s->x], by);
	if (s->y >= 0)
		zoom(&s->axis[s->y], by);
}

static void
pan(struct view_axis *a, int by)
{
	int64_t n = a->to - a->from, step = (n + 3) / 4;

	set_part(a, a->from + (a->falls ? -by : by) * step, n);
}

bool
view_slice_pan(struct view_slice *s, int right, int up)
{
	int i = right ? s->x : s->y;

	if (i >= 0 && s->axis[i].to - s->axis[i].from < s->axis[i].len) {
		pan(&s->axis[i], right ? right : up);
		return true;
	}
	if (right && s->step >= 0)
		return view_slice_step(s, right);
	view_say("the whole axis is shown: + shows a part, which keys move");
	return false;
}

/* ---- what it means ---- */

int
view_slice_specs(const struct view_slice *s, char *specs[], bool all)
{
	int n = 0;

	for (int i = 0; i < s->rank; i++) {
		const struct view_axis *a = &s->axis[i];
		int length = 0;

		if (i != s->x && i != s->y && (a->len > 1 || all))
			length = asprintf(&specs[n], "%s=%lld", a->name, (long long)a->at);
		else if (a->to - a->from < a->len)
			length = asprintf(&specs[n], "%s=%lld:%lld", a->name, (long long)a->from,
			    (long long)a->to);
		n += length > 0;
	}
	return n;
}

void
view_slice_free_specs(char *specs[], int n)
{
	for (int i = 0; i < n; i++)
		free(specs[i]);
}

struct axt_expr *
view_slice_tensor(struct axt_graph *g, const struct view_slice *s)
{
	char *specs[AXT_MAX_RANK];
	int n = view_slice_specs(s, specs, true);
	struct axt_expr *e = cmd_open(g, s->operand, false);

	e = axt_slices(g, e, (const char *const *)specs, n, false);
	view_slice_free_specs(specs, n);
	return e;
}

int64_t
view_slice_count(const struct view_slice *s)
{
	int64_t n = 1;

	/* of two axes at most, which are in one file */
	for (int i = 0; i < s->rank; i++)
		if (i == s->x || i == s->y)
			n *= s->axis[i].to - s->axis[i].from;
	return n;
}

void
view_slice_tell(const struct view_slice *s, char *out, size_t size)
{
	struct axt_graph *g = view_graph();
	struct axt_expr *e = cmd_open(g, s->operand, false);
	size_t n = 0;

	*out = '\0';
	for (int i = 0; i < s->rank && n < size; i++) {
		const struct view_axis *a = &s->axis[i];
		const char *c = axt_index_text(g, e, i, a->at);
		char index[24];

		if (i == s->x || i == s->y || a->len == 1 || !c)
			continue;
		snprintf(index, sizeof(index), "%lld", (long long)a->at);
		n += (size_t)snprintf(out + n, size - n, "%s%s=%s%s%s%s of %lld  ",
		    i == s->step ? "> " : "", cmd_name(a->name), index,
		    strcmp(c, index) == 0 ? "" : " (", strcmp(c, index) == 0 ? "" : c,
		    strcmp(c, index) == 0 ? "" : ")", (long long)a->len);
	}
	if (n < size)
		snprintf(out + n, size - n, "%s  ?: keys", cmd_name(s->operand));
	view_failed(g);
	axt_graph_free(g);
}
