/*
 * threads.c - a team of threads for one step. It uses pthreads alone, because the first parallel
 * region of OpenMP costs milliseconds on some machines.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/threads.h"
#include "isa/cpu.h"

/* A waiting thread polls so often before it sleeps: about as long as waking it would take. */
#define SPIN 2000

struct axt_team {
	pthread_mutex_t lock;
	pthread_cond_t next_round;
	atomic_int n, waiting; /* n is INT_MAX until every member is known */
	atomic_uint round;
};

struct member {
	void (*fn)(void *ctx, int id, struct axt_team *team);
	void *ctx;
	int id;
	struct axt_team *team;
	pthread_t thread;
};

static void *
start(void *arg)
{
	struct member *m = arg;

	m->fn(m->ctx, m->id, m->team);
	return NULL;
}

/* The bytes of a thread's stack: few, since address space may be limited. */
#define STACK (1 << 20)

/*
 * Starts a thread in which all signals are blocked, so that the main thread handles them, except
 * those that a fault raises in the thread itself.
 */
int
axt_thread_start(pthread_t *thread, void *(*fn)(void *arg), void *arg)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int r;

	r = pthread_attr_init(&attr);
	if (r)
		return r;
	pthread_attr_setstacksize(&attr, STACK);

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGPIPE);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	r = pthread_create(thread, &attr, fn, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return r;
}

void
axt_team_run(int n, void (*fn)(void *ctx, int id, struct axt_team *team), void *ctx)
{
	struct axt_team t = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, INT_MAX, 0, 0 };
	struct member *m = n > 1 ? calloc((size_t)n, sizeof(*m)) : NULL;
	int made = 1;

	for (; m && made < n; made++) {
		m[made] = (struct member){ fn, ctx, made, &t, 0 };
		if (axt_thread_start(&m[made].thread, start, &m[made]))
			break;
	}
	t.n = made;
	fn(ctx, 0, &t);
	for (int i = 1; i < made; i++)
		pthread_join(m[i].thread, NULL);
	free(m);
	pthread_cond_destroy(&t.next_round);
	pthread_mutex_destroy(&t.lock);
}

/*
 * Waits until all threads of the team are here. As long as their number is not known, n is INT_MAX.
 * That ends, since the caller of axt_team_run is a member of the team, and knows how many threads
 * were started before it comes here for the first time.
 */
void
axt_team_barrier(struct axt_team *t)
{
	unsigned round = t->round;

	if (++t->waiting == t->n) {
		t->waiting = 0;
		pthread_mutex_lock(&t->lock);
		t->round++;
		pthread_cond_broadcast(&t->next_round);
		pthread_mutex_unlock(&t->lock);
		return;
	}
	for (int i = 0; i < SPIN && round == t->round; i++)
		CPU_PAUSE();
	if (round != t->round)
		return;
	pthread_mutex_lock(&t->lock);
	while (round == t->round)
		pthread_cond_wait(&t->next_round, &t->lock);
	pthread_mutex_unlock(&t->lock);
}

int
axt_team_size(const struct axt_team *t)
{
	return t->n;
}

int
axt_threads_default(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return MAX(1, CPU_COUNT(&set));
}
