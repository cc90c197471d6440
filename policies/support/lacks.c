#include <tilewright/lacks.h>

#include <stdlib.h>

int tw_lacks_init(struct tw_lacks *l, const struct tw_sched *s, const struct tw_plan *plan)
{
	size_t nodes = (size_t)tw_n_nodes(s);
	*l = (struct tw_lacks){
		.plan = plan,
		.of = calloc((size_t)tw_max_tasks(s) + 1, sizeof *l->of),
		.seen = calloc(nodes, sizeof *l->seen),
		.round = malloc(nodes * sizeof *l->round),
	};
	if (!l->of || !l->seen || !l->round) {
		tw_lacks_finish(l);
		return TW_NOMEM;
	}
	for (size_t n = 0; n < nodes; n++)
		l->round[n] = 1;
	return TW_OK;
}

void tw_lacks_finish(struct tw_lacks *l)
{
	free(l->of);
	free(l->seen);
	free(l->round);
	*l = (struct tw_lacks){0};
}

void tw_lacks_follow(struct tw_lacks *l, const struct tw_sched *s, tw_node node)
{
	const struct tw_plan *p = l->plan;
	tw_data changed[TW_MOST_CHANGES];
	int n = tw_copies_changed(s, node, &l->seen[node], changed);
	l->round[node] += n == TW_NONE;
	for (int i = 0; i < n; i++) {
		size_t uses = (size_t)node * (size_t)p->n_data + (size_t)changed[i];
		for (uint32_t use = p->of_data[uses].first; use; use = p->uses[use].behind)
			tw_lacks_forget(l, p->uses[use].task);
	}
}

const struct tw_lack *tw_lacks_ask(struct tw_lacks *l, const struct tw_sched *s, tw_task task, tw_node node)
{
	struct tw_known_lack *known = &l->of[task];
	known->lack = TW_LACKS_ALL;
	known->round = l->round[node];
	tw_task_lacks_less(s, task, node, &known->lack);
	return &known->lack;
}
