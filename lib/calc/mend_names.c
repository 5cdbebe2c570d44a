/* mend_names.c - rules for datasets in groups, fields of dates and coordinates of parts. */
#include <stdio.h>

#include "axt_cmd.h"
#include "calc/mend.h"
#include "cf/cf.h"

#define is axt_mend_is
#define put axt_mend_put
#define text axt_mend_text

/* The operand whose path ends with these tokens, joined by "/"; NULL: there is none, or several. */
static const char *
path_of(const struct axt_mend *m, const char *words)
{
	const char *found = NULL;
	size_t n = strlen(words);

	for (const struct axt_calc_name *x = m->c->names; x; x = x->next) {
		size_t len = strlen(x->name);

		if (x->name[0] != '/' || len < n + 1 || strcmp(x->name + len - n, words) != 0 ||
		    x->name[len - n - 1] != '/')
			continue;
		if (len == n + 1)
			return x->name;
		found =
		    x->name; /* the first one that was given, as the list begins with the last */
	}
	return found;
}

/* group/t and group.t, which begin with no "/"; t, which is in a group only. */
static bool
in_group(struct axt_mend *m, int i)
{
	char words[500] = "";
	const char *best = NULL;
	size_t n = 0;
	int last = i;

	if (!axt_mend_is_name(m, i) || axt_mend_known(m, i) || is(m, i - 1, ".") ||
	    axt_mend_assigned(m, i) || (axt_mend_glued(m, i) && is(m, i - 1, "/")))
		return false;
	for (int k = i; axt_mend_is_name(m, k) && n + m->t[k].n + 2 < sizeof(words); k += 2) {
		n += (size_t)snprintf(words + n, sizeof(words) - n, "%s%.*s", k > i ? "/" : "",
		    (int)m->t[k].n, m->t[k].s);
		if (!is(m, k + 1, "(") && !is(m, k + 1, "=") && path_of(m, words)) {
			best = path_of(m, words);
			last = k;
		}
		if (!(is(m, k + 1, "/") || is(m, k + 1, ".")) || !axt_mend_glued(m, k + 1) ||
		    !axt_mend_glued(m, k + 2))
			break;
	}
	return best && put(m, i, last + 1, "%s", best);
}

/* `name`, as R has it. */
static bool
backquoted(struct axt_mend *m, int i)
{
	const struct axt_mend_token *t = axt_mend_at(m, i);
	int k = i + 1;

	if (!is(m, i, "`"))
		return false;
	while (k < m->n && !is(m, k, "`"))
		k++;
	return k < m->n && k > i + 1 &&
	    put(m, i, k + 1, "\"%.*s\"", (int)(m->t[k].s - t->s) - 1, t->s + 1);
}

/* ds["tas"], ds.tas and ds$tas of a dataset that has no name here. */
static bool
of_dataset(struct axt_mend *m, int i)
{
	static const char names[] = "ds data dset dataset d f nc file df x xr self in";
	const char *w;
	int end;

	if (!axt_mend_is_name(m, i) || axt_mend_known(m, i) || axt_mend_assigned(m, i))
		return false;
	if (is(m, i + 1, "[") && axt_mend_at(m, i + 2)->quoted && is(m, i + 3, "]")) {
		w = axt_mend_word(m, i + 2);
		for (const struct axt_calc_name *x = m->c->names; x; x = x->next)
			if (strcmp(x->name, w) == 0 || path_of(m, w))
				return put(m, i, i + 4, "%s", path_of(m, w) ? path_of(m, w) : w);
		return false;
	}
	end = is(m, i + 1, ".") || is(m, i + 1, "$") ? i + 2 : i;
	return end > i && axt_word_index(names, m->t[i].s, m->t[i].n) >= 0 &&
	    axt_mend_known(m, end) && !is(m, end + 1, "(") &&
	    put(m, i, end + 1, "%s", text(m, end, end + 1));
}

/* time.dt.month, which xarray has, and month(time), year(time) and so on */
static bool
dates(struct axt_mend *m, int i)
{
	const char *w = axt_mend_is_name(m, i) ? axt_mend_word(m, i) : "";

	if (is(m, i, ".") && is(m, i + 1, "dt") && is(m, i + 2, ".") && axt_mend_is_name(m, i + 3))
		return put(m, i, i + 2, "%s", "");
	return axt_cffield_named(w) >= 0 && is(m, i + 1, "(") && axt_mend_is_name(m, i + 2) &&
	    is(m, i + 3, ")") && axt_mend_is_axis(m, axt_mend_word(m, i + 2)) &&
	    put(m, i, i + 4, "%s.%s", axt_mend_word(m, i + 2), w);
}

/* a.groupby("time.month") - b, where b has a value for each month */
static bool
grouped(struct axt_mend *m, int i)
{
	const char *w = is(m, i, ".") && is(m, i + 1, "groupby") && is(m, i + 2, "(") &&
		axt_mend_at(m, i + 3)->quoted && is(m, i + 4, ")")
	    ? axt_mend_word(m, i + 3)
	    : NULL;
	const char *dot = w ? strchr(w, '.') : NULL;
	int last;

	if (!dot || axt_cffield_named(dot + 1) < 0 || !axt_mend_ends(m, i - 1) ||
	    !(is(m, i + 5, "-") || is(m, i + 5, "+") || is(m, i + 5, "/") || is(m, i + 5, "*")) ||
	    !axt_mend_begins(m, i + 6))
		return false;
	last = axt_mend_last(m, i + 6);
	if (is(m, last + 1, ".")) /* a method that another rule changes first */
		return false;
	return put(m, i, last + 1, " %s take(%s, %s@%s)", text(m, i + 5, i + 6),
	    text(m, i + 6, last + 1), dot + 1, w);
}

/*
 * The coordinate of an axis of which a part of a tensor was taken: a[lat@0:30]*cos(lat) means
 * a[lat@0:30]*cos(lat[lat@0:30]).
 */
static bool
coordinate(struct axt_mend *m, int i)
{
	const char *w = axt_mend_is_name(m, i) ? text(m, i, i + 1) : "";
	int end = is(m, i + 1, ".") && axt_mend_is_name(m, i + 2) ? i + 2 : i;

	if (!*w || is(m, i - 1, ".") || is(m, i + 1, "=") || is(m, i + 1, "@") ||
	    is(m, i - 1, "@") || is(m, i - 1, "=") || is(m, end + 1, "[") || is(m, end + 1, "(") ||
	    !axt_mend_is_axis(m, w))
		return false;
	for (int k = 0; k + 1 < m->n; k++) {
		struct axt_mend_args a;

		if (!is(m, k, "[") || !axt_mend_args(m, k, &a) || (k < i && m->t[k].mate > i))
			continue;
		for (int j = 0; j < a.n; j++)
			if (is(m, a.from[j], w) &&
			    (is(m, a.from[j] + 1, "=") || is(m, a.from[j] + 1, "@")))
				return put(m, end, end + 1, "%s[%s]", text(m, end, end + 1),
				    text(m, a.from[j], a.to[j]));
	}
	return false;
}

/* speed == hypot(u, v), where no operand is called so: a result gets its name by "=". */
static bool
compared(struct axt_mend *m, int i)
{
	return i == 0 && axt_mend_is_name(m, i) && !axt_mend_known(m, i) &&
	    axt_mend_is(m, i + 1, "==") && axt_mend_put(m, i + 1, i + 2, "=");
}

axt_mend_rule *const axt_mend_names[] = {
	compared,
	backquoted,
	in_group,
	of_dataset,
	dates,
	grouped,
	NULL,
};

axt_mend_rule *const axt_mend_parts[] = {
	coordinate,
	NULL,
};
