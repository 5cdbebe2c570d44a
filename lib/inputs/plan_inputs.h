/* plan_inputs.h - the lines of a plan that tell its inputs, and the words of its leaves. */
#ifndef AXT_INPUTS_PLAN_INPUTS_H
#define AXT_INPUTS_PLAN_INPUTS_H

#include "inputs/inputs.h"

/*
 * "file 0 size=8 mtime=1 ns=0 name=a.nc", where it is handed over with "dev=1 ino=2" before the
 * size; "bytes" instead of "file": of another format. "data 1 bytes=8", where it is kept in the
 * text with the bytes in hexadecimal behind.
 */
struct axt_plan_input {
	enum { AXT_INPUT_FILE, AXT_INPUT_BYTES, AXT_INPUT_DATA } kind;
	int number;
	bool handed;           /* a descriptor of it goes along */
	struct axt_file_id id; /* of a file; dev and ino where it is handed over */
	const char *name;
	int64_t bytes; /* DATA */
	char *hex;     /* what follows those; "" */
};
/* Without what hex has, and the end of the line. */
void axt_plan_input_write(struct axt_buf *b, const struct axt_plan_input *x);
/* false: the line is none of those. Its words are decoded in place. */
bool axt_plan_input_read(char *line, struct axt_plan_input *x);

/*
 * What tells a leaf's values: "data=1"; "file=0 path=/t", a dataset, with "sum=0123456789abcdef"
 * where the text is kept; or "file=0 at=128 swap=0", bytes of a file.
 */
struct axt_plan_leaf {
	bool data;
	int64_t number;
	const char *path, *sum; /* NULL: not told */
	uint64_t at;            /* without path */
	bool swap;
};
void axt_plan_leaf_write(struct axt_buf *b, const struct axt_plan_leaf *x);
bool axt_plan_leaf_read(char *words, struct axt_plan_leaf *x);
/* A leaf over n bytes in memory; NULL: it needs more or less than these. */
struct axt_expr *axt_plan_data(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x,
    const void *data, int64_t n);

#endif
