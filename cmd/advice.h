/*
 * advice.h - what the files of advice share. After a command line was refused, the line that was
 * likely meant is looked for, and tried, before it is shown. A line is a list of words, each of
 * which is an operand, an option or the value of one. An edit makes another line of it, at a cost.
 * The cheapest line that works is the advice.
 */
#ifndef AXT_CMD_ADVICE_H
#define AXT_CMD_ADVICE_H

#include "priv.h"

enum { ADVICE_WORDS = 96 };

enum advice_part {
	ADVICE_OPERAND,
	ADVICE_OPTION, /* --name, or a letter; a flag, or what the next word belongs to */
	ADVICE_VALUE
};

/* For what a line was refused. */
struct advice_refusal {
	struct axt_fact why;
	char meant[1000]; /* of an expression: the one that was likely meant; "": none is known */
};

struct advice_line {
	const struct advice_line *from;   /* what is piped to it; NULL */
	const char *copied;               /* to what its file is copied first, and changed; NULL */
	const char *v[ADVICE_WORDS];      /* the first is the command */
	unsigned char part[ADVICE_WORDS]; /* enum advice_part */
	int n;
	double cost;
	const struct advice_refusal *refused; /* NULL: it was not tried */
};

/* ---- in advice.c ---- */

/* Sets for what the line of this process was refused. */
void advice_refuse(struct advice_refusal *r, const struct axt_fact *why);
/* Puts a line among those that will be tried, at the cost of `of` and that of the edit. */
void advice_offer(const struct advice_line *of, struct advice_line *line, double cost);
/* Changes of a line. Words are kept: they have to live until the process ends. */
void advice_insert(struct advice_line *l, int at, enum advice_part part, const char *word);
void advice_drop(struct advice_line *l, int at, int n);
/*
 * Offers the line with n words from index `from` on replaced by others, which follow as arguments
 * and end with NULL. They are put at index `to` of the words that are left. A word behind an option
 * becomes its value.
 */
void advice_put(const struct advice_line *l, int from, int n, int to, double cost, ...)
    __attribute__((sentinel));
/* A line of these operands, up to NULL, of which the first is the command. */
struct advice_line *advice_words(const char *command, ...) __attribute__((sentinel));
/* The index of operand i; -1: there are fewer. Operands are counted from 0. */
int advice_operand(const struct advice_line *l, int i);
/* The first index of a word like this of that part, from `from` on; -1: none. */
int advice_find(const struct advice_line *l, int from, enum advice_part part, const char *word);
/* The index of an option, by its name with dashes; -1: none. */
int advice_option_at(const struct advice_line *l, const char *name);
/* Texts that live until the process ends. */
char *advice_copy(const char *s);
const char *advice_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- in advice_look.c: what words are ---- */

struct advice_file {
	const char *word;       /* as typed */
	struct cmd_list axes;   /* of the tensor, or of all of the file */
	struct cmd_list tensor; /* names of tensors in the file */
	const char *meant[4];   /* axes that are latitude, longitude, time, height; NULL */
	const char *units;      /* those of its first tensor; NULL: it has none */
};

/* FILE of FILE:DATASET and of FILE. */
const char *advice_path(const char *word);
/* Whether the word is FILE or FILE:DATASET of a file that is there. */
bool advice_is_file(const char *word);
/* What is in the file; the same for the same word. A word that is no file has nothing. */
const struct advice_file *advice_look(const char *word);
/* The first operand of the line that is a file; NULL: none is. */
const struct advice_file *advice_first_file(const struct advice_line *l);
/* Whether the word is an axis, or several with commas, of a file of the line. */
bool advice_is_axes(const struct advice_line *l, const char *word);
bool advice_has(const struct cmd_list *list, const char *word);
/*
 * The name in the list that was likely meant by `word`: the same in another case, another usual
 * name of the same thing (lat, latitude), a name that begins or ends with the word, or the most
 * similar one. NULL: none.
 */
const char *advice_meant(const struct cmd_list *list, const char *word);
/* The same of axes, which are known by their units, too. */
const char *advice_axis(const struct advice_file *f, const char *word);
/* The number of letters to change, add or drop between two words. */
int advice_distance(const char *a, const char *b);
/* The i-th file that a pattern such as a*.nc means; NULL: no more. */
const char *advice_matching_file(const char *pattern, int i);
/* A name of a file that is there and was likely meant: its i-th; NULL: no more. */
const char *advice_near_file(const char *word, int i);

/* ---- in advice_spell.c: one word written otherwise, by what it is ---- */

/* A graph whose texts live until the process ends. */
struct axt_graph *advice_graph(void);

/* The i-th way to write a spec, such as lat@-30..30; NULL after the last. */
const char *advice_spec(const char *word, int i);
/* AXIS=SPEC or AXIS@SPEC for NAME,LO,HI,STEP of NCO, where HI is taken. */
const char *advice_hyperslab(const char *typed);
/* A list of axes of the file, such as -1 or ["lat", "lon"]; NULL: it is none, or typed so. */
const char *advice_axes(const struct advice_file *f, const char *word);
/*
 * The number that was meant by a word that people write as 1,5 or 50%, or as 30degC where the
 * tensor of the file f counts K. f may be NULL. NULL: the word is no number.
 */
const char *advice_number(const struct advice_file *f, const char *word);
/* What NumPy and others call a dtype, such as "<f4", float32, np.int16; NULL: nothing like it. */
const char *advice_dtype(const char *word);

/* ---- in advice_edits.c ---- */

/* Offers what may have been meant by a line that was refused. */
void advice_edits(const struct advice_line *l);

/* ---- in advice_calc.c ---- */

/* The same for a line with an expression. */
void advice_expression(const struct advice_line *l);

/* ---- in try.c ---- */

enum advice_trial { ADVICE_WORKS, ADVICE_FAILS, ADVICE_UNTRIED };

/*
 * Finds out whether a line can be carried out, in a process of its own that reads no value, opens
 * nothing to write and starts no program. If it cannot, l->refused says for what it was refused.
 */
enum advice_trial advice_try(struct advice_line *l);

#endif
