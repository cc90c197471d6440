/* The names that the column `arch` of a file of kernel times may have. */
#ifndef TW__PERF_ARCHS_H
#define TW__PERF_ARCHS_H

#include "perf/table.h"
#include "platform/platform.h"

/* The archs of a platform, and those of its ignored hosts, by name. */
struct tw__known_archs {
	const struct tw_platform *platform; /* NULL: any name is known */
	int n;
	const char **names; /* [n] sorted; borrowed from the platform */
};

int tw__known_archs_init(struct tw__known_archs *, const struct tw_platform *, struct tw_error *err);
void tw__known_archs_finish(struct tw__known_archs *);

/* Checks the arch of the table's current row. TW_INVALID: the message has file, line, and the names that are known. */
int tw__known_archs_check(const struct tw__known_archs *, const struct tw__table *, const char *arch);

#endif
