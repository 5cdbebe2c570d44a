/* device.h - device_tiles.c: tiles on a device. */
#ifndef AXT_EVAL_DEVICE_H
#define AXT_EVAL_DEVICE_H

#include "device/device.h"
#include "eval/step.h"

#define AXT_DEVICE_LANES (256 << 10) /* threads that keep a device busy */
int axt_device_begin(struct axt_step_run *r);
void axt_device_end(struct axt_step_run *r);
int axt_device_worker(struct axt_worker *w);
void axt_device_release(struct axt_worker *w);
/* Whether operand k lies in the device's memory as it is stored. */
bool axt_device_holds(const struct axt_worker *w, int k);
/* Memory for operands' tiles. */
void *axt_device_pinned_new(const struct axt_step_run *r, int64_t bytes);
void axt_device_pinned_free(const struct axt_step_run *r, void *p);
/*
 * A tile of a map; its values are then at axt_device_got. 1: an element was refused: the CPU is to
 * do the tile, and tell why. -1: error.
 */
int axt_device_map(struct axt_worker *w, const struct axt_tile *t);
const void *axt_device_got(const struct axt_worker *w, int k);
/*
 * A tile of a reduction into n states there, the first or one more; index: flattened position. As
 * above.
 */
int axt_device_reduce(struct axt_worker *w, const struct axt_tile *t, int64_t n, int64_t index,
    bool first);
/* These states, per output and part of it. */
int axt_device_states(struct axt_worker *w, int64_t n, struct axt_acc acc[]);

#endif
