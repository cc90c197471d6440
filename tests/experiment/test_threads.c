/* Runs of all policies in several threads, on one scene: each must make the schedule that it makes alone. Every tenth
 * has a process of its own, so threads also fork at one time. No descriptor may be left.
 *
 *     test_threads ROUNDS */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"
#include "registry.h"

/* A fork beside other threads may leave a sanitizer's own locks locked in the child. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { FORKS_BESIDE_THREADS = 0 };
#else
enum { FORKS_BESIDE_THREADS = 1 };
#endif

enum { N_THREADS = 4, MOST_POLICIES = 100, N_SEEDS = 3 };

static const struct tw__request base = {
	.platform = "mirage",
	.workload = "cholesky:nt=6",
	.choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS, .gpu_mem_bytes = 60 << 20},
	.noise = "0.02",
};

struct shared {
	struct tw__scene *scene;
	int rounds, n;
	struct tw__request requests[MOST_POLICIES * N_SEEDS];
	tw__ns makespans[MOST_POLICIES * N_SEEDS];
};

struct thread {
	pthread_t id;
	const struct shared *shared;
	int first, wrong;
};

/* Returns the makespan; -1: the run failed. */
static tw__ns simulate(const struct shared *s, int i, bool here)
{
	struct tw__plan plan;
	struct tw__outcome outcome;
	int status = tw__plan_init(&plan, &s->requests[i], s->scene, &outcome.err);
	if (status == TW_OK) {
		if (here)
			tw__plan_run_here(&plan, NULL, &outcome, NULL, NULL);
		else
			tw__plan_run(&plan, &outcome, NULL, NULL);
		tw__plan_finish(&plan);
		status = outcome.status;
	}
	if (status < 0)
		printf("%s: %s\n", s->requests[i].policy, outcome.err.message);
	return status < 0 ? -1 : outcome.counters.makespan;
}

static void *work(void *arg)
{
	struct thread *t = arg;
	const struct shared *s = t->shared;
	for (int k = 0; k < s->rounds * s->n; k++) {
		int i = (t->first + k) % s->n;
		tw__ns makespan = simulate(s, i, !FORKS_BESIDE_THREADS || k % 10 != 0);
		if (makespan == s->makespans[i])
			continue;
		t->wrong++;
		printf("%s with seed %d: %lld ns, alone %lld ns\n", s->requests[i].policy, (int)s->requests[i].seed,
		       (long long)makespan, (long long)s->makespans[i]);
	}
	return NULL;
}

static int n_descriptors(void)
{
	int n = 0;
	DIR *d = opendir("/proc/self/fd");
	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* Each thread begins at another place, so the threads run different policies at one time. */
static int run_threads(const struct shared *s)
{
	struct thread threads[N_THREADS];
	int wrong = 0;
	for (int i = 0; i < N_THREADS; i++) {
		threads[i] = (struct thread){.shared = s, .first = i * s->n / N_THREADS};
		if (pthread_create(&threads[i].id, NULL, work, &threads[i]) != 0)
			return -1;
	}
	for (int i = 0; i < N_THREADS; i++) {
		pthread_join(threads[i].id, NULL);
		wrong += threads[i].wrong;
	}
	return wrong;
}

/* One request for each policy and seed. The policy replay needs a recorded schedule. */
static void add_requests(struct shared *s)
{
	for (int p = 0; tw__policies[p] && s->n < MOST_POLICIES * N_SEEDS; p++)
		for (int seed = 0; seed < N_SEEDS && strcmp(tw__policies[p]->name, "replay") != 0; seed++) {
			s->requests[s->n] = base;
			s->requests[s->n].policy = tw__policies[p]->name;
			s->requests[s->n++].seed = (uint64_t)seed;
		}
}

int main(int argc, char **argv)
{
	static struct shared s;
	struct tw_error err;
	const int descriptors = n_descriptors();
	s.rounds = argc > 1 ? atoi(argv[1]) : 1;
	add_requests(&s);
	/* The first scene's memo is full when the threads begin, that of the second is empty. */
	for (int i = 0; i < 2; i++) {
		tw__scene_destroy(s.scene);
		if (tw__scene_create(&s.scene, &base, &err) < 0) {
			printf("%s\n", err.message);
			return 1;
		}
		for (int k = 0; k < s.n && i == 0; k++)
			s.makespans[k] = simulate(&s, k, true);
		int wrong = run_threads(&s);
		if (wrong != 0)
			return 1;
	}
	tw__scene_destroy(s.scene);
	if (n_descriptors() != descriptors) {
		printf("%d descriptors, %d before\n", n_descriptors(), descriptors);
		return 1;
	}
	printf("%d runs in %d threads\n", 2 * N_THREADS * s.rounds * s.n, N_THREADS);
	return s.rounds * s.n == 0;
}
