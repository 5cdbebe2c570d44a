/*
 * summed.h - a checksum of the bytes that pass through a sink, which does not depend on the order
 * and the sizes of the pieces in which they come.
 */
#ifndef AXT_BYTES_SUMMED_H
#define AXT_BYTES_SUMMED_H

#include "bytes/output.h"

/* The sum of n bytes at offset `off`. That of bytes in two pieces is the sum of both. */
uint64_t axt_sum_bytes(int64_t off, const void *p, int64_t n);

struct axt_summed {
	struct axt_sink sink, *to;
	uint64_t sum; /* of all bytes that have passed */
};
/* s->sink gives what it takes to `to`. */
void axt_summed_begin(struct axt_summed *s, struct axt_sink *to);

#endif
