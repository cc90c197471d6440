/* Every item handed in comes out once and in order, one thread leads at a time, and nobody sleeps while there is
 * something for it.
 *
 * TILEWRIGHT_BATON_HANDOVERS: how many hand-overs all rings do together (10^6 unless told); with it, times are printed.
 * INTERLEAVED, at compile time: tests a copy of baton.c that pauses at random before each of its atomic operations, so
 * that orders of events that are rare become frequent.
 *
 * One file, as it is built twice: with baton.c, and with the copy. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "script.h"

static _Thread_local uint32_t chance = 1;

static uint32_t draw(uint32_t below)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return chance % below;
}

static void doze_us(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

static void pause_at_random(void)
{
	uint32_t kind = draw(4096);
	if (kind == 0)
		doze_us(draw(50));
	else if (kind < 64)
		sched_yield();
	else if (kind < 512)
		for (volatile uint32_t i = draw(300); i > 0; i--)
			;
}

#ifdef INTERLEAVED
/* Each operation names its memory order: a place to put a pause. */
#define memory_order_relaxed (pause_at_random(), __ATOMIC_RELAXED)
#define memory_order_acquire (pause_at_random(), __ATOMIC_ACQUIRE)
#define memory_order_release (pause_at_random(), __ATOMIC_RELEASE)
#define memory_order_acq_rel (pause_at_random(), __ATOMIC_ACQ_REL)
#define memory_order_seq_cst (pause_at_random(), __ATOMIC_SEQ_CST)
#include "../../src/engine/baton.c"
#else
#include "engine/baton.h"
#endif

enum { MAX_WORKERS = 8, MAX_JOBS = 128, MAX_POSTERS = MAX_WORKERS + 2 };

static const double stall_s = 10;

static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- A ring: workers take jobs and post them, lead() gives each one on to a worker drawn at random. ---- */

struct job {
	struct tw__post post; /* first: a post is a job */
	int poster;
	uint64_t posted; /* its number among its poster's posts */
	uint64_t given;  /* its number among those given to its seat */
};

struct worker {
	struct tw__seat seat;
	struct ring *ring;
	pthread_t thread;
	int id;
	uint64_t n_posted, n_taken; /* the worker's own */
	uint64_t n_given;           /* lead()'s own */
};

/* HELP is what ends a sleep that should not be: calls, nudges, time-outs. So most rings go without it. */
enum { PAUSES = 1, OWN_POSTS = 2, HELP = 4 };

struct ring {
	struct tw__baton *baton;
	struct worker workers[MAX_WORKERS];
	struct tw__seat bell; /* of the thread that calls now and then */
	struct job jobs[MAX_JOBS];
	int n_workers, n_jobs;
	unsigned with;
	/* lead()'s own. */
	uint64_t goal, n_seen[MAX_POSTERS], n_posted;
	int n_left;
	double ended_s;
	/* Everybody's. */
	atomic_bool led;
	atomic_uint_fast64_t n_handed;
	atomic_int n_over;
	_Atomic(const char *) fault;
};

static void expect(struct ring *r, bool holds, const char *fault)
{
	if (!holds)
		atomic_store(&r->fault, fault);
}

static void ring_pause(const struct ring *r)
{
	if (r->with & PAUSES)
		pause_at_random();
}

static void close_all(struct ring *r)
{
	r->ended_s = now_s();
	for (int w = 0; w < r->n_workers; w++)
		tw__seat_close(&r->workers[w].seat);
	tw__seat_close(&r->bell);
}

/* One in eight goes around by a post from within lead(). */
static void hand_on(struct ring *r, struct job *job)
{
	if (r->with & OWN_POSTS && draw(8) == 0) {
		job->poster = r->n_workers;
		job->posted = r->n_posted++;
		tw__baton_post(r->baton, &job->post);
		return;
	}
	struct worker *w = &r->workers[draw((uint32_t)r->n_workers)];
	job->given = w->n_given++;
	tw__seat_give(&w->seat, &job->post);
}

static void lead_ring(void *arg, struct tw__post *first)
{
	struct ring *r = arg;
	expect(r, !atomic_load_explicit(&r->led, __ATOMIC_RELAXED), "two threads lead at a time");
	atomic_store_explicit(&r->led, true, __ATOMIC_RELAXED);
	for (struct tw__post *next; first; first = next) {
		struct job *job = (struct job *)first;
		next = first->next;
		expect(r, job->posted == r->n_seen[job->poster]++, "a post is lost, doubled or out of order");
		uint64_t handed = atomic_load_explicit(&r->n_handed, __ATOMIC_RELAXED) + 1;
		atomic_store_explicit(&r->n_handed, handed, __ATOMIC_RELAXED);
		if (handed < r->goal)
			hand_on(r, job);
		else if (--r->n_left == 0)
			close_all(r);
		ring_pause(r);
	}
	if (r->with & HELP && draw(64) == 0)
		tw__seat_nudge(&r->workers[draw((uint32_t)r->n_workers)].seat);
	atomic_store_explicit(&r->led, false, __ATOMIC_RELAXED);
}

/* Some sleep in one way, some in another. */
static struct tw__post *next_job(struct worker *w)
{
	struct tw__post *post = NULL;
	if (w->id % 2) {
		post = tw__seat_poll(&w->seat);
		if (!post) {
			tw__seat_wait(&w->seat, w->ring->with & HELP && draw(8) == 0 ? 1e-5 : INFINITY);
			post = tw__seat_poll(&w->seat);
		}
	}
	return post ? post : tw__seat_take(&w->seat);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct ring *r = w->ring;
	chance = 2654435761U * (uint32_t)(w->id + 1);
	for (struct tw__post *post; (post = next_job(w)) != NULL;) {
		struct job *job = (struct job *)post;
		expect(r, job->given == w->n_taken++, "a given job is lost, doubled or out of order");
		job->poster = w->id;
		job->posted = w->n_posted++;
		ring_pause(r);
		tw__baton_post(r->baton, post);
		ring_pause(r);
	}
	atomic_fetch_add(&r->n_over, 1);
	return NULL;
}

static void *ring_the_bell(void *arg)
{
	struct ring *r = arg;
	chance = 4711;
	while (atomic_load(&r->n_over) < r->n_workers) {
		tw__seat_wait(&r->bell, 1e-6 * draw(2000));
		tw__baton_call(r->baton);
		sched_yield();
	}
	return NULL;
}

static void fail_if_stalled(struct ring *r, double since)
{
	if (now_s() - since < stall_s)
		return;
	char seats[512] = "";
	for (int w = 0, used = 0; w < r->n_workers; w++)
		used += snprintf(seats + used, sizeof seats - (size_t)used, " %d:%s%s", w,
		                 atomic_load(&r->workers[w].seat.inbox) ? "items" : "empty",
		                 atomic_load(&r->workers[w].seat.state) ? ",asleep" : "");
	ck_abort_msg("a lost wake-up: %d workers, %d jobs: no hand-over for %g s, after %llu of %llu; %s; seats%s",
	             r->n_workers, r->n_jobs, stall_s, (unsigned long long)atomic_load(&r->n_handed),
	             (unsigned long long)r->goal, tw__baton_is_led(r->baton) ? "a thread leads" : "nobody leads",
	             seats);
}

static void watch(struct ring *r)
{
	uint64_t before = 0;
	for (double since = now_s(); atomic_load(&r->n_over) < r->n_workers; doze_us(2000)) {
		const char *fault = atomic_load(&r->fault);
		ck_assert_msg(!fault, "%s", fault ? fault : "");
		uint64_t handed = atomic_load(&r->n_handed);
		if (handed != before)
			since = now_s();
		before = handed;
		fail_if_stalled(r, since);
	}
}

static void start_ring(struct ring *r)
{
	r->baton = tw__baton_create(lead_ring, r);
	ck_assert_ptr_nonnull(r->baton);
	r->n_left = r->n_jobs;
	tw__seat_init(&r->bell);
	for (int w = 0; w < r->n_workers; w++) {
		r->workers[w].ring = r;
		r->workers[w].id = w;
		tw__seat_init(&r->workers[w].seat);
	}
	for (int j = 0; j < r->n_jobs; j++) {
		r->jobs[j].poster = r->n_workers + 1;
		r->jobs[j].posted = (uint64_t)j;
		tw__baton_post(r->baton, &r->jobs[j].post);
	}
}

static void end_ring(struct ring *r)
{
	const char *fault = atomic_load(&r->fault);
	ck_assert_msg(!fault, "%s", fault ? fault : "");
	uint64_t posted = r->n_posted + (uint64_t)r->n_jobs;
	for (int w = 0; w < r->n_workers; w++) {
		posted += r->workers[w].n_posted;
		ck_assert_uint_eq(r->workers[w].n_taken, r->workers[w].n_given);
	}
	ck_assert_uint_eq(posted, atomic_load(&r->n_handed));
	ck_assert_uint_ge(posted, r->goal);
	ck_assert_uint_ge(tw__baton_turns(r->baton), 1);
	ck_assert(!tw__baton_is_led(r->baton));
	tw__baton_destroy(r->baton);
}

static uint64_t hand_overs(void)
{
	const char *told = getenv("TILEWRIGHT_BATON_HANDOVERS");
	return told ? strtoull(told, NULL, 10) : 1000000;
}

static void print_times(const struct ring *r, double took_s)
{
	if (getenv("TILEWRIGHT_BATON_HANDOVERS"))
		printf("%d workers, %3d jobs,%s%s%s %8llu hand-overs: %6.0f ns each\n", r->n_workers, r->n_jobs,
		       r->with & PAUSES ? " pauses," : "", r->with & OWN_POSTS ? " own posts," : "",
		       r->with & HELP ? " help," : "", (unsigned long long)r->goal, 1e9 * took_s / (double)r->goal);
}

/* All jobs go around until there have been so many hand-overs. */
static void run_ring(int n_workers, int n_jobs, uint64_t goal, unsigned with)
{
	static struct ring r;
	r = (struct ring){.n_workers = n_workers, .n_jobs = n_jobs, .goal = goal, .with = with};
	start_ring(&r);
	double began_s = now_s();
	pthread_t bell;
	for (int w = 0; w < n_workers; w++)
		ck_assert_int_eq(pthread_create(&r.workers[w].thread, NULL, work, &r.workers[w]), 0);
	if (with & HELP)
		ck_assert_int_eq(pthread_create(&bell, NULL, ring_the_bell, &r), 0);
	watch(&r);
	for (int w = 0; w < n_workers; w++)
		pthread_join(r.workers[w].thread, NULL);
	if (with & HELP)
		pthread_join(bell, NULL);
	print_times(&r, r.ended_s - began_s);
	end_ring(&r);
}

/* The shares add up to 100 % for each number of threads. Those with help come last: they hide what the others find. */
static const struct {
	int jobs, jobs_a_worker; /* one of them is 0 */
	unsigned with;
	double share;
} rings[] = {
	{1, 0, PAUSES, 0.02},
	{2, 0, PAUSES, 0.06},
	{0, 1, PAUSES | OWN_POSTS, 0.1},
	{0, 2, 0, 0.2},
	{0, 4, PAUSES | OWN_POSTS, 0.2},
	{0, 16, PAUSES, 0.2},
	{1, 0, PAUSES | OWN_POSTS | HELP, 0.02},
	{0, 4, PAUSES | OWN_POSTS | HELP, 0.2},
};

START_TEST(a_ring_of_jobs_never_stalls)
{
	int n_workers = 2 << _i;
	for (size_t k = 0; k < sizeof rings / sizeof *rings; k++) {
		int n_jobs = rings[k].jobs + n_workers * rings[k].jobs_a_worker;
		double goal = (double)hand_overs() / 3 * rings[k].share;
		run_ring(n_workers, n_jobs, (uint64_t)goal, rings[k].with);
	}
}
END_TEST

START_TEST(a_worker_alone_needs_nobody)
{
	run_ring(1, 1, hand_overs() / 10, 0);
	run_ring(1, 128, hand_overs() / 10, 0);
	run_ring(1, 4, hand_overs() / 10, PAUSES | OWN_POSTS | HELP);
}
END_TEST

/* ---- Seats alone. ---- */

struct parcel {
	struct tw__post post; /* first */
	int from;
	int number;
};

enum { GIVERS = 4, PARCELS = 20000 };

struct giver {
	struct tw__seat *to;
	struct parcel *parcels;
	int id;
};

static void *give_all(void *arg)
{
	struct giver *g = arg;
	chance = 77U + (uint32_t)g->id;
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
	chance = 99;
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
	chance = 5;
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

/* ---- The baton alone. ---- */

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

/* In each round one thread posts once and a timer tells the round and calls, at about the same time. lead() must see
 * that round though nobody calls or posts any more. */
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
			ck_assert_msg(now_s() - since < stall_s, "call %d was not answered", i);
	}
	pthread_join(poster, NULL);
	tw__baton_destroy(t.baton);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("baton");
	TCase *cases = tcase_create("rings"), *small = tcase_create("seats and calls");
	tcase_set_timeout(cases, getenv("TILEWRIGHT_BATON_HANDOVERS") ? 0 : 60);
	tcase_add_loop_test(cases, a_ring_of_jobs_never_stalls, 0, 3);
	tcase_add_test(cases, a_worker_alone_needs_nobody);
	suite_add_tcase(suite, cases);
	tcase_set_timeout(small, 40);
	tcase_add_test(small, items_of_several_givers_come_once_and_each_givers_in_order);
	tcase_add_test(small, what_others_gave_comes_before_what_its_owner_gave_later);
	tcase_add_loop_test(small, a_wait_ends_at_its_time_and_not_before, 0, 6);
	tcase_add_test(small, a_wait_ends_when_something_happens);
	tcase_add_test(small, a_nudge_ends_one_wait);
	tcase_add_test(small, no_nudge_is_lost);
	tcase_add_test(small, a_closed_seat_gives_what_it_has_and_then_null);
	tcase_add_test(small, what_comes_right_before_the_end_is_taken);
	tcase_add_test(small, posts_and_calls_from_within_lead_come_afterwards);
	tcase_add_test(small, a_call_from_a_timer_is_always_answered);
	suite_add_tcase(suite, small);
	return run_suite(suite);
}
