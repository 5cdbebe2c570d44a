/* text.h - shared by the files that write programs. */
#ifndef AXT_DEVICE_TEXT_H
#define AXT_DEVICE_TEXT_H

#include "device/device.h"

/*
 * In words.c: the text called "op ADD", "conv F32 ERROR", "red sum", "base" for a dtype's id, or
 * NULL.
 */
const char *axt_word(const char *dtype, const char *name);

/* A program being written. */
struct axt_writer {
	struct axt_graph *g;
	struct axt_program *p;
	struct axt_buf words, body;
	const char *had[512]; /* names of texts included already */
	int nhad;
};
/*
 * Includes a text, unless it is there already; if there is no such text, the graph gets an error.
 */
void axt_write_word(struct axt_writer *w, const char *dtype, const char *name);
/* The id of a dtype in programs: "F32". */
const char *axt_dtype_id(enum axt_dtype d);
/* Declares the operands x0, x1, ... */
void axt_write_operands(struct axt_writer *w);
/* Declares i0, i1, ...: the indices of an element of the tile, if any operand is STORED. */
void axt_write_indices(struct axt_writer *w, const char *indent, const char *element);
/* Writes the expression for the element of STORED operand k at i0, i1, ... */
void axt_write_stored(struct axt_writer *w, int k);
/*
 * Declares the values r0, r1, ...; LOADk reads operand k, and `bad` is set where an element is
 * refused.
 */
void axt_write_values(struct axt_writer *w, const char *indent);
/* In across.c: decides whether a map is done in squares, and writes its kernel. */
void axt_choose_across(struct axt_program *p);
void axt_write_across(struct axt_writer *w);
/* In reduce.c: writes the kernels of a reduction. */
void axt_write_reduce(struct axt_writer *w);

#endif
