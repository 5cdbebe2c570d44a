/*
 * setup.c - sets libhdf5 up, which axt uses only for writing, when something is first written; and
 * guards it with a mutex.
 */
#include "hdf5/write/libhdf5.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static bool starved; /* libhdf5 ran out of memory; guarded by the lock */

/*
 * Variables that tell by which driver or connector libhdf5 opens files of programs that choose
 * none. libhdf5 reads them when it starts, and does not start if it lacks what they name; so they
 * are taken out of the environment meanwhile.
 */
static const char *const openers[] = { "HDF5_DRIVER", "HDF5_VOL_CONNECTOR" };

enum { OPENERS = sizeof(openers) / sizeof(openers[0]) };

/* Takes a variable out of the environment; false if there is no memory to keep its value in. */
static bool
take_out(const char *name, char **was)
{
	const char *v = getenv(name);

	*was = v ? strdup(v) : NULL;
	return !v || (*was && unsetenv(name) == 0);
}

static bool
put_back(const char *name, char *was)
{
	bool good = !was || setenv(name, was, 0) == 0;

	free(was);
	return good;
}

/* Programs that this one starts, or that axt is a part of, still have the variables. */
static int
start(struct axt_err *e)
{
	char *was[OPENERS] = { NULL };
	bool room = true, open;
	int why;

	for (int i = 0; i < OPENERS; i++)
		room = room && take_out(openers[i], &was[i]);
	errno = 0;
	open = room && H5open() >= 0;
	why = errno;
	for (int i = 0; i < OPENERS; i++)
		room = put_back(openers[i], was[i]) && room;
	if (!room)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	return open ? AXT_OK
		    : axt_fail(e, why == ENOMEM ? AXT_E_MEM : AXT_E_NOSYS,
			  "libhdf5 does not start%s", why == ENOMEM ? ": out of memory" : "");
}

/*
 * Starts libhdf5 without plugins, external links and printing. HDF5_PLUGIN_PRELOAD must be set
 * before H5open, which reads it; the value "::", which means no plugins, cannot be undone by a file
 * or a later variable.
 */
static int
set_up(struct axt_err *e)
{
	int rc;

	if (setenv("HDF5_PLUGIN_PRELOAD", "::", 1) != 0)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	H5dont_atexit(); /* fails if it was called before */
	rc = start(e);
	if (rc != AXT_OK)
		return rc;
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	H5Lunregister(H5L_TYPE_EXTERNAL);
	H5PLset_loading_state(0);
	ready = true;
	return AXT_OK;
}

static herr_t
look(unsigned n, const H5E_error2_t *err, void *ctx)
{
	(void)n;
	*(bool *)ctx |= err->maj_num == H5E_RESOURCE || err->min_num == H5E_CANTALLOC ||
	    err->min_num == H5E_NOSPACE;
	return 0;
}

/* Called with every error of libhdf5, instead of printing it. */
static herr_t
on_failure(hid_t stack, void *ctx)
{
	(void)ctx;
	return H5Ewalk2(stack, H5E_WALK_UPWARD, look, &starved);
}

bool
axt_h5_starved(void)
{
	return starved;
}

/* Whether errors are printed is a setting of each thread. */
int
axt_h5_begin(struct axt_err *e)
{
	int rc = AXT_OK;

	pthread_mutex_lock(&lock);
	starved = false;
	if (!ready)
		rc = set_up(e);
	if (rc != AXT_OK)
		pthread_mutex_unlock(&lock);
	else
		H5Eset_auto2(H5E_DEFAULT, on_failure, NULL);
	return rc;
}

void
axt_h5_end(void)
{
	pthread_mutex_unlock(&lock);
}
