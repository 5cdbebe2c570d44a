/*
 * mpi.c - the functions of ranks.h in MPI. It is compiled by mpicc of each implementation, and once
 * for the standard interface of MPI 5.0, each time into a library of its own.
 */
#ifdef AXT_MPI_ABI
#include "jobs/mpi_abi.h"
#else
#include <mpi.h>
#endif
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

/* ---- a rank that is gone ---- */

/*
 * Not every launcher ends a job when one of its processes is killed: srun does so with --mpi=pmix,
 * and else with --kill-on-bad-exit. The others would wait without end. So each rank watches the
 * next one on its machine; where that is gone and does not come for GRACE, it ends all.
 */
#define GRACE 2000000000L
static struct {
	int fd; /* -1: nobody is watched */
	void (*lost)(void);
} watched = { .fd = -1 };

/* Where a process is, and its number there. */
struct who {
	char boot[64], host[64];
	uint64_t numbers; /* the namespace of numbers of processes */
	int pid;
};

static void
find_out(struct who *w)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	struct stat st;

	memset(w, 0, sizeof(*w));
	if (fd >= 0 && read(fd, w->boot, sizeof(w->boot)) > 0 &&
	    gethostname(w->host, sizeof(w->host) - 1) == 0 && stat("/proc/self/ns/pid", &st) == 0) {
		w->numbers = st.st_ino;
		w->pid = getpid();
	}
	if (fd >= 0)
		close(fd);
}

/* Watches a process from now on, if the system can. */
static void
watch(const struct who *own, const struct who *w)
{
#ifdef SYS_pidfd_open
	if (w->pid && memcmp(w, own, offsetof(struct who, pid)) == 0)
		watched.fd = (int)syscall(SYS_pidfd_open, w->pid, 0);
#endif
}

/* Whether both are on one machine: by its name, and by what Linux draws when it starts. */
static bool
together(const struct who *a, const struct who *b)
{
	return a->pid && b->pid && memcmp(a, b, offsetof(struct who, numbers)) == 0;
}

static void
begin(int *rank, int *size, int *here, void (*lost)(void))
{
	struct who own, *all;

	near();
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, size);
	all = malloc((size_t)*size * sizeof(own));
	if (!all)
		MPI_Abort(MPI_COMM_WORLD, 1);
	find_out(&own);
	MPI_Allgather(&own, (int)sizeof(own), MPI_BYTE, all, (int)sizeof(own), MPI_BYTE,
	    MPI_COMM_WORLD);
	*here = 1;
	for (int k = 1; k < *size; k++) {
		const struct who *w = &all[(*rank + k) % *size];

		*here += together(&own, w);
		if (watched.fd < 0)
			watch(&own, w);
	}
	watched.lost = lost;
	free(all);
}

/* ---- waiting ---- */

/*
 * Implementations of MPI wait for other ranks by looking again and again, which takes a whole core.
 * A rank that waits for one which computes looks so for SPIN nanoseconds, and then sleeps in
 * between: an eighth of the time that it has waited, and at most LONGEST. What moves many bytes
 * begins when all are there, so that nothing sleeps then.
 */
#define SPIN 100000L
#define LONGEST 4000000L
#define SMALL 1024 /* bytes: messages that each implementation sends before they are asked for */

static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Somebody who waits. */
struct waiting {
	int64_t since, gone; /* when it began; when the rank that is watched was gone, or 0 */
};

/* Ends all ranks if the one that is watched has been gone for some time. */
static void
look_for(struct waiting *p)
{
	struct pollfd f = { .fd = watched.fd, .events = POLLIN };

	if (watched.fd < 0 || poll(&f, 1, 0) != 1)
		return;
	p->gone = p->gone ? p->gone : now();
	if (now() - p->gone < GRACE)
		return;
	watched.lost();
	MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Sleeps as long as somebody should who has waited so long. */
static void
rest(struct waiting *p)
{
	int64_t waited = now() - p->since;
	long most = waited / 8 < LONGEST ? (long)(waited / 8) : LONGEST;

	if (waited > SPIN)
		nanosleep(&(struct timespec){ .tv_nsec = most }, NULL);
	if (most == LONGEST)
		look_for(p);
}

static void
finish(MPI_Request *r)
{
	struct waiting p = { now(), 0 };
	int done = 0;

	while (MPI_Test(r, &done, MPI_STATUS_IGNORE), !done)
		rest(&p);
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
	struct waiting p = { now(), 0 };
	int there = 0;

	while (MPI_Iprobe(from, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE), !there)
		rest(&p);
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
sum(int64_t *x, int n)
{
	meet();
	MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
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
	.sum = sum,
	.gather = gather,
	.exchange = exchange,
	.give = give,
	.take = take,
	.end = end,
};
