/* job.c - which job a part belongs to: a checksum of its expression and of its inputs. */
#include <stdlib.h>

#include "jobs/parts.h"
#include "wire/text.h"

struct leaves {
	struct axt_graph *g;
	const char *stream; /* an input that comes through a pipe; NULL: none does */
};

/* What tells the values of a leaf apart, as far as that can be told without reading them. */
static bool
leaf_words(void *ctx, const struct axt_expr *leaf, struct axt_buf *b)
{
	struct leaves *l = ctx;
	const struct axt_storage *st = leaf->u.leaf.st;
	struct axt_file *f = NULL;
	const struct axt_dset *d = axt_leaf_dataset(l->g, st, &f);

	if (st->src || (f && f->stream)) {
		l->stream = leaf->from;
		return false;
	}
	if (d) {
		axt_buf_addf(b, "size=%lld mtime=%lld.%09ld path=", (long long)f->id.size,
		    (long long)f->id.mtime.tv_sec, (long)f->id.mtime.tv_nsec);
		axt_plan_word(b, d->path ? d->path : "");
		axt_buf_addf(b, " at=%llu", (unsigned long long)st->offset);
	} else if (st->mem) {
		axt_buf_addf(b, "data=%016llx",
		    (unsigned long long)axt_hash(0, st->mem,
			(size_t)st->count * (size_t)axt_size(st->dtype)));
	}
	return d || st->mem;
}

/* Adds the sum of up to AXT_PLAN_OUTS expressions. false: there is none. */
static bool
add(struct leaves *l, struct axt_expr *const e[], int n, uint64_t *sum)
{
	struct axt_plan_out out[AXT_PLAN_OUTS];
	struct axt_buf b = { 0 };
	bool ok;

	for (int i = 0; i < n; i++)
		out[i] = (struct axt_plan_out){ "result", e[i] };
	ok = axt_plan_write(l->g, out, n, leaf_words, l, &b) && !b.bad;
	*sum = ok ? axt_hash(*sum, b.p, b.n) : 0;
	axt_buf_release(&b);
	return ok;
}

int
axt_job_sum(struct axt_graph *g, struct axt_expr *const e[], int n, uint64_t *sum)
{
	struct leaves l = { .g = g };
	bool ok = true;

	*sum = 0;
	for (int i = 0; ok && i < n; i += AXT_PLAN_OUTS)
		ok = add(&l, e + i, MIN(n - i, AXT_PLAN_OUTS), sum);
	if (ok || g->err.code)
		return g->err.code;
	if (!l.stream)
		return axt_fail(&g->err, AXT_E_ARG,
		    "the expression cannot be told from those of other jobs");
	axt_fail(&g->err, AXT_E_ARG,
	    "%s comes through a pipe, which other parts of the job cannot read",
	    axt_escape(g->m, l.stream));
	axt_hint(&g->err, "write it to a file first, and name that");
	return g->err.code;
}

bool
axt_part_number(const char *s, int64_t *k, int64_t *n)
{
	const char *slash = s ? strchr(s, '/') : NULL;
	char first[24];

	if (!slash || slash - s >= (int)sizeof(first))
		return false;
	memcpy(first, s, (size_t)(slash - s));
	first[slash - s] = '\0';
	return axt_parse_int(first, 1, AXT_PARTS_MAX, k) &&
	    axt_parse_int(slash + 1, 1, AXT_PARTS_MAX, n) && *k <= *n;
}

const char *
axt_part_piece(struct axt_arena *m, const char *name, int i)
{
	return i == 0 ? name : axt_sprintf(m, "axt_piece_%d/%s", i + 1, name);
}
