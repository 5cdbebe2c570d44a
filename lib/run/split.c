/* split.c - a tensor as files, one for each index of an axis. */
#include "run.h"

#include <stdlib.h>
#include <sys/stat.h>

struct split {
	struct axt_graph *g;
	struct axt_expr *a;
	int axis, digits;
	int64_t len;
	const char **name;	/* [len]: what the files are called */
};

/* The coordinate of index i as part of a file's name. */
static int
add_coordinate(const struct split *s, struct axt_buf *b, int64_t i)
{
	const struct axt_axis *x = &s->a->axes.a[s->axis];
	struct axt_buf t = { 0 };
	int rc = 0;

	if (!axt_coord_text(&t, x->coord, i))
		rc = axt_fail(&s->g->err, AXT_E_COORD,
		    "axis \"%s\" of %s has no coordinates for {@}", axt_escape(s->g->m, x->name),
		    s->a->from);
	else if (t.bad || !t.n || strchr(t.p, '/'))
		rc = axt_fail(&s->g->err, t.bad ? AXT_E_MEM : AXT_E_ARG,
		    "the coordinate \"%s\" of axis \"%s\" is no part of a file's name",
		    t.p ? t.p : "", axt_escape(s->g->m, x->name));
	else
		axt_buf_adds(b, t.p);
	axt_buf_release(&t);
	return rc;
}

/* The name of file i: {} is the index, {@} the coordinate. */
static int
name_file(struct split *s, const char *pattern, int64_t i)
{
	struct axt_buf b = { 0 };
	int rc = 0;

	for (const char *p = pattern; *p && rc == 0; p++)
		if (strncmp(p, "{}", 2) == 0) {
			axt_buf_addf(&b, "%0*lld", s->digits, (long long)i);
			p++;
		} else if (strncmp(p, "{@}", 3) == 0) {
			rc = add_coordinate(s, &b, i);
			p += 2;
		} else {
			axt_buf_add(&b, p, 1);
		}
	s->name[i] = rc || b.bad ? NULL : axt_strdup(s->g->m, b.p);
	axt_buf_release(&b);
	if (rc == 0 && !s->name[i])
		rc = axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	return rc;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* No file is written twice. */
static int
check_names(struct split *s)
{
	const char **sorted = axt_alloc(s->g->m, ((size_t)s->len + 1) * sizeof *sorted);

	if (!sorted)
		return axt_fail(&s->g->err, AXT_E_MEM, "out of memory");
	memcpy(sorted, s->name, (size_t)s->len * sizeof *sorted);
	qsort(sorted, (size_t)s->len, sizeof *sorted, by_text);
	for (int64_t i = 1; i < s->len; i++)
		if (strcmp(sorted[i - 1], sorted[i]) == 0)
			return axt_fail(&s->g->err, AXT_E_ARG,
			    "two indices of axis \"%s\" of %s have the file \"%s\"",
			    axt_escape(s->g->m, s->a->axes.a[s->axis].name), s->a->from,
			    axt_escape(s->g->m, sorted[i]));
	return 0;
}

/* What would be refused halfway is refused before anything is written. */
static int
check_file(struct split *s, const char *target, bool no_clobber)
{
	const char *file, *dset;
	struct stat st;

	if (axt_target_split(s->g->m, target, &file, &dset, &s->g->err))
		return s->g->err.code;
	for (struct axt_open_file *f = s->g->files; f; f = f->next)
		if (axt_same_file(f->f, file))
			return axt_fail(&s->g->err, AXT_E_ARG, "%s is also an operand",
			    axt_escape(s->g->m, file));
	if (no_clobber && !dset && stat(file, &st) == 0)
		return axt_fail(&s->g->err, AXT_E_EXISTS, "%s exists", axt_escape(s->g->m, file));
	return 0;
}

static int
name_files(struct split *s, const char *pattern, bool no_clobber)
{
	for (int64_t n = s->len - 1; n >= 10; n /= 10)
		s->digits++;
	for (int64_t i = 0; i < s->len; i++)
		if (name_file(s, pattern, i) || check_file(s, s->name[i], no_clobber))
			return s->g->err.code;
	return check_names(s);
}

/* The part at index i, into its file. */
static int
save_part(struct split *s, int64_t i, const struct axt_save_opts *o)
{
	struct axt_save_opts one = *o;
	struct axt_span at = { i, 1, 1 };
	struct axt_expr *e = axt_view_axis(s->g, s->a, s->axis, &at, 1, NULL);

	one.output = s->name[i];
	return axt_save(s->g, &e, 1, &one);
}

enum axt_code
axt_split(struct axt_graph *g, struct axt_expr *a, const char *axis, const char *pattern,
    const struct axt_save_opts *o)
{
	struct split s = { .g = g, .a = a, .digits = 1 };

	if (axt_bad(a) || (s.axis = axt_view_find(g, a, axis)) < 0)
		return g->err.code;
	if (!strstr(pattern, "{}") && !strstr(pattern, "{@}"))
		return axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" has no {} for the index, nor {@}",
		    axt_escape(g->m, pattern));
	s.len = a->axes.a[s.axis].len;
	s.name = axt_alloc(g->m, ((size_t)s.len + 1) * sizeof *s.name);
	if (!s.name)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	if (name_files(&s, pattern, o->no_clobber))
		return g->err.code;
	/* many runs: pipes are kept */
	g->once = false;
	axt_taken_decline(g, "many files are made of it");
	for (int64_t i = 0; i < s.len; i++)
		if (save_part(&s, i, o))
			return g->err.code;
	return AXT_OK;
}
