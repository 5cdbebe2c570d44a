/* astype.c - numbers that are stored in another dtype, by codecs astype and quantize of Zarr. */
#include "filters/numbers.h"

static const char *
decode(void *state, const struct axt_filter_use *u, struct axt_filter_io *io)
{
	const struct axt_renumber *r = u->own;

	(void)state;
	return axt_renumber_decode(u, io, r->stored, NULL, NULL);
}

const struct axt_filter_fns axt_filter_astype = {
	.most = axt_renumber_most,
	.fits = axt_renumber_fits,
	.decode = decode,
};
