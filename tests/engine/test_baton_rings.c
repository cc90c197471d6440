/* Rings of workers that hand jobs on by the baton. Every job comes out once and in order. One thread leads at a time.
 * No worker sleeps while a job waits for it.
 *
 * TILEWRIGHT_BATON_HANDOVERS: how many hand-overs all rings do together (10^6 unless told); with it, times are
 * printed. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "pauses.h"
#include "script.h"

enum { MAX_WORKERS = 8, MAX_JOBS = 128, MAX_POSTERS = MAX_WORKERS + 2 };

/* Workers take jobs and post them, lead() gives each one on to a worker drawn at random. */

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
	set_chance(2654435761U * (uint32_t)(w->id + 1));
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
	set_chance(4711);
	while (atomic_load(&r->n_over) < r->n_workers) {
		tw__seat_wait(&r->bell, 1e-6 * draw(2000));
		tw__baton_call(r->baton);
		sched_yield();
	}
	return NULL;
}

static void fail_if_stalled(struct ring *r, double since)
{
	if (now_s() - since < STALL_S)
		return;
	char seats[512] = "";
	for (int w = 0, used = 0; w < r->n_workers; w++)
		used += snprintf(seats + used, sizeof seats - (size_t)used, " %d:%s%s", w,
		                 atomic_load(&r->workers[w].seat.inbox) ? "items" : "empty",
		                 atomic_load(&r->workers[w].seat.state) ? ",asleep" : "");
	ck_abort_msg("a lost wake-up: %d workers, %d jobs: no hand-over for %d s, after %llu of %llu; %s; seats%s",
	             r->n_workers, r->n_jobs, STALL_S, (unsigned long long)atomic_load(&r->n_handed),
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

int main(void)
{
	Suite *suite = suite_create("rings");
	TCase *cases = tcase_create("rings");
	tcase_set_timeout(cases, getenv("TILEWRIGHT_BATON_HANDOVERS") ? 0 : 240);
	tcase_add_loop_test(cases, a_ring_of_jobs_never_stalls, 0, 3);
	tcase_add_test(cases, a_worker_alone_needs_nobody);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
