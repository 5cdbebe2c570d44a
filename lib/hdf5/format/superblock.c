/*
 * superblock.c - superblocks of all versions, and the superblock extension.
 * source  HDF5 File Format Specification 3.0, section II.
 */
#include <stdlib.h>

#include "hdf5/format/growth.h"
#include "hdf5/format/raw.h"

#define WAITS 200 /* of a millisecond, for blocks that are being written */

static const char magic[] = "\211HDF\r\n\032\n";

int
axt_h5_failed(struct axt_file *f, const char *why, struct axt_err *e)
{
	struct axt_src *s = f->src;
	char name[256];

	axt_escape_to(name, sizeof(name), f->path);
	if (s->err)
		return axt_fail(e, AXT_E_IO, "%s: %s: %s", name, s->why, strerror(s->err));
	if (s->starved)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (s->eoa > s->size && (!s->stream || s->eof))
		return axt_fail(e, AXT_E_DAMAGED, "%s: %s ends after %llu of %llu bytes", name,
		    s->stream ? "stream" : "the file", (unsigned long long)s->size,
		    (unsigned long long)s->eoa);
	return axt_fail(e, AXT_E_DAMAGED, "%s: is damaged: %s", name, why);
}

static bool
is_superblock(struct axt_src *s, uint64_t at)
{
	uint8_t p[16];

	if (s->stream ? !axt_src_pull(s, at + sizeof(p)) : s->size < at + sizeof(p))
		return false;
	return axt_src_read(s, at, sizeof(p), p) == 0 && memcmp(p, magic, 8) == 0;
}

/* Looks for the superblock at 0, and behind user blocks of 512, 1024, 2048... bytes. */
static int
find(struct axt_file *f, struct axt_err *e)
{
	struct axt_src *s = f->src;
	uint8_t head[512];
	size_t n;

	s->base = 0;
	if (is_superblock(s, 0))
		return AXT_OK;
	for (uint64_t at = 512; at <= (s->stream ? (uint64_t)8192 : s->size); at *= 2)
		if (is_superblock(s, at)) {
			s->base = at;
			return AXT_OK;
		}
	n = (size_t)MIN(s->size, sizeof(head));
	if (s->err || axt_src_read(s, 0, n, head) != 0)
		return axt_h5_failed(f, "not readable", e);
	return axt_sniff(f->path, head, n, e);
}

static bool
sizes(struct axt_src *s, struct axt_cur *c)
{
	s->addr_size = (int)axt_cur_num(c, 1);
	s->len_size = (int)axt_cur_num(c, 1);
	return (s->addr_size == 2 || s->addr_size == 4 || s->addr_size == 8) &&
	    (s->len_size == 2 || s->len_size == 4 || s->len_size == 8);
}

/*
 * Sets the end of the file. axt counts addresses from the superblock. If the superblock gives
 * another base address, the end that it gives is moved by the difference.
 */
static void
end_of(struct axt_src *s, uint64_t base, uint64_t end)
{
	s->eoa = end - (base - s->base);
}

/* Reads versions 0 and 1, where the root group is given as an entry of a symbol table. */
static const char *
old_one(struct axt_raw *r, int version)
{
	struct axt_src *s = r->s;
	const uint8_t *p = axt_raw_block(r, 0, 24 + (version == 1 ? 4 : 0));
	struct axt_cur c = { .p = p ? p + 9 : NULL, .n = 15 };
	uint64_t at = version == 1 ? 28 : 24, base, end, n;

	if (!p)
		return "its superblock is cut short";
	if (axt_cur_num(&c, 1) != 0 || axt_cur_num(&c, 1) != 0 || axt_cur_num(&c, 1) != 0 ||
	    axt_cur_num(&c, 1) != 0 || !sizes(s, &c))
		return "its superblock tells impossible sizes";
	axt_cur_skip(&c, 1);
	s->leaf_k = (int)axt_cur_num(&c, 2);
	s->group_k = (int)axt_cur_num(&c, 2);
	if (version == 1)
		s->chunk_k = (int)axt_le(p + 24, 2);
	if (s->leaf_k == 0 || s->group_k == 0 || s->chunk_k == 0)
		return "its superblock tells impossible sizes";
	n = 5 * (uint64_t)s->addr_size + (uint64_t)s->len_size;
	p = axt_raw_block(r, at, n);
	if (!p)
		return "its superblock is cut short";
	c = (struct axt_cur){ .p = p, .n = (size_t)n };
	base = axt_cur_addr(&c, s);
	axt_cur_skip(&c, (size_t)s->addr_size);
	end = axt_cur_addr(&c, s);
	s->driver = axt_cur_addr(&c, s);
	axt_cur_skip(&c, (size_t)s->len_size);
	s->root = axt_cur_addr(&c, s);
	end_of(s, base, end);
	return NULL;
}

/*
 * Notes what the superblock says of writers. Bit 0 is set while one has the file open, and bit 2 if
 * readers may read it meanwhile (SWMR). A writer of the latter kind writes blocks in an order that
 * readers can follow, but updates the end of the file late, so the end of the file's bytes is used
 * instead.
 */
static void
open_for_writing(struct axt_src *s, int flags)
{
	s->shared_write = (flags & 5) == 5 && !s->stream;
	s->unclosed = (flags & 5) == 1;
	s->waits = s->shared_write ? WAITS : 0;
	if (s->shared_write)
		s->eoa = s->size;
}

/* Reads versions 2 and 3. */
static const char *
new_one(struct axt_raw *r)
{
	struct axt_src *s = r->s;
	const uint8_t *p = axt_raw_block(r, 0, 12);
	struct axt_cur c = { .p = p ? p + 9 : NULL, .n = 2 };
	uint64_t base, end;
	size_t n;

	if (!p || !sizes(s, &c))
		return p ? "its superblock tells impossible sizes" : "its superblock is cut short";
	n = 12 + 4 * (size_t)s->addr_size;
	p = axt_raw_block(r, 0, n + 4);
	if (!p)
		return "its superblock is cut short";
	s->waits = p[8] == 3 && !s->stream ? WAITS : 0;
	if (!axt_raw_summed(r, 0, p, n))
		return "the checksum of its superblock differs";
	c = (struct axt_cur){ .p = p + 12, .n = n - 12 };
	base = axt_cur_addr(&c, s);
	s->extension = axt_cur_addr(&c, s);
	end = axt_cur_addr(&c, s);
	s->root = axt_cur_addr(&c, s);
	end_of(s, base, end);
	open_for_writing(s, p[8] == 3 ? p[11] : 0);
	return NULL;
}

/* Reads the messages of the extension that matter for reading. */
static int
extension(struct axt_file *f, struct axt_err *e)
{
	struct axt_src *s = f->src;
	struct axt_head h = { 0 };
	const struct axt_msg *g;
	struct axt_cur c;
	char name[256];

	if (s->extension == AXT_UNDEF)
		return AXT_OK;
	if (!axt_head_open(&h, s, s->extension))
		axt_h5_failed(f, "the extension of its superblock cannot be read", e);
	g = axt_head_msg(&h, AXT_MSG_TREE_K);
	if (g && g->c.n >= 7) {
		s->chunk_k = (int)axt_le(g->c.p + 1, 2);
		s->group_k = (int)axt_le(g->c.p + 3, 2);
		s->leaf_k = (int)axt_le(g->c.p + 5, 2);
	}
	g = axt_head_msg(&h, AXT_MSG_SHARED);
	if (g) {
		c = g->c;
		axt_cur_skip(&c, 1);
		s->shared = axt_cur_addr(&c, s);
		s->nshared = (int)axt_cur_num(&c, 1);
	}
	if (axt_head_msg(&h, AXT_MSG_CACHE_IMAGE)) {
		axt_escape_to(name, sizeof(name), f->path);
		axt_fail(e, AXT_E_FORMAT,
		    "%s: holds an image of a metadata cache, which axt does not read", name);
		axt_hint(e, "h5repack %s NEW makes a file without", name);
	}
	axt_head_close(&h);
	return e->code;
}

int
axt_h5_closed(const struct axt_file *f, struct axt_err *e)
{
	char name[256];

	if (!f->src->shared_write && !f->src->unclosed)
		return AXT_OK;
	axt_escape_to(name, sizeof(name), f->path);
	axt_fail(e, AXT_E_FORMAT,
	    "%s: another program has it open for writing, or did not close it: axt does not write "
	    "to it",
	    name);
	axt_hint(e, "when no program has it open: h5clear -s --increment=0 %s", name);
	return e->code;
}

int
axt_h5_super(struct axt_file *f, struct axt_err *e)
{
	struct axt_src *s = f->src;
	struct axt_raw r = { .s = s, .left = 4096 };
	static const char newer_one[] = "is of a version of HDF5 that is newer than axt knows";
	uint64_t known = s->eoa;
	const char *why;
	char name[256];
	uint8_t v = 0;

	s->shared = s->driver = s->extension = AXT_UNDEF;
	s->group_k = 16; /* the value that newer superblocks imply */
	s->leaf_k = 4;
	s->chunk_k = 32;
	if (find(f, e))
		return e->code;
	r.m = axt_arena_new();
	if (!r.m)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	s->eoa = INT64_MAX; /* as long as the end is not known */
	if (s->base ==
	    0) /* before the end is read, since all that the block tells of is before it */
		axt_growth_note(s);
	why = axt_src_read(s, s->base + 8, 1, &v) != 0 ? "its superblock is cut short"
	    : v < 2                                    ? old_one(&r, v)
	    : v < 4                                    ? new_one(&r)
	    : v <= 3 + AXT_NEWER                       ? newer_one
						       : "its superblock has no known version";
	axt_arena_free(r.m);
	if (why == newer_one) {
		s->eoa = known;
		return axt_fail(e, AXT_E_FORMAT, "%s: %s",
		    axt_escape_to(name, sizeof(name), f->path), why);
	}
	if (why || s->starved) {
		s->eoa = known;
		return axt_h5_failed(f, why ? why : "", e);
	}
	if (s->eoa > s->size && !s->stream)
		return axt_h5_failed(f, "", e);
	return extension(f, e);
}
