/*
 * files.c - the files of a graph. Each is opened once, streams are read together, and the writer of
 * a stream is asked for its plan.
 */
#include <errno.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "axt_cmd.h"
#include "bytes/deeds.h"
#include "bytes/src.h"
#include "formats/formats.h"
#include "inputs/inputs.h"

#define PATIENCE 200 /* milliseconds to wait for the first bytes of a pipe if there are others */

static void
close_file(struct axt_file *f)
{
	axt_file_close(f);
}

static uint64_t
hash_of(const struct axt_file_id *id)
{
	return axt_hash(axt_hash(0, &id->dev, sizeof(id->dev)), &id->ino, sizeof(id->ino));
}

/* Adds f to the list of the graph, which closes it at the end. */
static struct axt_open_file *
keep_file(struct axt_graph *g, struct axt_file *f)
{
	struct axt_open_file *o = axt_alloc(g->m, sizeof(*o));

	if (!o) {
		axt_file_close(f);
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return NULL;
	}
	*o = (struct axt_open_file){ .f = f, .close = close_file, .next = g->files };
	g->files = o;
	g->nfiles++;
	if (axt_table_add(g->m, &g->by_path, axt_hash(0, f->path, strlen(f->path)), o) &&
	    (f->stream || axt_table_add(g->m, &g->by_id, hash_of(&f->id), o)))
		return o;
	axt_fail(&g->err, AXT_E_MEM, "out of memory");
	return NULL;
}

/* Finds a file that the graph has open already, perhaps under another name. */
static struct axt_open_file *
open_twice(struct axt_graph *g, const struct axt_file_id *id)
{
	for (const struct axt_entry *x = axt_table_first(&g->by_id, hash_of(id)); x;
	     x = axt_table_next(x)) {
		struct axt_open_file *o = x->value;

		if (!o->stale && axt_file_same(&o->f->id, id))
			return o;
	}
	return NULL;
}

/*
 * Adds an opened file whose metadata are not read yet. Streams are put in a ring, so that waiting
 * for one takes in what arrives on the others.
 */
static struct axt_open_file *
add_file(struct axt_graph *g, struct axt_file *f)
{
	struct axt_open_file *o;

	if (!f->stream && (o = open_twice(g, &f->id))) {
		axt_file_close(f);
		o->both = o->adopted;
		return o;
	}
	for (o = g->files; o && f->stream; o = o->next)
		if (o->f->stream) {
			axt_file_ring(o->f, f);
			break;
		}
	return keep_file(g, f);
}

void
axt_graph_set_external(struct axt_graph *g)
{
	g->external = true;
}

static struct axt_open_file *
begin_file(struct axt_graph *g, const char *path)
{
	const struct axt_entry *x = axt_table_first(&g->by_path, axt_hash(0, path, strlen(path)));
	struct axt_file *f;

	for (; x; x = axt_table_next(x)) {
		struct axt_open_file *o = x->value;

		if (!o->adopted && !o->stale && strcmp(o->f->path, path) == 0)
			return o;
	}
	if (axt_file_begin(g->m, path, g->memory, &f, &g->err))
		return NULL;
	f->external = g->external;
	return add_file(g, f);
}

/*
 * Waits for the first bytes of a stream, and returns whether they have come: from then on its
 * writer listens for readers. They stay in the pipe, since a writer that has finished waits only
 * while bytes are unread. If there are other streams, the wait is short, because the writer may
 * need one of them to be read first.
 */
static bool
has_come(const struct axt_graph *g, const struct axt_file *f)
{
	struct pollfd p = { .fd = f->fd, .events = POLLIN };
	bool alone = true;

	for (const struct axt_open_file *o = g->files; o; o = o->next)
		alone = alone && (o->f == f || !o->f->stream);
	return g->fuse && poll(&p, 1, alone ? -1 : PATIENCE) == 1 && (p.revents & POLLIN);
}

/*
 * Finds the datasets of a file: as HDF5 or, where it is none, as a format that operands may have.
 * Where f->foreign is set, the file was opened as such a format before, and is not tried as HDF5.
 */
static bool
find_datasets(struct axt_graph *g, struct axt_file *f)
{
	struct axt_err e = { 0 };
	int rc = AXT_E_FORMAT;

	if (f->foreign && f->ndsets > 0)
		return true;
	if (!f->foreign && axt_file_read(g->m, f, &e) == AXT_OK) {
		if (f->src->unclosed)
			axt_warn(g,
			    "%s: another program has it open for writing, or did not close it: what "
			    "was written last may be missing",
			    axt_escape(g->m, f->path));
		return true;
	}
	if (!e.code || e.code == AXT_E_FORMAT)
		rc = axt_foreign_open(g->m, f, g->memory, &g->err);
	if (rc < 0 && !e.code)
		axt_fail(&e, AXT_E_FORMAT, "%s: is no HDF5", axt_escape(g->m, f->path));
	if (rc != 0 && !g->err.code)
		g->err = e;
	return rc == 0;
}

static struct axt_file *
read_file(struct axt_graph *g, struct axt_open_file *o)
{
	bool ask = o && !o->read && o->f->stream, asked = ask && has_come(g, o->f);

	if (asked)
		axt_take_offer(g, o->f);
	if (!o || ((!o->read || o->f->foreign) && !find_datasets(g, o->f)))
		return NULL;
	if (ask && !asked)
		axt_take_offer(g, o->f);
	o->read = true;
	return o->f;
}

/* A file opened once per graph: a tensor used twice is read once. */
struct axt_file *
axt_open_file(struct axt_graph *g, const char *path)
{
	return read_file(g, begin_file(g, path));
}

struct axt_file *
axt_open_fd(struct axt_graph *g, int fd, const char *path)
{
	struct axt_file *f;

	return axt_file_begin_fd(g->m, fd, path, g->memory, &f, &g->err)
	    ? NULL
	    : read_file(g, add_file(g, f));
}

/* Whether o is the file that is now locked, or was opened by a name that leads to it now. */
static bool
is_of(const struct axt_open_file *o, const struct axt_lock *l)
{
	struct stat st;

	if (o->stale || !o->read || o->f->stream || o->f->foreign)
		return false;
	if (o->f->id.dev == l->id.dev && o->f->id.ino == l->id.ino)
		return true;
	if (stat(o->f->path, &st))
		return !axt_is_absent(errno);
	return st.st_dev == l->id.dev && st.st_ino == l->id.ino;
}

static bool
is_settled(struct axt_file *f)
{
	struct axt_err ignore = { 0 };
	int fd = axt_file_take(f, &ignore);
	bool yes = fd >= 0 && axt_file_settled(fd, &f->id);

	if (fd >= 0)
		axt_file_give(f);
	return yes;
}

int
axt_renew_file(struct axt_graph *g, const char *path, const struct axt_lock *l)
{
	struct axt_file *f;

	for (struct axt_open_file *o = g->files; o && !g->err.code; o = o->next) {
		if (!is_of(o, l) || (axt_file_untouched(&o->f->id, &l->id) && is_settled(o->f)))
			continue;
		o->stale = true;
		f = axt_open_file(g, path);
		if (!f || axt_read_instead(g, o->f, f))
			continue;
		axt_deed_note(AXT_DISTURBED);
		axt_fail(&g->err, AXT_E_CHANGED, "%s: another command changed it meanwhile",
		    axt_escape(g->m, path));
		axt_hint(&g->err, "nothing is written: the same command may be given again");
	}
	return g->err.code;
}

bool
axt_graph_disturbed(struct axt_graph *g)
{
	for (struct axt_open_file *o = g->files; o && g->err.code; o = o->next)
		if (axt_file_blame(o->f, &g->err))
			break;
	for (const struct axt_open_file *o = g->files; o; o = o->next)
		if (o->f->stream)
			return false;
	return g->err.code && axt_deed_done(AXT_DISTURBED) && !axt_deed_done(AXT_GAVE_OUT) &&
	    !axt_deed_done(AXT_CHANGES);
}

bool
axt_graph_in_doubt(struct axt_graph *g)
{
	for (const struct axt_open_file *o = g->files; o; o = o->next)
		if (axt_file_disturbed(o->f))
			return true;
	return false;
}

void
axt_cannot_begin_again(void)
{
	axt_deed_note(AXT_GAVE_OUT);
}

static void
talk(void *ctx, const char *line)
{
	axt_warn(ctx, "%s", line);
}

struct axt_talk *
axt_graph_talk(struct axt_graph *g)
{
	if (!g->talk && (g->talk = axt_alloc(g->m, sizeof(*g->talk))))
		*g->talk = (struct axt_talk){ .say = talk, .ctx = g };
	return g->talk;
}

/*
 * The file as one of another format than HDF5, of which nothing has been read. NULL: it is open as
 * HDF5 already, and stays so.
 */
static struct axt_file *
take_foreign(struct axt_open_file *o)
{
	if (!o || (o->read && !o->f->foreign))
		return NULL;
	o->read = o->f->foreign = true;
	return o->f;
}

struct axt_file *
axt_begin_foreign(struct axt_graph *g, const char *path)
{
	struct axt_file *f = take_foreign(begin_file(g, path));

	if (!f)
		axt_fail(&g->err, AXT_E_FORMAT, "%s: is open as HDF5", axt_escape(g->m, path));
	return f;
}

bool
axt_has_path(const struct axt_file *f, const struct axt_dset *d)
{
	return !f->foreign || (f->ndsets > 0 && d >= f->dsets && d < f->dsets + f->ndsets);
}

struct axt_file *
axt_adopt_file(struct axt_graph *g, int fd, const char *path, const struct axt_file_id *id,
    bool foreign)
{
	struct axt_open_file *o = open_twice(g, id);
	struct axt_file *f;

	if (o) {
		close(fd);
		return foreign ? take_foreign(o) : read_file(g, o);
	}
	if (axt_file_begin_fd(g->m, fd, path, g->memory, &f, &g->err))
		return NULL;
	if (f->stream || !axt_file_same(&f->id, id)) {
		axt_file_close(f);
		return NULL;
	}
	if ((o = keep_file(g, f)))
		o->adopted = true;
	return foreign ? take_foreign(o) : read_file(g, o);
}

void
axt_graph_operands(struct axt_graph *g, const char *const *operand, int n)
{
	const char *file, *dset;
	struct stat st;

	g->once = true;
	for (int i = 0; i < n && !g->err.code; i++) {
		/* opening the file by its name again will report the error */
		struct axt_err ignore = { 0 };

		if (!axt_is_number(operand[i]) &&
		    axt_operand_split(g->m, operand[i], &file, &dset, &ignore) == 0 &&
		    (strcmp(file, "-") == 0 || stat(file, &st) == 0) &&
		    (strcmp(file, "-") == 0 || S_ISFIFO(st.st_mode)) && !begin_file(g, file))
			g->err = ignore;
	}
}

bool
axt_same_file(const struct axt_file *f, const char *path, struct axt_err *e)
{
	char esc[256];
	struct stat st;

	if (f->stream)
		return false;
	if (stat(path, &st) == 0)
		return st.st_dev == f->id.dev && st.st_ino == f->id.ino;
	if (axt_is_absent(errno))
		return false;
	axt_escape_to(esc, sizeof(esc), path);
	axt_fail(e, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s", esc, strerror(errno));
	return false;
}
