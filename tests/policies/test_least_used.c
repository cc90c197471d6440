/* The eviction policies darts and luf, after section 5.4 of Gonthier, Thibault, Marchal 2024. A worked example, and
 * random cases compared with a plain version of the rule. */
#include <stdlib.h>
#include <string.h>

#include <tilewright/eviction.h>

#include "base/random.h"
#include "world.h"

enum { N = 8, NODE = 1 };

static struct tw_planned_use uses[64];

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s, (void)state, (void)node;
	return uses[d];
}

static const struct tw_eviction *eviction(const char *name)
{
	int i = 0;
	while (strcmp(tw__evictions[i]->name, name) != 0)
		i++;
	return tw__evictions[i];
}

/* The victim among the handles whose bits are set. */
static tw_data ask(const struct tw_eviction *e, struct tw_sched *s, void *state, uint64_t may, bool more)
{
	uint8_t kind[1 + 64] = {0}; /* kind[TW_NONE] stays 0, too */
	for (int d = 0; d < 64; d++)
		kind[1 + d] = may >> d & 1;
	struct tw_victim_query query = {.kind = kind + 1, .kinds = 1u << 1, .more = more};
	return e->victim(s, state, NODE, &query);
}

static const char *worked_example(struct tw_sched *s, const char *name)
{
	const struct tw_eviction *e = eviction(name);
	void *state = calloc(1, e->state_size);
	struct tw_error err;
	bool darts = strcmp(name, "darts") == 0;
	const char *wrong = NULL;
#define EXPECT(what) wrong = wrong || (what) ? wrong : #what
	if (e->init(s, state, &err) < 0)
		return "out of memory";
	uses[0] = (struct tw_planned_use){5, 1, 0}; /* a taken task uses it */
	uses[1] = (struct tw_planned_use){11, 0, 3};
	uses[2] = (struct tw_planned_use){10, 0, 1};
	uses[3] = (struct tw_planned_use){30, 0, 1};
	uses[4] = (struct tw_planned_use){9, 2, 0};
	uses[5] = (struct tw_planned_use){TW_NEVER, 0, 0};
	uses[6] = (struct tw_planned_use){TW_NEVER, 0, 0};
	for (tw_data d = 0; d < 7; d++)
		e->loaded(s, state, d, NODE);
	EXPECT(ask(e, s, state, 0x7f, false) == 5); /* the oldest of those that no task needs */
	e->used(s, state, 5, NODE);
	EXPECT(ask(e, s, state, 0x7f, false) == 6);
	e->evicted(s, state, 6, NODE);
	EXPECT(ask(e, s, state, 0x1f, false) ==
	       2); /* the fewest planned tasks: the oldest of two, not the one used farthest ahead */
	e->used(s, state, 2, NODE);
	EXPECT(ask(e, s, state, 0x1f, false) == 3);
	EXPECT(ask(e, s, state, 0x13, false) == 1); /* planned three times, but not taken */
	EXPECT(ask(e, s, state, 0x11, false) == 4); /* Belady's rule: place 9 is behind 5 */
	EXPECT(ask(e, s, state, 0x00, false) == TW_NONE);
	EXPECT(ask(e, s, state, 0x1f, true) == (darts ? TW_NONE : 3)); /* handles of other kinds may be needed less */
	EXPECT(ask(e, s, state, 0x3f, true) == 5);
	e->expendable(s, state, 3, NODE);
	e->expendable(s, state, 2, NODE);
	EXPECT(ask(e, s, state, 0x1f, false) == 2);
	free(state);
	return wrong;
}

static const char *random_case(struct tw_sched *s, struct tw__random *r)
{
	const struct tw_eviction *e = eviction("darts");
	void *state = calloc(1, e->state_size);
	struct tw_error err;
	uint64_t may = tw__random_below(r, 1u << N);
	if (e->init(s, state, &err) < 0)
		return "out of memory";
	for (tw_data d = 0; d < N; d++) {
		bool taken = tw__random_below(r, 2), planned = tw__random_below(r, 4);
		uses[d] = (struct tw_planned_use){.next = taken || planned ? tw__random_below(r, 50) : TW_NEVER,
		                                  .taken = taken,
		                                  .planned = planned ? (int32_t)tw__random_below(r, 4) : 0};
		e->loaded(s, state, d, NODE);
	}
	tw_data best = TW_NONE;
	for (tw_data d = 0; d < N; d++) {
		if (!(may >> d & 1))
			continue;
		const struct tw_planned_use *now = &uses[d], *least = best == TW_NONE ? now : &uses[best];
		if (best == TW_NONE || (!now->taken && least->taken) ||
		    (!now->taken && !least->taken && now->planned < least->planned) ||
		    (now->taken && least->taken && now->next > least->next))
			best = d;
	}
	tw_data victim = ask(e, s, state, may, false);
	free(state);
	return victim == best ? NULL : "a random case differs from the rule";
}

static int check(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw__random *r = tw__random_create(1, TW__STREAM_ORDER);
	const char *wrong = worked_example(s, "darts");
	(void)state;
	wrong = wrong ? wrong : worked_example(s, "luf");
	for (int i = 0; i < 5000 && !wrong; i++)
		wrong = random_case(s, r);
	tw__random_destroy(r);
	return tw_fail(err, TW_FAILED, "%s", wrong ? wrong : "as the rule");
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

static const struct tw_policy checking = {.abi = TW_POLICY_ABI,
                                          .name = "checking",
                                          .summary = "",
                                          .init = check,
                                          .push = push,
                                          .pop = pop,
                                          .planned_use = planned_use};

START_TEST(least_used_leaves_first)
{
	struct world w;
	world_mirage(&w, 0, 1, 0, "cholesky:nt=4");
	ck_assert_int_ge(tw_graph_n_data(w.graph), N);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &checking});
	ck_assert_str_eq(o.err.message, "as the rule");
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("least_used");
	TCase *cases = tcase_create("least_used");
	tcase_add_test(cases, least_used_leaves_first);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
