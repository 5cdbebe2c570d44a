/* quote.h - words of lines that can be typed. */
#ifndef AXT_QUOTE_H
#define AXT_QUOTE_H

#include "base/base.h"

/*
 * A copy of s as one word for the shell: escaped as axt_escape does it, and between quotes if the
 * shell would see more than a word in it. For hints, since a name may be anybody's. NULL: out of
 * memory.
 */
const char *axt_quoted(struct axt_arena *a, const char *s);

#endif
