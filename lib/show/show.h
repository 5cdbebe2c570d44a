/* show.h - tensors and files as text: values, axt-info's listing, JSON, CDL. */
#ifndef AXT_SHOW_SHOW_H
#define AXT_SHOW_SHOW_H

#include "bytes/output.h"
#include "files/files.h"

/*
 * Adds the coordinate at index i as text with escapes. Returns false if there are no coordinates.
 */
bool axt_coord_text(struct axt_buf *b, const struct axt_coord *c, int64_t i);
/* In json.c: adds a JSON string. A byte that is not UTF-8 becomes the character with its number. */
void axt_json_string(struct axt_buf *b, const char *s);
struct axt_text_opts {
	FILE *out;
	/* name of the output in messages, with escapes; NULL: standard output */
	const char *to;
	bool terminal; /* the middle of a long tensor may be left out, and the text says so */
	int64_t head;  /* how many elements are shown; 0: all; negative: none */
	/*
	 * A printf format for one value, which has been checked; NULL: as few digits as give the
	 * value back.
	 */
	const char *format;
	bool csv;
	bool no_index; /* csv: no columns of axes without coordinates */
	bool columns;  /* several results with the same axes are one table, aligned by blanks */
	/*
	 * Only values are printed: a line for each row, with commas between its values. For one or
	 * two axes.
	 */
	bool rows;
	/* if there are several results, those of rank 0 are lines of NAME<TAB>VALUE */
	bool values_named;
	/*
	 * For several results with the same axes, which become columns of one CSV table: the table,
	 * which their sinks share. *table is NULL at first, and axt_text_table_free frees it.
	 * `table` NULL: results are printed one after another.
	 */
	struct axt_text_table **table;
	/*
	 * csv: text that belongs to a tensor becomes columns behind the coordinates. So do numbers
	 * along the only axis that a tensor has.
	 */
	bool texts;
	/* text along one axis of the tensors, which csv and tables have as columns */
	const struct axt_aux *given;
	int ngiven;
};
/*
 * Makes a sink that prints tensor i of v, whose values must come in order. axt_text_free frees the
 * sink, flushes its file unless that is standard output, and reports errors of writing. If e has an
 * error then, buffered text is not printed.
 */
struct axt_sink *axt_text_new(const struct axt_out_var *v, int nvars, int i,
    const struct axt_text_opts *o, struct axt_err *e);
int axt_text_free(struct axt_sink *s, struct axt_err *e);
void axt_text_table_free(struct axt_text_table *t);
/* Whether a terminal shows what is printed there. stdout of commands has no descriptor itself. */
bool axt_text_on_terminal(FILE *out);
/* The statistics that axt-info --stats shows of a tensor. */
struct axt_info_stats {
	int64_t count, missing; /* count: values that are not NaN; missing: values that are */
	double min, max, mean;  /* NaN if count is 0 */
};
typedef int axt_info_stats_fn(void *ctx, const struct axt_dset *d, struct axt_info_stats *s,
    struct axt_err *e);
/* The inputs of a tensor that is computed from others, for axt-info. */
#define AXT_INFO_LIST 64
struct axt_info_list {
	int n;
	bool more;
	const char *word[AXT_INFO_LIST];
};
struct axt_info_plan {
	bool is;
	/* inputs: "FILE:DATASET"; places: names of placeholders */
	struct axt_info_list inputs, places;
	/* it is a virtual dataset, whose maps HDF5 has */
	bool maps;
	bool view; /* it only shows its single input in another way */
	struct axt_view v;
};
/*
 * Returns 1 if the dataset is computed, 0 if not, and -1 on an error, which axt_info_write reports.
 */
typedef int axt_info_plan_fn(void *ctx, struct axt_file *f, const struct axt_dset *d,
    struct axt_info_plan *p);
/*
 * How axt_info_write describes a file f, or its dataset `only` if that is not NULL. It calls stats
 * for each tensor, and plan for each dataset; either may be NULL. form: 't' text, 'j' JSON, 'c'
 * CDL, 'b' brief, 'n' names. The other members are as in axt_info_opts.
 */
struct axt_info_how {
	char form;
	bool file_names;
	int width;
	/* what is told is in this group and below; not of CDL. NULL: the whole file */
	const char *group;
	const struct axt_attr *attrs; /* the group's */
	const bool *fits; /* [ndsets] which datasets fit a pattern, and are told; NULL: all */
};
int axt_info_write(struct axt_arena *m, struct axt_file *f, struct axt_dset *only,
    const struct axt_info_how *how, FILE *out, axt_info_stats_fn *stats, void *ctx,
    axt_info_plan_fn *plan, void *plan_ctx, struct axt_err *e);

#endif
