/* Runs of all policies in several threads of a program, on scenes that the threads share, and on scenes of their own.
 * Each row must equal that of the command, and each schedule that of the same run in a process.
 *
 *     test_api_threads COMMAND POLICIES EVICTIONS ROUNDS
 *
 * POLICIES and EVICTIONS are names with commas between. Each combination runs ROUNDS times. $EVERY, for sanitizers:
 * only each so-many-th eviction policy. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/run.h>

enum { N_THREADS = 4, N_WORKLOADS = 2, N_STYLES = 2, MOST_POINTS = 10000, MOST_COLUMNS = 100 };

static const char *const workloads[N_WORKLOADS] = {"cholesky:nt=6", "reduction:n=20"};
static const char *const choice[] = {"gpu-mem=60MiB", "extrapolate", NULL};
static const char *const styles[N_STYLES][4] = {{"seed=1"}, {"seed=2", "noise=0.02", "validate"}};
static const char *const style_words[N_STYLES] = {"--seed 1", "--seed 2 --noise 0.02 --validate"};

/* A run, and what the command and a process say of it. */
struct point {
	int workload, style;
	char *row;                  /* the command's line */
	char *fields[MOST_COLUMNS]; /* in `row` */
	struct tw_run_task *tasks;  /* NULL: the schedule is not compared */
	size_t n_tasks;
};

static struct point points[MOST_POINTS];
static int n_points, n_rounds;
static char trace[] = "/tmp/tilewright-threads-XXXXXX.csv";

static void fail(const char *what, const char *why)
{
	printf("%s: %s\n", what, why);
	exit(1);
}

static int column(const char *name)
{
	for (int i = 0; tw_column_name(i); i++)
		if (strcmp(tw_column_name(i), name) == 0)
			return i;
	fail(name, "no such column");
	return 0;
}

/* --- scenes and runs ---------------------------------------------------------------------------------------------- */

static void open_scenes(struct tw_scene *scenes[N_WORKLOADS])
{
	struct tw_platform *platform;
	struct tw_error err;
	if (tw_platform_open(&platform, "mirage", choice, &err) < 0)
		fail("platform", err.message);
	for (int w = 0; w < N_WORKLOADS; w++)
		if (tw_scene_generate(&scenes[w], platform, workloads[w], &err) < 0)
			fail(workloads[w], err.message);
	tw_platform_close(platform);
}

static void close_scenes(struct tw_scene *scenes[N_WORKLOADS])
{
	for (int w = 0; w < N_WORKLOADS; w++)
		tw_scene_close(scenes[w]);
}

static struct tw_run *run_of(struct tw_scene *const *scenes, const struct point *p, enum tw_place_of_run place)
{
	struct tw_run_options o;
	struct tw_error err;
	struct tw_run *run;
	char eviction[300];
	const char *options[6] = {eviction};
	for (int i = 0; i < 3; i++)
		options[i + 1] = styles[p->style][i];
	snprintf(eviction, sizeof eviction, "eviction=%s", p->fields[column("eviction")]);
	tw_run_options_init(&o);
	o.policy = p->fields[column("policy")];
	o.options = options;
	o.records = p->tasks || place == TW_RUN_IN_PROCESS;
	o.place = place;
	if (tw_scene_run(scenes[p->workload], &o, &run, &err) == TW_INVALID)
		fail(o.policy, err.message);
	return run;
}

/* --- the command's rows ------------------------------------------------------------------------------------------- */

/* Splits a line of CSV in place, and takes the quotes off. Returns the number of fields. */
static int split(char *line, char **fields)
{
	int n = 0;
	char *to = line;
	for (char *c = line; *c && n < MOST_COLUMNS; c++) {
		bool quoted = *c == '"';
		fields[n++] = to;
		for (c += quoted; *c && (quoted || (*c != ',' && *c != '\n')); c++) {
			if (quoted && *c == '"' && *++c != '"')
				break;
			*to++ = *c;
		}
		*to++ = '\0';
	}
	return n;
}

static void take_header(char *line)
{
	char *names[MOST_COLUMNS];
	int n = split(line, names);
	for (int i = 0; i < n; i++)
		if (!tw_column_name(i) || strcmp(tw_column_name(i), names[i]) != 0)
			fail(names[i], "not a column of the library, or at another place");
	if (tw_column_name(n))
		fail(tw_column_name(n), "not a column of the command");
}

/* Adds the rows of these runs. Returns how many the command has printed: 0 if it refuses a run. */
static int ask(const char *command, int workload, int style, const char *policy, const char *evictions)
{
	char *line = NULL;
	size_t room = 0;
	int before = n_points;
	char *text = tw_format("'%s' run --platform mirage --gpu-mem 60MiB --extrapolate --workload '%s' --policy '%s' "
	                       "--eviction '%s' %s --format csv 2>/dev/null",
	                       command, workloads[workload], policy, evictions, style_words[style]);
	FILE *f = popen(text, "r");
	if (f && getline(&line, &room, f) > 0)
		take_header(line);
	while (f && getline(&line, &room, f) > 0) {
		struct point *p = &points[n_points++];
		*p = (struct point){.workload = workload, .style = style, .row = tw_copy_text(line)};
		split(p->row, p->fields);
		if (strcmp(p->fields[column("status")], "ok") != 0 || n_points == MOST_POINTS)
			fail(policy, "the command's run failed");
	}
	if (!f || pclose(f) < 0)
		fail(text, "cannot run");
	free(line);
	free(text);
	return n_points - before;
}

static void ask_of(const char *command, const char *policy, const char *evictions)
{
	for (int w = 0; w < N_WORKLOADS; w++)
		for (int s = 0; s < N_STYLES; s++) {
			if (strncmp(policy, "replay", 6) == 0 && w > 0)
				continue; /* its schedule is that of the first workload */
			if (ask(command, w, s, policy, evictions) == 0)
				fail(policy, "the command refuses it");
		}
}

/* Copies every n-th of the names. */
static char *list(const char *names, int every)
{
	char *all = tw_copy_text(names), *copy = tw_copy_text(names), *rest = copy, *end = all;
	int i = 0;
	for (char *name; (name = strsep(&rest, ","));)
		if (i++ % every == 0)
			end += sprintf(end, "%s%s", end > all ? "," : "", name);
	free(copy);
	return all;
}

/* The schedule that the policy replay gets. */
static void record_trace(void)
{
	struct tw_scene *scenes[N_WORKLOADS];
	struct tw_run_options o;
	struct tw_run *run;
	struct tw_error err;
	if (mkstemps(trace, 4) < 0)
		fail(trace, "cannot be made");
	open_scenes(scenes);
	tw_run_options_init(&o);
	o.policy = "dmdas";
	o.trace = trace;
	if (tw_scene_run(scenes[0], &o, &run, &err) < 0)
		fail("dmdas", err.message);
	tw_run_close(run);
	close_scenes(scenes);
}

/* Each 16th run's schedule is compared. */
static void record_schedules(void)
{
	struct tw_scene *scenes[N_WORKLOADS];
	open_scenes(scenes);
	for (int i = 0; i < n_points; i += 16) {
		const struct tw_run_task *tasks;
		struct point *p = &points[i];
		struct tw_run *run = run_of(scenes, p, TW_RUN_IN_PROCESS);
		p->n_tasks = tw_run_tasks(run, &tasks);
		p->tasks = tw_alloc(p->n_tasks, sizeof *tasks);
		memcpy(p->tasks, tasks, p->n_tasks * sizeof *tasks);
		tw_run_close(run);
	}
	close_scenes(scenes);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

struct crew {
	struct tw_scene **shared; /* NULL: each thread opens its own scenes */
	atomic_int next, wrong;
};

static bool is_measured(const char *name)
{
	static const char *const measured[] = {"wall_s", "tasks_per_s", "peak_rss_bytes"};
	for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
		if (strcmp(measured[i], name) == 0)
			return true;
	return false;
}

static bool is_same(struct tw_run *run, const struct point *p)
{
	const struct tw_run_task *tasks;
	const char *name;
	for (int i = 0; (name = tw_column_name(i)); i++) {
		const char *value = tw_run_value(run, name);
		if (is_measured(name) || strcmp(value, p->fields[i]) == 0)
			continue;
		printf("%s: %s '%s', the command's '%s'\n", p->fields[column("policy")], name, value, p->fields[i]);
		return false;
	}
	if (!p->tasks)
		return true;
	size_t n = tw_run_tasks(run, &tasks);
	bool same = n == p->n_tasks && memcmp(tasks, p->tasks, n * sizeof *tasks) == 0;
	if (!same)
		printf("%s: another schedule\n", p->fields[column("policy")]);
	return same;
}

static void *work(void *arg)
{
	struct crew *crew = arg;
	struct tw_scene *own[N_WORKLOADS], **scenes = crew->shared;
	if (!scenes)
		open_scenes(scenes = own);
	for (int k; (k = atomic_fetch_add(&crew->next, 1)) < n_rounds * n_points;) {
		const struct point *p = &points[k % n_points];
		struct tw_run *run = run_of(scenes, p, TW_RUN_HERE);
		crew->wrong += !is_same(run, p);
		tw_run_close(run);
	}
	if (!crew->shared)
		close_scenes(own);
	return NULL;
}

static int run_threads(struct tw_scene **shared)
{
	struct crew crew = {.shared = shared};
	pthread_t threads[N_THREADS];
	for (int i = 0; i < N_THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, &crew) != 0)
			fail("thread", "cannot start");
	for (int i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
	return crew.wrong;
}

int main(int argc, char **argv)
{
	struct tw_scene *scenes[N_WORKLOADS];
	int every = getenv("EVERY") ? atoi(getenv("EVERY")) : 1, n_policies = 0;
	if (argc != 5 || every < 1)
		fail("usage", "test_api_threads COMMAND POLICIES EVICTIONS ROUNDS");
	n_rounds = atoi(argv[4]);
	record_trace();
	char *replay = tw_format("replay:file=%s", trace), *policies = argv[2];
	char *evictions = list(argv[3], every);
	for (char *name; (name = strsep(&policies, ",")); n_policies++)
		ask_of(argv[1], strcmp(name, "replay") == 0 ? replay : name, evictions);
	record_schedules();
	open_scenes(scenes); /* of these no run has taken place yet */
	int wrong = run_threads(scenes);
	close_scenes(scenes);
	wrong += run_threads(NULL);
	printf("%d policies, %d combinations, %d runs in %d threads on shared scenes, as many on scenes of each "
	       "thread: %d differ from the command\n",
	       n_policies, n_points, n_rounds * n_points, N_THREADS, wrong);
	unlink(trace);
	free(replay);
	free(evictions);
	for (int i = 0; i < n_points; i++) {
		free(points[i].row);
		free(points[i].tasks);
	}
	return wrong > 0 || n_points == 0;
}
