/* Failing allocations: each allocation in turn fails during an analysis of a run or a scene. The text is the whole one,
 * or the analysis returns an error that says so; nothing may crash, and the next analysis works. */
#include <stdio.h>
#include <string.h>

#include <tilewright/analysis.h>

#include "../base/failing_memory.h"

static struct tw_scene *scene;
static struct tw_run *runs[2];
static int n_warnings;

/* A bound or a measure that memory does not suffice for is left out or weaker, with a warning. */
static void count_warnings(enum tw_log_level level, const char *text, void *context)
{
	(void)text, (void)context;
	n_warnings += level == TW_LOG_WARNING;
}

static int bounds(char **text, struct tw_error *err)
{
	static const char *const options[] = {"rounds=2", "milp-time=0", NULL};
	return tw_scene_bounds(scene, options, text, err);
}

static int describe(char **text, struct tw_error *err) { return tw_scene_describe(scene, NULL, text, err); }
static int explain(char **text, struct tw_error *err) { return tw_run_explain(runs[0], "text", text, err); }
static int explain_json(char **text, struct tw_error *err) { return tw_run_explain(runs[0], "json", text, err); }
static int diff(char **text, struct tw_error *err) { return tw_run_diff(runs[0], runs[1], "text", text, err); }
static int diff_json(char **text, struct tw_error *err) { return tw_run_diff(runs[0], runs[1], "json", text, err); }

static const struct {
	const char *name;
	int (*make)(char **text, struct tw_error *err);
} analyses[] = {
	{"bounds", bounds},   {"describe", describe},
	{"explain", explain}, {"explain --format json", explain_json},
	{"diff", diff},       {"diff --format json", diff_json},
};

static int complain(const char *name, long n, const char *message)
{
	printf("%s, allocation %ld: %s\n", name, n, message);
	return 1;
}

/* Returns the number of allocations that made an analysis fail, or -1: something went wrong. */
static long fail_each(int a)
{
	char *whole, *text;
	struct tw_error err;
	long failed = 0;
	if (analyses[a].make(&whole, &err) != TW_OK)
		return -complain(analyses[a].name, -1, err.message);
	for (long n = 0, reached = 1; reached; n++) {
		n_warnings = 0;
		until_failure = n;
		int status = analyses[a].make(&text, &err);
		reached = until_failure < 0;
		until_failure = -1;
		if (status == TW_OK ? !n_warnings && strcmp(text, whole) != 0 : !strstr(err.message, "memory") || text)
			return -complain(analyses[a].name, n, status == TW_OK ? text : err.message);
		failed += status != TW_OK;
		free(text);
	}
	free(whole);
	return failed;
}

static int run(int i, const char *policy, struct tw_error *err)
{
	struct tw_run_options o;
	tw_run_options_init(&o);
	o.policy = policy;
	o.records = true;
	return tw_scene_run(scene, &o, &runs[i], err);
}

int main(void)
{
	static const char *const options[] = {"gpu-mem=60MiB", "cpus=2", NULL};
	struct tw_platform *platform;
	struct tw_error err;
	int bad = 0;
	tw_set_log(count_warnings, NULL);
	if (tw_platform_open(&platform, "mirage", options, &err) != TW_OK ||
	    tw_scene_generate(&scene, platform, "cholesky:nt=4", &err) != TW_OK || run(0, "dmdas", &err) != TW_OK ||
	    run(1, "lws", &err) != TW_OK)
		return complain("a run", 0, err.message);
	for (int a = 0; a < (int)(sizeof analyses / sizeof *analyses) && !bad; a++) {
		long failed = fail_each(a);
		printf("%s: %ld allocations failed\n", analyses[a].name, failed);
		bad = failed < 10;
	}
	tw_run_close(runs[0]);
	tw_run_close(runs[1]);
	tw_scene_close(scene);
	tw_platform_close(platform);
	return bad;
}
