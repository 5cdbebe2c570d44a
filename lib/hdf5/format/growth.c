/* growth.c - the block of a file that grows in place, and readers of such files. */
#include "hdf5/format/growth.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/output.h"
#include "hdf5/format/raw.h"

#define ATTEMPTS 100 /* at a block that is being written at this moment */

static const char magic[] = "axtgrow1";
#define MAGIC (sizeof(magic) - 1)

void
axt_growth_seal(uint8_t page[AXT_GROWTH_BYTES])
{
	memcpy(page + AXT_GROWTH_TAIL, magic, MAGIC);
	axt_put_le(page + AXT_GROWTH_SUM, axt_lookup3(page, AXT_GROWTH_SUM), 4);
}

bool
axt_growth_read(int fd, uint8_t page[AXT_GROWTH_BYTES])
{
	char word[MAGIC];

	/* in nearly all files something else is there: few bytes of it are read */
	if (axt_read_at(fd, word, sizeof(word), AXT_GROWTH_AT + AXT_GROWTH_TAIL) != sizeof(word) ||
	    memcmp(word, magic, MAGIC) != 0)
		return false;
	for (int i = 0; i < ATTEMPTS; i++) {
		if (axt_read_at(fd, page, AXT_GROWTH_BYTES, AXT_GROWTH_AT) != AXT_GROWTH_BYTES ||
		    memcmp(page + AXT_GROWTH_TAIL, magic, MAGIC) != 0)
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

/*
 * Whether nothing but appends happened between two states of the block: `was`, noted when the file
 * had this time of modification, and `now`.
 */
static bool
are_near(const uint8_t *was, const uint8_t *now, const struct timespec *mtime)
{
	uint64_t changes = axt_le(now + AXT_GROWTH_EPOCH, 8) - axt_le(was + AXT_GROWTH_EPOCH, 8);

	return changes == 0 || (changes == 1 && axt_growth_is(now, AXT_GROWTH_OLD, mtime));
}

/*
 * An append to a file that others have changed first counts that change in the block, and then
 * tells, by the lock, that it appends. Once it has told so, it only appends until it ends, and then
 * the block has the file's time of modification. So the lock is asked first and the block is read
 * after that: if the block counts no other change, and the lock or the time says that it is an
 * append, nothing else happened. Between telling by the lock and by the time there is a short
 * moment, in which the writer still holds the lock: then it tries again.
 */
bool
axt_growth_only(struct axt_file *f)
{
	const struct axt_src *s = f->src;
	uint8_t page[AXT_GROWTH_BYTES];
	struct axt_err e = { 0 };
	bool only = false, held = true, appended;
	struct stat st;
	int fd;

	if (!s->growth || (fd = axt_file_take(f, &e)) < 0)
		return false;
	for (int i = 0; i < ATTEMPTS && held && !only; i++) {
		if (i > 1)
			usleep(1000);
		held = axt_lock_is_held(fd) || i == 0; /* it may have ended just now */
		appended = axt_lock_is_appended(fd);
		if (!axt_growth_read(fd, page) || fstat(fd, &st) ||
		    !are_near(s->growth, page, &f->id.mtime))
			break;
		only = appended || axt_growth_is(page, AXT_GROWTH_SEC, &st.st_mtim);
	}
	axt_file_give(f);
	return only;
}
