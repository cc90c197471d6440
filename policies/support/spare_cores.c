#include "policies/support/spare_cores.h"

#include <math.h>

enum { CLASS_OF_EQUALS = 32 }; /* class of tasks that take the same time on a core and on the best accelerator */

void tw_spare_cores_init(struct tw_spare_cores *c, const struct tw_sched *s)
{
	*c = (struct tw_spare_cores){.core = TW_NONE};
	for (tw_worker w = 1; w < tw_n_workers(s) && c->core == TW_NONE; w++) /* accelerators are the first workers */
		if (tw_worker_is_accelerator(s, 0) && !tw_worker_is_accelerator(s, w))
			c->core = w;
	if (c->core == TW_NONE)
		return;
	struct tw_task_link *links = tw_task_links_create(s);
	tw_task_queue_init(&c->only, s, links);
	for (int class = 0; class < TW_SPARE_CLASSES; class ++)
		tw_task_queue_init(&c->classes[class], s, links);
}

static struct tw_task_queue *queue_of(struct tw_spare_cores *c, const struct tw_sched *s, tw_task task, double length)
{
	if (isinf(length))
		return &c->only;
	double class = CLASS_OF_EQUALS + round(8 * log2(tw_task_length(s, task, c->core) / length));
	return &c->classes[(int)fmax(0, fmin(TW_SPARE_CLASSES - 1, class))];
}

void tw_spare_cores_add(struct tw_spare_cores *c, const struct tw_sched *s, tw_task task, double length)
{
	if (c->core != TW_NONE)
		tw_task_queue_add(queue_of(c, s, task, length), task, tw_task_priority(s, task));
}

void tw_spare_cores_remove(struct tw_spare_cores *c, const struct tw_sched *s, tw_task task, double length)
{
	if (c->core != TW_NONE)
		tw_task_queue_remove(queue_of(c, s, task, length), task, tw_task_priority(s, task));
}

tw_task tw_spare_cores_pick(const struct tw_spare_cores *c, const struct tw_sched *s, tw_worker worker, double seconds)
{
	tw_task only = tw_task_queue_oldest_for(&c->only, s, worker);
	if (only != TW_NONE)
		return only;
	for (int class = 0; class < TW_SPARE_CLASSES; class ++) {
		tw_task task = tw_task_queue_newest_for(&c->classes[class], s, worker);
		if (task != TW_NONE && tw_task_length(s, task, worker) <= seconds)
			return task;
	}
	return TW_NONE;
}
