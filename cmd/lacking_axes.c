/*
 * lacking_axes.c - axes that some tensors of FILE:* lack. The command line names axes in parts,
 * which are words AXIS... or items of a list; each tensor is done by the parts whose axes it has.
 * An axis that no tensor has is an error, and so is one that a single tensor lacks.
 */
#include <stdlib.h>
#include <string.h>

#include "axt_operation.h"
#include "priv.h"

#define PARTS 64

/*
 * While the tensors of a file are done one after another, without[i] counts the tensors that lack
 * the axis of part i, and `all` is 0. Afterwards `all` is the number of tensors if every one of
 * them lacked the axis of the same part. The first tensor is then done again with that part, so
 * that the usual error is made.
 */
static struct {
	bool on;
	int without[PARTS], all;
} parts;

void
cmd_lacking_begin(bool several)
{
	memset(&parts, 0, sizeof(parts));
	parts.on = several;
}

bool
cmd_lacking_end(int n)
{
	for (int i = 0; i < PARTS; i++)
		if (n > 0 && parts.without[i] >= n)
			parts.all = n;
	return parts.all > 0;
}

bool
cmd_skips(struct axt_graph *g, int part)
{
	if (!parts.on || part >= PARTS || !axt_graph_lacks_axis(g))
		return false;
	if (part >= 0 && parts.all > 0 && parts.without[part] >= parts.all)
		return false;
	axt_graph_clear(g);
	if (part >= 0)
		parts.without[part]++;
	return true;
}

int
cmd_keep(struct axt_graph *g, struct axt_expr *a, const char **part, int n, cmd_part_fn *one)
{
	const char **kept = n > 1 ? calloc((size_t)n, sizeof(*kept)) : NULL;
	int k = 0;

	for (int i = 0; kept && i < n; i++) {
		one(g, a, part[i]);
		if (!cmd_skips(g, i))
			kept[k++] = part[i];
		axt_graph_clear(g);
	}
	if (k > 0)
		memcpy(part, kept, (size_t)k * sizeof(*kept));
	free(kept);
	return k > 0 ? k : n;
}

/* Cuts the list at its commas, of which those behind a backslash belong to names; how many. */
static int
cut(char *list, const char **out)
{
	int n = 0;

	for (char *s = list; s; n++) {
		out[n] = s;
		while (*s && *s != ',')
			s += *s == '\\' && s[1] ? 2 : 1;
		if (*s)
			*s++ = '\0';
		else
			s = NULL;
	}
	return n;
}

/* The parts of the list whose axes the tensor has, with commas between them. Free it. */
static char *
kept_of(struct axt_graph *g, struct axt_expr *a, const char *list, cmd_part_fn *one)
{
	size_t len = strlen(list);
	const char **part = calloc(len + 1, sizeof(*part));
	char *copy = strdup(list), *out = calloc(len + 1, 1);
	int n;

	if (!part || !copy || !out)
		cmd_oom();
	n = cmd_keep(g, a, part, cut(copy, part), one);
	for (int i = 0; i < n; i++) {
		strcat(out, i ? "," : "");
		strcat(out, part[i]);
	}
	free(part);
	free(copy);
	return out;
}

struct axt_expr *
cmd_listed(struct axt_graph *g, struct axt_expr *a, const char *list, cmd_part_fn *all)
{
	struct axt_expr *y = all(g, a, list);
	char *kept;

	if (!strchr(list, ',') || !cmd_skips(g, -1))
		return y;
	kept = kept_of(g, a, list, all);
	y = all(g, a, kept);
	free(kept);
	return y;
}
