/* The options that `run` and `sweep` share: what is the same for all runs of a list. */
#ifndef TW__RUN_OPTIONS_H
#define TW__RUN_OPTIONS_H

#include <getopt.h>

#include "experiment/experiment.h"

struct run_options {
	struct tw__request common;
	char *bounds[16]; /* NODE of each --mem */
};

/* Entries for a list of getopt_long's. */
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

#define RUN_OPTIONS_USAGE                                                                                                     \
	"  --cpu-groups N[+N]...  make CPU workers groups of so many cores, as in 10+5+5; --cpus takes the first of them\n"   \
	"  --mem NODE=SIZE        bound one memory; can be given several times\n"                                             \
	"  --communication on|off off: transfers take no time, and data no room (default on)\n"                               \
	"  --engine SPEC          what makes time pass: simgrid or native, simulations, or real: kernels run here\n"          \
	"                         (default simgrid; of sweeps native)\n"                                                      \
	"  --emulate KEYS         engine real or platform machine: accelerators made of threads, as in\n"                     \
	"                         gpus=2:mem=64MiB:bandwidth=2GB/s\n"                                                         \
	"  --check WHAT           engine real: compare results with a serial run (full), compute their residual alone, or\n"  \
	"                         none (default full, above 1e11 flops residual)\n"                                           \
	"  --runtime SPEC         costs and limits of the runtime system (default starpu; of engine real: real)\n"            \
	"  --seed N               of everything random (default 1)\n"                                                         \
	"  --noise SPEC           how much kernels' times vary: 0.02 of the mean, lognormal:0.05, measured,\n"                \
	"                         empirical (default 0)\n"                                                                    \
	"  --belief-error ETA     how wrong the times are that policies see: us to a power from 1-ETA to 1+ETA (default 0)\n" \
	"  --extrapolate          times that were not measured: from those of other sizes, else from flops and gemm's rate\n" \
	"  --validate             check the schedule; a run whose schedule is wrong has failed\n"

void run_options_init(struct run_options *);
void run_options_finish(struct run_options *);
/* Words of RUN_OPTIONS that are wrong whatever the run is; TW_OK, or a message that names the option. */
int run_options_check(int option, const char *text, struct tw_error *err);
/* One of RUN_OPTIONS; `text` outlives the options. */
int run_options_take(struct run_options *, int option, const char *text, struct tw_error *err);

/* Whether the engine computes: then the platform is this machine, unless another is named. */
bool run_options_compute(const struct run_options *);

#endif
