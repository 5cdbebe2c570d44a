/*
 * json.h - JSON, by libjson-c, which is loaded for the first document. A NULL pointer stands for
 * JSON's null, and for a member that is not there.
 */
#ifndef AXT_ZARR_JSON_H
#define AXT_ZARR_JSON_H

#include "base/base.h"

/* libjson-c's numbers of types */
enum axt_json_type {
	AXT_JSON_NULL,
	AXT_JSON_BOOL,
	AXT_JSON_DOUBLE,
	AXT_JSON_INT,
	AXT_JSON_OBJECT,
	AXT_JSON_ARRAY,
	AXT_JSON_STRING
};
struct axt_json;
/*
 * Parses n bytes. If the result is NULL, *why says what is wrong with the document, as the end of a
 * message; if *why is NULL, too, the document is null. An integer beyond 64 bits is read as a real
 * number. NaN and Infinity are read as Python writes them.
 */
struct axt_json *axt_json_parse(const void *p, size_t n, uint64_t most, const char **why);
/* What *why is where the document would take over `most` bytes of memory. */
extern const char axt_json_too_large[];
void axt_json_free(struct axt_json *j);
enum axt_json_type axt_json_type(const struct axt_json *j);
/* The member of an object; NULL also of what is no object. */
const struct axt_json *axt_json_get(const struct axt_json *j, const char *name);
/* The items of an array, and how many there are; 0 of what is no array. */
size_t axt_json_count(const struct axt_json *j);
const struct axt_json *axt_json_item(const struct axt_json *j, size_t i);
/* The text of a string, or NULL where it is none or has a zero in it. It lives as long as j. */
const char *axt_json_text(const struct axt_json *j);
/* The same of any string, with its length. */
const char *axt_json_bytes(const struct axt_json *j, size_t *n);
/* An integer, also one that is written as 3.0; false: it is none, or not in the range. */
bool axt_json_int(const struct axt_json *j, int64_t lo, int64_t hi, int64_t *out);
/* An integer that is over INT64_MAX. */
bool axt_json_uint(const struct axt_json *j, uint64_t *out);
/* Any number; false: it is none. */
bool axt_json_double(const struct axt_json *j, double *out);
bool axt_json_true(const struct axt_json *j);
/* As text, in the arena. */
const char *axt_json_print(struct axt_arena *m, const struct axt_json *j);
/* Calls `each` with the members of an object in their order, until it returns false. */
void axt_json_each(const struct axt_json *j,
    bool (*each)(void *ctx, const char *name, const struct axt_json *value), void *ctx);

#endif
