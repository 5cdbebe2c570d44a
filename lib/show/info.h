/* info.h - shared by the three forms of axt-info: text, JSON and CDL. */
#ifndef AXT_SHOW_INFO_H
#define AXT_SHOW_INFO_H

#include "show/text.h"

struct axt_info_ctx {
	struct axt_arena *m;
	struct axt_file *f;
	const struct axt_info_how *how;
	struct axt_dset *only; /* the dataset that was asked for; NULL: all */
	axt_info_stats_fn *stats;
	void *stats_ctx;
	axt_info_plan_fn *plan;
	void *plan_ctx;
	struct axt_buf b; /* the text; it is written at the end, if there was no error */
	struct axt_err *e;
};

/* Whether the dataset is in the group that is told of, and fits the pattern. */
bool axt_info_in(const struct axt_info_ctx *c, const struct axt_dset *d);
/* What is typed after FILE: to name the dataset; the slash of the root is left out. */
const char *axt_info_name(const struct axt_dset *d);
/* "contiguous", "chunked", "compact", "none". */
const char *axt_info_layout(const struct axt_storage *s);
const char *axt_info_role(enum axt_role role);
/* "row-major" or "column-major"; ", padded" follows if more is allocated than the tensor needs. */
const char *axt_info_order(const struct axt_dset *d);
/*
 * Whether the dataset cannot be assigned to: it is in a stream, a constant, or in a file that may
 * not be written.
 */
bool axt_info_read_only(const struct axt_info_ctx *c, const struct axt_dset *d);
/* Whether dataset d is shown as a tensor. */
bool axt_info_shows(const struct axt_info_ctx *c, const struct axt_dset *d);
/* Adds text in quotes with the usual escapes. Other characters are shown as by axt_escape. */
void axt_info_quoted(struct axt_info_ctx *c, const char *s);
/*
 * Loads a dataset. Returns false if it is damaged, so that only its name and the reason can be
 * shown.
 */
bool axt_info_load(struct axt_info_ctx *c, struct axt_dset *d);

int axt_info_text(struct axt_info_ctx *c);
int axt_info_json(struct axt_info_ctx *c);
int axt_info_cdl(struct axt_info_ctx *c);

#endif
