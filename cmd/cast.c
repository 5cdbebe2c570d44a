#include <string.h>

#include "priv.h"

static struct {
	const char *to, *pack, *like;
	int overflow;
	bool all;
} o;

static const struct cmd_opt opts[] = {
	CMD_STR(0, "to", &o.to, "AXES", "new names of the axes, by position"),
	CMD_CHOICE(0, "overflow", &o.overflow, "error|saturate|wrap",
	    "a value the dtype cannot hold"),
	CMD_STR(0, "pack", &o.pack, "DTYPE[:SCALE:OFFSET]",
	    "as integers with scale_factor, add_offset and _FillValue"),
	CMD_OPERAND(0, "like", &o.like, "B",
	    "the dtype of B, packed and with missing values as B is stored"),
	CMD_FLAG(0, "all", &o.all, "of FILE:* integers, too"),
	CMD_END,
};

static const struct cmd cast = {
	.name = "axt-cast",
	.line = "convert to another dtype, or name axes by position",
	.opts = opts,
	.in = { "A" },
	.flags = CMD_TENSOR | CMD_STDIN | CMD_OWN_DTYPE,
};

/*
 * axt-cast: gives axes new names. Only this command takes a dataset in which two axes have the same
 * name.
 */
static void
build(struct axt_graph *g)
{
	struct axt_expr *y;

	if (o.like && (o.pack || cmd_dtype(g) != AXT_DTYPE_AUTO))
		cmd_usage(NULL, "--like gives the dtype: --%s does not go with it",
		    o.pack ? "pack" : "dtype");
	if (o.to &&
	    (axt_dtype_of_name(o.to) != AXT_DTYPE_AUTO ||
		(strchr(o.to, '.') && cmd_guess_dtype(o.to)))) /* np.float64 */
		cmd_usage(cmd_guess_other("to", "dtype"), "--to renames axes, and %s is a dtype",
		    o.to);
	y = cmd_open(g, cmd_operand(g, 0), o.to != NULL);

	if (o.to)
		y = axt_cast_axes(g, y, o.to);
	y = cmd_cast(g, 0, y, (enum axt_overflow)o.overflow, o.all);
	if (o.like)
		y = axt_cast_like(g, y, cmd_open(g, o.like, false), (enum axt_overflow)o.overflow);
	if (o.pack && (o.all || !cmd_spares(g, 0, y)))
		y = axt_pack(g, y, o.pack, (enum axt_overflow)o.overflow);
	cmd_result(g, y);
}

CMD_MAIN(cast)
