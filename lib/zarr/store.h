/*
 * store.h - what a Zarr store is kept in: values under keys such as "t/c/0/1". In a directory each
 * value is a file, in a zip archive each is an entry; a reference file has a value itself, or says
 * which range of which file it is.
 */
#ifndef AXT_ZARR_STORE_H
#define AXT_ZARR_STORE_H

#include "bytes/bytes.h"

/*
 * The attribute of a group that names those axes of its arrays that were unlimited in another file.
 * Zarr has no unlimited axes; a copy to a file that has such axes makes them unlimited again.
 * xarray writes a list of this name, too.
 */
#define AXT_ZARR_UNLIMITED "unlimited_dims"

/* One value while it is read. It begins as {0}, and is closed also after an error. */
struct axt_value {
	bool there; /* false: the store has no such key */
	uint64_t size;
	const uint8_t *mem; /* all of it, or NULL */
	/* else the file that has it from `at` on, and whether this closes it */
	int fd;
	uint64_t at;
	bool own;
	struct axt_file *given; /* the file whose descriptor fd is */
	uint64_t most;          /* what unpacks to more is refused; 0: than --memory */
	bool summed;            /* all of its bytes have this checksum of zip */
	uint32_t crc;
	void *kept; /* memory to be freed */
};
/* A node of the hierarchy, as its metadata's key tells. */
struct axt_zarr_node {
	const char *path; /* "g/t"; "" is the root */
	int version;      /* 2 or 3 */
	bool group;       /* of version 2: it has .zgroup */
};
struct axt_store {
	const struct axt_store_kind *kind;
	struct axt_arena *m;
	struct axt_file *f;
	const char *path; /* of a directory, without slashes at its end */
	void *own;
};
struct axt_store_kind {
	/* Whether the file is one of this kind, which is opened then. Errors are in e. */
	bool (*open)(struct axt_store *s, struct axt_err *e);
	/* Any thread. */
	int (*find)(const struct axt_store *s, const char *key, struct axt_value *v,
	    struct axt_err *e);
	/* All nodes, sorted by path, allocated in the arena. */
	int (*nodes)(const struct axt_store *s, struct axt_zarr_node **out, int *n,
	    struct axt_err *e);
};
extern const struct axt_store_kind axt_store_directory, axt_store_zip, axt_store_references;
/* Reads bytes [at, at + n) of a value. */
int axt_value_read(const struct axt_store *s, const char *key, const struct axt_value *v,
    uint64_t at, size_t n, void *out, struct axt_err *e);
void axt_value_close(struct axt_value *v);
/*
 * Reads all of a value, which may have at most `most` bytes, into memory that the caller frees. If
 * it is NULL and there is no error, there is no such value; *n is then 0.
 */
uint8_t *axt_store_whole(const struct axt_store *s, const char *key, size_t most, size_t *n,
    struct axt_err *e);
/* Bytes that may be taken by what the metadata of a store ask for: --memory, and some at least. */
uint64_t axt_store_memory(const struct axt_store *s);
/*
 * Opens a file in a directory or below it for reading. Links are followed unless they lead out of
 * the directory. Returns -1 with errno after an error; errno is EXDEV or ELOOP for a link that is
 * not followed.
 */
int axt_open_beneath(const char *directory, const char *key);
/* The same in the directory that is open as dir, which need not have its name any more. */
int axt_open_beneath_at(int dir, const char *key);
/* The bytes that base64 stands for. NULL: it is none, or out of memory. */
const uint8_t *axt_zarr_base64(struct axt_arena *m, const char *s, size_t n, uint64_t *size);
/* An error about a value: "a.zarr: t/c/0: why". */
int axt_store_fail(const struct axt_store *s, const char *key, enum axt_code code, const char *why,
    struct axt_err *e);
/* Whether a key, or a path of nodes, has no part that is empty, "." or "..". */
bool axt_store_sane(const char *key);
/* A growing list of nodes; sorted and given to the arena by axt_zarr_nodes_end. */
struct axt_node_list {
	struct axt_zarr_node *node;
	int n, cap;
};
int axt_zarr_nodes_add(const struct axt_store *s, struct axt_node_list *l, struct axt_zarr_node x,
    struct axt_err *e);
int axt_zarr_nodes_end(const struct axt_store *s, struct axt_node_list *l,
    struct axt_zarr_node **out, int *n, struct axt_err *e);
/* Adds the node that a key such as "g/t/.zarray" means, if it means one. */
int axt_zarr_nodes_key(const struct axt_store *s, struct axt_node_list *l, const char *key,
    struct axt_err *e);

#endif
