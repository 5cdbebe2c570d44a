/* device.c - the device of this process, opened when it is first asked for. */
#include <stdlib.h>

#include "device/device.h"

int64_t
axt_device_memory(struct axt_device *d)
{
	const char *s = getenv("AXT_DEVICE_MEMORY");
	int64_t n = d->fns->memory(d), most;

	n -= n / 8;
	return s && axt_parse_size(s, &most) ? MIN(n, most) : n;
}

/* Loads the program into the device, which keeps it. */
static struct axt_kernels *
load(struct axt_device *d, const char *text, struct axt_err *e)
{
	struct axt_kernels *k = calloc(1, sizeof(*k));
	void *module = k && (k->text = strdup(text)) ? d->fns->load(d, text, e) : NULL;

	if (!module) {
		axt_fail(e, AXT_E_MEM, "out of memory");
		if (k)
			free(k->text);
		free(k);
		return NULL;
	}
	k->module = module;
	k->next = d->built;
	d->built = k;
	return k;
}

const struct axt_kernels *
axt_device_build(struct axt_device *d, const char *text, struct axt_err *e)
{
	struct axt_kernels *k;

	pthread_mutex_lock(&d->lock);
	for (k = d->built; k && strcmp(k->text, text) != 0; k = k->next)
		;
	if (!k)
		k = load(d, text, e);
	pthread_mutex_unlock(&d->lock);
	return k;
}

int
axt_device_there(struct axt_err *e)
{
	const char *cc = getenv("AXT_CUDA_HOST");

	return cc && *cc ? 0 : axt_driver_there(e);
}

struct axt_device *
axt_device_cuda(struct axt_err *e)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct axt_device *device;
	const char *cc = getenv("AXT_CUDA_HOST");
	struct axt_device *d;

	pthread_mutex_lock(&lock);
	if (!device && (device = cc && *cc ? axt_device_host(cc, e) : axt_device_driver(e)))
		pthread_mutex_init(&device->lock, NULL);
	d = device;
	pthread_mutex_unlock(&lock);
	return d;
}
