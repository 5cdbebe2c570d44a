/* explain.c - what a part, or the processes of a job, are about to do. */
#include <inttypes.h>

#include "jobs/part.h"

/* The elements that a piece has, or of which it has states. */
static int64_t
elements_of(const struct axt_part *p, const struct axt_piece *x)
{
	return !x->box                  ? 0
	    : p->out.t[x->of].states.on ? axt_count(axt_part_reduction(x->e)->arg[0])
					: axt_count(x->e);
}

/* What part p->k has of result i: one line, with its name where there are several. */
static void
print_part(const struct axt_part *p, int i, FILE *out)
{
	const struct axt_part_tensor *t = &p->out.t[i];
	struct axt_expr *e = t->states.on ? axt_part_reduction(p->e[i])->arg[0] : p->e[i];
	int64_t mine = 0;

	for (int k = 0; k < p->npieces; k++)
		mine += p->piece[k].of == i ? elements_of(p, &p->piece[k]) : 0;
	fprintf(out, "part %" PRId64 " of %" PRId64, p->k, p->n);
	if (p->out.n > 1)
		fprintf(out, " of %s", axt_escape(p->g->m, t->v.name));
	fprintf(out, ": %s, %" PRId64 " of %" PRId64 " elements%s\n", axt_part_slabs(p, i), mine,
	    axt_count(e), t->states.on ? ", reduced to states of blocks" : "");
}

enum axt_code
axt_explain_part(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, const struct axt_part_opts *how, FILE *out)
{
	struct axt_part p = { .g = g, .o = how };
	struct axt_expr **piece;
	int some = 0;

	if (axt_part_look(&p, e, n, o) || axt_part_pieces(&p, e))
		return g->err.code;
	axt_part_tell(&p);
	piece = axt_part_exprs(&p);
	for (int i = 0; piece && i < n; i++)
		print_part(&p, i, out);
	for (int i = 0; piece && i < p.npieces; i++)
		if (p.piece[i].box)
			piece[some++] = piece[i];
	return some > 0 ? axt_explain(g, piece, some, out) : g->err.code;
}

/* What a number is for the parts of a job: the least, the most, and in all. */
struct range {
	int64_t least, most, all;
};

static void
count(struct range *r, int64_t v)
{
	r->least = MIN(r->least, v);
	r->most = MAX(r->most, v);
	r->all = r->all > INT64_MAX - v ? INT64_MAX : r->all + v;
}

/* The axes along which result `at` is cut: "time, lat"; "time in 4, lat in 8" of a grid. */
static const char *
cut_axes(const struct axt_part *p, int at)
{
	const struct axt_partition *c = axt_part_cut(&p->out.t[at]);
	const char *s = c->n > 0 ? "" : "no axis";

	for (int k = 0; s && k < c->n; k++) {
		const char *name = axt_part_axis(p, at, c->axis[k]);

		s = name ? axt_sprintf(p->g->m, "%s%s%s", s, k ? ", " : "", name) : NULL;
		if (s && k < AXT_GRID_AXES && c->pieces[k])
			s = axt_sprintf(p->g->m, "%s in %d", s, c->pieces[k]);
	}
	return s ? s : "";
}

/* What the parts of a job read, all inputs that ranks exchange apart. */
struct reads {
	struct range own;
	int64_t once, exchanged,
	    rounds; /* of those inputs: bytes read once, and sent; in how many */
};

/*
 * Adds up what parts read of inputs. of: what each part reads of each input that may be exchanged.
 * Of one that is, each part reads its share.
 */
static void
count_reads(const struct axt_part *p, const int64_t *own, const int64_t *of, struct reads *r)
{
	int m = p->needs.n;

	*r = (struct reads){ .own.least = INT64_MAX };
	for (int i = 0; i < m; i++) {
		const struct axt_need *x = &p->needs.l[i];

		if (!x->shared)
			continue;
		r->once = axt_plus(r->once, axt_need_once(x));
		r->exchanged = axt_plus(r->exchanged, x->needed - x->own);
		r->rounds = axt_plus(r->rounds, axt_need_rounds(x, p->g->memory, p->n));
	}
	for (int64_t k = 0; k < p->n; k++) {
		int64_t bytes = axt_plus(own[k], r->once / p->n);

		for (int i = 0; i < m; i++)
			bytes = axt_plus(bytes, p->needs.l[i].shared ? 0 : of[k * m + i]);
		count(&r->own, bytes);
	}
	r->own.all = axt_plus(r->own.all, r->once % p->n);
}

/* Finds what part p->k reads: *own, and of[] of each input that may be exchanged. */
static int
look_at_part(struct axt_part *p, int64_t *own, int64_t *of, struct range *elements)
{
	struct axt_graph *g = p->g;
	struct axt_expr **piece;
	int64_t mine = 0;

	for (int i = 0; i < p->needs.n; i++)
		p->needs.l[i].box = (struct axt_box){ 0 };
	if (axt_part_boxes(p) || axt_part_pieces(p, p->e) || !(piece = axt_part_exprs(p)) ||
	    axt_part_reads(g, piece, p->npieces, &p->needs, of, own))
		return g->err.code;
	for (int i = 0; i < p->npieces; i++)
		mine += elements_of(p, &p->piece[i]);
	for (int i = 0; i < p->needs.n; i++) {
		axt_need_part(&p->needs.l[i], &p->needs.l[i].box, of[i]);
		p->needs.l[i].own += axt_need_own(&p->needs, i, p->k, p->n);
	}
	count(elements, mine);
	return 0;
}

/*
 * The same of all parts. What is made for a part is freed before the next: there may be a million.
 */
static int
look_at_all(struct axt_part *p, int64_t *own, int64_t *of, struct range *elements, int64_t *empty)
{
	struct axt_graph *g = p->g;
	struct axt_arena *all = g->m;
	int m = p->needs.n;

	for (p->k = 1; p->k <= p->n && !g->err.code; p->k++) {
		if (p->k > 1) /* what the graph keeps of the expression is made for the first */
			g->m = axt_arena_new();
		if (g->m)
			look_at_part(p, &own[p->k - 1], &of[(p->k - 1) * m], elements);
		else
			axt_fail(&g->err, AXT_E_MEM, "out of memory");
		*empty += p->npieces == 0;
		if (g->m && g->m != all)
			axt_arena_free(g->m);
		g->m = all;
	}
	for (int i = 0; i < m; i++)
		p->needs.l[i].shared = axt_need_shared(&p->needs.l[i], false);
	return g->err.code;
}

/* What a job is cut into, and what its processes read. */
static void
print_reads(const struct axt_part *p, const struct reads *reads, const struct range *elements,
    int64_t empty, int64_t whole, FILE *out)
{
	fprintf(out, "%" PRId64 " process%s%s", p->n, p->n == 1 ? "" : "es",
	    p->out.n > 1 ? "\n" : ", ");
	for (int i = 0; i < p->out.n; i++) {
		int64_t chunks = axt_part_cut(&p->out.t[i])->chunks;

		if (p->out.n > 1)
			fprintf(out, "%s: ", axt_escape(p->g->m, p->out.t[i].v.name));
		fprintf(out, "cut along %s: %" PRId64 " chunk%s\n", cut_axes(p, i), chunks,
		    chunks == 1 ? "" : "s");
	}
	if (empty)
		fprintf(out, "%" PRId64 " of them %s nothing to do\n", empty,
		    empty == 1 ? "has" : "have");
	fprintf(out, "elements: %" PRId64 " in all, %" PRId64 " to %" PRId64 " each\n",
	    elements->all, elements->least, elements->most);
	fprintf(out,
	    "bytes read: %" PRId64 " in all, %" PRId64 " to %" PRId64
	    " each; by one process %" PRId64 "\n",
	    reads->own.all, reads->own.least, reads->own.most, whole);
	if (reads->exchanged)
		fprintf(out,
		    "bytes exchanged: %" PRId64 " in all, of inputs that are read once, in %" PRId64
		    " round%s\n",
		    reads->exchanged, reads->rounds, reads->rounds == 1 ? "" : "s");
}

/* What they write, and send one another. shared: they write one file, or one store. */
static void
print_writes(const struct axt_part *p, const struct axt_way *way, bool shared, bool exchanged,
    FILE *out)
{
	bool chunked = false, filtered = false, packed;
	int64_t bytes = 0;

	for (int i = 0; i < p->out.n; i++) {
		chunked = chunked || p->r[i].as.chunked;
		filtered = filtered || p->r[i].as.nfilters > 0;
		bytes = axt_plus(bytes,
		    axt_times(axt_count(p->e[i]), axt_size(p->out.t[i].v.dtype)));
	}
	packed = shared && chunked && way->kind == AXT_WAY_HDF5;
	fprintf(out, "bytes written: %" PRId64 " in all%s%s\n", bytes,
	    filtered ? ", less once they are packed" : "",
	    shared ? "" : ", and again where parts are put together");
	fprintf(out,
	    "messages: some tens of operations of all processes, of at most 5 KiB each%s%s\n",
	    packed ? ", beside twice 8 bytes for each chunk" : "",
	    !exchanged   ? ""
		: packed ? " and what is exchanged"
			 : ", beside what is exchanged");
}

/*
 * Plans a job as its processes do: what is cut is what is left once the phases are done. *whole:
 * what one process reads.
 */
static int
plan_job(struct axt_part *p, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    struct axt_phases *phases, int64_t *whole)
{
	struct axt_graph *g = p->g;
	struct axt_job *job = axt_alloc(g->m, sizeof(*job));

	*phases = (struct axt_phases){ 0 };
	if (!job)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	p->job = job;
	return axt_job_find(g, e, n, o, job) || axt_part_reads(g, job->e, n, NULL, NULL, whole) ||
		axt_phases_find(g, job->e, n, p->n, phases) || axt_part_plan(p, e, n, o) ||
		axt_needs_of(g, p->e, n, &p->needs) || axt_needs_whole(g, p->e, n, &p->needs)
	    ? g->err.code
	    : 0;
}

static void
print_phases(const struct axt_phases *x, FILE *out)
{
	if (!x->n)
		return;
	fprintf(out,
	    "before that, %d reduction%s by all processes together, in %d pass%s: bytes read: "
	    "%" PRId64 " in all",
	    x->n, x->n == 1 ? "" : "s", x->passes, x->passes == 1 ? "" : "es", x->read);
	if (x->counts)
		fprintf(out, "; counts: %" PRId64 " bytes each, at most, added up over all",
		    x->counts);
	fputs("\n", out);
}

enum axt_code
axt_explain_ranks(struct axt_graph *g, struct axt_expr *const e[], int n,
    const struct axt_save_opts *o, long ranks, FILE *out)
{
	struct axt_part p = { .g = g, .n = ranks, .together = true };
	struct range elements = { .least = INT64_MAX };
	struct axt_way way = { .kind = AXT_WAY_HDF5 };
	struct axt_phases phases;
	struct reads reads;
	int64_t whole, empty = 0, *own, *of;

	if (ranks < 1 || ranks > AXT_PARTS_MAX)
		return axt_fail(&g->err, AXT_E_ARG, "a job has 1 to %d processes, not %ld",
		    AXT_PARTS_MAX, ranks);
	if (plan_job(&p, e, n, o, &phases, &whole) ||
	    (o->output && axt_part_way(g, o->output, &way)))
		return g->err.code;
	own = axt_alloc(g->m, (size_t)ranks * sizeof(*own));
	of = axt_alloc(g->m, (size_t)ranks * (size_t)p.needs.n * sizeof(*of) + 1);
	if (!own || !of)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (look_at_all(&p, own, of, &elements, &empty))
		return g->err.code;
	count_reads(&p, own, of, &reads);
	p.k = 1;
	axt_part_tell(&p);
	axt_needs_tell(g, p.e, n, &p.needs, ranks);
	print_phases(&phases, out);
	print_reads(&p, &reads, &elements, empty, whole, out);
	print_writes(&p, &way, axt_part_shares(&p, o, &way) && !way.dset, reads.exchanged > 0, out);
	return AXT_OK;
}
