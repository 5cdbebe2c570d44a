/*
 * healpix.c - cells of HEALPix (Gorski and others, 2005): 12 faces of side x side cells of equal
 * area, numbered in rings from the north pole, or nested, that is by the bits of both places in a
 * face, one after the other.
 */
#include "grids/cells.h"

/* The ring of the southernmost corner of each face, and its longitude, in parts of 45 degrees. */
static const int ring_of[12] = { 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4 },
		 turn_of[12] = { 1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7 };

/* Every second bit of x. */
static int64_t
every_second(int64_t x)
{
	int64_t y = 0;

	for (int k = 0; k < 31; k++)
		y |= (x >> (2 * k) & 1) << k;
	return y;
}

/*
 * A place on a face, from 0 to side along both of its edges, as a vector. The face's corner at (0,
 * 0) is the southernmost one.
 */
static void
place(int64_t side, int face, double x, double y, double v[3])
{
	double n = (double)side, ring = ring_of[face] * n - x - y, z, quarter, s;

	if (ring < n) { /* around the north pole, where a ring has 4 * ring cells */
		z = 1 - ring * ring / (3 * n * n);
		quarter = ring > 0 ? (x - y) / ring : 0;
		s = ring / (n * sqrt(3)) * sqrt(1 + z);
	} else if (ring > 3 * n) {
		ring = 4 * n - ring;
		z = ring * ring / (3 * n * n) - 1;
		quarter = ring > 0 ? (x - y) / ring : 0;
		s = ring / (n * sqrt(3)) * sqrt(1 - z);
	} else {
		z = (2 * n - ring) * 2 / (3 * n);
		quarter = (x - y) / n;
		s = sqrt((1 - z) * (1 + z));
	}
	quarter = (turn_of[face] + quarter) * M_PI / 4;
	v[0] = s * cos(quarter);
	v[1] = s * sin(quarter);
	v[2] = z;
}

/* The face of a cell by its number in rings, and its place on that. */
static int
of_ring(int64_t side, int64_t i, int64_t *x, int64_t *y)
{
	int64_t cap = 2 * side * (side - 1), all = 12 * side * side, ring, at, shift = 0, len, face;
	int64_t right, left;

	if (i < cap) {
		ring = (1 + (int64_t)sqrt(1 + 2 * (double)i)) / 2;
		while (2 * ring * (ring - 1) > i)
			ring--;
		while (2 * ring * (ring + 1) <= i)
			ring++;
		at = i - 2 * ring * (ring - 1);
		len = ring;
		face = at / ring;
	} else if (i < all - cap) {
		ring = (i - cap) / (4 * side) + side;
		at = (i - cap) % (4 * side);
		shift = (ring + side) & 1;
		len = side;
		right = ring - side + 1;
		left = 2 * side + 2 - right;
		right = (at - right / 2 + side) / side;
		left = (at - left / 2 + side) / side;
		face = left == right ? left % 4 + 4 : left < right ? left : right + 8;
	} else {
		i = all - 1 - i;
		ring = (1 + (int64_t)sqrt(1 + 2 * (double)i)) / 2;
		while (2 * ring * (ring - 1) > i)
			ring--;
		while (2 * ring * (ring + 1) <= i)
			ring++;
		at = 4 * ring - 1 - (i - 2 * ring * (ring - 1));
		len = ring;
		face = 8 + at / ring;
		ring = 4 * side - ring;
	}
	right = ring - ring_of[face] * side + 1;
	left = 2 * (at + 1) - turn_of[face] * len - shift - 1;
	if (left >= 2 * side)
		left -= 8 * side;
	*x = (left - right) >> 1;
	*y = (-left - right) >> 1;
	return (int)face;
}

static int
face_of(int64_t side, bool nested, int64_t i, int64_t *x, int64_t *y)
{
	int64_t each = side * side;

	if (!nested)
		return of_ring(side, i, x, y);
	*x = every_second(i % each);
	*y = every_second(i % each >> 1);
	return (int)(i / each);
}

void
axt_healpix_middle(int64_t side, bool nested, int64_t i, double v[3])
{
	int64_t x, y;
	int face = face_of(side, nested, i, &x, &y);

	place(side, face, (double)x + .5, (double)y + .5, v);
}

void
axt_healpix_corners(int64_t side, bool nested, int64_t i, double v[4][3])
{
	int64_t x, y;
	int face = face_of(side, nested, i, &x, &y);

	for (int k = 0; k < 4; k++)
		place(side, face, (double)(x + (k == 1 || k == 2)), (double)(y + (k > 1)), v[k]);
}
