/*
 * formats.h - tensors in files that are no HDF5: npy, raw, PNM, safetensors, CSV. Headers are read
 * and checked. Values that the file holds as numbers axt knows stay in the file; others are parsed
 * into memory.
 */
#ifndef AXT_FORMATS_FORMATS_H
#define AXT_FORMATS_FORMATS_H

#include "axt.h"
#include "bytes/output.h"
#include "files/files.h"
#include "show/show.h"

/* ---- reading ---- */

struct axt_foreign_item {
	const char *name; /* NULL: the format has no names */
	const char *why;  /* why it cannot be read; NULL: it can */
	enum axt_dtype dtype;
	struct axt_axes axes;   /* in the order of the dimensions */
	bool fortran;           /* stored column-major */
	bool swap;              /* stored in the other byte order */
	uint64_t offset, bytes; /* of the values in the file, unless mem */
	/* not NULL where the values in the file are such numbers, of which `dtype` is made */
	const struct axt_number *number;
	const void *mem;         /* values parsed: row-major, native */
	const char *const *text; /* or words instead of values, one for each element */
	bool missing;            /* NaN where a value is missing */
	const struct axt_attr *attrs;
	const struct axt_aux *aux; /* coordinates that are along its axes */
};

struct axt_foreign {
	int n;
	struct axt_foreign_item *item;
	bool records; /* the items are columns of one table, which belong together */
	bool all;     /* all were asked for */
	uint64_t end; /* bytes of the file, as its header tells */
};

struct axt_foreign_opts {
	enum axt_format format;    /* AUTO: by the name, else by the first bytes */
	const char *tensor;        /* the one that is wanted; NULL: not told */
	const struct axt_axes *to; /* raw: the shape */
	enum axt_dtype dtype;      /* raw: as stored */
	bool big_endian, fortran, matrix;
	enum axt_header_line header; /* csv: whether the first line names columns */
	bool all;                    /* all tensors are wanted */
	int64_t offset;              /* raw: of the first value */
	int64_t memory;              /* bound of what is parsed */
};

/*
 * The format that the suffix of a file's name tells, for reading or (`write`) for writing the file;
 * AXT_FORMAT_AUTO: it tells none.
 */
enum axt_format axt_format_of(const char *path, bool write);

/*
 * Reads the header of a file on which axt_file_begin was called, or all of the file if its values
 * are text. The file must be as long as the header says.
 */
int axt_foreign_read(struct axt_arena *m, struct axt_file *f, const struct axt_foreign_opts *o,
    struct axt_foreign *out, struct axt_err *e);
/*
 * If the first bytes of f show for sure that it has a format in which files may be operands, makes
 * f a file of datasets. axt_file_begin was called on f, and it is no HDF5. Returns 0; -1 without an
 * error if the bytes do not show that; or the code of an error.
 */
int axt_foreign_open(struct axt_arena *m, struct axt_file *f, int64_t memory, struct axt_err *e);
/* A dataset that is n elements of a file from a byte on; NULL: it does not fit the file. */
struct axt_dset *axt_foreign_dset(struct axt_arena *m, struct axt_file *f, const char *name,
    enum axt_dtype d, const struct axt_axes *x, uint64_t offset, bool swap);
/* The same of an item of a file. NULL: that, or an error of the pipe it is read from. */
struct axt_dset *axt_foreign_item_dset(struct axt_arena *m, struct axt_file *f,
    const struct axt_foreign_item *t, enum axt_dtype d, const struct axt_axes *x,
    struct axt_err *e);

/* ---- writing (sinks.c) ---- */

struct axt_fout;
struct axt_fout_opts {
	const char *target; /* FILE; NULL or "-": standard output */
	enum axt_format format;
	const struct axt_attr *attrs;    /* nc3, safetensors: of the file */
	const struct axt_out_rest *rest; /* nc3: what else the file has; may be NULL */
	bool no_clobber;
	bool big_endian;       /* raw */
	bool matrix;           /* csv: rows of values only */
	struct axt_talk *talk; /* may be NULL */
};
/*
 * Begins an output. Tensors that the format cannot hold are an error here, before anything is
 * written.
 */
int axt_fout_open(struct axt_arena *m, const struct axt_out_var *v, int n,
    const struct axt_fout_opts *o, struct axt_fout **out, struct axt_err *e);
struct axt_sink *axt_fout_sink(struct axt_fout *o, int i);
/*
 * Ends an output, and frees o. ok: checks that all bytes have come, and gives the file its name.
 * Otherwise the old file stays as it was.
 */
int axt_fout_close(struct axt_fout *o, bool ok, struct axt_err *e);

/* ---- shared by the readers ---- */

struct axt_fr {
	struct axt_arena *m;
	struct axt_file *f;
	const struct axt_foreign_opts *o;
	struct axt_foreign *out;
	struct axt_err *e;
	char name[256];   /* the file's name, escaped for messages */
	const char *from; /* the same, for axes */
};
/* AXT_E_DAMAGED: "FILE: ..." */
int axt_fr_bad(struct axt_fr *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int axt_fr_oom(struct axt_fr *r);
/* Reads exactly n bytes at addr. */
int axt_fr_bytes(struct axt_fr *r, uint64_t addr, size_t n, void *out);
/* Allocates r->out's n items. */
struct axt_foreign_item *axt_fr_items(struct axt_fr *r, int n);
/* Axes of those lengths, named names[i], or dim_0, dim_1... (names NULL). */
int axt_fr_axes(struct axt_fr *r, struct axt_foreign_item *t, int rank, const int64_t *dims,
    const char *const *names);
/* Sets t->bytes from its axes and dtype. */
int axt_fr_sized(struct axt_fr *r, struct axt_foreign_item *t);

/* Reads a file byte by byte, from a buffer. */
struct axt_cursor {
	struct axt_fr *r;
	uint64_t at; /* of buf[0] */
	size_t n, pos;
	bool end;
	uint8_t *buf; /* in the arena */
};
int axt_cursor_init(struct axt_cursor *c, struct axt_fr *r);
bool axt_cursor_fill(struct axt_cursor *c);
/* The next byte; -1 at the end, or when reading failed: the error is set then. */
static inline int
axt_cursor_next(struct axt_cursor *c)
{
	if (c->pos == c->n && !axt_cursor_fill(c))
		return -1;
	return c->buf[c->pos++];
}
static inline uint64_t
axt_cursor_where(const struct axt_cursor *c)
{
	return c->at + c->pos;
}

/* ---- what is known of each format ---- */

enum { AXT_SNIFF_NO, AXT_SNIFF_MAYBE, AXT_SNIFF_SURE };
/* Options that only some formats take. */
#define AXT_TAKES_LAYOUT 1u /* where values begin, their byte order, column-major */
#define AXT_TAKES_MATRIX 2u

struct axt_fout;
struct axt_format_fns {
	/*
	 * Suffixes of names. written: the suffix also chooses this format when a file is written.
	 */
	struct axt_suffix {
		const char *end;
		bool written;
	} suffix[6];
	const char *called; /* what messages about options call it; NULL: its name */
	unsigned takes;
	bool many; /* one file holds several tensors */
	/* such a file is an operand as it is: its bytes tell the format, and how they are read */
	bool operand;
	/*
	 * Tells by the first bytes of a file, at most 64, whether it has this format. NULL: they
	 * never tell.
	 */
	int (*sniff)(const uint8_t *p, size_t n);
	/* Fills r->out with the file's tensors, and sets where the file ends. */
	int (*read)(struct axt_fr *r);
	/*
	 * Adds what stands before the values to o->head. Fails if the format cannot hold the
	 * tensors. Values follow as they are, or big-endian if this sets o->big. A format that
	 * stores values in another way sets o->all, and gives o->sinks functions of its own. NULL:
	 * axt does not write this format.
	 */
	int (*head)(struct axt_fout *o, struct axt_err *e);
	/* Called instead of writing o->head, once the file is open; or NULL. */
	int (*open)(struct axt_fout *o, struct axt_err *e);
	int (*finish)(struct axt_fout *o,
	    struct axt_err *e);              /* when all values have come; or NULL */
	void (*release)(struct axt_fout *o); /* of o->own, always; or NULL */
};

struct axt_format_row {
	const char *name, *line;
	const struct axt_format_fns *fn;
};
/* Rows by enum axt_format. That of AXT_FORMAT_AUTO has only a name. */
extern const struct axt_format_row axt_formats[AXT_NFORMATS];
/*
 * Fails with SYNTAX if the format does not take the options, which are bits AXT_TAKES_. file: the
 * escaped name of the file that is read; NULL: a file is to be written.
 */
int axt_format_takes(enum axt_format f, unsigned options, const char *file, struct axt_err *e);
/* Adds the hint that names all formats that can be read, or written. */
void axt_format_hint(bool write, struct axt_err *e);

#define FORMAT(NAME, name, line) extern const struct axt_format_fns axt_format_##name;
#include "formats.def"
#undef FORMAT

#endif
