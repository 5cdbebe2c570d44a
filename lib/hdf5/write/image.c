/*
 * image.c - a driver that libhdf5 writes through: metadata go to memory or to a file, and the bytes
 * of payloads are dropped.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "hdf5/write/libhdf5.h"

#define ROOM 1024 /* bytes by which a header may become longer before it reaches that block */

struct img_file {
	H5FD_t pub;
	struct axt_img *img;
};

static struct axt_img *
img_of(const H5FD_t *f)
{
	return ((const struct img_file *)f)->img;
}

static H5FD_t *
img_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr)
{
	struct axt_img *const *info = H5Pget_driver_info(fapl);
	struct img_file *f = info ? calloc(1, sizeof(*f)) : NULL;

	(void)name;
	(void)maxaddr;
	if (!f)
		return NULL;
	f->img = *info;
	if (flags & (H5F_ACC_TRUNC | H5F_ACC_CREAT))
		f->img->eoa = f->img->eof = 0;
	return &f->pub;
}

static herr_t
img_close(H5FD_t *f)
{
	free(f);
	return 0;
}

/*
 * Tells libhdf5 that the driver has no optional features. So it reserves no blocks, allocates
 * exactly what it needs, and the header is as small as possible.
 */
static herr_t
img_query(const H5FD_t *f, unsigned long *flags)
{
	(void)f;
	*flags = 0;
	return 0;
}

/* The address from which `size` bytes can be, where a file that grows keeps places free. */
static haddr_t
place(const struct axt_img *g, H5FD_mem_t type, haddr_t addr, hsize_t size)
{
	const haddr_t page = AXT_GROWTH_BYTES;

	if (!g->grows)
		return addr;
	/* nodes of chunks: an entry is then written as a whole even if the writer is killed */
	if (type == H5FD_MEM_BTREE && size > page / 4 && size <= page && addr % page + size > page)
		addr = (addr + page - 1) & ~(page - 1);
	return addr < AXT_GROWTH_AT + page && addr + size > AXT_GROWTH_AT ? AXT_GROWTH_AT + page
									  : addr;
}

/*
 * Where space for the next block begins, behind a block that ends at `end`. If the last block of a
 * file is an object header, libhdf5 lengthens it for attributes without asking for space. So no
 * space is given so near before the block of a file that grows (growth.h) that a few attributes
 * would reach into it.
 */
static haddr_t
clear_of_growth(const struct axt_img *g, haddr_t end)
{
	return g->grows && end + ROOM > AXT_GROWTH_AT && end <= AXT_GROWTH_AT
	    ? AXT_GROWTH_AT + AXT_GROWTH_BYTES
	    : end;
}

static haddr_t
img_alloc(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, hsize_t size)
{
	struct axt_img *g = img_of(f);
	haddr_t addr = place(g, type, g->eoa, size), meta = place(g, type, g->meta, size);

	(void)dxpl;
	if (size > (hsize_t)INT64_MAX - AXT_ALIGN || addr > (haddr_t)INT64_MAX - AXT_ALIGN - size)
		return HADDR_UNDEF;
	if (g->blocks > 0 && type == H5FD_MEM_DRAW && size == g->want) {
		if (g->len == 0) {
			addr = (addr + AXT_ALIGN - 1) & ~(haddr_t)(AXT_ALIGN - 1);
			g->at = addr;
		}
		g->len += size;
		g->blocks--;
		if (g->limit == HADDR_UNDEF)
			g->limit = addr;
	} else if (meta < g->meta_end && size <= g->meta_end - meta) {
		g->meta = meta + size;
		return meta;
	} else if (g->fd < 0 && g->limit != HADDR_UNDEF) {
		return HADDR_UNDEF; /* metadata after a payload could not go to a stream */
	}
	g->eoa = clear_of_growth(g, addr + size);
	return addr;
}

static haddr_t
img_get_eoa(const H5FD_t *f, H5FD_mem_t type)
{
	(void)type;
	return img_of(f)->eoa;
}

static herr_t
img_set_eoa(H5FD_t *f, H5FD_mem_t type, haddr_t addr)
{
	struct axt_img *g = img_of(f);

	(void)type;
	/* many attributes: the file has no such block, and is copied to become longer */
	if (g->eoa <= AXT_GROWTH_AT && addr > AXT_GROWTH_AT)
		g->grows = false;
	g->eoa = clear_of_growth(g, addr);
	return 0;
}

static haddr_t
img_get_eof(const H5FD_t *f, H5FD_mem_t type)
{
	const struct axt_img *g = img_of(f);

	(void)type;
	return MAX(g->eoa, g->eof);
}

static herr_t
img_read(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size, void *out)
{
	struct axt_img *g = img_of(f);
	char *o = out;
	size_t have = 0;

	(void)type;
	(void)dxpl;
	if (g->fd < 0) {
		have = addr < g->n ? MIN(size, g->n - addr) : 0;
		if (have > 0)
			memcpy(o, g->p + addr, have);
	}
	if (g->fd >= 0)
		have = axt_read_at(g->fd, o, size, addr);
	if (g->fd >= 0 && have < size && errno) {
		g->err = errno;
		return -1;
	}
	memset(o + have, 0, size - have);
	return 0;
}

static bool
img_grow(struct axt_img *g, size_t end)
{
	size_t cap = g->cap ? g->cap : 16384;
	unsigned char *p;

	if (end > SIZE_MAX / 2)
		return false;
	while (cap < end)
		cap *= 2;
	if (cap > g->cap) {
		p = realloc(g->p, cap);
		if (!p)
			return false;
		memset(p + g->cap, 0, cap - g->cap);
		g->p = p;
		g->cap = cap;
	}
	g->n = MAX(g->n, end);
	return true;
}

static herr_t
img_write(H5FD_t *f, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size, const void *in)
{
	struct axt_img *g = img_of(f);
	struct axt_err e = { 0 };

	(void)dxpl;
	if (g->drops && type == H5FD_MEM_DRAW) {
		g->at = addr;
		return 0;
	}
	if (addr >= g->at && addr < g->at + g->len)
		return addr + size <= g->at + g->len ? 0 : -1;
	if (g->fd < 0) {
		if (addr >= g->limit || addr + size > g->limit || !img_grow(g, addr + size)) {
			g->err = ENOMEM;
			return -1;
		}
		memcpy(g->p + addr, in, size);
		return 0;
	}
	/* libhdf5 continued after an error: what is written in place must then not change */
	if (g->err)
		return -1;
	if (axt_pwrite(g->fd, in, size, addr, "", &e)) {
		g->err = errno;
		return -1;
	}
	g->eof = MAX(g->eof, addr + size);
	return 0;
}

static herr_t
img_truncate(H5FD_t *f, hid_t dxpl, hbool_t closing)
{
	struct axt_img *g = img_of(f);

	(void)dxpl;
	if (g->fd < 0 || !closing || g->eoa == g->eof)
		return 0;
	if (g->err)
		return -1;
	if (ftruncate(g->fd, (off_t)g->eoa)) {
		g->err = errno;
		return -1;
	}
	g->eof = g->eoa;
	return 0;
}

/* HDF5 1.14 asks for a version, and a number that drivers are known by; those from 512 are free. */
static const H5FD_class_t img_class = {
#ifdef H5FD_CLASS_VERSION
	.version = H5FD_CLASS_VERSION,
	.value = 600,
#endif
	.name = "axt-out",
	.maxaddr = INT64_MAX,
	.fc_degree = H5F_CLOSE_STRONG,
	.fapl_size = sizeof(struct axt_img *),
	.open = img_open,
	.close = img_close,
	.query = img_query,
	.alloc = img_alloc,
	.get_eoa = img_get_eoa,
	.set_eoa = img_set_eoa,
	.get_eof = img_get_eof,
	.read = img_read,
	.write = img_write,
	.truncate = img_truncate,
	.fl_map = H5FD_FLMAP_DICHOTOMY,
};

/*
 * A list of properties for opening files through the driver. With `any`, files may be of any
 * version of HDF5, as existing files may be. Otherwise they are written so that netCDF-4 of any age
 * can read them.
 */
hid_t
axt_img_fapl(struct axt_img *img, bool any)
{
	static hid_t driver = -1;
	hid_t fapl;

	if (driver < 0)
		driver = H5FDregister(&img_class);
	if (driver < 0)
		return -1;
	fapl = H5Pcreate(H5P_FILE_ACCESS);
	if (fapl < 0)
		return -1;
	if (H5Pset_driver(fapl, driver, &img) < 0 ||
	    H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) < 0 ||
	    H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, any ? H5F_LIBVER_LATEST : H5F_LIBVER_V18) <
		0) {
		H5Pclose(fapl);
		return -1;
	}
	return fapl;
}
