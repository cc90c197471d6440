#include "platform/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "platform/raw.h"

/* Parses the number of cores between `from` and `end`. false: it is not a number from 1 to TW__MAX_WORKERS. */
static bool parse_cores(int *cores, const char *from, const char *end)
{
	char digits[16];
	size_t length = (size_t)(end - from);
	int64_t number;
	struct tw_error ignored;
	if (length >= sizeof digits)
		return false;
	memcpy(digits, from, length);
	digits[length] = '\0';
	if (tw__parse_int(&number, digits, &ignored) < 0 || number < 1 || number > TW__MAX_WORKERS)
		return false;
	*cores = (int)number;
	return true;
}

int tw__groups_parse(int **cores, int *n, const char *text, struct tw_error *err)
{
	size_t most = 1;
	for (const char *c = text; *c; c++)
		most += *c == '+';
	*n = 0;
	*cores = calloc(most, sizeof **cores);
	if (!*cores)
		return tw_fail(err, TW_NOMEM, "--cpu-groups: out of memory");
	for (const char *from = text;; from++) {
		const char *end = from + strcspn(from, "+");
		if (!parse_cores(&(*cores)[(*n)++], from, end)) {
			free(*cores);
			*cores = NULL;
			return tw_fail(err, TW_INVALID,
			               "--cpu-groups '%.80s': expected numbers of cores from 1 to %d, joined by '+', "
			               "as in 10+5+5",
			               text, TW__MAX_WORKERS);
		}
		if (!*end)
			return TW_OK;
		from = end;
	}
}
