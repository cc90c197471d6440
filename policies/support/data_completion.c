/* Predicts when units end a ready task, and finds the unit that ends it first. For the table of data (data_table.h). */
#include <math.h>

#include "policies/support/data_table.h"

/* The greatest factor by which other transfers may slow a transfer in predictions. With many units, the prediction
 * assumes that all transfers run at once. Without a limit, no transfer would seem worthwhile. */
enum { MOST_SLOWDOWN = 12 };

static double *bring_of(const struct tw_data_table *t, tw_data d)
{
	return t->bring_s + (size_t)d * (size_t)t->n_units;
}

static void ask_bring(struct tw_data_table *t, tw_data d)
{
	double *known = bring_of(t, d);
	if (known[0] >= 0)
		return;
	tw_data_transfer_times_slowed(t->s, d, MOST_SLOWDOWN, t->seconds);
	for (int k = 0; k < t->n_units; k++)
		known[k] = t->seconds[t->units[k].node];
}

/* Asks for the transfer times of handle d again. Forgets need_ns of the tasks that use d only on units whose transfer
 * time has changed; most have not. */
void tw_data_table_ask_again(struct tw_data_table *t, tw_data d)
{
	double *known = bring_of(t, d);
	if (known[0] < 0)
		return;
	if (t->ready_uses[d] == TW_NONE) {
		known[0] = -1;
		return;
	}
	tw_data_transfer_times_slowed(t->s, d, MOST_SLOWDOWN, t->seconds);
	for (int k = 0; k < t->n_units; k++) {
		double now = t->seconds[t->units[k].node];
		if (known[k] == now)
			continue;
		known[k] = now;
		t->version++;
		for (int32_t use = t->ready_uses[d]; use != TW_NONE; use = t->uses[use].behind)
			*tw__data_need_ns(t, t->uses[use].entry, k) = TW_NOT_KNOWN;
	}
}

/* Converts seconds to whole nanoseconds, at most TW_LONGEST_NS. Rounds as llround() and fmin() would, but faster. */
static int64_t to_ns(double seconds)
{
	double ns = seconds * 1e9 < TW_LONGEST_NS ? seconds * 1e9 : TW_LONGEST_NS;
	int64_t whole = (int64_t)ns;
	return whole + (ns - (double)whole >= 0.5);
}

/* Computes need_ns of a task that reads an accumulator. The value is not kept, because no event tells the policy when
 * accumulators become valid. */
static int64_t ask_need(struct tw_data_table *t, int32_t entry, int k)
{
	const struct tw_data_task *its = &t->tasks[entry];
	double sum = 0;
	for (int32_t i = its->first_use; i < its->first_use + its->n_inputs; i++) {
		tw_data d = t->uses[i].data;
		if (!t->units[k].states[d].there)
			sum += tw_data_transfer_time_slowed(t->s, d, t->units[k].node, MOST_SLOWDOWN);
	}
	return tw__data_length_ns(t, entry, k) + to_ns(sum);
}

static bool reads_accumulator(const struct tw_data_table *t, int32_t entry)
{
	const struct tw_data_use *use = t->uses + t->tasks[entry].first_use, *end = use + t->tasks[entry].n_inputs;
	while (use < end && use->data < t->first_accumulator)
		use++;
	return use < end;
}

/* Computes need_ns of the task for all units where it is not known. */
static void add_up(struct tw_data_table *t, int32_t entry)
{
	const struct tw_data_use *uses = t->uses + t->tasks[entry].first_use;
	int64_t *known = tw__data_need_ns(t, entry, 0);
	const int64_t *length = &t->length_ns[(size_t)entry * (size_t)t->n_kinds];
	int n = t->tasks[entry].n_inputs;
	for (int i = 0; i < n; i++)
		ask_bring(t, uses[i].data);
	for (int k = 0; k < t->n_units; k++) {
		const struct tw_data_unit *u = &t->units[k];
		double sum = 0;
		if (known[k] >= 0 || length[u->kind] < 0)
			continue;
		for (int i = 0; i < n; i++)
			sum += u->states[uses[i].data].there ? 0 : bring_of(t, uses[i].data)[k];
		known[k] = length[u->kind] + to_ns(sum);
	}
}

/* Computes need_ns of a task on a unit that can run it, and keeps the value if the task reads no accumulator. */
static int64_t learn_need(struct tw_data_table *t, int32_t entry, int k)
{
	if (reads_accumulator(t, entry))
		return ask_need(t, entry, k);
	add_up(t, entry);
	return *tw__data_need_ns(t, entry, k);
}

int64_t tw_data_table_completion_ns(struct tw_data_table *t, tw_task task, int k)
{
	int32_t entry = t->entry_of[task];
	int64_t known = *tw__data_need_ns(t, entry, k);
	return t->queued_ns[k] + (known >= 0 ? known : learn_need(t, entry, k));
}

int tw_data_table_holder(const struct tw_data_table *t, tw_task task, bool fewest)
{
	int32_t entry = t->entry_of[task];
	int best = TW_NONE;
	int64_t least = INT64_MAX;
	for (int k = 0; k < t->n_units; k++) {
		int64_t length = tw__data_length_ns(t, entry, k);
		if (length < 0 || *tw__data_missing(t, entry, k) > 0)
			continue;
		int64_t queue = fewest ? t->units[k].n_queued : t->queued_ns[k] + length;
		if (queue < least) {
			least = queue;
			best = k;
		}
	}
	return best;
}

/* Returns the unit with the least predicted end of the task below `*end_ns`; ties: the lowest unit. Returns k if no
 * unit ends it below `*end_ns`. Sets `*end_ns` to the end on the unit returned. */
static int sooner(struct tw_data_table *t, tw_task task, int k, const int64_t *more_ns, int64_t *end_ns)
{
	const int32_t entry = t->entry_of[task];
	const int64_t *known = tw__data_need_ns(t, entry, 0), *queued_ns = t->queued_ns;
	int best = k, n_units = t->n_units;
	int64_t least = *end_ns;
	for (int other = 0; other < n_units; other++) {
		int64_t before = more_ns[other] + queued_ns[other], end = before + known[other];
		if (end >= least)
			continue;
		if (known[other] < 0) {
			int64_t length = tw__data_length_ns(t, entry, other);
			if (length < 0 || before + length >= least)
				continue;
			end = before + learn_need(t, entry, other);
			if (end >= least)
				continue;
		}
		least = end;
		best = other;
	}
	*end_ns = least;
	return best;
}

int tw_data_table_first(struct tw_data_table *t, tw_task task, int k, const int64_t *more_ns)
{
	int64_t end_ns = more_ns[k] + tw_data_table_completion_ns(t, task, k);
	return sooner(t, task, k, more_ns, &end_ns);
}

int tw_data_table_first_of_all(struct tw_data_table *t, tw_task task, int k, const int64_t *more_ns, int64_t *end_ns)
{
	*end_ns = more_ns[k] + tw_data_table_completion_ns(t, task, k) + 1;
	return sooner(t, task, k, more_ns, end_ns);
}
