/* look.c - processes that only find out whether a command line can be carried out. */
#include "axt_cmd.h"
#include "base/base.h"

static void (*looker)(void);

void
axt_look_only(void (*reached)(void))
{
	looker = reached;
}

void
axt_reach(void)
{
	if (looker)
		looker();
}
