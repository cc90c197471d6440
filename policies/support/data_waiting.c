#include <tilewright/data_waiting.h>

#include <math.h>
#include <stdlib.h>

int tw_data_waiting_init(struct tw_data_waiting *w, const struct tw_data_table *table)
{
	int n = tw_n_workers(table->s);
	*w = (struct tw_data_waiting){.table = table, .waits = malloc((size_t)n * sizeof *w->waits), .n_workers = n};
	if (!w->waits)
		return TW_NOMEM;
	for (int i = 0; i < n; i++)
		w->waits[i] = true;
	return TW_OK;
}

void tw_data_waiting_finish(struct tw_data_waiting *w)
{
	free(w->waits);
	w->waits = NULL;
}

void tw_data_waiting_asked(struct tw_data_waiting *w, tw_worker worker, bool found) { w->waits[worker] = !found; }

static int unit_of(const struct tw_data_waiting *w, tw_worker worker) { return w->table->unit_of_worker[worker]; }

/* Whether the first worker's unit would end the task sooner. */
static bool suits_better(const struct tw_data_waiting *w, tw_task task, tw_worker a, tw_worker b)
{
	int unit = unit_of(w, a), other = unit_of(w, b);
	if (unit == TW_NONE || other == TW_NONE)
		return unit != TW_NONE && other == TW_NONE;
	return tw_data_table_completion_ns(w->table, task, unit) < tw_data_table_completion_ns(w->table, task, other);
}

tw_worker tw_data_waiting_best(const struct tw_data_waiting *w, tw_task task, int unit)
{
	tw_worker best = TW_NONE;
	for (tw_worker i = 0; i < w->n_workers; i++)
		if (w->waits[i] && (unit == TW_NONE || unit == unit_of(w, i)) &&
		    !isinf(tw_task_length(w->table->s, task, i)) && (best == TW_NONE || suits_better(w, task, i, best)))
			best = i;
	return best;
}

static void tell(struct tw_data_waiting *w, tw_worker worker)
{
	w->waits[worker] = false;
	tw_wake(w->table->s, worker);
}

void tw_data_waiting_tell(struct tw_data_waiting *w, tw_task task, int unit)
{
	tw_worker worker = tw_data_waiting_best(w, task, unit);
	if (worker != TW_NONE)
		tell(w, worker);
}

void tw_data_waiting_tell_all(struct tw_data_waiting *w, bool beside)
{
	for (tw_worker i = 0; i < w->n_workers; i++)
		if (w->waits[i] && (unit_of(w, i) == TW_NONE) == beside)
			tell(w, i);
}

bool tw_data_waiting_one_has_nothing(const struct tw_data_waiting *w)
{
	for (tw_worker i = 0; i < w->n_workers; i++)
		if (!w->waits[i] && unit_of(w, i) != TW_NONE && w->table->units[unit_of(w, i)].n_queued == 0)
			return true;
	return false;
}
