/*
 * plan_inputs.c - writes and reads those lines of a plan that describe its inputs, and those words
 * behind its leaves that say where their values are.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "wire/text.h"
#include "inputs/plan_inputs.h"

static const char *const kinds[] = { "file", "bytes", "data" };

void
axt_plan_input_write(struct axt_buf *b, const struct axt_plan_input *x)
{
	axt_buf_addf(b, "%s %d ", kinds[x->kind], x->number);
	if (x->kind == AXT_INPUT_DATA) {
		axt_buf_addf(b, "bytes=%" PRId64, x->bytes);
		return;
	}
	if (x->handed)
		axt_buf_addf(b, "dev=%llu ino=%llu ", (unsigned long long)x->id.dev,
		    (unsigned long long)x->id.ino);
	axt_buf_addf(b, "size=%" PRId64 " mtime=%lld ns=%ld name=", x->id.size,
	    (long long)x->id.mtime.tv_sec, x->id.mtime.tv_nsec);
	axt_plan_word(b, x->name);
}

static bool
number(char **s, const char *key, uint64_t most, uint64_t *out)
{
	char *w = axt_plan_take(s, key), *end;

	if (!w || *w < '0' || *w > '9')
		return false;
	*out = strtoull(w, &end, 10);
	return *end == '\0' && *out <= most;
}

bool
axt_plan_input_read(char *s, struct axt_plan_input *x)
{
	const char *kind = axt_plan_take(&s, "");
	uint64_t k, dev, ino, size, sec, ns;
	int i = 0;

	*x = (struct axt_plan_input){ 0 };
	while (kind && i < ARRAY_LEN(kinds) && strcmp(kind, kinds[i]) != 0)
		i++;
	if (!kind || i == ARRAY_LEN(kinds) || !number(&s, "", INT32_MAX, &k))
		return false;
	x->kind = i;
	x->number = (int)k;
	if (x->kind == AXT_INPUT_DATA) {
		if (!number(&s, "bytes=", INT64_MAX, &size))
			return false;
		x->bytes = (int64_t)size;
		x->hex = s;
		return true;
	}
	x->handed = strncmp(s, "dev=", 4) == 0;
	if (x->handed) {
		if (!number(&s, "dev=", UINT64_MAX, &dev) || !number(&s, "ino=", UINT64_MAX, &ino))
			return false;
		x->id.dev = dev;
		x->id.ino = ino;
	}
	if (!number(&s, "size=", INT64_MAX, &size) || !number(&s, "mtime=", INT64_MAX, &sec) ||
	    !number(&s, "ns=", INT64_MAX, &ns) || !(x->name = axt_plan_take(&s, "name=")))
		return false;
	x->id.size = (int64_t)size;
	x->id.mtime = (struct timespec){ .tv_sec = (time_t)sec, .tv_nsec = (long)ns };
	return *x->name && !*s;
}

void
axt_plan_leaf_write(struct axt_buf *b, const struct axt_plan_leaf *x)
{
	axt_buf_addf(b, "%s=%" PRId64, x->data ? "data" : "file", x->number);
	if (x->path) {
		axt_buf_adds(b, " path=");
		axt_plan_word(b, x->path);
	} else if (!x->data) {
		axt_buf_addf(b, " at=%" PRIu64 " swap=%d", x->at, x->swap);
	}
	if (x->sum)
		axt_buf_addf(b, " sum=%s", x->sum);
}

bool
axt_plan_leaf_read(char *s, struct axt_plan_leaf *x)
{
	uint64_t k, swap;

	*x = (struct axt_plan_leaf){ .data = strncmp(s, "data=", 5) == 0 };
	if (!number(&s, x->data ? "data=" : "file=", INT32_MAX, &k))
		return false;
	x->number = (int64_t)k;
	if (!x->data && strncmp(s, "at=", 3) == 0) {
		if (!number(&s, "at=", UINT64_MAX, &x->at) || !number(&s, "swap=", 1, &swap))
			return false;
		x->swap = swap;
	} else if (!x->data &&
	    (!(x->path = axt_plan_take(&s, "path=")) ||
		(*s && !(x->sum = axt_plan_take(&s, "sum="))))) {
		return false;
	}
	return !*s;
}

struct axt_expr *
axt_plan_data(struct axt_graph *g, enum axt_dtype d, const struct axt_axes *x, const void *data,
    int64_t n)
{
	int64_t count;

	return data && axt_axes_count(x, &count) && axt_mul(count, axt_size(d), &count) &&
		count == n
	    ? axt_memory_leaf(g, d, x, data)
	    : NULL;
}
