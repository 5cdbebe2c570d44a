/*
 * src.h - the bytes of a file by their address, when the file may be a pipe that is read in order.
 */
#ifndef AXT_BYTES_SRC_H
#define AXT_BYTES_SRC_H

#include "bytes/bytes.h"

/*
 * Where a file's bytes come from: pread of a regular file, or a pipe read in
 * order and kept, in memory up to a bound, then in an unlinked file.
 */
struct axt_src {
	int fd;              /* the pipe, or another's descriptor; -1: */
	struct axt_file *of; /* that of the file */
	bool stream;
	uint64_t size;              /* of the file; stream: bytes pulled so far */
	uint64_t eoa;               /* end of the HDF5 file as its superblock tells */
	int len_size;               /* bytes of a length in this file: 2, 4, 8 */
	int addr_size;              /* of an address */
	uint64_t base;              /* user block: raw addresses in the file count from here */
	uint64_t root;              /* the root group's header, counted from base */
	uint64_t extension, driver; /* of the superblock, or UINT64_MAX */
	uint64_t shared;            /* the table of shared messages, or UINT64_MAX */
	int nshared;                /* its indexes */
	int nested;                 /* datatypes that are being looked up elsewhere */
	/* the most a node may hold, halved: of a group's tree, its symbols, a tree of chunks */
	int group_k, leaf_k, chunk_k;
	struct axt_claims *claims; /* blocks of metadata met, while all of them are looked at */
	const char *why;           /* the first thing refused, or NULL */
	char said[300];            /* room for why */
	int err;                   /* errno of a failed read, or 0 */
	bool starved;              /* memory ran out: something may seem not to be there */
	/* stream: bytes [from, size) are kept, [next, size) of them not taken yet */
	uint64_t from, next;
	uint64_t asked; /* end of what was read at random, metadata */
	uint8_t *mem;   /* what is kept; NULL once it moved to spool */
	size_t cap, bound;
	int spool; /* -1, or the unlinked file */
	bool eof;
	bool keep;            /* to be pulled whole before it is used */
	bool ended;           /* its length was compared */
	struct axt_src *peer; /* ring of the streams read together; NULL: alone */
	/* the global heap collection read last, checked */
	uint8_t *heap;
	uint64_t heap_addr, heap_size;
	uint32_t *heap_at; /* where each index's object header is; 0: nowhere */
	size_t heap_n;
};
/* Reads n bytes at addr, pulling the pipe as far as needed. 0, or -1 with err or why set. */
int axt_src_read(struct axt_src *s, uint64_t addr, size_t n, void *out);
/* bytes/spool.c: what is kept */
/* Keeps the pipe's bytes up to n: false at the end of the stream or on error. */
bool axt_src_pull(struct axt_src *s, uint64_t n);
/* One read of the pipe, kept. */
bool axt_src_pull_some(struct axt_src *s);
/* Copies kept bytes. */
bool axt_src_kept(struct axt_src *s, uint64_t addr, size_t n, void *out);
/* Bytes before s->next are gone: what they took is given back. */
void axt_src_forget(struct axt_src *s);
void axt_src_release(struct axt_src *s);
/* Notes what was refused first; false. */
bool axt_src_refuse(struct axt_src *s, const char *why, int err);
/* bytes/pipe.c: what is not */
/*
 * One read of at most n bytes, 0 at the end, -1 on error. While it waits, what arrives on the
 * other streams of the ring is kept: a writer to several of them goes on.
 */
ssize_t axt_src_some(struct axt_src *s, void *out, size_t n);
/* Takes n bytes at addr, never before what was taken last; they are not kept. */
bool axt_src_take(struct axt_src *s, uint64_t addr, size_t n, void *out);
/*
 * Takes the pipe to its end, kept (spool) or not (end), and compares its length with the end that
 * its superblock tells: short and long streams are AXT_E_DAMAGED.
 */
int axt_src_spool(struct axt_src *s, const char *path, struct axt_err *e);
int axt_src_end(struct axt_src *s, const char *path, struct axt_err *e);
/* An unlinked file in $TMPDIR, or /tmp; -1 with errno. */
int axt_temporary(void);
const char *axt_temporary_folder(void);
/* Tells that one cannot be made or written, where it is, and that TMPDIR says so. */
int axt_temporary_fail(int error, struct axt_err *e);

#endif
