/*
 * axt_nco.c - command lines of NCO, as lines of axt: ncks -v tas a.nc b.nc is
 * axt-copy a.nc:tas -o b.nc.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "axt_line.h"

/* A command line of NCO. */
struct nco {
	const char *tool, *vars, *axes, *script, *op, *weights, *out, *level, *digits;
	struct cmd_list dims, attrs, files, renames;
	bool exclude, no_values;
	bool append; /* -A, --rec_apn: to a file that is there */
};

/* The options of NCO that take a value. */
static const char with_value[] = "adgvswyplotLXbDPn";

static void
read_line(struct nco *o, int n, char *const v[])
{
	bool renames = strcmp(v[0], "ncrename") == 0;
	int inputs;

	*o = (struct nco){ .tool = v[0] };
	for (int i = 1; i < n; i++) {
		const char *w = v[i], *value = NULL;

		if (w[0] != '-' || w[1] == '\0') {
			cmd_add(&o->files, w);
			continue;
		}
		if (strncmp(w, "--op_typ=", 9) == 0)
			o->op = w + 9;
		if (strcmp(w, "--rec_apn") == 0 || strcmp(w, "--record_append") == 0 ||
		    strcmp(w, "--append") == 0 || strcmp(w, "--apn") == 0)
			o->append = true;
		if (strncmp(w, "--qnt", 5) == 0 || strncmp(w, "--ppc", 5) == 0) {
			value = w[5] == '=' ? w + 6 : w[5] == '\0' && i + 1 < n ? v[++i] : "";
			o->digits = strchr(value, '=') ? strchr(value, '=') + 1 : value;
		}
		if (w[1] == '-')
			continue;
		if (strchr(with_value, w[1]))
			value = w[2] ? w + 2 : i + 1 < n ? v[++i] : "";
		switch (w[1]) {
		case 'v': o->vars = value; break;
		case 'd': cmd_add(&o->dims, value); break;
		case 'a': o->axes = value; break;
		case 's': o->script = value; break;
		case 'y': o->op = value; break;
		case 'w': o->weights = value; break;
		case 'o': o->out = value; break;
		case 'L': o->level = value; break;
		case 'x': o->exclude = true; break;
		case 'A': o->append = true; break;
		case 'm':
		case 'M':
		case 'h': o->no_values = true; break;
		}
		if (w[1] == 'a')
			cmd_add(&o->attrs, value);
		if (renames && (w[1] == 'v' || w[1] == 'd'))
			cmd_add(&o->renames, w[1] == 'v' ? "axt-move" : "axt-rename");
		if (renames && (w[1] == 'v' || w[1] == 'd'))
			cmd_add(&o->renames, value);
	}
	/* an output that is there already is told by how many files the tool reads */
	inputs = strncmp(o->tool, "nce", 3) == 0 || strncmp(o->tool, "ncr", 3) == 0 ? INT_MAX - 1
	    : strcmp(o->tool, "ncks") == 0 || strcmp(o->tool, "ncwa") == 0 ||
		strncmp(o->tool, "ncap", 4) == 0 || strcmp(o->tool, "ncpdq") == 0
	    ? 1
	    : 2;
	if (renames)
		inputs = 1;
	if (!o->out && o->files.n > 1 &&
	    (o->append || !advice_is_file(o->files.v[o->files.n - 1]) || o->files.n == inputs + 1))
		o->out = o->files.v[--o->files.n];
}

/* Whether what the line reads of the file are several tensors. */
static bool
several(const struct nco *o, const char *file)
{
	return o->vars && !o->exclude ? strpbrk(o->vars, ",*?") != NULL : line_tensors(file) > 1;
}

static void
put_file(const struct nco *o, const char *file)
{
	char both[2048];

	if (o->vars && !o->exclude)
		snprintf(both, sizeof(both), "%s:%s", file, o->vars);
	else
		snprintf(both, sizeof(both), several(o, file) ? "%s:*" : "%s", file);
	line_put(both, true);
}

/* What the command that is put next reads: files, or what axt-slice takes of them. */
static void
put_input(const struct nco *o, bool sliced)
{
	if (sliced)
		line_put(several(o, o->files.v[0]) ? "-:*" : "-", true);
	else
		for (int i = 0; i < o->files.n; i++)
			put_file(o, o->files.v[i]);
}

static void
put_out(const struct nco *o)
{
	int64_t n;

	if (!o->out)
		return;
	if (o->digits && axt_parse_int(o->digits, 1, 15, &n)) {
		line_put("--quantize", true);
		line_put(o->digits, true);
	}
	if (o->level && axt_parse_int(o->level, 1, 9, &n)) {
		line_put("--deflate", true);
		line_put(o->level, true);
	}
	line_put("-o", true);
	line_put(o->out, true);
}

/* What an operation of NCO is called by axt-reduce. */
static const char *
reduction(const char *op)
{
	const char *ours = op ? axt_foreign_name(op, 0) : NULL;

	return !op ? "mean" : ours ? ours : op;
}

/* Begins a pipeline with the parts that -d takes. Returns whether there are such. */
static bool
begin_with_parts(const struct nco *o)
{
	line_from("axt-slice");
	for (int i = 0; i < o->dims.n; i++)
		line_put(advice_hyperslab(o->dims.v[i]), true);
	if (o->dims.n == 0)
		return false;
	put_input(o, false);
	return true;
}

static const char *
reduced(const struct nco *o, const char *axes)
{
	bool sliced = begin_with_parts(o), joined = !sliced && o->files.n > 1;

	if (sliced && o->files.n > 1)
		return NULL;
	if (joined) {
		line_from(strcmp(o->tool, "ncra") == 0 ? "axt-concat time" : "axt-stack member");
		put_input(o, false);
	}
	if (sliced || joined)
		line_put(" | axt-reduce", false);
	else
		line_from("axt-reduce");
	line_put(reduction(o->op), true);
	if (axes) {
		line_put("--over", true);
		line_put(axes, true);
	}
	if (o->weights) {
		char both[2048];

		snprintf(both, sizeof(both), "%s:%s", o->files.v[0], o->weights);
		line_put("--weights", true);
		line_put(both, true);
	}
	put_input(o, sliced || joined);
	put_out(o);
	return line_text;
}

/* Records, which go behind those of the output. */
static const char *
appended(const struct nco *o)
{
	line_from("axt-append");
	line_put(o->out, true);
	for (int i = 0; i < o->files.n; i++)
		line_put(o->files.v[i], true);
	return line_text;
}

static const char *
copied(const struct nco *o)
{
	char both[2048];

	if (o->append && o->out && o->files.n == 1 && !o->exclude && o->dims.n == 0) {
		/* with tensors of other names it is the union of two files */
		line_from("axt-copy --force");
		line_put(o->out, true);
		put_input(o, false);
		put_out(o);
		line_put("; records are added by ", false);
		line_put("axt-append", false);
		line_put(o->out, true);
		line_put(o->files.v[0], true);
		return line_text;
	}
	if (o->files.n != 1 || (o->exclude && o->dims.n > 0))
		return NULL;
	if (o->no_values && !o->out && o->dims.n == 0) {
		line_from("axt-info --cdl");
		line_put(o->files.v[0], true);
		return line_text;
	}
	if (begin_with_parts(o)) {
		put_out(o);
	} else if (o->exclude && o->vars && o->out) {
		line_from("axt-copy");
		put_input(o, false);
		put_out(o);
		line_put(" && axt-remove", false);
		snprintf(both, sizeof(both), "%s:%s", o->out, o->vars);
		line_put(both, true);
	} else if (!o->exclude) {
		line_from("axt-copy");
		put_input(o, false);
		put_out(o);
	} else {
		return NULL;
	}
	return line_text;
}

/* Begins the line with a copy, if there is an output. Returns the file that is to be changed. */
static const char *
begin_copy(const struct nco *o)
{
	if (!o->out) {
		line_from("");
		return o->files.v[0];
	}
	line_from("axt-copy");
	put_input(&(struct nco){ .files = o->files }, false);
	put_out(o);
	line_put(" && ", false);
	return o->out;
}

/* ncatted -a NAME,DATASET,MODE,TYPE,VALUE for each -a, one after another. */
static const char *
attributes(const struct nco *o)
{
	const char *file;

	if (o->files.n != 1 || o->attrs.n == 0)
		return NULL;
	file = begin_copy(o);
	for (int i = 0; i < o->attrs.n; i++) {
		char text[600], both[1200], *part[4], *rest = text;
		bool global, number;

		snprintf(text, sizeof(text), "%s", o->attrs.v[i]);
		for (int k = 0; k < 4; k++)
			part[k] = rest ? strsep(&rest, ",") : NULL;
		if (!part[2] || *part[1] == '\0')
			return NULL;
		global = strcmp(part[1], "global") == 0;
		number = part[3] && strpbrk(part[3], "fdilsb") && strcmp(part[3], "sng") != 0;
		line_put(i == 0 ? "axt-attr" : " && axt-attr", false);
		snprintf(both, sizeof(both), "%s%s%s%s", global ? ":" : "", part[0],
		    number ? ":=" : "=", *part[2] == 'd' || !rest ? "" : rest);
		line_put(both, true);
		snprintf(both, sizeof(both), global ? "%s" : "%s:%s", file, part[1]);
		line_put(both, true);
	}
	return line_text;
}

static const char *
renamed(const struct nco *o)
{
	if (o->files.n != 1 || o->renames.n == 0)
		return NULL;
	for (int i = 0; i < o->renames.n; i += 2) {
		const char *pair = o->renames.v[i + 1] + (o->renames.v[i + 1][0] == '.');
		const char *comma = strchr(pair, ',');
		bool move = strcmp(o->renames.v[i], "axt-move") == 0;
		char both[600];

		/* axes are renamed in a copy */
		if (!comma || (!move && (!o->out || o->renames.n > 2)))
			return NULL;
		snprintf(both, sizeof(both), "%.*s=%s", (int)(comma - pair), pair, comma + 1);
		if (i == 0 && move) {
			begin_copy(o);
			line_put(o->renames.v[i], false);
		} else if (i == 0)
			line_from(o->renames.v[i]);
		else {
			line_put(" && ", false);
			line_put(o->renames.v[i], false);
		}
		line_put(both, true);
		if (move)
			line_put(o->out ? o->out : o->files.v[0], true);
		else
			put_input(&(struct nco){ .files = o->files }, false), put_out(o);
	}
	return line_text;
}

static const char *
computed(struct nco *o)
{
	char script[1024];
	size_t n = o->script ? strlen(o->script) : 0;

	if (n == 0 || n >= sizeof(script) || o->files.n != 1)
		return NULL;
	while (n > 0 && strchr("; ", o->script[n - 1]))
		n--;
	snprintf(script, sizeof(script), "%.*s", (int)n, o->script);
	line_from("axt-calc");
	line_put(script, true);
	line_put(o->files.v[0], true);
	put_out(o);
	return line_text;
}

/* ncflint -w A,B: A times the first file and B, or what A lacks to 1, times the second. */
static const char *
weighted(const struct nco *o)
{
	char text[200], both[2048], *end = NULL;
	double first = o->weights ? strtod(o->weights, &end) : 0;

	if (o->files.n != 2 || !end || end == o->weights || (*end && *end != ','))
		return NULL;
	snprintf(text, sizeof(text), "%.*s*a + %.60s*b", (int)(end - o->weights), o->weights,
	    *end ? end + 1 : advice_text("%.15g", 1 - first));
	line_from("axt-calc");
	line_put(text, true);
	for (int i = 0; i < 2; i++) {
		const char *file = o->files.v[i];

		snprintf(both, sizeof(both), "%c=%s%s", "ab"[i], file,
		    o -> vars                    ? advice_text(":%s", o->vars)
			: line_tensors(file) > 1 ? ":*"
						 : "");
		line_put(both, true);
	}
	put_out(o);
	return line_text;
}

static const char *
ordered(const struct nco *o)
{
	bool flip = o->axes && *o->axes == '-';

	if (!o->axes || o->files.n != 1 || (flip && strchr(o->axes, ',')) || strstr(o->axes, ",-"))
		return NULL;
	line_from(flip ? "axt-flip" : "axt-order");
	line_put(o->axes + flip, true);
	put_input(o, false);
	put_out(o);
	return line_text;
}

static const char *
joined(const struct nco *o, const char *command)
{
	if (o->files.n < 2 || o->dims.n > 0)
		return NULL;
	line_from(command);
	put_input(o, false);
	put_out(o);
	return line_text;
}

const char *
cmd_guess_nco(int n, char *const v[])
{
	static const char *const two[][3] = { { "ncdiff", "sub", "axt-sub" },
		{ "ncsub", "sbt", "axt-sub" }, { "ncbo", "dff", "axt-sub" },
		{ "ncadd", "add", "axt-add" }, { "ncmult", "mlt", "axt-mul" },
		{ "ncmultiply", "mult", "axt-mul" }, { "ncdivide", "dvd", "axt-div" } };
	static struct nco o; /* its lists are kept until the process ends */

	if (n < 2 || strncmp(v[0], "nc", 2) != 0)
		return NULL;
	read_line(&o, n, v);
	if (o.files.n == 0)
		return NULL;
	for (int i = 0; i < o.files.n; i++)
		if (!advice_is_file(o.files.v[i]))
			return NULL;
	if (strcmp(o.tool, "ncbo") == 0 && o.op)
		for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
			if (strcmp(two[i][1], o.op) == 0 || strcmp(two[i][2] + 4, o.op) == 0)
				return joined(&o, two[i][2]);
	for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
		if (strcmp(two[i][0], o.tool) == 0)
			return joined(&o, two[i][2]);
	return strcmp(o.tool, "ncks") == 0 ? copied(&o)
	    : strcmp(o.tool, "ncwa") == 0  ? reduced(&o, o.axes)
	    : strcmp(o.tool, "ncra") == 0  ? reduced(&o, "time")
	    : strcmp(o.tool, "nces") == 0 || strcmp(o.tool, "ncea") == 0
	    ? (o.files.n > 1 ? reduced(&o, "member") : NULL)
	    : strcmp(o.tool, "ncrcat") == 0 && o.append && o.out ? appended(&o)
	    : strcmp(o.tool, "ncrcat") == 0                      ? joined(&o, "axt-concat time")
	    : strcmp(o.tool, "ncecat") == 0                      ? joined(&o, "axt-stack record")
	    : strcmp(o.tool, "ncatted") == 0                     ? attributes(&o)
	    : strcmp(o.tool, "ncrename") == 0                    ? renamed(&o)
	    : strncmp(o.tool, "ncap", 4) == 0                    ? computed(&o)
	    : strcmp(o.tool, "ncflint") == 0                     ? weighted(&o)
	    : strcmp(o.tool, "ncpdq") == 0                       ? ordered(&o)
								 : NULL;
}
