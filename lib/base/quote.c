/* quote.c - words of lines that can be typed. */
#include <string.h>

#include "base/quote.h"

const char *
axt_quoted(struct axt_arena *a, const char *s)
{
	static const char special[] = " *?<>|&;()$`\"[]{}!~#'\\";
	const char *e = axt_escape(a, s);
	struct axt_buf b = { 0 };

	if (!e || (*e && !e[strcspn(e, special)]))
		return e;
	axt_buf_adds(&b, "'");
	for (; *e; e++)
		axt_buf_add(&b, *e == '\'' ? "'\\''" : e, *e == '\'' ? 4 : 1);
	axt_buf_adds(&b, "'");
	return axt_buf_text(a, &b);
}
