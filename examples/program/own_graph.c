/* A graph of the program's own: the frames of a film are decoded, filtered and encoded. A GPU filters ten times as fast
 * as a core; the other two steps need a core. Prints who computes which step, and when, under two policies. */
#include <stdio.h>

#include <tilewright/run.h>

enum { N_FRAMES = 4 };

/* Appends a task that takes those seconds on a core and on a GPU; 0: it cannot run there. */
static void step(struct tw_graph *g, const char *name, struct tw_access a, struct tw_access b, double core, double gpu)
{
	tw_graph_submit(g, tw_graph_kernel(g, name, "1", "b", 0), 0, (struct tw_access[]){a, b}, 2);
	tw_graph_set_seconds_on(g, "processors", core);
	if (gpu > 0)
		tw_graph_set_seconds_on(g, "accelerators", gpu);
}

/* The accesses alone make the dependencies: encoders of consecutive frames both write the film. */
static struct tw_graph *film_graph(void)
{
	struct tw_graph *g = tw_graph_create();
	tw_data film = tw_graph_data(g, 1000000);
	for (int frame = 0; frame < N_FRAMES; frame++) {
		tw_data packet = tw_graph_data(g, 200000), image = tw_graph_data(g, 25000000);
		step(g, "decode", (struct tw_access){packet, TW_R}, (struct tw_access){image, TW_W}, 0.010, 0);
		tw_data better = tw_graph_data(g, 25000000);
		step(g, "filter", (struct tw_access){image, TW_R}, (struct tw_access){better, TW_W}, 0.060, 0.006);
		step(g, "encode", (struct tw_access){better, TW_R}, (struct tw_access){film, TW_RW}, 0.005, 0);
	}
	return g; /* errors of the calls above are kept until the scene is made */
}

static void print_schedule(struct tw_run *run, struct tw_platform *platform, const struct tw_graph *g)
{
	const struct tw_worker_about *workers;
	const struct tw_run_task *tasks;
	size_t n = tw_run_tasks(run, &tasks);
	tw_platform_workers(platform, &workers);
	printf("%s: %.1f ms\n", tw_run_value(run, "policy"), 1e3 * tw_run_number(run, "makespan_s"));
	for (size_t i = 0; i < n; i++)
		printf("%7.1f to %5.1f ms  %-5s  %s %d\n", (double)tasks[i].start_ns * 1e-6,
		       (double)tasks[i].end_ns * 1e-6, workers[tasks[i].worker].name,
		       tw_graph_kernel_name(g, tasks[i].kernel), tasks[i].task / 3 + 1);
}

int main(void)
{
	static const char *const policies[] = {"eager", "dmda"};
	struct tw_platform *platform = NULL;
	struct tw_scene *scene = NULL;
	struct tw_graph *g = film_graph();
	struct tw_run_options options;
	struct tw_run *run;
	struct tw_error err;

	int status = tw_platform_open(&platform, "sirocco", (const char *const[]){"cpus=2", "gpus=1", NULL}, &err);
	if (status == TW_OK)
		status = tw_scene_create(&scene, platform, g, "film", &err);
	tw_run_options_init(&options);
	options.records = true;
	for (int p = 0; status == TW_OK && p < 2; p++) {
		options.policy = policies[p];
		status = tw_scene_run(scene, &options, &run, &err);
		if (status == TW_OK)
			print_schedule(run, platform, g);
		tw_run_close(run);
	}
	if (status != TW_OK)
		fprintf(stderr, "%s\n", err.message);
	tw_scene_close(scene);
	tw_platform_close(platform);
	tw_graph_destroy(g);
	return status != TW_OK;
}
