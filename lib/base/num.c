/* num.c - numbers as typed, read the same in every locale. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "axt_cmd.h"
#include "base/base.h"

double
axt_strtod(const char *s, char **end)
{
	struct axt_num n;
	const char *p = axt_scan_num(s, s + strlen(s), &n);
	locale_t c;
	double v;

	/* Unless a character follows that only strtod understands, the number ends there. */
	if (p && !(*p >= '0' && *p <= '9') && !strchr(".eExXpP", *p ? *p : ' ')) {
		*end = (char *)p;
		return *s == '-' && n.f == 0 ? -0.0 : n.f;
	}
	/*
	 * In glibc and musl this gives a built-in object, which takes no memory and need not be
	 * freed.
	 */
	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c) {
		*end = (char *)s;
		return 0;
	}
	v = strtod_l(s, end, c);
	freelocale(c);
	return v;
}

/* Digits of base 10 or 16 only; false when the value does not fit 64 bits. */
static bool
digits(const char *s, uint64_t *out)
{
	unsigned base = 10;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	}
	*out = 0;
	if (!*s)
		return false;
	for (; *s; s++) {
		unsigned d = *s >= '0' && *s <= '9'        ? (unsigned)(*s - '0')
		    : (*s | 32) >= 'a' && (*s | 32) <= 'f' ? (unsigned)((*s | 32) - 'a' + 10)
							   : 99;

		if (d >= base || __builtin_mul_overflow(*out, (uint64_t)base, out) ||
		    __builtin_add_overflow(*out, (uint64_t)d, out))
			return false;
	}
	return true;
}

static bool
whole_number(const char *s, bool negative, struct axt_num *out)
{
	uint64_t u;

	if (!digits(s, &u) || (negative && u > (uint64_t)INT64_MAX + 1))
		return false;
	out->is_int = true;
	if (negative) {
		out->i = (int64_t)(0 - u);
		out->f = (double)out->i;
		return true;
	}
	out->is_unsigned = u > (uint64_t)INT64_MAX;
	out->u = u;
	out->i = out->is_unsigned ? INT64_MAX : (int64_t)u;
	out->f = (double)u;
	return true;
}

bool
axt_parse_num(const char *s, struct axt_num *out)
{
	bool negative = *s == '-';
	const char *p = s + (*s == '-' || *s == '+');
	char *end;
	double v;

	end = (char *)axt_scan_num(s, s + strlen(s), out);
	if (end && !*end)
		return true;
	*out = (struct axt_num){ 0 };
	if (whole_number(p, negative, out))
		return true;
	if (!strcasecmp(p, "nan")) {
		out->f = (double)NAN;
		return true;
	}
	if (!strcasecmp(p, "inf") || !strcasecmp(p, "infinity")) {
		out->f = negative ? -(double)INFINITY : (double)INFINITY;
		return true;
	}
	/* strtod would also accept blanks, a second sign and nan(...). */
	if (!(*p >= '0' && *p <= '9') && *p != '.')
		return false;
	v = axt_strtod(p, &end);
	if (end == p || *end || isinf(v))
		return false;
	out->f = negative ? -v : v;
	out->is_big = p[strspn(p, "0123456789")] == '\0';
	return true;
}

bool
axt_parse_ratio(const char *s, double *out)
{
	const char *slash = strchr(s, '/');
	struct axt_num n, d = { .f = 1 };
	char first[64];

	if (slash && (size_t)(slash - s) >= sizeof(first))
		return false;
	snprintf(first, sizeof(first), "%.*s", slash ? (int)(slash - s) : (int)sizeof(first) - 1,
	    s);
	if (!axt_parse_num(slash ? first : s, &n) ||
	    (slash && (!axt_parse_num(slash + 1, &d) || d.f == 0)))
		return false;
	*out = n.f / d.f;
	return true;
}

bool
axt_parse_int(const char *s, int64_t lo, int64_t hi, int64_t *out)
{
	struct axt_num n;

	if (!axt_parse_num(s, &n) || !n.is_int || n.is_unsigned || n.i < lo || n.i > hi)
		return false;
	*out = n.i;
	return true;
}

bool
axt_parse_size(const char *s, int64_t *out)
{
	static const char units[] = "kmgtp";
	char word[40];
	size_t n = strlen(s);
	const char *u;
	struct axt_num v;
	int64_t scale = 1;
	double f;

	if (n == 0 || n >= sizeof(word))
		return false;
	memcpy(word, s, n + 1);
	u = strchr(units, word[n - 1] | 32);
	if (u) {
		scale = (int64_t)1 << (10 * (u - units + 1));
		word[n - 1] = '\0';
	}
	/* Only decimal digits and one point: "inf", "0x1p3" and "1e3" are not sizes. */
	if (strspn(word, "0123456789.") != strlen(word) || !axt_parse_num(word, &v))
		return false;
	if (v.is_int)
		return !v.is_unsigned && axt_mul(v.i, scale, out);
	f = floor(v.f * (double)scale);
	if (!(f < 0x1p63))
		return false;
	*out = (int64_t)f;
	return true;
}
