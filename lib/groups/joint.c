/*
 * joint.c - groups by several things at once, such as years and seasons. The reduction has one
 * axis, with a group for each combination; this axis is then split into one for each thing.
 */
#include <limits.h>
#include <unistd.h>

#include "groups/groups.h"

#define JOINT "axt_joint" /* the name of that axis, which no result shows */

int
axt_groups_join(struct axt_graph *g, const struct axt_groups *part, int n, struct axt_groups *out)
{
	struct axt_expr *of = NULL;
	int64_t len = 1;

	for (int k = 0; k < n; k++) {
		int64_t own = part[k].axis.len;
		struct axt_expr *none, *all;

		if (!axt_mul(len, own, &len) || len > MIN(INT32_MAX, g->memory / 64))
			return axt_fail(&g->err, AXT_E_LIMIT,
			    "the combinations of %d groupings are too many for the memory bound",
			    n);
		if (axt_bad(part[k].of))
			return axt_fail(&g->err, AXT_E_ARG, "there are no groups");
		if (k == 0) {
			of = part[k].of;
			continue;
		}
		none = axt_map2(g, AXT_OP_LT, axt_map2(g, AXT_OP_MINIMUM, of, part[k].of),
		    axt_const(g, AXT_I32, 0));
		all = axt_map2(g, AXT_OP_ADD,
		    axt_map2(g, AXT_OP_MUL, of, axt_const(g, AXT_I32, (double)own)), part[k].of);
		of = axt_where(g, none, axt_const(g, AXT_I32, -1), all);
	}
	*out = (struct axt_groups){ .of = of,
		.axis = { .name = JOINT, .len = len, .from = part[0].axis.from },
		.place = -1 };
	return axt_bad(of) ? (int)g->err.code : 0;
}

/* The index of the axis among those of the groupings, or -1. */
static int
part_named(const struct axt_groups *part, int n, const struct axt_axis *x)
{
	int k = n - 1;

	while (k >= 0 && (part[k].axis.level != x->level || strcmp(part[k].axis.name, x->name)))
		k--;
	return k;
}

int
axt_groups_to(struct axt_graph *g, const struct axt_groups *part, int n, const char *to,
    const char **rest)
{
	int kept[AXT_MAX_RANK], nkept = 0;
	struct axt_axes x;

	*rest = to;
	if (!to)
		return 0;
	if (axt_axes_parse(g->m, to, false, &x, NULL, &g->err))
		return g->err.code;
	for (int i = 0; i < x.n; i++)
		if (part_named(part, n, &x.a[i]) < 0)
			kept[nkept++] = i;
	*rest = axt_axes_typed(g->m, &x, kept, nkept);
	return *rest ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The axes of e in the order of `to`; groupings that it does not name stay where they are. */
static struct axt_expr *
ordered(struct axt_graph *g, struct axt_expr *e, const struct axt_groups *part, int n,
    const char *to)
{
	struct axt_axes x;
	int met = 0;

	if (!to || axt_bad(e))
		return e;
	if (axt_axes_parse(g->m, to, false, &x, NULL, &g->err))
		return axt_node_failed(g);
	for (int i = 0; i < x.n; i++)
		met += part_named(part, n, &x.a[i]) >= 0;
	return met == 0 ? e
	    : met == n  ? axt_order(g, e, to)
			: axt_order(g, e, axt_sprintf(g->m, "%s,...", to));
}

struct axt_expr *
axt_groups_apart(struct axt_graph *g, struct axt_expr *e, const struct axt_groups *part, int n,
    const char *to)
{
	struct axt_buf spec = { 0 };
	const char *from = axt_bad(e) ? "" : e->from, *text;
	struct axt_expr *y;

	axt_buf_adds(&spec, JOINT);
	for (int k = 0; k < n; k++) {
		struct axt_axes one = { .n = 1, .a = { part[k].axis } };
		const char *name = axt_axes_typed(g->m, &one, axt_identity, 1);

		axt_buf_addf(&spec, "%s%s:%lld", k ? "," : "=", name ? name : "",
		    (long long)part[k].axis.len);
	}
	text = axt_buf_text(g->m, &spec);
	y = text ? axt_unflatten(g, e, text) : axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (axt_bad(y))
		return y;
	for (int i = 0; i < y->axes.n; i++) {
		int k = part_named(part, n, &y->axes.a[i]);

		if (k >= 0)
			y->axes.a[i] = part[k].axis;
	}
	y->from = from;
	return ordered(g, y, part, n, to);
}

struct axt_expr *
axt_labels_joined(struct axt_graph *g, struct axt_expr *const by[], int n)
{
	struct axt_labels *l = axt_alloc(g->m, sizeof(*l)), *one;
	const char *from = by[0]->from;

	if (!l || !(l->part = axt_alloc(g->m, (size_t)n * sizeof(*l->part))))
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	for (int k = 0; k < n; k++) {
		if (!(one = axt_labels_known(g, by[k], false)))
			return axt_node_failed(g);
		if (part_named(l->part, k, &one->groups.axis) >= 0) {
			axt_fail(&g->err, AXT_E_AXES,
			    "two tensors of labels are named \"%s\": %s and %s",
			    axt_escape(g->m, one->groups.axis.name),
			    l->part[part_named(l->part, k, &one->groups.axis)].axis.from,
			    by[k]->from);
			axt_about(&g->err, AXT_TWICE, one->groups.axis.name, by[k]->from);
			return axt_node_failed(g);
		}
		l->part[k] = one->groups;
		if (k > 0 && strcmp(by[k]->from, by[k - 1]->from) != 0)
			from = axt_sprintf(g->m, "%s and %s", from, by[k]->from);
	}
	l->nparts = n;
	if (axt_groups_join(g, l->part, n, &l->groups))
		return axt_node_failed(g);
	if (axt_count(l->groups.of) * (int64_t)sizeof(int32_t) <= g->memory / 2)
		l->groups.of = axt_groups_in_memory(g, l->groups.of);
	if (axt_bad(l->groups.of) || !from)
		return axt_node_failed(g);
	l->groups.of->from = from;
	l->by = l->groups.of;
	l->next = g->labels;
	g->labels = l;
	return l->groups.of;
}

/* Whether the word is a list of labels, and not a file whose name has a comma. */
static bool
is_list(const char *word)
{
	const char *colon = strrchr(word, ':'), *comma = strchr(word, ',');
	char path[PATH_MAX];

	if (!comma || access(word, F_OK) == 0)
		return false;
	snprintf(path, sizeof(path), "%.*s", (int)(colon ? colon - word : 0), word);
	return !(colon && comma < colon && access(path, F_OK) == 0);
}

struct axt_expr *
axt_labels_of(struct axt_graph *g, struct axt_expr *a, const char *word,
    const struct axt_open_opts *o)
{
	struct axt_expr *by[AXT_MAX_RANK];
	const char *file = NULL, *colon;
	char *list, *s;
	int n = 0, at;

	if (axt_refused(g, a))
		return axt_node_failed(g);
	if (!is_list(word))
		return axt_labels_one(g, a, word, o);
	list = axt_strdup(g->m, word);
	while (list && (s = strsep(&list, ","))) {
		if (n == AXT_MAX_RANK)
			return axt_graph_fail(g, AXT_E_LIMIT, "more than %d tensors of labels", n);
		if (*s == '\0') {
			axt_fail(&g->err, AXT_E_SYNTAX,
			    "a list of labels has an empty part: \"%s\"", axt_escape(g->m, word));
			axt_about(&g->err, AXT_BAD_VALUE, word, "by");
			return axt_node_failed(g);
		}
		colon = strrchr(s, ':');
		if (colon)
			file = axt_strndup(g->m, s, (size_t)(colon - s));
		/* "FILE:a,b" names two datasets of one file, as it does where operands are named */
		else if (file && access(s, F_OK) != 0 && axt_axes_field(g->m, &a->axes, s, &at) < 0)
			s = (char *)(uintptr_t)axt_sprintf(g->m, "%s:%s", file, s);
		by[n] = s ? axt_labels_one(g, a, s, o) : NULL;
		if (axt_bad(by[n++]))
			return axt_node_failed(g);
	}
	return n ? axt_labels_joined(g, by, n) : axt_graph_fail(g, AXT_E_MEM, "out of memory");
}
