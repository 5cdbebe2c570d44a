/* text.h - inside the store room: one value, one coordinate, one name as text. */
#ifndef AXT_SHOW_TEXT_H
#define AXT_SHOW_TEXT_H

#include <locale.h>

#include "show/show.h"

/* How the values of one tensor are shown. */
struct axt_valfmt {
	enum axt_dtype dtype;
	bool time;			/* the tensor's own units are CF time: ISO 8601 */
	struct axt_cftime cf;
	char conv;			/* of --format; 0: shortest */
	/* a format that is text, %, a width, digits behind the point, f, text; fixed -1: it is not */
	int fixed, width, before;
	const char *after;		/* in the format given */
	char spec[160], imag[160];	/* complete printf formats; imag for complex */
	locale_t c;			/* (locale_t)0: none made */
};
/*
 * units and calendar are looked up in attrs. SYNTAX: the format is not exactly
 * one conversion of the right class.
 */
int axt_valfmt_init(struct axt_valfmt *v, enum axt_dtype d, const struct axt_attr *attrs,
    const char *format, struct axt_err *e);
void axt_valfmt_release(struct axt_valfmt *v);
void axt_valfmt_add(struct axt_buf *b, const struct axt_valfmt *v, const void *p);
/* NaN: missing in CSV. */
bool axt_value_is_nan(enum axt_dtype d, const void *p);

/* Adds a field of CSV, quoted where it must be. */
void axt_csv_add(struct axt_buf *b, const char *s);

#endif
