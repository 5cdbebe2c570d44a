/*
 * src.h - reads the bytes of a file by their address, also if the file is a pipe, which is read in
 * order.
 */
#ifndef AXT_BYTES_SRC_H
#define AXT_BYTES_SRC_H

#include "bytes/bytes.h"

/*
 * The bytes of a file. They are read by pread or, if the file is a pipe, in order; those of a pipe
 * are kept in memory up to a limit, and beyond that in an unlinked file.
 */
struct axt_src {
	int fd;              /* the pipe, or an open descriptor; -1: that of `of` */
	struct axt_file *of; /* the file whose descriptor is used */
	bool stream;
	uint64_t size; /* bytes of the file; of a stream: bytes read so far */
	uint64_t eoa;  /* where the HDF5 file ends, as its superblock says */
	int len_size;  /* bytes of a length in this file: 2, 4 or 8 */
	int addr_size; /* bytes of an address in this file */
	uint64_t base; /* bytes of the user block; addresses in the file count from its end */
	uint64_t root; /* address of the root group's header */
	/* addresses of the superblock extension and the driver block, or UINT64_MAX */
	uint64_t extension, driver;
	uint64_t shared; /* address of the table of shared messages, or UINT64_MAX */
	int nshared;     /* number of indexes in that table */
	int nested; /* depth to which datatypes that are stored elsewhere refer to each other */
	/*
	 * half of the most entries that a node may have: in a group's tree, in its nodes of
	 * symbols, in a tree of chunks
	 */
	int group_k, leaf_k, chunk_k;
	/*
	 * of a file that grows in place: its block as it was when the file was opened
	 * (hdf5/format/growth.h); else NULL
	 */
	uint8_t *growth;
	/*
	 * its writer lets others read meanwhile (SWMR), or did so until it was killed: the end that
	 * the superblock gives may be out of date, and a block may just be being written
	 */
	bool shared_write;
	int waits;     /* how many more times such a block may be read again */
	bool unclosed; /* another writer has it open, or has not closed it */
	bool ours;     /* this process adds records to it, under its lock */
	/* records which block each byte belongs to, during checks; else NULL */
	struct axt_claims *claims;
	const char *why; /* the first thing that was refused, or NULL */
	char said[300];  /* the text of `why` */
	int err;         /* errno of a read that failed, or 0 */
	int64_t memory;  /* what the graph allows; 0: anything */
	bool starved;    /* memory ran out, so that something may be missing */
	/* stream: bytes [from, size) are kept; those from `next` on have not been taken */
	uint64_t from, next;
	uint64_t asked; /* stream: the end of all metadata read so far */
	uint8_t *mem;   /* the kept bytes; NULL once they are in the spool */
	size_t cap, bound;
	int spool; /* descriptor of the unlinked file, or -1 */
	bool eof;
	bool keep;  /* whether the whole stream is read before it is used */
	bool ended; /* whether its length was compared with `eoa` */
	/* the next in a ring of streams that are read together; NULL: it is alone */
	struct axt_src *peer;
	/* the collection of the global heap that was read last, after its check */
	uint8_t *heap;
	uint64_t heap_addr, heap_size;
	/* [index]: where the header of the object is in `heap`; 0: there is none */
	uint32_t *heap_at;
	size_t heap_n;
};
/*
 * Reads n bytes at addr; of a pipe, everything up to them is read first. Returns 0, or -1 with
 * s->err or s->why set.
 */
int axt_src_read(struct axt_src *s, uint64_t addr, size_t n, void *out);
/* ---- bytes/spool.c: bytes of a pipe that are kept ---- */
/*
 * Reads the pipe up to byte n, and keeps what is read. Returns false if the stream ends before, or
 * after an error.
 */
bool axt_src_pull(struct axt_src *s, uint64_t n);
/* Reads the pipe once, and keeps what is read. */
bool axt_src_pull_some(struct axt_src *s);
/* Copies bytes that are kept. */
bool axt_src_kept(struct axt_src *s, uint64_t addr, size_t n, void *out);
/* Frees the memory of the bytes before s->next, which are not needed any more. */
void axt_src_forget(struct axt_src *s);
void axt_src_release(struct axt_src *s);
/* Records why something was refused, unless something was before. Returns false. */
bool axt_src_refuse(struct axt_src *s, const char *why, int err);
/* ---- bytes/pipe.c: bytes of a pipe that are not kept ---- */
/*
 * Reads at most n bytes, by one call of read. Returns 0 at the end, -1 after an error. While it
 * waits, it reads and keeps what arrives on the other streams of the ring, so that a process that
 * writes to several of them can go on.
 */
ssize_t axt_src_some(struct axt_src *s, void *out, size_t n);
/* Reads n bytes at addr without keeping them. addr is not before the end of what was taken last. */
bool axt_src_take(struct axt_src *s, uint64_t addr, size_t n, void *out);
/*
 * Both read the pipe to its end, and compare its length with the end that the superblock gives; if
 * they differ, the error is AXT_E_DAMAGED. axt_src_spool keeps the bytes, axt_src_end does not.
 */
int axt_src_spool(struct axt_src *s, const char *path, struct axt_err *e);
int axt_src_end(struct axt_src *s, const char *path, struct axt_err *e);
/* Opens an unlinked file in $TMPDIR, or else /tmp. Returns -1 with errno if it cannot. */
int axt_temporary(void);
const char *axt_temporary_folder(void);
/*
 * Fails because an unlinked file for temporary data cannot be made or written. The message names
 * its folder; the hint is to set TMPDIR.
 */
int axt_temporary_fail(int error, struct axt_err *e);

#endif
