/* kinds.c - the table of the kinds of nodes, and what follows from it for nodes of any kind. */
#include <assert.h>

#include "expr/expr.h"

const char *const axt_kind_name[] = {
#define ROW(ID, name, plan) [AXT_NODE_##ID] = #name,
	AXT_NODES(ROW)
#undef ROW
};
static const struct axt_node_kind failed;
const struct axt_node_kind *const axt_kinds[] = { [AXT_NODE_FAILED] = &failed,
#define ROW(ID, name, plan) [AXT_NODE_##ID] = &axt_node_##name,
	AXT_NODES(ROW)
#undef ROW
};

const char *
axt_node_op(const struct axt_expr *e)
{
	const struct axt_node_kind *k = axt_kinds[e->kind];
	int op;

	if (!k->op_name)
		return NULL;
	memcpy(&op, (const char *)e + k->op, sizeof(op));
	return k->op_name(op);
}

const char *
axt_does_compute(struct axt_graph *g, const struct axt_expr *e)
{
	const char *s = axt_sprintf(g->m, "computes %s", axt_node_op(e));

	return s ? s : "computes";
}

struct axt_expr *
axt_node_again(struct axt_graph *g, struct axt_expr *e, struct axt_expr *const arg[],
    enum axt_dtype d)
{
	struct axt_expr *c = axt_node_like(g, e->kind, e);

	if (axt_bad(c))
		return c;
	*c = *e;
	c->dtype = d ? d : e->dtype;
	c->arg = e->nargs <= ARRAY_LEN(c->few)
	    ? c->few
	    : axt_alloc(g->m, (size_t)e->nargs * sizeof(*c->arg));
	if (!c->arg)
		return axt_node_failed(g);
	memcpy(c->arg, arg, (size_t)e->nargs * sizeof(*arg));
	return c;
}

/* ---- fields ---- */

bool
axt_field_int(struct axt_fields *f, const char *key, int *p, int64_t lo, int64_t hi)
{
	return f->field(f, AXT_FIELD(INT, key, p, .lo = lo, .hi = hi));
}

bool
axt_field_flag(struct axt_fields *f, const char *key, bool *p)
{
	return f->field(f, AXT_FIELD(FLAG, key, p, .lo = 0));
}

bool
axt_field_real(struct axt_fields *f, const char *key, double *p)
{
	return f->field(f, AXT_FIELD(REAL, key, p, .lo = 0));
}

bool
axt_field_bytes(struct axt_fields *f, const char *key, void *p, int n)
{
	return f->field(f, AXT_FIELD(BYTES, key, p, .n = &n));
}

bool
axt_field_axes(struct axt_fields *f, const char *key, int p[AXT_MAX_RANK], int *n, int rank)
{
	return f->field(f, AXT_FIELD(INTS, key, p, .n = n, .hi = rank - 1));
}

#define FIELDS 16

/* The fields of a node, one after another. */
struct listed {
	struct axt_fields f;
	struct axt_field x[FIELDS];
	int n, count[FIELDS];
};

static bool
list(struct axt_fields *f, const struct axt_field *x)
{
	struct listed *l = (struct listed *)f;

	assert(l->n < FIELDS);
	l->x[l->n] = *x;
	l->count[l->n++] = x->n ? *x->n : 0;
	return true;
}

/* For comparing all fields are listed: one that a text leaves out has its default in the node. */
static bool
list_has(struct axt_fields *f, const char *key, bool there)
{
	(void)f;
	(void)key;
	(void)there;
	return true;
}

static void
list_fields(struct listed *l, struct axt_expr *e)
{
	l->f = (struct axt_fields){ list, list_has };
	l->n = 0;
	if (axt_kinds[e->kind]->fields)
		axt_kinds[e->kind]->fields(&l->f, e);
}

/* The bytes of a field that lies in the node itself. */
static size_t
bytes_of(const struct axt_field *x, int count)
{
	switch (x->type) {
	case AXT_FIELD_INT:
	case AXT_FIELD_CHOICE: return sizeof(int);
	case AXT_FIELD_FLAG: return sizeof(bool);
	case AXT_FIELD_U64: return sizeof(uint64_t);
	case AXT_FIELD_REAL: /* compared as bits, because 0 and -0 differ */ return sizeof(double);
	case AXT_FIELD_BYTES: return (size_t)count;
	case AXT_FIELD_INTS: return (size_t)count * sizeof(int);
	default: return 0;
	}
}

/* Element i of a list of starts; a list that is NULL has 0 everywhere. */
static int64_t
start(const struct axt_field *x, int i)
{
	const int64_t *from = *(const int64_t **)x->p;

	return from ? from[i] : 0;
}

static const struct axt_sel *
sel(const struct axt_field *x, int i)
{
	const struct axt_sel **s = *(const struct axt_sel ***)x->p;

	return s ? s[i] : NULL;
}

static bool
same_sel(const struct axt_sel *a, const struct axt_sel *b)
{
	return a == b ||
	    (a && b && a->n == b->n && a->len == b->len &&
		memcmp(a->span, b->span, (size_t)a->n * sizeof(*a->span)) == 0);
}

static bool
same_field(const struct axt_field *a, const struct axt_field *b, int count)
{
	if (a->type != b->type || strcmp(a->key, b->key) != 0)
		return false;
	switch (a->type) {
	case AXT_FIELD_TEXT: return strcmp(*(const char **)a->p, *(const char **)b->p) == 0;
	case AXT_FIELD_STARTS:
		for (int i = 0; i < count; i++)
			if (start(a, i) != start(b, i))
				return false;
		return true;
	case AXT_FIELD_SELS:
		for (int i = 0; i < count; i++)
			if (!same_sel(sel(a, i), sel(b, i)))
				return false;
		return true;
	default: return memcmp(a->p, b->p, bytes_of(a, count)) == 0;
	}
}

static bool
same_op(const struct axt_expr *a, const struct axt_expr *b)
{
	const struct axt_node_kind *k = axt_kinds[a->kind];

	return !k->op_name ||
	    memcmp((const char *)a + k->op, (const char *)b + k->op, sizeof(int)) == 0;
}

bool
axt_node_alike(struct axt_expr *a, struct axt_expr *b)
{
	struct listed x, y;

	if (a->kind != b->kind || a->nargs != b->nargs || !same_op(a, b) ||
	    memcmp(a->arg, b->arg, (size_t)a->nargs * sizeof(*a->arg)) != 0)
		return false;
	list_fields(&x, a);
	list_fields(&y, b);
	if (x.n != y.n)
		return false;
	for (int i = 0; i < x.n; i++)
		if (x.count[i] != y.count[i] || !same_field(&x.x[i], &y.x[i], x.count[i]))
			return false;
	return true;
}

static uint64_t
hash_field(uint64_t h, const struct axt_field *x, int count)
{
	if (x->type == AXT_FIELD_STARTS)
		for (int i = 0; i < count; i++) {
			int64_t v = start(x, i);

			h = axt_hash(h, &v, sizeof(v));
		}
	if (x->type == AXT_FIELD_SELS)
		for (int i = 0; i < count; i++)
			if (sel(x, i) && sel(x, i)->n)
				h = axt_hash(h, sel(x, i)->span, sizeof(*sel)(x, i)->span);
	return axt_hash(h, x->p, bytes_of(x, count));
}

uint64_t
axt_node_hash(struct axt_expr *e)
{
	int what[] = { (int)e->kind, (int)e->dtype, e->nargs, e->axes.n };
	uint64_t h = axt_hash(0, what, sizeof(what));
	struct listed l;

	h = axt_hash(h, e->arg, (size_t)e->nargs * sizeof(*e->arg));
	for (int i = 0; i < e->axes.n; i++)
		h = axt_hash(h, &e->axes.a[i].len, sizeof(e->axes.a[i].len));
	if (axt_kinds[e->kind]->op_name)
		h = axt_hash(h, (const char *)e + axt_kinds[e->kind]->op, sizeof(int));
	list_fields(&l, e);
	for (int i = 0; i < l.n; i++)
		h = hash_field(h, &l.x[i], l.count[i]);
	return h;
}
