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
	int rounds;
	double milp_time_s;
	bool json;
};

static const struct cli_option options[] = {
	{.type = CLI_INPUTS},
	{"rounds", "N", SETS(CLI_INT, rounds), .most = INT_MAX,
         .help = "Stops the iterative bound after N rounds. With fewer rounds it is lower, but still a bound. "
                 "Default: 400."},
	{"milp-time", "SECONDS", SETS(CLI_REAL, milp_time_s), .most = 1e6,
         .help = "Limits the time of the integer program, which gives a further bound for graphs of at most 60 "
                 "tasks. At the limit, the best bound proven so far is printed. 0 skips it. Default: 3."},
	{"format", "text|json", SETS(CLI_JSON, json), .help = "Prints the bounds in this format. Default: 'text'."},
	{0},
};

struct bounds {
	double critical_path_s, area_s, mixed_s, iterative_s, overlapped_bytes, leading_bytes, leading_all_bytes;
	int rounds, n_gpus;
	struct tw__bus_bounds bus;
	struct tw__milp milp;
};

/* Returns the bytes of the smallest bounded memory of an accelerator; NAN if none is bounded. `*n`: the number of
 * accelerators. */
static double accelerator_bytes(const struct tw__platform *p, int *n)
{
	double least = INFINITY;
	*n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		const struct tw__node *node = &p->nodes[p->workers[w].node];
		if (!p->archs[p->workers[w].arch].accelerator)
			continue;
		uint64_t bytes = node->limit_bytes ? node->limit_bytes : node->memory_bytes;
		least = fmin(least, bytes ? (double)bytes : INFINITY);
		++*n;
	}
	return isinf(least) ? NAN : least;
}

/* A bound that memory does not suffice for is left out: it becomes NAN. Other errors stay. */
static int leave_out(int status, double *seconds, const char *name, struct tw_error *err)
{
	if (status != TW_NOMEM)
		return status;
	tw_log(TW_LOG_WARNING, "the bound '%s' is left out: %s", name, err->message);
	*seconds = NAN;
	return TW_OK;
}

static int compute(struct bounds *b, const struct tw__scene *scene, const struct options *o, struct tw_error *err)
{
	const struct tw__bounded in = {scene->platform, scene->graph, &scene->times};
	*b = (struct bounds){.critical_path_s = scene->critical_path_s, .area_s = scene->area_s};
	int status = leave_out(tw__bound_mixed(&in, &b->mixed_s, err), &b->mixed_s, "area with critical path", err);
	if (status == TW_OK)
		status = leave_out(tw__bound_iterative(&in, o->rounds, &b->iterative_s, &b->rounds, err),
		                   &b->iterative_s, "iterative", err);
	/* fmax ignores bounds that were left out */
	double known_s = fmax(fmax(b->critical_path_s, b->area_s), fmax(b->mixed_s, b->iterative_s));
	b->milp.seconds = NAN;
	if (status == TW_OK && o->milp_time_s > 0)
		status = leave_out(tw__bound_milp(&in, known_s, o->milp_time_s, &b->milp, err), &b->milp.seconds,
		                   "MILP", err);
	if (status == TW_OK)
		status = tw__bound_bus(&in, &b->bus, err);
	double memory = accelerator_bytes(scene->platform, &b->n_gpus);
	b->overlapped_bytes = b->bus.bandwidth * b->area_s;
	b->leading_bytes = tw__leading_io_bytes(scene->request->workload, scene->graph, memory);
	b->leading_all_bytes = tw__leading_io_bytes(scene->request->workload, scene->graph, b->n_gpus * memory);
	return status;
}

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

static void print_text(const struct bounds *b, const struct tw__scene *scene, const struct options *o)
{
	char name[80];
	double flops = scene->graph->flops;
	printf("%s on %s, %d CPU%s + %d GPU%s: %d tasks\n", scene->request->workload, scene->request->platform,
	       scene->cpus, scene->cpus == 1 ? "" : "s", scene->gpus, scene->gpus == 1 ? "" : "s",
	       (int)scene->graph->n_tasks);
	print_time("critical path", b->critical_path_s, flops);
	print_time("area", b->area_s, flops);
	print_time("area with critical path", b->mixed_s, flops);
	snprintf(name, sizeof name, "iterative (%d round%s)", b->rounds, b->rounds == 1 ? "" : "s");
	print_time(name, b->iterative_s, flops);
	if (b->milp.optimal)
		snprintf(name, sizeof name, "MILP: the best schedule without transfers");
	else
		snprintf(name, sizeof name, "MILP: proven within %g s", o->milp_time_s);
	if (isfinite(b->milp.seconds))
		print_time(name, b->milp.seconds, flops);
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

/* --- JSON ------------------------------------------------------------------------------------------------------- */

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *object(const struct bounds *b, const struct tw__scene *scene)
{
	return json_pack(
		"{s:o, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o}",
		"platform", tw__json_text(scene->request->platform), "workload",
		tw__json_text(scene->request->workload), "cpus", scene->cpus, "gpus", scene->gpus, "tasks",
		(int)scene->graph->n_tasks, "flops", number(scene->graph->flops), "critical_path_s",
		number(b->critical_path_s), "area_s", number(b->area_s), "mixed_s", number(b->mixed_s), "iterative_s",
		number(b->iterative_s), "rounds", b->rounds, "milp_s", number(b->milp.seconds), "milp_optimal",
		isfinite(b->milp.seconds) ? json_boolean(b->milp.optimal) : json_null(), "compulsory_bytes",
		(json_int_t)b->bus.compulsory_bytes, "compulsory_s", number(b->bus.seconds), "bus_bytes_per_s",
		number(b->bus.bandwidth), "bus_limit_bytes", number(b->overlapped_bytes), "leading_one_gpu_bytes",
		number(b->leading_bytes), "leading_all_gpus_bytes", number(b->leading_all_bytes));
}

/* ---------------------------------------------------------------------------------------------------------------- */

static int bounds_of(const struct options *o, struct tw__origin *origin, json_t *array, struct tw_error *err)
{
	for (int i = 0; i < tw__inputs_points(&o->inputs); i++) {
		struct tw__request request;
		struct tw__scene *scene;
		struct bounds b;
		tw__inputs_point(&o->inputs, i, &request);
		int status = tw__scene_create_from(origin, &scene, &request, err);
		if (status < 0)
			return status;
		tw__scene_tell(origin, scene);
		status = compute(&b, scene, o, err);
		if (status == TW_OK && o->json)
			json_array_append_new(array, object(&b, scene));
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
	int status = tw__check_speedup(&o->inputs, &err);
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
	int exit_status = cli_parse(&command_bounds, argc, argv, o, &o->inputs, NULL);
	if (exit_status != CLI_GO_ON)
		return exit_status;
	int status = tw__inputs_complete(&o->inputs, TW__FOR_BOUNDS, "bounds", TW__MOST_POINTS, &err);
	return status < 0 ? cli_error(status, &err) : CLI_GO_ON;
}

static int bounds(int argc, char **argv)
{
	struct options o = {.rounds = 400, .milp_time_s = 3};
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
