/* Two policies run the same task graphs, one after the other, on one platform. */
#ifndef TW__DUEL_H
#define TW__DUEL_H

#include "experiment/load.h"

enum { TW__DUEL_RUNS = 2 };

struct tw__duel {
	struct tw__origin origin;
	struct tw__request requests[TW__DUEL_RUNS]; /* of the policy that should lose, and of the other one */
	bool against_optimum;                       /* whether the proven optimum stands for the second run */
};

/* `request`: the first policy's, with the platform and all parameters of both. `against`: the other policy, or
 * "optimum". */
void tw__duel_init(struct tw__duel *, const struct tw__request *, const char *against);
void tw__duel_finish(struct tw__duel *);
/* Sets the makespans on the graph, which stays the caller's. `validate`: both schedules are checked, too. */
int tw__duel_run(struct tw__duel *, struct tw_graph *, bool validate, tw__ns makespan[TW__DUEL_RUNS],
                 struct tw_error *err);

#endif
