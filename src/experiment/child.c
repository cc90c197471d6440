/* The run itself, in a process of its own: SimGrid simulates once a process, and what a policy's bug does to the child
 * it does not do to the other runs of a list. */
#include "experiment/load.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "trace/validate.h"
#include "trace/write.h"

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + 1e-9 * (double)(b->tv_nsec - a->tv_nsec);
}

static int validate(const struct tw__plan *plan, struct tw__record *record, struct tw_error *err)
{
	const struct tw__scene *scene = plan->scene;
	const struct tw__validation_input input = {
		.platform = scene->platform,
		.graph = scene->graph,
		.times = &plan->truth,
		.capacity = plan->capacity,
		.home = tw__run_home(scene->platform, plan->capacity),
	};
	int status = tw__validate(&input, record, NULL, err);
	return status < 0 ? tw_fail(err, status, "validation: %s", err->message) : TW_OK;
}

static int run(const struct tw__plan *plan, struct tw__record *record, struct tw__outcome *outcome)
{
	const struct tw__request *request = plan->request;
	const struct tw__run_input input = tw__plan_input(plan, record);
	struct timespec start, end;
	clock_gettime(CLOCK_MONOTONIC, &start);
	int status = tw__run(&input, &outcome->counters, &outcome->err);
	clock_gettime(CLOCK_MONOTONIC, &end);
	outcome->run_s = seconds_between(&start, &end);

	struct rusage usage;
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		outcome->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024; /* Linux counts KiB */
	if (status < 0)
		return status;

	/* The trace first: it may show what the validator objects to. */
	if (request->trace) {
		const struct tw__traced traced = {
			.platform = plan->scene->platform,
			.graph = plan->scene->graph,
			.record = record,
			.workload = request->workload,
			.policy = request->policy,
			.capacity = plan->capacity,
		};
		status = tw__trace_write(request->trace, &traced, &outcome->err);
	}
	if (status == TW_OK && request->validate) {
		status = validate(plan, record, &outcome->err);
		outcome->validated = status == TW_OK;
	}
	return status;
}

void tw__plan_run_here(const struct tw__plan *plan, struct tw__outcome *outcome)
{
	memset(outcome, 0, sizeof *outcome);
	bool records = plan->request->trace || plan->request->validate;
	struct tw__record record;
	tw__record_init(&record);
	outcome->status = run(plan, records ? &record : NULL, outcome);
	tw__record_finish(&record);
}

/* Less than `bytes`: the other end was closed. */
static size_t read_all(int fd, void *to, size_t bytes)
{
	size_t got = 0;
	while (got < bytes) {
		ssize_t n = read(fd, (char *)to + got, bytes - got);
		if (n > 0)
			got += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	return got;
}

static void write_all(int fd, const void *from, size_t bytes)
{
	size_t put = 0;
	while (put < bytes) {
		ssize_t n = write(fd, (const char *)from + put, bytes - put);
		if (n > 0)
			put += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break; /* the parent will notice that something is missing */
	}
}

/* Never returns. `parent`: who waits for the outcome. */
static void be_child(const struct tw__plan *plan, struct tw__outcome *outcome, int fd, pid_t parent)
{
#ifdef __linux__
	/* A run that nobody waits for any more is of no use. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
#else
	(void)parent;
#endif
	tw__plan_run_here(plan, outcome);
	write_all(fd, outcome, sizeof *outcome);
	_exit(0); /* buffers and exit handlers are the parent's */
}

void tw__explain_end(struct tw_error *err, int wait_status)
{
	if (WIFSIGNALED(wait_status))
		tw_fail(err, TW_FAILED, "the run's process was ended by signal %d (%s)", WTERMSIG(wait_status),
		        strsignal(WTERMSIG(wait_status)));
	else
		tw_fail(err, TW_FAILED, "the run's process ended without a result (exit status %d)",
		        WEXITSTATUS(wait_status));
}

static void run_in_child(const struct tw__plan *plan, struct tw__outcome *outcome)
{
	int ends[2];
	memset(outcome, 0, sizeof *outcome);
	if (pipe(ends) < 0) {
		outcome->status = tw_fail(&outcome->err, TW_FAILED, "cannot make a pipe: %s", strerror(errno));
		return;
	}
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		close(ends[0]);
		be_child(plan, outcome, ends[1], parent);
	}
	int reason = errno;
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		outcome->status =
			tw_fail(&outcome->err, TW_FAILED, "cannot start a process for the run: %s", strerror(reason));
		return;
	}

	size_t got = read_all(ends[0], outcome, sizeof *outcome);
	close(ends[0]);
	int wait_status = 0;
	while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR)
		;
	if (got != sizeof *outcome) {
		memset(outcome, 0, sizeof *outcome);
		outcome->status = TW_FAILED;
		tw__explain_end(&outcome->err, wait_status);
	}
}

void tw__plan_run(const struct tw__plan *plan, struct tw__outcome *outcome)
{
	if (plan->engine->caps & TW__ENGINE_FORKS)
		run_in_child(plan, outcome);
	else
		tw__plan_run_here(plan, outcome);
}
