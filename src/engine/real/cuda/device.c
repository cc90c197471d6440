/* One GPU as a device: its arena, its thread, and the engine's operations on it. */
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "engine/real/cuda/codelets.h"
#include "platform/bind.h"

/* The number of open GPUs that need main memory to be pinned. It is pinned while there are any. */
static int n_open;

/* The GPU whose thread this is; NULL: this thread is not that of a GPU. */
static _Thread_local const struct tw__device *own;

/* --- the thread ------------------------------------------------------------------------------------------------- */

static void serve(void *arg)
{
	struct tw__device *d = arg;
	char why[160];
	if (d->core != TW_NONE && tw__bind_thread(d->core, why, sizeof why) < 0)
		tw_log(TW_LOG_WARNING, "engine 'real': the thread of '%s' is not bound to a core: %s", d->name, why);
	TW__CUDA(d, cudaSetDevice, d->index);
	own = d;
	sem_post(&d->is_ready);
	for (;;) {
		struct tw__post *post = d->n_under_way ? tw__seat_poll(&d->seat) : tw__seat_take(&d->seat);
		if (!post && !d->n_under_way)
			return;
		bool any = post;
		for (; post; post = tw__seat_poll(&d->seat))
			tw__streams_start(d, tw__job_of(post));
		any |= tw__streams_look(d);
		if (!any)
			sched_yield();
	}
}

static void device_give(struct tw__device *d, struct tw__job *job) { tw__seat_give(&d->seat, &job->post); }

/* --- before and after a run ------------------------------------------------------------------------------------- */

/* Unpins the first `n` main memories. */
static void unpin(struct tw__device *d, tw_node n)
{
	while (n-- > 0)
		TW__CUDA(d, cudaHostUnregister, d->engine->spaces.base[n]);
}

static bool pin(struct tw__device *d)
{
	const struct tw__spaces *s = &d->engine->spaces;
	if (tw_args_flag(d->engine->config.args, "pageable"))
		return true;
	for (tw_node n = 0; n_open == 0 && n < tw__n_mains(s->platform); n++)
		if (!TW__CUDA(d, cudaHostRegister, s->base[n], s->bytes[n], TW__CUDA_HOST_REGISTER_PORTABLE)) {
			unpin(d, n);
			return false;
		}
	n_open++;
	d->pins = true;
	return true;
}

static bool open_infos(struct tw__device *d)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (posix_memalign((void **)&d->host_info, page, page))
		return tw__cuda_good(d, "posix_memalign", 2);
	memset(d->host_info, 0, page);
	return TW__CUDA(d, cudaHostRegister, d->host_info, page, TW__CUDA_HOST_REGISTER_PORTABLE) &&
	       TW__CUDA(d, cudaMalloc, (void **)&d->info, TW__MOST_INFOS * sizeof(int));
}

/* Returns the codelet of a kernel for GPUs; NULL: the kernel runs on cores only. */
static const struct tw__cuda_codelet *codelet_of(const char *workload, const char *kernel)
{
	static const struct tw__cuda_codelet *const tables[] = {tw__cuda_square, tw__cuda_qr, tw__cuda_cells};
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		for (const struct tw__cuda_codelet *c = tables[i]; c->workload; c++)
			if (strcmp(c->workload, workload) == 0 && strcmp(c->kernel, kernel) == 0)
				return c;
	return NULL;
}

static bool device_has(const char *workload, const char *kernel)
{
	const struct tw__cuda_codelet *codelet = codelet_of(workload, kernel);
	return codelet && (!codelet->needs_image || tw__image_is_there());
}

static bool open_kernels(struct tw__device *d, const char *workload)
{
	const struct tw_graph *g = d->engine->graph;
	uint64_t most = 0;
	bool is_good = TW__CUBLAS(d, cublasCreate_v2, &d->blas) &&
	               TW__CUBLAS(d, cublasSetStream_v2, d->blas, d->streams[TW__LANE_KERNELS].cuda) &&
	               TW__CUSOLVER(d, cusolverDnCreate, &d->solver) &&
	               TW__CUSOLVER(d, cusolverDnSetStream, d->solver, d->streams[TW__LANE_KERNELS].cuda);
	for (tw_kernel k = 0; k < g->n_kernels && is_good; k++) {
		uint64_t bytes = 0;
		d->codelets[k] =
			device_has(workload, g->kernels[k].name) ? codelet_of(workload, g->kernels[k].name) : NULL;
		if (d->codelets[k] && d->codelets[k]->needs_image && !d->image)
			is_good = tw__image_open(d);
		if (d->codelets[k] && d->codelets[k]->work_bytes && is_good)
			is_good = d->codelets[k]->work_bytes(d, d->engine->family->shape, &bytes);
		most = bytes > most ? bytes : most;
	}
	d->work_bytes = most;
	return is_good && (!most || TW__CUDA(d, cudaMalloc, &d->work, most));
}

/* Ends the thread and waits for all streams. After a failure, kernels or copies may still be under way. */
static void device_stop(struct tw__device *d)
{
	if (d->has_stopped)
		return;
	d->has_stopped = true;
	tw__seat_close(&d->seat);
	if (d->runs)
		pthread_join(d->thread, NULL);
	d->had_failed = *d->why;
	*d->why = '\0';
	for (int i = 0; i < TW__N_LANES; i++)
		if (d->streams[i].cuda)
			TW__CUDA(d, cudaStreamSynchronize, d->streams[i].cuda);
}

/* Frees the libraries' handles and the kernels, which belong to the current GPU. */
static void close_kernels(struct tw__device *d)
{
	if (d->solver)
		TW__CUSOLVER(d, cusolverDnDestroy, d->solver);
	if (d->blas)
		TW__CUBLAS(d, cublasDestroy_v2, d->blas);
	tw__image_close(d);
}

static void device_close(struct tw__device *d)
{
	if (!d)
		return;
	device_stop(d);
	if (TW__CUDA(d, cudaSetDevice, d->index))
		close_kernels(d);
	tw__streams_close(d);
	TW__CUDA(d, cudaFree, d->info); /* d->info may be NULL, as for free() */
	TW__CUDA(d, cudaFree, d->work);
	TW__CUDA(d, cudaFree, d->arena);
	if (d->host_info)
		TW__CUDA(d, cudaHostUnregister, d->host_info);
	if (d->pins && --n_open == 0)
		unpin(d, tw__n_mains(d->engine->platform));
	if (*d->why && !d->had_failed) /* the run can no longer fail, so only warn */
		tw_log(TW_LOG_WARNING, "engine 'real': %s", d->why);
	sem_destroy(&d->is_ready);
	free(d->host_info);
	free(d->codelets);
	free(d);
}

/* Finds a core for the GPU's thread, near the GPU. */
static bool find_core(struct tw__device *d)
{
	char place[32] = "";
	if (!TW__CUDA(d, cudaDeviceGetPCIBusId, place, sizeof place, d->index))
		return false;
	d->core = tw__cores_take_near(d->engine, d->index, place);
	return true;
}

static bool open_all(struct tw__device *d, uint64_t arena_bytes)
{
	return TW__CUDA(d, cudaSetDevice, d->index) && find_core(d) && pin(d) &&
	       TW__CUDA(d, cudaMalloc, (void **)&d->arena, arena_bytes) && tw__streams_open(d) && open_infos(d) &&
	       open_kernels(d, d->engine->config.workload) && tw__cuda_warm_up(d, arena_bytes) &&
	       tw__cuda_enable_peers(d) && TW__CUDA(d, cudaStreamSynchronize, d->streams[TW__LANE_KERNELS].cuda);
}

/* Starts the GPU's thread, and waits until the GPU is its current one. */
static int start_thread(struct tw__device *d, struct tw_error *err)
{
	int status = tw__start_thread(d->engine, &d->thread, serve, d, d->name, err);
	if (status < 0)
		return status;
	d->runs = true;
	while (sem_wait(&d->is_ready) < 0)
		; /* a signal has interrupted the wait */
	return *d->why ? tw_fail(err, TW_FAILED, "engine 'real': %s", d->why) : TW_OK;
}

/* Checks that CUDA shows GPU `index`. Accelerators are the platform's first workers: worker i is CUDA's GPU i. */
static int check_count(const struct tw__cuda_api *api, int index, struct tw_error *err)
{
	int n, status = tw__cuda_count(api, &n, err);
	if (status < 0)
		return status;
	return index < n ? TW_OK : tw_fail(err, TW_INVALID, "CUDA shows %d GPU%s", n, n == 1 ? "" : "s");
}

static int device_open(struct tw__device **out, struct tw__engine *e, tw_worker worker, uint64_t arena_bytes,
                       struct tw_error *err)
{
	const struct tw__cuda_api *api;
	int status = tw__cuda_load(&api, err);
	if (status == TW_OK)
		status = check_count(api, worker, err);
	if (status == TW_OK)
		status = tw__cuda_load_kernels(err);
	if (status < 0)
		return status;
	struct tw__device *d = tw__aligned_room(sizeof *d);
	memset(d, 0, sizeof *d);
	tw__seat_init(&d->seat);
	sem_init(&d->is_ready, 0, 0);
	d->ops = &tw__device_cuda;
	d->engine = e;
	d->api = api;
	d->node = e->platform->workers[worker].node;
	d->name = e->platform->workers[worker].name;
	d->index = worker;
	d->codelets = tw_alloc((size_t)e->graph->n_kernels, sizeof *d->codelets);
	if (!open_all(d, arena_bytes))
		status = tw_fail(err, TW_FAILED, "engine 'real': %s", d->why);
	else
		status = start_thread(d, err);
	if (status < 0) {
		device_close(d);
		return status;
	}
	e->spaces.base[d->node] = d->arena;
	*out = d;
	return TW_OK;
}

bool tw__cuda_copy_inside(struct tw__device *d, void *to, const void *from, uint64_t bytes)
{
	return TW__CUDA(d, cudaMemcpyAsync, to, from, bytes, TW__CUDA_ON_DEVICE, d->streams[TW__LANE_KERNELS].cuda);
}

/* --- in turns, while nothing uses that memory --------------------------------------------------------------------- */

/* For tests: fills bytes with NaN, and waits for that, so that no stream overtakes it. The turn may run in the thread
 * of another GPU, which must be made current again afterwards. */
static void device_poison(struct tw__device *d, void *at, uint64_t bytes)
{
	tw__cuda_stream stream = d->streams[TW__LANE_PEERS].cuda;
	d->api->cudaSetDevice(d->index);
	d->api->cudaMemsetAsync(at, 0xff, bytes, stream);
	d->api->cudaStreamSynchronize(stream);
	if (own && own != d)
		d->api->cudaSetDevice(own->index);
}

/* Copies from the GPU to main memory, and waits. Called after the run. */
static int device_fetch(struct tw__device *d, void *target, const void *source, uint64_t bytes, struct tw_error *err)
{
	tw__cuda_stream stream = d->streams[TW__LANE_TO_HOST].cuda;
	bool is_good = TW__CUDA(d, cudaSetDevice, d->index) &&
	               TW__CUDA(d, cudaMemcpyAsync, target, source, bytes, TW__CUDA_TO_HOST, stream) &&
	               TW__CUDA(d, cudaStreamSynchronize, stream);
	return is_good ? TW_OK : tw_fail(err, TW_FAILED, "%s", d->why);
}

const struct tw__device_ops tw__device_cuda = {
	.has = device_has,
	.detect = tw__cuda_detect,
	.open = device_open,
	.launch = device_give,
	.copy = device_give,
	.poison = device_poison,
	.fetch = device_fetch,
	.stop = device_stop,
	.close = device_close,
};
