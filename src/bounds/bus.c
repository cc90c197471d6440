#include <glpk.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bounds/area_program.h"
#include "bounds/bounds.h"

static bool has_accelerator(const struct tw__platform *p, tw_node n)
{
	for (tw_worker w = 0; w < p->n_workers; w++)
		if (p->workers[w].node == n && p->archs[p->workers[w].arch].accelerator)
			return true;
	return false;
}

/* Whether no worker that computes in a main memory can run the task. */
static bool is_for_accelerators(const struct tw__bounded *in, tw_task t)
{
	for (tw_worker w = 0; w < in->platform->n_workers; w++)
		if (tw__is_main(in->platform, in->platform->workers[w].node) &&
		    !isnan(tw__task_run_seconds(in->times, in->graph, t, in->platform->workers[w].arch)))
			return false;
	return true;
}

static uint64_t count_compulsory(const struct tw__bounded *in)
{
	const struct tw_graph *g = in->graph;
	/* [data] whether the handle was already counted, or a task has overwritten its initial value. */
	bool *seen = tw_alloc((size_t)g->n_data, sizeof *seen);
	uint64_t bytes = 0;
	for (tw_data d = 0; d < g->n_data; d++)
		seen[d] = tw__graph_place(g, TW__HOME, d) >= tw__n_mains(in->platform); /* it may never be there */
	for (tw_task t = 0; t < g->n_tasks; t++) {
		const bool may_not_run = tw_graph_around(g, t) != TW_NONE || tw_graph_n_inside(g, t);
		bool loads = !may_not_run && is_for_accelerators(in, t);
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			tw_data d = tw__access_data(g->access[a]);
			enum tw_mode mode = tw__access_mode(g->access[a]);
			if (seen[d] || !(mode & TW_RW))
				continue;
			if ((mode & TW_R) && loads)
				bytes += g->data_bytes[d];
			seen[d] = (mode & TW_W) || ((mode & TW_R) && loads);
		}
	}
	free(seen);
	return bytes;
}

/* Fills a column of the linear program: how often the route lists each of its links. Returns the number of entries; the
 * first entry has index 1. */
static int list_links(const struct tw__platform *p, const struct tw__route *route, int *rows, double *times)
{
	int n = 0;
	for (int i = 0; i < route->n_links; i++) {
		const struct tw__link *link = &p->links[route->links[i]];
		if (!tw__is_first_listed(route, i))
			continue;
		rows[++n] = 1 + route->links[i];
		times[n] = link->shared_bandwidth < link->bandwidth ? 1 : tw__times_listed(route, route->links[i]);
	}
	return n;
}

/* Smaller coefficients than this are left out: GLPK does not end if they differ by 1e18. The bound stays a bound. */
#define LEAST_PART 1e-9

/* Makes `times` the parts of the links' bandwidths that a flow takes which fills its route. Returns how many count. */
static int take_parts(const struct tw__platform *p, double bandwidth, int *rows, double *times, int n)
{
	int kept = 0;
	for (int i = 1; i <= n; i++) {
		double part = times[i] * bandwidth / p->links[rows[i] - 1].shared_bandwidth;
		if (part < LEAST_PART)
			continue;
		rows[++kept] = rows[i];
		times[kept] = part;
	}
	return kept;
}

/* Whether a route goes from the main memory to an accelerator's. */
static bool is_way(const struct tw__platform *p, tw_node main, tw_node n)
{
	return !tw__is_main(p, n) && has_accelerator(p, n) && tw__route_of(p, main, n)->n_links;
}

static double widest(const struct tw__platform *p)
{
	double most = 0;
	for (tw_node main = 0; main < tw__n_mains(p); main++)
		for (tw_node n = 0; n < p->n_nodes; n++)
			if (is_way(p, main, n))
				most = fmax(most, tw__route_of(p, main, n)->bandwidth);
	return most;
}

struct total {
	const struct tw__platform *platform;
	double *bandwidth;
};

/* Computes the bandwidth in bytes/s from main memories to all accelerators together. Maximises the sum of the flows
 * f(n) over routes n from a main memory to an accelerator's. Constraints: f(n) <= bandwidth of the route; for each
 * shared link, the sum of (times listed * f(n)) <= its bandwidth. If several copies get less of a link than one copy,
 * the limit is that lower bandwidth, which a single route never exceeds. The program's columns are parts of the
 * routes' bandwidths, and its rows parts of the links', so that all numbers are at most 1. */
static int find_total(void *arg, struct tw_error *err)
{
	const struct total *t = arg;
	const struct tw__platform *p = t->platform;
	const double unit = widest(p);
	int *rows = tw_alloc((size_t)p->n_links + 1, sizeof *rows);
	double *times = tw_alloc((size_t)p->n_links + 1, sizeof *times);
	bool failed = false;
	glp_smcp how;
	glp_init_smcp(&how);
	how.msg_lev = GLP_MSG_OFF;
	glp_term_out(GLP_OFF);
	glp_prob *lp = glp_create_prob();
	glp_set_obj_dir(lp, GLP_MAX);
	glp_add_rows(lp, p->n_links);
	for (int l = 0; l < p->n_links; l++)
		glp_set_row_bnds(lp, 1 + l, p->links[l].sharing == TW__SHARED ? GLP_UP : GLP_FR, 0, 1);
	for (int way = 0; way < tw__n_mains(p) * p->n_nodes; way++) {
		const tw_node main = way / p->n_nodes, n = way % p->n_nodes;
		const struct tw__route *route = tw__route_of(p, main, n);
		if (!is_way(p, main, n))
			continue;
		int column = glp_add_cols(lp, 1);
		glp_set_col_bnds(lp, column, GLP_DB, 0, 1);
		glp_set_obj_coef(lp, column, fmax(route->bandwidth / unit, LEAST_PART));
		int listed = list_links(p, route, rows, times);
		glp_set_mat_col(lp, column, take_parts(p, route->bandwidth, rows, times, listed), rows, times);
	}
	if (glp_get_num_cols(lp) > 0) {
		failed = glp_simplex(lp, &how) || glp_get_status(lp) != GLP_OPT;
		*t->bandwidth = unit * glp_get_obj_val(lp);
	}
	glp_delete_prob(lp);
	free(rows);
	free(times);
	return failed ? tw_fail(err, TW_FAILED, "bounds: GLPK finds no rate out of main memory") : TW_OK;
}

int tw__bound_bus(const struct tw__bounded *in, struct tw__bus_bounds *bus, struct tw_error *err)
{
	*bus = (struct tw__bus_bounds){.compulsory_bytes = count_compulsory(in)};
	struct total total = {in->platform, &bus->bandwidth};
	int status = in->platform->n_links ? tw__glpk_try(find_total, &total, err) : TW_OK;
	if (status == TW_OK && bus->compulsory_bytes > 0 && bus->bandwidth > 0)
		bus->seconds = (double)bus->compulsory_bytes / bus->bandwidth;
	return status;
}

/* --- bytes that no schedule can spare ----------------------------------------------------------------------------- */

/* Returns the flops per element that is loaded, divided by the square root of the number of elements that the memory
 * holds. It is 1, except for symmetric kernels; NAN: unknown workload. */
static double intensity(const char *workload)
{
	static const struct {
		const char *name;
		double flops_per_element;
	} known[] = {{"cholesky", M_SQRT2}, {"lu", 1}, {"matmul2d", 1}, {"matmul3d", 1}};
	size_t length = strcspn(workload, ":");
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strlen(known[i].name) == length && strncmp(known[i].name, workload, length) == 0)
			return known[i].flops_per_element;
	return NAN;
}

double tw__leading_io_bytes(const char *workload, const struct tw_graph *g, double memory_bytes)
{
	if (!workload || g->n_kernels == 0 || !g->kernels[0].precision)
		return NAN;
	double element_bytes = g->kernels[0].precision[0] == 'd' ? 8 : 4;
	return element_bytes * g->flops / (intensity(workload) * sqrt(memory_bytes / element_bytes));
}
