/* to.c - results to files that are no HDF5. */
#include "formats/formats.h"
#include "graph/graph.h"

static int
format_of(struct axt_graph *g, const char *file, enum axt_format *format)
{
	if (*format == AXT_FORMAT_AUTO)
		*format = axt_format_of(file ? file : "-", true);
	if (*format != AXT_FORMAT_AUTO)
		return 0;
	axt_fail(&g->err, AXT_E_SYNTAX, "%s: the name tells no format",
	    file ? axt_escape(g->m, file) : "standard output");
	axt_hint(&g->err, "--format npy, csv, raw, pnm or safetensors");
	return g->err.code;
}

enum axt_code
axt_to(struct axt_graph *g, struct axt_expr *const e[], int n, const char *file,
    const struct axt_to_opts *o)
{
	static const struct axt_to_opts plain;
	struct axt_fout_opts fo = { .target = file };
	struct axt_out_var *v;
	struct axt_fout *out;
	struct axt_sink **sink = axt_alloc(g->m, (size_t)n * sizeof *sink);
	struct axt_plan *p;

	o = o ? o : &plain;
	fo.format = o->format;
	fo.no_clobber = o->no_clobber;
	fo.big_endian = o->big_endian;
	fo.matrix = o->matrix;
	fo.talk = axt_graph_talk(g);
	if (!sink)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	/* what can be refused is refused before an output exists */
	if (g->err.code || format_of(g, file, &fo.format) || axt_out_vars(g, e, n, &v) ||
	    axt_make_plan(g, e, n, AXT_DRAFT, &p) || axt_fout_open(g->m, v, n, &fo, &out, &g->err))
		return g->err.code;
	for (int i = 0; i < n; i++)
		sink[i] = axt_filled(g, e[i], axt_fout_sink(out, i));
	if (!g->err.code && axt_run(g, e, n, sink) == 0)
		axt_files_check(g);
	axt_fout_close(out, g->err.code == 0, &g->err);
	return g->err.code;
}
