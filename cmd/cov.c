/* cov.c - axt-cov, which is axt-corr without the division by standard deviations. */
#define COVARIANCE
#include "corr.c"

CMD_MAIN(corr)
