/*
 * view_picture.c - the picture of a slice. It is the text that axt-plot writes to a terminal, whose
 * characters and colours are put on the screen.
 */
#include <stdlib.h>
#include <string.h>

#include "view.h"

/* Where the text is put, and in which colours. */
struct pen {
	int y, x, ink, paper;
};

/* Reads a sequence of the form ESC [ N ; N ... m. Returns what follows it. */
static const char *
look(struct pen *p, const char *s)
{
	int v[8] = { 0 }, n = 0;

	for (s += 2; *s && *s != 'm'; s++)
		if (*s == ';')
			n = n < 7 ? n + 1 : n;
		else if (*s >= '0' && *s <= '9' && v[n] < 1000)
			v[n] = 10 * v[n] + *s - '0';
	switch (v[0]) {
	case 0: p->ink = p->paper = VIEW_NONE; break;
	case 38: p->ink = v[2]; break;
	case 39: p->ink = VIEW_NONE; break;
	case 48: p->paper = v[2]; break;
	case 49: p->paper = VIEW_NONE; break;
	default: break;
	}
	return *s ? s + 1 : s;
}

static void
put(const char *s, int lines)
{
	struct pen p = { 0, 0, VIEW_NONE, VIEW_NONE };

	while (*s && p.y < lines) {
		unsigned char b = (unsigned char)*s;
		uint32_t c = b;

		if (b == '\n') {
			p = (struct pen){ p.y + 1, 0, VIEW_NONE, VIEW_NONE };
			s++;
			continue;
		}
		if (b == '\033') {
			s = look(&p, s);
			continue;
		}
		/* the text is UTF-8 as axt-plot wrote it */
		for (s++,
		     c = b < 0xc0   ? b
			 : b < 0xe0 ? b & 0x1f
			 : b < 0xf0 ? b & 15
				    : b & 7;
		     ((unsigned char)*s & 0xc0) == 0x80; s++)
			c = c << 6 | ((unsigned char)*s & 0x3f);
		view_cell(p.y, p.x++, c, p.ink, p.paper);
	}
}

void
view_picture_draw(const struct view_slice *s, int lines)
{
	struct axt_graph *g = view_graph();
	struct axt_expr *e = cmd_open(g, s->operand, false);
	char *specs[AXT_MAX_RANK], *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct axt_plot_opts o = { .out = f,
		.form = view_has_unicode() ? AXT_PLOT_BLOCKS : AXT_PLOT_ASCII,
		.ink = view_has_colors() && view_has_unicode() ? AXT_PLOT_256 : AXT_PLOT_PLAIN,
		.width = view_columns(),
		.height = lines };

	o.nframes = view_slice_specs(s, specs);
	o.frames = (const char *const *)specs;
	if (!f)
		axt_graph_fail(g, AXT_E_MEM, "out of memory");
	else
		axt_plot(g, &e, 1, &o);
	if (f)
		fclose(f);
	if (!view_failed(g) && text)
		put(text, lines);
	free(text);
	view_slice_free_specs(specs, o.nframes);
	axt_graph_free(g);
}
