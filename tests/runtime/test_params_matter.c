/* Each parameter of the runtime matters: two of its values give runs that differ as its help text says.
 * A parameter of params.h without a row here fails the test. */
#include <stdlib.h>
#include <string.h>

#include "cluster_world.h"
#include "metrics.h"
#include "world.h"

enum { MB = 1000000, MIB = 1 << 20, MS = 1000000 /* in ns */ };

/* --- scenes ----------------------------------------------------------------------------------------------------- */

struct scene {
	int cpus, gpus;         /* of mirage */
	uint64_t gpu_mem_bytes; /* 0: all that the card has */
	const char *workload;
	const struct shape *shape;   /* instead of mirage and a workload */
	const char *policy, *assign; /* assign: for domains; NULL: none */
	int nodes;                   /* of a cluster with a slow network; 0: none */
};

#define PLATFORM(body)                                                                                           \
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"                \
	"<platform version='4.1'><zone id='z' routing='Full'>"                                                   \
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>" body \
	"</zone></platform>\n"
#define GPU(n, latency, shared)                                                                             \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>" \
	"<link id='p" n "' bandwidth='1GBps' latency='" latency "' sharing_policy='SPLITDUPLEX'/>"          \
	"<route src='RAM' dst='G" n "'>" shared "<link_ctn id='p" n "' direction='DOWN'/></route>"

static const char one_gpu[] = PLATFORM(GPU("0", "10us", ""));
static const char near_and_far_gpu[] = PLATFORM("<link id='host' bandwidth='1GBps' latency='0us'/>" GPU(
	"0", "10us", "<link_ctn id='host'/>") GPU("1", "100us", "<link_ctn id='host'/>"));

/* The card is near a second main memory. */
static const char second_memory[] =
	PLATFORM("<host id='RAM1' speed='1f'><prop id='role' value='memory'/></host>"
                 "<host id='G0' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/>"
                 "<prop id='main_memory' value='RAM1'/></host><link id='q' bandwidth='1GBps' latency='0us'/>"
                 "<route src='RAM' dst='RAM1'><link_ctn id='q'/></route>"
                 "<route src='RAM1' dst='G0'><link_ctn id='q'/></route>");

/* Tasks of 1 ms on accelerators. Each task accesses the next handles, and the first ones again after the last. */
struct shape {
	const char *platform;
	int gpus, n_handles, n_tasks, n_accesses; /* accesses: of each task */
	uint64_t bytes;                           /* of a handle */
	unsigned mode;
};

static void build(struct world *w, const struct shape *s, uint64_t gpu_mem_bytes)
{
	const struct tw__platform_choice choice = {.gpus = s->gpus, .gpu_mem_bytes = gpu_mem_bytes};
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, s->platform, &choice);
	w->graph = tw_graph_create();
	for (int d = 0; d < s->n_handles; d++)
		tw_graph_data(w->graph, s->bytes);
	tw_graph_kernel(w->graph, "work", "1", "s", 1);
	for (int t = 0, next = 0; t < s->n_tasks; t++) {
		struct tw_access access[4];
		for (int a = 0; a < s->n_accesses; a++)
			access[a] = (struct tw_access){next++ % s->n_handles, s->mode};
		ck_assert_int_ge(tw_graph_submit(w->graph, 0, 0, access, s->n_accesses), 0);
	}
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3});
}

static const struct shape read_twice = {one_gpu, 1, 20, 40, 1, 4 * MIB, TW_R};
static const struct shape read_four_each = {one_gpu, 1, 8, 2, 4, 4 * MIB, TW_R};
static const struct shape written_once = {one_gpu, 1, 20, 20, 1, 4 * MIB, TW_W};
static const struct shape written_ten_times = {one_gpu, 1, 20, 200, 1, 4 * MIB, TW_W};
static const struct shape one_each = {near_and_far_gpu, 2, 2, 2, 1, 10 * MB, TW_R};
static const struct shape read_from_afar = {second_memory, 1, 20, 20, 1, 4 * MIB, TW_R};
static const struct shape read_by_two = {near_and_far_gpu, 2, 20, 40, 1, 4 * MIB, TW_R};

/* --- the table -------------------------------------------------------------------------------------------------- */

/* B's figure is less than A's, or more, by at least `least`; or the same. */
enum direction { LESS, MORE, SAME };

static const struct scene one_cpu = {.cpus = 1, .workload = "cholesky:nt=4", .policy = "eager"};
static const struct scene four_cpus = {.cpus = 4, .workload = "cholesky:nt=4", .policy = "eager"};
static const struct scene nine_cpus = {.cpus = 9, .workload = "cholesky:nt=4", .policy = "eager"};
static const struct scene a_chain = {.cpus = 4, .workload = "cholesky:nt=2", .policy = "eager"};
static const struct scene a_gpu = {.gpus = 1, .workload = "cholesky:nt=4", .policy = "eager"};
static const struct scene three_gpus = {.gpus = 3, .workload = "cholesky:nt=4", .policy = "eager"};
static const struct scene a_gpu_ahead = {.gpus = 1, .workload = "cholesky:nt=8", .policy = "dmda"};
static const struct scene both = {.cpus = 1, .gpus = 3, .workload = "cholesky:nt=12", .policy = "eager"};
static const struct scene two_domains = {
	.cpus = 3, .workload = "cholesky:nt=6", .policy = "one=cpu:eager+two=cpu:eager", .assign = "gemm=two,syrk=two"};
static const struct scene two_placing = {
	.cpus = 9, .gpus = 3, .workload = "cholesky:nt=8", .policy = "one=all:dmda+two=all:dmda", .assign = "gemm=two"};
static const struct scene peers = {.gpus = 3, .workload = "cholesky:nt=12", .policy = "eager"};
static const struct scene predicting = {.cpus = 9, .gpus = 3, .workload = "cholesky:nt=12", .policy = "dmda"};
static const struct scene little = {
	.cpus = 9, .gpus = 3, .gpu_mem_bytes = 100 * MIB, .workload = "cholesky:nt=12", .policy = "dmda"};
static const struct scene more_tiles = {
	.cpus = 9, .gpus = 3, .gpu_mem_bytes = 250 * MIB, .workload = "cholesky:nt=20", .policy = "dmda"};
static const struct scene sorted = {
	.cpus = 9, .gpus = 3, .gpu_mem_bytes = 100 * MIB, .workload = "cholesky:nt=12", .policy = "dmdas"};
static const struct scene reading = {.shape = &read_twice, .gpu_mem_bytes = 80 * MIB};
static const struct scene reading_in_all = {.shape = &read_twice};
static const struct scene reading_in_half = {.shape = &read_twice, .gpu_mem_bytes = 40 * MIB};
static const struct scene writing_in_all = {.shape = &written_ten_times};
static const struct scene writing = {.shape = &written_once, .gpu_mem_bytes = 40 * MIB};
static const struct scene wide = {.shape = &read_four_each};
static const struct scene shared_link = {.shape = &one_each};
static const struct scene behind = {.shape = &read_from_afar};
static const struct scene four_nodes = {
	.cpus = 9, .workload = "cholesky:nt=8:flush=yes", .policy = "dmdas", .nodes = 4};
static const struct scene nodes_with_gpus = {
	.cpus = 1, .gpus = 3, .workload = "cholesky:nt=8", .policy = "dmdas", .nodes = 2};
static const struct scene wide_in_both = {.shape = &read_by_two};

enum { TASKS = 20 /* of cholesky:nt=4 */ };

static const struct row {
	const char *param, *base, *a, *b; /* base: the model, and other parameters */
	const struct scene *scene;
	metric *metric;
	enum direction direction;
	int64_t least;
} rows[] = {
	/* The makespan grows by the cost of each task, transfer or allocation. */
	{"submit_cost", "ideal", "0", "10ms", &one_cpu, makespan_ns, MORE, 10 * MS},
	{"push_cost", "ideal", "0", "1ms", &one_cpu, makespan_ns, MORE, (TASKS - 1) * MS},
	{"fetch_cost", "ideal", "0", "1ms", &one_cpu, makespan_ns, MORE, (TASKS * MS)},
	{"poll_cost", "ideal", "0", "1ms", &one_cpu, makespan_ns, MORE, (TASKS * MS)},
	{"turn_cost", "ideal", "0", "1ms", &one_cpu, makespan_ns, MORE, (TASKS - 1) * MS},
	{"scan_cost", "ideal", "0", "1ms", &one_cpu, makespan_ns, MORE, (TASKS * MS)},
	{"kernel_queue_cost", "ideal:gpu_pipeline=1", "0", "1ms", &a_gpu, makespan_ns, MORE, (TASKS * MS)},
	{"kernel_queue_cost_per_gpu", "ideal:gpu_pipeline=1", "0", "1ms", &three_gpus, makespan_ns, MORE,
         TASKS *MS / 3},
	{"launch_blocks", "ideal:gpu_pipeline=1", "", "gemm=1s+trsm=1s", &a_gpu, makespan_ns, MORE, 100 * MS},
	{"transfer_queue_cost", "ideal:gpu_pipeline=1", "0", "1ms", &a_gpu, makespan_ns, MORE, 10 * MS},
	{"alloc_cost", "ideal:gpu_pipeline=1", "0", "1ms", &reading, makespan_ns, MORE, 20 * MS},
	{"alloc_cost_per_gpu", "ideal:gpu_pipeline=1", "0", "1ms", &wide_in_both, makespan_ns, MORE, 4 * MS},
	/* 80 MiB hold 20 handles of 4 MiB, but only 16 in two chunks of 32 MiB. */
	{"chunk_bytes", "ideal:chunk_data_bytes=4MiB", "0", "32MiB", &reading, evictions, MORE, 1},
	{"chunk_data_bytes", "ideal:chunk_bytes=32MiB", "4MiB", "3MiB", &reading, evictions, LESS, 1},
	{"chunk_overlooks", "starpu", "no", "yes", &more_tiles, evictions, MORE, 1},
	{"memory_fraction", "ideal", "1", "0.05", &reading_in_all, evictions, MORE, 1},
	/* A CPU worker pops no task while it computes or waits for data: no value but 1 can have an effect. */
	{"cpu_pipeline", "ideal", "1", "3", &both, digest, SAME, 0},
	{"cpu_pipeline", "starpu", "1", "3", &little, digest, SAME, 0},
	{"gpu_pipeline", "ideal", "1", "4", &a_gpu, most_held, MORE, 3},
	{"sync_kernels", "ideal", "", "potrf+trsm+syrk+gemm", &a_gpu, most_held, LESS, 1},
	/* Issuing costs time. With a greater limit it overlaps with the transfer before. */
	{"demand_limit", "ideal:transfer_queue_cost=1ms", "1", "3", &wide, third_demand_ns, LESS, 1 * MS},
	{"prefetch_limit", "ideal:transfer_queue_cost=1ms", "1", "3", &a_gpu_ahead, third_prefetch_ns, LESS, 1},
	{"idle_limit", "ideal:clean_low=1:clean_high=1:transfer_queue_cost=1ms", "1", "3", &writing_in_all,
         idle_write_backs, MORE, 1},
	{"conflicts", "ideal", "gpu_pair", "channel", &peers, most_between_peers, MORE, 1},
	/* A route of a tenth of the latency gets ten times the part: 11 ms instead of 20. */
	{"link_shares", "ideal", "equal", "latency", &shared_link, first_landing_ns, LESS, 8 * MS},
	{"bus", "ideal", "eq3.4", "eq3.5", &predicting, loads, LESS, 1},
	{"contention", "ideal", "0", "10", &predicting, loads, LESS, 1},
	{"idle_write_back", "ideal", "no", "yes", &little, idle_write_backs, MORE, 1},
	{"clean_low", "ideal:clean_high=0.5", "0", "0.5", &a_gpu_ahead, idle_write_backs, MORE, 1},
	{"clean_high", "ideal:clean_low=0.3", "0.3", "0.9", &a_gpu_ahead, idle_write_backs, MORE, 1},
	{"keeps_invalid", "ideal", "no", "yes", &little, evictions, MORE, 1},
	{"prefetch_evicts", "ideal", "no", "yes", &little, prefetches, MORE, 1},
	{"prefetch_apart", "ideal:prefetch_evicts=yes", "no", "yes", &sorted, prefetches_lost, MORE, 1},
	{"eviction_waits", "ideal:gpu_pipeline=5", "no", "yes", &reading_in_half, makespan_ns, MORE, 1},
	{"reclaim_copies", "ideal", "1", "4", &writing, reclaiming_write_backs, MORE, 1},
	{"reclaim_blocks", "ideal:gpu_pipeline=4", "no", "yes", &writing, taken_during_write_back, LESS, 1},
	{"cpus_race", "ideal:order=id", "no", "yes", &a_chain, questions, MORE, 3},
	{"order", "ideal", "id", "idle_time", &nine_cpus, sum_of_ids, MORE, 1},
	{"order", "ideal", "id", "random", &nine_cpus, sum_of_ids, MORE, 1},
	{"window", "ideal", "3", "0", &four_cpus, most_submitted, MORE, TASKS - 3},
	{"message_cost", "ideal", "0", "50ms", &four_nodes, makespan_ns, MORE, 100 * MS},
	{"send_limit", "ideal", "1", "0", &four_nodes, makespan_ns, MORE, MS},
	{"early_messages", "ideal", "no", "yes", &four_nodes, makespan_ns, MORE, MS},
	{"gpudirect", "ideal", "no", "yes", &nodes_with_gpus, loads, LESS, 10},
	{"receive_chunk_bytes", "ideal:receive_chunk_cost=50ms", "4MiB", "64MiB", &nodes_with_gpus, makespan_ns, LESS,
         50 * MS},
	{"receive_chunk_cost", "ideal:receive_chunk_bytes=32MiB", "0", "50ms", &nodes_with_gpus, makespan_ns, MORE,
         50 * MS},
	{"domains_in_turn", "ideal", "no", "yes", &two_domains, makespan_ns, MORE, MS},
	{"domains_tell", "ideal", "no", "yes", &two_placing, makespan_ns, LESS, MS},
	/* Handles that start in the card's main memory take a way of one hop. */
	{"homes", "ideal", "first", "interleaved", &behind, makespan_ns, LESS, 10 * MS},
	{"homes", "ideal", "interleaved", "first_touch", &behind, makespan_ns, LESS, 10 * MS},
	{"reload_limit", "ideal", "100000", "1", &a_gpu, completes, LESS, 1},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static int64_t figure_of(const struct row *r, const char *value)
{
	const struct scene *s = r->scene;
	struct tw_policy counting = counting_eager();
	char runtime[256];
	struct world w = {0};
	if (s->shape)
		build(&w, s->shape, s->gpu_mem_bytes);
	else
		world_mirage(&w, s->cpus, s->gpus, s->gpu_mem_bytes, s->workload);
	if (s->nodes) {
		struct tw__distribution d;
		struct tw_error err = {""};
		ck_assert_msg(tw__distribute(&d, w.graph, NULL, s->nodes, &err) == TW_OK, "%s", err.message);
		cluster_world(&w, s->nodes, (struct test_network){125e6, 1e-5, 0}, &d);
		tw__distribution_finish(&d);
	}
	snprintf(runtime, sizeof runtime, "%s:%s=%s", r->base, r->param, value);
	struct setting setting = {
		.policy = s->policy, .assign = s->assign, .runtime = runtime, .seed = 1, .keep_record = true};
	if (r->metric == questions)
		setting.own_policy = &counting;
	struct outcome o = r->metric == completes ? world_run(&w, &setting) : world_must_run(&w, &setting, r->param);
	int64_t figure = r->metric(&w, &o);
	free(o.events);
	world_finish(&w);
	return figure;
}

START_TEST(two_values_differ_as_the_help_says)
{
	const struct row *r = &rows[_i];
	int64_t a = figure_of(r, r->a), b = figure_of(r, r->b), least = r->least ? r->least : 1;
	int64_t gain = r->direction == MORE ? b - a : a - b;
	ck_assert_msg(r->direction == SAME ? a == b : gain >= least,
	              "%s: %s=%s gives %lld, %s gives %lld: expected %s by %lld or more", r->base, r->param, r->a,
	              (long long)a, r->b, (long long)b,
	              r->direction == SAME   ? "no difference"
	              : r->direction == MORE ? "more"
	                                     : "less",
	              (long long)least);
}
END_TEST

START_TEST(every_parameter_has_a_row)
{
	static const char *const names[] = {
#define X(field, ...) #field,
		TW__RUNTIME_PARAMS(X)
#undef X
	};
	for (int p = 0; p < TW__N_RUNTIME_PARAMS; p++) {
		bool found = false;
		for (int i = 0; i < N_ROWS; i++)
			found |= strcmp(rows[i].param, names[p]) == 0;
		ck_assert_msg(found, "parameter '%s' has no row: no test would notice if it did nothing", names[p]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("runtime: parameters matter");
	TCase *cases = tcase_create("parameters matter");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, every_parameter_has_a_row);
	tcase_add_loop_test(cases, two_values_differ_as_the_help_says, 0, N_ROWS);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
