/* step_map.c - plans maps: steps whose results the program computes element by element. */
#include "plan/steps.h"

/* elements of a tile that transposes, since long pieces are worth more than L2 */
#define BAND_TILE (768 << 10)
#define LINEAR_BYTES (32 << 20) /* bytes of such a tile if the output must come in order */

/* Makes the loop nest and the program of e. */
static int
lay_map(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e, int *root)
{
	for (int i = 0; i < e->axes.n; i++)
		axt_index_map_axis(pl, s, &s->index_map, e, i);
	axt_some_dim(s);
	return axt_compile(pl, s, e, &s->index_map, root);
}

struct axt_step *
axt_step_alone(struct axt_graph *g, struct axt_expr *e, axt_facts_fn *facts)
{
	static const struct axt_plan_opts none;
	struct axt_planner pl = { .g = g, .o = &none, .facts = facts };
	struct axt_step *s = axt_nodes(g, &e, 1, false, &pl.nodes) ? NULL : axt_step_asked(g, e);

	pl.learned = axt_alloc(g->m, (size_t)pl.nodes.n * sizeof(*pl.learned) + 1);
	if (!s || !pl.learned) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	return lay_map(&pl, s, e, &s->out[0].root) ? NULL : s;
}

/*
 * Adds e as an output to a map step over the same axes, if the step reads everything that e needs.
 * Returns false if it does not.
 */
static bool
add_to_step(struct axt_planner *pl, struct axt_step *s, const struct axt_expr *e, int result)
{
	struct axt_prog before = s->prog;
	int reg;

	if (s->kind != AXT_STEP_MAP || s->nouts == AXT_MAX_OUTS || s->split || e->flat ||
	    !axt_axes_same(&s->laid, &e->axes))
		return false;
	s->strict = true;
	if (!axt_step_joined(pl, s, &before, axt_compile(pl, s, e, &s->index_map, &reg)))
		return false;
	axt_output_new(s, e, result)->root = reg;
	return true;
}

int
axt_map_step(struct axt_planner *pl, const struct axt_expr *e, int result)
{
	struct axt_step *s;

	/* results of a stream come one after another, so each needs its own step */
	for (s = pl->p->steps; s && !pl->o->ordered; s = s->next)
		if (add_to_step(pl, s, e, result) || pl->g->err.code)
			return pl->g->err.code;
	s = axt_step_new(pl, AXT_STEP_MAP);
	if (!s)
		return pl->g->err.code;
	s->kept_count = axt_count(e);
	return lay_map(pl, s, e, &axt_output_new(s, e, result)->root);
}

/* ---- shape ---- */

static void
shape(struct axt_graph *g, struct axt_step *s, const struct axt_plan_opts *o, int64_t elements)
{
	int64_t inner, linear = MIN(LINEAR_BYTES, o->memory / AXT_TILES_PART / o->threads);
	int u = axt_transposed_dim(s);

	(void)g;
	if (u >= 0 && !o->tile) {
		inner = axt_tile_count(s, NULL, u + 1, s->sp.nd);
		if (!o->ordered) {
			s->ext[u] = MIN(AXT_TRANSPOSED, axt_band_len(s, u));
			elements = MAX(elements,
			    MIN(MIN(BAND_TILE, axt_tile_limit(s, o)),
				s->kept_count / (2 * o->threads)));
		} else if (inner * axt_element_bytes(s) * 16 <= linear) {
			elements = MAX(elements,
			    inner *
				MIN(AXT_TRANSPOSED,
				    MIN(s->sp.len[u],
					linear / 2 / (inner * axt_element_bytes(s)))));
		}
	}
	axt_tile_widen(s, 0, s->sp.nd, elements);
	s->linear = axt_tile_linear(s, 0, s->sp.nd);
}

static void
kept(const struct axt_step *s, int *a, int *b)
{
	*a = 0;
	*b = s->sp.nd;
}

static bool
may_slab(const struct axt_step *s, int d, bool ordered)
{
	(void)s;
	return !ordered || d == 0;
}

const struct axt_step_fns axt_step_map = {
	.word = "map",
	.kept = kept,
	.may_slab = may_slab,
	.shape = shape,
	.elementwise = true,
	.slab_part = 2,
};
