/* Every eviction policy chooses the victim of its definition. The definition is evaluated on plain records, under
 * thousands of random changes. The runtime may or may not list the handles that may leave. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/eviction.h>

#include "base/random.h"
#include "inside.h"
#include "registry.h"

enum { N_DATA = 36, N_CHANGES = 20000, NODE = 2, N_KINDS = 3 };

/* Dates are numbers of changes. */
struct record {
	bool there, used;
	int loaded, last_used, expendable; /* expendable: date, or 0: it is not */
	int first_expendable;
	int n_uses;
};

static struct record records[N_DATA];
static int64_t next_use[N_DATA];

static struct tw_planned_use planned_use(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s, (void)state, (void)node;
	return (struct tw_planned_use){.next = next_use[d]};
}

/* --- definitions: the greatest value leaves first ---------------------------------------------------------------- */

static double lru(const struct record *r)
{
	return r->expendable ? 1e9 + r->expendable : -(r->used ? r->last_used : r->loaded);
}

static double fifo(const struct record *r) { return -r->loaded; }

static double mru(const struct record *r)
{
	if (r->expendable)
		return 1e9 - r->first_expendable;
	return r->used ? r->last_used : -r->loaded;
}

/* The load counts as a use, and the first use does not count again. An expendable handle counts as never used. */
static double lfu(const struct record *r)
{
	int count = r->n_uses > 1 ? r->n_uses : 1;
	double since = r->used ? r->last_used : r->loaded;
	if (r->expendable)
		return 1e9 - r->expendable;
	return -count * 1e6 - since;
}

static double belady(const struct record *r)
{
	int64_t next = next_use[r - records];
	return (next == TW_NEVER ? 3e4 : (double)next) * 1e6 + lru(r) / 1e4;
}

static const struct {
	const char *name;
	double (*leaves)(const struct record *);
} definitions[] = {{"lru", lru}, {"fifo", fifo}, {"mru", mru}, {"lfu", lfu}, {"belady", belady}, {"evict_all", fifo}};

static tw_data expected(double (*leaves)(const struct record *), const struct tw_victim_query *query)
{
	tw_data first = TW_NONE;
	for (tw_data d = 0; d < N_DATA; d++)
		if (tw_may_evict(query, d) && (first == TW_NONE || leaves(&records[d]) > leaves(&records[first])))
			first = d;
	return first;
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

struct question {
	uint8_t kind[N_DATA + 1];
	tw_data data[N_KINDS][N_DATA];
	struct tw_data_of_kind of_kind[N_KINDS];
	struct tw_victim_query query;
};

/* Few or many handles may leave. They are of two kinds, and the query is for one of them or both. */
static void ask(struct question *q, struct tw__random *r)
{
	*q = (struct question){.query.kinds = 1 + tw__random_below(r, 3)};
	uint32_t part = tw__random_below(r, 10);
	q->query.kinds <<= 1;
	for (int k = 0; k < N_KINDS; k++)
		q->of_kind[k].data = q->data[k];
	for (tw_data d = N_DATA - 1; d >= 0; d--) {
		uint8_t kind =
			records[d].there && tw__random_below(r, 10) <= part ? 1 + (uint8_t)tw__random_below(r, 2) : 0;
		q->kind[1 + d] = kind;
		q->data[kind][q->of_kind[kind].n++] = d;
		q->query.n += kind && (q->query.kinds >> kind & 1);
	}
	q->query.kind = q->kind + 1;
	q->query.of_kind = tw__random_below(r, 3) ? q->of_kind : NULL;
}

/* Changes the question to one for the victim behind `d`. */
static void leave(struct question *q, tw_data *last, tw_data d)
{
	if (d == TW_NONE)
		return;
	q->kind[1 + d] = 0;
	q->query.n--;
	q->query.of_kind = NULL;
	q->query.behind = last;
	*last = d;
}

/* Makes a random change in one memory. Another memory holds a handle all the time. */
static void change(struct tw_sched *s, const struct tw_eviction *e, void *state, struct tw__random *r, int now)
{
	tw_data d = (tw_data)tw__random_below(r, N_DATA);
	struct record *record = &records[d];
	next_use[d] = tw__random_below(r, 4) ? now + (int)tw__random_below(r, 20) : TW_NEVER;
	if (!record->there) {
		*record = (struct record){.there = true, .loaded = now};
		e->loaded(s, state, d, NODE);
	} else if (tw__random_below(r, 8) == 0) {
		*record = (struct record){.there = false};
		if (e->evicted)
			e->evicted(s, state, d, NODE);
	} else if (tw__random_below(r, 8) == 0) {
		if (!e->expendable)
			return;
		e->expendable(s, state, d, NODE);
		record->first_expendable = record->expendable ? record->first_expendable : now;
		record->expendable = now;
		record->n_uses = 0;
	} else {
		if (!e->used)
			return;
		e->used(s, state, d, NODE);
		record->n_uses++;
		record->used = true;
		record->last_used = now;
		record->expendable = 0;
	}
}

static const struct tw_eviction *named(const char *name)
{
	for (int e = 0; tw__evictions[e]; e++)
		if (strcmp(tw__evictions[e]->name, name) == 0)
			return tw__evictions[e];
	return NULL;
}

static int compare(struct tw_sched *s, struct tw_error *err)
{
	struct tw__random *r = tw__random_create(1, TW__STREAM_ORDER);
	for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++) {
		const struct tw_eviction *e = named(definitions[i].name);
		void *state = calloc(1, e->state_size);
		memset(records, 0, sizeof records);
		if (e->init(s, state, err) < 0)
			return TW_FAILED;
		e->loaded(s, state, 0, 1);
		for (int now = 1; now <= N_CHANGES; now++) {
			struct question q;
			change(s, e, state, r, now);
			ask(&q, r);
			tw_data d, last;
			do {
				d = e->victim(s, state, NODE, &q.query);
				if (d != expected(definitions[i].leaves, &q.query))
					return tw_fail(err, TW_FAILED, "%s, change %d: data %d leaves, expected %d",
					               e->name, now, (int)d,
					               (int)expected(definitions[i].leaves, &q.query));
				leave(&q, &last, d);
			} while (d != TW_NONE);
		}
		free(state);
	}
	tw__random_destroy(r);
	return TW_OK;
}

START_TEST(victims_are_those_of_the_definition) { inside_a_run("cholesky:nt=8", compare, planned_use); }
END_TEST

/* All handles that may leave are drawn equally often, within five standard deviations. Expendable handles leave
 * first. */
static int draw(struct tw_sched *s, struct tw_error *err)
{
	enum { DRAWS = 40000 };
	const struct tw_eviction *e = named("random");
	struct tw__random *r = tw__random_create(2, TW__STREAM_ORDER);
	void *state = calloc(1, e->state_size);
	memset(records, 0, sizeof records);
	if (e->init(s, state, err) < 0)
		return TW_FAILED;
	for (tw_data d = 0; d < 30; d++) {
		e->loaded(s, state, d, NODE);
		records[d].there = true;
	}
	for (int i = 0; i < 100; i++) {
		struct question q;
		int times[N_DATA] = {0};
		ask(&q, r);
		for (int j = 0; j < DRAWS / 100; j++) {
			tw_data d = e->victim(s, state, NODE, &q.query);
			if ((d == TW_NONE) != (q.query.n == 0) || (d != TW_NONE && !tw_may_evict(&q.query, d)))
				return tw_fail(err, TW_FAILED, "data %d must not leave", (int)d);
			times[d == TW_NONE ? 0 : d]++;
		}
		for (tw_data d = 0; d < N_DATA && q.query.n > 1; d++) {
			double mean = DRAWS / 100.0 / q.query.n, off = times[d] - mean;
			if (tw_may_evict(&q.query, d) && off * off > 25 * mean)
				return tw_fail(err, TW_FAILED, "data %d leaves %d times of %d, one of %d", (int)d,
				               times[d], DRAWS / 100, (int)q.query.n);
		}
		tw_data gone = (tw_data)tw__random_below(r, 30);
		e->expendable(s, state, gone, NODE);
		if (tw_may_evict(&q.query, gone) && e->victim(s, state, NODE, &q.query) != gone)
			return tw_fail(err, TW_FAILED, "data %d does not leave first", (int)gone);
		e->used(s, state, gone, NODE);
	}
	free(state);
	tw__random_destroy(r);
	return TW_OK;
}

START_TEST(random_is_fair) { inside_a_run("cholesky:nt=8", draw, NULL); }
END_TEST

int main(void)
{
	Suite *suite = suite_create("evictions");
	TCase *cases = tcase_create("evictions");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, victims_are_those_of_the_definition);
	tcase_add_test(cases, random_is_fair);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
