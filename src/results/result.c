/* The columns of a result. docs/reference/results.md documents each; programs rely on the names and on their order. */
#include "results/columns.h"

#include <assert.h>

#include "request/identity.h"

static const char *or_default(const char *value, const char *fallback) { return value ? value : fallback; }

/* Makes a cell with the number of workers that a refused run asked for; an empty cell if it asked for all. */
static struct cell asked(int workers) { return workers == TW__ALL_WORKERS ? (struct cell){0} : cell_integer(workers); }

static struct cell bound(uint64_t value) { return value ? cell_bytes(value) : (struct cell){0}; }

int tw__result_cells(const struct tw__result *r, struct cell *cells)
{
	const struct tw__request *q = r->request;
	const struct tw__run_counters *c = &r->counters;
	const bool ok = r->status == TW__RUN_OK, known = r->status != TW__RUN_REFUSED;
	const struct cell none = {0};
	int n = 0;

#define COLUMN(name, value) (assert(n < TW__MAX_COLUMNS), cells[n] = (value), cells[n++].key = #name)
#define PREPARED(name, value) COLUMN(name, known ? (value) : none)
#define OUTCOME(name, value) COLUMN(name, ok ? (value) : none)
	COLUMN(platform, cell_text(q->platform));
	COLUMN(workload, cell_text(q->workload));
	COLUMN(policy, cell_text(q->policy));
	COLUMN(eviction, cell_text(r->eviction));
	COLUMN(engine, cell_text(or_default(q->engine, TW__DEFAULT_ENGINE)));
	COLUMN(runtime, cell_text(or_default(q->runtime, r->default_runtime)));
	COLUMN(seed, cell_integer((int64_t)tw__seed_of(q)));
	COLUMN(repeat, cell_integer(q->repeat));
	COLUMN(cpus, known ? cell_integer(r->cpus) : asked(q->choice.cpus));
	COLUMN(gpus, known ? cell_integer(r->gpus) : asked(q->choice.gpus));
	COLUMN(gpu_mem_bytes, known ? cell_bytes(r->gpu_mem_bytes) : bound(q->choice.gpu_mem_bytes));
	PREPARED(tasks, cell_integer(r->tasks));
	PREPARED(flops, cell_real(r->flops));
	OUTCOME(makespan_s, cell_ns(c->makespan));
	OUTCOME(gflops, cell_real(r->gflops));
	OUTCOME(gpu_tasks, cell_integer(c->gpu_tasks));
	OUTCOME(transfers, cell_integer(c->transfers));
	OUTCOME(transferred_bytes, cell_bytes(c->transferred_bytes));
	OUTCOME(h2d_bytes, cell_bytes(c->h2d_bytes));
	OUTCOME(d2h_bytes, cell_bytes(c->d2h_bytes));
	OUTCOME(p2p_bytes, cell_bytes(c->p2p_bytes));
	OUTCOME(loads, cell_integer(c->loads));
	OUTCOME(evictions, cell_integer(c->evictions));
	OUTCOME(writebacks, cell_integer(c->writebacks));
	OUTCOME(idle_ratio, cell_real(r->idle_ratio));
	PREPARED(bound_critical_path_s, cell_seconds(r->bound_critical_path_s));
	PREPARED(bound_area_s, cell_seconds(r->bound_area_s));
	OUTCOME(wall_s, cell_seconds(r->wall_s));
	OUTCOME(tasks_per_s, cell_real(r->tasks_per_s));
	OUTCOME(peak_rss_bytes, cell_bytes(r->peak_rss_bytes));
	COLUMN(validated, cell_flag(r->validated));
	COLUMN(status, cell_text(ok ? "ok" : "failed"));
	COLUMN(message, cell_text(r->message));
	COLUMN(counters, cell_text(r->figures));
	COLUMN(kernel_model, cell_text(r->kernel_model));
	COLUMN(cpu_groups, cell_text(or_default(q->choice.cpu_groups, "")));
	COLUMN(noise, cell_text(or_default(q->noise, "0")));
	COLUMN(belief_error, cell_real(q->belief_error));
	COLUMN(communication, cell_text(q->choice.no_communication ? "off" : "on"));
	PREPARED(working_set_bytes, cell_bytes(r->working_set_bytes));
	OUTCOME(residual, cell_real(c->engine.residual));
	OUTCOME(turn_us_per_task, cell_real(1e6 * c->engine.turn_s / (double)c->tasks));
	OUTCOME(off_cpu, cell_real(c->engine.off_cpu));
	COLUMN(emulate, cell_text(or_default(q->emulate, "")));
	OUTCOME(idle_ratio_cpu, cell_real(r->idle_ratio_cpu));
	OUTCOME(idle_ratio_gpu, cell_real(r->idle_ratio_gpu));
	PREPARED(extrapolated_share, cell_real(r->extrapolated_share));
	COLUMN(speedup, cell_text(or_default(q->speedup, "")));
	/* Insert new columns before these two: scripts take the last column as the identity. */
	COLUMN(version, cell_text(tw__results_version()));
	COLUMN(identity, cell_text(r->identity));
#undef OUTCOME
#undef PREPARED
#undef COLUMN
	return n;
}

int tw__result_names(struct cell *cells)
{
	static const struct tw__request request = {.platform = "", .workload = "", .policy = ""};
	static const struct tw__result result = {.request = &request, .eviction = "", .kernel_model = ""};
	return tw__result_cells(&result, cells);
}

/* The options --retry read the status, and users need the message of a failed point. The script scripts/cluster/merge
 * takes the last column as the identity. */
void tw__column_choice_resume(struct tw__column_choice *choice, const struct cell *columns, int n)
{
	static const char *const needed[] = {"status", "message", "version"};
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		tw__column_choice_add(choice, needed[i], false, columns, n);
	tw__column_choice_add(choice, "identity", true, columns, n);
}
