/*
 * assign.c - assigns expressions to slices of tensors that exist, and to tensors that do not exist
 * yet. All values are computed in one run and written to copies; then the copies replace the files.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes/deeds.h"
#include "wire/text.h"
#include "out/deliver.h"
#include "graph/target.h"

/* The operation that the text names; -1 for plain assignment, -2 if there is no such operation. */
static int
op_of(const char *op)
{
	static const struct {
		const char *word, *sign;
		int op;
	} rows[] = {
		{ "set", "=", -1 },
		{ "add", "+=", AXT_OP_ADD },
		{ "sub", "-=", AXT_OP_SUB },
		{ "mul", "*=", AXT_OP_MUL },
		{ "div", "/=", AXT_OP_DIV },
	};

	for (int i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(op, rows[i].word) == 0 || strcmp(op, rows[i].sign) == 0)
			return rows[i].op;
	return -2;
}

/* A node of the values that the slice has before the assignment. */
static struct axt_expr *
old_values(struct axt_graph *g, const struct axt_target *t, enum axt_dtype d,
    const struct axt_axes *x, struct axt_assign *a)
{
	struct axt_storage *st;
	struct axt_expr *e;

	if (t->whole)
		return axt_dataset_leaf(g, t->f, t->d, d, x);
	st = axt_alloc(g->m, sizeof(*st));
	if (!st || axt_assign_old(a, st, &g->err))
		return axt_node_failed(g);
	e = axt_memory_leaf(g, d, x, st->mem);
	if (!axt_bad(e))
		e->from = t->from;
	return e;
}

/* One assignment: a value, and the slice of an existing tensor or the new tensor that takes it. */
struct job {
	struct axt_target t;
	struct axt_axes axes; /* axes of the slice, without those that were dropped */
	struct axt_packing packing;
	enum axt_dtype d;
	int op;
	struct axt_expr *e; /* the value that the caller gave */
	bool none;          /* the slice has no elements, so nothing is written */
	struct axt_assign *a;
	/* holds the values, if they are computed before the file is locked */
	struct axt_waiting early;
	/* whether the target is a tensor that does not exist yet */
	bool fresh;
	/* dset: NULL if the new tensor takes the name of its value */
	const char *word, *file, *dset;
	/*
	 * The file in which this job, and the jobs whose `with` is this job, make their new
	 * tensors.
	 */
	struct axt_out *out;
	/* the first job that makes a tensor in the same file; NULL for the first itself */
	struct job *with;
};

/* Warns if values with fractions go to a dataset of integers. */
static int
warn_fractions(struct axt_graph *g, struct axt_expr *e, const struct job *s)
{
	const struct axt_reduce_opts all = { 0 };
	struct axt_expr *bad;
	int64_t n;

	if (axt_dtypes[e->dtype].cls != AXT_CLASS_FLOAT || s->packing.scaled || s->d == AXT_BOOL ||
	    axt_dtypes[s->d].cls >= AXT_CLASS_FLOAT)
		return 0;
	bad = axt_map2(g, AXT_OP_AND, axt_map1(g, AXT_OP_ISFINITE, e),
	    axt_map2(g, AXT_OP_NE, e, axt_map1(g, AXT_OP_TRUNC, e)));
	bad = axt_reduce(g, AXT_RED_SUM, bad, &all);
	if (axt_part_values(g, &bad, 1, &(void *){ &n }) || n == 0)
		return g->err.code;
	axt_warn(g,
	    "%lld of %lld values lose their fractions, since %s holds %s: axt-map round or "
	    "trunc makes them whole, axt-cast --dtype %s makes room for them",
	    (long long)n, (long long)axt_count(e), s->t.from, axt_dtypes[s->d].name,
	    axt_dtypes[e->dtype].name);
	return 0;
}

/* A node of the values as they are stored: combined with the old values, packed, converted. */
static struct axt_expr *
values(struct axt_graph *g, const struct job *s)
{
	struct axt_expr *e = s->e, *old;

	if (s->op != AXT_OP_MUL && s->op != AXT_OP_DIV)
		e = axt_units_as(g, e, axt_attr_text(s->t.d->attrs, "units"), s->t.from, NULL);
	if (axt_bad(e))
		return axt_node_failed(g);
	if (s->op >= 0) {
		old = old_values(g, &s->t, s->d, &s->axes, s->a);
		if (!old || axt_bad(old))
			return axt_node_failed(g);
		if (s->packing.scaled || s->packing.missing)
			old = axt_unpack(g, old, &s->packing, NULL);
		e = axt_map2(g, (enum axt_op)s->op, old, e);
	}
	if (axt_bad(e) || warn_fractions(g, e, s))
		return axt_node_failed(g);
	e = axt_packed(g, e, s->d, &s->packing, NULL);
	return axt_bad(e) ? e : axt_conform(g, e, &s->axes, s->t.from);
}

/* ---- checks that are made before anything is copied ---- */

static int
open_slice(struct axt_graph *g, const char *target, const struct axt_assign_opts *o, struct job *s)
{
	const struct axt_attr *attrs;

	if (axt_target_open(g, target, o->dataset, &s->t))
		return g->err.code;
	for (int i = 0; i < s->t.axes.n; i++)
		if (!s->t.drop[i])
			s->axes.a[s->axes.n++] = s->t.axes.a[i];
	attrs = s->t.d->attrs;
	s->d = o->raw ? s->t.d->dtype : axt_with_sign(attrs, s->t.d->dtype);
	if (!o->raw && s->d != AXT_BOOL && axt_dtypes[s->d].cls != AXT_CLASS_COMPLEX)
		axt_packing_read(g->m, attrs, s->d, &s->packing);
	return 0;
}

/* Whether the word ends with a slice in brackets. Only tensors that exist can be sliced. */
static bool
is_slice(const char *word)
{
	size_t n = strlen(word);

	return n > 1 && word[n - 1] == ']' && word[n - 2] != '\\' && strchr(word, '[');
}

/* Whether the target does not exist yet: there is no such file, or no such tensor in the file. */
static bool
is_fresh(struct axt_graph *g, const struct axt_assign_opts *o, struct job *s)
{
	struct axt_err none = { 0 };
	struct axt_file *f;
	struct axt_dset *d;
	const char *name;
	struct stat st;

	if (!o->make || s->op != -1 || axt_is_number(s->word) || strcmp(s->word, "-") == 0 ||
	    strncmp(s->word, "-:", 2) == 0 ||
	    axt_target_split(g->m, s->word, &s->file, &s->dset, &g->err))
		return false;
	if (stat(s->file, &st)) {
		if (errno != ENOENT || is_slice(s->word))
			return false;
		axt_warn_of_colon(g, s->file);
		return true;
	}
	name = s->dset ? s->dset : o->dataset;
	if (is_slice(s->word) || !name || !S_ISREG(st.st_mode) || !(f = axt_open_file(g, s->file)))
		return false;
	s->dset = name;
	return !axt_is_calendar(f, name) && axt_file_find(g->m, f, name, &d, &none) == AXT_E_NAME;
}

/* Opens the slice of an existing tensor. Sets *y to the value with the axes of the slice. */
static int
find_slice(struct axt_graph *g, const struct axt_assign_opts *o, struct job *s, struct axt_expr **y)
{
	int64_t n;

	s->axes.n = 0;
	s->packing = (struct axt_packing){ 0 };
	if (open_slice(g, s->word, o, s))
		return g->err.code;
	if (o->no_clobber) {
		axt_fail(&g->err, AXT_E_EXISTS, "%s exists (--no-clobber)", s->t.from);
		return axt_about(&g->err, AXT_EXISTS, s->t.from, NULL);
	}
	*y = axt_conform(g, s->e, &s->axes, s->t.from);
	if (axt_bad(*y))
		return g->err.code;
	if (!axt_axes_count(&s->axes, &n))
		return axt_fail(&g->err, AXT_E_LIMIT, "the slice is too large");
	s->none = n == 0;
	return 0;
}

/* Fills s from one assignment. *y is the expression that is planned, so that errors show early. */
static int
open_job(struct axt_graph *g, const struct axt_assignment *a, const struct axt_assign_opts *o,
    struct job *s, struct axt_expr **y)
{
	*s = (struct job){ .word = a->target, .e = a->e, .op = op_of(a->op), .early.fd = -1 };
	*y = a->e;
	if (axt_refused(g, a->e))
		return g->err.code;
	if (s->op == -2) {
		axt_fail(&g->err, AXT_E_SYNTAX,
		    "no such operation \"%s\": set add sub mul div, or = += -= *= /=",
		    axt_escape(g->m, a->op));
		return axt_about(&g->err, AXT_NO_CHOICE, a->op, NULL);
	}
	s->fresh = is_fresh(g, o, s);
	if (s->fresh)
		*y = s->e = axt_as_stored(g, a->e);
	return g->err.code || s->fresh ? (int)g->err.code : find_slice(g, o, s, y);
}

/* ---- several assignments in one command ---- */

static bool
spans_meet(const struct axt_span *p, const struct axt_span *q)
{
	const struct axt_span *few = p->len < q->len ? p : q, *many = few == p ? q : p;

	for (int64_t k = 0; k < few->len; k++) {
		int64_t d = few->start + k * few->step - many->start;

		if (many->len == 1
			? d == 0
			: d % many->step == 0 && d / many->step >= 0 && d / many->step < many->len)
			return true;
	}
	return false;
}

/* Whether the two slices have a position along this dimension in common. */
static bool
dims_meet(const struct axt_slice_dim *a, const struct axt_slice_dim *b)
{
	for (int i = 0; i < a->nspans; i++)
		for (int k = 0; k < b->nspans; k++)
			if (spans_meet(&a->span[i], &b->span[k]))
				return true;
	return false;
}

static bool
slices_meet(const struct axt_target *a, const struct axt_target *b)
{
	for (int i = 0; i < a->d->rank; i++)
		if (!dims_meet(&a->dim[i], &b->dim[i]))
			return false;
	return true;
}

/* Whether two paths, neither of which exists yet, will name the same file. */
static bool
same_place(struct axt_graph *g, const char *a, const char *b)
{
	const char *x = axt_last_part(a), *y = axt_last_part(b);
	struct stat s, t;

	if (strcmp(x, y) != 0)
		return false;
	return strcmp(a, b) == 0 ||
	    (stat(x > a ? axt_strndup(g->m, a, (size_t)(x - a)) : ".", &s) == 0 &&
		stat(y > b ? axt_strndup(g->m, b, (size_t)(y - b)) : ".", &t) == 0 &&
		s.st_dev == t.st_dev && s.st_ino == t.st_ino);
}

static bool
same_file(struct axt_graph *g, const char *a, const char *b)
{
	struct stat s, t;

	if (stat(a, &s) || stat(b, &t))
		return same_place(g, a, b);
	return s.st_dev == t.st_dev && s.st_ino == t.st_ino;
}

static const char *
new_name(const struct job *s)
{
	return s->dset ? s->dset : s->e->meta->name ? s->e->meta->name : "tensor";
}

/* Checks two new tensors of one file, and has them made together. */
static int
check_new(struct axt_graph *g, struct job *a, struct job *b)
{
	b->with = a->with ? a->with : a;
	if (strcmp(new_name(a), new_name(b)) == 0)
		return axt_fail(&g->err, AXT_E_ARG, "%s is assigned to twice",
		    axt_escape(g->m, b->word));
	if (!strchr(new_name(a), '/') && !strchr(new_name(b), '/'))
		return 0;
	return axt_fail(&g->err, AXT_E_ARG,
	    "%s: several new tensors of a file have to be in its root group",
	    axt_escape(g->m, strchr(new_name(a), '/') ? a->word : b->word));
}

static int
check_pair(struct axt_graph *g, struct job *a, struct job *b)
{
	const char *x = a->fresh ? a->file : a->t.f->path, *y = b->fresh ? b->file : b->t.f->path;

	if (!a->fresh && !b->fresh) {
		if (a->t.d != b->t.d || !slices_meet(&a->t, &b->t))
			return 0;
		return axt_fail(&g->err, AXT_E_ARG, "%s is assigned to twice: the slices overlap",
		    b->t.from);
	}
	if (!same_file(g, x, y))
		return 0;
	if (a->fresh && b->fresh)
		return check_new(g, a, b);
	axt_fail(&g->err, AXT_E_ARG,
	    "%s is not there yet, and another tensor of its file is assigned to",
	    axt_escape(g->m, a->fresh ? a->word : b->word));
	axt_hint(&g->err, "use two commands");
	return g->err.code;
}

/*
 * Opens the n assignments a as the jobs s, and gives the expressions to plan in y. Checks that two
 * jobs do not exclude each other, for all pairs with a job from number `last` on.
 */
static int
open_jobs(struct axt_graph *g, const struct axt_assignment a[], int n, int last,
    const struct axt_assign_opts *o, struct job *s, struct axt_expr **y)
{
	for (int i = 0; i < n; i++) {
		if (open_job(g, &a[i], o, &s[i], &y[i]))
			return g->err.code;
		for (int k = 0; k < i && i >= last; k++)
			if (check_pair(g, &s[k], &s[i]))
				return g->err.code;
	}
	return 0;
}

enum axt_code
axt_assign_check(struct axt_graph *g, const struct axt_assignment a[], int n,
    const struct axt_assign_opts *o)
{
	static const struct axt_assign_opts plain;
	struct axt_expr **y = axt_alloc(g->m, (size_t)n * sizeof(*y));
	struct job *s = axt_alloc(g->m, (size_t)n * sizeof(*s));
	struct axt_hold h = { 0 };

	if (!s || !y)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	/* the locks make sure that no other process is changing one of the files just now */
	if (!g->err.code && axt_hold_open(g, &h, a, n) == 0 && axt_hold_take(g, &h, 0) == 0)
		open_jobs(g, a, n, n - 1, o ? o : &plain, s, y);
	axt_hold_drop(g, &h, false);
	return g->err.code;
}

/* ---- the run ---- */

/* All assignments of a command, as one output. */
struct assigning {
	struct axt_delivery out;
	const struct axt_assign_opts *o;
	struct job *job;
	int n;
	struct axt_hold hold;
	/* [n]: of each job; those that are to be run are then moved to the front */
	struct axt_expr **e;
	struct axt_sink **sink;
};

/*
 * Opens the file for the new tensors of job s and of the jobs whose `with` is s. The sink of job i
 * becomes x->sink[i].
 */
static int
make_file(struct assigning *x, struct job *s)
{
	struct axt_graph *g = x->out.g;
	struct axt_out_opts oo = { .target = s->file,
		.is_file = true,
		.add = true,
		.no_clobber = x->o->no_clobber,
		.memory = g->memory,
		.threads = axt_graph_threads(g),
		.talk = axt_graph_talk(g) };
	struct axt_expr **e = axt_alloc(g->m, (size_t)x->n * sizeof(*e));
	int *at = axt_alloc(g->m, (size_t)x->n * sizeof(*at)), m = 0;
	struct axt_out_known in = { 0 };
	struct axt_out_var *v;

	if (!e || !at)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < x->n; i++)
		if (&x->job[i] == s || x->job[i].with == s) {
			at[m] = i;
			e[m++] = x->job[i].e;
		}
	if (axt_out_vars(g, e, m, &v) || axt_out_agree(g, v, e, m))
		return g->err.code;
	for (int k = 0; k < m; k++)
		v[k].name = x->job[at[k]].dset ? x->job[at[k]].dset : v[k].name;
	if (s->dset && strchr(s->dset, '/'))
		oo.dataset = s->dset;
	if (access(s->file, F_OK) == 0) {
		in.file = s->file;
		in.path = axt_path_in(g, v[0].name, "");
	}
	if ((in.file && !in.path) || axt_out_known(g, v, e, m, &in))
		return g->err.code;
	if (axt_out_open(g->m, v, m, axt_with_history(g, e[0]->meta->file_attrs, x->o->history),
		&oo, &s->out, &g->err) ||
	    axt_out_begin(s->out, &g->err))
		return g->err.code;
	for (int k = 0; k < m; k++)
		if (!(x->sink[at[k]] = axt_filled(g, e[k], axt_out_sink(s->out, k))))
			return g->err.code;
	return 0;
}

/* Opens each file that gets new tensors. */
static int
make_files(struct assigning *x)
{
	for (int i = 0; i < x->n; i++)
		if (x->job[i].fresh && !x->job[i].with && make_file(x, &x->job[i]))
			return x->out.g->err.code;
	return 0;
}

/* Opens each slice for writing: in a copy of its file or, if in_place, in the file itself. */
static int
open_slices(struct assigning *x)
{
	struct axt_graph *g = x->out.g;
	struct job *s = x->job;

	for (int i = 0; i < x->n; i++) {
		const struct axt_lock *lock = s[i].fresh ? NULL : axt_hold_of(&x->hold, s[i].t.f);
		const struct axt_assign *first = NULL;

		if (s[i].fresh || s[i].none)
			continue;
		if (!lock) {
			axt_deed_note(AXT_DISTURBED);
			return axt_fail(&g->err, AXT_E_CHANGED,
			    "%s: another file was given its name meanwhile",
			    axt_escape(g->m, s[i].t.f->path));
		}
		for (int k = i - 1; k >= 0; k--)
			first = s[k].a && s[k].t.f == s[i].t.f ? s[k].a : first;
		if (axt_assign_open(s[i].t.f, s[i].t.d, s[i].t.dim, x->o->in_place, lock, first,
			g->memory, &s[i].a, &g->err))
			return g->err.code;
		x->sink[i] = axt_assign_sink(s[i].a);
	}
	return 0;
}

/* ---- what is computed before the files are locked ---- */

static bool
is_slow(struct axt_graph *g, const struct job *s, int n)
{
	for (int i = 0; i < n; i++)
		if (!s[i].fresh && !s[i].none && axt_is_slow(g, s[i].e))
			return true;
	return false;
}

/*
 * Computes all values in one run. New tensors are written to their files; the values of slices are
 * kept until the files are locked.
 */
static int
compute_early(struct assigning *x)
{
	struct axt_graph *g = x->out.g;
	struct job *s = x->job;
	int n = x->n;
	struct axt_wait_sink *k = axt_alloc(g->m, (size_t)n * sizeof(*k));
	struct axt_expr **e = axt_alloc(g->m, (size_t)n * sizeof(*e));

	if (!e || !k)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	for (int i = 0; i < n; i++) {
		e[i] = s[i].e;
		if (s[i].fresh)
			continue;
		if (axt_wait_sink_open(g, &k[i], e[i], &s[i].early))
			return g->err.code;
		x->sink[i] = &k[i].sink;
	}
	if (axt_run(g, e, n, x->sink) || axt_files_check(g))
		return g->err.code;
	for (int i = 0; i < n; i++) {
		if (s[i].fresh)
			continue;
		if (axt_wait_map(&s[i].early, &g->err))
			return g->err.code;
		s[i].e = axt_wait_leaf(g, e[i], e[i], &s[i].early);
		if (axt_bad(s[i].e))
			return g->err.code;
	}
	return 0;
}

static int
find_again(struct assigning *x)
{
	struct axt_expr *y;

	for (int i = 0; i < x->n; i++)
		if (!x->job[i].fresh && find_slice(x->out.g, x->o, &x->job[i], &y))
			return x->out.g->err.code;
	return 0;
}

/* A saved view shows a dataset that may be in another file. Locks those files as well. */
static int
hold_seen(struct assigning *x)
{
	struct axt_graph *g = x->out.g;
	struct axt_hold *h = &x->hold;
	struct job *s = x->job;
	int before = h->n;

	for (int i = 0; i < x->n; i++) {
		const struct axt_file *f = s[i].t.f;
		bool there = s[i].fresh || axt_hold_of(h, f);

		for (int k = before; k < h->n; k++)
			there = there || axt_same_file(f, h->file[k].path, &g->err);
		if (!there)
			h->file[h->n++] = (struct axt_hold_file){ f->path, .lock.fd = -1 };
	}
	if (h->n == before)
		return 0;
	return axt_hold_drop(g, h, false) || axt_hold_take(g, h, 0) || find_again(x)
	    ? (int)g->err.code
	    : 0;
}

/*
 * Makes the lists of expressions that are still to run and of their sinks. If `slow`, compute_early
 * has already computed the new tensors. An expression for an empty slice is planned, since its plan
 * may be refused, but not run.
 */
static int
values_to_run(struct assigning *x, bool slow)
{
	struct axt_graph *g = x->out.g;
	struct axt_plan *p;
	int m = 0;

	for (int i = 0; i < x->n; i++) {
		struct job *s = &x->job[i];

		if (s->none && axt_draft_plan(g, &s->e, 1, false, &p))
			return g->err.code;
		if (s->none || (slow && s->fresh))
			continue;
		x->e[m] = s->fresh ? s->e : values(g, s);
		x->sink[m] = x->sink[i];
		if (axt_bad(x->e[m++]))
			return g->err.code;
	}
	x->out.n = m;
	x->out.computed = m == 0;
	if (m == 0) /* nothing is written, but errors of the pipes must still be found */
		axt_taken_commit(g);
	return g->err.code;
}

/* Finishes the copies. They have no final names yet, so an error leaves the files as they were. */
static int
write_all(struct axt_delivery *o)
{
	struct assigning *x = (struct assigning *)o;
	struct axt_graph *g = o->g;
	struct job *s = x->job;

	for (int i = 0; i < x->n; i++)
		if (s[i].out && axt_out_finish(s[i].out, &g->err))
			return g->err.code;
	for (int i = 0; i < x->n; i++)
		if (s[i].a && axt_assign_write(s[i].a, &g->err))
			return g->err.code;
	return 0;
}

/*
 * Puts all files in their places, one after another. Files of slices, whose locks this command
 * holds, come first. Then it drops these locks, and closes the files of new tensors, whose outputs
 * hold locks of their own.
 */
static void
close_all(struct axt_delivery *o, bool ok)
{
	struct assigning *x = (struct assigning *)o;
	struct axt_graph *g = o->g;
	int n = x->n;
	const char *done = NULL;

	for (int i = 0; i < 2 * n; i++) {
		struct job *j = &x->job[i % n];

		if (i == n)
			ok = axt_hold_drop(g, &x->hold, x->o->in_place && ok) == 0 && ok;
		if (i < n ? !j->a : !j->out)
			continue;
		if (j->out)
			axt_out_close(j->out, ok, &g->err);
		else
			axt_assign_close(j->a, ok, &g->err);
		if (ok && g->err.code && done) {
			/* that a file is new matters more than how to go on */
			g->err.hint[0] = '\0';
			axt_hint(&g->err, "%s has its new values", axt_escape(g->m, done));
		}
		ok = ok && !g->err.code;
		done = j->word;
	}
	for (int i = 0; i < n; i++)
		axt_wait_close(&x->job[i].early);
}

/*
 * Makes the files of new tensors. If `slow`, also computes the values while no file is locked, then
 * locks the files again and finds the targets in them anew. Pipes count as slow: the commands that
 * write to them may assign to the same files. Files of new tensors are not locked here, since their
 * outputs lock them.
 */
static int
early(struct assigning *x, bool slow)
{
	struct axt_graph *g = x->out.g;

	for (int i = 0; i < x->n; i++)
		if (x->job[i].fresh)
			axt_hold_leave(&x->hold, x->job[i].file);
	if (axt_hold_drop(g, &x->hold, false) || make_files(x) || !slow)
		return g->err.code;
	if (compute_early(x) || axt_hold_take(g, &x->hold, AXT_LOCK_WAIT))
		return g->err.code;
	return find_again(x);
}

/*
 * Opens all targets, and only then makes the expressions to run: the values of slices may depend on
 * what the slices hold while their files are locked.
 */
static int
open_all(struct axt_delivery *o)
{
	struct assigning *x = (struct assigning *)o;
	int fresh = 0;
	bool slow;

	for (int i = 0; i < x->n; i++)
		fresh += x->job[i].fresh;
	slow = fresh < x->n && (fresh > 0 || is_slow(o->g, x->job, x->n));
	if (((fresh || slow) && early(x, slow)) || open_slices(x) || values_to_run(x, slow))
		close_all(o, false);
	return o->g->err.code;
}

static struct axt_sink *
sink_of(struct axt_delivery *o, int i)
{
	return ((struct assigning *)o)->sink[i];
}

static const struct axt_delivery_kind assigned = {
	.open = open_all, .sink = sink_of, .finish = write_all, .close = close_all, .values = true
};

enum axt_code
axt_assign_all(struct axt_graph *g, const struct axt_assignment a[], int n,
    const struct axt_assign_opts *o)
{
	static const struct axt_assign_opts plain;
	struct assigning x = { .out = { .kind = &assigned, .g = g, .n = n, .planned = true },
		.o = o ? o : &plain,
		.job = axt_alloc(g->m, (size_t)n * sizeof(*x.job)),
		.n = n,
		.e = axt_alloc(g->m, (size_t)n * sizeof(*x.e)),
		.sink = axt_alloc(g->m, (size_t)n * sizeof(*x.sink)) };

	if (g->err.code)
		return g->err.code;
	if (!x.job || !x.e || !x.sink)
		return axt_fail(&g->err, AXT_E_MEM, "out of memory");
	x.out.e = x.e;
	if (axt_hold_open(g, &x.hold, a, n) == 0 && axt_hold_take(g, &x.hold, 0) == 0 &&
	    open_jobs(g, a, n, 0, x.o, x.job, x.e) == 0 && hold_seen(&x) == 0) {
		/* what goes into a slice is known when the slice is open, and planned then */
		for (int i = 0; i < n; i++)
			x.out.planned = x.out.planned && x.job[i].fresh;
		axt_deliver(&x.out);
	}
	axt_hold_drop(g, &x.hold, false);
	return g->err.code;
}
