/* Every registered policy with every eviction policy that it accepts, on small graphs of six kinds. The nodes have
 * one CPU, one GPU, 9 CPUs and 3 GPUs, or four archs. Memories are ample, tight or of the least size: see conform.h.
 * Policies come from the registry, so new ones are tested at once. To save time, not all pairs meet in all scenes.
 * With ample memories nothing is evicted, so lru stands for all. In the other scenes, each policy meets lru and its
 * default eviction policy everywhere, and each other one in every fourth scene. So each pair meets every workload,
 * every node and both bounded sizes. The campaign of random cases tests all pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bounds/bounds.h"
#include "conform.h"

static const char *const workloads[] = {
	"cholesky:nt=4",
	"lu:nt=3",
	"qr:nt=3",
	"stencil:nz=24:nx=32:ny=32:blocks=4:iterations=3",
	"matmul2d:nt=4:output=yes",
	NULL, /* layered, with another seed on each node */
};
static const char *const layered[] = {"layered:n=30:seed=1", "layered:n=30:seed=2:fat=0.3",
                                      "layered:n=30:seed=3:fat=0.8", "layered:n=30:seed=4:jump=3"};
static const struct {
	const char *platform;
	int cpus, gpus;
} nodes[] = {{"synthetic", 1, 0}, {"mirage", 0, 1}, {"mirage", 9, 3}, {"synthetic", 6, 3}};

enum {
	N_WORKLOADS = sizeof workloads / sizeof workloads[0],
	N_NODES = sizeof nodes / sizeof nodes[0],
	N_MEMORIES = 3,
	N_SCENES = N_WORKLOADS * N_NODES * N_MEMORIES
};

/* Both runtime models meet each memory size and each node. */
static const char *const runtimes[] = {"starpu", "ideal"};

/* Whether policy p meets eviction policy e in this scene. */
static bool meet_here(int p, int e, int workload, int node, int memory)
{
	const struct tw_policy *policy = tw__policies[p];
	const struct tw_eviction *eviction = tw__evictions[e];
	if (e == 0 || (policy->eviction && strcmp(policy->eviction, eviction->name) == 0))
		return true;
	return memory != AMPLE && (p + e + workload + node + memory) % 4 == 0;
}

/* Every seventh scene (EVERY=7, see world.h) still covers all workloads, nodes and memory sizes. */
static int workload_of(int scene) { return scene % N_WORKLOADS; }
static int node_of(int scene) { return scene / N_WORKLOADS % N_NODES; }
static int memory_of(int scene) { return scene / N_WORKLOADS / N_NODES; }

START_TEST(each_workload_node_and_memory_has_a_scene)
{
	bool workload[N_WORKLOADS] = {false}, node[N_NODES] = {false}, memory[N_MEMORIES] = {false};
	for (int scene = 0; scene < N_SCENES; scene += world_every())
		workload[workload_of(scene)] = node[node_of(scene)] = memory[memory_of(scene)] = true;
	for (int i = 0; i < N_WORKLOADS; i++)
		ck_assert_msg(workload[i], "EVERY=%d leaves out workload %d", world_every(), i);
	for (int i = 0; i < N_NODES; i++)
		ck_assert_msg(node[i], "EVERY=%d leaves out node %d", world_every(), i);
	for (int i = 0; i < N_MEMORIES; i++)
		ck_assert_msg(memory[i], "EVERY=%d leaves out memory %d", world_every(), i);
}
END_TEST

START_TEST(every_policy_conforms)
{
	int workload = workload_of(_i), node = node_of(_i), memory = memory_of(_i);
	struct tw__request request = {
		.platform = nodes[node].platform,
		.workload = workloads[workload] ? workloads[workload] : layered[node],
		.choice = {.cpus = nodes[node].cpus, .gpus = nodes[node].gpus},
		.extrapolate = true,
	};
	if (nodes[node].gpus == 0 && memory != AMPLE)
		request.choice.mem = "RAM=1"; /* the bound keeps the disk */
	struct scene s;
	struct tw_error err = {""};
	ck_assert_msg(
		scene_open(&s, &request, runtimes[(workload + node + memory) % 2], (enum memory)memory, 1.7, &err),
		"%s", err.message);
	/* The best bound that can be proven in a moment; for small graphs. */
	const struct tw__bounded in = {s.world.platform, s.world.graph, &s.world.times};
	struct tw__milp milp;
	ck_assert_msg(tw__bound_milp(&in, 0, 0.05, &milp, &err) == TW_OK, "%s", err.message);
	double bound_s = isnan(milp.seconds) ? 0 : milp.seconds;
	int failed = 0, ran = 0, n_policies = 0;
	for (int p = 0; tw__policies[p]; p++, n_policies++)
		for (int e = 0; tw__evictions[e]; e++) {
			if (!meet_here(p, e, workload, node, memory))
				continue;
			struct setting setting = {.policy = tw__policies[p]->name,
			                          .eviction = tw__evictions[e]->name,
			                          .runtime = s.runtime,
			                          .seed = 1 + (uint64_t)p};
			enum verdict verdict = conforms(&s.world, &setting, s.command, bound_s, &err);
			/* Some pairs are refused, but lru, the first eviction policy, is for all. */
			ck_assert_msg(verdict != REFUSED || e > 0, "%s refuses %s with eviction %s: %s", setting.policy,
			              request.workload, setting.eviction, err.message);
			failed += verdict == FAILS;
			ran += verdict != REFUSED;
		}
	ck_assert_msg(n_policies > 0 && ran >= n_policies, "%d runs of %d policies", ran, n_policies);
	ck_assert_msg(failed == 0, "%d of %d runs do not conform, see above", failed, ran);
	scene_close(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("conformance");
	TCase *cases = tcase_create("conformance");
	tcase_set_timeout(cases, 120);
	tcase_add_test(cases, each_workload_node_and_memory_has_a_scene);
	for (int scene = 0; scene < N_SCENES;
	     scene += world_every()) /* one left out is no test, rather than one that passed */
		tcase_add_loop_test(cases, every_policy_conforms, scene, scene + 1);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
