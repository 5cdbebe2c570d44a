/* bfill.c - axt-bfill, which is axt-ffill from the other end. */
#define BACKWARD
#include "ffill.c"

CMD_MAIN(fill)
