/* A task that fits no memory: the options that would give it room, in the user's units. */
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "experiment/load.h"

/* The unit if the user gave no size. */
enum { USUAL_UNIT = 1000 * 1000 };

/* The size of --mem for that memory, or 0. */
static uint64_t named_bound(const struct tw__platform_choice *choice, const char *node)
{
	for (int i = 0; i < choice->n_bounds; i++)
		if (strcmp(choice->bounds[i].node, node) == 0)
			return choice->bounds[i].bytes;
	return 0;
}

static void add(struct tw_error *err, const char *words, const char *node, uint64_t bytes, uint64_t like)
{
	char size[40];
	tw__print_bytes_like(size, sizeof size, bytes, like ? like : USUAL_UNIT);
	tw_fail(err, TW_INVALID, "%s, %s%s%s%s", err->message, words, node, *node ? "=" : "", size);
}

/* Adds the options for all memories that are too small. --gpu-mem holds for those without --mem. */
static void add_options(const struct tw__plan *plan, const uint64_t *least, struct tw_error *err)
{
	const struct tw_platform *p = plan->scene->platform;
	const struct tw__platform_choice *choice = &plan->request->choice;
	uint64_t gpu_least = 0, gpu_has = UINT64_MAX;
	bool gpu_lacks = false;
	char all[40];
	for (tw_node n = 0; n < p->n_nodes; n++) {
		const struct tw__node *node = &p->nodes[n];
		uint64_t bound = named_bound(choice, node->name),
			 has = node->memory_bytes ? node->memory_bytes : UINT64_MAX;
		bool lacks = plan->capacity[n] < least[n];
		if (lacks && (bound || n == TW_RAM) && least[n] <= has)
			add(err, "as with --mem ", node->name, least[n], bound);
		if (lacks && (bound || n == TW_RAM) && least[n] > has)
			tw_fail(err, TW_INVALID, "%s, and '%s' has %s in all", err->message, node->name,
			        tw__size_text(all, sizeof all, has));
		if (bound || n == TW_RAM || !least[n])
			continue;
		gpu_lacks |= lacks;
		gpu_least = least[n] > gpu_least ? least[n] : gpu_least;
		gpu_has = has < gpu_has ? has : gpu_has;
	}
	if (gpu_lacks && gpu_least <= gpu_has)
		add(err, "as with --gpu-mem ", "", gpu_least, choice->gpu_mem_bytes);
	else if (gpu_lacks && plan->request->emulate)
		add(err, "as with --emulate ...:mem=", "", gpu_least, gpu_has);
	else if (gpu_lacks)
		tw_fail(err, TW_INVALID, "%s, and a GPU has %s in all", err->message,
		        tw__size_text(all, sizeof all, gpu_has));
}

void tw__advise_memory(const struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__run_input input = tw__plan_input(plan, NULL);
	if (tw__run_home(plan->scene->platform, plan->capacity) == TW_RAM && plan->capacity[TW_RAM] != UINT64_MAX)
		return; /* without a disk, no size of main memory would do */
	uint64_t *least = calloc((size_t)plan->scene->platform->n_nodes, sizeof *least);
	struct tw_error ignored;
	if (least && tw__run_least_capacities(&input, plan->capacity, least, &ignored) == TW_OK)
		add_options(plan, least, err);
	free(least);
}
