/*
 * filtering.c - applies lists of filters to chunks: bounds of sizes, unpacking as a whole and piece
 * by piece, packing.
 */
#include <stdlib.h>

#include "bytes/filtering.h"

/* ---- what filters open, such as libraries ---- */

static void
shut(struct axt_filter_state *s)
{
	if (s->p && s->close)
		s->close(s->p);
	*s = (struct axt_filter_state){ 0 };
}

void
axt_filter_work_close(struct axt_filter_work *w)
{
	for (int k = 0; k < AXT_MAX_FILTERS; k++)
		shut(&w->at[k]);
}

/*
 * Opens what a thread needs for filter k of a list, unless it was opened for an earlier chunk.
 * bytes: what to allocate for a filter without a function `open` (flow_bytes).
 */
static const char *
opened(struct axt_filter_work *w, int k, const struct axt_filter_use *u,
    void *(*open)(const struct axt_filter_use *u, const char **why), void (*close)(void *p),
    size_t bytes)
{
	struct axt_filter_state *s = &w->at[k];
	const char *why = NULL;

	if (s->f == u->f)
		return NULL;
	shut(s);
	if (u->f->fn->library && (why = axt_library_load(u->f->fn->library))) {
		w->absent = u->f;
		return why;
	}
	if (open || bytes > 0) {
		*s = (struct axt_filter_state){ .p = open ? open(u, &why) : malloc(bytes),
			.close = open ? close : free };
		if (!s->p) {
			w->absent = why ? u->f : NULL;
			return why ? why : axt_filter_no_memory;
		}
	}
	s->f = u->f;
	return NULL;
}

/* ---- bounds ---- */

size_t
axt_filters_bound(const struct axt_filters *l, int k, size_t plain)
{
	size_t n = plain;

	for (int i = 0; i < k; i++) {
		const struct axt_filter_fns *fn = l->use[i].f->fn;

		/* encoders need more space than they fill */
		n = fn->most ? fn->most(&l->use[i], n) + n / 256 + 4096 : n + fn->adds;
	}
	return n;
}

size_t
axt_filters_scratch(const struct axt_filters *l, size_t plain)
{
	bool exact;
	size_t most = axt_filters_most(l, l->n, 0, plain, &exact);
	int moves = 0;

	for (int i = 0; i < l->n; i++)
		moves += !l->use[i].f->fn->in_place;
	return moves == l->n && moves <= 1 ? 0 : (moves > 2 ? 2 : 1) * most;
}

const struct axt_filter *
axt_filters_read_only(const struct axt_filters *l)
{
	for (int i = 0; i < l->n; i++)
		if (!l->use[i].f->fn->encode)
			return l->use[i].f;
	return NULL;
}

/* ---- unpacking ---- */

/* Undoes filter k. The result of the last filter to be undone goes to `out`. */
static const char *
undo(const struct axt_filters *l, uint32_t mask, int k, struct axt_filter_work *w,
    struct axt_filter_buffer part[2], size_t plain, struct axt_filter_io *io, uint8_t *out)
{
	const struct axt_filter_use *u = &l->use[k];
	const struct axt_filter_fns *fn = u->f->fn;
	const char *why;

	io->cap = axt_filters_most(l, k, mask, plain, &io->exact);
	if (fn->fits && (why = fn->fits(u, io->n, io->cap, io->exact)))
		return why;
	if (fn->in_place)
		io->out = (uint8_t *)(uintptr_t)io->in;
	else if (axt_filters_any(&(struct axt_filters){ .n = k }, mask))
		io->out = axt_filter_buffer_grow(&part[io->in == part[0].p], io->cap);
	else
		io->out = out;
	if (!io->out)
		return axt_filter_no_memory;
	why = opened(w, k, u, fn->decoder, fn->decoder_free, 0);
	if (!why)
		why = fn->decode(w->at[k].p, u, io);
	io->in = io->out;
	return why;
}

const char *
axt_filters_unpack(const struct axt_filters *l, uint32_t mask, struct axt_filter_work *w,
    struct axt_filter_buffer part[2], struct axt_filter_io *io)
{
	const char *why = NULL;
	uint8_t *out = io->out;
	size_t plain = io->cap;

	w->absent = NULL;
	for (int k = l->n - 1; k >= 0 && !why; k--)
		if (!(mask >> k & 1))
			why = undo(l, mask, k, w, part, plain, io, out);
	return why || io->n == plain ? why : "wrong size";
}

/* ---- unpacking piece by piece ---- */

bool
axt_filters_flow(const struct axt_filters *l, uint32_t mask, bool *planes)
{
	*planes = false;
	for (int k = l->n - 1; k >= 0; k--) {
		if (mask >> k & 1)
			continue;
		if (*planes || !(l->use[k].f->fn->flow || l->use[k].f->fn->planes))
			return false;
		*planes = l->use[k].f->fn->planes;
	}
	return true;
}

size_t
axt_filters_flow_bytes(const struct axt_filters *l)
{
	size_t n = 0;

	for (int k = 0; k < l->n; k++)
		n += l->use[k].f->fn->flow_bytes;
	return n;
}

static const char *
pass(void *ctx, const uint8_t *p, size_t n)
{
	struct axt_flow_stage *s = ctx;

	return s->fn->flow(s->state, p, n, &s->to);
}

const char *
axt_flow_begin(struct axt_flow *f, const struct axt_filters *l, uint32_t mask,
    struct axt_filter_work *w, size_t stored, size_t plain)
{
	bool known = true; /* whether the number of bytes that a stage gets is known */
	size_t n = stored;

	f->n = 0;
	w->absent = NULL;
	for (int k = l->n - 1; k >= 0; k--) {
		const struct axt_filter_use *u = &l->use[k];
		const struct axt_filter_fns *fn = u->f->fn;
		const char *why = NULL;
		bool exact;
		size_t want = axt_filters_most(l, k, mask, plain, &exact);

		if (mask >> k & 1)
			continue;
		if (known && fn->fits)
			why = fn->fits(u, n, want, exact);
		if (!why && fn->flow)
			why = opened(w, k, u, fn->flow_open, fn->flow_free, fn->flow_bytes);
		if (why)
			return why;
		known = known && !fn->most;
		n -= known ? fn->adds : 0;
		if (fn->planes)
			continue;
		fn->flow_begin(w->at[k].p, want, exact);
		f->stage[f->n++] = (struct axt_flow_stage){ .fn = fn, .state = w->at[k].p };
	}
	for (int i = 0; i < f->n; i++)
		f->stage[i].to = i + 1 < f->n
		    ? (struct axt_flow_to){ .take = pass, .ctx = &f->stage[i + 1] }
		    : f->to;
	return known && n != plain ? "wrong size" : NULL;
}

const char *
axt_flow_put(struct axt_flow *f, const uint8_t *p, size_t n)
{
	return f->n > 0 ? pass(&f->stage[0], p, n) : f->to.take(f->to.ctx, p, n);
}

const char *
axt_flow_end(struct axt_flow *f)
{
	const char *why = NULL;

	for (int i = 0; i < f->n && !why; i++)
		why = f->stage[i].fn->flow_end(f->stage[i].state);
	return why;
}

/* ---- packing ---- */

const char *
axt_filters_pack_open(const struct axt_filters *l, struct axt_filter_work *w)
{
	const char *why = NULL;

	for (int k = 0; k < l->n && !why; k++)
		why = opened(w, k, &l->use[k], l->use[k].f->fn->encoder,
		    l->use[k].f->fn->encoder_free, 0);
	return why;
}

const char *
axt_filters_cannot_pack(const struct axt_filters *l)
{
	struct axt_filter_work w = { 0 };
	const char *why = axt_filters_pack_open(l, &w);

	axt_filter_work_close(&w);
	return why;
}

const char *
axt_filters_pack(const struct axt_filters *l, uint32_t mask, struct axt_filter_work *w,
    const struct axt_pack_scratch *k, const uint8_t **out, size_t *n)
{
	struct axt_filter_io io = { .in = k->inner[0], .n = *n };
	const char *why = NULL;
	int last = -1; /* the last filter whose result is not in place */

	for (int i = 0; i < l->n; i++)
		if (!(mask >> i & 1) && !l->use[i].f->fn->in_place)
			last = i;
	if (last < 0 && axt_filters_any(l, mask))
		io.in = memcpy(k->out, io.in, io.n);
	for (int i = 0; i < l->n && !why; i++) {
		const struct axt_filter_fns *fn = l->use[i].f->fn;

		if (mask >> i & 1)
			continue;
		io.out = fn->in_place ? (uint8_t *)(uintptr_t)io.in
		    : i == last       ? k->out
				      : k->inner[io.in == k->inner[0]];
		io.cap = io.out == k->out ? k->out_cap : k->inner_cap;
		why = fn->encode(w->at[i].p, &l->use[i], &io);
		io.in = io.out;
	}
	*out = io.in;
	*n = io.n;
	return why;
}
