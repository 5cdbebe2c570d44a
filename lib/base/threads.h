/* threads.h - a team: threads that run one function together and meet at barriers. */
#ifndef AXT_BASE_THREADS_H
#define AXT_BASE_THREADS_H

#include <pthread.h>

#include "base/base.h"

/*
 * Runs fn(ctx, id, team) for each id in [0, n) at the same time, one of them in the caller, and
 * returns when all have returned. The team is smaller when the system refuses to start that many
 * threads.
 */
struct axt_team;
void axt_team_run(int n, void (*fn)(void *ctx, int id, struct axt_team *team), void *ctx);
/* Returns when every thread of the team has called it. */
void axt_team_barrier(struct axt_team *t);
int axt_team_size(const struct axt_team *t);
/* Starts one thread outside of any team. Returns 0, or an error number. */
int axt_thread_start(pthread_t *thread, void *(*fn)(void *arg), void *arg);
/* How many processors this process may use. */
int axt_threads_default(void);

#endif
