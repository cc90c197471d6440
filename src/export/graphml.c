/* Writes a task graph as GraphML, through igraph, for tools of network analysis. */
#include <math.h>
#include <stdlib.h>

#include <igraph.h>

#include "export/export.h"
#include "graph/edges.h"
#include "graph/igraph_edges.h"

/* --- attributes --------------------------------------------------------------------------------------------------- */

static const struct tw__kernel *kernel(const struct tw_graph *g, tw_task t) { return &g->kernels[g->kernel[t]]; }
static const char *name(const struct tw_graph *g, tw_task t) { return kernel(g, t)->name; }
static const char *size(const struct tw_graph *g, tw_task t) { return kernel(g, t)->size; }
static const char *precision(const struct tw_graph *g, tw_task t) { return kernel(g, t)->precision; }
static double flops(const struct tw_graph *g, tw_task t) { return kernel(g, t)->flops; }
static double priority(const struct tw_graph *g, tw_task t) { return g->priority[t]; }
static double seconds(const struct tw_graph *g, tw_task t) { return g->seconds ? g->seconds[t] : NAN; }

static double data(const struct tw_graph *g, const struct tw__edge *e)
{
	(void)g;
	return e->data == TW_NONE ? NAN : e->data; /* igraph writes no attribute for NAN */
}

static double bytes(const struct tw_graph *g, const struct tw__edge *e)
{
	return e->data == TW_NONE ? 0 : (double)g->data_bytes[e->data];
}

static const struct {
	const char *name;
	const char *(*text)(const struct tw_graph *, tw_task);
	double (*number)(const struct tw_graph *, tw_task);
} of_tasks[] = {
	{"kernel", name, NULL}, {"size", size, NULL},         {"precision", precision, NULL},
	{"flops", NULL, flops}, {"priority", NULL, priority}, {"seconds", NULL, seconds},
};

static const struct {
	const char *name;
	double (*number)(const struct tw_graph *, const struct tw__edge *);
} of_edges[] = {{"data", data}, {"bytes", bytes}};

/* --- igraph ------------------------------------------------------------------------------------------------------- */

static igraph_error_t set_texts(igraph_t *to, const char *key, const struct tw_graph *g,
                                const char *(*text)(const struct tw_graph *, tw_task))
{
	igraph_strvector_t values;
	igraph_error_t why = igraph_strvector_init(&values, g->n_tasks);
	if (why)
		return why;
	for (tw_task t = 0; t < g->n_tasks && !why; t++)
		why = igraph_strvector_set(&values, t, text(g, t));
	if (!why)
		why = igraph_cattribute_VAS_setv(to, key, &values);
	igraph_strvector_destroy(&values);
	return why;
}

static igraph_error_t set_numbers(igraph_t *to, const char *key, const struct tw_graph *g,
                                  double (*number)(const struct tw_graph *, tw_task))
{
	igraph_vector_t values;
	igraph_error_t why = igraph_vector_init(&values, g->n_tasks);
	if (why)
		return why;
	for (tw_task t = 0; t < g->n_tasks; t++)
		VECTOR(values)[t] = number(g, t);
	why = igraph_cattribute_VAN_setv(to, key, &values);
	igraph_vector_destroy(&values);
	return why;
}

static igraph_error_t set_edges(igraph_t *to, const char *key, const struct tw_graph *g, const struct tw__edge *edges,
                                size_t n, double (*number)(const struct tw_graph *, const struct tw__edge *))
{
	igraph_vector_t values;
	igraph_error_t why = igraph_vector_init(&values, (igraph_integer_t)n);
	if (why)
		return why;
	for (size_t i = 0; i < n; i++)
		VECTOR(values)[i] = number(g, &edges[i]);
	why = igraph_cattribute_EAN_setv(to, key, &values);
	igraph_vector_destroy(&values);
	return why;
}

static igraph_error_t write(FILE *f, const igraph_t *ig)
{
	igraph_error_t why = igraph_write_graph_graphml(ig, f, false);
	return ferror(f) ? IGRAPH_SUCCESS : why; /* the caller checks ferror(f) and reports write errors */
}

static igraph_error_t write_all(FILE *f, const struct tw_graph *g, const struct tw__edge *edges, size_t n)
{
	igraph_t ig;
	igraph_error_t why = tw__igraph_create(&ig, g->n_tasks, edges, n);
	if (why)
		return why;
	for (size_t i = 0; i < sizeof of_tasks / sizeof of_tasks[0] && !why; i++)
		why = of_tasks[i].text ? set_texts(&ig, of_tasks[i].name, g, of_tasks[i].text)
		                       : set_numbers(&ig, of_tasks[i].name, g, of_tasks[i].number);
	for (size_t i = 0; i < sizeof of_edges / sizeof of_edges[0] && !why; i++)
		why = set_edges(&ig, of_edges[i].name, g, edges, n, of_edges[i].number);
	if (!why)
		why = write(f, &ig);
	igraph_destroy(&ig);
	return why;
}

static int export_graphml(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	struct tw__edge *edges;
	size_t n;
	int status = tw__graph_edges(&edges, &n, g, err);
	if (status < 0)
		return status;
	/* By default, igraph ends the process on an error, and ignores attributes. Change both for this call. */
	igraph_error_handler_t *handler = igraph_set_error_handler(igraph_error_handler_ignore);
	igraph_attribute_table_t *table = igraph_set_attribute_table(&igraph_cattribute_table);
	igraph_error_t why = write_all(f, g, edges, n);
	igraph_set_attribute_table(table);
	igraph_set_error_handler(handler);
	free(edges);
	if (why == IGRAPH_ENOMEM)
		return tw_fail(err, TW_NOMEM, "out of memory for GraphML of %d tasks", (int)g->n_tasks);
	return why ? tw_fail(err, TW_FAILED, "GraphML of %d tasks: %s", (int)g->n_tasks, igraph_strerror(why)) : TW_OK;
}

const struct tw__graphml tw__graphml = {export_graphml};
