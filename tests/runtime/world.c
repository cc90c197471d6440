#include "world.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cluster/cluster.h"
#include "graph/ranks.h"
#include "platform/cluster.h"
#include "temp.h"

/* --- making ----------------------------------------------------------------------------------------------------- */

static void must(int status, const struct tw_error *err) { ck_assert_msg(status == TW_OK, "%s", err->message); }

void world_platform(struct world *w, const char *xml, const struct tw__platform_choice *choice)
{
	struct temp file = temp_text(xml);
	struct tw_error err = {""};
	struct tw__platform *all;
	must(tw__platform_read(&all, file.path, "test", &err), &err);
	temp_remove(file);
	must(tw__platform_select(&w->platform, all, choice, &err), &err);
	tw__platform_destroy(all);
}

void world_times(struct world *w, const double *seconds)
{
	size_t n = (size_t)w->graph->n_kernels * (size_t)w->platform->n_archs;
	w->times = (struct tw__times){.n_kernels = w->graph->n_kernels,
	                              .n_archs = w->platform->n_archs,
	                              .mean = malloc(n * sizeof(double)),
	                              .recorded = calloc(n, sizeof(bool)),
	                              .stddev = calloc(n, sizeof(double))};
	memcpy(w->times.mean, seconds, n * sizeof *seconds);
}

void world_mirage(struct world *w, int cpus, int gpus, uint64_t gpu_mem_bytes, const char *workload)
{
	struct tw__platform_choice choice = {.cpus = cpus, .gpus = gpus, .gpu_mem_bytes = gpu_mem_bytes};
	struct tw_error err = {""};
	struct tw__platform *all;
	struct tw__models *models;
	char *kernels;
	must(tw__platform_find(&all, &kernels, "mirage", &err), &err);
	must(tw__models_read(&models, kernels, NULL, &err), &err);
	must(tw__platform_select(&w->platform, all, &choice, &err), &err);
	must(tw__generate(&w->graph, workload, &err), &err);
	must(tw__times_bind(&w->times, models, w->platform, w->graph, &err), &err);
	tw__models_destroy(models);
	tw__platform_destroy(all);
	free(kernels);
}

void world_finish(struct world *w)
{
	tw__times_finish(&w->times);
	tw_graph_destroy(w->graph);
	tw__platform_destroy(w->platform);
	*w = (struct world){0};
}

/* --- running ---------------------------------------------------------------------------------------------------- */

static const struct tw__platform *platform_of(const struct world *w, const struct tw__plan *plan)
{
	return plan->direct.routes ? &plan->direct : w->platform;
}

static struct tw__run_input input_of(const struct world *w, const struct setting *s, const struct tw__plan *plan,
                                     struct tw__record *record)
{
	return (struct tw__run_input){
		.platform = platform_of(w, plan),
		.graph = w->graph,
		.truth = &w->times,
		.belief = &w->times,
		.domains = plan->plugins.domains,
		.n_domains = plan->plugins.words.n,
		.domain_of = plan->domain_of,
		.policy_of = plan->policy_of,
		.eviction = s->own_eviction ? s->own_eviction : plan->plugins.eviction,
		.eviction_args = plan->plugins.eviction_args,
		.params = &plan->params,
		.engine = plan->plugins.engine,
		.seed = s->seed,
		.record = record,
	};
}

static void replace_child(struct tw_args *args, const struct tw_policy *own)
{
	struct tw__args_policy *child;
	for (int i = 0; (child = tw__args_next_policy(args, &i));)
		if (strcmp(child->param, "back") == 0)
			child->policy = own;
}

static int plan_for(struct tw__plan *plan, const struct world *w, const struct setting *s, struct tw_error *err)
{
	*plan = (struct tw__plan){0};
	int status =
		tw__find_policy(&plan->plugins, &(struct tw__request){.policy = s->policy ? s->policy : "eager"}, err);
	if (status == TW_OK && s->own_policy)
		plan->plugins.domains->policy = s->own_policy;
	if (status == TW_OK && s->own_child)
		replace_child(plan->plugins.policy_args[0], s->own_child);
	if (status == TW_OK)
		status = tw__find_eviction(&plan->plugins,
		                           &(struct tw__request){.eviction = s->eviction ? s->eviction : "lru"}, err);
	if (status == TW_OK)
		status = tw__runtime_params_init(&plan->params, s->runtime ? s->runtime : "ideal", w->platform, err);
	if (status == TW_OK && plan->params.gpudirect && w->platform->n_ranks > 1)
		tw__direct_routes_init(&plan->direct, w->platform);
	if (status == TW_OK)
		status = tw__domains_bind(plan->plugins.domains, &plan->domain_of, &plan->plugins.words, s->assign,
		                          &(struct tw__domain_scene){w->platform, w->graph, &w->times}, err);
	if (status == TW_OK)
		status = tw__node_policies_bind(&plan->policy_of, &plan->plugins.words, w->platform, err);
	for (int i = 0; i < plan->plugins.words.n; i++) {
		plan->domain_workers[i] = plan->plugins.domains[i].workers;
		plan->domain_names[i] = plan->plugins.words.of[i].name;
	}
	if (status == TW_OK)
		plan->plugins.engine = tw__engine_load(&tw__engine_simgrid, err);
	return status < 0 || plan->plugins.engine ? status : TW_INVALID;
}

struct tw__run_input world_input(const struct world *w, const struct setting *s, struct tw__plan *plan)
{
	struct tw_error err = {""};
	must(plan_for(plan, w, s, &err), &err);
	return input_of(w, s, plan, NULL);
}

static int check(const struct world *w, const struct setting *s, const struct tw__plan *plan, struct tw__record *record,
                 struct tw_error *err)
{
	uint64_t capacity[1024];
	tw__run_capacities(w->platform, &plan->params, capacity);
	struct tw__validation_input input = {.platform = platform_of(w, plan),
	                                     .graph = w->graph,
	                                     .times = &w->times,
	                                     .capacity = capacity,
	                                     .homes = tw__run_homes(w->platform, w->graph, &plan->params, capacity),
	                                     .shares = tw__run_link_shares(&plan->params),
	                                     .domains = tw__plan_domains(plan)};
	if (s->mutate)
		s->mutate(&input, record);
	return tw__validate(&input, record, NULL, err);
}

/* Gives each task a recorded worker that can run it, for the policy replay. */
static void give_places(const struct world *w)
{
	struct tw_graph *g = w->graph;
	tw_worker n = w->platform->n_workers, accelerators = 0;
	if (g->place || !(g->place = calloc((size_t)g->n_tasks, sizeof *g->place)))
		return;
	while (accelerators < n && w->platform->archs[w->platform->workers[accelerators].arch].accelerator)
		accelerators++;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		tw_worker worker = (tw_worker)((uint32_t)t * 2654435761u >> 16) % n;
		for (tw_worker i = 0;
		     i < n && isnan(tw__task_seconds(&w->times, g, t, w->platform->workers[worker].arch)); i++)
			worker = (worker + 1) % n;
		bool accelerator = worker < accelerators;
		g->place[t] = (struct tw_recorded_place){accelerator, worker - (accelerator ? 0 : accelerators), t};
	}
}

static void run_here(const struct world *w, const struct setting *s, struct outcome *o, struct tw__record *record)
{
	struct tw__plan plan;
	o->status = plan_for(&plan, w, s, &o->err);
	give_places(w);
	bool planned = o->status == TW_OK;
	struct tw__run_input in = {0};
	if (planned) {
		in = input_of(w, s, &plan, record);
		o->status = tw__cluster_run(&in, &o->counters, &o->err);
	}
	o->ran = o->status == TW_OK;
	o->n_events = record->n;
	o->fingerprint = 14695981039346656037u;
	for (size_t i = 0; i < record->n * sizeof *record->events; i++)
		o->fingerprint = (o->fingerprint ^ ((const unsigned char *)record->events)[i]) * 1099511628211u;
	if (o->ran)
		o->status = check(w, s, &plan, record, &o->err);
	if (planned && s->afterwards)
		s->afterwards(&in, o);
	tw__plan_finish(&plan);
}

/* False: the other side has closed the pipe. */
static bool move(ssize_t (*one)(int, void *, size_t), int fd, void *bytes, size_t n)
{
	for (size_t done = 0; done < n;) {
		ssize_t moved = one(fd, (char *)bytes + done, n - done);
		if (moved <= 0 && errno != EINTR)
			return false;
		done += moved > 0 ? (size_t)moved : 0;
	}
	return true;
}

static ssize_t write_one(int fd, void *bytes, size_t n) { return write(fd, bytes, n); }

/* With the address sanitizer, a child that leaks memory is a failed run. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libsimgrid\n"; }

static void find_leaks(struct outcome *o)
{
	if (!__lsan_do_recoverable_leak_check())
		return;
	o->ran = false;
	o->status = tw_fail(&o->err, TW_FAILED, "memory was not given back: see above");
}
#else
static void find_leaks(struct outcome *o) { (void)o; }
#endif

static void be_child(const struct world *w, const struct setting *s, bool looks_for_leaks, int fd)
{
	struct outcome o = {0};
	struct tw__record record;
	signal(SIGALRM, SIG_DFL);
	alarm(TIME_LIMIT_S);
	tw__record_init(&record);
	run_here(w, s, &o, &record);
	if (o.status == TW_OK && looks_for_leaks)
		find_leaks(&o);
	move(write_one, fd, &o, sizeof o);
	if (s->keep_record)
		move(write_one, fd, record.events, record.n * sizeof *record.events);
	_exit(0);
}

int world_every(void)
{
	const char *every = getenv("EVERY");
	return every && atoi(every) > 1 ? atoi(every) : 1;
}

struct outcome world_run(const struct world *w, const struct setting *s)
{
	static int n_runs;
	struct outcome o = {0};
	struct tw_error err = {""};
	int ends[2], wait_status = 0;
	/* Children inherit SimGrid's libraries. Otherwise each child would load them, which takes some 50 ms. */
	ck_assert_msg(tw__engine_load(&tw__engine_simgrid, &err), "%s", err.message);
	ck_assert_int_eq(pipe(ends), 0);
	fflush(NULL);
	/* Looking for leaks takes as long as a run. The first run of each process is looked at. */
	const bool looks_for_leaks = n_runs++ % world_every() == 0;
	pid_t child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		close(ends[0]);
		be_child(w, s, looks_for_leaks, ends[1]);
	}
	close(ends[1]);
	bool told = move(read, ends[0], &o, sizeof o);
	if (told && s->keep_record) {
		o.events = calloc(o.n_events + 1, sizeof *o.events);
		told = move(read, ends[0], o.events, o.n_events * sizeof *o.events);
	}
	close(ends[0]);
	waitpid(child, &wait_status, 0);
	if (!told)
		o.status = tw_fail(&o.err, TW_FAILED, "the run was ended by signal %d (%s)", WTERMSIG(wait_status),
		                   strsignal(WTERMSIG(wait_status)));
	return o;
}

struct outcome world_must_run(const struct world *w, const struct setting *s, const char *what)
{
	struct outcome o = world_run(w, s);
	ck_assert_msg(o.status == TW_OK, "%s, %s, %s, %s, seed %llu: %s: %s", what, s->policy ? s->policy : "eager",
	              s->eviction ? s->eviction : "lru", s->runtime ? s->runtime : "ideal", (unsigned long long)s->seed,
	              o.ran ? "not valid" : "did not run", o.err.message);
	/* Reductions append tasks. Of recursive tasks, either they run or those inside. */
	const int messages = w->graph->ranks ? w->graph->ranks->n_messages : 0;
	if (!w->graph->around)
		ck_assert_int_ge(o.counters.tasks, w->graph->n_tasks - 2 * messages + w->graph->n_phases);
	ck_assert_int_le(o.counters.tasks, w->graph->n_tasks + (int)w->graph->n_contributions);
	return o;
}

bool world_fits(const struct world *w, const char *runtime)
{
	struct tw__plan plan;
	struct tw_error err = {""};
	uint64_t capacity[1024];
	struct setting s = {.runtime = runtime};
	must(plan_for(&plan, w, &s, &err), &err);
	struct tw__run_input in = input_of(w, &s, &plan, NULL);
	tw__run_capacities(w->platform, &plan.params, capacity);
	bool fits = tw__run_check_fit(&in, capacity, &err) == TW_OK;
	tw__plan_finish(&plan);
	return fits;
}
