/* cpu.h - the words of the tests in isas.def: whether the processor has an instruction set. */
#ifndef AXT_ISA_CPU_H
#define AXT_ISA_CPU_H

#include "base/base.h"

#define CPU_HAS(set) __builtin_cpu_supports(#set)
bool axt_cpu_has_f16c(void);

#endif
