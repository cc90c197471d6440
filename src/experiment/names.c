/* The error message about an unknown name, which suggests the most similar known name. */
#include "base/nearest.h"
#include "experiment/load.h"

int tw__unknown_name_in(const char *what, const char *name, const char *(*name_at)(const void *context, int i),
                        const void *context, struct tw_error *err)
{
	char known[320], hint[TW__NEAREST_BYTES];
	return tw_fail(err, TW_INVALID, "unknown %s '%.60s'%s: expected one of %s", what, name,
	               tw__nearest_hint(hint, name, name_at, context),
	               tw__list_names(known, sizeof known, name_at, context));
}

struct plain {
	const char *(*name_at)(int i);
};

static const char *plain_name(const void *context, int i) { return ((const struct plain *)context)->name_at(i); }

int tw__unknown_name(const char *what, const char *name, const char *(*name_at)(int i), struct tw_error *err)
{
	return tw__unknown_name_in(what, name, plain_name, &(struct plain){name_at}, err);
}
