/* The data of assigned tasks: requests for copies, and changes of copies when the kernel starts. */
#include "runtime/memory/memory.h"
#include "runtime/state/domain.h"
#include "runtime/tasks.h"
#include "runtime/transfers/transfers.h"

void tw__fetch_resolve(struct tw__rt *rt, struct hold *hold)
{
	const struct tw_graph *g = rt->graph;
	hold->n_accesses = 0;
	for (int written = 1; written >= 0; written--)
		for (uint32_t a = g->access_start[hold->task]; a < g->access_start[hold->task + 1]; a++)
			if (!!(tw__access_mode(g->access[a]) & (TW_W | TW_REDUX)) == written)
				hold->access[hold->n_accesses++] =
					g->access[a] & TW_REDUX
						? tw__reduce_access(rt, g->access[a], hold->driver->worker)
						: g->access[a];
}

/* Makes a task that writes a handle wait for all pending requests for its old value. These requests become demands. */
static void wait_for_copies(struct tw__rt *rt, struct hold *hold, tw_data d)
{
	if (!rt->data[d].n_requests)
		return;
	for (tw_node n = 0; (n = next_node(rt, d, REQUESTED_ON, n)) >= 0; n++) {
		struct request *r = replicate_of(rt, d, n)->request;
		tw__request_promote(rt, r, CLASS_DEMAND, tw__domain_priority(rt, hold->task));
		tw__request_wait(rt, r, hold);
	}
}

static unsigned mode_now(const struct tw__rt *rt, tw__access access)
{
	bool adds = (access & TW_REDUX) && rt->contributions[tw__access_data(access)];
	return tw__access_mode(access) | (adds ? TW_R : 0);
}

void tw__fetch_access(struct tw__rt *rt, struct hold *hold, int index)
{
	tw__access access = hold->access[index];
	tw_data d = tw__access_data(access);
	tw_node n = hold->driver->node;
	unsigned mode = mode_now(rt, access);
	tw__memory_pin(rt, d, n, PIN_USED);
	if (is_prefetched_to(rt, hold->task, n) && (mode & TW_R) && !(mode & TW_REDUX) &&
	    hold->driver->worker != TW_NONE)
		tw__prefetch_popped(rt, hold->task, d, n);
	struct request *r = tw__request(rt, d, n, mode & TW_R ? TW_R : TW_W, CLASS_DEMAND, TW__DEMAND,
	                                tw__domain_priority(rt, hold->task));
	if (mode & TW_W) {
		tw__memory_pin(rt, d, n, PIN_WRITTEN);
		wait_for_copies(rt, hold, d); /* also waits for the task's own request */
	} else if (r) {
		tw__request_wait(rt, r, hold);
	}
}

bool tw__fetch_settled(struct tw__rt *rt, struct hold *hold)
{
	tw_node n = hold->driver->node;
	for (int i = 0; i < hold->n_accesses; i++) {
		tw_data d = tw__access_data(hold->access[i]);
		unsigned mode = mode_now(rt, hold->access[i]);
		if ((mode & TW_W) && rt->data[d].n_requests) {
			wait_for_copies(rt, hold, d);
		} else if ((mode & TW_R) &&
		           !is_valid(rt, d, n)) { /* a prefetch for writing has invalidated the copy meanwhile */
			struct request *r = tw__request(rt, d, n, TW_R, CLASS_DEMAND, TW__DEMAND,
			                                tw__domain_priority(rt, hold->task));
			if (r)
				tw__request_wait(rt, r, hold);
		}
	}
	return hold->missing == 0;
}

/* Invalidates the other copies of written handles when the kernel starts, not only when it ends. Copies in the worker's
 * memory become dirty at once, so that the clean_low write-back starts early. */
void tw__fetch_own(struct tw__rt *rt, struct hold *hold)
{
	tw_node n = hold->driver->node;
	for (int i = 0; i < hold->n_accesses; i++) {
		tw_data d = tw__access_data(hold->access[i]);
		if (tw__access_mode(hold->access[i]) & TW_W) /* an accumulator has no content before its first kernel */
			tw__memory_own(rt, d, n, is_valid(rt, d, n));
	}
}

/* Whether an earlier kernel of this worker adds to the accumulator, and its end was not handled yet. */
static bool is_being_made(const struct hold *hold, tw_data accumulator)
{
	const struct driver *d = hold->driver;
	for (int i = 0; i < d->n_held; i++) {
		const struct hold *h = held(hold->driver, i);
		for (int a = 0; h != hold && h->state >= HOLD_LAUNCHED && a < h->n_accesses; a++)
			if ((h->access[a] & TW_REDUX) && tw__access_data(h->access[a]) == accumulator)
				return true;
	}
	return false;
}

static struct tw__placed placed(const struct tw__rt *rt, const struct hold *hold, tw__access access)
{
	const struct driver *d = hold->driver;
	struct tw__placed p = {.data = tw__access_data(access), .mode = tw__access_mode(access)};
	if (access & TW_REDUX) {
		access = tw__reduce_access(rt, access, d->worker);
		p.data = tw__access_data(access);
		p.mode = mode_now(rt, access) | (is_being_made(hold, p.data) ? TW_R : 0);
	}
	if (is_bounded(rt, d->node))
		p.offset = replicate_of(rt, p.data, d->node)->offset;
	if (p.mode & TW_SCRATCH)
		for (tw_worker w = 0; w < d->worker; w++)
			p.offset += rt->platform->workers[w].node == d->node ? rt->graph->data_bytes[p.data] : 0;
	return p;
}

int tw__fetch_placed(const struct tw__rt *rt, const struct hold *hold, struct tw__placed *access)
{
	const struct tw_graph *g = rt->graph;
	uint32_t first = g->access_start[hold->task];
	for (uint32_t a = first; a < g->access_start[hold->task + 1]; a++)
		access[a - first] = placed(rt, hold, g->access[a]);
	return (int)(g->access_start[hold->task + 1] - first);
}
