/* quote.h - words of lines that can be typed. */
#ifndef AXT_QUOTE_H
#define AXT_QUOTE_H

#include "base/base.h"

/*
 * A copy of s as one word of a line for the shell, for hints, since a name may be anybody's: in
 * quotes if the shell would see anything else in it, and $'...' if it has characters that messages
 * do not show. A name that begins with "-" would be an option, and becomes "./-..."; "-" and
 * "-:DATASET" are standard input. NULL: out of memory.
 */
const char *axt_quoted(struct axt_arena *a, const char *s);
/* The same of a text put together of names as messages show them (axt_escape), such as "a.nc:t". */
const char *axt_typed(struct axt_arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
