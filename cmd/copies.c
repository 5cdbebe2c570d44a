/* copies.c - whether a launcher of parallel jobs runs several copies of this command. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "priv.h"

#define PATIENCE 60 /* seconds in which all processes of a job begin, if one of them has failed */

/* Whether process pid was started with the variable in its environment. */
static bool
was_given(long pid, const char *variable)
{
	size_t n = strlen(variable), cap = 0;
	bool found = false;
	char path[64], *s = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/environ", pid);
	f = fopen(path, "r");
	while (f && !found && getdelim(&s, &cap, '\0', f) > 0)
		found = strncmp(s, variable, n) == 0 && s[n] == '=';
	free(s);
	if (f)
		fclose(f);
	return found;
}

/* The parent of process pid; 0: that cannot be told. */
static long
parent_of(long pid)
{
	char path[64], line[512], *end;
	long parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	f = fopen(path, "r");
	/* "PID (NAME) STATE PARENT ...", where the name may have any characters */
	if (f && fgets(line, sizeof(line), f) && (end = strrchr(line, ')')) && strlen(end) > 4)
		parent = strtol(end + 4, NULL, 10);
	if (f)
		fclose(f);
	return parent;
}

/*
 * Whether standard output is a pipe to another command of the same copy of the script. The oldest
 * ancestor with the launcher's variable, such as the shell of the copy, has the output at which all
 * copies meet; a pipe that the copy made itself is another one.
 */
static bool
is_piped_within(const struct axt_launch *by)
{
	struct stat own, first;
	long pid = getpid(), parent = pid;
	char path[64];

	if (fstat(STDOUT_FILENO, &own) || !(S_ISFIFO(own.st_mode) || S_ISSOCK(own.st_mode)))
		return false;
	while ((parent = parent_of(pid)) > 1 && was_given(parent, by->variable))
		pid = parent;
	snprintf(path, sizeof(path), "/proc/%ld/fd/%d", pid, STDOUT_FILENO);
	return pid != getpid() && stat(path, &first) == 0 &&
	    (first.st_dev != own.st_dev || first.st_ino != own.st_ino);
}

/* Whether what goes to standard output is thrown away: to /dev/null. */
static bool
goes_nowhere(void)
{
	struct stat st;

	return fstat(STDOUT_FILENO, &st) == 0 && S_ISCHR(st.st_mode) && !isatty(STDOUT_FILENO);
}

/* Ends the program: each copy would write to the file, or to standard output if it is NULL. */
static void
refuse(const struct axt_launch *by, const char *file, const char *way)
{
	char hint[256];

	snprintf(hint, sizeof(hint), "%s; --copies lets each of them run, for files of their own",
	    way);
	cmd_usage(hint,
	    "this is one of %ld copies that %s runs (%s=%ld), and each would write%s%s%s%s",
	    by->processes, by->launcher, by->variable, by->processes,
	    file ? " " : " to standard output", file ? file : "",
	    by->joins || !*by->why ? "" : "; they cannot be one job: ", by->joins ? "" : by->why);
}

void
cmd_refuse_copies(const char *file)
{
	struct axt_launch by;
	char way[128];

	if (cmd_st.o.copies || !axt_launched(&by))
		return;
	snprintf(way, sizeof(way), "without %s one copy uses all cores", by.launcher);
	refuse(&by, file, way);
}

void
cmd_refuse_copies_shown(void)
{
	struct axt_launch by;
	char way[128];

	if (cmd_st.o.copies || !axt_launched(&by) || goes_nowhere() || is_piped_within(&by))
		return;
	if (by.joins && (cmd_st.c->flags & CMD_WRITES))
		snprintf(way, sizeof(way), "-o FILE makes them one job");
	else
		snprintf(way, sizeof(way), "without %s one copy uses all cores", by.launcher);
	refuse(&by, NULL, way);
}

bool
cmd_joins_ranks(void)
{
	struct axt_launch by;

	if (cmd_st.o.copies || cmd_st.o.part || !axt_launched(&by) || !by.joins)
		return false;
	if (by.rank > 0) /* the first tells what all have to tell */
		cmd_st.o.quiet = true;
	return true;
}

static char last_words[2048];

/* The others have not come: they wait for something, or run another command. Ends the job. */
static void
on_alarm(int sig)
{
	(void)sig;
	if (write(STDERR_FILENO, last_words, strlen(last_words)) < 0)
		_exit(1);
	/* a launcher may wait for the others after a status, but not after a signal */
	raise(SIGTERM);
}

/* From now on this process, which has failed, waits for the others of its job, but not for long. */
static void
wait_with(const char *message)
{
	snprintf(last_words, sizeof(last_words), "%s: %s\n", cmd_st.c->name, message);
	signal(SIGALRM, on_alarm);
	alarm(PATIENCE);
}

void
cmd_fail_jointly(struct axt_graph *g)
{
	const struct cmd_common *o = &cmd_st.o;

	if (!o->output || strcmp(o->output, "-") == 0 || o->explain ||
	    (cmd_st.c->flags & CMD_WRITES) != CMD_WRITES || !cmd_joins_ranks())
		return;
	wait_with(axt_graph_error(g));
	axt_save_ranks(g, NULL, 0, NULL);
	alarm(0);
}

bool
cmd_first_says(const char *text)
{
	static const char *const alone[] = { "--explain", "--copies", "--part", "--into" };
	bool said = false;
	char *line;

	for (size_t i = 0; i < sizeof(alone) / sizeof(*alone); i++)
		if (cmd_typed(alone[i]))
			return false;
	if ((cmd_st.c->flags & (CMD_WRITES | CMD_EXPRESSION)) != CMD_WRITES ||
	    !(cmd_typed("-o") || cmd_typed("--output")) || !cmd_joins_ranks())
		return false;
	wait_with(text);
	line = cmd_typed_line();
	said = axt_fail_ranks(line);
	free(line);
	alarm(0);
	return said;
}

/* Processes of a job other than the first end here, unless they do the command by themselves. */
void
cmd_join_ranks(struct axt_graph *g)
{
	char *line = cmd_typed_line();
	int status = axt_join_ranks(g, line);

	free(line);
	if (status >= 0)
		exit(cmd_finish(g, status));
}
