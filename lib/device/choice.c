/* choice.c - whether a plan is better run on a device. */
#include "device/device.h"
#include "plan/steps.h"

/*
 * Rules of thumb. Files are read and written alike for both; what a device saves is arithmetic,
 * what it costs is starting and the bus. A CPU's rates are a thread's; a device's arithmetic is
 * free.
 */
#define START 0.4      /* seconds: driver, context, compiling */
#define BUS 8e9        /* bytes a second, by way of pinned memory */
#define OPERATIONS 4e9 /* elementwise, a second; sqrt does more, exp less */
#define FLOPS 8e10     /* of products, a second, in f32 */
#define WORTH 2        /* times as fast */

/* Seconds of arithmetic on the CPU. */
static double
cpu_seconds(const struct axt_plan *p, int threads)
{
	double operations = 0, flops = 0;

	for (const struct axt_step *s = p->steps; s; s = s->next) {
		operations += (double)s->kept_count * (double)s->red_count *
		    (s->prog.ninstrs + !axt_step_fns(s)->elementwise);
		for (int k = 0; k < s->prog.noperands; k++) {
			const struct axt_product *x = s->prog.operand[k].product;

			if (x)
				flops += (double)x->batch * (double)x->m * (double)x->n *
				    (double)x->k * axt_size(x->node->dtype) / 2;
		}
	}
	return (operations / OPERATIONS + flops / FLOPS) / threads;
}

struct axt_device *
axt_device_pays(struct axt_graph *g, const struct axt_plan *p, int threads)
{
	double here = cpu_seconds(p, threads), there = START + (double)axt_plan_bytes(p) / BUS;
	struct axt_err none = { 0 };
	struct axt_device *d = NULL;

	if (g->device != AXT_DEVICE_AUTO)
		return NULL;
	if (here > WORTH * there && !(d = axt_device_open(AXT_DEVICE_AUTO, &none))) {
		g->device_why = "cpu: there is no device";
		return NULL;
	}
	g->device_why = axt_sprintf(g->m,
	    "%s: about %.2g s of arithmetic on the CPU, %.2g s to start "
	    "a device and for the bus",
	    d ? d->name : "cpu", here, there);
	return d;
}
