/* guess.h - what the files of hints, guess*.c, share. Functions return NULL or false: no guess. */
#ifndef AXT_CMD_GUESS_H
#define AXT_CMD_GUESS_H

#include "axt_operation.h"
#include "priv.h"

/* ---- in guess_line.c ---- */
extern char guess_text[1500]; /* the line */
/* Adds text to the line, between quotes if `word` and the shell needs them. */
void guess_put(const char *text, bool word);
/* Adds a part of the word at the line's end, between quotes if the shell needs them. */
void guess_put_more(const char *text);
/* Begins the line with this command, or with the one that was typed. */
void guess_from(const char *command);
void guess_begin(void);
/* Ends the line with operands `from` and up, but for `but`, and the options that were given. */
const char *guess_end(int from, int but);
/*
 * Whether the word is FILE or FILE:DATASET of a file that is there, and no name of anything else.
 */
bool guess_is_file(const char *w);
/* An option of the command's own that takes axes, and has not been given; NULL: none. */
const struct cmd_opt *guess_axis_option(void);
/* Whether the file has a tensor of this name. */
bool guess_has_tensor(const char *file, const char *name);
/* The number of tensors in the file. */
int guess_tensors(const char *file);
bool guess_has_option(const char *name);
/* Whether the word is a field of dates, such as month. */
bool guess_is_field(const char *w);
/* The value of --format; NULL: it was not given. */
const char *guess_format_given(void);
/* Adds an operand: FILE:* for a file of several tensors. */
void guess_put_whole(const char *w);
/* The same where the command takes one tensor. */
void guess_put_operand(const char *w);
bool guess_ends_with(const char *s, const char *tail);
/* The number of the option of this name among the given words, or of its value behind "="; -1. */
int guess_option_at(const char *name, const char **value);
/* Adds the given options, but for the one at `but` and its value. */
void guess_put_options(int but);

/* ---- in guess_axes.c ---- */
/* The operand, or the file's first tensor, opened on that graph; NULL: it cannot be. */
struct axt_expr *guess_open_first(struct axt_graph *g, const char *operand);
/* The length of that axis of the operand, or of a file's first tensor; -1: it has none. */
int64_t guess_axis_length(const char *operand, const char *name);
/* Whether the operand, or a file's first tensor, has an axis of this name. */
bool guess_has_axis(const char *operand, const char *name);
/* What the operand calls an axis that is usually called so, as "TIME", or "latitude" for "lat". */
bool guess_own_axis(const char *operand, const char *usual, char own[64]);
/* The same of the first file that was typed; the usual name where none has such an axis. */
const char *guess_axis(const char *usual);
/* The names of the operand's axes of these numbers, such as "0,-1". */
bool guess_numbered_axes(const char *operand, const char *numbers, char *out, size_t n);
/* Writes the axes of the operand that a list, of names or of another language, means. */
bool guess_axes_read(const char *operand, const char *typed, char *out, size_t size);
/* Tells that the operand has no such axis, and which it has. */
const char *guess_no_axis(const char *operand, const char *typed);
/* --chunk 10,6,6: lengths without names, in the order of the axes. */
const char *guess_chunks(const char *error);
/* Axes as lists of other languages: --over "lat lon", --over -1, --along '["lat"]'. */
const char *guess_list_of_axes(const char *error);
/* --over t of axes without names: axt-cast gives them some. */
const char *guess_unnamed(const char *error);

/* ---- in guess_slices.c ---- */
/* Whether the word is AXIS=SPEC or AXIS@SPEC, with a position or a coordinate behind the sign. */
bool guess_is_part(const char *w);
/* The part of operand f that operand x selects, and the command on that. */
const char *guess_part_first(int x, int f);
/*
 * Adds AXIS=SPEC or AXIS@SPEC for NAME,LO,HI,STEP of NCO, where HI is taken, and numbers with a
 * point are coordinates.
 */
void guess_hyperslab(const char *typed);
/* Specs with commas between them, lat=0:10:1,lon=0:10:1: the line with blanks. */
const char *guess_specs_apart(const char *error);
/* Positions that other tools type without "=", axt-slice time,0,10, and axt-window 7. */
const char *guess_bare_spec(const char *error);
/* What stands in place of -d NAME,LO,HI; NULL: no such option. */
const char *guess_slices_of(void);
/* A part of an operand, typed as in Python: FILE:DATASET[lat=0]. TARGET of axt-assign is such. */
const char *guess_part_of(void);
/* Specs as other tools spell them: lat@-30..30, lat@30S:30N, time@June, time=0-10. */
const char *guess_respelled(void);

/* ---- in guess_missing.c ---- */
/* --every as pandas and others have it: M, 1D, monthly. */
const char *guess_period(const char *error);
/* -o DIRECTORY: the line with the name of the first operand's file in it. */
const char *guess_in_directory(const char *error);
/* axt-to of an image: the line that scales the values to 0 to 255. */
const char *guess_pixels(const char *error);

/* Quotation marks and dashes of documents, pasted into a command line. */
const char *guess_pasted(void);
/* Operand i is a number as people write it: 1,5 and 50% and 1/2. */
const char *guess_number(int i);
/* Blanks around "=": time = 0. */
const char *guess_blanks(void);

/* ---- in guess_split.c ---- */
/* axt-split -P NAME without a place for the index; AXIS FILE NAME. */
const char *guess_pattern(const char *error);
const char *guess_split_names(void);
/* For axt-split: the option argv[i] has the axis, or the names of files. joined: as --by=AXIS. */
const char *guess_split_option(const char *axis, int i, bool joined, int argc, char *const argv[]);
const char *guess_split_output(const char *value, int i, bool joined, int argc, char *const argv[]);

/* ---- in guess_python.c ---- */
/*
 * Specs with brackets of Python, or several in one word: time=slice(0,5), time=[0,1],
 * lat=0,lon=0.
 */
const char *guess_python_specs(void);
/* isel(time=0) and sel(lat=50, method="nearest") of xarray. */
const char *guess_called_slices(const char *error);
/* Positions without names of axes: axt-slice 0:10,: and FILE[0,:]. */
const char *guess_positions(const char *error);
/* time=(1,1) and time=1:1 for axt-pad, whose parts are AXIS=BEFORE,AFTER. */
const char *guess_pairs(const char *error);

/* ---- in guess_names.c ---- */
/* Axes before a file, for axt-transpose: NumPy's and xarray's transpose is axt-order. */
const char *guess_order_meant(int f);
/*
 * The word with an assignment in it, "tas=0" or "a.nc:tas+=1": TARGET, OP and the value are three
 * operands. Its parts stand before the values of `file`, another operand, or NULL.
 */
void guess_assigned(const char *w, const char *file);
/* axt-move FILE:OLD FILE:NEW, as of files. */
const char *guess_moved(void);
/*
 * axt-rename renames axes; without an output the dataset is renamed in its file. NULL: the word is
 * not DATASET=NEW.
 */
const char *guess_new_name_of_dataset(void);
/* An attribute of a tensor, typed as in NCO or Python: "tas@units=K" and "tas:units=K". */
const char *guess_attribute_of(void);
/* axt-squeeze of an axis that is longer than 1: one of its elements, or their mean. */
const char *guess_squeezed(const char *axis, const char *operand);
/* A field of times, time.month, where the axis of times has another name. */
const char *guess_own_field(const char *error);
/* What one command says of one mistake, by the words of its error. */
const char *guess_by_error(const char *error);
/* axt-make KIND 3 4, and KIND lat 3 lon 4: lengths belong to axes. */
const char *guess_lengths(void);
/* axt-rename OLD:NEW, OLD,NEW and "OLD->NEW", as in dictionaries, in NCO and CDO. */
const char *guess_renamed(void);
/* One of several results has the name of an axis: the axis gets another one first. */
const char *guess_axis_as_result(const char *error);

/* ---- in guess_files.c ---- */
/* axt-concat of a file and others into that file: records are added to it. */
const char *guess_append(const char *error);
/*
 * Several files, for a command of one tensor: they are concatenated first. Two datasets of one file
 * are different variables, which are no parts of one tensor. The operands are those before n; one
 * behind them is the output.
 */
const char *guess_several_files(int n);
/* The tensor that the graph's error says is no file; -1: the error is another. */
int guess_not_there(const char *error);
/*
 * The line with FILE:NAME for NAME, an option's value, if a file of the operands has such a
 * dataset.
 */
const char *guess_dataset_of(const char *error);
/* "> FILE" where FILE is an operand: the shell has emptied it before the command ran. */
const char *guess_emptied(const char *error);
/* A file with several tensors where one is meant: the same line with --each. */
const char *guess_each_of(const char *error);
/* Names of files with a star that was quoted, so that the shell has not replaced it. */
const char *guess_quoted_star(const char *error);
/* axt-to FORMAT A, without a name of a file; axt-to x.nc A, which axt-copy writes. */
const char *guess_other_format(const char *error);

/* ---- in guess_values.c ---- */
/* axt-pad 1 and axt-shift 1: the number with the names of axes. */
const char *guess_number_of_axis(const char *error);
/* axt-coord set lat=LO:HI:STEP, whose ranges are START:STEP. */
const char *guess_coordinates(void);
/* For axt-onehot: an axis and the number of classes that the operand may have. */
const char *guess_classes(const char *operand);
/* axt-broadcast A B, as broadcast_like of xarray; and axes of the operand that are not named. */
const char *guess_broadcast_like(void);
const char *guess_all_axes(const char *error);
/* axt-unflatten time=year,month: lengths, or fields of dates. */
const char *guess_lengths_of_parts(const char *error);

/* ---- in guess_outputs.c ---- */
/* Whether the word is the name of a file that results may go to. */
bool guess_names_output(const char *w);
/*
 * Whether the operands up to `last` are files whose times follow one another, so that
 * concatenating them makes sense.
 */
bool guess_are_pieces(int last);
/*
 * Several files, for a command of one tensor, whose names are those of members, run_0.nc run_1.nc,
 * and which are no pieces, or which lack the axis that is reduced: they are stacked first.
 */
const char *guess_members(void);
/* A b OUT: the output is the last operand, whether it is there already or not. */
const char *guess_last_output(void);
/* axt-copy A OUT, where OUT has what was copied before. */
const char *guess_copied_to(const char *error);
/* axt-concat of members, which have the same times: they are stacked. */
const char *guess_stacked(const char *error);
/* axt-merge of files that are no parts of a job: the line that puts them together. */
const char *guess_no_parts(const char *error);
/* axt-append and axt-attr, which change the file itself: the line that writes another one. */
const char *guess_changed_to(const char *error);

/* ---- in guess_near.c ---- */
/* Whether a word is likely a pattern of names of files, such as "a*.nc". */
bool guess_is_pattern(const char *w);
/* Whether the names differ, and only by digits that are others: 2001.nc and 2002.nc. */
bool guess_other_digits(const char *a, const char *b);
/* The line with the file that was likely meant by the name that the error says is no file. */
const char *guess_near_file(const char *error);

/* ---- in guess_options.c ---- */
/* axt-sub A - B, with the sign between the operands: the line without it. */
const char *guess_infix(void);
/* axt-attr set units=K: the line with the attributes that are set, without other words. */
const char *guess_edits(const char *error);
/* axt-stack member=r1,r2 A B: the line with the name of the axis alone. */
const char *guess_bare_axis(const char *error);
/* axt-cast of missing values to integers: packing declares a number for them. */
const char *guess_packed(const char *error);

/* ---- in guess_nco.c ---- */
/* -v NAMES, -d AXIS,LO,HI and -a as NCO has them, for the command that does what that tool does. */
const char *guess_options_of_nco(void);

/* ---- in guess_habits.c ---- */
/* Tensors of one file as operands, for a command that takes several as FILE:A,B. */
const char *guess_tensors_of_one(void);
/* axt-assign TARGET = A time=0: the part belongs to the target. */
const char *guess_part_behind(void);
/* axt-take lat@48.2 lon@16.4 FILE, FILE being operand f: axt-slice takes several specs. */
const char *guess_several_specs(int f);
/* --range LO HI, whose two numbers have a comma between them. */
const char *guess_range_apart(void);
/* The line without operands that are numbers, as -4 and 5 of NCO's options. */
const char *guess_without_numbers(void);
/* Operand i is a number with its units, 300K. */
const char *guess_with_units(int i);
/*
 * axt-take with a coordinate, --by with --every, --over all, records that do not fit, and several
 * tensors where the format has one.
 */
const char *guess_habit(const char *error);

/* ---- in guess_weights.c ---- */
/* --weights cos(lat), coslat, lat_bnds: the areas of cells; other expressions are axt-calc's. */
const char *guess_weights(const char *error);

/* ---- in guess_grids.c ---- */
/* Operands on other grids: the line that interpolates one of them first. */
const char *guess_other_grid(const char *error);
/* axt-concat of two variables on other grids, which are no parts of one. */
const char *guess_two_variables(const char *error);
/* axt-interp of two files: the one has the grid. */
const char *guess_grid_of(const char *error);
/* The same where the grid is the value of the option argv[i]. */
const char *guess_grid_option(const char *grid, int i, bool joined, int argc, char *const argv[]);
/* What an axis is along: degrees_north, degrees_east or time by its units or name, or its name. */
const char *guess_meaning(const struct axt_expr *e, int i);
const char *guess_meaning_of(const char *name);
/* The same by the units of the axis alone; NULL: they tell nothing. */
const char *guess_meaning_by_units(const struct axt_expr *e, int i);
/* Writes the axes of b that mean what axes of `a` with other names do: "lat=latitude,lon=longitude". */
bool guess_renaming(const char *a, const char *b, char *pairs, size_t size);
/* Axes of the second operand that have other names than those of the first: they are renamed. */
const char *guess_other_names(const char *error);

/* ---- in guess_typed.c ---- */
/* --by time.month,lat, where lat is an axis: it is kept, or its coordinates are the labels. */
const char *guess_labels(const char *error);
/* axt-print FILE DATASET of a file with several tensors. */
const char *guess_dataset_behind(const char *error);
/* "> axt-map sqrt", where the shell has made a file of that name: | joins commands. */
const char *guess_pipe(void);
/* A coordinate that is not there: the line with --nearest. */
const char *guess_nearest(const char *error);

/* ---- in guess_targets.c ---- */
/* axt-interp of a grid as CDO has it, and of a step of time without its ends. */
const char *guess_targets(const char *error);

/* ---- in guess_alike.c ---- */
/*
 * Axes of usual names, lat@20:50, of an operand that calls them otherwise; lat,lon=GRID of cells
 * whose latitudes lie over two axes; height=500 with --points.
 */
const char *guess_axis_alike(const char *error);

/* ---- in guess_units.c ---- */
/* axt-convert of kg m-2 s-1 to mm/day, and back. */
const char *guess_water(const char *error);
/* axt-convert of a whole file, some of whose tensors have units that can be converted. */
const char *guess_tensor_of_units(const char *error);

/* ---- in guess_expr.c ---- */
/* For axt-calc: the expression that was most likely meant, with its operands. */
const char *guess_expression(const char *error);

/* Whether it is the name of an operation that this command, a chooser, has as a word. */
bool guess_is_choice_of(const char *command, const char *name);

#endif
