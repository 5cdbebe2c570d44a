/*
 * cpu.h - what differs among processors and is no vector, in a word each. CPU_HAS and CPU_INIT are
 * those of the tests in isas.def.
 */
#ifndef AXT_ISA_CPU_H
#define AXT_ISA_CPU_H

#include <stdbool.h>

#ifdef __aarch64__
#include <arm_acle.h>
#include <sys/auxv.h>

#define CPU_HAS(set) ((getauxval(AT_HWCAP) & HWCAP_##set) != 0)
#define CPU_INIT() ((void)0)
#define CPU_NEEDS "the instructions CRC32"
#define CPU_PAUSE() __asm__ volatile("isb")
#define CPU_ANY __attribute__((target("+crc")))
#define CPU_CRC32C_8(c, bytes) __crc32cd((uint32_t)(c), bytes)
#define CPU_CRC32C_1(c, byte) __crc32cb((uint32_t)(c), byte)
#define CPU_OPENBLAS NULL
#else
#define CPU_HAS(set) __builtin_cpu_supports(#set)
#define CPU_INIT() __builtin_cpu_init()
/* What a message says that the processor lacks, for which no row's test is true. */
#define CPU_NEEDS "one of AVX2, FMA, F16C, BMI1 and BMI2"
/* What a thread does between two looks at what it waits for. */
#define CPU_PAUSE() __builtin_ia32_pause()
/* A function that is no kernel, with some instructions that every processor of the table has. */
#define CPU_ANY __attribute__((target("avx2")))
/* The checksum CRC-32C after eight bytes more, or one; in such a function. */
#define CPU_CRC32C_8(c, bytes) __builtin_ia32_crc32di(c, bytes)
#define CPU_CRC32C_1(c, byte) __builtin_ia32_crc32qi((uint32_t)(c), byte)
/* OpenBLAS's name of the processor, or NULL: 0.3.21 takes one that is newer for one without AVX. */
#define CPU_OPENBLAS                                                                     \
	(CPU_HAS(avx512f) && CPU_HAS(avx512bw) && CPU_HAS(avx512dq) && CPU_HAS(avx512vl) \
		? "SkylakeX"                                                             \
		: CPU_HAS(avx2) && CPU_HAS(fma) ? "Haswell"                              \
						: NULL)
#endif

bool axt_cpu_has_f16c(void);

#endif
