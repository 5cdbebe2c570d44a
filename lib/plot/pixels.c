/* pixels.c - pictures for terminals that draw them: sixel, and the protocol of kitty. */
#include "plot/plot.h"

#include <stdlib.h>

/* ---- sixel ---- */

#define COLORS 256
#define SLOTS 1024

struct palette {
	uint32_t mask; /* the bits of a colour that count */
	int n;
	uint32_t color[COLORS];
	int16_t slot[SLOTS]; /* the number of a colour, or -1: a table of hashes */
};

/* The number of a colour in the palette, which gets it if it is new; -1: it is full. */
static int
number(struct palette *p, uint32_t rgb)
{
	uint32_t c = rgb & p->mask;
	unsigned at = (c * 2654435761u) >> 22;

	while (p->slot[at] >= 0 && p->color[p->slot[at]] != c)
		at = (at + 1) % SLOTS;
	if (p->slot[at] < 0) {
		if (p->n == COLORS)
			return -1;
		p->color[p->n] = c;
		p->slot[at] = (int16_t)p->n++;
	}
	return p->slot[at];
}

/* Numbers all pixels, with as many bits of each colour as 256 colours allow. */
static void
palette(struct palette *p, const uint32_t *rgb, size_t n, uint8_t *index)
{
	for (int drop = 0; drop < 8; drop++) {
		size_t i;

		p->mask = (0xffu >> drop << drop) * 0x010101u;
		p->n = 0;
		memset(p->slot, 0xff, sizeof(p->slot));
		for (i = 0; i < n; i++) {
			int k = number(p, rgb[i]);

			if (k < 0)
				break;
			index[i] = (uint8_t)k;
		}
		if (i == n)
			return;
	}
}

/* How bright the lowest byte of a colour is: all the bits that count are 100, so white is white. */
static int
percent(const struct palette *p, uint32_t byte)
{
	int most = (int)(p->mask & 255);

	return ((int)(byte & 255) * 100 + most / 2) / most;
}

static void
run(struct axt_buf *out, int bits, int n)
{
	char c = (char)(63 + bits);

	if (n > 3)
		axt_buf_addf(out, "!%d%c", n, c);
	else
		for (; n > 0; n--)
			axt_buf_add(out, &c, 1);
}

/* Six rows of pixels: for each colour in them a row of characters, each with a bit for each row. */
static void
band(const uint8_t *index, int w, int rows, int colors, struct axt_buf *out)
{
	bool used[COLORS] = { false };

	for (int i = 0; i < w * rows; i++)
		used[index[i]] = true;
	for (int k = 0; k < colors; k++) {
		int last = -1, n = 0;

		if (!used[k])
			continue;
		axt_buf_addf(out, "#%d", k);
		for (int x = 0; x < w; x++) {
			int bits = 0;

			for (int y = 0; y < rows; y++)
				bits |= (index[y * w + x] == k) << y;
			if (bits != last && n > 0) {
				run(out, last, n);
				n = 0;
			}
			last = bits;
			n++;
		}
		if (last > 0)
			run(out, last, n);
		axt_buf_adds(out, "$");
	}
	axt_buf_adds(out, "-");
}

void
axt_sixel(const uint32_t *p, int w, int h, struct axt_buf *out)
{
	struct palette *c = malloc(sizeof(*c));
	uint8_t *index = malloc((size_t)w * (size_t)h + 1);

	if (!c || !index) {
		out->bad = true;
	} else {
		palette(c, p, (size_t)w * (size_t)h, index);
		axt_buf_addf(out, "\033Pq\"1;1;%d;%d", w, h);
		for (int k = 0; k < c->n; k++)
			axt_buf_addf(out, "#%d;2;%d;%d;%d", k, percent(c, c->color[k] >> 16),
			    percent(c, c->color[k] >> 8), percent(c, c->color[k]));
		for (int y = 0; y < h; y += 6)
			band(index + (size_t)y * (size_t)w, w, MIN(6, h - y), c->n, out);
		axt_buf_adds(out, "\033\\\n");
	}
	free(index);
	free(c);
}

/* ---- kitty ---- */

void
axt_kitty(const void *png, size_t n, struct axt_buf *out)
{
	static const char digit[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *p = png;
	const size_t piece = 3072; /* 4096 characters */

	for (size_t at = 0; at < n; at += piece) {
		size_t end = MIN(at + piece, n);

		axt_buf_addf(out, "\033_G%sm=%d;", at == 0 ? "a=T,f=100,q=2," : "", end < n);
		for (size_t i = at; i < end; i += 3) {
			uint32_t v = (uint32_t)p[i] << 16 | (i + 1 < end ? p[i + 1] << 8 : 0) |
			    (i + 2 < end ? p[i + 2] : 0);
			char s[4] = { digit[v >> 18], digit[v >> 12 & 63],
				i + 1 < end ? digit[v >> 6 & 63] : '=',
				i + 2 < end ? digit[v & 63] : '=' };

			axt_buf_add(out, s, sizeof(s));
		}
		axt_buf_adds(out, "\033\\");
	}
	axt_buf_adds(out, "\n");
}
