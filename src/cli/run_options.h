/* The options that `run` and `sweep` share. */
#ifndef TW__RUN_OPTIONS_H
#define TW__RUN_OPTIONS_H

#include <getopt.h>

#include "experiment/experiment.h"

struct run_options {
	struct tw__request common;
	char *bounds[16]; /* NODE of each --mem */
};

/* Entries for getopt_long's array of options. */
#define RUN_OPTIONS                                                                                        \
	{"cpu-groups", required_argument, NULL, 'G'}, {"mem", required_argument, NULL, 'M'},               \
		{"communication", required_argument, NULL, 'C'}, {"engine", required_argument, NULL, 'E'}, \
		{"runtime", required_argument, NULL, 'R'}, {"seed", required_argument, NULL, 'S'},         \
		{"noise", required_argument, NULL, 'n'}, {"belief-error", required_argument, NULL, 'b'},   \
		{"emulate", required_argument, NULL, 'U'}, {"check", required_argument, NULL, 'K'},        \
		{"extrapolate", no_argument, NULL, 'x'},                                                   \
	{                                                                                                  \
		"validate", no_argument, NULL, 'v'                                                         \
	}

#define RUN_OPTIONS_USAGE                                                                                           \
	"  --cpu-groups N[+N]...  CPU workers are groups of N cores, as in 10+5+5; --cpus takes the first groups\n" \
	"  --mem NODE=SIZE        limit one memory node; can be repeated\n"                                         \
	"  --communication on|off off: transfers take no time and data takes no memory (default on)\n"              \
	"  --engine SPEC          simgrid or native: simulate; real: run kernels on this machine (default\n"        \
	"                         simgrid; for sweeps native)\n"                                                    \
	"  --emulate KEYS         engine real or platform machine: accelerators emulated by threads, as in\n"       \
	"                         gpus=2:mem=64MiB:bandwidth=2GB/s\n"                                               \
	"  --check WHAT           engine real: full compares results with a serial run, residual computes their\n"  \
	"                         residual, none checks nothing (default full; above 1e11 flops residual)\n"        \
	"  --runtime SPEC         costs and limits of the runtime system (default starpu; for engine real: real)\n" \
	"  --seed N               seed of all random numbers (default 1)\n"                                         \
	"  --noise SPEC           variation of kernel times: 0.02 of the mean, lognormal:0.05, measured,\n"         \
	"                         empirical (default 0)\n"                                                          \
	"  --belief-error ETA     error of the times that policies see: each, in us, to a power from 1-ETA to\n"    \
	"                         1+ETA (default 0)\n"                                                              \
	"  --extrapolate          estimate times that were not measured: from other sizes, else from flops and\n"   \
	"                         gemm's rate\n"                                                                    \
	"  --validate             check the schedule; a run with a wrong schedule fails\n"

void run_options_init(struct run_options *);
void run_options_finish(struct run_options *);
/* Checks the value of one of RUN_OPTIONS as far as it does not depend on the run. After an error the message names the
 * option. */
int run_options_check(int option, const char *text, struct tw_error *err);
/* Stores one of RUN_OPTIONS. `text` must outlive the options. */
int run_options_take(struct run_options *, int option, const char *text, struct tw_error *err);

/* Whether the engine computes. Then the default platform is this machine. */
bool run_options_compute(const struct run_options *);

#endif
