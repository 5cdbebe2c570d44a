/* attribute_edit.c - sets and removes attributes in a copy of a file, or in the file itself. */
#include "hdf5/write/output.h"

static bool
has_axis(struct axt_arena *m, const struct axt_axes *x, const char *name)
{
	for (int i = 0; i < x->n; i++) {
		const char *s = axt_axis_spell(m, &x->a[i]);

		if (s && strcmp(s, name) == 0)
			return true;
	}
	return false;
}

static int
check_edit(struct axt_arena *m, const struct axt_dset *d, const struct axt_attr_edit *ed,
    struct axt_err *e)
{
	struct axt_axes x;
	char esc[256];

	axt_escape_to(esc, sizeof(esc), ed->attr.name ? ed->attr.name : "");
	if (!ed->attr.name || !*ed->attr.name)
		return axt_fail(e, AXT_E_ARG, "an attribute has no name");
	if (axt_h5w_own(ed->attr.name))
		return axt_fail(e, AXT_E_ARG, "attribute \"%s\" belongs to the file's layout", esc);
	if (!ed->object || !*ed->object || has_axis(m, &d->axes, ed->object))
		return 0;
	if (axt_axes_parse(m, ed->object, false, &x, NULL, e))
		return e->code;
	if (x.n == 1)
		return axt_axes_unknown_in(m, &d->axes, &x.a[0], d->path, e);
	axt_escape_to(esc, sizeof(esc), ed->object);
	return axt_fail(e, AXT_E_SYNTAX, "\"%s\" is not one axis", esc);
}

/* Whether the path, which ends with a slash then, is that of a group. */
static bool
is_group(const char *path)
{
	size_t n = path ? strlen(path) : 0;

	return n > 0 && path[n - 1] == '/';
}

/*
 * Finds the path of the dataset or group that is meant. *out is "/" if only attributes of the file
 * are edited and no dataset was named.
 */
static int
find(struct axt_arena *m, const char *path, const char *dset, const struct axt_attr_edit *ed, int n,
    const char **out, struct axt_err *e)
{
	struct axt_file *f;
	struct axt_dset *d = NULL;
	struct axt_dset none = { 0 };
	bool needed = dset && *dset;
	int bad;

	*out = is_group(dset) ? dset : "/";
	for (int i = 0; i < n; i++)
		needed = needed || !ed[i].object || *ed[i].object;
	needed = needed && !is_group(dset);
	if (axt_file_open(m, path, (int64_t)1 << 30, &f, e))
		return e->code;
	bad = f->stream ? axt_fail(e, AXT_E_ARG, "a stream's attributes cannot be edited") : 0;
	if (!bad && needed)
		bad = axt_file_find(m, f, dset, &d, e) || axt_dset_load(m, f, d, e);
	for (int i = 0; i < n && !bad; i++)
		bad = check_edit(m, d ? d : &none, &ed[i], e);
	if (!bad && d) {
		*out = axt_strdup(m, d->path);
		bad = *out ? 0 : axt_fail(e, AXT_E_MEM, "out of memory");
	}
	axt_file_close(f);
	return bad ? (int)e->code : 0;
}

static int
edit_copy(const struct axt_lock *l, const char *path, const char *dset,
    const struct axt_attr_edit *ed, int n, struct axt_err *e)
{
	struct axt_temp t;

	if (axt_temp_open(&t, path, false, false, e))
		return e->code;
	if (axt_temp_copy(&t, l->fd, e) || axt_h5_edit(t.fd, path, dset, ed, n, e)) {
		axt_temp_drop(&t);
		return e->code;
	}
	return axt_temp_commit_locked(&t, l, e);
}

int
axt_attr_edit_file(struct axt_arena *m, const char *path, const char *dset,
    const struct axt_attr_edit *ed, int n, bool in_place, const struct axt_lock *l,
    struct axt_err *e)
{
	const char *full;

	if (find(m, path, dset, ed, n, &full, e))
		return e->code;
	if (!in_place)
		return edit_copy(l, path, full, ed, n, e);
	axt_lock_changes(l);
	return axt_h5_edit(l->fd, path, full, ed, n, e);
}
