/*
 * out.h - what the writing files of the store share: where a tensor lies, temporaries, the
 * compressor. Plain structs; libhdf5's side is in h5write.h.
 */
#ifndef AXT_STORE_OUT_H
#define AXT_STORE_OUT_H

#include "bytes.h"

#define AXT_ALIGN 4096 /* payloads start at multiples of it */

/* One tensor of an output. */
struct axt_place {
	const struct axt_out_var *v;
	const char *name; /* in its group */
	int64_t bytes;    /* of the payload; 0: none */
	bool chunked;
	int deflate;                 /* -1 or 0: no filter */
	bool rows;                   /* not chunked: stored in chunks that are its bytes in order */
	int64_t chunk[AXT_MAX_RANK]; /* chunked or rows: none is 0 */
	uint64_t offset; /* not chunked, bytes > 0: of the payload, told by build and add */
};

/* The bytes of a new file before its first payload (free them), and its size. */
struct axt_header {
	unsigned char *p;
	size_t n;
	uint64_t size;
};
/* group "" is the root. */
int axt_h5_build(struct axt_arena *m, const char *group, struct axt_place *p, int n,
    const struct axt_attr *file_attrs, struct axt_header *out, struct axt_err *e);
/*
 * Whether the tensors can be added to FILE: it is HDF5, the scales there agree in length and
 * coordinates. A dataset that is replaced must not be an axis of others, nor a constant unless force;
 * no_clobber: must not be there.
 */
int axt_h5_add_check(struct axt_arena *m, const char *path, const char *group,
    const struct axt_place *p, int n, bool no_clobber, bool force, struct axt_err *e);
/* Adds the tensors to the HDF5 file open (read and write) as fd; path is its name as typed. */
int axt_h5_add(struct axt_arena *m, int fd, const char *path, const char *group,
    struct axt_place *p, int n, uint64_t *size, struct axt_err *e);
/*
 * Writes the chunks of a tensor that build or add laid out chunked. next gives them one after
 * another, row-major over the grid: *out and *n stay valid until the next call. Called with
 * libhdf5's mutex held.
 */
struct axt_chunks {
	int (*next)(struct axt_chunks *c, const void **out, size_t *n, struct axt_err *e);
};
int axt_h5_chunks(int fd, const char *path, const char *group, const struct axt_place *p,
    struct axt_chunks *c, struct axt_err *e);
/* Whether an attribute is HDF5's, netCDF's or axt's own. */
bool axt_h5w_own(const char *name);
/* Edits the attributes of one object of the file open as fd. dset: its path. */
int axt_h5_edit(int fd, const char *path, const char *dset, const struct axt_attr_edit *ed, int n,
    struct axt_err *e);

struct axt_boxes;
struct axt_temp;
/*
 * Writes values of a slice, row-major, as stored, into a dataset of the file open as fd that has no
 * chunks; most: bytes of the largest box.
 */
int axt_h5_assign(int fd, const char *path, const char *dset, struct axt_boxes *b, size_t most,
    void *values, struct axt_err *e);
/* The same of native values into one that has: st. memory, beside: as of axt_repack_open. */
int axt_h5_assign_chunks(int fd, const char *path, const char *dset, const struct axt_storage *st,
    struct axt_boxes *b, int64_t memory, struct axt_temp *beside, void *values, struct axt_err *e);

/* ---- temporaries (outfile.c) ---- */

/* A file that is not there yet. */
struct axt_temp {
	int fd; /* -1: not open */
	int dirfd;
	int slot; /* in the table of axt_out_cleanup, -1 none */
	bool no_clobber;
	bool anonymous; /* O_TMPFILE: has no name yet */
	bool replaces;  /* a file was there */
	char path[512]; /* escaped, for messages */
	char base[256]; /* the final name in dirfd */
	char name[256]; /* the temporary's */
};

/* Checks the target (symbolic links are followed) and makes a temporary in its directory. */
int axt_temp_open(
    struct axt_temp *t, const char *path, bool no_clobber, bool force, struct axt_err *e);
/* Another temporary for the name of `old`. */
int axt_temp_again(struct axt_temp *t, const struct axt_temp *old, bool force, struct axt_err *e);
/* The lock of the file that is to be replaced, if there is one. */
int axt_temp_lock(const struct axt_temp *t, struct axt_lock *l, int how, struct axt_talk *talk,
    struct axt_err *e);
/*
 * Gives it the final name, over a file of that name or where there is none. -1 with errno, EEXIST
 * where there is one: t is as it was. Then axt_temp_named.
 */
int axt_temp_name(struct axt_temp *t, bool over);
/* Tells errno. */
void axt_temp_fail(struct axt_temp *t, struct axt_err *e);
/* Releases t, which has its final name unless e tells a failure: then it goes. Returns e's code. */
int axt_temp_named(struct axt_temp *t, struct axt_err *e);
/* Both, in place of whatever has the name now, once nobody changes it. */
int axt_temp_commit(struct axt_temp *t, struct axt_talk *talk, struct axt_err *e);
/* The same in place of the file that is locked. */
int axt_temp_commit_locked(struct axt_temp *t, const struct axt_lock *l, struct axt_err *e);
/* Removes it. Releases t; nothing where it is released already. */
void axt_temp_drop(struct axt_temp *t);
/* Makes it a copy of the file open as `from`: shared blocks, else in the kernel, else by hand. */
int axt_temp_copy(struct axt_temp *t, int from, struct axt_err *e);
/* n bytes of another temporary. */
int axt_temp_move(struct axt_temp *t, uint64_t to, const struct axt_temp *old, uint64_t from,
    int64_t n, struct axt_err *e);
/* An unlinked file in $TMPDIR, or /tmp; -1 with errno. */
int axt_temporary(void);
const char *axt_temporary_folder(void);
/* Tells that one cannot be made or written, where it is, and that TMPDIR says so. */
int axt_temporary_fail(int error, struct axt_err *e);
/* Reserves the blocks of a file of that size where that is cheap. */
int axt_temp_size(struct axt_temp *t, uint64_t size, struct axt_err *e);
/* An unlinked file in the directory of t, to spool that many bytes in. */
int axt_temp_spool(struct axt_temp *t, uint64_t size, struct axt_err *e);
/* All n bytes at off. what: the escaped name for messages. */
int axt_pwrite(int fd, const void *p, size_t n, uint64_t off, const char *what, struct axt_err *e);

/* ---- streams (outstream.c) ---- */

/*
 * A pipe, a terminal's redirection or a device: bytes in order, the last ones
 * held back until the end is known to be good.
 */
struct axt_stream {
	int fd;                   /* -1: not open */
	bool own;                 /* close it */
	char path[512];           /* escaped, for messages */
	uint64_t pos;             /* bytes taken */
	struct axt_header header; /* sent before the first byte */
	bool started;
	unsigned char *held;
	size_t nheld;
	int64_t *sent;            /* counts them; may be NULL */
};
/* Whether a target is written in order: NULL, "-", /dev/fd/N, or there and no regular file. */
bool axt_stream_is(const char *target);
int axt_stream_open(struct axt_stream *s, const char *target, struct axt_err *e);
/* Sends the header, once. */
int axt_stream_begin(struct axt_stream *s, struct axt_err *e);
/* Takes n bytes of the file at pos, filling what was skipped with zeros. */
int axt_stream_put(struct axt_stream *s, uint64_t pos, const void *p, size_t n, struct axt_err *e);
/* Sends what is held, and zeros to the end of the file. */
int axt_stream_end(struct axt_stream *s, struct axt_err *e);
void axt_stream_release(struct axt_stream *s);

/* ---- compressed and chunked output (outz.c) ---- */

struct axt_outz;
/* Spools bytes of one tensor until axt_outz_write. */
struct axt_outz *axt_outz_new(
    struct axt_temp *t, const struct axt_place *p, int64_t memory, struct axt_err *e);
int axt_outz_put(struct axt_outz *z, int64_t off, const void *p, int64_t n, struct axt_err *e);
/* Whom to tell how far it is: plain bytes of what was written before, and of all. */
struct axt_outz_told {
	void (*progress)(void *ctx, double done);	/* or NULL */
	void *ctx;
	int64_t done, all;
};
/* Compresses with that many threads, in so many bytes, and writes into the file of t. */
int axt_outz_write(struct axt_outz *z, const char *group, int threads, int64_t memory,
    const struct axt_outz_told *told, struct axt_err *e);
/* Bytes that are spooled in memory. */
int64_t axt_outz_held(const struct axt_outz *z);
void axt_outz_free(struct axt_outz *z);
/* How a tensor is chunked by the options, whose chunk lengths are those of first's axes. */
int axt_outz_plan(struct axt_place *p, const struct axt_axes *first, const struct axt_out_opts *o,
    struct axt_err *e);

#endif
