#include "workloads/support/random_tasks.h"

#include <stdio.h>

/* The largest handle of a task: 64 GiB, so that the handles of the largest graph stay below 2^63 bytes. */
static const double max_bytes = 0x1p36;

int tw_random_tasks_init(struct tw_random_tasks *r, struct tw_graph *g, const struct tw_args *args,
                         const char *workload, struct tw_error *err)
{
	double flops = tw_args_real(args, "flops");
	double bytes_per_flop =
		tw_args_real(args, "ccr") / tw_args_real(args, "speed") * (double)tw_args_bytes(args, "bandwidth");
	*r = (struct tw_random_tasks){.graph = g, .n_kinds = (int)tw_args_int(args, "kinds")};
	if (flops * r->n_kinds * bytes_per_flop > max_bytes)
		return tw_fail(err, TW_INVALID,
		               "workload '%s': data of %.3g bytes: expected at most 64 GiB (a smaller ccr?)", workload,
		               flops * r->n_kinds * bytes_per_flop);
	for (int k = 0; k < r->n_kinds; k++) {
		char name[24], size[24];
		double work = round(flops * (k + 1));
		snprintf(name, sizeof name, "random%d", k + 1);
		snprintf(size, sizeof size, "%.0f", work);
		r->kinds[k].kernel = tw_graph_kernel(g, name, size, tw_args_text(args, "precision"), work);
		r->kinds[k].flops = work;
		r->kinds[k].bytes = (uint64_t)fmax(1, round(work * bytes_per_flop));
	}
	r->rng = tw_rng_create((uint64_t)tw_args_int(args, "seed"));
	return TW_OK;
}

void tw_random_tasks_finish(struct tw_random_tasks *r)
{
	tw_rng_destroy(r->rng);
	r->rng = NULL;
}

tw_data tw_random_tasks_submit(struct tw_random_tasks *r, const tw_data *inputs, int n_inputs)
{
	struct tw_access access[TW_MAX_RANDOM_INPUTS + 1];
	uint32_t kind = tw_rng_below(r->rng, (uint32_t)r->n_kinds);
	for (int i = 0; i < n_inputs; i++)
		access[i] = (struct tw_access){inputs[i], TW_R};
	tw_data output = tw_graph_data(r->graph, r->kinds[kind].bytes);
	access[n_inputs] = (struct tw_access){output, TW_W};
	tw_graph_submit(r->graph, r->kinds[kind].kernel, 0, access, n_inputs + 1);
	r->flops += r->kinds[kind].flops;
	return output;
}

int tw_random_tasks_width(struct tw_random_tasks *r, int width, double regular)
{
	double drawn = width * (1 + (1 - regular) * (2 * tw_rng_uniform(r->rng) - 1));
	return drawn < 1 ? 1 : (int)drawn;
}
