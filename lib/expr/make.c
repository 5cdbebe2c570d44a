/* make.c - tensors from nothing. */
#include <sys/random.h>

#include "expr/expr.h"

/* Reads up to two numbers of "kind:X:Y". */
static int
kind_numbers(struct axt_graph *g, const char *kind, const char *rest, struct axt_num x[2], int *n)
{
	char word[64];

	for (*n = 0; *rest == ':'; (*n)++) {
		size_t len = strcspn(rest + 1, ":");

		if (*n == 2 || len >= sizeof(word))
			return axt_fail(&g->err, AXT_E_SYNTAX, "too many numbers in \"%s\"",
			    axt_escape(g->m, kind));
		memcpy(word, rest + 1, len);
		word[len] = 0;
		if (!axt_parse_num(word, &x[*n])) {
			char shown[128];

			axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" is not a number",
			    axt_escape_to(shown, sizeof(shown), word));
			return axt_about(&g->err, AXT_BAD_NUMBER, word, NULL);
		}
		rest += 1 + len;
	}
	return 0;
}

static int
fresh_seed(struct axt_graph *g, int64_t *seed)
{
	if (getrandom(seed, sizeof(*seed), 0) != (ssize_t)sizeof(*seed))
		return axt_fail(&g->err, AXT_E_IO, "the system gives no random seed");
	*seed &= INT64_MAX;
	return 0;
}

/* Sets the attribute axt_seed, so that a random tensor can be made again. */
static int
record_seed(struct axt_graph *g, struct axt_expr *e, int64_t seed)
{
	struct axt_attr *a = axt_alloc(g->m, sizeof(*a));
	int64_t *v = axt_alloc(g->m, sizeof(*v));
	struct axt_meta *m = axt_meta_copy(g, e->meta);

	if (!a || !v || !m)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*v = seed;
	*a = (struct axt_attr){ .name = "axt_seed",
		.kind = AXT_ATTR_NUM,
		.dtype = AXT_I64,
		.n = 1,
		.data = v };
	m->attrs = axt_attr_set(g->m, m->attrs, a);
	e->meta = m;
	return 0;
}

static struct axt_expr *
constant(struct axt_graph *g, const struct axt_axes *x, enum axt_dtype d, const struct axt_num *v)
{
	struct axt_expr *c = axt_node(g, AXT_NODE_CONST, d);
	int src[AXT_MAX_RANK];

	if (axt_bad(c))
		return c;
	c->u.val.num = *v;
	if (v->f != v->f)
		c->meta = &axt_meta_missing;
	if (!axt_num_store(v, d, c->u.val.bytes))
		return axt_too_big(g, v->f, d);
	for (int i = 0; i < x->n; i++)
		src[i] = -1;
	return axt_relabel(g, c, x, src);
}

static const struct {
	const char *name;
	enum axt_gen_kind kind;
	double lo, hi; /* where the user gives none */
	bool seeded, matrix;
} gens[] = {
	{ "iota", AXT_GEN_IOTA, 0, 1, false, false },
	{ "random", AXT_GEN_UNIFORM, -1, 1, true, false },
	{ "normal", AXT_GEN_NORMAL, 0, 1, true, false },
	{ "eye", AXT_GEN_EYE, 0, 0, false, true },
	{ "triu", AXT_GEN_TRIU, 0, 0, false, true },
	{ "tril", AXT_GEN_TRIL, 0, 0, false, true },
};

static int
find_gen(const char *name, size_t len)
{
	for (int k = 0; k < ARRAY_LEN(gens); k++)
		if (strlen(gens[k].name) == len && strncmp(name, gens[k].name, len) == 0)
			return k;
	return -1;
}

static int
check_range(struct axt_graph *g, int kind, enum axt_dtype d, double lo, double hi)
{
	if (gens[kind].kind == AXT_GEN_UNIFORM && !(lo <= hi))
		return axt_fail(&g->err, AXT_E_ARG, "random needs LO <= HI, not %.17g and %.17g",
		    lo, hi);
	if (gens[kind].seeded && d == AXT_BOOL)
		return axt_fail(&g->err, AXT_E_DTYPE, "%s is not defined for bool",
		    gens[kind].name);
	if (gens[kind].kind == AXT_GEN_NORMAL && axt_dtypes[d].cls < AXT_CLASS_FLOAT)
		return axt_fail(&g->err, AXT_E_DTYPE, "normal is not defined for %s",
		    axt_dtypes[d].name);
	return 0;
}

struct axt_expr *
axt_gen(struct axt_graph *g, const char *name, const struct axt_axes *x, enum axt_dtype d,
    uint64_t seed, double lo, double hi)
{
	int k = find_gen(name, strlen(name));
	struct axt_expr *e;

	if (k < 0)
		return axt_graph_fail(g, AXT_E_ARG, "no such kind");
	if (gens[k].matrix && x->n < 2)
		return axt_graph_fail(g, AXT_E_ARG, "%s needs two axes, not %d", gens[k].name,
		    x->n);
	if (check_range(g, k, d, lo, hi))
		return axt_node_failed(g);
	e = axt_node(g, AXT_NODE_GEN, d);
	if (axt_bad(e))
		return e;
	e->axes = *x;
	e->u.gen.kind = gens[k].kind;
	e->u.gen.seed = seed;
	e->u.gen.lo = lo;
	e->u.gen.hi = hi;
	return e;
}

static struct axt_expr *
generated(struct axt_graph *g, int k, const struct axt_axes *x, enum axt_dtype d, int64_t seed,
    int n, const struct axt_num v[2])
{
	bool ints = (n < 1 || v[0].is_int) && (n < 2 || v[1].is_int);
	bool fresh = gens[k].seeded && seed < 0;
	double start, step;
	struct axt_expr *e;
	int64_t count;

	/* numbers that are counted are often coordinates, whose digits matter */
	if (!d)
		d = gens[k].kind != AXT_GEN_IOTA ? AXT_F32 : ints ? AXT_I64 : AXT_F64;
	if (gens[k].matrix && n)
		return axt_graph_fail(g, AXT_E_SYNTAX, "%s takes no numbers", gens[k].name);
	start = n > 0 ? v[0].f : gens[k].lo;
	step = n > 1 ? v[1].f : gens[k].hi;
	if (gens[k].kind == AXT_GEN_IOTA && axt_axes_count(x, &count) && count > 0 &&
	    axt_counts_fit(start, start + (double)(count - 1) * step, d, &g->err))
		return axt_node_failed(g);
	if (!gens[k].seeded)
		seed = 0;
	else if (fresh && fresh_seed(g, &seed))
		return axt_node_failed(g);
	e = axt_gen(g, gens[k].name, x, d, (uint64_t)seed, start, step);
	if (!axt_bad(e) && gens[k].seeded && record_seed(g, e, seed))
		return axt_node_failed(g);
	if (!axt_bad(e))
		e->u.gen.fresh = fresh;
	return e;
}

int
axt_need_seeds(struct axt_graph *g, struct axt_expr *e, const char *what)
{
	struct axt_nodes o;

	for (int i = axt_nodes(g, &e, 1, true, &o) ? o.n : 0; i < o.n; i++) {
		if (o.e[i]->kind != AXT_NODE_GEN || !o.e[i]->u.gen.fresh)
			continue;
		axt_fail(&g->err, AXT_E_ARG,
		    "each %s would draw other random numbers, since none is told their seed", what);
		axt_hint(&g->err, "--seed 1 of axt-make and seed=1 of axt-calc make them the same");
		return g->err.code;
	}
	return g->err.code;
}

static struct axt_expr *
unknown_kind(struct axt_graph *g, const char *kind)
{
	static const char *const words[] = { "zeros", "ones", "full", "iota", "random", "normal",
		"eye", "triu", "tril", "placeholder" };
	const char *near = axt_nearest(kind, words, ARRAY_LEN(words));

	axt_fail(&g->err, AXT_E_SYNTAX,
	    "no such kind \"%s\" (zeros, ones, full:V, iota, random, normal, eye, triu, "
	    "tril, placeholder)",
	    axt_escape(g->m, kind));
	axt_about(&g->err, AXT_NO_CHOICE, kind, NULL);
	for (int i = 0; i < ARRAY_LEN(words); i++)
		axt_about_among(&g->err, words[i]);
	if (near)
		axt_hint_meant(&g->err, near, "did you mean %s?", near);
	return &g->failed;
}

/* Fails because lengths stand where axes should. The hint has names for them. */
static struct axt_expr *
lengths_only(struct axt_graph *g, const struct axt_axes *x)
{
	char names[200];
	size_t at = 0;

	for (int i = 0; i < x->n && at < sizeof(names) - 40; i++)
		at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%c=%.20s", i ? "," : "",
		    "xyztuvw"[i % 7], x -> a[i].name);
	axt_fail(&g->err, AXT_E_SYNTAX, "lengths belong to axes, which have names");
	axt_about(&g->err, AXT_BAD_WORD, x->a[0].name, "AXIS=LEN");
	axt_hint(&g->err, "such as %s", names);
	return axt_node_failed(g);
}

struct axt_expr *
axt_make_of(struct axt_graph *g, const char *name, const char *axes, enum axt_dtype d, int64_t seed,
    int n, const struct axt_num v[2])
{
	static const struct axt_num zero = { .is_int = true },
				    one = { .is_int = true, .i = 1, .u = 1, .f = 1 };
	struct axt_axes x;
	int64_t count;
	int k;

	if (axt_axes_parse(g->m, axes, true, &x, NULL, &g->err))
		return axt_node_failed(g);
	for (int i = 0; i < x.n; i++) {
		x.a[i].from = "what is made";
		if (x.a[i].len < 0 && x.a[i].name[strspn(x.a[i].name, "0123456789")] == '\0')
			return lengths_only(g, &x);
		if (x.a[i].len < 0)
			return axt_needs_length(g, &x.a[i]);
	}
	if (!axt_axes_count(&x, &count))
		return axt_graph_fail(g, AXT_E_LIMIT, "the result has more than 2^63 elements");
	if (n == 1 && strcmp(name, "full") == 0)
		return constant(g, &x, d ? d : v[0].is_int ? AXT_I64 : AXT_F32, &v[0]);
	if (n == 0 && strcmp(name, "zeros") == 0)
		return constant(g, &x, d ? d : AXT_F32, &zero);
	if (n == 0 && strcmp(name, "ones") == 0)
		return constant(g, &x, d ? d : AXT_F32, &one);
	if (n == 0 && strcmp(name, "placeholder") == 0)
		return axt_placeholder(g, d ? d : AXT_F32, &x, "tensor");
	k = find_gen(name, strlen(name));
	return k >= 0 ? generated(g, k, &x, d, seed, n, v) : unknown_kind(g, name);
}

struct axt_expr *
axt_make(struct axt_graph *g, const char *kind, const char *axes, enum axt_dtype d, int64_t seed)
{
	size_t len = strcspn(kind, ":");
	struct axt_num v[2] = { { .is_int = true }, { .is_int = true } };
	const char *name = axt_strndup(g->m, kind, len);
	int n;

	if (!name)
		return axt_graph_fail(g, AXT_E_MEM, "out of memory");
	if (kind_numbers(g, kind, kind + len, v, &n))
		return axt_node_failed(g);
	return axt_make_of(g, name, axes, d, seed, n, v);
}

/* ---- kinds ---- */

static const char *
gen_name(int op)
{
	for (int k = 0; k < ARRAY_LEN(gens); k++)
		if ((int)gens[k].kind == op)
			return gens[k].name;
	return "";
}

static bool
gen_fields(struct axt_fields *f, struct axt_expr *e)
{
	return f->field(f, AXT_FIELD(U64, "seed=", &e->u.gen.seed, .lo = 0)) &&
	    axt_field_real(f, "lo=", &e->u.gen.lo) && axt_field_real(f, "hi=", &e->u.gen.hi);
}

static struct axt_expr *
gen_build(struct axt_graph *g, struct axt_expr *d)
{
	return axt_gen(g, gen_name((int)d->u.gen.kind), &d->axes, d->dtype, d->u.gen.seed,
	    d->u.gen.lo, d->u.gen.hi);
}

static const char *
gen_does(struct axt_graph *g, const struct axt_expr *e)
{
	return axt_sprintf(g->m, "makes %s", gen_name((int)e->u.gen.kind));
}

const struct axt_node_kind axt_node_gen = { .op = offsetof(struct axt_expr, u.gen.kind),
	.nops = ARRAY_LEN(gens),
	.op_name = gen_name,
	.fields = gen_fields,
	.build = gen_build,
	.does = gen_does };

static bool
const_fields(struct axt_fields *f, struct axt_expr *e)
{
	return axt_field_bytes(f, "", e->u.val.bytes, axt_size(e->dtype));
}

static struct axt_expr *
const_build(struct axt_graph *g, struct axt_expr *d)
{
	struct axt_expr *e = axt_node(g, AXT_NODE_CONST, d->dtype);

	if (axt_bad(e) || (d->dtype == AXT_BOOL && d->u.val.bytes[0] > 1))
		return NULL;
	memcpy(e->u.val.bytes, d->u.val.bytes, sizeof(e->u.val.bytes));
	e->u.val.num.f = axt_load_f64(d->dtype, e->u.val.bytes);
	return e;
}

const struct axt_node_kind axt_node_const = { .fields = const_fields, .build = const_build };
