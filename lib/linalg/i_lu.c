/* i_lu.c - triangular factors of small matrices, and systems of equations by them. */
#include "linalg/lanes.h"

#define PARTS 1
#include "linalg/lu.in"
#undef PARTS
#define PARTS 2
#include "linalg/lu.in"
