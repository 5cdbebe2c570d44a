/* base64.c - bytes as text: values of references, and fill values. */
#include "zarr/store.h"

static int
digit(char c)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *d = c ? strchr(digits, c) : NULL;

	return d ? (int)(d - digits) : -1;
}

const uint8_t *
axt_zarr_base64(struct axt_arena *m, const char *s, size_t n, uint64_t *size)
{
	uint8_t *out = axt_alloc(m, n / 4 * 3 + 4), *to = out;
	uint32_t bits = 0;
	int have = 0;

	while (n > 0 && s[n - 1] == '=')
		n--;
	for (size_t i = 0; out && i < n; i++) {
		int d = digit(s[i]);

		if (d < 0)
			return NULL;
		bits = bits << 6 | (uint32_t)d;
		have += 6;
		if (have >= 8) {
			have -= 8;
			*to++ = (uint8_t)(bits >> have);
		}
	}
	*size = (uint64_t)(to - out);
	return out;
}
