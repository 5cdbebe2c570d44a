/*
 * tree.h - which of many balls touch another one, and which of many points are nearest to another.
 */
#ifndef AXT_GRIDS_TREE_H
#define AXT_GRIDS_TREE_H

#include "expr/expr.h"

/* A cell lies within a ball around a point on the sphere. */
struct axt_ball {
	double at[3], radius; /* at[0] NaN: there is no cell */
};
/*
 * A tree over balls, which it does not own: those of each node are divided in two halves along a
 * curve through their middles, down to a few.
 */
struct axt_tree {
	int64_t n; /* balls in it, without those that are none */
	const struct axt_ball *ball;
	int64_t *order;  /* [n]: the balls of a node stand together */
	float (*box)[6]; /* [node]: least and greatest coordinates of what is in it */
};
int axt_tree_make(struct axt_graph *g, const struct axt_ball *ball, int64_t n,
    struct axt_tree *out);
void axt_tree_free(struct axt_tree *t);

/* Numbers of balls, which grow in number. */
struct axt_found {
	int64_t n, room, *i;
};
/* Finds the balls that touch b, in rising order. false: out of memory. */
bool axt_tree_touching(const struct axt_tree *t, const struct axt_ball *b, struct axt_found *out);
/*
 * Finds the k balls whose middles are nearest to p, the nearest first, and of equally near ones,
 * but for rounding, that with the lower number. d[] gets the squares of their distances. Returns
 * how many there are.
 */
int axt_tree_nearest(const struct axt_tree *t, const double p[3], int k, int64_t i[], double d[]);

#endif
