/*
 * deeds.h - what this process has done that others can see, and what others have done to files that
 * it reads. This decides whether a command that failed may begin again: it may if a file changed
 * while it was read, and nothing of the result has left the process.
 */
#ifndef AXT_BYTES_DEEDS_H
#define AXT_BYTES_DEEDS_H

#include <stdbool.h>

enum axt_deed {
	AXT_GAVE_OUT,  /* bytes went to a stream, or an output has got its name */
	AXT_CHANGES,   /* this process changes a file itself, and not a copy of it */
	AXT_DISTURBED, /* another process changed a file that was open here */
	AXT_NDEEDS
};
/* Deeds are noted once and never forgotten. Any thread may call these. */
void axt_deed_note(enum axt_deed d);
bool axt_deed_done(enum axt_deed d);

#endif
