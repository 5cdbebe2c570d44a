/*
 * library.c - a library loaded once by a fixed name, and the functions that are wanted of it; files
 * beside libaxt.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/library.h"

static const char *
load(const struct axt_library *l)
{
	static const char fmt[] = "%s cannot be loaded (Debian's package %s)";
	void *so = dlopen(l->so, RTLD_NOW | RTLD_LOCAL);
	size_t n = sizeof(fmt) + strlen(l->so) + strlen(l->package);
	char *why;

	for (const struct axt_library_function *f = l->functions; so && f->name; f++) {
		void *p = dlsym(so, f->name);

		if (!p)
			so = NULL;
		else
			memcpy(f->to, &p, sizeof(p));
	}
	if (so)
		return NULL;
	/* kept until the process ends */
	why = malloc(n);
	if (!why)
		return "a library cannot be loaded";
	snprintf(why, n, fmt, l->so, l->package);
	return why;
}

const char *
axt_library_load(struct axt_library *l)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const char *why;

	pthread_mutex_lock(&lock);
	if (!l->tried)
		l->why = load(l);
	l->tried = true;
	why = l->why;
	pthread_mutex_unlock(&lock);
	return why;
}

bool
axt_library_beside(const char *name, char path[PATH_MAX])
{
	static const char *const folders[] = { "axt/", "" };
	Dl_info here;
	const char *slash;
	int n;

	if (!dladdr((void *)load, &here) || !here.dli_fname)
		return false;
	slash = strrchr(here.dli_fname, '/');
	n = slash ? (int)(slash + 1 - here.dli_fname) : 0;
	for (int i = 0; i < 2; i++)
		if (snprintf(path, PATH_MAX, "%.*s%s%s", n, here.dli_fname, folders[i], name) <
			PATH_MAX &&
		    access(path, R_OK) == 0)
			return true;
	return false;
}
