/*
 * growth.h - the block of a file that grows in place. HDF5 keeps the length of a dataset, and the
 * address of its index of chunks, in the header of the dataset. In such a file, those of all
 * datasets that grow lie together in one block, a page at a fixed address, so that one write of it
 * shows new records of all of them.
 *
 * For readers of HDF5 the block consists of continuation blocks of the headers. At its end is what
 * HDF5 knows nothing of: numbers of 8 bytes, little-endian, and a checksum of 4 bytes.
 */
#ifndef AXT_HDF5_FORMAT_GROWTH_H
#define AXT_HDF5_FORMAT_GROWTH_H

#include "bytes/src.h"

#define AXT_GROWTH_AT 4096
#define AXT_GROWTH_BYTES 4096
enum {
	AXT_GROWTH_TAIL = AXT_GROWTH_BYTES - 80, /* here is a magic word, then these: */
	AXT_GROWTH_EPOCH = AXT_GROWTH_TAIL + 8,  /* more by one after changes that are no appends */
	AXT_GROWTH_SEC = AXT_GROWTH_TAIL +
	    16, /* and nanoseconds: the time of modification after an append */
	AXT_GROWTH_USED = AXT_GROWTH_TAIL + 32, /* from here ... */
	AXT_GROWTH_END = AXT_GROWTH_TAIL + 40,  /* ... to here the file has room for more */
	AXT_GROWTH_OLD = AXT_GROWTH_TAIL + 48,  /* the time of modification when that was noticed */
	AXT_GROWTH_SUM = AXT_GROWTH_BYTES - 4
};

static inline void
axt_put_le(uint8_t *p, uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}
/* Writes the magic word and the checksum. */
void axt_growth_seal(uint8_t page[AXT_GROWTH_BYTES]);
/* Reads the block of the open file. Returns whether it has one that is sound. */
bool axt_growth_read(int fd, uint8_t page[AXT_GROWTH_BYTES]);
/* Puts a time of modification at a place of the block. */
void axt_growth_put(uint8_t page[AXT_GROWTH_BYTES], int at, const struct timespec *mtime);
/* Whether it is the one at that place: at AXT_GROWTH_SEC the last change was an append. */
bool axt_growth_is(const uint8_t page[AXT_GROWTH_BYTES], int at, const struct timespec *mtime);
/*
 * Notes the block of a file that is to be read, if the file has one. Whatever is read of the block
 * later is taken from this copy, so that all datasets have the lengths of one moment.
 */
void axt_growth_note(struct axt_src *s);
/*
 * Whether the file, which has changed since axt_growth_note, has only got records; what was there
 * before is then still in its place. Does not wait for an append that is under way.
 */
bool axt_growth_only(struct axt_file *f);

#endif
