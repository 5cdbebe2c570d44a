/* launchers.c - which launcher runs this process as one of several, and the library for its MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "axt_cmd.h"
#include "base/library.h"
#include "jobs/ranks.h"

/*
 * How launchers tell a process that it is one of several, by variables of the environment: `size`
 * has their number, and `rank` the number of this one. Where `step` is set, this variable must be
 * there as well: a batch script of Slurm has SLURM_PROCID without being one of several tasks. If
 * the variable `joins` is there, the process can use the implementation `mpi` of MPI.
 */
static const struct launcher {
	const char *name, *size, *rank, *step, *joins, *mpi;
} launchers[] = {
	{ "mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", NULL, "PMIX_RANK", "openmpi" },
	{ "mpirun", "PMI_SIZE", "PMI_RANK", NULL, "PMI_FD", "mpich" },
	{ "srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_ID", "PMIX_RANK", "openmpi" },
};

static const struct launcher *
find(long *processes)
{
	for (int i = 0; i < ARRAY_LEN(launchers); i++) {
		const struct launcher *l = &launchers[i];
		const char *n = getenv(l->size);

		*processes = n ? strtol(n, NULL, 10) : 0;
		if (*processes > 1 && getenv(l->rank) && (!l->step || getenv(l->step)))
			return l;
	}
	return NULL;
}

static char not_loaded[256]; /* why a library that is there could not be loaded */

/* Open MPI loads parts of itself, which look for its functions among all that are global. */
static void *
load(const char *mpi)
{
	char name[32], path[PATH_MAX];
	void *so = NULL;

	snprintf(name, sizeof(name), "axt-mpi-%s.so", mpi);
	if (axt_library_beside(name, path) && !(so = dlopen(path, RTLD_NOW | RTLD_GLOBAL)))
		snprintf(not_loaded, sizeof(not_loaded), "%s", dlerror());
	return so;
}

/*
 * The library for the implementation itself, or else the one for the standard interface of MPI 5.0,
 * whose functions are those of the libmpi_abi.so.1 that the loader finds.
 */
const struct axt_ranks_table *
axt_ranks_load(void)
{
	long processes;
	const struct launcher *l = find(&processes);
	void *so;

	if (!l || !getenv(l->joins))
		return NULL;
	so = load(l->mpi);
	if (!so && dlopen("libmpi_abi.so.1", RTLD_NOW | RTLD_GLOBAL))
		so = load("abi");
	return so ? dlsym(so, AXT_RANKS_TABLE) : NULL;
}

bool
axt_launched(struct axt_launch *out)
{
	const struct launcher *l = find(&out->processes);

	if (!l)
		return false;
	out->launcher = l->name;
	out->variable = l->size;
	out->rank = strtol(getenv(l->rank), NULL, 10);
	out->joins = axt_ranks_load() != NULL;
	out->why = not_loaded;
	return true;
}
