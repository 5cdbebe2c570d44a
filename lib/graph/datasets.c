/*
 * datasets.c - datasets removed from a file, and renamed in it. The file is locked first, so that
 * what is looked at is what is changed.
 */
#include "base/quote.h"
#include "graph/target.h"
#include "files/files.h"

static int
no_memory(struct axt_graph *g)
{
	return axt_fail(&g->err, AXT_E_MEM, "out of memory");
}

/* Opens the file for the edit, which changes nothing so far. */
static int
begin(struct axt_graph *g, struct axt_named *x, struct axt_dsets_edit *ed, const char *history)
{
	if (axt_named_file(g, x))
		return g->err.code;
	ed->change = axt_alloc(g->m, (size_t)x->f->ndsets * sizeof(*ed->change) + 1);
	ed->history = axt_attr_find(axt_with_history(g, x->f->attrs, history), "history");
	if (!ed->change)
		no_memory(g);
	return g->err.code;
}

/* ---- removing ---- */

static int
add_group(struct axt_graph *g, struct axt_dsets_edit *ed, const char *path)
{
	const char **all = axt_alloc(g->m, (size_t)(ed->ngroups + 1) * sizeof(*all));

	if (*path == '\0') /* the root stays, without datasets */
		return 0;
	if (!all)
		return no_memory(g);
	if (ed->ngroups > 0)
		memcpy(all, ed->groups, (size_t)ed->ngroups * sizeof(*all));
	all[ed->ngroups++] = path;
	ed->groups = all;
	return 0;
}

/* Marks what a word means that is a pattern or a group. */
static int
mark_fitting(struct axt_graph *g, const struct axt_named *x, const char *pattern,
    struct axt_dsets_edit *ed)
{
	const char *none, *group = axt_named_group(x);

	for (int i = 0; i < x->f->ndsets; i++)
		if (axt_pattern_fits(g, pattern, &x->f->dsets[i]))
			ed->change[i].verb = group ? AXT_DSET_GOES : AXT_DSET_MAY_GO;
	none = axt_pattern_misfit(g, pattern, x->f, false);
	if (g->err.code)
		return g->err.code;
	if (!none)
		return group ? add_group(g, ed, group) : 0;
	return axt_pattern_none(g, x, "dataset", none);
}

static int
mark(struct axt_graph *g, const struct axt_named *x, struct axt_dsets_edit *ed)
{
	const char *pattern = axt_pattern(g, x);
	/* a group goes only where a slash says so, as rm(1) removes no directory */
	bool is_bare = axt_named_group(x) && x->name[strlen(x->name) - 1] != '/';
	struct axt_err e = { 0 };
	struct axt_dset *d;

	if (axt_file_entry(g->m, x->f, x->name, &d, &e) == 0)
		ed->change[d - x->f->dsets].verb = AXT_DSET_GOES;
	else if (pattern && !is_bare)
		return mark_fitting(g, x, pattern, ed);
	else
		g->err = e;
	return g->err.code;
}

/* Removes what operands from word i on name in the file of that one, and notes which are done. */
static int
remove_from(struct axt_graph *g, const struct axt_named *x, int n, int i, bool *done,
    struct axt_dsets_edit ed, const char *history)
{
	struct axt_named first = x[i];
	struct axt_lock l;

	if (axt_hold_one(g, first.file, &l) == 0 && begin(g, &first, &ed, history) == 0) {
		for (int k = i; k < n && !g->err.code; k++)
			if (strcmp(x[k].file, first.file) == 0) {
				struct axt_named one = x[k];

				done[k] = true;
				one.f = first.f;
				mark(g, &one, &ed);
			}
		if (!g->err.code)
			axt_dsets_edit_file(g->m, first.f, &ed, &l, &g->err);
	}
	return axt_let_go(g, first.file, &l, ed.in_place && !g->err.code);
}

enum axt_code
axt_remove(struct axt_graph *g, const char *const *operand, int n, bool force, bool in_place,
    const char *history)
{
	struct axt_named *x = axt_alloc(g->m, (size_t)n * sizeof(*x) + 1);
	bool *done = axt_alloc(g->m, (size_t)n * sizeof(*done) + 1);

	if (!x || !done)
		return no_memory(g);
	for (int i = 0; i < n; i++) {
		if (axt_named_words(g, operand[i], NULL, &x[i]))
			return g->err.code;
		if (!x[i].name || !*x[i].name) {
			axt_fail(&g->err, AXT_E_SYNTAX, "%s names no dataset: FILE:DATASET",
			    axt_escape(g->m, operand[i]));
			return axt_about(&g->err, AXT_BAD_WORD, operand[i], "FILE:DATASET");
		}
	}
	for (int i = 0; i < n && !g->err.code; i++)
		if (!done[i])
			remove_from(g, x, n, i, done,
			    (struct axt_dsets_edit){ .force = force, .in_place = in_place },
			    history);
	return g->err.code;
}

/* ---- renaming ---- */

/* One "OLD=NEW" of the map. */
static int
add_name(struct axt_graph *g, const struct axt_named *x, struct axt_dsets_edit *ed, char *word)
{
	char *eq = word;
	struct axt_dset *d;

	while (*eq && *eq != '=')
		eq += *eq == '\\' && eq[1] ? 2 : 1;
	if (!*eq || eq == word || !eq[1])
		return axt_no_form(g, word, "OLD=NEW");
	*eq = '\0';
	if (axt_file_entry(g->m, x->f, axt_unescape(word), &d, &g->err))
		return g->err.code;
	if (ed->change[d - x->f->dsets].name) {
		axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\" gets two names", axt_escape(g->m, word));
		return axt_about(&g->err, AXT_TWICE, word, x->file);
	}
	ed->change[d - x->f->dsets].name = axt_unescape(eq + 1);
	if (!strchr(eq + 1, '/'))
		return 0;
	axt_fail(&g->err, AXT_E_SYNTAX, "\"%s\": a new name has no slash: the group stays",
	    axt_escape(g->m, eq + 1));
	axt_about(&g->err, AXT_BAD_NAME, eq + 1, "dataset");
	axt_hint(&g->err, "axt-copy %s -o %s",
	    axt_quoted(g->m, axt_sprintf(g->m, "%s:%s", x->file, word)),
	    axt_quoted(g->m, axt_sprintf(g->m, "%s:%s", x->file, eq + 1)));
	return g->err.code;
}

enum axt_code
axt_move(struct axt_graph *g, const char *map, const char *file, bool in_place, const char *history)
{
	struct axt_dsets_edit ed = { .in_place = in_place };
	char *words = axt_strdup(g->m, map), *end;
	struct axt_named x;
	struct axt_lock l;

	if (!words)
		return no_memory(g);
	if (axt_named_words(g, file, NULL, &x))
		return g->err.code;
	if (x.name)
		return axt_fail(&g->err, AXT_E_SYNTAX, "%s: what is renamed is in OLD=NEW",
		    axt_escape(g->m, file));
	if (axt_hold_one(g, x.file, &l) == 0 && begin(g, &x, &ed, history) == 0) {
		for (char *w = words; w && !g->err.code; w = end) {
			for (end = w; *end && *end != ','; end++)
				end += *end == '\\' && end[1];
			end = *end ? end : NULL;
			if (end)
				*end++ = '\0';
			add_name(g, &x, &ed, w);
		}
		if (!g->err.code)
			axt_dsets_edit_file(g->m, x.f, &ed, &l, &g->err);
	}
	return axt_let_go(g, x.file, &l, in_place && !g->err.code);
}
