/*
 * fractal_heap.h - a fractal heap, as its reader sees it and as it is checked before libhdf5 writes
 * to it.
 */
#ifndef AXT_HDF5_FORMAT_FRACTAL_HEAP_H
#define AXT_HDF5_FORMAT_FRACTAL_HEAP_H

#include "hdf5/format/raw.h"

#define AXT_FHEAP_ROWS 64

struct axt_fheap {
	struct axt_raw *r;
	uint64_t addr; /* of its header */
	int id_n, width, bits, offset_n, len_n;
	bool summed; /* direct blocks have checksums */
	uint64_t start, max_direct;
	uint64_t root;
	/*
	 * For checks before writing: the free-space manager, bytes of the heap, offset of the next
	 * block, number of objects.
	 */
	uint64_t space, size, taken, next, objects;
	int first_rows;
	uint64_t met;       /* bytes of direct blocks read so far */
	int rows;           /* of the root's indirect block; 0: the root is a direct block */
	struct axt_hblock { /* blocks read so far */
		struct axt_hblock *next;
		uint64_t addr, off;
		int rows;         /* 0: it is a direct block */
		struct axt_cur c; /* its pointers; of a direct block, all of it */
	} * read;
	uint64_t huge_tree;
	struct huge {
		uint64_t id, addr, n;
	} * huge; /* in order of ID once sorted is set */
	size_t nhuge, cap;
	bool sorted;
};

/* How many bytes of a block come before its contents, without a checksum. */
size_t axt_fheap_head(const struct axt_fheap *h);
/*
 * A block, read and checked the first time. rows 0: a direct block of `size` bytes. NULL when it is
 * damaged.
 */
struct axt_hblock *axt_fheap_block(struct axt_fheap *h, uint64_t addr, uint64_t off, int rows,
    uint64_t size);
/* The bytes of each block in a row, or 0 when they do not fit. */
uint64_t axt_fheap_row(const struct axt_fheap *h, int row);
/* The rows of an indirect block whose blocks have `size` bytes together. */
int axt_fheap_rows(const struct axt_fheap *h, uint64_t size);
/* The direct block that contains offset `off` of the heap. */
const struct axt_hblock *axt_fheap_direct(struct axt_fheap *h, uint64_t off);
bool axt_fheap_on_huge(void *ctx, struct axt_cur rec);

#endif
