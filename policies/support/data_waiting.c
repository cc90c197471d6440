#include "policies/support/data_waiting.h"

#include <math.h>

static int unit_of(const struct tw_data_waiting *w, tw_worker worker) { return w->table->unit_of_worker[worker]; }

/* Returns the workers of all units; with `beside`, the workers that belong to no unit. */
static const struct tw_id_set *all(const struct tw_data_waiting *w, bool beside)
{
	return &w->members[w->table->n_units + beside];
}

void tw_data_waiting_init(struct tw_data_waiting *w, struct tw_data_table *table)
{
	const struct tw_sched *s = table->s;
	tw_worker n = tw_n_workers(s);
	size_t sets = (size_t)table->n_units + 2;
	*w = (struct tw_data_waiting){
		.table = table,
		.waiting = tw_run_id_set(s, n),
		.told = tw_run_id_set(s, n),
		.members = tw_run_alloc(s, sets, sizeof *w->members),
		.n_busy = tw_run_alloc(s, sets, sizeof *w->n_busy),
		.busy = tw_run_id_set(s, table->n_units),
	};
	for (size_t i = 0; i < sets; i++)
		w->members[i] = tw_run_id_set(s, n);
	for (tw_worker i = 0; i < n; i++) {
		bool beside = unit_of(w, i) == TW_NONE;
		tw_id_set_put(&w->waiting, i, true);
		tw_id_set_put(&w->members[table->n_units + beside], i, true);
		if (!beside)
			tw_id_set_put(&w->members[unit_of(w, i)], i, true);
	}
}

static void set_waits(struct tw_data_waiting *w, tw_worker worker, bool waits)
{
	int unit = unit_of(w, worker);
	if (unit != TW_NONE) {
		w->n_busy[unit] += tw_id_set_has(&w->waiting, worker) - waits;
		tw_id_set_put(&w->busy, unit, w->n_busy[unit] > 0);
	}
	tw_id_set_put(&w->waiting, worker, waits);
}

void tw_data_waiting_asked(struct tw_data_waiting *w, tw_worker worker, bool found) { set_waits(w, worker, !found); }

static bool can_run(const struct tw_data_waiting *w, tw_task task, tw_worker worker)
{
	return !isinf(tw_task_length(w->table->s, task, worker));
}

/* Returns the first waiting worker of the set that can run the task; TW_NONE: there is none. */
static tw_worker first_of(const struct tw_data_waiting *w, tw_task task, const struct tw_id_set *workers)
{
	tw_worker i = tw_id_set_next(&w->waiting, workers, 0);
	while (i != TW_NONE && !can_run(w, task, i))
		i = tw_id_set_next(&w->waiting, workers, i + 1);
	return i;
}

tw_worker tw_data_waiting_best(const struct tw_data_waiting *w, tw_task task, int unit)
{
	tw_worker best = TW_NONE;
	int64_t least = INT64_MAX;
	if (unit != TW_NONE)
		return first_of(w, task, &w->members[unit]);
	int looked_at = TW_NONE; /* workers of a unit are often neighbours: examine each unit once */
	for (int word = 0; word < w->waiting.n_words; word++)
		for (uint64_t left = w->waiting.words[word] & all(w, false)->words[word]; left; left &= left - 1) {
			tw_worker i = 64 * word + __builtin_ctzll(left);
			if (unit_of(w, i) == looked_at || !can_run(w, task, i))
				continue;
			looked_at = unit_of(w, i);
			int64_t completion = tw_data_table_completion_ns(w->table, task, looked_at);
			if (completion < least) {
				best = i;
				least = completion;
			}
		}
	return best != TW_NONE ? best : first_of(w, task, all(w, true));
}

void tw_data_waiting_tell(struct tw_data_waiting *w, tw_task task, int unit)
{
	tw_worker worker = tw_data_waiting_best(w, task, unit);
	if (worker == TW_NONE)
		return;
	set_waits(w, worker, false);
	tw_wake(w->table->s, worker);
}

void tw_data_waiting_tell_all(struct tw_data_waiting *w, bool beside)
{
	bool any = false;
	for (tw_worker i = -1; (i = tw_id_set_next(&w->waiting, all(w, beside), i + 1)) != TW_NONE; any = true) {
		set_waits(w, i, false);
		tw_id_set_put(&w->told, i, true);
	}
	if (!any)
		return;
	tw_wake_set(w->table->s, &w->told);
	tw_id_set_clear(&w->told);
}

bool tw_data_waiting_all_have_nothing(const struct tw_data_waiting *w)
{
	for (int k = 0; k < w->table->n_units; k++)
		if (w->n_busy[k] || w->table->units[k].n_queued)
			return false;
	return true;
}

bool tw_data_waiting_one_has_nothing(const struct tw_data_waiting *w)
{
	return tw_id_set_next(&w->busy, &w->table->unqueued, 0) != TW_NONE;
}
