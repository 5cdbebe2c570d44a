/*
 * textin.c - reads a plan's text, which another process may have sent. Nothing in it is trusted: a
 * line becomes a node only if lib/expr, building the node by its own rules, arrives at the dtype
 * and axes that the line says.
 */
#include <stdlib.h>

#include "wire/text.h"

struct reader {
	struct axt_fields f;
	struct axt_graph *g;
	const struct axt_plan_reader *r;
	struct axt_expr **node;
	int n, cap;
	char *s; /* what is left of the line */
};

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes %XX in place; false if there is an invalid one, or a NUL. */
static bool
decode(char *s)
{
	char *out = s;

	for (; *s; s++) {
		if (*s == '%') {
			int hi = hex_digit(s[1]), lo = hi < 0 ? -1 : hex_digit(s[2]);

			if (lo < 0 || hi + lo == 0)
				return false;
			*out++ = (char)(hi << 4 | lo);
			s += 2;
		} else {
			*out++ = *s;
		}
	}
	*out = 0;
	return true;
}

/*
 * Takes the next word off *s and returns what is behind `key` in it, not decoded. NULL: no word is
 * left, or it does not begin with key.
 */
static char *
next_word(char **s, const char *key)
{
	char *w = *s, *end;
	size_t n = strlen(key);

	if (!*w || strncmp(w, key, n) != 0)
		return NULL;
	end = w + strcspn(w, " ");
	*s = end + (*end == ' ');
	*end = 0;
	return w + n;
}

char *
axt_plan_take(char **s, const char *key)
{
	char *w = next_word(s, key);

	return w && decode(w) ? w : NULL;
}

/* Reads a word that is an integer in [lo, hi]. */
static bool
integer(char **s, const char *key, int64_t lo, int64_t hi, int64_t *out)
{
	char *w = next_word(s, key);

	return w && axt_parse_int(w, lo, hi, out);
}

static bool
real(char **s, const char *key, double *out)
{
	char *w = next_word(s, key), *end;

	if (!w || !*w)
		return false;
	*out = axt_strtod(w, &end);
	return *end == 0;
}

/* "[time=12,lat=90]" */
static bool
axes(struct reader *r, char **s, struct axt_axes *x)
{
	char *w = next_word(s, "["), *save = NULL, *eq;
	struct axt_err e = { 0 };
	int64_t count;
	size_t n;

	x->n = 0;
	if (!w || (n = strlen(w)) == 0 || w[n - 1] != ']')
		return false;
	w[n - 1] = 0;
	for (w = strtok_r(w, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		struct axt_axis *a = &x->a[x->n];

		eq = strchr(w, '=');
		if (!eq || x->n == AXT_MAX_RANK)
			return false;
		*eq = 0;
		if (!decode(w) || !*w || axt_axis_from_file(r->g->m, w, a) ||
		    !axt_parse_int(eq + 1, 0, INT64_MAX, &a->len))
			return false;
		a->from = "a plan";
		x->n++;
	}
	return axt_axes_check_unique(r->g->m, x, &e) == 0 && axt_axes_count(x, &count);
}

/* The node with the number that the next word is. NULL: there is none so far. */
static struct axt_expr *
argument(struct reader *r, char **s)
{
	int64_t i;

	return integer(s, "", 0, r->n - 1, &i) ? r->node[i] : NULL;
}

/* ---- fields ---- */

static bool
bytes(char *w, uint8_t *to, int n)
{
	if (strlen(w) != 2 * (size_t)n)
		return false;
	for (int i = 0; i < n; i++) {
		int hi = hex_digit(w[2 * i]), lo = hex_digit(w[2 * i + 1]);

		if (hi < 0 || lo < 0)
			return false;
		to[i] = (uint8_t)(hi << 4 | lo);
	}
	return true;
}

static bool
u64(const char *w, uint64_t *out)
{
	char *end;

	if (!*w || *w == '-')
		return false;
	*out = strtoull(w, &end, 10);
	return *end == '\0';
}

static bool
choice(const char *w, const struct axt_field *x)
{
	for (int i = 0; i <= x->hi; i++)
		if (strcmp(w, x->words[i]) == 0) {
			*(int *)x->p = i;
			return true;
		}
	return false;
}

/* Reads a list such as "1,0,-1": of any length and with no number twice, or of a fixed length. */
static bool
integers(char *w, const struct axt_field *x)
{
	int *out = x->p, n = 0;
	char *save = NULL;
	int64_t v;

	for (w = strtok_r(w, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		if (n == (x->fixed ? *x->n : AXT_MAX_RANK) || !axt_parse_int(w, x->lo, x->hi, &v))
			return false;
		for (int k = 0; k < n && !x->fixed; k++)
			if (out[k] == v)
				return false;
		out[n++] = (int)v;
	}
	if (x->fixed)
		return n == *x->n;
	*x->n = n;
	return true;
}

static bool
starts(struct reader *r, char *w, const struct axt_field *x)
{
	int64_t *out = axt_alloc(r->g->m, (size_t)*x->n * sizeof(*out) + 1);
	char *save = NULL;
	int n = 0;

	for (w = strtok_r(w, ",", &save); out && w; w = strtok_r(NULL, ",", &save))
		if (n == *x->n || !axt_parse_int(w, 0, INT64_MAX >> 8, &out[n++]))
			return false;
	*(const int64_t **)x->p = out;
	return out && n == *x->n;
}

/* Reads a selection such as "0:1:5+9:-2:3"; "-" is all of the axis: *out is NULL. */
static bool
selection(struct reader *r, char *w, const struct axt_sel **out)
{
	struct axt_sel *s = axt_alloc(r->g->m, sizeof(*s));
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
	return s != NULL;
}

static bool
selections(struct reader *r, char *w, const struct axt_field *x)
{
	const struct axt_sel **out = axt_alloc(r->g->m, (size_t)*x->n * sizeof(*out) + 1);

	for (int i = 0; out && i < *x->n; i++) {
		char *end = strchr(w, ',');

		if (!*w || (i + 1 < *x->n) != (end != NULL))
			return false;
		if (end)
			*end = '\0';
		if (!selection(r, w, &out[i]))
			return false;
		w = end ? end + 1 : w;
	}
	*(const struct axt_sel ***)x->p = out;
	return out != NULL;
}

static bool
field(struct axt_fields *f, const struct axt_field *x)
{
	struct reader *r = (struct reader *)f;
	int64_t v;
	char *w;

	switch (x->type) {
	case AXT_FIELD_INT:
		if (!integer(&r->s, x->key, x->lo, x->hi, &v))
			return false;
		*(int *)x->p = (int)v;
		return true;
	case AXT_FIELD_FLAG:
		if (!integer(&r->s, x->key, x->lo, 1, &v))
			return false;
		*(bool *)x->p = v;
		return true;
	case AXT_FIELD_REAL: return real(&r->s, x->key, x->p);
	case AXT_FIELD_TEXT:
		w = axt_plan_take(&r->s, x->key);
		return w && *w && (*(const char **)x->p = axt_strdup(r->g->m, w));
	default: break;
	}
	w = next_word(&r->s, x->key);
	if (!w)
		return false;
	switch (x->type) {
	case AXT_FIELD_U64: return u64(w, x->p);
	case AXT_FIELD_CHOICE: return choice(w, x);
	case AXT_FIELD_BYTES: return bytes(w, x->p, *x->n);
	case AXT_FIELD_INTS: return integers(w, x);
	case AXT_FIELD_STARTS: return starts(r, w, x);
	default: return selections(r, w, x);
	}
}

static bool
has(struct axt_fields *f, const char *key, bool there)
{
	(void)there;
	return strncmp(((struct reader *)f)->s, key, strlen(key)) == 0;
}

/* ---- lines ---- */

static enum axt_dtype
dtype(char **s)
{
	char *w = next_word(s, "");

	return w ? axt_dtype_of_name(w) : AXT_DTYPE_AUTO;
}

static enum axt_kind
kind_of(const char *w)
{
	for (int k = AXT_NODE_FAILED + 1; w && k < AXT_NNODES; k++)
		if (strcmp(w, axt_kind_name[k]) == 0)
			return (enum axt_kind)k;
	return AXT_NODE_FAILED;
}

/* Reads the operation, if nodes of this kind have one. */
static bool
operation(struct reader *r, const struct axt_node_kind *k, struct axt_expr *d)
{
	char *w = next_word(&r->s, "");

	for (int op = 0; w && op < k->nops; op++)
		if (strcmp(w, k->op_name(op)) == 0) {
			memcpy((char *)d + k->op, &op, sizeof(op));
			return true;
		}
	return false;
}

/* How many words come before the first "key=". */
static int
plain_words(const char *s)
{
	int n = 0;

	while (*s && !memchr(s, '=', strcspn(s, " "))) {
		n++;
		s += strcspn(s, " ");
		s += *s == ' ';
	}
	return n;
}

static bool
arguments(struct reader *r, const struct axt_node_kind *k, struct axt_expr *d)
{
	d->nargs = k->min_args == k->max_args ? k->min_args : plain_words(r->s);
	d->arg = d->few;
	if (d->nargs < k->min_args || d->nargs > k->max_args)
		return false;
	if (d->nargs > ARRAY_LEN(d->few))
		d->arg = axt_alloc(r->g->m, (size_t)d->nargs * sizeof(*d->arg));
	for (int i = 0; d->arg && i < d->nargs; i++)
		if (!(d->arg[i] = argument(r, &r->s)))
			return false;
	return d->arg != NULL;
}

/* Makes the list of nodes large enough for one more. */
static bool
reserve_node(struct reader *r)
{
	struct axt_expr **p = r->node;

	if (r->n < r->cap)
		return true;
	r->cap = MAX(64, 2 * r->n);
	r->node = axt_alloc(r->g->m, (size_t)r->cap * sizeof(*p));
	if (r->node && r->n)
		memcpy(r->node, p, (size_t)r->n * sizeof(*p));
	return r->node != NULL;
}

/*
 * Builds the node that a line describes. The draft has its kind, dtype and axes; the rest of the
 * line is read here.
 */
static struct axt_expr *
build(struct reader *r, struct axt_expr *d)
{
	const struct axt_node_kind *k = axt_kinds[d->kind];
	struct axt_expr *e;

	if (d->kind == AXT_NODE_LEAF) {
		e = r->r->leaf(r->r->ctx, d->dtype, &d->axes, r->s);
		return axt_bad(e) ? NULL : e;
	}
	if (!arguments(r, k, d) || (k->fields && !k->fields(&r->f, d)) || *r->s)
		return NULL;
	e = k->build(r->g, d);
	return axt_bad(e) || !axt_node_alike(e, d) ? NULL : e;
}

static bool
read_node(struct reader *r, char *s)
{
	struct axt_expr d = { .g = r->g }, *e;
	int64_t id;

	r->s = s;
	if (!reserve_node(r) || !integer(&r->s, "", r->n, r->n, &id))
		return false;
	d.kind = kind_of(next_word(&r->s, ""));
	if (d.kind == AXT_NODE_FAILED ||
	    (axt_kinds[d.kind]->op_name && !operation(r, axt_kinds[d.kind], &d)))
		return false;
	d.dtype = dtype(&r->s);
	if (!d.dtype || !axes(r, &r->s, &d.axes))
		return false;
	e = build(r, &d);
	if (!e || e->dtype != d.dtype || !axt_axes_same(&e->axes, &d.axes))
		return false;
	r->node[r->n++] = e;
	return true;
}

static bool
read_out(struct reader *r, char *s, struct axt_plan_out out[], int *n)
{
	char *name = axt_plan_take(&s, "");
	struct axt_expr *e = name ? argument(r, &s) : NULL;

	if (!e || *s || *n == AXT_PLAN_OUTS)
		return false;
	out[(*n)++] = (struct axt_plan_out){ name, e };
	return true;
}

static bool
read_line(struct reader *r, char *s, struct axt_plan_out out[], int *n)
{
	if (strncmp(s, "node ", 5) == 0)
		return *n == 0 && read_node(r, s + 5);
	if (strncmp(s, "out ", 4) == 0)
		return read_out(r, s + 4, out, n);
	return r->n == 0 && r->r->line(r->r->ctx, s);
}

bool
axt_plan_read(struct axt_graph *g, const char *text, size_t len, const struct axt_plan_reader *pr,
    struct axt_plan_out out[AXT_PLAN_OUTS], int *n, const char **why)
{
	struct reader *r = axt_alloc(g->m, sizeof(*r));
	char *s = len <= AXT_PLAN_BYTES ? axt_strndup(g->m, text, len) : NULL, *end;
	struct axt_err before = g->err;
	bool ok = r && s && strlen(s) == len, ended = false;
	int line = 0;

	*n = 0;
	*why = "too long, or has a NUL";
	if (r) {
		r->f = (struct axt_fields){ field, has };
		r->g = g;
		r->r = pr;
	}
	for (; ok && *s && !ended; s = end + 1) {
		end = strchr(s, '\n');
		ok = end != NULL;
		if (!ok)
			break;
		*end = 0;
		ended = strcmp(s, "end") == 0 && end[1] == 0 && *n > 0;
		*why = axt_sprintf(g->m, "line %d cannot be read", ++line);
		if (!ended)
			ok = line == 1 ? strcmp(s, AXT_PLAN_VERSION) == 0 : read_line(r, s, out, n);
	}
	if (!ok && (axt_arena_failed(g->m) || g->err.code == AXT_E_MEM))
		*why = NULL;
	g->err = before;
	if (ok && !ended)
		*why = "it has no end";
	return ok && ended;
}
