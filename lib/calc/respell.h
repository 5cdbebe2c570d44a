/*
 * respell.h - turns one word as other tools write it into the word that axt takes. The texts live
 * as long as the graph. NULL: the word cannot be turned into one, or out of memory.
 */
#ifndef AXT_CALC_RESPELL_H
#define AXT_CALC_RESPELL_H

#include <stdbool.h>
#include <stddef.h>

struct axt_expr;
struct axt_graph;

/* The words of such a list as an argument: "time,lat" is (time, lat). */
const char *axt_respell_parentheses(struct axt_graph *g, const char *list);
/* Whether the list is typed already as an argument is. */
bool axt_respell_is_list(const char *typed, const char *list);
/*
 * The names of the axes of a that are typed by names in any case, or by positions, which count from
 * the end if negative: "0,-1" is "time,lon". NULL: one of them is no axis of a.
 */
const char *axt_respell_axes(struct axt_graph *g, const struct axt_expr *a, const char *typed);
/* Whether the word means that there is no choice: None, all, "*", ":" or "...". */
bool axt_respell_is_all(const char *typed);
/* "true" or "false", of True, TRUE, T, yes, 1 and their contraries. */
const char *axt_respell_flag(const char *typed);
/* The number at s, as 1_000, 1d-3, 1.0f or 3L are; *n: its length there. NULL: it is typed so. */
const char *axt_respell_number(struct axt_graph *g, const char *s, size_t *n);

#endif
