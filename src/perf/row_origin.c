#include "perf/row_origin.h"

#include <string.h>

#include "base/one_line.h"

enum { MOST_BYTES = 1000 };

const char *const tw__origin_names[TW__N_ORIGINS] = {
	[TW__MEASURED] = "measured", [TW__FROM_PAPER] = "paper",       [TW__EXTRAPOLATED] = "extrapolated",
	[TW__ASSUMED] = "assumed",   [TW__UNKNOWN_ORIGIN] = "unknown",
};

int tw__row_origin_read(enum tw__row_origin *origin, const char **source, const struct tw__table *t, const char *text)
{
	*origin = TW__UNKNOWN_ORIGIN;
	*source = "";
	if (!text || !*text)
		return TW_OK;
	if (strlen(text) > MOST_BYTES || !tw__is_text(text))
		return tw__table_fail(t, "origin '%.80s': expected at most %d bytes of text in UTF-8", text,
		                      MOST_BYTES);
	size_t length = strcspn(text, ":");
	for (int i = 0; i < TW__UNKNOWN_ORIGIN; i++)
		if (strlen(tw__origin_names[i]) == length && strncmp(text, tw__origin_names[i], length) == 0)
			*origin = i;
	if (*origin == TW__UNKNOWN_ORIGIN)
		return tw__table_fail(t,
		                      "origin '%.80s': expected measured, paper, extrapolated or assumed, and perhaps "
		                      "': SOURCE' behind it",
		                      text);
	if (text[length])
		*source = text + length + 1 + strspn(text + length + 1, " ");
	return TW_OK;
}
