/* The columns of a result. docs/results.md documents each; programs rely on the names and on the order. */
#include "experiment/columns.h"

#include <math.h>

#include "experiment/identity.h"

static struct cell text(const char *value) { return (struct cell){.kind = CELL_TEXT, .text = value}; }

static struct cell integer(int64_t value) { return (struct cell){.kind = CELL_INTEGER, .integer = value}; }

static struct cell bytes(uint64_t value) { return value > INT64_MAX ? (struct cell){0} : integer((int64_t)value); }

static struct cell real(double value)
{
	return isfinite(value) ? (struct cell){.kind = CELL_REAL, .real = value} : (struct cell){0};
}

static struct cell flag(bool value) { return (struct cell){.kind = CELL_FLAG, .flag = value}; }

static const char *or_default(const char *value, const char *fallback) { return value ? value : fallback; }

/* What a refused run was to have, where that was said. */
static struct cell asked(int workers) { return workers == TW__ALL_WORKERS ? (struct cell){0} : integer(workers); }

static struct cell bound(uint64_t value) { return value ? bytes(value) : (struct cell){0}; }

int tw__result_cells(const struct tw__result *r, struct cell *cells)
{
	const struct tw__request *q = r->request;
	const struct tw__run_counters *c = &r->counters;
	const bool ok = r->status == TW__RUN_OK, known = r->status != TW__RUN_REFUSED;
	const struct cell none = {0};
	int n = 0;

#define COLUMN(name, value) (cells[n] = (value), cells[n++].key = #name)
#define PREPARED(name, value) COLUMN(name, known ? (value) : none)
#define OUTCOME(name, value) COLUMN(name, ok ? (value) : none)
	COLUMN(platform, text(q->platform));
	COLUMN(workload, text(q->workload));
	COLUMN(policy, text(q->policy));
	COLUMN(eviction, text(r->eviction));
	COLUMN(engine, text(or_default(q->engine, TW__DEFAULT_ENGINE)));
	COLUMN(runtime, text(or_default(q->runtime, r->default_runtime)));
	COLUMN(seed, integer((int64_t)q->seed));
	COLUMN(repeat, integer(q->repeat));
	COLUMN(cpus, known ? integer(r->cpus) : asked(q->choice.cpus));
	COLUMN(gpus, known ? integer(r->gpus) : asked(q->choice.gpus));
	COLUMN(gpu_mem_bytes, known ? bytes(r->gpu_mem_bytes) : bound(q->choice.gpu_mem_bytes));
	PREPARED(tasks, integer(r->tasks));
	PREPARED(flops, real(r->flops));
	OUTCOME(makespan_s, real(c->makespan_s));
	OUTCOME(gflops, real(r->gflops));
	OUTCOME(gpu_tasks, integer(c->gpu_tasks));
	OUTCOME(transfers, integer(c->transfers));
	OUTCOME(transferred_bytes, bytes(c->transferred_bytes));
	OUTCOME(h2d_bytes, bytes(c->h2d_bytes));
	OUTCOME(d2h_bytes, bytes(c->d2h_bytes));
	OUTCOME(p2p_bytes, bytes(c->p2p_bytes));
	OUTCOME(loads, integer(c->loads));
	OUTCOME(evictions, integer(c->evictions));
	OUTCOME(writebacks, integer(c->writebacks));
	OUTCOME(idle_ratio, real(r->idle_ratio));
	PREPARED(bound_critical_path_s, real(r->bound_critical_path_s));
	PREPARED(bound_area_s, real(r->bound_area_s));
	OUTCOME(wall_s, real(r->wall_s));
	OUTCOME(tasks_per_s, real(r->tasks_per_s));
	OUTCOME(peak_rss_bytes, bytes(r->peak_rss_bytes));
	COLUMN(validated, flag(r->validated));
	COLUMN(status, text(ok ? "ok" : "failed"));
	COLUMN(message, text(r->message));
	COLUMN(counters, text(r->figures));
	COLUMN(kernel_model, text(r->kernel_model));
	COLUMN(cpu_groups, text(or_default(q->choice.cpu_groups, "")));
	COLUMN(noise, text(or_default(q->noise, "0")));
	COLUMN(belief_error, real(q->belief_error));
	COLUMN(communication, text(q->choice.no_communication ? "off" : "on"));
	PREPARED(working_set_bytes, bytes(r->working_set_bytes));
	OUTCOME(residual, real(c->engine.residual));
	OUTCOME(turn_us_per_task, real(1e6 * c->engine.turn_s / (double)c->tasks));
	OUTCOME(off_cpu, real(c->engine.off_cpu));
	COLUMN(emulate, text(or_default(q->emulate, "")));
	/* New columns come before these two: scripts take the last for the identity. */
	COLUMN(version, text(tw__results_version()));
	COLUMN(identity, text(r->identity));
#undef OUTCOME
#undef PREPARED
#undef COLUMN
	return n;
}
