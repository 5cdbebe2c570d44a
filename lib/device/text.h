/* text.h - what the files that write programs share. */
#ifndef AXT_DEVICE_TEXT_H
#define AXT_DEVICE_TEXT_H

#include "device/device.h"

/* words.c: the text of "op ADD", "conv F32 ERROR", "red sum", "base" for a dtype's id; NULL: none. */
const char *axt_word(const char *dtype, const char *name);

/* A program as it is written. */
struct axt_writer {
	struct axt_graph *g;
	struct axt_program *p;
	struct axt_buf words, body;
	const char *had[512];		/* texts in words already */
	int nhad;
};
/* Takes a word in, once; none of that name: the graph has the error. */
void axt_write_word(struct axt_writer *w, const char *dtype, const char *name);
/* The name of a dtype in programs: "F32". */
const char *axt_dtype_id(enum axt_dtype d);
/* Declares x0... */
void axt_write_operands(struct axt_writer *w);
/* Declares i0...: indices of the dimensions, of an element of the tile, where operands are STORED. */
void axt_write_indices(struct axt_writer *w, const char *indent, const char *element);
/* The element of STORED operand k at i0... */
void axt_write_stored(struct axt_writer *w, int k);
/* Declares r0...: LOADk is what the kernel has of operand k; `bad` is set where one is refused. */
void axt_write_values(struct axt_writer *w, const char *indent);
/* across.c: whether a map is done in squares; its kernel. */
void axt_choose_across(struct axt_program *p);
void axt_write_across(struct axt_writer *w);
/* reduce.c: the kernels of reductions. */
void axt_write_reduce(struct axt_writer *w);

#endif
