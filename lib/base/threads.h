/* threads.h - teams of threads, which do one job at a time. */
#ifndef AXT_BASE_THREADS_H
#define AXT_BASE_THREADS_H

#include <pthread.h>

#include "base/base.h"

/*
 * Runs fn(ctx, id, team) for id in [0, n) at once, in the caller too; returns when
 * all have. Fewer when the system gives fewer.
 */
struct axt_team;
void axt_team_run(int n, void (*fn)(void *ctx, int id, struct axt_team *team), void *ctx);
/* Waits until every member came here. */
void axt_team_barrier(struct axt_team *t);
int axt_team_size(const struct axt_team *t);
/* One thread beside the team; 0, or an error number. */
int axt_thread_start(pthread_t *thread, void *(*fn)(void *arg), void *arg);
/* Processors this process may use. */
int axt_threads_default(void);

#endif
