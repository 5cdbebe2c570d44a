/*
 * sink.c - what the threads of a step share: the first error, turns at ordered sinks; and how tiles
 * of results get to sinks.
 */
#include <stdlib.h>

#include "eval/shared.h"

/*
 * Text is written in order, so tiles of it wait for their turn. TEXT_ELEMENTS is how many elements
 * are turned into text at a time, TEXT_BYTES how much text may wait before the turn is needed.
 */
#define TEXT_ELEMENTS (64 << 10)
#define TEXT_BYTES (4 << 20)

struct axt_shared *
axt_shared_new(struct axt_err *e)
{
	struct axt_shared *sh = calloc(1, sizeof(*sh));

	if (!sh) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	pthread_mutex_init(&sh->lock, NULL);
	pthread_mutex_init(&sh->in, NULL);
	pthread_cond_init(&sh->turn, NULL);
	return sh;
}

void
axt_shared_free(struct axt_shared *sh)
{
	if (!sh)
		return;
	pthread_cond_destroy(&sh->turn);
	pthread_mutex_destroy(&sh->lock);
	pthread_mutex_destroy(&sh->in);
	free(sh);
}

bool
axt_shared_stopped(struct axt_shared *sh)
{
	return atomic_load(&sh->stop);
}

int
axt_shared_end(struct axt_shared *sh, struct axt_err *e)
{
	if (!sh->err.code)
		return 0;
	*e = sh->err;
	return -1;
}

void
axt_fail_unit(struct axt_worker *w, int64_t unit)
{
	struct axt_shared *sh = w->r->sh;

	pthread_mutex_lock(&sh->lock);
	/* the error of the first unit in order is kept, even if another unit failed earlier */
	if (!sh->err.code || unit < sh->err_unit) {
		sh->err = w->err;
		sh->err_unit = unit;
	}
	atomic_store(&sh->stop, true);
	pthread_cond_broadcast(&sh->turn);
	pthread_mutex_unlock(&sh->lock);
	w->err = (struct axt_err){ 0 };
}

bool
axt_turn_wait(struct axt_shared *sh, int64_t seq)
{
	bool mine;

	pthread_mutex_lock(&sh->lock);
	while (sh->turn_now != seq && !atomic_load(&sh->stop) && !atomic_load(&sh->enough))
		pthread_cond_wait(&sh->turn, &sh->lock);
	mine = sh->turn_now == seq;
	pthread_mutex_unlock(&sh->lock);
	return mine;
}

void
axt_turn_end(struct axt_shared *sh, int64_t seq)
{
	pthread_mutex_lock(&sh->lock);
	sh->turn_now = seq + 1;
	pthread_cond_broadcast(&sh->turn);
	pthread_mutex_unlock(&sh->lock);
}

/* Waits for its turn, and passes the text to the sink. */
static int
take_text(struct axt_worker *w, struct axt_sink *sink, int64_t n, int64_t seq)
{
	int rc = 0;

	if (axt_turn_wait(w->r->sh, seq))
		rc = sink->take(sink, &w->text, n, &w->err);
	w->text.n = 0;
	return rc;
}

/* Writes n bytes at off to a sink of text. Each thread makes text; the sink takes it in order. */
static int
write_text(struct axt_worker *w, struct axt_sink *sink, int64_t off, const uint8_t *p, int64_t n,
    int size, int64_t seq)
{
	for (int64_t m; n > 0 && !axt_is_full(w->r); off += m, p += m, n -= m) {
		m = MIN(n, (int64_t)TEXT_ELEMENTS * size);
		sink->render(sink, off, p, m, &w->text);
		w->rendered += m;
		if (w->text.n < TEXT_BYTES && m < n)
			continue;
		if (take_text(w, sink, w->rendered, seq))
			return -1;
		w->rendered = 0;
	}
	return 0;
}

/* Writes a tile of output k in contiguous pieces, in row-major order. */
static int
write_box(struct axt_worker *w, int k, const struct axt_tile *t, const uint8_t *p, int64_t seq)
{
	struct axt_step_run *r = w->r;
	const struct axt_space *sp = r->outs ? &r->outs[k] : &r->out;
	struct axt_operand op = { .v = { .nd = sp->nd } };
	struct axt_sink *sink = r->sink[k];
	int size = axt_size(r->s->out[k].dtype), rc;
	int64_t piece, stride = 1;

	for (int d = sp->nd - 1; d >= 0; d--) {
		op.v.stride[d] = stride;
		stride *= sp->len[d];
	}
	piece = axt_operand_piece(&op, sp, t);
	for (int64_t j = 0; j < t->count; j += piece) {
		int64_t rest = j, at = 0;

		for (int d = sp->lin; d >= 0; d--) {
			int64_t i = t->lo[d] + rest % t->n[d];

			rest /= t->n[d];
			at += i * (d == sp->lin ? 1 : op.v.stride[d]);
		}
		rc = sink->render
		    ? write_text(w, sink, at * size, p + j * size, piece * size, size, seq)
		    : sink->write(sink, at * size, p + j * size, piece * size, &w->err);
		if (rc)
			return -1;
	}
	return 0;
}

int
axt_emit(struct axt_worker *w, int k, const struct axt_tile *t, const void *p, int64_t seq)
{
	return axt_emit_part(w, k, t, p, seq, true);
}

int
axt_emit_part(struct axt_worker *w, int k, const struct axt_tile *t, const void *p, int64_t seq,
    bool last)
{
	const struct axt_step_run *r = w->r;
	int64_t turn = r->banded ? r->at.seq : seq;
	int rc;

	if (!r->sink[k]->ordered)
		return write_box(w, k, t, p, turn);
	/* another unit has failed, or the sink needs no more */
	if (!r->sink[k]->render && !axt_turn_wait(r->sh, turn))
		return 0;
	rc = write_box(w, k, t, p, turn);
	if (r->sink[k]->render && !axt_turn_wait(r->sh, turn))
		return rc;
	if (axt_is_full(r))
		atomic_store(&r->sh->enough, true);
	if (!r->banded && last)
		axt_turn_end(r->sh, seq);
	return rc;
}
