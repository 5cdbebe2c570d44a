/* advice_parts.c - edits of specs: parts of tensors as other languages and tools write them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "advice_edits.h"

/* Offers the line with `specs` selected first from operand `at`, which is piped to it. */
static void
offer_part(const struct advice_line *l, int at, const char *operand,
    const struct advice_line *specs, double cost)
{
	struct advice_line c = *l, *one = advice_words("axt-slice", NULL);

	if (l->from || specs->n == 0)
		return;
	for (int i = 0; i < specs->n; i++)
		advice_insert(one, one->n, ADVICE_OPERAND, specs->v[i]);
	advice_insert(one, one->n, ADVICE_OPERAND, operand);
	c.v[at] = "-";
	c.from = one;
	advice_offer(l, &c, cost);
}

/* Offers the line with specs in place of word i. */
static void
offer_specs(const struct advice_line *l, int i, const struct advice_line *specs, double cost)
{
	struct advice_line c = *l;

	advice_drop(&c, i, 1);
	for (int k = 0; k < specs->n; k++)
		advice_insert(&c, i + k, ADVICE_OPERAND, specs->v[k]);
	if (specs->n > 0)
		advice_offer(l, &c, cost);
}

/* Adds what stands between brackets as specs: lat=0,lon=0:2, or positions of the axes. */
static void
read_subscript(const char *s, const struct advice_file *f, struct advice_line *specs)
{
	for (int k = 0; *s && *s != ']'; k++) {
		size_t n = strcspn(s, ",]");
		const char *one = advice_text("%.*s", (int)n, s);

		if (strncmp(one, "...", 3) == 0)
			k = f->axes.n - 2;
		else if (strpbrk(one, "=@"))
			advice_insert(specs, specs->n, ADVICE_OPERAND, one);
		else if (k < f->axes.n && strcmp(one, ":") != 0)
			advice_insert(specs, specs->n, ADVICE_OPERAND,
			    advice_text("%s=%s", f->axes.v[k], one));
		s += n + (s[n] == ',');
		s += strspn(s, " ");
	}
}

/* Offers FILE[0,:], FILE:TENSOR[lat=0] and TENSOR[0:10] as a part that is selected. */
void
edit_subscript(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *w = l->v[i], *open = strchr(w, '[');
		const char *operand = open ? advice_text("%.*s", (int)(open - w), w) : "";
		bool whole = advice_is_file(operand);
		const struct advice_file *f = whole ? advice_look(operand) : advice_first_file(l);
		struct advice_line specs = { .n = 0 }, c = *l;
		int file = f ? advice_find(l, 1, ADVICE_OPERAND, f->word) : -1;

		if (!open || l->part[i] != ADVICE_OPERAND || !f ||
		    (!whole && (file < 0 || (*operand && !advice_has(&f->tensor, operand)))))
			continue;
		read_subscript(open + 1, f, &specs);
		if (whole && !advice_takes_specs()) {
			offer_part(l, i, operand, &specs, MOVED);
			continue;
		}
		if (whole)
			advice_insert(&specs, specs.n, ADVICE_OPERAND, operand);
		else if (*operand)
			c.v[file] = advice_text("%s:%s", l->v[file], operand);
		offer_specs(&c, i, &specs, MOVED);
	}
}

/* Offers NAME=VALUE as an option, of here or of another tool, where no axis has that name. */
void
edit_named_option(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);

	for (int i = 1; f && i < l->n; i++) {
		const char *eq = strchr(l->v[i], '='), *name, *ours;
		struct advice_line c = *l;
		bool known;

		if (l->part[i] != ADVICE_OPERAND || !eq || eq == l->v[i])
			continue;
		name = advice_text("%.*s", (int)(eq - l->v[i]), l->v[i]);
		known = advice_option_called(name) != NULL;
		for (int k = 0; !known && (ours = axt_foreign_option(name, k)); k++)
			known = advice_option_called(ours) != NULL;
		if (!known || advice_has(&f->axes, name))
			continue;
		c.v[i] = advice_text("--%s", name);
		c.part[i] = ADVICE_OPTION;
		advice_insert(&c, i + 1, ADVICE_VALUE, eq + 1);
		advice_offer(l, &c, SPELLED);
	}
}

/* Offers the words that are specs as what is selected of the file first. */
void
edit_slice_first(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	struct advice_line specs = { .n = 0 }, c = *l;
	int file;

	for (int i = 1; f && i < c.n; i++) {
		size_t n = strcspn(c.v[i], "=@");

		if (c.part[i] != ADVICE_OPERAND || !c.v[i][n] ||
		    !advice_has(&f->axes, advice_text("%.*s", (int)n, c.v[i])))
			continue;
		advice_insert(&specs, specs.n, ADVICE_OPERAND, c.v[i]);
		advice_drop(&c, i--, 1);
	}
	file = f ? advice_find(&c, 1, ADVICE_OPERAND, f->word) : -1;
	if (file > 0 && !advice_takes_specs())
		offer_part(&c, file, f->word, &specs, MOVED);
}

/* Offers -d NAME,LO,HI,STEP of NCO as specs. */
void
edit_hyperslab(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	struct advice_line c = *l;

	for (int i = 1; f && i + 1 < c.n; i++) {
		const char *v = c.v[i + 1];
		size_t n = strcspn(v, ",");

		if (strcmp(c.v[i], "-d") != 0 || !v[n] ||
		    !advice_has(&f->axes, advice_text("%.*s", (int)n, v)))
			continue;
		advice_drop(&c, i, 2);
		advice_insert(&c, 1, ADVICE_OPERAND, advice_hyperslab(v));
		i = 0;
	}
	if (c.n < l->n && advice_takes_specs())
		advice_offer(l, &c, SPELLED);
	else if (c.n < l->n)
		edit_slice_first(&c);
}

/* Offers isel(time=0, lat=slice(0, 5)) as specs. */
void
edit_called(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *s = strstr(l->v[i], "sel("), *end = strrchr(l->v[i], ')');
		bool at = s && (s == l->v[i] || s[-1] != 'i');
		struct advice_line c = *l;
		int to = i;

		if (!s || !end || l->part[i] != ADVICE_OPERAND)
			continue;
		advice_drop(&c, i, 1);
		for (s += 4; s < end; s++) {
			const char *from = s += strspn(s, " "), *rest = from + strcspn(from, "=");

			for (int depth = 0; s < end && (depth > 0 || *s != ','); s++)
				depth += (strchr("([", *s) != NULL) - (strchr(")]", *s) != NULL);
			if (strncmp(from, "method", 6) == 0)
				advice_insert(&c, c.n, ADVICE_OPTION, "--nearest");
			else if (rest < s)
				advice_insert(&c, to++, ADVICE_OPERAND,
				    advice_text("%.*s%s%s", (int)(rest - from), from,
					at ? "@" : "=",
					axt_respell_spec(advice_graph(),
					    advice_text("%.*s", (int)(s - rest - 1), rest + 1),
					    0)));
		}
		advice_offer(l, &c, SPELLED);
	}
}

const char *
advice_zipped(const char *w)
{
	const char *left = w, *right = strchr(w, '='), *end = right, *out = NULL;

	if (!right || strchr(right + 1, '=') || !memchr(w, ',', (size_t)(right - w)))
		return NULL;
	for (right++; left < end && *right; left++, right += *right == ',') {
		size_t n = strcspn(left, ",="), m = strcspn(right, ",");

		out = advice_text("%s%s%.*s=%.*s", out ? out : "", out ? "," : "", (int)n, left,
		    (int)m, right);
		left += n;
		right += m;
	}
	return left < end || *right ? NULL : out;
}

/*
 * Offers axt-order for "n y x -> x y n", and axt-flatten for "n y x -> n (y x)", as einops writes
 * another order of axes, and axes that become one.
 */
void
edit_arrow(const struct advice_line *l)
{
	for (int i = 1; i < l->n; i++) {
		const char *arrow = strstr(l->v[i], "->"), *open = strchr(l->v[i], '('), *to, *list;
		struct advice_line c = *l;

		if (!arrow || l->part[i] != ADVICE_OPERAND || (open && open < arrow))
			continue;
		to = arrow + 2 + strspn(arrow + 2, " ");
		if (open)
			to = advice_text("%.*s", (int)strcspn(open + 1, ")"), open + 1);
		list = axt_respell_list(advice_graph(), advice_text("[%s]", to));
		c.v[0] = open ? "axt-flatten" : "axt-order";
		c.v[i] = list ? list : to;
		advice_offer(l, &c, SPELLED);
	}
}

/*
 * Offers OLD=NEW for {"old": "new"} of a dictionary, for old->new, and for old,new of NCO and CDO.
 */
void
edit_pairs(const struct advice_line *l)
{
	for (int i = 1; i < l->n && cmd_st.c->words[0] && strchr(cmd_st.c->words[0], '='); i++) {
		char *w = advice_copy(l->v[i]), *to = w;

		if (l->part[i] != ADVICE_OPERAND || advice_is_file(l->v[i]) ||
		    strchr("-.:0123456789", *l->v[i]) || strpbrk(l->v[i], "()"))
			continue;
		for (const char *s = l->v[i]; *s; s++)
			if (*s == '-' && s[1] == '>')
				*to++ = '=', s++;
			else if (!strchr("{}\"' ", *s))
				*to++ = (char)(*s == ':' ? '=' : *s);
		*to = '\0';
		advice_offer_word(l, i, advice_zipped(w), SPELLED - 0.1);
		advice_offer_word(l, i, w, SPELLED);
		if (!strchr(w, '=') && strchr(w, ','))
			advice_offer_word(l, i,
			    advice_text("%.*s=%s", (int)strcspn(w, ","), w, strchr(w, ',') + 1),
			    SPELLED + 0.1);
	}
}

/* Offers lat=0:10:1,lon=0:10:1 as two words. */
static void
parted(const struct advice_line *l, int i)
{
	struct advice_line specs = { .n = 0 };
	const char *s = l->v[i];

	while (*s) {
		const char *end = s;

		do
			end += strcspn(end + 1, ",") + 1;
		while (*end && strcspn(end + 1, ",") < strcspn(end + 1, "=@"));
		advice_insert(&specs, specs.n, ADVICE_OPERAND,
		    advice_text("%.*s", (int)(end - s), s));
		s = end + (*end == ',');
	}
	if (specs.n > 1)
		offer_specs(l, i, &specs, SPELLED);
}

/* Offers the axes of a grid before its file, where that stands for a spec: grid.nc a.nc. */
static void
grid_alone(const struct advice_line *l)
{
	const struct advice_file *f;
	int at = advice_find(l, 1, ADVICE_OPERAND, l->refused->why.word);

	if (at < 0 || !advice_takes_specs() || !advice_is_file(l->v[at]) ||
	    advice_operand(l, 1) < 0)
		return;
	f = advice_look(l->v[at]);
	if (f->meant[0] && f->meant[1])
		advice_offer_word(l, at,
		    advice_text("%s,%s=%s", f->meant[0], f->meant[1], l->v[at]), MOVED);
}

/* Offers a word that is a spec, or part of one, as axt writes specs. */
void
edit_spec(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	/* what a pipe brings is not there any more: positions for values cannot be tried */
	bool piped = *l->refused->why.of == '-';
	struct advice_line all = *l;
	const char *w;

	for (int i = 1; i < l->n && advice_takes_specs(); i++) {
		size_t n = strcspn(l->v[i], "=@<>[,:.");
		const char *axis = advice_text("%.*s", (int)n, l->v[i]);

		if (l->part[i] != ADVICE_OPERAND || advice_is_file(l->v[i]) ||
		    !isalpha((unsigned char)*axis) ||
		    (f && !advice_has(&f->axes, axis) && !strchr("=@.", l->v[i][n])))
			continue;
		for (int k = 0; (w = advice_spec(l->v[i], k)); k++)
			if (!piped || w[n] == l->v[i][n]) {
				advice_offer_word(l, i, w, SPELLED + 0.02 * k);
				all.v[i] = all.v[i] == l->v[i] && w[n] == '@' ? w : all.v[i];
			}
		parted(l, i);
	}
	advice_offer(l, &all, SPELLED + 0.3); /* lat=48.1 lon=11.6 */
	if (advice_option_called("nearest") && l->cost == 0 &&
	    advice_option_at(l, "--nearest") < 0 && l->refused->why.about == AXT_NO_COORDINATE)
		advice_put(l, l->n, 0, l->n, MADE_UP - 0.3, "--nearest", NULL);
}

/* Offers names for lengths: 3,4 is y=3,x=4; one that is -1 is the rest. */
static void
unnamed_lengths(const struct advice_line *l, int at)
{
	static const char *const names[] = { "w", "z", "y", "x" };
	const char *w = l->v[at], *eq = strchr(w, '='), *text = "";
	const char *takes = cmd_st.c->words[cmd_st.c->choice != NULL];
	int n = 1;

	if (eq && takes && strstr(takes, "=A:LEN")) { /* y=2,2 */
		for (const char *s = eq + 1; *s;
		     s += strcspn(s, ",") + (strchr(s, ',') != NULL), n++)
			text = advice_text("%s%s%.*s%d:%.*s", text, *text ? "," : "", (int)(eq - w),
			    w, n, (int)strcspn(s, ","), s);
		advice_offer_word(l, at, advice_text("%.*s=%s", (int)(eq - w), w, text), SPELLED);
		return;
	}
	if (strspn(w, "-0123456789,") != strlen(w) || !*w || !takes || !strstr(takes, "LEN"))
		return;
	for (const char *s = w; *s; s++)
		n += *s == ',';
	for (size_t len; *w && n <= 4; w += len + (w[len] == ','), n--) {
		len = strcspn(w, ",");
		text = advice_text("%s%s%s%s%.*s", text, *text ? "," : "", names[4 - n],
		    *w == '-' ? "" : "=", *w == '-' ? 0 : (int)len, w);
	}
	if (*text)
		advice_offer_word(l, at, text, SPELLED + 0.1);
}

/* Positions alone, 0:10,: of a tensor, or conditions without an axis. */
void
edit_bare_spec(const struct advice_line *l)
{
	const struct advice_file *f = advice_first_file(l);
	const char *axis = f ? advice_usual_axis(f) : NULL;

	edit_spec(l);
	grid_alone(l);
	for (int i = 1; i < l->n; i++) {
		struct advice_line specs = { .n = 0 };
		const char *s = l->v[i];

		if (l->part[i] == ADVICE_OPERAND && !advice_is_file(s))
			unnamed_lengths(l, i);
		if (l->part[i] != ADVICE_OPERAND || advice_is_file(s) || !axis ||
		    strspn(s, "0123456789:,-[]. ") != strlen(s))
			continue;
		if (!strchr(s, ','))
			advice_offer_word(l, i, advice_text("%s=w:%s", axis, s), MADE_UP - 0.4);
		read_subscript(s + strspn(s, "["), f, &specs);
		offer_specs(l, i, &specs, MOVED);
	}
}
