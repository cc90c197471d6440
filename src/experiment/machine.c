#include "experiment/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/real/measure.h"
#include "experiment/fork.h"
#include "platform/machine.h"

#define MEASURE_FOR_S 3.0

bool tw__is_machine(const struct tw__request *q) { return strcmp(q->platform, TW__MACHINE_NAME) == 0; }

int tw__machine_load(struct tw_platform **platform, const struct tw__request *q, struct tw_error *err)
{
	struct tw__emulation emulation;
	struct tw_platform *all;
	int status = q->emulate ? tw__emulation_parse(&emulation, q->emulate, err) : TW_OK;
	if (status == TW_OK && q->emulate)
		status = tw__emulation_check(&emulation, err);
	if (status == TW_OK)
		status = tw__machine_platform(&all, q->emulate ? &emulation : NULL, err);
	if (status < 0)
		return status;
	status = tw__platform_select(platform, all, &q->choice, err);
	tw__platform_destroy(all);
	return status;
}

/* --- what has been measured --------------------------------------------------------------------------------------- */

/* All rows that were measured, as a kernels.csv without a name; made at the first measurement. One thread measures at a time. */
static FILE *measured;

static int begin(struct tw_error *err)
{
	if (measured)
		return TW_OK;
	measured = tmpfile();
	if (!measured)
		return tw_fail(err, TW_FAILED, "no temporary file for kernel times: %s", strerror(errno));
	fprintf(measured, "%s\n", tw__kernels_header);
	fflush(measured);
	return TW_OK;
}

/* The file as it is now, malloc'ed. */
static int read_text(char **text, struct tw_error *err)
{
	off_t bytes = lseek(fileno(measured), 0, SEEK_END);
	*text = bytes < 0 ? NULL : calloc((size_t)bytes + 1, 1);
	if (!*text)
		return tw_fail(err, TW_NOMEM, "out of memory for kernel times");
	if (pread(fileno(measured), *text, (size_t)bytes, 0) == (ssize_t)bytes)
		return TW_OK;
	free(*text);
	return tw_fail(err, TW_FAILED, "kernel times could not be read: %s", strerror(errno));
}

static int read_models(struct tw__models **models, struct tw_error *err)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(measured));
	int status = tw__models_read(models, path, err);
	return status == TW_OK ? tw__models_rename(*models, "kernel times of this machine", err) : status;
}

/* Whether a row of the text begins with these `bytes`, of which the last is a comma. */
static bool has_row(const char *text, const char *key, size_t bytes)
{
	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (strncmp(text, key, bytes) == 0)
			return true;
	}
	return false;
}

static bool has_time(const char *text, const struct tw__kernel *k, const struct tw__arch *arch)
{
	char key[512];
	int bytes =
		snprintf(key, sizeof key, "%s,%s,%d,%s,%s,", k->name, arch->name, arch->cores, k->size, k->precision);
	return bytes < (int)sizeof key && has_row(text, key, (size_t)bytes);
}

/* Whether the graph's kernels have been measured on these archs; on a group of cores, one that computes in parts. */
static bool knows(const char *text, const struct tw_platform *platform, const struct tw_graph *graph)
{
	bool all = true;
	for (tw_arch a = 0; a < platform->n_archs; a++) {
		int n = 0;
		for (int k = 0; k < graph->n_kernels; k++)
			n += has_time(text, &graph->kernels[k], &platform->archs[a]);
		all &= !tw__has_worker(platform, a) || n == graph->n_kernels || (n > 0 && platform->archs[a].cores > 1);
	}
	return all;
}

/* A kernel without parts runs on one core or accelerator. */
static int check_groups(const char *text, const struct tw_platform *platform, const struct tw_graph *graph,
                        struct tw_error *err)
{
	for (int k = 0; k < graph->n_kernels; k++) {
		bool runs = false;
		for (tw_arch a = 0; a < platform->n_archs; a++)
			runs |= tw__has_worker(platform, a) && has_time(text, &graph->kernels[k], &platform->archs[a]);
		if (!runs)
			return tw_fail(err, TW_INVALID,
			               "--cpu-groups: kernel '%.40s' does not run on a group of cores, as it computes "
			               "in one part: expected a worker of one core too, as in 2+1",
			               graph->kernels[k].name);
	}
	return TW_OK;
}

/* --- measuring -------------------------------------------------------------------------------------------------- */

struct work {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	const struct tw__real_config *config;
	uint64_t seed;
	const char *known; /* rows that are there */
};

struct work_result {
	int status;
	struct tw_error err;
};

/* Rows of kernels that have none yet: their first five fields tell. */
static void append_new(char *rows, const char *known)
{
	for (char *line = rows, *feed; (feed = strchr(line, '\n')); line = feed + 1) {
		const char *at = line;
		for (int field = 0; field < 5; field++)
			at = strchr(at, ',') + 1;
		if (!has_row(known, line, (size_t)(at - line)))
			fprintf(measured, "%.*s\n", (int)(feed - line), line);
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
		f ? tw__real_measure(f, w->platform, w->graph, w->config, w->seed, MEASURE_FOR_S, &r->err) : TW_NOMEM;
	if (!f || fclose(f) != 0)
		r->status = tw_fail(&r->err, TW_NOMEM, "out of memory for kernel times");
	if (r->status == TW_OK)
		append_new(rows, w->known);
	if (r->status == TW_OK && (fflush(measured) || ferror(measured)))
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

static int measure_in_child(const struct tw__request *q, const struct tw_platform *platform,
                            const struct tw_graph *graph, const char *known, struct tw_error *err)
{
	struct tw__workload_words words;
	struct tw__plan real = {0};
	struct work_result result;
	int status = tw__workload_words_init(&words, q->workload, err);
	if (status == TW_OK)
		status = find_real(&real, q, err);
	if (status == TW_OK) {
		const struct tw__real_config config = {
			.args = real.engine_args, .workload = words.spec.name, .workload_args = words.args};
		const struct work work = {platform, graph, &config, q->seed, known};
		long end = ftell(measured);
		status = tw__fork_run(measure, &work, &result, sizeof result, err);
		if (status == TW_OK && result.status < 0)
			status = tw_fail(err, result.status, "%s", result.err.message);
		/* What the child has written stays, unless it is not whole. */
		if (status < 0 && ftruncate(fileno(measured), end) < 0)
			status = tw_fail(err, TW_FAILED, "kernel times could not be cut: %s", strerror(errno));
		fseek(measured, 0, SEEK_END);
	}
	tw__plan_finish(&real);
	tw__workload_words_finish(&words);
	return status;
}

int tw__machine_models(struct tw__models **models, const struct tw__request *q, const struct tw_platform *platform,
                       const struct tw_graph *graph, struct tw_error *err)
{
	char *text = NULL;
	*models = NULL;
	int status = begin(err);
	if (status == TW_OK)
		status = read_text(&text, err);
	if (status < 0)
		return status;
	if (!knows(text, platform, graph)) {
		status = measure_in_child(q, platform, graph, text, err);
		free(text);
		text = NULL;
		if (status == TW_OK)
			status = read_text(&text, err);
	}
	if (status == TW_OK)
		status = check_groups(text, platform, graph, err);
	free(text);
	return status == TW_OK ? read_models(models, err) : status;
}
