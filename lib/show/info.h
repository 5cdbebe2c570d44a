/* info.h - shared by the three forms of axt-info in this room. */
#ifndef AXT_SHOW_INFO_H
#define AXT_SHOW_INFO_H

#include "show/text.h"

struct axt_info_ctx {
	struct axt_arena *m;
	struct axt_file *f;
	struct axt_dset *only; /* the dataset asked for; NULL: all */
	axt_info_stats_fn *stats;
	void *stats_ctx;
	axt_info_plan_fn *plan;
	void *plan_ctx;
	struct axt_buf b; /* the text, which is written only if there was no error */
	struct axt_err *e;
};

/* The name to type after FILE: without the slash of the root. */
const char *axt_info_name(const struct axt_dset *d);
/* "contiguous", "chunked", "compact", "none". */
const char *axt_info_layout(const struct axt_storage *s);
const char *axt_info_role(enum axt_role role);
/* "row-major" or "column-major", with ", padded" where more is allocated than the tensor needs. */
const char *axt_info_order(const struct axt_dset *d);
/*
 * Whether nothing can be assigned to it: it is a stream or a constant, or the file may not be
 * written.
 */
bool axt_info_read_only(const struct axt_info_ctx *c, const struct axt_dset *d);
/* Whether dataset d is shown as a tensor. */
bool axt_info_shows(const struct axt_info_ctx *c, const struct axt_dset *d);
/* Adds text in quotes, with the usual escapes; other characters as axt_escape shows them. */
void axt_info_quoted(struct axt_info_ctx *c, const char *s);
/* Loads a dataset; false when only its name, and the reason, can be shown. */
bool axt_info_load(struct axt_info_ctx *c, struct axt_dset *d);

int axt_info_text(struct axt_info_ctx *c);
int axt_info_json(struct axt_info_ctx *c);
int axt_info_cdl(struct axt_info_ctx *c);

#endif
