/*
 * axt_fact.h - what an error is about, by which hints and better command lines are found. It is a
 * part of axt_cmd.h and of base.h, and not installed.
 */
#ifndef AXT_AXT_FACT_H
#define AXT_AXT_FACT_H

/*
 * What an error is about: rows of facts.def. Kernels, which have AXT_ISA defined, do not see the
 * rows, so that a new row does not build some hundreds of files again.
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
 * What an error is about, with words that facts.def explains for each kind. The words are as they
 * were typed; a word is "" if it is not known or does not fit.
 */
struct axt_fact {
	enum axt_about about;
	char word[160], of[160];
	char among[300]; /* with line breaks between them */
	/* where that mends it: what is typed in place of word; an option, and its value */
	char meant[120], option[20], value[120];
};

#endif
