/* inner.h - shared by the files of this folder: object headers of version 2, as bytes. */
#ifndef AXT_HDF5_APPEND_INNER_H
#define AXT_HDF5_APPEND_INNER_H

#include "hdf5/append/append.h"
#include "hdf5/format/raw.h"

#define AXT_GROWN_MOST 40 /* datasets that a block may have */

/* The first block of an object header: where its messages are, and the bytes before each. */
struct axt_ohdr {
	size_t from, to; /* of the messages; a checksum follows */
	size_t head;     /* bytes of the header of a message */
};
/* Whether p has, in its first n bytes, a whole header of version 2. */
bool axt_ohdr_read(const uint8_t *p, size_t n, struct axt_ohdr *o);
/* The message of that type between two places, or 0; *n: its bytes with its header. */
size_t axt_ohdr_find(const uint8_t *p, size_t head, size_t from, size_t to, int type, size_t *n);

#endif
