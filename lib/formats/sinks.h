/* sinks.h - what the writers of other formats share. */
#ifndef AXT_FORMATS_SINKS_H
#define AXT_FORMATS_SINKS_H

#include "formats/formats.h"
#include "hdf5/write/output.h"
#include "show/text.h"

struct axt_fout {
	struct axt_arena *m;
	struct axt_fout_opts o;
	const struct axt_out_var *v;
	int n;
	struct axt_buf head;		/* the bytes before the values */
	bool big;			/* values big-endian */
	int64_t width;			/* PBM: bits of a row; else 0 */
	unsigned bits;			/* of the byte being made */
	struct axt_buf line;		/* bytes made */
	bool stream;
	struct axt_stream to;		/* stream */
	struct axt_temp temp;		/* else */
	struct axt_fsink {
		struct axt_sink s;
		struct axt_fout *o;
		int64_t base, bytes, got;	/* behind the head */
		int size;
	} *sinks;
	/* csv */
	FILE *text;
	const char *text_name;		/* for messages */
	struct axt_sink *csv;		/* of show/text.c */
};

/* The head, or why there can be none. */
int axt_fout_head(struct axt_fout *o, struct axt_err *e);

#endif
