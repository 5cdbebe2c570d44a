/*
 * kinds.c - the kinds of tensors, such as placeholder or saved expression: told of one tensor, and
 * looked for in files and directories.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/target.h"

bool
axt_kind_row(int i, const char **name, const char **line)
{
	if (i < 0 || i > AXT_NKINDS)
		return false;
	*name = i < AXT_NKINDS ? axt_tensor_kinds[i].name : "none";
	*line = i < AXT_NKINDS ? axt_tensor_kinds[i].line : "forgets what it was";
	return true;
}

static int
unknown_kind(struct axt_graph *g, const char *kind)
{
	const char *words[AXT_NKINDS + 1], *line, *near;

	for (int i = 0; i <= AXT_NKINDS; i++)
		axt_kind_row(i, &words[i], &line);
	near = axt_nearest(kind, words, AXT_NKINDS + 1);
	axt_fail(&g->err, AXT_E_SYNTAX,
	    "no such kind \"%s\" (constant, placeholder, persistent, variable, none)",
	    axt_escape(g->m, kind));
	axt_about(&g->err, AXT_NO_CHOICE, kind, NULL);
	for (int i = 0; i <= AXT_NKINDS; i++)
		axt_about_among(&g->err, words[i]);
	if (near)
		axt_hint_meant(&g->err, near, "did you mean %s?", near);
	return g->err.code;
}

enum axt_code
axt_set_kind(struct axt_graph *g, const char *kind, const char *operand)
{
	bool none = strcmp(kind, "none") == 0;
	struct axt_attr_edit ed = {
		.attr = { .name = "axt_kind", .kind = AXT_ATTR_TEXT, .text = none ? "" : kind }
	};
	struct axt_named x;
	struct axt_lock l;

	if (g->err.code || (!none && !axt_kind_named(kind) && unknown_kind(g, kind)))
		return g->err.code;
	if (axt_named_words(g, operand, NULL, &x) || axt_hold_one(g, x.file, &l))
		return g->err.code;
	if (axt_named_dataset(g, &x))
		; /* failed */
	else if (x.d->role == AXT_ROLE_TEXT || x.d->role == AXT_ROLE_DIM)
		axt_fail(&g->err, AXT_E_DTYPE, "%s:%s holds no numbers", axt_escape(g->m, x.file),
		    axt_escape(g->m, x.d->path));
	else
		axt_attr_edit_file(g->m, x.file, x.d->path, &ed, 1, false, &l, &g->err);
	return axt_let_go(g, x.file, &l, false);
}

/* ---- variables ---- */

struct listing {
	struct axt_graph *g;
	bool json;
	struct axt_buf b;
	int n;
	struct axt_err first; /* of the files of directories, which do not end the search */
};

static void
add_variable(struct listing *l, const char *path, const struct axt_dset *d)
{
	const char *name = d->path + (axt_last_part(d->path) == d->path + 1);
	struct axt_arena *m = l->g->m;

	if (!l->json) {
		axt_buf_addf(&l->b, "%s:%s\n", axt_escape(m, path), axt_escape(m, name));
		return;
	}
	axt_buf_addf(&l->b, "%s\n  {\"file\": ", l->n++ ? "," : "");
	axt_json_string(&l->b, path);
	axt_buf_adds(&l->b, ", \"tensor\": ");
	axt_json_string(&l->b, name);
	axt_buf_addf(&l->b, ", \"dtype\": \"%s\", \"axes\": [", axt_dtypes[d->dtype].name);
	for (int i = 0; i < d->axes.n; i++) {
		const char *axis = axt_axis_spell(m, &d->axes.a[i]);

		axt_buf_adds(&l->b, i ? ", " : "");
		axt_json_string(&l->b, axis ? axis : "");
	}
	axt_buf_adds(&l->b, "], \"shape\": [");
	for (int i = 0; i < d->axes.n; i++)
		axt_buf_addf(&l->b, "%s%lld", i ? ", " : "", (long long)d->axes.a[i].len);
	axt_buf_adds(&l->b, "]}");
}

/* Closes each file before the next, since there may be more than a process can have open. */
static int
list_file(struct listing *l, const char *path)
{
	struct axt_graph *g = l->g;
	struct axt_file *f;

	if (axt_file_open(g->m, path, g->memory, &f, &g->err))
		return g->err.code;
	for (int i = 0; i < f->ndsets && !g->err.code; i++) {
		struct axt_dset *d = &f->dsets[i];
		const struct axt_tensor_kind *k;

		if (d->role == AXT_ROLE_OTHER || d->role == AXT_ROLE_TEXT ||
		    d->role == AXT_ROLE_DIM || axt_dset_load(g->m, f, d, &g->err))
			continue;
		k = axt_kind_of(d->attrs);
		if (k && k->trainable)
			add_variable(l, path, d);
	}
	axt_file_close(f);
	return g->err.code;
}

/*
 * Lists one file of a directory. A damaged file does not keep the others from being listed: the
 * first damage becomes the error of the command at its end, and further ones become warnings.
 */
static void
list_one_of(struct listing *l, const char *path)
{
	struct axt_err *e = &l->g->err;

	if (!list_file(l, path) || e->code == AXT_E_MEM || e->code == AXT_E_IO)
		return;
	if (l->first.code)
		axt_warn(l->g, "%s", e->text);
	else
		l->first = *e;
	*e = (struct axt_err){ 0 };
}

static int
no_file(struct axt_graph *g, const char *path)
{
	return axt_fail(&g->err, errno == ENOMEM ? AXT_E_MEM : AXT_E_IO, "%s: %s",
	    axt_escape(g->m, path), strerror(errno));
}

static bool
is_hdf5(struct axt_graph *g, const char *path)
{
	char head[8];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	size_t n = fd < 0 ? 0 : axt_read_at(fd, head, sizeof(head), 0);

	if (fd < 0 && errno == EACCES)
		axt_warn(g, "%s: %s", axt_escape(g->m, path), strerror(errno));
	else if (n < sizeof(head) && errno && !axt_is_absent(errno))
		no_file(g, path);
	if (fd >= 0)
		close(fd);
	return n == sizeof(head) && memcmp(head, "\211HDF\r\n\032\n", sizeof(head)) == 0;
}

static int
not_dots(const struct dirent *e)
{
	return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

/* Lists the HDF5 files of a directory and its subdirectories. Symbolic links are not followed. */
static int
list_dir(struct listing *l, const char *dir, int depth)
{
	struct axt_graph *g = l->g;
	struct dirent **e = NULL;
	int n = depth > 64 ? (errno = ELOOP, -1) : scandir(dir, &e, not_dots, alphasort);

	if (n < 0)
		return no_file(g, dir);
	for (int i = 0; i < n; i++) {
		size_t end = strlen(dir);
		const char *path = axt_sprintf(g->m, "%s%s%s", dir,
		    end && dir[end - 1] == '/' ? "" : "/", e[i]->d_name);
		struct stat st;

		free(e[i]);
		if (!path)
			axt_fail(&g->err, AXT_E_MEM, "out of memory");
		if (g->err.code)
			continue;
		if (lstat(path, &st)) {
			/* a file that does not exist was removed after readdir */
			if (errno != ENOENT)
				no_file(g, path);
			continue;
		}
		if (S_ISDIR(st.st_mode))
			list_dir(l, path, depth + 1);
		else if (S_ISREG(st.st_mode) && is_hdf5(g, path))
			list_one_of(l, path);
	}
	free(e);
	return g->err.code;
}

enum axt_code
axt_trainable(struct axt_graph *g, const char *const *path, int n, bool json, FILE *out)
{
	struct listing l = { .g = g, .json = json };
	struct stat st;

	axt_buf_adds(&l.b, json ? "[" : "");
	for (int i = 0; i < n && !g->err.code; i++) {
		if (stat(path[i], &st) == 0 && S_ISDIR(st.st_mode))
			list_dir(&l, path[i], 0);
		else
			list_file(&l, path[i]);
	}
	axt_buf_adds(&l.b, json ? l.n ? "\n]\n" : "]\n" : "");
	if (l.b.bad)
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (!g->err.code && l.b.n > 0 && fwrite(l.b.p, 1, l.b.n, out) != l.b.n)
		axt_fail(&g->err, AXT_E_IO, "standard output: %s", strerror(errno));
	axt_buf_release(&l.b);
	if (!g->err.code)
		g->err = l.first;
	return g->err.code;
}
