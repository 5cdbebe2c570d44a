/*
 * advice_edits.h - edits of command lines, and what they share. Each edit offers lines that may
 * have been meant by the line that was refused. Whether they can be carried out is found out later.
 */
#ifndef AXT_CMD_ADVICE_EDITS_H
#define AXT_CMD_ADVICE_EDITS_H

#include "advice.h"

/* Costs: a word written otherwise, one moved, one joined or made an option, one made up. */
#define SPELLED 0.5
#define MOVED 1.0
#define JOINED 1.3
#define MADE_UP 2.0

/* ---- in advice_shape.c ---- */

/* Whether the word has the command's kind of first words: an operation, or a list of such. */
bool advice_is_choice(const char *w);
/* Whether the command's words are specs, as AXIS=LEN, and not names of axes alone. */
bool advice_takes_specs(void);
bool advice_takes_axes_first(void);
/* Where words of the command stand: behind those that choose an operation. */
int advice_first_place(const struct advice_line *l);
/* An option of the command's own that takes axes and was not given; NULL: none. */
const struct cmd_opt *advice_axes_option(const struct advice_line *l);
const char *advice_dashed(const struct cmd_opt *o);
const struct cmd_opt *advice_option_called(const char *name);
/* The same with the dashes before it. */
const struct cmd_opt *advice_option_of(const char *word);
/* Whether the command's words are NAME=TEXT of attributes. */
bool advice_takes_attributes(void);
/* The axis that is most often meant: that of time, or the first. */
const char *advice_usual_axis(const struct advice_file *f);
/* The copy of a line without a word. */
struct advice_line advice_without(const struct advice_line *l, int at);
/* Offers the line with another word in place of one. */
void advice_offer_word(const struct advice_line *l, int at, const char *word, double cost);
/* Offers the line with `is` for `was` in the words that have it, as a whole or between signs. */
void advice_offer_swapped(const struct advice_line *l, const char *was, const char *is,
    double cost);
/* Where a word stands that is no option, or that has it between signs; -1. */
int advice_place_of(const struct advice_line *l, const char *word);

/* ---- in advice_operands.c ---- */

void edit_words_first(const struct advice_line *l);
void edit_axes_to_option(const struct advice_line *l);
void edit_word_to_option(const struct advice_line *l);
void edit_last_is_output(const struct advice_line *l);
void edit_dataset_to_file(const struct advice_line *l);
void edit_leave_out(const struct advice_line *l);
void edit_permuted(const struct advice_line *l);
void edit_in_directory(const struct advice_line *l);
void edit_too_many(const struct advice_line *l);
/* Offers the line with a word that was not typed, by what the synopsis has in its place. */
void advice_made_up(const struct advice_line *l, const char *slot);
void edit_too_few(const struct advice_line *l);

/* ---- in advice_parts.c ---- */

void edit_subscript(const struct advice_line *l);
void edit_slice_first(const struct advice_line *l);
void edit_named_option(const struct advice_line *l);
void edit_hyperslab(const struct advice_line *l);
void edit_called(const struct advice_line *l);
void edit_arrow(const struct advice_line *l);
void edit_pairs(const struct advice_line *l);
/* A=C,B=D for A,B=C,D; NULL: it is no pair of lists of the same length. */
const char *advice_zipped(const char *w);
void edit_spec(const struct advice_line *l);
void edit_bare_spec(const struct advice_line *l);

/* ---- in advice_options.c ---- */

void edit_needs_option(const struct advice_line *l);
void edit_no_option(const struct advice_line *l);
/* Has the line without its output change a copy, which that is; false: there is none. */
bool advice_take_output(struct advice_line *l);
void edit_bad_value(const struct advice_line *l);
/*
 * Offers the command that is called as word `at`, without that and the words before it, n in all:
 * --method ffill, axt-map softmax.
 */
void advice_other_command(const struct advice_line *l, int at, int n);
/* Offers the words that an option takes beside operands, as "area" of --weights A|area. */
void advice_option_words(const struct advice_line *l, int at);
void edit_pasted(const struct advice_line *l);
void edit_told(const struct advice_line *l);
void edit_single_dash(const struct advice_line *l);

/* ---- in advice_files.c ---- */

void edit_near_files(const struct advice_line *l);
/*
 * Offers a line of axt-calc if word `at`, in the place of a tensor, is an expression. The command
 * becomes a function of it, axt-NAME(expression, other operands); of axt-map, x in the expression
 * becomes the tensor.
 */
void advice_as_expression(const struct advice_line *l, int at);
void edit_no_file(const struct advice_line *l);
void edit_one_tensor(const struct advice_line *l);
void edit_interpolated(const struct advice_line *l);
void edit_no_dataset(const struct advice_line *l);
void edit_several(const struct advice_line *l);

/* ---- in advice_axes.c ---- */

void edit_field(const struct advice_line *l);
void edit_period(const struct advice_line *l);
void edit_new_name(const struct advice_line *l);
void edit_no_axis(const struct advice_line *l);

/* ---- in advice_choices.c ---- */

void edit_no_choice(const struct advice_line *l);
void edit_nco_option(const struct advice_line *l);

/* ---- in advice_rules.c ---- */

void edit_sister(const struct advice_line *l);
void edit_other_writer(const struct advice_line *l);
void edit_edges(const struct advice_line *l);
void edit_longer(const struct advice_line *l);
void edit_attribute(const struct advice_line *l);
void edit_assigned(const struct advice_line *l);

#endif
