/*
 * device.h - devices: a step is written as the source text of kernels, which a device compiles and
 * runs on tiles whose operands are in its memory. As for the CPU, the room eval cuts slabs and
 * tiles and passes results to sinks.
 */
#ifndef AXT_DEVICE_DEVICE_H
#define AXT_DEVICE_DEVICE_H

#include <pthread.h>

#include "plan/plan.h"

/* ---- program.c: a step as source text ---- */

#define AXT_BLOCK_THREADS 256 /* threads of a block, in every kernel */
#define AXT_SQUARE 32
#define AXT_MAX_SPLITS 1024 /* the most partial states for one element of a tile's result */

/* How a kernel reads an operand. */
enum axt_seen_as {
	AXT_AS_TILE,   /* its elements are in memory in the order of the tile */
	AXT_AS_STORED, /* all of its storage is in memory; elements are found by strides */
	AXT_AS_SCALAR, /* it is one value, passed as an argument */
};

/*
 * The arguments of kernels are words of 64 bits. These come first in every program. The indices of
 * the others are in struct axt_program, -1 for one that a program lacks.
 */
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
	enum axt_seen_as as[AXT_MAX_OPERANDS]; /* [k]: how operand k is read */
	/* [k]: a pointer to operand k, or its value if it is a scalar, which takes two words */
	int in[AXT_MAX_OPERANDS];
	/* [k], if STORED: the stride of operand k in the first dimension; the others follow it */
	int stride[AXT_MAX_OPERANDS];
	/* pointers: out to values or partial states, acc to states */
	int out[AXT_MAX_OUTS], acc[AXT_MAX_OUTS];
	bool stored;   /* any operand is STORED, so that the words include lengths */
	int len, tile; /* then: lengths of the dimensions, and of the tile */
	int *constant; /* [r]: the value of register r if it is constant, two words */
	int *packing;  /* [i]: the packing of instruction i, four words */
	/* nargs: the number of words; vector: elements of a map that one thread does */
	int nargs, vector;
	/*
	 * If a map has STORED operands that are contiguous along a dimension other than the last
	 * one: that dimension. The map is then done in squares of AXT_SQUARE x AXT_SQUARE along
	 * both, which go through shared memory. Otherwise -1.
	 */
	int across;
	bool staged[AXT_MAX_OPERANDS];
	const char *text;
};
/*
 * Writes the kernels of a step, as text in the graph's arena. A map has the kernel axt_map. A
 * reduction has two kernels: axt_reduce writes partial states, in planes of [split][element], and
 * axt_merge merges them into states. as[k] tells how operand k is read. NULL: out of memory.
 */
struct axt_program *axt_program_new(struct axt_graph *g, const struct axt_step *s,
    const enum axt_seen_as as[]);
/* The number of blocks of axt_map that a tile needs. */
int64_t axt_program_blocks(const struct axt_program *p, const struct axt_tile *t);
/* Writes those words that are the same for all tiles: constants, packing, lengths, strides. */
void axt_program_words(const struct axt_program *p, int64_t *w);

/* ---- devices ---- */

struct axt_device;
struct axt_queue; /* its work is done in order; work of several queues may overlap */
/* The kernels of one program, compiled and loaded. */
struct axt_kernels {
	char *text;
	void *module;
	struct axt_kernels *next;
};

/*
 * The matrix product out[b][i][j] = sum over l of left[b][l][i] * right[b][l][j]. Rows of the
 * matrices are ld_left, ld_right and ld_out elements apart. A matrix of left or right has k rows;
 * each matrix of out begins step_out elements after the one before it. dtype, that of out, is f32,
 * f64, c64 or c128. in, that of left and right, is the same, or f16 or bf16 if dtype is f32.
 */
struct axt_gemm {
	enum axt_dtype dtype, in;
	bool tf32; /* values of f32 may be rounded to TF32 */
	int64_t m, n, k, batch, ld_left, ld_right, ld_out, step_out;
	const void *left, *right;
	void *out;
};
/* The functions of a device. */
struct axt_device_fns {
	int64_t (*memory)(struct axt_device *d); /* bytes of memory that are free */
	/* Compiles a program, or finds it in the cache, and loads it. NULL: error. */
	void *(*load)(struct axt_device *d, const char *text, struct axt_err *e);
	void *(*alloc)(struct axt_device *d, int64_t bytes); /* NULL: it does not fit */
	void (*free)(struct axt_device *d, void *p);
	/* Memory of the host from which transfers are fast; NULL: memory from malloc is as fast. */
	void *(*host_alloc)(struct axt_device *d, int64_t bytes);
	void (*host_free)(struct axt_device *d, void *p);
	struct axt_queue *(*queue_new)(struct axt_device *d, struct axt_err *e);
	void (*queue_free)(struct axt_device *d, struct axt_queue *q);
	int (
	    *upload)(struct axt_queue *q, void *to, const void *from, int64_t n, struct axt_err *e);
	/* Copies rows of n bytes, which are `step` bytes apart in both places. */
	int (*download)(struct axt_queue *q, void *to, const void *from, int64_t n, int64_t rows,
	    int64_t step, struct axt_err *e);
	int (*launch)(struct axt_queue *q, const struct axt_kernels *k, const char *name,
	    int64_t blocks, const int64_t *words, struct axt_err *e);
	int (*gemm)(struct axt_queue *q, const struct axt_gemm *g, struct axt_err *e);
	int (*wait)(struct axt_queue *q, struct axt_err *e);
};
struct axt_device {
	const struct axt_device_fns *fns;
	const char *name; /* name of its row in devices.def */
	pthread_mutex_t lock;
	struct axt_kernels *built;
};
/* How devices of a kind are found. A kind is a row of devices.def. */
struct axt_device_driver {
	/*
	 * Returns 0 if there may be such a device, without starting it; otherwise the error says
	 * why there is none.
	 */
	int (*there)(struct axt_err *e);
	/* Starts the device. NULL: there is none, and the error says why. */
	struct axt_device *(*open)(struct axt_err *e);
};
#define DEVICE(NAME, name) extern const struct axt_device_driver axt_device_##name;
#include "devices.def"
#undef DEVICE
/*
 * Opens the device of a kind, once in a process, and keeps it. AUTO: the first one that can be
 * opened. NULL: there is none, and the error says why. Thread-safe.
 */
struct axt_device *axt_device_open(enum axt_device_kind kind, struct axt_err *e);
/* Returns 0 if there may be a device of that kind, which is not started. */
int axt_device_there(enum axt_device_kind kind, struct axt_err *e);
/* Compiles and loads a program; the kernels belong to the device. NULL: error. Thread-safe. */
const struct axt_kernels *axt_device_build(struct axt_device *d, const char *text,
    struct axt_err *e);
/* The bytes that plans may use: what is free less a reserve, and at most AXT_DEVICE_MEMORY=SIZE. */
int64_t axt_device_memory(struct axt_device *d);
/* In host.c: a device played by a C compiler. */
struct axt_device *axt_device_host(const char *cc, struct axt_err *e);
/*
 * Compiles a program with NVRTC for an architecture (90 is sm_90), which needs no device. *bytes
 * gets the size of the machine code.
 */
int axt_cuda_compile(const char *text, int arch, int64_t *bytes, struct axt_err *e);

/* ---- choice.c ---- */

/*
 * The device on which a plan would run faster than by `threads` threads of the CPU, or NULL if
 * there is none. Sets g->device_why.
 */
struct axt_device *axt_device_pays(struct axt_graph *g, const struct axt_plan *p, int threads);

/* ---- cache.c: compiled programs, kept from run to run ---- */

/*
 * The bytes that are kept for a key in $XDG_CACHE_HOME/axt or ~/.cache/axt, which the caller
 * frees, or NULL. The file also has the key, which is compared, since names of files are only
 * hashes.
 */
void *axt_cache_get(const char *key, size_t *n);
/*
 * The bytes of a file, which the caller frees. NULL if the file does not belong to the user, or has
 * more than 64 MiB.
 */
void *axt_read_file(const char *path, size_t *n);
/* Keeps the bytes for a key. A failure is ignored; the program is then compiled again next time. */
void axt_cache_put(const char *key, const void *p, size_t n);
/* Writes the source of a program to the folder AXT_DEVICE_DUMP, if that is set. */
void axt_dump_source(const char *text);

#endif
