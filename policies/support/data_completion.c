/* Which unit of a table would end a ready task first. */
#include <tilewright/data_table.h>

#include <math.h>

/* Predictions for many units take every transfer to be slowed down by all others at once, so that none would seem worth its while. */
enum { MOST_SLOWDOWN = 12 };

int64_t tw_data_table_queued_ns(const struct tw_data_table *t)
{
	int64_t sum = 0;
	for (int k = 0; k < t->n_units; k++)
		sum += t->units[k].queued_ns;
	return sum;
}

static int64_t bring_ns(const struct tw_data_table *t, tw_task task, int k)
{
	const struct tw_data_unit *u = &t->units[k];
	double sum = 0;
	for (int32_t i = t->first_use[task]; i < t->first_use[task] + t->n_inputs[task]; i++)
		if (!u->cells[t->uses[i].data].there)
			sum += tw_data_transfer_time_slowed(t->s, t->uses[i].data, u->node, MOST_SLOWDOWN);
	return llround(fmin(sum * 1e9, TW_LONGEST_NS));
}

/* Until the unit has ended the task if its inputs are there. */
static int64_t compute_ns(const struct tw_data_table *t, tw_task task, int k)
{
	return t->units[k].queued_ns + tw_data_table_length(t, task, k);
}

int64_t tw_data_table_completion_ns(const struct tw_data_table *t, tw_task task, int k)
{
	return compute_ns(t, task, k) + bring_ns(t, task, k);
}

int tw_data_table_holder(const struct tw_data_table *t, tw_task task)
{
	int best = TW_NONE;
	for (int k = 0; k < t->n_units; k++)
		if (tw_data_table_length(t, task, k) >= 0 && tw_data_table_missing(t, task, k) == 0 &&
		    (best == TW_NONE || compute_ns(t, task, k) < compute_ns(t, task, best)))
			best = k;
	return best;
}

int tw_data_table_first(const struct tw_data_table *t, tw_task task, int k, const int64_t *more_ns)
{
	int best = k;
	int64_t least = more_ns[k] + tw_data_table_completion_ns(t, task, k);
	for (int other = 0; other < t->n_units; other++) {
		if (tw_data_table_length(t, task, other) < 0 || more_ns[other] + compute_ns(t, task, other) >= least)
			continue;
		int64_t completion = more_ns[other] + tw_data_table_completion_ns(t, task, other);
		if (completion < least) {
			least = completion;
			best = other;
		}
	}
	return best;
}
