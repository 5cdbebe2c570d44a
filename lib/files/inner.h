/*
 * inner.h - shared by the files of this folder: a file while axt reads it. (Writing by libhdf5 is
 * in hdf5/write/libhdf5.h.)
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
	 * of an unlimited scale: the most records that it or a dataset it is attached to has, which
	 * is the length of netCDF's dimension; 0: not known yet
	 */
	int64_t records;
	bool numbered;   /* netCDF has a number for it as a dimension */
	bool names_axis; /* it is a dimension scale: its axis has its name */
	/* characters of 4 bytes each: 1 little-endian, 2 big-endian; 0: they are bytes */
	int utf32;
	/*
	 * of characters of MATLAB: how many bytes each has; else 0. Their storage has two
	 * dimensions, of which the first counts the characters of a text and the second the texts.
	 * As a dataset they have one dimension, that of the texts, or none if there is one text
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
	 * Lists the groups and datasets of the file, and describes each dataset: role, why, rank,
	 * dims and dtype. Notes the datasets that their attributes name, by axt_file_words.
	 */
	int (*list)(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
	/*
	 * Gives the attributes of dataset i; sets its storage, unless it is loaded already; and
	 * sets what its axes are, unless x is NULL.
	 */
	int (*load)(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr **attrs,
	    struct axt_dims *x, struct axt_err *e);
	/* The index of the dataset that a path leads to over soft links, or -1; NULL: has none. */
	int (*follow)(struct axt_file *f, const char *path);
	/*
	 * Gives the texts of dataset i of role TEXT, if their lengths vary: one for each of its
	 * elements. NULL: texts are in HDF5's global heap.
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
 * In enums.c: if the numbers of a dataset are those of an enumeration, adds AXT_ENUM to its
 * attributes.
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
 * In storage.c: finds where a dataset that was described is stored, and checks that against the
 * size of the file.
 */
int axt_h5_storage(struct axt_arena *m, struct axt_file *f, int i, const struct axt_head *h,
    struct axt_err *e);
/*
 * Why a dataset of these lengths, whose elements have `size` bytes in the file, cannot be cut into
 * chunks as its layout says. NULL: it can be, or it has no chunks.
 */
struct axt_hlayout;
const char *axt_h5_chunks_wrong(const struct axt_hlayout *l, int rank, const int64_t *dims,
    uint64_t size);
/*
 * In groups.c: notes that the object at this address is visited. Returns 1 if it was not visited
 * before, 0 if it was, -1 if memory ran out.
 */
int axt_h5_first(struct axt_h5 *h, uint64_t addr);
/* Lists the datasets and groups of the file. */
int axt_h5_walk(struct axt_arena *m, struct axt_file *f, struct axt_err *e);
int axt_h5_follow(struct axt_file *f, const char *path);
/*
 * In links.c: notes a link in group number `group` that is not the name under which its object is
 * listed, or is no hard link. Returns 0 or AXT_E_MEM.
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
 * In axes.c: for files other than HDF5. If the list has the attribute AXT_LABELS, with a label for
 * each dimension, takes it out of the list, and gives the labels. chars: the last dimension is that
 * of characters, and need not have one.
 */
void axt_take_labels(struct axt_arena *m, int rank, bool chars, const struct axt_attr **attrs,
    const char *label[AXT_MAX_RANK]);
/* In axes.c: the names and coordinates of the axes of dataset i. */
int axt_file_axes(struct axt_arena *m, struct axt_file *f, int i, const struct axt_dims *x,
    struct axt_err *e);
/*
 * In find.c: axt_file_words notes the names in a text such as "a b", "area: a" or "crs: x y", which
 * is the attribute axt_naming[by] of dataset `of`. axt_file_roles then makes the datasets that were
 * named auxiliary ones.
 */
int axt_file_words(struct axt_arena *m, struct axt_file *f, int of, const char *s, int by,
    struct axt_err *e);
void axt_file_roles(struct axt_file *f);
/* Calls `each` with the addresses of all scales that are attached to dataset i. */
int axt_h5_attached(struct axt_file *f, int i, void (*each)(void *ctx, uint64_t addr), void *ctx,
    struct axt_err *e);
/*
 * In scale_values.c: reads the values of scale i, and unpacks them if they are packed. *out is NULL
 * if it has no values.
 */
int axt_coord_load(struct axt_arena *m, struct axt_file *f, int i, const struct axt_attr *attrs,
    const char *label, const struct axt_coord **out, struct axt_err *e);

#endif
