/*
 * guess_typed.c - hints about words that were typed where they mean something else: axes among
 * labels, a dataset behind its file, a command behind ">", a coordinate that is not there.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guess.h"

/* Whether a list with commas has the word. */
static bool
lists(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == n && strncmp(list, word, n) == 0)
			return true;
	return false;
}

const char *
guess_labels(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *by = NULL, *over = NULL, *file = a->n == 2 ? a->v[1] : "";
	int at = guess_option_at("--by", &by);
	bool reduced = guess_option_at("--over", &over) < 0;
	char axis[100], labels[1500] = "";
	size_t n = 0;

	snprintf(axis, sizeof(axis), "%.*s", (int)strcspn(error, ":"), error);
	if (strcmp(cmd_st.c->name, "axt-reduce") != 0 || at < 0 || !strchr(by, ',') ||
	    !strstr(error, ": No such file") || !guess_is_file(file) || !lists(by, axis) ||
	    !guess_has_axis(file, axis))
		return NULL;
	reduced = reduced || lists(over, axis);
	for (const char *p = by; *p && n < sizeof(labels); p += strcspn(p, ","), p += *p == ',') {
		size_t len = strcspn(p, ",");
		bool own = strlen(axis) == len && strncmp(p, axis, len) == 0;

		if (own && !reduced) /* the axis is kept without a label */
			continue;
		n += (size_t)snprintf(labels + n, sizeof(labels) - n, "%s%.*s%s%.*s", n ? "," : "",
		    own ? (int)strcspn(file, ":") : 0, file, own ? ":" : "", (int)len, p);
	}
	if (n >= sizeof(labels))
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++)
		guess_put(a->v[i], true);
	guess_put_options(at);
	guess_put("--by", true);
	guess_put(labels, true);
	return guess_text;
}

const char *
guess_dataset_behind(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	int f = cmd_st.nwords;
	char both[2048];

	if (!strstr(error, " holds several tensors: ") || a->n != f + 2 || f > 1 ||
	    strchr(a->v[f], ':') || !guess_is_file(a->v[f]) || guess_is_file(a->v[f + 1]) ||
	    !guess_has_tensor(a->v[f], a->v[f + 1]))
		return NULL;
	snprintf(both, sizeof(both), "%s:%s", a->v[f], a->v[f + 1]);
	guess_begin();
	for (int i = 0; i < f; i++)
		guess_put(a->v[i], true);
	guess_put(both, true);
	return guess_end(a->n, -1);
}

const char *
guess_pipe(void)
{
	const struct cmd_list *a = &cmd_st.args;
	char path[4096], *name;
	ssize_t n = readlink("/proc/self/fd/1", path, sizeof(path) - 1);
	struct stat st;
	int last = a->n;

	path[n > 0 ? n : 0] = '\0';
	name = strrchr(path, '/');
	if (!name || strncmp(name, "/axt-", 5) != 0 || fstat(STDOUT_FILENO, &st) != 0 ||
	    st.st_size > 0)
		return NULL;
	while (last > cmd_st.nwords + 1 && !guess_is_file(a->v[last - 1]))
		last--;
	if (last == a->n)
		return NULL;
	guess_begin();
	for (int i = 0; i < last; i++)
		guess_put(a->v[i], true);
	guess_end(a->n, -1);
	guess_put(" | ", false);
	guess_put(name + 1, false);
	for (int i = last; i < a->n; i++)
		guess_put(a->v[i], true);
	return guess_text;
}

const char *
guess_nearest(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *spec;

	if (!strstr(error, ": nearest is ") || strcmp(cmd_st.c->name, "axt-slice") != 0)
		return NULL;
	if (guess_respelled()) {
		spec = strchr(guess_text, '@');
		spec = spec ? spec : "";
		if (!strchr(spec, 'T') && memchr(spec, ':', strcspn(spec, " "))) {
			guess_put(" takes what lies between; --nearest takes the nearest", false);
			return guess_text;
		}
	} else {
		guess_begin();
		guess_end(0, -1);
	}
	for (int i = 0; i < a->n; i++)
		if (strcmp(a->v[i], "-") == 0)
			return NULL;
	if (!strstr(guess_text, " --nearest"))
		guess_put("--nearest", true);
	return guess_text;
}

const char *
cmd_guess_expression(const char *word)
{
	static const char letters[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const struct cmd_list *a = &cmd_st.args;
	const char *file = a->n == 2 ? a->v[1] : "";
	struct axt_graph *g = axt_graph_new();
	const char *const *names = g && guess_is_file(file) ? axt_tensors(g, file) : NULL;
	char text[600], name[200] = "";
	size_t n = 0, len;

	if (strchr(file, ':') && guess_is_file(file))
		snprintf(name, sizeof(name), "%s", strchr(file, ':') + 1);
	else if (names && *names && !names[1] && strlen(*names) < sizeof(name))
		snprintf(name, sizeof(name), "%s", *names + (**names == '/'));
	axt_graph_free(g);
	if (!*name || strspn(name, letters) != strlen(name))
		return NULL;
	for (const char *p = word; *p && n < sizeof(text); p += len) {
		bool x;

		len = strspn(p, letters);
		len = len ? len : 1;
		x = len == 1 && (*p == 'x' || *p == 'a');
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s",
		    (int)(x ? strlen(name) : len), x ? name : p);
	}
	if (n >= sizeof(text))
		return NULL;
	guess_from("axt-calc");
	guess_put(text, true);
	return guess_end(1, -1);
}
