/*
 * guess_names.c - hints about names of axes, datasets and attributes: renaming, assigning,
 * ordering.
 */
#include <stdlib.h>
#include <string.h>

#include "guess.h"

const char *
guess_order_meant(int f)
{
	char numbers[512] = "", both[512];

	if (strcmp(cmd_st.c->name, "axt-transpose") != 0 || f == 0)
		return NULL;
	for (int i = 0; i < f; i++)
		snprintf(numbers + strlen(numbers), sizeof(numbers) - strlen(numbers), "%s%s",
		    i ? "," : "", cmd_st.args.v[i]);
	if (guess_numbered_axes(cmd_st.args.v[f], numbers, both, sizeof(both))) {
		guess_from("axt-order");
		guess_put(both, true);
		return guess_end(f, -1);
	}
	guess_from("axt-order");
	guess_put(cmd_st.args.v[0], true);
	for (int i = 1; i < f; i++) {
		guess_put(",", false);
		guess_put_more(cmd_st.args.v[i]);
	}
	return guess_end(f, -1);
}

void
guess_assigned(const char *w, const char *file)
{
	const char *from = strchr(w, ']') ? strchr(w, ']') : w, *eq = strchr(from, '=');
	size_t n = eq ? (size_t)(eq - w) : 0;
	char target[2048], op[3] = "=";

	if (n < 2 || !eq[1])
		return;
	if (strchr("+-*/", w[n - 1])) {
		n--;
		memcpy(op, w + n, 2);
	}
	snprintf(target, sizeof(target), "%s%s%.*s", file ? file : "", file ? ":" : "", (int)n, w);
	if (file ? !guess_is_file(file) || !guess_has_tensor(file, strchr(target, ':') + 1)
		 : !guess_is_file(target))
		return;
	guess_begin();
	guess_put(target, true);
	guess_put(op, true);
	guess_put(eq + 1, true);
	cmd_usage(guess_end(cmd_st.args.n, -1), "\"%s\": TARGET, OP and A are three operands",
	    cmd_name(w));
}

/* OLD NEW FILE: the two names are one word. */
static const char *
moved_as_words(const struct cmd_list *a)
{
	char both[1024];

	if (a->n != 3 || guess_is_file(a->v[0]) || guess_is_file(a->v[1]) ||
	    !guess_is_file(a->v[2]) || strpbrk(a->v[0], "=,") || strpbrk(a->v[1], "=,"))
		return NULL;
	snprintf(both, sizeof(both), "%s=%s", a->v[0], a->v[1]);
	guess_begin();
	guess_put(both, true);
	return guess_end(2, -1);
}

const char *
guess_moved(void)
{
	const char *from = cmd_st.args.n == 2 ? strchr(cmd_st.args.v[0], ':') : NULL;
	const char *to = from ? strchr(cmd_st.args.v[1], ':') : NULL;
	char both[1024], file[1024];

	if (moved_as_words(&cmd_st.args))
		return guess_text;
	to = to ? to + 1 : from ? cmd_st.args.v[1] : NULL;
	if (!to || !guess_is_file(cmd_st.args.v[0]) || strpbrk(to, "=/"))
		return NULL;
	snprintf(both, sizeof(both), "%s=%s", from + 1, to);
	snprintf(file, sizeof(file), "%.*s", (int)(from - cmd_st.args.v[0]), cmd_st.args.v[0]);
	guess_begin();
	guess_put(both, true);
	guess_put(file, true);
	return guess_end(cmd_st.args.n, -1);
}

/*
 * OLD=NEW,... of names of datasets in the file, as axt-move has them, for such a list with "=",
 * "," , ":" or "->" between the names; false: it is another list.
 */
static bool
read_new_names(const char *word, const char *file, char *out, size_t size)
{
	char old[256];
	size_t n = 0, to;
	bool pairs = strchr(word, '=') != NULL;

	for (const char *p = word; *p; p += to + (p[to] == ',')) {
		size_t len = strcspn(p, "=,:-");

		snprintf(old, sizeof(old), "%.*s", (int)len, p);
		p += len;
		if (!*p || (pairs && *p != '=') || !guess_has_tensor(file, old))
			return false;
		p += strspn(p, "=,:->");
		to = strcspn(p, ",:=");
		if (to == 0 || n + len + to + 3 > size)
			return false;
		n += (size_t)snprintf(out + n, size - n, "%s%s=%.*s", n ? "," : "", old, (int)to,
		    p);
	}
	return n > 0;
}

const char *
guess_new_name_of_dataset(void)
{
	const char *word = cmd_st.args.v[0], *file = cmd_st.args.v[1], *out = cmd_st.o.output;
	const char *colon = strchr(file, ':');
	static char alone[2048], moved[1024], both[4096];
	size_t old;

	if (strcmp(cmd_st.c->name, "axt-rename") != 0)
		return NULL;
	snprintf(alone, sizeof(alone), "%.*s", (int)strcspn(file, ":"), file);
	if (!guess_is_file(alone) || !read_new_names(word, alone, moved, sizeof(moved)))
		return NULL;
	old = strcspn(moved, "=");
	if (colon && strchr(moved, ','))
		return NULL;
	if (!out) {
		guess_from("axt-move");
		guess_put(moved, true);
		guess_put(alone, true);
		return guess_end(cmd_st.args.n, -1);
	}
	if (!colon && guess_tensors(alone) > 1) {
		guess_from("cp");
		guess_put(alone, true);
		guess_put(out, true);
		guess_put(" && axt-move", false);
		guess_put(moved, true);
		guess_put(out, true);
		return guess_text;
	}
	guess_from("axt-copy");
	if (!strchr(moved, ',')) {
		snprintf(both, sizeof(both), "%s:%.*s", alone, (int)old, moved);
		guess_put(both, true);
		guess_put("--name", true);
		guess_put(moved + old + 1, true);
		return guess_end(cmd_st.args.n, -1);
	}
	snprintf(both, sizeof(both), "%s:*", alone);
	guess_put(both, true);
	guess_end(cmd_st.args.n, -1);
	guess_put(" && axt-move", false);
	guess_put(moved, true);
	guess_put(out, true);
	return guess_text;
}

const char *
guess_attribute_of(void)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *file = a->n > 1 ? a->v[a->n - 1] : "";
	char object[256], both[2048];

	for (int i = 0; i < a->n - 1; i++) {
		const char *w = a->v[i], *eq = strchr(w, '='), *mark = strpbrk(w, "@:");

		if (!eq || !mark || mark >= eq - 1 || mark == w || !guess_is_file(file))
			continue;
		snprintf(object, sizeof(object), "%.*s", (int)(mark - w), w);
		if (!guess_has_tensor(file, object) && *mark == ':')
			continue;
		guess_begin();
		for (int k = 0; k < a->n - 1; k++)
			if (k != i)
				guess_put(a->v[k], true);
		if (guess_has_tensor(file, object)) {
			snprintf(both, sizeof(both), "%s:%s", file, object);
			guess_put(mark + 1, true);
			guess_put(both, true);
		} else {
			snprintf(both, sizeof(both), "%s:%s", object, mark + 1);
			guess_put(both, true);
			guess_put(file, true);
		}
		return guess_end(a->n, -1);
	}
	return NULL;
}

const char *
guess_renamed(void)
{
	const char *w = cmd_st.args.v[0], *mark = strpbrk(w, ",:-");
	const char *to = mark ? mark + strspn(mark, ",:-> ") : w;
	char both[1024];

	if (strcmp(cmd_st.c->name, "axt-rename") != 0 || strchr(w, '=') || !mark || mark == w ||
	    !*to || strpbrk(to, ",:"))
		return NULL;
	snprintf(both, sizeof(both), "%.*s=%s", (int)(mark - w), w, to);
	guess_begin();
	guess_put(both, true);
	return guess_end(1, -1);
}

const char *
guess_axis_as_result(const char *error)
{
	static const char before[] = "tensor \"", after[] = "\" has the name of ";
	const char *from = strstr(error, before), *to = from ? strstr(from, after) : NULL;
	char name[256], other[300], both[600];

	if (!to || cmd_results.n < 2 || cmd_st.args.n - cmd_st.nwords != 1)
		return NULL;
	from += strlen(before);
	snprintf(name, sizeof(name), "%.*s", (int)(to - from), from);
	snprintf(other, sizeof(other), "%s_axis", name);
	snprintf(both, sizeof(both), "%s=%s", name, other);
	guess_from("axt-rename");
	guess_put(both, true);
	guess_put(cmd_st.args.v[cmd_st.args.n - 1], true);
	guess_put(" | ", false);
	guess_put(cmd_st.c->name, false);
	for (int i = 0; i < cmd_st.nwords; i++)
		guess_put(cmd_st.args.v[i], true);
	guess_put("-", true);
	for (int i = 0; i < cmd_st.given.n; i++)
		guess_put(strcmp(cmd_st.given.v[i], name) == 0 ? other : cmd_st.given.v[i], true);
	return guess_text;
}

const char *
guess_lengths(void)
{
	static const char *const axes[] = { "x", "y", "z", "t" };
	const struct cmd_list *a = &cmd_st.args;
	const char *name = NULL;
	bool lin = strcmp(a->v[0], "linspace") == 0;
	int n = 0;

	guess_begin();
	if (lin || strcmp(a->v[0], "range") == 0 || strcmp(a->v[0], "arange") == 0) {
		double v[3] = { 0, 0, 1 };
		char both[200];

		for (; n < 3 && n + 1 < a->n && axt_is_number(a->v[n + 1]); n++)
			v[n] = strtod(a->v[n + 1], NULL);
		if (n < 2 || v[2] == 0 || (lin && (n < 3 || v[2] < 2)))
			return NULL;
		snprintf(both, sizeof(both), " iota:%.15g:%.15g x=%.0f", v[0],
		    lin ? (v[1] - v[0]) / (v[2] - 1) : v[2], lin ? v[2] : (v[1] - v[0]) / v[2]);
		guess_put(both, false);
		return guess_end(a->n, -1);
	}
	guess_put(a->v[0], true);
	if (a->n == 2 && strchr(a->v[1], ',') &&
	    strspn(a->v[1], "0123456789,") == strlen(a->v[1])) {
		int count = 1, at = 0;

		for (const char *p = a->v[1]; *p; p++)
			count += *p == ',';
		for (const char *p = a->v[1]; *p && count <= 4;
		     p += strcspn(p, ",") + (p[strcspn(p, ",")] == ',')) {
			char both[40];

			snprintf(both, sizeof(both), "%s=%.*s", axes[count - 1 - at],
			    (int)(strcspn(p, ",") < 20 ? strcspn(p, ",") : 20), p);
			guess_put(at++ ? "," : " ", false);
			guess_put(both, false);
		}
		return count <= 4 ? guess_end(a->n, -1) : NULL;
	}
	for (int i = 1; i < a->n; i++) {
		bool number = a->v[i][0] && strspn(a->v[i], "0123456789") == strlen(a->v[i]);

		if (strchr(a->v[i], '=') && !name) {
			guess_put(n ? "," : " ", false);
			guess_put_more(a->v[i]);
			n++;
		} else if (number && n < 4) {
			guess_put(n ? "," : " ", false);
			guess_put_more(name ? name : axes[n]);
			guess_put("=", false);
			guess_put(a->v[i], false);
			name = NULL;
			n++;
		} else if (!number && !name) {
			name = a->v[i];
		} else {
			return NULL;
		}
	}
	return n > 0 && !name ? guess_end(a->n, -1) : NULL;
}

const char *
guess_squeezed(const char *axis, const char *operand)
{
	char first[300];

	snprintf(first, sizeof(first), "%.290s=0", axis);
	guess_from("axt-slice");
	guess_put(first, true);
	guess_put(operand, true);
	guess_put(" takes the first; axt-reduce mean --over", false);
	guess_put(axis, true);
	guess_put(operand, true);
	guess_put(" the mean", false);
	return guess_text;
}

/* axt-reduce --over time.month: over time, by its months. */
static const char *
over_field(const char *error)
{
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *field = NULL, *dot;
	char axis[256];

	if (!strstr(error, "no axis \""))
		return NULL;
	guess_begin();
	for (int i = 0; i < a->n; i++)
		guess_put(a->v[i], true);
	for (int i = 0; i < o->n; i++) {
		bool joined = strncmp(o->v[i], "--over=", 7) == 0,
		     is = joined || (i > 0 && strcmp(o->v[i - 1], "--over") == 0);
		const char *w = o->v[i] + (joined ? 7 : 0);

		dot = is && !strchr(w, ',') ? strchr(w, '.') : NULL;
		if (!dot || !axt_has_word("year month day hour dayofyear season", dot + 1)) {
			guess_put(o->v[i], true);
			continue;
		}
		field = w;
		snprintf(axis, sizeof(axis), "%s%.*s", joined ? "--over=" : "", (int)(dot - w), w);
		guess_put(axis, true);
	}
	if (!field || guess_has_option("by") == 0)
		return NULL;
	guess_put("--by", true);
	guess_put(field, true);
	return guess_text;
}

/* Writes AXIS:NAME for AXIS.NAME with an axis of the file; false: it is something else. */
static bool
is_of_axis(const char *file, const char *spec, char *out, size_t size)
{
	size_t n = strcspn(spec, ".=:");
	char axis[256];

	snprintf(axis, sizeof(axis), "%.*s", (int)n, spec);
	snprintf(out, size, "%s:%s", axis, spec[n] ? spec + n + 1 : "");
	return spec[n] == '.' && guess_has_axis(file, axis);
}

/* Attributes of a file of several tensors, typed as if it had one. */
static const char *
attributes_of_file(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *tensors = strstr(error, " holds several tensors: "), *file = a->v[a->n - 1];
	const char *eq = strchr(a->v[0], '='), *colon = strchr(a->v[0], ':');
	char word[2048];

	if (!tensors || a->n > 2 || strchr(file, ':') || (a->n == 2 && colon && colon + 1 != eq))
		return NULL;
	if (a->n == 2 && is_of_axis(file, a->v[0], word, sizeof(word))) {
		guess_put(word, true);
		tensors += strlen(" holds several tensors: ");
		snprintf(word, sizeof(word), "%s:%.*s", file, (int)strcspn(tensors, ", "), tensors);
		guess_put(word, true);
		return guess_text;
	}
	if (a->n == 2) {
		snprintf(word, sizeof(word), ":%s", a->v[0]);
		guess_put(word, true);
		guess_end(1, -1);
	} else {
		snprintf(word, sizeof(word), "%s:/", file);
		guess_put(word, true);
	}
	guess_put(a->n == 1 ? " shows those of the file; one tensor is"
		: eq        ? " sets it of the file; one tensor is"
			    : " shows it of the file; one tensor is",
	    false);
	tensors += strlen(" holds several tensors: ");
	snprintf(word, sizeof(word), "%s:%.*s", file, (int)strcspn(tensors, ", "), tensors);
	guess_put(word, true);
	return guess_text;
}

const char *
guess_own_field(const char *error)
{
	static const char no[] = "no axis \"time.";
	const struct cmd_list *a = &cmd_st.args, *o = &cmd_st.given;
	const char *field = strstr(error, no), *own = guess_axis("time"), *at;
	char word[2048];

	if (!field || strcmp(own, "time") == 0)
		return NULL;
	field += strlen(no);
	guess_begin();
	for (int i = 0; i < a->n + o->n; i++) {
		const char *w = i < a->n ? a->v[i] : o->v[i - a->n];

		at = strstr(w, "time.");
		if (at && strncmp(at + 5, field, strcspn(field, "\"")) == 0) {
			snprintf(word, sizeof(word), "%.*s%s%s", (int)(at - w), w, own, at + 4);
			w = word;
		}
		guess_put(w, true);
	}
	return guess_text;
}

static bool
is_picture(const char *w)
{
	return guess_ends_with(w, ".png") || guess_ends_with(w, ".svg") ||
	    guess_ends_with(w, ".pdf");
}

/* What one command says of one mistake, by the words of its error. */
const char *
guess_by_error(const char *error)
{
	const struct cmd_list *a = &cmd_st.args;
	const char *hint;
	const char *name = cmd_st.c->name;
	char word[2048];

	if (strcmp(name, "axt-plot") == 0 && a->n == 2 && strstr(error, ", not HDF5") &&
	    guess_is_file(a->v[0]) && !cmd_st.o.output && is_picture(a->v[1])) {
		cmd_guess_output();
		guess_put("; that replaces", false);
		guess_put(a->v[1], true);
		return guess_text;
	}
	if (strcmp(name, "axt-rename") == 0 && a->n == 2 && a->v[0][0] == '{') {
		size_t n = 0;

		for (const char *p = a->v[0]; *p && n + 1 < sizeof(word); p++)
			if (!strchr("{}\"' ", *p))
				word[n++] = *p == ':' ? '=' : *p;
		word[n] = '\0';
		guess_begin();
		guess_put(word, true);
		return guess_end(1, -1);
	}
	if (strcmp(name, "axt-rename") == 0 && a->n == 2 && strstr(error, " is not OLD=NEW") &&
	    strchr(a->v[0], ',') && guess_is_file(a->v[1]) && !guess_renamed()) {
		guess_from("axt-cast --to");
		guess_put(a->v[0], true);
		return guess_end(1, -1);
	}
	if (strcmp(name, "axt-make") == 0 && a->n == 2 && strchr(a->v[1], ',') &&
	    strspn(a->v[1], "0123456789,") == strlen(a->v[1]))
		return guess_lengths();
	guess_begin();
	if (strcmp(name, "axt-attr") == 0 && a->n == 3 && strstr(error, " has no attribute \"") &&
	    axt_has_word("delete del rm remove unset", a->v[0])) {
		snprintf(word, sizeof(word), "%s=", a->v[1]);
		guess_put(word, true);
		return guess_end(2, -1);
	}
	if (strcmp(name, "axt-attr") == 0 && a->n == 1 && strstr(error, ": no dataset \"") &&
	    (hint = strchr(a->v[0], '@')) && strchr(hint, '=')) {
		guess_put(hint + 1, true);
		snprintf(word, sizeof(word), "%.*s", (int)(hint - a->v[0]), a->v[0]);
		guess_put(word, true);
		return guess_end(a->n, -1);
	}
	if (strcmp(name, "axt-append") == 0 && a->n > 2 && strstr(error, ": No such file") &&
	    guess_has_axis(a->v[1], a->v[0])) {
		for (int i = 1; i < a->n; i++)
			guess_put(a->v[i], true);
		guess_put("--along", true);
		guess_put(a->v[0], true);
		return guess_end(a->n, -1);
	}
	if (strcmp(name, "axt-append") == 0 && a->n > 1 && strstr(error, ": No such file") &&
	    strchr(a->v[0], ':') && guess_is_file(a->v[0])) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(a->v[0], ":"), a->v[0]);
		guess_put(word, true);
		return guess_end(1, -1);
	}
	if (strcmp(name, "axt-attr") == 0 && a->n == 3 && guess_is_file(a->v[0]) &&
	    !strchr(a->v[1], '=') && strstr(error, ": No such file")) {
		snprintf(word, sizeof(word), "%s=%s", a->v[1], a->v[2]);
		guess_put(word, true);
		guess_put(a->v[0], true);
		return guess_end(a->n, -1);
	}
	if (strcmp(name, "axt-reduce") == 0 && (hint = over_field(error)))
		return hint;
	/* dt.season and dt.month of xarray */
	if (strcmp(name, "axt-reduce") == 0 && (hint = strstr(error, "no axis \"dt."))) {
		guess_from("--by");
		snprintf(word, sizeof(word), "%s.%.*s", guess_axis("time"),
		    (int)strcspn(hint + 12, "\""), hint + 12);
		guess_put(word, true);
		return guess_text;
	}
	guess_begin();
	if (strcmp(name, "axt-concat") == 0 && a->n > 2 && strstr(error, "no axis \"")) {
		char usual[64];

		snprintf(word, sizeof(word), "%.*s", (int)strcspn(a->v[1], ":*"), a->v[1]);
		if (guess_is_file(word) && !guess_has_axis(word, a->v[0]) &&
		    guess_own_axis(word, a->v[0], usual)) {
			guess_put(usual, true);
			return guess_end(1, -1);
		}
		for (int i = 1; i < a->n; i++) {
			char file[1024], own[64], pair[400];

			snprintf(file, sizeof(file), "%.*s", (int)strcspn(a->v[i], ":*"), a->v[i]);
			if (!guess_is_file(file) || guess_has_axis(file, a->v[0]) ||
			    !guess_own_axis(file, a->v[0], own))
				continue;
			if (!guess_renaming(a->v[1], a->v[i], pair, sizeof(pair)))
				snprintf(pair, sizeof(pair), "%s=%.120s", own, a->v[0]);
			guess_from("axt-rename");
			guess_put(pair, true);
			guess_put_whole(file);
			guess_put(" -o renamed.nc, and renamed.nc in its place", false);
			return guess_text;
		}
		guess_from("axt-stack");
		return guess_end(0, -1);
	}
	if (strcmp(name, "axt-shift") == 0 && strstr(error, " is not AXIS=") &&
	    strchr(a->v[0], '@')) {
		guess_from("axt-slice");
		snprintf(word, sizeof(word), "%.*s@-180:180", (int)strcspn(a->v[0], "@"), a->v[0]);
		guess_put(word, true);
		return guess_end(1, -1);
	}
	if (strcmp(name, "axt-where") == 0 && a->n == 3 && strpbrk(a->v[0], "<>=!") &&
	    !guess_is_file(a->v[0]) && guess_is_file(a->v[1])) {
		size_t n = strcspn(a->v[0], " <>=!()");

		if (n == 0 || n > 200 || guess_is_file(a->v[2]))
			return NULL;
		guess_from("axt-calc");
		snprintf(word, sizeof(word), "where(%.300s, %.*s, %.40s)", a->v[0], (int)n, a->v[0],
		    a->v[2]);
		guess_put(word, true);
		guess_put(a->v[1], true);
		return guess_end(a->n, -1);
	}
	if (strcmp(name, "axt-attr") == 0 && a->n == 3 && guess_is_file(a->v[1]) &&
	    !strchr(a->v[0], '=') && strstr(error, ": No such file")) {
		bool verb = axt_has_word("get show print list read set add put", a->v[0]);

		if (verb && !strchr(a->v[2], '=') && axt_has_word("set add put", a->v[0]))
			return NULL; /* to what? */
		snprintf(word, sizeof(word), "%s%s%s", verb ? "" : a->v[0], verb ? "" : "=",
		    a->v[2]);
		guess_put(word, true);
		guess_put(a->v[1], true);
		return guess_end(a->n, -1);
	}
	if (strcmp(name, "axt-remove") == 0 && a->n >= 2 && strstr(error, " names no dataset: ") &&
	    guess_is_file(a->v[0])) {
		for (int i = 1; i < a->n; i++) {
			if (!guess_has_tensor(a->v[0], a->v[i]))
				return NULL;
			snprintf(word, sizeof(word), "%s:%s", a->v[0], a->v[i]);
			guess_put(word, true);
		}
		return guess_end(a->n, -1);
	}
	if (strcmp(name, "axt-attr") == 0 && (hint = attributes_of_file(error)))
		return hint;
	guess_begin();
	if (strcmp(name, "axt-cast") == 0 && strstr(error, " does not fit ") &&
	    strncmp(error, "nan ", 4) != 0) {
		guess_put("--overflow", true);
		guess_put("saturate", true);
		guess_end(0, -1);
		guess_put(" takes the nearest number that fits", false);
		return guess_text;
	}
	if (strcmp(name, "axt-squeeze") == 0 && strstr(error, ", not 1") &&
	    strncmp(error, "axis \"", 6) == 0 && a->n == 1) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(error + 6, "\""), error + 6);
		return guess_squeezed(word, a->v[0]);
	}
	return NULL;
}
