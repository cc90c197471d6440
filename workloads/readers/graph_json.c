/* Tilewright's own format of task graphs, which `tilewright export` writes: an object with
 *
 *     "tilewright": 1    the version of the format
 *     "flops"            of the whole graph
 *     "priorities"       the policies that see priorities: "sorting", "looking" or "all"
 *     "kernels"          objects with "name", "size", "precision", "flops"; optional "archs", "recorded_on"
 *     "data"             the bytes of each handle
 *     "discarded"        optional: the handles that nobody needs after their last tasks
 *     "homes"            optional: arrays of a handle and the memory where it starts
 *     "ends"             optional: arrays of a handle and the memory where it must be at the end
 *     "parts"            optional: arrays of a handle that is divided, its first part, and the number of parts
 *     "reductions"       optional: arrays of a handle and the kernel that combines its accumulators
 *     "tasks"            arrays, in the order of submission; see below
 *
 * or an object with "tilewright" and "graphs": several graphs of one run. Each is an object with the other members
 * above, with
 *
 *     "name"             what results call it; several graphs may have one name
 *     "arrival_s"        no task is submitted earlier
 *     "domain"           optional: the scheduling domain of all its tasks
 *
 * A task is an array of its kernel, its priority, and a handle and a mode for each access. Modes: 1 R, 2 W, 3 RW, 4
 * scratch, 8 reduction; plus 16: after this write, the handle will not be used. An optional object follows: "after"
 * (tasks), "seconds", "cpu_seconds", "gpu_seconds", "arch_seconds" (an object: seconds by arch), "processor" or
 * "accelerator" (recorded worker and order), "critical" (true). It may also have "inside": how many of the next tasks
 * are inside this one.
 *
 * Kernels, handles and tasks are numbered from 0. */
#include <stdlib.h>
#include <string.h>

#include "readers/graph_json.h"

enum { VERSION = 1 };

static const char *read_optional(const struct tw__json_at *in, const char *key)
{
	struct tw__json_at at = tw__json_member(in, key);
	return at.value ? tw__json_text(&at) : NULL;
}

static tw_kernel read_kernel(const struct graph_file *f, const struct tw__json_at *at, uint32_t line)
{
	static const char *const known[] = {"name", "size", "precision", "flops", "archs", "recorded_on", NULL};
	struct tw__json_at name = tw__json_member(at, "name"), size = tw__json_member(at, "size"),
			   precision = tw__json_member(at, "precision"), flops = tw__json_member(at, "flops");
	if (!tw__json_object(at))
		return TW_NONE;
	const char *texts[] = {tw__json_text(&name), tw__json_text(&size), tw__json_text(&precision)};
	double number = tw__json_amount(&flops);
	const char *archs = read_optional(at, "archs"), *recorded_on = read_optional(at, "recorded_on");
	tw_kernel kernel = tw__draft_kernel(f->draft, texts[0], texts[1], texts[2], number, recorded_on, line);
	if (archs && kernel >= 0)
		tw_graph_restrict(f->graph, kernel, archs);
	tw__json_count_unknown(at, known);
	if (f->draft->status == TW_OK && f->draft->recorded && !(f->draft->default_seconds > 0) &&
	    tw_graph_n_kernels(f->graph) != (int)at->index + 1)
		tw__json_fail(at, "name, size, precision and recorded_on of an earlier kernel, expected others");
	return kernel;
}

static void read_kernels(struct graph_file *f, const struct tw__json_at *list)
{
	struct tw__json_at at = {0};
	uint32_t *lines = tw__json_lines(list);
	f->n_kernels = tw__json_array(list);
	f->kernels = tw_alloc(f->n_kernels, sizeof *f->kernels);
	while (tw__json_next(list, &at))
		f->kernels[at.index] = read_kernel(f, &at, lines[at.index]);
	free(lines);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

struct task {
	struct tw__json_at at;
	size_t n; /* how many numbers the task's array has, before the optional object */
	int n_accesses;
};

static void read_accesses(struct graph_file *f, struct task *t)
{
	for (size_t i = 2; i < t->n; i += 2) {
		struct tw__json_at d = tw__json_item(&t->at, i), m = tw__json_item(&t->at, i + 1);
		int64_t data = tw__graph_json_handle(f, &d), mode = tw__json_int(&m, 1, TW__LAST_WRITE | TW_RW);
		int64_t access = mode & ~(int64_t)TW__LAST_WRITE;
		if ((access < TW_R || access > TW_RW) && access != TW_SCRATCH && access != TW_REDUX)
			tw__json_fail(&m, "%d, expected a mode: 1, 2, 3, 4, 8, 18 or 19", (int)mode);
		if ((mode & TW__LAST_WRITE) && !(access & TW_W))
			tw__json_fail(&m, "%d, expected a mode that writes, as the data will not be used later",
			              (int)mode);
		TW_RESERVE(f->modes, f->modes_capacity, (size_t)t->n_accesses + 1);
		TW_RESERVE(f->accesses, f->accesses_capacity, (size_t)t->n_accesses + 1);
		f->modes[t->n_accesses] = (uint8_t)mode;
		f->accesses[t->n_accesses++] = (struct tw_access){(tw_data)data, (enum tw_mode)access};
	}
}

static void read_place(const struct graph_file *f, const struct tw__json_at *at, bool accelerator, tw_task task)
{
	struct tw__json_at worker = tw__json_item(at, 0), order = tw__json_item(at, 1);
	size_t n = tw__json_array(at);
	if (n != 2)
		tw__json_fail(at, "%zu items, expected a worker and an order", n);
	struct tw_recorded_place place = {accelerator, (int32_t)tw__json_int(&worker, 0, INT32_MAX),
	                                  (int32_t)tw__json_int(&order, 0, INT32_MAX)};
	if (f->draft->replay)
		tw_graph_set_recorded_place(f->graph, task, place);
}

static void read_after(const struct graph_file *f, const struct tw__json_at *list, tw_task task)
{
	struct tw__json_at at = {0};
	while (tw__json_next(list, &at)) {
		int64_t on = tw__json_int(&at, 0, (int64_t)task - 1);
		if (f->draft->status == TW_OK)
			tw_graph_depend(f->graph, (tw_task)on);
	}
}

/* Reads seconds above 0. Returns whether tasks take them. */
static bool read_seconds(const struct graph_file *f, const struct tw__json_at *at, double *seconds)
{
	*seconds = tw__json_real(at);
	if (*seconds <= 0)
		tw__json_fail(at, "%g, expected more than 0", *seconds);
	if (*seconds > TW_MAX_SECONDS)
		tw__json_fail(at, "%g, expected at most %g", *seconds, TW_MAX_SECONDS);
	return f->draft->status == TW_OK && f->draft->recorded;
}

/* Reads the last submitted task's seconds on an arch, if the value exists. */
static void read_seconds_on(const struct graph_file *f, const struct tw__json_at *at, const char *arch)
{
	double seconds;
	if (at->value && read_seconds(f, at, &seconds) && !tw_graph_set_seconds_on(f->graph, arch, seconds))
		tw__graph_json_refuse(f, at);
}

/* Reads the seconds of a task from the optional object. */
static void read_all_seconds(const struct graph_file *f, const struct tw__json_at *rest, tw_task task)
{
	struct tw__json_at own = tw__json_member(rest, "seconds"), cpu = tw__json_member(rest, "cpu_seconds");
	struct tw__json_at gpu = tw__json_member(rest, "gpu_seconds"), archs = tw__json_member(rest, "arch_seconds");
	const char *arch;
	json_t *value;
	double seconds;
	if (own.value && read_seconds(f, &own, &seconds))
		tw_graph_set_seconds(f->graph, task, seconds);
	read_seconds_on(f, &cpu, "processors");
	read_seconds_on(f, &gpu, "accelerators");
	if (archs.value)
		tw__json_object(&archs);
	json_object_foreach((json_t *)(uintptr_t)archs.value, arch, value)
	{
		struct tw__json_at at = tw__json_member(&archs, arch);
		read_seconds_on(f, &at, arch);
	}
	if (!own.value && !cpu.value && !gpu.value && !archs.value)
		tw__draft_default(f->draft, task);
}

/* Reads the optional object at the end of a task's array, which has no value if there is none. */
static void read_rest(const struct graph_file *f, const struct tw__json_at *rest, tw_task task)
{
	static const char *const known[] = {"after",     "seconds",     "cpu_seconds", "gpu_seconds", "arch_seconds",
	                                    "processor", "accelerator", "critical",    "inside",      NULL};
	struct tw__json_at after = tw__json_member(rest, "after"), critical = tw__json_member(rest, "critical");
	struct tw__json_at processor = tw__json_member(rest, "processor");
	struct tw__json_at accelerator = tw__json_member(rest, "accelerator");
	if (after.value)
		read_after(f, &after, task);
	read_all_seconds(f, rest, task);
	if (critical.value && tw__json_flag(&critical))
		tw_graph_mark_critical(f->graph, task);
	tw__json_count_unknown(rest, known);
	if (f->draft->replay && !processor.value && !accelerator.value)
		tw__json_fail(rest, "no recorded place, expected one for replay=yes");
	if (processor.value && accelerator.value)
		tw__json_fail(rest, "a processor and an accelerator, expected one of them");
	if (processor.value || accelerator.value)
		read_place(f, processor.value ? &processor : &accelerator, !processor.value, task);
}

/* Begins a recursive task, if the task is one, and ends those whose last task inside it is. */
static void read_inside(struct graph_file *f, const struct tw__json_at *rest, tw_task task)
{
	struct tw__json_at inside = tw__json_member(rest, "inside");
	if (inside.value) {
		const int64_t end = f->n_ends ? f->ends[f->n_ends - 1] : (int64_t)f->n_tasks;
		const int64_t n = tw__json_int(&inside, 1, end - task - 1);
		TW_RESERVE(f->ends, f->ends_capacity, f->n_ends + 1);
		f->ends[f->n_ends++] = (tw_task)(task + 1 + n);
		tw_graph_begin_recursive(f->graph);
	}
	for (; f->n_ends && f->ends[f->n_ends - 1] == task + 1; f->n_ends--)
		tw_graph_end_recursive(f->graph);
}

static void read_task(struct graph_file *f, const struct tw__json_at *at)
{
	struct task t = {.at = *at, .n = tw__json_array(at)};
	struct tw__json_at first = tw__json_item(at, 0), second = tw__json_item(at, 1);
	struct tw__json_at rest = tw__json_item(at, t.n ? t.n - 1 : 0);
	if (f->draft->status < 0)
		return;
	if (json_is_object(rest.value))
		t.n--;
	else
		rest.value = NULL;
	if (t.n < 2 || t.n % 2) {
		tw__json_fail(at, "%zu numbers, expected a kernel, a priority, and a data and a mode for each access",
		              t.n);
		return;
	}
	int64_t kernel = tw__json_int(&first, 0, (int64_t)f->n_kernels - 1);
	int32_t priority = (int32_t)tw__json_int(&second, INT32_MIN, INT32_MAX);
	read_accesses(f, &t);
	if (f->draft->status < 0)
		return;
	tw_task task = tw_graph_submit(f->graph, f->kernels[kernel], priority, f->accesses, t.n_accesses);
	if (task == TW_NONE) {
		tw__graph_json_refuse(f, at);
		return;
	}
	for (int i = 0; i < t.n_accesses; i++)
		if (f->modes[i] & TW__LAST_WRITE)
			tw_graph_will_not_be_used(f->graph, f->accesses[i].data);
	read_rest(f, &rest, task);
	read_inside(f, &rest, task);
}

static void read_priorities(const struct graph_file *f, const struct tw__json_at *at)
{
	const char *name = tw__json_text(at);
	int scope = tw__draft_priority_scope(name);
	if (scope < 0)
		tw__json_fail(at, "'%.40s', expected sorting, looking or all", name);
	else
		tw_graph_set_priority_scope(f->graph, (enum tw_priority_scope)scope);
}

/* Reads a graph. The object may have other members, up to three. */
static void read_graph(struct graph_file *f, const struct tw__json_at *root, const char *const *others)
{
	const char *known[] = {"flops", "priorities", "kernels", "data",    "discarded", "homes",   "ends",
	                       "parts", "reductions", "tasks",   others[0], others[1],   others[2], NULL};
	struct tw__json_at flops = tw__json_member(root, "flops");
	struct tw__json_at kernels = tw__json_member(root, "kernels"), data = tw__json_member(root, "data");
	struct tw__json_at discarded = tw__json_member(root, "discarded"), homes = tw__json_member(root, "homes");
	struct tw__json_at ends = tw__json_member(root, "ends"), parts = tw__json_member(root, "parts");
	struct tw__json_at reductions = tw__json_member(root, "reductions"), tasks = tw__json_member(root, "tasks");
	struct tw__json_at scope = tw__json_member(root, "priorities"), task = {0};
	tw_graph_set_flops(f->graph, tw__json_amount(&flops));
	read_priorities(f, &scope);
	tw__json_count_unknown(root, known);
	read_kernels(f, &kernels);
	tw__graph_json_data(f, &data, &parts);
	tw__graph_json_discarded(f, &discarded);
	tw__graph_json_places(f, &homes, tw_graph_set_home);
	tw__graph_json_places(f, &ends, tw_graph_set_end);
	tw__graph_json_reductions(f, &reductions);
	f->n_tasks = tw__json_array(&tasks);
	if (f->n_tasks == 0)
		tw__json_fail(&tasks, "no tasks, expected at least one");
	while (tw__json_next(&tasks, &task))
		read_task(f, &task);
}

static void finish(struct graph_file *f)
{
	free(f->kernels);
	free(f->accesses);
	free(f->modes);
	free(f->ends);
}

/* Reads one of several graphs, which the caller destroys in any case. */
static struct tw_joined_graph read_joined(struct tw__draft *draft, const struct tw__json_at *at)
{
	static const char *const others[] = {"name", "arrival_s", "domain"};
	struct tw__json_at name = tw__json_member(at, "name"), arrival = tw__json_member(at, "arrival_s");
	struct graph_file f = {.draft = draft, .graph = tw_graph_create()};
	struct tw_error why;
	struct tw_joined_graph joined = {.graph = f.graph};
	tw__draft_begin(draft, f.graph);
	if (!f.graph)
		tw__graph_json_refuse(&f, at);
	if (!f.graph || !tw__json_object(at))
		return joined;
	joined.name = tw__json_text(&name);
	joined.domain = read_optional(at, "domain");
	joined.arrival_s = tw__json_amount(&arrival);
	if (joined.arrival_s > TW_MAX_SECONDS)
		tw__json_fail(&arrival, "%g, expected at most %g", joined.arrival_s, TW_MAX_SECONDS);
	read_graph(&f, at, others);
	if (draft->status == TW_OK && tw_graph_finish(f.graph, &why) < 0)
		tw__graph_json_refuse(&f, at);
	finish(&f);
	return joined;
}

static void read_graphs(struct tw__draft *draft, const struct tw__json_at *list)
{
	struct tw_graph *whole = draft->graph;
	struct tw_joined_graph joined[TW_MOST_JOINED];
	struct tw__json_at at = {0};
	struct tw_error why;
	size_t items = tw__json_array(list);
	int n = 0;
	if (items < 1 || items > TW_MOST_JOINED)
		tw__json_fail(list, "%zu graphs, expected 1 to %d", items, TW_MOST_JOINED);
	while (tw__json_next(list, &at))
		joined[n++] = read_joined(draft, &at);
	tw__draft_begin(draft, whole);
	int status = draft->status == TW_OK ? tw_graph_join_into(whole, joined, n, &why) : TW_OK;
	if (status < 0) {
		tw__json_fail(list, "%s", why.message);
		draft->status = status; /* perhaps TW_NOMEM */
	}
	for (int i = 0; i < n; i++)
		tw_graph_destroy(joined[i].graph);
}

void tw__read_graph(struct tw__draft *draft)
{
	static const char *const others[] = {"tilewright", NULL, NULL}, *const known[] = {"tilewright", "graphs", NULL};
	struct graph_file f = {.draft = draft, .graph = draft->graph};
	struct tw__json json;
	struct tw__json_at root = tw__json_read(&json, draft), version = tw__json_member(&root, "tilewright");
	struct tw__json_at graphs = tw__json_member(&root, "graphs");
	tw__json_int(&version, VERSION, VERSION);
	if (graphs.value) {
		tw__json_count_unknown(&root, known);
		read_graphs(draft, &graphs);
	} else {
		read_graph(&f, &root, others);
	}
	tw__json_finish(&json);
	finish(&f);
}
