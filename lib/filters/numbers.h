/* numbers.h - what the filters share that store numbers as others: see struct axt_renumber. */
#ifndef AXT_FILTERS_NUMBERS_H
#define AXT_FILTERS_NUMBERS_H

#include "dtype/dtype.h"
#include "filters/filters.h"

/* The members `most` and `fits` of such filters. */
size_t axt_renumber_most(const struct axt_filter_use *u, size_t n);
const char *axt_renumber_fits(const struct axt_filter_use *u, size_t n, size_t want, bool exact);
/*
 * Decodes a chunk of a filter that stores numbers as others. Up to AXT_RENUMBER numbers at a time
 * are converted to dtype `work`, of 2, 4 or 8 bytes, changed by `change`, and converted to the
 * plain dtype.
 */
enum { AXT_RENUMBER = 128 };
const char *axt_renumber_decode(const struct axt_filter_use *u, struct axt_filter_io *io,
    enum axt_dtype work, void (*change)(void *ctx, void *p, int64_t n), void *ctx);

#endif
