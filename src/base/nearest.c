#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 31, MOST_CHANGES = 2 };

static int least(int a, int b) { return a < b ? a : b; }

/* Returns the number of changes from one name to the other (the Damerau-Levenshtein distance, where no part is changed
 * twice); MAX_NAME if a name is longer than MAX_NAME. */
static int distance(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	int changes[MAX_NAME + 1][MAX_NAME + 1]; /* [i][j] from the first i letters of a to the first j of b */
	if (n > MAX_NAME || m > MAX_NAME)
		return MAX_NAME;
	for (size_t j = 0; j <= m; j++)
		changes[0][j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		changes[i][0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			int *here = &changes[i][j];
			*here = least(changes[i - 1][j], changes[i][j - 1]) + 1;
			*here = least(*here, changes[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				*here = least(*here, changes[i - 2][j - 2] + 1);
		}
	}
	return changes[n][m];
}

const char *tw__nearest_hint(char text[TW__NEAREST_BYTES], const char *name,
                             const char *(*name_at)(const void *context, int i), const void *context)
{
	int best = least(MOST_CHANGES + 1, (int)strlen(name)); /* a name that shares no letter is not similar */
	text[0] = '\0';
	for (int i = 0; name_at(context, i); i++) {
		int far = distance(name, name_at(context, i));
		if (far >= best)
			continue;
		best = far;
		snprintf(text, TW__NEAREST_BYTES, " (did you mean '%s'?)", name_at(context, i));
	}
	return text;
}

const char *tw__list_names(char *text, size_t room, const char *(*name_at)(const void *context, int i),
                           const void *context)
{
	static const char rest[] = ", ...";
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; name_at(context, i); i++) {
		const char *name = name_at(context, i);
		if (used + strlen(", ") + strlen(name) + sizeof rest > room) {
			strcpy(text + used, i ? rest : rest + strlen(", "));
			break;
		}
		used += (size_t)snprintf(text + used, room - used, "%s%s", i ? ", " : "", name);
	}
	return text;
}

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
