/* x86.h - the words that v3.h and v4.h share; v3.h says what each word is. */
#ifndef AXT_ISA_X86_H
#define AXT_ISA_X86_H

#include <immintrin.h>

/* The 16 bytes at a and the 16 bytes at b as one vector of 32. */
#define BESIDE(a, b)                                                                        \
	_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)(a))), \
	    _mm_loadu_si128((const void *)(b)), 1)

#define F16_STEP 8
#define LOAD_F16(to, from) \
	_mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128((const void *)(from))))
#define STORE_F16(to, from)            \
	_mm_storeu_si128((void *)(to), \
	    _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT))
#define F32_OF_F16(x) _cvtsh_ss(x)
#define F16_OF_F32(x) _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT)

#endif
