#include "reuse.h"

#include <limits.h>
#include <stdlib.h>

#include "base/random.h"

struct reuse random_reuse(uint64_t seed, int max_data, int max_tasks, int max_room)
{
	struct tw__random *r = tw__random_create(seed, TW__STREAM_ORDER);
	struct reuse u = {.n_data = 2 + (int)tw__random_below(r, (uint32_t)max_data - 1),
	                  .n_tasks = 1 + (int)tw__random_below(r, (uint32_t)max_tasks),
	                  .room = 1 + (int)tw__random_below(r, (uint32_t)max_room)};
	for (int t = 0; t < u.n_tasks; t++) {
		int n = 1 + (int)tw__random_below(r, u.room < 3 ? (uint32_t)u.room : 3);
		for (int i = 0; i < n; i++)
			u.inputs[t] |= 1u << tw__random_below(r, (uint32_t)u.n_data);
	}
	tw__random_destroy(r);
	return u;
}

int64_t reuse_next(const struct reuse *u, int task, tw_data d)
{
	for (; task < u->n_tasks; task++)
		if (u->inputs[task] >> d & 1)
			return task;
	return TW_NEVER;
}

/* The handles that may leave, in both forms of a query. */
struct choice {
	uint8_t kind[MAX_REUSE_DATA + 1]; /* [1 + data] */
	tw_data data[MAX_REUSE_DATA];
	struct tw_data_of_kind of_kind[2];
};

static struct tw_victim_query query_of(struct choice *c, uint32_t may_leave)
{
	*c = (struct choice){.of_kind = {{NULL, 0}, {c->data, 0}}};
	for (tw_data d = 0; d < MAX_REUSE_DATA; d++)
		if (may_leave >> d & 1) {
			c->kind[1 + d] = 1;
			c->data[c->of_kind[1].n++] = d;
		}
	return (struct tw_victim_query){c->kind + 1, 1u << 1, c->of_kind, c->of_kind[1].n};
}

static bool evict(struct tw_sched *s, const struct tw_eviction *e, void *state, uint32_t *there, uint32_t stay)
{
	struct choice c;
	struct tw_victim_query query = query_of(&c, *there & ~stay);
	if (!query.n)
		return false;
	tw_data d = e->victim(s, state, 1, &query);
	if (d < 0 || !tw_may_evict(&query, d))
		return false;
	*there &= ~(1u << d);
	if (e->evicted)
		e->evicted(s, state, d, 1);
	return true;
}

int reuse_loads(const struct reuse *u, struct tw_sched *s, const struct tw_eviction *e, int *task)
{
	void *state = calloc(1, e->state_size + 1);
	struct tw_error err;
	uint32_t there = 0;
	int loads = 0;
	bool good = !e->init || !e->init(s, state, &err);
	for (*task = 0; good && *task < u->n_tasks; ++*task) {
		uint32_t inputs = u->inputs[*task];
		for (tw_data d = 0; good && d < u->n_data; d++) {
			if (!((inputs & ~there) >> d & 1))
				continue;
			if (__builtin_popcount(there) == u->room) {
				good = evict(s, e, state, &there, inputs);
				while ((e->flags & TW_EVICTS_ALL) && evict(s, e, state, &there, inputs))
					;
			}
			there |= 1u << d;
			loads++;
			e->loaded(s, state, d, 1);
		}
		for (tw_data d = 0; good && d < u->n_data; d++)
			if (e->used && inputs >> d & 1)
				e->used(s, state, d, 1);
	}
	free(state);
	return good ? loads : -1;
}

/* fewest[set]: the fewest loads so far with that set of handles in the memory. Any handles may leave at any time. */
int reuse_fewest_loads(const struct reuse *u)
{
	uint32_t n_sets = 1u << u->n_data;
	int *fewest = malloc(n_sets * sizeof *fewest), *next = malloc(n_sets * sizeof *next), least = INT_MAX;
	for (uint32_t set = 0; set < n_sets; set++)
		fewest[set] = set ? INT_MAX : 0;
	for (int t = 0; t < u->n_tasks; t++) {
		for (uint32_t set = 0; set < n_sets; set++)
			next[set] = INT_MAX;
		for (uint32_t set = 0; set < n_sets; set++) {
			if (fewest[set] == INT_MAX)
				continue;
			int loads = fewest[set] + __builtin_popcount(u->inputs[t] & ~set);
			uint32_t others = set & ~u->inputs[t];
			for (uint32_t kept = others;; kept = (kept - 1) & others) {
				uint32_t then = kept | u->inputs[t];
				if (__builtin_popcount(then) <= u->room && loads < next[then])
					next[then] = loads;
				if (!kept)
					break;
			}
		}
		for (uint32_t set = 0; set < n_sets; set++)
			fewest[set] = next[set];
	}
	for (uint32_t set = 0; set < n_sets; set++)
		least = fewest[set] < least ? fewest[set] : least;
	free(fewest);
	free(next);
	return least;
}
