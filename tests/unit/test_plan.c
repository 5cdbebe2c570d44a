/* test_plan.c - the text of plans: what is written is read, what is not a plan is refused. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../fuzz/plan.c"
#include "mutate.h"

#define SEED_BYTES 2048

/* The plans that the fuzzer begins with. */
static char *good[64];
static int ngood;

static const char *const bad[] = {
	"axt-plan 1\nnode 0 place f32 [i=5]\nout y 0\nend\n",
	"axt-plan 1\nnode 0 place f32 [i=5] \nout y 0\nend\n",
	"axt-plan 1\nnode 0 place f32 [i=5] x 0\nout y 0\nend\n",
	"axt-plan 1\nnode 0 place f99 [i=5] x\nout y 0\nend\n",
	"",
	"axt-plan 2\nnode 0 const f32 [] 00000000\nout x 0\nend\n",
	"axt-plan 1\nend\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nout x 0\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nout x 0\nend\nmore\n",
	"axt-plan 1\nnode 0 const f32 [] 0000000\nout x 0\nend\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nout x 1\nend\n",
	"axt-plan 1\nnode 1 const f32 [] 00000000\nout x 0\nend\n",
	"axt-plan 1\nnode 0 map add f32 [] 0 0\nout x 0\nend\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nnode 1 map sqrt f64 [] 0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nnode 1 map where f32 [] 0 0 0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nnode 1 map rm%20-rf f32 [] 0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3,a=3] seed=0 lo=0x0p+0 hi=0x1p+0\nout x 0\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=-3] seed=0 lo=0x0p+0 hi=0x1p+0\nout x 0\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 view f32 [b=4] 0 src=0 asked=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 view f32 [b=3,c=3] 0 src=0,0 asked=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 reduce sum f32 [] 0 kept=1 skip=0 ddof=0x0p+0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc sum f32 [a=3] 0 axis=1 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc mean f32 [a=3] 0 axis=0 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc sort f64 [a=3] 0 axis=0 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc diff f32 [a=3] 0 result=0 core=0,0 n=1,0,0,0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc diff f32 [a=2] 0 result=0 core=0,1 n=1,0,0,0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc diff f32 [a=2] 0 result=1 core=0,0 n=1,0,0,0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc diff f32 [b=4,a=2] 0 result=0 core=0,1 n=1,0,0,0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f64 [a=3,b=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 gufunc linfit f64 [a=3] 0 0 result=0 core=0,1\nout x 1\nend\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nnode 1 gufunc sum f32 [] 0 axis=0 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 reduce quantile f32 [] 0 kept= skip=0 ddof=0x0p+0 q=0x1p+1\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 reduce quantile f32 [] 0 kept= skip=0 ddof=0x0p+0 q=nan\nout x 1\nend\n",
};

static int
read_seeds(void **state)
{
	const char *top = getenv("AXT_TOP");
	char pattern[4096];
	glob_t found;

	(void)state;
	snprintf(pattern, sizeof(pattern), "%s/tests/fuzz/plan/*.txt", top ? top : ".");
	if (glob(pattern, 0, NULL, &found) || found.gl_pathc > (size_t)ARRAY_LEN(good))
		return -1;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		FILE *f = fopen(found.gl_pathv[i], "r");
		size_t n;

		good[ngood] = calloc(1, SEED_BYTES);
		n = f && good[ngood] ? fread(good[ngood], 1, SEED_BYTES - 1, f) : 0;
		if (f)
			fclose(f);
		if (n == 0 || n == SEED_BYTES - 1)
			return -1;
		ngood++;
	}
	globfree(&found);
	return 0;
}

static int
free_seeds(void **state)
{
	(void)state;
	while (ngood > 0)
		free(good[--ngood]);
	return 0;
}

static int
accepts(const char *s)
{
	return LLVMFuzzerTestOneInput((const uint8_t *)s, strlen(s));
}

static void
plans_are_read(void **state)
{
	(void)state;
	for (int i = 0; i < ngood; i++)
		if (!accepts(good[i]))
			fail_msg("refused: %s", good[i]);
}

static void
what_is_no_plan_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < ARRAY_LEN(bad); i++)
		if (accepts(bad[i]))
			fail_msg("accepted: %s", bad[i]);
}

static void
mutations_do_no_harm(void **state)
{
	(void)state;
	mutations((const char *const *)good, ngood, "0123456789-=,[]% \n*abfkx");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans_are_read),
		cmocka_unit_test(what_is_no_plan_is_refused),
		cmocka_unit_test(mutations_do_no_harm),
	};

	return cmocka_run_group_tests(tests, read_seeds, free_seeds);
}
