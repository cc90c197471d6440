/* Durations: of kernels and of launches, by function; kernels of cores that take a set time. */
#include "standin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tilewright/kernels.h>

double standin_value(const char *setting, const char *function)
{
	double otherwise = 0;
	for (const char *item = setting; item && *item;) {
		const size_t length = strcspn(item, "+"), name = strcspn(item, "=+");
		char text[32];
		snprintf(text, sizeof text, "%.*s", (int)name, item);
		if (name == length)
			otherwise = strtod(item, NULL);
		else if (strstr(function, text))
			return strtod(item + name + 1, NULL);
		item += length + (item[length] == '+');
	}
	return otherwise;
}

double standin_kernel_s(const char *function) { return 1e-6 * standin_value(standin_settings()->kernel_us, function); }

/* Spins near the end, so that the thread need not wake in time. */
static void wait_for(double seconds)
{
	const double end = standin_now() + seconds;
	if (seconds > 2e-4)
		standin_sleep_until(end - 1e-4);
	while (standin_now() < end)
		;
}

void standin_launch(void)
{
	const struct standin_settings *s = standin_settings();
	if (s->launch_s > 0 || s->launch_growth_s > 0)
		wait_for(s->launch_s + s->launch_growth_s * (standin_n_driven() - 1));
}

void standin_block(const char *function) { wait_for(1e-6 * standin_value(standin_settings()->blocks_us, function)); }

void standin_sleep_until(double date)
{
	for (double left; (left = date - standin_now()) > 0;) {
		struct timespec rest = {.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - (double)(time_t)left))};
		nanosleep(&rest, NULL);
	}
}

/* --- kernels of cores --------------------------------------------------------------------------------------------- */

/* The family with the real kernels; NULL: not set. */
static const struct tw_kernels *real;

/* Waits until the kernel has made so much progress since `start`. It looks ten thousand times a second whether a GPU
 * copies, and spins near the end. */
static void progress_until(double start, double work_s)
{
	const double slowed = 1 + standin_settings()->cpu_slowed;
	const double step_s = 1e-4;
	for (double last = start; work_s > 0;) {
		const double pace = standin_copies() ? slowed : 1;
		if (work_s * pace > 2 * step_s)
			standin_sleep_until(standin_now() + step_s);
		const double now = standin_now();
		work_s -= (now - last) / pace;
		last = now;
	}
}

static int run(const struct tw_call *call, const char *kernel)
{
	const double start = standin_now();
	int status = 0;
	for (const struct tw_codelet *c = real->codelets; c->kernel; c++)
		if (strcmp(c->kernel, kernel) == 0)
			status = c->run(call);
	progress_until(start, 1e-6 * standin_value(standin_settings()->cpu_us, kernel));
	return status;
}

#define KERNEL(name)                                                                       \
	static int run_##name(const struct tw_call *call) { return run(call, #name); }     \
	static uint64_t workspace_of_##name(const void *shape)                             \
	{                                                                                  \
		for (const struct tw_codelet *c = real->codelets; c->kernel; c++)          \
			if (strcmp(c->kernel, #name) == 0)                                 \
				return c->workspace_bytes ? c->workspace_bytes(shape) : 0; \
		return 0;                                                                  \
	}
KERNEL(potrf)
KERNEL(trsm)
KERNEL(syrk)
KERNEL(gemm)

static const struct tw_codelet codelets[] = {{"potrf", run_potrf, workspace_of_potrf, false},
                                             {"trsm", run_trsm, workspace_of_trsm, false},
                                             {"syrk", run_syrk, workspace_of_syrk, false},
                                             {"gemm", run_gemm, workspace_of_gemm, false},
                                             {0}};
static struct tw_kernels family;
const struct tw_kernels *tilewright_kernels[2];

__attribute__((constructor)) static void open_kernels(void)
{
	const char *path = getenv("STANDIN_KERNELS");
	void *library = path && *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | RTLD_DEEPBIND) : NULL;
	const struct tw_kernels *const *table = library ? dlsym(library, "tilewright_kernels") : NULL;
	for (; table && *table; table++)
		if (strcmp((*table)->workload, "cholesky") == 0) {
			real = *table;
			family = *real;
			family.codelets = codelets;
			tilewright_kernels[0] = &family;
		}
}
