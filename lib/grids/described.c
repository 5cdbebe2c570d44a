/*
 * described.c - grids that a text describes, as `cdo griddes` prints them: lines KEY = VALUE, of
 * which lists go on over lines; and grids whose coordinates are typed, lat=-89.5:90:1,lon=0:360:1.
 * Either becomes a tensor without values, whose grid is found as that of any other.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "axt_builds.h"
#include "graph/graph.h"
#include "grids/cells.h"

#define LONGEST 256          /* bytes of a word */
#define MOST_SIZE 1000000000 /* cells */

enum kind { NONE, TEXT, SIZE, NUMBER, LIST };

/* What a description may have; what else CDO writes does not make another grid. */
enum key {
	GRIDTYPE,
	XNAME,
	YNAME,
	XDIMNAME,
	YDIMNAME,
	XUNITS,
	YUNITS,
	MAPPING,
	ORDER,
	GRIDSIZE,
	XSIZE,
	YSIZE,
	NVERTEX,
	NUMLPE,
	NSIDE,
	LEVEL,
	XFIRST,
	XINC,
	YFIRST,
	YINC,
	XVALS,
	YVALS,
	XBOUNDS,
	YBOUNDS,
	KEYS
};
static const struct {
	const char *name, *other; /* as CDO has it, too */
	enum kind kind;
} keys[KEYS] = {
	[GRIDTYPE] = { "gridtype", "gridtype", TEXT },
	[XNAME] = { "xname", "xname", TEXT },
	[YNAME] = { "yname", "yname", TEXT },
	[XDIMNAME] = { "xdimname", "xdimname", TEXT },
	[YDIMNAME] = { "ydimname", "ydimname", TEXT },
	[XUNITS] = { "xunits", "xunits", TEXT },
	[YUNITS] = { "yunits", "yunits", TEXT },
	[MAPPING] = { "grid_mapping_name", "grid_mapping_name", TEXT },
	[ORDER] = { "healpix_order", "order", TEXT },
	[GRIDSIZE] = { "gridsize", "gridsize", SIZE },
	[XSIZE] = { "xsize", "xsize", SIZE },
	[YSIZE] = { "ysize", "ysize", SIZE },
	[NVERTEX] = { "nvertex", "nvertex", SIZE },
	[NUMLPE] = { "numLPE", "np", SIZE },
	[NSIDE] = { "healpix_nside", "nside", SIZE },
	[LEVEL] = { "refinement_level", "zoom", SIZE },
	[XFIRST] = { "xfirst", "xfirst", NUMBER },
	[XINC] = { "xinc", "xinc", NUMBER },
	[YFIRST] = { "yfirst", "yfirst", NUMBER },
	[YINC] = { "yinc", "yinc", NUMBER },
	[XVALS] = { "xvals", "xvals", LIST },
	[YVALS] = { "yvals", "yvals", LIST },
	[XBOUNDS] = { "xbounds", "xbounds", LIST },
	[YBOUNDS] = { "ybounds", "ybounds", LIST },
};

struct description {
	struct axt_graph *g;
	const char *path;
	FILE *f;
	int64_t line;
	char word[LONGEST], next[LONGEST]; /* '\0': there is none */
	int64_t at;                        /* the line of next */
	bool many;                         /* next has more bytes than fit */
	/* what was found */
	int64_t where[KEYS]; /* its line; 0: it is not there */
	const char *text[KEYS];
	double number[KEYS];
	int64_t n[KEYS], room[KEYS];
	double *list[KEYS];
};

/* ---- words and lines ---- */

static int
wrong(struct description *d, int64_t line, const char *what)
{
	return axt_fail(&d->g->err, AXT_E_FORMAT, "%s: line %lld: %s", axt_escape(d->g->m, d->path),
	    (long long)line, what);
}

/* Skips blanks and comments. Returns the byte behind them. */
static int
skip(struct description *d)
{
	int c;

	while ((c = getc_unlocked(d->f)) != EOF && (isspace(c) || c == '#')) {
		while (c == '#' && (c = getc_unlocked(d->f)) != EOF && c != '\n')
			c = '#';
		d->line += c == '\n';
	}
	return c;
}

/* Whether a byte is of a word, or of a text in quotes. */
static bool
is_within(int c, bool quoted)
{
	return c != EOF && c != '\n' && (quoted ? c != '"' : !isspace(c) && c != '#' && c != '=');
}

/*
 * Moves on by a word, which is a text in quotes, or "=", or goes up to a blank: the next one is
 * looked at before.
 */
static void
step(struct description *d)
{
	int c = skip(d), n = 0;
	bool quoted = c == '"';

	memcpy(d->word, d->next, sizeof(d->word));
	d->at = d->line;
	if (c == '=')
		d->next[n++] = (char)c;
	for (c = quoted ? getc_unlocked(d->f) : c; is_within(c, quoted); c = getc_unlocked(d->f)) {
		d->many = d->many || n == LONGEST - 1 || c == '\0';
		if (!d->many)
			d->next[n++] = (char)c;
	}
	d->next[n] = '\0';
	if (n > 0 && d->next[0] != '=' && c != EOF && !quoted)
		ungetc(c, d->f);
	if (n == 0 && quoted)
		memcpy(d->next, "?", 2); /* an empty text is one, too */
}

static enum key
find_key(const char *word)
{
	int k = 0;

	while (
	    k < KEYS && strcasecmp(word, keys[k].name) != 0 && strcasecmp(word, keys[k].other) != 0)
		k++;
	return (enum key)k;
}

static int
add_number(struct description *d, enum key k, double v)
{
	if (d->n[k] == d->room[k]) {
		int64_t room = d->room[k] ? 2 * d->room[k] : 64;
		double *more = realloc(d->list[k], (size_t)room * sizeof(*more));

		if (!more)
			return axt_fail(&d->g->err, AXT_E_MEM, "out of memory");
		d->list[k] = more;
		d->room[k] = room;
	}
	d->list[k][d->n[k]++] = v;
	return 0;
}

/* Takes d->word as a value of a key, its i-th one. */
static int
take(struct description *d, enum key k, int64_t i)
{
	struct axt_graph *g = d->g;
	struct axt_num v;
	bool number = axt_parse_num(d->word, &v) && isfinite(v.f);

	if (keys[k].kind == TEXT) {
		d->text[k] = i == 0 ? axt_strdup(g->m, d->word) : d->text[k];
		return d->text[k] ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
	}
	if (!number)
		return wrong(d, d->where[k],
		    axt_sprintf(g->m, "%s has \"%s\", which is no number", keys[k].name,
			axt_escape(g->m, d->word)));
	if (keys[k].kind == LIST)
		return add_number(d, k, v.f);
	if (i > 0)
		return wrong(d, d->where[k],
		    axt_sprintf(g->m, "%s has several numbers", keys[k].name));
	if (keys[k].kind == SIZE && !(v.f >= 0 && v.f <= MOST_SIZE && v.f == floor(v.f)))
		return wrong(d, d->where[k],
		    axt_sprintf(g->m, "%s is %s, and a size is a whole number up to %d",
			keys[k].name, axt_escape(g->m, d->word), MOST_SIZE));
	d->number[k] = v.f;
	return 0;
}

/* Whether what follows is the value "projection". */
static bool
is_projection(struct description *d)
{
	step(d);
	return strcasecmp(d->next, "projection") == 0;
}

static int
read_all(struct description *d)
{
	step(d);
	step(d);
	while (*d->word) {
		enum key k = find_key(d->word);
		int64_t at = d->at;

		if (strcmp(d->next, "=") != 0)
			return wrong(d, d->at, "there is no KEY = VALUE");
		/* CDO has projections behind the latitudes and longitudes of the same grid */
		if (k == GRIDTYPE && d->where[k] && is_projection(d))
			return 0;
		if (k < KEYS && d->where[k])
			return wrong(d, at,
			    axt_sprintf(d->g->m,
				"there is a second %s: a description is of one grid",
				keys[k].name));
		if (k < KEYS)
			d->where[k] = at;
		step(d);
		step(d);
		for (int64_t i = 0; *d->word && strcmp(d->next, "=") != 0; i++) {
			if (d->many)
				return wrong(d, d->at, "there is a word of too many bytes");
			if (k < KEYS && take(d, k, i))
				return d->g->err.code;
			step(d);
		}
	}
	return 0;
}

/* ---- what it means ---- */

static int
lacks(struct description *d, const char *what)
{
	return axt_fail(&d->g->err, AXT_E_FORMAT, "%s: a grid of type %s has no %s",
	    axt_escape(d->g->m, d->path), axt_escape(d->g->m, d->text[GRIDTYPE]), what);
}

/* Fails unless a list has so many numbers. */
static int
has(struct description *d, enum key k, int64_t n)
{
	return d->n[k] == n ? 0
			    : axt_fail(&d->g->err, AXT_E_FORMAT,
				  "%s: line %lld: %s has %lld numbers, and needs %lld",
				  axt_escape(d->g->m, d->path), (long long)d->where[k],
				  keys[k].name, (long long)d->n[k], (long long)n);
}

/*
 * Fails if a latitude is beyond the poles. Steps that are written with few digits may lead beyond
 * them by a small part of one: this is the pole.
 */
static int
check_latitude(struct description *d, double by, double *v)
{
	bool steps = !d->where[YVALS];
	double beyond = fabs(*v) - 90;

	if (beyond > (steps ? 1e-3 * fabs(by * d->number[YINC]) : 1e-9))
		return wrong(d, d->where[steps ? YFIRST : YVALS],
		    axt_sprintf(d->g->m, "latitude %g is beyond the poles", *v));
	*v = fmax(-90, fmin(90, *v));
	return 0;
}

/* The numbers of a list in degrees, kept with the graph. NULL: an error. */
static const double *
keep(struct description *d, enum key k, bool lon)
{
	const char *u = d->text[lon ? XUNITS : YUNITS];
	double by = u && strncasecmp(u, "rad", 3) == 0 ? 180 / M_PI : 1;
	double *v = axt_alloc(d->g->m, (size_t)d->n[k] * sizeof(*v) + 1);

	for (int64_t i = 0; v && i < d->n[k]; i++) {
		v[i] = by * d->list[k][i];
		if (k == YVALS && check_latitude(d, by, &v[i]))
			return NULL;
	}
	if (!v)
		axt_fail(&d->g->err, AXT_E_MEM, "out of memory");
	return v;
}

/* The name of an axis or coordinate, if the text is one that a file can have. */
static const char *
name_of(const struct description *d, enum key k, const char *usual)
{
	const char *s = d->text[k];

	return s && isalpha((unsigned char)*s) &&
		s[strspn(s, "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] ==
		    '\0'
	    ? s
	    : usual;
}

static const struct axt_attr *
attributes(struct axt_graph *g, bool lon, const char *bounds)
{
	const char *const text[][2] = { { "standard_name", lon ? "longitude" : "latitude" },
		{ "units", lon ? "degrees_east" : "degrees_north" }, { "bounds", bounds } };
	const struct axt_attr *l = NULL;

	for (int i = 0; i < (int)ARRAY_LEN(text); i++)
		if (text[i][1])
			l = axt_attr_set(g->m, l,
			    &(struct axt_attr){ .name = text[i][0],
				.kind = AXT_ATTR_TEXT,
				.text = text[i][1] });
	return l;
}

/* A tensor over these axes, of which only the coordinates matter. */
static struct axt_expr *
bare(struct axt_graph *g, const char *from, const struct axt_axes *x)
{
	static const double none;
	struct axt_expr *e = axt_memory_leaf(g, AXT_F64, x, &none);

	if (axt_dress(g, &e, NULL))
		e->from = axt_strdup(g->m, from);
	return e;
}

/* Adds numbers over axes to those that belong to the tensor. */
static int
add_aux(struct axt_graph *g, struct axt_expr *e, const struct axt_aux *like)
{
	struct axt_aux *x = axt_alloc(g->m, sizeof(*x));
	struct axt_meta *m = (struct axt_meta *)e->meta;

	if (!x || !like->name)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*x = *like;
	x->next = (struct axt_aux *)m->aux;
	m->aux = x;
	return 0;
}

/* An axis of latitudes or longitudes; bounds: the name of its bounds, or NULL. */
static int
set_axis(struct axt_graph *g, bool lon, const char *name, const double *v, int64_t n,
    const char *bounds, struct axt_axis *out)
{
	struct axt_coord *c = axt_alloc(g->m, sizeof(*c));

	if (!c)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	*c = (struct axt_coord){ .dtype = AXT_F64,
		.n = n,
		.data = v,
		.attrs = attributes(g, lon, bounds) };
	*out = (struct axt_axis){ .name = name, .len = n, .coord = c };
	return 0;
}

/* Fills the list of n latitudes or longitudes that is not there, by a first one and the step. */
static int
fill(struct description *d, bool lon, int64_t n)
{
	enum key vals = lon ? XVALS : YVALS, first = lon ? XFIRST : YFIRST, inc = lon ? XINC : YINC;
	bool steps = d->where[first] && (d->where[inc] || n == 1);
	struct axt_grid gauss;

	if (!steps && (lon || strcasecmp(d->text[GRIDTYPE], "gaussian") != 0 || n % 2))
		return lacks(d,
		    lon ? "longitudes: xvals, or xfirst and xinc"
			: "latitudes: yvals, or yfirst and yinc");
	if (!steps &&
	    axt_grid_word(d->g, axt_sprintf(d->g->m, "F%lld", (long long)n / 2), false, NULL,
		&gauss))
		return d->g->err.code;
	for (int64_t i = 0; i < n && !d->g->err.code; i++)
		add_number(d, vals,
		    steps ? d->number[first] + (double)i * d->number[inc]
			  : axt_place_value(&gauss.lat, i));
	return d->g->err.code;
}

/* The coordinates along x or y; NULL: an error. */
static const double *
along(struct description *d, bool lon, int64_t *n)
{
	enum key vals = lon ? XVALS : YVALS, size = lon ? XSIZE : YSIZE;

	*n = d->where[size] ? (int64_t)d->number[size] : d->n[vals];
	if (!d->where[vals] && fill(d, lon, *n))
		return NULL;
	if (*n < 1 || has(d, vals, *n))
		return *n < 1 ? lacks(d, "cells") : 0, NULL;
	return keep(d, vals, lon);
}

static struct axt_expr *
crossed(struct description *d)
{
	struct axt_graph *g = d->g;
	struct axt_axes x = { .n = 2 };
	struct axt_expr *e;

	for (int k = 0; k < 2; k++) {
		enum key bounds = k ? XBOUNDS : YBOUNDS;
		int64_t n;
		const double *v = along(d, k, &n);
		const char *name = name_of(d, k ? XNAME : YNAME, k ? "lon" : "lat");

		if (!v || (d->where[bounds] && has(d, bounds, 2 * n)) ||
		    set_axis(g, k, name, v, n,
			d->where[bounds] ? axt_sprintf(g->m, "%s_bnds", name) : NULL, &x.a[k]))
			return axt_node_failed(g);
	}
	if (strcmp(x.a[0].name, x.a[1].name) == 0)
		return lacks(d, "two names of coordinates"), axt_node_failed(g);
	e = bare(g, d->path, &x);
	for (int k = 0; k < 2 && !axt_bad(e); k++)
		if (d->where[k ? XBOUNDS : YBOUNDS] &&
		    add_aux(g, e,
			&(struct axt_aux){ .name = axt_sprintf(g->m, "%s_bnds", x.a[k].name),
			    .axes = { .n = 2, .a = { x.a[k], { .name = "bnds", .len = 2 } } },
			    .own = { false, true },
			    .dtype = AXT_F64,
			    .data = keep(d, k ? XBOUNDS : YBOUNDS, k) }))
			return axt_node_failed(g);
	return e;
}

/* Adds a coordinate of n cells over the axes x, with `each` bounds of each, or 0. */
static int
add_place(struct description *d, struct axt_expr *e, bool lon, const struct axt_axes *x, int64_t n,
    int64_t each)
{
	enum key vals = lon ? XVALS : YVALS, bounds = lon ? XBOUNDS : YBOUNDS;
	const char *name = name_of(d, lon ? XNAME : YNAME, lon ? "lon" : "lat");
	struct axt_aux at = { .axes = *x, .dtype = AXT_F64 };

	if (!d->where[vals])
		return lacks(d, lon ? "longitudes: xvals" : "latitudes: yvals");
	if (has(d, vals, n) || (each && has(d, bounds, n * each)))
		return d->g->err.code;
	if (axt_axes_find(x, &(struct axt_axis){ .name = name }) >= 0)
		name = lon ? "longitude" : "latitude";
	at.name = each ? axt_sprintf(d->g->m, "%s_bnds", name) : name;
	at.attrs = attributes(d->g, lon, each ? at.name : NULL);
	at.name = name;
	at.data = keep(d, vals, lon);
	if (!at.data || add_aux(d->g, e, &at) || !each)
		return d->g->err.code;
	at.name = axt_attr_text(at.attrs, "bounds");
	at.axes.a[at.axes.n] = (struct axt_axis){ .name = "vertices", .len = each };
	at.own[at.axes.n++] = true;
	at.attrs = NULL;
	at.data = keep(d, bounds, lon);
	return add_aux(d->g, e, &at);
}

/* Cells over the axes x, n of them. */
static struct axt_expr *
celled(struct description *d, const struct axt_axes *x, int64_t n)
{
	int64_t each = x->n == 2 ? 4 : d->n[XBOUNDS] / n;
	struct axt_expr *e = bare(d->g, d->path, x);

	if (d->where[NVERTEX])
		each = (int64_t)d->number[NVERTEX];
	if (!d->where[XBOUNDS] || !d->where[YBOUNDS])
		each = 0;
	for (int k = 0; k < 2; k++)
		if (axt_bad(e) || add_place(d, e, k, x, n, each))
			return axt_node_failed(d->g);
	return e;
}

static struct axt_expr *
rows(struct description *d)
{
	struct axt_axes x = { .n = 2 };

	for (int k = 0; k < 2; k++) {
		x.a[k] = (struct axt_axis){ .name = name_of(d, k ? XDIMNAME : YDIMNAME,
						k ? "x" : "y"),
			.len = (int64_t)d->number[k ? XSIZE : YSIZE] };
		if (x.a[k].len < 1)
			return lacks(d, k ? "xsize" : "ysize"), axt_node_failed(d->g);
	}
	if (strcmp(x.a[0].name, x.a[1].name) == 0 || x.a[0].len > MOST_SIZE / x.a[1].len)
		return lacks(d, "two axes of sizes that a grid can have"), axt_node_failed(d->g);
	return celled(d, &x, x.a[0].len * x.a[1].len);
}

static struct axt_expr *
numbered(struct description *d)
{
	int64_t n = d->where[GRIDSIZE] ? (int64_t)d->number[GRIDSIZE] : d->n[XVALS];
	struct axt_axes x = { .n = 1, .a = { { .name = name_of(d, XDIMNAME, "cell"), .len = n } } };

	return n > 0 ? celled(d, &x, n) : (lacks(d, "cells"), axt_node_failed(d->g));
}

/* The word for cells of HEALPix; NULL: an error. */
static const char *
healpix(struct description *d)
{
	double side = d->where[NSIDE] ? d->number[NSIDE]
	    : d->where[LEVEL]         ? ldexp(1, (int)fmin(d->number[LEVEL], 16))
				      : 0;
	const char *order = d->text[ORDER] ? d->text[ORDER] : "ring";
	bool nested = strcasecmp(order, "nested") == 0 || strcasecmp(order, "nest") == 0;

	if (!nested && strcasecmp(order, "ring") != 0) {
		wrong(d, d->where[ORDER],
		    axt_sprintf(d->g->m, "%s is \"%s\", and ring and nested are read",
			keys[ORDER].name, axt_escape(d->g->m, order)));
		return NULL;
	}
	if (!(side >= 1))
		return lacks(d, "healpix_nside"), NULL;
	return axt_sprintf(d->g->m, "hp%.0f%s", side, nested ? "_nested" : "");
}

/* Whether the file begins as a description of a grid: with no bytes but text, and a key. */
static bool
is_description(const char *path)
{
	struct description d = { .path = path };
	struct stat st;
	bool is;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(d.f = fopen(path, "re")))
		return false;
	step(&d);
	step(&d);
	is = !d.many && strcmp(d.next, "=") == 0 && find_key(d.word) < KEYS;
	fclose(d.f);
	return is;
}

/* The tensor that has the grid, or in *word what it is called. */
static struct axt_expr *
of_type(struct description *d, const char *type, const char **word)
{
	const char *mapping = d->text[MAPPING];

	if (strcasecmp(type, "healpix") == 0 || (mapping && strcasecmp(mapping, "healpix") == 0))
		return *word = healpix(d), NULL;
	if (strcasecmp(type, "lonlat") == 0 || strcasecmp(type, "gaussian") == 0)
		return crossed(d);
	if (strcasecmp(type, "curvilinear") == 0)
		return rows(d);
	if (strcasecmp(type, "unstructured") == 0)
		return numbered(d);
	wrong(d, d->where[GRIDTYPE],
	    axt_sprintf(d->g->m,
		"the grid's type is %s, and lonlat, gaussian, curvilinear, unstructured and healpix "
		"are read",
		axt_escape(d->g->m, type)));
	return NULL;
}

/*
 * The tensor whose grid it is, or the word that means the grid. Returns 1; 0: the word names no
 * such file; -1: an error.
 */
static int
from_file(struct axt_graph *g, const char *path, struct axt_expr **out, const char **word)
{
	struct description d = { .g = g, .path = path, .line = 1 };
	const char *type;

	*word = NULL;
	if (!is_description(path))
		return 0;
	d.f = fopen(path, "re");
	if (!d.f)
		return axt_fail(&g->err, AXT_E_IO, "%s: %s", axt_escape(g->m, path),
			   strerror(errno)),
		       -1;
	*out = NULL;
	type = read_all(&d) ? NULL : d.text[GRIDTYPE];
	if (type)
		*out = of_type(&d, type, word);
	else if (!g->err.code)
		wrong(&d, d.line, "there was no gridtype");
	fclose(d.f);
	for (int k = 0; k < KEYS; k++)
		free(d.list[k]);
	return g->err.code ? -1 : 1;
}

/* ---- typed coordinates ---- */

/* Where the next lat= or lon= begins within a word, behind a comma, a slash or an underscore. */
static const char *
next_name(const char *s)
{
	for (; *s; s++)
		if (strchr(",/_", *s) && s[1] == 'l' &&
		    (strncmp(s + 1, "lat=", 4) == 0 || strncmp(s + 1, "lon=", 4) == 0))
			return s;
	return s;
}

/* One coordinate of both, spec[k], as an axis. */
static int
typed_axis(struct axt_graph *g, bool lon, const char *spec, const struct axt_interp_opts *o,
    struct axt_axis *out)
{
	static const double zero;
	struct axt_axes one = { .n = 1 };
	struct axt_targets t;
	struct axt_expr *e;

	if (set_axis(g, lon, lon ? "lon" : "lat", &zero, 1, NULL, &one.a[0]))
		return g->err.code;
	e = bare(g, spec, &one);
	if (axt_bad(e) || axt_targets_of(g, e, 0, spec, o, &t))
		return g->err.code;
	/* once around the last longitude is the first one */
	t.n -= lon && t.n > 1 && fabs(fabs(t.to[t.n - 1] - t.to[0]) - 360) < 1e-9;
	for (int64_t i = 0; i < t.n && !lon; i++)
		if (!(fabs(t.to[i]) <= 90))
			return axt_fail(&g->err, AXT_E_ARG, "lat=%s: %g is beyond the poles",
			    axt_escape(g->m, spec), t.to[i]);
	return set_axis(g, lon, lon ? "lon" : "lat", t.to, t.n, NULL, out);
}

/* A word lat=...,lon=... Returns as from_file. */
static int
from_typed(struct axt_graph *g, const char *word, const struct axt_open_opts *open,
    struct axt_expr **out)
{
	struct axt_interp_opts o = { .open = open };
	struct axt_axes x = { .n = 2 };
	const char *spec[2] = { NULL }, *at = word;

	if (strncmp(word, "lat=", 4) != 0 && strncmp(word, "lon=", 4) != 0)
		return 0;
	while (*at) {
		const char *end = next_name(at);
		bool lon = strncmp(at, "lon=", 4) == 0;

		if (spec[lon])
			return axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" has %s twice",
				   axt_escape(g->m, word), lon ? "lon" : "lat"),
			       -1;
		spec[lon] = axt_strndup(g->m, at + 4, (size_t)(end - at - 4));
		at = end + (*end != '\0');
	}
	if (!spec[0] || !spec[1]) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" has no %s", axt_escape(g->m, word),
		    spec[0] ? "lon" : "lat");
		axt_hint(&g->err, "--to lat=-89.5:89.5:1,lon=0:359:1");
		return -1;
	}
	for (int k = 0; k < 2; k++)
		if (typed_axis(g, k, spec[k], &o, &x.a[k]))
			return -1;
	*out = bare(g, word, &x);
	return axt_bad(*out) ? -1 : 1;
}

int
axt_grid_described(struct axt_graph *g, const char *word, const struct axt_open_opts *open,
    struct axt_expr **out, const char **other)
{
	int is = from_typed(g, word, open, out);

	*other = NULL;
	return is ? is : from_file(g, word, out, other);
}
