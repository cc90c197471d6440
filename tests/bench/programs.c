/* The cost of runs from a program: on a kept scene and in this process, and with tw_simulate. All are measured in one
 * process; the table has medians of 9, and ratios to a tw_simulate that takes place in a process of its own.
 *
 *     bench_programs [--require]
 *
 * With --require the exit status is 1 if a run here takes more than half of the time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <tilewright/run.h>
#include <tilewright/simulate.h>

enum { N_TIMES = 9 };

static const char *workload, *policy;
static struct tw_scene *kept;

static void check(int status, const struct tw_error *err)
{
	if (status == TW_OK)
		return;
	printf("%s, %s: %s\n", workload, policy, err->message);
	exit(1);
}

static struct tw_scene *open_scene(void)
{
	struct tw_error err;
	struct tw_platform *platform;
	struct tw_scene *scene;
	check(tw_platform_open(&platform, "mirage", NULL, &err), &err);
	check(tw_scene_generate(&scene, platform, workload, &err), &err);
	tw_platform_close(platform);
	return scene;
}

static void run(struct tw_scene *scene, enum tw_place_of_run place)
{
	struct tw_error err;
	struct tw_run_options o;
	struct tw_run *run;
	tw_run_options_init(&o);
	o.policy = policy;
	o.place = place;
	check(tw_scene_run(scene, &o, &run, &err), &err);
	tw_run_close(run);
}

static void kept_here(void) { run(kept, TW_RUN_HERE); }

static void kept_in_process(void) { run(kept, TW_RUN_IN_PROCESS); }

static void simulate(void)
{
	struct tw_error err;
	struct tw_simulation s;
	struct tw_outcome outcome;
	tw_simulation_init(&s);
	s.platform = "mirage";
	s.workload = workload;
	s.policy = policy;
	check(tw_simulate(&s, &outcome, &err), &err);
}

/* As tw_simulate does with a plug-in from a shared object. */
static void simulate_in_process(void)
{
	struct tw_scene *scene = open_scene();
	run(scene, TW_RUN_IN_PROCESS);
	tw_scene_close(scene);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{"tw_simulate, in a process", simulate_in_process},
	{"tw_simulate", simulate},
	{"kept scene, in a process", kept_in_process},
	{"kept scene, here", kept_here},
};

enum { N_WAYS = sizeof ways / sizeof *ways };

static double wall_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double cpu_of(int who)
{
	struct rusage u;
	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* Time on cores, of this process and of its children that have ended. Other programs on the machine change it less. */
static double cpu_s(void) { return cpu_of(RUSAGE_SELF) + cpu_of(RUSAGE_CHILDREN); }

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *times_s)
{
	qsort(times_s, N_TIMES, sizeof *times_s, ascending);
	return times_s[N_TIMES / 2];
}

/* Returns the ratio of a run on the kept scene here to tw_simulate in a process. */
static double measure(void)
{
	double walls_s[N_WAYS][N_TIMES], cpus_s[N_WAYS][N_TIMES], wall[N_WAYS], cpu[N_WAYS];
	kept = open_scene();
	/* The ways take turns, as the machine's speed changes. */
	for (int i = 0; i < N_TIMES; i++)
		for (int w = 0; w < N_WAYS; w++) {
			ways[w].run(); /* not counted: a fork before makes the next writes to memory slow */
			double wall_start_s = wall_s(), cpu_start_s = cpu_s();
			ways[w].run();
			walls_s[w][i] = wall_s() - wall_start_s;
			cpus_s[w][i] = cpu_s() - cpu_start_s;
		}
	tw_scene_close(kept);
	for (int w = 0; w < N_WAYS; w++) {
		wall[w] = median(walls_s[w]);
		cpu[w] = median(cpus_s[w]);
		printf("%-16s %-6s %-26s %8.2f ms %6.2f %8.2f ms %6.2f\n", workload, policy, ways[w].name,
		       1e3 * wall[w], wall[w] / wall[0], 1e3 * cpu[w], cpu[w] / cpu[0]);
	}
	return wall[N_WAYS - 1] / wall[0];
}

int main(int argc, char **argv)
{
	static const char *const workloads[] = {"cholesky:nt=10", "cholesky:nt=20", "cholesky:nt=40"};
	static const char *const policies[] = {"eager", "dmdas"};
	double ratio = 0;
	printf("%-16s %-6s %-26s %11s %6s %11s %6s\n", "workload", "policy", "way", "wall", "ratio", "CPU", "ratio");
	for (int w = 0; w < 3; w++)
		for (int p = 0; p < 2; p++) {
			workload = workloads[w];
			policy = policies[p];
			double one = measure();
			ratio = w == 1 && one > ratio ? one : ratio;
		}
	if (argc < 2 || strcmp(argv[1], "--require") != 0 || ratio <= 0.5)
		return 0;
	printf("a run of %s here takes %.2f of a tw_simulate in a process: expected 0.5 at most\n", workloads[1],
	       ratio);
	return 1;
}
