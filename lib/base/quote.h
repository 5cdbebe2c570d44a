/* quote.h - words of lines that can be typed. */
#ifndef AXT_QUOTE_H
#define AXT_QUOTE_H

#include "base/base.h"

/*
 * A copy of s, for a hint, as one word of a line for the shell, where s may be any name. It is in
 * quotes if the shell would take some character otherwise, and in $'...' if it has characters that
 * messages do not show. A name that begins with "-", which would be an option, becomes "./-...";
 * "-" and "-:DATASET" stay, since they mean standard input. NULL: out of memory.
 */
const char *axt_quoted(struct axt_arena *a, const char *s);
/* The same of a text put together of names as messages show them (axt_escape), such as "a.nc:t". */
const char *axt_typed(struct axt_arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
