/* cairo.c - loads cairo. */
#include "plot/cairo.h"

#include <pthread.h>
#include <stdlib.h>

static struct axt_cairo cairo;

/* Texts are written in the font that came with libaxt, if one did, whatever fonts there are. */
static void
bring_font(void)
{
	static int (*add)(void *config, const char *path);
	static const struct axt_library_function functions[] = { { "FcConfigAppFontAddFile", &add },
		{ NULL, NULL } };
	static struct axt_library fontconfig = { .so = "libfontconfig.so.1",
		.package = "libfontconfig1",
		.functions = functions };
	char path[PATH_MAX];

	if (axt_library_beside("fonts.conf", path) && setenv("FONTCONFIG_FILE", path, 0) == 0 &&
	    axt_library_beside("DejaVuSans.ttf", path) && !axt_library_load(&fontconfig))
		add(NULL, path);
}

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
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, bring_font);
	*why = axt_library_load(&library);
	return *why ? NULL : &cairo;
}
