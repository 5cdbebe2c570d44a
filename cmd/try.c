/*
 * try.c - tries the line that a hint names, before the hint is printed. A line that fails is a
 * second mistake: what is said of that one is the better hint. Words of the line may come from
 * a file, as names of axes do: so it only tells its plan, and is confined before it reads a word.
 */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guess.h"

extern char **environ;

/* Set for a command that is only tried. */
#define TRIED "AXT_HINTS"
enum { MOST_HINTS = 3, MOST_WORDS = 64, PATIENCE = 5000 /* milliseconds */ };

/* Words with which a sentence goes on behind the line. */
static const char prose[] =
    "or is are the then does do with without takes shows sets of in as if it and there to lists "
    "tells how them joins replaces makes gives keeps reads has";

/*
 * Takes the line apart with which the text begins, in place. 0: that is no line of one command, or
 * it reads standard input.
 */
static int
words_of(char *line, char *argv[], bool *alone)
{
	char *to = line, *p = line;
	int n = 0;

	*alone = true;
	if (strncmp(line, "axt-", 4) != 0)
		return 0;
	for (p += strspn(p, " "); *p; p += strspn(p, " ")) {
		bool quoted = false, plain = true;

		if (n + 2 >= MOST_WORDS)
			return 0;
		argv[n] = to;
		for (; *p && (quoted || *p != ' '); p++) {
			if (*p == '\'') {
				quoted = !quoted;
				plain = false;
			} else if (!quoted && (*p == ';' || strncmp(p, ", ", 2) == 0)) {
				p += strlen(p) - 1; /* a sentence follows */
				*alone = false;
			} else if (!quoted && strchr("|<>&$`()\"\\*?[", *p)) {
				return 0;
			} else {
				*to++ = *p;
			}
		}
		p += *p == ' ';
		*to++ = '\0';
		if (strcmp(argv[n], "-") == 0)
			return 0;
		if (plain && axt_has_word(prose, argv[n])) {
			*alone = false;
			break;
		}
		n++;
	}
	return n;
}

/* Whether the word names a file that is there and was not typed: the line is an example. */
static bool
is_example(const char *word)
{
	const char *w = strpbrk(word, "=@");
	char path[4096];

	w = w && guess_is_file(w + 1) ? w + 1 : word;
	if (!guess_is_file(w))
		return false;
	snprintf(path, sizeof(path), "%.*s", (int)strcspn(w, ":"), w);
	for (int i = 1; i < cmd_st.argc; i++)
		if (strstr(cmd_st.argv[i], path))
			return false;
	return true;
}

/* Whether the line may read what stands on standard input, which cannot be read twice. */
static bool
needs_input(char *const argv[], int n)
{
	struct stat st;

	for (int i = 1; i < n; i++)
		if (strchr(argv[i], '.'))
			return false;
	return fstat(STDIN_FILENO, &st) == 0 && !S_ISCHR(st.st_mode);
}

/* The command of that name, beside this one; false: there is none. */
static bool
path_of(const char *name, char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash || strchr(name, '/'))
		return false;
	snprintf(slash + 1, size - (size_t)(slash + 1 - path), "%s", name);
	return access(path, X_OK) == 0;
}

/* Starts the line in a new process, whose standard error is fd[1]; -1: that failed. */
static pid_t
start(char *argv[], const int fd[2])
{
	posix_spawn_file_actions_t a;
	char path[PATH_MAX];
	pid_t pid = -1;

	if (!path_of(argv[0], path, sizeof(path)) || setenv(TRIED, "1", 1) != 0 ||
	    posix_spawn_file_actions_init(&a) != 0)
		return -1;
	if (posix_spawn_file_actions_addopen(&a, STDIN_FILENO, "/dev/null", O_RDONLY, 0) != 0 ||
	    posix_spawn_file_actions_addopen(&a, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&a, fd[1], STDERR_FILENO) != 0 ||
	    posix_spawn(&pid, path, &a, NULL, argv, environ) != 0)
		pid = -1;
	unsetenv(TRIED);
	posix_spawn_file_actions_destroy(&a);
	return pid;
}

/* Writes to `said` what the line says on standard error; false: it works, or was not tried. */
static bool
fails(char *argv[], char *said, size_t size)
{
	int fd[2], status = 0;
	size_t n = 0;
	ssize_t got = 1;
	pid_t pid;

	if (pipe(fd) != 0)
		return false;
	fcntl(fd[0], F_SETFD, FD_CLOEXEC);
	fcntl(fd[1], F_SETFD, FD_CLOEXEC);
	pid = start(argv, fd);
	close(fd[1]);
	while (pid > 0 && got > 0 && n < size - 1) {
		struct pollfd p = { .fd = fd[0], .events = POLLIN };

		got = poll(&p, 1, PATIENCE) > 0 ? read(fd[0], said + n, size - 1 - n) : -1;
		n += got > 0 ? (size_t)got : 0;
	}
	said[n] = '\0';
	close(fd[0]);
	if (pid > 0 && got < 0)
		kill(pid, SIGKILL);
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
	    (WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 2);
}

/* Whether the line fails for a file that was not typed, but is an example in the hint. */
static bool
lacks_example(const char *said)
{
	const char *end = strstr(said, ": No such file"), *from;
	char name[1000];

	if (!end)
		return false;
	for (from = end; from > said && !strchr(" \n", from[-1]);)
		from--;
	snprintf(name, sizeof(name), "%.*s", (int)(end - from), from);
	for (int i = 1; i < cmd_st.argc; i++)
		if (strstr(cmd_st.argv[i], name)) /* also behind AXIS= */
			return false;
	return true;
}

/* Takes out the option with which the line was tried. */
static void
without(char *text, const char *option)
{
	size_t n = strlen(option);

	for (char *p = text; (p = strstr(p, option));)
		memmove(p, p + n, strlen(p + n) + 1);
}

bool
cmd_is_hint_tried(void)
{
	return getenv(TRIED) != NULL;
}

/*
 * Tries the line with which the text begins. false: it works, or cannot be tried; else `said` has
 * what it says.
 */
static bool
line_fails(const char *text, char *said, size_t size, char mark[80])
{
	char line[2000], *argv[MOST_WORDS], explain[] = "--explain";
	struct axt_launch by;
	bool alone;
	int n, at;

	snprintf(line, sizeof(line), "%s", text);
	n = words_of(line, argv, &alone);
	for (int i = 1; i < n; i++)
		if (is_example(argv[i]))
			return false;
	if (n == 0 || needs_input(argv, n) ||
	    axt_launched(&by)) /* a process of mpirun starts no other */
		return false;
	for (at = 1; at < n && strcmp(argv[at], "--") != 0;) /* behind that it were an operand */
		at++;
	memmove(argv + at + 1, argv + at, (size_t)(n - at) * sizeof(argv[0]));
	argv[at] = explain;
	argv[n + 1] = NULL;
	snprintf(mark, 80, "%.60s: hint: ", argv[0]);
	return fails(argv, said, size) && !strstr(said, "option --explain") && !lacks_example(said);
}

/* The hint in what a line that failed says, without the option of the trial; NULL: none. */
static char *
hint_in(char *said, const char *mark)
{
	char *hint = strstr(said, mark); /* the last one: warnings may have some, too */

	for (char *next = hint; next; next = strstr(next + 1, mark))
		hint = next;
	if (!hint)
		return NULL;
	hint += strlen(mark);
	hint[strcspn(hint, "\n")] = '\0';
	without(hint, " --explain");
	return strstr(hint, "axt-") && !strstr(hint, " -h ") ? hint : NULL;
}

/* What cmd_try_hint does, for a hint that `above` others led to. */
static bool
try_hint(char *text, size_t size, int above)
{
	char said[4096], again[2000], mark[80], *hint, *argv[MOST_WORDS];
	bool alone;

	if (above >= MOST_HINTS || !line_fails(text, said, sizeof(said), mark))
		return false;
	hint = hint_in(said, mark);
	if (!hint)
		return false;
	try_hint(hint, sizeof(said) - (size_t)(hint - said), above + 1);
	if (strlen(hint) >= size || line_fails(hint, again, sizeof(again), mark))
		return false;
	/* more than a line: what is wrong with the data, and not with the line */
	snprintf(again, sizeof(again), "%s", hint);
	if ((words_of(again, argv, &alone) == 0 ? !strchr(hint, '|') : !alone) &&
	    strlen(text) + strlen(hint) + 10 < size) {
		strcat(text, strncmp(hint, "axt-", 4) == 0 ? "; then: " : ", but ");
		strcat(text, hint);
	} else {
		snprintf(text, size, "%s", hint);
	}
	return true;
}

bool
cmd_try_hint(char *text, size_t size)
{
	return !cmd_is_hint_tried() && try_hint(text, size, 0);
}
