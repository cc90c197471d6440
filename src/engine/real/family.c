#include "engine/real/family.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/memory.h"
#include "base/module.h"
#include "graph/reduction.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNDER_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER
#endif

/* The plug-in's BLAS must take precedence over any other BLAS in the process, because libraries of Tilewright load a
 * slow one. RTLD_DEEPBIND does this; the address and thread sanitizers do not support it. BLAS may have its own
 * threads, so RTLD_NODELETE keeps its code loaded after dlclose. */
#ifdef UNDER_SANITIZER
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };
#else
enum { OPEN_FLAGS = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | RTLD_DEEPBIND };
#endif

static int unknown(const struct tw_kernels *const *table, const char *workload, struct tw_error *err)
{
	char known[256] = "";
	size_t used = 0;
	for (int i = 0; table[i]; i++)
		if (used < sizeof known)
			used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
			                         table[i]->workload);
	return tw_fail(err, TW_INVALID, "workload '%.80s' has no real kernels: expected one of %s", workload, known);
}

static bool is_complete(const struct tw_kernels *k)
{
	for (const struct tw_codelet *c = k->codelets; c && c->kernel; c++)
		if (!c->run)
			return false;
	return k->codelets && k->open && k->fill && k->check;
}

static int find(struct tw__family *f, const char *path, const char *workload, struct tw_error *err)
{
	const struct tw_kernels *const *table = dlsym(f->library, "tilewright_kernels");
	if (!table)
		return tw_fail(err, TW_FAILED, "%.200s: no kernels: expected a table tilewright_kernels", path);
	for (int i = 0; table[i] && !f->kernels; i++) {
		if (strcmp(table[i]->workload, workload) != 0)
			continue;
		if (table[i]->abi != TW_KERNELS_ABI)
			return tw_fail(err, TW_FAILED,
			               "%.200s: kernels for interface %d of %d bytes: expected %d of %d", path,
			               table[i]->abi >> 16, table[i]->abi & 0xffff, TW_KERNELS_ABI >> 16,
			               TW_KERNELS_ABI & 0xffff);
		if (!is_complete(table[i]))
			return tw_fail(err, TW_FAILED,
			               "%.200s: workload '%.80s': expected codelets with run, open, fill and check",
			               path, workload);
		f->kernels = table[i];
	}
	return f->kernels ? TW_OK : unknown(table, workload, err);
}

static const struct tw_codelet *codelet_named(const struct tw_kernels *kernels, const char *name)
{
	const struct tw_codelet *c = kernels->codelets;
	while (c->kernel && strcmp(c->kernel, name) != 0)
		c++;
	return c->kernel ? c : NULL;
}

static int map_kernels(struct tw__family *f, const struct tw_graph *g, struct tw_error *err)
{
	int n = tw_graph_n_kernels(g);
	f->codelets = tw_alloc((size_t)n, sizeof *f->codelets);
	for (tw_kernel k = 0; k < n; k++) {
		const struct tw_codelet *c = codelet_named(f->kernels, tw_graph_kernel_name(g, k));
		if (!c)
			return tw_fail(err, TW_INVALID, "workload '%s': kernel '%.80s' has no real kernel",
			               f->kernels->workload, tw_graph_kernel_name(g, k));
		f->codelets[k] = c;
		uint64_t bytes = c->workspace_bytes ? c->workspace_bytes(f->shape) : 0;
		f->workspace_bytes = bytes > f->workspace_bytes ? bytes : f->workspace_bytes;
	}
	return TW_OK;
}

/* Loading BLAS would start threads that no kernel uses. The variable is put back, for programs that this one starts. */
static void *open_library(const char *path)
{
	static const char variable[] = "OPENBLAS_NUM_THREADS";
	char *before = getenv(variable) ? tw_copy_text(getenv(variable)) : NULL;
	setenv(variable, "1", 1);
	void *library = tw__library_open(path, OPEN_FLAGS);
	if (before)
		setenv(variable, before, 1);
	else
		unsetenv(variable);
	free(before);
	return library;
}

static int load(struct tw__family *f, const char *workload, const struct tw_args *args, const struct tw_graph *g,
                struct tw_error *err)
{
	char room[TW__PATH_BYTES];
	const char *own = getenv("TILEWRIGHT_KERNELS");
	const char *path = own && *own ? own : tw__module_path(room, TW__KERNELS_BUILT);
	f->library = open_library(path);
	if (!f->library) {
		const char *reason = dlerror();
		return tw_fail(err, TW_FAILED, "%.200s: no plug-in with real kernels: %.200s", path,
		               reason ? reason : "unknown");
	}
	int status = find(f, path, workload, err);
	if (status < 0)
		return status;
	f->shape = tw_alloc(1, f->kernels->shape_bytes);
	tw__wrong_calls_forget();
	status = f->kernels->open(f->shape, args, err);
	if (status == TW_OK && tw__wrong_calls_first())
		status = tw_fail(err, TW_FAILED, "kernels of '%.100s': %s", workload, tw__wrong_calls_first());
	return status == TW_OK ? map_kernels(f, g, err) : status;
}

int tw__family_open(struct tw__family **family, const char *workload, const struct tw_args *args,
                    const struct tw_graph *g, struct tw_error *err)
{
	*family = NULL;
	struct tw__family *f = tw_alloc(1, sizeof *f);
	int status = load(f, workload, args, g, err);
	if (status == TW_OK)
		*family = f;
	else
		tw__family_close(f);
	return status;
}

void tw__family_close(struct tw__family *f)
{
	if (!f)
		return;
	if (f->library)
		tw__library_close(f->library);
	free(f->shape);
	free(f->codelets);
	free(f);
}

/* --- serial runs -------------------------------------------------------------------------------------------------- */

static int run_task(const struct tw_graph *g, const struct tw__family *f, uint64_t seed, void *const *at, tw_task t,
                    void *workspace, struct tw_operand *operands, struct tw_error *err)
{
	const int n = tw_graph_n_accesses(g, t);
	for (int i = 0; i < n; i++) {
		const struct tw_access access = tw_graph_access(g, t, i);
		const uint64_t bytes = tw_graph_data_bytes(g, access.data);
		operands[i] = (struct tw_operand){
			.at = access.mode == TW_SCRATCH ? tw__aligned_room(bytes) : at[access.data],
			.bytes = bytes,
			.mode = access.mode == TW_REDUX ? TW_REDUX | TW_RW : (unsigned)access.mode,
		};
	}
	const struct tw_call call = tw__family_call(f, seed, t, workspace, operands, n);
	const tw_kernel kernel = tw_graph_task_kernel(g, t);
	int code = f->codelets[kernel]->run(&call);
	for (int i = 0; i < n; i++)
		if (operands[i].mode == TW_SCRATCH)
			free(operands[i].at);
	return code ? tw_fail(err, TW_FAILED, "task %d: kernel '%.80s' failed: %d", t, tw_graph_kernel_name(g, kernel),
	                      code)
	            : TW_OK;
}

int tw__serial_run(const struct tw_graph *g, const struct tw__family *f, uint64_t seed, void *const *at,
                   void (*before)(void *context, tw_task), void *context, struct tw_error *err)
{
	void *workspace = tw__aligned_room(f->workspace_bytes);
	struct tw_operand *operands = tw_alloc((size_t)tw_graph_most_accesses(g), sizeof *operands);
	int status = TW_OK;
	for (tw_task t = 0; status == TW_OK && t < tw__graph_own_tasks(g); t++) {
		if (before)
			before(context, t);
		status = run_task(g, f, seed, at, t, workspace, operands, err);
	}
	free(operands);
	free(workspace);
	return status;
}
