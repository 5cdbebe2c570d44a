/*
 * across.c - writes the kernel of a map some of whose operands are contiguous along another
 * dimension than the tile is. Such operands are read in squares, which are transposed in shared
 * memory.
 */
#include "device/text.h"

#define SHARED_BYTES 49152 /* shared memory that a block has on every device */

static int
square_bytes(const struct axt_program *p, int k)
{
	return AXT_SQUARE * (AXT_SQUARE + 1) * p->s->prog.operand[k].size;
}

void
axt_choose_across(struct axt_program *p)
{
	const struct axt_space *sp = &p->s->sp;
	int last = sp->nd - 1, left = SHARED_BYTES;

	p->across = -1;
	for (int k = 0; k < p->s->prog.noperands && sp->lin == last; k++) {
		const int64_t *stride = p->s->prog.operand[k].v.stride;

		if (p->as[k] != AXT_AS_STORED || stride[last] == 1 || stride[last] == 0)
			continue;
		for (int d = 0; d < last && p->across < 0; d++)
			if (stride[d] == 1 && sp->len[d] > 1)
				p->across = d;
		p->staged[k] = p->across >= 0 && stride[p->across] == 1 &&
		    left >= square_bytes(p, k);
		left -= p->staged[k] ? square_bytes(p, k) : 0;
	}
}

int64_t
axt_program_blocks(const struct axt_program *p, const struct axt_tile *t)
{
	int64_t each = (int64_t)AXT_BLOCK_THREADS * p->vector, q, last;

	if (p->across < 0)
		return (t->count + each - 1) / each;
	q = t->n[p->across];
	last = t->n[p->s->sp.lin];
	return t->count / q / last * ((q + AXT_SQUARE - 1) / AXT_SQUARE) *
	    ((last + AXT_SQUARE - 1) / AXT_SQUARE);
}

/*
 * Writes code that finds the indices i0, i1, ... in the tile, for all but the two dimensions of a
 * square, from `outer`, which numbers squares.
 */
static void
write_outer(struct axt_writer *w)
{
	const struct axt_program *p = w->p;

	for (int d = p->s->sp.lin - 1; d >= 0; d--)
		if (d != p->across) {
			axt_buf_addf(&w->body, "\tuint32_t i%d = outer %% (uint32_t)W(%d);\n", d,
			    p->tile + d);
			axt_buf_addf(&w->body, "\touter /= (uint32_t)W(%d);\n", p->tile + d);
		}
}

/*
 * Writes code that finds the indices along both dimensions of the square, for the element of row r
 * that thread t does: q is the index in the square along dimension p->across, last along the other
 * one.
 */
static void
write_square(struct axt_writer *w, const char *q, const char *last)
{
	const struct axt_program *p = w->p;
	int lin = p->s->sp.lin;

	axt_buf_addf(&w->body,
	    "\t\t\tint64_t i%d = from_q + %s, at = from_last + %s, i%d = W(%d) + at;\n"
	    "\t\t\tif (i%d < W(%d) && at < W(%d)) {\n",
	    p->across, q, last, lin, AXT_ARG_LO, p->across, p->tile + p->across, p->tile + lin);
}

/* Writes the head of the loop over the rows of the square that thread t does. */
static void
write_rows(struct axt_writer *w)
{
	int step = AXT_BLOCK_THREADS / AXT_SQUARE;

	axt_buf_addf(&w->body,
	    "\t\tUNROLL\n\t\tfor (int q = 0; q < %d; q++) {\n"
	    "\t\t\tint r = t / %d + q * %d;\n",
	    AXT_SQUARE / step, AXT_SQUARE, step);
}

void
axt_write_across(struct axt_writer *w)
{
	const struct axt_program *p = w->p;
	const struct axt_step *s = p->s;
	int lin = s->sp.lin;

	for (int k = 0; k < s->prog.noperands; k++)
		if (p->staged[k])
			axt_buf_addf(&w->body, "#define LOAD%d z%d[t %% %d][r]\n", k, k,
			    AXT_SQUARE);
		else if (p->as[k] == AXT_AS_TILE)
			axt_buf_addf(&w->body, "#define LOAD%d x%d[i]\n", k, k);
	axt_buf_addf(&w->body,
	    "\nKERNEL(axt_map)\n{\n"
	    "\tuint32_t nq = (uint32_t)(W(%d) + %d) / %d, nlast = (uint32_t)(W(%d) + %d) / %d;\n"
	    "\tuint32_t from_last = (uint32_t)BLOCK %% nlast * %d, outer = (uint32_t)BLOCK / nlast;\n"
	    "\tuint32_t from_q = outer %% nq * %d;\n\n\touter /= nq;\n",
	    p->tile + p->across, AXT_SQUARE - 1, AXT_SQUARE, p->tile + lin, AXT_SQUARE - 1,
	    AXT_SQUARE, AXT_SQUARE, AXT_SQUARE);
	axt_write_operands(w);
	write_outer(w);
	for (int k = 0; k < s->prog.noperands; k++)
		if (p->staged[k])
			axt_buf_addf(&w->body, "\tSHARED T_%s z%d[%d][%d];\n",
			    axt_dtype_id(s->prog.operand[k].node->dtype), k, AXT_SQUARE,
			    AXT_SQUARE + 1);
	axt_buf_adds(&w->body, "\n\tEACH_THREAD {\n");
	write_rows(w);
	write_square(w, "t % 32", "r");
	for (int k = 0; k < s->prog.noperands; k++)
		if (p->staged[k]) {
			axt_buf_addf(&w->body, "\t\t\t\tz%d[r][t %% %d] = ", k, AXT_SQUARE);
			axt_write_stored(w, k);
		}
	axt_buf_adds(&w->body, "\t\t\t}\n\t\t}\n\t}\n\tSYNC\n\tEACH_THREAD {\n");
	write_rows(w);
	write_square(w, "r", "t % 32");
	axt_buf_adds(&w->body, "\t\t\t\tint bad = 0;\n\t\t\t\tint64_t i = 0;\n");
	for (int d = 0; d < lin; d++)
		axt_buf_addf(&w->body, "\t\t\t\ti = i * W(%d) + i%d;\n", p->tile + d, d);
	axt_buf_addf(&w->body, "\t\t\t\ti = i * W(%d) + at;\n", p->tile + lin);
	axt_write_values(w, "\t\t\t\t");
	for (int k = 0; k < s->nouts; k++)
		axt_buf_addf(&w->body, "\t\t\t\t((T_%s *)W(%d))[i] = r%d;\n",
		    axt_dtype_id(s->out[k].dtype), p->out[k], s->out[k].root);
	axt_buf_addf(&w->body,
	    "\t\t\t\tif (bad)\n\t\t\t\t\trefuse(W(%d));\n"
	    "\t\t\t}\n\t\t}\n\t}\n}\n",
	    AXT_ARG_BAD);
}
