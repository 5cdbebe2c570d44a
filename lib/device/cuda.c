/*
 * cuda.c - NVIDIA devices, through their driver and the compiler NVRTC. Both are loaded when a
 * device is asked for; axt is not linked to them. If the headers of the toolkit are missing when
 * axt is built, axt has no such device.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "device/cuda.h"

#if AXT_HAS_CUDA
int
axt_cuda_wrong(const struct cuda *c, CUresult r, const char *what, struct axt_err *e)
{
	const char *why = NULL;

	if (r == CUDA_SUCCESS)
		return 0;
	c->p_cuGetErrorString(r, &why);
	return axt_fail(e, r == CUDA_ERROR_OUT_OF_MEMORY ? AXT_E_MEM : AXT_E_NOSYS,
	    "device cuda: %s: %s", what, why ? why : "unknown error");
}

/* ---- libraries ---- */

static const char driver[] = "libcuda.so.1";

static void *
open_driver(struct axt_err *e)
{
	void *so = dlopen(driver, RTLD_NOW | RTLD_LOCAL);

	if (!so)
		axt_fail(e, AXT_E_NOSYS, "device cuda: no driver: %s is not here", driver);
	return so;
}

static int
driver_there(struct axt_err *e)
{
	return open_driver(e) ? 0 : (int)e->code;
}

static int
find_driver(struct cuda *c, struct axt_err *e)
{
	const char *name = driver;
	void *so = open_driver(e);

	if (!so)
		return -1;
	DRIVER(FIND)
	/* the header maps the name to a newer one, which drivers of CUDA 12 lack */
	*(void **)&c->p_cuEventElapsedTime = dlsym(so, "cuEventElapsedTime");
	c->p_cuDriverGetVersion(&c->version);
	return 0;
}

/*
 * Loads a library of the toolkit, by the loader's paths or else from the toolkit's folder; the
 * version that matches the driver is tried first. NULL: it is not found.
 */
void *
axt_cuda_toolkit(const struct cuda *c, const char *stem)
{
	const char *home = getenv("CUDA_HOME"), *dirs[] = { "", home, "/usr/local/cuda" };
	bool old = c->version && c->version < 13000;
	const char *const versions[] = { old ? ".12" : ".13", old ? ".13" : ".12", "" };
	char path[4096];

	for (int d = 0; d < ARRAY_LEN(dirs); d++)
		for (int v = 0; v < ARRAY_LEN(versions) && dirs[d]; v++) {
			void *so;

			snprintf(path, sizeof(path), "%s%s%s.so%s", dirs[d],
			    *dirs[d] ? "/lib64/" : "", stem, versions[v]);
			so = dlopen(path, RTLD_NOW | RTLD_LOCAL);
			if (so)
				return so;
		}
	return NULL;
}

static int
find_compiler(struct cuda *c, struct axt_err *e)
{
	const char *name = "libnvrtc";
	void *so = axt_cuda_toolkit(c, name);

	if (!so) {
		axt_fail(e, AXT_E_NOSYS, "device cuda: libnvrtc.so.13 or .12 is not here");
		axt_hint(e, "it comes with the CUDA Toolkit; CUDA_HOME tells where that is");
		return -1;
	}
	COMPILER(FIND)
	return 0;
}

/* ---- programs ---- */

/*
 * Makes an error because NVRTC refused a program. Its text has the first line of NVRTC's log; if
 * AXT_DEVICE_LOG is set, the whole log goes to standard error.
 */
static int
refused(const struct cuda *c, nvrtcProgram p, nvrtcResult r, struct axt_err *e)
{
	size_t n = 0;
	char *log = NULL, *line;

	if (c->p_nvrtcGetProgramLogSize(p, &n) == NVRTC_SUCCESS && (log = calloc(1, n + 1)))
		c->p_nvrtcGetProgramLog(p, log);
	if (log && getenv("AXT_DEVICE_LOG"))
		fputs(log, stderr);
	line = log ? strtok(log, "\n") : NULL;
	axt_fail(e, AXT_E_NOSYS, "device cuda: the program does not compile: %s",
	    line ? line : c->p_nvrtcGetErrorString(r));
	free(log);
	return -1;
}

/* Compiles the program to machine code for an architecture. NULL: error. */
static void *
compile(const struct cuda *c, const char *text, int arch, size_t *n, struct axt_err *e)
{
	char sm[64];
	const char *opts[] = { sm, "--std=c++17", "--fmad=false", "-default-device", "-w" };
	nvrtcProgram p = NULL;
	nvrtcResult r = c->p_nvrtcCreateProgram(&p, text, "axt.cu", 0, NULL, NULL);
	void *bin = NULL;

	snprintf(sm, sizeof(sm), "--gpu-architecture=sm_%d", arch);
	if (r == NVRTC_SUCCESS)
		r = c->p_nvrtcCompileProgram(p, ARRAY_LEN(opts), opts);
	if (r != NVRTC_SUCCESS)
		refused(c, p, r, e);
	else if (c->p_nvrtcGetCUBINSize(p, n) == NVRTC_SUCCESS && (bin = malloc(*n + 1)))
		c->p_nvrtcGetCUBIN(p, bin);
	if (p)
		c->p_nvrtcDestroyProgram(&p);
	if (!bin)
		axt_fail(e, AXT_E_MEM, "out of memory");
	return bin;
}

int
axt_cuda_compile(const char *text, int arch, int64_t *bytes, struct axt_err *e)
{
	struct cuda c = { 0 };
	size_t n = 0;
	void *bin = find_compiler(&c, e) ? NULL : compile(&c, text, arch, &n, e);

	*bytes = (int64_t)n;
	free(bin);
	return bin ? 0 : e->code;
}

static void *
load(struct axt_device *d, const char *text, struct axt_err *e)
{
	struct cuda *c = (struct cuda *)d;
	CUmodule m = NULL;
	char *key = NULL;
	int major = 0, minor = 0;
	size_t n = 0;
	void *bin;

	c->p_cuCtxSetCurrent(c->ctx);
	c->p_nvrtcVersion(&major, &minor);
	if (asprintf(&key, "cuda %d.%d sm_%d\n%s", major, minor, c->arch, text) < 0) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	bin = axt_cache_get(key, &n);
	if (!bin || c->p_cuModuleLoadData(&m, bin) != CUDA_SUCCESS) {
		free(bin);
		bin = compile(c, text, c->arch, &n, e);
		if (bin &&
		    axt_cuda_wrong(c, c->p_cuModuleLoadData(&m, bin), "the program does not load",
			e) == 0)
			axt_cache_put(key, bin, n);
	}
	free(bin);
	free(key);
	return m;
}

/* ---- memory, queues ---- */

static int64_t
memory(struct axt_device *d)
{
	struct cuda *c = (struct cuda *)d;
	size_t free = 0, all = 0;

	c->p_cuCtxSetCurrent(c->ctx);
	return c->p_cuMemGetInfo(&free, &all) == CUDA_SUCCESS ? (int64_t)free : 0;
}

static void *
alloc(struct axt_device *d, int64_t bytes)
{
	struct cuda *c = (struct cuda *)d;
	CUdeviceptr p = 0;

	c->p_cuCtxSetCurrent(c->ctx);
	return c->p_cuMemAlloc(&p, (size_t)bytes + 256) == CUDA_SUCCESS ? (void *)p : NULL;
}

static void
release(struct axt_device *d, void *p)
{
	struct cuda *c = (struct cuda *)d;

	c->p_cuCtxSetCurrent(c->ctx);
	if (p)
		c->p_cuMemFree((CUdeviceptr)p);
}

static void *
host_alloc(struct axt_device *d, int64_t bytes)
{
	struct cuda *c = (struct cuda *)d;
	void *p = NULL;

	c->p_cuCtxSetCurrent(c->ctx);
	return c->p_cuMemHostAlloc(&p, (size_t)bytes + 256, 0) == CUDA_SUCCESS ? p : NULL;
}

static void
host_release(struct axt_device *d, void *p)
{
	struct cuda *c = (struct cuda *)d;

	c->p_cuCtxSetCurrent(c->ctx);
	if (p)
		c->p_cuMemFreeHost(p);
}

static struct axt_queue *
queue_new(struct axt_device *d, struct axt_err *e)
{
	struct cuda *c = (struct cuda *)d;
	struct axt_queue *q = calloc(1, sizeof(*q));

	if (!q) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	q->c = c;
	c->p_cuCtxSetCurrent(c->ctx);
	if (axt_cuda_wrong(c, c->p_cuStreamCreate(&q->stream, CU_STREAM_NON_BLOCKING), "no stream",
		e) ||
	    (getenv("AXT_DEVICE_LOG") &&
		(axt_cuda_wrong(c, c->p_cuEventCreate(&q->from, 0), "event", e) ||
		    axt_cuda_wrong(c, c->p_cuEventCreate(&q->to, 0), "event", e)))) {
		free(q);
		return NULL;
	}
	return q;
}

static void
queue_free(struct axt_device *d, struct axt_queue *q)
{
	struct cuda *c = (struct cuda *)d;

	if (!q)
		return;
	c->p_cuCtxSetCurrent(c->ctx);
	c->p_cuStreamSynchronize(q->stream);
	c->p_cuStreamDestroy(q->stream);
	if (q->from)
		c->p_cuEventDestroy(q->from);
	if (q->to)
		c->p_cuEventDestroy(q->to);
	free(q);
}

static int
upload(struct axt_queue *q, void *to, const void *from, int64_t n, struct axt_err *e)
{
	q->c->p_cuCtxSetCurrent(q->c->ctx);
	return axt_cuda_wrong(q->c,
	    q->c->p_cuMemcpyHtoDAsync((CUdeviceptr)to, from, (size_t)n, q->stream), "upload", e);
}

static int
download(struct axt_queue *q, void *to, const void *from, int64_t n, int64_t rows, int64_t step,
    struct axt_err *e)
{
	CUDA_MEMCPY2D c = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
		.dstMemoryType = CU_MEMORYTYPE_HOST,
		.srcPitch = (size_t)step,
		.dstPitch = (size_t)step,
		.WidthInBytes = (size_t)n,
		.Height = (size_t)rows,
		.srcDevice = (CUdeviceptr)from,
		.dstHost = to };
	/* cuMemcpy2D takes distances between rows of 31 bits */
	bool whole = rows == 1 || step == n, far = step > INT32_MAX;
	CUresult r = CUDA_SUCCESS;

	q->c->p_cuCtxSetCurrent(q->c->ctx);
	if (!whole && !far)
		return axt_cuda_wrong(q->c, q->c->p_cuMemcpy2DAsync(&c, q->stream), "download", e);
	for (int64_t i = 0; i < (whole ? 1 : rows) && r == CUDA_SUCCESS; i++)
		r = q->c->p_cuMemcpyDtoHAsync((uint8_t *)to + i * step,
		    (CUdeviceptr)from + i * step, (size_t)(whole ? n * rows : n), q->stream);
	return axt_cuda_wrong(q->c, r, "download", e);
}

void
axt_cuda_clock_from(struct axt_queue *q)
{
	if (q->from)
		q->c->p_cuEventRecord(q->from, q->stream);
}

/* Prints a line with the time since axt_cuda_clock_from was called. */
void
axt_cuda_clock_to(struct axt_queue *q, const char *what)
{
	float ms = 0;

	if (!q->to || !q->c->p_cuEventElapsedTime)
		return;
	q->c->p_cuEventRecord(q->to, q->stream);
	if (q->c->p_cuEventSynchronize(q->to) == CUDA_SUCCESS &&
	    q->c->p_cuEventElapsedTime(&ms, q->from, q->to) == CUDA_SUCCESS)
		fprintf(stderr, "device: %s %.6f s\n", what, (double)ms * 1e-3);
}

static int
launch(struct axt_queue *q, const struct axt_kernels *k, const char *name, int64_t blocks,
    const int64_t *words, struct axt_err *e)
{
	void *params[] = { (void *)words };
	CUfunction f;
	bool again;
	int rc;

	q->c->p_cuCtxSetCurrent(q->c->ctx);
	if (blocks == 0)
		return 0;
	if (blocks > INT32_MAX)
		return axt_fail(e, AXT_E_LIMIT, "device cuda: a tile of %lld blocks",
		    (long long)blocks);
	/* a kernel that is timed runs twice, since its code is loaded during the first run */
	again = q->from && strcmp(name, "axt_merge") != 0;
	rc = axt_cuda_wrong(q->c, q->c->p_cuModuleGetFunction(&f, (CUmodule)k->module, name), name,
	    e);
	for (int i = 0; i <= again && rc == 0; i++) {
		axt_cuda_clock_from(q);
		rc = axt_cuda_wrong(q->c,
		    q->c->p_cuLaunchKernel(f, (unsigned)blocks, 1, 1, AXT_BLOCK_THREADS, 1, 1, 0,
			q->stream, params, NULL),
		    name, e);
	}
	axt_cuda_clock_to(q, name);
	return rc ? -1 : 0;
}

static int
wait_queue(struct axt_queue *q, struct axt_err *e)
{
	q->c->p_cuCtxSetCurrent(q->c->ctx);
	return axt_cuda_wrong(q->c, q->c->p_cuStreamSynchronize(q->stream), "a kernel failed", e);
}

/* ---- the device ---- */

static const struct axt_device_fns fns = { memory, load, alloc, release, host_alloc, host_release,
	queue_new, queue_free, upload, download, launch, axt_cuda_gemm, wait_queue };

static int
open_cuda(struct cuda *c, struct axt_err *e)
{
	int n = 0, major = 0, minor = 0;

	if (find_driver(c, e) || find_compiler(c, e) ||
	    axt_cuda_wrong(c, c->p_cuInit(0), "the driver", e))
		return -1;
	if (c->p_cuDeviceGetCount(&n) != CUDA_SUCCESS || n == 0)
		return axt_fail(e, AXT_E_NOSYS, "device cuda: the driver has no device");
	if (axt_cuda_wrong(c, c->p_cuDeviceGet(&c->dev, 0), "no device", e) ||
	    axt_cuda_wrong(c, c->p_cuDevicePrimaryCtxRetain(&c->ctx, c->dev), "no context", e))
		return -1;
	c->p_cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, c->dev);
	c->p_cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, c->dev);
	c->arch = 10 * major + minor;
	return 0;
}

static struct axt_device *
first_device(struct axt_err *e)
{
	struct cuda *c = calloc(1, sizeof(*c));

	if (!c) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		return NULL;
	}
	c->device.fns = &fns;
	if (open_cuda(c, e) == 0)
		return &c->device;
	free(c);
	return NULL;
}

#else

int
axt_cuda_compile(const char *text, int arch, int64_t *bytes, struct axt_err *e)
{
	(void)text, (void)arch;
	*bytes = 0;
	return axt_fail(e, AXT_E_NOSYS, "device cuda: built without the CUDA Toolkit's headers");
}

static int
driver_there(struct axt_err *e)
{
	return axt_fail(e, AXT_E_NOSYS, "device cuda: built without the CUDA Toolkit's headers");
}

static struct axt_device *
first_device(struct axt_err *e)
{
	driver_there(e);
	return NULL;
}
#endif

/* The compiler that AXT_CUDA_HOST names, which then plays the device; NULL: none. */
static const char *
host_compiler(void)
{
	const char *cc = getenv("AXT_CUDA_HOST");

	return cc && *cc ? cc : NULL;
}

static int
there(struct axt_err *e)
{
	return host_compiler() ? 0 : driver_there(e);
}

static struct axt_device *
open_device(struct axt_err *e)
{
	return host_compiler() ? axt_device_host(host_compiler(), e) : first_device(e);
}

const struct axt_device_driver axt_device_cuda = { there, open_device };
