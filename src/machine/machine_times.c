/* Measures kernel times of this machine. A temporary file, the store, keeps all times that this process has measured,
 * as lines of the format of struct tw__needs. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/memory.h"
#include "engine/real/config.h"
#include "engine/real/family.h"
#include "machine/machine.h"
#include "request/plugins.h"
#include "request/workload.h"
#include "process/fork.h"

#define MEASURE_FOR_S 3.0

/* --- the store ---------------------------------------------------------------------------------------------------- */

/* The temporary file with all measured times; NULL before the first measurement. One thread at a time measures. */
static FILE *store;
static pthread_mutex_t measuring = PTHREAD_MUTEX_INITIALIZER;

static int begin(struct tw_error *err)
{
	if (!store && !(store = tmpfile()))
		return tw_fail(err, TW_SYSTEM, "no temporary file for kernel times: %s", strerror(errno));
	return TW_OK;
}

/* Reads the whole store into a malloc'ed text. */
static int read_store(char **text, struct tw_error *err)
{
	off_t bytes = lseek(fileno(store), 0, SEEK_END);
	*text = tw_alloc((size_t)(bytes < 0 ? 0 : bytes) + 1, 1);
	if (bytes >= 0 && pread(fileno(store), *text, (size_t)bytes, 0) == (ssize_t)bytes)
		return TW_OK;
	free(*text);
	*text = NULL;
	return tw_fail(err, TW_FAILED, "kernel times could not be read: %s", strerror(errno));
}

/* --- measuring -------------------------------------------------------------------------------------------------- */

struct work {
	const struct tw__needs *needs;
	const struct tw__real_config *config;
	uint64_t seed;
	const char *known; /* content of the store before the measurement */
};

struct work_result {
	int status;
	struct tw_error err;
};

/* Appends to the store the measured times that it lacks. `rows`: the measurements, as rows of kernels.csv. */
static void append(const struct work *w, const char *rows)
{
	const struct tw__needs *n = w->needs;
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
			char fields[TW__MOST_KEY];
			if (!tw__has_worker(n->platform, a) || !*n->signatures[k] || tw__needs_time(n, w->known, a, k))
				continue;
			tw__needs_fields(n, a, k, fields, sizeof fields);
			const char *rest = tw__needs_line(rows, fields);
			rest = rest ? rest : TW__NO_KERNEL;
			fprintf(store, "%s|%s%.*s\n", n->signatures[k], fields, (int)strcspn(rest, "\n"), rest);
		}
}

static void measure(const void *arg, void *result)
{
	const struct work *w = arg;
	struct work_result *r = result;
	char *rows = NULL;
	size_t bytes;
	FILE *f = tw__text_open(&rows, &bytes);
	r->status =
		tw__real_measure(f, w->needs->platform, w->needs->graph, w->config, w->seed, MEASURE_FOR_S, &r->err);
	tw__text_close(f);
	if (r->status == TW_OK)
		append(w, rows);
	if (r->status == TW_OK && (fflush(store) || ferror(store)))
		r->status = tw_fail(&r->err, TW_SYSTEM, "kernel times could not be written: %s", strerror(errno));
	free(rows);
}

/* Sets the engine that measures: the request's, with its parameters, if that computes; otherwise `real` with its
 * defaults. */
static int find_real(struct tw__plugins *plugins, const struct tw__request *q, struct tw_error *err)
{
	int status = q->engine ? tw__find_engine(plugins, q->engine, err) : TW_OK;
	if (status == TW_OK && plugins->engine && (plugins->engine->caps & TW__ENGINE_COMPUTES))
		return TW_OK;
	tw__plugins_finish(plugins);
	return status == TW_OK ? tw__find_engine(plugins, "real", err) : status;
}

static int measure_in_child(const struct tw__request *q, const struct tw__needs *needs,
                            const struct tw__workload_words *words, const char *known, struct tw_error *err)
{
	struct tw__plugins real = {0};
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
		status = tw__fork_run(measure, &work, &result, sizeof result, "the process that times kernels", err);
		if (status == TW_OK && result.status < 0)
			status = tw_fail(err, result.status, "%s", result.err.message);
		/* After a failure, cut off the lines that the child appended: the last may be incomplete. */
		if (status < 0 && ftruncate(fileno(store), end) < 0)
			status = tw_fail(err, TW_FAILED, "kernel times could not be cut: %s", strerror(errno));
		fseek(store, 0, SEEK_END);
	}
	tw__plugins_finish(&real);
	return status;
}

/* Sets *text to times of all kernels, stored or measured now. The caller frees the text, also after an error. */
static int find_times(char **text, const struct tw__request *q, const struct tw__needs *needs,
                      const struct tw__workload_words *words, struct tw_error *err)
{
	int status = begin(err);
	if (status == TW_OK)
		status = read_store(text, err);
	if (status < 0 || tw__needs_are_known(needs, *text))
		return status;
	status = measure_in_child(q, needs, words, *text, err);
	free(*text);
	*text = NULL;
	return status == TW_OK ? read_store(text, err) : status;
}

static int find_times_or_run_out(char **text, const struct tw__request *q, const struct tw__needs *needs,
                                 const struct tw__workload_words *words, struct tw_error *err)
{
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = find_times(text, q, needs, words, err);
	tw__door_close(&door);
	return status;
}

static int find_times_alone(char **text, const struct tw__request *q, const struct tw__needs *needs,
                            const struct tw__workload_words *words, struct tw_error *err)
{
	pthread_mutex_lock(&measuring);
	int status = find_times_or_run_out(text, q, needs, words, err);
	pthread_mutex_unlock(&measuring);
	return status;
}

/* --- times of several cores together ------------------------------------------------------------------------------ */

/* Sets *text to times that include those of groups of so many cores. All such groups work at the same time. */
static int find_group_times(char **text, const struct tw__request *q, const struct tw__needs *needs,
                            const struct tw__workload_words *words, int cores, struct tw_error *err)
{
	const int n = (needs->platform->n_workers - tw__platform_accelerators(needs->platform)) / cores;
	struct tw__platform *platform;
	struct tw__request of_groups = *q;
	char *sizes;
	size_t bytes;
	FILE *f = tw__text_open(&sizes, &bytes);
	for (int i = 0; i < n; i++)
		fprintf(f, "%s%d", i ? "+" : "", cores);
	tw__text_close(f);
	of_groups.choice = (struct tw__platform_choice){.cpus = TW__ALL_WORKERS, .cpu_groups = sizes};
	int status = tw__machine_load(&platform, &of_groups, err);
	if (status == TW_OK) {
		struct tw__needs of_all = *needs;
		of_all.platform = platform;
		status = find_times_alone(text, q, &of_all, words, err);
		tw__platform_destroy(platform);
	}
	free(sizes);
	return status;
}

/* Sets *text to times of all kernels on each worker, and on 2, 4, 8 ... and the most cores that run a parallel task.
 * Times between are inferred. */
static int find_all_times(char **text, const struct tw__request *q, const struct tw__needs *needs,
                          const struct tw__workload_words *words, struct tw_error *err)
{
	int most = 1;
	for (tw_arch a = 0; a < needs->platform->n_archs; a++)
		most = needs->platform->archs[a].most_cores > most ? needs->platform->archs[a].most_cores : most;
	int status = find_times_alone(text, q, needs, words, err);
	for (int cores = 1; cores < most && status == TW_OK;) {
		cores = 2 * cores < most ? 2 * cores : most;
		free(*text);
		*text = NULL;
		status = find_group_times(text, q, needs, words, cores, err);
	}
	return status;
}

/* --- times that will be learnt ------------------------------------------------------------------------------------ */

/* The flop rate of guessed kernel times. No policy sees these times: only the watchdog's time-out and priorities by
 * bottom levels depend on them. */
#define GUESSED_FLOPS_PER_S 1e10

static bool can_run(const struct tw__needs *n, const struct tw__request *q, const struct tw__workload_words *words,
                    const struct tw__family *family, tw_arch a, tw_kernel k)
{
	const struct tw__arch *arch = &n->platform->archs[a];
	if (arch->accelerator)
		return q->emulate || tw__real_gpus_have(words->spec.name, n->graph->kernels[k].name);
	return arch->cores == 1 || family->codelets[k]->splits;
}

/* Writes a guessed time for each kernel on each arch that can run it, as lines of the format of struct tw__needs. */
static void write_unknown(FILE *f, const struct tw__needs *n, const struct tw__request *q,
                          const struct tw__workload_words *words, const struct tw__family *family)
{
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
			char fields[TW__MOST_KEY];
			tw__needs_fields(n, a, k, fields, sizeof fields);
			if (*n->signatures[k] && can_run(n, q, words, family, a, k))
				fprintf(f, "%s|%s%.6g,0,1,will be learnt\n", n->signatures[k], fields,
				        fmax(1, 1e6 * n->graph->kernels[k].flops / GUESSED_FLOPS_PER_S));
			else if (*n->signatures[k])
				fprintf(f, "%s|%s%s\n", n->signatures[k], fields, TW__NO_KERNEL);
		}
}

/* Sets *text to guessed times, for --learn. The caller frees the text, also after an error. */
static int guess_times(char **text, const struct tw__request *q, const struct tw__needs *needs,
                       const struct tw__workload_words *words, struct tw_error *err)
{
	struct tw__family *family;
	size_t bytes;
	int status = tw__family_open(&family, words->spec.name, words->args, needs->graph, err);
	if (status < 0)
		return status;
	FILE *f = tw__text_open(text, &bytes);
	write_unknown(f, needs, q, words, family);
	tw__text_close(f);
	tw__family_close(family);
	return TW_OK;
}

/* --- models ------------------------------------------------------------------------------------------------------- */

int tw__machine_models(struct tw__models **models, const struct tw__request *q, const struct tw__platform *platform,
                       const struct tw_graph *graph, struct tw_error *err)
{
	struct tw__workload_words words;
	struct tw__needs needs = {0};
	char *text = NULL;
	*models = NULL;
	int status = tw__workload_words_init(&words, q->workload, err);
	if (status == TW_OK) {
		tw__needs_init(&needs, platform, graph, words.spec.name);
		status = (q->learn ? guess_times : find_all_times)(&text, q, &needs, &words, err);
	}
	if (status == TW_OK)
		status = tw__needs_check_workers(&needs, text, err);
	if (status == TW_OK)
		status = tw__needs_models(models, &needs, text, err);
	free(text);
	free(needs.signatures);
	tw__workload_words_finish(&words);
	return status;
}
