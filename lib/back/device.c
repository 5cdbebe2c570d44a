/* device.c - the device of this process, opened when it is first asked for. */
#include <pthread.h>
#include <stdlib.h>

#include "back.h"

int64_t
axt_device_memory(struct axt_device *d)
{
	const char *s = getenv("AXT_DEVICE_MEMORY");
	char name[256];
	int64_t n, most;

	d->fns->describe(d, name, sizeof name, &n);
	n -= n / 8;
	return s && axt_parse_size(s, &most) ? MIN(n, most) : n;
}

struct axt_device *
axt_device_cuda(struct axt_err *e)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct axt_device *device;
	const char *cc = getenv("AXT_CUDA_HOST");
	struct axt_device *d;

	pthread_mutex_lock(&lock);
	if (!device)
		device = cc && *cc ? axt_device_host(cc, e) : axt_device_driver(e);
	d = device;
	pthread_mutex_unlock(&lock);
	return d;
}
