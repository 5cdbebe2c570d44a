/* picture.c - a figure as a picture of pixels or of lines, drawn by cairo. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>

#include "plot/cairo.h"

/* Coast lines are drawn this often side by side, and that many degrees from Greenwich, at most. */
#define TURNS_MOST 8
#define TURN_FARTHEST 1e6

enum { LEFT = 0, RIGHT = 2 }; /* halves of a text's width that lie left of its place */
#define MIDDLE 1

struct box {
	double x, y, w, h;
};
struct picture {
	const struct axt_cairo *c;
	void *surface, *cr;
	struct axt_fig *f;
	double w, h;
	double font; /* height of letters; all distances are multiples of it */
	int columns, rows;
	bool vector;
	bool bare;            /* a pixel for each cell, however wide that is */
	struct box first;     /* of the first panel */
	double right, bottom; /* from one panel to the next */
	double yticks;        /* width of the texts along y */
	struct box bar;       /* of colours; w 0: there is none */
};

static void
color(const struct picture *p, uint32_t rgb)
{
	p->c->set_source_rgb(p->cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0,
	    (rgb & 255) / 255.0);
}

/* ---- texts ---- */

static double
width(const struct picture *p, const char *s, double size)
{
	struct axt_text_extents e;

	p->c->set_font_size(p->cr, size);
	p->c->text_extents(p->cr, s, &e);
	return e.x_advance;
}

/* Draws s on the line y, cut to `most`; half: LEFT, MIDDLE or RIGHT of x. */
static void
text(const struct picture *p, double x, double y, const char *s, double size, int half, double most)
{
	char cut[400];
	size_t n = strlen(s), room = sizeof(cut) - sizeof("\u2026");

	if (n == 0)
		return;
	snprintf(cut, sizeof(cut), "%s", s);
	while (n > 0 && (n > room || width(p, cut, size) > most)) {
		n = MIN(n, room + 1);
		do
			n--;
		while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80);
		memcpy(cut + n, "\u2026", sizeof("\u2026"));
	}
	p->c->set_font_size(p->cr, size);
	p->c->move_to(p->cr, x - half * width(p, cut, size) / 2, y);
	p->c->show_text(p->cr, cut);
	p->c->new_path(p->cr);
}

/* The same from below upward, with its middle at y. */
static void
text_up(const struct picture *p, double x, double y, const char *s, double size, double most)
{
	p->c->save(p->cr);
	p->c->translate(p->cr, x, y);
	p->c->rotate(p->cr, -acos(0));
	text(p, 0, 0, s, size, MIDDLE, most);
	p->c->restore(p->cr);
}

static double
widest(const struct picture *p, const struct axt_scale *s)
{
	double most = 0;

	for (int i = 0; i < s->n; i++)
		most = fmax(most, width(p, s->text[i], p->font));
	return most;
}

/* ---- layout ---- */

static double
legend_width(const struct picture *p)
{
	double most = 0;

	if (p->f->kind != AXT_FIG_LINES || !p->f->name)
		return 0;
	for (int i = 0; i < p->f->n; i++)
		most = fmax(most, width(p, p->f->name[i], p->font));
	return fmin(most, p->w / 3) + 3 * p->font;
}

/* Fewer ticks across until their texts do not touch each other. */
static void
across_ticks(struct picture *p, double w)
{
	int most = (int)fmax(2, w / (5 * p->font));

	do
		axt_scale_ticks(&p->f->x, most, false);
	while ((widest(p, &p->f->x) + p->font) * (p->f->x.n - 1) > w && --most > 1);
}

/* Sets where everything lies. free: the picture may become smaller than was said. */
static void
lay(struct picture *p, bool free)
{
	struct axt_fig *f = p->f;
	double u = p->font, left, top, under, beside, w, h;
	int panels = axt_fig_panels(f);
	double name = f->kind == AXT_FIG_MAP && f->name ? 1.5 * u : 0;
	double ratio = f->equal ? (f->y.hi - f->y.lo) / (f->x.hi - f->x.lo) : 0, want;

	p->columns = axt_fig_columns(panels);
	p->rows = (panels + p->columns - 1) / p->columns;
	axt_scale_ticks(&f->y, (int)fmax(2, (p->h / p->rows - 6 * u) / (3 * u)), false);
	p->yticks = widest(p, &f->y);
	left = 1.2 * u + (*f->y.title ? 1.6 * u : 0) + p->yticks + 0.6 * u;
	top = 1.0 * u + (*f->title ? 1.8 * u : 0) + (*f->note ? 1.5 * u : 0.4 * u);
	under = 2.2 * u + (*f->x.title ? 1.6 * u : 0);
	beside = 1.5 * u;
	if (f->colors) {
		axt_scale_ticks(&f->c, (int)fmax(2, (p->h - 6 * u) / (3 * u)), false);
		p->bar.w = 1.2 * u;
		beside += 2.4 * u + widest(p, &f->c) + u + (*f->c.title ? 1.6 * u : 0);
	}
	beside += legend_width(p);
	w = (p->w - left - beside - (p->columns - 1) * u) / p->columns;
	h = (p->h - top - under - (p->rows - 1) * u) / p->rows - name;
	w = fmax(w, 2 * u);
	h = fmax(h, 2 * u);
	if (ratio > 0.2 && ratio < 5) {
		want = fmin(w, h / ratio);
		if (free) {
			p->w -= (w - want) * p->columns;
			p->h -= (h - want * ratio) * p->rows;
		}
		w = want;
		h = want * ratio;
	}
	w = floor(w);
	h = floor(h);
	p->w = ceil(p->w);
	p->h = ceil(p->h);
	across_ticks(p, w);
	p->first = (struct box){ floor(left), floor(top + name), w, h };
	p->right = w + floor(u);
	p->bottom = h + floor(u + name);
	p->bar.x = p->first.x + p->columns * p->right + 0.2 * u;
	p->bar.y = p->first.y;
	p->bar.h = (p->rows - 1) * p->bottom + h;
}

static struct box
panel(const struct picture *p, int k)
{
	struct box b = p->first;

	b.x += k % p->columns * p->right;
	b.y += k / p->columns * p->bottom;
	return b;
}

/* ---- axes ---- */

static void
line(const struct picture *p, double x, double y, double to_x, double to_y)
{
	p->c->move_to(p->cr, x, y);
	p->c->line_to(p->cr, to_x, to_y);
	p->c->stroke(p->cr);
}

static void
grid(const struct picture *p, struct box b)
{
	color(p, 0xe4e4e4);
	p->c->set_line_width(p->cr, p->font / 14);
	for (int i = 0; i < p->f->x.n; i++) {
		double x = b.x + axt_scale_at(&p->f->x, p->f->x.tick[i]) * b.w;

		line(p, x, b.y, x, b.y + b.h);
	}
	for (int i = 0; i < p->f->y.n; i++) {
		double y = b.y + b.h - axt_scale_at(&p->f->y, p->f->y.tick[i]) * b.h;

		line(p, b.x, y, b.x + b.w, y);
	}
}

static void
frame(const struct picture *p, struct box b)
{
	color(p, 0x303030);
	p->c->set_line_width(p->cr, 1);
	p->c->rectangle(p->cr, b.x - 0.5, b.y - 0.5, b.w + 1, b.h + 1);
	p->c->stroke(p->cr);
}

static void
axes(const struct picture *p, struct box b, bool lowest, bool leftmost)
{
	const struct axt_scale *sx = &p->f->x, *sy = &p->f->y;
	double u = p->font;

	frame(p, b);
	for (int i = 0; i < sx->n; i++) {
		double x = b.x + axt_scale_at(sx, sx->tick[i]) * b.w;

		line(p, x, b.y + b.h, x, b.y + b.h + 0.35 * u);
		if (lowest)
			text(p, x, b.y + b.h + 1.5 * u, sx->text[i], u, MIDDLE, b.w);
	}
	for (int i = 0; i < sy->n; i++) {
		double y = b.y + b.h - axt_scale_at(sy, sy->tick[i]) * b.h;

		line(p, b.x - 0.35 * u, y, b.x, y);
		if (leftmost)
			text(p, b.x - 0.6 * u, y + 0.36 * u, sy->text[i], u, RIGHT, b.x);
	}
}

/* ---- what is drawn within the axes ---- */

/* The cell that pixel i of n shows, counted from the left or from below; -1: none. */
static int64_t
cell(const struct picture *p, const struct axt_scale *s, const double *edge, int64_t cells, int i,
    int n)
{
	if (p->bare)
		return (edge[cells] < edge[0]) != s->down ? cells - 1 - i : i;
	return axt_cell_at(edge, cells, axt_scale_value(s, (i + 0.5) / n));
}

/* The cells of a panel as an image, whose pixels ask which cell they lie in. */
static int
cells(const struct picture *p, int k, struct box b)
{
	const struct axt_fig *f = p->f;
	int w = (int)b.w * (p->vector ? 2 : 1), h = (int)b.h * (p->vector ? 2 : 1);
	void *image = p->c->image_surface_create(0, w, h);
	unsigned char *data = p->c->image_surface_get_data(image);
	int stride = p->c->image_surface_get_stride(image);
	int64_t *column = malloc((size_t)w * sizeof(*column));

	if (!data || !column) {
		free(column);
		p->c->surface_destroy(image);
		return -1;
	}
	for (int i = 0; i < w; i++)
		column[i] = cell(p, &f->x, f->xe, f->nx, i, w);
	for (int j = 0; j < h; j++) {
		int64_t y = cell(p, &f->y, f->ye, f->ny, h - 1 - j, h);
		uint32_t *row = (uint32_t *)(void *)(data + (size_t)j * (size_t)stride);

		for (int i = 0; i < w && y >= 0; i++)
			if (column[i] >= 0)
				row[i] = 0xff000000 | axt_fig_color(f, k, y, column[i]);
	}
	free(column);
	p->c->surface_mark_dirty(image);
	p->c->save(p->cr);
	p->c->translate(p->cr, b.x, b.y);
	p->c->scale(p->cr, b.w / w, b.h / h);
	p->c->set_source_surface(p->cr, image, 0, 0);
	p->c->pattern_set_filter(p->c->get_source(p->cr), 3); /* nearest */
	p->c->paint(p->cr);
	p->c->restore(p->cr);
	p->c->surface_destroy(image);
	return 0;
}

/*
 * Cuts the line between two points at the edges of a box. Returns 0 if none of it lies within, else
 * 1, plus 2 if the beginning was cut off.
 */
static int
cut(struct box b, double from[2], double to[2])
{
	const double lo[2] = { b.x, b.y }, hi[2] = { b.x + b.w, b.y + b.h };
	const double way[2] = { to[0] - from[0], to[1] - from[1] };
	double first = 0, last = 1;

	for (int k = 0; k < 2; k++) {
		double l = (lo[k] - from[k]) / way[k], h = (hi[k] - from[k]) / way[k];

		if (way[k] != 0) {
			first = fmax(first, fmin(l, h));
			last = fmin(last, fmax(l, h));
		} else if (from[k] < lo[k] || from[k] > hi[k])
			return 0;
	}
	if (first > last)
		return 0;
	for (int k = 0; k < 2; k++) {
		to[k] = last < 1 ? from[k] + last * way[k] : to[k];
		from[k] += first * way[k];
	}
	return first > 0 ? 3 : 1;
}

/*
 * Draws the coast lines, moved east by `turn` degrees. Cairo has only 24 bits for a coordinate in
 * pixels, and where a picture shows a small part of the world, the whole would need more: so lines
 * are cut to the picture before they are drawn.
 */
static void
coast_turned(const struct picture *p, struct box b, double turn)
{
	const struct axt_fig *f = p->f;
	const struct box around = { b.x - p->font, b.y - p->font, b.w + 2 * p->font,
		b.h + 2 * p->font };
	double east, north, before[2] = { 0 };
	bool begun = false, on = false; /* a point is before this one; the path ends there */

	for (int i = 0; axt_coast_point(i, &east, &north); i++) {
		const double here[2] = { b.x + axt_scale_at(&f->x, east + turn) * b.w,
			b.y + b.h - axt_scale_at(&f->y, north) * b.h };
		double from[2] = { before[0], before[1] }, to[2] = { here[0], here[1] };
		int seen = begun && !isnan(east) ? cut(around, from, to) : 0;

		if (seen && (!on || seen & 2))
			p->c->move_to(p->cr, from[0], from[1]);
		if (seen)
			p->c->line_to(p->cr, to[0], to[1]);
		if (isnan(east))
			p->c->stroke(p->cr);
		on = seen && to[0] == here[0] && to[1] == here[1];
		begun = !isnan(east);
		before[0] = here[0];
		before[1] = here[1];
	}
}

/* Coast lines over the cells of a map, as often as the map goes around the world. */
static void
coast(const struct picture *p, struct box b)
{
	double lo = p->f->x.lo, hi = p->f->x.hi, turn = 360 * floor((lo + 180) / 360);

	if (!(hi - lo <= TURNS_MOST * 360.0 && fabs(turn) <= TURN_FARTHEST))
		return;
	p->c->save(p->cr);
	p->c->rectangle(p->cr, b.x, b.y, b.w, b.h);
	p->c->clip(p->cr);
	p->c->new_path(p->cr);
	color(p, 0x303030);
	p->c->set_line_width(p->cr, fmax(p->font / 14, 0.6));
	p->c->set_line_join(p->cr, 1);
	for (; turn - 180 < hi; turn += 360)
		coast_turned(p, b, turn);
	p->c->restore(p->cr);
}

/* A line through the least and greatest values of each place; NaN interrupts it. */
static void
curve(const struct picture *p, const struct axt_line *l, struct box b)
{
	const struct axt_fig *f = p->f;
	double y = 0, x = 0;
	int run = 0;

	for (int64_t i = 0; i <= l->n; i++) {
		double lo = NAN, hi = NAN;

		if (i < l->n && isfinite(l->lo[i]) && isfinite(l->hi[i])) {
			lo = b.y + b.h - axt_scale_at(&f->y, l->lo[i]) * b.h;
			hi = b.y + b.h - axt_scale_at(&f->y, l->hi[i]) * b.h;
		}
		if (!isfinite(lo) || !isfinite(hi)) {
			if (run == 1) { /* a value by itself is a dot */
				p->c->new_path(p->cr);
				p->c->arc(p->cr, x, y, 0.2 * p->font, 0, 4 * acos(0));
				p->c->fill(p->cr);
			}
			p->c->stroke(p->cr);
			run = 0;
			continue;
		}
		x = b.x + axt_scale_at(&f->x, l->x[i]) * b.w;
		if (run > 0 && fabs(hi - y) < fabs(lo - y)) {
			double swap = lo;

			lo = hi;
			hi = swap;
		}
		if (run == 0)
			p->c->move_to(p->cr, x, lo);
		else
			p->c->line_to(p->cr, x, lo);
		if (hi != lo)
			p->c->line_to(p->cr, x, hi);
		run += hi != lo ? 2 : 1;
		y = hi;
	}
}

static void
curves(const struct picture *p, struct box b)
{
	double u = p->font;

	p->c->save(p->cr);
	p->c->rectangle(p->cr, b.x, b.y, b.w, b.h);
	p->c->clip(p->cr);
	p->c->set_line_width(p->cr, u / 9);
	p->c->set_line_join(p->cr, 1);
	for (int i = 0; i < p->f->n; i++) {
		color(p, axt_line_color(i));
		curve(p, &p->f->line[i], b);
	}
	p->c->restore(p->cr);
	for (int i = 0; i < p->f->n && p->f->name; i++) {
		double y = b.y + (1 + 1.6 * i) * u;

		color(p, axt_line_color(i));
		p->c->set_line_width(p->cr, u / 6);
		line(p, b.x + b.w + u, y, b.x + b.w + 2.4 * u, y);
		color(p, 0);
		text(p, b.x + b.w + 2.8 * u, y + 0.36 * u, p->f->name[i], u, LEFT,
		    p->w - b.x - b.w - 3 * u);
	}
}

static void
bars(const struct picture *p, struct box b)
{
	const struct axt_fig *f = p->f;
	double gap = b.w / (double)f->nx > 4 ? 1 : 0;

	color(p, axt_line_color(0));
	for (int64_t i = 0; i < f->nx; i++) {
		double x = b.x + axt_scale_at(&f->x, f->xe[i]) * b.w;
		double to = b.x + axt_scale_at(&f->x, f->xe[i + 1]) * b.w;
		double h = f->y.log && f->v[i] <= 0 ? 0 : axt_scale_at(&f->y, f->v[i]) * b.h;

		h = fmin(h, b.h);
		if (h > 0)
			p->c->rectangle(p->cr, x, b.y + b.h - h, fmax(to - x - gap, 0.5), h);
	}
	p->c->fill(p->cr);
}

static void
color_bar(const struct picture *p)
{
	const struct axt_scale *s = &p->f->c;
	struct box b = p->bar;
	double u = p->font;
	int n = (int)b.h;

	for (int i = 0; i < n; i++) {
		color(p, axt_colors_at(p->f->colors, 1 - (i + 0.5) / n));
		p->c->rectangle(p->cr, b.x, b.y + i, b.w, fmin(1.5, n - i));
		p->c->fill(p->cr);
	}
	frame(p, b);
	for (int i = 0; i < s->n; i++) {
		double y = b.y + b.h - axt_scale_at(s, s->tick[i]) * b.h;

		line(p, b.x + b.w, y, b.x + b.w + 0.35 * u, y);
		text(p, b.x + b.w + 0.6 * u, y + 0.36 * u, s->text[i], u, LEFT, p->w);
	}
	text_up(p, p->w - 0.8 * u, b.y + b.h / 2, s->title, u, b.h);
}

static int
draw(const struct picture *p)
{
	const struct axt_fig *f = p->f;
	double u = p->font, middle = p->first.x + (p->columns * p->right - floor(u)) / 2, y = u;
	int panels = axt_fig_panels(f), bad = 0;
	struct box b = p->first;

	color(p, 0xffffff);
	p->c->paint(p->cr);
	for (int k = 0; k < panels; k++) {
		b = panel(p, k);
		if (axt_fig_has_cells(f))
			bad = cells(p, k, b) || bad;
		else
			grid(p, b);
		if (f->coast)
			coast(p, b);
		if (f->kind == AXT_FIG_LINES)
			curves(p, b);
		else if (f->kind == AXT_FIG_BARS)
			bars(p, b);
		axes(p, b, k + p->columns >= panels, k % p->columns == 0);
		if (f->kind == AXT_FIG_MAP && f->name)
			text(p, b.x + b.w / 2, b.y - 0.4 * u, f->name[k], u, MIDDLE, b.w);
	}
	if (f->colors)
		color_bar(p);
	color(p, 0);
	if (*f->title)
		text(p, middle, y += 1.3 * u, f->title, 1.25 * u, MIDDLE, p->w - 2 * u);
	color(p, 0x505050);
	if (*f->note)
		text(p, middle, y + 1.5 * u, f->note, u, MIDDLE, p->w - 2 * u);
	color(p, 0);
	b = p->first;
	b.h = p->bar.h;
	text(p, middle, b.y + b.h + 3.3 * u, f->x.title, u, MIDDLE, p->w);
	text_up(p, b.x - p->yticks - 1.4 * u, b.y + b.h / 2, f->y.title, u, b.h);
	return bad;
}

/* ---- files ---- */

static int
put(void *closure, const unsigned char *data, unsigned n)
{
	axt_buf_add(closure, data, n);
	return 0;
}

static void
sixel(const struct picture *p, struct axt_buf *out, struct axt_err *e)
{
	int w = (int)p->w, h = (int)p->h, stride;
	uint32_t *rgb = malloc((size_t)w * (size_t)h * sizeof(*rgb));
	const unsigned char *data;

	p->c->surface_flush(p->surface);
	data = p->c->image_surface_get_data(p->surface);
	stride = p->c->image_surface_get_stride(p->surface);
	if (!rgb || !data)
		axt_fail(e, AXT_E_MEM, "out of memory");
	for (int j = 0; rgb && data && j < h; j++)
		memcpy(rgb + (size_t)j * (size_t)w, data + (size_t)j * (size_t)stride,
		    (size_t)w * sizeof(*rgb));
	if (rgb && data)
		axt_sixel(rgb, w, h, out);
	free(rgb);
}

static void
begin(struct picture *p)
{
	p->cr = p->c->create(p->surface);
	p->c->select_font_face(p->cr, "sans-serif", 0, 0);
}

/* The picture without axes: a pixel for each cell. */
static void
bare(struct picture *p)
{
	const struct axt_fig *f = p->f;

	p->first = (struct box){ 0, 0, p->w = (double)f->nx, p->h = (double)f->ny };
	p->columns = p->rows = 1;
	p->bare = true;
}

static void *
surface(const struct picture *p, enum axt_plot_form form, struct axt_buf *out)
{
	void *s;

	if (form == AXT_PLOT_SVG)
		return p->c->svg_surface_create_for_stream(put, out, p->w, p->h);
	if (form != AXT_PLOT_PDF)
		return p->c->image_surface_create(0, (int)p->w, (int)p->h);
	s = p->c->pdf_surface_create_for_stream(put, out, p->w, p->h);
	p->c->pdf_surface_set_metadata(s, 5, "1970-01-01T00:00:00Z"); /* equal runs, equal files */
	return s;
}

int
axt_picture_draw(struct axt_fig *f, const struct axt_plot_opts *o, enum axt_plot_form form,
    struct axt_buf *out, struct axt_err *e)
{
	struct picture p = { .f = f,
		.w = o->width ? o->width : 900,
		.h = o->height ? o->height : 600,
		.vector = form == AXT_PLOT_SVG || form == AXT_PLOT_PDF };
	struct axt_buf png = { 0 };
	const char *why;
	bool bad;

	p.c = axt_cairo(&why);
	if (!p.c)
		return axt_fail(e, AXT_E_NOSYS, "%s, and pictures are drawn with it", why);
	p.font = fmin(fmax(sqrt(p.w * p.h) / 56, 8), 60);
	p.surface = p.c->image_surface_create(0, 1, 1);
	begin(&p);
	if (o->bare)
		bare(&p);
	else
		lay(&p, o->at_most || (!o->width && !o->height));
	p.c->destroy(p.cr);
	p.c->surface_destroy(p.surface);
	p.surface = surface(&p, form, out);
	begin(&p);
	bad = o->bare ? cells(&p, 0, p.first) : draw(&p);
	if (form == AXT_PLOT_SIXEL)
		sixel(&p, out, e);
	else if (!p.vector)
		p.c->surface_write_to_png_stream(p.surface, put,
		    form == AXT_PLOT_KITTY ? &png : out);
	if (form == AXT_PLOT_KITTY)
		axt_kitty(png.p, png.n, out);
	bad = bad || p.c->status(p.cr) || png.bad;
	p.c->destroy(p.cr);
	p.c->surface_finish(p.surface);
	bad = bad || p.c->surface_status(p.surface);
	p.c->surface_destroy(p.surface);
	axt_buf_release(&png);
	if (bad || out->bad)
		axt_fail(e, AXT_E_MEM, "the picture cannot be drawn: out of memory, or too large");
	return e->code;
}
