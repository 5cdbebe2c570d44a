/* text.h - one value, one coordinate or one name as text, for the files of this room. */
#ifndef AXT_SHOW_TEXT_H
#define AXT_SHOW_TEXT_H

#include <locale.h>

#include "show/show.h"

/* How the values of one tensor are written. */
struct axt_valfmt {
	enum axt_dtype dtype;
	bool time; /* the tensor's units are a CF time: ISO 8601 */
	struct axt_cftime cf;
	char conv; /* of --format; 0: the fewest digits */
	/*
	 * Of a format that is only text, %, a width, a number of decimals, f and text; fixed is -1
	 * for others.
	 */
	int fixed, width, before;
	const char *after;         /* points into the format given */
	char spec[160], imag[160]; /* whole printf formats; imag for the imaginary part */
	locale_t c;                /* (locale_t)0: not made */
};
/*
 * Takes units and calendar from attrs. SYNTAX when the format is not exactly one conversion of the
 * right class.
 */
int axt_valfmt_init(struct axt_valfmt *v, enum axt_dtype d, const struct axt_attr *attrs,
    const char *format, struct axt_err *e);
void axt_valfmt_release(struct axt_valfmt *v);
void axt_valfmt_add(struct axt_buf *b, const struct axt_valfmt *v, const void *p);
/* Whether it is NaN, which is missing in CSV. */
bool axt_value_is_nan(enum axt_dtype d, const void *p);

/* Adds a CSV field, quoted if it needs to be. */
void axt_csv_add(struct axt_buf *b, const char *s);

#endif
