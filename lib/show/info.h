/* info.h - inside the store room: what the three forms of axt-info share. */
#ifndef AXT_SHOW_INFO_H
#define AXT_SHOW_INFO_H

#include "show/text.h"

struct axt_info_ctx {
	struct axt_arena *m;
	struct axt_file *f;
	struct axt_dset *only;		/* the dataset asked for; NULL: all */
	axt_info_stats_fn *stats;
	void *stats_ctx;
	axt_info_plan_fn *plan;
	void *plan_ctx;
	struct axt_buf b;		/* written when all is well */
	struct axt_err *e;
};

/* Name as typed after FILE: without the slash of the root. */
const char *axt_info_name(const struct axt_dset *d);
/* "contiguous", "chunked", "compact", "none". */
const char *axt_info_layout(const struct axt_storage *s);
const char *axt_info_role(enum axt_role role);
/* "row-major", "column-major"; with ", padded" where more is allocated than the tensor has. */
const char *axt_info_order(const struct axt_dset *d);
/* Whether nothing can be assigned to it: a stream, a constant, a file that may not be written. */
bool axt_info_read_only(const struct axt_info_ctx *c, const struct axt_dset *d);
/* Whether dataset d is shown as a tensor. */
bool axt_info_shows(const struct axt_info_ctx *c, const struct axt_dset *d);
/* Adds text in quotes, with the usual escapes; the rest as axt_escape shows it. */
void axt_info_quoted(struct axt_info_ctx *c, const char *s);
/* Loads what can be loaded; false when only the name and the reason are known. */
bool axt_info_load(struct axt_info_ctx *c, struct axt_dset *d);

int axt_info_text(struct axt_info_ctx *c);
int axt_info_json(struct axt_info_ctx *c);
int axt_info_cdl(struct axt_info_ctx *c);

#endif
