/*
 * bytes.h - where the bytes of a tensor are, and how they are read: files and their descriptors,
 * contiguous storage, chunks with their filters, pipes.
 */
#ifndef AXT_BYTES_BYTES_H
#define AXT_BYTES_BYTES_H

#include <sys/types.h>

#include "axes/select.h"
#include "bytes/filtering.h"
#include "view/view.h"

enum axt_layout {
	AXT_LAYOUT_NONE,
	AXT_LAYOUT_CONTIGUOUS,
	AXT_LAYOUT_COMPACT,
	AXT_LAYOUT_CHUNKED,
	/* netCDF classic: as contiguous, but other bytes lie between the records (dimension 0) */
	AXT_LAYOUT_RECORDS,
	AXT_LAYOUT_VIRTUAL /* its bytes are in other datasets: see axt_dset's virt */
};
enum axt_role {
	AXT_ROLE_TENSOR, /* a tensor; FILE without a dataset's name means the only one */
	AXT_ROLE_SCALE,  /* a dimension scale with values */
	AXT_ROLE_DIM,    /* a dimension scale without (netCDF's marker NAME) */
	/* a dataset that the attributes bounds, coordinates, grid_mapping... of another one name */
	AXT_ROLE_AUX,
	AXT_ROLE_TEXT, /* strings */
	AXT_ROLE_OTHER /* unsupported: see why */
};
/*
 * How chunks are reached that lie apart, each in a file or a range of a file of its own, as in a
 * Zarr store. Any thread may call these functions.
 */
struct axt_storage;
struct axt_apart {
	/*
	 * Reads the stored bytes of chunk c into memory that room(ctx, n) gives; if that is NULL,
	 * memory ran out. It is an error if there are more than `most`. *n gets how many there are,
	 * or SIZE_MAX if the chunk was never written.
	 */
	int (*bring)(const struct axt_storage *s, int64_t c, size_t most,
	    uint8_t *(*room)(void *ctx, size_t n), void *ctx, size_t *n, struct axt_err *e);
	/* Writes what messages call chunk c, such as "chunk c/0/1". */
	void (*name)(const struct axt_storage *s, int64_t c, char *out, size_t cap);
	void *own;
};
/* Raw storage of one dataset's elements, in the stored dtype. Row-major. */
struct axt_storage {
	enum axt_layout layout;
	enum axt_dtype dtype; /* of the elements, once swapped to native byte order */
	/* bytes of one element as stored: axt_size(dtype), or of a string */
	int esize;
	bool swap; /* stored big-endian: swap after reading */
	int rank;
	int64_t dims[AXT_MAX_RANK];
	int64_t count; /* elements */
	/*
	 * of CHUNKED and NONE: if `cut`, the file has values only for the first `stored` indices of
	 * the first dimension, even if its chunks go on; all others are read as fill values
	 */
	int64_t stored;
	bool cut;
	/* CONTIGUOUS, CHUNKED: the file that a stream was spooled to; -1: `file` has the bytes */
	int fd;
	uint64_t offset; /* CONTIGUOUS, RECORDS: where the first byte is in the file */
	/*
	 * RECORDS: the bytes in the file from one record to the next. CHUNKED: if not 0, chunks
	 * consist of records of so many bytes, and the element (or the elements of the last `inner`
	 * dimensions) is at byte `within` of a record
	 */
	uint64_t record, within;
	int inner;
	/*
	 * of CHUNKED with `record`: if the elements in the records are of none of the dtypes, their
	 * layout, from which axt_number_load makes `dtype`; else NULL
	 */
	const struct axt_number *number;
	/* CHUNKED: a chunk at an edge is stored without what would lie beyond it */
	bool short_edges;
	/* COMPACT, or a stream's bytes kept in memory, for RECORDS from offset on; else NULL */
	const void *mem;
	/* HDF5's fill value: that of elements never written (NONE, missing chunks) */
	double fill;
	/* the same as bytes of dtype, native order */
	uint8_t fill_bytes[16] __attribute__((aligned(16)));
	/* the same of texts of more bytes; NULL: they are empty */
	const uint8_t *fill_text;
	/*
	 * CONTIGUOUS: the dataset has chunks without filters, which lie in the file one after
	 * another in row-major order
	 */
	bool rows;
	/*
	 * the chunk lengths of CHUNKED storage, and of CONTIGUOUS with `rows`. For RECORDS and
	 * other CONTIGUOUS storage axt_storage_cut sets how much is read at a time; these have no
	 * table
	 */
	int64_t chunk[AXT_MAX_RANK];
	int64_t grid[AXT_MAX_RANK];   /* chunks along each dimension */
	int64_t nchunks, chunk_count; /* product of grid; elements of a chunk */
	struct axt_chunk_loc {        /* [nchunks], row-major over the grid */
		uint64_t addr;        /* UINT64_MAX: never written (fill) */
		uint32_t size;
		uint32_t mask; /* filters skipped */
	} * chunks;
	/* CHUNKED: not NULL where chunks lie apart; then there is no table `chunks` */
	const struct axt_apart *apart;
	size_t largest;             /* bytes of the largest as stored */
	struct axt_filters filters; /* CHUNKED */
	struct axt_file *file;      /* the file with its bytes, unless fd or mem has them */
	const char *from;           /* "a.nc:t" for messages */
	/* CONTIGUOUS: the pipe that the bytes come from; NULL: no pipe, or all has been read */
	struct axt_src *src;
};
/* A dataset, as the walk through all groups of a file finds it. */
struct axt_dset {
	const char *path; /* "/group/x" */
	const char *name; /* last part */
	enum axt_role role;
	const char *why; /* OTHER: "type not supported: compound" ...; NULL else */
	/* AUX, TEXT: the attribute that names it in another dataset, such as "bounds"; or NULL */
	const char *named_by;
	bool loaded; /* axes, attrs and storage are filled (axt_dset_load) */
	int rank;
	int64_t dims[AXT_MAX_RANK];
	enum axt_dtype dtype; /* valid for roles other than TEXT, OTHER */
	struct axt_axes axes;
	/* all but HDF5's and netCDF's own (CLASS, NAME, DIMENSION_LIST, _Netcdf4*...) */
	const struct axt_attr *attrs;
	struct axt_storage st;
	/* two axes have one name (data(m,m)): only axt-cast --to, which renames them, accepts it */
	bool dup_axes;
	/* it has records of several members, each of which is listed as a dataset */
	bool is_table;
	const char *table; /* the path of the table that it is a member of, or NULL */
	bool odd_type;     /* libhdf5 would convert values of this type differently */
	/* the maps of a virtual dataset (hdf5/format/virtual.h); NULL: it is stored */
	const struct axt_virtual *virt;
	/*
	 * the axes of the tensor are those in `axes` from last to first; dims and axes are in the
	 * order of the storage
	 */
	bool reversed;
	/* all of it in memory, once an output of a whole file has taken it along; else NULL */
	struct axt_aux *held;
	bool told; /* a warning has said that such outputs leave it out */
	/* characters: whether each is a text by itself (axt_dset_are_flags), once that is known */
	enum { AXT_FLAGS_UNKNOWN, AXT_FLAGS_NO, AXT_FLAGS_YES } flags;
};
/* Identifies a file, and shows whether it has changed. */
struct axt_file_id {
	dev_t dev;
	ino_t ino;
	int64_t size;
	struct timespec mtime, ctime;
	struct timespec seen; /* when the file was examined, by the clock of ctime */
};
/*
 * An opened file. Of a pipe only as much is read as the metadata need. The bytes that were read are
 * kept, in memory up to a part of `memory`, and beyond that in an unlinked file in $TMPDIR.
 */
struct axt_file {
	const char *path; /* as typed, "-" for standard input */
	/*
	 * the descriptor of a stream; that of any other file may be closed at any time, and
	 * axt_file_take gives it
	 */
	int fd;
	bool stream;
	/*
	 * another process has found what is in it, and told this one, which has not opened it yet,
	 * and of id knows only the size and the time of writing
	 */
	bool told, unseen;
	bool directory; /* a Zarr store */
	bool external;  /* a Zarr store of references may refer to files anywhere */
	struct axt_file_id id;
	/* These may change while the bytes do not, and change id.ctime. */
	nlink_t links;
	mode_t mode;
	uid_t owner;
	gid_t group;
	/*
	 * used: whether it was read since handle.c last looked for files to close; users: how many
	 * callers have its descriptor now
	 */
	bool used;
	int users;
	/* the ring of files that may be closed; NULL: not in it */
	struct axt_file *next_open, *last_open;
	int ndsets;
	/* in link creation order where tracked, else by name; depth first */
	struct axt_dset *dsets;
	const struct axt_attr *attrs; /* of the root group */
	struct axt_src *src;          /* its bytes by address (src.h) */
	struct axt_h5 *h5;            /* what only the reader of HDF5 needs */
	bool foreign;                 /* not HDF5: see formats/formats.h */
	struct axt_kept *kept;        /* foreign: values parsed, freed with the file */
	/* of FILE:PATTERN: text that fits it goes with tensors along whose axes it lies; or NULL */
	const char *pattern;
};
/*
 * Whether this errno, of stat, open and the like, means that there is no such file. After others it
 * is not known whether there is.
 */
bool axt_is_absent(int error);
/* Whether it is the same file, with the same size and time of writing. */
bool axt_file_same(const struct axt_file_id *a, const struct axt_file_id *b);
struct stat;
void axt_file_identify(const struct stat *st, struct axt_file_id *id);
/*
 * Whether any later change of the file would show in the times of id. Their clock is coarse, so
 * that two changes, one right after the other, may have the same time.
 */
bool axt_file_settled(int fd, const struct axt_file_id *id);
/* Whether it is the same and was not written, linked, renamed, or given other rights in between. */
bool axt_file_untouched(const struct axt_file_id *a, const struct axt_file_id *b);
/*
 * In handle.c. axt_file_take gives the descriptor of a file, until axt_file_give gives it back; -1:
 * the file cannot be opened again. Any thread. After axt_file_opened, a descriptor that nobody has
 * taken may be closed; axt_file_shut closes it for good.
 */
int axt_file_take(struct axt_file *f, struct axt_err *e);
void axt_file_give(struct axt_file *f);
int axt_file_stat(struct axt_file *f, struct stat *st);
void axt_file_opened(struct axt_file *f);
void axt_file_shut(struct axt_file *f);
/*
 * Makes room for a descriptor: takes more of them from the system, or closes one that is not needed
 * now. false: there is none. errno stays.
 */
bool axt_file_spare(void);
/*
 * Waits while a command changes what is in the file (axt_lock_changes). Returns whether it had to
 * wait: then what was read of the file before is out of date.
 */
bool axt_lock_await(int fd);
/* open(2) for reading, without waiting for a writer; spares descriptors where there are too few. */
int axt_open_reading(const char *path);
/* Reads a pipe to its end and drops the bytes. *all: how many bytes the pipe has brought in all. */
int axt_stream_drain(struct axt_file *f, uint64_t *all, struct axt_err *e);

/*
 * Splits "FILE:DATASET" as typed: FILE is the longest prefix that names an existing file, or "-".
 * *dset is NULL if there is no DATASET.
 */
int axt_operand_split(struct axt_arena *m, const char *operand, const char **file,
    const char **dset, struct axt_err *e);
/* The files each of which tells that a directory is a store of Zarr, or a node of one. */
extern const char *const axt_store_marks[3];
/* Whether a directory is a Zarr store, by the files in it; the second: the one open as dir. */
bool axt_is_store(const char *directory);
bool axt_is_store_at(int dir);
/* What follows the last slash of a path, or all of it. */
const char *axt_last_part(const char *path);
/* Removes the escapes of a dataset's name as typed, in place: "H1\:x" becomes "H1:x". */
char *axt_unescape(char *name);
/*
 * Reads n elements from number `first` on of storage whose bytes are contiguous (CONTIGUOUS,
 * COMPACT, in mem), as they are stored. AXT_E_DAMAGED if the file is too short.
 */
int axt_storage_read(const struct axt_storage *s, int64_t first, int64_t n, void *out,
    struct axt_err *e);
/*
 * Whether so many bytes of a file may be mapped. If address space is limited (ulimit -v), a mapping
 * may take only a part of it, and larger files have to be read instead.
 */
bool axt_may_map(int64_t bytes);
/*
 * Gives storage of the layouts CONTIGUOUS and RECORDS chunks, which are ranges of its bytes, so
 * that axt_chunk_box can read parts of it if the file is not mapped.
 */
void axt_storage_cut(struct axt_storage *s);
/*
 * Makes storage with `record` one of layout CHUNKED. Its records follow each other in the file from
 * addr on, and its chunks are ranges of them, of at most 4 GiB unless a single record has more.
 */
int axt_records_cut(struct axt_arena *m, struct axt_storage *s, uint64_t addr, struct axt_err *e);
/*
 * axt_storage_read keeps the bytes that it reads from a pipe. The functions below are for pipes
 * that are read once, in order, instead.
 */
/* Whether all values were, or will be, read from the pipe and stored before a run. */
bool axt_stream_kept(const struct axt_storage *s);
/* Decides that all values of the pipe will be read and stored before a run; false: it was so. */
bool axt_stream_keep(const struct axt_storage *s);
/* Reads all values from the pipe and stores them; the storage is then like that of a file. */
int axt_stream_spool(struct axt_storage *s, struct axt_err *e);
/*
 * Reads elements [first, first + n) from a pipe, in stored byte order, without keeping them.
 * `first` must not be before the end of the elements that were taken last. Elements that are
 * skipped are lost.
 */
int axt_stream_take(const struct axt_storage *s, int64_t first, int64_t n, void *out,
    struct axt_err *e);
/*
 * What one thread needs to decode chunks of any storage: buffers that grow as they have to. NULL:
 * out of memory.
 */
struct axt_decoder;
struct axt_decoder *axt_decoder_new(void);
void axt_decoder_free(struct axt_decoder *z);
/*
 * The most bytes that a decoder needs for a chunk of the storage: to decode it as a whole or, with
 * `pieces`, piece by piece; 0 means that this is not possible.
 */
size_t axt_decoder_bytes(const struct axt_storage *s, bool pieces);
/*
 * Decodes chunk number c (row-major over the grid) to out: chunk_count elements in native byte
 * order.
 */
int axt_chunk_read(const struct axt_storage *s, struct axt_decoder *z, int64_t c, void *out,
    struct axt_err *e);
/*
 * Reads the stored bytes of a chunk that lies apart, into memory of the decoder. *n is SIZE_MAX if
 * the chunk was never written.
 */
const uint8_t *axt_chunk_apart(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    size_t *n, struct axt_err *e);
/*
 * A box of a chunk, for axt_chunk_box, which decodes only the elements [lo, lo + n) of chunk c. The
 * first one goes to out; those of the next index of dimension d go stride[d] bytes further. Along
 * the last dimension they are adjacent. pieces: the chunk is decoded piece by piece if that is
 * possible.
 */
struct axt_chunk_box {
	int64_t lo[AXT_MAX_RANK], n[AXT_MAX_RANK], stride[AXT_MAX_RANK];
	uint8_t *out;
};
int axt_chunk_box(const struct axt_storage *s, struct axt_decoder *z, int64_t c,
    const struct axt_chunk_box *b, bool pieces, struct axt_err *e);
/* Positions along a dimension of the storage: len of them in all spans. */
struct axt_slice_dim {
	int nspans;
	const struct axt_span *span;
	int64_t len;
};
static inline uint32_t
axt_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
/* An unsigned little-endian number of 1..8 bytes. */
static inline uint64_t
axt_le(const uint8_t *p, int n)
{
	uint64_t v = 0;

	for (int i = n; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}
/*
 * Reads n bytes of a file from `at` on, and returns how many there were. If there are fewer, the
 * file ends there and errno is 0, or reading failed and errno says why.
 */
size_t axt_read_at(int fd, void *out, size_t n, uint64_t at);
/*
 * Returns fd; if fd is below 3, returns a copy of it that is not, and closes fd. So no data file
 * becomes standard input, output or error.
 */
int axt_fd_high(int fd);
/* The N of /dev/fd/N and /proc/self/fd/N, or -1. */
int axt_fd_number(const char *path);
/* How many bytes v needs: 1 to 8. */
static inline int
axt_le_width(uint64_t v)
{
	int n = 1;

	for (; n < 8 && v >> 8 * n; n++)
		;
	return n;
}
/* Reads n bytes at a file address by pread, even where s->mem has them. */
int axt_pread(const struct axt_storage *s, uint64_t addr, size_t n, void *out, struct axt_err *e);
/* The same for a stream, which is read as far as needed and kept. */
int axt_stream_read(const struct axt_storage *s, uint64_t addr, size_t n, void *out,
    struct axt_err *e);
/* Brings n elements to native byte order if the storage is big-endian. */
void axt_swap(const struct axt_storage *s, void *p, int64_t n);
/* Reverses the bytes of n items of 2, 4 or 8 bytes. */
void axt_swap_items(void *p, int64_t n, int size);
/* Writes n elements of the fill value to p. */
void axt_fill(const struct axt_storage *s, void *p, int64_t n);
/* Reads all elements of a storage into out, in native byte order. */
int axt_storage_whole(const struct axt_storage *s, void *out, struct axt_err *e);

#endif
