/*
 * output.h - where bytes go: sinks, temporary files that replace others, locks, streams that are
 * written in order, and values that are staged until all are known.
 */
#ifndef AXT_BYTES_OUTPUT_H
#define AXT_BYTES_OUTPUT_H

#include "bytes/bytes.h"

#define AXT_ALIGN 4096 /* payloads start at multiples of it */

/*
 * How functions that have no graph warn the user: that they wait for a lock, that a file cannot be
 * locked, that an axis cannot grow. say NULL: there are no warnings.
 */
struct axt_talk {
	void (*say)(void *ctx, const char *line);
	void *ctx;
	bool told; /* the user was told that a file cannot be locked */
};
/*
 * The lock of an existing file: while it is held, other writers wait. It begins as zeros with an fd
 * of -1.
 */
struct axt_lock {
	int fd;      /* the file, open; -1: there is none, or it is no file */
	bool absent; /* there is none */
	bool held;
	bool busy;             /* AXT_LOCK_TRY: another writer has the lock */
	bool settled;          /* set by axt_lock_rest: id is reliable */
	struct axt_file_id id; /* the file when the lock was taken, or released */
	int dirfd;
	const char *name;
	int how, why;
};
enum {
	/* the file will be replaced, so changes by others in it do not matter */
	AXT_LOCK_REPLACE = 1,
	AXT_LOCK_WAIT = 2,  /* waits for programs that have it open for writing through HDF5 */
	AXT_LOCK_TRY = 4,   /* does not wait for another writer: `busy` */
	AXT_LOCK_WRITE = 8, /* opens fd for reading and writing */
};
/*
 * Locks the file `name`, and waits for the lock if necessary. Links are followed if dirfd is
 * AT_FDCWD; if name is relative to a directory dirfd, they are not. On return, the name leads to
 * the locked file; fd is -1 if there is no such file. shown: the escaped name, for messages.
 * AXT_E_IO also if a program has the file open for writing through HDF5, unless `how` has REPLACE
 * or WAIT.
 */
int axt_lock_take(struct axt_lock *l, int dirfd, const char *name, const char *shown, int how,
    struct axt_talk *talk, struct axt_err *e);
/* Releases the lock, but keeps the file open, so that a later one can be compared with it. */
void axt_lock_rest(struct axt_lock *l);
/*
 * Whether the file that is locked now is the one of the earlier lock, and has not changed since
 * that was released. Two absent files are the same.
 */
bool axt_lock_same(const struct axt_lock *was, const struct axt_lock *now);
/* Whether a writer of axt holds the lock of the file that is open as fd. */
bool axt_lock_is_held(int fd);
/*
 * With `appends`, tells others that the holder of the lock only adds to the file open as fd, and
 * changes nothing that is there; without it, that this has ended. It also ends when the process
 * does. Without locks nothing is told.
 */
void axt_lock_appends(int fd, bool appends);
/* Whether the holder of the lock has told so. */
bool axt_lock_is_appended(int fd);
/*
 * Tells that the holder of the lock changes what is in the file, from now on until the lock is
 * dropped. Programs of axt that open the file meanwhile wait (axt_lock_await); those that have it
 * open find its times changed.
 */
void axt_lock_changes(const struct axt_lock *l);
/* Releases the lock and closes fd; -1 with errno when bytes written to it were lost. */
int axt_lock_drop(struct axt_lock *l);
/*
 * A sink takes the bytes of a tensor: row-major, in native byte order and the dtype that was
 * declared. off is the offset of the bytes in the tensor.
 */
struct axt_sink {
	/*
	 * whether write is called in order of off, by one thread at a time; otherwise any thread
	 * calls it, in any order
	 */
	bool ordered;
	int (*write)(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e);
	/* set by write in the writing thread: no more bytes are needed, so the run may end */
	bool full;
	/*
	 * For text, two functions are called instead of write. render, which any thread calls in
	 * any order, adds the text of the n bytes at p to b. take then gets b, in the order in
	 * which write would be called, and how many bytes were rendered in it.
	 */
	void (*render)(const struct axt_sink *s, int64_t off, const void *p, int64_t n,
	    struct axt_buf *b);
	int (*take)(struct axt_sink *s, const struct axt_buf *b, int64_t n, struct axt_err *e);
};
/* A sink that stores row-major bytes at p. */
struct axt_mem_sink {
	struct axt_sink sink;
	uint8_t *p;
	int64_t bytes;
};
void axt_mem_sink_init(struct axt_mem_sink *m, void *p, int64_t bytes);
/*
 * The chunked storages that the elements of a tensor are in, unchanged: one behind the other along
 * dimension `dim`.
 */
struct axt_in_chunks {
	int dim, n;
	struct axt_chunked_part {
		int64_t at;                 /* the index along dim that this part begins with */
		int64_t from[AXT_MAX_RANK]; /* where the storage has the part's first element */
		const struct axt_storage *st;
	} * part;
};
struct axt_out_var {
	const char *name;
	enum axt_dtype dtype;
	struct axt_axes axes;
	const struct axt_attr *attrs;
	const struct axt_aux *aux;
	/* what the tensor has beside it, of which it takes along what is named: aux */
	const struct axt_aux *beside;
	/*
	 * no values are stored, as they are computed or given later; other programs see NaN or 0
	 * ...
	 */
	bool none;
	/* ... or, if not NULL, the values of the files that these maps of a virtual dataset name */
	const struct axt_virtual *virt;
	/*
	 * the chunked storage of the tensor that this one is a copy of, whose chunks and filters it
	 * gets; NULL: there is none
	 */
	const struct axt_storage *like;
	/*
	 * chunks of files that the output has, too, and that are copied as they are in the end, if
	 * they are packed in the same way (axt_cut_init); or NULL. Without `comes` no values come
	 * through the sink: others of these chunks are packed again.
	 */
	const struct axt_in_chunks *chunks;
	bool comes;
};
static inline bool
axt_out_var_comes(const struct axt_out_var *v)
{
	return !v->chunks || v->comes;
}
/*
 * What an output has besides its tensors: the attributes of a group, and datasets in it. Shared
 * axes and datasets are made before the tensors, unless they are in the file already. Tensors in
 * the groups below use them, if theirs are the same.
 */
struct axt_out_rest {
	const char *group; /* its path; "" is the root */
	const struct axt_attr *attrs;
	const struct axt_aux *aux;
	const struct axt_axes
	    *axes;              /* one that is shared, or that nothing lies along; may be NULL */
	bool shared, made, old; /* made: it is in the file; old: it was there before */
	/*
	 * a link named `link` to the path `to`, which is in the output if it begins with a slash;
	 * `soft`: whether it is a soft link
	 */
	const char *link, *to;
	bool soft;
	struct axt_out_rest *next;
};
struct axt_out_opts {
	/* As typed: FILE, FILE:DATASET; NULL or "-" is standard output. */
	const char *target;
	bool is_file;        /* target is FILE, even if its name has colons ... */
	const char *dataset; /* ... and this is the dataset in it, or NULL */
	bool no_clobber, force;
	/* target is also an operand and has other tensors, so it is replaced only with force */
	bool shared_input;
	bool over_input; /* target is also an operand, whose values are in no other file */
	/* of FILE, which is replaced under it; NULL: it is taken when FILE is replaced */
	const struct axt_lock *lock;
	bool add; /* add to FILE if it exists, as FILE:DATASET does */
	/*
	 * as for axt_filters_choose; but if compress is NULL, copies of compressed tensors are
	 * compressed as these are
	 */
	const char *compress, *shuffle;
	bool has_chunk;
	int64_t chunk[AXT_MAX_RANK]; /* of the result's axes; -1: whole */
	bool unlimited; /* the user asked for axes that can grow: where they cannot, it is told */
	/* values do not go through sinks: see axt_out_share and axt_zarr_out_share */
	bool apart;
	const struct axt_out_rest *rest; /* may be NULL */
	int64_t memory;
	int threads;
	struct axt_talk *talk; /* may be NULL */
	/* counts the bytes sent to a stream, its header's included; may be NULL */
	int64_t *sent;
	/*
	 * axt_out_finish calls it, in its thread, with the share of the chunks that are written;
	 * may be NULL
	 */
	void (*progress)(void *ctx, double done);
	void *progress_ctx;
};
/* Removes the temporaries of all open outputs: async-signal-safe, for signal handlers. */
void axt_out_cleanup(void);
/*
 * The path of an output with links in its last part followed, so that it is no link. Links of other
 * users in a directory like /tmp are not followed. The result is from malloc; NULL with errno.
 */
char *axt_target_followed(const char *target);
/* Splits "FILE:DATASET" of -o as axt(1) says. */
int axt_target_split(struct axt_arena *m, const char *target, const char **file, const char **dset,
    struct axt_err *e);
/*
 * Values that are kept until all of them are known: in memory or, if they have more than `most`
 * bytes, in an unlinked file in the folder of the output `beside`, or in $TMPDIR if that is NULL.
 * axt_wait_put may be called from any thread; axt_wait_map then makes all of them readable at mem.
 */
struct axt_temp;
struct axt_waiting {
	uint8_t *mem;
	int64_t bytes;
	void *map;
	int fd;
	bool beside;
};
#define AXT_WAIT_FEW ((int64_t)64 << 20) /* what is kept in memory where many may do so at once */
int axt_wait_open(struct axt_waiting *w, int64_t bytes, int64_t most, struct axt_temp *beside,
    struct axt_err *e);
int axt_wait_put(struct axt_waiting *w, int64_t off, const void *p, int64_t n, struct axt_err *e);
int axt_wait_map(struct axt_waiting *w, struct axt_err *e);
/* All of them, in memory or mapped; NULL: there is no room for that, and they are read from fd. */
const void *axt_wait_bytes(struct axt_waiting *w);
/* How many bytes are in memory. */
static inline int64_t
axt_wait_held(const struct axt_waiting *w)
{
	return w->mem && !w->map ? w->bytes : 0;
}
/* Frees it; does nothing harmful to one that was not opened, whose fd is -1. */
void axt_wait_close(struct axt_waiting *w);
/* The bytes of a new file before its first payload (free them), and its size. */
struct axt_header {
	unsigned char *p;
	size_t n;
	uint64_t size;
};
/* A temporary file, which will get the name of an output. */
struct axt_temp {
	int fd; /* -1: not open */
	int dirfd;
	int slot; /* in the table of axt_out_cleanup, -1 none */
	bool no_clobber;
	bool anonymous; /* O_TMPFILE: has no name yet */
	bool replaces;  /* a file was there */
	/* what that file had is nowhere else, so that it stays until this one is on the disk */
	bool precious;
	char path[512]; /* escaped, for messages */
	char base[256]; /* the final name in dirfd */
	char name[256]; /* the temporary's */
};
/*
 * Fails because the file of an output is also an operand, and has other tensors that would be lost.
 * Returns the code.
 */
int axt_output_shared(const char *path, struct axt_err *e);
/* Checks the target (symbolic links are followed) and makes a temporary in its directory. */
int axt_temp_open(struct axt_temp *t, const char *path, bool no_clobber, bool force,
    struct axt_err *e);
/* Makes another temporary for the same output as `old`. */
int axt_temp_again(struct axt_temp *t, const struct axt_temp *old, bool force, struct axt_err *e);
/* The lock of the file that is to be replaced, if there is one. */
int axt_temp_lock(const struct axt_temp *t, struct axt_lock *l, int how, struct axt_talk *talk,
    struct axt_err *e);
/*
 * Gives the temporary its final name; with `over` it replaces a file of that name. Returns -1 with
 * errno, EEXIST if there is such a file; t is then as it was. axt_temp_named has to be called next.
 */
int axt_temp_name(struct axt_temp *t, bool over);
/* Sets an error from errno. */
void axt_temp_fail(struct axt_temp *t, struct axt_err *e);
/* Releases t, which has its final name; or, if e has an error, removes it. Returns e's code. */
int axt_temp_named(struct axt_temp *t, struct axt_err *e);
/*
 * Gives the temporary its final name, once no other writer is changing the file of that name, and
 * releases t.
 */
int axt_temp_commit(struct axt_temp *t, struct axt_talk *talk, struct axt_err *e);
/* The same, replacing the file that is locked. */
int axt_temp_commit_locked(struct axt_temp *t, const struct axt_lock *l, struct axt_err *e);
/* Removes it and releases t, unless that was done before. */
void axt_temp_drop(struct axt_temp *t);
/* Makes it a copy of the file open as `from`: shared blocks, else in the kernel, else by hand. */
int axt_temp_copy(struct axt_temp *t, int from, struct axt_err *e);
/* Copies n bytes of another temporary. */
int axt_temp_move(struct axt_temp *t, uint64_t to, const struct axt_temp *old, uint64_t from,
    int64_t n, struct axt_err *e);
/*
 * Gives the temporary a hidden name, if it has none, so that other processes can open it before it
 * has its final name. *path, of PATH_MAX bytes, gets it. -1 with errno.
 */
int axt_temp_show(struct axt_temp *t, char *path);
/* Reserves the blocks of a file of that size where that is cheap. */
int axt_temp_size(struct axt_temp *t, uint64_t size, struct axt_err *e);
/* An unlinked file in the directory of t, to spool that many bytes in. */
int axt_temp_spool(struct axt_temp *t, uint64_t size, struct axt_err *e);
/* Writes all n bytes at off. what: the escaped name for messages. */
int axt_pwrite(int fd, const void *p, size_t n, uint64_t off, const char *what, struct axt_err *e);
/*
 * An output that is written in order: a pipe or a device. Its last bytes are held back until the
 * run has ended well, so that the output of a failed run is too short.
 */
struct axt_stream {
	int fd;                   /* -1: not open */
	bool own;                 /* close it */
	char path[512];           /* escaped, for messages */
	uint64_t pos;             /* bytes put so far */
	struct axt_header header; /* sent before the first byte */
	bool started;
	unsigned char *held;
	size_t nheld;
	int64_t *sent; /* counts the bytes that are sent; may be NULL */
};
/*
 * Whether a target is written in order: it is NULL, "-" or /dev/fd/N, or exists and is no regular
 * file.
 */
bool axt_stream_is(const char *target);
int axt_stream_open(struct axt_stream *s, const char *target, struct axt_err *e);
/* Sends the header, once. */
int axt_stream_begin(struct axt_stream *s, struct axt_err *e);
/* Puts n bytes, which belong at pos of the file; bytes that were skipped become zeros. */
int axt_stream_put(struct axt_stream *s, uint64_t pos, const void *p, size_t n, struct axt_err *e);
/* Sends the bytes held back, and zeros to the end of the file. */
int axt_stream_end(struct axt_stream *s, struct axt_err *e);
void axt_stream_release(struct axt_stream *s);

#endif
