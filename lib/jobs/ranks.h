/*
 * ranks.h - one job in several processes, the ranks of MPI, which are numbered from 0.
 */
#ifndef AXT_JOBS_RANKS_H
#define AXT_JOBS_RANKS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The functions of mpi.c, which its library has under the name AXT_RANKS_TABLE. All ranks must call
 * the functions in the same order. An error of MPI ends all processes.
 */
struct axt_ranks_table {
	/*
	 * here: how many ranks are on the machine of this one. lost: what to do before all ranks
	 * end because one of them is gone.
	 */
	void (*begin)(int *rank, int *size, int *here, void (*lost)(void));
	/* Replaces n bytes by those of rank 0. */
	void (*broadcast)(void *p, int n);
	/* The least of the numbers that ranks give. */
	int64_t (*least)(int64_t x);
	/* Replaces n numbers by their sums over all ranks. */
	void (*sum)(int64_t *x, int n);
	/* all[k * n .. (k + 1) * n) become the n bytes that rank k gives, on all ranks. */
	void (*gather)(const void *p, int n, void *all);
	/*
	 * Sends nsend[k] bytes from send + send_at[k] to each rank k, and takes ntake[k] bytes from
	 * it to take + take_at[k].
	 */
	void (*exchange)(const void *send, const int *nsend, const int *send_at, void *take,
	    const int *ntake, const int *take_at);
	/* Gives n bytes to a rank, which takes them. */
	void (*give)(const void *p, int n, int to);
	void (*take)(void *p, int n, int from);
	void (*end)(void);
};
#define AXT_RANKS_TABLE "axt_ranks_mpi"

/* The processes of a job, to one of them. */
struct axt_job;
struct axt_ranks {
	const struct axt_ranks_table *t;
	int rank, size;
	int here;                  /* ranks on the machine of this one */
	const struct axt_job *job; /* what they make together, once that is known */
};

/*
 * In exchange.c: bytes that a rank may keep in memory of each of n tensors, where it has so many
 * for all.
 */
int64_t axt_ranks_keep(const struct axt_ranks *by, int64_t memory, int n);

/*
 * In launchers.c: loads the functions for the MPI of the launcher that runs this process. They stay
 * loaded. NULL: no launcher runs it, or there is no library for the MPI.
 */
const struct axt_ranks_table *axt_ranks_load(void);

#endif
