/*
 * store.h - where the bytes are. HDF5 is read by a reader of its own (lib/store/h5*.c), and written
 * by libhdf5, which sees no byte of a file that is only read.
 *
 * Reading: axt_file_open, axt_file_find, axt_dset_load, then bytes through axt_storage (contiguous:
 * fd and offset; chunked: axt_chunk_read; small: memory). Writing: axt_out_open with all metadata,
 * bytes through a sink, axt_out_close. libhdf5 is called in the thread that calls these functions
 * (never in workers), behind a mutex.
 */
#ifndef AXT_STORE_H
#define AXT_STORE_H

#include <sys/types.h>

#include "../axes/select.h"
#include "../view/view.h"

/* ---- reading ---- */

enum axt_layout { AXT_LAYOUT_NONE, AXT_LAYOUT_CONTIGUOUS, AXT_LAYOUT_COMPACT, AXT_LAYOUT_CHUNKED,
	AXT_LAYOUT_VIRTUAL	/* no bytes here: see axt_dset's virt */
};
enum axt_role {
	AXT_ROLE_TENSOR,	/* counts when a FILE is named alone */
	AXT_ROLE_SCALE,		/* a dimension scale with values */
	AXT_ROLE_DIM,		/* a dimension scale without (netCDF's marker NAME) */
	AXT_ROLE_AUX,		/* named in another's bounds, coordinates, grid_mapping... */
	AXT_ROLE_TEXT,		/* strings */
	AXT_ROLE_OTHER		/* unsupported: see why */
};

/* Raw storage of one dataset's elements, in the stored dtype. Row-major. */
struct axt_storage {
	enum axt_layout layout;
	enum axt_dtype dtype;	/* in native order after swap */
	/* bytes of one element as stored: axt_size(dtype), or of a string */
	int esize;
	bool swap;		/* stored big-endian: swap after reading */
	int rank;
	int64_t dims[AXT_MAX_RANK];
	int64_t count;		/* elements */
	int fd;			/* CONTIGUOUS, CHUNKED: what a stream was spooled to; -1: that of the file */
	uint64_t offset;	/* CONTIGUOUS: of the first byte in the file */
	const void *mem;	/* COMPACT, or a stream's bytes kept in memory; else NULL */
	/* value of elements never written (NONE, missing chunks), HDF5's fill property */
	double fill;
	/* the same as bytes of dtype, native order */
	uint8_t fill_bytes[16] __attribute__((aligned(16)));
	bool rows;		/* CONTIGUOUS: stored in chunks, which are its bytes in order */
	/* CHUNKED, or rows; CONTIGUOUS: pieces to read at a time, by axt_storage_cut, without a table */
	int64_t chunk[AXT_MAX_RANK];
	int64_t grid[AXT_MAX_RANK];	/* chunks along each dimension */
	int64_t nchunks, chunk_count;	/* product of grid; elements of a chunk */
	struct axt_chunk_loc {		/* [nchunks], row-major over the grid */
		uint64_t addr;		/* UINT64_MAX: never written (fill) */
		uint32_t size;
		uint32_t mask;		/* filters skipped */
	} *chunks;
	size_t largest;			/* bytes of the largest as stored */
	int nfilters;
	enum { AXT_FILTER_DEFLATE = 1, AXT_FILTER_SHUFFLE = 2,
	    AXT_FILTER_FLETCHER32 = 3 } filter[8];
	struct axt_file *file;		/* where its bytes are, unless fd or mem tells */
	const char *from;		/* "a.nc:t" for messages */
	struct axt_src *src;		/* CONTIGUOUS: the pipe its bytes come from; NULL: here */
};

/* A dataset of the group walk. */
struct axt_dset {
	const char *path;		/* "/group/x" */
	const char *name;		/* last part */
	enum axt_role role;
	const char *why;		/* OTHER: "type not supported: compound" ...; NULL else */
	bool loaded;			/* axes, attrs and storage are filled (axt_dset_load) */
	int rank;
	int64_t dims[AXT_MAX_RANK];
	enum axt_dtype dtype;		/* valid for roles other than TEXT, OTHER */
	struct axt_axes axes;
	/* all but HDF5's and netCDF's own (CLASS, NAME, DIMENSION_LIST, _Netcdf4*...) */
	const struct axt_attr *attrs;
	struct axt_storage st;
	/* two axes with one name (data(m,m)): only axt-cast --to takes it */
	bool dup_axes;
	bool odd_type;			/* HDF5 converts it otherwise than axt reads it */
	const struct axt_virtual *virt;	/* what it is put together from (virtual.h); NULL: it is stored */
	/* the tensor's axes are these from last to first; dims and axes are in the storage's order */
	bool reversed;
};

/* What tells a file from others, and from itself when it has changed. */
struct axt_file_id {
	dev_t dev;
	ino_t ino;
	int64_t size;
	struct timespec mtime, ctime;
	struct timespec seen;		/* when it was asked for, by the clock of ctime */
};

/*
 * One opened file. A pipe is pulled as far as its metadata need; what is pulled is kept, in memory
 * up to a part of `memory`, then in an unlinked file in $TMPDIR.
 */
struct axt_file {
	const char *path;		/* as typed, "-" for standard input */
	int fd;				/* of a stream; else by axt_file_take: it may be closed */
	bool stream;
	struct axt_file_id id;
	/* what may change without the bytes, and changes id.ctime */
	nlink_t links;
	mode_t mode;
	uid_t owner;
	gid_t group;
	bool used;			/* since handle.c looked last; users: who have the descriptor */
	int users;
	struct axt_file *next_open, *last_open;	/* ring of those it may close; NULL: not in it */
	int ndsets;
	/* in link creation order where tracked, else by name; depth first */
	struct axt_dset *dsets;
	const struct axt_attr *attrs;	/* of the root group */
	struct axt_h5 *h5;		/* what only the reader of HDF5 needs */
	bool foreign;			/* no HDF5: see foreign.h */
	struct axt_kept *kept;		/* foreign: values parsed, freed with the file */
};

/*
 * Opens FILE or "-". Errors: FORMAT ("is netCDF classic", hint nccopy; npy,
 * gzip, zip, text, empty), DAMAGED, IO. The file closes with axt_file_close;
 * the graph keeps it open until it is freed.
 */
int axt_file_open(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
/* Gives p, of malloc, to the file; false: out of memory, and it is freed. */
bool axt_file_keep(struct axt_arena *m, struct axt_file *f, void *p);
/*
 * Whether that errno of stat, open and the like says that a name leads to nothing; others say that it
 * cannot be told.
 */
bool axt_is_absent(int error);
/* One file, of the same size and time of writing. */
bool axt_file_same(const struct axt_file_id *a, const struct axt_file_id *b);
struct stat;
void axt_file_identify(const struct stat *st, struct axt_file_id *id);
/* Whether every change after it was seen shows in id: times of change have a coarse clock. */
bool axt_file_settled(int fd, const struct axt_file_id *id);
/* The same, and neither written, linked, renamed nor given rights in between. */
bool axt_file_untouched(const struct axt_file_id *a, const struct axt_file_id *b);
/*
 * handle.c: the descriptor of a file, until it is given back; -1: it cannot be opened again. Any
 * thread. A file that was just opened may be closed from then on; axt_file_shut closes it for good.
 */
int axt_file_take(struct axt_file *f, struct axt_err *e);
void axt_file_give(struct axt_file *f);
int axt_file_stat(struct axt_file *f, struct stat *st);
void axt_file_opened(struct axt_file *f);
void axt_file_shut(struct axt_file *f);
/* Closes a descriptor that is not needed now: false when there is none. errno stays. */
bool axt_file_spare(void);
/* open(2) for reading, without waiting for a writer; spares descriptors where there are too few. */
int axt_open_reading(const char *path);
/* Throws away what a pipe still brings, to its end. *all: bytes it brought from the first on. */
int axt_stream_drain(struct axt_file *f, uint64_t *all, struct axt_err *e);
void axt_file_close(struct axt_file *f);
/* The same in two steps. The first waits for nothing, not for the writer of a FIFO either. */
int axt_file_begin(struct axt_arena *m, const char *path, int64_t memory, struct axt_file **out,
    struct axt_err *e);
int axt_file_read(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
/* The first step for an open descriptor, which the file owns from here on, errors included. */
int axt_file_begin_fd(struct axt_arena *m, int fd, const char *path, int64_t memory,
    struct axt_file **out, struct axt_err *e);
/* Two streams (other files are left alone) that are read together: see axt_stream_take. */
void axt_file_join(struct axt_file *a, struct axt_file *b);
/*
 * The dataset a name means: NULL or "" the only TENSOR; "/g/x" exact; "x" in the
 * root, else searched in all groups and there once. Errors: NAME (lists what there
 * is), AMBIG (lists them), DTYPE (with `why`).
 */
int axt_file_find(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e);
/*
 * Fills axes (names, coordinates with their attributes), attributes, storage
 * (chunk table, bounds checked against the file).
 */
int axt_dset_load(struct axt_arena *m, struct axt_file *f, struct axt_dset *d, struct axt_err *e);
/*
 * The tensor as a view of its storage: shape and strides, the lengths allocated, and which of
 * d->axes each axis is.
 */
void axt_dset_layout(const struct axt_dset *d, struct axt_view *v, int64_t size[AXT_MAX_RANK],
    int axis[AXT_MAX_RANK]);
/* What the attributes axt_shape and axt_layout make of a dataset just loaded. */
int axt_dset_view(struct axt_arena *m, struct axt_dset *d, struct axt_err *e);
/*
 * All elements into out, native order, stored dtype. For small things
 * (coordinates, auxiliaries) and tests.
 */
int axt_dset_read(struct axt_file *f, struct axt_dset *d, void *out, struct axt_err *e);
/* Strings of a TEXT dataset: *out[n] in the arena. */
int axt_dset_strings(struct axt_arena *m, struct axt_file *f, struct axt_dset *d,
    const char *const **out, int64_t *n, struct axt_err *e);
/*
 * dev, ino, size and mtime are still those of the opening: AXT_E_CHANGED. A stream is taken to its
 * end, which must be where its superblock says: else AXT_E_DAMAGED. Called after the last read.
 */
int axt_file_check(struct axt_file *f, struct axt_err *e);
/*
 * "FILE:DATASET" as typed: the longest prefix that names an existing file (or
 * "-") is FILE. *dset NULL when none.
 */
int axt_operand_split(struct axt_arena *m, const char *operand, const char **file,
    const char **dset, struct axt_err *e);
/* A dataset's name as typed, in place: "H1\:x" becomes "H1:x". */
char *axt_unescape(char *name);

/* ---- bytes, callable from any thread ---- */

/*
 * Contiguous bytes of a storage (CONTIGUOUS, COMPACT, mem): pread loop, no
 * swap. AXT_E_DAMAGED when short.
 */
int axt_storage_read(const struct axt_storage *s, int64_t first, int64_t n, void *out,
    struct axt_err *e);

/*
 * Whether so many bytes of a file may be mapped. Where address space is limited (ulimit -v), what would
 * take more than a part of it is read instead, or nothing would be left for all else.
 */
bool axt_may_map(int64_t bytes);
/*
 * Gives a contiguous storage chunks, which are ranges of its bytes, so that axt_chunk_box can be asked
 * for parts of it where the file is not mapped.
 */
void axt_storage_cut(struct axt_storage *s);

/* ---- streams: storage with a src, by one thread ---- */

/* axt_storage_read keeps what it pulls. These two take the bytes in order instead. */
/* Whether the values were or will be pulled whole before a run. */
bool axt_stream_kept(const struct axt_storage *s);
/* Decides so. */
void axt_stream_keep(const struct axt_storage *s);
/* Pulls them: the storage is then as of a file. */
int axt_stream_spool(struct axt_storage *s, struct axt_err *e);
/*
 * Elements [first, first + n), not before the end of what was taken last, stored order. What the
 * pipe still had goes straight to out; what was skipped is gone.
 */
int axt_stream_take(const struct axt_storage *s, int64_t first, int64_t n, void *out,
    struct axt_err *e);

/*
 * Per-thread scratch for decoding chunks of any storage, which grows to what they need; NULL when out
 * of memory.
 */
struct axt_decoder;
struct axt_decoder *axt_decoder_new(void);
void axt_decoder_free(struct axt_decoder *z);
/*
 * The most bytes it holds to decode the chunks of a storage: whole, or, as pieces of them flow by;
 * 0: nothing, or that cannot be.
 */
size_t axt_decoder_bytes(const struct axt_storage *s, bool pieces);
/*
 * Chunk number c (row-major over the grid), decoded and swapped to native
 * order, chunk_count elements.
 */
int axt_chunk_read(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    struct axt_err *e);
/*
 * The same of elements [lo, lo + n) of the chunk: the first to out, others stride[d] bytes further for
 * each index of dimension d, those of the last dimension one after another. pieces: the chunk is
 * not held whole if that can be.
 */
struct axt_chunk_box {
	int64_t lo[AXT_MAX_RANK], n[AXT_MAX_RANK], stride[AXT_MAX_RANK];
	uint8_t *out;
};
int axt_chunk_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, bool pieces, struct axt_err *e);

/* ---- who may write (lib/store/lock.c) ---- */

/* What is told while something is waited for, or cannot be had; say NULL: nobody listens. */
struct axt_talk {
	void (*say)(void *ctx, const char *line);
	void *ctx;
	bool told;	/* that a file cannot be locked */
};
/*
 * The lock of a file that is there: other writers wait while it is held. Zeroed, with fd -1, before
 * it is taken.
 */
struct axt_lock {
	int fd;			/* the file, open; -1: there is none, or it is no file */
	bool absent;		/* there is none */
	bool held;
	bool busy;		/* TRY: another has it */
	bool settled;		/* of axt_lock_rest: id is known */
	struct axt_file_id id;	/* the file when the lock was taken, or when it was let go */
	int dirfd;
	const char *name;
	int how, why;
};
enum {
	AXT_LOCK_REPLACE = 1,	/* only its name is taken: what others do in the file does not matter */
	AXT_LOCK_WAIT = 2,	/* waits for programs that have it open for writing through HDF5 */
	AXT_LOCK_TRY = 4,	/* does not wait for another writer: `busy` */
	AXT_LOCK_WRITE = 8,	/* fd is to be for reading and writing */
};
/*
 * Waits for the lock of the file `name`, from dirfd (links are not followed) or AT_FDCWD (they are);
 * the name leads to it when this returns. fd is -1 where there is no such file. shown: the escaped
 * name. Errors: IO, also when a program of HDF5 has it open for writing, unless REPLACE or WAIT.
 */
int axt_lock_take(struct axt_lock *l, int dirfd, const char *name, const char *shown, int how,
    struct axt_talk *talk, struct axt_err *e);
/* Lets it go, and keeps the file open, so that what is found later can be compared. */
void axt_lock_rest(struct axt_lock *l);
/* Whether the file is still the one that was let go, as it was; no file is the same as no file. */
bool axt_lock_same(const struct axt_lock *was, const struct axt_lock *now);
/* Lets it go; -1 with errno where what was written to fd is not. */
int axt_lock_drop(struct axt_lock *l);

/* ---- writing ---- */

/*
 * Takes a tensor's bytes: row-major, native order, dtype as declared. off
 * counts bytes of the payload.
 */
struct axt_sink {
	/* must be called in order of off, by one thread at a time; else from
	 * any thread, any order */
	bool ordered;
	int (*write)(struct axt_sink *s, int64_t off, const void *p, int64_t n, struct axt_err *e);
	bool full;	/* wants no more: the run may end. Set by write, in the writing thread */
	/*
	 * Text: instead of write, render, in any thread and order, adds to b what the bytes will be in the
	 * output; then take, as write is called, gets that, and how many bytes were rendered.
	 */
	void (*render)(const struct axt_sink *s, int64_t off, const void *p, int64_t n,
	    struct axt_buf *b);
	int (*take)(struct axt_sink *s, const struct axt_buf *b, int64_t n, struct axt_err *e);
};

struct axt_out_var {
	const char *name;
	enum axt_dtype dtype;
	struct axt_axes axes;
	const struct axt_attr *attrs;
	const struct axt_aux *aux;
	bool none;	/* no values: they are computed or given later; others see NaN, or 0 ... */
	const struct axt_virtual *virt;	/* ... or what these parts of files hold; NULL: nothing */
};

struct axt_out_opts {
	/* as typed: FILE, FILE:DATASET, NULL or "-" for standard output */
	const char *target;
	bool is_file;		/* target is FILE, whatever colons are in its name ... */
	const char *dataset;	/* ... and this the dataset in it, or NULL */
	bool no_clobber, force;
	/* target is also an operand and holds other tensors: refused unless force */
	bool shared_input;
	bool add;		/* to FILE, if it is there, as FILE:DATASET does */
	int deflate;		/* -1: none; 0..9 */
	bool has_chunk;
	int64_t chunk[AXT_MAX_RANK];	/* of the result's axes; -1 whole */
	int64_t memory;
	int threads;
	struct axt_talk *talk;	/* may be NULL */
	int64_t *sent;		/* counts the bytes of a stream, its header's too; may be NULL */
	/* told in axt_out_finish what part of the chunks is written, by the thread that calls; or NULL */
	void (*progress)(void *ctx, double done);
	void *progress_ctx;
};

/*
 * Starts an output with nvars tensors (axes of one name must agree) and the file's attributes.
 * Small files, standard output and FIFOs get the header at once; a named file is a temporary
 * in the same directory until axt_out_close.
 * FILE:DATASET adds or replaces one dataset in a copy of an existing file (its scales are reused if
 * equal, else AXT_E_AXES or AXT_E_COORD); the file's other datasets and attributes stay.
 * axt_out_sink(o, i) takes the bytes of tensor i; tensors of an ordered sink
 * come one after another.
 */
struct axt_out;
int axt_out_open(struct axt_arena *m, const struct axt_out_var *v, int nvars,
    const struct axt_attr *file_attrs, const struct axt_out_opts *o, struct axt_out **out,
    struct axt_err *e);
struct axt_sink *axt_out_sink(struct axt_out *o, int i);
/* The descriptor of a stream, -1 for a file. */
int axt_out_fd(const struct axt_out *o);
/* Sends a stream's header, which else goes with the first bytes. */
int axt_out_begin(struct axt_out *o, struct axt_err *e);
/* Bytes to be cut into chunks when all have come, and to be compressed. */
int64_t axt_out_chunked(const struct axt_out *o);
/* Every byte came, and is written: what can still fail is the renaming. */
int axt_out_finish(struct axt_out *o, struct axt_err *e);
/*
 * ok: finishes, closes, renames into place. Not ok (or on failure): removes
 * the temporary; the old file is as it was, a stream stays short. For streams the last block is
 * held back until this call. Frees o either way.
 */
int axt_out_close(struct axt_out *o, bool ok, struct axt_err *e);
/* Removes the temporaries of all open outputs: async-signal-safe, for signal handlers. */
void axt_out_cleanup(void);
/* The coordinate of index i as text, escaped; false when the axis has none. */
bool axt_coord_text(struct axt_buf *b, const struct axt_coord *c, int64_t i);
/* "FILE:DATASET" of -o, split as commands.md tells. */
int axt_target_split(struct axt_arena *m, const char *target, const char **file, const char **dset,
    struct axt_err *e);
/*
 * Replaces the attributes of one dataset, one axis's scale or the file in a
 * copy of FILE (or in place), whose lock is held, with WRITE.
 */
struct axt_attr_edit {
	const char *object;		/* NULL: the tensor; "": the file; else an axis's name */
	struct axt_attr attr;		/* TEXT with text "": remove */
};
int axt_attr_edit_file(struct axt_arena *m, const char *path, const char *dset,
    const struct axt_attr_edit *ed, int n, bool in_place, const struct axt_lock *l,
    struct axt_err *e);

/* ---- assignment (lib/store/assign.c) ---- */

/* Positions along a dimension of the storage: len of them in all spans. */
struct axt_slice_dim {
	int nspans;
	const struct axt_span *span;
	int64_t len;
};
/*
 * Values for a slice of a dataset: the sink takes them row-major over dim[], in the dataset's dtype and
 * native order, any piece from any thread. axt_assign_write, after all, writes them into a copy of the
 * file, or into the file itself; axt_assign_close lets the copy take its place; not ok: it goes.
 * lock: of the file, held from before f was opened until all is closed; with WRITE.
 * first: of another slice of this file, whose copy is shared; it is closed first, or neither is ok.
 */
struct axt_assign;
int axt_assign_open(struct axt_file *f, struct axt_dset *d, const struct axt_slice_dim *dim,
    bool in_place, const struct axt_lock *lock, const struct axt_assign *first, int64_t memory,
    struct axt_assign **out, struct axt_err *e);
struct axt_sink *axt_assign_sink(struct axt_assign *a);
/* What the slice holds, row-major in memory until axt_assign_close; *out lacks rank and dims. */
int axt_assign_old(struct axt_assign *a, struct axt_storage *out, struct axt_err *e);
int axt_assign_write(struct axt_assign *a, struct axt_err *e);
int axt_assign_close(struct axt_assign *a, bool ok, struct axt_err *e);

/*
 * Bytes that wait until all are known: in memory, or, where there are many beside `memory`, in an
 * unlinked file: beside an output that is being made, or (NULL) in $TMPDIR. put is called from any
 * thread; then map gives them as mem.
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
/* Also of one that was not opened, with fd -1. */
void axt_wait_close(struct axt_waiting *w);

/* ---- kinds (lib/store/kind.c) ---- */

/* What a tensor is for: the attribute axt_kind of its dataset, and what follows from it. */
#define AXT_NKINDS 4
struct axt_tensor_kind {
	const char *name, *line;
	bool constant, persistent, trainable, input;
};
extern const struct axt_tensor_kind axt_tensor_kinds[AXT_NKINDS];
/* NULL: none, or no such kind. */
const struct axt_tensor_kind *axt_kind_named(const char *name);
const struct axt_tensor_kind *axt_kind_of(const struct axt_attr *attrs);
/* The flags it has, "persistent, trainable"; returns out. */
#define AXT_KIND_FLAGS 64
const char *axt_kind_flags(const struct axt_tensor_kind *k, const char *between,
    char out[AXT_KIND_FLAGS]);

/* ---- text (lib/store/text.c) ---- */

/* A JSON string; a byte that is no UTF-8 becomes the character of its number (infojson.c). */
void axt_json_string(struct axt_buf *b, const char *s);

struct axt_text_opts {
	FILE *out;
	const char *to;			/* its name in messages, escaped; NULL: standard output */
	bool terminal;			/* may leave elements out (and says so) */
	int64_t head;			/* -1: all */
	const char *format;		/* printf format of one value, checked; NULL: shortest */
	bool csv;
	bool rows;			/* values alone, a row of commas per line; one or two axes */
	bool values_named;		/* several results: NAME<TAB>VALUE lines for rank 0 */
	/* CSV of several results with the same axes, side by side: where their sinks meet. *table
	 * starts as NULL and ends with axt_text_table_free; table NULL: one table after another. */
	struct axt_text_table **table;
};
/*
 * An ordered sink that prints a tensor as it comes. Free with axt_text_free,
 * which flushes and reports write errors; with an error in e, what was not out yet stays so.
 */
struct axt_sink *axt_text_new(const struct axt_out_var *v, int nvars, int i,
    const struct axt_text_opts *o, struct axt_err *e);
int axt_text_free(struct axt_sink *s, struct axt_err *e);
void axt_text_table_free(struct axt_text_table *t);
/* What axt-info --stats tells of a tensor. */
struct axt_info_stats {
	int64_t count, missing;		/* values that are not NaN; those that are */
	double min, max, mean;		/* NaN when there is no value */
};
typedef int axt_info_stats_fn(void *ctx, const struct axt_dset *d, struct axt_info_stats *s,
    struct axt_err *e);
/* What gives a tensor its values, where it is an expression. */
#define AXT_INFO_LIST 64
struct axt_info_list {
	int n;
	bool more;
	const char *word[AXT_INFO_LIST];
};
struct axt_info_plan {
	bool is;
	struct axt_info_list inputs, places;	/* "FILE:DATASET", names of placeholders */
	bool maps;				/* HDF5 puts its inputs together */
	bool view;				/* of its one input, whose storage it shares */
	struct axt_view v;
};
/* 1: it is one; 0: it is none; -1: that cannot be told, and the error of axt_info_write has it. */
typedef int axt_info_plan_fn(void *ctx, struct axt_file *f, const struct axt_dset *d,
    struct axt_info_plan *p);
/*
 * axt-info of one file. what: 't' text, 'j' json, 'c' cdl. dset NULL: all. stats is asked for each
 * tensor; NULL: none; plan, with its own ctx, too.
 */
int axt_info_write(struct axt_arena *m, struct axt_file *f, const char *dset, char what, FILE *out,
    axt_info_stats_fn *stats, void *ctx, axt_info_plan_fn *plan, void *plan_ctx, struct axt_err *e);

#endif
