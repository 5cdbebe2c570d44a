/*
 * device.h - devices: a step is written as the source of kernels, which a device compiles and runs
 * on tiles whose operands lie in its memory. How eval cuts tiles and slabs and passes results to
 * sinks is the same as for processors.
 */
#ifndef AXT_DEVICE_DEVICE_H
#define AXT_DEVICE_DEVICE_H

#include <pthread.h>

#include "plan/plan.h"

/* ---- program.c: a step as source text ---- */

#define AXT_BLOCK_THREADS 256 /* of every kernel */
#define AXT_SQUARE 32
#define AXT_MAX_SPLITS 1024 /* of partial states of one element of a tile's result */

/* How a program reads an operand. */
enum axt_seen_as {
	AXT_AS_TILE,   /* its elements in the tile's order */
	AXT_AS_STORED, /* all of its storage, by strides */
	AXT_AS_SCALAR, /* one value, passed as an argument */
};

/* The index of each argument in the words passed to a kernel; -1 when it has none. */
enum {
	AXT_ARG_N,
	AXT_ARG_BAD,
	AXT_ARG_ROWS,
	AXT_ARG_SPLITS,
	AXT_ARG_PART,
	AXT_ARG_WIDTH,
	AXT_ARG_FIRST,
	AXT_ARG_INDEX,
	AXT_ARG_RUN,
	AXT_ARG_LIN,
	AXT_ARG_LO,
	AXT_ARG_FIXED
};
struct axt_program {
	const struct axt_step *s;
	enum axt_seen_as as[AXT_MAX_OPERANDS]; /* of each operand */
	int in[AXT_MAX_OPERANDS];              /* pointer, or two words with a scalar's value */
	/* STORED: of the first dimension's stride; the others follow */
	int stride[AXT_MAX_OPERANDS];
	int out[AXT_MAX_OUTS], acc[AXT_MAX_OUTS]; /* values or partial states; states */
	/* STORED: of the lengths of the dimensions; of the tile's, [0, lin] */
	int len, tile;
	int *constant; /* of each register: two words */
	int *packing;  /* of each instruction: four words */
	/* how many words; how many elements a thread of a map does */
	int nargs, vector;
	/*
	 * A map whose STORED operands are contiguous along this dimension, and not along the last,
	 * is done in squares of AXT_SQUARE x AXT_SQUARE of both, by way of shared memory. -1: it is
	 * not.
	 */
	int across;
	bool staged[AXT_MAX_OPERANDS];
	const char *text;
};
/*
 * The kernels of a step, in the graph's arena: axt_map; or axt_reduce, which writes partial states
 * [split][element] plane by plane, and axt_merge, which merges them into states. The caller sets
 * `as` for each operand. NULL when out of memory.
 */
struct axt_program *axt_program_new(struct axt_graph *g, const struct axt_step *s,
    const enum axt_seen_as as[]);
/* Whether any operand is STORED: then the words include lengths. */
bool axt_has_stored(const struct axt_program *p);
/* How many blocks of axt_map a tile needs. */
int64_t axt_program_blocks(const struct axt_program *p, const struct axt_tile *t);
/* Writes the words that do not depend on the tile: constants, packing, lengths, strides. */
void axt_program_words(const struct axt_program *p, int64_t *w);

/* ---- devices ---- */

struct axt_device;
struct axt_queue; /* its work is done in order; several queues overlap */
/* The kernels of one program, compiled and loaded. */
struct axt_kernels {
	char *text;
	void *module;
	struct axt_kernels *next;
};

/*
 * out[b][i][j] = the sum over l of left[b][l][i] * right[b][l][j]. Rows are ld_left, ld_right and
 * ld_out elements apart; a matrix of left or right has k rows, one of the result begins step_out
 * elements after the one before. For f32, f64, c64, c128. in: the dtype of left and right: that of
 * out, or f16 or bf16 for f32.
 */
struct axt_gemm {
	enum axt_dtype dtype, in;
	bool tf32; /* f32 may be rounded to TF32 */
	int64_t m, n, k, batch, ld_left, ld_right, ld_out, step_out;
	const void *left, *right;
	void *out;
};
/* The functions a device consists of. */
struct axt_device_fns {
	int64_t (*memory)(struct axt_device *d); /* free bytes */
	/* Compiles a program, or finds it in the cache, and loads it. NULL on error. */
	void *(*load)(struct axt_device *d, const char *text, struct axt_err *e);
	void *(*alloc)(struct axt_device *d, int64_t bytes); /* NULL: does not fit */
	void (*free)(struct axt_device *d, void *p);
	/*
	 * Memory of the host that is fast to transfer from and to; NULL means that malloc's is as
	 * good.
	 */
	void *(*host_alloc)(struct axt_device *d, int64_t bytes);
	void (*host_free)(struct axt_device *d, void *p);
	struct axt_queue *(*queue_new)(struct axt_device *d, struct axt_err *e);
	void (*queue_free)(struct axt_device *d, struct axt_queue *q);
	int (
	    *upload)(struct axt_queue *q, void *to, const void *from, int64_t n, struct axt_err *e);
	/* Copies rows of n bytes, which are step bytes apart on both sides. */
	int (*download)(struct axt_queue *q, void *to, const void *from, int64_t n, int64_t rows,
	    int64_t step, struct axt_err *e);
	int (*launch)(struct axt_queue *q, const struct axt_kernels *k, const char *name,
	    int64_t blocks, const int64_t *words, struct axt_err *e);
	int (*gemm)(struct axt_queue *q, const struct axt_gemm *g, struct axt_err *e);
	int (*wait)(struct axt_queue *q, struct axt_err *e);
};
struct axt_device {
	const struct axt_device_fns *fns;
	const char *name; /* its row's */
	pthread_mutex_t lock;
	struct axt_kernels *built;
};
/* How devices of a kind, a row of devices.def, are found. */
struct axt_device_driver {
	/*
	 * Returns 0 where there may be such a device, without starting it; else the error says why.
	 */
	int (*there)(struct axt_err *e);
	/* Starts it. NULL: there is none; the error says why. */
	struct axt_device *(*open)(struct axt_err *e);
};
#define DEVICE(NAME, name) extern const struct axt_device_driver axt_device_##name;
#include "devices.def"
#undef DEVICE
/*
 * The device of that kind, opened once and kept; AUTO: the first one that can be opened. NULL when
 * there is none; the error says why. Thread-safe.
 */
struct axt_device *axt_device_open(enum axt_device_kind kind, struct axt_err *e);
/* Returns 0 where there may be a device of that kind, without starting it. */
int axt_device_there(enum axt_device_kind kind, struct axt_err *e);
/* The kernels of a program, which belong to the device. NULL on error. Thread-safe. */
const struct axt_kernels *axt_device_build(struct axt_device *d, const char *text,
    struct axt_err *e);
/*
 * How many bytes plans may use: what is free, less a reserve, and at most AXT_DEVICE_MEMORY=SIZE.
 */
int64_t axt_device_memory(struct axt_device *d);
/* In host.c: the device that a C compiler plays. */
struct axt_device *axt_device_host(const char *cc, struct axt_err *e);
/*
 * Whether NVRTC compiles a program for an architecture (90 is sm_90), which needs no device. bytes:
 * the size of the machine code.
 */
int axt_cuda_compile(const char *text, int arch, int64_t *bytes, struct axt_err *e);

/* ---- choice.c ---- */

/*
 * The device that a plan made for so many threads of the CPU is better run on, or NULL; sets
 * g->device_why.
 */
struct axt_device *axt_device_pays(struct axt_graph *g, const struct axt_plan *p, int threads);

/* ---- cache.c: compiled programs are kept from run to run ---- */

/*
 * The bytes stored for a key in $XDG_CACHE_HOME/axt or ~/.cache/axt, or NULL. The file has the
 * whole key, which is compared. The caller frees them.
 */
void *axt_cache_get(const char *key, size_t *n);
/*
 * The bytes of a file that belongs to the user and has at most 64 MiB, or NULL. The caller frees
 * them.
 */
void *axt_read_file(const char *path, size_t *n);
/*
 * Stores the bytes for a key. A failure is ignored: the program is then compiled again next time.
 */
void axt_cache_put(const char *key, const void *p, size_t n);
/* Writes the source of a program to the folder AXT_DEVICE_DUMP, if that is set. */
void axt_dump_source(const char *text);

#endif
