/* The baton alone: lead() gets posts and calls from within it afterwards, and answers every call of a timer. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "pauses.h"
#include "script.h"

struct log {
	struct tw__baton *baton;
	struct parcel parcels[8];
	int depth, n_calls, n_seen;
	int seen[8];     /* parcels, in the order that lead() got them */
	int calls_of[8]; /* in which call of lead() */
};

/* The first item posts two more, the second of these asks for a call. */
static void lead_log(void *arg, struct tw__post *first)
{
	struct log *l = arg;
	ck_assert_int_eq(l->depth++, 0);
	for (; first; first = first->next) {
		int number = ((struct parcel *)first)->number;
		l->seen[l->n_seen] = number;
		l->calls_of[l->n_seen++] = l->n_calls;
		if (number == 0)
			for (int i = 1; i <= 2; i++)
				tw__baton_post(l->baton, &l->parcels[i].post);
		if (number == 2)
			tw__baton_call(l->baton);
		ck_assert(tw__baton_is_led(l->baton));
	}
	l->depth--;
	l->n_calls++;
}

START_TEST(posts_and_calls_from_within_lead_come_afterwards)
{
	struct log l = {0};
	l.baton = tw__baton_create(lead_log, &l);
	for (int i = 0; i < 8; i++)
		l.parcels[i].number = i;
	ck_assert(!tw__baton_is_led(l.baton));
	tw__baton_post(l.baton, &l.parcels[0].post);
	ck_assert_int_eq(l.n_seen, 3);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(l.seen[i], i);
		ck_assert_int_eq(l.calls_of[i], i > 0);
	}
	ck_assert_int_eq(l.n_calls, 3);
	tw__baton_call(l.baton);
	ck_assert_int_eq(l.n_calls, 4);
	ck_assert_uint_eq(tw__baton_turns(l.baton), 4);
	ck_assert(!tw__baton_is_led(l.baton));
	tw__baton_destroy(l.baton);
	tw__baton_destroy(NULL);
}
END_TEST

/* In each round one thread posts once. At about the same time, a timer tells the round and calls. lead() must see that
 * round, although no thread calls or posts any more. */
struct timers {
	struct tw__baton *baton;
	atomic_int round, told, seen;
};

enum { ROUNDS = 20000 };

static void lead_timers(void *arg, struct tw__post *first)
{
	struct timers *t = arg;
	int told = atomic_load_explicit(&t->told, __ATOMIC_RELAXED);
	for (; first; first = first->next)
		((struct parcel *)first)->number = told;
	pause_at_random();
	atomic_store_explicit(&t->seen, told, __ATOMIC_RELAXED);
}

static void *post_each_round(void *arg)
{
	struct timers *t = arg;
	static struct parcel parcels[ROUNDS];
	for (int i = 1; i <= ROUNDS; i++) {
		while (atomic_load(&t->round) < i)
			sched_yield();
		pause_at_random();
		tw__baton_post(t->baton, &parcels[i - 1].post);
	}
	return NULL;
}

START_TEST(a_call_from_a_timer_is_always_answered)
{
	struct timers t = {0};
	pthread_t poster;
	t.baton = tw__baton_create(lead_timers, &t);
	ck_assert_int_eq(pthread_create(&poster, NULL, post_each_round, &t), 0);
	for (int i = 1; i <= ROUNDS; i++) {
		atomic_store(&t.round, i);
		pause_at_random();
		atomic_store_explicit(&t.told, i, __ATOMIC_RELAXED);
		tw__baton_call(t.baton);
		for (double since = now_s(); atomic_load_explicit(&t.seen, __ATOMIC_RELAXED) < i; sched_yield())
			ck_assert_msg(now_s() - since < STALL_S, "call %d was not answered", i);
	}
	pthread_join(poster, NULL);
	tw__baton_destroy(t.baton);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("calls");
	TCase *cases = tcase_create("calls");
	tcase_set_timeout(cases, 40);
	tcase_add_test(cases, posts_and_calls_from_within_lead_come_afterwards);
	tcase_add_test(cases, a_call_from_a_timer_is_always_answered);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
