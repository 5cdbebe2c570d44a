/*
 * fractal_heap.h - a fractal heap in memory, which is read, or checked before libhdf5 writes to the
 * file.
 */
#ifndef AXT_HDF5_FORMAT_FRACTAL_HEAP_H
#define AXT_HDF5_FORMAT_FRACTAL_HEAP_H

#include "hdf5/format/raw.h"

#define AXT_FHEAP_ROWS 64

struct axt_fheap {
	struct axt_raw *r;
	uint64_t addr; /* address of the heap's header */
	int id_n, width, bits, offset_n, len_n;
	bool summed; /* whether direct blocks have checksums */
	uint64_t start, max_direct;
	uint64_t root;
	/*
	 * needed for checks before writing: space: the address of the free-space manager; size: the
	 * bytes of the heap; next: the offset in it of the next block; objects: the number of
	 * objects
	 */
	uint64_t space, size, next, objects;
	int first_rows;
	int rows; /* rows of the root if it is an indirect block; 0 if it is a direct block */
	struct axt_hblock { /* blocks read so far */
		struct axt_hblock *next;
		uint64_t addr, off;
		int rows; /* 0 for a direct block */
		/* child pointers of an indirect block, or all bytes of a direct block */
		struct axt_cur c;
	} * read;
	uint64_t huge_tree;
	struct huge {
		uint64_t id, addr, n;
	} * huge; /* sorted by ID if `sorted` is set */
	size_t nhuge, cap;
	bool sorted;
};

/* The number of bytes that precede the contents of a block, a checksum not counted. */
size_t axt_fheap_head(const struct axt_fheap *h);
/*
 * Reads and checks the block at addr, which is at offset `off` of the heap, or finds it among those
 * that were read. rows is 0 for a direct block of `size` bytes. NULL: the block is damaged.
 */
struct axt_hblock *axt_fheap_block(struct axt_fheap *h, uint64_t addr, uint64_t off, int rows,
    uint64_t size);
/* The size of each block in a row, or 0 if it does not fit in 64 bits. */
uint64_t axt_fheap_row(const struct axt_fheap *h, int row);
/* The number of rows of an indirect block whose child blocks have `size` bytes in total. */
int axt_fheap_rows(const struct axt_fheap *h, uint64_t size);
/* The direct block that contains offset `off` of the heap. */
const struct axt_hblock *axt_fheap_direct(struct axt_fheap *h, uint64_t off);
bool axt_fheap_on_huge(void *ctx, struct axt_cur rec);

#endif
