/* csv_words.c - a column of text as a list of words; whether its first line is one of them. */
#include <stdlib.h>

#include "formats/csv.h"

/* Whether all lines but the first are dates. */
static bool
names_dates(const struct axt_csv *c)
{
	for (int64_t i = 0; i < c->rows; i++)
		if (axt_csv_is_date(c, i, 0) != (i > 0))
			return false;
	return true;
}

/*
 * The first line of a column of words looks like the others. It is a name where it is asked for as
 * one, or where the others are dates.
 */
int
axt_csv_first_word(struct axt_csv *c)
{
	uint64_t *cell;

	if (!c->head || !axt_csv_is_list(c) || c->r->o->header != AXT_HEADER_AUTO ||
	    c->r->o->tensor)
		return 0;
	cell = realloc(c->cell, ((size_t)c->rows + 1) * sizeof(*cell));
	if (!cell)
		return axt_fr_oom(c->r);
	c->cell = cell;
	memmove(cell + 1, cell, (size_t)c->rows++ * sizeof(*cell));
	cell[0] = (uint64_t)(uintptr_t)c->head[0];
	if (names_dates(c))
		memmove(cell, cell + 1, (size_t)--c->rows * sizeof(*cell));
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
