/*
 * h5.c - libhdf5 set up once, guarded, behind a mutex; the one read-only driver
 * and its check of global heaps.
 */
#include "h5.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static bool starved;	/* the library had no memory; guarded by the lock */
static hid_t driver = -1;

/* libhdf5's file structure, then ours. */
struct vfd {
	H5FD_t pub;
	struct axt_src *src;
};

static int
refuse(struct axt_src *s, const char *why)
{
	if (!s->why)
		s->why = why;
	return -1;
}

static H5FD_t *
vfd_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr)
{
	struct axt_src *const *src = H5Pget_driver_info(fapl);
	struct vfd *v;

	(void)name;
	(void)maxaddr;
	if (!src || (flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_CREAT)))
		return NULL;
	v = calloc(1, sizeof(*v));
	if (v)
		v->src = *src;
	return v ? &v->pub : NULL;
}

static herr_t
vfd_close(H5FD_t *f)
{
	free(f);
	return 0;
}

/* Two opens never count as one shared file: each has its own source. */
static int
vfd_cmp(const H5FD_t *a, const H5FD_t *b)
{
	const struct axt_src *x = ((const struct vfd *)a)->src, *y = ((const struct vfd *)b)->src;

	return x < y ? -1 : x > y;
}

static herr_t
vfd_query(const H5FD_t *f, unsigned long *flags)
{
	(void)f;
	if (flags)
		*flags = 0;
	return 0;
}

static haddr_t
vfd_get_eoa(const H5FD_t *f, H5FD_mem_t type)
{
	(void)type;
	return ((const struct vfd *)f)->src->eoa;
}

static herr_t
vfd_set_eoa(H5FD_t *f, H5FD_mem_t type, haddr_t addr)
{
	(void)type;
	((struct vfd *)f)->src->eoa = addr;
	return 0;
}

/* A pipe's end is not known: claim more than any file has. */
static haddr_t
vfd_get_eof(const H5FD_t *f, H5FD_mem_t type)
{
	const struct axt_src *s = ((const struct vfd *)f)->src;

	(void)type;
	return s->stream ? (haddr_t)1 << 62 : s->size;
}

/*
 * Raw data is only read through libhdf5 to find where chunks are, so a block
 * "GCOL" is a global heap.
 */
static bool
heap_head(H5FD_mem_t type, size_t n, const void *p)
{
	return (type == H5FD_MEM_DRAW || type == H5FD_MEM_GHEAP) && n >= 16 &&
	    memcmp(p, "GCOL", 4) == 0;
}

static herr_t
vfd_read(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t n, void *out)
{
	struct axt_src *s = ((struct vfd *)f)->src;

	(void)dxpl;
	if (s->record && type == H5FD_MEM_DRAW) {
		s->nrec++;
		s->rec_addr = addr;
		s->rec_size = n;
		return 0;
	}
	if (axt_src_read(s, addr, n, out) != 0)
		return -1;
	if (heap_head(type, n, out) && !axt_heap_ok(s, addr))
		return refuse(s, "damaged global heap");
	if (type != H5FD_MEM_DRAW && n >= 32 && memcmp(out, "HEAP", 5) == 0 &&
	    !axt_local_heap_ok(s, addr))
		return refuse(s, "damaged local heap");
	return 0;
}

static herr_t
vfd_write(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t n, const void *p)
{
	(void)f;
	(void)type;
	(void)dxpl;
	(void)addr;
	(void)n;
	(void)p;
	return -1;
}

static const H5FD_class_t vfd_class = {
	.name = "axt_read",
	.maxaddr = (haddr_t)1 << 62,
	.fc_degree = H5F_CLOSE_STRONG,
	.fapl_size = sizeof(struct axt_src *),
	.open = vfd_open,
	.close = vfd_close,
	.cmp = vfd_cmp,
	.query = vfd_query,
	.get_eoa = vfd_get_eoa,
	.set_eoa = vfd_set_eoa,
	.get_eof = vfd_get_eof,
	.read = vfd_read,
	.write = vfd_write,
	.fl_map = H5FD_FLMAP_SINGLE,
};

/*
 * Order matters: the variable before H5open, which reads it; "::" cannot be
 * undone by a file or later variable.
 */
static int
set_up(struct axt_err *e)
{
	if (setenv("HDF5_PLUGIN_PRELOAD", "::", 1) != 0)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	H5dont_atexit();	/* fails when it was called before */
	if (H5open() < 0)
		return axt_fail(e, AXT_E_NOSYS, "libhdf5 does not start");
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	H5Lunregister(H5L_TYPE_EXTERNAL);
	H5PLset_loading_state(0);
	driver = H5FDregister(&vfd_class);
	if (driver < 0)
		return axt_fail(e, AXT_E_NOSYS, "libhdf5 takes no driver");
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

/* Called with every error of the library, in place of printing it. */
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

/* Error printing is a setting of each thread. */
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

hid_t
axt_src_fapl(struct axt_src *s)
{
	hid_t p = H5Pcreate(H5P_FILE_ACCESS);

	if (p >= 0 && H5Pset_driver(p, driver, &s) < 0) {
		H5Pclose(p);
		return -1;
	}
	return p;
}

static int
pread_all(int fd, uint64_t addr, size_t n, void *out)
{
	uint8_t *p = out;
	ssize_t k;

	while (n > 0) {
		k = pread(fd, p, MIN(n, (size_t)1 << 30), (off_t)addr);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return k < 0 ? errno : -1;
		p += k;
		addr += (size_t)k;
		n -= (size_t)k;
	}
	return 0;
}

int
axt_src_read(struct axt_src *s, uint64_t addr, size_t n, void *out)
{
	uint64_t end;
	int rc;

	if (__builtin_add_overflow(addr, n, &end) || end > (uint64_t)INT64_MAX)
		return refuse(s, "address out of range");
	if (s->stream && !axt_src_pull(s, end))
		return refuse(s, "short stream");
	if (end > s->size)
		return refuse(s, "address behind the end");
	if (s->stream && s->mem) {
		memcpy(out, s->mem + addr, n);
		return 0;
	}
	rc = pread_all(s->stream ? s->spool : s->fd, addr, n, out);
	if (rc > 0)
		s->err = rc;
	return rc == 0 ? 0 : refuse(s, "short read");
}
