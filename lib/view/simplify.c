/* simplify.c - merges dimensions, so that several views at once have fewer and longer ones. */
#include <stdlib.h>

#include "view/view.h"

/*
 * Whether dimensions k and k + 1 are adjacent in every view, so that one stride walks both, and the
 * product of their lengths fits.
 */
static bool
all_adjacent(int n, struct axt_view *const v[], int k)
{
	int64_t span;

	if (!axt_mul(v[0]->shape[k], v[0]->shape[k + 1], &span))
		return false;
	for (int i = 0; i < n; i++)
		if (!axt_mul(v[i]->stride[k + 1], v[i]->shape[k + 1], &span) ||
		    v[i]->stride[k] != span)
			return false;
	return true;
}

static void
move(int n, struct axt_view *v[], int to, int from)
{
	for (int i = 0; i < n; i++) {
		v[i]->shape[to] = v[i]->shape[from];
		v[i]->stride[to] = v[i]->stride[from];
	}
}

/* Drops dimensions of length 1. wall[k]: a barrier is in front of what is now dimension k. */
static int
drop_units(int n, struct axt_view *v[], const bool *barrier, bool *wall)
{
	int nd = v[0]->nd, to = 0;
	bool pending = false;

	for (int k = 0; k < nd; k++) {
		pending = pending || (barrier && k && barrier[k]);
		if (v[0]->shape[k] == 1)
			continue;
		move(n, v, to, k);
		wall[to++] = pending;
		pending = false;
	}
	return to;
}

int
axt_view_simplify(int n, struct axt_view *v[], const bool *barrier)
{
	bool wall[AXT_MAX_RANK];
	int nd, to = 0;

	if (n <= 0)
		return 0;
	nd = drop_units(n, v, barrier, wall);
	for (int k = 1; k < nd; k++) {
		move(n, v, to + 1, k);
		if (wall[k] || !all_adjacent(n, v, to)) {
			to++;
			continue;
		}
		for (int i = 0; i < n; i++) {
			v[i]->shape[to] *= v[i]->shape[to + 1];
			v[i]->stride[to] = v[i]->stride[to + 1];
		}
	}
	nd = nd ? to + 1 : 0;
	for (int i = 0; i < n; i++)
		v[i]->nd = nd;
	return nd;
}

/* Whether dimension i should be an outer loop of j: by the longer stride in a, then in b. */
static bool
outside(const struct axt_view *a, const struct axt_view *b, int i, int j)
{
	int64_t x = llabs(a->stride[i]), y = llabs(a->stride[j]);

	return x > y || (x == y && llabs(b->stride[i]) > llabs(b->stride[j]));
}

bool
axt_view_one_loop(const struct axt_view *a, const struct axt_view *b)
{
	struct axt_view x, y, *both[2] = { &x, &y };
	int perm[AXT_MAX_RANK];

	if (a->nd != b->nd)
		return false;
	for (int i = 0; i < a->nd; i++) {
		int k = i;

		if (a->shape[i] != b->shape[i])
			return false;
		for (; k > 0 && outside(a, b, i, perm[k - 1]); k--)
			perm[k] = perm[k - 1];
		perm[k] = i;
	}
	for (int i = 0; i < a->nd; i++)
		if (a->shape[i] == 0)
			return true;
	axt_view_permute(a, perm, &x);
	axt_view_permute(b, perm, &y);
	return axt_view_simplify(2, both, NULL) <= 1;
}
