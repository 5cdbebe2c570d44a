/*
 * axt - `axt NAME ARGS` runs axt-NAME, which is looked for in the folder of this program and then
 * in PATH. The commands that are found in the folder are those that exist, and each prints its own
 * options (axt-NAME --options), so that nothing is listed twice.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "axt_operation.h"
#include "axt_line.h"

static bool
topic(int i, const char **name, const char **line)
{
	static const char *const rows[][2] = {
		{ "NAME", "runs axt-NAME" },
		{ "help", "help [NAME]: this text, or that of axt-NAME" },
		{ "list", "the commands, a line each; --json: operations, and what they take" },
		{ "completion", "completion bash|zsh|fish: a script for that shell to source" },
	};

	if (i >= (int)(sizeof(rows) / sizeof(rows[0])))
		return false;
	*name = rows[i][0];
	*line = rows[i][1];
	return true;
}

static const struct cmd axt = {
	.name = "axt",
	.line = "named-axis tensors in HDF5 files",
	.words = { "COMMAND" },
	.choice = topic,
	.operands = "COMMAND [ARG ...]",
	.flags = CMD_FREE | CMD_BARE,
};

/* ---- which commands there are ---- */

static char bin_dir[PATH_MAX];
static struct cmd_list names;

static void
find_bin_dir(void)
{
	ssize_t n = readlink("/proc/self/exe", bin_dir, sizeof(bin_dir) - 1);
	char *slash;

	bin_dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(bin_dir, '/');
	if (slash)
		*slash = '\0';
}

/* Collects the names of the programs axt-NAME in the folder of this program, sorted. */
static void
find_names(void)
{
	DIR *d = opendir(bin_dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (strncmp(e->d_name, "axt-", 4) == 0)
			cmd_add_copy(&names, e->d_name + 4, SIZE_MAX);
	if (d)
		closedir(d);
	cmd_sort(&names);
}

static void
run(const char *name, char *argv[])
{
	static char path[PATH_MAX + 300], word[300];

	snprintf(word, sizeof(word), "axt-%s", name);
	snprintf(path, sizeof(path), "%s/%s", bin_dir, word);
	argv[0] = word;
	if (strchr(name, '/'))
		return;
	execv(path, argv);
	if (errno == ENOENT)
		execvp(word, argv);
}

/* Opens a pipe from axt-NAME --options, which close_rows closes. NULL: it cannot be run. */
static FILE *
open_rows(const char *name, pid_t *pid)
{
	char *argv[] = { NULL, (char *)"--options", NULL };
	int fd[2];

	if (pipe(fd) != 0)
		return NULL;
	*pid = fork();
	if (*pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		close(fd[0]);
		close(fd[1]);
		run(name, argv);
		_exit(127);
	}
	close(fd[1]);
	return *pid > 0 ? fdopen(fd[0], "r") : NULL;
}

static void
close_rows(FILE *f, pid_t pid)
{
	fclose(f);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

#define FIELDS 5 /* fields in a line of --options */

/* Calls `row` with the fields of each line that axt-NAME --options prints. */
static void
each_row(const char *name, void (*row)(char *field[FIELDS]))
{
	pid_t pid;
	FILE *f = open_rows(name, &pid);
	char *line = NULL, *p, *field[FIELDS];
	size_t cap = 0;
	ssize_t n;
	int i;

	while (f && (n = getline(&line, &cap, f)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		for (i = 0, p = line; i < FIELDS; i++) {
			field[i] = p;
			p += strcspn(p, "\t");
			if (*p != '\0')
				*p++ = '\0';
		}
		row(field);
	}
	free(line);
	if (f)
		close_rows(f, pid);
}

/* ---- list, help ---- */

static void
list_row(char *field[FIELDS])
{
	if (strcmp(field[0], "command") == 0)
		printf("%-12s  %s\n", field[1] + 4, field[2]);
}

/* Prints the name of an option as that of a parameter, in which a dash is an underscore. */
static void
json_name(const char *name)
{
	putchar('"');
	for (; *name; name++)
		putchar(*name == '-' ? '_' : *name);
	putchar('"');
}

/* Prints a row of an option as a member of an array of JSON; the first has no comma before it. */
static void
json_option(const char *name, char letter, const char *value, const char *help, bool first)
{
	printf("%s\n  {\"name\": ", first ? "" : ",");
	json_name(name);
	printf(", \"type\": \"%s\"", value && *value ? "text" : "flag");
	if (letter)
		printf(", \"letter\": \"%c\"", letter);
	if (value && *value) {
		printf(", \"value\": ");
		axt_json_word(stdout, value);
	}
	printf(", \"help\": ");
	axt_json_word(stdout, help);
	putchar('}');
}

static int json_rows;
static bool json_common; /* the options that follow are common ones */

/* A row of --options as a part of a member of "commands". */
static void
json_row(char *field[FIELDS])
{
	if (strcmp(field[0], "command") == 0) {
		printf("{\"name\": \"%s\", \"command\": [\"%s\"], \"help\": ", field[1] + 4,
		    field[1]);
		axt_json_word(stdout, field[2]);
		printf(", \"parameters\": [");
		json_rows = 0;
		json_common = false;
	} else if (strcmp(field[0], "common") == 0) {
		printf("], \"common\": [");
		json_rows = 0;
		json_common = true;
	} else if (strcmp(field[0], "option") == 0 && json_common) {
		printf("%s", json_rows++ ? ", " : "");
		json_name(field[2] + 2);
	} else if (strcmp(field[0], "option") == 0) {
		json_option(field[2] + 2,
		    field[1][0] == '-' && field[1][1] != '-' ? field[1][1] : 0, field[3], field[4],
		    json_rows++ == 0);
	}
}

/* All operations, the commands that are more than an operation, and the options they share. */
static void
list_json(void)
{
	const struct axt_alias *alias;
	bool first = true;

	printf("{\"operations\":\n");
	if (!axt_operations_json(stdout))
		cmd_oom();
	printf(",\n\"commands\": [");
	fflush(stdout); /* the rows come from other processes */
	for (int i = 0; i < names.n; i++) {
		if (axt_operation_named(names.v[i], &alias) || axt_chooser_named(names.v[i]))
			continue;
		printf("%s\n", first ? "" : ",");
		first = false;
		each_row(names.v[i], json_row);
		printf("]}");
	}
	printf("],\n\"common\": [");
	for (const struct cmd_opt *o = cmd_common_opts; o->type != CMD_T_END; o++)
		json_option(o->name, o->letter, o->arg, o->help, o == cmd_common_opts);
	printf("]}\n");
}

static void
list(bool json)
{
	if (json)
		list_json();
	for (int i = 0; i < names.n && !json; i++)
		each_row(names.v[i], list_row);
}

/* The line with another name of the command. */
static void
whole_line(const char *name, int argc, char *argv[], char *out, size_t size)
{
	line_from("axt");
	line_put(name, true);
	for (int i = 1; i < argc; i++)
		line_put(argv[i], true);
	snprintf(out, size, "%s", line_text);
}

/*
 * Writes the line of another command with the words that were typed. Returns false if there is no
 * such command, or if the words are not files together with numbers or specs such as AXIS=I.
 */
static bool
guess_typed_for(const char *name, int argc, char *argv[])
{
	bool there = false, files = false, others = false;
	char word[2048];

	for (int i = 0; i < names.n; i++)
		there = there || strcmp(names.v[i], name) == 0;
	snprintf(word, sizeof(word), "axt-%s", name);
	line_from(word);
	for (int i = 1; i < argc && there; i++) {
		bool file = advice_is_file(argv[i]), output = strcmp(argv[i - 1], "-o") == 0;
		bool other = axt_is_number(argv[i]) || line_is_part(argv[i]);

		files = files || file;
		others = others || other;
		if (!file && !output && !other && strcmp(argv[i], "-o") != 0)
			return false;
		if (output)
			line_put(argv[i], true);
		else
			line_put_whole(argv[i]);
	}
	return there && files && others;
}

/* Puts AXIS.FIELD and the file that were typed in place of those of the line, if that has them. */
static void
fields_typed(char *hint, size_t size, int argc, char *argv[])
{
	static const char month[] = "time.month 'a.nc:*' -o c.nc";
	char *at = strstr(hint, month);
	const char *field = NULL, *file = NULL, *dot;

	for (int i = 1; i < argc; i++)
		if (advice_is_file(argv[i]))
			file = argv[i];
		else if ((dot = strchr(argv[i], '.')) && line_is_field(dot + 1))
			field = argv[i];
	if (!at || at[sizeof(month) - 1] || !file || !field || argc != 3)
		return;
	*at = '\0';
	line_from(hint);
	line_put(field, false);
	line_put_whole(file);
	snprintf(hint, size, "%s", line_text);
}

/*
 * Replaces the windows in a line of axt-window by the AXIS=N that were typed, as in rolling(time=7)
 * and coarsen(lat=2, lon=2).
 */
static void
windows_typed(char *hint, size_t size, int argc, char *argv[])
{
	static const char *const names[] = { "w", "v", "u", "s" };
	char *rest, windows[300] = "", over[40] = "", text[1000];
	bool blocks = strstr(hint, ":2:2") != NULL;
	int n = 0;

	for (int i = 1; i < argc && n < 4; i++) {
		size_t axis = strcspn(argv[i], "=");
		const char *length = argv[i] + axis + 1;

		if (axis == 0 || axis > 60 || !argv[i][axis] || !*length || strlen(length) > 9 ||
		    length[strspn(length, "0123456789")])
			continue;
		snprintf(windows + strlen(windows), sizeof(windows) - strlen(windows),
		    " %.*s=%s:%s%s%s", (int)axis, argv[i], names[n], length, blocks ? ":" : "",
		    blocks ? length : "");
		snprintf(over + strlen(over), sizeof(over) - strlen(over), "%s%s", n ? "," : "",
		    names[n]);
		n++;
	}
	if (n == 0 || strncmp(hint, "axt-window ", 11) != 0 || !(rest = strstr(hint, "--over ")))
		return;
	rest += strlen("--over ");
	rest += strcspn(rest, " ");
	hint += strlen("axt-window");
	for (char *p = hint; *p == ' ' && strcspn(p + 1, "=") < strcspn(p + 1, " |'");) {
		size_t word = 1 + strcspn(p + 1, " ");

		memmove(p, p + word, strlen(p + word) + 1);
		rest -= word;
	}
	*(strstr(hint, "--over ") + strlen("--over ")) = '\0';
	snprintf(text, sizeof(text), "%s%.400s%s%.200s", windows, hint, over, rest);
	if (strlen(text) < size - strlen("axt-window"))
		strcpy(hint, text);
}

__attribute__((noreturn)) static void
unknown(int argc, char *argv[])
{
	const char *word = argv[0], *ours = axt_foreign_name(word, 0), *near;
	const char *nco = cmd_guess_nco(argc, argv), *guess;
	bool options = strncmp(word, "nc", 2) == 0 && argc > 1 && argv[1][0] == '-';
	bool windows = axt_has_word("rolling coarsen", word);
	char hint[1500], quoted[700], grid[700], *other[64];
	bool files = false;
	int n = 0;

	for (int i = 0; i < argc && n < 64; i++)
		if (!windows || advice_is_file(argv[i]) || !line_is_part(argv[i]))
			other[n++] = argv[i];
	/* cdo -select,name=tas: names of variables */
	if (strcmp(word, "select") == 0 && n > 1 &&
	    (strncmp(other[1], "-name,", 6) == 0 || strncmp(other[1], "name=", 5) == 0)) {
		static char names[300];

		snprintf(names, sizeof(names), "selname,%.280s",
		    other[1] + (other[1][0] == '-' ? 6 : 5));
		memmove(other, other + 1, (size_t)--n * sizeof(*other));
		other[0] = names;
	}
	if (axt_has_word("select sel extract", word) && n > 1 && strcmp(other[1], "-v") == 0) {
		other[0] = (char *)"ncks";
		nco = cmd_guess_nco(n, other);
	}
	/* the target is the file without a dataset, in either order */
	if (strcmp(word, "regrid") == 0 && n == 3 && advice_is_file(other[1]) &&
	    !strchr(other[1], ':') && advice_is_file(other[2]) && strchr(other[2], ':')) {
		char *target = other[1];

		other[1] = other[2];
		other[2] = target;
	}
	guess = nco ? nco : cmd_guess_tool(options ? 1 : n, other);
	snprintf(hint, sizeof(hint), "%s", guess ? guess : "");
	if (strcmp(word, "regrid") == 0 && argc == 3 && !advice_is_file(argv[1]) &&
	    advice_is_file(argv[2])) /* a grid of CDO, which axt-interp reads */
		snprintf(hint, sizeof(hint), "axt-interp %s %s",
		    axt_quoted_to(grid, sizeof(grid), argv[1]),
		    axt_quoted_to(quoted, sizeof(quoted), argv[2]));
	if (ours && !windows && strstr(hint, " a.nc") && guess_typed_for(ours, argc, argv))
		snprintf(hint, sizeof(hint), "%s", line_text);
	fields_typed(hint, sizeof(hint), argc, argv);
	if (windows)
		windows_typed(hint, sizeof(hint), argc, argv);
	/* packing is of a file */
	if (strstr(hint, " --deflate ") && !strstr(hint, " -o ") && strlen(hint) + 9 < sizeof(hint))
		strcat(hint, " -o c.nc");
	cmd_own_axes(hint, sizeof(hint), argc, argv);
	if (!guess) {
		near = axt_nearest_word(ours ? ours : word, names.v, names.n);
		for (int i = 1; i < argc; i++)
			files = files || advice_is_file(argv[i]);
		if (near && files)
			whole_line(near, argc, argv, hint, sizeof(hint));
		else if (near)
			snprintf(hint, sizeof(hint), "did you mean axt-%s?", near);
		else if (access(word, R_OK) == 0)
			snprintf(hint, sizeof(hint), "axt info %s",
			    axt_quoted_to(quoted, sizeof(quoted), word));
		else
			snprintf(hint, sizeof(hint), "axt list tells the commands");
	}
	cmd_usage(hint, "unknown command \"%s\"", cmd_name(word));
}

static void
help(const char *name)
{
	char *argv[] = { NULL, (char *)"--help", NULL };

	if (name) {
		run(strncmp(name, "axt-", 4) == 0 ? name + 4 : name, argv);
		unknown(1, (char *[]){ (char *)name });
	}
	cmd_help();
	printf("\ncommands:\n");
	fflush(stdout);
	list(false);
}

/* ---- completion ---- */

/* awk: the axes in what axt-info says, and behind each time axis its fields, as time.month. */
#define PARTS                                                                                \
	"'/^axes$/ { on = 1; next } /^$/ { on = 0 } on { print $1 } on && / since [0-9]/ { " \
	"n = split(\"year season month day hour dayofyear daysinmonth date\", f, \" \"); "   \
	"for (i = 1; i <= n; i++) print $1 \".\" f[i] }'"

/* Shell: the names of a file's axes, which stand behind "axes" in what axt-info says. */
#define AXES_OF                                                                           \
	"_axt_axes_of()\n"                                                                \
	"{\n"                                                                             \
	"\taxt-info \"$1\" 2>/dev/null | awk '/^axes$/ { on = 1; next } /^$/ { on = 0 } " \
	"on { print $1 }'\n"                                                              \
	"}\n"                                                                             \
	"# The axes, and the fields of those that are times.\n"                           \
	"_axt_parts_of()\n"                                                               \
	"{\n"                                                                             \
	"\taxt-info \"$1\" 2>/dev/null | awk " PARTS "\n"                                 \
	"}\n"

static const char *const script_head =
    "# bash completion for axt, made by `axt completion bash`"
    " from the option tables of the commands\n"
    "# Of a file: its tensors and coordinates; the axes of the first file on the line.\n"
    "_axt_tensors()\n"
    "{\n"
    "\taxt-info --names \"$1\" 2>/dev/null\n"
    "\t_axt_axes_of \"$1\"\n"
    "}\n" AXES_OF "_axt_axes()\n"
    "{\n"
    "\tlocal w\n"
    "\tfor w in \"${COMP_WORDS[@]}\"; do\n"
    "\t\t[[ -f $w ]] || continue\n"
    "\t\t_axt_axes_of \"$w\"\n"
    "\t\treturn\n"
    "\tdone\n"
    "}\n"
    "# The same with the fields of times.\n"
    "_axt_parts()\n"
    "{\n"
    "\tlocal w\n"
    "\tfor w in \"${COMP_WORDS[@]}\"; do\n"
    "\t\t[[ -f $w ]] || continue\n"
    "\t\t_axt_parts_of \"$w\"\n"
    "\t\treturn\n"
    "\tdone\n"
    "}\n"
    "_axt()\n"
    "{\n"
    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}"
    " cmd=${COMP_WORDS[0]##*/}\n"
    "\tlocal at=1 opts= words= values= axes=\n"
    "\n"
    "\tCOMPREPLY=()\n"
    "\tif [[ $cmd == axt ]]; then\n"
    "\t\tif ((COMP_CWORD == 1)); then\n"
    "\t\t\tCOMPREPLY=($(compgen -W \"$_axt_commands help list completion\" -- \"$cur\"))\n"
    "\t\t\treturn\n"
    "\t\tfi\n"
    "\t\tcmd=axt-${COMP_WORDS[1]}\n"
    "\t\tat=2\n"
    "\tfi\n"
    "\tcase $cmd in\n";
static const char *const script_tail =
    "\tesac\n"
    "\tif [[ -n $values ]]; then\n"
    "\t\tCOMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
    "\telif [[ $cur == -* ]]; then\n"
    "\t\tCOMPREPLY=($(compgen -W \"$opts\" -- \"$cur\"))\n"
    "\telif [[ $cur == : && -f $prev ]]; then\n"
    "\t\tCOMPREPLY=($(_axt_tensors \"$prev\"))\n"
    "\telif [[ $prev == : && -f ${COMP_WORDS[COMP_CWORD-2]} ]]; then\n"
    "\t\tCOMPREPLY=($(compgen -W \"$(_axt_tensors \"${COMP_WORDS[COMP_CWORD-2]}\")\" -- \"$cur\"))\n"
    "\telif ((COMP_CWORD == at)) && [[ -n $words ]]; then\n"
    "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "\telif [[ -n $axes && $prev != -* ]]; then\n"
    "\t\tcompopt -o nospace 2>/dev/null\n"
    "\t\tCOMPREPLY=($(compgen -W \"$(_axt_parts)\" -- \"$cur\"))\n"
    "\tfi\n"
    "}\n";

static bool words_open;

static void
option_row(char *field[FIELDS])
{
	if (strcmp(field[0], "option") != 0)
		return;
	printf(" %s", field[2]);
	if (field[1][1] != '-' && field[1][1] != '\0')
		printf(" %s", field[1]);
}

static void
word_row(char *field[FIELDS])
{
	if (strcmp(field[0], "word") != 0)
		return;
	printf("%s%s", words_open ? " " : "\t\twords=\"", field[1]);
	words_open = true;
}

/*
 * Prints a value for completion: "override" for "override[:AXES]", and nothing for a value that
 * stands for others, such as FILE.
 */
static void
print_value(const char *p)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
	size_t n = strspn(p, plain);

	if (n > 0 && (p[n] == '\0' || p[n] == '['))
		printf("%.*s ", (int)n, p);
}

static void
axes_row(char *field[FIELDS])
{
	if (strcmp(field[0], "axes") == 0)
		printf("\t\taxes=1\n");
}

/* Whether labels may be the value, of which AXIS.FIELD are some. */
static bool
takes_parts(char *field[FIELDS])
{
	return strcmp(field[2], "--by") == 0;
}

static bool
takes_axes(char *field[FIELDS])
{
	return strncmp(field[3], "AXES", 4) == 0 || strncmp(field[3], "AXIS", 4) == 0;
}

/* Prints the completion of an option whose value is one of a list of words, a dtype, or axes. */
static void
value_row(char *field[FIELDS])
{
	char *p;
	int i;

	if (strcmp(field[0], "option") != 0)
		return;
	if (strcmp(field[3], "TYPE") == 0) {
		printf("\t\t[[ $prev == %s ]] && values=\"", field[2]);
		for (i = AXT_BOOL; i < AXT_NDTYPES; i++)
			printf("%s%s", i > AXT_BOOL ? " " : "", axt_dtype_name((enum axt_dtype)i));
		printf("\"\n");
	} else if (takes_axes(field) || takes_parts(field)) {
		printf("\t\t[[ $prev == %s ]] && values=$(_axt_%s)\n", field[2],
		    takes_axes(field) ? "axes" : "parts");
	} else if (strchr(field[3], '|')) {
		printf("\t\t[[ $prev == %s ]] && values=\"", field[2]);
		for (p = strtok(field[3], "|"); p; p = strtok(NULL, "|"))
			print_value(p);
		printf("\"\n");
	}
}

static void
bash(void)
{
	int i;

	printf("_axt_commands='");
	for (i = 0; i < names.n; i++)
		printf("%s%s", i > 0 ? " " : "", names.v[i]);
	printf("'\n%s", script_head);
	for (i = 0; i < names.n; i++) {
		printf("\taxt-%s)\n\t\topts=\"", names.v[i]);
		fflush(stdout);
		each_row(names.v[i], option_row);
		printf("\"\n");
		words_open = false;
		each_row(names.v[i], word_row);
		printf(words_open ? "\"\n" : "");
		each_row(names.v[i], value_row);
		each_row(names.v[i], axes_row);
		printf("\t\t;;\n");
	}
	printf("%scomplete -o default -F _axt axt", script_tail);
	for (i = 0; i < names.n; i++)
		printf(" axt-%s", names.v[i]);
	putchar('\n');
}

/* ---- zsh and fish: made from the same rows, with descriptions ---- */

static bool
has_letter(char *field[FIELDS])
{
	return field[1][0] == '-' && field[1][1] != '-' && field[1][1] != '\0';
}

/*
 * Prints s for the inside of a word in single quotes. Each single quote of s is printed as `quote`,
 * and each byte that is in `special` gets a backslash before it.
 */
static void
print_quoted(const char *s, const char *special, const char *quote)
{
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			fputs(quote, stdout);
		else
			printf("%s%c", strchr(special, *s) ? "\\" : "", *s);
	}
}

/*
 * Prints the text `before`, and then the words that an option may have as its value: the dtypes for
 * TYPE, or the words between bars. Returns false, and prints nothing, if arg lists no words.
 */
static bool
print_values(const char *arg, const char *before)
{
	char *list, *p;

	if (strcmp(arg, "TYPE") == 0) {
		fputs(before, stdout);
		for (int i = AXT_BOOL; i < AXT_NDTYPES; i++)
			printf("%s ", axt_dtype_name((enum axt_dtype)i));
		return true;
	}
	if (!strchr(arg, '|') || !(list = strdup(arg)))
		return false;
	fputs(before, stdout);
	for (p = strtok(list, "|"); p; p = strtok(NULL, "|"))
		print_value(p);
	free(list);
	return true;
}

static void
zsh_option(char *field[FIELDS])
{
	if (strcmp(field[0], "option") != 0)
		return;
	if (has_letter(field))
		printf(" \\\n\t\t'(%s %s)'{%s,%s}'[", field[1], field[2], field[1], field[2]);
	else
		printf(" \\\n\t\t'%s[", field[2]);
	print_quoted(field[4], "[]\\", "'\\''");
	putchar(']');
	if (field[3][0] != '\0') {
		putchar(':');
		print_quoted(field[3], ":[]\\", "'\\''");
		if (takes_axes(field))
			printf(":_axt_axes");
		else if (takes_parts(field))
			printf(":_axt_axes_or_operand");
		else if (print_values(field[3], ":("))
			putchar(')');
		else
			printf(":_axt_operand");
	}
	putchar('\'');
}

static void
zsh_word(char *field[FIELDS])
{
	if (strcmp(field[0], "word") == 0)
		printf("%s%s", words_open ? " " : " \\\n\t\t'1:word:(", field[1]);
	words_open = words_open || strcmp(field[0], "word") == 0;
}

static void
zsh_axes(char *field[FIELDS])
{
	if (strcmp(field[0], "axes") == 0)
		printf("_axes_or");
}

static void
zsh_command(char *field[FIELDS])
{
	if (strcmp(field[0], "command") != 0)
		return;
	printf("\t\t'%s:", field[1] + 4);
	print_quoted(field[2], ":\\", "'\\''");
	printf("'\n");
}

static void
zsh(void)
{
	int i;

	printf("#compdef axt");
	for (i = 0; i < names.n; i++)
		printf(" axt-%s", names.v[i]);
	printf(
	    "\n# zsh completion for axt, made by `axt completion zsh` from the option tables\n" AXES_OF
	    "# The axes of the first file on the line; files, and behind FILE: what is in it.\n"
	    "_axt_axes()\n{\n\tlocal w\n\tfor w in $words; do\n"
	    "\t\t[[ -f $w ]] || continue\n"
	    "\t\tcompadd -- ${(f)\"$(_axt_axes_of $w)\"}\n\t\treturn\n\tdone\n}\n"
	    "_axt_parts()\n{\n\tlocal w\n\tfor w in $words; do\n"
	    "\t\t[[ -f $w ]] || continue\n"
	    "\t\tcompadd -S '' -- ${(f)\"$(_axt_parts_of $w)\"}\n\t\treturn\n\tdone\n}\n"
	    "_axt_axes_or_operand()\n{\n\t_axt_parts\n\t_axt_operand\n}\n"
	    "_axt_operand()\n{\n\tlocal file=${PREFIX%%:*}\n"
	    "\tif [[ $PREFIX == *:* && -f $file ]]; then\n"
	    "\t\tcompadd -P $file: -- ${(f)\"$(axt-info --names $file 2>/dev/null; "
	    "_axt_axes_of $file)\"}\n"
	    "\telse\n\t\t_files\n\tfi\n}\n"
	    "_axt()\n{\n\tlocal -a commands\n\tlocal cmd=${service:-$words[1]}\n\n\tcommands=(\n");
	fflush(stdout);
	for (i = 0; i < names.n; i++)
		each_row(names.v[i], zsh_command);
	printf("\t)\n\tif [[ $cmd == axt ]]; then\n"
	       "\t\tif ((CURRENT == 2)); then\n"
	       "\t\t\tcommands+=(help list completion)\n"
	       "\t\t\t_describe command commands\n\t\t\treturn\n\t\tfi\n"
	       "\t\tcmd=axt-$words[2]\n\t\tshift words\n\t\t((CURRENT--))\n\tfi\n\tcase $cmd in\n");
	for (i = 0; i < names.n; i++) {
		printf("\taxt-%s)\n\t\t_arguments -s", names.v[i]);
		fflush(stdout);
		each_row(names.v[i], zsh_option);
		words_open = false;
		each_row(names.v[i], zsh_word);
		printf("%s \\\n\t\t'*:operand:_axt", words_open ? ")'" : "");
		fflush(stdout);
		each_row(names.v[i], zsh_axes);
		printf("_operand' ;;\n");
	}
	printf("\t*)\n\t\t_files ;;\n\tesac\n}\n"
	       "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n\t_axt \"$@\"\nelse\n"
	       "\tcompdef _axt axt");
	for (i = 0; i < names.n; i++)
		printf(" axt-%s", names.v[i]);
	printf("\nfi\n");
}

/* Prints a line for fish: a word to offer, a tab, its description. */
static void
fish_line(const char *word, const char *says)
{
	printf(" \\\n\t\t\t'");
	print_quoted(word, "\\", "\\'");
	putchar('\t');
	print_quoted(says, "\\", "\\'");
	putchar('\'');
}

static void
fish_option(char *field[FIELDS])
{
	if (strcmp(field[0], "option") != 0)
		return;
	fish_line(field[2], field[4]);
	if (has_letter(field))
		fish_line(field[1], field[4]);
}

static void
fish_value(char *field[FIELDS])
{
	if (strcmp(field[0], "axes") == 0)
		printf("\t\tstring match -qv -- '-*' $argv[2]; and __axt_parts\n");
	else if (strcmp(field[0], "option") == 0 && (takes_axes(field) || takes_parts(field)))
		printf("\t\ttest \"$argv[2]\" = %s; and __axt_%s; and return\n", field[2],
		    takes_axes(field) ? "axes" : "parts");
	else if (strcmp(field[0], "option") == 0 && print_values(field[3], "\t\tset -l values "))
		printf("\n\t\ttest \"$argv[2]\" = %s; and printf '%%s\\n' $values; and return\n",
		    field[2]);
}

static void
fish_word(char *field[FIELDS])
{
	if (strcmp(field[0], "word") == 0)
		fish_line(field[1], field[2]);
}

static void
fish_command(char *field[FIELDS])
{
	if (strcmp(field[0], "command") == 0)
		fish_line(field[1] + 4, field[2]);
}

static void
fish(void)
{
	int i;

	printf(
	    "# fish completion for axt, made by `axt completion fish` from the option tables\n"
	    "# The axes of a file; those of the first file on the line; what is in FILE.\n"
	    "function __axt_axes_of\n"
	    "\taxt-info $argv[1] 2>/dev/null | awk '/^axes$/ { on = 1; next } /^$/ { on = 0 } "
	    "on { print $1 }'\nend\n"
	    "function __axt_axes\n\tfor w in (commandline -opc)\n"
	    "\t\ttest -f $w; and __axt_axes_of $w; and return\n\tend\nend\n"
	    "# The same, with the fields of those that are times.\n"
	    "function __axt_parts\n\tfor w in (commandline -op)\n"
	    "\t\ttest -f $w; and axt-info $w 2>/dev/null | awk " PARTS "; and return\n\tend\nend\n"
	    "function __axt_tensors\n"
	    "\tset -l file (string replace -r ':.*' '' -- $argv[1])\n"
	    "\ttest -f $file; or return 1\n"
	    "\tfor n in (axt-info --names $file 2>/dev/null; __axt_axes_of $file)\n"
	    "\t\techo $file:$n\n\tend\nend\n"
	    "# __axt_words COMMAND WORD-BEFORE FIRST: what may stand there; FIRST is 1 for the first "
	    "operand.\n"
	    "function __axt_words\n\tswitch $argv[1]\n\tcase axt\n\t\tprintf '%%s\\n' help list "
	    "completion");
	fflush(stdout);
	for (i = 0; i < names.n; i++)
		each_row(names.v[i], fish_command);
	putchar('\n');
	for (i = 0; i < names.n; i++) {
		printf("\tcase axt-%s\n", names.v[i]);
		fflush(stdout);
		each_row(names.v[i], fish_value);
		printf("\t\tprintf '%%s\\n'");
		each_row(names.v[i], fish_option);
		printf("\n\t\ttest $argv[3] = 1; and printf '%%s\\n' ''");
		each_row(names.v[i], fish_word);
		putchar('\n');
	}
	printf("\tend\nend\n"
	       "function __axt_complete\n"
	       "\tset -l w (commandline -opc)\n"
	       "\tset -l cmd (string replace -r '.*/' '' -- $w[1])\n"
	       "\tset -l at (count $w)\n"
	       "\tif string match -q '*:*' -- (commandline -ct)\n"
	       "\t\t__axt_tensors (commandline -ct); and return\n\tend\n"
	       "\tif test $cmd = axt; and test $at -gt 1\n"
	       "\t\tset cmd axt-$w[2]\n\t\tset at (math $at - 1)\n\tend\n"
	       "\t__axt_words $cmd $w[-1] $at\n"
	       "end\n"
	       "complete -c axt -a '(__axt_complete)'\n");
	for (i = 0; i < names.n; i++)
		printf("complete -c axt-%s -a '(__axt_complete)'\n", names.v[i]);
}

static void
completion(const char *shell)
{
	if (shell && strcmp(shell, "bash") == 0)
		bash();
	else if (shell && strcmp(shell, "zsh") == 0)
		zsh();
	else if (shell && strcmp(shell, "fish") == 0)
		fish();
	else
		cmd_usage("axt completion bash", "completion is made for bash, zsh and fish");
}

int
cmd_main_axt(int argc, char *argv[])
{
	const char *word = argc > 1 ? argv[1] : "", *next = argc > 2 ? argv[2] : NULL;

	cmd_fill_descriptors();
	cmd_st.c = &axt;
	cmd_st.argc = argc;
	cmd_st.argv = argv;
	find_bin_dir();
	if (argc < 2)
		cmd_usage("axt help; axt list tells the commands", "no command");
	if (word[0] != '-' && strcmp(word, "help") != 0 && strcmp(word, "list") != 0 &&
	    strcmp(word, "completion") != 0)
		run(word, argv + 1);
	find_names();
	if (strcmp(word, "--version") == 0)
		printf("axt %s\n", axt_version());
	else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 ||
	    strcmp(word, "help") == 0)
		help(word[0] == '-' ? NULL : next);
	else if (strcmp(word, "list") == 0)
		list(next && strcmp(next, "--json") == 0);
	else if (strcmp(word, "completion") == 0)
		completion(next);
	else {
		argv[1] = (char *)word; /* run has put axt-WORD there */
		unknown(argc - 1, argv + 1);
	}
	return cmd_flush(0);
}
