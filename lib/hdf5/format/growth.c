/* growth.c - the block of a file that grows in place, and readers of such files. */
#include "hdf5/format/growth.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "bytes/output.h"
#include "hdf5/format/raw.h"

#define ATTEMPTS 100 /* at a block that is being written at this moment */

static const char magic[8] = "axtgrow1";

void
axt_growth_seal(uint8_t page[AXT_GROWTH_BYTES])
{
	memcpy(page + AXT_GROWTH_TAIL, magic, sizeof(magic));
	axt_put_le(page + AXT_GROWTH_SUM, axt_lookup3(page, AXT_GROWTH_SUM), 4);
}

bool
axt_growth_read(int fd, uint8_t page[AXT_GROWTH_BYTES])
{
	for (int i = 0; i < ATTEMPTS; i++) {
		if (axt_read_at(fd, page, AXT_GROWTH_BYTES, AXT_GROWTH_AT) != AXT_GROWTH_BYTES ||
		    memcmp(page + AXT_GROWTH_TAIL, magic, sizeof(magic)) != 0)
			return false;
		if (axt_lookup3(page, AXT_GROWTH_SUM) == axt_le32(page + AXT_GROWTH_SUM))
			return true;
	}
	return false;
}

void
axt_growth_put(uint8_t page[AXT_GROWTH_BYTES], int at, const struct timespec *mtime)
{
	axt_put_le(page + at, (uint64_t)mtime->tv_sec, 8);
	axt_put_le(page + at + 8, (uint64_t)mtime->tv_nsec, 8);
}

bool
axt_growth_is(const uint8_t page[AXT_GROWTH_BYTES], int at, const struct timespec *mtime)
{
	return axt_le(page + at, 8) == (uint64_t)mtime->tv_sec &&
	    axt_le(page + at + 8, 8) == (uint64_t)mtime->tv_nsec;
}

bool
axt_growth_is_fresh(const uint8_t page[AXT_GROWTH_BYTES])
{
	return axt_growth_is(page, AXT_GROWTH_SEC, &(struct timespec){ 0 });
}

void
axt_growth_note(struct axt_src *s)
{
	struct axt_err e = { 0 };
	struct stat st;
	int fd;

	if (s->stream || !s->of || s->size < AXT_GROWTH_AT + AXT_GROWTH_BYTES || s->growth ||
	    (fd = axt_file_take(s->of, &e)) < 0)
		return;
	s->growth = calloc(1, AXT_GROWTH_BYTES);
	s->starved |= !s->growth;
	if (s->growth && axt_growth_read(fd, s->growth)) {
		/* what the block tells of may have come after the file was opened */
		if (fstat(fd, &st) == 0)
			s->size = MAX(s->size, (uint64_t)st.st_size);
	} else {
		free(s->growth);
		s->growth = NULL;
	}
	axt_file_give(s->of);
}

bool
axt_growth_only(struct axt_file *f)
{
	const struct axt_src *s = f->src;
	uint8_t page[AXT_GROWTH_BYTES];
	struct axt_err e = { 0 };
	bool only = false;
	struct stat st;
	int fd;

	if (!s->growth || (fd = axt_file_take(f, &e)) < 0)
		return false;
	for (int pass = 0; pass < 2 && !only; pass++) {
		if (pass > 0 && !axt_lock_pass(fd))
			break;
		only = fstat(fd, &st) == 0 && axt_growth_read(fd, page) &&
		    axt_growth_is(page, AXT_GROWTH_SEC, &st.st_mtim) &&
		    memcmp(page + AXT_GROWTH_EPOCH, s->growth + AXT_GROWTH_EPOCH, 8) == 0 &&
		    (!axt_growth_is_fresh(s->growth) ||
			axt_growth_is(page, AXT_GROWTH_OLD, &f->id.mtime));
	}
	axt_file_give(f);
	return only;
}
