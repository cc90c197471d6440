/* The validator on a hand-made reduction: two cores add to a handle, two appended tasks combine, a third task reads
 * it. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/reduction.h"
#include "trace/validate.h"

#define NS(seconds) ((tw__ns)((seconds)*TW__NS_PER_S))

enum { WORK, ADD };                 /* kernels: 1 s, 0.5 s */
enum { RESULT, ACC0, ACC1 };        /* handles: the accumulators are those of workers 0 and 1 */
enum { T0, T1, READER, T01, LAST }; /* tasks: T01 combines ACC1 into ACC0, LAST combines ACC0 into RESULT */

static struct tw__arch arch = {.name = (char[]){"cpu"}};
static struct tw__worker workers[] = {{.name = (char[]){"C0"}, .cores = 1}, {.name = (char[]){"C1"}, .cores = 1}};
static struct tw__node ram = {.name = (char[]){"RAM"}, .backing = TW_NONE};
static struct tw__route no_route;
static const struct tw__platform platform = {.name = (char[]){"two"},
                                             .n_archs = 1,
                                             .n_workers = 2,
                                             .n_nodes = 1,
                                             .archs = &arch,
                                             .workers = workers,
                                             .nodes = &ram,
                                             .routes = &no_route};
static double seconds[] = {1, 0.5}, deviations[] = {0, 0};
static bool recorded[] = {false, false};
static const struct tw__times times = {
	.n_kernels = 2, .n_archs = 1, .mean = seconds, .stddev = deviations, .recorded = recorded, .measured = true};

static struct tw_graph *graph;
static struct tw__record record;

static void event(enum tw__event_kind kind, double date, tw_task t, tw_worker w)
{
	tw__record_add(&record, &(struct tw__event){.kind = kind, .date = NS(date), .task = t, .worker = (int16_t)w});
}

static void copy(enum tw__event_kind kind, double date, tw_data d)
{
	tw__record_add(&record, &(struct tw__event){.kind = kind, .date = NS(date), .task = TW_NONE, .data = d});
}

static void task(tw_task t, tw_worker w, double ready, double start, double end)
{
	event(TW__SUBMIT, 0, t, TW_NONE);
	event(TW__READY, ready, t, t <= T1 ? TW_NONE : 0);
	event(TW__ASSIGN, ready, t, w);
	event(TW__START, start, t, w);
	event(TW__END, end, t, w);
	if (t == T0 || t == T1)
		copy(TW__VALID, end, t == T0 ? ACC0 : ACC1);
	event(TW__RELEASE, end, t, w);
}

static void make_graph(const tw_data *combined, int n)
{
	struct tw_error err;
	graph = tw_graph_create();
	tw_graph_data(graph, 8);
	tw_graph_kernel(graph, "work", "1", "d", 1);
	tw_graph_kernel(graph, "add", "1", "d", 1);
	tw_graph_reduction(graph, RESULT, ADD);
	for (int t = T0; t <= READER; t++)
		tw_graph_submit(graph, WORK, 0, (struct tw_access[]){{RESULT, t == READER ? TW_R : TW_REDUX}}, 1);
	ck_assert_int_eq(tw_graph_finish(graph, &err), TW_OK);
	record.extended = tw__graph_extend(graph, 2);
	ck_assert_int_eq(tw__graph_append_reduction(record.extended, 0, combined, n), T01);
}

/* The second of the two appended tasks may be left out: then T01 has LAST's role. */
static void make(const tw_data *combined, int n)
{
	tw__record_init(&record);
	make_graph(combined, n);
	task(T0, 0, 0, 0, 1);
	task(T1, 1, 0, 0, 1);
	task(T01, 0, 1, 1, 1.5);
	if (n == 2) {
		copy(TW__INVALID, 1.5, ACC1);
		task(LAST, 0, 1.5, 1.5, 2);
	}
	copy(TW__INVALID, 2, ACC0);
	task(READER, 1, 2, 2, 3);
	record.makespan = NS(3);
}

/* Each worker has a domain. The appended tasks belong to that of T0. */
static const struct tw__run_domains domains = {
	2, (const char *const[]){"zero", "one"},
	(const bool *const[]){(const bool[]){true, false}, (const bool[]){false, true}},
	(const uint8_t[]){[T0] = 0, [T1] = 1, [READER] = 1}};

static int validate(enum tw__rule *broken, struct tw_error *err)
{
	const uint64_t capacity = UINT64_MAX;
	const struct tw__validation_input input = {
		.platform = &platform, .graph = graph, .times = &times, .capacity = &capacity, .domains = domains};
	return tw__validate(&input, &record, broken, err);
}

static void finish(void)
{
	tw__record_finish(&record);
	tw_graph_destroy(graph);
}

START_TEST(a_good_one)
{
	struct tw_error err = {""};
	make((const tw_data[]){ACC0, ACC1}, 2);
	ck_assert_msg(validate(NULL, &err) == TW_OK, "%s", err.message);
	finish();
}
END_TEST

static struct tw__event *find(enum tw__event_kind kind, tw_task t)
{
	for (size_t i = 0; i < record.n; i++)
		if (record.events[i].kind == kind && record.events[i].task == t)
			return &record.events[i];
	ck_abort_msg("no such event");
	return NULL;
}

static void reader_comes_early(void) { find(TW__READY, READER)->date = NS(1.75); }
static void combined_before_the_second_has_ended(void)
{
	find(TW__START, T1)->date = NS(0.2);
	find(TW__END, T1)->date = find(TW__RELEASE, T1)->date = NS(1.2);
	for (size_t i = 0; i < record.n; i++)
		if (record.events[i].kind == TW__VALID && record.events[i].data == ACC1)
			record.events[i].date = NS(1.2);
}
static void never_combined(void)
{
	size_t kept = 0;
	for (size_t i = 0; i < record.n; i++)
		if (record.events[i].task != LAST)
			record.events[kept++] = record.events[i];
	record.n = kept;
}
static void accumulator_lost_before_it_is_taken_in(void)
{
	for (size_t i = 0; i < record.n; i++)
		if (record.events[i].kind == TW__INVALID && record.events[i].data == ACC1)
			record.events[i].date = NS(1);
}
static void combined_in_another_domain(void)
{
	for (size_t i = 0; i < record.n; i++)
		if (record.events[i].task == LAST && record.events[i].kind >= TW__ASSIGN)
			record.events[i].worker = 1;
}
static void nothing(void) {}

static const struct {
	const char *name;
	tw_data combined[2];
	int n;
	void (*spoil)(void);
	enum tw__rule rule;
} mutations[] = {
	{"the reader comes early", {ACC0, ACC1}, 2, reader_comes_early, TW__RULE_DEPENDENCIES},
	{"one accumulator is forgotten", {ACC0}, 1, nothing, TW__RULE_DEPENDENCIES},
	{"one accumulator counts twice", {ACC0, ACC0}, 2, nothing, TW__RULE_LAST_COPY},
	{"combined before the second has ended",
         {ACC0, ACC1},
         2,
         combined_before_the_second_has_ended,
         TW__RULE_INPUTS},
	{"combined in another domain", {ACC0, ACC1}, 2, combined_in_another_domain, TW__RULE_DOMAIN},
	{"the last is never run", {ACC0, ACC1}, 2, never_combined, TW__RULE_DEPENDENCIES},
	{"an accumulator is lost", {ACC0, ACC1}, 2, accumulator_lost_before_it_is_taken_in, TW__RULE_INPUTS},
};

START_TEST(a_broken_one_is_named)
{
	struct tw_error err = {""};
	enum tw__rule broken = TW__N_RULES;
	make(mutations[_i].combined, mutations[_i].n);
	mutations[_i].spoil();
	ck_assert_msg(validate(&broken, &err) == TW_FAILED, "%s: accepted", mutations[_i].name);
	ck_assert_msg(broken == mutations[_i].rule, "%s: '%s' instead of '%s': %s", mutations[_i].name,
	              tw__rule_name(broken), tw__rule_name(mutations[_i].rule), err.message);
	finish();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("validate reductions");
	TCase *tests = tcase_create("validate reductions");
	tcase_add_test(tests, a_good_one);
	tcase_add_loop_test(tests, a_broken_one_is_named, 0, sizeof mutations / sizeof *mutations);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
