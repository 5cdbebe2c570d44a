/*
 * try.c - tries a line before it is told: a copy of this process reads its words and builds its
 * expression, and ends where a value would be read, or anything would be written.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "advice.h"

enum { PATIENCE = 2 }; /* seconds */

bool cmd_trying;

/* What the copy tells. */
static struct told {
	enum advice_trial how;
	struct advice_refusal refused;
} * told;

static void
reached(void)
{
	told->how = ADVICE_WORKS;
	_exit(0);
}

void
cmd_trial_failed(const struct axt_fact *why)
{
	told->how = ADVICE_FAILS;
	advice_refuse(&told->refused, why);
	_exit(0);
}

/* Standard input of the copy: a pipe that nobody writes to, where the command has one. */
static int
input(bool piped)
{
	struct stat st;
	int fd[2];

	if (!piped && (fstat(STDIN_FILENO, &st) != 0 || S_ISCHR(st.st_mode)))
		return open("/dev/null", O_RDONLY);
	return pipe(fd) == 0 ? fd[0] : -1;
}

__attribute__((noreturn)) static void
carry_out(const struct advice_line *l)
{
	char *argv[ADVICE_WORDS + 1] = { NULL };
	int status, in = input(l->from != NULL), out = open("/dev/null", O_WRONLY);

	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(1);
	for (int i = 0; i < l->n; i++)
		argv[i] = strdup(l->v[i]);
	alarm(PATIENCE);
	cmd_trying = true;
	axt_look_only(reached);
	cmd_reset();
	status = cmd_run(l->n, argv);
	/* where another status means an error, this one is an answer */
	told->how = status == 0 || (cmd_st.c->fail != 0 && status != cmd_st.c->fail) ? ADVICE_WORKS
										     : ADVICE_FAILS;
	_exit(0);
}

enum advice_trial
advice_try(struct advice_line *l)
{
	struct advice_refusal *refused;
	struct axt_launch by;
	pid_t pid;

	if (l->from) {
		struct advice_line from = *l->from;

		if (advice_try(&from) != ADVICE_WORKS)
			return ADVICE_UNTRIED;
	}
	if (!told) {
		told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		    -1, 0);
		if (told == MAP_FAILED)
			told = NULL;
	}
	if (!told || axt_launched(&by)) /* a process of mpirun makes no other */
		return ADVICE_UNTRIED;
	*told = (struct told){ .how = ADVICE_UNTRIED };
	pid = fork();
	if (pid == 0)
		carry_out(l);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		return ADVICE_UNTRIED;
	refused = malloc(sizeof(*refused));
	if (!refused)
		cmd_oom();
	*refused = told->refused;
	l->refused = refused;
	return told->how;
}
