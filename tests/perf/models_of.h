/* Shared by the tests of kernel times: rows from a text, graphs with one task per kernel, and mirage with only its
 * first GPU. */
#ifndef MODELS_OF_H
#define MODELS_OF_H

#include "perf/rows.h"
#include "temp.h"

#define HEADER "kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\n"

static struct tw__platform *mirage;
static char *mirage_kernels;

static inline void read_mirage(void)
{
	struct tw__platform_choice choice = {.cpus = 11, .gpus = 1};
	struct tw_error err = {""};
	struct tw__platform *all;
	ck_assert_msg(tw__platform_find(&all, &mirage_kernels, "mirage", &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__platform_select(&mirage, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);
}

static inline void destroy_mirage(void)
{
	tw__platform_destroy(mirage);
	free(mirage_kernels);
}

/* A graph with one task for each of these kernels. */
static inline struct tw_graph *graph_of(int n, const char *const (*kernels)[3])
{
	struct tw_error err = {""};
	struct tw_graph *graph = tw_graph_create();
	struct tw_access access = {tw_graph_data(graph, 1), TW_RW};
	for (int i = 0; i < n; i++)
		tw_graph_submit(graph, tw_graph_kernel(graph, kernels[i][0], kernels[i][1], kernels[i][2], 1), 0,
		                &access, 1);
	ck_assert_msg(tw_graph_finish(graph, &err) == TW_OK, "%s", err.message);
	return graph;
}

static inline struct tw__models *models_of(const char *text)
{
	struct tw__models *models;
	struct tw_error err = {""};
	struct temp file = temp_text(text);
	ck_assert_msg(tw__models_read(&models, file.path, NULL, &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	return models;
}

/* Two tasks of kernel `name`; the first has 7 recorded seconds. */
static inline struct tw_graph *recorded_graph(const char *name, const char *recorded_on, const char *archs)
{
	struct tw_error err = {""};
	struct tw_graph *graph = tw_graph_create();
	tw_kernel kernel = tw_graph_kernel(graph, name, "8", "s", 1);
	tw_graph_recorded_on(graph, kernel, recorded_on);
	tw_graph_restrict(graph, kernel, archs);
	tw_graph_set_seconds(graph, tw_graph_submit(graph, kernel, 0, NULL, 0), 7);
	tw_graph_submit(graph, kernel, 0, NULL, 0);
	ck_assert_msg(tw_graph_finish(graph, &err) == TW_OK, "%s", err.message);
	return graph;
}

#endif
