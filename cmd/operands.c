/*
 * operands.c - the operands of a command line: counts them, finds the one that is standard input,
 * and opens them as tensors.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "priv.h"

static bool
is_stdin(const char *w)
{
	return strcmp(w, "-") == 0 || strncmp(w, "-:", 2) == 0;
}

/* The number of names in a list of at most four. */
static int
named(const char *const name[4])
{
	int n = 0;

	while (n < 4 && name[n])
		n++;
	return n;
}

/* The option that is given and takes the place of operands; NULL: there is none. */
static const struct cmd_opt *
given_instead(void)
{
	const struct cmd_opt *o = cmd_st.c->opts;

	for (; o && o->type != CMD_T_END; o++)
		if (o->instead &&
		    (o->type == CMD_T_INT ? *(int64_t *)o->var >= o->lo
					  : *(const char **)o->var != NULL))
			return o;
	return NULL;
}

/* The number of words that stand before the tensors. */
static int
words_named(void)
{
	return given_instead() ? 0 : named(cmd_st.c->words);
}

/* The number of tensors. */
static int
tensors_named(void)
{
	return named(cmd_st.c->in) - (!cmd_st.c->words[0] && given_instead());
}

/* The number of tensors that there should be where there are so many. */
static int
tensors_wanted(int have)
{
	int n = tensors_named();

	return (cmd_st.c->flags & CMD_OPTIONAL) && have < n ? n - 1 : n;
}

static void
read_files_from(const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
	char *line = NULL;
	bool nul = false;
	size_t cap = 0;
	struct stat st;
	ssize_t n;

	if (!f || fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode) || f == stdin)
		axt_cannot_begin_again();
	while (f && !nul && (n = getline(&line, &cap, f)) >= 0) {
		if (n > 0 && line[n - 1] == '\n')
			line[--n] = '\0';
		nul = strlen(line) < (size_t)n;
		if (n > 0)
			cmd_add_copy(&cmd_st.args, line, (size_t)n);
	}
	free(line);
	if (!f || ferror(f) || nul) {
		char text[512];

		snprintf(text, sizeof(text), "%s: %s", cmd_name(path),
		    nul ? "a NUL byte in a list of one operand per line" : strerror(errno));
		cmd_say("", text);
		cmd_exit(cmd_fail_status());
	}
	if (f != stdin)
		fclose(f);
}

/*
 * What follows NAME= or NAME@ in the word; NULL: it has another form. A name has no unescaped slash
 * or colon, unlike the path of a file.
 */
static const char *
value_of_spec(const char *w)
{
	const char *p = w;

	while (*p != '\0' && !strchr("=@/:[", *p))
		p += *p == '\\' && p[1] != '\0' ? 2 : 1;
	return p > w && (*p == '=' || *p == '@') ? p + 1 : NULL;
}

/*
 * Sets *operand to the operand at place k of the command line: in word k or, from the end of the
 * words on, in an option that takes an operand. It is NULL where that place has none. Returns false
 * if there is no place k.
 */
static bool
operand_at(int k, const char **operand)
{
	bool specs = (cmd_st.c->flags & CMD_SPEC_OPERANDS) != 0;
	const struct cmd_opt *o = cmd_st.c->opts;
	const char *value;

	*operand = NULL;
	if (k < cmd_st.args.n) {
		value = specs ? value_of_spec(cmd_st.args.v[k]) : NULL;
		if (k < cmd_st.nwords || ((cmd_st.c->flags & CMD_FREE) && value))
			*operand = value;
		else
			*operand = cmd_st.args.v[k];
		return true;
	}
	for (k -= cmd_st.args.n; o && o->type != CMD_T_END; o++)
		if (o->type == CMD_T_OPERAND && k-- == 0) {
			*operand = *(const char **)o->var;
			return true;
		}
	return false;
}

/* The number of words and options that would read standard input, of which one alone can do so. */
static int
stdin_uses(void)
{
	const char *operand;
	int k, n = 0;

	for (k = 0; operand_at(k, &operand); k++)
		n += operand && is_stdin(operand);
	if (cmd_st.o.files_from)
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

/* Reports that an operand is missing, unless standard input can take its place. */
static void
need_stdin(const char *operand)
{
	struct stat st;
	const char *advice;
	char text[200];

	cmd_about(AXT_TOO_FEW, operand, NULL);
	if (isatty(STDIN_FILENO))
		cmd_usage(cmd_help_hint(),
		    "operand %s is missing, and standard input is a terminal", operand);
	if (fstat(STDIN_FILENO, &st) != 0 || !S_ISCHR(st.st_mode)) {
		cmd_st.fact = (struct axt_fact){ 0 };
		return;
	}
	snprintf(text, sizeof(text),
	    "operand %s is missing, and standard input is neither a file nor a pipe", operand);
	if (cmd_trying)
		cmd_trial_failed(&cmd_st.fact);
	cmd_say("", text);
	advice = cmd_advice(&cmd_st.fact);
	cmd_hint(advice ? advice : cmd_help_hint());
	cmd_exit(cmd_fail_status());
}

/* Reports the name of the first operand that is missing. */
static void
check_count(int have, int want)
{
	const struct cmd *c = cmd_st.c;
	bool nary = (c->flags & CMD_NARY) != 0;
	/* an option that takes the place of the last tensor leaves one that may be piped */
	bool last = (c->flags & CMD_STDIN) || want < named(c->in);
	const struct cmd_opt *o = given_instead();
	const char *extra = have > want ? cmd_st.args.v[cmd_st.nwords + want] : "";

	if (o && c->words[0] && have == want + 1 && !(c->flags & CMD_SPECS))
		cmd_usage(NULL, "with --%s the only operand is the tensor", o->name);
	if (have > want && !nary) {
		/* without any option, two files are what another command takes */
		if (!c->two || want != 1 || have != 2 || cmd_st.given.n > 0)
			cmd_about(AXT_TOO_MANY, extra, NULL);
		cmd_usage(c->two && want == 1 && have == 2 && cmd_st.given.n == 0 ? c->two
										  : cmd_help_hint(),
		    want == 0 ? "takes no tensor, but \"%s\" was given"
			      : "too many operands: \"%s\"",
		    cmd_name(extra));
	}
	if (have >= want)
		return;
	if (want - have == 1 && (last || (c->flags & CMD_COMMUTES)) && stdin_uses() == 0) {
		need_stdin(c->in[have]);
		insert_stdin(last ? cmd_st.args.n : cmd_st.nwords);
		return;
	}
	cmd_about(AXT_TOO_FEW, c->in[have], NULL);
	cmd_usage(cmd_help_hint(), "operand %s is missing", c->in[have]);
}

/*
 * Splits NAME=OPERAND into names and operands. A FILE without a name has "": its datasets' names
 * are found when it is opened.
 */
static void
split_names(void)
{
	struct cmd_list *l = &cmd_st.args;
	int i;

	for (i = 0; i < l->n; i++)
		cmd_add(&cmd_st.unsplit, l->v[i]);
	for (i = cmd_st.nwords; i < l->n; i++) {
		const char *eq = strchr(l->v[i], '=');

		if (eq && memchr(l->v[i], '/', (size_t)(eq - l->v[i])))
			eq = NULL; /* a slash is in no name, but in a path */
		if (eq && (eq == l->v[i] || eq[1] == '\0'))
			cmd_usage("an operand is NAME=OPERAND, or FILE",
			    "\"%s\" is no NAME=OPERAND", cmd_name(l->v[i]));
		if (eq)
			cmd_add_copy(&cmd_st.names, l->v[i], (size_t)(eq - l->v[i]));
		else
			cmd_add_copy(&cmd_st.names, "", 0);
		l->v[i] += eq ? eq - l->v[i] + 1 : 0;
	}
}

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A file of an expression, whose datasets are known by their names or paths. */
struct named_file {
	const char *word;
	const char *const *operands, *const *paths; /* [n], of which the first are tensors */
	int n, tensors;
};

/*
 * Reports that the expression uses no name of a file. That is an error if the expression lacks a
 * value, since a name of this file may be misspelled in it, and a warning otherwise.
 */
static void
no_name_used(struct axt_graph *g, const char *text, const struct named_file *f,
    const struct cmd_list *names)
{
	char list[400] = "", line[1000];
	size_t used = 0;

	for (int i = 0; i < f->n && used < sizeof(list) - 1; i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s%s", i ? ", " : "",
		    strchr(f->paths[i], '/') ? "/" : "", cmd_name(f->paths[i]));
	snprintf(line, sizeof(line), "the expression has none of the names in %s: %s",
	    cmd_name(f->word), f->n > 0 ? list : "there are none");
	for (int i = 0; i < f->n; i++)
		if (axt_calc_uses(text, f->paths[i]) & AXT_CALC_ASSIGNED)
			snprintf(line, sizeof(line),
			    "the expression does not use %s, and assigns to its name: a == b "
			    "compares",
			    cmd_name(last_part(f->paths[i])));
	if (axt_calc_lacks(text, (const char *const *)names->v, names->n))
		axt_graph_fail(g, AXT_E_NAME, "%s", line);
	else
		cmd_say("warning: ", line);
}

/*
 * Whether the k-th dataset is in a group and has the name of a dataset outside all groups. In an
 * expression that name alone means the latter.
 */
static bool
is_behind(const struct named_file *f, int k)
{
	const char *last = last_part(f->paths[k]);

	for (int i = 0; i < f->n && last > f->paths[k]; i++)
		if (strcmp(f->paths[i], last) == 0)
			return true;
	return false;
}

/* Whether a dataset of the file has that name. */
static bool
is_there(const struct named_file *f, const char *name)
{
	for (int i = 0; i < f->n; i++)
		if (strcmp(last_part(f->paths[i]), name) == 0)
			return true;
	return false;
}

/* Whether FILE:NAME and FILE:/NAME are two words for one dataset. */
static bool
same_dataset(const char *a, const char *b)
{
	size_t n = strcspn(a, ":"), m = strcspn(b, ":");

	return n == m && strncmp(a, b, n) == 0 && a[n] && b[n] &&
	    strcmp(a + n + 1 + (a[n + 1] == '/'), b + n + 1 + (b[n + 1] == '/')) == 0;
}

/* Adds the k-th dataset of the file under that name, unless it is there. */
static void
add_named(struct axt_graph *g, const struct named_file *f, int k, const char *name,
    struct cmd_list *all, struct cmd_list *names)
{
	int j = 0;

	while (j < names->n && strcmp(names->v[j], name) != 0)
		j++;
	if (j < names->n && k >= f->tensors) /* coordinates of one axis in two files */
		return;
	if (j < names->n && same_dataset(all->v[j], f->operands[k]))
		return;
	if (j < names->n)
		cmd_about(AXT_TWICE, name, NULL);
	if (j < names->n)
		axt_graph_fail(g, AXT_E_AMBIG, "\"%s\" is %s and %s: NAME=OPERAND gives one a name",
		    cmd_name(name), cmd_name(all->v[j]), cmd_name(f->operands[k]));
	cmd_add(all, f->operands[k]);
	cmd_add_copy(names, name, strlen(name));
}

/* Adds the datasets of the file that the expression speaks of. */
static void
name_file(struct axt_graph *g, const char *text, struct named_file *f, struct cmd_list *all,
    struct cmd_list *names)
{
	char path[4096];
	int texts;

	f->n = axt_names(g, f->word, &f->operands, &f->paths, &f->tensors, &texts);
	for (int k = 0; k < f->n; k++) {
		const char *member = strrchr(last_part(f->paths[k]), '.');
		int how = axt_calc_uses(text, f->paths[k]);

		/* a member of a compound table, as events.energy, has its own name, too */
		if (how == 0 && member && member[1] != '\0' &&
		    (axt_calc_uses(text, member + 1) & AXT_CALC_BY_NAME) &&
		    !is_there(f, member + 1))
			add_named(g, f, k, member + 1, all, names);

		if ((how & AXT_CALC_BY_NAME) && !is_behind(f, k))
			add_named(g, f, k, last_part(f->paths[k]), all, names);
		snprintf(path, sizeof(path), "/%s", f->paths[k]);
		if (how & AXT_CALC_BY_PATH)
			add_named(g, f, k, path, all, names);
	}
}

/*
 * For a file whose format has no names of tensors, such as .npy, so that its only tensor is called
 * "tensor": lets the expression call it by the file's name without ending. Returns false if the
 * expression does not, or if another operand has that name.
 */
static bool
name_by_stem(struct axt_graph *g, const char *text, const struct named_file *f,
    struct cmd_list *all, struct cmd_list *names)
{
	const char *base = last_part(f->word), *dot = strrchr(base, '.');
	size_t n = dot ? (size_t)(dot - base) : strlen(base);
	char stem[256];

	if (f->tensors != 1 || strcmp(f->paths[0], "tensor") != 0 || strchr(f->word, ':') ||
	    n >= sizeof(stem))
		return false;
	snprintf(stem, sizeof(stem), "%.*s", (int)n, base);
	for (int i = 0; i < names->n; i++)
		if (strcmp(names->v[i], stem) == 0)
			return false;
	if (!(axt_calc_uses(text, stem) & AXT_CALC_BY_NAME))
		return false;
	add_named(g, f, 0, stem, all, names);
	return true;
}

void
cmd_name_files(struct axt_graph *g, const char *text)
{
	struct cmd_list all = { 0 }, names = { 0 };
	int n = cmd_st.names.n, unused = 0;
	struct named_file *f = calloc((size_t)n + 1, sizeof(*f)), *none = f;
	bool good = true;

	if (!f)
		cmd_oom();
	for (int i = 0; i < n && good; i++) {
		int before = names.n;

		f[unused].word = cmd_operand(g, i);
		if (*cmd_st.names.v[i] != '\0') {
			cmd_add(&all, f[unused].word);
			cmd_add_copy(&names, cmd_st.names.v[i], strlen(cmd_st.names.v[i]));
			continue;
		}
		name_file(g, text, &f[unused], &all, &names);
		good = f[unused].n >= 0 && !axt_graph_error(g);
		unused += names.n == before && text[strspn(text, " \t\n;")] != '\0';
	}
	for (; good && none < f + unused && !axt_graph_error(g); none++)
		if (!name_by_stem(g, text, none, &all, &names))
			no_name_used(g, text, none, &names);
	free(f);
	if (good) {
		cmd_st.args.n = cmd_st.nwords;
		for (int i = 0; i < all.n; i++)
			cmd_add(&cmd_st.args, all.v[i]);
		cmd_free_copies(&cmd_st.names);
		cmd_st.names = names;
	} else {
		cmd_free_copies(&names);
	}
	free(all.v);
}

/* Moves specs in front of the tensors, wherever they were typed. */
static void
move_specs(void)
{
	struct cmd_list *l = &cmd_st.args;
	int i, k;

	for (i = cmd_st.nwords; i < l->n; i++) {
		const char *w = l->v[i];

		if (!value_of_spec(w))
			continue;
		for (k = i; k > cmd_st.nwords; k--)
			l->v[k] = l->v[k - 1];
		l->v[cmd_st.nwords++] = w;
	}
}

/*
 * Whether the command line lacks its last operand, whose place standard input takes. This is for
 * commands that count their operands themselves.
 */
static bool
last_is_missing(void)
{
	const struct cmd_list *l = &cmd_st.args;

	if (l->n == cmd_st.nwords)
		return stdin_uses() == 0;
	return (cmd_st.c->flags & CMD_SPEC_OPERANDS) && value_of_spec(l->v[l->n - 1]);
}

static bool
is_file_alone(const char *w)
{
	struct stat st;

	return !strchr(w, ':') && stat(w, &st) == 0;
}

/* Whether w is a FILE alone, or has one after = or @, whose dataset -d names. */
static bool
takes_dataset(const char *w)
{
	const char *at = w + strcspn(w, "=@");

	return is_stdin(w) || is_file_alone(w) ||
	    (*at && (is_stdin(at + 1) || is_file_alone(at + 1)));
}

/* Refuses -d where each operand names its own dataset: it would have no effect. */
static void
check_dataset_option(void)
{
	const struct cmd_list *l = &cmd_st.args, *given = &cmd_st.given;
	const char *d = cmd_st.o.dataset;

	if (!d || l->n == cmd_st.nwords)
		return;
	for (int i = 0; i < given->n; i++)
		if (takes_dataset(given->v[i]))
			return;
	for (int i = 0; i < cmd_st.nwords; i++)
		if (takes_dataset(l->v[i]))
			return;
	for (int i = cmd_st.nwords; i < l->n; i++)
		if (!strchr(l->v[i], ':') || axt_is_number(l->v[i]))
			return;
	cmd_about(AXT_TOO_MANY, "-d", NULL);
	cmd_usage(NULL, "-d %s is for operands that are FILE alone, and %s names its own",
	    cmd_name(d), cmd_name(l->v[cmd_st.nwords]));
}

void
cmd_check_operands(void)
{
	const struct cmd *c = cmd_st.c;
	int words = words_named();

	if (cmd_st.args.n < words) {
		cmd_about(AXT_TOO_FEW, c->words[cmd_st.args.n], NULL);
		cmd_usage(cmd_help_hint(), "operand %s is missing", c->words[cmd_st.args.n]);
	}
	/* in a command without a verb, the first word is a spec, too */
	cmd_st.nwords = (c->flags & CMD_SPECS) && !c->choice ? 0 : words;
	if (c->flags & CMD_SPECS)
		move_specs();
	if (cmd_st.nwords < words)
		cmd_st.nwords = words;
	words = cmd_st.nwords;
	if (cmd_st.o.files_from)
		read_files_from(cmd_st.o.files_from);
	if (c->flags & CMD_NAMED)
		split_names();
	else if (!(c->flags & CMD_FREE))
		check_count(cmd_st.args.n - words, tensors_wanted(cmd_st.args.n - words));
	else if ((c->flags & CMD_STDIN) && last_is_missing()) {
		if (cmd_st.args.n == cmd_st.nwords)
			need_stdin(c->in[0] ? c->in[0] : "A");
		insert_stdin(cmd_st.args.n);
	}
	check_dataset_option();
}

void
cmd_check_stdin(void)
{
	if (stdin_uses() > 1)
		cmd_usage(NULL, "standard input can be read only once");
	if (stdin_uses() == 1 && isatty(STDIN_FILENO))
		cmd_usage(cmd_help_hint(), "standard input is a terminal");
}

void
cmd_tell_operands(struct axt_graph *g)
{
	const char *operand;
	int k;

	for (k = 0; operand_at(k, &operand); k++)
		if (operand)
			axt_graph_operands(g, &operand, 1);
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
	return cmd_st.nwords - words_named();
}

const char *
cmd_spec(struct axt_graph *g, int i)
{
	return cmd_word(g, words_named() + i);
}

const char *
cmd_operand(struct axt_graph *g, int i)
{
	(void)g;
	return cmd_st.args.v[cmd_st.nwords + i];
}

struct axt_open_opts
cmd_open_opts(struct axt_graph *g)
{
	(void)g;
	return (struct axt_open_opts){ .dataset = cmd_st.o.dataset,
		.raw = cmd_st.o.raw,
		.keep_unclear = cmd_st.c->flags & CMD_MOVES,
		.allow_external = cmd_st.o.allow_external,
		.stale = cmd_st.o.stale };
}

struct axt_expr *
cmd_open(struct axt_graph *g, const char *operand, bool duplicates)
{
	struct axt_open_opts o = cmd_open_opts(g);

	o.duplicate_axes = duplicates;
	return cmd_st.c->flags & CMD_NAMED ? axt_open_text(g, operand, &o)
					   : axt_open(g, operand, &o);
}

struct axt_expr *
cmd_labels(struct axt_graph *g, struct axt_expr *a, const char *operand)
{
	struct axt_open_opts o = cmd_open_opts(g);

	return axt_labels_of(g, a, operand, &o);
}

struct axt_expr *
cmd_weights(struct axt_graph *g, struct axt_expr *a, const char *operand)
{
	if (!operand)
		return NULL;
	return strcmp(operand, "area") == 0 || axt_means_field(g, a, operand)
	    ? axt_weights_of(g, a, operand)
	    : cmd_open(g, operand, false);
}

/* Operand i, which is e, with its path if it is one of a whole file. */
static struct axt_expr *
with_path(struct axt_graph *g, struct axt_expr *e, int i)
{
	const char *path = i < cmd_st.paths.n ? cmd_st.paths.v[i] : "";

	return *path == '\0' ? e : axt_set_path(g, e, path);
}

struct axt_expr *
cmd_in(struct axt_graph *g, int i)
{
	return with_path(g, cmd_open(g, cmd_operand(g, i), false), i);
}

struct axt_expr *
cmd_in_text(struct axt_graph *g, int i)
{
	const struct axt_open_opts o = cmd_open_opts(g);

	return with_path(g, axt_open_text(g, cmd_operand(g, i), &o), i);
}

struct axt_expr *const *
cmd_all_in(struct axt_graph *g)
{
	static struct axt_expr **a; /* until the next call */
	int n = cmd_nin(g);

	free(a);
	a = calloc((size_t)n + 1, sizeof(struct axt_expr *));
	if (!a)
		cmd_oom();
	for (int i = 0; i < n; i++)
		a[i] = cmd_in(g, i);
	if (cmd_st.c->flags & CMD_MEET)
		axt_meet_dates(g, n, a);
	return a;
}

const char *const *
cmd_operand_names(struct axt_graph *g)
{
	(void)g;
	return cmd_st.names.v;
}
