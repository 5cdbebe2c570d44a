/*
 * inner.h - shared by the files of this folder: a file while axt reads it. (libhdf5, which axt
 * uses only for writing, is behind hdf5/write/libhdf5.h.)
 */
#ifndef AXT_FILES_INNER_H
#define AXT_FILES_INNER_H

#include "bytes/src.h"
#include "files/files.h"

/* What the reader knows of dataset i in addition to axt_file.dsets[i]. */
struct axt_obj {
	uint64_t addr; /* address of its object header, from the superblock on */
	int group;     /* index of its group */
	/* name of the link; the name of the dataset lacks netCDF's prefix */
	const char *link;
	uint32_t unlimited; /* bit k is set if dimension k is unlimited */
	/* for text: whether strings have variable length; otherwise they have esize bytes */
	bool vlen;
	bool space_pad;
	/*
	 * of an unlimited scale: the most records of it and of what it is attached to, which are
	 * those of netCDF's dimension; 0: not known yet
	 */
	int64_t records;
	bool numbered;   /* netCDF has a number for it as a dimension */
	bool names_axis; /* it is a dimension scale: its axis has its name */
	/* characters of 4 bytes each: 1 little-endian, 2 big-endian; 0: they are bytes */
	int utf32;
	/*
	 * characters of MATLAB, of so many bytes each: not 0 where the storage has two dimensions,
	 * of which the first counts the characters of a text and the last the texts, of which a
	 * single one has no dimension of the dataset
	 */
	int of_matlab;
	int64_t letters[2]; /* the lengths of the storage */
	int esize;
	/* whether coord, which may be NULL, and parts have been read from this scale */
	bool have_coord;
	const struct axt_coord *coord;
	const char *parts, *along;
};
enum { AXT_LOST = 64 };
struct axt_h5 {
	const struct axt_file_kind *kind;
	void *own;            /* what the kind keeps of the file */
	struct axt_obj *objs; /* [ndsets], in the same order as axt_file.dsets */
	int cap;
	struct axt_group {
		const char *path; /* that of the root is "" */
		uint64_t addr;
		bool loaded; /* attrs have been read */
		const struct axt_attr *attrs;
	} * groups;
	int ngroups;
	struct axt_named_type { /* a committed datatype */
		const char *path;
		uint64_t addr;
		const uint8_t *message; /* n bytes */
		size_t n;
	} * types;
	int ntypes;
	struct axt_other_link {         /* a link that is no object's own */
		struct axt_file_link l; /* whose path is found when it is asked for */
		uint64_t addr;
	} * links;
	int nlinks, links_cap;
	struct axt_file_link *found_links; /* once they have been asked for */
	struct axt_lost {                  /* an attribute that is not read */
		uint64_t addr;             /* of its object */
		const char *name;
		bool told;
	} lost[AXT_LOST];
	int nlost;
	bool more_lost;    /* there are more of them than are kept */
	size_t attr_bytes; /* bytes of the attributes that have been read */
	uint64_t *seen;    /* hash set of the addresses of visited objects */
	uint32_t nseen, seen_cap;
	struct axt_word { /* names in CF attributes, which are names of auxiliary datasets */
		const char *name;
		int of; /* index of the dataset that has the attribute */
		int by; /* index of the attribute in axt_naming */
		struct axt_word *next;
	} * words;
};
/* The axes of a dataset, as its file tells them. */
struct axt_dims {
	int scale[AXT_MAX_RANK]; /* the dataset with name and coordinates of the axis; -1: none */
	const char *label[AXT_MAX_RANK]; /* its name where there is no such dataset, or NULL */
	const char *said[AXT_MAX_RANK];  /* what AXT_LABELS says of it, or NULL */
};
/* What files of one kind do in their own way. */
struct axt_file_kind {
	/*
	 * Lists the groups and datasets, each described: role, why, rank, dims and dtype; and what
	 * their attributes name (axt_file_words).
	 */
	int (*list)(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
	/*
	 * The attributes of dataset i, unless it is loaded its storage, and, unless x is NULL, what
	 * its axes are.
	 */
	int (*load)(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **attrs,
	    struct axt_dims *x, struct axt_err *e);
	/* The index of the dataset that a path leads to over soft links, or -1; NULL: has none. */
	int (*follow)(struct axt_file *f, const char *path);
	/*
	 * The texts of dataset i of role TEXT whose lengths vary, which are as many as it has
	 * elements. NULL: they are those of HDF5's global heap.
	 */
	int (*texts)(struct axt_arena *m, struct axt_file *f, int i, const char **out,
	    struct axt_err *e);
};
extern const struct axt_file_kind axt_kind_hdf5, axt_kind_classic,
    axt_kind_zarr; /* whose `own` is the store before `list` */
/* In classic.c: whether the first bytes of the file are those of netCDF classic. */
bool axt_is_classic(struct axt_file *f);
struct axt_head; /* an object header; see hdf5/format/raw.h */
struct axt_htype;
/*
 * In attributes.c: reads the attributes of an object, in creation order if the file records it,
 * without those that HDF5 and netCDF write for their own use.
 */
int axt_h5_attrs(struct axt_arena *m, struct axt_file *f, const struct axt_head *h,
    const struct axt_attr **out, struct axt_err *e);
/* What AXT_ENUM is of a dataset, of the type of an attribute. NULL: it is no enumeration. */
const struct axt_attr *axt_h5_members(struct axt_arena *m, const struct axt_file *f,
    const struct axt_htype *t);
/*
 * In enums.c: adds AXT_ENUM to the attributes of a dataset whose numbers are those of an
 * enumeration.
 */
int axt_h5_enum(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    const struct axt_attr **attrs, struct axt_err *e);
/* Whether HDF5 or netCDF writes an attribute of this name for its own use. */
bool axt_h5_own(const char *name);
/*
 * The value of a text attribute, in the arena. NULL: there is no such attribute, or it is no text.
 */
const char *axt_h5_text(struct axt_arena *m, const struct axt_head *h, const char *name);
/* The same for a list of *n strings. */
const char **axt_h5_texts(struct axt_arena *m, const struct axt_head *h, const char *name,
    int64_t *n);
/* Copies a stored string of n bytes to the arena, without its padding. */
const char *axt_h5_string(struct axt_arena *m, const void *p, size_t n, bool space_pad);
/* In dataset.c: sets role, why, rank, dims and dtype of dataset i. Returns 0 or AXT_E_MEM. */
int axt_h5_describe(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/* A member of a table: the path of that, the bytes of a record, and where in it the member is. */
struct axt_member {
	const char *table;
	uint64_t record, at;
	const struct axt_htype *type;
	bool mark; /* an array of the first version of types, which is not read */
};
/* The same of dataset i, which is a member of the table whose header is h. */
void axt_h5_describe_member(struct axt_arena *m, struct axt_file *f, int i,
    const struct axt_head *h, const struct axt_member *x);
/*
 * In storage.c: finds where a described dataset is stored, and checks it against the size of the
 * file.
 */
int axt_h5_storage(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/*
 * Why a dataset of those lengths, whose elements are of `size` bytes in the file, cannot be cut
 * into chunks as its layout says; NULL: it can, or it has no chunks.
 */
struct axt_hlayout;
const char *axt_h5_chunks_wrong(const struct axt_hlayout *l, int rank, const int64_t *dims,
    uint64_t size);
/*
 * In groups.c: returns 1 if the address was not visited before, 0 if it was, -1 if memory ran out.
 */
int axt_h5_first(struct axt_h5 *h, uint64_t addr);
/* Lists the datasets and groups of the file. */
int axt_h5_walk(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
int axt_h5_follow(struct axt_file *f, const char *path);
/*
 * In links.c: notes a link of group number `group` to an object that has another name, or that is
 * no hard link. Returns 0 or AXT_E_MEM.
 */
struct axt_link;
int axt_h5_note_link(struct axt_file *f, int group, const struct axt_link *l, struct axt_err *e);
/* Notes an attribute that is not read, of the object at that address. */
void axt_h5_note_lost(struct axt_file *f, uint64_t addr, const char *name);
/* In hdf5.c: the index of the dataset at an address, or -1. */
int axt_h5_at(const struct axt_file *f, uint64_t addr);
/* In name_hint.c: hints at what was likely meant by the name, which no dataset has. */
void axt_h5_name_hint(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_err *e);
/* In hdf5.c: opens the header of dataset i. It must be closed also after an error. */
int axt_h5_reopen(struct axt_file *f, int i, struct axt_head *h, struct axt_err *e);
/* The file and dataset for a message, such as "a.nc:t", with escapes. */
const char *axt_h5_where(struct axt_arena *m, const struct axt_file *f, const struct axt_dset *d);
/*
 * In axes.c: takes the attribute AXT_LABELS, which files other than HDF5 have, out of a list, if it
 * has a label for each dimension; chars: the last one is characters, and may have none.
 */
void axt_take_labels(struct axt_arena *m, int rank, bool chars, const struct axt_attr **attrs,
    const char *label[AXT_MAX_RANK]);
/* In axes.c: the names and coordinates of the axes of dataset i. */
int axt_file_axes(struct axt_arena *m, struct axt_file *f, int i, const struct axt_dims *x,
    struct axt_err *e);
/*
 * In find.c: notes the names in a text such as "a b", "area: a" or "crs: x y", which is attribute
 * axt_naming[by] of dataset `of`; axt_file_roles then marks the datasets of those names as
 * auxiliary.
 */
int axt_file_words(struct axt_arena *m, struct axt_file *f, int of, const char *s, int by,
    struct axt_err *e);
void axt_file_roles(struct axt_file *f);
/* Calls `each` with the addresses of all scales that are attached to dataset i. */
int axt_h5_attached(struct axt_file *f, int i, void (*each)(void *ctx, uint64_t addr), void *ctx,
    struct axt_err *e);
/*
 * In scale_values.c: reads the values of a scale and unpacks them if they are packed. *out is NULL
 * if it has no values.
 */
int axt_coord_load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr *attrs,
    const char *label, const struct axt_coord **out, struct axt_err *e);

#endif
