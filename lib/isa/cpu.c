/* cpu.c - what the compiler's own tests of the processor lack. */
#include "isa/cpu.h"

#ifndef __aarch64__
#include <cpuid.h>

/*
 * Whether the processor has F16C, by CPUID (leaf 1, bit 29 of ECX), because __builtin_cpu_supports
 * of clang 14 does not know "f16c". Whether the system saves the registers is part of the test for
 * AVX2, which isas.def asks for, too.
 */
bool
axt_cpu_has_f16c(void)
{
	unsigned a, b, c = 0, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
}
#endif
