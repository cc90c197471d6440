#include "small_scene.h"

#include "base/random.h"

/* --- random worlds ------------------------------------------------------------------------------------------------ */

#define GPU(n, arch, bandwidth, latency)                                                          \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='" arch                              \
	"'/><prop id='memory' value='9GB'/><prop id='peer' "                                      \
	"value='yes'/></host><link id='p" n "' bandwidth='" bandwidth "' latency='" latency "'/>" \
	"<route src='RAM' dst='G" n "'><link_ctn id='p" n "'/></route>"

const char small_node[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='6'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>" GPU(
		"0", "big", "1GBps", "10us") GPU("1", "big", "1GBps", "10us")
		GPU("2", "small", "2GBps",
                    "3us") "<link id='q' bandwidth='1GBps' latency='10us'/>"
			   "<route src='G0' dst='G1'><link_ctn id='q'/></route></zone></platform>\n";

/* One kind of workers, two or three. */
static const struct {
	int cpus, gpus;
} choices[] = {{1, 0}, {2, 0}, {3, 0}, {0, 1}, {0, 2}, {1, 1}, {2, 1}, {1, 2}, {0, 3}, {1, 3}};
enum { N_CHOICES = sizeof choices / sizeof choices[0] };

/* Of handles that are read, at least some are written before. `coarse`: all times are whole milliseconds, on two GPUs
 * at most, and few. */
static void draw_tasks(struct scene *s, struct tw__random *r, int n_data, bool coarse)
{
	for (int t = 0; t < s->n_tasks; t++) {
		struct task *task = &s->tasks[t];
		task->n_accesses = 1 + (int)tw__random_below(r, MOST_ACCESSES);
		for (int i = 0; i < task->n_accesses; i++) {
			static const enum tw_mode modes[] = {TW_R, TW_R, TW_W, TW_RW};
			tw_data d = (tw_data)tw__random_below(r, (uint32_t)n_data);
			for (int k = 0; k < i; k++)
				if (task->accesses[k].data == d) {
					d = (d + 1) % n_data;
					k = -1;
				}
			task->accesses[i] = (struct tw_access){d, modes[tw__random_below(r, 4)]};
		}
	}
	for (int d = 0; d < MOST_DATA; d++)
		s->bytes[d] = coarse ? 990 * 1000 : 4 * (1 + (uint64_t)tw__random_below(r, 10 * 1000 * 1000));
}

void make_graph(struct scene *s)
{
	struct tw_error err = {""};
	struct tw_graph *g = s->world.graph = tw_graph_create();
	for (int d = 0; d < MOST_DATA; d++)
		tw_graph_data(g, s->bytes[d]);
	for (int t = 0; t < s->n_tasks; t++) {
		char name[] = "kernel_a";
		name[7] = (char)('a' + t);
		tw_graph_submit(g, tw_graph_kernel(g, name, "1", "s", 1), 0, s->tasks[t].accesses,
		                s->tasks[t].n_accesses);
	}
	ck_assert_msg(tw_graph_finish(g, &err) == TW_OK, "%s", err.message);
}

/* Each task has a kernel of its own, for a time on each arch. */
static void draw_times(struct scene *s, struct tw__random *r, bool coarse)
{
	const struct tw__platform *p = s->world.platform;
	double seconds[MOST_TASKS * 3];
	for (int t = 0; t < s->n_tasks; t++) {
		const uint32_t fixed = tw__random_below(r, (uint32_t)p->n_archs);
		for (int a = 0; a < p->n_archs; a++) {
			const bool can = tw__random_below(r, 6) > 0 || a == (int)fixed || s->n_tasks > 7;
			const tw__ns length = (1 + tw__random_below(r, coarse ? 3 : 60)) * ms;
			seconds[t * p->n_archs + a] = can ? tw__seconds(length) : NAN;
			for (int w = 0; w < s->n_workers; w++)
				if (p->workers[w].arch == a)
					s->tasks[t].length[w] = can ? length : TW__NEVER;
		}
	}
	world_times(&s->world, seconds);
}

void scene_init(struct scene *s, uint64_t seed, int least_tasks, int most_tasks, bool coarse)
{
	struct tw__random *r = tw__random_create(seed, TW__STREAM_WORKLOAD);
	const int choice = (int)tw__random_below(r, coarse ? 8 : N_CHOICES), n_data = MOST_ACCESSES + (int)(seed % 6);
	*s = (struct scene){.off = seed % 2};
	world_platform(&s->world, small_node,
	               &(struct tw__platform_choice){
			       .cpus = choices[choice].cpus, .gpus = choices[choice].gpus, .no_communication = s->off});
	const struct tw__platform *p = s->world.platform;
	s->n_workers = p->n_workers;
	s->n_tasks = least_tasks + (int)tw__random_below(r, (uint32_t)(most_tasks - least_tasks + 1));
	for (int w = 0; w < p->n_workers; w++)
		s->memory[w] = p->workers[w].name[0] == 'G' && !s->off ? 1 + (p->workers[w].name[1] - '0') : 0;
	draw_tasks(s, r, n_data < MOST_DATA ? n_data : MOST_DATA, coarse);
	make_graph(s);
	draw_times(s, r, coarse);
	tw__random_destroy(r);
}

/* --- the rules of schedules --------------------------------------------------------------------------------------- */

/* The time of a copy from memory to memory. The link of G2 is faster. */
static tw__ns hop(int gpu, uint64_t bytes) { return gpu == 2 ? 3000 + (tw__ns)(bytes / 2) : 10000 + (tw__ns)bytes; }

static tw__ns transfer(int from, int to, uint64_t bytes)
{
	if (from == to)
		return 0;
	if (from && to && from != 3 && to != 3)
		return 10000 + (tw__ns)bytes;
	return (from ? hop(from - 1, bytes) : 0) + (to ? hop(to - 1, bytes) : 0);
}

tw__ns ready_at(const struct grown *g, int t, int memory)
{
	const struct scene *s = g->s;
	tw__ns ready = 0;
	for (int i = 0; i < s->tasks[t].n_accesses; i++) {
		const struct tw_access a = s->tasks[t].accesses[i];
		tw__ns arrival = transfer(0, memory, s->bytes[a.data]);
		for (int before = 0; before < t; before++)
			for (int k = 0; k < s->tasks[before].n_accesses; k++) {
				const struct tw_access b = s->tasks[before].accesses[k];
				if (b.data != a.data || !((a.mode | b.mode) & TW_W))
					continue;
				if (!(g->done >> before & 1))
					return TW__NEVER;
				ready = tw__latest(ready, g->end[before]);
				if (b.mode & TW_W)
					arrival = g->end[before] +
					          transfer(s->memory[g->worker[before]], memory, s->bytes[a.data]);
			}
		if (a.mode & TW_R)
			ready = tw__latest(ready, arrival);
	}
	return ready;
}

void append(struct grown *g, tw__ns makespan)
{
	const struct scene *s = g->s;
	if (makespan >= g->best)
		return;
	if (g->done == (1u << s->n_tasks) - 1)
		g->best = makespan;
	for (int t = 0; t < s->n_tasks; t++)
		for (int w = 0; w < s->n_workers && !(g->done >> t & 1); w++) {
			const tw__ns ready = ready_at(g, t, s->memory[w]), was = g->free_at[w];
			if (s->tasks[t].length[w] == TW__NEVER || ready == TW__NEVER)
				continue;
			g->worker[t] = w;
			g->end[t] = g->free_at[w] = tw__latest(ready, was) + s->tasks[t].length[w];
			g->done |= 1u << t;
			append(g, tw__latest(makespan, g->end[t]));
			g->done &= ~(1u << t);
			g->free_at[w] = was;
		}
}

void place(struct grown *g, int t, tw__ns makespan)
{
	const struct scene *s = g->s;
	if (makespan >= g->best)
		return;
	if (t == s->n_tasks) {
		g->best = makespan;
		return;
	}
	for (int w = 0; w < s->n_workers; w++) {
		const tw__ns length = s->tasks[t].length[w], ready = ready_at(g, t, s->memory[w]);
		for (tw__ns start = 0; length != TW__NEVER && start + length < g->best; start += (tw__ns)ms) {
			bool fits = start >= ready;
			for (int i = 0; i < t && fits; i++)
				fits = g->worker[i] != w || g->end[i] <= start || g->start[i] >= start + length;
			if (!fits)
				continue;
			g->worker[t] = w;
			g->start[t] = start;
			g->end[t] = start + length;
			g->done |= 1u << t;
			place(g, t + 1, tw__latest(makespan, start + length));
			g->done &= ~(1u << t);
		}
	}
}
