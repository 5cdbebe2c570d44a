/*
 * output.h - where bytes go: sinks, temporary files that replace others, locks, streams that are
 * written in order, and values that are staged until all are known.
 */
#ifndef AXT_BYTES_OUTPUT_H
#define AXT_BYTES_OUTPUT_H

#include "bytes/bytes.h"

#define AXT_ALIGN 4096 /* payloads start at multiples of it */

/*
 * How functions that know no graph warn the user: of waiting for a lock, of a file that cannot be
 * locked, of an axis that stays fixed. say NULL: nothing is told.
 */
struct axt_talk {
	void (*say)(void *ctx, const char *line);
	void *ctx;
	bool told; /* the user was told that a file cannot be locked */
};
/*
 * The lock of a file that is there: other writers wait while it is held. Zeroed, with fd -1, before
 * it is taken.
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
 * Waits for the lock of the file `name`, from dirfd (links are not followed) or AT_FDCWD (they
 * are); the name leads to it when this returns. fd is -1 where there is no such file. shown: the
 * escaped name. Errors: IO, also when a program of HDF5 has it open for writing, unless REPLACE or
 * WAIT.
 */
int axt_lock_take(struct axt_lock *l, int dirfd, const char *name, const char *shown, int how,
    struct axt_talk *talk, struct axt_err *e);
/* Releases the lock, but keeps the file open, so that a later one can be compared with it. */
void axt_lock_rest(struct axt_lock *l);
/*
 * Whether the file is still the same and unchanged since the lock was released. Two absent files
 * are the same.
 */
bool axt_lock_same(const struct axt_lock *was, const struct axt_lock *now);
/* Whether a writer of axt holds the lock of the file that is open as fd. */
bool axt_lock_is_held(int fd);
/*
 * The holder of the lock tells that it changes nothing that is there, and only adds to the file; or
 * that it has ended. Its death ends both at once. Where there are no locks nothing is told.
 */
void axt_lock_appends(int fd, bool appends);
/* Whether the holder of the lock has told so. */
bool axt_lock_is_appended(int fd);
/*
 * The holder of the lock changes what is in the file from now on, until the lock is dropped. Who
 * opens the file meanwhile waits (axt_lock_await), and who has it open finds its times changed.
 */
void axt_lock_changes(const struct axt_lock *l);
/* Releases the lock and closes fd; -1 with errno when bytes written to it were lost. */
int axt_lock_drop(struct axt_lock *l);
/*
 * Takes a tensor's bytes: row-major, native order, dtype as declared. off
 * counts bytes of the payload.
 */
struct axt_sink {
	/*
	 * write is called in order of off, by one thread at a time; if not ordered, by any thread
	 * in any order
	 */
	bool ordered;
	int (*write)(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e);
	/* set by write in the writing thread: no more bytes are needed, so the run may end */
	bool full;
	/*
	 * Text: instead of write, render, in any thread and order, adds to b what the bytes will be
	 * in the output; then take, as write is called, gets that, and how many bytes were
	 * rendered.
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
	 * chunked storage of the tensor that this is a copy of, whose chunks and filters it gets;
	 * NULL
	 */
	const struct axt_storage *like;
};
/*
 * What an output has beside tensors: attributes of a group, and datasets in it. Shared axes and
 * datasets are made first, unless they are there; tensors in the groups below that have the same
 * ones have none of their own.
 */
struct axt_out_rest {
	const char *group; /* its path; "" is the root */
	const struct axt_attr *attrs;
	const struct axt_aux *aux;
	const struct axt_axes
	    *axes;              /* one that is shared, or that nothing lies along; may be NULL */
	bool shared, made, old; /* made: it is in the file; old: it was there before */
	/*
	 * a link of that name, which leads to the path `to`, within the output where it begins with
	 * a slash; `soft`: it is a soft link
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
	 * as for axt_filters_choose; compress NULL: copies of compressed tensors are as those are
	 */
	const char *compress, *shuffle;
	bool has_chunk;
	int64_t chunk[AXT_MAX_RANK]; /* of the result's axes; -1: whole */
	bool unlimited; /* the user asked for axes that can grow: where they cannot, it is told */
	const struct axt_out_rest *rest; /* may be NULL */
	int64_t memory;
	int threads;
	struct axt_talk *talk; /* may be NULL */
	/* counts the bytes sent to a stream, its header's included; may be NULL */
	int64_t *sent;
	/*
	 * Called by axt_out_finish, in its thread, with the share of chunks that are written; or
	 * NULL.
	 */
	void (*progress)(void *ctx, double done);
	void *progress_ctx;
};
/* Removes the temporaries of all open outputs: async-signal-safe, for signal handlers. */
void axt_out_cleanup(void);
/*
 * Notes a directory that axt_out_cleanup removes with all that is in it, until its number is given
 * back. -1: the table is full.
 */
int axt_folder_note(const char *path);
/*
 * Names of what is written before it has its own: ".NAME.axtXXXXXX". axt_hidden_end makes the six
 * characters at random, false: with errno; axt_is_hidden tells such a name of an output NAME.
 */
#define AXT_HIDDEN_END 6
bool axt_hidden_end(char end[AXT_HIDDEN_END]);
bool axt_is_hidden(const char *name, const char *base);
/*
 * The path of an output whose last part is no link: links there are followed, but not those of
 * other users in a directory like /tmp. From malloc; NULL with errno.
 */
char *axt_target_followed(const char *target);
void axt_folder_forget(int slot);
/* Splits "FILE:DATASET" of -o as axt(1) says. */
int axt_target_split(struct axt_arena *m, const char *target, const char **file, const char **dset,
    struct axt_err *e);
/*
 * Values that are staged until all are known: in memory or, if they are many compared to `memory`,
 * in an unlinked file, which is made beside an output or (NULL) in $TMPDIR. put is called from any
 * thread; map then makes all of them readable at mem.
 */
struct axt_temp;
struct axt_waiting {
	uint8_t *mem;
	int64_t bytes;
	void *map;
	int fd;
	bool beside;
};
int axt_wait_open(struct axt_waiting *w, int64_t bytes, int64_t memory, struct axt_temp *beside,
    struct axt_err *e);
int axt_wait_put(struct axt_waiting *w, int64_t off, const void *p, int64_t n, struct axt_err *e);
int axt_wait_map(struct axt_waiting *w, struct axt_err *e);
/* All of them, in memory or mapped; NULL: there is no room for that, and they are read from fd. */
const void *axt_wait_bytes(struct axt_waiting *w);
/* How many bytes are in memory. */
int64_t axt_wait_held(const struct axt_waiting *w);
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
 * Fails because the file of an output is an operand, too, whose other tensors would be lost.
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
 * Gives it the final name; `over` replaces a file of that name. -1 with errno (EEXIST: there is
 * such a file), and t is as it was. axt_temp_named has to follow.
 */
int axt_temp_name(struct axt_temp *t, bool over);
/* Sets an error from errno. */
void axt_temp_fail(struct axt_temp *t, struct axt_err *e);
/* Releases t, which has its final name; or, if e has an error, removes it. Returns e's code. */
int axt_temp_named(struct axt_temp *t, struct axt_err *e);
/*
 * Gives it the final name, once no other writer is changing the file of that name, and releases it.
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
 * Gives it a hidden name, if it has none, by which other processes can open it until it has the
 * final one: *path, of PATH_MAX bytes. -1 with errno.
 */
int axt_temp_show(struct axt_temp *t, char *path);
/*
 * Removes hidden files beside the output `path` that its runs have left when they were killed: they
 * are this user's, were last written a minute ago or more, and no process holds them.
 */
void axt_temp_sweep(const char *path);
/* Reserves the blocks of a file of that size where that is cheap. */
int axt_temp_size(struct axt_temp *t, uint64_t size, struct axt_err *e);
/* An unlinked file in the directory of t, to spool that many bytes in. */
int axt_temp_spool(struct axt_temp *t, uint64_t size, struct axt_err *e);
/* Writes all n bytes at off. what: the escaped name for messages. */
int axt_pwrite(int fd, const void *p, size_t n, uint64_t off, const char *what, struct axt_err *e);
/*
 * An output that is written in order: a pipe or a device. The last bytes are held back until the
 * run has ended well, so that a failed one leaves the output short.
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
