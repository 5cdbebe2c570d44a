/* fractal_heap.h - a fractal heap, shared by its reader and by what is looked at before it is written
 * to. */
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
	/* what only writers need: the free-space manager, bytes of the heap, where it goes on,
	 * objects */
	uint64_t space, size, taken, next, objects;
	int first_rows;
	uint64_t met;       /* bytes of direct blocks */
	int rows;           /* of the root's indirect block; 0: a direct block */
	struct axt_hblock { /* blocks read so far */
		struct axt_hblock *next;
		uint64_t addr, off;
		int rows;         /* 0: a direct one */
		struct axt_cur c; /* pointers; the whole of a direct one */
	} * read;
	uint64_t huge_tree;
	struct huge {
		uint64_t id, addr, n;
	} * huge; /* in order of id, once sorted is set */
	size_t nhuge, cap;
	bool sorted;
};

/* Bytes of a block before what it holds, without a checksum. */
size_t axt_fheap_head(const struct axt_fheap *h);
/* A block, read and checked once. rows 0: a direct one of `size` bytes. NULL: damaged. */
struct axt_hblock *axt_fheap_block(
    struct axt_fheap *h, uint64_t addr, uint64_t off, int rows, uint64_t size);
/* Bytes of each block in a row, 0: too many to count. */
uint64_t axt_fheap_row(const struct axt_fheap *h, int row);
/* Rows of an indirect block of `size` bytes in all. */
int axt_fheap_rows(const struct axt_fheap *h, uint64_t size);
/* The direct block that holds offset `off` of the heap. */
const struct axt_hblock *axt_fheap_direct(struct axt_fheap *h, uint64_t off);
bool axt_fheap_on_huge(void *ctx, struct axt_cur rec);

#endif
