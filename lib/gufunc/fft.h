/* fft.h - what other rooms need of Fourier transforms, besides their row of gufuncs.def. */
#ifndef AXT_GUFUNC_FFT_H
#define AXT_GUFUNC_FFT_H

#include "gufunc/gufunc.h"

/*
 * The indices of the arguments of fft and irfft: n[AXT_FFT_KIND] is of enum axt_fft_kind,
 * n[AXT_FFT_CENTER] tells whether frequency 0 is in the middle, n[AXT_FFT_LENGTH] is the length of
 * the result of an IRFFT, and x[AXT_FFT_SCALE] the factor that results are multiplied by.
 */
enum { AXT_FFT_KIND, AXT_FFT_CENTER, AXT_FFT_LENGTH };
enum { AXT_FFT_SCALE };
/*
 * The kinds of transforms. AXT_RFFT transforms real numbers, and leaves out the frequencies below
 * 0, which have the conjugates of those above. AXT_IFFT and AXT_IRFFT are the inverses, whose
 * operand is complex; the operand of the others may be real.
 */
enum axt_fft_kind { AXT_FFT, AXT_IFFT, AXT_RFFT, AXT_IRFFT };

/* Loads FFTW. Returns NULL, or a text that says what is missing. Any thread. */
const char *axt_fft_missing(void);

#endif
