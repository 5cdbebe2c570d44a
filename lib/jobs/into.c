/*
 * into.c - parts of a job that make one output together. A folder beside the output has the parts
 * that are done, so that a job that was broken off is begun again by the same commands, and none
 * of them is computed twice. Who finds that no part is missing puts them together, and removes the
 * folder.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "jobs/parts.h"

struct into {
	struct axt_graph *g;
	const struct axt_save_opts *o;
	const char *folder; /* of the parts */
	int64_t k, n;
};

static int
failed(const struct into *x, const char *path)
{
	return axt_fail(&x->g->err, AXT_E_IO, "%s: %s", axt_escape(x->g->m, path), strerror(errno));
}

/* The file of a part: "out.nc.parts/03-of-64.nc". */
static const char *
part_file(const struct into *x, int64_t k)
{
	int digits = snprintf(NULL, 0, "%" PRId64, x->n);

	return axt_sprintf(x->g->m, "%s/%0*" PRId64 "-of-%" PRId64 ".nc", x->folder, digits, k,
	    x->n);
}

/* "out.nc.parts"; "out.nc.g.t.parts" of a dataset /g/t in a file. NULL: out of memory. */
static const char *
folder_of(struct axt_graph *g, const struct axt_way *way)
{
	struct axt_buf b = { 0 };

	axt_buf_adds(&b, way->file);
	for (const char *s = way->dset ? way->dset : ""; *s; s += strspn(s, "/")) {
		size_t n = strcspn(s, "/");

		if (n > 0)
			axt_buf_addf(&b, ".%.*s", (int)n, s);
		s += n;
	}
	axt_buf_adds(&b, ".parts");
	return axt_buf_text(g->m, &b);
}

/* Finds the folder, and makes it unless another part has. */
static int
begin(struct into *x)
{
	struct axt_graph *g = x->g;
	const char *output = x->o->output;
	struct axt_way way;

	if (!output || axt_stream_is(output)) {
		axt_fail(&g->err, AXT_E_ARG, "--into names the file that all parts make");
		axt_hint(&g->err, "--into FILE");
		return g->err.code;
	}
	if (axt_part_way(g, output, &way))
		return g->err.code;
	for (struct axt_open_file *f = g->files; f; f = f->next)
		if (!f->adopted && axt_same_file(f->f, way.file, &g->err)) {
			axt_fail(&g->err, AXT_E_EXISTS,
			    "%s is an operand, which the other parts read",
			    axt_escape(g->m, way.file));
			return axt_about(&g->err, AXT_INPUT_TOO, way.file, NULL);
		}
	if (x->o->no_clobber && way.kind != AXT_WAY_DATASET && access(way.file, F_OK) == 0) {
		axt_fail(&g->err, AXT_E_EXISTS, "%s: exists", axt_escape(g->m, way.file));
		return axt_about(&g->err, AXT_EXISTS, way.file, NULL);
	}
	x->folder = folder_of(g, &way);
	if (!x->folder)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_reach();
	return mkdir(x->folder, 0777) && errno != EEXIST ? failed(x, x->folder) : 0;
}

/* Whether the file of every part is there. One that is missing is likely after this one. */
static bool
all_there(const struct into *x)
{
	for (int64_t i = 0; i < x->n; i++) {
		const char *file = part_file(x, (x->k + i) % x->n + 1);

		if (!file || access(file, F_OK) != 0)
			return false;
	}
	return true;
}

/* Removes the folder, and the files in it that are of parts. */
static void
remove_folder(const struct into *x)
{
	DIR *d = opendir(x->folder);
	const struct dirent *f;

	while (d && (f = readdir(d))) {
		const char *path = strstr(f->d_name, "-of-") && !strchr(f->d_name, '/')
		    ? axt_sprintf(x->g->m, "%s/%s", x->folder, f->d_name)
		    : NULL;

		if (path)
			unlink(path);
	}
	if (d)
		closedir(d);
	rmdir(x->folder);
}

/* Puts all parts together. */
static int
merge(const struct into *x)
{
	struct axt_graph *g = x->g;
	const char **file = axt_alloc(g->m, (size_t)x->n * sizeof(*file));

	for (int64_t k = 0; file && k < x->n; k++)
		file = (file[k] = part_file(x, k + 1)) ? file : NULL;
	if (!file)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (axt_merge(g, file, (int)x->n,
		&(struct axt_merge_opts){ x->o->output, x->o->no_clobber }) == AXT_OK)
		remove_folder(x);
	return g->err.code;
}

/*
 * Puts all parts together if none is missing, and no other process is about it. The folder is
 * locked meanwhile; when it is gone, another has done it.
 */
static int
end(const struct into *x)
{
	struct axt_graph *g = x->g;
	struct stat here, there;
	int fd;

	if (g->err.code || !all_there(x))
		return g->err.code;
	fd = open(x->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : failed(x, x->folder);
	if ((flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && fstat(fd, &here) == 0 &&
	    stat(x->folder, &there) == 0 && here.st_ino == there.st_ino && all_there(x))
		merge(x);
	close(fd);
	return g->err.code;
}

int
axt_part_into(struct axt_graph *g, struct axt_expr *const e[], int n, const struct axt_save_opts *o,
    const struct axt_part_opts *how)
{
	struct into x = { .g = g, .o = o };
	struct axt_save_opts to = *o;

	if (g->err.code)
		return g->err.code;
	if (!axt_part_number(how->part, &x.k, &x.n))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "--part takes K/N, part K of N with K from 1 to N, not \"%s\"",
		    axt_escape(g->m, how->part));
	if (begin(&x))
		return g->err.code;
	to.output = part_file(&x, x.k);
	if (!to.output)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_part_save(g, e, n, &to, how, NULL);
	rmdir(x.folder); /* where the first part failed, nothing is left */
	return end(&x);
}
