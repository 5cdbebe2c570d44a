/* linalg.c - the functions of the instruction set in use. */
#include <string.h>

#include "kern/kern.h"
#include "linalg/linalg.h"

const struct axt_lanes *
axt_lanes(void)
{
	const char *isa = axt_kern_isa();

#define ISA(name, flags, test)   \
	if (!strcmp(isa, #name)) \
		return &axt_lanes_##name;
#include "isa/isas.def"
#undef ISA
	return NULL;
}
