/* view.h - what the files of axt-view share: the terminal, the tree, a tensor's slice. */
#ifndef AXT_CMD_VIEW_H
#define AXT_CMD_VIEW_H

#include "cmd.h"

/* ---- in view_screen.c: the terminal, by ncurses ---- */

/* Looks of text; and, in place of one of the 256 colours, the terminal's own. */
enum { VIEW_PLAIN, VIEW_BOLD, VIEW_REVERSE };
#define VIEW_NONE (-1)
/* Keys that are no characters. */
enum {
	VIEW_RESIZED = 0x200000,
	VIEW_GONE, /* there is no terminal any more */
	VIEW_OTHER,
	VIEW_ENTER,
	VIEW_BACK,
	VIEW_ESCAPE,
	VIEW_UP,
	VIEW_DOWN,
	VIEW_LEFT,
	VIEW_RIGHT,
	VIEW_PAGE_UP,
	VIEW_PAGE_DOWN,
	VIEW_FIRST,
	VIEW_LAST
};

/* Takes the terminal. Returns NULL, or says why it cannot. */
const char *view_begin(void);
/* Gives it back as it was. It is also called when the program ends, or is ended by a signal. */
void view_end(void);
int view_lines(void);
int view_columns(void);
/* Whether it shows 256 colours, and characters of Unicode. */
bool view_has_colors(void);
bool view_has_unicode(void);
/* Waits for a key; and whether there is one already. */
int view_key(void);
bool view_waits(void);
void view_clear(void);
/* Makes visible what was put. */
void view_show(void);
/*
 * Puts a text in UTF-8 at line y and column x, cut at column `end`. Returns the column behind it.
 */
int view_text(int y, int x, int end, const char *s, int look);
/* How many columns it takes. */
int view_width(const char *s);
/* Puts a character in colours. Returns how many columns it takes. */
int view_cell(int y, int x, uint32_t c, int ink, int paper);
/* Fills the rest of a line with a look. */
void view_fill(int y, int x, int look);

/* ---- in view.c: the line at the bottom, and graphs ---- */

/* What is told there until the next key; control characters have been escaped. */
void view_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The graph's error, if it has one, goes there; returns whether it has. */
bool view_failed(const struct axt_graph *g);
/* Another graph, whose warnings and progress go there. */
struct axt_graph *view_graph(void);

/* ---- in view_tree.c: groups and tensors ---- */

/* Reads the names in a file. Returns how many tensors there are; -1: the graph has the error. */
int view_tree_read(struct axt_graph *g, const char *file);
void view_tree_draw(int lines);
/* Does what a key means here. Returns the operand to look at; NULL: none. */
const char *view_tree_key(int key, int lines);
/* Chooses the next tensor or group, or the one before, in whose path the text is. */
bool view_tree_search(const char *text, bool back);
/* The operand, if it names one tensor; NULL: it does not. */
const char *view_tree_only(const char *operand);
void view_tree_free(void);

/* ---- in view_slice.c: the part of a tensor that is shown ---- */

struct view_axis {
	char *name;
	int64_t len;
	int64_t at;       /* the index that is shown, where the axis is not drawn */
	int64_t from, to; /* the part that is shown, where it is drawn */
	bool falls;       /* its values fall along the picture: to the right, or upward */
};
struct view_slice {
	char *operand; /* FILE:DATASET */
	enum axt_dtype dtype;
	int rank;
	struct view_axis axis[AXT_MAX_RANK];
	int x, y;    /* the axes drawn: across and up; -1: none */
	int step;    /* the axis that keys step along; -1: none */
	bool turned; /* x and y are not what axt-plot would choose */
	int colors;  /* which map of colours; -1: what axt-plot chooses */
	int quick;   /* 1: one element of each block is drawn; 0: means; -1: by size */
	bool whole;  /* the range is that of the whole tensor: */
	double lo, hi;
	bool table;          /* values are shown, not a picture */
	int64_t row, column; /* the first ones of the table, counted from 0 */
};
bool view_slice_open(struct view_slice *s, const char *operand);
void view_slice_free(struct view_slice *s);
/* Steps along the axis that keys step along; says where its end is. Returns whether it did. */
bool view_slice_step(struct view_slice *s, int64_t n);
/* Goes to the next index of that axis whose coordinate has the text in it. */
bool view_slice_search(struct view_slice *s, const char *text, bool back);
/* Another axis to step along; another axis across, or up. */
void view_slice_next_step(struct view_slice *s);
void view_slice_turn(struct view_slice *s, bool up);
/* Shows 1/by of what is shown along the axes drawn. */
void view_slice_zoom(struct view_slice *s, double by);
/*
 * Moves the part that is shown by a quarter of its length: to the right (1) or left (-1), or up or
 * down. To the right or left, where the whole axis is shown, this steps along the step axis
 * instead. Returns whether anything has to be drawn again.
 */
bool view_slice_pan(struct view_slice *s, int right, int up);
void view_slice_whole(struct view_slice *s);
/*
 * Sets `specs`, with room for AXT_MAX_RANK of them, to the specs that select what is shown, and
 * returns how many there are. `all`: axes of length 1 that are not drawn have one, too.
 */
int view_slice_specs(const struct view_slice *s, char *specs[], bool all);
void view_slice_free_specs(char *specs[], int n);
/* The tensor, cut to what is shown. */
struct axt_expr *view_slice_tensor(struct axt_graph *g, const struct view_slice *s);
/* How many elements that is. */
int64_t view_slice_count(const struct view_slice *s);
/* Tells which indices are shown, by their coordinates. */
void view_slice_tell(const struct view_slice *s, char *out, size_t size);

/* ---- in view_picture.c, view_table.c, view_stats.c ---- */

/* Clear the screen and draw on so many lines. */
void view_picture_draw(const struct view_slice *s, int lines);
void view_table_draw(struct view_slice *s, int lines);
/* The command line of axt-plot that makes this picture; the caller frees it. */
char *view_picture_command(const struct view_slice *s);
/* Tells the statistics of what is shown. */
void view_stats_tell(const struct view_slice *s);
/* Sets the range of values to that of the whole tensor. */
bool view_stats_range(struct view_slice *s);

#endif
