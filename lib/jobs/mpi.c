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

#include "jobs/ranks.h"

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

static void
broadcast(void *p, int n)
{
	MPI_Bcast(p, n, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static int64_t
least(int64_t x)
{
	int64_t y = x;

	MPI_Allreduce(&x, &y, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
	return y;
}

static void
gather(const void *p, int n, void *all)
{
	MPI_Allgather(p, n, MPI_BYTE, all, n, MPI_BYTE, MPI_COMM_WORLD);
}

static void
exchange(const void *send, const int *nsend, const int *send_at, void *take, const int *ntake,
    const int *take_at)
{
	MPI_Alltoallv(send, nsend, send_at, MPI_BYTE, take, ntake, take_at, MPI_BYTE,
	    MPI_COMM_WORLD);
}

static void
give(const void *p, int n, int to)
{
	MPI_Send(p, n, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void
take(void *p, int n, int from)
{
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
