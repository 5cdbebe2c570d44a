/* fft.h - what other rooms need of Fourier transforms, besides their row of gufuncs.def. */
#ifndef AXT_GUFUNC_FFT_H
#define AXT_GUFUNC_FFT_H

#include "gufunc/gufunc.h"

/*
 * The arguments of fft and irfft: n[AXT_FFT_KIND] is one of the kinds, n[AXT_FFT_CENTER] whether
 * the frequencies have 0 in the middle, n[AXT_FFT_LENGTH] the length of the result of an IRFFT,
 * and x[AXT_FFT_SCALE] what the result is multiplied by.
 */
enum { AXT_FFT_KIND, AXT_FFT_CENTER, AXT_FFT_LENGTH };
enum { AXT_FFT_SCALE };
/*
 * R: of real numbers, whose frequencies below 0 are left out, as they have the conjugates of those
 * above. I: inverse. An operand of FFT and RFFT may be real; that of the inverses is complex.
 */
enum axt_fft_kind { AXT_FFT, AXT_IFFT, AXT_RFFT, AXT_IRFFT };

/* Loads FFTW. Returns NULL, or a text that says what is missing. Any thread. */
const char *axt_fft_missing(void);

#endif
