#include "random_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

const char *const random_runtimes[N_RANDOM_RUNTIMES] = {
	"ideal",
	"starpu",
	"starpu:chunk_bytes=0",
	"starpu:reclaim_blocks=no",
	"ideal:prefetch_evicts=yes",
	"starpu:chunk_bytes=8MiB:gpu_pipeline=4:reclaim_copies=5",
	"ideal:idle_write_back=yes:gpu_pipeline=3:cpu_pipeline=2",
	"starpu:order=random:prefetch_evicts=no",
	"starpu:chunk_bytes=0:prefetch_apart=no",
	"ideal:conflicts=gpu_pair:demand_limit=3:window=10:reclaim_blocks=yes:reclaim_copies=3",
};

bool random_places;

enum { MAX_GPUS = 3, MAX_KERNELS = 5, MAX_ARCHS = 8 };

static double between(struct tw__random *r, double low, double high)
{
	return low + (high - low) * tw__random_uniform(r);
}

/* Sizes from 1 KB to 4 MB: a third are multiples of 1 MB, the others log-uniform. */
static uint64_t random_bytes(struct tw__random *r)
{
	if (tw__random_below(r, 3) == 0)
		return (1 + tw__random_below(r, 4)) * 1000000u;
	return (uint64_t)(1000 * pow(4000, tw__random_uniform(r)));
}

/* With REDUCING, every seventh handle is scratch, and a third of the others have reductions. */
static enum tw_mode random_mode(struct tw__random *r, unsigned shape, tw_data d)
{
	static const enum tw_mode modes[] = {TW_R, TW_R, TW_R, TW_RW, TW_RW, TW_W};
	if ((shape & REDUCING) && d % 7 == 5)
		return TW_SCRATCH;
	if ((shape & REDUCING) && d % 3 == 0 && tw__random_below(r, 4))
		return TW_REDUX;
	return modes[tw__random_below(r, 6)];
}

/* Divides the handle into up to four parts, and some of these. */
static void divide(struct tw_graph *g, struct tw__random *r, tw_data d, int depth)
{
	uint64_t bytes[4], left = tw_graph_data_bytes(g, d);
	const int n = 1 + (int)tw__random_below(r, 4);
	for (int i = 0; i < n; i++) {
		bytes[i] = i + 1 < n ? 1 + tw__random_below(r, (uint32_t)(left / 2)) : left;
		left -= bytes[i];
	}
	const tw_data first = tw_graph_partition(g, d, n, bytes);
	for (int i = 0; i < n && depth > 1; i++)
		if (bytes[i] > 100 && tw__random_below(r, 3) == 0)
			divide(g, r, first + i, depth - 1);
}

static bool is_divided_or_part(const struct tw_graph *g, tw_data d)
{
	return tw_graph_parent(g, d) != TW_NONE || tw_graph_parts(g, d, &(int){0}) != TW_NONE;
}

static bool overlap(const struct tw_graph *g, tw_data a, tw_data b)
{
	for (tw_data above = a; above != TW_NONE; above = tw_graph_parent(g, above))
		if (above == b)
			return true;
	for (tw_data above = b; above != TW_NONE; above = tw_graph_parent(g, above))
		if (above == a)
			return true;
	return false;
}

/* Returns a handle of the recursive task, or a part of it; TW_NONE: it is neither divided nor a part. */
static tw_data inside_of(const struct tw_graph *g, struct tw__random *r, struct tw_access around)
{
	tw_data d = around.data;
	int n;
	if (!is_divided_or_part(g, d))
		return TW_NONE;
	for (tw_data first; (first = tw_graph_parts(g, d, &n)) != TW_NONE && tw__random_below(r, 4);)
		d = first + (tw_data)tw__random_below(r, (uint32_t)n);
	return d;
}

/* Makes the last task, with these accesses, recursive, and some of those inside. */
static void submit_inside(struct tw_graph *g, struct tw__random *r, const struct tw_access *around, int n_around,
                          int depth)
{
	struct tw_access access[6];
	const int n_tasks = 1 + (int)tw__random_below(r, 5);
	bool may = false;
	for (int i = 0; i < n_around; i++)
		may |= is_divided_or_part(g, around[i].data);
	for (int i = 0; i < n_around; i++)
		may &= around[i].mode != TW_REDUX;
	if (!may)
		return;
	tw_graph_begin_recursive(g);
	for (int t = 0, n = 0; t < n_tasks; t++, n = 0) {
		for (int i = 0; i < n_around; i++) {
			const tw_data d = inside_of(g, r, around[i]);
			bool again = d == TW_NONE;
			for (int j = 0; j < n; j++)
				again |= overlap(g, access[j].data, d);
			if (!again)
				access[n++] =
					(struct tw_access){d, around[i].mode & TW_W ? random_mode(r, 0, d) : TW_R};
		}
		tw_graph_submit(g, (tw_kernel)tw__random_below(r, 5), (int32_t)tw__random_below(r, 4), access, n);
		if (n && tw__random_below(r, 3) == 0)
			tw_graph_will_not_be_used(g, access[0].data);
		if (depth > 1 && tw__random_below(r, 3) == 0)
			submit_inside(g, r, access, n, depth - 1);
	}
	tw_graph_end_recursive(g);
}

static void submit(struct tw_graph *g, struct tw__random *r, int n_kernels, unsigned shape)
{
	struct tw_access access[6];
	int n = 1 + (int)tw__random_below(r, 6);
	for (int i = 0; i < n;) {
		tw_data d = (tw_data)tw__random_below(r, (uint32_t)tw_graph_n_data(g));
		access[i] = (struct tw_access){d, random_mode(r, is_divided_or_part(g, d) ? 0 : shape, d)};
		bool again = false;
		for (int j = 0; j < i; j++)
			again |= overlap(g, access[j].data, access[i].data);
		i += !again;
	}
	tw_graph_submit(g, (tw_kernel)tw__random_below(r, (uint32_t)n_kernels), (int32_t)tw__random_below(r, 4), access,
	                n);
	if (tw__random_below(r, 4) == 0)
		tw_graph_will_not_be_used(g, access[0].data);
	if ((shape & RECURSIVE) && tw__random_below(r, 2))
		submit_inside(g, r, access, n, 3);
}

/* With odd seeds, handles are discarded that are neither scratch nor have reductions with any shape. */
static void discard(struct tw_graph *g, uint64_t seed)
{
	for (tw_data d = 1; seed % 2 && d < tw_graph_n_data(g); d += 3)
		if (d % 7 != 5 && !is_divided_or_part(g, d))
			tw_graph_discard(g, d);
}

/* With several main memories, a quarter of the handles of some seeds have a home. */
static void give_homes(struct tw_graph *g, uint64_t seed, unsigned shape)
{
	for (tw_data d = 1; (shape & MAINS) && seed % 3 == 0 && d < tw_graph_n_data(g); d += 4)
		if (tw_graph_parent(g, d) == TW_NONE)
			tw_graph_set_home(g, d, d / 4 % 2);
}

/* Some seeds have handles that start on a card, and some have handles that must be on a card, or in main memory, at the
 * end. Cards are behind the main memories; the first four memories exist with MAINS, else the first three. */
static void give_places(struct tw_graph *g, uint64_t seed, unsigned shape)
{
	const tw_node first = shape & MAINS ? 2 : 1;
	for (tw_data d = 2; seed % 4 % 3 && d < tw_graph_n_data(g); d += 5)
		if (tw_graph_parent(g, d) == TW_NONE)
			tw_graph_set_home(g, d, first + d / 5 % 2);
	for (tw_data d = 0; seed % 4 >= 2 && d < tw_graph_n_data(g); d += 3) /* discard() takes others */
		if (d % 7 != 5 && !is_divided_or_part(g, d))
			tw_graph_set_end(g, d, d % 2 ? 0 : first + d / 6 % 2);
}

static void make_graph(struct world *w, struct tw__random *r, uint64_t seed, unsigned shape)
{
	struct tw_error err = {""};
	int n_data = 6 + (int)tw__random_below(r, 30), n_tasks = 10 + (int)tw__random_below(r, 90);
	w->graph = tw_graph_create();
	uint64_t bytes = random_bytes(r);
	for (int d = 0; d < n_data; d++)
		tw_graph_data(w->graph, shape & EQUAL ? bytes : random_bytes(r));
	for (int k = 0; k < MAX_KERNELS; k++) {
		char name[8] = "kernel0";
		name[6] = (char)('0' + k);
		tw_graph_kernel(w->graph, k == 1 ? "potrf" : name, "1", "s", 1);
	}
	for (tw_data d = 0; (shape & REDUCING) && d < n_data; d++)
		tw_graph_reduction(w->graph, d, MAX_KERNELS - 1); /* this kernel runs on all workers */
	for (tw_data d = 0; (shape & DIVIDED) && d < n_data; d++)
		if (d % 3 && d % 7 != 5 && tw__random_below(r, 2)) /* neither scratch nor reduced */
			divide(w->graph, r, d, 3);
	for (int t = 0; t < n_tasks; t++)
		submit(w->graph, r, MAX_KERNELS, shape);
	discard(w->graph, seed);
	give_homes(w->graph, seed, shape);
	if (random_places)
		give_places(w->graph, seed, shape);
	tw_graph_set_priority_scope(w->graph, (enum tw_priority_scope)tw__random_below(r, TW_N_PRIORITY_SCOPES));
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
}

/* Writes main memories behind the first one, with their cores and the links between all. Returns their number. */
static int describe_mains(char **xml, struct tw__random *r)
{
	int n = 2 + (int)tw__random_below(r, 3);
	char *at = *xml;
	for (int m = 1; m < n; m++)
		at += sprintf(
			at,
			"<host id='RAM%d' speed='1f'><prop id='role' value='memory'/></host>\n"
			"<host id='C%d' speed='1Gf' core='%d'><prop id='arch' value='cpu'/><prop id='main_memory' "
			"value='RAM%d'/></host>\n"
			"<link id='qpi%d' bandwidth='%fMBps' latency='%fus'/>\n",
			m, m, 1 + (int)tw__random_below(r, 2), m, m, between(r, 1000, 9000), between(r, 0, 5));
	for (int m = 1; m < n; m++)
		at += sprintf(at, "<route src='RAM' dst='RAM%d'><link_ctn id='qpi%d'/></route>\n", m, m);
	for (int a = 1; a < n; a++)
		for (int b = a + 1; b < n; b++)
			at += sprintf(
				at,
				"<route src='RAM%d' dst='RAM%d'><link_ctn id='qpi%d'/><link_ctn id='qpi%d'/></route>\n",
				a, b, a, b);
	*xml = at;
	return n;
}

/* Writes the name of a main memory. */
static const char *main_name(char name[8], int main)
{
	snprintf(name, 8, main ? "RAM%d" : "RAM", main);
	return name;
}

/* Writes the platform of the node. */
static void describe(char *xml, struct tw__random *r, unsigned shape, int gpus)
{
	char *at = xml, name[8];
	bool peers = shape & PEERS;
	int n_mains = 1, near[MAX_GPUS] = {0};
	at += sprintf(at, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	                  "<platform version='4.1'><zone id='z' routing='Full'>\n"
	                  "<host id='RAM' speed='1f'/>\n");
	if (shape & MAINS) /* cards take the last cores */
		n_mains = describe_mains(&at, r);
	at += sprintf(at, "<host id='C' speed='1Gf' core='%d'><prop id='arch' value='cpu'/></host>\n",
	              gpus + 1 + (int)tw__random_below(r, 3));
	for (int g = 0; g < gpus; g++) {
		near[g] = n_mains > 1 ? (int)tw__random_below(r, (uint32_t)n_mains) : 0;
		at += sprintf(
			at,
			"<host id='G%d' speed='1Gf'><prop id='arch' value='%s'/><prop id='memory' value='64GiB'/>%s", g,
			g == 1 ? "small" : "big", peers ? "<prop id='peer' value='yes'/>" : "");
		if (near[g])
			at += sprintf(at, "<prop id='main_memory' value='%s'/>", main_name(name, near[g]));
		at += sprintf(at, "</host>\n");
	}
	if (shape & DISK)
		at += sprintf(at,
		              "<host id='D' speed='1f'><prop id='role' value='disk'/></host>\n"
		              "<link id='sata' bandwidth='%fMBps' latency='%fus'/>\n",
		              between(r, 100, 900), between(r, 0, 100));
	at += sprintf(at, "<link id='host' bandwidth='%fMBps' latency='0s'/>\n", between(r, 2000, 9000));
	for (int g = 0; g < gpus; g++)
		at += sprintf(at, "<link id='pci%d' bandwidth='%fMBps' latency='%fus' sharing_policy='%s'/>\n", g,
		              between(r, 1000, 6000), between(r, 0, 20), g == 0 ? "SPLITDUPLEX" : "SHARED");
	for (int g = 0; g < gpus; g++)
		for (int m = 0; m < n_mains; m++) /* some cards have routes to other main memories, too */
			if (m == near[g] || tw__random_below(r, 3) == 0)
				at += sprintf(at,
				              "<route src='%s' dst='G%d'><link_ctn id='host'/><link_ctn id='pci%d'%s/>"
				              "</route>\n",
				              main_name(name, m), g, g, g == 0 ? " direction='DOWN'" : "");
	for (int a = 0; peers && a < gpus; a++)
		for (int b = a + 1; b < gpus; b++)
			at += sprintf(
				at,
				"<route src='G%d' dst='G%d'><link_ctn id='pci%d'%s/><link_ctn id='pci%d'/></route>\n",
				a, b, a, a == 0 ? " direction='UP'" : "", b);
	if (shape & DISK)
		at += sprintf(at, "<route src='RAM' dst='D'><link_ctn id='sata'/></route>\n");
	sprintf(at, "</zone></platform>\n");
}

/* A fifth of the tasks has own seconds on each arch. */
static void give_own_seconds(struct world *w, struct tw__random *r)
{
	struct tw__times *times = &w->times;
	times->n_tasks = w->graph->n_tasks;
	times->own = calloc((size_t)times->n_archs, sizeof *times->own);
	for (tw_arch a = 0; a < times->n_archs; a++) {
		times->own[a] = malloc((size_t)times->n_tasks * sizeof *times->own[a]);
		for (tw_task t = 0; t < times->n_tasks; t++) {
			bool has_own = tw__random_below(r, 5) == 0;
			times->own[a][t] = has_own ? between(r, 1e-5, 2e-3) : NAN;
			times->recorded[w->graph->kernel[t] * times->n_archs + a] |= has_own;
			times->has_recorded |= has_own;
		}
	}
}

static void make_times(struct world *w, struct tw__random *r, unsigned shape)
{
	double seconds[MAX_KERNELS * MAX_ARCHS];
	const int n = w->platform->n_archs;
	int n_single = 0; /* archs that have workers */
	while (n_single < n && tw__has_worker(w->platform, n_single))
		n_single++;
	for (int k = 0; k < MAX_KERNELS; k++)
		for (int a = 0; a < n_single; a++)
			seconds[k * n + a] = between(r, 1e-5, 2e-3);
	/* One kernel runs only on the first arch, another only on the last arch. */
	for (int a = 1; (shape & PICKY) && a < n_single; a++) {
		seconds[2 * n + a] = NAN;
		seconds[3 * n + a - 1] = NAN;
	}
	/* The others are several workers together; some kernels are for fewer. */
	for (int k = 0; k < MAX_KERNELS; k++)
		for (int a = 0; a < n_single; a++)
			for (int c = 2; c <= w->platform->archs[a].most_cores; c++)
				seconds[k * n + w->platform->archs[a].wide + c - 2] =
					c == 3 && k == 1 ? NAN : seconds[k * n + a] * (0.2 + 0.9 / c);
	world_times(w, seconds);
	if (shape & RECORDED)
		give_own_seconds(w, r);
}

static uint64_t greatest_set(const struct tw_graph *g)
{
	uint64_t greatest = 0;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		uint64_t sum = 0;
		for (int a = 0; a < tw_graph_n_accesses(g, t); a++)
			sum += tw_graph_data_bytes(g, tw_graph_access(g, t, a).data);
		greatest = sum > greatest ? sum : greatest;
	}
	return greatest;
}

static uint64_t greatest_data(const struct tw_graph *g)
{
	uint64_t greatest = 0;
	for (tw_data d = 0; d < g->n_data; d++)
		greatest = g->data_bytes[d] > greatest ? g->data_bytes[d] : greatest;
	return greatest;
}

void random_world(struct world *w, uint64_t seed, unsigned shape, const char *runtime)
{
	struct tw__random *r = tw__random_create(seed * N_SHAPES + shape, TW__STREAM_ORDER);
	char xml[8192];
	int gpus = 2 + (int)tw__random_below(r, 2);
	*w = (struct world){0};
	make_graph(w, r, seed, shape);
	describe(xml, r, shape, gpus);
	/* Half of the memories have exactly the size that the largest task needs, the others up to three times as much.
	 * If tasks do not fit, memories grow. */
	uint64_t least = greatest_set(w->graph), bytes[1 + MAX_GPUS];
	for (int n = 0; n <= gpus; n++)
		bytes[n] = tw__random_below(r, 2) ? least : (uint64_t)(between(r, 1, 3) * (double)least);
	const bool bounds_main = (shape & MAINS) && !(shape & DIVIDED) && tw__random_below(r, 2);
	for (;;) {
		char mem[200] = "";
		for (int g = 0, at = 0; g < gpus; g++)
			at += snprintf(mem + at, sizeof mem - (size_t)at, "%sG%d=%llu", g ? "," : "", g,
			               (unsigned long long)bytes[g]);
		if (shape & DISK || bounds_main) /* with room for transit */
			snprintf(mem + strlen(mem), sizeof mem - strlen(mem), "%s%s=%llu", *mem ? "," : "",
			         shape & DISK ? "RAM" : "RAM1",
			         (unsigned long long)(bytes[gpus] + (uint64_t)gpus * greatest_data(w->graph)));
		const struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS,
		                                           .gpus = gpus,
		                                           .mem = *mem ? mem : NULL,
		                                           .gpu_workers = shape & STREAMS ? "3:slowdown=2" : NULL,
		                                           .max_parallelism = shape & WIDE ? 4 : 1};
		world_platform(w, xml, &choice);
		make_times(w, r, shape);
		if (world_fits(w, runtime))
			break;
		tw__times_finish(&w->times);
		tw__platform_destroy(w->platform);
		for (int n = 0; n <= gpus; n++)
			bytes[n] += bytes[n] / 8 + 4096;
	}
	tw__random_destroy(r);
}

const char *random_policy(struct tw__random *r)
{
	uint32_t n = 0;
	while (tw__policies[n])
		n++;
	for (;;) {
		const char *name = tw__policies[tw__random_below(r, n)]->name;
		if (strcmp(name, "replay") != 0)
			return name;
	}
}

int random_number(const char *name, int fallback) { return getenv(name) ? atoi(getenv(name)) : fallback; }
