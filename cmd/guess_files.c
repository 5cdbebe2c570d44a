/*
 * guess_files.c - hints about files: several where one is meant, stars, formats, options that
 * are datasets.
 */
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guess.h"

const char *
guess_append(const char *error)
{
	const char *out = cmd_st.o.output;
	size_t n = out ? strlen(out) : 0;

	if (!out || strcmp(cmd_st.c->name, "axt-concat") != 0 ||
	    !strstr(error, " is also an operand and holds other tensors"))
		return NULL;
	guess_from("axt-append");
	for (int i = cmd_st.nwords; i < cmd_st.args.n; i++) {
		char file[1024];
		const char *w = cmd_st.args.v[i];
		bool same = strncmp(w, out, n) == 0 && (w[n] == '\0' || w[n] == ':');

		if (same != (i == cmd_st.nwords)) /* records go behind those of the first file */
			return NULL;
		snprintf(file, sizeof(file), "%.*s", (int)strcspn(w, ":"), w);
		guess_put(file, true);
	}
	return cmd_st.args.n > cmd_st.nwords + 1 ? guess_text : NULL;
}

/* Files without a time axis are no pieces of one: the command is run for each of them. */
static const char *
for_each_file(void)
{
	const struct cmd_list *a = &cmd_st.args;

	guess_from("for f in");
	for (int i = cmd_st.nwords; i < a->n; i++)
		guess_put(a->v[i], true);
	guess_put("; do ", false);
	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(a->v[i], true);
	guess_put(" \"$f\"", false);
	guess_end(a->n, -1);
	guess_put("; done", false);
	return guess_text;
}

const char *
guess_several_files(int n)
{
	const struct cmd_list *a = &cmd_st.args;
	bool several = false;
	char all[2048];

	for (int i = 0; i < cmd_st.nwords; i++)
		if (guess_is_file(a->v[i]))
			return NULL;
	if (guess_is_file(a->v[cmd_st.nwords]) &&
	    !guess_has_axis(a->v[cmd_st.nwords], guess_axis("time")))
		return n == a->n && !cmd_st.o.output ? for_each_file() : NULL;
	guess_from("axt-concat");
	guess_put(guess_axis("time"), true);
	for (int i = cmd_st.nwords; i < n; i++) {
		const char *before = i > cmd_st.nwords ? a->v[i - 1] : "";
		size_t len = strcspn(before, ":") + 1;

		if (!guess_is_file(a->v[i]) ||
		    (before[len - 1] == ':' && strncmp(before, a->v[i], len) == 0))
			return NULL;
		several = !strchr(a->v[i], ':') && guess_tensors(a->v[i]) > 1;
		snprintf(all, sizeof(all), "%s%s", a->v[i], several ? ":*" : "");
		guess_put(all, true);
	}
	guess_put(" | ", false);
	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(a->v[i], true);
	guess_put(several ? "-:*" : "-", true);
	if (n < a->n) {
		guess_put("-o", true);
		guess_put(a->v[n], true);
	}
	guess_end(a->n, -1);
	return strlen(guess_text) + 1 < sizeof(guess_text) ? guess_text : NULL;
}

int
guess_not_there(const char *error)
{
	for (int i = 0; i < cmd_st.args.n; i++) {
		const char *name = cmd_name(cmd_st.args.v[i]);
		size_t n = strlen(name);

		if (strncmp(error, name, n) == 0 &&
		    strncmp(error + n, ": No such file", strlen(": No such file")) == 0)
			return i;
	}
	return -1;
}

/* Writes FILE:NAME of a file here that is called like the dataset NAME and has it. */
static bool
in_file_of_name(const char *name, char *out, size_t size)
{
	static const char *const forms[] = { "%s*.nc", "*%s*.nc", "%s*.h5", "*%s*.h5" };
	char pattern[300];
	glob_t found;
	bool is = false;

	if (!*name ||
	    name[strspn(name,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
		"0123456789")] != '\0')
		return false;
	for (size_t k = 0; k < sizeof(forms) / sizeof(forms[0]) && !is; k++) {
		snprintf(pattern, sizeof(pattern), forms[k], name);
		if (glob(pattern, 0, NULL, &found) != 0)
			continue;
		for (size_t i = 0; i < found.gl_pathc && i < 20 && !is; i++) {
			is = guess_has_tensor(found.gl_pathv[i], name);
			snprintf(out, size, "%s:%s", found.gl_pathv[i], name);
		}
		globfree(&found);
	}
	return is;
}

/* The line with `both`, FILE:NAME, in place of NAME as the value of an option; NULL: it is none. */
static const char *
with_dataset(const char *name, const char *both)
{
	bool any = false;

	guess_begin();
	for (int k = 0; k < cmd_st.args.n; k++)
		guess_put(cmd_st.args.v[k], true);
	for (int k = 0; k < cmd_st.given.n; k++) {
		const char *before = k > 0 ? cmd_st.given.v[k - 1] : "";
		bool axes = strcmp(before, "--over") == 0 || strcmp(before, "--along") == 0;
		bool is = !axes && strcmp(cmd_st.given.v[k], name) == 0;

		guess_put(is ? both : cmd_st.given.v[k], true);
		any = any || is;
	}
	return any ? guess_text : NULL;
}

const char *
guess_dataset_of(const char *error)
{
	const char *colon = strstr(error, ": No such file");
	char both[2048], name[256];
	bool found;

	snprintf(name, sizeof(name), "%.*s", (int)(colon ? colon - error : 0), error);
	for (int i = cmd_st.nwords; colon && i < cmd_st.args.n; i++) {
		const char *w = cmd_st.args.v[i];
		struct axt_graph *g = guess_is_file(w) ? axt_graph_new() : NULL;

		snprintf(both, sizeof(both), "%.*s:%s", (int)strcspn(w, ":"), w, name);
		if (!g)
			continue;
		axt_open_text(g, both, NULL);
		found = !axt_graph_error(g);
		i += found ? cmd_st.args.n : 0;
		axt_graph_free(g);
		if (i < cmd_st.args.n)
			continue;
		return with_dataset(name, both);
	}
	return colon && in_file_of_name(name, both, sizeof(both)) ? with_dataset(name, both) : NULL;
}

const char *
guess_emptied(const char *error)
{
	struct stat out, in;

	if (!strstr(error, ": is empty") || fstat(STDOUT_FILENO, &out) != 0 || out.st_size > 0)
		return NULL;
	for (int i = 0; i < cmd_st.args.n; i++)
		if (stat(cmd_st.args.v[i], &in) == 0 && in.st_ino == out.st_ino &&
		    in.st_dev == out.st_dev) {
			guess_begin();
			for (int k = 0; k < cmd_st.args.n; k++)
				guess_put(cmd_st.args.v[k], true);
			guess_put("-o", true);
			guess_put(cmd_st.args.v[i], true);
			guess_put(" replaces it; \">\" empties it first", false);
			return guess_end(cmd_st.args.n, -1);
		}
	return NULL;
}

/* The operand that the first n characters of the message name; -1: there is none. */
static int
operand_of(const char *error, size_t n)
{
	for (int i = cmd_st.nwords; i < cmd_st.args.n; i++) {
		const char *name = cmd_name(cmd_st.args.v[i]);

		if (strlen(name) == n && strncmp(error, name, n) == 0)
			return i;
	}
	return -1;
}

/* Puts FILE:NAME, where n characters of the message are the file, and tensors follow at `at`. */
static void
put_first_of(const char *error, size_t n, const char *at)
{
	const char *end = strstr(at, ", ") ? strstr(at, ", ") : strstr(at, " and ");
	char one[2048];

	snprintf(one, sizeof(one), "%.*s:%.*s", (int)n, error,
	    end ? (int)(end - at) : (int)strcspn(at, "\n"), at);
	guess_put(one, true);
}

/* The command line, in which operand `whole` is FILE:*; -1: none is. */
static void
put_line(int whole)
{
	char all[2048];

	for (int i = 0; i < cmd_st.args.n; i++) {
		snprintf(all, sizeof(all), "%s%s", cmd_st.args.v[i], i == whole ? ":*" : "");
		guess_put(all, true);
	}
	guess_end(cmd_st.args.n, -1);
}

const char *
guess_each_of(const char *error)
{
	static const char says[] = " holds several tensors: ";
	const char *at = strstr(error, says);
	size_t n = at ? (size_t)(at - error) : 0;
	int file = at ? operand_of(error, n) : -1, flags = (int)cmd_st.c->flags;
	char all[2048];

	if (file < 0 || cmd_st.o.each || (flags & CMD_NAMED))
		return NULL;
	guess_begin();
	if (flags & CMD_PRINTS) {
		put_line(file);
		guess_put(" takes all of them; one is", false);
		put_first_of(error, n, at + strlen(says));
		return guess_text;
	}
	if ((flags & CMD_LISTS) || !(flags & (CMD_WRITES | CMD_FILES)))
		return NULL;
	guess_put("--each", true);
	put_line(-1);
	guess_put(" does it with each of them; one is", false);
	put_first_of(error, n, at + strlen(says));
	guess_put(", all are", false);
	snprintf(all, sizeof(all), "%.*s:*", (int)n, error);
	guess_put(all, true);
	return guess_text;
}

/* The files of a pattern end to end, for a command that takes one operand, which is word i. */
static const char *
joined_files(const char *pattern, const char *colon, int i)
{
	bool all = colon && strcmp(colon, ":*") == 0;

	guess_from("axt-concat");
	guess_put(guess_axis("time"), true);
	if (all)
		guess_put("--each", true);
	else if (colon) {
		guess_put("-d", true);
		guess_put(colon + 1, true);
	}
	guess_put(" ", false);
	guess_put(pattern, false);
	guess_put(" | ", false);
	guess_put(cmd_st.c->name, false);
	for (int k = 0; k < i; k++)
		guess_put(cmd_st.args.v[k], true);
	guess_put(all ? "-:*" : "-", true);
	return guess_end(cmd_st.args.n, -1);
}

const char *
guess_quoted_star(const char *error)
{
	char name[2048];
	glob_t found;
	bool any = false, each = false, several;

	guess_begin();
	for (int i = 0; i < cmd_st.args.n; i++) {
		const char *w = cmd_st.args.v[i], *colon = strchr(w, ':');
		size_t n = colon ? (size_t)(colon - w) : strlen(w);

		snprintf(name, sizeof(name), "%.*s", (int)n, w);
		if (!strpbrk(name, "*?[") || strchr(name, ' ') || guess_is_file(name) ||
		    strncmp(error, name, n) != 0 || strncmp(error + n, ": No such file", 14) != 0 ||
		    glob(name, 0, NULL, &found) != 0) {
			guess_put(w, true);
			continue;
		}
		several = found.gl_pathc > 1 && cmd_st.c->in[0] && !cmd_st.c->in[1] &&
		    !(cmd_st.c->flags & CMD_NARY);
		globfree(&found);
		if (several)
			return joined_files(name, colon, i);
		if (colon && strcmp(colon, ":*") == 0 && !cmd_st.o.each && !each)
			guess_put("--each", true);
		else if (colon && strcmp(colon, ":*") != 0 && !each) {
			guess_put("-d", true);
			guess_put(colon + 1, true);
		}
		each = each || colon;
		any = true;
		guess_put(" ", false);
		guess_put(name, false);
	}
	return any ? guess_end(cmd_st.args.n, -1) : NULL;
}

const char *
guess_other_format(const char *error)
{
	static const char *const others[][2] = { { ".txt", ".csv" }, { ".tsv", ".csv" },
		{ ".dat", ".raw" }, { ".bin", ".raw" } };
	static const char *const hdf5[] = { ".nc", ".nc4", ".h5", ".hdf5", ".hdf" };
	const char *w = cmd_st.args.v[0], *a = cmd_st.args.n > 1 ? cmd_st.args.v[1] : "";
	const char *base = strrchr(a, '/') ? strrchr(a, '/') + 1 : a;
	char file[1024];

	if (strcmp(cmd_st.c->name, "axt-to") != 0 || !strstr(error, ": the name tells no format"))
		return NULL;
	for (size_t i = 0; i < sizeof(hdf5) / sizeof(hdf5[0]); i++)
		if (guess_ends_with(w, hdf5[i])) {
			guess_from("axt-copy");
			for (int k = 1; k < cmd_st.args.n; k++)
				guess_put(cmd_st.args.v[k], true);
			guess_put("-o", true);
			guess_put(w, true);
			return guess_end(cmd_st.args.n, -1);
		}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (guess_ends_with(w, others[i][0])) {
			snprintf(file, sizeof(file), "%.*s%s", (int)(strrchr(w, '.') - w), w,
			    others[i][1]);
			guess_begin();
			guess_put(file, true);
			guess_end(1, -1);
			guess_put("; --format npy, csv, raw, pnm or safetensors tells another",
			    false);
			return guess_text;
		}
	if (axt_choice(cmd_formats, w) < 1 || !guess_is_file(a))
		return NULL;
	snprintf(file, sizeof(file), "%.*s.%s", (int)strcspn(base, ".:"), base, w);
	guess_begin();
	guess_put(file, true);
	return guess_end(1, -1);
}
