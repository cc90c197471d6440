#include "cli/run_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/words.h"
#include "experiment/load.h"
#include "perf/speedup.h"
#include "platform/emulate.h"
#include "platform/groups.h"
#include "runtime/params.h"

/* Of --time-limit. */
#define LEAST_LIMIT_S 1e-3
#define MOST_LIMIT_S 1e9

void run_options_init(struct run_options *o)
{
	*o = (struct run_options){
		.common = {.choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS}, .seed = 1},
	};
}

void run_options_finish(struct run_options *o)
{
	for (int i = 0; i < o->common.choice.n_bounds; i++)
		free(o->bounds[i]);
	free(o->speedup);
}

/* Takes an option --mem NODE=SIZE. */
static int take_bound(struct run_options *o, const char *text, struct tw_error *err)
{
	struct tw__platform_choice *choice = &o->common.choice;
	const int most = (int)(sizeof choice->bounds / sizeof choice->bounds[0]);
	const char *equals = strchr(text, '=');
	if (!equals || equals == text)
		return tw_fail(err, TW_INVALID, "--mem '%.200s': expected NODE=SIZE, as in RAM=16GiB", text);
	if (choice->n_bounds == most)
		return tw_fail(err, TW_INVALID, "--mem '%.200s': expected this option at most %d times", text, most);
	uint64_t bytes;
	if (tw__parse_bytes(&bytes, equals + 1, err) < 0 || bytes == 0)
		return tw_fail(err, TW_INVALID, "--mem '%.200s': expected a size of at least one byte, as in RAM=16GiB",
		               text);
	char *node = strndup(text, (size_t)(equals - text));
	if (!node)
		return tw_fail(err, TW_NOMEM, "out of memory");
	o->bounds[choice->n_bounds] = node;
	choice->bounds[choice->n_bounds].node = node;
	choice->bounds[choice->n_bounds++].bytes = bytes;
	return TW_OK;
}

static int check_runtime(const char *text, struct tw_error *err)
{
	struct tw__runtime_params params;
	int status = tw__runtime_params_init(&params, text, NULL, err);
	tw__runtime_params_finish(&params);
	return status;
}

static int check_groups(const char *text, struct tw_error *err)
{
	int *cores, n, status = tw__groups_parse(&cores, &n, text, err);
	if (status == TW_OK)
		free(cores);
	return status;
}

int run_options_speedup(char **all, const char *text, struct tw_error *err)
{
	struct tw__speedups speedups;
	int status = word_append(all, text, err);
	if (status < 0)
		return status;
	status = tw__speedups_parse(&speedups, *all, err);
	tw__speedups_finish(&speedups);
	return status;
}

int run_options_check(int option, const char *text, struct tw_error *err)
{
	struct tw__noise noise;
	struct tw__emulation emulation;
	enum tw__check check;
	switch (option) {
	case 'C':
		return strcmp(text, "on") == 0 || strcmp(text, "off") == 0
		               ? TW_OK
		               : tw_fail(err, TW_INVALID, "--communication '%.200s': expected on or off", text);
	case 'R':
		return check_runtime(text, err);
	case 'n':
		return tw__noise_parse(&noise, text, err) < 0 ? tw_fail(err, TW_INVALID, "--%s", err->message) : TW_OK;
	case 'G':
		return check_groups(text, err);
	case 'E':
		return tw__engine_check(text, err);
	case 'U':
		return tw__emulation_parse(&emulation, text, err);
	case 'K':
		return tw__check_parse(&check, text, err);
	default:
		return TW_OK;
	}
}

static int take_limit(double *limit_s, const char *text, struct tw_error *err)
{
	if (tw__parse_seconds(limit_s, text, err) < 0 || *limit_s < LEAST_LIMIT_S || *limit_s > MOST_LIMIT_S)
		return tw_fail(err, TW_INVALID, "--time-limit '%.200s': expected a time from 1ms to %.0fs, as in 60s",
		               text, MOST_LIMIT_S);
	return TW_OK;
}

int run_options_take(struct run_options *o, int option, const char *text, struct tw_error *err)
{
	int status = run_options_check(option, text, err);
	if (status < 0)
		return status;
	switch (option) {
	case 'G':
		o->common.choice.cpu_groups = text;
		return TW_OK;
	case 'M':
		return take_bound(o, text, err);
	case 'C':
		o->common.choice.no_communication = strcmp(text, "off") == 0;
		return TW_OK;
	case 'E':
		o->common.engine = text;
		return TW_OK;
	case 'R':
		o->common.runtime = text;
		return TW_OK;
	case 'U':
		o->common.emulate = text;
		return TW_OK;
	case 'K':
		o->common.check = text;
		return TW_OK;
	case 'F':
		status = run_options_speedup(&o->speedup, text, err);
		o->common.speedup = o->speedup;
		return status;
	case 'D':
		o->default_seconds = text;
		return TW_OK;
	case 'S':
		return word_seed(&o->common.seed, "--seed", text, err);
	case 'n':
		o->common.noise = text;
		return TW_OK;
	case 'b':
		return word_real(&o->common.belief_error, "--belief-error", text, 0, 1, err);
	case 'T':
		return take_limit(&o->common.time_limit_s, text, err);
	case 'x':
		o->common.extrapolate = true;
		return TW_OK;
	default: /* the last option, 'v' for --validate */
		o->common.validate = true;
		return TW_OK;
	}
}

bool run_options_compute(const struct run_options *o)
{
	const struct tw__engine_ops *engine = tw__engine_of(&o->common);
	return engine && (engine->caps & TW__ENGINE_COMPUTES);
}
