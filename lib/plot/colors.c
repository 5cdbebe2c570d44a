/* colors.c - maps of colours, and the colours of lines. */
#include "plot/plot.h"

#include <math.h>

static const struct axt_colors maps[] = {
	{ "viridis", false, 10,
	    { 0x440154, 0x482878, 0x3e4989, 0x31688e, 0x26828e, 0x1f9e89, 0x35b779, 0x6ece58,
		0xb5de2b, 0xfde725 } },
	{ "cividis", false, 10,
	    { 0x00204d, 0x00336f, 0x39486b, 0x575c6d, 0x707173, 0x8a8779, 0xa69d75, 0xc4b56c,
		0xe4cf5b, 0xffea46 } },
	{ "magma", false, 10,
	    { 0x000004, 0x180f3d, 0x440f76, 0x721f81, 0x9e2f7f, 0xcd4071, 0xf1605d, 0xfd9668,
		0xfeca8d, 0xfcfdbf } },
	{ "grey", false, 2, { 0x000000, 0xffffff } },
	{ "RdBu_r", true, 11,
	    { 0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7, 0xfddbc7, 0xf4a582,
		0xd6604d, 0xb2182b, 0x67001f } },
	{ "RdBu", true, 11,
	    { 0x67001f, 0xb2182b, 0xd6604d, 0xf4a582, 0xfddbc7, 0xf7f7f7, 0xd1e5f0, 0x92c5de,
		0x4393c3, 0x2166ac, 0x053061 } },
};

const char *
axt_plot_colors(int i)
{
	return i >= 0 && i < ARRAY_LEN(maps) ? maps[i].name : NULL;
}

const struct axt_colors *
axt_colors_named(const char *name)
{
	for (int i = 0; i < ARRAY_LEN(maps); i++)
		if (strcmp(maps[i].name, strcmp(name, "gray") == 0 ? "grey" : name) == 0)
			return &maps[i];
	return NULL;
}

uint32_t
axt_colors_at(const struct axt_colors *m, double t)
{
	double at = fmin(fmax(t, 0), 1) * (m->n - 1);
	int i = MIN((int)at, m->n - 2);
	uint32_t rgb = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		int a = m->anchor[i] >> shift & 255, b = m->anchor[i + 1] >> shift & 255;

		rgb |= (uint32_t)lrint(a + (b - a) * (at - i)) << shift;
	}
	return rgb;
}

uint32_t
axt_line_color(int i)
{
	static const uint32_t color[] = { 0x1f77b4, 0xd62728, 0x2ca02c, 0xff7f0e, 0x9467bd,
		0x8c564b, 0xe377c2, 0x7f7f7f, 0xbcbd22, 0x17becf };

	return color[i % ARRAY_LEN(color)];
}
