/* text.h - shared by the files that write programs for devices. */
#ifndef AXT_DEVICE_TEXT_H
#define AXT_DEVICE_TEXT_H

#include "device/device.h"

/*
 * In words.c: the text that words.in has by this name, such as "op ADD", "conv F32 ERROR" or "red
 * sum", for the dtype with this id; "base" is the text that all others of the dtype need. NULL:
 * there is none.
 */
const char *axt_word(const char *dtype, const char *name);

/* A program while it is written. */
struct axt_writer {
	struct axt_graph *g;
	struct axt_program *p;
	struct axt_buf words, body;
	const char *had[512]; /* names of the texts that are in it already */
	int nhad;
};
/* Includes a text unless it is there already. If there is no such text, the graph gets an error. */
void axt_write_word(struct axt_writer *w, const char *dtype, const char *name);
/* The id of a dtype in programs, such as "F32". */
const char *axt_dtype_id(enum axt_dtype d);
/* Writes the declarations of the operands x0, x1, ... */
void axt_write_operands(struct axt_writer *w);
/* Writes the indices i0, i1, ... of an element of the tile, if any operand is STORED. */
void axt_write_indices(struct axt_writer *w, const char *indent, const char *element);
/* Writes the expression for the element of operand k, which is STORED, at i0, i1, ... */
void axt_write_stored(struct axt_writer *w, int k);
/* Writes the values r0, r1, ... LOADk reads operand k; `bad` is set if an element is refused. */
void axt_write_values(struct axt_writer *w, const char *indent);
/*
 * In across.c. axt_choose_across decides whether operands of a map that are contiguous along
 * another dimension than the tile are read in squares, which are transposed in shared memory;
 * axt_write_across writes the kernel of such a map.
 */
void axt_choose_across(struct axt_program *p);
void axt_write_across(struct axt_writer *w);
/* In reduce.c: writes the kernels of a reduction. */
void axt_write_reduce(struct axt_writer *w);

#endif
