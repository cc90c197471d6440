/* The error message about an unknown name, which suggests the most similar known name. */
#include "experiment/load.h"

#include <string.h>

enum { MAX_NAME = 31 };

static int least(int a, int b) { return a < b ? a : b; }

/* Returns the Levenshtein distance of two names; MAX_NAME if a name is longer than MAX_NAME. */
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

int tw__unknown_name_in(const char *what, const char *name, const char *(*name_at)(const void *context, int i),
                        const void *context, struct tw_error *err)
{
	char known[320] = "";
	size_t used = 0;
	bool cut = false;
	const char *nearest = NULL;
	int best = 3; /* names farther than two changes are not suggested */
	for (int i = 0; name_at(context, i); i++) {
		const char *known_name = name_at(context, i);
		cut = cut || used + strlen(known_name) + sizeof ", , ..." > sizeof known;
		if (cut)
			strcpy(known + used, ", ...");
		else
			used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", known_name);
		int far = distance(name, known_name);
		if (far < best && far < (int)strlen(name)) {
			best = far;
			nearest = known_name;
		}
	}
	return tw_fail(err, TW_INVALID, "unknown %s '%.60s'%s%s%s: expected one of %s", what, name,
	               nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "", known);
}

struct plain {
	const char *(*name_at)(int i);
};

static const char *plain_name(const void *context, int i) { return ((const struct plain *)context)->name_at(i); }

int tw__unknown_name(const char *what, const char *name, const char *(*name_at)(int i), struct tw_error *err)
{
	return tw__unknown_name_in(what, name, plain_name, &(struct plain){name_at}, err);
}
