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

/* Breaks no rule if there are no domains: the CPU is free from 1 s to 4 s, and takes 3 s. */
void move_task_5_to_the_cpu(struct fixture *);
/* Breaks no rule: task 5 is a second graph. */
void task_5_arrives_with_its_submission(struct fixture *);

extern const struct mutation mutations[];
extern const int n_mutations;

#endif
