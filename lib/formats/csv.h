/* csv.h - cells of a CSV, row-major, and what they become (csv.c, csv_tensor.c). */
#ifndef AXT_FORMATS_CSV_H
#define AXT_FORMATS_CSV_H

#include "formats/formats.h"

enum axt_cell {
	AXT_CELL_NONE,
	AXT_CELL_BOOL,
	AXT_CELL_INT,
	AXT_CELL_UINT,
	AXT_CELL_REAL,
	AXT_CELL_COMPLEX,
	AXT_CELL_TEXT
};

struct axt_csv {
	struct axt_fr *r;
	char delim;
	int64_t line; /* the one read last, from 1 */
	int cols;
	int64_t rows;
	bool sorted;        /* the rows were put in the order of elements */
	const char **head;  /* names of the columns, or NULL */
	const char **units; /* in brackets behind the names, or NULL */
	struct axt_csv_col {
		enum axt_cell kind;
		bool negative, missing;
		bool some; /* a cell is not empty */
	} * col;
	/* [rows][cols]: bits of an i64, u64 or f64; TEXT: a const char *; COMPLEX: where in cx */
	uint64_t *cell;
	int64_t cap;
	double *cx; /* pairs */
	int64_t ncx, capcx;
	int64_t text; /* bytes of strings kept */
	/* cells of lines behind the name of one column that begin with #: comments, or words */
	uint64_t *marked;
	int64_t nmarked, capmarked;
#define AXT_CSV_MET 4096
	const char **met; /* [AXT_CSV_MET]: those kept last, by hash */
};

static inline uint64_t
axt_csv_cell(const struct axt_csv *c, int64_t row, int col)
{
	return c->cell[row * c->cols + col];
}
/* Whether what was read so far is a list of words, in which # is a word like others. */
static inline bool
axt_csv_is_list(const struct axt_csv *c)
{
	return c->cols == 1 && c->rows > 0 && c->col[0].kind == AXT_CELL_TEXT;
}
/* Makes column k of a kind that holds what it is now. */
int axt_csv_widen(struct axt_csv *c, int k, enum axt_cell to);
/* Writing (csv_write.c): see struct axt_format_fns. */
struct axt_fout;
int axt_csv_head(struct axt_fout *o, struct axt_err *e);
int axt_csv_open(struct axt_fout *o, struct axt_err *e);
int axt_csv_finish(struct axt_fout *o, struct axt_err *e);
void axt_csv_release(struct axt_fout *o);
/* Whether two rows have the same cell in column k. */
bool axt_csv_same(const struct axt_csv *c, int k, int64_t i, int64_t j);
/* How many different cells of column k the first rows have; -1: no memory. */
int64_t axt_csv_distinct(struct axt_csv *c, int k, int64_t rows);
/* The axis of length n that column k is, whose cell changes every `step` rows; at: its number. */
int axt_csv_axis(struct axt_csv *c, int k, int64_t n, int64_t step, int at, struct axt_axis *x);
/* Gives a tensor the name and the units of column k. */
int axt_csv_named(struct axt_csv *c, int k, struct axt_foreign_item *t);
/*
 * Makes columns [from, to) the values of t. They must be of one kind, which is not text. several:
 * other tensors take values of the same table, so that these are copied.
 */
int axt_csv_values(struct axt_csv *c, int from, int to, bool several, struct axt_foreign_item *t);
/* Whether the cell is a date, which becomes a CF time. */
bool axt_csv_is_date(const struct axt_csv *c, int64_t row, int col);
/* In csv_records.c: units behind the names of columns are taken off them. */
int axt_csv_units(struct axt_csv *c);
/*
 * Names the first column, which has no name, as the index that pandas writes has none: "time" for
 * dates, "index" for other text, "row" for numbers that rise or fall.
 */
void axt_csv_name_first(struct axt_csv *c);
/*
 * Reads the lines as records, if they are such (*done): columns with names become tensors, along
 * the axis of the first column if its cells are all different texts, or numbers that rise or fall.
 * In a long table each line is one element, whose places on all axes the columns but the last tell:
 * then the lines are only put in the order of the elements.
 */
int axt_csv_records(struct axt_csv *c, bool *done);
/* The axis "row" of all lines. */
int axt_csv_rows(struct axt_csv *c, struct axt_axis *x);
/*
 * Whether column k is a latitude or a longitude, and another column is the other of these. Then the
 * lines are places, unless they make a whole grid.
 */
bool axt_csv_places(const struct axt_csv *c, int k);
/*
 * In csv_words.c: for a list of words, decides whether the first line is a word or the name of the
 * column, and whether lines behind it that begin with # are words or comments.
 */
int axt_csv_first_word(struct axt_csv *c);
/* Makes column k, of text, the words of t along the axis "row"; dates become numbers. */
int axt_csv_words(struct axt_csv *c, int k, struct axt_foreign_item *t);
/* Texts that are all dates become a CF time; false: they are not. */
bool axt_csv_as_time(struct axt_fr *r, struct axt_coord *x);
/* The tensor of all lines: axes in the leading columns, or a matrix. Takes c->cell. */
int axt_csv_shape(struct axt_csv *c);

#endif
