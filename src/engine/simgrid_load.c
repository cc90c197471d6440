/* Starts SimGrid and loads a platform; moves SimGrid's clock. */
#include "engine/simgrid.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xbt/config.h>

#include "base/least.h"

/* The rounding error of a sum that SimGrid's solver takes for zero. The solver sums the weights of flows, which are 1,
 * or up to 1e6 with weights by latency (platform/weights.h). */
static const double precision = 1e-9, precision_of_weights = 1e-6;

/* Configures SimGrid's models. By default they model TCP; all of that is switched off. A single transfer takes latency
 * + bytes / bandwidth. Links are shared equally or by weights, and dates are as exact as doubles. */
static void configure(bool has_weights)
{
	sg_cfg_set_string("network/model", "CM02");
	sg_cfg_set_boolean("network/crosstraffic", "no");
	sg_cfg_set_double("network/TCP-gamma", 1e30);
	sg_cfg_set_double("network/bandwidth-factor", 1);
	sg_cfg_set_double("network/latency-factor", 1);
	sg_cfg_set_double("network/weight-S", 0);
	sg_cfg_set_double("surf/precision", 1e-15); /* seconds; SimGrid merges dates that are closer */
	sg_cfg_set_double("maxmin/precision", has_weights ? precision_of_weights : precision);
	/* Models that keep no dates, only what is left of each activity: so the clock can move (below). For
	 * few activities at a time, which share links, they are fast as well. */
	sg_cfg_set_string("cpu/optim", "Full");
	sg_cfg_set_string("network/optim", "Full");
	sg_cfg_set_int("contexts/stack-size", 1024);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	/* With SimGrid's other context factories, the leak checker misses leaks that actors' stacks hold. */
	sg_cfg_set_string("contexts/factory", "thread");
#elif defined(__x86_64__) || defined(__i386__)
	sg_cfg_set_string("contexts/factory", "raw"); /* SimGrid's fastest context factory: switches stacks in
	                                               * assembly */
#endif
}

int tw__simgrid_load(const struct tw__platform *platform, const struct tw__weights *weights, struct tw_error *err)
{
	int argc = 2;
	char program[] = "tilewright", log[] = "--log=root.thres:critical", *argv[] = {program, log, NULL};
	simgrid_init(&argc, argv);
	configure(weights->unit);
	int fd = memfd_create("tilewright-platform", MFD_CLOEXEC);
	if (fd < 0)
		return tw_fail(err, TW_SYSTEM, "engine 'simgrid': cannot create a file in memory for the platform");
	int status = tw__platform_write_simgrid(platform, weights, fd, err);
	if (status == TW_OK) {
		char path[64];
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		simgrid_load_platform(path);
	}
	close(fd);
	return status;
}

/* --- the clock ---------------------------------------------------------------------------------------------------- */

/* The clock of SimGrid 3.32, which has no call that sets it. In the models that configure() chooses, each activity
 * has a rest, from which SimGrid subtracts the length of each step. So nothing but this number depends on the
 * origin. */
extern double simgrid_now __asm__("_ZN7simgrid6kernel10EngineImpl4now_E");

void tw__clock_follow(struct tw__engine *e)
{
	double clock = simgrid_get_clock();
	tw__ns whole = tw__origin_step(clock);
	if (whole == 0)
		return;
	double seconds = tw__seconds(whole);
	e->origin += whole;
	/* Far from the origin, rounding may have moved the clock past the runtime's date by many fractions. */
	simgrid_now = tw__least(clock - seconds, tw__clock_seconds(e, e->now));
	tw__flows_shift(&e->flows, seconds);
}
