/*
 * device_contraction.c - products of matrices on a device. Arguments are packed as for the CPU, but
 * as a whole, into memory from which transfers are fast, and stay on the device. Only that part of
 * the product is downloaded that a slab needs.
 */
#include <stdlib.h>

#include "device/device.h"
#include "eval/contraction.h"

#define PART_BYTES (16 << 20) /* bytes of an argument that are packed and sent at a time */

struct axt_product_device {
	struct axt_device *d;
	struct axt_queue **queue; /* [thread] */
	uint8_t **buf;            /* [thread]: a buffer for one part */
	uint8_t *arg[2];          /* on the device: [batch][k][rows, or columns] */
	uint8_t *out;             /* the slab, on the device */
	bool sent;
};

static int64_t
width_of(const struct axt_product *p, int a)
{
	return a ? p->n : p->m;
}

/* The dtype in which arguments are sent. */
static enum axt_dtype
dtype_of(const struct axt_product *p)
{
	return axt_product_arg(p, 0)->s->out[0].dtype;
}

static int64_t
size_of(const struct axt_product *p)
{
	return axt_size(dtype_of(p));
}

/* The number of indices of k that are packed and sent at a time. */
static int64_t
depth_of(const struct axt_product_run *x, int a)
{
	return MAX(1, MIN(x->p->k, PART_BYTES / (width_of(x->p, a) * size_of(x->p))));
}

/* The most bytes that are sent at a time. */
static int64_t
part_bytes(const struct axt_product *p)
{
	int64_t width = MAX(p->m, p->n) * size_of(p);

	return MAX(width, MIN(PART_BYTES, width * p->k));
}

static int64_t
slab_bytes(const struct axt_product_run *x)
{
	return axt_product(x->src->op->window->region, 0, x->p->node->axes.n) * x->size;
}

const uint8_t *
axt_product_there(const struct axt_product_run *x)
{
	return x->dev->out - axt_slab_offset(x->src, &x->slab);
}

static int
begin(struct axt_product_run *x)
{
	const struct axt_product *p = x->p;
	struct axt_product_device *v = x->dev = calloc(1, sizeof(*v));
	struct axt_err *e = &x->r->g->err;
	bool ok = v != NULL;

	if (!ok || !(v->d = axt_device_open(x->r->g->device, e)))
		return axt_fail(e, AXT_E_MEM, "out of memory");
	v->queue = calloc((size_t)x->threads, sizeof(*v->queue));
	v->buf = calloc((size_t)x->threads, sizeof(*v->buf));
	ok = v->queue && v->buf;
	for (int i = 0; i < x->threads && ok; i++)
		ok = (v->queue[i] = v->d->fns->queue_new(v->d, e)) &&
		    (v->buf[i] = v->d->fns->host_alloc(v->d, part_bytes(p)));
	for (int a = 0; a < 2 && ok; a++)
		ok = (v->arg[a] = v->d->fns->alloc(v->d,
			  p->batch * p->k * width_of(p, a) * size_of(p)));
	ok = ok && (v->out = v->d->fns->alloc(v->d, slab_bytes(x)));
	x->r->g->device_full = !ok;
	return ok ? 0
		  : axt_fail(e, AXT_E_MEM, "device %s: out of memory for a product of matrices",
			v->d->name);
}

static void
end(struct axt_product_run *x)
{
	struct axt_product_device *v = x->dev;

	for (int i = 0; v && v->queue && v->buf && i < x->threads; i++) {
		v->d->fns->queue_free(v->d, v->queue[i]);
		v->d->fns->host_free(v->d, v->buf[i]);
	}
	for (int a = 0; v && v->d && a < 2; a++)
		v->d->fns->free(v->d, v->arg[a]);
	if (v && v->d)
		v->d->fns->free(v->d, v->out);
	if (v) {
		free(v->queue);
		free(v->buf);
	}
	free(v);
	x->dev = NULL;
}

/* Packs and sends part u, counted over both arguments. Returns false if there is no such part. */
static bool
send_part(struct axt_product_run *x, int id, int64_t u)
{
	struct axt_product_device *v = x->dev;
	struct axt_worker *w;
	int64_t b, k0, k1, width, depth, parts;
	int64_t size = size_of(x->p);
	struct axt_panels to = { .size = (int)size, .out = v->buf[id] };
	int a = 0;

	for (; a < 2; a++) {
		depth = depth_of(x, a);
		parts = (x->p->k + depth - 1) / depth;
		if (u < parts * x->p->batch)
			break;
		u -= parts * x->p->batch;
	}
	if (a == 2)
		return false;
	w = &x->hand[id].arg[a];
	width = to.width = width_of(x->p, a);
	b = u / parts;
	k0 = u % parts * depth;
	k1 = MIN(k0 + depth, x->p->k);
	if (axt_panels_fill(w, axt_product_arg(x->p, a), b, 0, width, k0, k1, &to) ||
	    v->d->fns->upload(v->queue[id], v->arg[a] + (b * x->p->k + k0) * width * size,
		v->buf[id], (k1 - k0) * width * size, &w->err) ||
	    v->d->fns->wait(v->queue[id], &w->err))
		axt_fail_unit(w, 0);
	return true;
}

/* Computes what is needed of the slab; downloads it unless the step reads it on the device. */
static int
multiply(struct axt_product_run *x, struct axt_err *e)
{
	struct axt_product_device *v = x->dev;
	const struct axt_product *p = x->p;
	const struct axt_expr *node = p->node;
	const int64_t *region = x->src->op->window->region;
	int64_t nb = x->b.hi - x->b.lo, m = x->m.hi - x->m.lo, n = x->n.hi - x->n.lo;
	int split = node->u.dot->nb + node->u.dot->nm;
	int64_t size = x->size, in = size_of(p);
	int64_t rows = axt_product(region, node->u.dot->nb, split);
	int64_t ldc = axt_product(region, split, node->axes.n);
	int64_t from = ((x->b.lo - x->b.at) * rows + x->m.lo - x->m.at) * ldc + x->n.lo - x->n.at;
	struct axt_gemm g = { .dtype = node->dtype,
		.in = dtype_of(p),
		.tf32 = node->u.dot->tf32,
		.m = m,
		.n = n,
		.k = p->k,
		.batch = nb,
		.left = v->arg[0] + (x->b.lo * p->k * p->m + x->m.lo) * in,
		.ld_left = p->m,
		.right = v->arg[1] + (x->b.lo * p->k * p->n + x->n.lo) * in,
		.ld_right = p->n,
		.ld_out = ldc,
		.step_out = rows * ldc,
		.out = v->out + from * size };

	if (v->d->fns->gemm(v->queue[0], &g, e))
		return -1;
	for (int64_t b = 0; b < (ldc == n ? 1 : nb) && !x->p->read_on_device; b++) {
		int64_t at = (from + b * rows * ldc) * size;

		if (v->d->fns->download(v->queue[0], x->slab.p + at, v->out + at,
			(ldc == n ? m : 1) * n * size, ldc == n ? nb : m,
			(ldc == n ? rows : 1) * ldc * size, e))
			return -1;
	}
	return v->d->fns->wait(v->queue[0], e);
}

/* Sends the arguments to the device once; then computes what is needed of the slab. */
static void
run(struct axt_product_run *x, struct axt_worker *w, int id, struct axt_team *team)
{
	struct axt_product_device *v = x->dev;

	(void)w;
	while (!v->sent && !atomic_load(&x->r->sh->stop) &&
	    send_part(x, id, atomic_fetch_add(&x->next, 1)))
		;
	axt_team_barrier(team);
	if (id == 0) {
		v->sent = true;
		if (!atomic_load(&x->r->sh->stop) && multiply(x, &x->hand[0].arg[0].err))
			axt_fail_unit(&x->hand[0].arg[0], 0);
	}
}

const struct axt_multiplier_fns axt_multiplier_device = { .begin = begin, .end = end, .run = run };
