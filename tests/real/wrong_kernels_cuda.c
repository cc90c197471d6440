/* Wrong kernels on GPUs. A faulty codelet replaces the right one from the start; it calls the right one, except for
 * one job. */
#include <stdatomic.h>
#include <string.h>

#include "engine/real/cuda/cuda.h"
#include "wrong_kernels.h"

static const struct tw__cuda_codelet *right, *syrk;
static struct tw__cuda_codelet planted;
static const struct tw_operand *_Atomic operands; /* of the job; NULL: no job is expected */
static enum wrong how;

static tw__cuda_stream stream_of(const struct tw__cuda_call *c) { return c->device->streams[TW__LANE_KERNELS].cuda; }

static bool set(const struct tw__cuda_call *c, void *at, int value, uint64_t bytes)
{
	return c->device->api->cudaMemsetAsync(at, value, bytes, stream_of(c)) == TW__CUDA_SUCCESS;
}

static bool flip(const struct tw__cuda_call *c, int byte)
{
	const struct tw__cuda_api *api = c->device->api;
	unsigned char *at = (unsigned char *)wrong_kernel_result(c->operands, c->n_operands)->at + byte, value;
	if (api->cudaMemcpyAsync(&value, at, 1, TW__CUDA_TO_HOST, stream_of(c)) ||
	    api->cudaStreamSynchronize(stream_of(c)))
		return false;
	return set(c, at, value ^ 0x20, 1);
}

/* Runs copies in the stream, at the unused end of the arena, so that copies of other streams continue. */
static bool take_time(const struct tw__cuda_call *c)
{
	const struct tw__device *d = c->device;
	uint64_t arena_bytes = d->engine->platform->nodes[d->node].limit_bytes, bytes = arena_bytes / 4;
	char *at = d->arena + arena_bytes - bytes;
	bool good = true;
	for (int i = 0; i < 20 && good; i++)
		good = d->api->cudaMemcpyAsync(at, at - bytes, bytes, TW__CUDA_ON_DEVICE, stream_of(c)) ==
		       TW__CUDA_SUCCESS;
	return good;
}

static bool run_wrong(const struct tw__cuda_call *c)
{
	switch (how) {
	case LEFT_OUT:
		return true;
	case RUN_TWICE:
		return right->run(c) && right->run(c);
	case REPORTS_AN_ERROR:
		return right->run(c) && set(c, c->info, 7, sizeof *c->info);
	case LEAVES_A_NAN:
		return right->run(c) && set(c, wrong_kernel_result(c->operands, c->n_operands)->at, 0xff, 8);
	case FLIPS_A_BIT:
		return right->run(c) && flip(c, 2);
	case FLIPS_A_BIT_OF_DOUBLE:
		return right->run(c) && flip(c, 5);
	case IS_SYRK:
		return syrk->run(c);
	case TAKES_ITS_TIME:
		return take_time(c) && right->run(c);
	case COMPUTES_THE_FIRST_PART: /* GPUs have no parts */
	case N_WRONGS:
		break;
	}
	return false;
}

static bool run(const struct tw__cuda_call *c)
{
	if (c->operands != operands)
		return right->run(c);
	operands = NULL;
	return run_wrong(c);
}

static void plant(const struct tw_graph *g, struct tw__device *d, const char *kernel)
{
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		if (strcmp(g->kernels[k].name, "syrk") == 0)
			syrk = d->codelets[k];
		if (!d->codelets[k] || strcmp(g->kernels[k].name, kernel) != 0)
			continue;
		right = d->codelets[k];
		planted = *right;
		planted.run = run;
		planted.tells_info = true;
		d->codelets[k] = &planted;
	}
}

void wrong_kernels_cuda_init(struct tw__engine *e, const char *kernel)
{
	for (tw_node n = 0; kernel && n < e->platform->n_nodes; n++)
		if (e->devices[n])
			plant(e->graph, e->devices[n], kernel);
}

void wrong_kernel_cuda(struct tw__engine *e, struct tw__job *j, enum wrong wrong)
{
	(void)e;
	how = wrong;
	operands = j->operands;
}

void wrong_copy_cuda(struct tw__engine *e, const struct tw__job *j)
{
	bool to_host = j->to == TW_RAM;
	struct tw__device *d = e->devices[to_host ? j->from : j->to];
	tw__cuda_stream stream = d->streams[TW__LANE_PEERS].cuda;
	d->api->cudaMemcpyAsync(j->target, j->source, j->bytes, to_host ? TW__CUDA_TO_HOST : TW__CUDA_TO_DEVICE,
	                        stream);
	d->api->cudaStreamSynchronize(stream);
}
