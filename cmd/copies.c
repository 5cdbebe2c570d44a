/* copies.c - whether a launcher of parallel jobs runs several copies of this command. */
#include "priv.h"

void
cmd_refuse_copies(const char *file)
{
	struct axt_launch by;
	char hint[256];

	if (cmd_st.o.copies || !axt_launched(&by))
		return;
	snprintf(hint, sizeof(hint),
	    "without %s one copy uses all cores; --copies lets each of them run, for files of "
	    "their own",
	    by.launcher);
	cmd_usage(hint, "this is one of %ld copies that %s runs (%s=%ld), and each would write %s",
	    by.processes, by.launcher, by.variable, by.processes, file);
}

bool
cmd_joins_ranks(void)
{
	struct axt_launch by;

	if (cmd_st.o.copies || cmd_st.o.part || !axt_launched(&by) || !by.joins)
		return false;
	if (by.rank > 0) /* the first tells what all have to tell */
		cmd_st.o.quiet = true;
	return true;
}
