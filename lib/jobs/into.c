/*
 * into.c - parts of a job that make one output together. A folder beside the output has the parts
 * that are done, so that a job that was broken off is begun again by the same commands, and none
 * of them is computed twice. Who finds that no part is missing puts them together, and removes the
 * folder.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/quote.h"
#include "jobs/parts.h"

#define DONE \
	"user.axt_job" /* an attribute of the output in its file system: the job that made it */

struct into {
	struct axt_graph *g;
	const struct axt_save_opts *o;
	const char *file;   /* the output, or the file that has it */
	const char *folder; /* of the parts */
	int64_t k, n;
	const char *job; /* what the parts have in common */
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

/* "out.nc.parts"; "out.nc:+g+t.parts" of a dataset /g/t in a file. NULL: out of memory. */
static const char *
folder_of(struct axt_graph *g, const struct axt_way *way)
{
	struct axt_buf b = { 0 };

	axt_buf_adds(&b, way->file);
	axt_buf_adds(&b, way->dset ? ":" : "");
	for (const char *s = way->dset ? way->dset : ""; *s; s++)
		axt_buf_add(&b, *s == '/' ? "+" : s, 1);
	axt_buf_adds(&b, ".parts");
	return axt_buf_text(g->m, &b);
}

/* Finds the folder, and looks at what is there by the name of the output. */
static int
begin(struct into *x)
{
	struct axt_graph *g = x->g;
	const char *output = x->o->output;
	struct axt_way way;
	struct stat st;

	if (!output || axt_stream_is(output)) {
		axt_fail(&g->err, AXT_E_ARG, "--into names the file that all parts make");
		axt_hint(&g->err, "--into FILE");
		return g->err.code;
	}
	if (axt_part_way(g, output, &way) || axt_part_operand(g, way.file))
		return g->err.code;
	if (x->o->no_clobber && way.kind != AXT_WAY_DATASET && access(way.file, F_OK) == 0) {
		axt_fail(&g->err, AXT_E_EXISTS, "%s: exists", axt_escape(g->m, way.file));
		return axt_about(&g->err, AXT_EXISTS, way.file, NULL);
	}
	if (way.kind != AXT_WAY_ZARR && stat(way.file, &st) == 0 && S_ISDIR(st.st_mode))
		return axt_fail(&g->err, AXT_E_IO, "%s: is a directory",
		    axt_escape(g->m, way.file));
	x->file = way.file;
	x->folder = folder_of(g, &way);
	return x->folder ? 0 : axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* The job that has made the output, and when that was: "JOB N NAME 1795969067.787866231". */
static const char *
done_text(const struct into *x)
{
	struct stat st;

	if (stat(x->file, &st))
		return NULL;
	return axt_sprintf(x->g->m, "%s %s %lld.%09ld", x->job, x->folder,
	    (long long)st.st_mtim.tv_sec, (long)st.st_mtim.tv_nsec);
}

/* Whether the output is there, as these parts have made it. */
static bool
is_made(const struct into *x)
{
	char was[4096];
	ssize_t n = getxattr(x->file, DONE, was, sizeof(was) - 1);
	const char *want = n > 0 ? done_text(x) : NULL;

	was[n > 0 ? n : 0] = '\0';
	return want && strcmp(was, want) == 0;
}

/* Notes that it is, where the file system can. */
static void
note_made(const struct into *x)
{
	const char *text = done_text(x);

	if (text)
		setxattr(x->file, DONE, text, strlen(text), 0);
}

/* The file of the folder that says whose parts are in it. */
static const char *
job_file(const struct into *x)
{
	return axt_sprintf(x->g->m, "%s/job", x->folder);
}

/* Fails if the folder has parts of another job. */
static int
check_job(const struct into *x)
{
	struct axt_graph *g = x->g;
	const char *file = job_file(x);
	size_t n = strlen(x->job);
	char was[256] = "";
	int fd = file ? open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
	ssize_t got;

	if (fd < 0)
		return failed(x, x->folder);
	flock(fd, LOCK_EX); /* so that only one of several writes it */
	got = read(fd, was, sizeof(was) - 1);
	if (got == 0 && write(fd, x->job, n) != (ssize_t)n)
		failed(x, file);
	close(fd);
	if (g->err.code || got == 0 || (got == (ssize_t)n && strcmp(was, x->job) == 0))
		return g->err.code;
	axt_fail(&g->err, AXT_E_EXISTS,
	    "%s has parts of another job: of another expression or other options, or their inputs "
	    "were others or have changed",
	    axt_escape(g->m, x->folder));
	axt_hint(&g->err, "rm -r %s, and begin anew", axt_quoted(g->m, x->folder));
	return g->err.code;
}

/* Called once the job is known. Returns whether there is nothing to do for this part. */
static bool
known(void *ctx, const char *job)
{
	struct into *x = ctx;

	x->job = job;
	if (is_made(x))
		return true;
	axt_reach();
	if (mkdir(x->folder, 0777) && errno != EEXIST)
		failed(x, x->folder);
	else
		check_job(x);
	return x->g->err.code != 0;
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

/* Removes the folder, with the files of this job. What else somebody has put there stays. */
static void
remove_folder(const struct into *x)
{
	const char *file;

	for (int64_t k = 1; k <= x->n; k++)
		if ((file = part_file(x, k)))
			unlink(file);
	if ((file = job_file(x)))
		unlink(file);
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
		&(struct axt_merge_opts){ x->o->output, x->o->no_clobber }) == AXT_OK) {
		note_made(x);
		remove_folder(x);
	}
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
	const char *file;

	if (g->err.code)
		return g->err.code;
	if (!axt_part_number(how->part, &x.k, &x.n))
		return axt_fail(&g->err, AXT_E_SYNTAX,
		    "--part takes K/N, part K of N with K from 1 to N, not \"%s\"",
		    axt_escape(g->m, how->part));
	if (begin(&x))
		return g->err.code;
	file = part_file(&x, x.k);
	if (!file)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	axt_part_save(g, e, n, o, how, NULL, &(struct axt_part_place){ file, known, &x });
	/* another process that had the same part has put all together meanwhile */
	if (g->err.code == AXT_E_IO && x.job && access(x.folder, F_OK) != 0 && is_made(&x))
		g->err = (struct axt_err){ 0 };
	if (!g->err.code && !is_made(&x))
		end(&x);
	return g->err.code;
}
