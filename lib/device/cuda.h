/* cuda.h - shared by cuda.c and cublas.c: functions of NVIDIA's libraries, a device, a queue. */
#ifndef AXT_DEVICE_CUDA_H
#define AXT_DEVICE_CUDA_H

#include "device/device.h"

#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>) && __has_include(<cublas_v2.h>)
#define AXT_HAS_CUDA 1
#include <dlfcn.h>

#include <cuda.h>
#include <nvrtc.h>
#include <cublas_v2.h>

#define NAME_OF_(f) #f
/* expands f first, since cuda.h maps functions to others by macros */
#define NAME_OF(f) NAME_OF_(f)
/* clang-format off */
#define DRIVER(X)                                                                                \
	X(cuInit) X(cuDriverGetVersion) X(cuDeviceGet) X(cuDeviceGetCount) X(cuMemGetInfo)       \
	X(cuDeviceGetAttribute) X(cuDevicePrimaryCtxRetain)                                      \
	X(cuCtxSetCurrent) X(cuModuleLoadData) X(cuModuleGetFunction)          \
	X(cuLaunchKernel) X(cuMemAlloc) X(cuMemFree) X(cuMemHostAlloc) X(cuMemFreeHost)          \
	X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuMemcpy2DAsync)                             \
	X(cuStreamCreate) X(cuStreamDestroy)                                                     \
	X(cuStreamSynchronize) X(cuGetErrorString) X(cuEventCreate) X(cuEventRecord)            \
	X(cuEventSynchronize) X(cuEventDestroy)
#define COMPILER(X)                                                                              \
	X(nvrtcVersion) X(nvrtcCreateProgram) X(nvrtcCompileProgram) X(nvrtcDestroyProgram)      \
	X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog)    \
	X(nvrtcGetErrorString)
#define PRODUCTS(X)                                                                              \
	X(cublasCreate) X(cublasSetStream) X(cublasGemmStridedBatchedEx_64)     \
	X(cublasGetStatusString)
/* clang-format on */
#define FIELD(f) typeof(f) *p_##f;
#define FIND(f)                                      \
	*(void **)&c->p_##f = dlsym(so, NAME_OF(f)); \
	if (!c->p_##f)                               \
		return axt_fail(e, AXT_E_NOSYS, "device cuda: %s has no %s", name, NAME_OF(f));

struct cuda {
	struct axt_device device;
	DRIVER(FIELD)
	COMPILER(FIELD)
	PRODUCTS(FIELD)
	CUresult (*p_cuEventElapsedTime)(float *ms, CUevent from, CUevent to);
	void *products; /* handle of cuBLAS; NULL as long as it is not needed */
	cublasHandle_t blas;
	CUdevice dev;
	CUcontext ctx;
	int arch;    /* the architecture: 90 means sm_90 */
	int version; /* version of the driver: 13000 is CUDA 13 */
};
struct axt_queue {
	struct cuda *c;
	CUstream stream;
	CUevent from, to; /* begin and end of a kernel that is timed (AXT_DEVICE_LOG) */
};

/*
 * In cuda.c. axt_cuda_wrong makes an error of a code that the driver returned. axt_cuda_toolkit
 * loads a library of the toolkit; NULL: it is not found. The clock functions measure how long a
 * kernel takes.
 */
int axt_cuda_wrong(const struct cuda *c, CUresult r, const char *what, struct axt_err *e);
void *axt_cuda_toolkit(const struct cuda *c, const char *stem);
void axt_cuda_clock_from(struct axt_queue *q);
void axt_cuda_clock_to(struct axt_queue *q, const char *what);
/* ---- cublas.c ---- */
int axt_cuda_gemm(struct axt_queue *q, const struct axt_gemm *g, struct axt_err *e);
#else
#define AXT_HAS_CUDA 0
#endif

#endif
