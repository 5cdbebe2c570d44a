/*
 * host.c - a device that is played by a C compiler, so that every generated program can be run, and
 * its results compared, on a machine without a GPU. It is for tests, and slow.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/device.h"

extern char **environ;

struct host {
	struct axt_device device;
	const char *cc;
	int64_t most; /* bytes that one allocation may have; 0: any number */
};
struct axt_queue {
	char none; /* a struct needs a member; nothing is kept, since everything is done at once */
};
typedef void kernel_fn(const int64_t *words, int64_t block);

static int64_t
memory(struct axt_device *d)
{
	(void)d;
	return (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;
}

/* Compiles the program to a shared object in dir. */
static int
compile(const char *cc, const char *src, const char *so, const char *text, struct axt_err *e)
{
	const char *argv[] = { cc, "-w", "-O1", "-std=gnu11", "-ffp-contract=off",
		"-fno-math-errno", "-shared", "-fPIC", "-o", so, src, "-lm", NULL };
	FILE *f = fopen(src, "w");
	int status = -1;
	pid_t pid;

	if (!f || fputs(text, f) < 0 || fclose(f) ||
	    posix_spawnp(&pid, cc, NULL, NULL, (char **)argv, environ) ||
	    waitpid(pid, &status, 0) < 0 || status != 0)
		return axt_fail(e, AXT_E_NOSYS, "device cuda: %s does not compile the program", cc);
	return 0;
}

static bool
write_file(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(p, 1, n, f) == n;

	return f && fclose(f) == 0 && ok;
}

/* Makes a new shared object of the program in dir, by compiling or from the cache. NULL: error. */
static void *
make_in(const char *dir, const char *cc, const char *key, const char *text, struct axt_err *e)
{
	char src[600], so[600];
	size_t n = 0;
	void *p = axt_cache_get(key, &n), *handle = NULL;
	bool cached = p != NULL;

	snprintf(src, sizeof(src), "%s/a.c", dir);
	snprintf(so, sizeof(so), "%s/a.so", dir);
	if (cached ? write_file(so, p, n) : compile(cc, src, so, text, e) == 0)
		handle = dlopen(so, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		axt_fail(e, AXT_E_NOSYS, "device cuda: the compiled program does not load");
	else if (!cached && (p = axt_read_file(so, &n)))
		axt_cache_put(key, p, n);
	free(p);
	unlink(src);
	unlink(so);
	return handle;
}

static void *
load(struct axt_device *d, const char *text, struct axt_err *e)
{
	const char *tmp = getenv("TMPDIR"), *cc = ((struct host *)d)->cc;
	char dir[512], *key = NULL;
	void *so = NULL;

	snprintf(dir, sizeof(dir), "%s/axt-device.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (asprintf(&key, "host %s\n%s", cc, text) < 0) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	if (!mkdtemp(dir)) {
		axt_fail(e, AXT_E_IO, "no temporary folder in %s", tmp && *tmp ? tmp : "/tmp");
	} else {
		so = make_in(dir, cc, key, text, e);
		rmdir(dir);
	}
	free(key);
	return so;
}

static void *
host_alloc(struct axt_device *d, int64_t bytes)
{
	(void)d;
	return aligned_alloc(256, ((size_t)bytes + 511) / 256 * 256);
}

static void *
alloc(struct axt_device *d, int64_t bytes)
{
	const struct host *h = (struct host *)d;

	return h->most && bytes > h->most ? NULL : host_alloc(d, bytes);
}

static void
release(struct axt_device *d, void *p)
{
	(void)d;
	free(p);
}

static struct axt_queue *
queue_new(struct axt_device *d, struct axt_err *e)
{
	struct axt_queue *q = calloc(1, sizeof(*q));

	(void)d;
	if (!q)
		axt_fail(e, AXT_E_MEM, "out of memory");
	return q;
}

static void
queue_free(struct axt_device *d, struct axt_queue *q)
{
	(void)d;
	free(q);
}

static int
copy(struct axt_queue *q, void *to, const void *from, int64_t n, struct axt_err *e)
{
	(void)q, (void)e;
	memcpy(to, from, (size_t)n);
	return 0;
}

static int
copy_rows(struct axt_queue *q, void *to, const void *from, int64_t n, int64_t rows, int64_t step,
    struct axt_err *e)
{
	for (int64_t r = 0; r < rows; r++)
		copy(q, (uint8_t *)to + r * step, (const uint8_t *)from + r * step, n, e);
	return 0;
}

static int
launch(struct axt_queue *q, const struct axt_kernels *k, const char *name, int64_t blocks,
    const int64_t *words, struct axt_err *e)
{
	kernel_fn *fn;

	(void)q;
	*(void **)&fn = dlsym(k->module, name);
	if (!fn)
		return axt_fail(e, AXT_E_NOSYS, "device cuda: the program has no %s", name);
	for (int64_t b = 0; b < blocks; b++)
		fn(words, b);
	return 0;
}

#define SUM_REAL(T)                                                                             \
	for (int64_t l = 0; l < g->k; l++)                                                      \
		re += (double)((const T *)a)[l * g->ld_left] * ((const T *)b)[l * g->ld_right]; \
	*(T *)c = (T)re;
#define SUM_HALF                                                    \
	for (int64_t l = 0; l < g->k; l++)                          \
		re += axt_load_f64(g->in, a + l * g->ld_left * 2) * \
		    axt_load_f64(g->in, b + l * g->ld_right * 2);   \
	*(float *)c = (float)re;
#define SUM_COMPLEX(T)                                           \
	for (int64_t l = 0; l < g->k; l++) {                     \
		const T *x = (const T *)a + 2 * l * g->ld_left;  \
		const T *y = (const T *)b + 2 * l * g->ld_right; \
                                                                 \
		re += (double)x[0] * y[0] - (double)x[1] * y[1]; \
		im += (double)x[0] * y[1] + (double)x[1] * y[0]; \
	}                                                        \
	((T *)c)[0] = (T)re;                                     \
	((T *)c)[1] = (T)im;

static int
gemm(struct axt_queue *q, const struct axt_gemm *g, struct axt_err *e)
{
	int64_t size = axt_size(g->dtype), in = axt_size(g->in);

	(void)q;
	for (int64_t u = 0; u < g->batch * g->m * g->n; u++) {
		int64_t j = u % g->n, i = u / g->n % g->m, at = u / g->n / g->m * g->k;
		const uint8_t *a = (const uint8_t *)g->left + (at * g->ld_left + i) * in;
		const uint8_t *b = (const uint8_t *)g->right + (at * g->ld_right + j) * in;
		uint8_t *c = (uint8_t *)g->out +
		    (u / g->n / g->m * g->step_out + i * g->ld_out + j) * size;
		double re = 0, im = 0;

		switch (g->in) {
		case AXT_F16:
		case AXT_BF16: SUM_HALF break;
		case AXT_F32: SUM_REAL(float) break;
		case AXT_F64: SUM_REAL(double) break;
		case AXT_C64: SUM_COMPLEX(float) break;
		case AXT_C128: SUM_COMPLEX(double) break;
		default:
			return axt_fail(e, AXT_E_DTYPE, "device cuda: no product of %s",
			    axt_dtypes[g->dtype].name);
		}
	}
	return 0;
}

static int
wait_queue(struct axt_queue *q, struct axt_err *e)
{
	(void)q, (void)e;
	return 0;
}

static const struct axt_device_fns fns = { memory, load, alloc, release, host_alloc, release,
	queue_new, queue_free, copy, copy_rows, launch, gemm, wait_queue };

struct axt_device *
axt_device_host(const char *cc, struct axt_err *e)
{
	const char *most = getenv("AXT_CUDA_HOST_MEMORY");
	struct host *h = calloc(1, sizeof(*h));

	if (h && most && !axt_parse_size(most, &h->most))
		h->most = 0;
	if (!h) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	h->device.fns = &fns;
	h->cc = cc;
	return &h->device;
}
