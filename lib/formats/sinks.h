/* sinks.h - what the writers of other formats share. */
#ifndef AXT_FORMATS_SINKS_H
#define AXT_FORMATS_SINKS_H

#include "formats/formats.h"
#include "bytes/output.h"
#include "show/text.h"

struct axt_fout {
	struct axt_arena *m;
	const struct axt_format_fns *fn;
	struct axt_fout_opts o;
	const struct axt_out_var *v;
	int n;
	struct axt_buf head; /* the bytes before the values */
	bool big;            /* values are written big-endian */
	int64_t all;         /* bytes of all values, as the file has them */
	void *own;           /* state of the format's own functions */
	bool stream;
	struct axt_stream to; /* if the output is a stream */
	struct axt_temp temp; /* if it is a file */
	struct axt_fsink {
		struct axt_sink s;
		struct axt_fout *o;
		/*
		 * Where this tensor's values begin behind the head, how many bytes they are, and
		 * how many have come.
		 */
		int64_t base, bytes, got;
		int size;
	} * sinks;
};

/* n bytes of a tensor, as the file has them, from byte off of its values on. */
int axt_fout_put(struct axt_fsink *k, int64_t off, const void *p, int64_t n, struct axt_err *e);

#endif
