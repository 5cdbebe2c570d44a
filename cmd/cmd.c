/*
 * cmd.c - what every command does at its beginning: descriptors, signals, environment variables,
 * the graph.
 */
#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "priv.h"

/* Each is a bit of its own: of numbers that share one, the sum is more than all of their bits. */
#define CMD_EACH(op)                                                                              \
	(CMD_OPENS op CMD_JOINS op CMD_RUNS op CMD_SHAPES op CMD_WRITES op CMD_PRINTS op CMD_NARY \
		op CMD_STDIN op CMD_MEET op CMD_COMMUTES op CMD_OWN_DTYPE op CMD_FREE op CMD_BARE \
		    op CMD_NAMED op CMD_FILES op CMD_MOVES op CMD_CHANGES op CMD_HISTORY op       \
			CMD_SPECS op CMD_SPEC_OPERANDS op CMD_LISTS op CMD_OPTIONAL op CMD_STORES \
			    op CMD_EXPRESSION)
_Static_assert(CMD_EACH(+) == CMD_EACH(|), "two flags of commands are the same bit");

struct cmd_state cmd_st = { .o = { .deflate = -1, .device = -1 } };

int
cmd_fail_status(void)
{
	return cmd_st.c->fail != 0 ? cmd_st.c->fail : 1;
}

/* ---- the process ---- */

/*
 * Opens descriptors 0, 1 and 2 if they are closed, so that no data file gets these numbers. 0 is
 * opened for writing, 1 and 2 for reading, so that using one still fails.
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
	/*
	 * SA_RESETHAND has restored the default action, which is taken after this handler returns
	 */
	raise(sig);
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
	/*
	 * signals that are ignored, as by nohup and &, stay ignored; SIGPIPE keeps its default
	 * action, which ends the program silently
	 */
	signal(SIGXFSZ, SIG_IGN); /* a file that becomes too long is an error of writing */
	for (i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++)
		if (sigaction(sigs[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(sigs[i], &sa, NULL);
}

/*
 * Prints a warning, unless it equals the last one: a command that writes several files would repeat
 * it. Nothing is printed for a graph whose files another process has changed, since that graph
 * fails later, or its command begins again.
 */
static void
warn(void *ctx, const char *line)
{
	static char last[1024];

	if (ctx && axt_graph_in_doubt(ctx))
		return;
	if (!cmd_st.o.quiet && !cmd_trying && strcmp(line, last) != 0)
		cmd_say("warning: ", line);
	snprintf(last, sizeof(last), "%s", line);
}

void
cmd_warn(const char *text)
{
	warn(NULL, text);
}

/* ---- environment ---- */

static void
set_device(struct axt_graph *g)
{
	const char *e = getenv("AXT_DEVICE");
	int d = cmd_st.o.device;

	if (d < 0 && e && *e != '\0') {
		d = axt_choice(cmd_devices, e);
		if (d < 0)
			cmd_usage(NULL,
			    "AXT_DEVICE is cpu"
#define DEVICE(NAME, name) ", " #name
#include "devices.def"
#undef DEVICE
			    " or auto, not \"%s\"",
			    cmd_name(e));
	}
	if (d > 0)
		axt_graph_set_device(g, (enum axt_device_kind)d);
}

static void
set_blas(struct axt_graph *g)
{
	const char *e = getenv("AXT_BLAS"), *name = cmd_st.o.blas ? cmd_st.o.blas : e;

	if (name && *name != '\0' && axt_graph_set_blas(g, name))
		exit(cmd_finish(g, 2));
}

static void
set_bounds(struct axt_graph *g)
{
	int64_t threads = cmd_st.o.threads, memory = cmd_st.o.memory;
	const char *e = getenv("AXT_THREADS"), *omp = getenv("OMP_NUM_THREADS"),
		   *m = getenv("AXT_MEMORY");

	if (threads == 0 && e && *e != '\0' && !axt_parse_int(e, 1, 4096, &threads))
		cmd_usage(NULL, "AXT_THREADS is a whole number from 1 to 4096, not \"%s\"",
		    cmd_name(e));
	/* OMP_NUM_THREADS may be a list, of which the first number is used */
	if (threads == 0 && omp)
		threads = strtol(omp, NULL, 10);
	if (threads > 4096)
		threads = 4096;
	if (threads > 0)
		axt_graph_set_threads(g, (int)threads);
	if (memory == 0 && m && *m != '\0' && (!axt_parse_size(m, &memory) || memory < 1))
		cmd_usage(NULL, "AXT_MEMORY is a size such as 512M or 2G, not \"%s\"", cmd_name(m));
	if (memory > 0)
		axt_graph_set_memory(g, memory);
	if (cmd_st.o.allow_external)
		axt_graph_set_external(g);
}

/*
 * Makes the C library return freed memory to the system: pieces of a megabyte at once, the rest
 * when some megabytes have been freed. By default it would raise both limits to the largest piece
 * that was freed.
 */
static void
keep_little(void)
{
#ifdef M_MMAP_THRESHOLD
	struct rlimit r;

	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 4 << 20);
	/* the C library would reserve address space for each thread */
	if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
		mallopt(M_ARENA_MAX, 1);
#endif
}

/* --deflate LEVEL is an older word for --compress deflate:LEVEL. */
static void
set_compress(struct cmd_common *o)
{
	static char word[24] = "none";

	if (o->deflate < 0)
		return;
	if (o->compress)
		cmd_usage(NULL, "--deflate and --compress exclude each other");
	if (o->deflate > 0)
		snprintf(word, sizeof(word), "deflate:%d", (int)o->deflate);
	o->compress = word;
}

/* Whether copies that a launcher runs make the results of this command together. */
static bool
one_job(void)
{
	return (cmd_st.c->flags & (CMD_WRITES | CMD_EXPRESSION)) == CMD_WRITES && cmd_joins_ranks();
}

/* Whether the results go to a file that an option names. */
static bool
goes_to_file(void)
{
	return cmd_st.o.output && strcmp(cmd_st.o.output, "-") != 0;
}

static void
check_options(void)
{
	struct cmd_common *o = &cmd_st.o;
	bool to_file;

	if (o->into && (!o->part || o->output))
		cmd_usage(NULL, "%s",
		    o->part ? "--into takes the place of -o" : "--into is where --part K/N goes");
	if (o->into)
		o->output = o->into;
	to_file = goes_to_file() || (cmd_st.c->flags & CMD_FILES) != 0;
	set_compress(o);
	if (!to_file && (o->compress || o->chunk))
		cmd_usage(NULL, "--%s needs -o FILE: a stream is stored contiguous",
		    o->chunk              ? "chunk"
			: o->deflate >= 0 ? "deflate"
					  : "compress");
	if ((to_file && !o->part && !one_job()) || (cmd_st.c->flags & CMD_CHANGES))
		cmd_refuse_copies(o->output ? cmd_name(o->output) : "its files");
	if (to_file && o->print)
		cmd_usage(NULL, "-p writes text to standard output, -o a file: choose one");
}

/* ---- functions for mains ---- */

struct axt_graph *
cmd_graph(void)
{
	struct axt_graph *g = axt_graph_new();
	const char *fuse;

	if (!g)
		cmd_oom();
	if (axt_graph_error(g))
		exit(cmd_finish(g, 0));
	axt_graph_on_warning(g, warn, g);
	set_bounds(g);
	set_device(g);
	set_blas(g);
	fuse = getenv("AXT_FUSE");
	axt_graph_set_fuse(g,
	    !fuse || *fuse == '\0'       ? AXT_FUSE_ON
		: strcmp(fuse, "0") == 0 ? AXT_FUSE_OFF
					 : AXT_FUSE_WAIT);
	return g;
}

/* The values that a command's options have before any word is read; a copy of each. */
static struct {
	char name[64];
	char value[64][sizeof(struct cmd_list)];
} before;

static size_t
size_of(enum cmd_type t)
{
	switch (t) {
	case CMD_T_FLAG: return sizeof(bool);
	case CMD_T_SET:
	case CMD_T_CHOICE: return sizeof(int);
	case CMD_T_DTYPE: return sizeof(enum axt_dtype);
	case CMD_T_LIST: return sizeof(struct cmd_list);
	default: return sizeof(int64_t); /* as long as a pointer, and a number */
	}
}

/* Copies the values of the options the first time, and puts them back when they are kept. */
static void
keep_options(const char *name, const struct cmd_opt *opts)
{
	bool back = strcmp(before.name, name) == 0;

	for (int i = 0; opts && opts[i].type != CMD_T_END && i < 64; i++)
		memcpy(back ? opts[i].var : before.value[i], back ? before.value[i] : opts[i].var,
		    size_of(opts[i].type));
	snprintf(before.name, sizeof(before.name), "%s", name);
}

void
cmd_reset(void)
{
	cmd_st = (struct cmd_state){ .o = { .deflate = -1, .device = -1 } };
	cmd_reset_end();
	cmd_reset_operation();
	cmd_reset_whole();
}

struct axt_graph *
cmd_begin(const struct cmd *c, int argc, char *argv[])
{
	struct axt_graph *g;

	cmd_st.c = c;
	keep_little();
	cmd_fill_descriptors();
	cmd_watch();
	catch_signals();
	keep_options(c->name, c->opts);
	cmd_parse(argc, argv);
	check_options();
	cmd_check_operands();
	if (c->check)
		c->check();
	cmd_check_stdin();
	axt_guard_mapped_files();
	g = cmd_graph();
	cmd_tell_operands(g);
	if (goes_to_file() && one_job())
		cmd_join_ranks(g);
	if (cmd_st.o.join)
		axt_graph_set_join(g, cmd_st.o.join);
	axt_graph_set_units(g, (enum axt_units)cmd_st.o.units);
	return g;
}

struct axt_expr *const *
cmd_all_wide(struct axt_graph *g)
{
	struct axt_expr *const *in = cmd_all_in(g);
	static struct axt_expr **a; /* until the next call */

	free(a);
	a = calloc((size_t)cmd_nin(g) + 1, sizeof(struct axt_expr *));
	if (!a)
		cmd_oom();
	for (int i = 0; i < cmd_nin(g); i++)
		a[i] = axt_widen(g, in[i], cmd_st.o.dtype);
	return a;
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
cmd_has_fill(struct axt_graph *g)
{
	(void)g;
	return cmd_st.o.fill != NULL;
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
