/*
 * ranks.h - one job in several processes, the ranks of MPI, which are numbered from 0.
 */
#ifndef AXT_JOBS_RANKS_H
#define AXT_JOBS_RANKS_H

#include <stdint.h>

/*
 * What mpi.c does, under the name AXT_RANKS_TABLE in its library. All ranks call the functions in
 * the same order. An error of MPI ends the processes of all ranks.
 */
struct axt_ranks_table {
	void (*begin)(int *rank, int *size);
	/* Replaces n bytes by those of rank 0. */
	void (*broadcast)(void *p, int n);
	/* The least of the numbers that ranks give. */
	int64_t (*least)(int64_t x);
	void (*end)(void);
};
#define AXT_RANKS_TABLE "axt_ranks_mpi"

/*
 * In launchers.c: the functions for the MPI of the launcher that runs this process, or NULL: there
 * is no launcher, or no library for its MPI. It stays loaded.
 */
const struct axt_ranks_table *axt_ranks_load(void);

#endif
