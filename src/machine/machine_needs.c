#include "machine/machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *tw__needs_line(const char *text, const char *key)
{
	size_t bytes = strlen(key);
	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, key, bytes) == 0)
			return text + bytes;
	}
	return NULL;
}

static bool is_time(const char *rest) { return rest && strncmp(rest, TW__NO_KERNEL, strlen(TW__NO_KERNEL)) != 0; }

/* --- kernels of a graph ------------------------------------------------------------------------------------------- */

/* Sets the signature of kernel k. Kernels of one name may have operands of different sizes (QR's inner blocks), or
 * different flops, so the signature depends on both. */
static void sign(struct tw__needs *n, tw_kernel k, const char *family, const uint64_t *bytes, size_t n_operands)
{
	struct tw__digest d = tw__digest_start();
	tw__digest_word(&d, family);
	tw__digest_bytes(&d, &n->graph->kernels[k].flops, sizeof n->graph->kernels[k].flops);
	tw__digest_bytes(&d, bytes, n_operands * sizeof *bytes);
	tw__digest_print(&d, n->signatures[k]);
}

/* Signs each kernel by the operands of its first task. Kernels that combine accumulators are signed by the phases, as
 * their tasks are appended during the run. */
static void sign_all(struct tw__needs *n, const char *family)
{
	const struct tw_graph *g = n->graph;
	uint64_t *bytes = tw_alloc((size_t)tw_graph_most_accesses(g), sizeof *bytes);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		size_t n_operands = 0;
		if (*n->signatures[g->kernel[t]])
			continue;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			bytes[n_operands++] = g->data_bytes[tw__access_data(g->access[a])];
		sign(n, g->kernel[t], family, bytes, n_operands);
	}
	free(bytes);
	for (int p = 0; p < g->n_phases; p++)
		sign(n, g->phases[p].combine, family, &g->data_bytes[g->phases[p].data], 1);
}

void tw__needs_init(struct tw__needs *n, const struct tw__platform *platform, const struct tw_graph *graph,
                    const char *family)
{
	*n = (struct tw__needs){platform, graph, tw_alloc((size_t)graph->n_kernels, sizeof *n->signatures)};
	sign_all(n, family);
}

void tw__needs_fields(const struct tw__needs *n, tw_arch a, tw_kernel k, char *text, size_t room)
{
	const struct tw__kernel *kernel = &n->graph->kernels[k];
	const struct tw__arch *arch = &n->platform->archs[a];
	snprintf(text, room, "%s,%s,%d,%s,%s,", kernel->name, arch->name, arch->cores, kernel->size, kernel->precision);
}

const char *tw__needs_time(const struct tw__needs *n, const char *text, tw_arch a, tw_kernel k)
{
	char key[TW__MOST_KEY];
	snprintf(key, sizeof key, "%s|", n->signatures[k]);
	tw__needs_fields(n, a, k, key + strlen(key), sizeof key - strlen(key));
	return tw__needs_line(text, key);
}

bool tw__needs_are_known(const struct tw__needs *n, const char *text)
{
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++)
			if (tw__has_worker(n->platform, a) && *n->signatures[k] && !tw__needs_time(n, text, a, k))
				return false;
	return true;
}

/* Checks that each kernel can run on some worker: sequential kernels run on workers of one core only. */
int tw__needs_check_workers(const struct tw__needs *n, const char *text, struct tw_error *err)
{
	for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
		bool runs = !*n->signatures[k];
		for (tw_arch a = 0; a < n->platform->n_archs; a++)
			runs |= tw__has_worker(n->platform, a) && is_time(tw__needs_time(n, text, a, k));
		if (!runs && n->platform->n_workers == tw__platform_accelerators(n->platform))
			return tw_fail(err, TW_INVALID,
			               "kernel '%.40s' does not run on GPUs: expected --cpus 1 at least",
			               n->graph->kernels[k].name);
		if (!runs)
			return tw_fail(
				err, TW_INVALID,
				"--cpu-groups: kernel '%.40s' does not run on a group of cores, as it is sequential: "
				"expected also a worker of one core, as in 2+1",
				n->graph->kernels[k].name);
	}
	return TW_OK;
}

/* --- the models of one graph -------------------------------------------------------------------------------------- */

/* Writes the times as a kernels.csv. A kernel that no task runs gets a dummy row, as each kernel of a graph needs a
 * time. */
static void write_rows(FILE *f, const struct tw__needs *n, const char *text)
{
	fprintf(f, "%s\n", tw__kernels_header);
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
			char fields[TW__MOST_KEY];
			const char *rest = *n->signatures[k] ? tw__needs_time(n, text, a, k) : "1,0,1,no task runs it";
			tw__needs_fields(n, a, k, fields, sizeof fields);
			if (is_time(rest))
				fprintf(f, "%s%.*s\n", fields, (int)strcspn(rest, "\n"), rest);
		}
}

int tw__needs_models(struct tw__models **models, const struct tw__needs *n, const char *text, struct tw_error *err)
{
	char path[64];
	FILE *f = tmpfile();
	if (!f)
		return tw_fail(err, TW_SYSTEM, "no temporary file for kernel times: %s", strerror(errno));
	write_rows(f, n, text);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(f));
	int status = fflush(f) || ferror(f)
	                     ? tw_fail(err, TW_SYSTEM, "kernel times could not be written: %s", strerror(errno))
	                     : tw__models_read(models, path, n->platform, err);
	fclose(f);
	if (status == TW_OK)
		tw__models_rename(*models, "kernel times of this machine");
	return status;
}
