/* mutate.h - a few thousand mutations of good inputs, for a fuzz target in the same file. */
#ifndef AXT_UNIT_MUTATE_H
#define AXT_UNIT_MUTATE_H

#include <stdlib.h>
#include <string.h>

#define MUTANT_BYTES 4096

static unsigned
dice(unsigned *seed, unsigned n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* A byte changed, a piece left out, a piece of another input put in. */
static size_t
mutate(char *s, size_t n, const char *other, const char *bytes, unsigned *seed)
{
	size_t at = dice(seed, (unsigned)n), len = dice(seed, 12);
	size_t from = dice(seed, (unsigned)strlen(other));

	switch (dice(seed, 4)) {
	case 0:
		len = MIN(len, n - at);
		memmove(s + at, s + at + len, n - at - len);
		return MAX(n - len, 1);
	case 1:
		len = MIN(len, strlen(other) - from);
		memmove(s + at + len, s + at, n - at);
		memcpy(s + at, other + from, len);
		return n + len;
	default: s[at] = bytes[dice(seed, (unsigned)strlen(bytes))]; return n;
	}
}

/* Some are taken all the same. */
static void
mutations(const char *const *good, int ngood, const char *bytes)
{
	const char *slow = getenv("AXT_SANITIZER");
	int rounds = slow && strcmp(slow, "valgrind") == 0 ? 200 : 20000, taken = 0;
	unsigned seed = 1;

	for (int i = 0; i < rounds; i++) {
		char s[MUTANT_BYTES];
		size_t n = strlen(good[i % ngood]);

		memcpy(s, good[i % ngood], n);
		for (unsigned k = dice(&seed, 3) + 1; k > 0; k--)
			n = mutate(s, n, good[dice(&seed, (unsigned)ngood)], bytes, &seed);
		taken += LLVMFuzzerTestOneInput((const uint8_t *)s, n);
	}
	assert_true(
	    taken >= rounds / 100 && taken <= rounds); /* the mutations are not all nonsense */
}

#endif
