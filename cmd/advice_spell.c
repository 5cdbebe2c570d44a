/*
 * advice_spell.c - turns one word, as other languages and people write it, into the word that axt
 * takes: specs, lists of axes, numbers, dtypes. Nothing here depends on the command.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "advice.h"

struct axt_graph *
advice_graph(void)
{
	static struct axt_graph *g;

	g = g ? g : axt_graph_new();
	if (!g)
		cmd_oom();
	return g;
}

/* AXIS and what is behind it, of lat<=0, lat[0:2], lat,-30,30, time:7, lat@[-60,30]. */
static size_t
sign_at(const char *w, const char **rest, char *sign)
{
	size_t n = strcspn(w, "=@<>[,:");
	const char *s = w + n;

	*sign = *s;
	if ((*s == '@' || *s == '=') && s[1] && strchr("<>", s[1]))
		*sign = s[1];
	*rest = s + (*s == '[' ? 0 : strspn(s, "=@<>,:"));
	return *s ? n : 0;
}

const char *
advice_spec(const char *word, int i)
{
	struct axt_graph *g = advice_graph();
	const char *rest, *in, *all[20], *axis, *colon;
	char sign;
	size_t n = sign_at(word, &rest, &sign);
	int k = 0;

	if (n == 0 || !*rest)
		return NULL;
	axis = advice_text("%.*s", (int)n, word);
	in = axt_respell_spec(g, rest, AXT_SPEC_WORDS);
	colon = strchr(rest, ':');
	all[k++] = axt_respell_field(g, axis, axt_respell_list(g, rest));
	if (sign == '<' || sign == '>') {
		all[k++] = advice_text(sign == '<' ? "%s@:%s" : "%s@%s:", axis, in);
	} else {
		bool at = strpbrk(rest, "./-") || strncmp(rest, "20", 2) == 0 || sign == '@';
		bool list = sign == '=' && !strpbrk(rest, ".-"); /* positions are meant as typed */
		unsigned as = AXT_SPEC_WORDS | (list ? 0 : AXT_SPEC_PAIRS);

		for (int how = 0; how < 2; how++) {
			const char *s = (how == 0) == at ? "@" : "=";
			const char *first = axt_respell_spec(g, rest, as | AXT_SPEC_MONTH_FIRST);

			all[k++] = advice_text("%s%s%s", axis, s, axt_respell_spec(g, rest, as));
			all[k++] = advice_text("%s%s%s", axis, s, first);
			all[k++] = advice_text("%s%s%s", axis, s, in);
			all[k++] = advice_text("%s%s%s", axis, s, axt_respell_list(g, rest));
		}
		if (strcasecmp(rest, "last") == 0 || strcasecmp(rest, "first") == 0)
			all[k++] = advice_text("%s=%d", axis, strcasecmp(rest, "last") ? 0 : -1);
		all[k++] = advice_text("%s=w:%s", axis, in);
		if (colon)
			all[k++] = advice_text("%s=%.*s,%s", axis, (int)(colon - rest), rest,
			    colon + 1);
	}
	for (int j = 0; j < k; j++)
		if (all[j] && strcmp(all[j], word) != 0 && i-- == 0)
			return all[j];
	return NULL;
}

const char *
advice_hyperslab(const char *typed)
{
	const char *part[4] = { "", "", "", "" }, *hi;
	char *rest = advice_copy(typed);
	bool at = false;
	int n = 0;

	while (n < 4 && rest)
		part[n++] = strsep(&rest, ",");
	/* coordinates have a point, are dates, or go from a negative number to a positive one */
	for (int k = 1; k < n; k++)
		at = at || strchr(part[k], '.') || strchr(part[k] + (*part[k] != '\0'), '-');
	hi = part[2];
	at = at || (*part[1] == '-' && *hi && *hi != '-');
	if (!at && *hi)
		hi = atoll(hi) == -1 ? "" : advice_text("%lld", atoll(hi) + 1);
	return advice_text("%s%s%s%s%s%s%s", part[0], at ? "@" : "=", part[1], n > 2 ? ":" : "", hi,
	    n > 3 ? ":" : "", part[3]);
}

const char *
advice_axes(const struct advice_file *f, const char *word)
{
	const char *s = axt_respell_list(advice_graph(), word), *out = "", *name;
	size_t n = s ? strcspn(s, "=") : 0;

	if (s && s[n] && axt_has_word("axis axes dim dims", advice_text("%.*s", (int)n, s)))
		s += n + 1; /* axis=0 */
	for (s = s ? s + strspn(s, ",:+;= ") : ""; *s; s += n, s += strspn(s, ",:+;= ")) {
		char *end;
		long at;

		n = strcspn(s, ",:+;= ");
		name = advice_text("%.*s", (int)n, s);
		at = strtol(name, &end, 10);
		if (!*end && at < f->axes.n && at >= -f->axes.n)
			name = f->axes.v[at < 0 ? at + f->axes.n : at];
		else if (!advice_has(&f->axes, name) && strcmp(name, word) != 0)
			name = advice_axis(f, name);
		if (!name)
			return NULL;
		out = advice_text("%s%s%s", out, *out ? "," : "", name);
	}
	return *out && strcmp(out, word) != 0 ? out : NULL;
}

const char *
advice_number(const struct advice_file *f, const char *word)
{
	char *end, *text = advice_copy(word), *comma = strchr(text, ',');
	double x;

	if (!isdigit((unsigned char)word[*word == '-' || *word == '+']))
		return NULL;
	if (comma && !strchr(comma + 1, ','))
		*comma = '.';
	x = strtod(text, &end);
	if (end == text || (!*end && !comma))
		return NULL;
	if (strcmp(end, "%") == 0)
		return advice_text("%.10g", x / 100);
	if (*end == '/' && strtod(end + 1, NULL) != 0)
		return advice_text("%.10g", x / strtod(end + 1, NULL));
	if (*end) /* a unit */
		return f ? axt_respell_measure(advice_graph(), word, f->units) : NULL;
	return advice_text("%s", text);
}

const char *
advice_dtype(const char *word)
{
	return axt_respell_dtype(advice_graph(), word);
}
