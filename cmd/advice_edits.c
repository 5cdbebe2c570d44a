/*
 * advice_edits.c - which edits are tried for which reason that a line was refused for. They hold
 * for any command: each moves words, joins them, makes options of them, or writes them in another
 * way.
 */
#include <string.h>

#include "advice_edits.h"

static const struct {
	enum axt_about about;
	void (*edit)(const struct advice_line *l);
} edits[] = {
	{ AXT_NO_OPTION, edit_no_option },
	{ AXT_NO_OPTION, edit_nco_option },
	{ AXT_NO_VALUE, edit_bad_value },
	{ AXT_BAD_VALUE, edit_bad_value },
	{ AXT_BAD_DTYPE, edit_bad_value },
	{ AXT_BAD_NUMBER, edit_bad_value },
	{ AXT_BAD_NUMBER, edit_bare_spec },
	{ AXT_NEEDS_OPTION, edit_needs_option },
	{ AXT_NO_CHOICE, edit_no_choice },
	{ AXT_TOO_FEW, edit_too_few },
	{ AXT_TOO_FEW, edit_other_writer },
	{ AXT_TOO_FEW, edit_subscript },
	{ AXT_TOO_MANY, edit_too_many },
	{ AXT_TWICE, edit_last_is_output },
	{ AXT_TWICE, edit_new_name },
	{ AXT_NOT_TOGETHER, edit_leave_out },
	{ AXT_CANNOT_WRITE, edit_in_directory },
	{ AXT_EXISTS, edit_in_directory },
	{ AXT_BAD_WORD, edit_bare_spec },
	{ AXT_BAD_WORD, edit_too_many },
	{ AXT_BAD_WORD, edit_pairs },
	{ AXT_BAD_WORD, edit_attribute },
	{ AXT_NO_DATASET, edit_attribute },
	{ AXT_BAD_NAME, edit_attribute },
	{ AXT_BAD_VALUE, edit_edges },
	{ AXT_NO_FILE, edit_near_files },
	{ AXT_NO_FILE, edit_no_file },
	{ AXT_NO_FILE, edit_subscript },
	{ AXT_NO_DATASET, edit_subscript },
	{ AXT_NO_DATASET, edit_hyperslab },
	{ AXT_NO_DATASET, edit_no_dataset },
	{ AXT_SEVERAL, edit_attribute },
	{ AXT_SEVERAL, edit_several },
	{ AXT_NO_AXIS, edit_no_axis },
	{ AXT_NO_AXIS, edit_spec },
	{ AXT_NO_AXIS, edit_arrow },
	{ AXT_NO_AXIS, edit_attribute },
	{ AXT_BAD_NAME, edit_no_axis },
	{ AXT_BAD_NAME, edit_arrow },
	{ AXT_BAD_NAME, edit_pairs },
	{ AXT_BAD_NAME, edit_called },
	{ AXT_AXIS_TWICE, edit_bare_spec },
	{ AXT_AXIS_TWICE, edit_no_axis },
	{ AXT_AXIS_TWICE, edit_new_name },
	{ AXT_AXIS_THERE, edit_new_name },
	{ AXT_BAD_POSITION, edit_bare_spec },
	{ AXT_BAD_POSITION, edit_called },
	{ AXT_OUTSIDE, edit_spec },
	{ AXT_NOTHING, edit_spec },
	{ AXT_BAD_COORDINATE, edit_spec },
	{ AXT_NO_COORDINATE, edit_spec },
	{ AXT_BAD_DATE, edit_spec },
	{ AXT_BAD_FIELD, edit_field },
	{ AXT_BAD_FIELD, edit_spec },
	{ AXT_NUMBER, edit_permuted },
	{ AXT_NUMBER, edit_too_many },
	{ AXT_NUMBER, edit_bad_value },
	{ AXT_NO_FORMAT, edit_other_writer },
	{ AXT_ONE_TENSOR, edit_one_tensor },
	{ AXT_OTHER_AXES, edit_interpolated },
	{ AXT_BAD_WORD, edit_no_axis },
	{ AXT_LONGER, edit_longer },
	{ AXT_BAD_PERIOD, edit_period },
	{ AXT_NO_LABELS, edit_field },
	{ AXT_UNITS, edit_one_tensor },
	{ AXT_LENGTHS, edit_interpolated },
	{ AXT_COORDINATES, edit_interpolated },
};

void
advice_edits(const struct advice_line *l)
{
	bool calc = strcmp(l->v[0], "axt-calc") ==
	    0; /* the words are an expression and its tensors */

	edit_told(l);
	edit_pasted(l);
	edit_single_dash(l);
	edit_named_option(l);
	if (calc)
		advice_expression(l);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++)
		if (edits[i].about == l->refused->why.about &&
		    (!calc || edits[i].edit == edit_no_option || edits[i].edit == edit_bad_value ||
			edits[i].edit == edit_no_dataset || edits[i].edit == edit_near_files ||
			edits[i].edit == edit_interpolated))
			edits[i].edit(l);
	edit_sister(l);
}
