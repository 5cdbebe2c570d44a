/* way.c - the way out: what an output is by its name, and so who writes it. */
#include "formats/formats.h"
#include "out/inner.h"
#include "zarr/write/write.h"

/* What a file is by its name alone, in which a colon is a character like others. */
static struct axt_way
of_file(struct axt_graph *g, const char *file)
{
	struct axt_way w = { .file = file };
	char *store;

	if (file && axt_zarr_target(file)) {
		w.kind = AXT_WAY_ZARR;
		w.file = store = axt_strdup(g->m, file);
		for (size_t n = store ? strlen(store) : 0; n > 1 && store[n - 1] == '/'; n--)
			store[n - 1] = '\0';
	} else if (file && (w.format = axt_format_of(file, true)) != AXT_FORMAT_AUTO) {
		w.kind = AXT_WAY_FORMAT;
	}
	return w;
}

int
axt_way_of(struct axt_graph *g, const char *target, struct axt_way *w)
{
	const char *file, *dset = NULL;

	*w = of_file(g, target);
	if (!target || w->kind == AXT_WAY_ZARR)
		return g->err.code;
	if (axt_target_split(g->m, target, &file, &dset, &g->err))
		return g->err.code;
	if (dset)
		*w = (struct axt_way){ .kind = AXT_WAY_DATASET, .file = file, .dset = dset };
	return 0;
}

const char *
axt_way_writer(const struct axt_way *w)
{
	static const char none[] = "no command of axt";
	static const struct {
		const char *suffix, *writer;
	} others[] = { { "png", "axt-plot" }, { "svg", "axt-plot" }, { "pdf", "axt-plot" },
		{ "txt", "axt-print" }, { "tsv", "axt-print --csv" }, { "tif", none },
		{ "tiff", none }, { "jpg", none }, { "jpeg", none }, { "grb", none },
		{ "grib", none }, { "grib2", none }, { "mat", none }, { "pkl", none },
		{ "parquet", none }, { "xls", none }, { "xlsx", none }, { "json", none },
		{ "pt", none }, { "pth", none }, { "npz", none }, { "zip", none }, { "gz", none },
		{ "bz2", none }, { "xz", none }, { "zst", none }, { "tar", none } };
	const char *dot = strrchr(w->file, '.');

	if (w->kind == AXT_WAY_FORMAT)
		return "axt-to";
	for (int i = 0; dot && i < ARRAY_LEN(others); i++)
		if (strcasecmp(dot + 1, others[i].suffix) == 0)
			return others[i].writer;
	return NULL;
}

/* Whether options ask for what only files of HDF5 have. */
static bool
asks_for_stored(const struct axt_save_opts *o)
{
	return o->expression || o->compress || o->shuffle || o->quantize || o->chunk ||
	    o->unlimited || o->size || o->layout;
}

enum axt_code
axt_save(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o)
{
	static const struct axt_save_opts plain;
	struct axt_way w;

	o = o ? o : &plain;
	if (!g->err.code && axt_way_of(g, o->output, &w))
		return g->err.code;
	if (!g->err.code && w.kind == AXT_WAY_FORMAT && !asks_for_stored(o))
		return axt_save_format(g, e, n, o->output, w.format,
		    &(struct axt_to_opts){ .no_clobber = o->no_clobber,
			.history = o->history,
			.rest_of = o->rest_of });
	return axt_save_stored(g, e, n, o);
}

enum axt_code
axt_to(struct axt_graph *g, struct axt_expr *const e[], int n, const char *file,
    const struct axt_to_opts *o)
{
	static const struct axt_to_opts plain;
	struct axt_way w;

	o = o ? o : &plain;
	w = of_file(g, file);
	if (o->format == AXT_FORMAT_AUTO && w.kind == AXT_WAY_ZARR)
		return axt_save_stored(g, e, n,
		    &(struct axt_save_opts){ .output = file,
			.no_clobber = o->no_clobber,
			.history = o->history,
			.rest_of = o->rest_of });
	return axt_save_format(g, e, n, file, o->format ? o->format : w.format, o);
}
