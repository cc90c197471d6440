/* The NUMA nodes of this machine as main memories. A calibration with several tries all bindings first, in a process of
 * its own: the process that calibrates must not be bound. */
#include "calibrate/calibrate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "platform/bind.h"
#include "process/fork.h"

struct outcome {
	int status;
	char why[200];
};

static int try_memory(int main, char *why, size_t room)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED) {
		snprintf(why, room, "no memory: %s", strerror(errno));
		return TW_FAILED;
	}
	int status = tw__bind_memory(at, page, main, why, room);
	munmap(at, page);
	return status;
}

static void try_bindings(const void *n_mains, void *result)
{
	struct outcome *o = result;
	o->status = TW_OK;
	for (int m = 0; m < *(const int *)n_mains && o->status == TW_OK; m++) {
		o->status = try_memory(m, o->why, sizeof o->why);
		if (o->status == TW_OK)
			o->status = tw__bind_thread_near(m, o->why, sizeof o->why);
	}
}

static int refuse(const char *why, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID,
	               "calibrate: --numa: %s: expected nodes that memory and threads can be bound to, or no --numa",
	               why);
}

int tw__nodes_check(bool numa, struct tw_error *err)
{
	struct outcome o = {.status = TW_OK};
	const int n = tw__bindable_mains(o.why, sizeof o.why);
	if (!numa && n > 1)
		tw_log(TW_LOG_WARNING,
		       "calibrate: this machine has %d NUMA nodes near cores, which become one main memory: with "
		       "--numa each is one, and copies between them are measured",
		       n);
	if (!numa || n == 1)
		return TW_OK;
	if (n < 0)
		return refuse(o.why, err);
	int status = tw__fork_run(try_bindings, &n, &o, sizeof o, "the process that tries bindings", err);
	return status == TW_OK && o.status < 0 ? refuse(o.why, err) : status;
}
