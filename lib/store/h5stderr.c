/*
 * h5stderr.c - the streams libhdf5's copy inside libaxt prints to. Its objects are built
 * for executables, where stderr may be addressed directly; the build renames the symbol
 * (see Makefile), and here it gets its value.
 */
#include <stdio.h>

FILE *axt_h5_stderr;
FILE *axt_h5_stdout;

__attribute__((constructor)) static void
h5_streams(void)
{
	axt_h5_stderr = stderr;
	axt_h5_stdout = stdout;
}
