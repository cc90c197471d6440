/* Planned orders, compared with plain arrays, under thousands of random changes. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "policies/support/plan.h"
#include "inside.h"

enum { MAX_TASKS = 200, MAX_NODES = 8, N_CHANGES = 4000 };

struct oracle {
	tw_task order[MAX_NODES][MAX_TASKS];
	int n[MAX_NODES];
	enum tw_plan_state state[MAX_TASKS];
	tw_node node[MAX_TASKS];
};

static uint64_t seed;

static int find(const struct oracle *o, tw_task task)
{
	tw_node node = o->node[task];
	int i = 0;
	while (i < o->n[node] && o->order[node][i] != task)
		i++;
	return i;
}

static void insert(struct oracle *o, tw_task task, tw_node node, int at)
{
	memmove(&o->order[node][at + 1], &o->order[node][at], (size_t)(o->n[node]++ - at) * sizeof task);
	o->order[node][at] = task;
	o->node[task] = node;
	o->state[task] = TW_PLANNED;
}

static void withdraw(struct oracle *o, tw_task task)
{
	if (o->state[task] == TW_NOT_PLANNED)
		return;
	tw_node node = o->node[task];
	int at = find(o, task);
	memmove(&o->order[node][at], &o->order[node][at + 1], (size_t)(--o->n[node] - at) * sizeof task);
	o->state[task] = TW_NOT_PLANNED;
}

static void take(struct oracle *o, tw_task task, tw_node node)
{
	if (o->state[task] != TW_NOT_PLANNED && o->node[task] != node)
		withdraw(o, task);
	if (o->state[task] == TW_NOT_PLANNED)
		insert(o, task, node, 0);
	o->state[task] = TW_TAKEN;
}

/* Each accumulator of a handle counts as used by all contributors to the handle. */
static bool uses(const struct tw_sched *s, tw_task task, tw_data d)
{
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		struct tw_access access = tw_task_access(s, task, i);
		tw_data first = access.mode & TW_REDUX ? tw_accumulator(s, access.data, 0) : access.data;
		if (d >= first && d < first + (access.mode & TW_REDUX ? tw_n_workers(s) : 1))
			return true;
	}
	return false;
}

static bool same_use(const struct oracle *o, const struct tw_plan *p, const struct tw_sched *s, tw_data d, tw_node node)
{
	struct tw_planned_use use = tw_plan_use(p, d, node), expected = {TW_NEVER, 0, 0};
	for (int i = 0; i < o->n[node]; i++) {
		tw_task task = o->order[node][i];
		if (!uses(s, task, d))
			continue;
		if (expected.next == TW_NEVER)
			expected.next = p->tasks[task].place;
		++*(o->state[task] == TW_TAKEN ? &expected.taken : &expected.planned);
	}
	return use.next == expected.next && use.taken == expected.taken && use.planned == expected.planned;
}

static bool same_order(const struct oracle *o, const struct tw_plan *p, tw_node node)
{
	tw_task task = p->orders[node].first, ahead = TW_NONE;
	int planned = 0;
	for (int i = 0; i < o->n[node]; i++) {
		if (task != o->order[node][i] || p->tasks[task].ahead != ahead || p->tasks[task].node != node ||
		    p->tasks[task].state != o->state[task] ||
		    (ahead != TW_NONE && p->tasks[ahead].place >= p->tasks[task].place))
			return false;
		planned += o->state[task] == TW_PLANNED;
		ahead = task;
		task = p->tasks[task].behind;
	}
	return task == TW_NONE && p->orders[node].last == ahead && p->orders[node].n_planned == planned;
}

static void change(struct oracle *o, struct tw_plan *p, struct tw_sched *s, struct tw__random *r)
{
	uint32_t n_nodes = (uint32_t)tw_n_nodes(s);
	tw_task task = (tw_task)tw__random_below(r, (uint32_t)tw_graph_n_tasks(tw_sched_graph(s)));
	tw_node node = (tw_node)tw__random_below(r, n_nodes);
	bool planned = o->state[task] != TW_NOT_PLANNED;
	switch (tw__random_below(r, planned ? 4 : 3)) {
	case 0: /* always right behind the same task, until no places are left between the two */
		if (planned)
			return;
		if (tw__random_below(r, 3) == 0) {
			insert(o, task, node, o->n[node]);
			tw_plan_append(p, s, task, node);
		} else {
			int at = o->n[node] > 1 ? 1 : 0;
			tw_task ahead = at ? o->order[node][0] : TW_NONE;
			insert(o, task, node, at);
			tw_plan_insert(p, s, task, node, ahead);
		}
		return;
	case 1:
		if (planned)
			return;
		int at = (int)tw__random_below(r, (uint32_t)o->n[node] + 1);
		tw_task ahead = at ? o->order[node][at - 1] : TW_NONE;
		insert(o, task, node, at);
		tw_plan_insert(p, s, task, node, ahead);
		return;
	case 2:
		if (planned && tw__random_below(r, 2))
			node = o->node[task];
		take(o, task, node);
		tw_plan_take(p, s, task, node);
		return;
	default:
		withdraw(o, task);
		tw_plan_remove(p, s, task);
	}
}

static int compare(struct tw_sched *s, struct tw_error *err)
{
	struct tw_plan p;
	struct oracle *o = calloc(1, sizeof *o);
	struct tw__random *r = tw__random_create(seed, TW__STREAM_ORDER);
	tw_data n_data = tw_graph_n_data(tw_sched_graph(s));
	bool good = true;
	tw_plan_init(&p, s);
	for (int i = 0; i < N_CHANGES && good; i++) {
		change(o, &p, s, r);
		for (tw_node n = 0; n < tw_n_nodes(s) && good; n++) {
			good = same_order(o, &p, n);
			for (int j = 0; j < 4 && good; j++)
				good = same_use(o, &p, s, (tw_data)tw__random_below(r, (uint32_t)n_data), n);
		}
	}
	tw__random_destroy(r);
	free(o);
	return good ? TW_OK : tw_fail(err, TW_FAILED, "not the same");
}

START_TEST(plans_equal_plain_arrays)
{
	static const char *const workloads[] = {"cholesky:nt=6", "reduction:n=20", "layered:n=90:seed=3"};
	seed = (uint64_t)_i;
	inside_a_run(workloads[_i % 3], compare, NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("plan");
	TCase *cases = tcase_create("plan");
	tcase_set_timeout(cases, 30);
	tcase_add_loop_test(cases, plans_equal_plain_arrays, 0, 30);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
