/* view.h - what the files of axt-view share: the terminal, the tree, a tensor's picture. */
#ifndef AXT_CMD_VIEW_H
#define AXT_CMD_VIEW_H

#include "cmd.h"

/* ---- in view_screen.c: the terminal, by ncurses ---- */

/* Looks of text; colours of the 256 that a terminal has, or NONE: its own. */
enum { VIEW_PLAIN, VIEW_BOLD, VIEW_REVERSE, VIEW_DIM };
#define VIEW_NONE (-1)
/* Keys that are no characters. */
enum {
	VIEW_RESIZED = 0x200000,
	VIEW_GONE,
	VIEW_OTHER,
	VIEW_ENTER,
	VIEW_BACK,
	VIEW_UP,
	VIEW_DOWN,
	VIEW_LEFT,
	VIEW_RIGHT,
	VIEW_PAGE_UP,
	VIEW_PAGE_DOWN,
	VIEW_FIRST,
	VIEW_LAST,
	VIEW_ESCAPE
};

/* Takes the terminal. Returns NULL, or says why it cannot. */
const char *view_begin(void);
/* Gives it back as it was. It is also called when the program ends, or is ended by a signal. */
void view_end(void);
int view_lines(void);
int view_columns(void);
/* Whether it shows the 256 colours, and characters of Unicode. */
bool view_has_colors(void);
bool view_has_unicode(void);
/* Waits for a key. GONE: there is no terminal any more. */
int view_key(void);
void view_clear(void);
/* Makes visible what was put. */
void view_show(void);
/*
 * Puts a text of UTF-8 at a place, cut at `end`, where a column after it begins. Returns the column
 * behind it.
 */
int view_text(int y, int x, int end, const char *s, int look);
/* Puts a character in colours. */
void view_cell(int y, int x, uint32_t c, int ink, int paper);
/* Fills the rest of a line with a look. */
void view_fill(int y, int x, int look);

/* ---- in view.c: the line at the bottom ---- */

/* What is told there until the next key; control characters have been escaped. */
void view_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The graph's error, if it has one, goes there; returns whether it has. */
bool view_failed(const struct axt_graph *g);
/* Another graph, whose warnings go there. */
struct axt_graph *view_graph(void);

/* ---- in view_tree.c: groups and tensors ---- */

/* Reads the names in a file. Returns how many tensors there are; -1: the graph has the error. */
int view_tree_read(struct axt_graph *g, const char *file);
void view_tree_draw(int lines);
/* Does what a key means here. Returns the operand to look at; NULL: none. */
const char *view_tree_key(int key, int lines);
/* The operand, if it names one tensor; NULL: it does not. */
const char *view_tree_only(const char *operand);
void view_tree_free(void);

/* ---- in view_slice.c: the part of a tensor that is shown ---- */

struct view_axis {
	char *name;
	int64_t len;
	int64_t at; /* which index is shown, where the axis is not drawn */
};
struct view_slice {
	char *operand; /* FILE:DATASET */
	int rank;
	struct view_axis axis[AXT_MAX_RANK];
	int x, y;     /* the axes drawn; -1: none */
	int step;     /* the axis that keys step along; -1: none */
	bool swapped; /* x and y were chosen, and are not the picture's choice */
	int colors;   /* which map of colours; -1: the picture's choice */
	int means;    /* 1, 0: means of blocks, or one element of each; -1: by size */
};
bool view_slice_open(struct view_slice *s, const char *operand);
void view_slice_free(struct view_slice *s);
/* The specs that choose the indices shown: of specs[AXT_MAX_RANK], how many. */
int view_slice_specs(const struct view_slice *s, char *specs[]);
void view_slice_free_specs(char *specs[], int n);

/* ---- in view_picture.c ---- */

void view_picture_draw(const struct view_slice *s, int lines);

#endif
