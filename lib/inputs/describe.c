/*
 * describe.c - tells axt-info where the values of a tensor come from. For a saved expression it
 * reads only the text, since the inputs may no longer exist; for a virtual dataset, its maps; for a
 * stream, the plan that its writer offers.
 */
#include "wire/text.h"
#include "hdf5/format/virtual.h"
#include "inputs/plan_inputs.h"

/* Adds "FILE:DATASET" to the list unless it is there already. */
static void
add(struct axt_graph *g, struct axt_info_list *l, const char *file, const char *path)
{
	const char *word = path
	    ? axt_sprintf(g->m, "%s:%s", file, path + (path[0] == '/' && !strchr(path + 1, '/')))
	    : file;

	for (int i = 0; word && i < l->n; i++)
		if (strcmp(l->word[i], word) == 0)
			return;
	if (word && l->n < AXT_INFO_LIST)
		l->word[l->n++] = word;
	else if (word)
		l->more = true;
}

/* ---- saved expressions, from their text ---- */

/* The decoded word that follows `key` on a line. */
static const char *
word(struct axt_graph *g, const char *line, size_t n, const char *key)
{
	char *s = axt_strndup(g->m, line, n), *at = s ? strstr(s, key) : NULL, *w;

	if (!at)
		return NULL;
	at++; /* skip the blank */
	w = axt_plan_take(&at, key + 1);
	return w && *w ? w : NULL;
}

static void
by_text(struct axt_graph *g, const char *text, struct axt_info_plan *p)
{
	const char *name[AXT_INFO_LIST] = { NULL };
	int64_t k = 0;

	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		size_t n = strcspn(s, "\n");
		char *q = axt_strndup(g->m, s, n);
		struct axt_plan_input in;
		const char *w, *file;

		if (q && axt_plan_input_read(q, &in) && in.kind == AXT_INPUT_FILE) {
			if (in.number < AXT_INFO_LIST)
				name[in.number] = in.name;
			else
				p->inputs.more = true;
		}
		if (strncmp(s, "node ", 5) != 0)
			continue;
		w = word(g, s, n, " path=");
		file = w ? word(g, s, n, " file=") : NULL;
		if (file && axt_parse_int(file, 0, AXT_INFO_LIST - 1, &k) && name[k])
			add(g, &p->inputs, name[k], w);
		q = axt_strndup(g->m, s + 5, n - 5); /* a line such as "3 place f32 [N=3] v" */
		if (q && axt_plan_take(&q, "") && axt_plan_take(&q, "place") &&
		    axt_plan_take(&q, "") && axt_plan_take(&q, "[") && (w = axt_plan_take(&q, "")))
			add(g, &p->places, w, NULL);
	}
}

/* ---- streams, from their nodes ---- */

static void
by_nodes(struct axt_graph *g, struct axt_expr *root, struct axt_info_plan *p)
{
	const struct axt_dset *d;
	struct axt_nodes o;
	struct axt_file *f;

	if (axt_nodes(g, &root, 1, false, &o))
		return;
	for (int i = 0; i < o.n; i++) {
		const struct axt_expr *e = o.e[i];

		if (e->kind == AXT_NODE_PLACE)
			add(g, &p->places, e->u.place, NULL);
		if (e->kind == AXT_NODE_LEAF && (d = axt_leaf_dataset(g, e->u.leaf.st, &f)))
			add(g, &p->inputs, f->path, d->path);
	}
}

/* Finds out whether e is only a view of a tensor. */
static void
find_view(struct axt_graph *g, struct axt_expr *e, struct axt_info_plan *p)
{
	const struct axt_step *s = axt_step_alone(g, e, axt_storage_told);
	const struct axt_operand *op;

	if (!s || s->split || s->prog.ninstrs || s->prog.noperands != 1)
		return;
	op = &s->prog.operand[0];
	if (op->node->kind != AXT_NODE_LEAF || op->jumps)
		return;
	p->view = true;
	p->v = op->v;
	p->v.nd = e->axes.n;
}

/* ---- virtual datasets, from their maps ---- */

static void
by_maps(struct axt_graph *g, const struct axt_file *f, const struct axt_virtual *v,
    struct axt_info_plan *p)
{
	for (int k = 0; k < v->n; k++)
		add(g, &p->inputs, strcmp(v->map[k].file, ".") == 0 ? f->path : v->map[k].file,
		    v->map[k].path);
}

/*
 * The expression of a stream or of a saved expression; NULL: there is none, or an input cannot be
 * opened.
 */
static struct axt_expr *
opened(const struct axt_describing *c, struct axt_file *f, struct axt_dset *d)
{
	struct axt_graph *g = c->g;
	void (*warn)(void *ctx, const char *line) = g->warn;
	struct axt_expr *e, *u;

	g->warn = NULL;
	e = axt_dset_load(g->m, f, d, &g->err)
	    ? axt_node_failed(g)
	    : axt_named_tensor(g, &(struct axt_named){ .f = f, .d = d }, c->open);
	g->warn = warn;
	if (e->kind != AXT_NODE_LEAF || !e->u.leaf.plan || !*e->u.leaf.plan ||
	    axt_unify(g, &e, 1, &u))
		return NULL;
	return u;
}

/*
 * Whether memory, or reading, has failed: that is an error. Any other error, such as an input that
 * was removed, is cleared.
 */
static bool
end(struct axt_graph *g, const struct axt_err *before)
{
	if (!before->code && axt_arena_failed(g->m) && g->err.code != AXT_E_MEM) {
		g->err = *before;
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	if (g->err.code == AXT_E_MEM || g->err.code == AXT_E_IO)
		return true;
	g->err = *before;
	return false;
}

int
axt_describe(void *ctx, struct axt_file *f, const struct axt_dset *d, struct axt_info_plan *p)
{
	const char *text = axt_attr_text(d->attrs, "axt_plan");
	const struct axt_describing *c = ctx;
	struct axt_graph *g = c->g;
	struct axt_err before = g->err;
	struct axt_expr *e = NULL;

	*p = (struct axt_info_plan){ .is = text || d->virt, .maps = !text && d->virt };
	if (text)
		by_text(g, text, p);
	else if (d->virt)
		by_maps(g, f, d->virt, p);
	if (text || (g->taken && f->stream))
		e = opened(c, f, (struct axt_dset *)d);
	if (e && !text) {
		p->is = true;
		by_nodes(g, e, p);
	}
	if (e)
		find_view(g, e, p);
	return end(g, &before) ? -1 : p->is;
}
