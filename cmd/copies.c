/* copies.c - whether a launcher of parallel jobs runs several copies of this command. */
#include <stdlib.h>

#include "priv.h"

/*
 * How launchers tell a process that it is one of several: `size` has their number, and `rank` the
 * number of this one. With `if_set` they count only if that is there as well: a batch script of
 * Slurm has SLURM_PROCID without being a step of several tasks.
 */
static const struct {
	const char *launcher, *size, *rank, *if_set;
} launchers[] = {
	{ "mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", NULL },
	{ "mpirun", "PMI_SIZE", "PMI_RANK", NULL },
	{ "srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_ID" },
};

void
cmd_refuse_copies(const char *file)
{
	for (size_t i = 0; !cmd_st.o.copies && i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		const char *size = getenv(launchers[i].size), *rank = getenv(launchers[i].rank);
		long n = size ? strtol(size, NULL, 10) : 0;
		char hint[256];

		if (n < 2 || !rank || (launchers[i].if_set && !getenv(launchers[i].if_set)))
			continue;
		snprintf(hint, sizeof(hint),
		    "without %s one copy uses all cores; --copies lets each of them run, for files of "
		    "their own",
		    launchers[i].launcher);
		cmd_usage(hint,
		    "this is one of %ld copies that %s runs (%s=%s), and each would write %s", n,
		    launchers[i].launcher, launchers[i].size, size, file);
	}
}
