/*
 * axt_fact.h - what an error is about, for those who make advice of it. A part of axt_cmd.h and of
 * base.h; it is not installed.
 */
#ifndef AXT_AXT_FACT_H
#define AXT_AXT_FACT_H

/*
 * What an error is about: rows of facts.def. The kernels, of which a new row would build some
 * hundreds anew, do without them.
 */
enum axt_about {
	AXT_ABOUT_NOTHING,
#ifndef AXT_ISA
#define FACT(id, what) AXT_##id,
#include "facts.def"
#undef FACT
	AXT_NFACTS
#endif
};

/*
 * facts.def says what the words of each kind are. They are as they were typed, and "" where they
 * are not known or do not fit.
 */
struct axt_fact {
	enum axt_about about;
	char word[160], of[160];
	char among[300]; /* with line breaks between them */
	/* where that mends it: what is typed in place of word; an option, and its value */
	char meant[120], option[20], value[120];
};

#endif
