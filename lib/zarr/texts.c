/*
 * texts.c - arrays of texts of any length, by the codec vlen-utf8: a chunk is the number of its
 * texts (4 bytes, little-endian), then for each its length (4 bytes) and its bytes.
 */
#include <stdlib.h>

#include "zarr/zarr.h"

#define MOST ((size_t)1 << 30) /* bytes of a chunk, unpacked */

/* The bytes of a chunk while its filters are undone. */
struct bytes {
	uint8_t *p;
	size_t n;
};

static uint8_t *
room(void *ctx, size_t n)
{
	struct bytes *b = ctx;

	b->p = malloc(n + 1);
	return b->p;
}

/* Undoes one filter. How many bytes there will be is not known, so that more and more are tried. */
static const char *
undo(const struct axt_filter_use *u, struct bytes *b)
{
	const struct axt_filter_fns *fn = u->f->fn;
	const char *why = fn->library ? axt_library_load(fn->library) : NULL;
	void *state = fn->decoder && !why ? fn->decoder(u, &why) : NULL;
	struct axt_filter_io io = { 0 };
	uint8_t *out = NULL;

	if (why || (fn->decoder && !state))
		return why ? why : axt_filter_no_memory;
	if (fn->fits)
		why = fn->fits(u, b->n, 0, false);
	if (fn->in_place && !why) {
		io = (struct axt_filter_io){ .in = b->p, .n = b->n, .out = b->p, .cap = b->n };
		why = fn->decode(state, u, &io);
		b->n = io.n;
	}
	for (size_t cap = MAX(b->n * 4, (size_t)1 << 16); !fn->in_place && !why; cap *= 4) {
		free(out);
		out = malloc(MIN(cap, MOST));
		if (!out) {
			why = axt_filter_no_memory;
			break;
		}
		io = (struct axt_filter_io){ .in = b->p,
			.n = b->n,
			.out = out,
			.cap = MIN(cap, MOST) };
		why = fn->decode(state, u, &io);
		if (!why)
			break;
		if (cap < MOST)
			why = NULL; /* it may have been too little room */
	}
	if (state)
		fn->decoder_free(state);
	if (!fn->in_place && !why) {
		free(b->p);
		*b = (struct bytes){ out, io.n };
		out = NULL;
	}
	free(out);
	return why;
}

/*
 * Puts the texts of chunk c, which is b, into `out`, which has those of the whole array. A chunk
 * has its axes in the order of the array. Returns NULL, or what is wrong.
 */
static const char *
place(const struct axt_zarr_array *a, const struct axt_storage *s, struct axt_arena *m, int64_t c,
    const struct bytes *b, const char **out)
{
	int64_t first[AXT_MAX_RANK], at[AXT_MAX_RANK] = { 0 }, n = s->chunk_count;
	size_t pos = 4;

	if (b->n < 4 || axt_le32(b->p) != (uint64_t)n)
		return "has another number of texts";
	for (int d = s->rank - 1; d >= 0; d--) {
		first[d] = c % s->grid[d] * s->chunk[d];
		c /= s->grid[d];
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t to = 0;
		bool inside = true;
		size_t len;

		if (b->n - pos < 4 || (len = axt_le32(b->p + pos)) > b->n - pos - 4)
			return "ends within a text";
		for (int d = 0; d < s->rank; d++) {
			inside = inside && first[d] + at[d] < s->dims[d];
			to = to * s->dims[d] + first[d] + at[d];
		}
		if (inside && !(out[to] = axt_strndup(m, (const char *)b->p + pos + 4, len)))
			return axt_filter_no_memory;
		pos += 4 + len;
		for (int d = s->rank - 1; d >= 0; d--) {
			int k = a->order[d];

			if (++at[k] < s->chunk[k])
				break;
			at[k] = 0;
		}
	}
	return pos == b->n ? NULL : "has bytes behind its last text";
}

int
axt_zarr_texts(struct axt_arena *m, const struct axt_zarr_array *a, const struct axt_storage *s,
    const char **out, struct axt_err *e)
{
	for (int64_t i = 0; i < s->count; i++)
		out[i] = a->fill_text ? (const char *)a->fill_text : "";
	for (int64_t c = 0; s->apart && c < s->nchunks && !e->code; c++) {
		struct bytes b = { NULL, 0 };
		const char *why = NULL;
		char name[256], text[400];

		s->apart->bring(s, c, MOST, room, &b, &b.n, e);
		for (int k = s->filters.n - 1; !e->code && b.n != SIZE_MAX && k >= 0 && !why; k--)
			why = undo(&s->filters.use[k], &b);
		if (!e->code && b.n != SIZE_MAX && !why)
			why = place(a, s, m, c, &b, out);
		s->apart->name(s, c, name, sizeof(name));
		snprintf(text, sizeof(text), "%s: %s", name, why ? why : "");
		if (why)
			axt_fail(e, why == axt_filter_no_memory ? AXT_E_MEM : AXT_E_DAMAGED,
			    "%s: %s", s->from, text);
		free(b.p);
	}
	return e->code;
}
