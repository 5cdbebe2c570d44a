/* textview.c - views, flattened axes and joined parts of a plan's text, read. */
#include "wire/textin.h"

/* "0:1:5+9:-2:3" as a selection of len positions; "-": none, *out NULL. */
static bool
selection(struct axt_text_reader *r, char *w, int64_t len, const struct axt_sel **out)
{
	struct axt_sel *s = axt_alloc(r->g->m, sizeof *s);
	char *save = NULL, *part = NULL;
	struct axt_span x;

	*out = NULL;
	if (strcmp(w, "-") == 0)
		return true;
	for (w = strtok_r(w, "+", &save); s && w; w = strtok_r(NULL, "+", &save)) {
		char *a = strtok_r(w, ":", &part), *b = strtok_r(NULL, ":", &part),
		    *c = strtok_r(NULL, "", &part);

		if (!a || !b || !c || !axt_parse_int(a, 0, INT64_MAX >> 8, &x.start) ||
		    !axt_parse_int(b, INT64_MIN >> 8, INT64_MAX >> 8, &x.step) ||
		    !axt_parse_int(c, 0, INT64_MAX >> 8, &x.len) ||
		    (x.len > 1 && (x.step < 0 ? -x.step : x.step) > (INT64_MAX >> 8) / x.len) ||
		    !axt_sel_add(r->g->m, s, x))
			return false;
	}
	*out = s;
	return s && s->len == len;
}

/* Whether all positions that a view asks of its argument are there. */
static bool
within(const struct axt_expr *a, const struct axt_axes *x, const int *src,
    const struct axt_sel *const *sel, const int64_t *from)
{
	for (int j = 0; j < a->axes.n; j++) {
		int64_t lo = from[j], hi = from[j], p, q, len = a->axes.a[j].len;
		bool none = false;

		for (int i = 0; i < x->n; i++) {
			if (src[i] != j)
				continue;
			none = none || x->a[i].len == 0;
			p = 0;
			q = x->a[i].len - 1;
			if (sel[i] && sel[i]->len)
				axt_sel_range(sel[i], 0, sel[i]->len, &p, &q);
			if (lo < 0 || hi < 0 || p < 0 || q >= MAX(len, 1) || hi > INT64_MAX / 4)
				return none;
			lo += p;
			hi += q;
		}
		if (!none && (lo < 0 || hi >= len))
			return false;
	}
	return true;
}

struct axt_expr *
axt_read_view(struct axt_text_reader *r, const struct axt_axes *x, char **s)
{
	struct axt_expr *a = axt_text_arg(r, s), *e;
	const struct axt_sel *sel[AXT_MAX_RANK] = { NULL };
	int64_t from[AXT_MAX_RANK] = { 0 }, asked;
	int src[AXT_MAX_RANK], n = 0, j = 0;
	char *w = a ? axt_text_word(s, "src=") : NULL, *save = NULL;
	bool plain;

	for (w = w ? strtok_r(w, ",", &save) : NULL; w; w = strtok_r(NULL, ",", &save)) {
		int64_t v;

		if (n == x->n || !axt_parse_int(w, -1, a->axes.n - 1, &v))
			return NULL;
		src[n++] = (int)v;
	}
	if (!a || n != x->n || !axt_text_int(s, "asked=", 0, 1, &asked))
		return NULL;
	w = axt_text_word(s, "from=");
	plain = !w;
	for (w = w ? strtok_r(w, ",", &save) : NULL; w; w = strtok_r(NULL, ",", &save))
		if (j == a->axes.n || !axt_parse_int(w, 0, INT64_MAX >> 8, &from[j++]))
			return NULL;
	w = plain ? NULL : axt_text_word(s, "sel=");
	if (!plain && (!w || j != a->axes.n))
		return NULL;
	for (int i = 0; !plain && i < n; i++) {
		char *end = strchr(w, ',');

		if (!*w || (i + 1 < n) != (end != NULL))
			return NULL;
		if (end)
			*end = 0;
		if (!selection(r, w, x->a[i].len, &sel[i]))
			return NULL;
		w = end ? end + 1 : w;
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i && plain; k++)	/* each axis once */
			if (src[i] >= 0 && src[k] == src[i])
				return NULL;
	for (int i = 0; i < n; i++)
		if (src[i] >= 0 && !sel[i] && a->axes.a[src[i]].len != x->a[i].len)
			return NULL;
	if (!within(a, x, src, sel, from))
		return NULL;
	for (int k = 0, used = 0; plain && k <= n; k++) {
		if (k == n && used != a->axes.n)
			return NULL;
		used += k < n && src[k] >= 0;
	}
	e = axt_view_node(r->g, a, x, src, plain ? NULL : sel, plain ? NULL : from);
	if (!axt_bad(e))
		e->asked = asked;
	return e;
}

struct axt_expr *
axt_read_flatten(struct axt_text_reader *r, const struct axt_axes *x, char **s)
{
	struct axt_expr *a = axt_text_arg(r, s);
	int64_t at, n, len = 1;

	if (!a || !axt_text_int(s, "at=", 0, a->axes.n - 1, &at) ||
	    !axt_text_int(s, "n=", 1, a->axes.n - at, &n) || x->n != a->axes.n - n + 1)
		return NULL;
	for (int64_t k = at; k < at + n; k++)
		if (!axt_mul(len, a->axes.a[k].len, &len))
			return NULL;
	for (int i = 0; i < x->n; i++)
		if (x->a[i].len != (i == at ? len : a->axes.a[i > at ? i + n - 1 : i].len))
			return NULL;
	return axt_flatten_node(r->g, a, x, (int)at, (int)n);
}

struct axt_expr *
axt_read_join(struct axt_text_reader *r, const struct axt_axes *x, char **s, int nparts)
{
	struct axt_expr **part = axt_alloc(r->g->m, (size_t)MAX(1, nparts) * sizeof *part);
	int64_t axis, len = 0;

	for (int k = 0; part && k < nparts; k++)
		if (!(part[k] = axt_text_arg(r, s)) || part[k]->axes.n != x->n ||
		    part[k]->dtype != part[0]->dtype)
			return NULL;
	if (!part || nparts < 1 || !axt_text_int(s, "axis=", 0, x->n - 1, &axis))
		return NULL;
	for (int k = 0; k < nparts; k++) {
		for (int i = 0; i < x->n; i++)
			if (i != axis && part[k]->axes.a[i].len != x->a[i].len)
				return NULL;
		if (part[k]->axes.a[axis].len > INT64_MAX - len)
			return NULL;
		len += part[k]->axes.a[axis].len;
	}
	return len == x->a[axis].len ? axt_join_node(r->g, nparts, part, x, (int)axis) : NULL;
}
