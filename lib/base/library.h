/*
 * library.h - libraries that only some commands need. They are never linked, but loaded by a fixed
 * name when the first function of one is needed.
 */
#ifndef AXT_BASE_LIBRARY_H
#define AXT_BASE_LIBRARY_H

#include <limits.h>

#include "base/base.h"

/* A function of a library, and the pointer that is set to it. */
struct axt_library_function {
	const char *name;
	void *to;
};
/* All members but the last two are given; `functions` ends with a name of NULL. */
struct axt_library {
	const char *so;      /* "libzstd.so.1" */
	const char *package; /* Debian's package, for the message */
	const struct axt_library_function *functions;
	bool tried;
	const char *why; /* why it is not there, once it was tried; NULL: it is */
};
/*
 * Loads the library, if no thread has before. Returns NULL, or says what is missing: "libzstd.so.1
 * cannot be loaded (Debian's package libzstd1)". Any thread.
 */
const char *axt_library_load(struct axt_library *l);
/*
 * Writes the path of a file that came with libaxt: in the folder axt beside it, where it is
 * installed, or beside it in the folder where it was built. Returns false if it is in neither.
 */
bool axt_library_beside(const char *name, char path[PATH_MAX]);

#endif
