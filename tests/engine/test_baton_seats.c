/* Seats alone: items come once and in order, and a wait ends when something happens, or at its time. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "pauses.h"
#include "script.h"

enum { GIVERS = 4, PARCELS = 20000 };

struct giver {
	struct tw__seat *to;
	struct parcel *parcels;
	int id;
};

static void *give_all(void *arg)
{
	struct giver *g = arg;
	set_chance(77U + (uint32_t)g->id);
	for (int i = 0; i < PARCELS; i++) {
		g->parcels[i] = (struct parcel){.from = g->id, .number = i};
		tw__seat_give(g->to, &g->parcels[i].post);
		pause_at_random();
	}
	return NULL;
}

START_TEST(items_of_several_givers_come_once_and_each_givers_in_order)
{
	static struct tw__seat seat;
	static struct parcel parcels[GIVERS][PARCELS];
	struct giver givers[GIVERS];
	pthread_t threads[GIVERS];
	int expected[GIVERS] = {0};
	tw__seat_init(&seat);
	for (int g = 0; g < GIVERS; g++) {
		givers[g] = (struct giver){&seat, parcels[g], g};
		ck_assert_int_eq(pthread_create(&threads[g], NULL, give_all, &givers[g]), 0);
	}
	for (int i = 0; i < GIVERS * PARCELS; i++) {
		struct parcel *p = (struct parcel *)tw__seat_take(&seat);
		ck_assert_int_eq(p->number, expected[p->from]++);
	}
	ck_assert_ptr_null(tw__seat_poll(&seat));
	for (int g = 0; g < GIVERS; g++)
		pthread_join(threads[g], NULL);
}
END_TEST

/* Another thread gives, nudges or closes, after a moment or at once. */
struct later {
	void (*act)(struct tw__seat *);
	struct tw__seat *seat;
	long us;
	pthread_t thread;
};

static void act_give(struct tw__seat *s)
{
	static struct parcel parcel;
	tw__seat_give(s, &parcel.post);
}

static void *act_later(void *arg)
{
	struct later *l = arg;
	if (l->us)
		doze_us(l->us);
	l->act(l->seat);
	return NULL;
}

static void start_later(struct later *l) { ck_assert_int_eq(pthread_create(&l->thread, NULL, act_later, l), 0); }

START_TEST(what_others_gave_comes_before_what_its_owner_gave_later)
{
	static struct tw__seat seat;
	struct parcel own[3];
	tw__seat_init(&seat);
	ck_assert_ptr_null(tw__seat_poll(&seat));
	tw__seat_give(&seat, &own[0].post);
	struct later other = {act_give, &seat, 0};
	start_later(&other);
	pthread_join(other.thread, NULL);
	tw__seat_give(&seat, &own[1].post);
	tw__seat_give(&seat, &own[2].post);
	ck_assert_ptr_eq(tw__seat_poll(&seat), &own[0].post);
	struct tw__post *others = tw__seat_poll(&seat);
	ck_assert(others && others != &own[1].post && others != &own[2].post);
	ck_assert_ptr_eq(tw__seat_poll(&seat), &own[1].post);
	ck_assert_ptr_eq(tw__seat_poll(&seat), &own[2].post);
	ck_assert_ptr_null(tw__seat_poll(&seat));
}
END_TEST

START_TEST(a_wait_ends_at_its_time_and_not_before)
{
	static const double seconds[] = {-1, 0, 1e-9, 1e-4, 0.02, 1.001};
	static struct tw__seat seat;
	tw__seat_init(&seat);
	double began = now_s();
	tw__seat_wait(&seat, seconds[_i]);
	double took = now_s() - began;
	ck_assert_double_ge(took, seconds[_i] - 1e-6);
	ck_assert_double_lt(took, fmax(seconds[_i], 0) + 0.5);
}
END_TEST

START_TEST(a_wait_ends_when_something_happens)
{
	void (*const acts[])(struct tw__seat *) = {act_give, tw__seat_nudge, tw__seat_close};
	static const double limits[] = {INFINITY, 1e300, 1e6, 5};
	for (int i = 0; i < 12; i++) {
		static struct tw__seat seat;
		tw__seat_init(&seat);
		struct later later = {acts[i % 3], &seat, i < 6 ? 20000 : 0};
		start_later(&later);
		double began = now_s();
		tw__seat_wait(&seat, limits[i / 3]);
		ck_assert_double_lt(now_s() - began, 3);
		pthread_join(later.thread, NULL);
		ck_assert((tw__seat_poll(&seat) != NULL) == (acts[i % 3] == act_give));
	}
}
END_TEST

START_TEST(a_nudge_ends_one_wait)
{
	static struct tw__seat seat;
	tw__seat_init(&seat);
	tw__seat_nudge(&seat);
	tw__seat_nudge(&seat);
	tw__seat_wait(&seat, INFINITY);
	double began = now_s();
	tw__seat_wait(&seat, 0.02);
	ck_assert_double_ge(now_s() - began, 0.02 - 1e-6);
}
END_TEST

/* As a thread that nudges and one that waits take turns, each nudge must end a wait. */
static void *answer_nudges(void *arg)
{
	struct tw__seat *seats = arg;
	set_chance(99);
	for (int i = 0; i < 20000; i++) {
		tw__seat_wait(&seats[1], INFINITY);
		pause_at_random();
		tw__seat_nudge(&seats[0]);
	}
	return NULL;
}

START_TEST(no_nudge_is_lost)
{
	static struct tw__seat seats[2];
	pthread_t other;
	tw__seat_init(&seats[0]);
	tw__seat_init(&seats[1]);
	ck_assert_int_eq(pthread_create(&other, NULL, answer_nudges, seats), 0);
	for (int i = 0; i < 20000; i++) {
		tw__seat_nudge(&seats[1]);
		pause_at_random();
		tw__seat_wait(&seats[0], INFINITY);
	}
	pthread_join(other, NULL);
}
END_TEST

START_TEST(a_closed_seat_gives_what_it_has_and_then_null)
{
	static struct tw__seat seat;
	tw__seat_init(&seat);
	tw__seat_nudge(&seat);
	struct parcel parcel;
	tw__seat_give(&seat, &parcel.post);
	ck_assert_ptr_eq(tw__seat_take(&seat), &parcel.post);
	tw__seat_give(&seat, &parcel.post);
	act_give(&seat);
	tw__seat_close(&seat);
	ck_assert_ptr_nonnull(tw__seat_take(&seat));
	ck_assert_ptr_nonnull(tw__seat_take(&seat));
	ck_assert_ptr_null(tw__seat_take(&seat));
	tw__seat_wait(&seat, INFINITY);
	ck_assert_ptr_null(tw__seat_take(&seat));
}
END_TEST

/* The owner looks just when an item and the end come: the item must not be left behind. */
struct ends {
	struct tw__seat seats[5000];
	struct parcel parcels[5000];
	atomic_int round;
};

static void *give_and_close(void *arg)
{
	struct ends *e = arg;
	set_chance(5);
	for (int i = 0; i < 5000; i++) {
		while (atomic_load(&e->round) < i)
			sched_yield();
		pause_at_random();
		tw__seat_give(&e->seats[i], &e->parcels[i].post);
		tw__seat_close(&e->seats[i]);
	}
	return NULL;
}

START_TEST(what_comes_right_before_the_end_is_taken)
{
	static struct ends e;
	pthread_t other;
	for (int i = 0; i < 5000; i++)
		tw__seat_init(&e.seats[i]);
	ck_assert_int_eq(pthread_create(&other, NULL, give_and_close, &e), 0);
	for (int i = 0; i < 5000; i++) {
		atomic_store(&e.round, i);
		pause_at_random();
		ck_assert_ptr_nonnull(tw__seat_take(&e.seats[i]));
		ck_assert_ptr_null(tw__seat_take(&e.seats[i]));
	}
	pthread_join(other, NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("seats");
	TCase *cases = tcase_create("seats");
	tcase_set_timeout(cases, 40);
	tcase_add_test(cases, items_of_several_givers_come_once_and_each_givers_in_order);
	tcase_add_test(cases, what_others_gave_comes_before_what_its_owner_gave_later);
	tcase_add_loop_test(cases, a_wait_ends_at_its_time_and_not_before, 0, 6);
	tcase_add_test(cases, a_wait_ends_when_something_happens);
	tcase_add_test(cases, a_nudge_ends_one_wait);
	tcase_add_test(cases, no_nudge_is_lost);
	tcase_add_test(cases, a_closed_seat_gives_what_it_has_and_then_null);
	tcase_add_test(cases, what_comes_right_before_the_end_is_taken);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
