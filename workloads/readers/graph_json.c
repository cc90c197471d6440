/* Tilewright's own format of task graphs, which `tilewright export` writes: an object with
 *
 *     "tilewright": 1    the version of the format
 *     "flops"            of the whole graph
 *     "priorities"       the policies that see priorities: "sorting", "looking" or "all"
 *     "kernels"          objects with "name", "size", "precision", "flops"; optional "archs", "recorded_on"
 *     "data"             the bytes of each handle
 *     "reductions"       optional: arrays of a handle and the kernel that combines its accumulators
 *     "tasks"            arrays, in the order of submission; see below
 *
 * A task is an array of its kernel, its priority, and a handle and a mode for each access. Modes: 1 R, 2 W, 3 RW, 4
 * scratch, 8 reduction; plus 16: after this write, the handle will not be used. An optional object follows: "after"
 * (tasks), "seconds", "cpu_seconds", "gpu_seconds", "arch_seconds" (an object: seconds by arch), "processor" or
 * "accelerator" (recorded worker and order), "critical" (true).
 *
 * Kernels, handles and tasks are numbered from 0. */
#include "readers/reader.h"

#include <stdlib.h>
#include <string.h>

#include "readers/json.h"

enum { VERSION = 1, MAX_BITS = 60, LAST_WRITE = 16 };

struct graph_file {
	struct tw__json json;
	struct tw__draft *draft; /* used only for kernels and counts of differences */
	struct tw_graph *graph;
	const struct tw__reading *reading;
	struct tw_error *err;
	tw_kernel *kernels; /* [n_kernels] kernels of the graph, indexed by their numbers in the file */
	size_t n_kernels;
};

static int no_memory(const struct graph_file *f)
{
	return tw_fail(f->err, TW_NOMEM, "%.256s: out of memory", f->json.path);
}

/* Returns the error that the graph keeps since a builder function failed, with a message about the value `at`. */
static int refused(const struct graph_file *f, const struct tw__json_at *at)
{
	struct tw_error why;
	int status = tw_graph_finish(f->graph, &why);
	return status == TW_INVALID ? tw__json_fail(&f->json, at, f->err, "%s", why.message)
	                            : tw_fail(f->err, status, "%.256s: %s", f->json.path, why.message);
}

/* Counts members of an object that are not in `known`, which ends with NULL: those of another version, or misspelt
 * ones. */
static void count_unknown(const struct graph_file *f, const struct tw__json_at *in, const char *const *known)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)in->value, key, value)
	{
		const char *const *k = known;
		while (*k && strcmp(*k, key) != 0)
			k++;
		tw__draft_count(f->draft, "unknown members left out", !*k);
	}
}

static int read_flops(const struct graph_file *f, const struct tw__json_at *in, double *flops)
{
	struct tw__json_at at = tw__json_member(in, "flops");
	int status = tw__json_real(&f->json, &at, flops, f->err);
	return status == TW_OK && *flops < 0 ? tw__json_fail(&f->json, &at, f->err, "%g, expected 0 or more", *flops)
	                                     : status;
}

static int read_optional(const struct graph_file *f, const struct tw__json_at *in, const char *key, const char **text)
{
	struct tw__json_at at = tw__json_member(in, key);
	*text = NULL;
	return at.value ? tw__json_text(&f->json, &at, text, f->err) : TW_OK;
}

static int read_kernel(const struct graph_file *f, const struct tw__json_at *at, uint32_t line, tw_kernel *kernel)
{
	static const char *const known[] = {"name", "size", "precision", "flops", "archs", "recorded_on", NULL};
	struct tw__json_at name = tw__json_member(at, "name"), size = tw__json_member(at, "size"),
			   precision = tw__json_member(at, "precision");
	const char *texts[3], *archs, *recorded_on;
	double flops;
	int status = tw__json_object(&f->json, at, f->err);
	if (status < 0 || (status = tw__json_text(&f->json, &name, &texts[0], f->err)) < 0 ||
	    (status = tw__json_text(&f->json, &size, &texts[1], f->err)) < 0 ||
	    (status = tw__json_text(&f->json, &precision, &texts[2], f->err)) < 0 ||
	    (status = read_flops(f, at, &flops)) < 0 || (status = read_optional(f, at, "archs", &archs)) < 0 ||
	    (status = read_optional(f, at, "recorded_on", &recorded_on)) < 0)
		return status;
	*kernel = tw__draft_kernel(f->draft, texts[0], texts[1], texts[2], flops,
	                           f->reading->recorded ? recorded_on : NULL, line, f->err);
	if (*kernel < 0)
		return *kernel;
	if (archs)
		tw_graph_restrict(f->graph, *kernel, archs);
	count_unknown(f, at, known);
	return TW_OK;
}

static int read_kernels(struct graph_file *f, const struct tw__json_at *list)
{
	int status = tw__json_array(&f->json, list, &f->n_kernels, f->err);
	if (status < 0)
		return status;
	uint32_t *lines = tw__json_lines(&f->json, list);
	f->kernels = malloc((f->n_kernels + 1) * sizeof *f->kernels);
	if (!f->kernels || !lines)
		status = no_memory(f);
	for (size_t i = 0; i < f->n_kernels && status == TW_OK; i++) {
		struct tw__json_at at = tw__json_item(list, i);
		status = read_kernel(f, &at, lines[i], &f->kernels[i]);
	}
	free(lines);
	return status;
}

static int read_data(const struct graph_file *f, const struct tw__json_at *list)
{
	const uint64_t most = (uint64_t)1 << MAX_BITS;
	size_t n;
	uint64_t bytes = 0, sum = 0;
	int status = tw__json_array(&f->json, list, &n, f->err);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at at = tw__json_item(list, i);
		status = tw__json_bytes(&f->json, &at, 1, f->draft, &bytes, f->err);
		if (status == TW_OK && bytes > most - sum)
			return tw__json_fail(&f->json, &at, f->err,
			                     "more than 2^60 bytes of data up to here, expected fewer");
		sum += bytes;
		if (status == TW_OK && tw_graph_data(f->graph, bytes) == TW_NONE)
			status = refused(f, &at);
	}
	return status;
}

static int read_reductions(const struct graph_file *f, const struct tw__json_at *list)
{
	size_t n = 0, items;
	int64_t data, combine;
	int status = list->value ? tw__json_array(&f->json, list, &n, f->err) : TW_OK;
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at pair = tw__json_item(list, i);
		struct tw__json_at first = tw__json_item(&pair, 0), second = tw__json_item(&pair, 1);
		status = tw__json_array(&f->json, &pair, &items, f->err);
		if (status == TW_OK && items != 2)
			return tw__json_fail(&f->json, &pair, f->err, "%zu items, expected a data and a kernel", items);
		if (status == TW_OK)
			status = tw__json_int(&f->json, &first, 0, (int64_t)tw_graph_n_data(f->graph) - 1, &data,
			                      f->err);
		if (status == TW_OK)
			status = tw__json_int(&f->json, &second, 0, (int64_t)f->n_kernels - 1, &combine, f->err);
		if (status == TW_OK)
			tw_graph_reduction(f->graph, (tw_data)data, f->kernels[combine]);
	}
	return status;
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

struct task {
	struct tw__json_at at;
	size_t n; /* how many numbers the task's array has, before the optional object */
	struct tw_access accesses[TW_MAX_ACCESSES];
	int n_accesses;
	bool last_write[TW_MAX_ACCESSES];
};

static int read_accesses(const struct graph_file *f, struct task *t)
{
	int64_t data, mode;
	int status = TW_OK;
	for (size_t i = 2; i < t->n && status == TW_OK; i += 2) {
		struct tw__json_at d = tw__json_item(&t->at, i), m = tw__json_item(&t->at, i + 1);
		status = tw__json_int(&f->json, &d, 0, (int64_t)tw_graph_n_data(f->graph) - 1, &data, f->err);
		if (status == TW_OK)
			status = tw__json_int(&f->json, &m, 1, LAST_WRITE | TW_RW, &mode, f->err);
		if (status < 0)
			return status;
		int64_t access = mode & ~(int64_t)LAST_WRITE;
		if ((access < TW_R || access > TW_RW) && access != TW_SCRATCH && access != TW_REDUX)
			return tw__json_fail(&f->json, &m, f->err, "%d, expected a mode: 1, 2, 3, 4, 8, 18 or 19",
			                     (int)mode);
		if ((mode & LAST_WRITE) && !(access & TW_W))
			return tw__json_fail(&f->json, &m, f->err,
			                     "%d, expected a mode that writes, as the data will not be used later",
			                     (int)mode);
		t->last_write[t->n_accesses] = mode & LAST_WRITE;
		t->accesses[t->n_accesses++] = (struct tw_access){(tw_data)data, (enum tw_mode)access};
	}
	return status;
}

static int read_place(const struct graph_file *f, const struct tw__json_at *at, bool accelerator, tw_task task)
{
	struct tw__json_at worker = tw__json_item(at, 0), order = tw__json_item(at, 1);
	int64_t numbers[2];
	size_t n;
	int status = tw__json_array(&f->json, at, &n, f->err);
	if (status == TW_OK && n != 2)
		return tw__json_fail(&f->json, at, f->err, "%zu items, expected a worker and an order", n);
	if (status == TW_OK)
		status = tw__json_int(&f->json, &worker, 0, INT32_MAX, &numbers[0], f->err);
	if (status == TW_OK)
		status = tw__json_int(&f->json, &order, 0, INT32_MAX, &numbers[1], f->err);
	if (status == TW_OK && f->reading->replay)
		tw_graph_set_recorded_place(
			f->graph, task,
			(struct tw_recorded_place){accelerator, (int32_t)numbers[0], (int32_t)numbers[1]});
	return status;
}

static int read_after(const struct graph_file *f, const struct tw__json_at *list, tw_task task)
{
	size_t n;
	int64_t on;
	int status = tw__json_array(&f->json, list, &n, f->err);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at at = tw__json_item(list, i);
		status = tw__json_int(&f->json, &at, 0, (int64_t)task - 1, &on, f->err);
		if (status == TW_OK)
			tw_graph_depend(f->graph, (tw_task)on);
	}
	return status;
}

static int read_number_of_seconds(const struct graph_file *f, const struct tw__json_at *at, double *seconds)
{
	int status = tw__json_real(&f->json, at, seconds, f->err);
	if (status == TW_OK && *seconds <= 0)
		return tw__json_fail(&f->json, at, f->err, "%g, expected more than 0", *seconds);
	if (status == TW_OK && *seconds > TW_MAX_SECONDS)
		return tw__json_fail(&f->json, at, f->err, "%g, expected at most %g", *seconds, TW_MAX_SECONDS);
	return status;
}

/* Reads the last submitted task's seconds on an arch, if the value exists. */
static int read_seconds_on(const struct graph_file *f, const struct tw__json_at *at, const char *arch)
{
	double seconds;
	int status = at->value ? read_number_of_seconds(f, at, &seconds) : TW_OK;
	if (status < 0 || !at->value || !f->reading->recorded)
		return status;
	return tw_graph_set_seconds_on(f->graph, arch, seconds) ? TW_OK : refused(f, at);
}

static int read_seconds(const struct graph_file *f, const struct tw__json_at *rest, tw_task task)
{
	struct tw__json_at seconds = tw__json_member(rest, "seconds"), cpu = tw__json_member(rest, "cpu_seconds");
	struct tw__json_at gpu = tw__json_member(rest, "gpu_seconds"), archs = tw__json_member(rest, "arch_seconds");
	const char *arch;
	json_t *value;
	double number;
	int status = seconds.value ? read_number_of_seconds(f, &seconds, &number) : TW_OK;
	if (status == TW_OK && seconds.value && f->reading->recorded)
		tw_graph_set_seconds(f->graph, task, number);
	if (status == TW_OK)
		status = read_seconds_on(f, &cpu, "processors");
	if (status == TW_OK)
		status = read_seconds_on(f, &gpu, "accelerators");
	if (status == TW_OK && archs.value)
		status = tw__json_object(&f->json, &archs, f->err);
	json_object_foreach((json_t *)(uintptr_t)archs.value, arch, value)
	{
		struct tw__json_at at = tw__json_member(&archs, arch);
		if (status == TW_OK)
			status = read_seconds_on(f, &at, arch);
	}
	return status;
}

/* Reads the optional object at the end of a task's array. */
static int read_rest(const struct graph_file *f, const struct tw__json_at *rest, tw_task task)
{
	static const char *const known[] = {"after",     "seconds",     "cpu_seconds", "gpu_seconds", "arch_seconds",
	                                    "processor", "accelerator", "critical",    NULL};
	struct tw__json_at after = tw__json_member(rest, "after"), seconds = tw__json_member(rest, "seconds");
	struct tw__json_at processor = tw__json_member(rest, "processor");
	struct tw__json_at accelerator = tw__json_member(rest, "accelerator");
	struct tw__json_at critical = tw__json_member(rest, "critical");
	bool is_critical = false;
	int status = TW_OK;
	if (after.value)
		status = read_after(f, &after, task);
	if (status == TW_OK)
		status = read_seconds(f, rest, task);
	if (status == TW_OK && critical.value)
		status = tw__json_flag(&f->json, &critical, &is_critical, f->err);
	if (status < 0)
		return status;
	if (is_critical)
		tw_graph_mark_critical(f->graph, task);
	count_unknown(f, rest, known);
	if (f->reading->replay && (!seconds.value || (!processor.value && !accelerator.value)))
		return tw__json_fail(&f->json, rest, f->err,
		                     "no recorded seconds and place, expected them for replay=yes");
	if (processor.value && accelerator.value)
		return tw__json_fail(&f->json, rest, f->err, "a processor and an accelerator, expected one of them");
	return processor.value     ? read_place(f, &processor, false, task)
	       : accelerator.value ? read_place(f, &accelerator, true, task)
	                           : TW_OK;
}

static int read_task(const struct graph_file *f, const struct tw__json_at *at)
{
	struct task t = {.at = *at};
	int64_t kernel = 0, priority = 0;
	int status = tw__json_array(&f->json, at, &t.n, f->err);
	if (status < 0)
		return status;
	struct tw__json_at first = tw__json_item(at, 0), second = tw__json_item(at, 1);
	struct tw__json_at rest = tw__json_item(at, t.n ? t.n - 1 : 0);
	bool has_rest = t.n && json_is_object(rest.value);
	t.n -= has_rest;
	if (t.n < 2 || t.n % 2 || t.n > 2 + 2 * TW_MAX_ACCESSES)
		return tw__json_fail(
			&f->json, at, f->err,
			"%zu numbers, expected a kernel, a priority, and a data and a mode for each of 0 to %d "
			"accesses",
			t.n, TW_MAX_ACCESSES);
	status = tw__json_int(&f->json, &first, 0, (int64_t)f->n_kernels - 1, &kernel, f->err);
	if (status == TW_OK)
		status = tw__json_int(&f->json, &second, INT32_MIN, INT32_MAX, &priority, f->err);
	if (status == TW_OK)
		status = read_accesses(f, &t);
	if (status < 0)
		return status;
	tw_task task = tw_graph_submit(f->graph, f->kernels[kernel], (int32_t)priority, t.accesses, t.n_accesses);
	if (task == TW_NONE)
		return refused(f, at);
	for (int i = 0; i < t.n_accesses; i++)
		if (t.last_write[i])
			tw_graph_will_not_be_used(f->graph, t.accesses[i].data);
	if (!has_rest || !(json_object_get(rest.value, "seconds") || json_object_get(rest.value, "cpu_seconds") ||
	                   json_object_get(rest.value, "gpu_seconds") || json_object_get(rest.value, "arch_seconds")))
		tw__draft_default(f->draft, task);
	return has_rest || f->reading->replay ? read_rest(f, &rest, task) : TW_OK;
}

static int read_graph(struct graph_file *f)
{
	static const char *const known[] = {"tilewright", "flops",      "priorities", "kernels",
	                                    "data",       "reductions", "tasks",      NULL};
	struct tw__json_at root = tw__json_root(&f->json), version = tw__json_member(&root, "tilewright");
	struct tw__json_at kernels = tw__json_member(&root, "kernels"), data = tw__json_member(&root, "data");
	struct tw__json_at reductions = tw__json_member(&root, "reductions");
	struct tw__json_at tasks = tw__json_member(&root, "tasks"), scope = tw__json_member(&root, "priorities");
	const char *priorities;
	double flops;
	int64_t number;
	size_t n = 0;
	int status = tw__json_int(&f->json, &version, VERSION, VERSION, &number, f->err);
	if (status == TW_OK)
		status = read_flops(f, &root, &flops);
	if (status == TW_OK)
		status = tw__json_text(&f->json, &scope, &priorities, f->err);
	if (status < 0)
		return status;
	int known_scope = 0;
	while (known_scope < TW_N_PRIORITY_SCOPES &&
	       strcmp(priorities, tw_priority_scope_name((enum tw_priority_scope)known_scope)) != 0)
		known_scope++;
	if (known_scope == TW_N_PRIORITY_SCOPES)
		return tw__json_fail(&f->json, &scope, f->err, "'%.40s', expected sorting, looking or all", priorities);
	count_unknown(f, &root, known);
	tw_graph_set_flops(f->graph, flops);
	tw_graph_set_priority_scope(f->graph, (enum tw_priority_scope)known_scope);
	status = read_kernels(f, &kernels);
	if (status == TW_OK)
		status = read_data(f, &data);
	if (status == TW_OK)
		status = read_reductions(f, &reductions);
	if (status == TW_OK)
		status = tw__json_array(&f->json, &tasks, &n, f->err);
	if (status == TW_OK && n == 0)
		return tw__json_fail(&f->json, &tasks, f->err, "no tasks, expected at least one");
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at at = tw__json_item(&tasks, i);
		status = read_task(f, &at);
	}
	return status;
}

int tw__read_graph(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct graph_file f = {.draft = draft, .graph = draft->graph, .reading = reading, .err = err};
	int status = tw__json_read(&f.json, reading->path, err);
	if (status == TW_OK)
		status = read_graph(&f);
	tw__json_finish(&f.json);
	free(f.kernels);
	return status;
}
