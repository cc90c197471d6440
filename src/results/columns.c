/* The columns of rows of results. docs/reference/results.md documents each; programs rely on names and order. */
#include "results/write.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "request/identity.h"

#define REQUEST(member) .of_request = true, .offset = offsetof(struct tw__request, member)
#define RESULT(member) .offset = offsetof(struct tw__result, member)
#define COUNTER(member) RESULT(counters.member)
#define VALIDATION(member) .offset = offsetof(struct tw__validation, member)

/* --- columns of runs --------------------------------------------------------------------------------------------- */
static const struct cell none;

/* Each row begins with its request. */
static const struct tw__request *request_of(const void *row) { return *(const struct tw__request *const *)row; }

static struct cell runtime(const void *row)
{
	const struct tw__result *r = row;
	return cell_text(r->request->runtime ? r->request->runtime : r->default_runtime);
}

static struct cell seed(const void *row)
{
	return cell_integer((int64_t)tw__seed_of(((const struct tw__result *)row)->request));
}

/* Inputs as they were given; a run may use fewer workers, and a smaller memory, than none are given for. */
static struct cell given(int workers) { return workers == TW__ALL_WORKERS ? none : cell_integer(workers); }

static struct cell given_cpus(const void *row) { return given(request_of(row)->choice.cpus); }

static struct cell given_gpus(const void *row) { return given(request_of(row)->choice.gpus); }

static struct cell max_parallelism(const void *row) { return cell_integer(request_of(row)->choice.max_parallelism); }

static struct cell given_gpu_mem_bytes(const void *row)
{
	uint64_t bytes = request_of(row)->choice.gpu_mem_bytes;
	return bytes ? cell_bytes(bytes) : none;
}

/* Workers and memory that the run used. A refused run has those that it asked for. */
static struct cell cpus(const void *row)
{
	const struct tw__result *r = row;
	return r->status != TW__RUN_REFUSED ? cell_integer(r->cpus) : given_cpus(row);
}

static struct cell gpus(const void *row)
{
	const struct tw__result *r = row;
	return r->status != TW__RUN_REFUSED ? cell_integer(r->gpus) : given_gpus(row);
}

static struct cell gpu_mem_bytes(const void *row)
{
	const struct tw__result *r = row;
	return r->status != TW__RUN_REFUSED ? cell_bytes(r->gpu_mem_bytes) : given_gpu_mem_bytes(row);
}

static struct cell status(const void *row)
{
	return cell_text(((const struct tw__result *)row)->status == TW__RUN_OK ? "ok" : "failed");
}

static struct cell communication(const void *row)
{
	return cell_text(((const struct tw__result *)row)->request->choice.no_communication ? "off" : "on");
}

static struct cell turn_us_per_task(const void *row)
{
	const struct tw__run_counters *c = &((const struct tw__result *)row)->counters;
	return cell_real(1e6 * c->engine.turn_s / (double)c->tasks);
}

static struct cell version(const void *row)
{
	(void)row;
	return cell_text(tw__results_version());
}

const struct tw__column tw__result_table[] = {
	{"platform", TW__WORD, REQUEST(platform), .title = "platforms", .point = 1},
	{"workload", TW__WORD, REQUEST(workload), .title = "workloads", .point = 2, .traits = TW__MAIN},
	{"policy", TW__WORD, REQUEST(policy), .title = "policies", .point = 3, .traits = TW__OF_ORDER | TW__MAIN},
	{"eviction", TW__WORD, RESULT(eviction), .title = "eviction policies", .point = 4, .traits = TW__OF_ORDER},
	{"engine", TW__WORD, REQUEST(engine), .otherwise = TW__DEFAULT_ENGINE, .title = "engines", .point = 5,
         .traits = TW__SETTING | TW__OF_ORDER},
	{"runtime", TW__WORD, .value = runtime, .title = "runtimes", .point = 6, .traits = TW__SETTING | TW__OF_ORDER},
	{"seed", TW__INT, .value = seed, .title = "seeds"},
	{"repeat", TW__INT, REQUEST(repeat), .traits = TW__MINOR},
	{"cpus", TW__INT, .value = cpus, .title = "CPU workers", .point = 8, .suffix = " CPUs"},
	{"gpus", TW__INT, .value = gpus, .title = "GPUs", .point = 7, .suffix = " GPUs"},
	{"gpu_mem_bytes", TW__BYTES, .value = gpu_mem_bytes, .title = "memory of a GPU", .unit = "bytes", .point = 9,
         .suffix = " a GPU"},
	{"tasks", TW__COUNT, TW__PREPARED, RESULT(tasks), .traits = TW__MINOR},
	{"flops", TW__REAL, TW__PREPARED, RESULT(flops), .traits = TW__MINOR},
	{"makespan_s", TW__DATE, TW__OUTCOME, COUNTER(makespan), .unit = "s", .mean = "makespan_s", .traits = TW__MAIN},
	{"gflops", TW__REAL, TW__OUTCOME, RESULT(gflops), .title = "performance", .unit = "GFlop/s", .mean = "gflops",
         .traits = TW__MAIN},
	{"gpu_tasks", TW__COUNT, TW__OUTCOME, COUNTER(gpu_tasks), .traits = TW__MINOR},
	{"transfers", TW__COUNT, TW__OUTCOME, COUNTER(transfers), .traits = TW__MINOR},
	{"transferred_bytes", TW__BYTES, TW__OUTCOME, COUNTER(transferred_bytes), .title = "transferred data",
         .unit = "bytes", .mean = "transferred_GB", .scale = 1e-9},
	{"h2d_bytes", TW__BYTES, TW__OUTCOME, COUNTER(h2d_bytes), .unit = "bytes", .traits = TW__MINOR},
	{"d2h_bytes", TW__BYTES, TW__OUTCOME, COUNTER(d2h_bytes), .unit = "bytes", .traits = TW__MINOR},
	{"p2p_bytes", TW__BYTES, TW__OUTCOME, COUNTER(p2p_bytes), .unit = "bytes", .traits = TW__MINOR},
	{"loads", TW__COUNT, TW__OUTCOME, COUNTER(loads), .mean = "loads"},
	{"evictions", TW__COUNT, TW__OUTCOME, COUNTER(evictions), .mean = "evictions"},
	{"writebacks", TW__COUNT, TW__OUTCOME, COUNTER(writebacks), .traits = TW__MINOR},
	{"idle_ratio", TW__REAL, TW__OUTCOME, RESULT(idle_ratio), .mean = "idle_percent", .scale = 100},
	{"bound_critical_path_s", TW__SECONDS, TW__PREPARED, RESULT(bound_critical_path_s), .unit = "s",
         .traits = TW__MINOR},
	{"bound_area_s", TW__SECONDS, TW__PREPARED, RESULT(bound_area_s), .unit = "s", .traits = TW__MINOR},
	{"wall_s", TW__SECONDS, TW__OUTCOME, RESULT(wall_s), .unit = "s", .traits = TW__MINOR},
	{"tasks_per_s", TW__REAL, TW__OUTCOME, RESULT(tasks_per_s), .traits = TW__MINOR},
	{"peak_rss_bytes", TW__BYTES, TW__OUTCOME, RESULT(peak_rss_bytes), .unit = "bytes", .traits = TW__MINOR},
	{"validated", TW__FLAG, RESULT(validated), .traits = TW__MINOR},
	{"status", TW__WORD, .value = status, .traits = TW__MAIN},
	{"message", TW__CHARS, RESULT(message)},
	{"counters", TW__CHARS, RESULT(figures), .traits = TW__MINOR},
	{"kernel_model", TW__WORD, RESULT(kernel_model), .traits = TW__MINOR},
	{"cpu_groups", TW__WORD, REQUEST(choice.cpu_groups), .title = "groups of cores", .point = 10,
         .prefix = "cpu_groups "},
	{"noise", TW__WORD, REQUEST(noise), .otherwise = "0", .title = "noise", .point = 11, .prefix = "noise ",
         .traits = TW__SETTING},
	{"belief_error", TW__REAL, REQUEST(belief_error), .title = "belief error", .point = 12,
         .prefix = "belief error ", .traits = TW__SETTING | TW__OF_ORDER},
	{"communication", TW__WORD, .value = communication, .title = "communication", .point = 13,
         .prefix = "communication "},
	{"working_set_bytes", TW__BYTES, TW__PREPARED, RESULT(working_set_bytes), .unit = "bytes", .traits = TW__MINOR},
	{"residual", TW__REAL, TW__OUTCOME, COUNTER(engine.residual)},
	{"turn_us_per_task", TW__REAL, TW__OUTCOME, .value = turn_us_per_task},
	{"off_cpu", TW__REAL, TW__OUTCOME, COUNTER(engine.off_cpu)},
	{"emulate", TW__WORD, REQUEST(emulate), .point = 14},
	{"idle_ratio_cpu", TW__REAL, TW__OUTCOME, RESULT(idle_ratio_cpu), .mean = "idle_CPU_percent", .scale = 100},
	{"idle_ratio_gpu", TW__REAL, TW__OUTCOME, RESULT(idle_ratio_gpu), .mean = "idle_GPU_percent", .scale = 100},
	{"extrapolated_share", TW__REAL, TW__PREPARED, RESULT(extrapolated_share)},
	{"speedup", TW__WORD, REQUEST(speedup), .point = 15},
	{"given_cpus", TW__INT, .value = given_cpus, .traits = TW__MINOR},
	{"given_gpus", TW__INT, .value = given_gpus, .traits = TW__MINOR},
	{"given_gpu_mem_bytes", TW__BYTES, .value = given_gpu_mem_bytes, .unit = "bytes", .traits = TW__MINOR},
	{"mem", TW__WORD, REQUEST(choice.mem), .title = "bounds on memories", .point = 16, .prefix = "mem "},
	{"extrapolate", TW__FLAG, REQUEST(extrapolate), .traits = TW__MINOR},
	{"learn", TW__WORD, REQUEST(learn), .traits = TW__MINOR},
	{"check", TW__WORD, REQUEST(check), .traits = TW__MINOR},
	{"validate", TW__FLAG, REQUEST(validate), .traits = TW__MINOR},
	{"decision_cost", TW__WORD, REQUEST(decision_cost), .otherwise = "none", .title = "decision cost", .point = 17,
         .prefix = "decision-cost ", .traits = TW__SETTING},
	{"assign", TW__WORD, REQUEST(assign), .title = "assigned kernels", .point = 18, .prefix = "assign "},
	{"slowdown_mean", TW__REAL, TW__OUTCOME, RESULT(slowdown_mean), .title = "mean slowdown"},
	{"slowdown_max", TW__REAL, TW__OUTCOME, RESULT(slowdown_max), .title = "greatest slowdown"},
	{"fairness", TW__REAL, TW__OUTCOME, RESULT(fairness)},
	{"max_parallelism", TW__INT, .value = max_parallelism, .title = "cores of a parallel task", .point = 19,
         .prefix = "max-parallelism "},
	{"amdahl", TW__WORD, REQUEST(amdahl), .point = 20, .prefix = "amdahl "},
	{"distribution", TW__WORD, REQUEST(distribution), .title = "distributions", .point = 21},
	{"nodes", TW__INT, TW__PREPARED, RESULT(nodes), .title = "nodes", .suffix = " nodes", .traits = TW__MINOR},
	{"messages", TW__COUNT, TW__OUTCOME, COUNTER(messages), .traits = TW__MINOR},
	{"network_bytes", TW__BYTES, TW__OUTCOME, COUNTER(network_bytes), .title = "data over the network",
         .unit = "bytes", .traits = TW__MINOR},
	{"time_factor", TW__WORD, REQUEST(time_factor), .point = 22, .prefix = "time-factor "},
	{"gpu_workers", TW__WORD, REQUEST(choice.gpu_workers), .otherwise = "1", .point = 23, .prefix = "gpu-workers "},
	/* Insert new columns before these two: scripts take the last column as the identity. */
	{"version", TW__WORD, .value = version, .title = "versions"},
	{"identity", TW__CHARS, RESULT(identity), .traits = TW__MINOR},
	{0},
};
_Static_assert(sizeof tw__result_table / sizeof *tw__result_table <= TW__MAX_COLUMNS, "rows have room for all columns");

/* --- columns of validate-model ----------------------------------------------------------------------------------- */

const char *const tw__part_names[TW__N_PARTS] = {"kernels", "order", "bus", "runtime", "rest"};

enum tw__part tw__largest_part(const struct tw__validation *v)
{
	enum tw__part largest = TW__PART_KERNELS;
	for (enum tw__part p = TW__PART_KERNELS; p < TW__N_PARTS; p++)
		if (fabs(v->parts[p]) > fabs(v->parts[largest]))
			largest = p;
	return largest;
}

static struct cell first_seed(const void *row)
{
	return cell_integer((int64_t)((const struct tw__validation *)row)->request->seed);
}

static struct cell inside(const void *row)
{
	const struct tw__validation *v = row;
	return cell_flag(v->real_s >= v->low_s && v->real_s <= v->high_s);
}

static struct cell largest_part(const void *row) { return cell_text(tw__part_names[tw__largest_part(row)]); }

static struct cell validated(const void *row)
{
	return cell_text(((const struct tw__validation *)row)->status == TW__VALIDATED ? "ok" : "failed");
}

const struct tw__column tw__validation_table[] = {
	{"platform", TW__WORD, REQUEST(platform)},
	{"workload", TW__WORD, REQUEST(workload)},
	{"policy", TW__WORD, REQUEST(policy)},
	{"eviction", TW__WORD, VALIDATION(eviction)},
	{"engine", TW__WORD, REQUEST(engine)},
	{"emulate", TW__WORD, REQUEST(emulate)},
	{"seed", TW__INT, .value = first_seed},
	{"cpus", TW__INT, VALIDATION(cpus)},
	{"gpus", TW__INT, VALIDATION(gpus)},
	{"gpu_mem_bytes", TW__BYTES, VALIDATION(gpu_mem_bytes)},
	{"tasks", TW__COUNT, VALIDATION(tasks)},
	{"runs", TW__INT, VALIDATION(runs)},
	{"noisy_runs", TW__INT, VALIDATION(noisy_runs)},
	{"makespan_real_s", TW__SECONDS, TW__OUTCOME, VALIDATION(real_s), .unit = "s", .traits = TW__MAIN},
	{"makespan_real_least_s", TW__SECONDS, TW__OUTCOME, VALIDATION(real_least_s), .unit = "s", .traits = TW__MINOR},
	{"makespan_real_most_s", TW__SECONDS, TW__OUTCOME, VALIDATION(real_most_s), .unit = "s", .traits = TW__MINOR},
	{"makespan_simulated_s", TW__SECONDS, TW__OUTCOME, VALIDATION(simulated_s), .unit = "s", .traits = TW__MAIN},
	{"makespan_error", TW__REAL, TW__OUTCOME, VALIDATION(error), .traits = TW__MAIN | TW__SIGNED},
	{"simulated_low_s", TW__SECONDS, TW__OUTCOME, VALIDATION(low_s), .unit = "s", .traits = TW__MINOR},
	{"simulated_high_s", TW__SECONDS, TW__OUTCOME, VALIDATION(high_s), .unit = "s", .traits = TW__MINOR},
	{"inside", TW__FLAG, TW__OUTCOME, .value = inside},
	{"part_kernels", TW__REAL, TW__OUTCOME, VALIDATION(parts[TW__PART_KERNELS]), .traits = TW__SIGNED},
	{"part_order", TW__REAL, TW__OUTCOME, VALIDATION(parts[TW__PART_ORDER]), .traits = TW__SIGNED},
	{"part_bus", TW__REAL, TW__OUTCOME, VALIDATION(parts[TW__PART_BUS]), .traits = TW__SIGNED},
	{"part_runtime", TW__REAL, TW__OUTCOME, VALIDATION(parts[TW__PART_RUNTIME]), .traits = TW__SIGNED},
	{"part_rest", TW__REAL, TW__OUTCOME, VALIDATION(parts[TW__PART_REST]), .traits = TW__SIGNED},
	{"largest_part", TW__WORD, TW__OUTCOME, .value = largest_part, .traits = TW__MAIN},
	{"transferred_real_bytes", TW__REAL, TW__OUTCOME, VALIDATION(real_bytes), .unit = "bytes", .traits = TW__MINOR},
	{"transferred_simulated_bytes", TW__REAL, TW__OUTCOME, VALIDATION(simulated_bytes), .unit = "bytes",
         .traits = TW__MINOR},
	{"off_cpu", TW__REAL, TW__OUTCOME, VALIDATION(off_cpu)},
	{"turn_us_per_task", TW__REAL, TW__OUTCOME, VALIDATION(turn_us_per_task)},
	{"kernels", TW__CHARS, TW__OUTCOME, VALIDATION(kernels), .traits = TW__MINOR},
	{"status", TW__WORD, .value = validated},
	{"message", TW__CHARS, VALIDATION(message)},
	{"version", TW__WORD, .value = version},
	{"identity", TW__CHARS, VALIDATION(identity)},
	{0},
};

/* --- cells ------------------------------------------------------------------------------------------------------- */

struct cell tw__column_cell(const struct tw__column *column, const void *row)
{
	if (column->value)
		return column->value(row);
	const void *at = (const char *)(column->of_request ? request_of(row) : row) + column->offset;
	const char *word;
	switch (column->type) {
	case TW__WORD:
		word = *(const char *const *)at;
		return cell_text(word ? word : column->otherwise ? column->otherwise : "");
	case TW__CHARS:
		return cell_text(at);
	case TW__INT:
		return cell_integer(*(const int *)at);
	case TW__COUNT:
		return cell_integer(*(const int64_t *)at);
	case TW__BYTES:
		return cell_bytes(*(const uint64_t *)at);
	case TW__REAL:
		return cell_real(*(const double *)at);
	case TW__SECONDS:
		return cell_seconds(*(const double *)at);
	case TW__DATE:
		return cell_ns(*(const tw__ns *)at);
	case TW__FLAG:
		return cell_flag(*(const bool *)at);
	}
	return none;
}

/* Values that are known in more runs than `known` stay empty. */
static int fill(const struct tw__column *table, const void *row, enum tw__known known, struct cell *cells)
{
	int n = 0;
	for (const struct tw__column *c = table; c->key; c++, n++) {
		cells[n] = row && c->known <= known ? tw__column_cell(c, row) : none;
		cells[n].key = c->key;
	}
	return n;
}

int tw__result_cells(const struct tw__result *r, struct cell *cells)
{
	static const enum tw__known known[] = {
		[TW__RUN_OK] = TW__OUTCOME, [TW__RUN_FAILED] = TW__PREPARED, [TW__RUN_REFUSED] = TW__ALWAYS};
	return fill(tw__result_table, r, known[r->status], cells);
}

int tw__validation_cells(const struct tw__validation *v, struct cell *cells)
{
	return fill(tw__validation_table, v, v->status == TW__VALIDATED ? TW__OUTCOME : TW__ALWAYS, cells);
}

int tw__column_names(const struct tw__column *table, struct cell *cells) { return fill(table, NULL, 0, cells); }

/* --- choices ----------------------------------------------------------------------------------------------------- */

int tw__columns_parse(struct tw__column_choice *choice, const struct tw__column *table, const char *text,
                      struct tw_error *err)
{
	struct cell columns[TW__MAX_COLUMNS];
	return tw__column_choice_parse(choice, text, columns, tw__column_names(table, columns), err);
}

/* The options --retry read the status, and users need the message of a failed point. The script scripts/cluster/merge
 * takes the last column as the identity. */
void tw__columns_resume(struct tw__column_choice *choice, const struct tw__column *table)
{
	static const char *const needed[] = {"status", "message", "version", "identity"};
	struct cell columns[TW__MAX_COLUMNS];
	int n = tw__column_names(table, columns);
	for (int i = 0; i < 4; i++)
		tw__column_choice_add(choice, needed[i], i == 3, columns, n);
}

/* --- what columns are called ------------------------------------------------------------------------------------- */

static const struct tw__column *find(const struct tw__column *table, const char *key)
{
	while (table->key && strcmp(table->key, key) != 0)
		table++;
	return table->key ? table : NULL;
}

const struct tw__column *tw__column_named(const char *key)
{
	const struct tw__column *column = find(tw__result_table, key);
	return column ? column : find(tw__validation_table, key);
}

const struct tw__column *tw__point_column(int place)
{
	for (const struct tw__column *c = tw__result_table; c->key; c++)
		if (c->point == place)
			return c;
	return NULL;
}

bool tw__is_point_column(const char *key)
{
	const struct tw__column *column = tw__column_named(key);
	return column && column->point;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), of_end = strlen(end);
	return length > of_end && !strcmp(text + length - of_end, end);
}

const char *tw__column_unit(const char *key)
{
	const struct tw__column *column = tw__column_named(key);
	if (column)
		return column->unit ? column->unit : "";
	return ends_with(key, "_bytes") ? "bytes" : ends_with(key, "_s") ? "s" : "";
}

char *tw__column_label(char *text, size_t size, const char *key)
{
	const struct tw__column *column = tw__column_named(key);
	const char *unit = tw__column_unit(key);
	bool known = column && column->title, has_unit = !strcmp(unit, "bytes") || !strcmp(unit, "s");
	int length = (int)(strlen(key) - (has_unit ? strlen(unit) + 1 : 0));
	snprintf(text, size, "%.*s", known ? 60 : length < 60 ? length : 60, known ? column->title : key);
	for (char *c = text; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	return text;
}

const char *tw__memory_text(char *text, size_t size, double bytes)
{
	if (bytes >= 0 && bytes < 0x1p63)
		return tw__size_text(text, size, (uint64_t)bytes);
	snprintf(text, size, "unbounded");
	return text;
}

void tw__column_text(char *text, size_t size, const char *key, const char *value)
{
	char memory[32];
	const struct tw__column *column = tw__column_named(key);
	const char *prefix = column && column->prefix ? column->prefix : "";
	const char *suffix = column && column->suffix ? column->suffix : "";
	if (!strcmp(tw__column_unit(key), "bytes"))
		value = tw__memory_text(memory, sizeof memory, *value ? atof(value) : NAN);
	int length = (int)strlen(suffix) - (!strcmp(value, "1") && ends_with(suffix, "s")); /* "1 GPU" */
	snprintf(text, size, "%s%s%.*s", prefix, *prefix && !*value ? "none" : value, length, suffix);
}
