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

/* Accumulators come to be where nobody tells. */
static double bring_s(struct tw_data_table *t, tw_data d, struct tw_data_unit *u)
{
	double *known = &u->cells[d].bring_s;
	if (*known < 0 || d >= t->first_accumulator)
		*known = tw_data_transfer_time_slowed(t->s, d, u->node, MOST_SLOWDOWN);
	return *known;
}

static int64_t bring_ns(struct tw_data_table *t, tw_task task, int k)
{
	struct tw_data_unit *u = &t->units[k];
	const struct tw_data_use *use = t->uses + t->first_use[task], *end = use + t->n_inputs[task];
	double sum = 0;
	for (; use < end; use++)
		if (!u->cells[use->data].there)
			sum += bring_s(t, use->data, u);
	double ns = fmin(sum * 1e9, TW_LONGEST_NS);
	int64_t whole = (int64_t)ns;
	return whole + (ns - (double)whole >= 0.5); /* as llround(), which takes longer */
}

/* Until the unit has ended the task if its inputs are there. */
static int64_t compute_ns(const struct tw_data_table *t, tw_task task, int k)
{
	return t->units[k].queued_ns + tw_data_table_length(t, task, k);
}

int64_t tw_data_table_completion_ns(struct tw_data_table *t, tw_task task, int k)
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

/* Looks for a unit that ends the task before `*end_ns`; the first of the soonest, or k, if there is none. */
static int sooner(struct tw_data_table *t, tw_task task, int k, const int64_t *more_ns, int64_t *end_ns)
{
	int best = k;
	for (int other = 0; other < t->n_units; other++) {
		if (tw_data_table_length(t, task, other) < 0 || more_ns[other] + compute_ns(t, task, other) >= *end_ns)
			continue;
		int64_t completion = more_ns[other] + tw_data_table_completion_ns(t, task, other);
		if (completion < *end_ns) {
			*end_ns = completion;
			best = other;
		}
	}
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
