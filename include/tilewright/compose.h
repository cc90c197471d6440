/* Composition: a policy whose children are policies (Augonnet 2011, section 3.9). docs/howto/write-a-policy.md has an
 * example.
 *
 * A child has a view of the same run, and state, arguments and random numbers of its own. The user names its policy, by
 * a parameter of the parent of type TW_PARAM_POLICY. The parent makes its children in `init`. Then it gives them tasks
 * with tw_child_push, and gets tasks from them with tw_child_pop.
 *
 * The run itself tells children all else, and tells them before their parent: started and done of the tasks that a
 * child has given, data_loaded, data_evicted, placed, finish. It asks them for planned uses. Children may have
 * children, up to TW_MOST_LEVELS below a run's policy.
 *
 * Ownership: a child belongs to the run, which finishes and frees it. Errors: a wrong call, or a child that gives a
 * task that it does not have, fails the run with the names of child and parent. Workers have the parent's numbers. */
#ifndef TILEWRIGHT_COMPOSE_H
#define TILEWRIGHT_COMPOSE_H

#include <tilewright/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TW_MOST_CHILDREN = 64, TW_MOST_LEVELS = 4, TW_CHILD_NAME = 16 };

struct tw_child {
	const char *param; /* name of the parent's parameter that names the child's policy */
	const char *name;  /* for messages and figures (NAME.FIGURE); at most TW_CHILD_NAME - 1 bytes; NULL: `param` */
	const bool *workers; /* [tw_n_workers(parent)] the workers that the child has; NULL: all of the parent's */
	/* The tasks of the graph that the child may get; NULL: all of the parent's. The set stays until the end of the
	 * run. A task that a reduction appends may go to any child. */
	const struct tw_id_set *tasks;
	/* Whether the child only puts tasks in order, and the parent hands them on to another child. Then the child's
	 * actions do nothing: it wakes no worker, cancels no kernel, prefetches, places and plans nothing. Each task
	 * that it gives is started and done for it at once. */
	bool is_queue;
};

/* Makes a child, and calls its policy's init. Call it in the parent's `init`, which returns the status if it is
 * negative; `err` then has the reason. */
int tw_child_create(struct tw_sched **child, struct tw_sched *parent, const struct tw_child *, struct tw_error *err);

/* Gives the child a ready task, which no other child has. `released_by` is as in a policy's push. */
void tw_child_push(struct tw_sched *child, tw_task, tw_worker released_by);
/* Asks the child for a task for the worker, as the run asks a policy. TW_NONE: it gives none, or lacks the worker. The
 * parent returns the task from its own pop, or gives it to another child. */
tw_task tw_child_pop(struct tw_sched *child, tw_worker);

/* The numbers of a child's tasks. A cancelled task is queued again. */
struct tw_child_tasks {
	tw_task queued;  /* pushed and not popped */
	tw_task taken;   /* popped and not started */
	tw_task running; /* started and not done */
};
struct tw_child_tasks tw_child_tasks(const struct tw_sched *child);

#ifdef __cplusplus
}
#endif
#endif
