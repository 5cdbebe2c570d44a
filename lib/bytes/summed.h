/*
 * summed.h - a checksum of the bytes that pass through a sink, which does not depend on the order
 * and the sizes of the pieces in which they come.
 */
#ifndef AXT_BYTES_SUMMED_H
#define AXT_BYTES_SUMMED_H

#include "bytes/output.h"

struct axt_summed {
	struct axt_sink sink, *to;
	uint64_t sum; /* of all bytes that have passed */
};
/* s->sink gives what it takes to `to`. */
void axt_summed_begin(struct axt_summed *s, struct axt_sink *to);

#endif
