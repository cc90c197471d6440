#include "results/facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "bounds/bounds.h"
#include "experiment/load.h"

/* Columns of a row of results that the facts about the row depend on. */
enum { PLATFORM, WORKLOAD, CPUS, GPUS, GROUPS, N_INPUTS };
static const char *const inputs[N_INPUTS] = {"platform", "workload", "cpus", "gpus", "cpu_groups"};

struct entry {
	char *input[N_INPUTS]; /* values of the columns `inputs`; "": `wanted` does not need that column */
	enum tw__fact wanted;
	struct tw__facts facts;
};

struct tw__fact_book {
	struct entry *entries;
	size_t n, room;
};

struct tw__fact_book *tw__fact_book_create(void) { return calloc(1, sizeof(struct tw__fact_book)); }

void tw__fact_book_destroy(struct tw__fact_book *book)
{
	if (!book)
		return;
	for (size_t i = 0; i < book->n; i++)
		for (int k = 0; k < N_INPUTS; k++)
			free(book->entries[i].input[k]);
	free(book->entries);
	free(book);
}

/* Returns the bytes of all handles that no task writes; NAN: out of memory. */
static double unwritten_bytes(const struct tw_graph *g)
{
	uint64_t written = 0;
	bool *seen = calloc((size_t)g->n_data + 1, sizeof *seen);
	for (uint32_t a = 0; seen && a < g->access_start[g->n_tasks]; a++) {
		tw_data d = tw__access_data(g->access[a]);
		if (seen[d] || !(tw__access_mode(g->access[a]) & TW_W))
			continue;
		seen[d] = true;
		written += g->data_bytes[d];
	}
	double bytes = seen ? (double)(tw__graph_working_set(g) - written) : NAN;
	free(seen);
	return bytes;
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
	struct tw_platform *platform;
	struct tw__models *models;
	char precision[16];
	double peak = 0;
	int status = tw__load_platform(&platform, &models, request, err);
	tw__workload_choice(request->workload, "precision", precision, sizeof precision);
	for (tw_worker w = 0; status == TW_OK && *precision && w < platform->n_workers; w++)
		peak += tw__gemm_peak(models, &platform->archs[platform->workers[w].arch], precision);
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

static int find(const struct tw__rows *rows, int row, const char *const *input, enum tw__fact wanted,
                struct tw__facts *facts, struct tw_error *err)
{
	double cpus, gpus, known;
	struct tw_error inner;
	*facts = (struct tw__facts){NAN, NAN, NAN, NAN, NAN, NAN, ""};
	int status = tw__rows_number(rows, row, tw__rows_column(rows, "cpus"), &cpus, err);
	if (status == TW_OK)
		status = tw__rows_number(rows, row, tw__rows_column(rows, "gpus"), &gpus, err);
	if (status == TW_OK)
		status = tw__rows_number(rows, row, tw__rows_column(rows, "working_set_bytes"), &known, err);
	if (status < 0)
		return status;
	status = find_data(facts, input[WORKLOAD], known, &inner);
	if (status < 0)
		return tw_fail(err, status, "%s:%d: workload '%.100s': its data is unknown: %s", rows->path,
		               rows->lines[row], input[WORKLOAD], inner.message);
	if (wanted == TW__FACT_DATA)
		return TW_OK;
	/* The row may come from another machine, whose platform is missing or different here. Figures can still draw
	 * the row's measurements: give the reason in `why`, and do not fail. */
	if (!(cpus >= 0 && cpus < 1e6 && gpus >= 0 && gpus < 1e6)) {
		strcpy(facts->why, "the numbers of workers are unknown");
		return TW_OK;
	}
	const struct tw__request request = {
		.platform = input[PLATFORM],
		.workload = input[WORKLOAD],
		.choice = {.cpus = (int)cpus, .gpus = (int)gpus, .cpu_groups = *input[GROUPS] ? input[GROUPS] : NULL},
		.seed = 1,
		.extrapolate = true,
	};
	status = find_peak(facts, &request, &inner);
	if (status == TW_OK && wanted == TW__FACT_BOUNDS)
		status = find_bounds(facts, &request, &inner);
	if (status < 0)
		snprintf(facts->why, sizeof facts->why, "%.250s", inner.message);
	return TW_OK;
}

int tw__facts_of(struct tw__fact_book *book, const struct tw__rows *rows, int row, enum tw__fact wanted,
                 struct tw__facts *facts, struct tw_error *err)
{
	const char *input[N_INPUTS];
	int column, status = tw__rows_need(rows, "workload", "the size of its data", &column, err);
	if (status < 0)
		return status;
	for (int k = 0; k < N_INPUTS; k++)
		input[k] = k == WORKLOAD || wanted > TW__FACT_DATA
		                   ? tw__rows_text(rows, row, tw__rows_column(rows, inputs[k]))
		                   : "";
	for (size_t i = book->n; i-- > 0;) {
		const struct entry *e = &book->entries[i];
		int k = 0;
		while (k < N_INPUTS && !strcmp(e->input[k], input[k]))
			k++;
		if (k == N_INPUTS && e->wanted == wanted) {
			*facts = e->facts;
			return TW_OK;
		}
	}
	status = find(rows, row, input, wanted, facts, err);
	if (status < 0)
		return status;
	if (!TW_HAS_ROOM(book->entries, book->room, book->n + 1))
		return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
	struct entry *e = &book->entries[book->n++];
	*e = (struct entry){.wanted = wanted, .facts = *facts};
	for (int k = 0; k < N_INPUTS; k++) {
		e->input[k] = strdup(input[k]);
		if (!e->input[k]) {
			for (int other = 0; other < k; other++)
				free(e->input[other]);
			book->n--;
			return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
		}
	}
	return TW_OK;
}
