/* show.h - tensors and files as text: values, axt-info's listing, JSON, CDL. */
#ifndef AXT_SHOW_SHOW_H
#define AXT_SHOW_SHOW_H

#include "bytes/output.h"
#include "hdf5/read/read.h"

/* The coordinate of index i as text, escaped; false when the axis has none. */
bool axt_coord_text(struct axt_buf *b, const struct axt_coord *c, int64_t i);
/* A JSON string; a byte that is no UTF-8 becomes the character of its number (show/json.c). */
void axt_json_string(struct axt_buf *b, const char *s);
struct axt_text_opts {
	FILE *out;
	const char *to;			/* its name in messages, escaped; NULL: standard output */
	bool terminal;			/* may leave elements out (and says so) */
	int64_t head;			/* -1: all */
	const char *format;		/* printf format of one value, checked; NULL: shortest */
	bool csv;
	bool rows;			/* values alone, a row of commas per line; one or two axes */
	bool values_named;		/* several results: NAME<TAB>VALUE lines for rank 0 */
	/* CSV of several results with the same axes, side by side: where their sinks meet. *table
	 * starts as NULL and ends with axt_text_table_free; table NULL: one table after another. */
	struct axt_text_table **table;
};
/*
 * An ordered sink that prints a tensor as it comes. Free with axt_text_free,
 * which flushes and reports write errors; with an error in e, what was not out yet stays so.
 */
struct axt_sink *axt_text_new(const struct axt_out_var *v, int nvars, int i,
    const struct axt_text_opts *o, struct axt_err *e);
int axt_text_free(struct axt_sink *s, struct axt_err *e);
void axt_text_table_free(struct axt_text_table *t);
/* What axt-info --stats tells of a tensor. */
struct axt_info_stats {
	int64_t count, missing;		/* values that are not NaN; those that are */
	double min, max, mean;		/* NaN when there is no value */
};
typedef int axt_info_stats_fn(void *ctx, const struct axt_dset *d, struct axt_info_stats *s,
    struct axt_err *e);
/* What gives a tensor its values, where it is an expression. */
#define AXT_INFO_LIST 64
struct axt_info_list {
	int n;
	bool more;
	const char *word[AXT_INFO_LIST];
};
struct axt_info_plan {
	bool is;
	struct axt_info_list inputs, places;	/* "FILE:DATASET", names of placeholders */
	bool maps;				/* HDF5 puts its inputs together */
	bool view;				/* of its one input, whose storage it shares */
	struct axt_view v;
};
/* 1: it is one; 0: it is none; -1: that cannot be told, and the error of axt_info_write has it. */
typedef int axt_info_plan_fn(void *ctx, struct axt_file *f, const struct axt_dset *d,
    struct axt_info_plan *p);
/*
 * axt-info of one file. what: 't' text, 'j' json, 'c' cdl. dset NULL: all. stats is asked for each
 * tensor; NULL: none; plan, with its own ctx, too.
 */
int axt_info_write(struct axt_arena *m, struct axt_file *f, const char *dset, char what, FILE *out,
    axt_info_stats_fn *stats, void *ctx, axt_info_plan_fn *plan, void *plan_ctx, struct axt_err *e);

#endif
