/*
 * kind.c - kinds of tensors: what a tensor is for, which the attribute axt_kind tells.
 * source  Intel nGraph: constant, placeholder, persistent_tensor, variable.
 */
#include "cf/cf.h"

const struct axt_tensor_kind axt_tensor_kinds[AXT_NKINDS] = {
	{ "constant", "never changes: refuses assignment", true, true, false, false },
	{ "placeholder", "stands for a value given later, by axt-bind", false, true, false, true },
	{ "persistent", "keeps its values from run to run", false, true, false, false },
	{ "variable", "is to be trained: axt-info --trainable lists it", false, true, true, false },
};

const struct axt_tensor_kind *
axt_kind_named(const char *name)
{
	for (int k = 0; name && k < AXT_NKINDS; k++)
		if (strcmp(axt_tensor_kinds[k].name, name) == 0)
			return &axt_tensor_kinds[k];
	return NULL;
}

const struct axt_tensor_kind *
axt_kind_of(const struct axt_attr *attrs)
{
	return axt_kind_named(axt_attr_text(attrs, "axt_kind"));
}

const char *
axt_kind_flags(const struct axt_tensor_kind *k, const char *between, char out[AXT_KIND_FLAGS])
{
	static const char *const names[] = { "constant", "persistent", "trainable", "input" };
	const bool has[] = { k->constant, k->persistent, k->trainable, k->input };
	size_t n = 0;

	out[0] = '\0';
	for (int i = 0; i < ARRAY_LEN(names); i++)
		if (has[i])
			n += (size_t)snprintf(out + n, AXT_KIND_FLAGS - n, "%s%s", n ? between : "",
			    names[i]);
	return out;
}
