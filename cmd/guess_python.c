/*
 * guess_python.c - parts of tensors as Python has them: slices, isel and sel of xarray, and
 * positions in brackets without names of axes.
 */
#include <string.h>

#include "guess.h"

/* Copies what stands between the brackets of a spec, with ":" for "," in slice(...). */
static char *
unbracket(char *out, const char **from)
{
	const char *p = *from;
	bool range = strncmp(p, "slice(", 6) == 0 || strncmp(p, "range(", 6) == 0;

	p += range ? 6 : 1;
	for (; *p && !strchr(")]", *p); p++)
		if (strncmp(p, "None", 4) == 0)
			p += 3;
		else if (!strchr(" \"'", *p))
			*out++ = range && *p == ',' ? ':' : *p;
	*from = p + (*p != '\0');
	return out;
}

const char *
guess_python_specs(void)
{
	const struct cmd_list *a = &cmd_st.args;
	bool changed = false;
	char text[1024];

	if (!(cmd_st.c->flags & CMD_SPECS) && strcmp(cmd_st.c->name, "axt-interp") != 0)
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++) {
		const char *p = a->v[i], *sign;
		char *out = text;

		if (strlen(p) >= sizeof(text) / 2)
			return NULL;
		while (*p) {
			if ((strncmp(p, "slice(", 6) == 0 || strncmp(p, "range(", 6) == 0 ||
				*p == '[') &&
			    p > a->v[i] && strchr("=@", p[-1])) {
				out = unbracket(out, &p);
				changed = true;
				continue;
			}
			sign = *p == ',' ? strpbrk(p + 1, ",=@") : NULL;
			if (sign && *sign != ',' && sign > p + 1 && strpbrk(a->v[i], "=@") < p) {
				*out = '\0';
				guess_put(text, true);
				out = text;
				changed = true;
			} else {
				*out++ = *p;
			}
			p++;
		}
		*out = '\0';
		guess_put(text, true);
	}
	return changed ? guess_end(a->n, -1) : NULL;
}

/* Adds the parts that are arguments of isel(...) and sel(...), and then `--nearest`. */
static bool
put_arguments(const char *p, bool at, bool *nearest)
{
	char spec[600];

	for (p += strcspn(p, "(") + 1; *p && *p != ')'; p += strspn(p, ", )")) {
		size_t name = strcspn(p, "=");
		char *out = spec;

		if (!p[name] || name == 0 || name > 200 || memchr(p, ' ', name))
			return false;
		if (strncmp(p, "method=", 7) == 0 || strncmp(p, "tolerance=", 10) == 0) {
			*nearest = *nearest || *p == 'm';
			p += strcspn(p, ",)");
			continue;
		}
		out += snprintf(spec, sizeof(spec), "%.*s%c", (int)name, p, at ? '@' : '=');
		p += name + 1;
		p += strspn(p, " ");
		if (strncmp(p, "slice(", 6) == 0 || strncmp(p, "range(", 6) == 0 || *p == '[') {
			if (strlen(p) > sizeof(spec) / 2)
				return false;
			out = unbracket(out, &p);
		} else {
			for (; *p && !strchr(",)", *p) && out < spec + sizeof(spec) - 1; p++)
				if (!strchr(" \"'", *p))
					*out++ = *p;
		}
		*out = '\0';
		guess_put(spec, true);
	}
	return true;
}

const char *
guess_called_slices(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	bool any = false, nearest = false;

	if (!(cmd_st.c->flags & CMD_SPECS) || !strstr(error, "axis name \""))
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++) {
		const char *w = a->v[i] + (*a->v[i] == '.');
		bool isel = strncmp(w, "isel(", 5) == 0 || strncmp(w, "iloc(", 5) == 0;

		if (!isel && strncmp(w, "sel(", 4) != 0 && strncmp(w, "loc(", 4) != 0) {
			guess_put(a->v[i], true);
			continue;
		}
		if (!put_arguments(w, !isel, &nearest))
			return NULL;
		any = true;
	}
	if (nearest && guess_has_option("nearest"))
		guess_put("--nearest", true);
	return any ? guess_end(a->n, -1) : NULL;
}

/* Adds the parts that positions such as "0:10,:" and "[...,0]" mean of the operand's axes. */
static bool
put_positions(const char *p, const char *operand)
{
	struct axt_graph *g = axt_graph_new();
	const struct axt_expr *e = g ? axt_open(g, operand, NULL) : NULL;
	int rank = e ? axt_expr_rank(e) : 0, k = 0, n = 1;
	char spec[400];
	bool good = rank > 0;

	p += *p == '[';
	for (const char *q = p; *q && *q != ']'; q++)
		n += *q == ',';
	for (; good && *p && *p != ']'; k++) {
		size_t len = strcspn(p, ",]");

		if (strncmp(p, "...", 3) == 0)
			k = rank - n + k;
		else if (k >= rank || k < 0 || len == 0 || strspn(p, "0123456789:- ") < len)
			good = false;
		else if (len > 1 || *p != ':') {
			snprintf(spec, sizeof(spec), "%s=%.*s", axt_expr_axis(e, k), (int)len, p);
			guess_put(spec, true);
		}
		p += len;
		p += *p == ',';
	}
	axt_graph_free(g);
	return good && n <= rank + 1;
}

/* Begins the line for "lat[10:20]", a part of an axis of the operand. */
static bool
guess_axis_part(const char *word, const char *operand)
{
	char name[200], part[512];
	int n = (int)strcspn(word, "["), len = (int)strcspn(word + n, "]") - 1;

	snprintf(name, sizeof(name), "%.*s", n, word);
	if (n == 0 || len < 1 || strchr(word, ',') || !guess_has_axis(operand, name))
		return false;
	snprintf(part, sizeof(part), "%s=%.*s", name, len, word + n + 1);
	guess_from("axt-slice");
	guess_put(part, true);
	guess_put(operand, true);
	return true;
}

const char *
guess_positions(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	char operand[2048];
	bool slice = strcmp(cmd_st.c->name, "axt-slice") == 0;

	for (int i = 0; i < a->n; i++) {
		const char *open = strchr(a->v[i], '['), *at = open ? open : a->v[i];
		bool file = open &&
		    (snprintf(operand, sizeof(operand), "%.*s", (int)(open - a->v[i]), a->v[i]),
			guess_is_file(operand));

		if (strpbrk(at, "=@") || strspn(at, "[]0123456789:-., ") != strlen(at) ||
		    !strpbrk(at, ",["))
			continue;
		if (!file) {
			if (!slice || a->n != 2 || i != 0 || !guess_is_file(a->v[1]) ||
			    !strstr(error, " is not AXIS=..."))
				continue;
			snprintf(operand, sizeof(operand), "%s", a->v[1]);
			if (open > a->v[i] && !strchr(operand, ':')) {
				char name[200];

				snprintf(name, sizeof(name), "%.*s", (int)(open - a->v[i]),
				    a->v[i]);
				if (guess_has_tensor(a->v[1], name))
					snprintf(operand, sizeof(operand), "%s:%s", a->v[1], name);
			}
			if (open > a->v[i] && guess_axis_part(a->v[i], a->v[1]))
				return guess_end(a->n, -1);
		}
		guess_from("axt-slice");
		if (!put_positions(at, operand))
			return NULL;
		guess_put(operand, true);
		if (slice && !file)
			return guess_end(a->n, -1);
		guess_put(" | ", false);
		guess_put(cmd_st.c->name, false);
		for (int k = 0; k < a->n; k++)
			guess_put(k == i ? "-" : a->v[k], true);
		return guess_end(a->n, -1);
	}
	return NULL;
}

const char *
guess_pairs(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	char text[600];

	if (!strstr(error, " is not AXIS=BEFORE,AFTER"))
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++) {
		size_t n = 0;

		if (strlen(a->v[i]) >= sizeof(text) || guess_is_file(a->v[i])) {
			guess_put(a->v[i], true);
			continue;
		}
		for (const char *p = a->v[i]; *p; p++)
			if (!strchr("()[] ", *p))
				text[n++] = *p == ':' ? ',' : *p;
		text[n] = '\0';
		if (strspn(text + strcspn(text, "="), "=,0123456789") + strcspn(text, "=") < n)
			return NULL;
		guess_put(text, true);
	}
	return guess_end(a->n, -1);
}
