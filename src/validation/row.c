#include "validation/row.h"

#include <math.h>
#include <string.h>

#include "request/identity.h"

const char *const tw__part_names[TW__N_PARTS] = {"kernels", "order", "bus", "runtime", "rest"};

enum tw__part tw__largest_part(const struct tw__validation *v)
{
	enum tw__part largest = TW__PART_KERNELS;
	for (enum tw__part p = TW__PART_KERNELS; p < TW__N_PARTS; p++)
		if (fabs(v->parts[p]) > fabs(v->parts[largest]))
			largest = p;
	return largest;
}

static const char *status_text(enum tw__validated status) { return status == TW__VALIDATED ? "ok" : "failed"; }

int tw__validation_cells(const struct tw__validation *v, struct cell *cells)
{
	const struct tw__request *q = v->request;
	const bool ok = v->status == TW__VALIDATED;
	const struct cell none = {.kind = CELL_NONE};
	int n = 0;
#define COLUMN(name, value) (cells[n] = (value), cells[n++].key = #name)
#define OUTCOME(name, value) COLUMN(name, ok ? (value) : none)
	COLUMN(platform, cell_text(q->platform));
	COLUMN(workload, cell_text(q->workload));
	COLUMN(policy, cell_text(q->policy));
	COLUMN(eviction, cell_text(v->eviction));
	COLUMN(engine, cell_text(q->engine ? q->engine : ""));
	COLUMN(emulate, cell_text(q->emulate ? q->emulate : ""));
	COLUMN(seed, cell_integer((int64_t)q->seed));
	COLUMN(cpus, cell_integer(v->cpus));
	COLUMN(gpus, cell_integer(v->gpus));
	COLUMN(gpu_mem_bytes, cell_bytes(v->gpu_mem_bytes));
	COLUMN(tasks, cell_integer(v->tasks));
	COLUMN(runs, cell_integer(v->runs));
	COLUMN(noisy_runs, cell_integer(v->noisy_runs));
	OUTCOME(makespan_real_s, cell_seconds(v->real_s));
	OUTCOME(makespan_real_least_s, cell_seconds(v->real_least_s));
	OUTCOME(makespan_real_most_s, cell_seconds(v->real_most_s));
	OUTCOME(makespan_simulated_s, cell_seconds(v->simulated_s));
	OUTCOME(makespan_error, cell_real(v->error));
	OUTCOME(simulated_low_s, cell_seconds(v->low_s));
	OUTCOME(simulated_high_s, cell_seconds(v->high_s));
	OUTCOME(inside, cell_flag(v->real_s >= v->low_s && v->real_s <= v->high_s));
	OUTCOME(part_kernels, cell_real(v->parts[TW__PART_KERNELS]));
	OUTCOME(part_order, cell_real(v->parts[TW__PART_ORDER]));
	OUTCOME(part_bus, cell_real(v->parts[TW__PART_BUS]));
	OUTCOME(part_runtime, cell_real(v->parts[TW__PART_RUNTIME]));
	OUTCOME(part_rest, cell_real(v->parts[TW__PART_REST]));
	OUTCOME(largest_part, cell_text(tw__part_names[tw__largest_part(v)]));
	OUTCOME(transferred_real_bytes, cell_real(v->real_bytes));
	OUTCOME(transferred_simulated_bytes, cell_real(v->simulated_bytes));
	OUTCOME(off_cpu, cell_real(v->off_cpu));
	OUTCOME(turn_us_per_task, cell_real(v->turn_us_per_task));
	OUTCOME(kernels, cell_text(v->kernels));
	COLUMN(status, cell_text(status_text(v->status)));
	COLUMN(message, cell_text(v->message));
	COLUMN(version, cell_text(tw__results_version()));
	COLUMN(identity, cell_text(v->identity));
#undef OUTCOME
#undef COLUMN
	return n;
}

int tw__validation_names(struct cell *cells)
{
	/* The names of columns do not depend on values, so an empty row gives them. */
	static const struct tw__request request = {.platform = "", .workload = "", .policy = ""};
	static const struct tw__validation row = {.request = &request, .eviction = ""};
	return tw__validation_cells(&row, cells);
}

int tw__validation_columns(struct tw__column_choice *choice, const char *text, struct tw_error *err)
{
	struct cell names[TW__VALIDATION_COLUMNS];
	return tw__column_choice_parse(choice, text, names, tw__validation_names(names), err);
}
