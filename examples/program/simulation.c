/* A simulation: how much GPU memory does each policy need? Prints the rate of a Cholesky factorisation with smaller and
 * smaller memory, in one column for each policy. */
#include <stdio.h>

#include <tilewright/run.h>

static const char *const policies[] = {"eager", "lws", "dmdas"};

/* Returns the scene of a node whose GPUs have so much memory; NULL: an error. All policies share it. */
static struct tw_scene *scene_with(int mib, struct tw_error *err)
{
	struct tw_platform *platform;
	struct tw_scene *scene;
	char limit[32];
	snprintf(limit, sizeof limit, "gpu-mem=%dMiB", mib);
	if (tw_platform_open(&platform, "mirage", (const char *const[]){limit, NULL}, err) != TW_OK)
		return NULL;
	tw_scene_generate(&scene, platform, "cholesky:nt=12", err);
	tw_platform_close(platform); /* the scene keeps it */
	return scene;
}

static int print_rate(struct tw_scene *scene, const char *policy, struct tw_error *err)
{
	struct tw_run_options options;
	struct tw_run *run;
	tw_run_options_init(&options);
	options.policy = policy;
	options.options = (const char *const[]){"validate", NULL};
	int status = tw_scene_run(scene, &options, &run, err);
	if (status == TW_OK)
		printf(" %6.1f", tw_run_number(run, "gflops"));
	tw_run_close(run);
	return status;
}

int main(void)
{
	struct tw_error err;
	printf("MiB     eager    lws  dmdas  GFlop/s\n");
	for (int mib = 800; mib >= 100; mib /= 2) {
		struct tw_scene *scene = scene_with(mib, &err);
		int status = scene ? TW_OK : TW_FAILED;
		printf("%-6d", mib);
		for (int p = 0; status == TW_OK && p < 3; p++)
			status = print_rate(scene, policies[p], &err);
		printf("\n");
		tw_scene_close(scene);
		if (status != TW_OK) {
			fprintf(stderr, "%s\n", err.message);
			return 1;
		}
	}
	return 0;
}
