/*
 * textin.c - a plan's text, read. Nothing is believed: a node is built only when expr's own rules
 * give what its line says.
 */
#include <stdlib.h>

#include "wire/textin.h"

static int
hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* %XX in place; false when one is not so, or is NUL. */
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

/* The next word as it stands; NULL at the end of the line. */
char *
axt_text_word(char **s, const char *key)
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
	char *w = axt_text_word(s, key);

	return w && decode(w) ? w : NULL;
}

bool
axt_text_int(char **s, const char *key, int64_t lo, int64_t hi, int64_t *out)
{
	char *w = axt_text_word(s, key);

	return w && axt_parse_int(w, lo, hi, out);
}

static bool
real(char **s, const char *key, double *out)
{
	char *w = axt_text_word(s, key), *end;

	if (!w || !*w)
		return false;
	*out = axt_strtod(w, &end);
	return *end == 0;
}

/* "1,0,-1": n numbers in [lo, hi), no one twice but -1. */
static bool
indices(char **s, const char *key, int lo, int hi, int out[AXT_MAX_RANK], int *n)
{
	char *w = axt_text_word(s, key), *save = NULL;
	bool seen[AXT_MAX_RANK] = { false };
	int64_t v;

	*n = 0;
	if (!w || hi > AXT_MAX_RANK)
		return false;
	for (w = strtok_r(w, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		if (*n == AXT_MAX_RANK || !axt_parse_int(w, lo, hi - 1, &v) || (v >= 0 && seen[v]))
			return false;
		if (v >= 0)
			seen[v] = true;
		out[(*n)++] = (int)v;
	}
	return true;
}

/* "[time=12,lat=90]" */
static bool
axes(struct axt_text_reader *r, char **s, struct axt_axes *x)
{
	char *w = axt_text_word(s, "["), *save = NULL, *eq;
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

struct axt_expr *
axt_text_arg(struct axt_text_reader *r, char **s)
{
	int64_t i;

	return axt_text_int(s, "", 0, r->n - 1, &i) ? r->node[i] : NULL;
}

/* ---- kinds: NULL, or a node that still has to be what its line says ---- */

static struct axt_expr *
read_const(struct axt_text_reader *r, enum axt_dtype d, char **s)
{
	struct axt_expr *e = axt_node(r->g, AXT_NODE_CONST, d);
	char *w = axt_text_word(s, "");

	if (!w || strlen(w) != 2 * (size_t)axt_size(d))
		return NULL;
	for (int i = 0; i < axt_size(d); i++) {
		int hi = hex_digit(w[2 * i]), lo = hex_digit(w[2 * i + 1]);

		if (hi < 0 || lo < 0)
			return NULL;
		e->u.val.bytes[i] = (uint8_t)(hi << 4 | lo);
	}
	if (d == AXT_BOOL && e->u.val.bytes[0] > 1)
		return NULL;
	e->u.val.num.f = axt_load_f64(d, e->u.val.bytes);
	return e;
}

static struct axt_expr *
read_place(struct axt_text_reader *r, enum axt_dtype d, const struct axt_axes *x, char **s)
{
	char *name = axt_plan_take(s, "");

	return name && *name ? axt_place(r->g, d, x, axt_strdup(r->g->m, name)) : NULL;
}

static struct axt_expr *
read_gen(struct axt_text_reader *r, const char *name, enum axt_dtype d, const struct axt_axes *x,
    char **s)
{
	char *w = axt_text_word(s, "seed="), *end;
	double lo, hi;
	uint64_t seed;

	if (!w || !*w || *w == '-')
		return NULL;
	seed = strtoull(w, &end, 10);
	if (*end || !real(s, "lo=", &lo) || !real(s, "hi=", &hi))
		return NULL;
	return axt_gen(r->g, name, x, d, seed, lo, hi);
}

/* How many arguments the words before the first "key=" are. */
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

static struct axt_expr *
read_map(struct axt_text_reader *r, const char *name, enum axt_dtype d, char **s)
{
	int op = axt_op_named(name), n = plain_words(*s);
	struct axt_expr **a = axt_alloc(r->g->m, (size_t)MAX(1, n) * sizeof *a), *e;

	if (op < 0 || !a || n < 1)
		return NULL;
	for (int i = 0; i < n; i++)
		if (!(a[i] = axt_text_arg(r, s)))
			return NULL;
	e = axt_map(r->g, (enum axt_op)op, n, a);
	if (axt_bad(e) || e->kind != AXT_NODE_MAP || e->u.op != (enum axt_op)op || e->nargs != n)
		return NULL;
	for (int i = 0; i < e->nargs; i++)	/* what the writer had made is complete */
		if (e->arg[i] != a[i])
			return NULL;
	/* computed in f32, rounded once */
	if (e->dtype == AXT_F32 && (d == AXT_F16 || d == AXT_BF16))
		e->dtype = d;
	e->doubt = AXT_CLEAR;		/* the writer has told */
	return e;
}

static struct axt_expr *
read_conv(struct axt_text_reader *r, enum axt_dtype d, char **s)
{
	struct axt_expr *a = axt_text_arg(r, s);
	char *w = axt_text_word(s, "overflow=");

	for (int m = 0; a && w && m < 3; m++)
		if (strcmp(w, axt_overflow_name[m]) == 0 && a->dtype != d &&
		    axt_kern_conv(d, a->dtype, (enum axt_overflow)m))
			return axt_conv(r->g, a, d, (enum axt_overflow)m);
	return NULL;
}

static struct axt_expr *
read_reduce(struct axt_text_reader *r, const char *name, enum axt_dtype d, const struct axt_axes *x,
    char **s)
{
	struct axt_expr *arg[3] = { NULL }, *a, *w, *e;
	int op = axt_red_named(name), kept[AXT_MAX_RANK], n, nargs = plain_words(*s);
	struct axt_groups by;
	int64_t skip, place = -1;
	double ddof, q = 0;

	if (op < 0 || nargs < 1 || nargs > 3)
		return NULL;
	for (int i = 0; i < nargs; i++)
		if (!(arg[i] = axt_text_arg(r, s)))
			return NULL;
	a = arg[0];
	if (!indices(s, "kept=", 0, a->axes.n, kept, &n) ||
	    !axt_text_int(s, "skip=", 0, 1, &skip) || !real(s, "ddof=", &ddof) ||
	    (axt_red_selects((enum axt_red)op) && !real(s, "q=", &q)) ||
	    (**s && !axt_text_int(s, "group=", 0, x->n - 1, &place)))
		return NULL;
	w = nargs > 1 + (place >= 0) ? arg[1] : NULL;
	by = (struct axt_groups){ .of = arg[nargs - 1], .place = (int)place };
	if (place >= 0)
		by.axis = x->a[place];
	if (nargs != 1 + (w != NULL) + (place >= 0) || (w && w->dtype != AXT_F64) ||
	    (place >= 0 && (nargs == 1 || by.of->dtype != AXT_I32)))
		return NULL;
	e = axt_reduce_grouped(r->g, (enum axt_red)op, a, &(struct axt_reduce_opts){ .dtype = d,
	    .weights = w, .nan = skip ? 1 : -1, .ddof = ddof, .q = q,
	    .to = axt_axes_typed(r->g->m, &a->axes, kept, n) }, place >= 0 ? &by : NULL);
	if (axt_bad(e) || e->u.red.group != place || e->u.red.skip != (bool)skip ||
	    e->u.red.nkept != n ||
	    memcmp(e->u.red.kept, kept, (size_t)n * sizeof *kept) != 0)
		return NULL;
	return e;
}

static struct axt_expr *
read_dot(struct axt_text_reader *r, char **s)
{
	struct axt_expr *a = axt_text_arg(r, s), *b = axt_text_arg(r, s);
	struct axt_pairing p = { 0 };
	int64_t tf32 = 0;
	int nk, nb;

	if (!a || !b || !indices(s, "ka=", 0, a->axes.n, p.ka, &p.nk) ||
	    !indices(s, "kb=", 0, b->axes.n, p.kb, &nk) ||
	    !indices(s, "ba=", 0, a->axes.n, p.ba, &p.nb) ||
	    !indices(s, "bb=", 0, b->axes.n, p.bb, &nb) || nk != p.nk || nb != p.nb ||
	    (*s && **s && !axt_text_int(s, "tf32=", 1, 1, &tf32)))
		return NULL;
	p.tf32 = tf32;
	return axt_dot_given(r->g, a, b, &p);
}

static struct axt_expr *
read_lines(struct axt_text_reader *r, const char *name, enum axt_dtype d, char **s)
{
	bool take = strcmp(name, axt_lines_name[AXT_LINES_TAKE]) == 0;
	struct axt_expr *a = axt_text_arg(r, s), *from = take ? axt_text_arg(r, s) : NULL;
	int64_t axis, reverse;

	if (!a || take != (from != NULL) ||
	    !axt_text_int(s, "axis=", 0, a->axes.n - 1, &axis) ||
	    !axt_text_int(s, "reverse=", 0, !take, &reverse))
		return NULL;
	if (take)
		return axt_take_given(r->g, a, from, (int)axis);
	for (int op = 0; op < AXT_LINES_TAKE; op++)
		if (strcmp(name, axt_lines_name[op]) == 0)
			return axt_lines_given(r->g, a, (enum axt_lines)op, (int)axis, reverse, d);
	return NULL;
}

/* ---- lines ---- */

static enum axt_dtype
dtype(char **s)
{
	char *w = axt_text_word(s, "");

	return w ? axt_dtype_of_name(w) : AXT_DTYPE_AUTO;
}

static int
kind_of(const char *w)
{
	for (int k = AXT_NODE_LEAF; w && k <= AXT_NODE_LINES; k++)
		if (strcmp(w, axt_kind_name[k]) == 0)
			return k;
	return AXT_NODE_FAILED;
}

/* For one node more. */
static bool
more_room(struct axt_text_reader *r)
{
	struct axt_expr **p = r->node;

	if (r->n < r->cap)
		return true;
	r->cap = MAX(64, 2 * r->n);
	r->node = axt_alloc(r->g->m, (size_t)r->cap * sizeof *p);
	if (r->node && r->n)
		memcpy(r->node, p, (size_t)r->n * sizeof *p);
	return r->node != NULL;
}

static bool
read_node(struct axt_text_reader *r, char *s)
{
	struct axt_expr *e = NULL;
	struct axt_axes x;
	enum axt_dtype d;
	char *op = NULL;
	int kind;
	int64_t id;

	if (!more_room(r) || !axt_text_int(&s, "", r->n, r->n, &id))
		return false;
	kind = kind_of(axt_text_word(&s, ""));
	if ((kind == AXT_NODE_GEN || kind == AXT_NODE_MAP || kind == AXT_NODE_REDUCE ||
	    kind == AXT_NODE_LINES) && !(op = axt_text_word(&s, "")))
		return false;
	d = dtype(&s);
	if ((int)d < 0 || !axes(r, &s, &x))
		return false;
	switch (kind) {
	case AXT_NODE_LEAF:
		e = r->r->leaf(r->r->ctx, d, &x, s);
		s += strlen(s);
		break;
	case AXT_NODE_CONST:
		e = read_const(r, d, &s);
		break;
	case AXT_NODE_PLACE:
		e = read_place(r, d, &x, &s);
		break;
	case AXT_NODE_GEN:
		e = read_gen(r, op, d, &x, &s);
		break;
	case AXT_NODE_MAP:
		e = read_map(r, op, d, &s);
		break;
	case AXT_NODE_CONV:
		e = read_conv(r, d, &s);
		break;
	case AXT_NODE_VIEW:
		e = axt_read_view(r, &x, &s);
		break;
	case AXT_NODE_FLATTEN:
		e = axt_read_flatten(r, &x, &s);
		break;
	case AXT_NODE_JOIN:
		e = axt_read_join(r, &x, &s, plain_words(s));
		break;
	case AXT_NODE_REDUCE:
		e = read_reduce(r, op, d, &x, &s);
		break;
	case AXT_NODE_DOT:
		e = read_dot(r, &s);
		break;
	case AXT_NODE_LINES:
		e = read_lines(r, op, d, &s);
		break;
	}
	if (*s || !e || axt_bad(e) || e->dtype != d || !axt_axes_same(&e->axes, &x))
		return false;
	r->node[r->n++] = e;
	return true;
}

static bool
read_out(struct axt_text_reader *r, char *s, struct axt_plan_out out[], int *n)
{
	char *name = axt_plan_take(&s, "");
	struct axt_expr *e = name ? axt_text_arg(r, &s) : NULL;

	if (!e || *s || *n == AXT_PLAN_OUTS)
		return false;
	out[(*n)++] = (struct axt_plan_out){ name, e };
	return true;
}

static bool
read_line(struct axt_text_reader *r, char *s, struct axt_plan_out out[], int *n)
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
	struct axt_text_reader *r = axt_alloc(g->m, sizeof *r);
	char *s = len <= AXT_PLAN_BYTES ? axt_strndup(g->m, text, len) : NULL, *end;
	struct axt_err before = g->err;
	bool ok = r && s && strlen(s) == len, ended = false;
	int line = 0;

	*n = 0;
	*why = "too long, or has a NUL";
	if (r) {
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
