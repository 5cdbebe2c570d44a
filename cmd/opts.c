/* opts.c - the options that commands share, and the parser of all options. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "priv.h"

#define V(field) (&cmd_st.o.field)
#define IN(g) .group = (g)
#define PLUMBING(g) .group = (g), .plumbing = true

const char cmd_devices[] = "cpu|"
#define DEVICE(NAME, name) #name "|"
#include "devices.def"
#undef DEVICE
			   "auto";
static const char libraries[] = "axt|"
#define BLAS(name, files, package) #name "|"
#include "blas.def"
#undef BLAS
				"FILE";
const char cmd_formats[] = "auto"
#define FORMAT(NAME, name, line) "|" #name
#include "formats.def"
#undef FORMAT
    ;

const struct cmd_opt cmd_common_opts[] = {
	CMD_STR('o', "output", V(output), "FILE[:DATASET]",
	    "write the result there (default: standard output)", PLUMBING(CMD_WRITES)),
	CMD_FLAG('N', "no-clobber", V(no_clobber), "refuse to replace a file or dataset",
	    PLUMBING(CMD_WRITES | CMD_FILES)),
	CMD_FLAG(0, "force", V(force), "replace an operand's file that holds other tensors",
	    PLUMBING(CMD_WRITES | CMD_FILES)),
	CMD_STR('d', "dataset", V(dataset), "NAME",
	    "the dataset to read from operands that are FILE alone", IN(CMD_OPENS)),
	CMD_FLAG(0, "each", V(each), "do it for each tensor of the files, as with FILE:*",
	    IN(CMD_READS)),
	CMD_STR(0, "files-from", V(files_from), "FILE",
	    "read more operands from FILE, one per line (-: standard input)", IN(CMD_NARY)),
	CMD_STR(0, "name", V(name), "NAME", "name of the result", IN(CMD_SHAPES)),
	CMD_STR(0, "axes", V(axes), "AXES", "order of the result's axes; D=4 adds an axis",
	    IN(CMD_SHAPES)),
	CMD_DTYPE(0, "dtype", V(dtype), "TYPE", "dtype of the result", IN(CMD_SHAPES)),
	CMD_FLAG(0, "raw", V(raw),
	    "read stored values as they are: no unpacking, no missing values", IN(CMD_OPENS)),
	CMD_FLAG(0, "allow-external", V(allow_external),
	    "let saved expressions and references read files outside their folders",
	    PLUMBING(CMD_OPENS)),
	CMD_FLAG(0, "stale", V(stale),
	    "read saved expressions even if their inputs have other values now",
	    PLUMBING(CMD_OPENS)),
	CMD_FLAG('p', "print", V(print), "print text instead of HDF5 (default on a terminal)",
	    PLUMBING(CMD_WRITES | CMD_PRINTS)),
	CMD_INT('t', "threads", V(threads), 1, 4096, "N",
	    "number of threads (default: all cores; AXT_THREADS)", PLUMBING(CMD_RUNS)),
	CMD_SIZE('m', "memory", V(memory), "SIZE",
	    "most memory for data, as 2G (default: a quarter of all; AXT_MEMORY)",
	    PLUMBING(CMD_RUNS)),
	CMD_CHOICE(0, "device", V(device), cmd_devices,
	    "where to compute (default: cpu; AXT_DEVICE)", PLUMBING(CMD_RUNS)),
	CMD_STR(0, "blas", V(blas), libraries,
	    "library that multiplies large matrices (default: axt; AXT_BLAS)", PLUMBING(CMD_RUNS)),
	CMD_STR(0, "join", V(join), "exact|override[:AXES]",
	    "where coordinates differ: an error (default), or take the first operand's",
	    IN(CMD_JOINS)),
	CMD_CHOICE(0, "units", V(units), "convert|strict|ignore",
	    "where units differ: convert to the first operand's (default), an error, or ignore them",
	    IN(CMD_JOINS)),
	CMD_STR(0, "compress", V(compress), "deflate|zstd|lz4|none[:LEVEL]",
	    "compress the result, as deflate:6 or zstd (with -o)",
	    PLUMBING(CMD_WRITES | CMD_FILES)),
	CMD_INT(0, "deflate", V(deflate), 0, 9, "LEVEL",
	    "--compress deflate:LEVEL; 0: --compress none", PLUMBING(CMD_WRITES | CMD_FILES)),
	CMD_STR(0, "shuffle", V(shuffle), "byte|bit|none",
	    "what is done before --compress (default: byte)", PLUMBING(CMD_WRITES | CMD_FILES)),
	CMD_STR(0, "quantize", V(quantize), "DIGITS|bits:N",
	    "round floats to significant digits, or to N bits, so that they compress well",
	    IN(CMD_WRITES | CMD_FILES)),
	CMD_STR(0, "chunk", V(chunk), "AXIS=LEN,...", "store the result in chunks (with -o)",
	    PLUMBING(CMD_WRITES | CMD_FILES)),
	CMD_STR(0, "unlimited", V(unlimited), "AXES",
	    "axes that can grow in the file (default: the operands')",
	    PLUMBING(CMD_WRITES | CMD_FILES)),
	CMD_STR(0, "size", V(size), "AXIS=LEN,...", "lengths to allocate, for storage with room",
	    IN(CMD_STORES)),
	CMD_CHOICE(0, "layout", V(layout), "C|F", "row-major (default) or column-major storage",
	    IN(CMD_STORES)),
	CMD_LIST(0, "attr", V(attrs), "[AXIS:]NAME=TEXT",
	    "set an attribute; := sets numbers, empty text removes", IN(CMD_SHAPES)),
	CMD_STR(0, "fill", V(fill), "V",
	    "store missing values as V, with _FillValue V (default: NaN)", IN(CMD_SHAPES)),
	CMD_FLAG(0, "no-history", V(no_history), "add no line to the file's history",
	    PLUMBING(CMD_WRITES | CMD_FILES | CMD_HISTORY)),
	CMD_STR(0, "part", V(part), "K/N",
	    "write part K of N of the result, which axt-merge puts together (with -o)",
	    PLUMBING(CMD_WRITES)),
	CMD_STR(0, "into", V(into), "FILE",
	    "with --part: FILE has the result once all parts are done (instead of -o)",
	    PLUMBING(CMD_WRITES)),
	CMD_INT(0, "ranks", V(ranks), 1, 1000000, "N",
	    "with --explain: what N processes of MPI would read and write", PLUMBING(CMD_WRITES)),
	CMD_FLAG(0, "explain", V(explain), "print the plan and do nothing else",
	    PLUMBING(CMD_SHAPES)),
	CMD_CHOICE(0, "progress", V(progress), "auto|always|never",
	    "draw a progress bar on standard error (default: auto)", PLUMBING(CMD_RUNS)),
	CMD_FLAG(0, "copies", V(copies),
	    "let each of several copies write that mpirun or srun runs (default: an error)",
	    .plumbing = true),
	CMD_FLAG('q', "quiet", V(quiet), "print no warnings", .plumbing = true),
	CMD_FLAG('v', "verbose", V(verbose), "print the plan on standard error",
	    PLUMBING(CMD_RUNS)),
	CMD_FLAG('h', "help", V(help), "print this text", .plumbing = true),
	CMD_FLAG(0, "version", V(version), "print name and version", .plumbing = true),
	CMD_END,
};

bool
cmd_has(const struct cmd_opt *o)
{
	return o->group == 0 || (o->group & cmd_st.c->flags) != 0;
}

const struct cmd_opt *
cmd_opt_at(int k)
{
	const struct cmd_opt *o = cmd_st.c->opts;

	for (; o && o->type != CMD_T_END; o++)
		if (k-- == 0)
			return o;
	for (o = cmd_common_opts; o->type != CMD_T_END; o++)
		if (cmd_has(o) && k-- == 0)
			return o;
	return NULL;
}

void
cmd_add(struct cmd_list *l, const char *s)
{
	const char **v = l->v;

	if ((l->n & (l->n - 1)) == 0) { /* the array is full when n is a power of two */
		v = realloc(v, (l->n == 0 ? 1 : 2 * (size_t)l->n) * sizeof(*v));
		if (!v)
			cmd_oom();
	}
	v[l->n++] = s;
	l->v = v;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
cmd_sort(struct cmd_list *l)
{
	if (l->n > 0)
		qsort(l->v, (size_t)l->n, sizeof(l->v[0]), by_name);
}

void
cmd_add_copy(struct cmd_list *l, const char *s, size_t n)
{
	char *copy = strndup(s, n);

	if (!copy)
		cmd_oom();
	cmd_add(l, copy);
}

void
cmd_free_copies(struct cmd_list *l)
{
	for (int i = 0; i < l->n; i++)
		free((char *)(uintptr_t)l->v[i]);
	free(l->v);
	*l = (struct cmd_list){ 0 };
}

/* Whether s needs no quotes in a shell; -1 if it needs $'...' because of some byte. */
static int
plain(const char *s)
{
	int ok = *s != '\0';

	for (; *s != '\0'; s++) {
		unsigned char b = (unsigned char)*s;

		if (b < 0x20 || b == 0x7f)
			return -1;
		if (b < 0x80 &&
		    !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "_@%+=:,./-^",
			b))
			ok = 0;
	}
	return ok;
}

void
cmd_add_word(char **line, size_t *len, const char *word)
{
	size_t need = 4 * strlen(word) + 8;
	int how = plain(word);
	char *h = realloc(*line, *len + need), *p;

	if (!h)
		cmd_oom();
	*line = h;
	p = h + *len;
	if (*len != 0)
		*p++ = ' ';
	if (how < 0)
		*p++ = '$';
	if (how <= 0)
		*p++ = '\'';
	for (; *word != '\0'; word++) {
		unsigned char b = (unsigned char)*word;

		if (how < 0 && (b < 0x20 || b == 0x7f))
			p += sprintf(p, "\\x%02x", b);
		else if (how < 0 && (b == '\'' || b == '\\'))
			p += sprintf(p, "\\%c", b);
		else if (b == '\'')
			p += sprintf(p, "'\\''");
		else
			*p++ = (char)b;
	}
	if (how <= 0)
		*p++ = '\'';
	*p = '\0';
	*len = (size_t)(p - h);
}

void
cmd_add_raw(char **line, size_t *len, const char *text)
{
	size_t n = strlen(text);
	char *h = realloc(*line, *len + n + 1);

	if (!h)
		cmd_oom();
	memcpy(h + *len, text, n + 1);
	*line = h;
	*len += n;
}

void
cmd_history_add(const char *word)
{
	cmd_add_word(&cmd_st.history, &cmd_st.history_len, word);
}

static char **all_words;
static int nall;

bool
cmd_typed(const char *begin)
{
	for (int i = 1; i < nall; i++)
		if (strncmp(all_words[i], begin, strlen(begin)) == 0)
			return true;
	return false;
}

char *
cmd_typed_line(void)
{
	char *line = NULL;
	size_t len = 0;

	cmd_add_word(&line, &len, cmd_st.c->name);
	for (int i = 1; i < nall; i++)
		cmd_add_word(&line, &len, all_words[i]);
	return line;
}

__attribute__((noreturn)) void
cmd_bad_value(const struct cmd_opt *o, const char *value, const char *want)
{
	cmd_about(AXT_BAD_VALUE, value, o->name);
	cmd_usage(NULL, "--%s takes %s, not \"%s\"", o->name, want, cmd_name(value));
}

static void
set_number(const struct cmd_opt *o, const char *value)
{
	char range[80];

	if (o->type == CMD_T_NUM) {
		if (!axt_parse_ratio(value, o->var))
			cmd_bad_value(o, value, "a number");
		/* written so that NaN is refused as well */
		if (!(*(double *)o->var >= (double)o->lo))
			cmd_bad_value(o, value, o->lo == 0 ? "a number from 0" : "a number");
	} else if (o->type == CMD_T_SIZE) {
		if (!axt_parse_size(value, o->var) || *(int64_t *)o->var < 1)
			cmd_bad_value(o, value, "a size such as 512M or 2G");
	} else if (!axt_parse_int(value, o->lo, o->hi, o->var)) {
		if (o->hi == INT64_MAX)
			snprintf(range, sizeof(range), "a whole number from %lld",
			    (long long)o->lo);
		else
			snprintf(range, sizeof(range), "a whole number from %lld to %lld",
			    (long long)o->lo, (long long)o->hi);
		cmd_bad_value(o, value, range);
	}
}

static const char dtypes[] = "bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128";

/*
 * Sets an option that takes a dtype. Where arg is "TYPE|WORD|...", the option takes these words,
 * too, and its value is then AXT_NDTYPES plus the number of the word.
 */
static void
set_dtype(const struct cmd_opt *o, const char *value)
{
	const char *more = strchr(o->arg, '|');
	enum axt_dtype d = axt_dtype_of_name(value);
	int i;

	if (more && (i = axt_choice(more + 1, value)) >= 0) {
		*(int *)o->var = AXT_NDTYPES + i;
		return;
	}
	if (d == AXT_DTYPE_AUTO) {
		cmd_about(AXT_BAD_VALUE, value, o->name);
		cmd_usage(dtypes, "--%s: unknown dtype \"%s\"", o->name, cmd_name(value));
	}
	*(enum axt_dtype *)o->var = d;
}

/*
 * Sets the variable of o to the value of o. Rows with the same variable exclude each other: fails
 * if one of them was given before.
 */
static void
set_exclusive(const struct cmd_opt *o)
{
	int *var = o->var;
	const struct cmd_opt *p;
	int k;

	if (*var != 0 && *var != (int)o->lo)
		for (k = 0; (p = cmd_opt_at(k)); k++)
			if (p->var == o->var && (int)p->lo == *var)
				cmd_usage(NULL, "--%s and --%s exclude each other", p->name,
				    o->name);
	*var = (int)o->lo;
}

bool
cmd_takes_value(const struct cmd_opt *o)
{
	return o->type != CMD_T_FLAG && o->type != CMD_T_SET;
}

/* Ends the program where an option that is text has another value already, or cannot have this. */
static void
check_text(const struct cmd_opt *o, const char *value)
{
	const char *old = *(const char **)o->var;
	bool axes = strncmp(o->arg, "AXES", 4) == 0;
	char word[64];

	if (o->letter == 'o' && strcmp(o->name, "output") == 0) {
		if (old)
			cmd_usage("axt-copy copies one to the other",
			    "--output is given twice: %s and %s", cmd_name(old), cmd_name(value));
		if (strstr(value, "://"))
			cmd_usage("write a file here, and copy it there with a program for it",
			    "%s is an address, and outputs are files", cmd_name(value));
	}
	if (!old || (o->type != CMD_T_OPERAND && (!axes || strcmp(old, value) == 0)))
		return;
	snprintf(word, sizeof(word), "--%s %.20s,%.20s", o->name, old, value);
	cmd_usage(o->type == CMD_T_STR || strcmp(o->name, "by") == 0 ? word : NULL,
	    "--%s is given twice: %s and %s", o->name, cmd_name(old), cmd_name(value));
}

/* Sets the variable of an option as its type says. */
static void
store(const struct cmd_opt *o, const char *value)
{
	int i;

	switch (o->type) {
	case CMD_T_FLAG: *(bool *)o->var = true; break;
	case CMD_T_SET: set_exclusive(o); break;
	case CMD_T_CHOICE:
		i = axt_choice(o->arg, value);
		if (i < 0)
			cmd_bad_value(o, value, o->arg);
		*(int *)o->var = i;
		break;
	case CMD_T_OPERAND:
	case CMD_T_STR: *(const char **)o->var = value; break;
	case CMD_T_DTYPE: set_dtype(o, value); break;
	case CMD_T_LIST: cmd_add(o->var, value); break;
	default: set_number(o, value);
	}
}

static void
set(const struct cmd_opt *o, const char *value)
{
	char word[64];

	if (o->type == CMD_T_OPERAND || o->type == CMD_T_STR)
		check_text(o, value);
	if (!o->read || o->type == CMD_T_DTYPE) /* whose hints are better */
		store(o, value);
	if (o->read)
		o->read(o, value);
	if (o->plumbing)
		return;
	snprintf(word, sizeof(word), "--%s", o->name);
	cmd_history_add(word);
	if (cmd_takes_value(o))
		cmd_history_add(value);
}

/* A word between quotation marks. */
static const char *
quoted(const char *word)
{
	static char text[300];

	snprintf(text, sizeof(text), "\"%s\"", cmd_name(word));
	return text;
}

__attribute__((noreturn)) static void
unknown_option(const char *word, const char *shown)
{
	char hint[80];

	snprintf(hint, sizeof(hint), "%s -h lists the options", cmd_st.c->name);
	cmd_about(AXT_NO_OPTION, word, NULL);
	cmd_usage(hint, "unknown option %s", shown);
}

static void
at_once(void)
{
	if (cmd_st.o.help) {
		cmd_help();
		exit(cmd_flush(0));
	}
	if (cmd_st.o.options) {
		cmd_list_options();
		exit(cmd_flush(0));
	}
	if (cmd_st.o.version) {
		printf("%s %s\n", cmd_st.c->name, axt_version());
		exit(cmd_flush(0));
	}
}

/* The first n characters of a word, for good. */
static const char *
copy_of(const char *word, size_t n)
{
	const char *t = strndup(word, n);

	if (!t)
		cmd_oom();
	return t;
}

/* Parses --name, --name=value or --name value. Returns the index of the last word used. */
static int
parse_long(int i, int argc, char *argv[])
{
	const char *w = argv[i] + 2, *eq = strchr(w, '=');
	size_t len = eq ? (size_t)(eq - w) : strlen(w);
	const struct cmd_opt *o;
	int k;

	if (strcmp(w, "options") == 0) { /* used by completion and tests, and not shown by -h */
		cmd_st.o.options = true;
		return i;
	}
	for (k = 0; (o = cmd_opt_at(k)); k++)
		if (strncmp(o->name, w, len) == 0 && o->name[len] == '\0')
			break;
	if (!o)
		unknown_option(copy_of(argv[i], len + 2), cmd_name(copy_of(argv[i], len + 2)));
	if (!cmd_takes_value(o)) {
		if (eq)
			cmd_usage(NULL, "--%s takes no value", o->name);
		set(o, "");
		return i;
	}
	if (!eq && i + 1 >= argc)
		cmd_usage(o->type == CMD_T_DTYPE ? dtypes : NULL, "--%s needs a value: %s", o->name,
		    o->arg);
	if (!eq && argv[i + 1][0] == '=') {
		cmd_about(AXT_NO_VALUE, argv[i + 1], o->name);
		cmd_usage(NULL, "--%s: no blank stands before or behind \"=\"", o->name);
	}
	if (!eq && strcmp(argv[i + 1], "-o") == 0)
		cmd_usage(NULL, "--%s needs a value before -o: %s", o->name, o->arg);
	set(o, eq ? eq + 1 : argv[i + 1]);
	return eq ? i : i + 1;
}

/* Parses -x, -xVALUE, -x VALUE, or several flags in one word. */
static int
parse_short(int i, int argc, char *argv[])
{
	const struct cmd_opt *o;
	const char *p, *value;
	int k;

	for (p = argv[i] + 1; *p != '\0'; p++) {
		for (k = 0; (o = cmd_opt_at(k)); k++)
			if (o->letter == *p)
				break;
		if (!o)
			unknown_option(argv[i], quoted(argv[i]));
		if (!cmd_takes_value(o)) {
			set(o, "");
			continue;
		}
		value = p[1] != '\0' ? p + 1 : i + 1 < argc ? argv[i + 1] : NULL;
		if (!value)
			cmd_usage(NULL, "-%c needs a value: %s", *p, o->arg);
		set(o, value);
		return p[1] != '\0' ? i : i + 1;
	}
	return i;
}

/*
 * Whether the word is an option. "-", "-:tas", negative numbers, lists of such and the operation
 * "-=" are operands.
 */
bool
cmd_is_option(const char *w)
{
	return w[0] == '-' && w[1] != '\0' && w[1] != ':' && w[1] != '=' && !axt_is_number(w) &&
	    !(w[1] >= '0' && w[1] <= '9' && w[strspn(w, "-0123456789,")] == '\0');
}

/* Whether the option can have that value, which begins with a digit if it is a number. */
static bool
may_have(const struct cmd_opt *o, const char *value)
{
	bool digit = *value >= '0' && *value <= '9';
	int64_t n;

	return (o->type != CMD_T_INT && o->type != CMD_T_SIZE) ||
	    (digit && o->type == CMD_T_INT && axt_parse_int(value, o->lo, o->hi, &n)) ||
	    (digit && o->type == CMD_T_SIZE && axt_parse_size(value, &n));
}

/*
 * Whether the word, which begins with one dash, consists of letters of options. The first letter
 * whose option takes a value ends them: the rest of the word, or else the next word, is its value.
 */
static bool
all_letters(const char *w, const char *next)
{
	const struct cmd_opt *o;

	for (const char *p = w + 1; *p != '\0'; p++) {
		int k = 0;

		while ((o = cmd_opt_at(k)) && o->letter != *p)
			k++;
		if (!o)
			return false;
		if (cmd_takes_value(o))
			return may_have(o, p[1] ? p + 1 : next);
	}
	return true;
}

/*
 * Whether the word is an expression that begins with a minus sign, as "-x" and "-8.5 + t". Only the
 * first word of a command that takes an expression can be one.
 */
static bool
is_negative(const char *w, const char *next)
{
	return (cmd_st.c->flags & CMD_NAMED) && cmd_st.args.n == 0 && w[0] == '-' && w[1] != '-' &&
	    !all_letters(w, next);
}

void
cmd_parse(int argc, char *argv[])
{
	bool ended = false;
	int i;

	all_words = argv;
	nall = argc;
	cmd_st.argc = argc;
	cmd_st.argv = argv;
	cmd_history_add(cmd_st.c->name);
	for (i = 1; i < argc; i++)
		if (strncmp(argv[i], "\x89HDF", 4) == 0)
			cmd_usage("<(COMMAND) in place of $(COMMAND) names what the command writes",
			    "an operand is the bytes of a file, as $(COMMAND) gives them");
	for (i = 1; i < argc; i++)
		if (*argv[i] && argv[i][strlen(argv[i]) - 1] == '\r')
			cmd_usage("sed -i 's/\\r$//' SCRIPT makes them those of Unix",
			    "\"%s\" ends in a carriage return: the script has line ends of Windows",
			    cmd_name(argv[i]));
	for (i = 1; i < argc; i++) {
		int from = i;
		bool operand = ended || !cmd_is_option(argv[i]) ||
		    is_negative(argv[i], i + 1 < argc ? argv[i + 1] : "");

		if (operand) {
			cmd_add(&cmd_st.args, argv[i]);
			cmd_history_add(argv[i]);
		} else if (strcmp(argv[i], "--") == 0) {
			ended = true;
			cmd_history_add("--");
		} else if (argv[i][1] == '-') {
			i = parse_long(i, argc, argv);
		} else {
			i = parse_short(i, argc, argv);
		}
		if (!ended && !operand)
			for (; from <= i; from++)
				cmd_add(&cmd_st.given, argv[from]);
		at_once();
	}
}
