/* coast.c - the coast lines of the world, a table of the data set that coast.def names. */
#include "plot/plot.h"

#include <math.h>

#define LINE_END 32767
#define END                        \
	{                          \
		LINE_END, LINE_END \
	}

static const int16_t point[][2] = {
#include "plot/coast.def"
};

bool
axt_coast_point(int i, double *east, double *north)
{
	if (i < 0 || i >= ARRAY_LEN(point))
		return false;
	*east = point[i][0] == LINE_END ? NAN : point[i][0] / 100.0;
	*north = point[i][0] == LINE_END ? NAN : point[i][1] / 100.0;
	return true;
}
