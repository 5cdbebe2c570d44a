/* text.h - one value, one coordinate or one name as text, for the files of this room. */
#ifndef AXT_SHOW_TEXT_H
#define AXT_SHOW_TEXT_H

#include <locale.h>

#include "show/show.h"

/* How the values of one tensor are written. */
struct axt_valfmt {
	enum axt_dtype dtype;
	bool time; /* the units of the tensor are a CF time, which is shown in ISO 8601 */
	struct axt_cftime cf;
	char conv; /* the conversion of --format; 0: as few digits as tell the value exactly */
	/*
	 * For a format of the form TEXT%WIDTH.DECIMALSfTEXT: the decimals, the width, and the
	 * length of the text before. `fixed` is -1 for all other formats.
	 */
	int fixed, width, before;
	const char *after;         /* the text behind; it points into the format */
	char spec[160], imag[160]; /* complete printf formats; imag is for the imaginary part */
	locale_t c;                /* the C locale; (locale_t)0: not made yet */
};
/*
 * Sets v for values of dtype d, whose units and calendar are in attrs. format NULL: as few digits
 * as give the value back. Fails with SYNTAX unless the format has exactly one conversion, and for
 * floats not one of integers (d i u o x X).
 */
int axt_valfmt_init(struct axt_valfmt *v, enum axt_dtype d, const struct axt_attr *attrs,
    const char *format, struct axt_err *e);
/* Whether a value is NaN, or a time that is missing. */
bool axt_valfmt_missing(const struct axt_valfmt *v, const void *p);
void axt_valfmt_release(struct axt_valfmt *v);
void axt_valfmt_add(struct axt_buf *b, const struct axt_valfmt *v, const void *p);
/* Whether the value is NaN, which is an empty field in CSV. */
bool axt_value_is_nan(enum axt_dtype d, const void *p);

/*
 * In text_beside.c: a column of a table for text or numbers along one axis of a tensor, such as the
 * names and latitudes of stations.
 */
struct axt_beside {
	const struct axt_aux *x;
	struct axt_coord c; /* of numbers: what they mean */
	const char *name;   /* with escapes */
	int axis;           /* of the tensor */
	int64_t pieces;     /* of each text; 0: numbers */
	int width;          /* of an aligned column, in characters */
	bool escape;        /* a field of CSV as well */
	struct axt_valfmt fmt;
};
struct axt_beside_opts {
	/* text that is asked for, which has one axis */
	const struct axt_aux *given;
	int ngiven;
	/* what belongs to the tensor: text, and numbers along its only axis */
	const struct axt_aux *aux;
	bool escape; /* fields of CSV as well: they are for a terminal */
};
/* Returns the columns of a table of a tensor with those axes, *n of them; NULL with an error. */
struct axt_beside *axt_beside_find(struct axt_arena *m, const struct axt_axes *x,
    const struct axt_beside_opts *o, int *n, struct axt_err *e);
/* Whether one of the texts lies along one of the axes. */
bool axt_beside_any(const struct axt_axes *x, const struct axt_aux *given, int n);
/* Adds the cell at index i of the axis. quote: as a field of CSV. */
void axt_beside_add(struct axt_buf *b, const struct axt_beside *c, int64_t i, bool quote);
void axt_beside_free(struct axt_beside *c, int n);

/* Adds a field of CSV, in quotes if it needs them. */
void axt_csv_add(struct axt_buf *b, const char *s);

#endif
