/*
 * reduce.c - writes the kernels of reductions. axt_reduce computes a state for each split of the
 * elements that are reduced to one, and axt_merge merges these states in order. Splits depend only
 * on the shape of the tile, so that results do not vary.
 */
#include "device/text.h"
#include "plan/steps.h"

/* The number of states for an element of the result. Real and imaginary parts have one each. */
static int
states(const struct axt_step *s)
{
	return s->nouts * s->red.parts;
}

/* The name in words.in of the reduction of output k. Returns false if devices do not have it. */
static bool
core(const struct axt_step *s, int k, char *out, size_t size)
{
	static const struct {
		const char *name, *weighted;
		bool skips;
	} row[AXT_NREDS] = {
		[AXT_RED_SUM] = { "sum", "sum_times", true },
		[AXT_RED_PROD] = { "prod", NULL, true },
		[AXT_RED_MEAN] = { "sum", "sum_mean", true },
		[AXT_RED_VAR] = { "var", "var_times", true },
		[AXT_RED_STD] = { "var", "var_times", true },
		[AXT_RED_RMS] = { "sumsq", "sumsq_mean", true },
		[AXT_RED_MIN] = { "min", NULL, true },
		[AXT_RED_MAX] = { "max", NULL, true },
		[AXT_RED_PTP] = { "ptp", NULL, true },
		[AXT_RED_ARGMIN] = { "argmin", NULL, true },
		[AXT_RED_ARGMAX] = { "argmax", NULL, true },
		[AXT_RED_ANY] = { "any", NULL, true },
		[AXT_RED_ALL] = { "all", NULL, false },
		[AXT_RED_COUNT] = { "count", NULL, false },
		[AXT_RED_NORM1] = { "norm1", NULL, true },
		[AXT_RED_NORM2] = { "sumsq", NULL, true },
		[AXT_RED_SUMSQ] = { "sumsq", NULL, true },
		[AXT_RED_LOGSUMEXP] = { "logsumexp", NULL, true },
	};
	const struct axt_expr *e = s->out[k].node;
	bool skip = e->u.red.skip && axt_dtypes[s->out[k].fns->in].cls == AXT_CLASS_FLOAT;
	const char *name = s->prog.weight >= 0 ? row[e->u.red.op].weighted : row[e->u.red.op].name;

	snprintf(out, size, "%s%s", name ? name : "",
	    skip && row[e->u.red.op].skips ? "_skip" : "");
	return name != NULL;
}

static void
write_loads(struct axt_writer *w)
{
	for (int k = 0; k < w->p->s->prog.noperands; k++)
		if (w->p->as[k] == AXT_AS_TILE)
			axt_buf_addf(&w->body, "#define LOAD%d x%d[i]\n", k, k);
}

/* Writes the code that adds one element to the states of all outputs. */
static void
write_puts(struct axt_writer *w, const char *indent, const char *position)
{
	const struct axt_step *s = w->p->s;
	char name[64];

	for (int m = 0; m < states(s) && core(s, m / s->red.parts, name, sizeof(name)); m++) {
		const struct axt_output *o = &s->out[m / s->red.parts];

		axt_buf_addf(&w->body, "%sput_%s_%s(&s%d, r%d%s, ", indent, name,
		    axt_dtype_id(o->fns->in), m, o->root,
		    s->red.parts == 1      ? ""
			: m % s->red.parts ? ".im"
					   : ".re");
		if (s->prog.weight >= 0)
			axt_buf_addf(&w->body, "r%d", s->prog.weight);
		else
			axt_buf_adds(&w->body, "1");
		axt_buf_addf(&w->body, ", %s);\n", position);
	}
}

static void
write_states(struct axt_writer *w, const char *indent)
{
	const struct axt_step *s = w->p->s;
	char name[64];

	for (int m = 0; m < states(s) && core(s, m / s->red.parts, name, sizeof(name)); m++) {
		const char *t = axt_dtype_id(s->out[m / s->red.parts].fns->in);

		axt_buf_addf(&w->body, "%sstate_%s s%d;\n", indent, t, m);
		axt_buf_addf(&w->body, "%sbegin_%s_%s(&s%d);\n", indent, name, t, m);
	}
}

/*
 * Writes code that stores the planes of variable `letter` for state m, or with `load` loads them.
 * Planes are n numbers apart. The parts of an output (real and imaginary) follow each other.
 */
static void
write_planes(struct axt_writer *w, const char *indent, int m, const char *letter, const int at[],
    const char *n, const char *element, bool load)
{
	const struct axt_step *s = w->p->s;
	int k = m / s->red.parts, planes = s->out[k].fns->planes;

	for (int q = 0; q < planes; q++) {
		int plane = m % s->red.parts * planes + q;

		if (load)
			axt_buf_addf(&w->body,
			    "%s%s%d.i[%d] = ((int64_t *)W(%d))[%d * (%s) + %s];\n", indent, letter,
			    m, q, at[k], plane, n, element);
		else
			axt_buf_addf(&w->body,
			    "%s((int64_t *)W(%d))[%d * (%s) + %s] = %s%d.i[%d];\n", indent, at[k],
			    plane, n, element, letter, m, q);
	}
}

/* The same for shared memory of the block, at element `at` of 256. */
static void
write_shared(struct axt_writer *w, const char *indent, int m, const char *letter, const char *at,
    bool load)
{
	for (int q = 0; q < w->p->s->out[m / w->p->s->red.parts].fns->planes; q++)
		if (load)
			axt_buf_addf(&w->body, "%s%s%d.i[%d] = z%d[%d + %s];\n", indent, letter, m,
			    q, m, q * AXT_BLOCK_THREADS, at);
		else
			axt_buf_addf(&w->body, "%sz%d[%d + %s] = %s%d.i[%d];\n", indent, m,
			    q * AXT_BLOCK_THREADS, at, letter, m, q);
}

static void
write_columns(struct axt_writer *w)
{
	axt_buf_addf(&w->body,
	    "\nKERNEL(axt_reduce)\n{\n"
	    "\tint64_t n = W(%d), rows = W(%d), splits = W(%d), part = W(%d), width = W(%d);\n"
	    "\tint64_t blocks = (n + width - 1) / width;\n",
	    AXT_ARG_N, AXT_ARG_ROWS, AXT_ARG_SPLITS, AXT_ARG_PART, AXT_ARG_WIDTH);
	axt_write_operands(w);
	axt_buf_addf(&w->body,
	    "\n\tEACH_THREAD {\n"
	    "\t\tint64_t c = BLOCK %% blocks * width + t %% width;\n"
	    "\t\tint64_t split = BLOCK / blocks * (%d / width) + t / width;\n"
	    "\t\tint64_t end = (split + 1) * part < rows ? (split + 1) * part : rows;\n"
	    "\t\tint bad = 0;\n\n\t\tif (c < n && split < splits) {\n",
	    AXT_BLOCK_THREADS);
	write_states(w, "\t\t\t");
	axt_buf_adds(&w->body,
	    "\t\t\tfor (int64_t r = split * part; r < end; r++) {\n"
	    "\t\t\t\tint64_t i = r * n + c;\n");
	axt_write_indices(w, "\t\t\t\t", "i");
	axt_write_values(w, "\t\t\t\t");
	axt_buf_addf(&w->body, "\t\t\t\tint64_t at = W(%d) + r;\n", AXT_ARG_INDEX);
	write_puts(w, "\t\t\t\t", "at");
	axt_buf_adds(&w->body, "\t\t\t}\n");
	for (int m = 0; m < states(w->p->s); m++)
		write_planes(w, "\t\t\t", m, "s", w->p->out, "splits * n", "split * n + c", false);
	axt_buf_addf(&w->body, "\t\t}\n\t\tif (bad)\n\t\t\trefuse(W(%d));\n\t}\n}\n", AXT_ARG_BAD);
}

static void
declare_shared(struct axt_writer *w)
{
	const struct axt_step *s = w->p->s;

	for (int m = 0; m < states(s); m++)
		axt_buf_addf(&w->body, "\tSHARED int64_t z%d[%d];\n", m,
		    s->out[m / s->red.parts].fns->planes * AXT_BLOCK_THREADS);
}

/*
 * Writes code that merges the states of each `width` neighbouring threads, in shared memory, into
 * the state of the first of them.
 */
static void
write_tree(struct axt_writer *w)
{
	const struct axt_step *s = w->p->s;
	char name[64];

	axt_buf_adds(&w->body,
	    "\tfor (int h = (int)width / 2; h; h /= 2) {\n\t\tSYNC\n"
	    "\t\tEACH_THREAD {\n\t\t\tif (t % (int)width < h) {\n");
	for (int m = 0; m < states(s) && core(s, m / s->red.parts, name, sizeof(name)); m++) {
		const char *t = axt_dtype_id(s->out[m / s->red.parts].fns->in);

		axt_buf_addf(&w->body, "\t\t\t\tstate_%s s%d, b%d;\n", t, m, m);
		write_shared(w, "\t\t\t\t", m, "s", "t", true);
		write_shared(w, "\t\t\t\t", m, "b", "t + h", true);
		axt_buf_addf(&w->body, "\t\t\t\tjoin_%s_%s(&s%d, &b%d);\n", name, t, m, m);
		write_shared(w, "\t\t\t\t", m, "s", "t", false);
	}
	axt_buf_adds(&w->body, "\t\t\t}\n\t\t}\n\t}\n\tSYNC\n");
}

static void
write_runs(struct axt_writer *w)
{
	const struct axt_step *s = w->p->s;

	axt_buf_addf(&w->body,
	    "\nKERNEL(axt_reduce)\n{\n"
	    "\tint64_t n = W(%d), rows = W(%d), splits = W(%d), part = W(%d), width = W(%d);\n"
	    "\tint64_t each = %d / width, blocks = (n + each - 1) / each;\n",
	    AXT_ARG_N, AXT_ARG_ROWS, AXT_ARG_SPLITS, AXT_ARG_PART, AXT_ARG_WIDTH,
	    AXT_BLOCK_THREADS);
	axt_write_operands(w);
	declare_shared(w);
	axt_buf_adds(&w->body,
	    "\n\tEACH_THREAD {\n"
	    "\t\tint64_t k = BLOCK % blocks * each + t / width;\n"
	    "\t\tint64_t from = BLOCK / blocks * part;\n"
	    "\t\tint64_t end = k < n ? from + part < rows ? from + part : rows : 0;\n"
	    "\t\tint bad = 0;\n\n");
	write_states(w, "\t\t");
	axt_buf_adds(&w->body,
	    "\t\tfor (int64_t j = from + t % width; j < end; j += width) {\n"
	    "\t\t\tint64_t i = k * rows + j;\n");
	axt_write_indices(w, "\t\t\t", "i");
	axt_write_values(w, "\t\t\t");
	axt_buf_addf(&w->body, "\t\t\tint64_t at = W(%d) + j / W(%d) * W(%d) + j %% W(%d);\n",
	    AXT_ARG_INDEX, AXT_ARG_RUN, AXT_ARG_LIN, AXT_ARG_RUN);
	write_puts(w, "\t\t\t", "at");
	axt_buf_adds(&w->body, "\t\t}\n");
	for (int m = 0; m < states(s); m++)
		write_shared(w, "\t\t", m, "s", "t", false);
	axt_buf_addf(&w->body, "\t\tif (bad)\n\t\t\trefuse(W(%d));\n\t}\n", AXT_ARG_BAD);
	write_tree(w);
	axt_buf_adds(&w->body,
	    "\tEACH_THREAD {\n"
	    "\t\tint64_t k = BLOCK % blocks * each + t / width, split = BLOCK / blocks;\n\n"
	    "\t\tif (t % width == 0 && k < n) {\n");
	for (int m = 0; m < states(s); m++) {
		axt_buf_addf(&w->body, "\t\t\tstate_%s s%d;\n",
		    axt_dtype_id(s->out[m / s->red.parts].fns->in), m);
		write_shared(w, "\t\t\t", m, "s", "t", true);
		write_planes(w, "\t\t\t", m, "s", w->p->out, "splits * n", "split * n + k", false);
	}
	axt_buf_adds(&w->body, "\t\t}\n\t}\n}\n");
}

/* Writes code in which `width` threads merge the splits of an element. */
static void
write_merge(struct axt_writer *w)
{
	const struct axt_step *s = w->p->s;
	char name[64];

	axt_buf_addf(&w->body,
	    "\nKERNEL(axt_merge)\n{\n"
	    "\tint64_t n = W(%d), splits = W(%d), width = W(%d), each = %d / width;\n",
	    AXT_ARG_N, AXT_ARG_SPLITS, AXT_ARG_WIDTH, AXT_BLOCK_THREADS);
	declare_shared(w);
	axt_buf_adds(&w->body, "\n\tEACH_THREAD {\n\t\tint64_t k = BLOCK * each + t / width;\n\n");
	write_states(w, "\t\t");
	axt_buf_adds(&w->body,
	    "\t\tfor (int64_t i = t % width; k < n && i < splits; i += width) {\n");
	for (int m = 0; m < states(s) && core(s, m / s->red.parts, name, sizeof(name)); m++) {
		const char *t = axt_dtype_id(s->out[m / s->red.parts].fns->in);

		axt_buf_addf(&w->body, "\t\t\tstate_%s b%d;\n", t, m);
		write_planes(w, "\t\t\t", m, "b", w->p->out, "splits * n", "i * n + k", true);
		axt_buf_addf(&w->body, "\t\t\tjoin_%s_%s(&s%d, &b%d);\n", name, t, m, m);
	}
	axt_buf_adds(&w->body, "\t\t}\n");
	for (int m = 0; m < states(s); m++)
		write_shared(w, "\t\t", m, "s", "t", false);
	axt_buf_adds(&w->body, "\t}\n");
	write_tree(w);
	axt_buf_adds(&w->body,
	    "\tEACH_THREAD {\n\t\tint64_t k = BLOCK * each + t / width;\n\n"
	    "\t\tif (t % width == 0 && k < n) {\n");
	write_states(w, "\t\t\t");
	axt_buf_addf(&w->body, "\t\t\tif (!W(%d)) {\n", AXT_ARG_FIRST);
	for (int m = 0; m < states(s); m++)
		write_planes(w, "\t\t\t\t", m, "s", w->p->acc, "n", "k", true);
	axt_buf_adds(&w->body, "\t\t\t}\n");
	for (int m = 0; m < states(s) && core(s, m / s->red.parts, name, sizeof(name)); m++) {
		const char *t = axt_dtype_id(s->out[m / s->red.parts].fns->in);

		axt_buf_addf(&w->body, "\t\t\tstate_%s b%d;\n", t, m);
		write_shared(w, "\t\t\t", m, "b", "t", true);
		axt_buf_addf(&w->body, "\t\t\tjoin_%s_%s(&s%d, &b%d);\n", name, t, m, m);
		write_planes(w, "\t\t\t", m, "s", w->p->acc, "n", "k", false);
	}
	axt_buf_adds(&w->body, "\t\t}\n\t}\n}\n");
}

void
axt_write_reduce(struct axt_writer *w)
{
	const struct axt_step *s = w->p->s;
	char name[64], word[80], part[96];

	for (int k = 0; k < s->nouts; k++) {
		const char *t = axt_dtype_id(s->out[k].fns->in);

		if (!core(s, k, name, sizeof(name))) {
			axt_fail(&w->g->err, AXT_E_NOSYS, "devices have no such reduction");
			return;
		}
		axt_write_word(w, t, "base");
		if (strncmp(name, "ptp", 3) == 0)
			for (int m = 0; m < 2; m++) {
				snprintf(part, sizeof(part), "red %s_%s", name, m ? "max" : "min");
				axt_write_word(w, t, part);
			}
		snprintf(word, sizeof(word), "red %s", name);
		axt_write_word(w, t, word);
	}
	write_loads(w);
	if (axt_step_fns(s)->columns)
		write_columns(w);
	else
		write_runs(w);
	write_merge(w);
}
