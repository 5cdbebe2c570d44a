/*
 * find.c - finds the dataset that a name means, and makes the messages for names that mean none, or
 * several.
 */
#include "files/inner.h"

#define MAX_NAMES 12

/*
 * Notes the names of datasets in the text of an attribute. In a text such as "area: cell_area", a
 * word with a colon only tells what the next one is for. In a grid_mapping such as "crs: x y", it
 * is the name of a dataset, too.
 */
int
axt_file_words(struct axt_arena *m, struct axt_file *f, int of, const char *s, int by,
    struct axt_err *e)
{
	bool colon_is_name = strcmp(axt_naming[by], "grid_mapping") == 0;

	while (*(s += strspn(s, " \t\n"))) {
		size_t n = strcspn(s, " \t\n");
		bool colon = s[n - 1] == ':';
		struct axt_word *w;

		if (!colon || colon_is_name) {
			w = axt_alloc(m, sizeof(*w));
			if (!w || !(w->name = axt_strndup(m, s, n - colon)))
				return axt_fail(e, AXT_E_MEM, "out of memory");
			w->of = of;
			w->by = by;
			w->next = f->h5->words;
			f->h5->words = w;
		}
		s += n;
	}
	return AXT_OK;
}

static bool
same_shape(const struct axt_dset *a, const struct axt_dset *b)
{
	bool same = a->rank == b->rank;

	for (int k = 0; same && k < a->rank; k++)
		same = a->dims[k] == b->dims[k];
	return same;
}

/*
 * Whether dataset i is the one that word w of an attribute names: it is in the group of the dataset
 * with the attribute, or in a group above that.
 */
static bool
is_named(const struct axt_file *f, int i, const struct axt_word *w)
{
	const struct axt_dset *d = &f->dsets[i], *of = &f->dsets[w->of];
	size_t group = (size_t)(axt_last_part(d->path) - d->path);

	if (w->of == i) /* a dataset that names itself is no auxiliary dataset */
		return false;
	if (w->by == AXT_NAMING_ANCILLARY) /* quality flags and the like are data of their own */
		return false;
	/* so is what a formula takes beside the coefficients of each level, as surface pressure */
	if (w->by == AXT_NAMING_FORMULA && d->rank > 0 && !same_shape(d, of))
		return false;
	if (w->name[0] == '/')
		return strcmp(d->path, w->name) == 0;
	return strncmp(d->path, of->path, group) == 0 && strcmp(d->name, w->name) == 0;
}

void
axt_file_roles(struct axt_file *f)
{
	for (const struct axt_word *w = f->h5->words; w; w = w->next)
		for (int i = 0; i < f->ndsets; i++)
			if ((f->dsets[i].role == AXT_ROLE_TENSOR ||
				f->dsets[i].role == AXT_ROLE_TEXT) &&
			    is_named(f, i, w)) {
				if (f->dsets[i].role == AXT_ROLE_TENSOR)
					f->dsets[i].role = AXT_ROLE_AUX;
				f->dsets[i].named_by = axt_naming[w->by];
			}
}

/* What a user types after FILE: to name dataset i. */
static const char *
short_name(const struct axt_dset *d)
{
	return strchr(d->path + 1, '/') ? d->path : d->path + 1;
}

/*
 * The names of the datasets that `want` is true of, as "t, u, v", for a message. At most MAX_NAMES
 * are listed.
 */
static const char *
list(struct axt_arena *m, const struct axt_file *f, bool (*want)(const struct axt_dset *))
{
	const char *s = "", *sep = "";
	int n = 0;

	for (int i = 0; i < f->ndsets; i++) {
		const char *name;

		if (!want(&f->dsets[i]) || n++ >= MAX_NAMES)
			continue;
		name = axt_escape(m, short_name(&f->dsets[i]));
		s = name && s ? axt_sprintf(m, "%s%s%s", s, sep, name) : NULL;
		sep = ", ";
	}
	if (s && n > MAX_NAMES)
		s = axt_sprintf(m, "%s... (%d in all)", s, n);
	return s ? s : "?";
}

static bool
is_tensor(const struct axt_dset *d)
{
	return d->role == AXT_ROLE_TENSOR;
}

static bool
is_value(const struct axt_dset *d)
{
	return d->role != AXT_ROLE_DIM && d->role != AXT_ROLE_OTHER;
}

static bool
is_any(const struct axt_dset *d)
{
	return d->role != AXT_ROLE_DIM;
}

/* Adds the names that are wanted to the fact of the error just set. */
static void
among(const struct axt_file *f, bool (*want)(const struct axt_dset *d), struct axt_err *e)
{
	for (int i = 0; i < f->ndsets; i++)
		if (want(&f->dsets[i]))
			axt_about_among(e, short_name(&f->dsets[i]));
}

/* The only dataset of text in a file, such as a list of words, or NULL. */
static struct axt_dset *
only_text(struct axt_file *f)
{
	struct axt_dset *found = NULL;

	for (int i = 0; i < f->ndsets; i++) {
		if (f->dsets[i].role != AXT_ROLE_TEXT && f->dsets[i].role != AXT_ROLE_DIM)
			return NULL;
		if (f->dsets[i].role == AXT_ROLE_TEXT && found)
			return NULL;
		found = f->dsets[i].role == AXT_ROLE_TEXT ? &f->dsets[i] : found;
	}
	return found;
}

/*
 * The only dataset with coordinates in a file that otherwise has at most bounds and axes without
 * values, as axt-copy a.nc:lat writes one. NULL: the file is not of this form.
 */
static struct axt_dset *
only_coordinates(struct axt_file *f)
{
	struct axt_dset *found = NULL;

	for (int i = 0; i < f->ndsets; i++) {
		enum axt_role role = f->dsets[i].role;

		if (role == AXT_ROLE_AUX || role == AXT_ROLE_DIM)
			continue;
		if (role != AXT_ROLE_SCALE || found)
			return NULL;
		found = &f->dsets[i];
	}
	return found;
}

static int
only(struct axt_arena *m, struct axt_file *f, struct axt_dset **out, struct axt_err *e)
{
	const char *file = axt_escape(m, f->path);
	int n = 0, other = -1;

	for (int i = 0; i < f->ndsets; i++) {
		if (is_tensor(&f->dsets[i])) {
			n++;
			*out = n == 1 ? &f->dsets[i] : *out;
		} else if (f->dsets[i].role == AXT_ROLE_OTHER) {
			other = i;
		}
	}
	if (n == 1 || (n == 0 && ((*out = only_text(f)) || (*out = only_coordinates(f)))))
		return AXT_OK;
	if (n > 1) {
		axt_fail(e, AXT_E_AMBIG, "%s holds several tensors: %s", file,
		    list(m, f, is_tensor));
		axt_about(e, AXT_SEVERAL, f->path, NULL);
		among(f, is_tensor, e);
		axt_hint(e, "name one: %s:%s", file, axt_escape(m, short_name(*out)));
		*out = NULL;
		return AXT_E_AMBIG;
	}
	if (other >= 0)
		return axt_fail(e, AXT_E_DTYPE, "%s: %s", axt_h5_where(m, f, &f->dsets[other]),
		    f->dsets[other].why);
	axt_fail(e, AXT_E_NAME, "%s holds no tensor", file);
	axt_about(e, AXT_NO_TENSOR, f->path, NULL);
	among(f, is_value, e);
	for (int i = 0; i < f->ndsets; i++)
		if (is_value(&f->dsets[i])) {
			axt_hint(e, "name a dataset: %s:%s", file,
			    axt_escape(m, short_name(&f->dsets[i])));
			break;
		}
	return AXT_E_NAME;
}

/*
 * The index of the dataset whose path is `name`, with or without the first slash, or -1. netCDF's
 * prefix of a name may be left out in the root group.
 */
static int
exact(const struct axt_file *f, const char *name)
{
	int found = -1;

	for (int i = 0; i < f->ndsets; i++) {
		const struct axt_dset *d = &f->dsets[i];
		bool same = strcmp(d->path + (name[0] != '/'), name) == 0;

		if (!same && f->h5->objs[i].group == 0 && !strchr(d->path + 1, '/'))
			same = strcmp(d->name, name + (name[0] == '/')) == 0;
		/*
		 * netCDF adds a prefix to the name of a variable that has the name of a dimension
		 * without being its coordinates: such a variable comes before the dimension
		 */
		if (same && (found < 0 || d->name != f->h5->objs[i].link))
			found = i;
	}
	return found;
}

/* The only dataset of that name in any group, for a name without a slash. */
static int
anywhere(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_err *e)
{
	int found = -1;

	for (int i = 0; i < f->ndsets; i++) {
		if (strcmp(f->dsets[i].name, name) != 0)
			continue;
		if (found >= 0) {
			axt_fail(e, AXT_E_AMBIG, "%s holds several datasets \"%s\": %s, %s",
			    axt_escape(m, f->path), axt_escape(m, name),
			    axt_escape(m, f->dsets[found].path), axt_escape(m, f->dsets[i].path));
			axt_about(e, AXT_SEVERAL, name, f->path);
			axt_about_among(e, f->dsets[found].path);
			axt_about_among(e, f->dsets[i].path);
			axt_hint(e, "name one: %s:%s", axt_escape(m, f->path),
			    axt_escape(m, f->dsets[found].path));
			return -1;
		}
		found = i;
	}
	return found;
}

static int
no_such(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_err *e)
{
	axt_fail(e, AXT_E_NAME, "%s: no dataset \"%s\" (there are: %s)", axt_escape(m, f->path),
	    axt_escape(m, name), list(m, f, is_any));
	axt_about(e, AXT_NO_DATASET, name, f->path);
	among(f, is_any, e);
	axt_h5_name_hint(m, f, name, e);
	return AXT_E_NAME;
}

static int
usable(struct axt_arena *m, struct axt_file *f, int i, struct axt_err *e)
{
	const struct axt_dset *d = &f->dsets[i];

	if (d->role == AXT_ROLE_OTHER)
		return axt_fail(e, AXT_E_DTYPE, "%s: %s", axt_h5_where(m, f, d), d->why);
	if (d->role != AXT_ROLE_DIM)
		return AXT_OK;
	axt_fail(e, AXT_E_NAME, "%s: is an axis without values", axt_h5_where(m, f, d));
	return axt_about(e, AXT_UNLABELLED, short_name(d), f->path);
}

static int
named(struct axt_arena *m, struct axt_file *f, const char *name, bool soft, int *out,
    struct axt_err *e)
{
	int i = exact(f, name);

	if (i < 0 && soft && f->h5->kind && f->h5->kind->follow)
		i = f->h5->kind->follow(f, name);
	if (i < 0 && !strchr(name, '/'))
		i = anywhere(m, f, name, e);
	*out = i;
	if (i < 0 && f->src->starved)
		return axt_fail(e, AXT_E_MEM, "out of memory");
	if (i < 0 && !e->code)
		no_such(m, f, name, e);
	return i < 0 ? (int)e->code : 0;
}

int
axt_file_find(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e)
{
	int i, rc;

	*out = NULL;
	if (!name || !*name)
		return only(m, f, out, e);
	if (named(m, f, name, true, &i, e))
		return e->code;
	rc = usable(m, f, i, e);
	if (rc == AXT_OK)
		*out = &f->dsets[i];
	return rc;
}

int
axt_file_entry(struct axt_arena *m, struct axt_file *f, const char *name, struct axt_dset **out,
    struct axt_err *e)
{
	int i;

	*out = NULL;
	if (named(m, f, name, false, &i, e))
		return e->code;
	*out = &f->dsets[i];
	return 0;
}
