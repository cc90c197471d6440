/* The options that `run` and `sweep` share. */
#ifndef TW__RUN_OPTIONS_H
#define TW__RUN_OPTIONS_H

#include <getopt.h>

#include "experiment/experiment.h"

enum { MAX_JOBS = 4096 }; /* of --jobs */

struct run_options {
	struct tw__request common;
	char *bounds[16];            /* names of the memories in --mem, malloc'ed */
	const char *default_seconds; /* NULL: not given */
	char *speedup;               /* all values of --speedup, malloc'ed; NULL: none */
};

/* The shared options as entries of getopt_long's array. */
#define RUN_OPTIONS                                                                                              \
	{"cpu-groups", required_argument, NULL, 'G'}, {"mem", required_argument, NULL, 'M'},                     \
		{"communication", required_argument, NULL, 'C'}, {"engine", required_argument, NULL, 'E'},       \
		{"runtime", required_argument, NULL, 'R'}, {"seed", required_argument, NULL, 'S'},               \
		{"noise", required_argument, NULL, 'n'}, {"belief-error", required_argument, NULL, 'b'},         \
		{"emulate", required_argument, NULL, 'U'}, {"check", required_argument, NULL, 'K'},              \
		{"speedup", required_argument, NULL, 'F'}, {"extrapolate", no_argument, NULL, 'x'},              \
		{"time-limit", required_argument, NULL, 'T'}, {"default-seconds", required_argument, NULL, 'D'}, \
	{                                                                                                        \
		"validate", no_argument, NULL, 'v'                                                               \
	}

/* The shared options in the text of --help. There are three strings, as C99 compilers need not accept strings of more
 * than 4095 characters. */
#define RUN_MACHINE_USAGE                                                                                              \
	"  --cpu-groups N[+N]...  Makes groups of cores; each group is one CPU worker, whose cores execute a task\n"   \
	"                         together. '10+5+5' makes three groups, of 10, 5 and 5 cores. With --cpus K,\n"       \
	"                         only the first K groups are used. Default: each core is a worker.\n"                 \
	"  --mem NODE=SIZE        Limits the memory NODE of the platform to SIZE, as in 'RAM=16GiB'. Can be given\n"   \
	"                         up to 16 times, for different memories. Default: no limit but the sizes in the\n"    \
	"                         platform and --gpu-mem.\n"                                                           \
	"  --communication on|off\n"                                                                                   \
	"                         'on' simulates transfers and limits of memories (default). With 'off', all\n"        \
	"                         workers compute in main memory, which has no limit, so no data is transferred.\n"    \
	"  --engine SPEC          Chooses what executes the tasks. 'native' simulates. 'simgrid' simulates the same\n" \
	"                         model with SimGrid: slower, with the same schedules; it checks 'native'. 'real'\n"   \
	"                         executes kernels on this machine. Default: 'native'.\n"                              \
	"  --emulate KEY=VALUE[:KEY=VALUE]...\n"                                                                       \
	"                         Adds accelerators that threads of this machine emulate, as in\n"                     \
	"                         'gpus=2:mem=64MiB:bandwidth=2GB/s' for two accelerators, each with 64 MiB of\n"      \
	"                         memory and a link of 2 GB/s. Needs --engine real or --platform machine.\n"           \
	"                         Default: no emulated accelerators.\n"                                                \
	"  --check full|residual|none\n"                                                                               \
	"                         Chooses how --engine real checks the results that the kernels computed; a run\n"     \
	"                         with wrong results fails. 'residual' computes the distance from the exact\n"         \
	"                         results. 'full' also compares all data with a serial run of the same kernels.\n"     \
	"                         'none' checks nothing. Default: 'full', but 'residual' for graphs of more than\n"    \
	"                         1e11 flops.\n"

#define DEFAULT_SECONDS_USAGE                                                                                          \
	"  --default-seconds TIME Lets tasks to which a file gives no time take TIME, as in '10ms'. This sets the\n"   \
	"                         parameter default_seconds of workloads 'file:PATH' that do not set it themselves.\n" \
	"                         Default: such tasks take the platform's kernel times.\n"

#define SPEEDUP_USAGE                                                                                                 \
	"  --speedup KERNEL[@ARCH]=FACTOR[,...]\n"                                                                    \
	"                         Lets tasks of KERNEL that have recorded seconds, but no time on GPUs, take these\n" \
	"                         seconds divided by FACTOR there, as in 'gemm=20'. '*' is every kernel. With\n"      \
	"                         @ARCH: on that kind of worker, as in '*@k40m=8'. Can be given several times.\n"     \
	"                         Default: no such times.\n"

#define RUN_MODEL_USAGE                                                                                              \
	"  --runtime SPEC         Chooses the model of the runtime system, which sets its costs and limits, as in\n" \
	"                         'ideal:gpu_pipeline=3'. 'tilewright list runtimes' prints the models. Default:\n"  \
	"                         'starpu'; with --engine real: 'real'.\n"                                           \
	"  --noise SPEC           Varies the simulated duration of each task at random around the kernel's time.\n"  \
	"                         '0.02': normal distribution with a standard deviation of 2 % of the mean.\n"       \
	"                         'lognormal:0.05': log-normal distribution with 5 %. 'measured': normal\n"          \
	"                         distribution with the deviations in kernels.csv. 'empirical': durations drawn\n"   \
	"                         from those in samples.csv. Default: 0, no variation.\n"                            \
	"  --belief-error ETA     Makes the task times that policies see wrong: raises each time, in\n"              \
	"                         microseconds, to a random power between 1-ETA and 1+ETA. ETA is a number from 0\n" \
	"                         to 1. Default: 0, the right times.\n" DEFAULT_SECONDS_USAGE SPEEDUP_USAGE          \
	"  --extrapolate          Estimates the times of kernels and sizes that were not measured: from the times\n" \
	"                         of other sizes, otherwise from the kernel's flops and the measured rate of\n"      \
	"                         gemm. Default: a missing time is an error.\n"                                      \
	"  --validate             Checks the schedule of each run against the rules of the model, such as\n"         \
	"                         dependencies and limits of memories. A run with an invalid schedule fails.\n"      \
	"                         Default: no check.\n"

#define RUN_LIMIT_USAGE                                                                                                \
	"  --time-limit TIME      Ends each run after TIME of wall time, as in '60s'; such a run fails. Reading the\n" \
	"                         platform and making the task graph do not count. Default: no limit.\n"

void run_options_init(struct run_options *);
void run_options_finish(struct run_options *);
/* Checks the value of one of the options in RUN_OPTIONS, as far as the check does not depend on the run. An error
 * message names the option. */
int run_options_check(int option, const char *text, struct tw_error *err);
/* Checks and stores one of the options in RUN_OPTIONS. `text` must outlive the struct. */
int run_options_take(struct run_options *, int option, const char *text, struct tw_error *err);

/* Checks and adds a value of --speedup to those before it, `*all`, which the caller frees. */
int run_options_speedup(char **all, const char *text, struct tw_error *err);

/* Whether the chosen engine computes real kernels. Then the default platform is this machine. */
bool run_options_compute(const struct run_options *);

#endif
