/* All bounds of a graph on a platform, and their JSON. */
#include <math.h>

#include "base/json_text.h"
#include "bounds/bounds.h"

/* Returns the bytes of the smallest bounded memory of an accelerator; NAN if none is bounded. `*n`: the number of
 * accelerators. */
static double accelerator_bytes(const struct tw__platform *p, int *n)
{
	double least = INFINITY;
	*n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		const struct tw__node *node = &p->nodes[p->workers[w].node];
		if (!p->archs[p->workers[w].arch].accelerator || p->workers[w].stream > 0)
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

int tw__bound_all(struct tw__all_bounds *b, const struct tw__bounded *in, const char *workload,
                  const struct tw__bounds_limits *limits, struct tw_error *err)
{
	int status = leave_out(tw__bound_mixed(in, &b->mixed_s, err), &b->mixed_s, "area with critical path", err);
	if (status == TW_OK)
		status =
			leave_out(tw__bound_iterative(in, limits->rounds, limits->iterative_time_s, &b->iterative, err),
		                  &b->iterative.seconds, "iterative", err);
	/* fmax ignores bounds that were left out */
	double known_s = fmax(fmax(b->critical_path_s, b->area_s), fmax(b->mixed_s, b->iterative.seconds));
	if (b->iterative.timed_out)
		b->iterative.seconds = known_s;
	b->milp.seconds = NAN;
	if (status == TW_OK && limits->milp_time_s > 0)
		status = leave_out(tw__bound_milp(in, known_s, limits->milp_time_s, &b->milp, err), &b->milp.seconds,
		                   "MILP", err);
	if (status == TW_OK)
		status = tw__bound_bus(in, &b->bus, err);
	if (status == TW_OK && in->divided.graph)
		status = leave_out(tw__bound_divided(&b->divided, in, workload, err), &b->divided.area_s,
		                   "area of nodes", err);
	double memory = accelerator_bytes(in->platform, &b->n_gpus);
	b->overlapped_bytes = b->bus.bandwidth * b->area_s;
	b->leading_bytes = tw__leading_io_bytes(workload, in->graph, memory);
	b->leading_all_bytes = tw__leading_io_bytes(workload, in->graph, b->n_gpus * memory);
	return status;
}

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *divided_json(const struct tw__divided_bounds *d, const struct tw__bounded *in)
{
	const struct tw__platform *p = in->platform;
	const char *words = in->divided.distribution;
	return json_pack("{s:i, s:o, s:o, s:o, s:i, s:I, s:o}", "nodes", p->n_ranks, "distribution",
	                 words ? tw__json_text(words) : json_null(), "node_area_s", number(d->area_s), "greatest_node",
	                 tw__json_text(p->rank_names[d->rank]), "messages", (int)d->n_messages, "network_bytes",
	                 (json_int_t)d->message_bytes, "leading_network_bytes", number(d->leading_bytes));
}

json_t *tw__bounds_json(const struct tw__all_bounds *b, const struct tw__bounded *in, const char *platform,
                        const char *workload)
{
	json_t *all = json_pack(
		"{s:o, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o}",
		"platform", tw__json_text(platform), "workload", tw__json_text(workload), "cpus",
		tw__platform_processors(in->platform), "gpus", b->n_gpus, "tasks", (int)in->graph->n_tasks, "flops",
		number(in->graph->flops), "critical_path_s", number(b->critical_path_s), "area_s", number(b->area_s),
		"mixed_s", number(b->mixed_s), "iterative_s", number(b->iterative.seconds), "rounds",
		b->iterative.rounds, "iterative_timed_out", b->iterative.timed_out, "milp_s", number(b->milp.seconds),
		"milp_optimal", isfinite(b->milp.seconds) ? json_boolean(b->milp.optimal) : json_null(),
		"compulsory_bytes", (json_int_t)b->bus.compulsory_bytes, "compulsory_s", number(b->bus.seconds),
		"bus_bytes_per_s", number(b->bus.bandwidth), "bus_limit_bytes", number(b->overlapped_bytes),
		"leading_one_gpu_bytes", number(b->leading_bytes), "leading_all_gpus_bytes",
		number(b->leading_all_bytes));
	if (all && in->divided.graph)
		json_object_update_new(all, divided_json(&b->divided, in));
	return all;
}
