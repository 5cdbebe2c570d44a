/* test_plan.c - the text of plans: what is written is read, what is not a plan is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../fuzz/plan.c"

static const char *const good[] = {
	"axt-plan 1\ndevice cpu\nfile 0 name=a.h5\n"
	"node 0 leaf f32 [time=12,lat=9] file=0 path=/t\n"
	"node 1 reduce mean f32 [lat=9] 0 kept=1 skip=0 ddof=0x0p+0\n"
	"node 2 map sub f32 [time=12,lat=9] 0 1\n"
	"node 3 map square f32 [time=12,lat=9] 2\n"
	"node 4 reduce sum f32 [] 3 kept= skip=1 ddof=0x0p+0\n"
	"out t 4\nout square%20of%20it 3\nend\n",

	"axt-plan 1\nfile 0 x\n"
	"node 0 leaf i16 [M*=4,N=3] file=0 path=/g/x\n"
	"node 1 conv f32 [M*=4,N=3] 0 overflow=wrap\n"
	"node 2 const f32 [] 00000040\n"
	"node 3 map unpack f32 [M*=4,N=3] 1 2 2\n"
	"node 4 view f32 [N=3,M=4,K=2] 3 src=1,0,-1 asked=1\n"
	"node 5 conv f16 [N=3,M=4,K=2] 4 overflow=error\n"
	"node 6 conv f32 [N=3,M=4,K=2] 5 overflow=error\n"
	"node 7 map exp f16 [N=3,M=4,K=2] 6\n"
	"out x 7\nend\n",

	"axt-plan 1\n"
	"node 0 gen random f64 [i=5,j=4] seed=7 lo=-0x1p+0 hi=0x1p+0\n"
	"node 1 gen iota f64 [j=4,k=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 2 dot f64 [i=5,k=3] 0 1 ka=1 kb=0 ba= bb=\n"
	"node 3 gen eye f64 [i=5,k=3] seed=0 lo=0x0p+0 hi=0x0p+0\n"
	"node 4 reduce mean f64 [i=5] 2 3 kept=0 skip=0 ddof=0x0p+0\n"
	"out y 4\nend\n",

	"axt-plan 1\n"
	"node 0 gen iota i16 [i=5,j=4] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 lines sum i64 [i=5,j=4] 0 axis=0 reverse=1\n"
	"node 2 lines index i64 [i=5,j=4] 1 axis=1 reverse=0\n"
	"node 3 reduce quantile f64 [j=4] 2 kept=1 skip=0 ddof=0x0p+0 q=0x1p-2\n"
	"node 4 reduce median f64 [] 3 kept= skip=0 ddof=0x0p+0 q=0x1p-1\n"
	"out y 4\nout z 1\nend\n",

	"axt-plan 1\n"
	"node 0 place f32 [i=5,j=4] an%20input\n"
	"node 1 place f32 [j=4] b\n"
	"node 2 map mul f32 [i=5,j=4] 0 1\n"
	"out y 2\nend\n",
};

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
	"node 1 lines sum f32 [a=3] 0 axis=1 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 lines mean f32 [a=3] 0 axis=0 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 lines sort f64 [a=3] 0 axis=0 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 const f32 [] 00000000\nnode 1 lines sum f32 [] 0 axis=0 reverse=0\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 reduce quantile f32 [] 0 kept= skip=0 ddof=0x0p+0 q=0x1p+1\nout x 1\nend\n",
	"axt-plan 1\nnode 0 gen iota f32 [a=3] seed=0 lo=0x0p+0 hi=0x1p+0\n"
	"node 1 reduce quantile f32 [] 0 kept= skip=0 ddof=0x0p+0 q=nan\nout x 1\nend\n",
};

static int
accepts(const char *s)
{
	return LLVMFuzzerTestOneInput((const uint8_t *)s, strlen(s));
}

static void
plans_are_read(void **state)
{
	(void)state;
	for (int i = 0; i < ARRAY_LEN(good); i++)
		if (!accepts(good[i]))
			fail_msg("plan %d is refused", i);
}

static void
what_is_no_plan_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < ARRAY_LEN(bad); i++)
		if (accepts(bad[i]))
			fail_msg("accepted: %s", bad[i]);
}

static unsigned
dice(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* A byte changed, a piece left out, a piece of another plan put in. */
static size_t
mutate(char *s, size_t n, unsigned *seed)
{
	static const char bytes[] = "0123456789-=,[]% \n*abfkx";
	const char *other = good[dice(seed, ARRAY_LEN(good))];
	size_t at = dice(seed, (unsigned)n), len = dice(seed, 12);
	size_t from = dice(seed, (unsigned)strlen(other));

	switch (dice(seed, 4)) {
	case 0:
		len = MIN(len, n - at);
		memmove(s + at, s + at + len, n - at - len);
		return n - len;
	case 1:
		len = MIN(len, strlen(other) - from);
		memmove(s + at + len, s + at, n - at);
		memcpy(s + at, other + from, len);
		return n + len;
	default:
		s[at] = bytes[dice(seed, sizeof bytes - 1)];
		return n;
	}
}

static void
mutations_do_no_harm(void **state)
{
	const char *slow = getenv("AXT_SANITIZER");
	int rounds = slow && strcmp(slow, "valgrind") == 0 ? 200 : 20000, taken = 0;
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < rounds; i++) {
		char s[4096];
		size_t n = strlen(good[i % ARRAY_LEN(good)]);

		memcpy(s, good[i % ARRAY_LEN(good)], n);
		for (unsigned k = dice(&seed, 3) + 1; k > 0; k--)
			n = mutate(s, n, &seed);
		taken += LLVMFuzzerTestOneInput((const uint8_t *)s, n);
	}
	assert_in_range(taken, rounds / 50, rounds);	/* the mutations are not all nonsense */
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans_are_read),
		cmocka_unit_test(what_is_no_plan_is_refused),
		cmocka_unit_test(mutations_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
