/*
 * guess_nco.c - command lines of NCO, as lines of axt: ncks -v tas a.nc b.nc is
 * axt-copy a.nc:tas -o b.nc.
 */
#include <limits.h>
#include <string.h>

#include "guess.h"

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
	    (o->append || !guess_is_file(o->files.v[o->files.n - 1]) || o->files.n == inputs + 1))
		o->out = o->files.v[--o->files.n];
}

/* Whether what the line reads of the file are several tensors. */
static bool
several(const struct nco *o, const char *file)
{
	return o->vars && !o->exclude ? strpbrk(o->vars, ",*?") != NULL : guess_tensors(file) > 1;
}

static void
put_file(const struct nco *o, const char *file)
{
	char both[2048];

	if (o->vars && !o->exclude)
		snprintf(both, sizeof(both), "%s:%s", file, o->vars);
	else
		snprintf(both, sizeof(both), several(o, file) ? "%s:*" : "%s", file);
	guess_put(both, true);
}

/* What the command that is put next reads: files, or what axt-slice takes of them. */
static void
put_input(const struct nco *o, bool sliced)
{
	if (sliced)
		guess_put(several(o, o->files.v[0]) ? "-:*" : "-", true);
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
		guess_put("--quantize", true);
		guess_put(o->digits, true);
	}
	if (o->level && axt_parse_int(o->level, 1, 9, &n)) {
		guess_put("--deflate", true);
		guess_put(o->level, true);
	}
	guess_put("-o", true);
	guess_put(o->out, true);
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
	guess_from("axt-slice");
	for (int i = 0; i < o->dims.n; i++)
		guess_hyperslab(o->dims.v[i]);
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
		guess_from(strcmp(o->tool, "ncra") == 0 ? "axt-concat time" : "axt-stack member");
		put_input(o, false);
	}
	if (sliced || joined)
		guess_put(" | axt-reduce", false);
	else
		guess_from("axt-reduce");
	guess_put(reduction(o->op), true);
	if (axes) {
		guess_put("--over", true);
		guess_put(axes, true);
	}
	if (o->weights) {
		char both[2048];

		snprintf(both, sizeof(both), "%s:%s", o->files.v[0], o->weights);
		guess_put("--weights", true);
		guess_put(both, true);
	}
	put_input(o, sliced || joined);
	put_out(o);
	return guess_text;
}

/* Records, which go behind those of the output. */
static const char *
appended(const struct nco *o)
{
	guess_from("axt-append");
	guess_put(o->out, true);
	for (int i = 0; i < o->files.n; i++)
		guess_put(o->files.v[i], true);
	return guess_text;
}

static const char *
copied(const struct nco *o)
{
	char both[2048];

	if (o->append && o->out && o->files.n == 1 && !o->exclude && o->dims.n == 0) {
		/* with tensors of other names it is the union of two files */
		guess_from("axt-copy --force");
		guess_put(o->out, true);
		put_input(o, false);
		put_out(o);
		guess_put("; records are added by ", false);
		guess_put("axt-append", false);
		guess_put(o->out, true);
		guess_put(o->files.v[0], true);
		return guess_text;
	}
	if (o->files.n != 1 || (o->exclude && o->dims.n > 0))
		return NULL;
	if (o->no_values && !o->out && o->dims.n == 0) {
		guess_from("axt-info --cdl");
		guess_put(o->files.v[0], true);
		return guess_text;
	}
	if (begin_with_parts(o)) {
		put_out(o);
	} else if (o->exclude && o->vars && o->out) {
		guess_from("axt-copy");
		put_input(o, false);
		put_out(o);
		guess_put(" && axt-remove", false);
		snprintf(both, sizeof(both), "%s:%s", o->out, o->vars);
		guess_put(both, true);
	} else if (!o->exclude) {
		guess_from("axt-copy");
		put_input(o, false);
		put_out(o);
	} else {
		return NULL;
	}
	return guess_text;
}

/* ncatted -a NAME,DATASET,MODE,TYPE,VALUE for each -a, one after another. */
static const char *
attributes(const struct nco *o)
{
	if (o->files.n != 1 || o->attrs.n == 0)
		return NULL;
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
		if (i == 0)
			guess_from("axt-attr");
		else
			guess_put(" && axt-attr", false);
		snprintf(both, sizeof(both), "%s%s%s%s", global ? ":" : "", part[0],
		    number ? ":=" : "=", *part[2] == 'd' || !rest ? "" : rest);
		guess_put(both, true);
		snprintf(both, sizeof(both), global ? "%s" : "%s:%s", o->files.v[0], part[1]);
		guess_put(both, true);
	}
	return guess_text;
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
		if (i == 0 && o->out && move) {
			guess_from("axt-copy");
			put_input(&(struct nco){ .files = o->files }, false);
			put_out(o);
			guess_put(" && ", false);
			guess_put(o->renames.v[i], false);
		} else if (i == 0)
			guess_from(o->renames.v[i]);
		else {
			guess_put(" && ", false);
			guess_put(o->renames.v[i], false);
		}
		guess_put(both, true);
		if (move)
			guess_put(o->out ? o->out : o->files.v[0], true);
		else
			put_input(&(struct nco){ .files = o->files }, false), put_out(o);
	}
	return guess_text;
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
	guess_from("axt-calc");
	guess_put(script, true);
	guess_put(o->files.v[0], true);
	put_out(o);
	return guess_text;
}

static const char *
ordered(const struct nco *o)
{
	bool flip = o->axes && *o->axes == '-';

	if (!o->axes || o->files.n != 1 || (flip && strchr(o->axes, ',')) || strstr(o->axes, ",-"))
		return NULL;
	guess_from(flip ? "axt-flip" : "axt-order");
	guess_put(o->axes + flip, true);
	put_input(o, false);
	put_out(o);
	return guess_text;
}

static const char *
joined(const struct nco *o, const char *command)
{
	if (o->files.n < 2 || o->dims.n > 0)
		return NULL;
	guess_from(command);
	put_input(o, false);
	put_out(o);
	return guess_text;
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
		if (!guess_is_file(o.files.v[i]))
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
	    : strcmp(o.tool, "ncpdq") == 0                       ? ordered(&o)
								 : NULL;
}

/* Whether all names of a list with commas are tensors of the file. */
static bool
are_tensors(const char *list, const char *file)
{
	char name[256];

	for (const char *p = list; *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(p, ","), p);
		if (!guess_has_tensor(file, name))
			return false;
	}
	return *list != '\0';
}

/* -v NAME with a command that no tool of NCO is like: FILE:NAME. */
static const char *
one_variable(const char *file)
{
	char both[2048];
	bool any = false;

	guess_begin();
	for (int i = 1; i < cmd_st.argc; i++) {
		const char *w = cmd_st.argv[i];

		if (strcmp(w, "-v") == 0 && i + 1 < cmd_st.argc &&
		    are_tensors(cmd_st.argv[i + 1], file)) {
			snprintf(both, sizeof(both), "%s:%s", file, cmd_st.argv[++i]);
			any = true;
		}
	}
	for (int i = 1; any && i < cmd_st.argc; i++)
		if (strcmp(cmd_st.argv[i], "-v") == 0)
			i++;
		else
			guess_put(strcmp(cmd_st.argv[i], file) == 0 ? both : cmd_st.argv[i], true);
	return any ? guess_text : NULL;
}

const char *
guess_options_of_nco(void)
{
	static const char *const tools[][2] = { { "axt-copy", "ncks" }, { "axt-slice", "ncks" },
		{ "axt-rename", "ncrename" }, { "axt-attr", "ncatted" },
		{ "axt-concat", "ncrcat" } };
	const char *file = NULL, *axis = NULL, *v[64];
	bool nco = false;
	int n = 1;

	v[0] = NULL;
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (strcmp(cmd_st.c->name, tools[i][0]) == 0)
			v[0] = tools[i][1];
	for (int i = 1; i < cmd_st.argc && !file; i++)
		file = guess_is_file(cmd_st.argv[i]) ? cmd_st.argv[i] : NULL;
	if (!v[0] && file)
		return one_variable(file);
	if (!v[0] || !file)
		return NULL;
	for (int i = 1; i < cmd_st.argc && n + 1 < 64; i++) {
		const char *w = cmd_st.argv[i],
			   *value = i + 1 < cmd_st.argc ? cmd_st.argv[i + 1] : "";

		/* axt-concat -d time: the axis along which files are put end to end */
		if (strcmp(w, "-d") == 0 && strcmp(v[0], "ncrcat") == 0 &&
		    guess_has_axis(file, value)) {
			axis = value;
			i++;
			continue;
		}
		nco = nco || (strcmp(w, "-v") == 0 && are_tensors(value, file)) ||
		    (strcmp(w, "-d") == 0 && strchr(value, ',')) ||
		    (strcmp(w, "-v") == 0 && strcmp(v[0], "ncrename") == 0 && strchr(value, ',')) ||
		    (strcmp(w, "-a") == 0 && strchr(value, ','));
		v[n++] = w;
	}
	if (axis) {
		guess_begin();
		guess_put(axis, true);
		for (int i = 1; i < n; i++)
			guess_put(v[i], true);
		return guess_text;
	}
	return nco ? cmd_guess_nco(n, (char *const *)v) : NULL;
}
