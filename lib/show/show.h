/* show.h - tensors and files as text: values, axt-info's listing, JSON, CDL. */
#ifndef AXT_SHOW_SHOW_H
#define AXT_SHOW_SHOW_H

#include "bytes/output.h"
#include "hdf5/read/read.h"

/* The coordinate at index i as text, escaped; false when the axis has none. */
bool axt_coord_text(struct axt_buf *b, const struct axt_coord *c, int64_t i);
/* In json.c: a JSON string. A byte that is not UTF-8 becomes the character with its number. */
void axt_json_string(struct axt_buf *b, const char *s);
struct axt_text_opts {
	FILE *out;
	/* the output's name in messages, escaped; NULL: standard output */
	const char *to;
	bool terminal; /* some elements may be left out, and the text says so */
	int64_t head;  /* 0: all; negative: none */
	/* a printf format for one value, checked; NULL: the fewest digits */
	const char *format;
	bool csv;
	/* values only, a line of comma-separated values per row; for one or two axes */
	bool rows;
	/* several results: lines of NAME<TAB>VALUE where the rank is 0 */
	bool values_named;
	/*
	 * For CSV of several results with the same axes side by side: shared by their sinks. *table
	 * starts as NULL; axt_text_table_free frees it. table NULL: one result is printed after
	 * another.
	 */
	struct axt_text_table **table;
};
/*
 * A sink that prints a tensor as its values come, in order. axt_text_free flushes, reports write
 * errors and frees it; if e already has an error, what is buffered is not printed.
 */
struct axt_sink *axt_text_new(const struct axt_out_var *v, int nvars, int i,
    const struct axt_text_opts *o, struct axt_err *e);
int axt_text_free(struct axt_sink *s, struct axt_err *e);
void axt_text_table_free(struct axt_text_table *t);
/* What axt-info --stats shows of a tensor. */
struct axt_info_stats {
	int64_t count, missing; /* values that are not NaN; values that are */
	double min, max, mean;  /* NaN when there is no value */
};
typedef int axt_info_stats_fn(void *ctx, const struct axt_dset *d, struct axt_info_stats *s,
    struct axt_err *e);
/* What a computed tensor is computed from. */
#define AXT_INFO_LIST 64
struct axt_info_list {
	int n;
	bool more;
	const char *word[AXT_INFO_LIST];
};
struct axt_info_plan {
	bool is;
	struct axt_info_list inputs, places; /* "FILE:DATASET"; names of placeholders */
	/* HDF5 puts it together from its inputs (virtual dataset) */
	bool maps;
	bool view; /* it shares the storage of its only input */
	struct axt_view v;
};
/*
 * Returns 1 if the dataset is computed, 0 if not, and -1 on an error, which axt_info_write reports.
 */
typedef int axt_info_plan_fn(void *ctx, struct axt_file *f, const struct axt_dset *d,
    struct axt_info_plan *p);
/*
 * axt-info of one file. what: 't' text, 'j' JSON, 'c' CDL. only NULL: all datasets. stats is called
 * for each tensor; plan for each dataset; either may be NULL.
 */
int axt_info_write(struct axt_arena *m, struct axt_file *f, struct axt_dset *only, char what,
    FILE *out, axt_info_stats_fn *stats, void *ctx, axt_info_plan_fn *plan, void *plan_ctx,
    struct axt_err *e);

#endif
