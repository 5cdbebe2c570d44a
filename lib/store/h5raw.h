/*
 * h5raw.h - the few structures axt reads past libhdf5, because it is not safe on damaged ones: messages of an object header
 * (raw attribute values, compact data) and global heap objects.
 */
#ifndef AXT_STORE_H5RAW_H
#define AXT_STORE_H5RAW_H

#include "h5.h"

/* The stored bytes of an attribute's value: compact or dense. NULL when not found as they should be. In the arena. */
const uint8_t *axt_raw_attr(struct axt_arena *m, struct axt_src *s, uint64_t obj, const char *name, size_t *n);
/* The data of a compact dataset. */
const uint8_t *axt_raw_compact(struct axt_arena *m, struct axt_src *s, uint64_t obj, size_t *n);
/* One variable-length element (length, address, index): its bytes in the arena, elements of `size`; n of them. */
const uint8_t *axt_raw_vlen(struct axt_arena *m, struct axt_src *s, const uint8_t *p, size_t size, size_t *n);
/* Bytes of a variable-length element in this file. */
static inline int
axt_raw_vlen_bytes(const struct axt_src *s)
{
	return 4 + s->addr_size + 4;
}

#endif
