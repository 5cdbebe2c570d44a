/*
 * run.c - runs plans: does their steps in order, with values for later steps stored in memory, and
 * in the end checks whether inputs have changed.
 */
#include <stdlib.h>

#include "wire/text.h"
#include "device/device.h"
#include "eval/step.h"

/* the least memory for a thread, for its stack and tiles */
#define THREAD_BYTES (2 << 20)
#define DEVICE_MEMORY_MIN (1 << 20) /* a device that has less memory is not tried again */
/* the memory that is assumed of a device that has not been opened */
#define DRAFT_MEMORY ((int64_t)4 << 30)

/* The threads that were asked for, but at most what memory allows, for their tiles and stacks. */
int
axt_graph_threads(const struct axt_graph *g)
{
	int n = g->threads > 0 ? g->threads : axt_threads_default();

	return (int)MAX(1, MIN(n, g->memory / THREAD_BYTES));
}

/* Reads a size that tests make small, so that little data take every path of large data. */
static void
from_environment(const char *name, int64_t *n)
{
	const char *s = getenv(name);

	if (s && !axt_parse_int(s, 1, (int64_t)1 << 28, n))
		*n = 0;
}

/* The bytes of the device's memory that a plan may use. */
static int64_t
device_memory(struct axt_graph *g, struct axt_device *d)
{
	int64_t n = axt_device_memory(d);

	return g->device_room = g->device_room ? MIN(n, g->device_room) : n;
}

/* DRAFT: the plan is only looked at, and starts no device. FOR_RUN: it may start one. */
enum use { DRAFT, FOR_RUN };

/* Whether the user asked for a device, and not for the faster of both. */
static bool
is_asked(const struct axt_graph *g)
{
	return g->device > AXT_DEVICE_CPU && g->device < AXT_DEVICE_AUTO;
}

/*
 * Finds how much memory the device has that the user asked for. A draft only checks that there may
 * be such a device, since each command of a pipeline makes a draft, but only the last one runs the
 * plan of all.
 */
static int
choose_device(struct axt_graph *g, enum use use, int64_t *memory)
{
	struct axt_device *d;

	*memory = DRAFT_MEMORY;
	if (use == DRAFT)
		return axt_device_there(g->device, &g->err);
	d = axt_device_open(g->device, &g->err);
	if (d)
		*memory = device_memory(g, d);
	return d ? 0 : (int)g->err.code;
}

/*
 * Whether to make another plan because the device could not allocate what this one needs: a plan
 * that uses less of the device's memory, or one for the CPU.
 */
static bool
plan_smaller(struct axt_graph *g)
{
	if (!g->device_full)
		return false;
	g->device_full = false;
	g->device_room /= 4;
	if (g->device_room < DEVICE_MEMORY_MIN) {
		if (g->device != AXT_DEVICE_AUTO)
			return false;
		g->device = AXT_DEVICE_CPU;
		g->device_why = "cpu: the device's memory is full";
	}
	g->err = (struct axt_err){ 0 };
	return true;
}

/*
 * Makes the plan. Streams that it cannot read in order are spooled, and the plan is made again with
 * these as files. If there may be a second run, all streams are spooled. If the plans that writers
 * of streams offered make the whole too large, the bytes of these streams are read instead.
 */
static int
make_plan(struct axt_graph *g, struct axt_expr *const e[], int n, enum use use, bool ordered,
    struct axt_plan **out)
{
	struct axt_plan_opts o = { .ordered = ordered,
		.threads = axt_graph_threads(g),
		.memory = g->memory };
	struct axt_device *d;
	struct axt_expr **u = axt_alloc(g->m, (size_t)n * sizeof(*u));

	if (is_asked(g) && choose_device(g, use, &o.device))
		return g->err.code;
	from_environment("AXT_TILE", &o.tile);
	from_environment("AXT_SLAB", &o.slab);
	if (!u)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	do {
		if (axt_unify(g, e, n, u))
			return g->err.code;
		if (!g->once && axt_streams_keep(g, u, n))
			return g->err.code;
		while (axt_plan_make(g, u, n, &o, axt_storage_told, out)) {
			if (g->err.code != AXT_E_LIMIT || !axt_taken_decline(g, g->err.text))
				return g->err.code;
			g->err = (struct axt_err){ 0 };
			if (axt_unify(g, e, n, u))
				return g->err.code;
		}
		if (!o.device && use != DRAFT && (d = axt_device_pays(g, *out, o.threads))) {
			o.device = device_memory(g, d);
			if (axt_plan_make(g, u, n, &o, axt_storage_told, out))
				return g->err.code;
		}
	} while (axt_streams_check(g, *out));
	return 0;
}

int
axt_draft_plan(struct axt_graph *g, struct axt_expr *const e[], int n, bool ordered,
    struct axt_plan **out)
{
	return make_plan(g, e, n, DRAFT, ordered, out);
}

/* Whether a plan made now would be the same: with the same inputs, on the same device. */
static bool
still_fits(struct axt_graph *g, const struct axt_plan *draft, bool ordered, bool inputs_changed)
{
	return draft && !inputs_changed && draft->ordered == ordered && !is_asked(g) &&
	    !axt_device_pays(g, draft, axt_graph_threads(g));
}

/* Allocates memory for an output that later steps read. */
static int
hold(struct axt_graph *g, struct axt_output *o, struct axt_mem_sink *m)
{
	struct axt_storage *st = axt_alloc(g->m, sizeof(*st));
	int64_t count = axt_count(o->node), bytes = count * axt_size(o->dtype);
	uint8_t *p = axt_scratch_new(bytes);

	if (!st || !p) {
		free(p);
		return axt_fail(&g->err, AXT_E_MEM, "out of memory for %lld bytes",
		    (long long)bytes);
	}
	*st = (struct axt_storage){ .layout = AXT_LAYOUT_COMPACT,
		.dtype = o->dtype,
		.rank = o->node->axes.n,
		.count = count,
		.fd = -1,
		.mem = p,
		.from = o->node->from };
	for (int i = 0; i < st->rank; i++)
		st->dims[i] = o->node->axes.a[i].len;
	axt_mem_sink_init(m, p, bytes);
	o->held = st;
	return 0;
}

static void
drop_held(struct axt_plan *p)
{
	for (struct axt_step *s = p->steps; s; s = s->next)
		for (int k = 0; k < s->nouts; k++)
			if (s->out[k].held) {
				free((void *)s->out[k].held->mem);
				s->out[k].held = NULL;
			}
}

/* The sinks of the steps of a pass. */
struct pass_sinks {
	struct axt_mem_sink mem[AXT_MAX_PASS][AXT_MAX_OUTS];
	struct axt_sink *sink[AXT_MAX_PASS][AXT_MAX_OUTS];
};

static int
choose_sinks(struct axt_graph *g, struct axt_step *s, struct axt_sink *const result[],
    struct pass_sinks *x)
{
	for (int i = 0, n = s->npass; i < n; i++, s = s->next)
		for (int k = 0; k < s->nouts; k++) {
			x->sink[i][k] = s->out[k].result < 0 ? &x->mem[i][k].sink
							     : result[s->out[k].result];
			if (s->out[k].result < 0 && hold(g, &s->out[k], &x->mem[i][k]))
				return g->err.code;
		}
	return 0;
}

/* Runs the pass that begins with step s. */
static int
run_pass(struct axt_graph *g, struct axt_step *s, struct axt_sink *const result[],
    const struct axt_plan *p)
{
	struct pass_sinks *x = axt_alloc(g->m, sizeof(*x));
	int n = 0, at = 0, threads = axt_graph_threads(g);

	if (!x)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (choose_sinks(g, s, result, x))
		return g->err.code;
	for (const struct axt_step *y = p->steps; y; y = y->next, n++)
		at = y == s ? n : at;
	if (s->npass > 1)
		return axt_bands_run(g, s, x->sink, threads, p, (double)at / n,
		    (double)s->npass / n);
	return axt_step_run(g, s, x->sink[0], threads, p, (double)at / n, 1.0 / n);
}

int
axt_run(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_sink *const sink[])
{
	return axt_run_draft(g, e, n, sink, NULL);
}

int
axt_run_draft(struct axt_graph *g, struct axt_expr *const e[], int n, struct axt_sink *const sink[],
    struct axt_plan *draft)
{
	bool ordered = false, lost = !g->early && axt_taken_commit(g);
	struct axt_plan *p;
	struct axt_step *s;

	if (!g->err.code)
		axt_reach();
	for (int i = 0; i < n; i++)
		ordered = ordered || sink[i]->ordered;
	p = !g->err.code && still_fits(g, draft, ordered, lost) ? draft : NULL;
	do {
		if (g->err.code || axt_cancelled(g, &g->err) ||
		    (!p && make_plan(g, e, n, FOR_RUN, ordered, &p)) || axt_streams_spool(g, p))
			return g->err.code;
		for (s = p->steps; s; s = s->next)
			if (s->npass && run_pass(g, s, sink, p))
				break;
		drop_held(p);
		if (!g->err.code)
			axt_plan_warn(g, p);
		/* a pass has run, so that something may have been read or written */
		if (s != p->steps || !s)
			break;
		p = NULL;
	} while (plan_smaller(g));
	return g->err.code;
}

int
axt_files_check(struct axt_graph *g)
{
	if (axt_taken_drain(g))
		return g->err.code;
	for (struct axt_open_file *f = g->files; f; f = f->next)
		if (f->read && !f->stale && !(g->enough && f->f->stream) &&
		    axt_file_check(f->f, &g->err))
			return g->err.code;
	if (axt_guard_hit())
		return axt_fail(&g->err, AXT_E_CHANGED, "an input changed while being read");
	return 0;
}

/*
 * Evaluates e into `out`, in an arena of its own, which is freed afterwards. early: the same files
 * and streams will be read again.
 */
static enum axt_code
evaluate(struct axt_graph *g, struct axt_expr *e, void *out, size_t bytes, bool early)
{
	struct axt_arena *m = g->m, *own;
	const char *why = g->device_why;
	struct axt_mem_sink s;
	struct axt_sink *sink = &s.sink;
	bool once = g->once;
	int64_t need;

	if (axt_refused(g, e))
		return g->err.code;
	need = axt_count(e) * axt_size(e->dtype);
	if (need != (int64_t)bytes)
		return axt_fail(&g->err, AXT_E_ARG, "the result has %lld bytes, not %zu",
		    (long long)need, bytes);
	own = axt_graph_talk(g) ? axt_arena_new() : NULL;
	if (!own)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_mem_sink_init(&s, out, need);
	g->once = false;
	g->early = early;
	g->m = own; /* the memory of the plan is freed here */
	if (axt_run(g, &e, 1, &sink) == 0 && !early)
		axt_files_check(g);
	g->m = m;
	g->device_why = why;
	g->once = once;
	g->early = false;
	axt_arena_free(own);
	return g->err.code;
}

enum axt_code
axt_eval(struct axt_graph *g, struct axt_expr *e, void *out, size_t bytes)
{
	return evaluate(g, e, out, bytes, false);
}

enum axt_code
axt_eval_early(struct axt_graph *g, struct axt_expr *e, void *out, size_t bytes)
{
	return evaluate(g, e, out, bytes, true);
}

int
axt_part_values(struct axt_graph *g, struct axt_expr *const e[], int n, void *const out[])
{
	struct axt_mem_sink m[2];
	struct axt_sink *sink[2];
	bool once = g->once;

	for (int i = 0; i < n; i++) {
		if (axt_refused(g, e[i]))
			return g->err.code;
		axt_mem_sink_init(&m[i], out[i], axt_count(e[i]) * axt_size(e[i]->dtype));
		sink[i] = &m[i].sink;
	}
	g->once = false; /* other parts may read the same streams */
	axt_run(g, e, n, sink);
	g->once = once;
	return g->err.code;
}

enum axt_code
axt_explain(struct axt_graph *g, struct axt_expr *const e[], int n, FILE *out)
{
	struct axt_expr **s = axt_all_as_stored(g, e, n);
	struct axt_plan *p;

	axt_taken_commit(g);
	if (g->err.code == 0 && make_plan(g, s, n, FOR_RUN, false, &p) == 0)
		axt_plan_explain(g, p, out);
	axt_taken_explain(g, out);
	return g->err.code ? g->err.code : (enum axt_code)axt_taken_drain(g);
}
