/* view_stats.c - statistics of what axt-view shows, and the range of a whole tensor. */
#include <stdlib.h>
#include <string.h>

#include "view.h"

#define MOST 5

/* Runs reductions of e in one pass. value[i] gets the text of each. */
static bool
reduce(struct axt_graph *g, struct axt_expr *e, const enum axt_red op[], int n, char value[][40])
{
	struct axt_expr *y[MOST];
	struct axt_print_opts o = { .out = NULL };
	char *text = NULL, *line, *next = NULL;
	size_t size = 0;
	int k = 0;

	for (int i = 0; i < n; i++)
		y[i] = axt_reduce(g, op[i], e, &(struct axt_reduce_opts){ .nan = 1 });
	for (int i = 0; i < n; i++)
		y[i] = axt_set_name(g, y[i], (const char[]){ (char)('a' + i), '\0' });
	o.out = open_memstream(&text, &size);
	if (!o.out)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_print(g, y, n, &o);
	if (o.out)
		fclose(o.out);
	/* a line for each: its name, a tab, the value */
	for (line = text ? strtok_r(text, "\n", &next) : NULL; line && k < n;
	     line = strtok_r(NULL, "\n", &next)) {
		const char *tab = strchr(line, '\t');

		snprintf(value[k++], 40, "%s", tab ? tab + 1 : line);
	}
	free(text);
	return !view_failed(g) && k == n;
}

void
view_stats_tell(const struct view_slice *s)
{
	static const enum axt_red op[] = { AXT_RED_MIN, AXT_RED_MAX, AXT_RED_MEAN, AXT_RED_STD,
		AXT_RED_COUNT };
	struct axt_graph *g = view_graph();
	struct axt_expr *e = view_slice_tensor(g, s);
	int64_t all = view_slice_count(s), count;
	char v[MOST][40];

	if (reduce(g, e, op, MOST, v) && axt_parse_int(v[4], 0, all, &count))
		view_say("min %s  max %s  mean %s  std %s  missing %lld of %lld", v[0], v[1], v[2],
		    v[3], (long long)(all - count), (long long)all);
	axt_graph_free(g);
}

bool
view_stats_range(struct view_slice *s)
{
	static const enum axt_red op[] = { AXT_RED_MIN, AXT_RED_MAX };
	struct axt_graph *g = view_graph();
	char v[MOST][40];

	if (reduce(g, cmd_open(g, s->operand, false), op, 2, v)) {
		s->lo = strtod(v[0], NULL);
		s->hi = strtod(v[1], NULL);
		s->whole = s->lo < s->hi && s->hi - s->lo < 1e308;
		if (s->whole)
			view_say("the range is that of the whole tensor, %s to %s", v[0], v[1]);
		else
			view_say("the whole tensor has no range: %s to %s", v[0], v[1]);
	}
	axt_graph_free(g);
	return s->whole;
}
