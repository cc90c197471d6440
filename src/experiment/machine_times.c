/* Kernel times of this machine. A time belongs to a kernel of one family with operands of certain sizes, on one arch. The store has all
 * that this process has measured: lines
 *
 *   SIGNATURE|KERNEL,ARCH,CORES,SIZE,PRECISION,REST
 *
 * where REST is the end of a row of kernels.csv, or NO_KERNEL. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/real/measure.h"
#include "experiment/digest.h"
#include "experiment/fork.h"
#include "experiment/machine.h"

#define MEASURE_FOR_S 3.0

/* The arch is a GPU that has no such kernel, or a group of cores, and the kernel computes in one part. */
#define NO_KERNEL "no kernel"

enum { MOST_KEY = 512 };

/* --- the store ---------------------------------------------------------------------------------------------------- */

/* Made at the first measurement. One thread measures at a time. */
static FILE *store;

static int begin(struct tw_error *err)
{
	if (!store && !(store = tmpfile()))
		return tw_fail(err, TW_FAILED, "no temporary file for kernel times: %s", strerror(errno));
	return TW_OK;
}

/* The store as it is now, malloc'ed. */
static int read_store(char **text, struct tw_error *err)
{
	off_t bytes = lseek(fileno(store), 0, SEEK_END);
	*text = bytes < 0 ? NULL : calloc((size_t)bytes + 1, 1);
	if (!*text)
		return tw_fail(err, TW_NOMEM, "out of memory for kernel times");
	if (pread(fileno(store), *text, (size_t)bytes, 0) == (ssize_t)bytes)
		return TW_OK;
	free(*text);
	*text = NULL;
	return tw_fail(err, TW_FAILED, "kernel times could not be read: %s", strerror(errno));
}

/* What follows the key in the line that begins with it; NULL: there is no such line. */
static const char *find_line(const char *text, const char *key)
{
	size_t bytes = strlen(key);
	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, key, bytes) == 0)
			return text + bytes;
	}
	return NULL;
}

static bool is_time(const char *rest) { return rest && strncmp(rest, NO_KERNEL, strlen(NO_KERNEL)) != 0; }

/* --- what a graph needs ------------------------------------------------------------------------------------------- */

struct needs {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	char (*signatures)[TW__DIGEST_TEXT]; /* [kernels] "": no task runs it */
};

/* Two kernels of one name may have operands of different sizes (QR's inner blocks), or do more with them. */
static void sign(struct needs *n, tw_kernel k, const char *family, const uint64_t *bytes, size_t n_operands)
{
	struct tw__digest d = tw__digest_start();
	tw__digest_word(&d, family);
	tw__digest_bytes(&d, &n->graph->kernels[k].flops, sizeof n->graph->kernels[k].flops);
	tw__digest_bytes(&d, bytes, n_operands * sizeof *bytes);
	tw__digest_print(&d, n->signatures[k]);
}

/* The first task of a kernel stands for all of them. Tasks that combine accumulators come during the run. */
static void sign_all(struct needs *n, const char *family)
{
	const struct tw_graph *g = n->graph;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		uint64_t bytes[TW_MAX_ACCESSES];
		size_t n_operands = 0;
		if (*n->signatures[g->kernel[t]])
			continue;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			bytes[n_operands++] = g->data_bytes[tw__access_data(g->access[a])];
		sign(n, g->kernel[t], family, bytes, n_operands);
	}
	for (int p = 0; p < g->n_phases; p++)
		sign(n, g->phases[p].combine, family, &g->data_bytes[g->phases[p].data], 1);
}

static int needs_init(struct needs *n, const struct tw_platform *platform, const struct tw_graph *graph,
                      const char *family, struct tw_error *err)
{
	*n = (struct needs){platform, graph, calloc((size_t)graph->n_kernels + 1, sizeof *n->signatures)};
	if (!n->signatures)
		return tw_fail(err, TW_NOMEM, "out of memory for kernel times");
	sign_all(n, family);
	return TW_OK;
}

/* The first five fields of a row of kernels.csv, and the comma. */
static void print_fields(const struct needs *n, tw_arch a, tw_kernel k, char *text, size_t room)
{
	const struct tw__kernel *kernel = &n->graph->kernels[k];
	const struct tw__arch *arch = &n->platform->archs[a];
	snprintf(text, room, "%s,%s,%d,%s,%s,", kernel->name, arch->name, arch->cores, kernel->size, kernel->precision);
}

/* What the store's text says of a kernel on an arch; NULL: nothing yet. */
static const char *find_time(const struct needs *n, const char *text, tw_arch a, tw_kernel k)
{
	char key[MOST_KEY];
	snprintf(key, sizeof key, "%s|", n->signatures[k]);
	print_fields(n, a, k, key + strlen(key), sizeof key - strlen(key));
	return find_line(text, key);
}

static bool is_known(const struct needs *n, const char *text)
{
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++)
			if (tw__has_worker(n->platform, a) && *n->signatures[k] && !find_time(n, text, a, k))
				return false;
	return true;
}

static bool has_cpu(const struct tw_platform *p)
{
	for (tw_worker w = 0; w < p->n_workers; w++)
		if (!p->archs[p->workers[w].arch].accelerator)
			return true;
	return false;
}

/* Some kernels run on one core alone. */
static int check_workers(const struct needs *n, const char *text, struct tw_error *err)
{
	for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
		bool runs = !*n->signatures[k];
		for (tw_arch a = 0; a < n->platform->n_archs; a++)
			runs |= tw__has_worker(n->platform, a) && is_time(find_time(n, text, a, k));
		if (!runs && !has_cpu(n->platform))
			return tw_fail(err, TW_INVALID,
			               "kernel '%.40s' does not run on GPUs: expected --cpus 1 at least",
			               n->graph->kernels[k].name);
		if (!runs)
			return tw_fail(err, TW_INVALID,
			               "--cpu-groups: kernel '%.40s' does not run on a group of cores, as it computes "
			               "in one part: expected a worker of one core too, as in 2+1",
			               n->graph->kernels[k].name);
	}
	return TW_OK;
}

/* --- measuring -------------------------------------------------------------------------------------------------- */

struct work {
	const struct needs *needs;
	const struct tw__real_config *config;
	uint64_t seed;
	const char *known; /* the store's text so far */
};

struct work_result {
	int status;
	struct tw_error err;
};

/* What was measured and is new. */
static void append(const struct work *w, const char *rows)
{
	const struct needs *n = w->needs;
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
			char fields[MOST_KEY];
			if (!tw__has_worker(n->platform, a) || !*n->signatures[k] || find_time(n, w->known, a, k))
				continue;
			print_fields(n, a, k, fields, sizeof fields);
			const char *rest = find_line(rows, fields);
			rest = rest ? rest : NO_KERNEL;
			fprintf(store, "%s|%s%.*s\n", n->signatures[k], fields, (int)strcspn(rest, "\n"), rest);
		}
}

static void measure(const void *arg, void *result)
{
	const struct work *w = arg;
	struct work_result *r = result;
	char *rows = NULL;
	size_t bytes;
	FILE *f = open_memstream(&rows, &bytes);
	r->status =
		f ? tw__real_measure(f, w->needs->platform, w->needs->graph, w->config, w->seed, MEASURE_FOR_S, &r->err)
		  : TW_NOMEM;
	if (!f || fclose(f) != 0)
		r->status = tw_fail(&r->err, TW_NOMEM, "out of memory for kernel times");
	if (r->status == TW_OK)
		append(w, rows);
	if (r->status == TW_OK && (fflush(store) || ferror(store)))
		r->status = tw_fail(&r->err, TW_FAILED, "kernel times could not be written: %s", strerror(errno));
	free(rows);
}

/* The engine that computes, with the parameters that the user gave it; with its defaults if another engine runs. */
static int find_real(struct tw__plan *plan, const struct tw__request *q, struct tw_error *err)
{
	int status = q->engine ? tw__find_engine(plan, q->engine, err) : TW_OK;
	if (status == TW_OK && plan->engine && (plan->engine->caps & TW__ENGINE_COMPUTES))
		return TW_OK;
	tw__plan_finish(plan);
	return status == TW_OK ? tw__find_engine(plan, "real", err) : status;
}

static int measure_in_child(const struct tw__request *q, const struct needs *needs,
                            const struct tw__workload_words *words, const char *known, struct tw_error *err)
{
	struct tw__plan real = {0};
	struct work_result result;
	int status = find_real(&real, q, err);
	if (status == TW_OK) {
		const struct tw__real_config config = {
			.args = real.engine_args,
			.workload = words->spec.name,
			.workload_args = words->args,
			.emulates = q->emulate != NULL,
		};
		const struct work work = {needs, &config, q->seed, known};
		long end = ftell(store);
		status = tw__fork_run(measure, &work, &result, sizeof result, err);
		if (status == TW_OK && result.status < 0)
			status = tw_fail(err, result.status, "%s", result.err.message);
		/* Lines of a child that has failed are cut off: the last may not be whole. */
		if (status < 0 && ftruncate(fileno(store), end) < 0)
			status = tw_fail(err, TW_FAILED, "kernel times could not be cut: %s", strerror(errno));
		fseek(store, 0, SEEK_END);
	}
	tw__plan_finish(&real);
	return status;
}

/* --- the models of one graph -------------------------------------------------------------------------------------- */

/* A kernel needs a time even if no task runs it. */
static void write_rows(FILE *f, const struct needs *n, const char *text)
{
	fprintf(f, "%s\n", tw__kernels_header);
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
			char fields[MOST_KEY];
			const char *rest = *n->signatures[k] ? find_time(n, text, a, k) : "1,0,1,no task runs it";
			print_fields(n, a, k, fields, sizeof fields);
			if (is_time(rest))
				fprintf(f, "%s%.*s\n", fields, (int)strcspn(rest, "\n"), rest);
		}
}

static int make_models(struct tw__models **models, const struct needs *n, const char *text, struct tw_error *err)
{
	char path[64];
	FILE *f = tmpfile();
	if (!f)
		return tw_fail(err, TW_FAILED, "no temporary file for kernel times: %s", strerror(errno));
	write_rows(f, n, text);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(f));
	int status = fflush(f) || ferror(f)
	                     ? tw_fail(err, TW_FAILED, "kernel times could not be written: %s", strerror(errno))
	                     : tw__models_read(models, path, err);
	fclose(f);
	return status == TW_OK ? tw__models_rename(*models, "kernel times of this machine", err) : status;
}

static int models_for(struct tw__models **models, const struct tw__request *q, const struct needs *needs,
                      const struct tw__workload_words *words, struct tw_error *err)
{
	char *text = NULL;
	int status = read_store(&text, err);
	if (status == TW_OK && !is_known(needs, text)) {
		status = measure_in_child(q, needs, words, text, err);
		free(text);
		text = NULL;
		if (status == TW_OK)
			status = read_store(&text, err);
	}
	if (status == TW_OK)
		status = check_workers(needs, text, err);
	if (status == TW_OK)
		status = make_models(models, needs, text, err);
	free(text);
	return status;
}

int tw__machine_models(struct tw__models **models, const struct tw__request *q, const struct tw_platform *platform,
                       const struct tw_graph *graph, struct tw_error *err)
{
	struct tw__workload_words words;
	struct needs needs = {0};
	*models = NULL;
	int status = tw__workload_words_init(&words, q->workload, err);
	if (status == TW_OK)
		status = begin(err);
	if (status == TW_OK)
		status = needs_init(&needs, platform, graph, words.spec.name, err);
	if (status == TW_OK)
		status = models_for(models, q, &needs, &words, err);
	free(needs.signatures);
	tw__workload_words_finish(&words);
	return status;
}
