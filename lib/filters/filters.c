/* filters.c - the table of filters, and how many bytes lists of them make. */
#include <stdlib.h>

#include "filters/filters.h"

const struct axt_filter axt_filters[] = {
#define FILTER(NAME, id, name, line) { id, #name, line, &axt_filter_##name },
#include "filters.def"
#undef FILTER
};

const char axt_filter_no_memory[] = "out of memory";

const struct axt_filter *
axt_filter_of(int id)
{
	for (int i = 0; i < AXT_NFILTERS; i++)
		if (axt_filters[i].id == id)
			return &axt_filters[i];
	return NULL;
}

size_t
axt_filters_most(const struct axt_filters *l, int k, uint32_t mask, size_t plain, bool *exact)
{
	size_t n = plain;

	*exact = true;
	for (int i = 0; i < k; i++) {
		const struct axt_filter_fns *fn = l->use[i].f->fn;

		if (mask >> i & 1)
			continue;
		n = fn->most ? fn->most(&l->use[i], n) : n + fn->adds;
		*exact = *exact && !fn->most;
	}
	return n;
}

uint8_t *
axt_filter_buffer_grow(struct axt_filter_buffer *r, size_t n)
{
	if (r->cap < n) {
		free(r->p);
		r->p = malloc(n);
		r->cap = r->p ? n : 0;
	}
	return r->p;
}
