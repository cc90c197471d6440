/* ws: work stealing. A queue a worker; what a worker releases goes into its own; who has none steals (StarPU's ws, without
 * a paper of its own; Augonnet 2011, section 3.2.1, names it as what remains where nothing can be predicted).
 *
 * StarPU's manual has the most loaded worker robbed, its code, as it is built, the next in a circle behind the thief's last
 * victim: victim=next is the latter, victim=loaded the former. Priorities count, as in its code. */
#include <stdlib.h>

#include <tilewright/policy.h>
#include <tilewright/stealing.h>

struct ws {
	struct tw_stealing queues;
	tw_worker *loaded; /* all workers, the most loaded first; NULL: victim=next */
};

static const struct tw_param params[] = {
	{"victim", TW_PARAM_CHOICE, "next", 0, 0, "next|loaded",
         "next: behind the last victim, in a circle; loaded: who has the most tasks in its queue"},
	{0},
};

static void finish(struct tw_sched *s, void *state)
{
	struct ws *ws = state;
	(void)s;
	tw_stealing_finish(&ws->queues);
	free(ws->loaded);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct ws *ws = state;
	size_t n = (size_t)tw_n_workers(s);
	bool next = tw_args_text(tw_sched_args(s), "victim")[0] == 'n';
	if (tw_stealing_init(&ws->queues, s, err) < 0)
		return TW_NOMEM;
	ws->loaded = next ? NULL : malloc(n * sizeof *ws->loaded);
	if (!next && !ws->loaded) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'ws': out of memory");
	}
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	tw_stealing_push(&((struct ws *)state)->queues, s, task, released_by);
}

/* By insertion: few have tasks, and equals stay by their numbers. */
static const tw_worker *by_load(struct ws *ws)
{
	const struct tw_stealing_deque *deques = ws->queues.deques;
	for (tw_worker w = 0; w < ws->queues.n; w++) {
		tw_worker i = w;
		for (; i > 0 && deques[ws->loaded[i - 1]].tasks.n_tasks < deques[w].tasks.n_tasks; i--)
			ws->loaded[i] = ws->loaded[i - 1];
		ws->loaded[i] = w;
	}
	return ws->loaded;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct ws *ws = state;
	return ws->loaded ? tw_stealing_pop(&ws->queues, s, worker, by_load(ws))
	                  : tw_stealing_pop_in_turn(&ws->queues, s, worker);
}

const struct tw_policy tw_policy_ws = {
	.abi = TW_POLICY_ABI,
	.name = "ws",
	.summary = "work stealing: a queue a worker, own tasks first, then the next worker's",
	.params = params,
	.state_size = sizeof(struct ws),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
};
