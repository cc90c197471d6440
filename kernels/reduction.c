/* Kernels of workload reduction: random points in the unit square are counted if they lie in the quarter circle. Handle
 * 0: the number of such hits, stored in each of its doubles. Handle 1 (optional): scratch, where a task stores its
 * random numbers until it has counted them. */

#include <tilewright/kernels.h>

#include "matrix.h"
#include "parts.h"

struct shape {
	int64_t n_tasks, shots;
	uint64_t doubles;
};

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	uint64_t bytes = tw_args_bytes(args, "bytes");
	double all = (double)tw_args_int(args, "n") * (double)tw_args_int(args, "shots");
	if (bytes % sizeof(double))
		return tw_fail(err, TW_INVALID,
		               "workload 'reduction': bytes=%llu: no real kernels: expected a multiple of %zu",
		               (unsigned long long)bytes, sizeof(double));
	if (all > 0x1p53)
		return tw_fail(
			err, TW_INVALID,
			"workload 'reduction': no real kernels: %.3g shots: expected at most 2^53, which a double "
			"counts",
			all);
	if (tw_args_bytes(args, "scratch") % sizeof(uint64_t))
		return tw_fail(err, TW_INVALID,
		               "workload 'reduction': scratch=%llu: no real kernels: expected a multiple of %zu",
		               (unsigned long long)tw_args_bytes(args, "scratch"), sizeof(uint64_t));
	struct shape *s = shape;
	*s = (struct shape){tw_args_int(args, "n"), tw_args_int(args, "shots"), bytes / sizeof(double)};
	return TW_OK;
}

/* Of a shot's 64 random bits, the uppermost 26 and the next 26 are the coordinates of a point. With so few bits, the
 * squares of coordinates and their sum are exact in double precision. */
enum { COORDINATE_BITS = 26 };

static uint64_t shot_of(uint64_t seed, int64_t number) { return tw__random_bits(seed, (uint64_t)number); }
static int32_t x_of(uint64_t shot) { return (int32_t)(shot >> (64 - COORDINATE_BITS)); }
static int32_t y_of(uint64_t shot) { return (int32_t)(shot << COORDINATE_BITS >> (64 - COORDINATE_BITS)); }

/* Returns the seed of a task: each task has its own sequence of random numbers. */
static uint64_t seed_of(uint64_t seed, int64_t task) { return tw__mix(tw__mix(seed) + (uint64_t)task); }

/* --- codelets ----------------------------------------------------------------------------------------------------- */

static int zero(const struct tw_call *call)
{
	double *result = call->operands[0].at;
	for (uint64_t i = 0; i < call->operands[0].bytes / sizeof *result; i++)
		result[i] = 0;
	return 0;
}

static int hits(uint64_t shot)
{
	double x = x_of(shot) * 0x1p-26, y = y_of(shot) * 0x1p-26;
	return x * x + y * y < 1;
}

/* Draws as many points as fit into the scratch, then counts them, until all points are done. */
static int64_t count_by_blocks(const struct shape *s, uint64_t seed, uint64_t *room, int64_t most)
{
	int64_t n = 0;
	for (int64_t from = 0; from < s->shots; from += most) {
		int64_t block = s->shots - from < most ? s->shots - from : most;
		for (int64_t i = 0; i < block; i++)
			room[i] = shot_of(seed, from + i);
		for (int64_t i = 0; i < block; i++)
			n += hits(room[i]);
	}
	return n;
}

static int shoot(const struct tw_call *call)
{
	const struct shape *s = call->shape;
	const struct tw_operand *result = &call->operands[0], *scratch = call->operands + 1;
	uint64_t seed = seed_of(call->seed, call->task);
	int64_t n = 0;
	if (call->n_operands > 1)
		n = count_by_blocks(s, seed, scratch->at, (int64_t)(scratch->bytes / sizeof(uint64_t)));
	for (int64_t i = 0; i < s->shots && call->n_operands == 1; i++)
		n += hits(shot_of(seed, i));
	double *sum = result->at;
	for (uint64_t i = 0; i < result->bytes / sizeof *sum; i++)
		sum[i] = (result->mode & TW_R ? sum[i] : 0) + (double)n;
	return 0;
}

/* Adds the first operand to the second one. */
static int add(const struct tw_call *call)
{
	const double *more = call->operands[0].at;
	double *result = call->operands[1].at;
	struct tw__range share = tw__share(call, (int64_t)(call->operands[1].bytes / sizeof *result), 8);
	for (int64_t i = share.from; i < share.from + share.n; i++)
		result[i] += more[i];
	return 0;
}

static const struct tw_codelet codelets[] = {
	{"zero", zero, NULL, false},
	{"shoot", shoot, NULL, false},
	{"add", add, NULL, true},
	{0},
};

/* --- check -------------------------------------------------------------------------------------------------------- */

/* Does nothing, because the first task writes the result before any task reads it. */
static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)shape, (void)seed, (void)d, (void)at, (void)bytes;
}

/* Counts the hits of all tasks again, with integers and in reverse order. */
static double count_hits(const struct shape *s, uint64_t seed)
{
	const int64_t radius = 1 << COORDINATE_BITS;
	double hits = 0;
	for (int64_t task = s->n_tasks; task >= 1; task--) {
		uint64_t own = seed_of(seed, task);
		int64_t in_task = 0;
		for (int64_t i = s->shots - 1; i >= 0; i--) {
			uint64_t shot = shot_of(own, i);
			int64_t x = x_of(shot), y = y_of(shot);
			in_task += x * x + y * y < radius * radius;
		}
		hits += (double)in_task;
	}
	return hits;
}

/* Sets the residual to the greatest error of a double of the result, relative to the hits; it must be 0. */
static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	const struct shape *s = shape;
	const double *result = at[0];
	double hits = count_hits(s, seed);
	*residual = 0;
	for (uint64_t i = 0; i < s->doubles; i++)
		*residual = tw__worse(*residual, fabs(result[i] - hits) / (hits > 0 ? hits : 1));
	return tw__verdict("reduction", "the greatest error of the hits", *residual, 0, err);
}

const struct tw_kernels tw_kernels_reduction = {
	.abi = TW_KERNELS_ABI,
	.workload = "reduction",
	.codelets = codelets,
	.shape_bytes = sizeof(struct shape),
	.open = open_shape,
	.fill = fill,
	.check = check,
};
