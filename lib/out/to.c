/* to.c - writes results to files of formats other than HDF5. */
#include "base/quote.h"
#include "formats/formats.h"
#include "out/inner.h"

/* Fails since a name tells no format. */
static int
no_format(struct axt_graph *g, const char *file)
{
	const char *kind = file ? strrchr(file, '.') : NULL;

	if (kind && axt_has_word("png jpg jpeg gif tif tiff svg bmp webp pdf eps ps", kind + 1))
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "%s: pictures of that kind are not written, those of .pgm and .ppm are",
		    axt_escape(g->m, file));
	else
		axt_fail(&g->err, AXT_E_SYNTAX, "%s: the name tells no format",
		    file ? axt_escape(g->m, file) : "standard output");
	axt_about(&g->err, AXT_NO_FORMAT, file, NULL);
	axt_format_hint(true, &g->err);
	return g->err.code;
}

struct foreign {
	struct axt_delivery out;
	struct axt_fout_opts o;
	struct axt_fout *to;
};

static int
foreign_open(struct axt_delivery *o)
{
	struct foreign *f = (struct foreign *)o;

	return axt_fout_open(o->g->m, o->v, o->n, &f->o, &f->to, &o->g->err);
}

static struct axt_sink *
foreign_sink(struct axt_delivery *o, int i)
{
	return axt_fout_sink(((struct foreign *)o)->to, i);
}

static void
foreign_close(struct axt_delivery *o, bool ok)
{
	axt_fout_close(((struct foreign *)o)->to, ok, &o->g->err);
}

/* Warns of a calendar in which dates of CSV would be read as others: text has no calendar. */
static void
warn_calendar(struct axt_graph *g, const struct axt_expr *e)
{
	for (int i = 0; i < e->axes.n; i++) {
		const struct axt_coord *c = e->axes.a[i].coord;
		const char *name = c ? axt_attr_text(c->attrs, "calendar") : NULL;

		if (!name || axt_has_word("standard gregorian proleptic_gregorian", name))
			continue;
		axt_warn(g,
		    "the dates along %s are of the calendar %s, which CSV does not tell: when the "
		    "file is read again, axt-coord set %s gives them back",
		    axt_axis_spell(g->m, &e->axes.a[i]), name,
		    axt_typed(g->m, "%s=FILE:%s", e->axes.a[i].name, e->axes.a[i].name));
		return;
	}
}

/* Warns that a format without names of axes loses a transposition, which changes only these. */
static void
warn_transposed(struct axt_graph *g, const struct axt_expr *e)
{
	for (int i = 0; i < e->axes.n; i++)
		if (e->axes.a[i].level != 0) {
			axt_warn(g,
			    "npy has no names of axes, and a transposition changes only "
			    "these: axt-order puts axes into another order");
			return;
		}
}

/*
 * Prepares a file of netCDF classic, which has values as they are stored, also packed ones. A copy
 * of a whole file also gets what else that file has in its root.
 */
static int
whole_classic(struct foreign *f, const struct axt_to_opts *o)
{
	struct axt_delivery *d = &f->out;
	struct axt_graph *g = d->g;
	struct axt_out_known in = { 0 };

	d->e = axt_all_as_stored(g, d->e, d->n);
	if (g->err.code || axt_out_vars(g, d->e, d->n, &d->v))
		return g->err.code;
	if (o->rest_of)
		in.rest = f->o.rest = axt_rest_of(g, o->rest_of, false, d->v, d->n);
	if (g->err.code || axt_out_known(g, d->v, d->e, d->n, &in))
		return g->err.code;
	if (o->rest_of)
		axt_tell_lacks(g, f->o.target ? f->o.target : "-", d, in.rest, AXT_LACKING_CLASSIC);
	return g->err.code;
}

enum axt_code
axt_save_format(struct axt_graph *g, struct axt_expr *const e[], int n, const char *file,
    enum axt_format format, const struct axt_to_opts *o)
{
	static const struct axt_delivery_kind kind = { .open = foreign_open,
		.sink = foreign_sink,
		.close = foreign_close };
	struct foreign f = { .out = { .kind = &kind, .g = g, .e = e, .n = n, .planned = true },
		.o = { .target = file,
		    .format = format,
		    .no_clobber = o->no_clobber,
		    .big_endian = o->big_endian,
		    .matrix = o->matrix,
		    .talk = axt_graph_talk(g) } };

	if (n > 0 && !axt_bad(e[0]))
		f.o.attrs = axt_with_history(g, e[0]->meta ? e[0]->meta->file_attrs : NULL,
		    o->history);
	if (g->err.code || (format == AXT_FORMAT_AUTO && no_format(g, file)))
		return g->err.code;
	for (int i = 0; i < n; i++)
		if (!axt_bad(e[i]) && format == AXT_FORMAT_CSV)
			warn_calendar(g, e[i]);
		else if (!axt_bad(e[i]) && format == AXT_FORMAT_NPY && n == 1)
			warn_transposed(g, e[i]);
	if (format == AXT_FORMAT_NC3 ? whole_classic(&f, o)
				     : o->rest_of && axt_tell_unreadable(g, o->rest_of))
		return g->err.code;
	f.out.ordered = format == AXT_FORMAT_CSV || axt_stream_is(file);
	return axt_deliver(&f.out);
}
