/* i_qr.c - orthogonal factors of small matrices. */
#include "linalg/lanes.h"

#define PARTS 1
#include "linalg/qr.in"
#undef PARTS
#define PARTS 2
#include "linalg/qr.in"
