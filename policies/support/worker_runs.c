#include "policies/support/worker_runs.h"

struct tw_worker_run *tw_worker_runs(const struct tw_sched *s, int *n_runs)
{
	struct tw_worker_run *runs = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *runs);
	*n_runs = 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		bool goes_on = w > 0 && tw_worker_arch(s, w) == tw_worker_arch(s, w - 1) &&
		               tw_worker_node(s, w) == tw_worker_node(s, w - 1);
		if (!goes_on)
			runs[(*n_runs)++] = (struct tw_worker_run){w, 0};
		runs[*n_runs - 1].n++;
	}
	return runs;
}
