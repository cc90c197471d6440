/* Ways of breaking the schedule of fixture.h, and the rule that each breaks. */
#ifndef MUTATIONS_H
#define MUTATIONS_H

#include "fixture.h"

struct mutation {
	enum tw__rule rule; /* the one that the mutation breaks */
	void (*mutate)(struct fixture *);
	const char *name;
	bool needs_models; /* measured, the schedule would be a good one */
};

extern const struct mutation mutations[];
extern const int n_mutations;

#endif
