#include "exhaustive.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

#define GPU(n, arch)                                                                                             \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='" arch "'/><prop id='memory' value='1GB'/></host>" \
	"<link id='p" n "' bandwidth='1GBps' latency='10us'/>"                                                   \
	"<route src='RAM' dst='G" n "'><link_ctn id='p" n "'/></route>"

static const char node[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>" GPU(
		"0", "big") GPU("1", "small") "</zone></platform>\n";

void small_world(struct world *w, uint64_t seed) { small_world_of(w, seed, TW__ALL_WORKERS, TW__ALL_WORKERS); }

void small_world_of(struct world *w, uint64_t seed, int cpus, int gpus)
{
	struct tw_error err = {""};
	struct tw__random *r = tw__random_create(seed, TW__STREAM_POLICY);
	double seconds[MAX_SMALL_TASKS * 3];
	int n_tasks = 2 + (int)tw__random_below(r, MAX_SMALL_TASKS - 1), n_edges = 0;
	*w = (struct world){0};
	world_platform(w, node, &(struct tw__platform_choice){.cpus = cpus, .gpus = gpus, .no_communication = true});
	int n_archs = w->platform->n_archs;
	ck_assert_int_le(n_archs, 3);
	w->graph = tw_graph_create();
	for (int t = 0; t < n_tasks; t++) {
		char name[] = "kernel0";
		struct tw_access access[1 + MAX_SMALL_TASKS] = {{tw_graph_data(w->graph, 8), TW_RW}};
		int n = 1;
		name[6] = (char)('0' + t);
		for (tw_data d = 0; d < t; d++)
			if (tw__random_below(r, 3) == 0)
				access[n++] = (struct tw_access){d, TW_R};
		n_edges += n - 1;
		tw_graph_submit(w->graph, tw_graph_kernel(w->graph, name, "1", "s", 1), 0, access, n);
		for (int a = 0; a < n_archs; a++)
			seconds[n_archs * t + a] = (1 + (double)tw__random_below(r, 100)) * 1e-3;
	}
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, seconds);
	tw__random_destroy(r);
}

struct search {
	const struct world *w;
	double end[MAX_SMALL_TASKS], free_at[8], best;
	unsigned done;
};

/* Builds every schedule without unnecessary idle time, by assigning tasks in the order of their starts, each after
 * the last task of its worker. */
static void give_out(struct search *s, double makespan)
{
	const struct tw_graph *g = s->w->graph;
	const struct tw__platform *p = s->w->platform;
	if (s->done == (1u << g->n_tasks) - 1)
		s->best = fmin(s->best, makespan);
	for (tw_task t = 0; t < g->n_tasks && makespan < s->best; t++) {
		double ready = 0;
		bool can = !(s->done >> t & 1);
		for (tw_task before = 0; before < t && can; before++)
			for (uint32_t i = g->successor_start[before]; i < g->successor_start[before + 1]; i++)
				if (g->successor[i] == t) {
					can = can && (s->done >> before & 1);
					ready = fmax(ready, s->end[before]);
				}
		for (int w = 0; w < p->n_workers && can; w++) {
			bool twin = w > 0 && p->workers[w].arch == p->workers[w - 1].arch &&
			            s->free_at[w] == s->free_at[w - 1];
			double was = s->free_at[w];
			double end = fmax(ready, was) + tw__task_seconds(&s->w->times, g, t, p->workers[w].arch);
			if (twin || end >= s->best)
				continue;
			s->free_at[w] = s->end[t] = end;
			s->done |= 1u << t;
			give_out(s, fmax(makespan, end));
			s->done &= ~(1u << t);
			s->free_at[w] = was;
		}
	}
}

double shortest_makespan(const struct world *w)
{
	struct search s = {.w = w, .best = INFINITY};
	give_out(&s, 0);
	return s.best;
}
