/* axt_line.h - what the files axt*.c share, which write lines that do what other tools do. */
#ifndef AXT_CMD_AXT_LINE_H
#define AXT_CMD_AXT_LINE_H

#include "advice.h"

extern char line_text[1500]; /* the line */
/* Adds text to the line, between quotes if `word` and the shell needs them. */
void line_put(const char *text, bool word);
/* Adds a part of the word at the line's end, between quotes if the shell needs them. */
void line_put_more(const char *text);
/* Begins the line with this command. */
void line_from(const char *command);
/* The number of tensors in the file. */
int line_tensors(const char *file);
/* Adds an operand: FILE:* for a file of several tensors. */
void line_put_whole(const char *w);
/* Whether the word is a field of dates, such as month; AXIS=SPEC or AXIS@SPEC with a number. */
bool line_is_field(const char *w);
bool line_is_part(const char *w);

#endif
