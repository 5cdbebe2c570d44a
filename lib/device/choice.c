/* choice.c - decides whether a plan would run faster on a device. */
#include "device/device.h"
#include "plan/steps.h"

/*
 * Rates by which the costs of a plan are guessed. Reading and writing files is left out, since it
 * is the same on CPU and device. A device saves the arithmetic of the CPU, and costs its start and
 * transfers over the bus. The rates of the CPU are those of one thread; arithmetic on a device is
 * taken as free.
 */
#define START 0.4      /* seconds to load the driver, make a context and compile */
#define BUS 8e9        /* bytes per second between host and device, with pinned memory */
#define OPERATIONS 4e9 /* elementwise operations per second; sqrt is faster, exp slower */
#define FLOPS 8e10     /* operations per second of matrix products in f32 */
#define WORTH 2        /* how many times faster a device must be */

/* Seconds that the CPU needs for arithmetic. */
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
