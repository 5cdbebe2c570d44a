/*
 * usage.c - what a command tells of itself, made from its rows: -h, the synopsis, the list for
 * completion, messages.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "priv.h"

const char *
cmd_name(const char *s)
{
	static char buf[4][256];
	static int turn;

	turn = (turn + 1) % 4;
	return axt_escape_to(buf[turn], sizeof(buf[turn]), s);
}

/* Prints a line with one write, so that lines of several commands in a pipeline do not mix. */
void
cmd_say(const char *kind, const char *text)
{
	char line[2048];
	int n = snprintf(line, sizeof(line) - 1, "%s: %s%s", cmd_st.c->name, kind, text);

	if (n < 0)
		return;
	if (n > (int)sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	if (*kind && cmd_said_before(line, (size_t)n))
		return;
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)n) < 0)
		return; /* standard error is closed */
}

/* Whether the word was typed as an output, behind an option. */
static bool
typed_output(const char *word)
{
	bool other_tool = strcmp(cmd_st.c->name, "axt") == 0; /* whose last word is the output */

	for (int i = 1; i < cmd_st.argc; i++) {
		const char *w = cmd_st.argv[i], *eq = *w == '-' ? strchr(w, '=') : NULL;

		if ((strcmp(w, word) == 0 && (other_tool || *cmd_st.argv[i - 1] == '-')) ||
		    (eq && strcmp(eq + 1, word) == 0))
			return true;
	}
	return false;
}

/* A name like that of a file, of which there is none. */
static void
free_name(const char *name, char *out, size_t size)
{
	const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
	int n = (int)(dot ? (size_t)(dot - name) : strlen(name));

	snprintf(out, size, "%s", name);
	for (int k = 2; access(out, F_OK) == 0 && k < 1000; k++)
		snprintf(out, size, "%.*s_%d%s", n, name, k, dot ? dot : "");
}

void
cmd_hint(const char *text)
{
	char line[2048], word[500] = "", was[500] = "", name[520] = "";
	size_t used = 0;
	bool output = false;

	for (size_t n; *text && used < sizeof(line) - 1; text += n) {
		n = *text == ' ' ? 1 : strcspn(text, " :");
		n += n == 0;
		snprintf(word, sizeof(word), "%.*s", (int)n, text);
		if (output && *text != ' ' && n < sizeof(word) && strpbrk(word, "./") &&
		    text[n] != ':' && access(word, F_OK) == 0 && !typed_output(word)) {
			strcpy(was, word);
			free_name(word, name, sizeof(name));
		}
		/* a line that goes on with the output calls it so, too */
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s",
		    *was && strcmp(word, was) == 0 ? name : word);
		output = strcmp(word, "-o") == 0 || (output && *text == ' ');
	}
	cmd_say("hint: ", line);
}

void *
cmd_kept(size_t n)
{
	/* all of them can be reached, so that none is a leak */
	static struct block {
		struct block *before;
		max_align_t bytes[];
	} * last;
	struct block *b = calloc(1, sizeof(*b) + n);

	if (!b)
		cmd_oom();
	b->before = last;
	last = b;
	return b->bytes;
}

__attribute__((noreturn)) void
cmd_exit(int status)
{
	axt_stop_ranks(status);
	axt_leave_ranks();
	exit(status);
}

__attribute__((noreturn)) void
cmd_oom(void)
{
	cmd_say("", "out of memory");
	cmd_exit(cmd_fail_status());
}

/* Copies a word, or makes none of one that does not fit. */
static void
keep(char *out, size_t size, const char *word)
{
	out[0] = '\0';
	if (word && strlen(word) < size)
		strcpy(out, word);
}

void
cmd_about(enum axt_about about, const char *word, const char *of)
{
	cmd_st.fact = (struct axt_fact){ .about = about };
	keep(cmd_st.fact.word, sizeof(cmd_st.fact.word), word);
	keep(cmd_st.fact.of, sizeof(cmd_st.fact.of), of);
}

__attribute__((noreturn)) void
cmd_usage(const char *hint, const char *fmt, ...)
{
	va_list ap;
	char text[1500], line[2000];
	const char *advice;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (cmd_trying)
		cmd_trial_failed(&cmd_st.fact);
	if (cmd_first_says(text))
		cmd_exit(2);
	cmd_say("", text);
	if (hint) /* it may stand in a buffer that is used again */
		snprintf(line, sizeof(line), "%s", hint);
	advice = cmd_advice(&cmd_st.fact);
	if (advice || hint)
		cmd_hint(advice ? advice : line);
	cmd_exit(2);
}

__attribute__((noreturn)) void
cmd_unknown(const char *what, const char *word)
{
	char hint[500], bare[100];

	cmd_about(AXT_NO_CHOICE, word, NULL);
	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(word, ":"), word);
	if (!axt_foreign_line(word, hint, sizeof(hint)) &&
	    !axt_foreign_line(bare, hint, sizeof(hint)))
		snprintf(hint, sizeof(hint), "%s -h lists them", cmd_st.c->name);
	cmd_usage(hint, "unknown %s \"%s\"", what, cmd_name(word));
}

/* Prints a piece of the synopsis, on a new line if it would go beyond column 80. */
static void
piece(const char *s, size_t *col)
{
	size_t n = strlen(s);

	if (*col + 1 + n > 79) {
		printf("\n       ");
		*col = 7;
	}
	printf(" %s", s);
	*col += 1 + n;
}

/* The words and tensors of the synopsis of a command without a text for them, such as "OP [A]". */
static const char *
operands(void)
{
	static char text[400];
	const struct cmd *c = cmd_st.c;
	const struct cmd_opt *o = c->opts;
	size_t n = 0;

	while (o && o->type != CMD_T_END && !o->instead)
		o++;
	text[0] = '\0';
	for (int i = 0; i < 4 && c->words[i]; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, o && o->instead ? " [%s]" : " %s",
		    c->words[i]);
	for (int i = 0; i < 4 && c->in[i]; i++) {
		bool last = i == 3 || !c->in[i + 1];

		n += (size_t)snprintf(text + n, sizeof(text) - n,
		    last && (c->flags & CMD_STDIN) ? " [%s]" : " %s", c->in[i]);
		if (last && (c->flags & CMD_NARY))
			n += (size_t)snprintf(text + n, sizeof(text) - n, " ...");
	}
	return text + (n > 0);
}

const char *
cmd_help_hint(void)
{
	static char hint[500];
	const char *name = cmd_st.c->name,
		   *line = cmd_st.c->operands ? cmd_st.c->operands : operands();

	snprintf(hint, sizeof(hint), "%s %s; %s -h tells how", name, line, name);
	return hint;
}

/* Prints "usage: axt-reduce [--to AXES] ... [option ...] OP [A]". */
static void
synopsis(void)
{
	const struct cmd *c = cmd_st.c;
	size_t col = strlen("usage: ") + strlen(c->name);
	const struct cmd_opt *o;
	char buf[128];

	printf("usage: %s", c->name);
	for (o = c->opts; o && o->type != CMD_T_END; o++) {
		snprintf(buf, sizeof(buf), o->arg ? "[--%s %s]" : "[--%s]", o->name, o->arg);
		piece(buf, &col);
	}
	if (!(c->flags & CMD_BARE))
		piece("[option ...]", &col);
	if (c->operands)
		piece(c->operands, &col);
	else
		for (const char *p = operands(); *p; p += strspn(p, " ")) {
			size_t n = strcspn(p, " ");

			snprintf(buf, sizeof(buf), "%.*s", (int)n, p);
			piece(buf, &col);
			p += n;
		}
	putchar('\n');
}

static void
option_line(const struct cmd_opt *o)
{
	char head[128];
	int n = 0;

	if (o->letter != 0)
		n = snprintf(head, sizeof(head), "  -%c, --%s", o->letter, o->name);
	else
		n = snprintf(head, sizeof(head), "      --%s", o->name);
	if (o->arg)
		n += snprintf(head + n, sizeof(head) - (size_t)n, " %s", o->arg);
	if (n > 31)
		printf("%s\n%33s%s\n", head, "", o->help);
	else
		printf("%-31s  %s\n", head, o->help);
}

void
cmd_help(void)
{
	const struct cmd *c = cmd_st.c;
	const struct cmd_opt *o;
	const char *name, *line;
	int i;

	synopsis();
	printf("\n%s\n", c->line);
	if (c->choice) {
		printf("\n%s:\n", c->words[0]);
		for (i = 0; c->choice(i, &name, &line); i++)
			printf("  %-12s  %s\n", name, line);
	}
	if (c->opts && c->opts->type != CMD_T_END) {
		printf("\noptions:\n");
		for (o = c->opts; o->type != CMD_T_END; o++)
			option_line(o);
	}
	if (c->flags & CMD_BARE)
		return;
	printf("\ncommon options, described in axt(1):\n");
	for (o = cmd_common_opts; o->type != CMD_T_END; o++)
		if (cmd_has(o))
			option_line(o);
}

/* Whether the row is one of those that commands share. */
static bool
is_common(const struct cmd_opt *o)
{
	const struct cmd_opt *p = cmd_common_opts;

	while (p->type != CMD_T_END && p != o)
		p++;
	return p == o;
}

/*
 * Prints the rows that completion is made from, one per line, with tabs between fields:
 * command NAME LINE
 * option LETTER NAME ARG HELP, first the command's own ones
 * common, between these and the options that many commands have
 * commutes, if the operands of the command may change places
 * axes, if some words of the command are axes
 * word VALUE LINE, for each value of the command's first word
 */
void
cmd_list_options(void)
{
	const struct cmd_opt *o;
	const char *name, *line;
	bool common = false;
	int k;

	printf("command\t%s\t%s\n", cmd_st.c->name, cmd_st.c->line);
	for (k = 0; (o = cmd_opt_at(k)); k++) {
		if (!common && is_common(o)) {
			puts("common");
			common = true;
		}
		printf("option\t%s%c\t--%s\t%s\t%s\n", o->letter != 0 ? "-" : "",
		    o->letter != 0 ? o->letter : '-', o->name, o->arg ? o->arg : "", o->help);
	}
	if (cmd_st.c->flags & CMD_COMMUTES)
		puts("commutes");
	for (k = 0; k < 4 && cmd_st.c->words[k]; k++)
		if (strncmp(cmd_st.c->words[k], "AX", 2) == 0 ||
		    strncmp(cmd_st.c->words[k], "OLD=", 4) == 0) {
			puts("axes");
			break;
		}
	for (k = 0; cmd_st.c->choice && cmd_st.c->choice(k, &name, &line); k++)
		printf("word\t%s\t%s\n", name, line);
}

int
cmd_flush(int status)
{
	bool bad = ferror(stdout) != 0;
	char text[256];

	errno = 0;
	if (cmd_close_stdout() != 0)
		bad = true;
	if (!bad)
		return status;
	snprintf(text, sizeof(text), "standard output: %s",
	    errno != 0 ? strerror(errno) : "write failed");
	cmd_say("", text);
	return cmd_st.c->fail != 0 ? cmd_st.c->fail : 1;
}
