#include "results/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bounds/bounds.h"
#include "experiment/load.h"

struct entry {
	char *key; /* see key_of */
	struct tw__facts facts;
};

struct tw__fact_book {
	struct entry *entries;
	size_t n, room;
};

struct tw__fact_book *tw__fact_book_create(void) { return tw_alloc(1, sizeof(struct tw__fact_book)); }

void tw__fact_book_destroy(struct tw__fact_book *book)
{
	if (!book)
		return;
	for (size_t i = 0; i < book->n; i++)
		free(book->entries[i].key);
	free(book->entries);
	free(book);
}

/* Returns the bytes of all handles that no task writes. */
static double unwritten_bytes(const struct tw_graph *g)
{
	uint64_t written = 0;
	bool *seen = tw_alloc((size_t)g->n_data, sizeof *seen);
	for (uint32_t a = 0; a < g->access_start[g->n_tasks]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		if (seen[d] || !(tw__access_mode(g->access[a]) & TW_W))
			continue;
		seen[d] = true;
		written += g->data_bytes[d];
	}
	free(seen);
	return (double)(tw__graph_working_set(g) - written);
}

/* Sets the facts about sizes of data. `known`: the working set that the row has, in bytes; NAN: the row has none. */
static int find_data(struct tw__facts *facts, const char *workload, double known, struct tw_error *err)
{
	bool has_inputs = strcspn(workload, ":") == 8 && strncmp(workload, "matmul2d", 8) == 0;
	struct tw_graph *graph;
	facts->working_set_bytes = known;
	if (isfinite(known) && !has_inputs)
		return TW_OK;
	int status = tw__generate(&graph, workload, err);
	if (status < 0)
		return status;
	uint64_t bytes = tw__graph_working_set(graph);
	if (isnan(known) && bytes != UINT64_MAX)
		facts->working_set_bytes = (double)bytes;
	if (has_inputs && bytes != UINT64_MAX)
		facts->inputs_bytes = unwritten_bytes(graph);
	tw_graph_destroy(graph);
	return TW_OK;
}

static int find_peak(struct tw__facts *facts, const struct tw__request *request, struct tw_error *err)
{
	struct tw__platform *platform;
	struct tw__models *models;
	char precision[16];
	double peak = 0;
	int status = tw__load_platform(&platform, &models, request, err);
	tw__workload_param(request->workload, "precision", precision, sizeof precision);
	for (tw_worker w = 0; status == TW_OK && *precision && w < platform->n_workers; w++) {
		const struct tw__arch *arch = &platform->archs[platform->workers[w].arch];
		peak += tw__gemm_peak(models, arch, precision) / (arch->slowdown ? arch->slowdown : 1);
	}
	if (peak > 0)
		facts->gemm_peak_flops_per_s = peak;
	tw__models_destroy(models);
	tw__platform_destroy(platform);
	return status;
}

static int find_bounds(struct tw__facts *facts, const struct tw__request *request, struct tw_error *err)
{
	struct tw__scene *scene;
	int status = tw__scene_create(&scene, request, err);
	if (status < 0)
		return status;
	const struct tw__bounded in = {scene->platform, scene->graph, &scene->times};
	struct tw__bus_bounds bus;
	status = tw__bound_bus(&in, &bus, err);
	if (status == TW_OK) {
		facts->compulsory_bytes = (double)bus.compulsory_bytes;
		facts->bus_bytes_per_s = scene->gpus > 0 ? bus.bandwidth : NAN;
		facts->leading_bytes = scene->gpus > 0 ? tw__leading_io_bytes(request->workload, scene->graph, 1) : NAN;
	}
	tw__scene_destroy(scene);
	return status;
}

static const char *text_of(const struct tw__rows *rows, int row, const char *column)
{
	return tw__rows_text(rows, row, tw__rows_column(rows, column));
}

/* Sets the numbers of workers that the row's run was given, of each node of a cluster; -1: all. */
static int take_workers(struct tw__request *request, const struct tw__rows *rows, int row, struct tw__facts *facts,
                        struct tw_error *err)
{
	double nodes, of[2];
	static const char *const used[] = {"cpus", "gpus"}, *const given[] = {"given_cpus", "given_gpus"};
	int status = tw__rows_number(rows, row, tw__rows_column(rows, "nodes"), &nodes, err);
	for (int i = 0; i < 2 && status == TW_OK; i++) {
		status = tw__rows_number(rows, row, tw__rows_column(rows, nodes > 1 ? given[i] : used[i]), &of[i], err);
		of[i] = nodes > 1 && isnan(of[i]) ? -1 : of[i];
		if (!(of[i] >= -1 && of[i] < 1e6))
			strcpy(facts->why, "the numbers of workers are unknown");
	}
	if (status == TW_OK && !*facts->why) {
		request->choice.cpus = (int)of[0];
		request->choice.gpus = (int)of[1];
	}
	return status;
}

static int find(const struct tw__rows *rows, int row, enum tw__fact wanted, struct tw__facts *facts,
                struct tw_error *err)
{
	const char *workload = text_of(rows, row, "workload"), *groups = text_of(rows, row, "cpu_groups");
	const char *gpu_workers = text_of(rows, row, "gpu_workers");
	const char *distribution = text_of(rows, row, "distribution");
	struct tw__request request = {
		.platform = text_of(rows, row, "platform"),
		.workload = workload,
		.distribution = *distribution ? distribution : NULL,
		.choice.cpu_groups = *groups ? groups : NULL,
		.choice.gpu_workers = *gpu_workers && strcmp(gpu_workers, "1") != 0 ? gpu_workers : NULL,
		.seed = 1,
		.extrapolate = true,
	};
	double known;
	struct tw_error inner;
	*facts = (struct tw__facts){NAN, NAN, NAN, NAN, NAN, NAN, ""};
	int status = take_workers(&request, rows, row, facts, err);
	if (status == TW_OK)
		status = tw__rows_number(rows, row, tw__rows_column(rows, "working_set_bytes"), &known, err);
	if (status < 0)
		return status;
	status = find_data(facts, workload, known, &inner);
	if (status < 0)
		return tw_fail(err, status, "%s:%d: workload '%.100s': its data is unknown: %s", rows->path,
		               rows->lines[row], workload, inner.message);
	if (wanted == TW__FACT_DATA)
		return TW_OK;
	/* The row may come from another machine, whose platform is missing or different here. Figures can still draw
	 * the row's measurements: give the reason in `why`, and do not fail. */
	if (*facts->why)
		return TW_OK;
	status = find_peak(facts, &request, &inner);
	if (status == TW_OK && wanted == TW__FACT_BOUNDS)
		status = find_bounds(facts, &request, &inner);
	if (status < 0)
		snprintf(facts->why, sizeof facts->why, "%.250s", inner.message);
	return TW_OK;
}

/* Returns a text that rows with the same facts share, malloc'ed. */
static char *key_of(const struct tw__rows *rows, int row, enum tw__fact wanted)
{
	bool more = wanted > TW__FACT_DATA; /* facts about data depend on the workload alone */
	return tw_format("%d\n%s\n%s\n%s\n%s\n%s\n%s", (int)wanted, text_of(rows, row, "workload"),
	                 more ? text_of(rows, row, "platform") : "", more ? text_of(rows, row, "cpus") : "",
	                 more ? text_of(rows, row, "gpus") : "", more ? text_of(rows, row, "cpu_groups") : "",
	                 more ? text_of(rows, row, "distribution") : "");
}

int tw__facts_of(struct tw__fact_book *book, const struct tw__rows *rows, int row, enum tw__fact wanted,
                 struct tw__facts *facts, struct tw_error *err)
{
	int column, status = tw__rows_need(rows, "workload", "the size of its data", &column, err);
	if (status < 0)
		return status;
	char *key = key_of(rows, row, wanted);
	TW_RESERVE(book->entries, book->room, book->n + 1);
	size_t i = book->n;
	while (i > 0 && strcmp(book->entries[i - 1].key, key) != 0)
		i--;
	if (i > 0)
		*facts = book->entries[i - 1].facts;
	else
		status = find(rows, row, wanted, facts, err);
	if (i > 0 || status < 0)
		free(key);
	else
		book->entries[book->n++] = (struct entry){key, *facts};
	return status;
}
