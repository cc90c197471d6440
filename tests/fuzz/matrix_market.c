/* Feeds arbitrary bytes to the reader of Matrix Market files. If it accepts them, the analysis of the matrix must be
 * consistent. The bytes before the first "%%MatrixMarket" select the analysis: order, nemin, relax. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/support/sparse.h"

/* The reader accepts matrices up to its limits; the analysis here takes only small ones. */
enum { MOST_UNKNOWNS = 300 };

static const char magic[] = "%%MatrixMarket";

static void check_pattern(const struct tw_pattern *p)
{
	assert(p->n_rows > 0 && p->n_columns > 0 && p->start[0] == 0);
	for (int32_t c = 0; c < p->n_columns; c++)
		for (int64_t e = p->start[c]; e < p->start[c + 1]; e++)
			assert(p->row[e] >= 0 && p->row[e] < p->n_rows &&
			       (e == p->start[c] || p->row[e] > p->row[e - 1]));
}

static void check_tree(const struct tw_assembly_tree *t, const struct tw_pattern *a)
{
	int32_t place[MOST_UNKNOWNS];
	int64_t rows = 0;
	for (int32_t f = 0; f < t->n_fronts; f++) {
		int32_t pivots = tw_front_pivots(t, f), columns = tw_front_columns(t, f);
		assert(pivots > 0 && columns >= pivots && (t->parent[f] == TW_NONE) == (columns == pivots));
		if (t->parent[f] != TW_NONE) {
			tw_front_places(t, f, place);
			for (int32_t i = 0; i < columns - pivots; i++)
				assert(t->column[t->start[t->parent[f]] + place[i]] ==
				       t->column[t->start[f] + pivots + i]);
		}
	}
	int32_t *heights = tw_front_heights(t, a);
	for (int32_t f = 0; f < t->n_fronts; f++) {
		int32_t front_rows = heights[t->start[f + 1] - 1], pivots = tw_front_pivots(t, f);
		rows += front_rows < pivots ? front_rows : pivots;
	}
	assert(rows <= a->n_rows && rows <= a->n_columns);
	free(heights);
}

static void analyse(const struct tw_pattern *a, const struct tw_pattern *graph, const uint8_t *how)
{
	struct tw_error err;
	struct tw_assembly_tree t;
	int32_t order[MOST_UNKNOWNS];
	for (int32_t c = 0; c < graph->n_columns; c++)
		order[c] = how[0] % 2 ? graph->n_columns - 1 - c : c;
	if (how[0] % 4 >= 2 && tw_nested_dissection(graph, order, &err) < 0)
		return;
	if (tw_assembly_tree_init(&t, graph, order, (struct tw_amalgamation){1 + how[1], how[2] / 255.0}, &err) < 0)
		return;
	check_tree(&t, a);
	tw_assembly_tree_finish(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *text = memmem(data, size, magic, sizeof magic - 1);
	uint8_t how[3] = {0};
	if (!text)
		text = data;
	for (size_t i = 0; i < 3 && i < (size_t)(text - data); i++)
		how[i] = data[i];
	if (text == data + size)
		return 0;
	FILE *stream = fmemopen((void *)(uintptr_t)text, size - (size_t)(text - data), "r");
	struct tw_pattern a, graph;
	struct tw_error err = {""};
	int status = stream ? tw_pattern_read_stream(&a, stream, "fuzz", &err) : TW_NOMEM;
	if (stream)
		fclose(stream);
	if (status < 0) {
		assert(!stream || err.message[0]);
		return 0;
	}
	check_pattern(&a);
	if (a.n_columns <= MOST_UNKNOWNS && a.n_rows <= MOST_UNKNOWNS) {
		if (tw_pattern_gram(&graph, &a, &err) == TW_OK) {
			check_pattern(&graph);
			analyse(&a, &graph, how);
			tw_pattern_finish(&graph);
		}
		if (a.n_rows == a.n_columns && tw_pattern_symmetrise(&graph, &a, &err) == TW_OK) {
			check_pattern(&graph);
			analyse(&a, &graph, how);
			tw_pattern_finish(&graph);
		}
	}
	tw_pattern_finish(&a);
	return 0;
}
