/* i_jacobi.c - eigenvalues and singular values of small matrices by rotations. */
#include "linalg/lanes.h"

#define PARTS 1
#include "linalg/jacobi.in"
#undef PARTS
#define PARTS 2
#include "linalg/jacobi.in"
