/* The measures that igraph has: degrees, weakly connected components, and a maximum flow for the largest antichain. */
#include <igraph.h>
#include <pthread.h>
#include <stdlib.h>

#include "describe/describe.h"
#include "graph/igraph_edges.h"

/* --- degrees ------------------------------------------------------------------------------------------------------ */

static igraph_error_t find_degrees(struct tw__degrees *d, const igraph_t *ig, igraph_neimode_t mode)
{
	igraph_vector_int_t degree;
	igraph_integer_t tasks = igraph_vcount(ig), least = 0, most = 0;
	IGRAPH_VECTOR_INT_INIT_FINALLY(&degree, 0);
	IGRAPH_CHECK(igraph_degree(ig, &degree, igraph_vss_all(), mode, IGRAPH_LOOPS));
	if (tasks)
		igraph_vector_int_minmax(&degree, &least, &most);
	d->least = (tw_task)least;
	d->most = (tw_task)most;
	d->mean = tasks ? (double)igraph_vector_int_sum(&degree) / (double)tasks : 0;
	d->n_tasks = calloc((size_t)most + 1, sizeof *d->n_tasks); /* tw_alloc would leave with the lock below */
	if (!d->n_tasks)
		IGRAPH_ERROR("degrees", IGRAPH_ENOMEM);
	for (igraph_integer_t t = 0; t < tasks; t++)
		d->n_tasks[VECTOR(degree)[t]]++;
	igraph_vector_int_destroy(&degree);
	IGRAPH_FINALLY_CLEAN(1);
	return IGRAPH_SUCCESS;
}

/* --- components --------------------------------------------------------------------------------------------------- */

static igraph_error_t find_components(struct tw__description *d, const igraph_t *ig)
{
	igraph_vector_int_t sizes;
	igraph_integer_t n = 0;
	IGRAPH_VECTOR_INT_INIT_FINALLY(&sizes, 0);
	IGRAPH_CHECK(igraph_connected_components(ig, NULL, &sizes, &n, IGRAPH_WEAK));
	d->n_components = (tw_task)n;
	d->largest_component = n ? (tw_task)igraph_vector_int_max(&sizes) : 0;
	igraph_vector_int_destroy(&sizes);
	IGRAPH_FINALLY_CLEAN(1);
	return IGRAPH_SUCCESS;
}

/* --- the largest antichain ---------------------------------------------------------------------------------------- */

/* By Dilworth's theorem (1950), the largest antichain has as many tasks as the fewest chains that cover all tasks. A
 * chain is a sequence of tasks in which a path leads from each task to the next one: a link. A cover has one chain for
 * each task to which no link leads. So the antichain has (tasks - most links) tasks.
 *
 * The most links are a maximum flow of units from SOURCE to SINK. Each task has a vertex that begins links and a vertex
 * that ends them; each begins, and ends, one link at most. A unit follows dependencies. At a vertex where it could end
 * it may go on along the task's dependencies instead: its link then leads over this task. */
enum { SOURCE, SINK };

struct network {
	igraph_vector_int_t pairs; /* of vertices */
	igraph_vector_t capacity;
	igraph_integer_t n; /* edges so far */
};

static void add(struct network *net, igraph_integer_t from, igraph_integer_t to, double capacity)
{
	VECTOR(net->pairs)[2 * net->n] = from;
	VECTOR(net->pairs)[2 * net->n + 1] = to;
	VECTOR(net->capacity)[net->n++] = capacity;
}

static void fill(struct network *net, tw_task n, struct tw__dependencies deps)
{
	const igraph_integer_t begins = 2, ends = 2 + n;
	for (tw_task t = 0; t < n; t++) {
		add(net, SOURCE, begins + t, 1);
		add(net, ends + t, SINK, 1);
		add(net, ends + t, begins + t, n);
	}
	for (size_t i = 0; i < deps.n; i++)
		add(net, begins + deps.edges[i].from, ends + deps.edges[i].to, n);
}

static igraph_error_t find_antichain(struct tw__description *d, struct tw__dependencies deps)
{
	igraph_t ig;
	struct network net = {.n = 0};
	const tw_task n = d->graph->n_tasks;
	const igraph_integer_t edges = 3 * (igraph_integer_t)n + (igraph_integer_t)deps.n;
	igraph_real_t links = 0;
	IGRAPH_VECTOR_INT_INIT_FINALLY(&net.pairs, 2 * edges);
	IGRAPH_VECTOR_INIT_FINALLY(&net.capacity, edges);
	fill(&net, n, deps);
	IGRAPH_CHECK(igraph_create(&ig, &net.pairs, 2 + 2 * (igraph_integer_t)n, IGRAPH_DIRECTED));
	IGRAPH_FINALLY(igraph_destroy, &ig);
	IGRAPH_CHECK(igraph_maxflow_value(&ig, &links, SOURCE, SINK, &net.capacity, NULL));
	d->antichain = n - (tw_task)links;
	igraph_destroy(&ig);
	igraph_vector_destroy(&net.capacity);
	igraph_vector_int_destroy(&net.pairs);
	IGRAPH_FINALLY_CLEAN(3);
	return IGRAPH_SUCCESS;
}

/* ------------------------------------------------------------------------------------------------------------------ */

static igraph_error_t measure(struct tw__description *d, struct tw__dependencies deps)
{
	igraph_t ig;
	IGRAPH_CHECK(tw__igraph_create(&ig, d->graph->n_tasks, deps.edges, deps.n));
	IGRAPH_FINALLY(igraph_destroy, &ig);
	IGRAPH_CHECK(find_degrees(&d->in, &ig, IGRAPH_IN));
	IGRAPH_CHECK(find_degrees(&d->out, &ig, IGRAPH_OUT));
	IGRAPH_CHECK(find_components(d, &ig));
	igraph_destroy(&ig);
	IGRAPH_FINALLY_CLEAN(1);
	return IGRAPH_SUCCESS;
}

static int describe(struct tw__description *d, struct tw__dependencies deps, bool antichain, struct tw_error *err)
{
	/* All threads share igraph's handlers and its list of what to free. Its default handler ends the process. */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&lock);
	igraph_error_handler_t *handler = igraph_set_error_handler(igraph_error_handler_ignore);
	igraph_error_t why = measure(d, deps), without = why || !antichain ? IGRAPH_SUCCESS : find_antichain(d, deps);
	igraph_set_error_handler(handler);
	pthread_mutex_unlock(&lock);
	int tasks = (int)d->graph->n_tasks;
	if (without == IGRAPH_ENOMEM)
		tw_log(TW_LOG_WARNING, "the largest antichain of %d tasks is left out: out of memory", tasks);
	else
		why = why ? why : without;
	if (why == IGRAPH_ENOMEM)
		return tw_fail(err, TW_NOMEM, "out of memory for the measures of %d tasks", tasks);
	return why ? tw_fail(err, TW_FAILED, "measures of %d tasks: %s", tasks, igraph_strerror(why)) : TW_OK;
}

const struct tw__measures tw__measures = {describe};
