/* fft.c - Fourier transforms along axes, and their inverses. */
#include "axt_builds.h"
#include "axt_operation.h"

struct fft {
	const char *along;
	bool real, inverse, center;
	int norm;
	int64_t length;
	double spacing;
};

static const struct axt_param params[] = {
	AXT_AXES_OF(struct fft, along, "the axes", .flags = AXT_PARAM_REQUIRED),
	AXT_FLAG_OF(struct fft, real, "of real numbers: frequencies from 0 on, of the last axis"),
	AXT_FLAG_OF(struct fft, inverse, "from frequencies back to values"),
	AXT_FLAG_OF(struct fft, center, "frequencies rise, with 0 in the middle"),
	AXT_CHOICE_OF(struct fft, norm, "backward|ortho|forward",
	    "what is divided by the number of elements (default: the inverse)"),
	AXT_INTEGER_OF(struct fft, length, 1, INT32_MAX,
	    "elements of the last axis of a real inverse (default: what it was)",
	    .needs = "inverse real"),
	AXT_NUMBER_OF(struct fft, spacing, 0,
	    "distance of neighbours along the axes (default: that of coordinates)", .arg = "D"),
	AXT_PARAMS_END,
};

static const struct axt_alias aliases[] = {
	{ "ifft", "inverse=true", "inverse Fourier transforms along axes", NULL, NULL },
	{ "rfft", "real=true", "Fourier transforms of real numbers: frequencies from 0 on", NULL,
	    NULL },
	{ "irfft", "real=true inverse=true", "real values of their frequencies from 0 on", NULL,
	    NULL },
	{ .name = NULL },
};

static struct axt_expr *
build(struct axt_graph *g, const struct axt_call *c)
{
	const struct fft *o = AXT_VALUES(struct fft, c);

	return axt_fft(g, c->in[0], o->along,
	    &(struct axt_fft_opts){ .inverse = o->inverse,
		.real = o->real,
		.center = o->center,
		.norm = (enum axt_fft_norm)o->norm,
		.length = o->length,
		.spacing = o->spacing });
}

const struct axt_operation axt_operation_fft = {
	.name = "fft",
	.line = "Fourier transforms along axes, and their inverses",
	.operands = "A",
	.params = params,
	.aliases = aliases,
	.size = sizeof(struct fft),
	.flags = AXT_OPERATION_STDIN,
	.build = build,
};
