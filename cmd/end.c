/*
 * end.c - what every command does at its end: applies common options to the results, explains,
 * prints or writes them, and returns the exit status.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

const char *
cmd_history(struct axt_graph *g)
{
	const char *e = getenv("SOURCE_DATE_EPOCH");
	char date[40], *line;
	int64_t s;
	size_t n;
	time_t t;
	struct tm tm;

	(void)g;
	if (cmd_st.o.no_history)
		return NULL;
	if (!e || !axt_parse_int(e, 0, INT64_MAX, &s))
		return cmd_st.history;
	t = (time_t)s;
	if (!gmtime_r(&t, &tm) || strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return cmd_st.history;
	n = strlen(date) + cmd_st.history_len + 3;
	line = malloc(n);
	if (!line)
		cmd_oom();
	snprintf(line, n, "%s: %s", date, cmd_st.history);
	free(cmd_st.history);
	cmd_st.history = line;
	return line;
}

/*
 * The attribute that --attr SPEC sets for y, one of n results. Where SPEC is "RESULT:NAME=TEXT", it
 * is "NAME=TEXT" for the result of that name, and NULL for the others.
 */
static const char *
attr_for(struct axt_expr *y, struct axt_expr *const all[], int n, const char *spec)
{
	size_t len = strcspn(spec, ":=");

	for (int i = 0; n > 1 && spec[len] == ':' && i < n; i++) {
		const char *name = axt_expr_name(all[i]);

		if (name && strlen(name) == len && strncmp(name, spec, len) == 0)
			return y == all[i] ? spec + len + 1 : NULL;
	}
	return spec;
}

/*
 * Applies --attr to y, one of n results. AXIS:NAME=TEXT is not applied to results that lack the
 * axis: lack[i] counts these for the i-th --attr, which is an error once all n lack it.
 */
static struct axt_expr *
with_attrs(struct axt_graph *g, struct axt_expr *y, struct axt_expr *given,
    struct axt_expr *const all[], int n, int *lack)
{
	const struct cmd_list *l = &cmd_st.o.attrs;

	for (int i = 0; i < l->n && !axt_graph_error(g); i++) {
		const char *spec = attr_for(given, all, n, l->v[i]);
		struct axt_expr *z = spec ? axt_set_attr(g, y, spec) : y;

		if (axt_graph_lacks_axis(g) && ++lack[i] < n)
			axt_graph_clear(g);
		else
			y = z;
	}
	return y;
}

/* Applies --dtype, --axes, --name, --attr and --fill, in this order. */
static struct axt_expr *
shape(struct axt_graph *g, struct axt_expr *y, struct axt_expr *const all[], int n, int *lack)
{
	const struct cmd_common *o = &cmd_st.o;
	struct axt_expr *given = y;

	if (o->dtype && !(cmd_st.c->flags & CMD_OWN_DTYPE))
		y = axt_cast_dtype(g, y, o->dtype, AXT_OVERFLOW_ERROR);
	if (o->axes)
		y = axt_broadcast(g, y, o->axes);
	if (o->name)
		y = axt_set_name(g, y, o->name);
	y = with_attrs(g, y, given, all, n, lack);
	if (o->fill)
		y = axt_set_fill(g, y, o->fill);
	return y;
}

static const char *storage_size, *split_axis, *split_pattern;
static char storage_layout;

void
cmd_split(const char *axis, const char *pattern)
{
	split_axis = axis;
	split_pattern = pattern;
}

void
cmd_storage(const char *size, char layout)
{
	storage_size = size;
	storage_layout = layout;
}

static bool
saves_expression(void)
{
	return (cmd_st.c->flags & CMD_EXPRESSION) != 0;
}

static struct axt_save_opts
save_opts(struct axt_graph *g)
{
	const struct cmd_common *o = &cmd_st.o;

	return (struct axt_save_opts){ .output = o->output,
		.history = cmd_history(g),
		.no_clobber = o->no_clobber,
		.force = o->force,
		.compress = o->compress,
		.shuffle = o->shuffle,
		.quantize = o->quantize,
		.chunk = o->chunk,
		.unlimited = o->unlimited,
		.size = storage_size,
		.layout = storage_layout,
		.expression = saves_expression(),
		.rest_of = cmd_results.rest_of };
}

/* tas>280 without quotes: the shell made a file called 280, to which the result goes. */
static void
tell_unquoted(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/fd/1", path, sizeof(path) - 1);
	const char *base;
	char text[400];
	struct stat st; /* terminals have numbers, too: /dev/pts/0 */

	path[n > 0 ? n : 0] = '\0';
	base = strrchr(path, '/');
	if (!base || !axt_is_number(base + 1) || fstat(STDOUT_FILENO, &st) != 0 ||
	    !S_ISREG(st.st_mode))
		return;
	snprintf(text, sizeof(text),
	    "standard output is a file called %.100s; an expression with > or < stands in quotes",
	    base + 1);
	cmd_warn(text);
}

static void
save(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	struct axt_save_opts o = save_opts(g);
	bool to_file = o.output && strcmp(o.output, "-") != 0;
	char *line = cmd_st.o.part ? cmd_typed_line() : NULL;

	tell_unquoted();
	if (split_axis)
		cmd_refuse_copies("its files");
	cmd_progress_begin(g);
	if (to_file && cmd_joins_ranks())
		axt_save_ranks(g, y, n, &o);
	else if (split_axis)
		axt_split(g, y, n, split_axis, split_pattern, &o);
	else if (cmd_st.o.part)
		axt_save_part(g, y, n, &o,
		    &(struct axt_part_opts){ cmd_st.o.part, line, cmd_st.o.into != NULL });
	else
		axt_save(g, y, n, &o);
	cmd_progress_end();
	free(line);
}

static void
explain(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	struct axt_save_opts o = save_opts(g);
	struct axt_launch by;

	if (axt_launched(&by) && by.rank > 0)
		return; /* the first of several processes says it for all */
	if (cmd_st.o.ranks > 0) {
		axt_explain_ranks(g, y, n, &o, (long)cmd_st.o.ranks, stdout);
		return;
	}
	if (cmd_st.o.part) {
		axt_explain_part(g, y, n, &o, &(struct axt_part_opts){ .part = cmd_st.o.part },
		    stdout);
		return;
	}
	if (split_axis && axt_check_split(g, y, n, split_axis, split_pattern, &o))
		return;
	if (axt_explain(g, y, n, stdout) == AXT_OK && saves_expression())
		axt_explain_save(g, y[0], stdout);
	if (!axt_graph_error(g))
		axt_plan_print(g, y, n, stdout);
}

static void
print(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	cmd_progress_beside_text(g);
	if (cmd_results.rest_of)
		axt_tell_unreadable(g, cmd_results.rest_of);
	axt_print(g, y, n,
	    &(struct axt_print_opts){ .out = stdout,
		.terminal = isatty(STDOUT_FILENO) && !cmd_st.o.print,
		.columns = axt_expr_rank(y[0]) <= 1,
		.unpack = !cmd_st.o.raw });
	cmd_progress_end();
}

static bool
is_empty(const struct axt_expr *e)
{
	for (int i = 0; i < axt_expr_rank(e); i++)
		if (axt_expr_len(e, i) == 0)
			return true;
	return false;
}

/* Applies those options to all results. The caller frees the list. */
static struct axt_expr **
shape_all(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	const struct cmd_common *o = &cmd_st.o;
	struct axt_expr **z = calloc((size_t)n, sizeof(struct axt_expr *));
	int *lack = calloc((size_t)o->attrs.n + 1, sizeof(int)), i;

	if (n > 1 && o->name) {
		free(z);
		cmd_usage(NULL, "--name names one result, and there are %d", n);
	}
	if (!z || !lack)
		cmd_oom();
	for (i = 0; i < n; i++)
		z[i] = shape(g, y[i], y, n, lack);
	free(lack);
	for (i = 0; i < n && cmd_trying && !axt_graph_error(g); i++)
		if (is_empty(z[i])) /* nobody means to take nothing */
			cmd_trial_failed(&(struct axt_fact){ .about = AXT_NOTHING });
	if (!axt_graph_error(g) && o->verbose)
		axt_explain(g, z, n, stderr);
	if (!axt_graph_error(g) && o->verbose && saves_expression())
		axt_explain_save(g, z[0], stderr);
	return z;
}

struct cmd_results cmd_results;

void
cmd_reset_end(void)
{
	split_axis = split_pattern = storage_size = NULL;
	storage_layout = 0;
	cmd_results = (struct cmd_results){ 0 };
}

void
cmd_result(struct axt_graph *g, struct axt_expr *y)
{
	struct axt_expr **v = realloc(cmd_results.v, ((size_t)cmd_results.n + 1) * sizeof(*v));

	(void)g;
	if (!v)
		cmd_oom();
	v[cmd_results.n++] = y;
	cmd_results.v = v;
}

/*
 * Ends the program if several copies of it would write to one standard output. Where each copy
 * writes to a pipe of its own, the readers of the pipes are one job, and must get the same values:
 * returns true, with an error, if random numbers without a seed would make these differ.
 */
static bool
refuse_copies_shown(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	struct axt_launch by;

	cmd_refuse_copies_shown();
	for (int i = 0; !cmd_st.o.copies && axt_launched(&by) && i < n; i++)
		if (axt_check_seeds(g, y[i]))
			return true;
	return false;
}

/* Applies the common options to the results, and writes, prints or explains them. */
static void
finish_results(struct axt_graph *g)
{
	const struct cmd_common *o = &cmd_st.o;
	bool to_stdout = !o->part && (!o->output || strcmp(o->output, "-") == 0);
	struct axt_expr **z;

	if (o->part && (o->print || split_axis))
		cmd_usage(NULL, "--part writes a file for axt-merge: no %s",
		    o->print ? "--print" : "axt-split");
	if (o->ranks > 0 && !o->explain)
		cmd_usage("mpirun -n N starts the processes of a job; axt-mpi(7)",
		    "--ranks belongs to --explain");
	z = shape_all(g, cmd_results.v, cmd_results.n);

	if (axt_graph_error(g))
		;
	else if (o->explain)
		explain(g, z, cmd_results.n);
	else if (to_stdout && refuse_copies_shown(g, z, cmd_results.n))
		;
	else if (o->print ||
	    (to_stdout && isatty(STDOUT_FILENO) && !saves_expression() && !split_axis)) {
		if (o->quantize)
			cmd_usage("-o FILE",
			    "--quantize rounds what is written, not what is printed");
		print(g, z, cmd_results.n);
	} else
		save(g, z, cmd_results.n);
	free(z);
}

/* Whether a result goes to standard output as text. */
static bool
is_printed(void)
{
	const struct cmd_common *o = &cmd_st.o;

	return o->print || ((!o->output || strcmp(o->output, "-") == 0) && isatty(STDOUT_FILENO));
}

void
cmd_words(struct axt_graph *g, struct axt_words *w)
{
	const struct cmd_common *o = &cmd_st.o;
	struct axt_save_opts save = save_opts(g);

	if (o->dtype || o->axes || o->fill || o->attrs.n > 0 || o->part || o->explain ||
	    o->compress || o->shuffle || o->quantize || o->chunk || o->unlimited)
		cmd_usage(NULL,
		    "words are text, and take no --dtype, --axes, --fill, --attr, --part, "
		    "--explain, --compress, --shuffle, --quantize, --chunk, --unlimited");
	w->name = o->name ? o->name : w->name;
	if (o->output && strcmp(o->output, "-") != 0)
		cmd_refuse_copies(cmd_name(o->output));
	else
		cmd_refuse_copies_shown();
	if (is_printed())
		axt_print_words(g, w, stdout);
	else
		axt_save_words(g, w, &save);
}

int
cmd_main(const struct cmd *c, void (*build)(struct axt_graph *g), int argc, char *argv[])
{
	struct axt_graph *g = cmd_begin(c, argc, argv);

	if (cmd_st.c->flags & CMD_NAMED)
		cmd_name_files(g, cmd_word(g, 0));
	if (cmd_st.c->flags & CMD_LISTS)
		cmd_expand(g);
	if ((cmd_st.c->flags & CMD_LISTS) || !cmd_whole_files(g, build))
		build(g);
	if (cmd_results.n > 0) {
		finish_results(g);
	}
	return cmd_finish(g, 0);
}

void
cmd_assign_opts(struct axt_assign_opts *o)
{
	o->dataset = cmd_st.o.dataset;
	o->raw = cmd_st.o.raw;
	o->no_clobber = cmd_st.o.no_clobber;
}

void
cmd_assign(struct axt_graph *g, struct axt_assignment *y, int n, struct axt_assign_opts *o)
{
	struct axt_expr **e = calloc((size_t)n, sizeof(struct axt_expr *)), **z;

	if (!e)
		cmd_oom();
	if (cmd_st.o.output || cmd_st.o.print || cmd_st.o.name || cmd_st.o.quantize)
		cmd_usage("what goes to files is named there",
		    "%s is of results, and there are none",
		    cmd_st.o.output      ? "-o"
			: cmd_st.o.print ? "-p"
			: cmd_st.o.name  ? "--name"
					 : "--quantize");
	for (int i = 0; i < n; i++)
		e[i] = y[i].e;
	z = shape_all(g, e, n);
	for (int i = 0; i < n; i++)
		y[i].e = z[i];
	if (!axt_graph_error(g) && cmd_st.o.explain) {
		explain(g, z, n);
	} else if (!axt_graph_error(g)) {
		cmd_refuse_copies(cmd_name(y[0].target));
		o->history = cmd_history(g);
		cmd_progress_begin(g);
		axt_assign_all(g, y, n, o);
		cmd_progress_end();
	}
	free(e);
	free(z);
}

void
cmd_to(struct axt_graph *g, struct axt_expr *const y[], int n, const char *file,
    const struct axt_to_opts *o)
{
	struct axt_expr **z = shape_all(g, y, n);
	struct axt_to_opts to = *o;

	if (!axt_graph_error(g) && cmd_st.o.explain) {
		explain(g, z, n);
	} else if (!axt_graph_error(g)) {
		if (!file || strcmp(file, "-") == 0)
			cmd_refuse_copies_shown();
		cmd_progress_begin(g);
		to.history = cmd_history(g);
		to.rest_of = cmd_results.rest_of;
		axt_to(g, z, n, file, &to);
		cmd_progress_end();
	}
	free(z);
}

void
cmd_print(struct axt_graph *g, struct axt_expr *const y[], int n, struct axt_print_opts *o)
{
	struct axt_expr **z = shape_all(g, y, n);

	o->out = stdout;
	o->terminal = isatty(STDOUT_FILENO) && !cmd_st.o.print;
	o->unpack = !cmd_st.o.raw;
	if (!axt_graph_error(g) && cmd_st.o.explain)
		explain(g, z, n);
	else if (!axt_graph_error(g)) {
		cmd_refuse_copies_shown();
		cmd_progress_beside_text(g);
		if (cmd_results.rest_of)
			axt_tell_unreadable(g, cmd_results.rest_of);
		axt_print(g, z, n, o);
		cmd_progress_end();
	}
	free(z);
}

void
cmd_spark(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	struct axt_expr **z = shape_all(g, y, n);
	struct cmd_terminal t;
	struct axt_spark_opts o = { .out = stdout };

	cmd_terminal(&t, false);
	o.ascii = !t.utf8;
	o.explain = cmd_st.o.explain ? stdout : NULL;
	if (!axt_graph_error(g)) {
		cmd_refuse_copies_shown();
		cmd_progress_beside_text(g);
		axt_spark(g, z, n, &o);
		cmd_progress_end();
	}
	free(z);
}

void
cmd_plot(struct axt_graph *g, struct axt_expr *const y[], int n, const struct axt_plot_opts *o)
{
	struct axt_expr **z = shape_all(g, y, n);
	struct axt_plot_opts p = *o;

	if (!axt_graph_error(g)) {
		if (p.output && strcmp(p.output, "-") != 0)
			cmd_refuse_copies(cmd_name(p.output));
		else
			cmd_refuse_copies_shown();
		p.explain = cmd_st.o.explain ? stdout : NULL;
		cmd_progress_begin(g);
		axt_plot(g, z, n, &p);
		cmd_progress_end();
	}
	free(z);
}

/*
 * Whether the hint of the library helps more than the search for another command line could. It
 * does for an expression that is read, but whose values lack something. There is nothing to search
 * for where no word was wrong, as when a file cannot be written.
 */
static bool
has_own_hint(const struct axt_graph *g)
{
	enum axt_code code = axt_graph_code(g);
	enum axt_about about = axt_graph_fact(g)->about;
	bool words = code == AXT_E_SYNTAX || code == AXT_E_NAME || code == AXT_E_AMBIG ||
	    code == AXT_E_FORMAT;

	if (!(cmd_st.c->flags & CMD_NAMED))
		return false;
	return (about == AXT_ABOUT_NOTHING && !words) ||
	    (axt_graph_hint(g) && (!words || about == AXT_NO_AXIS) && !advice_expression_meant());
}

int
cmd_finish(struct axt_graph *g, int status)
{
	bool again = axt_graph_code(g) != AXT_OK && axt_graph_disturbed(g);
	const char *error, *hint, *advice;

	if (again)
		cmd_begin_again();
	if (axt_graph_error(g) && !cmd_trying)
		cmd_fail_jointly(g);
	error = axt_graph_error(g);
	if (axt_graph_code(g) == AXT_E_RANK) { /* the process that failed tells why */
		status = 1;
		cmd_close_stdout();
	} else if (error) {
		if (cmd_trying)
			cmd_trial_failed(axt_graph_fact(g));
		cmd_say("", error);
		hint = axt_graph_hint(g);
		advice = has_own_hint(g) ? NULL : cmd_advice(axt_graph_fact(g));
		hint = advice ? advice : hint;
		if (hint)
			cmd_hint(hint);
		/* a syntax error is wrong usage, whether a command or the library found it */
		status = axt_graph_code(g) == AXT_E_SYNTAX ? 2 : cmd_fail_status();
		cmd_close_stdout(); /* closed here, so that no second error is reported */
	} else {
		status = cmd_flush(status);
	}
	axt_stop_ranks(status);
	axt_leave_ranks();
	axt_graph_free(g);
	return status;
}
