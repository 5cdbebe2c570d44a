/*
 * h5stderr.c - the streams libhdf5's copy inside libaxt prints to. Its objects are built
 * for executables, where stderr may be addressed directly; the build renames the symbol
 * (see Makefile), and here it gets its value: a stream that goes nowhere, since libhdf5
 * prints errors of its start before it can be told not to.
 */
#define _GNU_SOURCE
#include <stdio.h>

FILE *axt_h5_stderr;
FILE *axt_h5_stdout;

__attribute__((constructor)) static void
h5_streams(void)
{
	FILE *nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){ 0 });

	axt_h5_stderr = nowhere ? nowhere : stderr;
	axt_h5_stdout = nowhere ? nowhere : stdout;
}
