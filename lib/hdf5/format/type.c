/*
 * type.c - datatypes: reads their messages, and finds the dtype that has exactly the same values.
 * source  HDF5 File Format Specification 3.0, section IV.A.2.d.
 */
#include "hdf5/format/raw.h"

#define MAX_NEST 16
#define NATIVE_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* ---- the message ---- */

static bool parse(struct axt_arena *m, struct axt_cur *c, int nest, struct axt_htype *t);

static const struct axt_htype *
part(struct axt_arena *m, struct axt_cur *c, int nest)
{
	struct axt_htype *t = axt_alloc(m, sizeof(*t));

	return t && parse(m, c, nest + 1, t) ? t : NULL;
}

/* Reads a NUL-terminated name, padded to a multiple of 8 before version 3. */
static const char *
name(struct axt_cur *c, int version)
{
	const uint8_t *p = c->p, *end = c->n && !c->bad ? memchr(c->p, 0, c->n) : NULL;
	size_t n;

	if (!end)
		return NULL;
	n = (size_t)(end - p) + 1;
	return (const char *)axt_cur_skip(c, version < 3 ? (n + 7) & ~(size_t)7 : n);
}

/*
 * Whether a class or version is newer than axt knows, rather than damaged: numbers a little higher
 * than the known ones are taken for newer, since HDF5 adds about one in ten years.
 */
static bool
is_newer(int class, int version)
{
	return (version > AXT_TYPE_VERSION && version <= AXT_TYPE_VERSION + AXT_NEWER) ||
	    (version == AXT_TYPE_VERSION && class > AXT_T_COMPLEX);
}

/* Makes t a type of which nothing but its size is known. What follows it cannot be found. */
static bool
newer(struct axt_cur *c, struct axt_htype *t)
{
	*t = (struct axt_htype){ .class = AXT_T_NEWER, .size = t->size };
	axt_cur_skip(c, c->n);
	return true;
}

static bool
members(struct axt_arena *m, struct axt_htype *t, const struct axt_cur *c)
{
	t->n = (int)(t->bits & 0xffff);
	if (t->n == 0 || (size_t)t->n > c->n)
		return false;
	t->member = axt_alloc(m, (size_t)t->n * sizeof(*t->member));
	return t->member != NULL;
}

static bool
compound(struct axt_arena *m, struct axt_cur *c, int version, int nest, struct axt_htype *t)
{
	if (!members(m, t, c))
		return false;
	for (int i = 0; i < t->n; i++) {
		struct axt_hmember *x = &t->member[i];

		x->name = name(c, version);
		if (!x->name)
			return false;
		x->at = axt_cur_num(c, version < 3 ? 4 : axt_le_width(t->size));
		if (version == 1 && axt_cur_num(c, 1) != 0)
			x->value =
			    c->p; /* marks an array, which version 1 describes here, as no number */
		if (version == 1)
			axt_cur_skip(c, 27);
		x->type = part(m, c, nest);
		if (x->type && x->type->class == AXT_T_NEWER)
			return newer(c, t);
		if (!x->type || x->at > t->size || x->type->size > t->size - x->at)
			return false;
	}
	return true;
}

static bool
enumeration(struct axt_arena *m, struct axt_cur *c, int version, int nest, struct axt_htype *t)
{
	t->base = part(m, c, nest);
	if (t->base && t->base->class == AXT_T_NEWER)
		return newer(c, t);
	if (!t->base || t->base->size != t->size || t->size > 64 || !members(m, t, c))
		return false;
	for (int i = 0; i < t->n; i++) {
		t->member[i].name = name(c, version);
		if (!t->member[i].name)
			return false;
	}
	for (int i = 0; i < t->n; i++)
		t->member[i].value = axt_cur_skip(c, (size_t)t->size);
	return !c->bad;
}

static bool
array(struct axt_arena *m, struct axt_cur *c, int version, int nest, struct axt_htype *t)
{
	uint64_t rank = axt_cur_num(c, 1), n = 1;

	if (version < 3)
		axt_cur_skip(c, 3);
	if (rank > AXT_MAX_RANK)
		return false;
	for (uint64_t k = 0; k < rank; k++)
		if (__builtin_mul_overflow(n, t->dims[k] = axt_cur_num(c, 4), &n))
			return false;
	t->rank = (int)rank;
	if (version < 3)
		axt_cur_skip(c, 4 * (size_t)rank);
	t->base = part(m, c, nest);
	if (t->base && t->base->class == AXT_T_NEWER)
		return newer(c, t);
	return t->base && !__builtin_mul_overflow(n, t->base->size, &n) && n == t->size;
}

static bool
list(struct axt_arena *m, struct axt_cur *c, int nest, struct axt_htype *t)
{
	t->base = part(m, c, nest);
	if (t->base && t->base->class == AXT_T_NEWER)
		return newer(c, t);
	return t->base != NULL;
}

/* A complex number: two floats of one type. Bit 0 is set; bits 1 and 2 are 0: real, imaginary. */
static bool
complex_number(struct axt_arena *m, struct axt_cur *c, int nest, struct axt_htype *t)
{
	t->base = part(m, c, nest);
	if (t->base && t->base->class == AXT_T_NEWER)
		return newer(c, t);
	return t->base && t->base->class == AXT_T_FLOAT && t->size % 2 == 0 &&
	    t->base->size == t->size / 2;
}

static bool
number(struct axt_cur *c, int version, struct axt_htype *t)
{
	bool is_float = t->class == AXT_T_FLOAT;

	t->order = t->bits & 1 ? AXT_ORDER_BE : AXT_ORDER_LE;
	if (is_float && version >= 3 && (t->bits & 0x40))
		t->order = AXT_ORDER_VAX;
	t->pads = t->bits & (is_float ? 0xe : 6);
	t->offset = (int)axt_cur_num(c, 2);
	t->precision = (int)axt_cur_num(c, 2);
	if (!is_float) {
		t->sign = t->class == AXT_T_INT && t->bits & 8;
		return !c->bad;
	}
	t->norm = (int)(t->bits >> 4 & 3);
	t->spos = (int)(t->bits >> 8 & 255);
	t->epos = (int)axt_cur_num(c, 1);
	t->esize = (int)axt_cur_num(c, 1);
	t->mpos = (int)axt_cur_num(c, 1);
	t->msize = (int)axt_cur_num(c, 1);
	t->bias = (uint32_t)axt_cur_num(c, 4);
	return !c->bad;
}

/* A time of Unix: seconds, as a signed integer. */
static bool
moment(struct axt_cur *c, struct axt_htype *t)
{
	t->order = t->bits & 1 ? AXT_ORDER_BE : AXT_ORDER_LE;
	t->precision = (int)axt_cur_num(c, 2);
	t->sign = true;
	return !c->bad;
}

static bool
parse(struct axt_arena *m, struct axt_cur *c, int nest, struct axt_htype *t)
{
	int head = (int)axt_cur_num(c, 1), version = head >> 4;

	t->class = head & 15;
	t->bits = (uint32_t)axt_cur_num(c, 3);
	t->size = axt_cur_num(c, 4);
	if (c->bad || t->size == 0 || nest > MAX_NEST)
		return false;
	if (is_newer(t->class, version))
		return newer(c, t);
	if (version < 1 || version > AXT_TYPE_VERSION)
		return false;
	switch (t->class) {
	case AXT_T_INT:
	case AXT_T_BITS:
	case AXT_T_FLOAT: return number(c, version, t);
	case AXT_T_TIME: return moment(c, t);
	case AXT_T_STRING:
	case AXT_T_REF: return true;
	case AXT_T_OPAQUE: return axt_cur_skip(c, t->bits & 255);
	case AXT_T_COMPOUND: return compound(m, c, version, nest, t);
	case AXT_T_ENUM: return enumeration(m, c, version, nest, t);
	case AXT_T_VLEN: return list(m, c, nest, t);
	case AXT_T_ARRAY: return array(m, c, version, nest, t);
	case AXT_T_COMPLEX: return complex_number(m, c, nest, t);
	}
	return false;
}

const struct axt_htype *
axt_msg_type(struct axt_arena *m, struct axt_cur *c)
{
	return part(m, c, -1);
}

/* ---- the dtype ---- */

bool
axt_h5_is_text(const struct axt_htype *t, bool *vlen, bool *space_pad, uint64_t *size)
{
	*vlen = t->class == AXT_T_VLEN && (t->bits & 15) == 1;
	*space_pad = (t->bits >> (*vlen ? 4 : 0) & 15) == 2;
	*size = t->size;
	return *vlen || t->class == AXT_T_STRING;
}

static bool
other_order(const struct axt_htype *t)
{
	return t->size > 1 && (t->order == AXT_ORDER_BE) != NATIVE_BE;
}

/*
 * Whether an integer uses all of its bits, and its bytes are in little or big order. (The order of
 * a single byte does not matter.)
 */
static bool
is_plain(const struct axt_htype *t)
{
	return t->order != AXT_ORDER_VAX && t->offset == 0 && !t->pads &&
	    (uint64_t)t->precision == 8 * t->size;
}

static bool
int_dtype(const struct axt_htype *t, enum axt_dtype *out)
{
	switch (t->size) {
	case 1: *out = t->sign ? AXT_I8 : AXT_U8; break;
	case 2: *out = t->sign ? AXT_I16 : AXT_U16; break;
	case 4: *out = t->sign ? AXT_I32 : AXT_U32; break;
	case 8: *out = t->sign ? AXT_I64 : AXT_U64; break;
	default: return false;
	}
	return is_plain(t);
}

/*
 * Whether a float has the given sizes and bias, its sign in the highest bit, and its mantissa,
 * without the leading one, in the lowest bits.
 */
static bool
fields(const struct axt_htype *t, int esize, int msize, uint32_t bias)
{
	return t->norm == 2 && t->spos == esize + msize && t->epos == msize && t->esize == esize &&
	    t->mpos == 0 && t->msize == msize && t->bias == bias;
}

static bool
float_dtype(const struct axt_htype *t, enum axt_dtype *out)
{
	switch (t->size) {
	case 2:
		*out = fields(t, 5, 10, 15) ? AXT_F16 : AXT_BF16;
		return t->order != AXT_ORDER_VAX && t->precision == 16 && t->offset == 0 &&
		    (*out == AXT_F16 || fields(t, 8, 7, 127));
	case 4: *out = AXT_F32; return is_plain(t) && fields(t, 8, 23, 127);
	case 8: *out = AXT_F64; return is_plain(t) && fields(t, 11, 52, 1023);
	default: return false;
	}
}

bool
axt_h5_member_is(const struct axt_htype *t, int i, const char *want)
{
	return i < t->n && strcmp(t->member[i].name, want) == 0;
}

/*
 * Whether the type is the one that h5py writes for bool: an enum of one byte with FALSE 0 and TRUE
 * 1.
 */
static bool
is_bool(const struct axt_htype *t)
{
	return t->size == 1 && t->n == 2 && axt_h5_member_is(t, 0, "FALSE") &&
	    axt_h5_member_is(t, 1, "TRUE") && t->member[0].value[0] == 0 &&
	    t->member[1].value[0] == 1;
}

static bool
enum_dtype(const struct axt_htype *t, enum axt_dtype *out, bool *swap)
{
	if (t->base->class != AXT_T_INT || !int_dtype(t->base, out))
		return false;
	*swap = other_order(t->base);
	if (is_bool(t))
		*out = AXT_BOOL;
	return true;
}

static bool
native_complex_dtype(const struct axt_htype *t, enum axt_dtype *out, bool *swap)
{
	if ((t->bits & 7) != 1 || !float_dtype(t->base, out) ||
	    (*out != AXT_F32 && *out != AXT_F64))
		return false;
	*swap = other_order(t->base);
	*out = *out == AXT_F32 ? AXT_C64 : AXT_C128;
	return true;
}

/* Whether a compound is two numbers that are called real and imaginary. */
static bool
is_pair(const struct axt_htype *t)
{
	if (t->n != 2 || t->member[0].at != 0 || t->member[1].at * 2 != t->size ||
	    t->member[0].value || t->member[1].value)
		return false;
	return (axt_h5_member_is(t, 0, "r") && axt_h5_member_is(t, 1, "i")) ||
	    (axt_h5_member_is(t, 0, "real") && axt_h5_member_is(t, 1, "imag"));
}

static bool
complex_dtype(const struct axt_htype *t, enum axt_dtype *out, bool *swap)
{
	const struct axt_htype *re, *im;
	enum axt_dtype other;

	if (!is_pair(t))
		return false;
	re = t->member[0].type;
	im = t->member[1].type;
	if (re->class != AXT_T_FLOAT || im->class != AXT_T_FLOAT || !float_dtype(re, out) ||
	    !float_dtype(im, &other) || other != *out || re->order != im->order ||
	    (*out != AXT_F32 && *out != AXT_F64) || t->size != 2 * re->size)
		return false;
	*swap = other_order(re);
	*out = *out == AXT_F32 ? AXT_C64 : AXT_C128;
	return true;
}

/* Whether a layout is possible; what is below needs one that is. */
static bool
number_right(const struct axt_number *t)
{
	int all = 8 * t->size;

	if (t->size < 1 || t->size > AXT_NUMBER_BYTES)
		return false;
	if (!t->is_float)
		return t->precision >= 1 && t->precision <= 64 && t->offset >= 0 &&
		    t->offset + t->precision <= all;
	return t->esize >= 1 && t->esize <= 32 && t->epos + t->esize <= all && t->msize >= 0 &&
	    t->mpos + t->msize <= all && t->spos < all && t->bias >= 0 && t->bias < 1 << 28 &&
	    (t->implied || t->msize >= 1) && (t->order != AXT_NUMBER_VAX || t->size % 2 == 0);
}

static bool
number_of(const struct axt_htype *t, struct axt_number *n)
{
	if (t->size > AXT_NUMBER_BYTES || t->bias > INT32_MAX)
		return false;
	*n = (struct axt_number){ .size = (int)t->size,
		.order = t->size == 1          ? AXT_NUMBER_LE
		    : t->order == AXT_ORDER_LE ? AXT_NUMBER_LE
		    : t->order == AXT_ORDER_BE ? AXT_NUMBER_BE
					       : AXT_NUMBER_VAX,
		.is_float = t->class == AXT_T_FLOAT,
		.offset = t->offset,
		.precision = t->precision,
		.sign = t->sign,
		.spos = t->spos,
		.epos = t->epos,
		.esize = t->esize,
		.mpos = t->mpos,
		.msize = t->msize,
		.bias = (int)t->bias,
		.implied = t->norm == 2 };
	return number_right(n);
}

/* The type of both parts of a complex number, or NULL. */
static const struct axt_htype *
part_of_complex(const struct axt_htype *t)
{
	const struct axt_htype *re, *im;

	if (t->class == AXT_T_COMPLEX)
		return (t->bits & 7) == 1 ? t->base : NULL;
	if (t->class != AXT_T_COMPOUND || !is_pair(t))
		return NULL;
	re = t->member[0].type;
	im = t->member[1].type;
	return re->class == AXT_T_FLOAT && im->class == AXT_T_FLOAT && re->size == im->size &&
		re->order == im->order && re->spos == im->spos && re->epos == im->epos &&
		re->esize == im->esize && re->mpos == im->mpos && re->msize == im->msize &&
		re->bias == im->bias && re->norm == im->norm && t->size == 2 * re->size
	    ? re
	    : NULL;
}

/* Sets t->dtype: the least integer of as many bytes; f32 if it has all values, else f64. */
static void
number_dtype(struct axt_number *t)
{
	static const enum axt_dtype ints[] = { AXT_I8, AXT_I16, AXT_I32, AXT_I64 };
	int k = t->size <= 1 ? 0
	    : t->size <= 2   ? 1
	    : t->size <= 4   ? 2
			     : 3,
	    fraction = t->implied ? t->msize : t->msize - 1;
	bool small = t->esize <= 8 && fraction <= 23 && t->bias + fraction <= 150 &&
	    (1 << t->esize) - 2 - t->bias <= 127;

	if (!t->is_float)
		t->dtype = (enum axt_dtype)(ints[k] + (t->sign ? 0 : AXT_U8 - AXT_I8));
	else if (t->is_complex)
		t->dtype = small ? AXT_C64 : AXT_C128;
	else
		t->dtype = small ? AXT_F32 : AXT_F64;
}

bool
axt_h5_number(const struct axt_htype *t, struct axt_number *out)
{
	const struct axt_htype *part = part_of_complex(t);
	bool is = t->class == AXT_T_INT || t->class == AXT_T_BITS || t->class == AXT_T_TIME ||
	    t->class == AXT_T_FLOAT || part;

	if (!is || !number_of(part ? part : t, out))
		return false;
	out->is_complex = part != NULL;
	number_dtype(out);
	return true;
}

bool
axt_h5_is_table(const struct axt_htype *t)
{
	struct axt_number n;
	enum axt_dtype d;
	bool swap;

	return t->class == AXT_T_COMPOUND && !complex_dtype(t, &d, &swap) && !axt_h5_number(t, &n);
}

bool
axt_h5_dtype(const struct axt_htype *t, enum axt_dtype *out, bool *swap, const char **why)
{
	static const char *const refused[] = {
		[AXT_T_INT] = "type not supported: an integer of unusual layout",
		[AXT_T_FLOAT] = "type not supported: a float of unusual layout",
		[AXT_T_TIME] = "type not supported: time",
		[AXT_T_STRING] = "type not supported: text",
		[AXT_T_BITS] = "type not supported: a bit field of unusual layout",
		[AXT_T_OPAQUE] = "type not supported: opaque",
		[AXT_T_COMPOUND] = "type not supported: compound",
		[AXT_T_REF] = "type not supported: reference",
		[AXT_T_ENUM] = "type not supported: an enum of unusual integers",
		[AXT_T_VLEN] = "type not supported: variable length",
		[AXT_T_ARRAY] = "type not supported: array",
		[AXT_T_COMPLEX] = "type not supported: a complex number of unusual floats",
		[AXT_T_NEWER] = "its type is newer than axt knows",
	};

	*why = refused[t->class];
	switch (t->class) {
	case AXT_T_INT:
	case AXT_T_BITS: *swap = other_order(t); return int_dtype(t, out);
	case AXT_T_FLOAT: *swap = other_order(t); return float_dtype(t, out);
	case AXT_T_ENUM: return enum_dtype(t, out, swap);
	case AXT_T_COMPOUND: return complex_dtype(t, out, swap);
	case AXT_T_COMPLEX: return native_complex_dtype(t, out, swap);
	case AXT_T_VLEN:
		if ((t->bits & 15) == 1)
			*why = refused[AXT_T_STRING];
		return false;
	}
	return false;
}
