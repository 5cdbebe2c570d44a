/* i_pack.c - puts matrices side by side, and takes them apart again. */
#include "linalg/lanes.h"

/* Whether the lanes are neighbours, so that one load gets them all. */
static bool
are_neighbours(const struct axt_packing *o)
{
	for (int l = 1; l < LANES; l++)
		if (o->lane[l] != o->lane[0] + l)
			return false;
	return true;
}

/* The numbers of all lanes, of which NUMBER(l) is the one of lane l. */
#define NUMBERS_2(NUMBER) NUMBER(0), NUMBER(1)
#define NUMBERS_4(NUMBER) NUMBERS_2(NUMBER), NUMBER(2), NUMBER(3)
#define NUMBERS_8(NUMBER) NUMBERS_4(NUMBER), NUMBER(4), NUMBER(5), NUMBER(6), NUMBER(7)
#if LANES == 8
#define VECTOR(NUMBER) ((vec){ NUMBERS_8(NUMBER) })
#elif LANES == 4
#define VECTOR(NUMBER) ((vec){ NUMBERS_4(NUMBER) })
#else
#define VECTOR(NUMBER) ((vec){ NUMBERS_2(NUMBER) })
#endif

/*
 * Defines a function that packs numbers into lanes. It returns the lanes in which some number is
 * not finite: 0 times such a number is NaN, and a sum that NaN was added to stays NaN.
 */
#define LOAD(stem, T, PARTS)                                                               \
	unsigned ISA_NAME(stem)(const struct axt_packing *o, const void *from, double *to) \
	{                                                                                  \
		bool plain = PARTS == 1 && are_neighbours(o);                              \
		const T *p = from;                                                         \
		vec sum = all(0), v;                                                       \
                                                                                           \
		for (int64_t i = 0; i < o->n[0]; i++)                                      \
			for (int64_t j = 0; j < o->n[1]; j++) {                            \
				int64_t at = i * o->stride[0] + j * o->stride[1];          \
                                                                                           \
				for (int k = 0; k < PARTS; k++, to += LANES) {             \
					v = plain ? VECTOR(NEXT_LANE) : VECTOR(EACH_LANE); \
					sum += v * all(0);                                 \
					*(vec *)to = v;                                    \
				}                                                          \
			}                                                                  \
		return lanes_of(sum != all(0));                                            \
	}
#define NEXT_LANE(l) (double)p[at + o->lane[0] + (l)]
#define EACH_LANE(l) (double)p[(at + o->lane[l]) * parts + k]
#define parts 1
LOAD(load_f64_1, T_F64, 1)
LOAD(load_f32_1, T_F32, 1)
#undef parts
#define parts 2
LOAD(load_f64_2, T_F64, 2)
LOAD(load_f32_2, T_F32, 2)
#undef parts

#define STORE(stem, T, PARTS)                                                                  \
	void ISA_NAME(stem)(const struct axt_packing *o, const double *from, void *to)         \
	{                                                                                      \
		T *p = to;                                                                     \
                                                                                               \
		for (int64_t i = 0; i < o->n[0]; i++)                                          \
			for (int64_t j = 0; j < o->n[1]; j++) {                                \
				int64_t at = i * o->stride[0] + j * o->stride[1];              \
                                                                                               \
				for (int k = 0; k < PARTS; k++, from += LANES)                 \
					for (int l = 0; l < LANES; l++)                        \
						p[(at + o->lane[l]) * PARTS + k] = (T)from[l]; \
			}                                                                      \
	}
STORE(store_f64_1, T_F64, 1)
STORE(store_f64_2, T_F64, 2)
STORE(store_f32_1, T_F32, 1)
STORE(store_f32_2, T_F32, 2)
STORE(store_i64_1, T_I64, 1)
