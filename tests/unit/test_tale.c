/*
 * test_tale.c - what the first process of a job tells the others: another graph computes the same
 * of it, and opens a file when it reads it; cut short it is refused; another file is found out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "jobs/tale.h"

#define ROWS 200
#define COLS 300

static char file[64], out[64];

/* A file with a tensor in so many chunks that their table is a block, and one in a line. */
static int
make_file(void **ctx)
{
	struct axt_graph *g = axt_graph_new();
	struct axt_expr *e[2];
	struct axt_save_opts o = { .output = file, .compress = "deflate", .chunk = "x=1,y=7" };

	(void)ctx;
	snprintf(file, sizeof(file), "/tmp/axt-tale-%d.h5", (int)getpid());
	snprintf(out, sizeof(out), "/tmp/axt-tale-%d.out.h5", (int)getpid());
	e[0] = axt_make(g, "random", "x=200,y=300", AXT_F32, 3);
	e[0] = axt_set_name(g, e[0], "t");
	e[1] = axt_set_name(g, axt_slice(g, e[0], "x=5", false), "u");
	assert_int_equal(axt_save(g, e, 2, &o), AXT_OK);
	axt_graph_free(g);
	return 0;
}

static int
remove_file(void **ctx)
{
	(void)ctx;
	return unlink(file);
}

/* t minus u, and a mean of that with a tensor in memory. */
static void
expressions(struct axt_graph *g, const float *mem, struct axt_expr *e[2])
{
	char name[2][80];
	struct axt_expr *t, *u;

	for (int i = 0; i < 2; i++)
		snprintf(name[i], sizeof(name[i]), "%s:%c", file, "tu"[i]);
	t = axt_open(g, name[0], NULL);
	u = axt_open(g, name[1], NULL);
	e[0] = axt_set_fill(g, axt_map2(g, AXT_OP_SUB, t, u), "-99");
	e[1] = axt_map2(g, AXT_OP_MUL, e[0], axt_tensor(g, AXT_F32, "x=200,y=300", mem, NULL));
	e[1] = axt_set_name(g,
	    axt_reduce(g, AXT_RED_MEAN, e[1], &(struct axt_reduce_opts){ .over = "x" }), "m");
	assert_null(axt_graph_error(g));
}

/* What is told in g, as another process gets it. */
static void
tell(struct axt_graph *g, const float *mem, struct axt_job *job, struct axt_tale *t)
{
	struct axt_expr *e[2];

	expressions(g, mem, e);
	assert_int_equal(axt_job_find(g, e, 2, &(struct axt_save_opts){ .output = out }, job), 0);
	assert_int_equal(axt_tale_write(g, job, &(struct axt_save_opts){ .output = out }, t), 0);
	assert_null(t->why);
}

/* Builds the results in g of the first n bytes of what was told. */
static int
hear(struct axt_graph *g, const struct axt_tale *told, size_t n, struct axt_job *job)
{
	struct axt_tale t = { .nblocks = 0 };
	int rc;

	axt_buf_add(&t.b, told->b.p, n);
	rc = axt_tale_read(g, &t, job);
	if (rc == 0) {
		assert_int_equal(t.nblocks, told->nblocks);
		for (int i = 0; i < t.nblocks; i++) {
			assert_int_equal(t.block[i].n, told->block[i].n);
			memcpy(t.block[i].p, told->block[i].p, t.block[i].n);
		}
		rc = axt_tale_build(g, &t, job);
	}
	axt_tale_free(&t);
	return rc;
}

static float *
numbers(void)
{
	float *mem = malloc(ROWS * COLS * sizeof(*mem));

	assert_non_null(mem);
	for (int i = 0; i < ROWS * COLS; i++)
		mem[i] = (float)(i % 17);
	return mem;
}

static void
is_computed(void **ctx)
{
	struct axt_graph *g = axt_graph_new(), *h = axt_graph_new();
	float *mem = numbers(), *a = calloc(ROWS * COLS, 4), *b = calloc(ROWS * COLS, 4);
	struct axt_job job, other;
	struct axt_tale t;

	(void)ctx;
	tell(g, mem, &job, &t);
	assert_true(t.nst == 3 && t.nfiles == 1 && t.nblocks == 2);
	assert_int_equal(hear(h, &t, t.b.n, &other), 0);
	assert_true(h->files->f->unseen && h->files->f->fd < 0);
	assert_true(other.n == 2 && other.r.v[0].dtype == AXT_F32 && other.r.e[0]->meta->fill);
	assert_string_equal(other.r.v[1].name, "m");
	for (int i = 0; i < 2; i++) {
		size_t n = (size_t)axt_count(job.e[i]) * 4;

		assert_true(axt_stands_for(other.e[i], job.e[i]));
		assert_int_equal(axt_eval(g, job.e[i], a, n), AXT_OK);
		assert_int_equal(axt_eval(h, other.e[i], b, n), AXT_OK);
		assert_memory_equal(a, b, n);
	}
	assert_true(!h->files->f->unseen && h->files->f->fd >= 0);
	axt_tale_free(&t);
	axt_graph_free(h);
	axt_graph_free(g);
	free(mem);
	free(a);
	free(b);
}

/* Of what is cut short, each part that is missing is noticed. */
static void
cut_short(void **ctx)
{
	struct axt_graph *g = axt_graph_new();
	float *mem = numbers();
	struct axt_job job, other;
	struct axt_tale t;

	(void)ctx;
	tell(g, mem, &job, &t);
	for (size_t n = 0; n < t.b.n; n += n % 7 + 1) {
		struct axt_graph *h = axt_graph_new();

		assert_int_not_equal(hear(h, &t, n, &other), 0);
		assert_non_null(axt_graph_error(h));
		axt_graph_free(h);
	}
	axt_tale_free(&t);
	axt_graph_free(g);
	free(mem);
}

static void
another_file(void **ctx)
{
	struct axt_graph *g = axt_graph_new(), *h = axt_graph_new();
	struct timespec times[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	float *mem = numbers(), *a = calloc(ROWS * COLS, 4);
	struct axt_job job, other;
	struct axt_tale t;

	(void)ctx;
	tell(g, mem, &job, &t);
	assert_int_equal(hear(h, &t, t.b.n, &other), 0);
	assert_int_equal(utimensat(AT_FDCWD, file, times, 0), 0);
	assert_int_equal(axt_eval(h, other.e[0], a, ROWS * COLS * 4), AXT_E_CHANGED);
	assert_non_null(strstr(axt_graph_error(h), "see different inputs"));
	axt_tale_free(&t);
	axt_graph_free(h);
	axt_graph_free(g);
	free(mem);
	free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_computed),
		cmocka_unit_test(cut_short),
		cmocka_unit_test(another_file),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
