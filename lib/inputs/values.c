/* values.c - coordinates and attributes in memory, which a caller gives or asks for. */
#include "axes/keys.h"
#include "axt_cmd.h"
#include "inputs/inputs.h"

const void *
axt_values_copy(struct axt_graph *g, const struct axt_values *v)
{
	const char *const *text = v->data;
	int64_t bytes;
	char **copy;
	void *p;

	if (v->dtype && !axt_dtype_bytes(v->dtype)) {
		axt_fail(&g->err, AXT_E_DTYPE, "no such dtype");
		return NULL;
	}
	if (v->n < 0 || (v->n && !v->data)) {
		axt_fail(&g->err, AXT_E_ARG, "there are no values");
		return NULL;
	}
	if (!axt_mul(v->n, v->dtype ? axt_size(v->dtype) : (int64_t)sizeof(*copy), &bytes)) {
		axt_fail(&g->err, AXT_E_LIMIT, "%lld values are too many", (long long)v->n);
		return NULL;
	}
	copy = p = axt_alloc(g->m, (size_t)bytes + 1);
	if (p && v->dtype && bytes)
		memcpy(p, v->data, (size_t)bytes);
	for (int64_t i = 0; p && !v->dtype && i < v->n; i++)
		if (!(copy[i] = axt_strdup(g->m, text[i])))
			p = NULL;
	if (!p)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return p;
}

/*
 * Makes an attribute of the values. Without values it becomes an empty text, which means that the
 * attribute is to be removed.
 */
static int
attr_of_values(struct axt_graph *g, const char *name, const struct axt_values *v,
    struct axt_attr *out)
{
	const void *data = v && v->n ? axt_values_copy(g, v) : "";

	*out = (struct axt_attr){ .name = axt_strdup(g->m, name), .text = "" };
	if (!*name)
		return axt_fail(&g->err, AXT_E_SYNTAX, "an attribute without a name");
	if (!data || !out->name)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (!v || !v->n)
		return 0;
	out->kind = v->dtype ? AXT_ATTR_NUM : v->n == 1 ? AXT_ATTR_TEXT : AXT_ATTR_TEXTS;
	out->dtype = v->dtype;
	out->n = v->n;
	out->data = data;
	out->text = out->kind == AXT_ATTR_TEXT ? *(const char *const *)data : NULL;
	return 0;
}

struct axt_expr *
axt_set_attr_values(struct axt_graph *g, struct axt_expr *a, const char *object, const char *name,
    const struct axt_values *v)
{
	struct axt_attr *at = axt_alloc(g->m, sizeof(*at));
	char number[AXT_TEXT];

	if (axt_refused(g, a) || !at || attr_of_values(g, name, v, at))
		return axt_node_failed(g);
	if (object || at->kind != AXT_ATTR_NUM || strcmp(name, "_FillValue") != 0)
		return axt_attr_put(g, a, object, at, NULL);
	axt_value_cdl(number, at->dtype, at->data);
	return axt_set_missing(g, a, number, false);
}

/* The attributes of the tensor (object NULL), of the file (""), of an axis, or of an auxiliary. */
static const struct axt_attr *
attrs_of(const struct axt_expr *e, const char *object)
{
	const struct axt_aux *x;
	int i;

	if (!object || !*object)
		return object ? e->meta->file_attrs : e->meta->attrs;
	i = axt_axes_spelled(&e->axes, object);
	if (i >= 0)
		return e->axes.a[i].coord ? e->axes.a[i].coord->attrs : NULL;
	x = axt_aux_find(e->meta->aux, object);
	return x ? x->attrs : NULL;
}

bool
axt_expr_attr(const struct axt_expr *e, const char *object, const char *name,
    struct axt_values *out)
{
	const struct axt_attr *a = axt_bad(e) ? NULL : axt_attr_find(attrs_of(e, object), name);

	*out = (struct axt_values){ 0 };
	if (a)
		*out = a->kind == AXT_ATTR_TEXT
		    ? (struct axt_values){ .n = 1, .data = &a->text }
		    : (struct axt_values){ a->kind == AXT_ATTR_NUM ? a->dtype : AXT_DTYPE_AUTO,
			      a->n, a->data };
	return a != NULL;
}

const char *
axt_expr_attr_name(const struct axt_expr *e, const char *object, int i)
{
	const struct axt_attr *a = axt_bad(e) || i < 0 ? NULL : attrs_of(e, object);

	while (a && i-- > 0)
		a = a->next;
	return a ? a->name : NULL;
}

bool
axt_expr_coord(const struct axt_expr *e, int i, struct axt_values *out)
{
	const struct axt_coord *c = axt_bad(e) || i < 0 || i >= e->axes.n ? NULL
									  : e->axes.a[i].coord;

	*out = (struct axt_values){ 0 };
	if (!c || !c->data)
		return false;
	*out = (struct axt_values){ c->text ? AXT_DTYPE_AUTO : c->dtype, c->n, c->data };
	return true;
}

bool
axt_expr_auxiliary(const struct axt_expr *e, int i, struct axt_auxiliary *out)
{
	const struct axt_aux *x = axt_bad(e) || i < 0 ? NULL : e->meta->aux;
	int64_t n;

	*out = (struct axt_auxiliary){ 0 };
	while (x && i-- > 0)
		x = x->next;
	if (!x)
		return false;
	out->name = x->name;
	out->rank = x->axes.n;
	for (int k = 0; k < x->axes.n; k++) {
		out->axis[k] = axt_axis_spell(e->g->m, &x->axes.a[k]);
		out->len[k] = x->axes.a[k].len;
	}
	if (x->data && !x->chars && axt_axes_count(&x->axes, &n))
		out->values = (struct axt_values){ x->text ? AXT_DTYPE_AUTO : x->dtype, n,
			x->data };
	return true;
}
