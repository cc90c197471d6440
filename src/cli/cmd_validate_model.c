/* tilewright validate-model: compares simulated with real makespans, and explains the difference. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/signals.h"
#include "cli/validate_print.h"
#include "cli/words.h"
#include "engine/engine.h"
#include "platform/emulate.h"
#include "platform/machine.h"

static const char *const usage[] = {
	"Usage: tilewright validate-model --platform DIR --workload SPEC[,...] --policy SPEC[,...]\n"
	"                                 --output FILE.csv [OPTION]...\n"
	"Executes each combination of a workload, a policy and a memory limit (a point) on this machine, and also\n"
	"simulates it. Appends one row for each point to FILE.csv; the same command again continues with the\n"
	"points that the file does not have yet. Further simulations explain the difference of the makespans:\n"
	"with the real durations of kernels, then also in the real order, then with the real durations of copies,\n"
	"then with the real times at which the runtime system acted.\n"
	"\n"
	"  --platform DIR         Names the folder in which 'tilewright calibrate' has measured this machine.\n"
	"                         With --engine real:mode=timed, any platform. Required.\n"
	"  --workload SPEC[,...]  Chooses the task graphs, as in 'cholesky:nt=10:nb=320'. Several values: one\n"
	"                         point for each. Required.\n"
	"  --policy SPEC[,...]    Chooses the scheduling policies, as in 'eager,dmdas'. Several values: one point\n"
	"                         for each. Required.\n"
	"  --gpu-mem SIZE[,...]   Limits the memory of each accelerator to SIZE, as in '64MiB'. 'none' sets no\n"
	"                         limit: each accelerator has the memory that the platform says (default).\n"
	"                         Several values: one point for each.\n"
	"  --eviction SPEC        Chooses the eviction policy, which decides which data leaves a full memory.\n"
	"                         Default: the eviction policy that the scheduling policy names, otherwise 'lru'.\n"
	"  --engine SPEC          Chooses how the real runs execute. 'real' executes the kernels (default). In\n"
	"                         'real:mode=timed', threads sleep for the times that the model gives to kernels\n"
	"                         and copies, and compute nothing.\n"
	"  --emulate gpus=N       Emulates N accelerators of the platform with threads. Default: none.\n"
	"  --cpus N               Uses N CPU workers of the platform. Default: all cores, except one core for\n"
	"                         each GPU in use, which drives that GPU.\n"
	"  --gpus N               Uses N GPUs of the platform. Default: all.\n"
	"  --repeat N             Executes N real runs of each point. Default: 5.\n"
	"  --off-cpu PERCENT      Repeats a real run, at most 10 times, if its threads lost their cores for more\n"
	"                         than PERCENT % of the time. Other programs on the machine cause that; the\n"
	"                         column 'off_cpu' says how much it was. Default: 2.\n"
	"  --seed N               Sets the seed of all random numbers. Default: 1.\n"
	"  --output FILE.csv      Appends the rows to this CSV file, which is created if it does not exist.\n"
	"                         Required.\n"
	"  --format text|csv|json\n"
	"                         Prints the new rows in this format on standard output. Default: 'text', but\n"
	"                         'csv' with --columns.\n"
	"  --columns NAME[,...]   Writes and prints only these columns of the rows, in this order, as in\n"
	"                         'policy,makespan_error'. FILE.csv also gets 'status', 'message', 'version' and\n"
	"                         'identity' after them if they are not named, because the command needs them to\n"
	"                         continue. For csv and json. Default: all columns.\n"
	"  --retry                Runs the points again that have a row in FILE.csv but failed or were too noisy.\n"
	"                         Default: such points are left as they are.\n"
	"  --force                Runs even if the platform was measured on another machine, or if its folder\n"
	"                         does not say on which. Default: such a platform is an error.\n",
	"  --quiet                Prints neither progress nor the new rows.\n"
	"  -h, --help             Prints this help.\n"
	"\n"
	"Exit status: 0 done; 1 points failed or were too noisy; 2 bad arguments or input; 130 or 143 stopped by\n"
	"a signal.\n",
	NULL,
};

enum {
	OPTION_GPU_MEM = 256,
	OPTION_EVICTION,
	OPTION_ENGINE,
	OPTION_EMULATE,
	OPTION_CPUS,
	OPTION_GPUS,
	OPTION_REPEAT,
	OPTION_OFF_CPU,
	OPTION_SEED,
	OPTION_FORMAT,
	OPTION_COLUMNS,
	OPTION_RETRY,
	OPTION_FORCE,
	OPTION_QUIET
};

static const struct option long_options[] = {
	{"platform", required_argument, NULL, 'p'},
	{"workload", required_argument, NULL, 'w'},
	{"policy", required_argument, NULL, 's'},
	{"output", required_argument, NULL, 'o'},
	{"gpu-mem", required_argument, NULL, OPTION_GPU_MEM},
	{"eviction", required_argument, NULL, OPTION_EVICTION},
	{"engine", required_argument, NULL, OPTION_ENGINE},
	{"emulate", required_argument, NULL, OPTION_EMULATE},
	{"cpus", required_argument, NULL, OPTION_CPUS},
	{"gpus", required_argument, NULL, OPTION_GPUS},
	{"repeat", required_argument, NULL, OPTION_REPEAT},
	{"off-cpu", required_argument, NULL, OPTION_OFF_CPU},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"format", required_argument, NULL, OPTION_FORMAT},
	{"columns", required_argument, NULL, OPTION_COLUMNS},
	{"retry", no_argument, NULL, OPTION_RETRY},
	{"force", no_argument, NULL, OPTION_FORCE},
	{"quiet", no_argument, NULL, OPTION_QUIET},
	{"help", no_argument, NULL, 'h'},
	{0},
};

struct options {
	struct tw__validate_model model;
	struct words workloads, policies;
	struct sizes gpu_mems;
	int format; /* enum tw__result_format; -1: not given */
	bool quiet;
};

/* --- running ------------------------------------------------------------------------------------------------------ */

static int summarise(const struct tw__validate_counts *c, const char *output, int stop_fd)
{
	if (c->stopped)
		return cli_fail(signals_status(stop_fd),
		                "validate-model: stopped: '%s' has the rows so far; the same command continues",
		                output);
	if (c->failed)
		return cli_fail(
			EXIT_RUN_FAILED,
			"validate-model: %lld of %lld points failed or were too noisy: see column message of '%s'",
			(long long)c->failed, (long long)c->points, output);
	return 0;
}

static int validate(struct options *o)
{
	struct validation_shown shown;
	struct tw__validate_counts counts;
	struct tw_error err;
	validation_shown_init(&shown, o->quiet, (enum tw__result_format)o->format, &o->model.columns);
	struct tw__validate_model *m = &o->model;
	m->stop_fd = signals_watch();
	m->begin = validation_begin;
	m->tick = validation_tick;
	m->end = validation_end;
	m->context = &shown;
	m->n_workloads = o->workloads.n;
	m->workloads = o->workloads.of;
	m->n_policies = o->policies.n;
	m->policies = o->policies.of;
	m->n_gpu_mems = o->gpu_mems.n;
	m->gpu_mem_bytes = o->gpu_mems.of;
	int status = tw__validate_model(m, &counts, &err);
	struct tw_error no_memory;
	if (validation_show(&shown, &no_memory) < 0 && status == TW_OK)
		status = tw_fail(&err, TW_NOMEM, "%s", no_memory.message);
	int exit_status = status < 0 ? cli_error(status, &err) : summarise(&counts, m->output, m->stop_fd);
	close(m->stop_fd);
	return exit_status;
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static int take_engine(struct options *o, const char *text, struct tw_error *err)
{
	int status = tw__engine_check(text, err);
	o->model.common.engine = text;
	const struct tw__engine_ops *engine = status == TW_OK ? tw__engine_of(&o->model.common) : NULL;
	if (engine && !(engine->caps & TW__ENGINE_COMPUTES))
		return tw_fail(err, TW_INVALID, "--engine '%.100s': this engine simulates: expected real", text);
	return status;
}

/* "10" and "10%" are a tenth. */
static int take_off_cpu(struct options *o, const char *text, struct tw_error *err)
{
	char number[32];
	size_t length = strlen(text);
	double percent;
	snprintf(number, sizeof number, "%.*s", (int)(length && text[length - 1] == '%' ? length - 1 : length), text);
	int status = word_real(&percent, "--off-cpu", number, 0, 100, err);
	o->model.most_off_cpu = percent / 100;
	return status;
}

static int take(void *options, int option, const char *text, struct tw_error *err)
{
	struct options *o = options;
	struct tw__request *q = &o->model.common;
	struct tw__emulation emulation;
	switch (option) {
	case 'p':
		q->platform = text;
		return TW_OK;
	case 'w':
		return specs_init(&o->workloads, "--workload", text, err);
	case 's':
		return specs_init(&o->policies, "--policy", text, err);
	case 'o':
		o->model.output = text;
		return TW_OK;
	case OPTION_GPU_MEM:
		sizes_finish(&o->gpu_mems);
		return sizes_init(&o->gpu_mems, "--gpu-mem", text, err);
	case OPTION_EVICTION:
		q->eviction = text;
		return tw__eviction_check(text, err);
	case OPTION_ENGINE:
		return take_engine(o, text, err);
	case OPTION_EMULATE:
		q->emulate = text;
		return tw__emulation_parse(&emulation, text, err);
	case OPTION_CPUS:
		return word_int(&q->choice.cpus, "--cpus", text, 0, 4096, err);
	case OPTION_GPUS:
		return word_int(&q->choice.gpus, "--gpus", text, 0, 4096, err);
	case OPTION_REPEAT:
		return word_int(&o->model.repeat, "--repeat", text, 1, 1000000, err);
	case OPTION_SEED:
		return word_seed(&q->seed, "--seed", text, err);
	case OPTION_OFF_CPU:
		return take_off_cpu(o, text, err);
	case OPTION_FORMAT:
		return word_choice(&o->format, "--format", text, word_formats, "text, csv or json", err);
	case OPTION_COLUMNS:
		return tw__columns_parse(&o->model.columns, tw__validation_table, text, err);
	case OPTION_RETRY:
		o->model.retry = true;
		return TW_OK;
	case OPTION_FORCE:
		o->model.force = true;
		return TW_OK;
	default: /* the last option, OPTION_QUIET */
		o->quiet = true;
		return TW_OK;
	}
}

static int missing(const char *option, const char *example)
{
	return cli_fail(EXIT_BAD_INPUT, "validate-model: option %s is missing: expected it, as in %s %s", option,
	                option, example);
}

static int run_with(struct options *o, int argc, char **argv)
{
	int exit_status = cli_options_only(&command_validate_model, argc, argv, ":ho:", long_options, take, o);
	if (exit_status >= 0)
		return exit_status;
	if (!o->model.common.platform)
		return missing("--platform", "./mine");
	if (!o->workloads.n)
		return missing("--workload", "cholesky:nt=10:nb=320");
	if (!o->policies.n)
		return missing("--policy", "eager,dmdas");
	if (!o->model.output)
		return missing("--output", "results.csv");
	if (o->model.columns.n && o->format == TW__TEXT)
		return cli_fail(EXIT_BAD_INPUT, "--columns: expected --format csv or json with it");
	if (o->format < 0)
		o->format = o->model.columns.n ? TW__CSV : TW__TEXT;
	return validate(o);
}

static int run(int argc, char **argv)
{
	struct options o = {.model = {.common = {.choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS},
	                                         .seed = 1,
	                                         .engine = "real",
	                                         .check = "none",
	                                         .lacks_extrapolate = true},
	                              .repeat = 5,
	                              .most_off_cpu = TW__MOST_OFF_CPU},
	                    .format = -1};
	int exit_status = run_with(&o, argc, argv);
	words_finish(&o.workloads);
	words_finish(&o.policies);
	sizes_finish(&o.gpu_mems);
	return exit_status;
}

const struct command command_validate_model = {
	.name = "validate-model",
	.summary = "compare simulated with real makespans, and explain the difference",
	.usage = usage,
	.run = run,
};
