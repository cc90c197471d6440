#include "inside.h"

#include "world.h"

static int (*check_at_hand)(struct tw_sched *, struct tw_error *);

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)state;
	return check_at_hand(s, err) < 0 ? TW_FAILED : tw_fail(err, TW_FAILED, "as it should be");
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)s, (void)state, (void)task, (void)released_by;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s, (void)state, (void)worker;
	return TW_NONE;
}

void inside_a_run(const char *workload, int (*check)(struct tw_sched *, struct tw_error *),
                  struct tw_planned_use (*planned_use)(struct tw_sched *, void *state, tw_data, tw_node))
{
	const struct tw_policy policy = {.abi = TW_POLICY_ABI,
	                                 .name = "inside",
	                                 .summary = "",
	                                 .init = init,
	                                 .push = push,
	                                 .pop = pop,
	                                 .planned_use = planned_use};
	struct tw__request request = {
		.platform = "mirage", .workload = workload, .choice = {.cpus = 3, .gpus = 3}, .extrapolate = true};
	struct tw__scene *scene;
	struct tw_error err = {""};
	ck_assert_msg(!tw__scene_create(&scene, &request, &err), "%s", err.message);
	check_at_hand = check;
	struct outcome o = world_run(&(struct world){scene->platform, scene->graph, scene->times},
	                             &(struct setting){.own_policy = &policy});
	ck_assert_str_eq(o.err.message, "as it should be");
	tw__scene_destroy(scene);
}
