/*
 * messages.c - the contents of messages: dataspace, fill value, filters, layout, link.
 * source  HDF5 File Format Specification 4.0, section IV.A.2.
 */
#include "hdf5/format/raw.h"

bool
axt_msg_space(struct axt_cur c, const struct axt_src *s, struct axt_hspace *out)
{
	int version = (int)axt_cur_num(&c, 1), rank = (int)axt_cur_num(&c, 1),
	    flags = (int)axt_cur_num(&c, 1), kind = (int)axt_cur_num(&c, 1);

	*out = (struct axt_hspace){ .rank = rank };
	if (version == 1)
		axt_cur_skip(&c, 4);
	if (version < 1 || version > 2 || rank > AXT_MAX_RANK || (version == 2 && kind > 2))
		return false;
	out->null = version == 2 && kind == 2;
	if (version == 2 && rank > 0 && kind != 1)
		return false;
	for (int k = 0; k < rank; k++)
		out->dims[k] = out->most[k] = axt_cur_len(&c, s);
	for (int k = 0; (flags & 1) && k < rank; k++)
		out->most[k] = axt_cur_wide(&c, s->len_size);
	for (int k = 0; k < rank; k++)
		if (out->dims[k] > out->most[k])
			return false;
	return !c.bad;
}

bool
axt_msg_fill(struct axt_cur c, int type, struct axt_cur *out)
{
	int version, flags = 0;
	bool has = true;

	*out = (struct axt_cur){ 0 };
	if (type == AXT_MSG_FILL) {
		version = (int)axt_cur_num(&c, 1);
		if (version < 1 || version > 3)
			return false;
		if (version < 3)
			axt_cur_skip(&c, 2);
		flags = (int)axt_cur_num(&c, 1);
		has = version == 3 ? flags & 0x20 : flags;
	}
	if (c.bad || !has)
		return !c.bad;
	out->n = (size_t)axt_cur_num(&c, 4);
	if (out->n == 0 || (out->n >> 31 && type == AXT_MSG_FILL))
		return (out->n = 0, !c.bad);
	out->p = axt_cur_skip(&c, out->n);
	return !c.bad;
}

bool
axt_msg_filters(struct axt_cur c, struct axt_hfilters *out)
{
	int version = (int)axt_cur_num(&c, 1);

	out->n = (int)axt_cur_num(&c, 1);
	if (version == 1)
		axt_cur_skip(&c, 6);
	if (version < 1 || version > 2 || out->n > ARRAY_LEN(out->f))
		return false;
	for (int k = 0; k < out->n && !c.bad; k++) {
		int id = (int)axt_cur_num(&c, 2), cd;
		uint64_t name = 0;

		if (version == 1 || id >= 256)
			name = axt_cur_num(&c, 2);
		axt_cur_skip(&c, 2);
		cd = (int)axt_cur_num(&c, 2);
		axt_cur_skip(&c, (size_t)(version == 1 ? (name + 7) & ~UINT64_C(7) : name));
		out->f[k].id = id;
		out->f[k].ncd = cd;
		for (int j = 0; j < cd && !c.bad; j++) {
			uint32_t v = (uint32_t)axt_cur_num(&c, 4);

			if (j < ARRAY_LEN(out->f[k].cd))
				out->f[k].cd[j] = v;
		}
		if (version == 1 && cd % 2)
			axt_cur_skip(&c, 4);
	}
	return !c.bad;
}

/*
 * Reads the lengths of a chunk. HDF5 stores one more length at the end, which is the bytes of an
 * element.
 */
static bool
chunk_dims(struct axt_cur *c, struct axt_hlayout *l, int width)
{
	if (l->rank < 2 || l->rank > ARRAY_LEN(l->dim))
		return false;
	for (int k = 0; k < l->rank; k++) {
		l->dim[k] = axt_cur_num(c, width);
		if (l->dim[k] == 0)
			return false;
	}
	return !c->bad;
}

/* Reads layout versions 1 and 2, in which every kind of layout has a rank and lengths. */
static bool
old_layout(struct axt_cur *c, const struct axt_src *s, struct axt_hlayout *l)
{
	l->rank = (int)axt_cur_num(c, 1);
	l->class = (int)axt_cur_num(c, 1);
	axt_cur_skip(c, 5);
	if (l->class > AXT_LAY_CHUNKED)
		return false;
	if (l->class != AXT_LAY_COMPACT)
		l->addr = axt_cur_addr(c, s);
	if (l->class == AXT_LAY_CHUNKED)
		return chunk_dims(c, l, 4);
	axt_cur_skip(c, 4 * (size_t)l->rank);
	if (l->class == AXT_LAY_COMPACT) {
		l->data.n = (size_t)axt_cur_num(c, 4);
		l->data.p = axt_cur_skip(c, l->data.n);
	}
	return !c->bad;
}

/*
 * Reads the parameters of an index of chunks in layout versions 4 and 5, but not its address. The
 * two versions differ only in how wide sizes of filtered chunks are in the index, and the index
 * itself tells that.
 */
static bool
new_chunks(struct axt_cur *c, const struct axt_src *s, struct axt_hlayout *l)
{
	static const uint8_t extra[] = { 0, 0, 0, 1, 5, 6 };
	int width;

	l->flags = (int)axt_cur_num(c, 1);
	l->rank = (int)axt_cur_num(c, 1);
	width = (int)axt_cur_num(c, 1);
	if ((l->flags & ~3) || width < 1 || width > 8 || !chunk_dims(c, l, width))
		return false;
	l->index = (int)axt_cur_num(c, 1);
	if (l->index < AXT_IDX_SINGLE || l->index > AXT_IDX_TREE2)
		return false;
	if (l->index == AXT_IDX_SINGLE && (l->flags & 2)) {
		l->one_size = axt_cur_len(c, s);
		l->one_mask = (uint32_t)axt_cur_num(c, 4);
	}
	axt_cur_skip(c, extra[l->index]);
	l->addr = axt_cur_addr(c, s);
	return !c->bad;
}

static bool
new_layout(struct axt_cur *c, const struct axt_src *s, struct axt_hlayout *l)
{
	l->class = (int)axt_cur_num(c, 1);
	switch (l->class) {
	case AXT_LAY_COMPACT:
		l->data.n = (size_t)axt_cur_num(c, 2);
		l->data.p = axt_cur_skip(c, l->data.n);
		return !c->bad;
	case AXT_LAY_CONTIGUOUS:
		l->addr = axt_cur_addr(c, s);
		l->size = axt_cur_len(c, s);
		return !c->bad;
	case AXT_LAY_CHUNKED:
		if (l->version >= 4)
			return new_chunks(c, s, l);
		l->rank = (int)axt_cur_num(c, 1);
		l->addr = axt_cur_addr(c, s);
		return chunk_dims(c, l, 4);
	case AXT_LAY_VIRTUAL:
		l->addr = axt_cur_addr(c, s);
		l->heap_index = (uint32_t)axt_cur_num(c, 4);
		return l->version >= 4 && !c->bad;
	}
	return false;
}

bool
axt_msg_layout(struct axt_cur c, const struct axt_src *s, struct axt_hlayout *l)
{
	*l = (struct axt_hlayout){ .addr = AXT_UNDEF, .size = UINT64_MAX };
	l->version = (int)axt_cur_num(&c, 1);
	if (l->version == 1 || l->version == 2)
		return old_layout(&c, s, l);
	return l->version >= 3 && l->version <= 5 && new_layout(&c, s, l);
}

/* Reads a text of n bytes that may end earlier with a NUL. An empty text is an error. */
static const char *
text(struct axt_arena *m, struct axt_cur *c, uint64_t n)
{
	const uint8_t *p = n > c->n ? NULL : axt_cur_skip(c, (size_t)n);

	return p && n > 0 && *p ? axt_strndup(m, (const char *)p, (size_t)n) : NULL;
}

/* What an external link says: flags, a file and the path of an object in it, each up to a NUL. */
static void
external(struct axt_arena *m, const uint8_t *p, size_t n, struct axt_link *out)
{
	const uint8_t *file = p + 1, *end = n > 1 ? memchr(file, 0, n - 1) : NULL;

	if (!end || *p != 0 || end == file || !memchr(end + 1, 0, n - (size_t)(end + 1 - p)))
		return;
	out->in_file = axt_strdup(m, (const char *)end + 1);
	out->file = out->in_file ? axt_strdup(m, (const char *)file) : NULL;
}

enum axt_link_is
axt_msg_link(struct axt_arena *m, struct axt_cur c, const struct axt_src *s, struct axt_link *out)
{
	int version = (int)axt_cur_num(&c, 1), flags = (int)axt_cur_num(&c, 1);
	int kind = flags & 8 ? (int)axt_cur_num(&c, 1) : 0;
	uint64_t n;

	*out = (struct axt_link){ .addr = AXT_UNDEF, .tracked = flags & 4 };
	if (flags & 4)
		out->created = (int64_t)axt_cur_num(&c, 8);
	if (flags & 16)
		axt_cur_skip(&c, 1);
	n = axt_cur_num(&c, 1 << (flags & 3));
	if (version != 1 || (flags & ~0x1f) || !(out->name = text(m, &c, n)))
		return AXT_LINK_DAMAGED;
	if (kind == 0) {
		out->addr = axt_cur_addr(&c, s);
		return c.bad ? AXT_LINK_DAMAGED : AXT_LINK_OK;
	}
	n = axt_cur_num(&c, 2);
	out->other = kind != 1;
	if (out->other) {
		const uint8_t *p = axt_cur_skip(&c, (size_t)n);

		if (p && kind == 64)
			external(m, p, (size_t)n, out);
		return p ? AXT_LINK_OTHER : AXT_LINK_DAMAGED;
	}
	out->soft = text(m, &c, n);
	return out->soft ? AXT_LINK_OK : AXT_LINK_DAMAGED;
}
