/* words.c - the pieces of text of which programs are made, found by name. */
#include "device/text.h"

static const struct word {
	const char *dtype, *name, *text;
} words[] = {
#include "words.inc"
};

const char *
axt_word(const char *dtype, const char *name)
{
	for (int i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(words[i].name, name) == 0 && strcmp(words[i].dtype, dtype) == 0)
			return words[i].text;
	return NULL;
}
