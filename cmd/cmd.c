/*
 * cmd.c - the frame of every command: descriptors, signals, operands, and what
 * happens to the result.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "priv.h"

struct cmd_state cmd_st = { .o = { .dtype = AXT_DTYPE_AUTO, .deflate = -1, .device = -1 } };

static int
fail_status(void)
{
	return cmd_st.c->fail != 0 ? cmd_st.c->fail : 1;
}

/* ---- the process ---- */

/*
 * No data file may get number 0, 1 or 2. Opened the wrong way round, so that
 * using a closed one still fails.
 */
void
cmd_fill_descriptors(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
			_exit(2);
}

static void
on_signal(int sig)
{
	axt_cleanup();
	raise(sig);	/* SA_RESETHAND: the default action, once this returns */
}

static void
catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };
	struct sigaction sa, old;
	size_t i;

	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = on_signal;
	sa.sa_flags = (int)SA_RESETHAND;
	/* nohup and & ignore some: left so, as SIGPIPE is, whose default is to die quietly */
	for (i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (sigaction(sigs[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &sa, NULL);
}

static void
warn(void *ctx, const char *line)
{
	(void)ctx;
	if (!cmd_st.o.quiet)
		cmd_say("warning: ", line);
}

/* ---- environment ---- */

static void
set_device(struct axt_graph *g)
{
	static const enum axt_device_kind kind[] = { [CMD_DEVICE_CPU] = AXT_DEVICE_CPU,
		[CMD_DEVICE_CUDA] = AXT_DEVICE_CUDA, [CMD_DEVICE_AUTO] = AXT_DEVICE_AUTO };
	const char *e = getenv("AXT_DEVICE");
	int d = cmd_st.o.device;

	if (d < 0 && e != NULL && *e != '\0') {
		d = strcmp(e, "cpu") == 0 ? CMD_DEVICE_CPU : strcmp(e, "cuda") == 0
		    ? CMD_DEVICE_CUDA : strcmp(e, "auto") == 0 ? CMD_DEVICE_AUTO : -1;
		if (d < 0)
			cmd_usage(NULL, "AXT_DEVICE is cpu, cuda or auto, not \"%s\"", cmd_name(e));
	}
	if (d > 0)
		axt_graph_set_device(g, kind[d]);
}

static void
set_bounds(struct axt_graph *g)
{
	int64_t threads = cmd_st.o.threads, memory = cmd_st.o.memory;
	const char *e = getenv("AXT_THREADS"), *omp = getenv("OMP_NUM_THREADS"),
	    *m = getenv("AXT_MEMORY");

	if (threads == 0 && e != NULL && *e != '\0' && !axt_parse_int(e, 1, 4096, &threads))
		cmd_usage(NULL, "AXT_THREADS is a whole number from 1 to 4096, not \"%s\"",
		    cmd_name(e));
	if (threads == 0 && omp != NULL)	/* may be a list: its first number */
		threads = strtol(omp, NULL, 10);
	if (threads > 4096)
		threads = 4096;
	if (threads > 0)
		axt_graph_set_threads(g, (int)threads);
	if (memory == 0 && m != NULL && *m != '\0' && (!axt_parse_size(m, &memory) || memory < 1))
		cmd_usage(NULL, "AXT_MEMORY is a size such as 512M or 2G, not \"%s\"", cmd_name(m));
	if (memory > 0)
		axt_graph_set_memory(g, memory);
}

/* ---- operands ---- */

static bool
is_stdin(const char *w)
{
	return strcmp(w, "-") == 0 || strncmp(w, "-:", 2) == 0;
}

/* How many of the four names of operands a command has. */
static int
named(const char *const name[4])
{
	int n = 0;

	while (n < 4 && name[n] != NULL)
		n++;
	return n;
}

static void
read_files_from(const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *line = NULL;
	bool nul = false;
	size_t cap = 0;
	ssize_t n;

	while (f != NULL && !nul && (n = getline(&line, &cap, f)) >= 0) {
		if (n > 0 && line[n - 1] == '\n')
			line[--n] = '\0';
		nul = strlen(line) < (size_t)n;
		if (n > 0)
			cmd_add_copy(&cmd_st.args, line, (size_t)n);
	}
	free(line);
	if (f == NULL || ferror(f) || nul) {
		char text[512];

		snprintf(text, sizeof(text), "%s: %s", cmd_name(path),
		    nul ? "a NUL byte in a list of one operand per line" : strerror(errno));
		cmd_say("", text);
		exit(fail_status());
	}
	if (f != stdin)
		fclose(f);
}

/* Standard input can be read once, by operands, operand options and --files-from together. */
static int
stdin_uses(void)
{
	const struct cmd_opt *o = cmd_st.c->opts;
	int i, n = 0;

	for (i = cmd_st.nwords; i < cmd_st.args.n; i++)
		n += is_stdin(cmd_st.args.v[i]);
	for (; o != NULL && o->type != CMD_T_END; o++)
		if (o->type == CMD_T_OPERAND && *(const char **)o->var != NULL)
			n += is_stdin(*(const char **)o->var);
	if (cmd_st.o.files_from != NULL)
		n += strcmp(cmd_st.o.files_from, "-") == 0;
	return n;
}

static void
insert_stdin(int at)
{
	struct cmd_list *l = &cmd_st.args;

	cmd_add(l, "-");
	memmove(&l->v[at + 1], &l->v[at], (size_t)(l->n - 1 - at) * sizeof(l->v[0]));
	l->v[at] = "-";
}

/* "axt-sub - clim.nc  or  axt-sub clim.nc -": every place the missing operand can have. */
static const char *
places_hint(void)
{
	static char hint[1024];
	int at, i, n = cmd_st.args.n;
	size_t used = 0;

	for (at = cmd_st.nwords; at <= n && used < sizeof(hint); at++) {
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, "%s%s",
		    at > cmd_st.nwords ? "  or  " : "", cmd_st.c->name);
		for (i = 0; i <= n && used < sizeof(hint); i++)
			used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s",
			    i == at ? "-" : cmd_name(cmd_st.args.v[i - (i > at)]));
	}
	return hint;
}

static const char *
help_hint(void)
{
	static char hint[80];

	snprintf(hint, sizeof(hint), "%s -h tells how", cmd_st.c->name);
	return hint;
}

/* Which operand is missing, by name. */
static void
check_count(int have, int want)
{
	const struct cmd *c = cmd_st.c;
	bool nary = (c->flags & CMD_NARY) != 0;

	if (have > want && !nary)
		cmd_usage(help_hint(),
		    want == 0 ? "takes no tensor, but \"%s\" was given"
		    : "too many operands: \"%s\"", cmd_name(cmd_st.args.v[cmd_st.nwords + want]));
	if (have >= want)
		return;
	if (want - have == 1 && (c->flags & (CMD_STDIN | CMD_COMMUTES)) && stdin_uses() == 0) {
		if (isatty(STDIN_FILENO))
			cmd_usage(help_hint(),
			    "operand %s is missing, and standard input is a terminal",
			    c->in[c->flags & CMD_STDIN ? want - 1 : 0]);
		insert_stdin(c->flags & CMD_STDIN ? cmd_st.args.n : cmd_st.nwords);
		return;
	}
	cmd_usage(want - have == 1 && stdin_uses() == 0 ? places_hint() : help_hint(),
	    "operand %s is missing", c->in[have]);
}

/* NAME=OPERAND: the names, and operands like others. */
static void
split_names(void)
{
	struct cmd_list *l = &cmd_st.args;
	int i;

	for (i = cmd_st.nwords; i < l->n; i++) {
		const char *eq = strchr(l->v[i], '=');

		if (eq == NULL || eq == l->v[i] || eq[1] == '\0')
			cmd_usage("NAME=OPERAND gives one", "operand \"%s\" has no name",
			    cmd_name(l->v[i]));
		cmd_add_copy(&cmd_st.names, l->v[i], (size_t)(eq - l->v[i]));
		l->v[i] = eq + 1;
	}
}

/* NAME=... or NAME@...: names have no slash and no colon, but after a backslash. */
static bool
is_spec(const char *w)
{
	const char *p = w;

	while (*p != '\0' && strchr("=@/:[", *p) == NULL)
		p += *p == '\\' && p[1] != '\0' ? 2 : 1;
	return p > w && (*p == '=' || *p == '@');
}

/* Specs go before the tensors, wherever they were typed. */
static void
move_specs(void)
{
	struct cmd_list *l = &cmd_st.args;
	int i, k;

	for (i = cmd_st.nwords; i < l->n; i++) {
		const char *w = l->v[i];

		if (!is_spec(w))
			continue;
		for (k = i; k > cmd_st.nwords; k--)
			l->v[k] = l->v[k - 1];
		l->v[cmd_st.nwords++] = w;
	}
}

static void
check_operands(void)
{
	const struct cmd *c = cmd_st.c;
	int words = named(cmd_st.c->words);

	if (cmd_st.args.n < words)
		cmd_usage(help_hint(), "operand %s is missing", c->words[cmd_st.args.n]);
	/* the first word is a spec, too, where it is no verb */
	cmd_st.nwords = (c->flags & CMD_SPECS) && c->choice == NULL ? 0 : words;
	if (c->flags & CMD_SPECS)
		move_specs();
	if (cmd_st.nwords < words)
		cmd_st.nwords = words;
	words = cmd_st.nwords;
	if (cmd_st.o.files_from != NULL)
		read_files_from(cmd_st.o.files_from);
	if (c->flags & CMD_NAMED)
		split_names();
	else if (!(c->flags & CMD_FREE))
		check_count(cmd_st.args.n - words, named(cmd_st.c->in));
	else if (cmd_st.args.n == words && (c->flags & CMD_STDIN) && stdin_uses() == 0)
		insert_stdin(words);
	if (stdin_uses() > 1)
		cmd_usage(NULL, "standard input can be read only once");
	if (stdin_uses() == 1 && isatty(STDIN_FILENO))
		cmd_usage(help_hint(), "standard input is a terminal");
}

static void
check_options(void)
{
	const struct cmd_common *o = &cmd_st.o;
	bool to_file = (o->output != NULL && strcmp(o->output, "-") != 0) ||
	    (cmd_st.c->flags & CMD_FILES) != 0;

	if (!to_file && (o->deflate >= 0 || o->chunk != NULL))
		cmd_usage(NULL, "--%s needs -o FILE: a stream is stored contiguous",
		    o->chunk ? "chunk" : "deflate");
	if (to_file && o->print)
		cmd_usage(NULL, "-p writes text to standard output, -o a file: choose one");
}

/* ---- what mains call ---- */

/* All tensors of the command line. */
static void
tell_operands(struct axt_graph *g)
{
	const struct cmd_opt *o = cmd_st.c->opts;

	if (cmd_st.args.n > cmd_st.nwords)
		axt_graph_operands(g, (const char *const *)cmd_st.args.v + cmd_st.nwords,
		    cmd_st.args.n - cmd_st.nwords);
	for (; o != NULL && o->type != CMD_T_END; o++)
		if (o->type == CMD_T_OPERAND && *(const char **)o->var != NULL)
			axt_graph_operands(g, (const char *const *)o->var, 1);
}

struct axt_graph *
cmd_begin(const struct cmd *c, int argc, char *argv[])
{
	struct axt_graph *g;
	const char *fuse;

	cmd_st.c = c;
	cmd_fill_descriptors();
	catch_signals();
	cmd_parse(argc, argv);
	check_options();
	check_operands();
	axt_guard_mapped_files();
	g = axt_graph_new();
	if (g == NULL)
		cmd_oom();
	axt_graph_on_warning(g, warn, NULL);
	set_bounds(g);
	set_device(g);
	fuse = getenv("AXT_FUSE");
	axt_graph_set_fuse(g, fuse == NULL || *fuse == '\0' ? AXT_FUSE_ON
	    : strcmp(fuse, "0") == 0 ? AXT_FUSE_OFF : AXT_FUSE_WAIT);
	tell_operands(g);
	if (cmd_st.o.join != NULL)
		axt_graph_set_join(g, cmd_st.o.join);
	return g;
}

int
cmd_nin(struct axt_graph *g)
{
	(void)g;
	return cmd_st.args.n - cmd_st.nwords;
}

const char *
cmd_word(struct axt_graph *g, int i)
{
	(void)g;
	return cmd_st.args.v[i];
}

int
cmd_nspecs(struct axt_graph *g)
{
	(void)g;
	return cmd_st.nwords - named(cmd_st.c->words);
}

const char *
cmd_spec(struct axt_graph *g, int i)
{
	return cmd_word(g, named(cmd_st.c->words) + i);
}

const char *
cmd_operand(struct axt_graph *g, int i)
{
	(void)g;
	return cmd_st.args.v[cmd_st.nwords + i];
}

struct axt_expr *
cmd_open(struct axt_graph *g, const char *operand, bool duplicates)
{
	struct axt_open_opts o = { .dataset = cmd_st.o.dataset, .raw = cmd_st.o.raw,
	    .duplicate_axes = duplicates, .allow_external = cmd_st.o.allow_external };

	return axt_open(g, operand, &o);
}

struct axt_expr *
cmd_labels(struct axt_graph *g, const char *operand)
{
	struct axt_open_opts o = { .dataset = cmd_st.o.dataset, .raw = cmd_st.o.raw };

	return axt_labels(g, operand, &o);
}

struct axt_expr *
cmd_in(struct axt_graph *g, int i)
{
	return cmd_open(g, cmd_operand(g, i), false);
}

struct axt_expr *const *
cmd_all_in(struct axt_graph *g)
{
	static struct axt_expr **a;	/* lives as long as the command */
	int n = cmd_nin(g);

	a = calloc((size_t)n + 1, sizeof(struct axt_expr *));
	if (a == NULL)
		cmd_oom();
	for (int i = 0; i < n; i++)
		a[i] = cmd_in(g, i);
	return a;
}

const char *const *
cmd_operand_names(struct axt_graph *g)
{
	(void)g;
	return cmd_st.names.v;
}

enum axt_dtype
cmd_dtype(struct axt_graph *g)
{
	(void)g;
	return cmd_st.o.dtype;
}

bool
cmd_quiet(struct axt_graph *g)
{
	(void)g;
	return cmd_st.o.quiet;
}

bool
cmd_has_dataset(struct axt_graph *g)
{
	(void)g;
	return cmd_st.o.dataset != NULL;
}

const char *
cmd_default_dataset(struct axt_graph *g)
{
	(void)g;
	return cmd_st.o.dataset;
}

bool
cmd_is_raw(struct axt_graph *g)
{
	(void)g;
	return cmd_st.o.raw;
}

/* ---- the end ---- */

/* The history line; a date only where the build is asked to be reproducible at one. NULL: none. */
static const char *
history(void)
{
	const char *e = getenv("SOURCE_DATE_EPOCH");
	char date[40], *line;
	int64_t s;
	size_t n;
	time_t t;
	struct tm tm;

	if (cmd_st.o.no_history)
		return NULL;
	if (e == NULL || !axt_parse_int(e, 0, INT64_MAX, &s))
		return cmd_st.history;
	t = (time_t)s;
	if (gmtime_r(&t, &tm) == NULL ||
	    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return cmd_st.history;
	n = strlen(date) + cmd_st.history_len + 3;
	line = malloc(n);
	if (line == NULL)
		cmd_oom();
	snprintf(line, n, "%s: %s", date, cmd_st.history);
	free(cmd_st.history);
	cmd_st.history = line;
	return line;
}

/* --dtype, --axes, --name, --attr, in this order. */
static struct axt_expr *
shape(struct axt_graph *g, struct axt_expr *y)
{
	const struct cmd_common *o = &cmd_st.o;
	int i;

	if (o->dtype != AXT_DTYPE_AUTO && !(cmd_st.c->flags & CMD_OWN_DTYPE))
		y = axt_cast_dtype(g, y, o->dtype, AXT_OVERFLOW_ERROR);
	if (o->axes != NULL)
		y = axt_broadcast(g, y, o->axes);
	if (o->name != NULL)
		y = axt_set_name(g, y, o->name);
	for (i = 0; i < o->attrs.n; i++)
		y = axt_set_attr(g, y, o->attrs.v[i]);
	return y;
}

static const char *storage_size;
static char storage_layout;
static bool expression;

void
cmd_expression(void)
{
	expression = true;
}

void
cmd_storage(const char *size, char layout)
{
	storage_size = size;
	storage_layout = layout;
}

static struct axt_save_opts
save_opts(void)
{
	const struct cmd_common *o = &cmd_st.o;

	return (struct axt_save_opts){ .output = o->output, .history = history(),
	    .no_clobber = o->no_clobber, .force = o->force, .has_deflate = o->deflate >= 0,
	    .deflate = (int)o->deflate, .chunk = o->chunk,
	    .size = storage_size, .layout = storage_layout,
	    .expression = expression };
}

static void
save(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	struct axt_save_opts o = save_opts();

	cmd_progress_begin(g);
	axt_save(g, y, n, &o);
	cmd_progress_end();
}

static void
explain(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	if (axt_explain(g, y, n, stdout) == AXT_OK && expression)
		axt_explain_save(g, y[0], stdout);
	if (axt_graph_error(g) == NULL)
		axt_plan_print(g, y, n, stdout);
}

static void
print(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	axt_print(g, y, n, &(struct axt_print_opts){ .out = stdout, .head = -1,
	    .terminal = isatty(STDOUT_FILENO) && !cmd_st.o.print });
}

int
cmd_end(struct axt_graph *g, struct axt_expr *y)
{
	return cmd_end_n(g, &y, 1);
}

/* All of them; free the list. */
static struct axt_expr **
shape_all(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	const struct cmd_common *o = &cmd_st.o;
	struct axt_expr **z = calloc((size_t)n, sizeof(struct axt_expr *));
	int i;

	if (n > 1 && o->name != NULL) {
		free(z);
		cmd_usage(NULL, "--name names one result, and there are %d", n);
	}
	if (z == NULL)
		cmd_oom();
	for (i = 0; i < n; i++)
		z[i] = shape(g, y[i]);
	if (axt_graph_error(g) == NULL && o->verbose)
		axt_explain(g, z, n, stderr);
	if (axt_graph_error(g) == NULL && o->verbose && expression)
		axt_explain_save(g, z[0], stderr);
	return z;
}

int
cmd_end_n(struct axt_graph *g, struct axt_expr *const y[], int n)
{
	const struct cmd_common *o = &cmd_st.o;
	bool to_stdout = o->output == NULL || strcmp(o->output, "-") == 0;
	struct axt_expr **z = shape_all(g, y, n);

	if (axt_graph_error(g) != NULL)
		;
	else if (o->explain)
		explain(g, z, n);
	else if (o->print || (to_stdout && isatty(STDOUT_FILENO) && !expression))
		print(g, z, n);
	else
		save(g, z, n);
	free(z);
	return cmd_finish(g, 0);
}

void
cmd_assign_opts(struct axt_assign_opts *o)
{
	o->dataset = cmd_st.o.dataset;
	o->raw = cmd_st.o.raw;
	o->no_clobber = cmd_st.o.no_clobber;
}

int
cmd_assign(struct axt_graph *g, struct axt_assignment *y, int n, struct axt_assign_opts *o)
{
	struct axt_expr **e = calloc((size_t)n, sizeof(struct axt_expr *)), **z;

	if (e == NULL)
		cmd_oom();
	if (cmd_st.o.output != NULL || cmd_st.o.print || cmd_st.o.name != NULL)
		cmd_usage("what goes to files is named there",
		    "%s is of results, and there are none",
		    cmd_st.o.output != NULL ? "-o" : cmd_st.o.print ? "-p" : "--name");
	for (int i = 0; i < n; i++)
		e[i] = y[i].e;
	z = shape_all(g, e, n);
	for (int i = 0; i < n; i++)
		y[i].e = z[i];
	if (axt_graph_error(g) == NULL && cmd_st.o.explain) {
		explain(g, z, n);
	} else if (axt_graph_error(g) == NULL) {
		o->history = history();
		cmd_progress_begin(g);
		axt_assign_all(g, y, n, o);
		cmd_progress_end();
	}
	free(e);
	free(z);
	return cmd_finish(g, 0);
}

int
cmd_to(struct axt_graph *g, struct axt_expr *const y[], int n, const char *file,
    const struct axt_to_opts *o)
{
	struct axt_expr **z = shape_all(g, y, n);

	if (axt_graph_error(g) == NULL && cmd_st.o.explain) {
		explain(g, z, n);
	} else if (axt_graph_error(g) == NULL) {
		cmd_progress_begin(g);
		axt_to(g, z, n, file, o);
		cmd_progress_end();
	}
	free(z);
	return cmd_finish(g, 0);
}

int
cmd_print(struct axt_graph *g, struct axt_expr *y, struct axt_print_opts *o)
{
	o->out = stdout;
	o->terminal = isatty(STDOUT_FILENO) && !cmd_st.o.print;
	y = shape(g, y);
	if (axt_graph_error(g) == NULL && cmd_st.o.explain)
		explain(g, &y, 1);
	else if (axt_graph_error(g) == NULL)
		axt_print(g, &y, 1, o);
	return cmd_finish(g, 0);
}

int
cmd_split(struct axt_graph *g, struct axt_expr *y, const char *axis, const char *pattern)
{
	struct axt_save_opts o = save_opts();

	y = shape(g, y);
	if (axt_graph_error(g) == NULL && cmd_st.o.explain)
		explain(g, &y, 1);
	else if (axt_graph_error(g) == NULL)
		axt_split(g, y, axis, pattern, &o);
	return cmd_finish(g, 0);
}

int
cmd_finish(struct axt_graph *g, int status)
{
	const char *error = axt_graph_error(g), *hint = axt_graph_hint(g);

	if (error != NULL) {
		cmd_say("", error);
		if (hint != NULL && *hint != '\0')
			cmd_say("hint: ", hint);
		/* A word that cannot be read is wrong usage, whoever read it. */
		status = axt_graph_code(g) == AXT_E_SYNTAX ? 2 : fail_status();
		fclose(stdout);		/* one message is enough */
	} else {
		status = cmd_flush(status);
	}
	axt_graph_free(g);
	return status;
}
