/* cairo.c - loads cairo. */
#include "plot/cairo.h"

static struct axt_cairo cairo;

const struct axt_cairo *
axt_cairo(const char **why)
{
	static const struct axt_library_function functions[] = {
#define F(name, type, args) { "cairo_" #name, &cairo.name },
		AXT_CAIRO_FUNCTIONS(F)
#undef F
		    { NULL, NULL }
	};
	static struct axt_library library = { .so = "libcairo.so.2",
		.package = "libcairo2",
		.functions = functions };

	*why = axt_library_load(&library);
	return *why ? NULL : &cairo;
}
