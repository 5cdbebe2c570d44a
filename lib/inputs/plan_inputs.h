/*
 * plan_inputs.h - those lines of a plan that describe its inputs, and those words behind its leaves
 * that say where their values are.
 */
#ifndef AXT_INPUTS_PLAN_INPUTS_H
#define AXT_INPUTS_PLAN_INPUTS_H

#include "inputs/inputs.h"

/*
 * An input of a plan as text. A file is "file 0 size=8 mtime=1 ns=0 name=a.nc", or "bytes 0 ..." if
 * it is not HDF5; "dev=1 ino=2" stands before the size if its descriptor is sent with the plan.
 * Memory is "data 1 bytes=8", followed in saved expressions by the bytes in hexadecimal.
 */
struct axt_plan_input {
	enum { AXT_INPUT_FILE, AXT_INPUT_BYTES, AXT_INPUT_DATA } kind;
	int number;
	bool handed;           /* its descriptor is sent with the plan */
	struct axt_file_id id; /* of a file; dev and ino only if handed */
	const char *name;
	int64_t bytes; /* of AXT_INPUT_DATA */
	char *hex;     /* what follows the bytes of a data line; "" if nothing does */
};
/* Writes the line, without hex and without the end of the line. */
void axt_plan_input_write(struct axt_buf *b, const struct axt_plan_input *x);
/* Reads a line, whose words are decoded in place. Returns false if it is no line of an input. */
bool axt_plan_input_read(char *line, struct axt_plan_input *x);

/*
 * Where a leaf finds its values, as words: "data=1"; "file=0 path=/t" for a dataset, with
 * "sum=0123456789abcdef" in saved expressions; or "file=0 at=128 swap=0" for bytes in a file.
 */
struct axt_plan_leaf {
	bool data;
	int64_t number;
	const char *path, *sum; /* NULL if absent */
	uint64_t at;            /* offset in the file, if there is no path */
	bool swap;
};
void axt_plan_leaf_write(struct axt_buf *b, const struct axt_plan_leaf *x);
bool axt_plan_leaf_read(char *words, struct axt_plan_leaf *x);
/* A leaf over n bytes in memory; NULL if the dtype and axes need another number of bytes. */
struct axt_expr *axt_plan_data(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x,
    const void *data, int64_t n);

#endif
