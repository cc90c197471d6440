/* The message about a name that nothing has. */
#include "experiment/load.h"

#include <string.h>

enum { MAX_NAME = 31 };

static int least(int a, int b) { return a < b ? a : b; }

/* Levenshtein's distance between short names; a great one for long names. */
static int distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	int row[MAX_NAME + 1];
	if (n > MAX_NAME || m > MAX_NAME)
		return MAX_NAME;
	for (size_t j = 0; j <= m; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			int changed = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			row[j] = least(changed, least(row[j], row[j - 1]) + 1);
		}
	}
	return row[m];
}

int tw__unknown_name(const char *what, const char *name, const char *(*name_at)(int i), struct tw_error *err)
{
	char known[320] = "";
	size_t used = 0;
	const char *nearest = NULL;
	int best = 3; /* farther than two changes is another word */
	for (int i = 0; name_at(i); i++) {
		int length = snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", name_at(i));
		used = (size_t)least((int)used + length, (int)sizeof known - 1);
		int far = distance(name, name_at(i));
		if (far < best && far < (int)strlen(name)) {
			best = far;
			nearest = name_at(i);
		}
	}
	return tw_fail(err, TW_INVALID, "unknown %s '%.60s'%s%s%s: expected one of %s", what, name,
	               nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "", known);
}
