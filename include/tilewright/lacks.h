/* What tasks lack on the memory node that they wait for, remembered until copies of their data change there: a help for policies that
 * take the readiest of many tasks (Ready of Gonthier et al. 2024, Algorithm 2). A plan (plan.h) tells which tasks use the data: each task
 * has to be in the order of its node. */
#ifndef TILEWRIGHT_LACKS_H
#define TILEWRIGHT_LACKS_H

#include <tilewright/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_known_lack {
	struct tw_lack lack;
	uint64_t round; /* of its node, when it was asked */
};

struct tw_lacks {
	const struct tw_plan *plan;
	struct tw_known_lack *of; /* [tasks] */
	uint64_t *seen;           /* [nodes] changes of copies */
	uint64_t *round;          /* [nodes] from 1; the next one when so much has changed that nothing is known */
};

/* TW_NOMEM: nothing is left allocated. */
int tw_lacks_init(struct tw_lacks *, const struct tw_sched *, const struct tw_plan *);
void tw_lacks_finish(struct tw_lacks *);

/* The task waits for a node now, maybe for another one than before. */
static inline void tw_lacks_forget(struct tw_lacks *l, tw_task task) { l->of[task].round = 0; }

/* Forgets what has changed on the node. Before the first question of a pop. */
void tw_lacks_follow(struct tw_lacks *, const struct tw_sched *, tw_node);

/* Looks at the task's data. */
const struct tw_lack *tw_lacks_ask(struct tw_lacks *, const struct tw_sched *, tw_task, tw_node);

static inline const struct tw_lack *tw_lacks_of(struct tw_lacks *l, const struct tw_sched *s, tw_task task,
                                                tw_node node)
{
	return l->of[task].round == l->round[node] ? &l->of[task].lack : tw_lacks_ask(l, s, task, node);
}

static inline bool tw_lack_is_less(const struct tw_lack *a, const struct tw_lack *b)
{
	if (a->not_valid != b->not_valid)
		return a->not_valid < b->not_valid;
	return a->not_loading != b->not_loading ? a->not_loading < b->not_loading : a->not_allocated < b->not_allocated;
}

#ifdef __cplusplus
}
#endif
#endif
