/* Reads damaged plans of sweeps. A plan must give a sweep, whose points all exist, or a one-line error with "expected".
 * The functions here replace the command's functions for errors. */
#include <stdarg.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/sweep_options.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
extern int fuzz_accepted;
int fuzz_accepted;

int cli_fail(int exit_status, const char *format, ...)
{
	(void)format;
	return exit_status;
}

int cli_error(int status, const struct tw_error *err)
{
	if ((status != TW_INVALID && status != TW_NOMEM) || !*err->message)
		abort();
	return EXIT_BAD_INPUT;
}

const struct command command_sweep = {.name = "sweep", .usage = "", .options = sweep_table, .inputs = TW__FOR_SWEEP};

static void check(const struct sweep_options *o)
{
	const struct tw__sweep *sweep = &o->sweep;
	int64_t n = tw__inputs_points(&o->inputs);
	if (n < 1 || n > TW__MOST_POINTS || !sweep->output || sweep->jobs < 1 || sweep->shard < 1 ||
	    sweep->shard > sweep->n_shards)
		abort();
	for (int64_t i = 0; i < n; i += 1 + n / 100) {
		struct tw__request request;
		tw__inputs_point(&o->inputs, i, &request);
		if (!*request.platform || !*request.workload || !*request.policy || request.repeat < 0 ||
		    !(request.belief_error >= 0 && request.belief_error <= 1))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[64], name[] = "sweep", *argv[] = {name, path, NULL};
	struct sweep_options options;
	int fd = memory_file(path, bytes, n);
	if (sweep_options_init(&options, 2, argv) < 0) {
		check(&options);
		fuzz_accepted++;
	}
	sweep_options_finish(&options);
	close(fd);
	return 0;
}
