/*
 * axt-sort, axt-fft ...: one program for all operations of lib/operations. It is called by the name
 * of one; the build makes a hard link to axt-operation for each. Nothing here knows an operation.
 */
#include <stdlib.h>
#include <string.h>

#include "axt_operation.h"
#include "guess.h"

#define MOST_PARAMS 32

static const struct axt_operation *op;
static void *values;
static uint64_t given;
static const char *tensor[MOST_PARAMS]; /* of parameters that are tensors, what was typed */
/* the parameter that is words AXIS=..., and the one that is the common --dtype; -1: none */
static int specs, dtype;
static struct cmd c;
static struct cmd_opt opts[MOST_PARAMS];

/* A copy of the n characters at s; of a name, with a dash for each underscore. */
static char *
copy(const char *s, size_t n, bool name)
{
	char *t = strndup(s, n);

	if (!t)
		abort();
	for (char *p = t; name && (p = strchr(p, '_'));)
		*p = '-';
	return t;
}

static char *
joined(const char *a, const char *b)
{
	char *t = malloc(strlen(a) + strlen(b) + 1);

	if (!t)
		abort();
	return strcat(strcpy(t, a), b);
}

static enum cmd_type
row_type(enum axt_param_type t)
{
	switch (t) {
	case AXT_PARAM_TENSOR: return CMD_T_OPERAND;
	case AXT_PARAM_FLAG: return CMD_T_FLAG;
	case AXT_PARAM_CHOICE: return CMD_T_CHOICE;
	case AXT_PARAM_INTEGER: return CMD_T_INT;
	case AXT_PARAM_NUMBER: return CMD_T_NUM;
	case AXT_PARAM_DTYPE: return CMD_T_DTYPE;
	default: return CMD_T_STR;
	}
}

static void
read_word(const struct cmd_opt *o, const char *word)
{
	struct axt_misuse wrong;
	int i = axt_param_named(op, o->name, strlen(o->name));

	if (axt_param_read(op, i, o->type == CMD_T_FLAG ? "true" : word, values, &given, &wrong))
		return;
	if (wrong.kind == AXT_MISUSE_NUMBER)
		cmd_usage(wrong.param->flags & AXT_PARAM_LENGTHS
			? cmd_guess_shape("such as y=12,x=12")
			: cmd_guess_position(),
		    "\"%s\"%s", cmd_name(word), wrong.want);
	cmd_bad_value(o, word, wrong.want);
}

/* Whether the word of an option becomes a node, once there is a graph. */
static bool
is_node(const struct axt_param *p)
{
	return p->type == AXT_PARAM_TENSOR || p->type == AXT_PARAM_VALUE;
}

/* The row of an option. */
static struct cmd_opt
option(int i)
{
	const struct axt_param *p = &op->params[i];
	char help[400];

	axt_param_help(p, help, sizeof(help));
	return (struct cmd_opt){ .name = copy(p->name, strlen(p->name), true),
		.arg = axt_param_value(p),
		.help = copy(help, strlen(help), false),
		.type = row_type(p->type),
		.lo = p->lo,
		.hi = p->hi,
		.instead = p->flags & AXT_PARAM_INSTEAD,
		.read = is_node(p) ? NULL : read_word,
		.var = is_node(p) ? (void *)&tensor[i] : (char *)values + p->at };
}

/* Makes the command's rows of those of the operation. */
static void
make_rows(void)
{
	int n = 0, words = 0;

	values = calloc(1, op->size + 1);
	if (!values)
		abort();
	axt_call_defaults(op, NULL, values, &given);
	specs = axt_param_named(op, "specs", 5);
	dtype = axt_param_named(op, "dtype", 5);
	for (int i = 0; op->params[i].name; i++)
		if (op->params[i].flags & AXT_PARAM_WORD)
			c.words[words++] = axt_param_value(&op->params[i]);
		else if (i == dtype)
			c.flags |= CMD_OWN_DTYPE;
		else
			opts[n++] = option(i);
	opts[n] = (struct cmd_opt)CMD_END;
	c.opts = opts;
	n = 0;
	for (const char *s = op->operands; *s; s += strspn(s, " ")) {
		size_t len = strcspn(s, " ");

		c.in[n++] = copy(s, len, false);
		s += len;
	}
	if (specs >= 0)
		c.operands = joined(c.words[0], " ... [A]");
	c.line = op->line;
	c.two = op->two;
	c.flags |= CMD_TENSOR | (op->flags & AXT_OPERATION_STDIN ? CMD_STDIN : 0) |
	    (op->flags & AXT_OPERATION_MANY ? CMD_NARY : 0) | (specs >= 0 ? CMD_SPECS : 0) |
	    (op->flags & AXT_OPERATION_COMMUTES ? CMD_COMMUTES : 0) |
	    (op->flags & AXT_OPERATION_MEET ? CMD_MEET : 0);
}

/* What is wrong with the line as a whole. */
static void
check(void)
{
	struct axt_misuse wrong;
	struct cmd_opt o, other;
	int word = 0;

	for (int i = 0; op->params[i].name; i++) {
		const struct axt_param *p = &op->params[i];

		if (is_node(p) && tensor[i])
			given |= UINT64_C(1) << i;
		if (i == specs) {
			axt_param_specs(op, i, cmd_st.nwords, cmd_st.args.v, values, &given);
		} else if ((p->flags & AXT_PARAM_WORD) && cmd_st.nwords > word) {
			o = option(i);
			read_word(&o, cmd_word(NULL, word++));
		}
	}
	if (axt_call_check(op, values, given, &wrong))
		return;
	o = option((int)(wrong.param - op->params));
	if (wrong.kind == AXT_MISUSE_MISSING)
		cmd_usage(cmd_guess_option(o.name,
			      wrong.param->such ? wrong.param->such : cmd_time_axis()),
		    "needs --%s %s", o.name, o.arg);
	if (wrong.kind == AXT_MISUSE_TWICE) {
		size_t n = axt_spec_axis(wrong.word);

		cmd_usage(cmd_guess_twice(wrong.word, wrong.again, n),
		    "axis \"%.*s\" is named twice: %s and %s", (int)n, cmd_name(wrong.word),
		    cmd_name(wrong.word), cmd_name(wrong.again));
	}
	other = option((int)(wrong.other - op->params));
	if (wrong.kind == AXT_MISUSE_MANY)
		cmd_usage(NULL, "--%s is for one axis", o.name);
	if (wrong.kind == AXT_MISUSE_EXCLUDED && wrong.want[0])
		cmd_usage(NULL, "--%s %s takes no --%s", other.name, wrong.want, o.name);
	if (wrong.kind == AXT_MISUSE_EXCLUDED)
		cmd_usage(NULL, "--%s and --%s exclude each other", o.name, other.name);
	cmd_usage(NULL, "--%s goes with --%s%s%s", o.name, other.name, wrong.want[0] ? " " : "",
	    wrong.want);
}

static struct axt_call call;

/* Builds the result of one operand, `a`, with `part` as the word; NULL: with the word itself. */
static struct axt_expr *
build_part(struct axt_graph *g, struct axt_expr *a, const char *part)
{
	struct axt_call one = call;
	struct axt_expr *y = NULL;

	if (call.n == 1)
		one.in = &a;
	for (int i = 0; part && op->params[i].name; i++)
		if (i == specs)
			axt_param_specs(op, i, 1, &part, values, &given);
		else if (op->params[i].flags & AXT_PARAM_PARTIAL)
			*(const char **)((char *)values + op->params[i].at) = part;
	axt_call_build(g, &one, &y);
	return y;
}

static int
param(const char *name)
{
	return axt_param_named(op, name, strlen(name));
}

/* The word of a parameter that is a tensor: its own, or that of another, meant once more. */
static const char *
word_of(const struct axt_param *p)
{
	const char *word = tensor[p - op->params];

	return !word && p->as && tensor[param(p->of)] ? tensor[param(p->as)] : word;
}

static struct axt_expr *
opened(struct axt_graph *g, const struct axt_param *p, const char *word)
{
	struct axt_expr *a = call.in[0];

	if (p->type == AXT_PARAM_VALUE)
		return axt_number(g, word);
	if (p->of)
		a = *axt_param_node(op, p->of, values);
	return p->flags & AXT_PARAM_AREA ? cmd_weights(g, a, word) : cmd_open(g, word, false);
}

/* The result of words AXIS=...; of FILE:* each tensor is done along the axes that it has. */
static struct axt_expr *
build_specs(struct axt_graph *g)
{
	int n = cmd_nspecs(g) + 1;
	const char **word = calloc((size_t)n, sizeof(*word));
	struct axt_expr *y;

	if (!word)
		cmd_oom();
	for (int i = 0; i < n; i++)
		word[i] = cmd_word(g, i);
	axt_param_specs(op, specs, n, word, values, &given);
	y = build_part(g, call.in[0], NULL);
	if (n > 1 && cmd_skips(g, -1)) {
		n = cmd_keep(g, call.in[0], word, n, build_part);
		axt_param_specs(op, specs, n, word, values, &given);
		y = build_part(g, call.in[0], NULL);
	}
	free(word);
	return y;
}

/* Whether a command gives the result of that name: as an option asks for it, or where none does. */
static bool
is_wanted(const char *name, size_t n)
{
	bool asked = false;

	for (int i = 0; op->params[i].name; i++)
		if (op->params[i].flags & AXT_PARAM_RESULT) {
			if (axt_param_named(op, name, n) == i)
				return given >> i & 1;
			asked = asked || (given >> i & 1);
		}
	return !asked;
}

/* Gives those of several results that are wanted. */
static void
build_all(struct axt_graph *g)
{
	const char *name = axt_operation_results(op, given);
	struct axt_expr *out[AXT_MOST_RESULTS];
	int n = axt_call_build(g, &call, out);

	for (int i = 0; i < n; i++, name += strspn(name, " ")) {
		size_t len = strcspn(name, " ");

		if (is_wanted(name, len))
			cmd_result(g, out[i]);
		name += len;
	}
}

static void
build(struct axt_graph *g)
{
	const struct axt_open_opts open = cmd_open_opts(g);
	const char *list = NULL;

	call = (struct axt_call){ .op = op,
		.in = cmd_all_in(g),
		.n = cmd_nin(g),
		.values = values,
		.given = given,
		.open = &open,
		.nth = cmd_nth_of_several() };
	for (int i = 0; op->params[i].name; i++) {
		const struct axt_param *p = &op->params[i];

		if (word_of(p))
			axt_param_tensor(op, i, opened(g, p, word_of(p)), values, &given);
		if (i == dtype)
			*(enum axt_dtype *)((char *)values + p->at) = cmd_dtype(g);
		if ((p->flags & AXT_PARAM_PARTIAL) && (given >> i & 1))
			list = cmd_word(g, 0);
	}
	call.given = given;
	if (op->results) {
		build_all(g);
		return;
	}
	cmd_result(g,
	    specs >= 0 ? build_specs(g)
		: list ? cmd_listed(g, call.in[0], list, build_part)
		       : build_part(g, call.in[0], NULL));
}

int
main(int argc, char *argv[])
{
	const char *name = argc > 0 ? argv[0] : "", *slash = strrchr(name, '/');
	const struct axt_alias *alias = NULL;

	name = slash ? slash + 1 : name;
	if (strncmp(name, "axt-", 4) == 0)
		op = axt_operation_named(name + 4, &alias);
	if (!op || alias) {
		fprintf(stderr,
		    "axt-operation: call it by the name of an operation, as axt-sort\n");
		return 2;
	}
	c.name = copy(name, strlen(name), false);
	c.check = check;
	make_rows();
	return cmd_main(&c, build, argc, argv);
}
