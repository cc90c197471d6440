#include "request/fields.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/distribution.h"
#include "perf/noise.h"
#include "platform/emulate.h"
#include "platform/choice.h"
#include "perf/factors.h"
#include "platform/platform.h"
#include "request/plugins.h"
#include "request/workload.h"
#include "runtime/params.h"

/* --- checks ------------------------------------------------------------------------------------------------------- */

static int check_platform(const char *name, struct tw_error *err)
{
	char *files[TW__PLATFORM_FILES];
	if (strcmp(name, TW__MACHINE_NAME) == 0)
		return TW_OK;
	int status = tw__platform_files(files, name, err);
	for (int i = 0; i < TW__PLATFORM_FILES; i++)
		free(files[i]);
	return status;
}

static int check_groups(const char *text, struct tw_error *err)
{
	int *cores, n, status = tw__groups_parse(&cores, &n, text, err);
	if (status == TW_OK)
		free(cores);
	return status;
}

static int check_bounds(const char *text, struct tw_error *err)
{
	struct tw__bounds bounds;
	return tw__bounds_parse(&bounds, text, err);
}

static int check_gpu_workers(const char *text, struct tw_error *err)
{
	int n;
	double slowdown;
	return tw__gpu_workers_parse(&n, &slowdown, text, err);
}

static int check_emulation(const char *text, struct tw_error *err)
{
	struct tw__emulation emulation;
	return tw__emulation_parse(&emulation, text, err);
}

static int check_factors(const struct tw__factor_option *option, const char *text, struct tw_error *err)
{
	struct tw__factors factors;
	int status = tw__factors_parse(&factors, option, text, err);
	tw__factors_finish(&factors);
	return status;
}

static int check_speedup(const char *text, struct tw_error *err)
{
	return check_factors(&tw__speedup_option, text, err);
}

static int check_amdahl(const char *text, struct tw_error *err) { return check_factors(&tw__amdahl_option, text, err); }

static int check_time_factor(const char *text, struct tw_error *err)
{
	return check_factors(&tw__time_factor_option, text, err);
}

static int check_runtime(const char *text, struct tw_error *err)
{
	struct tw__runtime_params params;
	int status = tw__runtime_params_init(&params, text, NULL, err);
	tw__runtime_params_finish(&params);
	return status;
}

static int check_decision_cost(const char *text, struct tw_error *err)
{
	double factor;
	int status = tw__decision_cost_parse(&factor, text, err);
	return status < 0 ? tw_fail(err, status, "--%s", err->message) : TW_OK;
}

static int check_noise(const char *text, struct tw_error *err)
{
	struct tw__noise noise;
	return tw__noise_parse(&noise, text, err) < 0 ? tw_fail(err, TW_INVALID, "--%s", err->message) : TW_OK;
}

int tw__check_parse(enum tw__check *check, const char *text, struct tw_error *err)
{
	static const char *const names[] = {
		[TW__CHECK_FULL] = "full", [TW__CHECK_RESIDUAL] = "residual", [TW__CHECK_NONE] = "none"};
	for (int i = TW__CHECK_FULL; i <= TW__CHECK_NONE; i++)
		if (strcmp(text, names[i]) == 0) {
			*check = (enum tw__check)i;
			return TW_OK;
		}
	return tw_fail(err, TW_INVALID, "--check '%.200s': expected full, residual or none", text);
}

static int check_check(const char *text, struct tw_error *err)
{
	enum tw__check check;
	return tw__check_parse(&check, text, err);
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

#define INPUT(text) .name = (text), .column = (text)
#define AS(kind, member) .type = TW__FIELD_##kind, .offset = offsetof(struct tw__request, member)
#define RUNS (TW__FOR_RUN | TW__FOR_SWEEP)
#define RUNNING (RUNS | TW__FOR_ADVERSARY)
#define GRAPHS (TW__FOR_BOUNDS | TW__FOR_OPTIMUM | TW__FOR_DESCRIBE)
#define ON_NODE (TW__FOR_BOUNDS | TW__FOR_OPTIMUM | TW__FOR_CALIBRATE | TW__FOR_VALIDATE_MODEL)
#define ALL (RUNS | GRAPHS | ON_NODE | TW__FOR_EXPORT)

const struct tw__field tw__fields[] = {
	{INPUT("platform"), AS(TEXT, platform), .commands = RUNNING | GRAPHS | TW__FOR_VALIDATE_MODEL,
         .lists = TW__FOR_SWEEP, .needs = RUNNING | TW__FOR_BOUNDS | TW__FOR_OPTIMUM | TW__FOR_VALIDATE_MODEL,
         .flags = TW__SCENE | TW__NAMED, .check = check_platform, .value = "NAME",
         .help = "Chooses the node to simulate: a name that 'tilewright list platforms' prints, the path of a folder "
                 "with platform.xml and kernels.csv, or the path of such an XML file. 'machine' is this machine, whose "
                 "kernels are timed before the run; it is the "
                 "default with --engine real. Otherwise this option is required."},
	{INPUT("workload"), AS(TEXT, workload), .commands = ALL, .lists = ALL,
         .needs = RUNS | TW__FOR_BOUNDS | TW__FOR_OPTIMUM | TW__FOR_EXPORT | TW__FOR_VALIDATE_MODEL,
         .flags = TW__SCENE | TW__NAMED, .check = tw__workload_named, .value = "SPEC",
         .help = "Chooses the task graphs, as in 'cholesky:nt=20:nb=960'. 'tilewright list workloads' prints their "
                 "names. 'file:PATH' reads a graph from the file PATH. Required."},
	{.name = "nt",
         .type = TW__FIELD_PARAMETER,
         .commands = TW__FOR_SWEEP,
         .lists = TW__FOR_SWEEP,
         .value = "N",
         .help = "Sets the parameter nt of every workload, in most workloads the number of tiles in a row: 'cholesky' "
                 "becomes 'cholesky:nt=N'. No SPEC may then set nt itself. Default: nt is as each SPEC says."},
	{.name = "nb",
         .type = TW__FIELD_PARAMETER,
         .commands = TW__FOR_SWEEP,
         .lists = TW__FOR_SWEEP,
         .value = "N",
         .help = "Sets the parameter nb of every workload, in most workloads the elements in a row of a tile: "
                 "'cholesky' becomes 'cholesky:nb=N'. No SPEC may then set nb itself. Default: nb is as each SPEC "
                 "says."},
	{.name = "default-seconds",
         .type = TW__FIELD_OF_FILES,
         .commands = RUNS | GRAPHS | TW__FOR_EXPORT,
         .value = "TIME",
         .help = "Lets tasks to which a file gives no time take TIME, as in '10ms'. This sets the parameter "
                 "default_seconds of workloads 'file:PATH' that do not set it themselves. Default: such tasks take "
                 "the platform's kernel times."},
	{.name = "with",
         .type = TW__FIELD_PART,
         .commands = RUNS | TW__FOR_BOUNDS,
         .flags = TW__JOINED,
         .check = tw__with_check,
         .value = "SPEC@DATE[:domain=NAME]",
         .help = "Adds a graph that arrives at DATE of the run, as in 'lu:nt=10@0.5s'. All its tasks belong to the "
                 "scheduling domain NAME, if one is given. Can be given up to 15 times. --workload also takes several "
                 "graphs: 'cholesky:nt=20+lu:nt=10@0.5s'. Default: one graph."},
	{INPUT("distribution"), AS(TEXT, distribution), .commands = RUNS | TW__FOR_BOUNDS,
         .lists = TW__FOR_SWEEP | TW__FOR_BOUNDS, .flags = TW__SCENE, .check = tw__distribution_check, .value = "SPEC",
         .help = "Chooses which node of a cluster owns each tile, as in '2dbc:p=2:q=3', 'rows', 'columns', 'sbc' or "
                 "'file:PATH'. A task runs on the node that owns the first tile that it writes. 'metis' partitions the "
                 "tasks instead. Default: '2dbc' for matrices of tiles, on a grid of nodes that is as square as "
                 "possible; else 'metis'."},
	{INPUT("communication"), AS(OFF, choice.no_communication), .commands = RUNNING | TW__FOR_OPTIMUM,
         .lists = TW__FOR_SWEEP, .flags = TW__SCENE, .value = "on|off",
         .help = "'on' simulates transfers and limits of memories (default). With 'off', all workers compute in main "
                 "memory, which has no limit, so no data is transferred."},
	{.name = "cpu-groups",
         .column = "cpu_groups",
         AS(TEXT, choice.cpu_groups),
         .commands = RUNS | TW__FOR_BOUNDS | TW__FOR_OPTIMUM | TW__FOR_CALIBRATE,
         .lists = TW__FOR_SWEEP,
         .flags = TW__SCENE,
         .preset = "none",
         .check = check_groups,
         .value = "N[+N]...",
         .help = "Makes groups of cores; each group is one CPU worker, whose cores execute a task together. '10+5+5' "
                 "makes three groups, of 10, 5 and 5 cores. With --cpus K, only the first K groups are used. 'none': "
                 "each core is a worker (default)."},
	{.name = "gpu-workers",
         .column = "gpu_workers",
         AS(TEXT, choice.gpu_workers),
         .commands = RUNS | TW__FOR_BOUNDS | TW__FOR_OPTIMUM,
         .lists = TW__FOR_SWEEP,
         .flags = TW__SCENE,
         .preset = "1",
         .check = check_gpu_workers,
         .value = "N[:slowdown=F]",
         .help = "Gives each GPU N workers, which share its memory and links. A kernel takes F times its time on the "
                 "GPU alone; without F it is N times, an equal part of the GPU's rate for each worker. Default: 1."},
	{.name = "max-parallelism",
         .column = "max_parallelism",
         AS(COUNT, choice.max_parallelism),
         .commands = RUNS | TW__FOR_BOUNDS,
         .lists = TW__FOR_SWEEP,
         .flags = TW__SCENE,
         .value = "N",
         .help = "Allows parallel tasks, on up to N cores of one memory each. The policies parallel_heft and "
                 "parallel_greedy make them. Default: 0, each task runs on one worker."},
	{.name = "cpus",
         .column = "given_cpus",
         AS(COUNT, choice.cpus),
         .absent = TW__ALL_WORKERS,
         .commands = RUNNING | ON_NODE,
         .lists = TW__FOR_SWEEP,
         .flags = TW__SCENE,
         .value = "N",
         .help = "Uses N CPU workers of the platform. Default: all cores, except one core for each GPU in use, which "
                 "drives that GPU."},
	{.name = "gpus",
         .column = "given_gpus",
         AS(COUNT, choice.gpus),
         .absent = TW__ALL_WORKERS,
         .commands = RUNNING | ON_NODE,
         .lists = TW__FOR_SWEEP,
         .flags = TW__SCENE,
         .value = "N",
         .help = "Uses N GPUs of the platform. Default: all."},
	{.name = "gpu-mem",
         .column = "given_gpu_mem_bytes",
         AS(SIZE, choice.gpu_mem_bytes),
         .commands = RUNNING | TW__FOR_BOUNDS | TW__FOR_VALIDATE_MODEL,
         .lists = TW__FOR_SWEEP | TW__FOR_VALIDATE_MODEL,
         .flags = TW__SCENE,
         .value = "SIZE",
         .help = "Limits the memory of each GPU to SIZE, as in '500MiB'. 'none' sets no limit: each GPU has the memory "
                 "that the platform says (default)."},
	{INPUT("mem"), AS(TEXT, choice.mem), .commands = RUNNING, .flags = TW__SCENE | TW__JOINED,
         .check = check_bounds, .value = "NODE=SIZE",
         .help = "Limits the memory NODE of the platform to SIZE, as in 'RAM=16GiB'. Can be given up to 16 times, for "
                 "different memories. Default: no limit but the sizes in the platform and --gpu-mem."},
	{INPUT("emulate"), AS(TEXT, emulate), .commands = RUNS | TW__FOR_CALIBRATE | TW__FOR_VALIDATE_MODEL,
         .flags = TW__SCENE, .check = check_emulation, .value = "KEY=VALUE[:KEY=VALUE]...",
         .help = "Adds accelerators that threads of this machine emulate, as in 'gpus=2:mem=64MiB:bandwidth=2GB/s' for "
                 "two accelerators, each with 64 MiB of memory and a link of 2 GB/s. 'memories=N' emulates several "
                 "main memories of a platform's file. Needs --engine real or --platform machine. Default: no emulated "
                 "accelerators."},
	{INPUT("speedup"), AS(TEXT, speedup), .commands = RUNS | GRAPHS, .flags = TW__SCENE | TW__JOINED,
         .check = check_speedup, .value = "KERNEL[@ARCH]=FACTOR[,...]",
         .help = "Lets tasks of KERNEL that have recorded seconds, but no time on GPUs, take these seconds divided by "
                 "FACTOR there, as in 'gemm=20'. '*' is every kernel. With @ARCH: on that kind of worker, as in "
                 "'*@k40m=8'. Can be given several times. Default: no such times."},
	{INPUT("amdahl"), AS(TEXT, amdahl), .commands = RUNS | TW__FOR_BOUNDS | TW__FOR_OPTIMUM,
         .flags = TW__SCENE | TW__JOINED, .check = check_amdahl, .value = "KERNEL[@ARCH]=FRACTION[,...]",
         .help = "Lets tasks of KERNEL on k cores together take (f + (1 - f) / k) of their time on one core, where "
                 "f is FRACTION, the part that stays sequential, as in 'gemm=0.02'. '*' is every kernel. Times "
                 "measured on several cores come first. Can be given several times. Default: no such times."},
	{.name = "time-factor",
         .column = "time_factor",
         AS(TEXT, time_factor),
         .commands = RUNS | TW__FOR_BOUNDS | TW__FOR_OPTIMUM,
         .flags = TW__SCENE | TW__JOINED,
         .check = check_time_factor,
         .value = "KERNEL[@ARCH]=FACTOR[,...]",
         .help = "Multiplies the times of KERNEL on CPU workers by FACTOR, as in 'gemm=1.15'. '*' is every kernel. "
                 "With @ARCH: on that kind of worker, as in '*@k40m=2'. Can be given several times. Default: times as "
                 "they are."},
	{INPUT("extrapolate"), AS(YES, extrapolate), .commands = RUNS | GRAPHS, .flags = TW__SCENE,
         .help = "Estimates the times of kernels and sizes that were not measured: from the times of other sizes, "
                 "otherwise from the kernel's flops and the measured rate of gemm. Default: a missing time is an "
                 "error."},
	{INPUT("learn"), AS(TEXT, learn), .commands = TW__FOR_RUN, .flags = TW__SCENE, .value = "DIR",
         .help = "Policies learn the times of kernels during the run, from nothing at first. DIR keeps them for later "
                 "runs. Default: policies know all times; with --engine real, kernels without times in a file are "
                 "timed before the run."},
	{INPUT("engine"), AS(TEXT, engine), .commands = RUNS | TW__FOR_VALIDATE_MODEL, .flags = TW__NAMED,
         .check = tw__engine_check, .value = "SPEC",
         .help = "Chooses what executes the tasks. 'native' simulates. 'simgrid' simulates the same model with "
                 "SimGrid: slower, with the same schedules; it checks 'native'. 'real' executes kernels on this "
                 "machine. Default: 'native'."},
	{INPUT("runtime"), AS(TEXT, runtime), .commands = RUNNING, .lists = TW__FOR_SWEEP, .flags = TW__NAMED,
         .check = check_runtime, .value = "SPEC",
         .help = "Chooses the model of the runtime system, which sets its costs and limits, as in "
                 "'ideal:gpu_pipeline=3'. 'tilewright list runtimes' prints the models. Default: 'starpu'; with "
                 "--engine real: 'real'."},
	{.name = "decision-cost",
         .column = "decision_cost",
         AS(TEXT, decision_cost),
         .commands = RUNS,
         .lists = TW__FOR_SWEEP,
         .preset = "none",
         .check = check_decision_cost,
         .value = "none|counted|FACTOR",
         .help = "Delays the run by the time that the policy needs to plan before it, as hfp does: the candidates that "
                 "it looks at times the runtime parameter scan_cost, and times FACTOR if one is given, as in '10'. "
                 "'none': plans take no time (default)."},
	{INPUT("noise"), AS(TEXT, noise), .commands = RUNS, .lists = TW__FOR_SWEEP, .preset = "0", .check = check_noise,
         .value = "SPEC",
         .help = "Varies the simulated duration of each task at random around the kernel's time. '0.02': normal "
                 "distribution with a standard deviation of 2 % of the mean. 'lognormal:0.05': log-normal distribution "
                 "with 5 %. 'measured': normal distribution with the deviations in kernels.csv. 'empirical': durations "
                 "drawn from those in samples.csv. Default: 0, no variation."},
	{.name = "belief-error",
         .column = "belief_error",
         AS(REAL, belief_error),
         .commands = RUNS,
         .lists = TW__FOR_SWEEP,
         .value = "ETA",
         .help = "Makes the task times that policies see wrong: raises each time, in microseconds, to a random power "
                 "between 1-ETA and 1+ETA. ETA is a number from 0 to 1. Default: 0, the right times."},
	{INPUT("policy"), AS(TEXT, policy), .commands = RUNNING | TW__FOR_VALIDATE_MODEL,
         .lists = RUNS | TW__FOR_VALIDATE_MODEL, .needs = RUNNING | TW__FOR_VALIDATE_MODEL, .flags = TW__NAMED,
         .check = tw__policy_check, .value = "SPEC",
         .help = "Chooses the scheduling policies, as in 'eager,dmdas'. './mine.so' loads your own policy from that "
                 "shared object; eviction policies and workloads can be shared objects, too. On a cluster, "
                 "'lws+1-3=dmdas' gives nodes 1 to 3 another policy. Required."},
	{.name = "domain",
         .type = TW__FIELD_PART,
         .commands = RUNS,
         .flags = TW__JOINED,
         .check = tw__domain_check,
         .value = "NAME=WORKERS:POLICY",
         .help = "Makes a scheduling domain: workers with a policy of their own, as in 'gpus=gpu:dmdas'. WORKERS are "
                 "all, cpu, gpu, cpu0-3, an arch or a worker's name, with '/' between. Can be given up to 16 times, "
                 "instead of --policy, which also takes domains: 'cpus=cpu:lws+gpus=gpu:dmdas'. Tasks belong to the "
                 "first domain unless --assign says otherwise. Default: one policy has all workers."},
	{INPUT("assign"), AS(TEXT, assign), .commands = RUNS | TW__FOR_VALIDATE_MODEL, .flags = TW__JOINED,
         .check = tw__assign_check, .value = "KERNEL=NAME[,...]",
         .help = "Assigns the tasks of KERNEL to the scheduling domain NAME, as in 'gemm=gpus'. Can be given several "
                 "times. Default: all tasks belong to the first domain."},
	{INPUT("eviction"), AS(TEXT, eviction), .commands = RUNNING | TW__FOR_VALIDATE_MODEL, .lists = RUNS,
         .flags = TW__NAMED, .check = tw__eviction_check, .value = "SPEC",
         .help = "Chooses the eviction policies, which decide which data leaves a full memory. Default: the eviction "
                 "policy that the scheduling policy names, otherwise 'lru'."},
	{INPUT("check"), AS(TEXT, check), .commands = RUNS, .check = check_check, .value = "full|residual|none",
         .help = "Chooses how --engine real checks the results that the kernels computed; a run with wrong results "
                 "fails. 'residual' computes the distance from the exact results. 'full' also compares all data with a "
                 "serial run of the same kernels. 'none' checks nothing. Default: 'full', but 'residual' for graphs of "
                 "more than 1e11 flops."},
	{INPUT("validate"), AS(YES, validate), .commands = RUNS,
         .help = "Checks the schedule of each run against the rules of the model, such as dependencies and limits of "
                 "memories. A run with an invalid schedule fails. Default: no check."},
	{.name = "time-limit",
         AS(TIME, time_limit_s),
         .commands = RUNS | TW__FOR_OPTIMUM,
         .flags = TW__ASIDE,
         .value = "TIME",
         .help = "Ends each run after TIME of wall time, as in '60s'; such a run fails. Reading the platform and "
                 "making the task graph do not count. Default: no limit."},
	{INPUT("seed"), AS(SEED, seed), .absent = 1, .commands = RUNNING | TW__FOR_CALIBRATE | TW__FOR_VALIDATE_MODEL,
         .lists = TW__FOR_SWEEP, .value = "N", .help = "Sets the seed of all random numbers. Default: 1."},
	{INPUT("repeat"), AS(REPETITIONS, repeat), .commands = RUNS, .value = "N",
         .help = "Executes each run N times in all. Repetition r, counted from 0, has the value of --seed plus r as "
                 "its seed. Default: 1."},
	{0},
};
_Static_assert(sizeof tw__fields / sizeof *tw__fields <= TW__MOST_INPUTS, "lists of inputs have room for all rows");

const struct tw__field *tw__field_of(const char *name)
{
	const struct tw__field *f = tw__fields;
	while (f->name && strcmp(f->name, name) != 0)
		f++;
	return f->name ? f : NULL;
}

struct tw__request tw__request_empty(void)
{
	return (struct tw__request){.choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS}, .seed = 1};
}
