/*
 * foreign.c - a fuzz target: any bytes as a file of another format. The first byte picks the format
 * and options; what is accepted is listed and, when it is small, evaluated.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph/graph.h"

#define SMALL (1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static bool
all_of(int fd, const uint8_t *p, size_t n)
{
	return fd >= 0 && write(fd, p, n) == (ssize_t)n;
}

/* Every value, as f64 or what it is. */
static void
evaluate(struct axt_graph *g, struct axt_expr *e)
{
	int64_t count = axt_count(e);
	void *out;

	if (count < 0 || count > SMALL)
		return;
	out = malloc((size_t)count * (size_t)axt_size(e->dtype) + 1);
	if (out)
		axt_eval(g, e, out, (size_t)count * (size_t)axt_size(e->dtype));
	free(out);
}

/* An operand or a failure with a message. */
static int
read_once(const char *path, const struct axt_from_opts *o, const char *name)
{
	struct axt_graph *g = axt_graph_new();
	char operand[100];
	struct axt_expr *e;
	int taken = 0;

	if (!g)
		return 0;
	axt_graph_set_threads(g, 1);
	axt_graph_set_memory(g, 1 << 20);
	snprintf(operand, sizeof(operand), name ? "%s:%s" : "%s", path, name);
	e = axt_from(g, operand, o);
	if (!axt_graph_error(g)) {
		evaluate(g, e);
		taken = 1;
	} else if (!*axt_graph_error(g) || strchr(axt_graph_error(g), '\n')) {
		abort();
	}
	axt_graph_free(g);
	return taken;
}

static int
list_once(const char *path, const struct axt_from_opts *o)
{
	struct axt_graph *g = axt_graph_new();
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	int taken = 0;

	if (g && f)
		taken = axt_from_list(g, path, o, f) == AXT_OK;
	if (f)
		fclose(f);
	free(text);
	axt_graph_free(g);
	return taken;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char *const names[] = { NULL, "a", "v", "x y" };
	struct axt_from_opts o = { 0 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC), taken = 0;
	char path[40];

	if (n > 0 && all_of(fd, p + 1, n - 1)) {
		o.format = (enum axt_format)(p[0] % 6);
		o.matrix = p[0] & 64;
		if (o.format == AXT_FORMAT_RAW) {
			o.to = "a=3,b";
			o.dtype = (enum axt_dtype)(
			    AXT_BOOL + (p[0] >> 3) % (AXT_NDTYPES - AXT_BOOL));
			o.big_endian = p[0] & 128;
		}
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		taken = read_once(path, &o, NULL) | list_once(path, &o);
		taken |= read_once(path, &o, names[p[0] >> 6]);
	}
	if (fd >= 0)
		close(fd);
	return taken;
}
