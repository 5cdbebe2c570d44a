/* numbers.h - what the filters share that store numbers as others: see struct axt_renumber. */
#ifndef AXT_FILTERS_NUMBERS_H
#define AXT_FILTERS_NUMBERS_H

#include "dtype/dtype.h"
#include "filters/filters.h"

/* The members `most` and `fits` of such filters. */
size_t axt_renumber_most(const struct axt_filter_use *u, size_t n);
const char *axt_renumber_fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact);
/*
 * Undoes such a filter. Numbers are brought to dtype `work`, of 2, 4 or 8 bytes, `change` is called
 * for up to AXT_RENUMBER of them after another, and then they are brought to the plain dtype.
 */
enum { AXT_RENUMBER = 128 };
const char *axt_renumber_decode(const struct axt_filter_use *u, struct axt_filter_io *io,
    enum axt_dtype work, void (*change)(void *ctx, void *p, int64_t n), void *ctx);

#endif
