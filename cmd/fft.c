#include "cmd.h"

static struct {
	const char *along;
	struct axt_fft_opts fft;
	int norm;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "along", &o.along, "AXES", "the axes (required)"),
	CMD_FLAG(0, "real", &o.fft.real,
	    "of real numbers: frequencies from 0 on, of the last axis"),
	CMD_FLAG(0, "inverse", &o.fft.inverse, "from frequencies back to values"),
	CMD_FLAG(0, "center", &o.fft.center, "frequencies rise, with 0 in the middle"),
	CMD_CHOICE(0, "norm", &o.norm, "backward|ortho|forward",
	    "what is divided by the number of elements (default: the inverse)"),
	CMD_INT(0, "length", &o.fft.length, 1, INT32_MAX, "N",
	    "with --inverse --real: elements of the result's last axis"),
	CMD_NUM(0, "spacing", &o.fft.spacing, "D",
	    "distance of neighbours along the axes (default: that of coordinates)"),
	CMD_END,
};

static const struct cmd fft = {
	.name = "axt-fft",
	.line = "Fourier transforms along axes, and their inverses",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN,
};

/* axt-fft: discrete Fourier transforms. */
static void
build(struct axt_graph *g)
{
	cmd_need_along(o.along);
	if (o.fft.length && !(o.fft.inverse && o.fft.real))
		cmd_usage(NULL, "--length is that of a real inverse: with --inverse --real");
	o.fft.norm = (enum axt_fft_norm)o.norm;
	cmd_result(g, axt_fft(g, cmd_in(g, 0), o.along, &o.fft));
}

CMD_MAIN(fft)
