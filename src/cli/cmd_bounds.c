/* tilewright bounds: lower bounds of makespans and of transfers. */
#include "cli/cli.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "bounds/bounds.h"
#include "base/json_text.h"
#include "experiment/load.h"

static const char usage[] =
	"Usage: tilewright bounds --platform NAME --workload SPEC[,...] [OPTION]...\n"
	"Prints lower bounds of the makespan, and of the bytes that must be transferred. The bounds of the\n"
	"makespan ignore transfers, limits of memories and the costs of a runtime system.\n"
	"docs/reference/bounds.md explains each bound.\n"
	"\n";

struct options {
	struct tw__inputs inputs;
	struct tw__bounds_limits limits;
	bool json;
};

static const struct cli_option options[] = {
	{.type = CLI_INPUTS},
	{"rounds", "N", SETS(CLI_INT, limits.rounds), .most = INT_MAX,
         .help = "Stops the iterative bound after N rounds. With fewer rounds it is lower, but still a bound. "
                 "Default: 400."},
	{"iterative-time", "SECONDS", SETS(CLI_REAL, limits.iterative_time_s), .most = TW__MOST_BOUND_TIME_S,
         .help = "Limits the time of the iterative bound. At the limit, the best bound proven so far is printed. "
                 "Default: 10."},
	{"milp-time", "SECONDS", SETS(CLI_REAL, limits.milp_time_s), .most = TW__MOST_BOUND_TIME_S,
         .help = "Limits the time of the integer program, which gives a further bound for graphs of at most 60 "
                 "tasks. At the limit, the best bound proven so far is printed. 0 skips it. Default: 3."},
	{"format", "text|json", SETS(CLI_JSON, json), .help = "Prints the bounds in this format. Default: 'text'."},
	{0},
};

/* --- text ------------------------------------------------------------------------------------------------------- */

static void print_time(const char *name, double seconds, double flops)
{
	if (isnan(seconds)) {
		printf("  %-46s %12s\n", name, "left out");
		return;
	}
	printf("  %-46s %12.6g s", name, seconds);
	if (flops > 0 && seconds > 0)
		printf("  %10.1f GFlop/s", flops / seconds / 1e9);
	putchar('\n');
}

static void print_volume(const char *name, double bytes)
{
	if (isfinite(bytes))
		printf("  %-46s %12.6g GB\n", name, bytes / 1e9);
}

static void print_divided(const struct tw__divided_bounds *d, const struct tw__scene *scene, double flops)
{
	const struct tw__platform *p = scene->platform;
	const char *words = scene->request->distribution;
	char name[80];
	snprintf(name, sizeof name, "area of the tasks of '%.20s' on its workers", p->rank_names[d->rank]);
	printf("  %d nodes, distribution %s:\n", p->n_ranks, words ? words : "by default");
	print_time(name, d->area_s, flops);
	printf("  %-46s %12d\n", "messages between nodes", (int)d->n_messages);
	print_volume("bytes of messages", (double)d->message_bytes);
	print_volume("leading term, bytes of messages", d->leading_bytes);
}

static void print_text(const struct tw__all_bounds *b, const struct tw__scene *scene, const struct options *o)
{
	char name[80];
	double flops = tw__scene_program(scene)->flops;
	printf("%s on %s, %d CPU%s + %d GPU%s: %d tasks\n", scene->request->workload, scene->request->platform,
	       scene->cpus, scene->cpus == 1 ? "" : "s", scene->gpus, scene->gpus == 1 ? "" : "s",
	       (int)tw__scene_program(scene)->n_tasks);
	print_time("critical path", b->critical_path_s, flops);
	print_time("area", b->area_s, flops);
	print_time("area with critical path", b->mixed_s, flops);
	if (b->iterative.timed_out)
		snprintf(name, sizeof name, "iterative: proven within %g s", o->limits.iterative_time_s);
	else
		snprintf(name, sizeof name, "iterative (%d round%s)", b->iterative.rounds,
		         b->iterative.rounds == 1 ? "" : "s");
	print_time(name, b->iterative.seconds, flops);
	if (b->milp.optimal)
		snprintf(name, sizeof name, "MILP: the best schedule without transfers");
	else
		snprintf(name, sizeof name, "MILP: proven within %g s", o->limits.milp_time_s);
	if (isfinite(b->milp.seconds))
		print_time(name, b->milp.seconds, flops);
	if (scene->program)
		print_divided(&b->divided, scene, flops);
	if (b->n_gpus == 0)
		return;
	print_time("compulsory loads at the bus' bandwidth", b->bus.seconds, flops);
	print_volume("compulsory loads", (double)b->bus.compulsory_bytes);
	print_volume("bus limit: its bandwidth times the area", b->overlapped_bytes);
	print_volume("leading term, a GPU's memory (all loads)", b->leading_bytes);
	snprintf(name, sizeof name, "leading term, the memory of all %d (from main)", b->n_gpus);
	if (b->n_gpus > 1)
		print_volume(name, b->leading_all_bytes);
}

/* ---------------------------------------------------------------------------------------------------------------- */

static int bounds_of(const struct options *o, struct tw__origin *origin, json_t *array, struct tw_error *err)
{
	for (int i = 0; i < tw__inputs_points(&o->inputs); i++) {
		struct tw__request request;
		struct tw__scene *scene;
		tw__inputs_point(&o->inputs, i, &request);
		int status = tw__scene_create_from(origin, &scene, &request, err);
		if (status < 0)
			return status;
		tw__scene_tell(origin, scene);
		const struct tw__bounded in = tw__scene_bounded(scene);
		struct tw__all_bounds b = {.critical_path_s = scene->critical_path_s, .area_s = scene->area_s};
		status = tw__bound_all(&b, &in, request.workload, &o->limits, err);
		if (status == TW_OK && o->json)
			tw__json_append(array, tw__bounds_json(&b, &in, request.platform, request.workload));
		else if (status == TW_OK)
			print_text(&b, scene, o);
		tw__scene_destroy(scene);
		if (status < 0)
			return status;
	}
	return TW_OK;
}

static int print_bounds(struct options *o)
{
	struct tw_error err;
	json_t *array = json_array();
	struct tw__origin origin = {0};
	int status = tw__check_factors(&o->inputs, &err);
	if (status == TW_OK)
		status = bounds_of(o, &origin, array, &err);
	if (status == TW_OK && o->json)
		tw__json_write(stdout, json_incref(array), TW__JSON_EXACT);
	json_decref(array);
	tw__origin_finish(&origin);
	return status < 0 ? cli_error(status, &err) : 0;
}

static int parse(struct options *o, int argc, char **argv)
{
	struct tw_error err;
	int exit_status = cli_parse(&command_bounds, argc, argv, o, &o->inputs);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	int status = tw__inputs_complete(&o->inputs, TW__FOR_BOUNDS, "bounds", TW__MOST_POINTS, &err);
	return status < 0 ? cli_error(status, &err) : CLI_GO_ON;
}

static int bounds(int argc, char **argv)
{
	struct options o = {.limits = TW__BOUNDS_LIMITS};
	tw__inputs_init(&o.inputs);
	o.inputs.common.lacks_emulate = true;
	int exit_status = parse(&o, argc, argv);
	if (exit_status < 0)
		exit_status = print_bounds(&o);
	tw__inputs_finish(&o.inputs);
	return exit_status;
}

const struct command command_bounds = {
	.name = "bounds",
	.summary = "print lower bounds of the makespan and of transfers",
	.usage = usage,
	.options = options,
	.inputs = TW__FOR_BOUNDS,
	.has_no_words = true,
	.run = bounds,
};
