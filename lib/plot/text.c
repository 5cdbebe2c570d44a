/*
 * text.c - a figure as text. Half blocks show two cells of a map in each character, one above the
 * other, and braille eight dots of a line; without these, letters do.
 */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>

#define NONE 0xffffffffu

/* A character of the page, and its colours. */
struct glyph {
	uint32_t c, ink, paper;
};
struct page {
	struct axt_fig *f;
	const struct axt_plot_opts *o;
	bool ascii;
	bool letters;     /* of a map: there are no colours */
	int w, h;         /* columns and lines */
	int x, y, aw, ah; /* where the panel lies */
	struct glyph *g;  /* [h][w] */
	int dx, dy;       /* dots in a character */
};

static struct glyph *
at(const struct page *p, int x, int y)
{
	return &p->g[(size_t)y * (size_t)p->w + (size_t)x];
}

/* Writes text, which is cut at the end of the page; returns its columns. */
static int
put(const struct page *p, int x, int y, const char *s)
{
	int first = x;

	while (*s && y >= 0 && y < p->h) {
		uint32_t c;
		int n = axt_utf8(s, &c);

		if (n <= 0)
			n = 1, c = '?';
		if (x >= 0 && x < p->w)
			at(p, x, y)->c = p->ascii && c > 126 ? '?' : c;
		x++;
		s += n;
	}
	return x - first;
}

int
axt_text_columns(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void
centred(const struct page *p, int middle, int y, const char *s)
{
	put(p, MAX(0, middle - axt_text_columns(s) / 2), y, s);
}

static int
widest(const struct axt_scale *s)
{
	int n = 0;

	for (int i = 0; i < s->n; i++)
		n = MAX(n, axt_text_columns(s->text[i]));
	return n;
}

/* ---- axes ---- */

static void
axes(const struct page *p, bool lowest, bool leftmost)
{
	const struct axt_scale *sx = &p->f->x, *sy = &p->f->y;
	int under = p->y + p->ah, before = p->x - 1, taken = -1, line = -1;

	for (int i = 0; i < p->ah; i++)
		at(p, before, p->y + i)->c = p->ascii ? '|' : 0x2502;
	for (int i = 0; i < p->aw && under < p->h; i++)
		at(p, p->x + i, under)->c = p->ascii ? '-' : 0x2500;
	at(p, before, under)->c = p->ascii ? '+' : 0x2514;
	for (int i = 0; i < sy->n; i++) {
		int y = (int)floor((1 - axt_scale_at(sy, sy->tick[i])) * p->ah);

		y = p->y + MAX(0, MIN(y, p->ah - 1));
		at(p, before, y)->c = p->ascii ? '+' : 0x2524;
		if (leftmost && y != line) /* two ticks of a low panel may share a line */
			put(p, before - 1 - axt_text_columns(sy->text[i]), y, sy->text[i]);
		line = y;
	}
	for (int i = 0; i < sx->n; i++) {
		int x = (int)floor(axt_scale_at(sx, sx->tick[i]) * p->aw), n, from;

		x = p->x + MAX(0, MIN(x, p->aw - 1));
		at(p, x, under)->c = p->ascii ? '+' : 0x252c;
		n = axt_text_columns(sx->text[i]);
		from = MAX(0, MIN(x - n / 2, p->w - n));
		if (lowest && from > taken) {
			put(p, from, under + 1, sx->text[i]);
			taken = from + n;
		}
	}
}

/* ---- maps ---- */

/* Characters for values from least to greatest. Missing ones are blank. */
static const char ramp[] = ".:-=+*#%@";

static uint32_t
letter(const struct axt_fig *f, int k, int64_t y, int64_t x)
{
	double t = axt_fig_shade(f, k, y, x);
	int n = (int)strlen(ramp);

	return isnan(t) ? ' ' : (uint32_t)ramp[MAX(0, MIN((int)(t * n), n - 1))];
}

static void
map(const struct page *p, int k)
{
	const struct axt_fig *f = p->f;

	for (int j = 0; j < p->ah * p->dy; j++) {
		int64_t y = axt_cell_at(f->ye, f->ny,
		    axt_scale_value(&f->y, 1 - (j + 0.5) / (p->ah * p->dy)));

		for (int i = 0; i < p->aw; i++) {
			int64_t x = axt_cell_at(f->xe, f->nx,
			    axt_scale_value(&f->x, (i + 0.5) / p->aw));
			struct glyph *g = at(p, p->x + i, p->y + j / p->dy);

			if (x < 0 || y < 0)
				continue;
			if (p->letters) {
				g->c = letter(f, k, y, x);
				continue;
			}
			g->c = 0x2580; /* upper half */
			if (j % 2 == 0)
				g->ink = axt_fig_color(f, k, y, x);
			else
				g->paper = axt_fig_color(f, k, y, x);
		}
	}
}

/* The values of colours or characters, at the right. */
static void
key(const struct page *p, int x, int y, int h)
{
	const struct axt_scale *s = &p->f->c;
	int n = (int)strlen(ramp), line = -1;

	for (int i = 0; i < h; i++) {
		struct glyph *g = at(p, x, y + i);

		if (p->letters) {
			g->c = (uint32_t)ramp[MAX(0, MIN((h - 1 - i) * n / MAX(1, h), n - 1))];
			g[1].c = g->c;
			continue;
		}
		g->c = g[1].c = 0x2580;
		g->ink = g[1].ink = axt_colors_at(p->f->colors, 1 - (i + 0.25) / h);
		g->paper = g[1].paper = axt_colors_at(p->f->colors, 1 - (i + 0.75) / h);
	}
	for (int i = 0; i < s->n; i++) {
		int at_y = (int)floor((1 - axt_scale_at(s, s->tick[i])) * h);

		at_y = MAX(0, MIN(at_y, h - 1));
		if (at_y != line)
			put(p, x + 3, y + at_y, s->text[i]);
		line = at_y;
	}
}

/* ---- lines ---- */

/* Sets a dot of the panel. In braille, eight dots make one character. */
static void
dot(const struct page *p, int x, int y, int line)
{
	static const uint8_t bit[4][2] = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } };
	static const char mark[] = "*+xo#@%&$~";
	struct glyph *g;

	if (x < 0 || y < 0 || x >= p->aw * p->dx || y >= p->ah * p->dy)
		return;
	g = at(p, p->x + x / p->dx, p->y + y / p->dy);
	if (p->ascii) {
		g->c = (uint32_t)mark[line % 10];
		return;
	}
	g->c = (g->c >= 0x2800 && g->c < 0x2900 ? g->c : 0x2800) | bit[y % 4][x % 2];
	g->ink = axt_line_color(line);
}

static void
stroke(const struct page *p, double x, double y, double to_x, double to_y, int line)
{
	double far = fmax(fabs(to_x - x), fabs(to_y - y));
	int n = (int)fmin(far, 1e5) + 1;

	for (int i = 0; i <= n; i++)
		dot(p, (int)floor(x + (to_x - x) * i / n), (int)floor(y + (to_y - y) * i / n),
		    line);
}

/* A value from 0 to 1 in dots, of which there are n: 1 is the last one. */
static double
in_dots(double f, int n)
{
	return fmin(fmax(f * n, -1), f == 1 ? n - 0.5 : n + 1.0);
}

static void
curve(const struct page *p, const struct axt_line *l, int line)
{
	const struct axt_fig *f = p->f;
	int w = p->aw * p->dx, h = p->ah * p->dy;
	double x = NAN, y = NAN;

	for (int64_t i = 0; i < l->n; i++) {
		double at_x = in_dots(axt_scale_at(&f->x, l->x[i]), w), lo, hi;

		if (!isfinite(l->lo[i]) || !isfinite(l->hi[i]) || (f->y.log && l->lo[i] <= 0)) {
			y = NAN;
			continue;
		}
		lo = in_dots(1 - axt_scale_at(&f->y, l->lo[i]), h);
		hi = in_dots(1 - axt_scale_at(&f->y, l->hi[i]), h);
		if (!isnan(y))
			stroke(p, x, y, at_x, fabs(hi - y) < fabs(lo - y) ? hi : lo, line);
		stroke(p, at_x, lo, at_x, hi, line);
		x = at_x;
		y = !isnan(y) && fabs(hi - y) < fabs(lo - y) ? lo : hi;
	}
}

static void
bars(const struct page *p)
{
	const struct axt_fig *f = p->f;

	for (int i = 0; i < p->aw; i++) {
		double v = 0, h;

		/* several bins may share a column: the tallest shows */
		for (int64_t k =
			 axt_cell_at(f->xe, f->nx, axt_scale_value(&f->x, (double)i / p->aw));
		     k >= 0 && k < f->nx &&
		     (k == 0 || axt_scale_at(&f->x, f->xe[k]) < (i + 1.0) / p->aw);
		     k++)
			v = fmax(v, f->v[k]);
		if (f->y.log && v <= 0)
			continue;
		h = fmin(fmax(axt_scale_at(&f->y, v), 0), 1) * p->ah;
		for (int j = 0; j < p->ah; j++) {
			struct glyph *g = at(p, p->x + i, p->y + p->ah - 1 - j);
			int eighths = (int)fmin(8, floor((h - j) * 8 + 0.5));

			if (p->ascii ? h - j >= 0.5 : eighths > 0) {
				g->c = p->ascii ? '#' : 0x2580 + (uint32_t)eighths;
				g->ink = axt_line_color(0);
			}
		}
	}
}

/* ---- the page ---- */

static void
add_utf8(struct axt_buf *b, uint32_t c)
{
	char s[4];
	int n = 0;

	if (c < 0x80) {
		s[n++] = (char)c;
	} else if (c < 0x800) {
		s[n++] = (char)(0xc0 | c >> 6);
		s[n++] = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		s[n++] = (char)(0xe0 | c >> 12);
		s[n++] = (char)(0x80 | (c >> 6 & 63));
		s[n++] = (char)(0x80 | (c & 63));
	} else {
		s[n++] = (char)(0xf0 | c >> 18);
		s[n++] = (char)(0x80 | (c >> 12 & 63));
		s[n++] = (char)(0x80 | (c >> 6 & 63));
		s[n++] = (char)(0x80 | (c & 63));
	}
	axt_buf_add(b, s, (size_t)n);
}

/* The nearest of the 6 x 6 x 6 colours, or of the greys, that terminals of 256 colours have. */
static int
of_256(uint32_t rgb)
{
	int r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;

	if (abs(r - g) < 8 && abs(g - b) < 8 && r > 8 && r < 238)
		return 232 + (r - 8 + 5) / 10;
#define SIXTH(v) ((v) < 48 ? 0 : (v) < 115 ? 1 : ((v)-35) / 40)
	return 16 + 36 * SIXTH(r) + 6 * SIXTH(g) + SIXTH(b);
#undef SIXTH
}

static void
ink(struct axt_buf *b, enum axt_plot_ink how, int layer, uint32_t rgb)
{
	if (rgb == NONE)
		axt_buf_addf(b, "\033[%dm", layer + 1);
	else if (how == AXT_PLOT_TRUE)
		axt_buf_addf(b, "\033[%d;2;%d;%d;%dm", layer, (int)(rgb >> 16 & 255),
		    (int)(rgb >> 8 & 255), (int)(rgb & 255));
	else
		axt_buf_addf(b, "\033[%d;5;%dm", layer, of_256(rgb));
}

static void
write_page(const struct page *p, struct axt_buf *out)
{
	for (int y = 0; y < p->h; y++) {
		uint32_t now = NONE, paper = NONE;
		int end = p->w;

		while (end > 0 && at(p, end - 1, y)->c == ' ' && at(p, end - 1, y)->paper == NONE)
			end--;
		for (int x = 0; x < end; x++) {
			const struct glyph *g = at(p, x, y);

			if (p->o->ink != AXT_PLOT_PLAIN && g->ink != now && g->c != ' ')
				ink(out, p->o->ink, 38, now = g->ink);
			if (p->o->ink != AXT_PLOT_PLAIN && g->paper != paper)
				ink(out, p->o->ink, 48, paper = g->paper);
			add_utf8(out, g->c);
		}
		if (now != NONE || paper != NONE)
			axt_buf_adds(out, "\033[0m");
		axt_buf_adds(out, "\n");
	}
}

/* Two axes in one unit: characters are twice as high as wide. */
static void
keep_shape(struct page *p, int cols, int rows)
{
	double ratio = (p->f->y.hi - p->f->y.lo) / (p->f->x.hi - p->f->x.lo) / 2;
	double aw = p->aw, ah = p->ah;

	if (!p->f->equal || ratio < 0.1 || ratio > 2.5)
		return;
	if (aw * ratio > ah)
		aw = ah / ratio;
	ah = aw * ratio;
	p->h -= (p->ah - MAX(1, (int)rint(ah))) * rows;
	p->w -= (p->aw - MAX(2, (int)rint(aw))) * cols;
	p->aw = MAX(2, (int)rint(aw));
	p->ah = MAX(1, (int)rint(ah));
}

int
axt_text_draw(struct axt_fig *f, const struct axt_plot_opts *o, struct axt_buf *out,
    struct axt_err *e)
{
	bool is_map = axt_fig_has_cells(f);
	struct page p = { .f = f,
		.o = o,
		.ascii = o->form == AXT_PLOT_ASCII,
		.w = o->width ? o->width : 80,
		.h = o->height ? o->height : 24 };
	int panels = axt_fig_panels(f), cols = axt_fig_columns(panels), key_w = 0;
	int rows = (panels + cols - 1) / cols, name = is_map && f->name ? 1 : 0, top = 0, x0, w;
	int legend = f->kind == AXT_FIG_LINES && f->name ? f->n : 0;

	p.letters = p.ascii || o->ink == AXT_PLOT_PLAIN;
	p.dx = p.ascii ? 1 : is_map ? 1 : 2;
	p.dy = p.ascii || (is_map && p.letters) ? 1 : is_map ? 2 : 4;
	top = (*f->title ? 1 : 0) + (*f->note ? 1 : 0) + (*f->y.title ? 1 : 0);
	w = p.h - top - legend - 1 - rows * (1 + name) - (*f->x.title ? 1 : 0);
	p.ah = MAX(2, w / rows);
	axt_scale_ticks(&f->y, MAX(2, p.ah / 3), p.ascii);
	if (f->colors) {
		axt_scale_ticks(&f->c, MAX(2, p.ah * rows / 3), p.ascii);
		key_w = 4 + widest(&f->c);
	}
	p.x = x0 = widest(&f->y) + 2;
	p.aw = MAX(4, (p.w - p.x - key_w - (cols - 1)) / cols);
	p.h = top + legend + 1 + rows * (1 + name + p.ah) + (*f->x.title ? 1 : 0);
	p.w = MAX(p.w, p.x + key_w + cols * (p.aw + 1) - 1);
	keep_shape(&p, cols, rows);
	axt_scale_ticks(&f->x, MAX(2, p.aw / (f->x.kind == AXT_SCALE_TIMES ? 14 : 10)), p.ascii);
	p.g = malloc((size_t)p.w * (size_t)p.h * sizeof(*p.g));
	if (!p.g)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	for (int i = 0; i < p.w * p.h; i++)
		p.g[i] = (struct glyph){ ' ', NONE, NONE };
	top = 0;
	w = x0 + cols * (p.aw + 1) / 2;
	if (*f->title)
		centred(&p, w, top++, f->title);
	if (*f->note)
		centred(&p, w, top++, f->note);
	if (*f->y.title)
		put(&p, 0, top++, f->y.title);
	if (f->colors)
		put(&p, MIN(x0 + cols * (p.aw + 1), p.w - axt_text_columns(f->c.title)),
		    MAX(0, top - 1), f->c.title);
	for (int k = 0; k < panels; k++) {
		p.x = x0 + k % cols * (p.aw + 1);
		p.y = top + k / cols * (p.ah + 1 + name) + name;
		if (name)
			centred(&p, p.x + p.aw / 2, p.y - 1, f->name[k]);
		if (is_map)
			map(&p, k);
		for (int i = 0; f->kind == AXT_FIG_LINES && i < f->n; i++)
			curve(&p, &f->line[i], i);
		if (f->kind == AXT_FIG_BARS)
			bars(&p);
		axes(&p, k + cols >= panels, k % cols == 0);
	}
	if (f->colors)
		key(&p, x0 + cols * (p.aw + 1), top + name, (p.ah + 1 + name) * (rows - 1) + p.ah);
	top += rows * (p.ah + 1 + name) + 1;
	if (*f->x.title)
		centred(&p, w, top++, f->x.title);
	for (int i = 0; i < legend; i++) {
		struct glyph *g = at(&p, x0, top + i);

		g->c = p.ascii ? (uint32_t) "*+xo#@%&$~"[i % 10] : 0x2501;
		g->ink = axt_line_color(i);
		put(&p, x0 + 2, top + i, f->name[i]);
	}
	write_page(&p, out);
	free(p.g);
	if (out->bad)
		axt_fail(e, AXT_E_MEM, "out of memory");
	return e->code;
}
