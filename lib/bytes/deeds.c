/* deeds.c - notes of what this process has done, and of what others have done to its files. */
#include <stdatomic.h>

#include "bytes/deeds.h"

static atomic_bool done[AXT_NDEEDS];

void
axt_deed_note(enum axt_deed d)
{
	atomic_store_explicit(&done[d], true, memory_order_relaxed);
}

bool
axt_deed_done(enum axt_deed d)
{
	return atomic_load_explicit(&done[d], memory_order_relaxed);
}
