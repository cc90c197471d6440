/* Analyses and figures of programs, beside those that the command prints for the same inputs.
 *
 *     test_analysis COMMAND */
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>
#include <jansson.h>

#include <tilewright/analysis.h>

static struct tw_error err;
static const char *command;
static char folder[] = "/tmp/tilewright-test-XXXXXX";

static void ok(int status) { ck_assert_msg(status == TW_OK, "%s", err.message); }

static void fails(int status, int expected, const char *message)
{
	ck_assert_int_eq(status, expected);
	ck_assert_msg(strstr(err.message, message), "'%s': expected '%s'", err.message, message);
	ck_assert_ptr_null(strchr(err.message, '\n'));
}

/* Runs the command in the folder. Returns what it prints; *exit_status may be NULL: 0 is expected. */
static TW_PRINTF(2, 3) char *printed(int *exit_status, const char *format, ...)
{
	char line[1024], *text = calloc(1, 1 << 20);
	int used = snprintf(line, sizeof line, "cd %s && %s ", folder, command);
	va_list values;
	va_start(values, format);
	vsnprintf(line + used, sizeof line - (size_t)used, format, values);
	va_end(values);
	FILE *f = popen(line, "r");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, f), (1 << 20) - 1);
	int status = pclose(f);
	if (exit_status)
		*exit_status = WEXITSTATUS(status);
	else
		ck_assert_msg(status == 0, "%s", line);
	return text;
}

/* Parses JSON, and frees its text. Of an array of one object: the object. Traces have no place in the library's. */
static json_t *parsed(char *text)
{
	json_t *value = json_loads(text, 0, NULL), *first = json_incref(json_array_get(value, 0));
	ck_assert_msg(value != NULL, "%s", text);
	free(text);
	json_t *object = first ? first : json_incref(value);
	json_decref(value);
	json_object_del(object, "trace");
	json_object_del(json_object_get(object, "a"), "trace");
	json_object_del(json_object_get(object, "b"), "trace");
	return object;
}

/* Frees both texts. */
static void equal_json(char *ours, char *theirs)
{
	json_t *a = parsed(ours), *b = parsed(theirs);
	ck_assert_uint_gt(json_object_size(a), 5);
	if (!json_equal(a, b))
		ck_abort_msg("%s\n%s", json_dumps(a, JSON_SORT_KEYS), json_dumps(b, JSON_SORT_KEYS));
	json_decref(a);
	json_decref(b);
}

static struct tw_platform *platform_of(const char *const *options)
{
	struct tw_platform *platform;
	ok(tw_platform_open(&platform, "mirage", options, &err));
	return platform;
}

static struct tw_scene *scene_of(const char *workload)
{
	static const char *const options[] = {"gpu-mem=64MiB", "extrapolate", NULL};
	struct tw_platform *platform = platform_of(options);
	struct tw_scene *scene;
	ok(tw_scene_generate(&scene, platform, workload, &err));
	tw_platform_close(platform);
	return scene;
}

static struct tw_run *run_of(struct tw_scene *scene, const char *policy, const struct tw_policy *own, bool in_process)
{
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.policy = policy;
	o.own_policy = own;
	o.records = true;
	o.place = in_process ? TW_RUN_IN_PROCESS : TW_RUN_HERE;
	ok(tw_scene_run(scene, &o, &run, &err));
	return run;
}

/* --- beside the command ------------------------------------------------------------------------------------------- */

/* The integer program solves small ones at once, and is not for the others. */
static const char *const workloads[] = {"cholesky:nt=7", "reduction:n=40", "lu:nt=3", "matmul2d:nt=2"};
enum { N_WORKLOADS = sizeof workloads / sizeof *workloads };
static const char inputs[] = "--platform mirage --gpu-mem 64MiB --extrapolate --workload";

START_TEST(test_before_runs)
{
	static const char *const three[] = {"rounds=3", "milp-time=0", NULL}, *const exact[] = {"exact", NULL};
	struct tw_scene *scene = scene_of(workloads[_i]);
	struct tw_graph *graph;
	char *json;
	ok(tw_scene_bounds(scene, NULL, &json, &err));
	equal_json(json, printed(NULL, "bounds %s %s --format json", inputs, workloads[_i]));
	ok(tw_scene_bounds(scene, three, &json, &err));
	equal_json(json, printed(NULL, "bounds %s %s --rounds 3 --milp-time 0 --format json", inputs, workloads[_i]));
	ok(tw_scene_describe(scene, NULL, &json, &err));
	equal_json(json, printed(NULL, "describe --platform mirage --extrapolate %s --format json", workloads[_i]));
	ok(tw_graph_generate(&graph, workloads[_i], &err));
	ok(tw_graph_describe(graph, workloads[_i], exact, &json, &err));
	equal_json(json, printed(NULL, "describe %s --exact --format json", workloads[_i]));
	tw_graph_destroy(graph);
	tw_scene_close(scene);
}
END_TEST

/* Compares texts without their heads, which name the traces. Frees both. */
static void equal_tails(char *ours, char *theirs, const char *begin)
{
	ck_assert(strstr(ours, begin) && strstr(theirs, begin));
	ck_assert_str_eq(strstr(ours, begin), strstr(theirs, begin));
	free(ours);
	free(theirs);
}

static void read_file(char text[1 << 20], const char *path)
{
	FILE *f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
	fclose(f);
}

/* Both charts are the same, but for the title, which has the name of the trace or of the platform. */
static void equal_charts(const char *ours, const char *theirs)
{
	static char a[1 << 20], b[1 << 20];
	char *title;
	read_file(a, ours);
	read_file(b, theirs);
	ck_assert_ptr_nonnull(title = strstr(b, "'a.record'"));
	memmove(title + strlen("'mirage'"), title + strlen("'a.record'"), strlen(title + strlen("'a.record'")) + 1);
	memcpy(title, "'mirage'", strlen("'mirage'"));
	ck_assert_str_eq(a, b);
}

/* For each workload, twice: in this process and in one of the run's own. */
START_TEST(test_after_runs)
{
	static const char *const with_why[] = {"explain", "fold=none", "workers=GPU0,CPU", NULL};
	struct tw_scene *scene = scene_of(workloads[_i / 2]);
	struct tw_run *a = run_of(scene, "dmda", NULL, _i % 2), *b = run_of(scene, "lws", NULL, _i % 2);
	char *text;
	ok(chdir(folder));
	tw_scene_close(scene); /* runs keep it */
	ok(tw_run_validate(a, &err));
	ok(tw_run_write_trace(a, "a.record", &err));
	ok(tw_run_write_trace(b, "b.json", &err));
	free(printed(NULL, "validate a.record b.json"));
	ok(tw_run_explain(a, "json", &text, &err));
	equal_json(text, printed(NULL, "explain a.record --format json"));
	ok(tw_run_explain(b, "text", &text, &err));
	equal_tails(text, printed(NULL, "explain b.json"), "Causes of the makespan");
	ok(tw_run_diff(a, b, "json", &text, &err));
	equal_json(text, printed(NULL, "diff a.record b.json --format json"));
	ok(tw_run_diff(a, b, "text", &text, &err));
	equal_tails(text, printed(NULL, "diff a.record b.json"), "\n\n");
	ok(tw_run_diff(a, a, "text", &text, &err));
	ck_assert(strstr(text, "All arguments are equal."));
	free(text);
	ok(tw_run_plot_gantt(a, "ours.gp", NULL, &err));
	ok(tw_plot("gantt", "a.record", "drawn.gp", NULL, &err));
	free(printed(NULL, "plot gantt a.record -o theirs.gp"));
	equal_charts("ours.gp", "theirs.gp");
	equal_charts("ours.gp", "drawn.gp");
	ok(tw_run_plot_gantt(a, "ours.gp", with_why, &err));
	free(printed(NULL, "plot gantt a.record -o theirs.gp --explain --fold none --workers GPU0,CPU"));
	equal_charts("ours.gp", "theirs.gp");
	ok(tw_run_validate(a, &err)); /* nothing has changed the record */
	tw_run_close(a);
	tw_run_close(b);
}
END_TEST

START_TEST(test_figure_of_results)
{
	static const char *const options[] = {"x=nt", "legend=below", "title=Results", "where=policy=eager", NULL};
	static char a[1 << 20], b[1 << 20];
	ok(chdir(folder));
	free(printed(
		NULL,
		"sweep --platform mirage --workload cholesky:nt=4,cholesky:nt=6 --policy eager,lws --output rows.csv"));
	ok(tw_plot("gflops", "rows.csv", "ours.gp", options, &err));
	free(printed(NULL,
	             "plot gflops rows.csv -o theirs.gp --x nt --legend below --title Results --where policy=eager"));
	read_file(a, "ours.gp");
	read_file(b, "theirs.gp");
	ck_assert_str_eq(a, b);
	ck_assert(strstr(a, "Results"));
}
END_TEST

/* --- threads ------------------------------------------------------------------------------------------------------ */

enum { N_THREADS = 4, N_TEXTS = 5 };

/* All analyses, on a scene that threads share and on runs of this thread's own. */
struct analyses {
	pthread_t thread;
	struct tw_scene *scene;
	int number;
	char *texts[N_TEXTS], script[1 << 20];
};

static void *analyse(void *of)
{
	struct analyses *all = of;
	struct tw_error ignored;
	struct tw_run_options o;
	struct tw_run *runs[2];
	char path[64];
	tw_run_options_init(&o);
	o.records = true;
	for (int i = 0; i < 2; i++) {
		o.policy = i ? "lws" : "dmdas";
		if (tw_scene_run(all->scene, &o, &runs[i], &ignored) < 0)
			return NULL;
	}
	snprintf(path, sizeof path, "%s/thread%d.gp", folder, all->number);
	tw_scene_bounds(all->scene, NULL, &all->texts[0], &ignored);
	tw_scene_describe(all->scene, NULL, &all->texts[1], &ignored);
	tw_run_explain(runs[0], "text", &all->texts[2], &ignored);
	tw_run_explain(runs[1], "json", &all->texts[3], &ignored);
	tw_run_diff(runs[0], runs[1], "json", &all->texts[4], &ignored);
	if (tw_run_validate(runs[0], &ignored) == TW_OK && tw_run_plot_gantt(runs[1], path, NULL, &ignored) == TW_OK)
		read_file(all->script, path);
	for (int i = 0; i < 2; i++)
		tw_run_close(runs[i]);
	return NULL;
}

START_TEST(test_threads)
{
	static struct analyses all[N_THREADS];
	struct tw_scene *scene = scene_of("lu:nt=3");
	for (int t = 0; t < N_THREADS; t++) {
		all[t].scene = scene;
		all[t].number = t;
		ck_assert_int_eq(pthread_create(&all[t].thread, NULL, analyse, &all[t]), 0);
	}
	for (int t = 0; t < N_THREADS; t++)
		pthread_join(all[t].thread, NULL);
	for (int t = 0; t < N_THREADS; t++) {
		for (int i = 0; i < N_TEXTS; i++) {
			ck_assert_ptr_nonnull(all[t].texts[i]);
			ck_assert_str_eq(all[t].texts[i], all[0].texts[i]);
		}
		ck_assert_str_eq(all[t].script, all[0].script);
	}
	ck_assert_uint_gt(strlen(all[0].script), 1000);
	for (int t = 0; t < N_THREADS; t++)
		for (int i = 0; i < N_TEXTS; i++)
			free(all[t].texts[i]);
	tw_scene_close(scene);
}
END_TEST

/* --- the program's own graph and policy --------------------------------------------------------------------------- */

static tw_task next;

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker released_by)
{
	(void)state, (void)released_by;
	next = t;
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	tw_task t = next;
	(void)s, (void)state, (void)w;
	next = TW_NONE;
	return t;
}

static const struct tw_policy last = {.abi = TW_POLICY_ABI, .name = "last", .push = push, .pop = pop};

/* A chain of tasks, under a name with bytes of its own. */
static struct tw_scene *own_scene(int n, const char *name)
{
	struct tw_platform *platform = platform_of(NULL);
	struct tw_graph *g = tw_graph_create();
	struct tw_scene *scene;
	tw_data d = tw_graph_data(g, 1000);
	tw_kernel k = tw_graph_recorded_kernel(g, "step", "1", "d", 1e6, "processors+accelerators");
	for (int i = 0; i < n; i++)
		tw_graph_set_seconds(g, tw_graph_submit(g, k, 0, &(struct tw_access){d, TW_RW}, 1), 0.5);
	ok(tw_scene_create(&scene, platform, g, name, &err));
	tw_graph_destroy(g);
	tw_platform_close(platform);
	return scene;
}

START_TEST(test_own)
{
	static const char *const names[] = {"cholesky:nt=6", "my graph, 9 % \"own\"", "file:/nowhere", "\xe9\xff\n",
	                                    ""};
	struct tw_scene *scene = own_scene(5, names[_i]), *longer = own_scene(6, names[_i]);
	char *text;
	int exit_status;
	ok(chdir(folder));
	ok(tw_scene_bounds(scene, NULL, &text, &err));
	json_t *bounds = parsed(text);
	ck_assert(json_is_null(json_object_get(bounds, "leading_one_gpu_bytes"))); /* whatever its name, no Cholesky */
	ck_assert_double_eq_tol(json_real_value(json_object_get(bounds, "critical_path_s")), 2.5, 1e-9);
	json_decref(bounds);
	ok(tw_scene_describe(scene, NULL, &text, &err));
	json_t *description = parsed(text);
	ck_assert_int_eq(json_integer_value(json_object_get(description, "depth")), 5);
	json_decref(description);
	next = TW_NONE;
	struct tw_run *a = run_of(scene, NULL, &last, false), *b = run_of(scene, "dmda", NULL, false),
		      *c = run_of(longer, "dmda", NULL, false);
	ok(tw_run_explain(a, "json", &text, &err));
	json_decref(parsed(text));
	ok(tw_run_explain(a, "text", &text, &err));
	ck_assert(strstr(text, ", policy last, platform mirage: makespan 2.5"));
	free(text);
	ok(tw_run_diff(a, b, "json", &text, &err));
	json_decref(parsed(text));
	fails(tw_run_diff(a, c, "text", &text, &err), TW_INVALID, "tasks");
	ck_assert_ptr_null(text);
	ok(tw_run_validate(a, &err));
	ok(tw_run_plot_gantt(a, "own.gp", (const char *const[]){"explain", NULL}, &err));
	ok(tw_run_write_trace(a, "own.json", &err));
	free(printed(&exit_status, "plot gantt own.json -o own.gp"));
	ck_assert_int_eq(exit_status, 0);
	free(printed(&exit_status, "validate own.json 2> refused")); /* the command has no such graph */
	ck_assert_int_eq(exit_status, 2);
	tw_run_close(a);
	tw_run_close(b);
	tw_run_close(c);
	tw_scene_close(scene);
	tw_scene_close(longer);
}
END_TEST

int main(int argc, char **argv)
{
	if (argc != 2 || !mkdtemp(folder))
		return EXIT_FAILURE;
	command = realpath(argv[1], NULL); /* tests change the folder */
	Suite *suite = suite_create("analyses of programs");
	TCase *c = tcase_create("");
	tcase_set_timeout(c, 60);
	tcase_add_loop_test(c, test_before_runs, 0, N_WORKLOADS);
	tcase_add_loop_test(c, test_after_runs, 0, 2 * N_WORKLOADS);
	tcase_add_test(c, test_figure_of_results);
	tcase_add_test(c, test_threads);
	tcase_add_loop_test(c, test_own, 0, 5);
	suite_add_tcase(suite, c);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	char remove[64];
	snprintf(remove, sizeof remove, "rm -rf %s", folder);
	return failed || system(remove) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
