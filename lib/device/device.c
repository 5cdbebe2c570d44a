/* device.c - the devices of this process. Each is opened when it is first asked for. */
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

static const struct {
	const char *name;
	const struct axt_device_driver *driver;
} kinds[AXT_DEVICE_AUTO] = {
#define DEVICE(NAME, name) [AXT_DEVICE_##NAME] = { #name, &axt_device_##name },
#include "devices.def"
#undef DEVICE
};

int
axt_device_there(enum axt_device_kind kind, struct axt_err *e)
{
	return kinds[kind].driver->there(e);
}

/* Opens a device, or returns the one opened before. The caller holds the lock. */
static struct axt_device *
open_once(enum axt_device_kind kind, struct axt_err *e)
{
	static struct axt_device *opened[AXT_DEVICE_AUTO];
	struct axt_device *d = opened[kind] ? opened[kind] : kinds[kind].driver->open(e);

	if (d && !opened[kind]) {
		d->name = kinds[kind].name;
		pthread_mutex_init(&d->lock, NULL);
	}
	return opened[kind] = d;
}

/* Opens the first device that works. If none does, the error is that of the last one tried. */
static struct axt_device *
open_any(struct axt_err *e)
{
	struct axt_device *d = NULL;
	struct axt_err why = { 0 };

	for (int k = AXT_DEVICE_CPU + 1; k < AXT_DEVICE_AUTO && !d; k++) {
		why = (struct axt_err){ 0 };
		d = open_once((enum axt_device_kind)k, &why);
	}
	if (!d)
		*e = why;
	return d;
}

struct axt_device *
axt_device_open(enum axt_device_kind kind, struct axt_err *e)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct axt_device *d;

	pthread_mutex_lock(&lock);
	d = kind == AXT_DEVICE_AUTO ? open_any(e) : open_once(kind, e);
	pthread_mutex_unlock(&lock);
	return d;
}
