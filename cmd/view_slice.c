/* view_slice.c - which part of a tensor axt-view shows: two axes, and an index of each other. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

/* The two last axes of more than one index are drawn, and keys step along the first other one. */
static void
choose(struct view_slice *s)
{
	for (int i = s->rank - 1; i >= 0; i--)
		if (s->axis[i].len == 1)
			continue;
		else if (s->x < 0)
			s->x = i;
		else if (s->y < 0)
			s->y = i;
	for (int i = s->rank - 1; i >= 0; i--)
		if (i != s->x && i != s->y && s->axis[i].len > 1)
			s->step = i;
}

bool
view_slice_open(struct view_slice *s, const char *operand)
{
	struct axt_graph *g = view_graph();
	struct axt_expr *e = cmd_open(g, operand, false);

	*s = (struct view_slice){ .x = -1, .y = -1, .step = -1, .colors = -1, .means = -1 };
	if (!view_failed(g)) {
		s->operand = strdup(operand);
		s->rank = axt_expr_rank(e);
		for (int i = 0; i < s->rank; i++) {
			s->axis[i].name = strdup(axt_expr_axis(e, i));
			s->axis[i].len = axt_expr_len(e, i);
			if (!s->axis[i].name || !s->operand)
				axt_graph_fail(g, AXT_E_MEM, "out of memory");
		}
		choose(s);
	}
	if (view_failed(g)) {
		view_slice_free(s);
		axt_graph_free(g);
		return false;
	}
	axt_graph_free(g);
	return true;
}

void
view_slice_free(struct view_slice *s)
{
	free(s->operand);
	for (int i = 0; i < s->rank; i++)
		free(s->axis[i].name);
	*s = (struct view_slice){ .operand = NULL };
}

int
view_slice_specs(const struct view_slice *s, char *specs[])
{
	int n = 0;

	for (int i = 0; i < s->rank; i++)
		if (i != s->x && i != s->y && s->axis[i].len > 1 &&
		    asprintf(&specs[n], "%s=%lld", s->axis[i].name, (long long)s->axis[i].at) > 0)
			n++;
	return n;
}

void
view_slice_free_specs(char *specs[], int n)
{
	for (int i = 0; i < n; i++)
		free(specs[i]);
}
