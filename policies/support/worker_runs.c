#include "policies/support/worker_runs.h"

#include <math.h>

static struct tw_worker_run *find_runs(const struct tw_sched *s, bool of_one_node, int *n_runs)
{
	struct tw_worker_run *runs = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *runs);
	*n_runs = 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		tw_arch arch = tw_worker_arch(s, w);
		tw_node node = tw_worker_node(s, w);
		const struct tw_worker_run *last = &runs[w ? *n_runs - 1 : 0];
		if (w == 0 || last->arch != arch || (of_one_node && last->node != node))
			runs[(*n_runs)++] = (struct tw_worker_run){w, 0, arch, node};
		runs[*n_runs - 1].n++;
	}
	return runs;
}

struct tw_worker_run *tw_worker_runs(const struct tw_sched *s, int *n_runs) { return find_runs(s, true, n_runs); }
struct tw_worker_run *tw_arch_runs(const struct tw_sched *s, int *n_runs) { return find_runs(s, false, n_runs); }

tw_worker *tw_arch_workers(const struct tw_sched *s)
{
	tw_worker *workers = tw_run_alloc(s, (size_t)tw_n_archs(s), sizeof *workers);
	for (int arch = 0; arch < tw_n_archs(s); arch++)
		workers[arch] = TW_NONE;
	for (tw_worker w = tw_n_workers(s) - 1; w >= 0; w--)
		workers[tw_worker_arch(s, w)] = w;
	return workers;
}

void tw_arch_lengths(const struct tw_sched *s, const tw_worker *workers, tw_task task, double *length)
{
	for (int arch = 0; arch < tw_n_archs(s); arch++)
		length[arch] = workers[arch] == TW_NONE ? INFINITY : tw_task_length(s, task, workers[arch]);
}

tw_worker tw_draw_worker(const struct tw_worker_run *runs, const double *weights, int n_runs, double number)
{
	double sum = 0;
	for (int i = 0; i < n_runs; i++)
		sum = tw_add_times(sum, weights[i], runs[i].n);
	double left = number * sum;
	tw_worker last = TW_NONE;
	for (int i = 0; i < n_runs; i++)
		for (int k = 0; k < runs[i].n && weights[i] > 0; k++) {
			last = runs[i].first + k; /* the last worker gets the rest that rounding leaves */
			if (left < weights[i])
				return last;
			left -= weights[i];
		}
	return last;
}
