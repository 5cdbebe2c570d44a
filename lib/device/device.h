/*
 * device.h - devices: the program of a step as the source of kernels, and who compiles and runs them.
 * A device computes tiles whose operands lie in its memory; what the run room does with tiles, slabs
 * and results is the same for all.
 */
#ifndef AXT_DEVICE_DEVICE_H
#define AXT_DEVICE_DEVICE_H

#include <pthread.h>

#include "plan/plan.h"

/* ---- program.c: what a step becomes ---- */

#define AXT_BLOCK_THREADS 256	/* of every kernel */
#define AXT_SQUARE 32
#define AXT_MAX_SPLITS 1024	/* partial states of one element of a tile's result */

/* How a program sees an operand. */
enum axt_seen_as {
	AXT_AS_TILE,			/* its elements in the tile's order */
	AXT_AS_STORED,			/* all of its storage, by strides */
	AXT_AS_SCALAR,			/* one value, among the arguments */
};

/* Where each argument is among the words a kernel gets; -1: it has none. */
enum { AXT_ARG_N, AXT_ARG_BAD, AXT_ARG_ROWS, AXT_ARG_SPLITS, AXT_ARG_PART, AXT_ARG_WIDTH, AXT_ARG_FIRST,
	AXT_ARG_INDEX, AXT_ARG_RUN, AXT_ARG_LIN, AXT_ARG_LO, AXT_ARG_FIXED };
struct axt_program {
	const struct axt_step *s;
	enum axt_seen_as as[AXT_MAX_OPERANDS];	/* per operand */
	int in[AXT_MAX_OPERANDS];	/* pointer, or two words of a scalar's value */
	int stride[AXT_MAX_OPERANDS];	/* STORED: one per dimension */
	int out[AXT_MAX_OUTS], acc[AXT_MAX_OUTS];	/* values or partial states; states */
	int len, tile;			/* STORED: lengths of dimensions; of the tile's [0, lin] */
	int *constant;			/* per register: two words */
	int *packing;			/* per instruction: four words */
	int nargs, vector;		/* elements a thread of a map does */
	/*
	 * A map whose STORED operands lie along this dimension, not along the last: blocks are squares of
	 * AXT_SQUARE x AXT_SQUARE of both, which these operands come to by way of shared memory. -1: none.
	 */
	int across;
	bool staged[AXT_MAX_OPERANDS];
	const char *text;
};
/*
 * The kernels of a step, in the graph's arena: axt_map; or axt_reduce, which leaves partial states
 * [split][element] plane by plane, and axt_merge, which joins them into states. as is set by the
 * caller. NULL: out of memory.
 */
struct axt_program *axt_program_new(struct axt_graph *g, const struct axt_step *s,
    const enum axt_seen_as as[]);
/* Whether an operand is STORED: then the words have lengths. */
bool axt_has_stored(const struct axt_program *p);
/* Blocks of axt_map for a tile. */
int64_t axt_program_blocks(const struct axt_program *p, const struct axt_tile *t);
/* The words that do not depend on a tile: constants, packing, lengths, strides. */
void axt_program_words(const struct axt_program *p, int64_t *w);

/* ---- devices ---- */

struct axt_device;
struct axt_queue;			/* work in order; queues overlap */
/* Those of one program, compiled and loaded. */
struct axt_kernels {
	char *text;
	void *module;
	struct axt_kernels *next;
};

/*
 * out[b][i][j] = the sum over l of left[b][l][i] * right[b][l][j], rows ld_left, ld_right and ld_out
 * apart, matrices of k such rows, those of the result step_out elements; f32, f64, c64, c128. in: the
 * dtype of left and right, the same, or f16 or bf16 for f32.
 */
struct axt_gemm {
	enum axt_dtype dtype, in;
	bool tf32;			/* f32 may be rounded to TF32 */
	int64_t m, n, k, batch, ld_left, ld_right, ld_out, step_out;
	const void *left, *right;
	void *out;
};
/* What a device does. */
struct axt_device_fns {
	int64_t (*memory)(struct axt_device *d);	/* free bytes */
	/* A program compiled, or from the cache, and loaded. NULL: error. */
	void *(*load)(struct axt_device *d, const char *text, struct axt_err *e);
	void *(*alloc)(struct axt_device *d, int64_t bytes);	/* NULL: does not fit */
	void (*free)(struct axt_device *d, void *p);
	/* Memory of the host that transfers go to and from fast; NULL: as malloc. */
	void *(*host_alloc)(struct axt_device *d, int64_t bytes);
	void (*host_free)(struct axt_device *d, void *p);
	struct axt_queue *(*queue_new)(struct axt_device *d, struct axt_err *e);
	void (*queue_free)(struct axt_device *d, struct axt_queue *q);
	int (*upload)(struct axt_queue *q, void *to, const void *from, int64_t n, struct axt_err *e);
	/* Rows of n bytes, step bytes apart there and here. */
	int (*download)(struct axt_queue *q, void *to, const void *from, int64_t n, int64_t rows,
	    int64_t step, struct axt_err *e);
	int (*launch)(struct axt_queue *q, const struct axt_kernels *k, const char *name,
	    int64_t blocks, const int64_t *words, struct axt_err *e);
	int (*gemm)(struct axt_queue *q, const struct axt_gemm *g, struct axt_err *e);
	int (*wait)(struct axt_queue *q, struct axt_err *e);
};
struct axt_device {
	const struct axt_device_fns *fns;
	pthread_mutex_t lock;
	struct axt_kernels *built;
};
/*
 * The device cuda, opened once and kept; AXT_CUDA_HOST=CC plays it with a C compiler. NULL: there is
 * none, the error says why. Thread-safe.
 */
struct axt_device *axt_device_cuda(struct axt_err *e);
/* 0 where there may be such a device: nothing is started. */
int axt_device_there(struct axt_err *e);
/* The kernels of a program, which the device keeps. NULL: error. Thread-safe. */
const struct axt_kernels *axt_device_build(struct axt_device *d, const char *text,
    struct axt_err *e);
/* Memory to plan with: what is free, less some; AXT_DEVICE_MEMORY=SIZE at most. */
int64_t axt_device_memory(struct axt_device *d);
struct axt_device *axt_device_host(const char *cc, struct axt_err *e);
struct axt_device *axt_device_driver(struct axt_err *e);
int axt_driver_there(struct axt_err *e);
/* Whether NVRTC compiles a program, for 90 sm_90: needs no device. bytes: of the machine code. */
int axt_cuda_compile(const char *text, int arch, int64_t *bytes, struct axt_err *e);

/* ---- cache.c: compiled programs between runs ---- */

/*
 * The bytes kept for a key, in $XDG_CACHE_HOME/axt or ~/.cache/axt; NULL: none. The key is kept with
 * them and compared whole. The caller frees.
 */
void *axt_cache_get(const char *key, size_t *n);
/* The bytes of a file of the user's, of 64 MiB at most; NULL: not to be had. The caller frees. */
void *axt_read_file(const char *path, size_t *n);
/* Keeps them; what goes wrong is of no consequence. */
void axt_cache_put(const char *key, const void *p, size_t n);
/* A source as AXT_DEVICE_DUMP=DIR wants it kept. */
void axt_dump_source(const char *text);

#endif
