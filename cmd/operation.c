/*
 * operation.c - axt-sort, axt-fft ...: the commands of all operations of lib/operations. Nothing
 * here knows an operation.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "axt_operation.h"
#include "advice.h"

#define MOST_CHOSEN 64

static const struct axt_operation *op;
static const struct axt_chooser *chooser; /* of several operations, which words choose; NULL */
static void *values;
static uint64_t given;
/* what was typed for parameters that are tensors, and for those that are new axes */
static const char *tensor[AXT_MOST_PARAMS], *new_axes[AXT_MOST_PARAMS];
/* the parameter that is words AXIS=..., and the one that is the common --dtype; -1: none */
static int specs, dtype;
static int before; /* the words before those that are specs */
static struct cmd c;
static struct cmd_opt opts[AXT_MOST_PARAMS];

/* An operation that a word of the command has chosen, with what is given to it alone. */
static struct chosen {
	const struct axt_operation *op;
	void *values;
	uint64_t given;
	char name[80]; /* of its result */
} chosen[MOST_CHOSEN];
static int nchosen;
static const char *choosing = ""; /* the word that is read */

/* A copy of the n characters at s; of a name, with a dash for each underscore. */
static char *
copy(const char *s, size_t n, bool name)
{
	char *t = cmd_kept(n + 1);

	memcpy(t, s, n);
	for (char *p = t; name && (p = strchr(p, '_'));)
		*p = '-';
	return t;
}

static int
param(const char *name)
{
	return axt_param_named(op, name, strlen(name));
}

static enum cmd_type
row_type(enum axt_param_type t)
{
	switch (t) {
	case AXT_PARAM_TENSOR:
	case AXT_PARAM_LABELS: return CMD_T_OPERAND;
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
	int i = param(o->name);

	if (axt_param_read(op, i, o->type == CMD_T_FLAG ? "true" : word, values, &given, &wrong))
		return;
	if (wrong.kind == AXT_MISUSE_NUMBER) {
		cmd_about(op->params[i].flags & AXT_PARAM_WORD ? AXT_BAD_WORD : AXT_BAD_VALUE, word,
		    o->name);
		cmd_usage(NULL, "\"%s\"%s", cmd_name(word), wrong.want);
	}
	cmd_bad_value(o, word, wrong.want);
}

/* The value of an option; names of new axes are read once the whole line is known, for hints. */
static void
read_option(const struct cmd_opt *o, const char *word)
{
	int i = param(o->name);

	if (op->params[i].flags & AXT_PARAM_NEW)
		new_axes[i] = word;
	else
		read_word(o, word);
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
		.read = axt_param_is_node(p) ? NULL : read_option,
		.var = axt_param_is_node(p) ? (void *)&tensor[i] : (char *)values + p->at };
}

/* The i-th operation of the chooser, with the form of the numbers behind its name. */
static bool
choice_of_table(int i, const char **name, const char **line)
{
	const struct axt_operation *row = chooser->table;
	char text[200];
	size_t n;

	while (row->name && (axt_operation_chooser(row) != chooser || i-- > 0))
		row++;
	*name = row->name ? copy(row->name, axt_chooser_word(chooser, row), false) : NULL;
	*line = row->line;
	if (!row->name || !row->colon)
		return row->name != NULL;
	n = (size_t)snprintf(text, sizeof(text), "%s; %s:", row->line, row->name);
	for (const char *s = row->colon; *s && n < sizeof(text) - 1; s++)
		text[n++] = (char)(*s == ' ' ? ':' : *s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s);
	*line = copy(text, n, false);
	return true;
}

/* The i-th word of the parameter that is the first word, and a line about it. */
static bool
choice_of_words(int i, const char **name, const char **line)
{
	const struct axt_alias *alias;
	const struct axt_operation *named;
	const char *s = op->params[0].words;

	while (*s && i-- > 0)
		s += strcspn(s, "|") + (s[strcspn(s, "|")] == '|');
	*name = copy(s, strcspn(s, "|"), false);
	named = axt_operation_named(*name, &alias);
	*line = named ? named->line : op->params[0].help;
	return **name != '\0';
}

/* What stands on a command line for each operation of the chooser, which take words AXIS=... */
static const char *
forms(void)
{
	const char *all = "";

	for (const struct axt_operation *row = chooser->table; row->name; row++) {
		const struct axt_param *p = &row->params[axt_param_named(row, "specs", 5)];

		all = advice_text("%s%s%.*s %s%s", all, *all ? " | " : "",
		    (int)axt_chooser_word(chooser, row), row->name, axt_param_value(p),
		    axt_param_is_names(p) ? " [A]" : " ... [A]");
	}
	return all;
}

/* The names of the tensors, as they stand on a command line. */
static void
name_operands(void)
{
	int n = 0, maybe = 0;
	bool instead = false;

	for (const char *s = op->typed ? op->typed : op->operands; *s; s += strspn(s, " ")) {
		size_t len = strcspn(s, " "), bracket = *s == '[';

		c.in[n++] = copy(s + bracket, len - 2 * bracket, false);
		maybe += (int)bracket;
		s += len;
	}
	for (int i = 0; op->params[i].name; i++)
		instead = instead || (op->params[i].flags & AXT_PARAM_INSTEAD);
	if (maybe) {
		/* without an option in its place, the last one may always be left out */
		c.flags |= instead ? 0 : CMD_OPTIONAL;
		c.operands = op->flags & AXT_OPERATION_STDIN ? advice_text("[%s]", op->operands)
							     : op->operands;
	}
	if (specs >= 0 && chooser)
		c.operands = forms();
	else if (specs >= 0)
		c.operands = instead ? advice_text("[%s ...] [A]", c.words[0])
				     : advice_text("%s ... [A]", c.words[0]);
}

static unsigned
flags_of(unsigned flags)
{
	static const struct {
		unsigned ours, common;
	} same[] = {
		{ AXT_OPERATION_STDIN, CMD_STDIN },
		{ AXT_OPERATION_MANY, CMD_NARY },
		{ AXT_OPERATION_COMMUTES, CMD_COMMUTES },
		{ AXT_OPERATION_MEET, CMD_MEET },
		{ AXT_OPERATION_STORES, CMD_STORES },
	};
	unsigned all = *op->operands ? CMD_TENSOR : CMD_MAKES;

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (flags & same[i].ours)
			all |= same[i].common;
	if (specs >= 0)
		all |= CMD_SPECS |
		    (op->params[specs].flags &
				(AXT_PARAM_OPERANDS | AXT_PARAM_FILES | AXT_PARAM_INDEX)
			    ? CMD_SPEC_OPERANDS
			    : 0);
	return all | (dtype >= 0 ? CMD_OWN_DTYPE : 0);
}

/* Makes the command's rows of those of the operation. */
static void
make_rows(void)
{
	int n = 0, words = 0;

	values = cmd_kept(op->size + 1);
	axt_call_defaults(op, NULL, values, &given);
	specs = axt_param_named(op, "specs", 5);
	dtype = axt_param_named(op, "dtype", 5);
	if (chooser) {
		c.words[words++] = chooser->word;
		c.choice = choice_of_table;
	}
	for (int i = 0; op->params[i].name; i++)
		if (op->params[i].flags & AXT_PARAM_WORD)
			c.words[words++] = axt_param_value(&op->params[i]);
		else if (i != dtype)
			opts[n++] = option(i);
	opts[n] = (struct cmd_opt)CMD_END;
	c.opts = opts;
	if (op->params[0].type == AXT_PARAM_CHOICE && (op->params[0].flags & AXT_PARAM_WORD))
		c.choice = choice_of_words;
	c.flags = flags_of(op->flags);
	name_operands();
	c.line = op->line;
	c.two = op->two;
}

/* Ends the program because of what is wrong with the line as a whole. */
static void
refuse(const struct axt_misuse *wrong)
{
	struct cmd_opt o = option(param(wrong->param->name));
	struct axt_misuse shown = *wrong;
	char text[400];

	if (wrong->word)
		shown.word = copy(cmd_name(wrong->word), strlen(cmd_name(wrong->word)), false);
	if (wrong->again)
		shown.again = copy(cmd_name(wrong->again), strlen(cmd_name(wrong->again)), false);
	switch (wrong->kind) {
	case AXT_MISUSE_MISSING: cmd_about(AXT_NEEDS_OPTION, o.name, wrong->param->such); break;
	case AXT_MISUSE_MANY: cmd_about(AXT_TOO_MANY, wrong->word, NULL); break;
	case AXT_MISUSE_TWICE: cmd_about(AXT_TWICE, wrong->again, wrong->word); break;
	case AXT_MISUSE_VALUE:
		cmd_about(AXT_BAD_VALUE, wrong->word, o.name);
		cmd_usage(NULL, "--%s takes %s, not \"%s\"", o.name, wrong->want, shown.word);
	default: cmd_about(AXT_BAD_WORD, wrong->word, o.name);
	}
	cmd_usage(wrong->kind == AXT_MISUSE_MISSING && wrong->param->such
		? advice_text("--%s %s", o.name, wrong->param->such)
		: NULL,
	    "%s", axt_misuse_text(&shown, NULL, text, sizeof(text)));
}

/*
 * Gives parameter i of an operation the word behind the operation's name, as 0.9 of quantile:0.9.
 * The word is not copied. A parameter that is a tensor is opened later.
 */
static void
give(const struct axt_operation *to, int i, const char *word, void *v, uint64_t *bits)
{
	struct axt_misuse wrong;

	if ((*bits >> i & 1) ||
	    (axt_param_is_node(&to->params[i]) && tensor[param(to->params[i].name)]))
		cmd_usage(NULL, "--%s is there already", to->params[i].name);
	if (axt_param_is_node(&to->params[i])) {
		tensor[param(to->params[i].name)] = word;
		*bits |= UINT64_C(1) << i;
	} else if (!axt_param_read(to, i, word, v, bits, &wrong)) {
		refuse(&wrong);
	}
}

/* The values behind the name of an operation: quantile:0.9, full:3, iota:0:2. */
static void
read_colons(struct chosen *k, const char *s)
{
	const char *name = k->op->colon ? k->op->colon : "";

	for (; s; name += strcspn(name, " "), name += *name == ' ') {
		const char *end = strchr(s, ':');
		const char *word = copy(s, end ? (size_t)(end - s) : strlen(s), false);

		if (!*name)
			cmd_usage(NULL,
			    k->op->colon ? "%s takes no more numbers" : "%s takes no number",
			    k->op->name);
		give(k->op, axt_param_named(k->op, name, strcspn(name, " ")), word, k->values,
		    &k->given);
		s = end ? end + 1 : NULL;
	}
}

/* The number of bytes of a parameter in the operation's struct. */
static size_t
size_of(enum axt_param_type t)
{
	switch (t) {
	case AXT_PARAM_FLAG: return sizeof(bool);
	case AXT_PARAM_CHOICE: return sizeof(int);
	case AXT_PARAM_INTEGER: return sizeof(int64_t);
	case AXT_PARAM_NUMBER: return sizeof(double);
	case AXT_PARAM_DTYPE: return sizeof(enum axt_dtype);
	case AXT_PARAM_SPECS: return sizeof(struct axt_specs);
	case AXT_PARAM_LABELS: return sizeof(struct axt_label_list);
	default: return sizeof(void *);
	}
}

/* The number that parameter i of the line has in the chosen operation; -1: it takes no such. */
static int
own(const struct chosen *k, int i)
{
	return axt_param_named(k->op, op->params[i].name, strlen(op->params[i].name));
}

/* Copies the value that parameter i has on the line to the chosen operation, if it has that one. */
static void
take_common(struct chosen *k, int i)
{
	const struct axt_param *p = &op->params[i];

	if (own(k, i) < 0)
		return;
	memcpy((char *)k->values + p->at, (char *)values + p->at, size_of(p->type));
	k->given |= UINT64_C(1) << own(k, i);
}

/* Adds the operation that a word chooses, such as "mean" or "quantile:0.9". */
static void
choose(const char *word)
{
	struct chosen *k = &chosen[nchosen];
	size_t n = strcspn(word, ":");
	const char *name = advice_text("%.*s%s", (int)n, word,
	    chooser->affix ? chooser->affix : "");
	const struct axt_alias *alias;

	choosing = word;
	if (nchosen == MOST_CHOSEN)
		cmd_usage(NULL, "more than %d operations", MOST_CHOSEN);
	*k = (struct chosen){ .op = axt_operation_named(name, &alias),
		.values = cmd_kept(op->size + 1) };
	if (!k->op || axt_operation_chooser(k->op) != chooser)
		cmd_unknown(chooser->noun, word);
	snprintf(k->name, sizeof(k->name), "%s", word);
	for (char *p = k->name; (p = strchr(p, ':'));)
		*p = '_';
	for (int i = 0; i < nchosen; i++)
		if (strcmp(chosen[i].name, k->name) == 0)
			cmd_usage(NULL, "operation %s is named twice", word);
	axt_call_defaults(k->op, alias, k->values, &k->given);
	for (int i = 0; op->params[i].name; i++)
		if (given >> i & 1)
			take_common(k, i);
	read_colons(k, word[n] ? word + n + 1 : NULL);
	nchosen++;
}

/* Reads the word that chooses operations, and checks that each has what it needs. */
static void
check_chosen(const char *word)
{
	struct axt_misuse wrong;
	uint64_t taken = 0;

	for (size_t n; chooser->list && (n = strcspn(word, ","), word[n]); word += n + 1)
		choose(copy(word, n, false));
	choose(word);
	for (int k = 0; k < nchosen; k++) {
		for (int i = 0; op->params[i].name; i++)
			if (own(&chosen[k], i) >= 0)
				taken |= UINT64_C(1) << i;
		if (!axt_call_check(chosen[k].op, chosen[k].values, chosen[k].given, &wrong))
			refuse(&wrong);
	}
	for (int i = 0; op->params[i].name; i++)
		if ((given & ~taken) >> i & 1)
			cmd_usage(NULL, "--%s is not for %s", option(i).name, chosen[0].op->name);
}

/* Gives parameter i, of which a word is the value, that word, and what stands behind its colon. */
static void
read_param_word(int i, const char *word)
{
	const struct axt_param *p = &op->params[i];
	const char *colon = p->colon ? strchr(word, ':') : NULL;
	struct cmd_opt o = option(i);
	const char *bare = colon ? copy(word, (size_t)(colon - word), false) : word;

	if (p->type == AXT_PARAM_CHOICE && axt_choice(p->words, bare) < 0)
		cmd_unknown("operation", word);
	if (p->type == AXT_PARAM_AXES && strchr(word, '.') && access(word, F_OK) == 0) {
		cmd_about(AXT_TOO_FEW, axt_param_value(p), NULL);
		cmd_usage(cmd_help_hint(), "operand %s is missing before \"%s\", which is a file",
		    axt_param_value(p), cmd_name(word));
	}
	read_word(&o, bare);
	if (colon)
		give(op, param(p->colon), colon + 1, values, &given);
}

/* Of operations that take words AXIS=..., the one that is chosen is done as one of its own. */
static void
become_chosen(void)
{
	op = chosen[0].op;
	values = chosen[0].values;
	given = chosen[0].given;
	before = 1;
}

static void
check(void)
{
	struct axt_misuse wrong;
	int word = chooser != NULL;

	for (int i = 0; op->params[i].name; i++) {
		const struct axt_param *p = &op->params[i];

		if (i == dtype && cmd_dtype(NULL) != AXT_DTYPE_AUTO)
			given |= UINT64_C(1) << i;
		if (axt_param_is_node(p) && tensor[i])
			given |= UINT64_C(1) << i;
		if (new_axes[i])
			read_param_word(i, new_axes[i]);
		if (i == specs)
			axt_param_specs(op, i, cmd_st.nwords - word, cmd_st.args.v + word, values,
			    &given);
		else if ((p->flags & AXT_PARAM_WORD) && cmd_st.nwords > word)
			read_param_word(i, cmd_word(NULL, word++));
	}
	if (chooser)
		check_chosen(cmd_word(NULL, 0));
	if (chooser && specs >= 0)
		become_chosen();
	else if (!chooser && !axt_call_check(op, values, given, &wrong))
		refuse(&wrong);
}

static struct axt_call call;

void
cmd_reset_operation(void)
{
	op = NULL;
	chooser = NULL;
	given = 0;
	nchosen = before = 0;
	choosing = "";
	c = (struct cmd){ 0 };
	memset(tensor, 0, sizeof(tensor));
	memset(new_axes, 0, sizeof(new_axes));
	call = (struct axt_call){ 0 };
}

/* The word of a parameter that is a tensor: its own, or that of another, meant once more. */
static const char *
word_of(const struct axt_param *p)
{
	int i = (int)(p - op->params), again = axt_param_again(op, i, given);

	return again >= 0 ? tensor[again] : tensor[i];
}

/* Whether labels are a list or a range, and no tensor. */
static bool
is_list(const char *s)
{
	if (strcmp(s, "-") == 0)
		return false;
	return strchr(s, ',') || s[strspn(s, "0123456789+-:")] == '\0' ||
	    (!strchr(s, ':') && access(s, F_OK) != 0);
}

static struct axt_expr *
opened(struct axt_graph *g, const struct axt_param *p, const char *word)
{
	struct axt_expr *a = call.in[0];

	if (p->type == AXT_PARAM_VALUE)
		return axt_number(g, word);
	if (p->of)
		a = *axt_param_node(op, p->of, values);
	if (p->type == AXT_PARAM_LABELS || (p->flags & AXT_PARAM_GROUPS))
		return cmd_labels(g, a, word);
	return p->flags & AXT_PARAM_AREA ? cmd_weights(g, a, word) : cmd_open(g, word, false);
}

/* Opens what was typed for parameter i. */
static void
open_param(struct axt_graph *g, int i)
{
	const struct axt_param *p = &op->params[i];
	const char *word = word_of(p);
	struct axt_misuse wrong;

	if (p->type == AXT_PARAM_LABELS && is_list(word))
		axt_param_read(op, i, word, values, &given, &wrong);
	else
		axt_param_tensor(op, i, opened(g, p, word), values, &given);
}

/* What follows = or @ in a spec, where it is a tensor; NULL: it is a value. */
static const char *
operand_of(const char *spec)
{
	unsigned flags = op->params[specs].flags;
	const char *v = spec[axt_spec_axis(spec)] ? spec + axt_spec_axis(spec) + 1 : NULL;
	size_t n = v ? strcspn(v, ":[") : 0;
	char *file = v ? copy(v, n, false) : NULL;
	bool is = false;

	if (v && (flags & AXT_PARAM_INDEX))
		is = v[strspn(v, "0123456789,-+.eE")] != '\0' || (*v == '-' && v[1] == '\0');
	/* a file that is there, and whose name has a dot or a slash, unlike a coordinate */
	if (v && (flags & AXT_PARAM_FILES))
		is = strcmp(file, "-") == 0 ||
		    (strpbrk(file, "./") && !axt_is_number(file) && access(file, F_OK) == 0);
	return is ? v : NULL;
}

/* Opens the tensor of a spec: positions, labels, or the points of several axes. */
static struct axt_expr *
open_target(struct axt_graph *g, const char *spec)
{
	const struct axt_open_opts o = cmd_open_opts(g);
	const char *operand = operand_of(spec);
	char *names;
	struct axt_expr *e;

	if (!operand)
		return NULL;
	names = copy(spec, axt_spec_axis(spec), false);
	e = !(op->params[specs].flags & AXT_PARAM_INDEX) ? cmd_open(g, operand, false)
	    : strchr(names, ',')                         ? axt_points_in(g, operand, names, &o)
							 : axt_open_text(g, operand, &o);
	return e;
}

/* Gives the operation these words AXIS=..., with the tensors of those that have one. */
static void
set_specs(int n, const char *const *word, struct axt_expr *const *e)
{
	axt_param_specs(op, specs, n, word, values, &given);
	((struct axt_specs *)((char *)values + op->params[specs].at))->e = e;
}

/* Builds the result of one operand, `a`, with `part` as the word; NULL: with the word itself. */
static struct axt_expr *
build_part(struct axt_graph *g, struct axt_expr *a, const char *part)
{
	struct axt_call one = call;
	struct axt_expr *y = NULL, *e;

	if (call.n == 1)
		one.in = &a;
	for (int i = 0; part && op->params[i].name; i++)
		if (i == specs) {
			e = open_target(g, part);
			set_specs(1, &part, &e);
		} else if (op->params[i].flags & AXT_PARAM_PARTIAL)
			*(const char **)((char *)values + op->params[i].at) = part;
	axt_call_build(g, &one, &y);
	return y;
}

/* The result of words AXIS=...; of FILE:* each tensor is done along the axes that it has. */
static struct axt_expr *
build_specs(struct axt_graph *g)
{
	int n = cmd_st.nwords - before;
	const char **word = calloc((size_t)n + 1, sizeof(*word));
	struct axt_expr **e = calloc((size_t)n + 1, sizeof(struct axt_expr *)), *y;

	if (!word || !e)
		cmd_oom();
	for (int i = 0; i < n; i++) {
		word[i] = cmd_word(g, before + i);
		e[i] = open_target(g, word[i]);
	}
	set_specs(n, word, e);
	y = build_part(g, call.in[0], NULL);
	if (n > 1 && cmd_skips(g, -1)) {
		n = cmd_keep(g, call.in[0], word, n, build_part);
		for (int i = 0; i < n; i++)
			e[i] = open_target(g, word[i]);
		set_specs(n, word, e);
		y = build_part(g, call.in[0], NULL);
	}
	free(word);
	free(e);
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

/*
 * The comparison of an operand that is text with a word, as in axt-eq a.csv:name Berlin. Either
 * operand may be the text. NULL: none is.
 */
static struct axt_expr *
compared(struct axt_graph *g)
{
	struct axt_open_opts o = cmd_open_opts(g);
	bool first, second;

	if (!(op->flags & AXT_OPERATION_TEXT) || o.dataset)
		return NULL;
	first = strchr(cmd_operand(g, 0), ':') && axt_is_text(g, cmd_operand(g, 0));
	axt_graph_clear(g); /* whoever opens the operand has the error */
	second = strchr(cmd_operand(g, 1), ':') && axt_is_text(g, cmd_operand(g, 1));
	axt_graph_clear(g);
	if (first && second)
		return axt_graph_fail(g, AXT_E_DTYPE,
		    "%s and %s hold text, and a text is compared with a word",
		    cmd_name(cmd_operand(g, 0)), cmd_name(cmd_operand(g, 1)));
	return first || second
	    ? axt_compare_text(g, (enum axt_op)op->kind,
		  axt_open_text(g, cmd_operand(g, second), &o), cmd_operand(g, first))
	    : NULL;
}

/* Whether two axes of the operands may have one name, as an option that is given says. */
static bool
has_duplicates(void)
{
	for (int i = 0; op->params[i].name; i++)
		if ((op->params[i].flags & AXT_PARAM_DUPLICATES) && (given >> i & 1))
			return true;
	return false;
}

/* The operands in the order of the operation, which a command line may not have. */
static struct axt_expr *const *
operands(struct axt_graph *g)
{
	struct axt_expr *const *typed;
	static struct axt_expr *in[4];
	int n = 0;

	if (has_duplicates()) {
		in[0] = cmd_open(g, cmd_operand(g, 0), true);
		return in;
	}
	if (op->flags & AXT_OPERATION_OF_TEXT) {
		in[0] = cmd_in_text(g, 0);
		return in;
	}
	typed = op->flags & AXT_OPERATION_WIDE ? cmd_all_wide(g) : cmd_all_in(g);
	if (!op->typed)
		return typed;
	for (const char *s = op->operands; *s; s += strspn(s, " ")) {
		size_t len = strcspn(s, " ");

		in[n++] = typed[axt_word_index(op->typed, s, len)];
		s += len;
	}
	return in;
}

static bool
spares(struct axt_graph *g, const struct axt_expr *e)
{
	return cmd_spares(g, 0, e);
}

/* Gives the results of the operations that were chosen; of several, each has its word as name. */
static void
build_chosen(struct axt_graph *g)
{
	for (int k = 0; k < nchosen; k++) {
		struct axt_call one = call;
		struct axt_expr *y = NULL;
		/* nodes are those that were opened for all */
		for (int i = 0; op->params[i].name; i++)
			if ((axt_param_is_node(&op->params[i]) && tensor[i]) ||
			    (i == dtype && cmd_dtype(g) != AXT_DTYPE_AUTO))
				take_common(&chosen[k], i);
		one.op = chosen[k].op;
		one.values = chosen[k].values;
		one.given = chosen[k].given;
		axt_call_build(g, &one, &y);
		cmd_result(g, nchosen > 1 ? axt_set_name(g, y, chosen[k].name) : y);
	}
}

static void
build(struct axt_graph *g)
{
	const struct axt_open_opts open = cmd_open_opts(g);
	const char *list = NULL;
	struct axt_expr *e = compared(g);

	if (e) {
		cmd_result(g, e);
		return;
	}
	if (op->flags & AXT_OPERATION_STORES)
		cmd_storage(cmd_st.o.size, cmd_st.o.layout == 0 ? 0 : 'F');
	call = (struct axt_call){ .op = op,
		.in = operands(g),
		.n = cmd_nin(g),
		.values = values,
		.open = &open,
		.nth = cmd_nth_of_several(),
		.several = cmd_one_of_several(),
		.spares = spares };
	for (int i = 0; op->params[i].name; i++) {
		const struct axt_param *p = &op->params[i];

		if (word_of(p))
			open_param(g, i);
		if (i == dtype)
			*(enum axt_dtype *)((char *)values + p->at) = cmd_dtype(g);
		if ((p->flags & AXT_PARAM_FILL) && cmd_has_fill(g))
			*(bool *)((char *)values + p->at) = true;
		if ((p->flags & AXT_PARAM_PARTIAL) && (given >> i & 1) &&
		    (i != specs || (axt_param_is_names(p) && cmd_st.nwords == before + 1)))
			list = cmd_word(g, before);
	}
	call.given = given;
	if (chooser && specs < 0)
		build_chosen(g);
	else if (op->results)
		build_all(g);
	else
		cmd_result(g,
		    specs >= 0 && !list ? build_specs(g)
			: list          ? cmd_listed(g, call.in[0], list, build_part)
					: build_part(g, call.in[0], NULL));
}

int
cmd_main_operation(int argc, char *argv[])
{
	const char *name = argc > 0 ? argv[0] : "", *slash = strrchr(name, '/');
	const struct axt_alias *alias = NULL;

	name = slash ? slash + 1 : name;
	if (strncmp(name, "axt-", 4) == 0) {
		op = axt_operation_named(name + 4, &alias);
		chooser = op ? axt_operation_chooser(op) : axt_chooser_named(name + 4);
	}
	if (chooser && !op)
		op = &chooser->all;
	else if (chooser)
		op = NULL; /* a word of another command */
	if (!op || alias) {
		fprintf(stderr, "%s: there is no command of this name; axt list tells them\n",
		    cmd_name(name));
		return 2;
	}
	c.name = copy(name, strlen(name), false);
	c.check = check;
	make_rows();
	return cmd_main(&c, build, argc, argv);
}
