/* csv_words.c - a column of text as a list of words; whether its first line is one of them. */
#include <stdlib.h>

#include "formats/csv.h"

/* Whether all lines but the first are dates. */
static bool
are_dates(const struct axt_csv *c)
{
	for (int64_t i = 0; i < c->rows; i++)
		if (!axt_csv_is_date(c, i, 0))
			return false;
	return true;
}

/* Puts n cells before the others of one column. */
static int
put_before(struct axt_csv *c, const uint64_t *cells, int64_t n)
{
	uint64_t *all = realloc(c->cell, (size_t)(c->rows + n + 1) * sizeof(*all));

	if (!all)
		return axt_fr_oom(c->r);
	memmove(all + n, all, (size_t)c->rows * sizeof(*all));
	if (n > 0)
		memcpy(all, cells, (size_t)n * sizeof(*all));
	c->cell = all;
	c->rows += n;
	return 0;
}

/*
 * Decides whether the first line of a column of words is the column's name. It is if the user says
 * so (--header yes, or the name of a tensor), or if all other lines are dates and it is none; else
 * it is a word. Lines behind it that begin with # are comments if the other lines are dates, and
 * words otherwise. Returns a code.
 */
int
axt_csv_first_word(struct axt_csv *c)
{
	uint64_t first;
	bool dates;

	if (!c->head || !axt_csv_is_list(c))
		return 0;
	first = (uint64_t)(uintptr_t)c->head[0];
	dates = are_dates(c);
	if (!dates && put_before(c, c->marked, c->nmarked))
		return c->r->e->code;
	if (c->r->o->header != AXT_HEADER_AUTO || c->r->o->tensor)
		return 0;
	if (put_before(c, &first, 1))
		return c->r->e->code;
	if (dates && !axt_csv_is_date(c, 0, 0))
		memmove(c->cell, c->cell + 1, (size_t)--c->rows * sizeof(*c->cell));
	else
		c->head = NULL;
	return 0;
}

int
axt_csv_words(struct axt_csv *c, int k, struct axt_foreign_item *t)
{
	const char **word = axt_alloc(c->r->m, (size_t)c->rows * sizeof(*word) + 1);
	struct axt_coord x = { .text = true, .n = c->rows, .data = word };

	if (!word)
		return axt_fr_oom(c->r);
	for (int64_t i = 0; i < c->rows; i++)
		word[i] = (const char *)(uintptr_t)axt_csv_cell(c, i, k);
	t->axes.n = 1;
	if (axt_csv_rows(c, &t->axes.a[0]))
		return c->r->e->code;
	if (c->head && *c->head[k])
		t->name = c->head[k];
	if (axt_csv_as_time(c->r, &x)) {
		t->dtype = x.dtype;
		t->mem = x.data;
		t->attrs = x.attrs;
		return axt_fr_sized(c->r, t);
	}
	t->text = word;
	return c->r->e->code;
}
