/* cublas.c - matrix products by cuBLAS, which is loaded when it is first needed. */
#define _GNU_SOURCE
#include "device/cuda.h"

#if AXT_HAS_CUDA
static int
find_products(struct cuda *c, struct axt_err *e)
{
	const char *name = "libcublas";
	void *so = axt_cuda_toolkit(c, name);

	if (!so)
		return axt_fail(e, AXT_E_NOSYS, "device cuda: libcublas.so.13 or .12 is not here");
	PRODUCTS(FIND)
	c->products = so;
	return 0;
}

static int
blas_wrong(const struct cuda *c, cublasStatus_t r, struct axt_err *e)
{
	return r == CUBLAS_STATUS_SUCCESS
	    ? 0
	    : axt_fail(e, AXT_E_NOSYS, "device cuda: cuBLAS: %s", c->p_cublasGetStatusString(r));
}

static cudaDataType_t
type_of(enum axt_dtype d)
{
	switch (d) {
	case AXT_F16: return CUDA_R_16F;
	case AXT_BF16: return CUDA_R_16BF;
	case AXT_F32: return CUDA_R_32F;
	case AXT_F64: return CUDA_R_64F;
	case AXT_C64: return CUDA_C_32F;
	default: return CUDA_C_64F;
	}
}

/*
 * cuBLAS stores matrices column by column, so for it axt's matrices are transposed ones. Therefore
 * it is given the right matrix as its left one, and the left one as its right.
 */
int
axt_cuda_gemm(struct axt_queue *q, const struct axt_gemm *g, struct axt_err *e)
{
	static const double one[2] = { 1, 0 }, zero[2] = { 0, 0 };
	static const float one32[2] = { 1, 0 }, zero32[2] = { 0, 0 };
	struct cuda *c = q->c;
	bool wide = g->dtype == AXT_F64 || g->dtype == AXT_C128;
	cudaDataType_t t = type_of(g->dtype), in = type_of(g->in);
	int rc;

	pthread_mutex_lock(&c->device.lock);
	c->p_cuCtxSetCurrent(c->ctx);
	rc = (!c->products && find_products(c, e)) ||
		(!c->blas && blas_wrong(c, c->p_cublasCreate(&c->blas), e)) ||
		blas_wrong(c, c->p_cublasSetStream(c->blas, q->stream), e)
	    ? -1
	    : 0;
	axt_cuda_clock_from(q);
	rc = rc ||
		blas_wrong(c,
		    c->p_cublasGemmStridedBatchedEx_64(c->blas, CUBLAS_OP_N, CUBLAS_OP_T, g->n,
			g->m, g->k, wide ? (const void *)one : one32, g->right, in, g->ld_right,
			g->k * g->ld_right, g->left, in, g->ld_left, g->k * g->ld_left,
			wide ? (const void *)zero : zero32, g->out, t, g->ld_out, g->step_out,
			g->batch,
			wide                              ? CUBLAS_COMPUTE_64F
			    : g->tf32 && g->in == AXT_F32 ? CUBLAS_COMPUTE_32F_FAST_TF32
							  : CUBLAS_COMPUTE_32F,
			CUBLAS_GEMM_DEFAULT),
		    e)
	    ? -1
	    : 0;
	axt_cuda_clock_to(q, "gemm");
	pthread_mutex_unlock(&c->device.lock);
	return rc;
}
#endif
