/* tilewright validate-model */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "validation/explain.h"

/* prototype */
static int run(int argc, char **argv)
{
	struct tw_error err;
	struct tw__request real = {.choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS}, .seed = 1, .platform = argv[1], .workload = argv[2], .policy = argv[3],
		.engine = argc > 4 ? argv[4] : "real", .check = "none", .emulate = argc > 5 && *argv[5] ? argv[5] : NULL}, sim;
	if (argc > 6) real.choice.gpu_mem_bytes = strtoull(argv[6], NULL, 10);
	sim = real; sim.engine = NULL; sim.runtime = "real"; sim.check = NULL; sim.emulate = NULL;
	struct tw__scene *scene;
	if (tw__scene_create(&scene, &sim, &err) < 0)
		return cli_error(TW_FAILED, &err);
	struct tw__explain_setup s = {.scene = scene, .real = &real, .simulated = &sim, .most_off_cpu = 0.02, .most_tries = 10};
	for (int r = 0; r < 3; r++) {
		struct tw__explained e;
		int tries; bool quiet;
		if (tw__explain(&e, &s, &tries, &quiet, &err) < 0)
			return cli_error(TW_FAILED, &err);
		printf("real %.6g (off %.4f, %d tries) error %+.2f%%:", e.real_s, e.off_cpu, tries, 100 * (e.simulated_s[0] / e.real_s - 1));
		for (int i = 0; i < TW__N_STEPS; i++)
			printf(" %s %.6g", tw__step_names[i], e.simulated_s[i]);
		printf(" rest %+.2f%% bytes %.4g %.4g turn %.3g us\n", 100 * (e.real_s - e.simulated_s[TW__N_STEPS - 1]) / e.real_s, (double)e.real_bytes, (double)e.simulated_bytes, e.turn_us_per_task);
	}
	double a, b;
	if (tw__simulate_interval(&s, 20, &a, &b, &err) < 0)
		return cli_error(TW_FAILED, &err);
	printf("interval %.6g %.6g\n", a, b);
	return 0;
}
const struct command command_validate_model = {.name = "validate-model", .summary = "compare simulated with real makespans", .usage = "", .run = run};
