/*
 * mpi.c - the functions of ranks.h in MPI. It is compiled by mpicc of each implementation, and once
 * for the standard interface of MPI 5.0, each time into a library of its own.
 */
#ifdef AXT_MPI_ABI
#include "jobs/mpi_abi.h"
#else
#include <mpi.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "jobs/ranks.h"

/*
 * Implementations of MPI wait for other ranks by looking again and again, which takes a whole core.
 * A rank that waits for one which computes looks so for SPIN nanoseconds, and then sleeps in
 * between: an eighth of the time that it has waited, and at most LONGEST. What moves many bytes
 * begins when all are there, so that nothing sleeps then.
 */
#define SPIN 100000L
#define LONGEST 4000000L
#define SMALL 1024 /* bytes: messages that each implementation sends before they are asked for */

#ifdef OPEN_MPI
/*
 * Where all ranks are on one machine, tells Open MPI to connect them by shared memory: it would
 * look for networks, which takes more than a second. Variables that the user has set stay.
 */
static void
near(void)
{
	const char *local = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
	const char *all = getenv("OMPI_COMM_WORLD_SIZE");

	if (!local || !all || strcmp(local, all) != 0)
		return;
	setenv("OMPI_MCA_pml", "ob1", 0);
	setenv("OMPI_MCA_btl", "self,vader", 0);
}
#else
static void
near(void)
{
}
#endif

static void
begin(int *rank, int *size)
{
	near();
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, size);
}

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Sleeps as long as somebody should who has waited since then. */
static void
rest(int64_t since)
{
	int64_t waited = now() - since;
	long pause = waited / 8 < LONGEST ? (long)(waited / 8) : LONGEST;

	if (waited > SPIN)
		nanosleep(&(struct timespec){ .tv_nsec = pause }, NULL);
}

static void
finish(MPI_Request *r)
{
	int64_t since = now();
	int done = 0;

	while (MPI_Test(r, &done, MPI_STATUS_IGNORE), !done)
		rest(since);
}

/* Waits until all ranks have come here. */
static void
meet(void)
{
	MPI_Request r;

	MPI_Ibarrier(MPI_COMM_WORLD, &r);
	finish(&r);
}

/* Waits until a rank has sent something, which is then taken at once. */
static void
await(int from)
{
	int64_t since = now();
	int there = 0;

	while (MPI_Iprobe(from, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), !there)
		rest(since);
}

static void
broadcast(void *p, int n)
{
	meet();
	MPI_Bcast(p, n, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static int64_t
least(int64_t x)
{
	int64_t y = x;
	MPI_Request r;

	MPI_Iallreduce(&x, &y, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD, &r);
	finish(&r);
	return y;
}

static void
gather(const void *p, int n, void *all)
{
	meet();
	MPI_Allgather(p, n, MPI_BYTE, all, n, MPI_BYTE, MPI_COMM_WORLD);
}

static void
exchange(const void *send, const int *nsend, const int *send_at, void *take, const int *ntake,
    const int *take_at)
{
	meet();
	MPI_Alltoallv(send, nsend, send_at, MPI_BYTE, take, ntake, take_at, MPI_BYTE,
	    MPI_COMM_WORLD);
}

/* Many bytes are sent once the rank that takes them has told that it is there. */
static void
give(const void *p, int n, int to)
{
	if (n > SMALL) {
		await(to);
		MPI_Recv(NULL, 0, MPI_BYTE, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Send(p, n, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void
take(void *p, int n, int from)
{
	if (n > SMALL)
		MPI_Send(NULL, 0, MPI_BYTE, from, 0, MPI_COMM_WORLD);
	await(from);
	MPI_Recv(p, n, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void
end(void)
{
	MPI_Finalize();
}

extern const struct axt_ranks_table axt_ranks_mpi;
__attribute__((visibility("default"))) const struct axt_ranks_table axt_ranks_mpi = {
	.begin = begin,
	.broadcast = broadcast,
	.least = least,
	.gather = gather,
	.exchange = exchange,
	.give = give,
	.take = take,
	.end = end,
};
