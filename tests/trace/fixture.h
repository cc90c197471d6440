/* A small good schedule, made by hand, that the tests of this folder use and break.
 *
 * Platform: RAM, a CPU, and GPU0 and GPU1 (2000 and 3000 bytes). Links have 1000 bytes/s and 0.5 s; GPUs only copy with
 * RAM, all over bus0. Handles A, B, C have 1000 bytes each and start in RAM, so a transfer takes 1.5 s.
 *
 *     task       accesses    on     start   end    released   after
 *     0 work     A RW        GPU0    1.5     3.5     3.5       -
 *     1 make     B W         GPU1    0       1       1         -
 *     2 work     A R, C RW   GPU0    3.5     5.5     5.6       0
 *     3 work     A R         CPU     5       9       9         0
 *     4 work     B R, A RW   GPU1   10.5    12.5    12.5       1, 2, 3
 *     5 make     -           GPU1    1       2       2         -
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <tilewright/base.h>

#include "trace/record.h"
#include "trace/validate.h"
#include "trace/write.h"

enum { GPU0, GPU1, CPU, N_WORKERS }; /* workers */
enum { RAM, MEM0, MEM1, N_NODES };   /* memories */
enum { A, B, C };                    /* handles */
enum { WORK, MAKE };                 /* kernels */
enum { ON_CPU, ON_GPU };             /* archs */

struct fixture {
	struct tw__platform platform;
	struct tw__arch archs[2];
	struct tw__worker workers[N_WORKERS];
	struct tw__node nodes[N_NODES];
	struct tw__link links[2];
	struct tw__route routes[N_NODES * N_NODES];
	int route_links[2]; /* bus0, which all routes take, and bus1 */
	double mean_s[4], stddev_s[4];
	bool recorded[4];
	struct tw__times times;
	uint64_t capacity[N_NODES];
	struct tw_graph *graph;
	struct tw__record record;
	struct tw__validation_input input;
	struct tw__traced traced;
};

void fixture_init(struct fixture *);
void fixture_finish(struct fixture *);

/* Scheduling domains that the schedule keeps: "first" has GPU0, the CPU, and tasks 0, 2 and 3; "second" has GPU1 and
 * the other tasks. */
extern const struct tw__run_domains fixture_domains;

/* The only event of that kind for that task (events of tasks), or for that handle in that memory (other events). */
struct tw__event *task_event(struct fixture *, enum tw__event_kind, tw_task);
struct tw__event *data_event(struct fixture *, enum tw__event_kind, tw_data, tw_node);
void drop(struct fixture *, struct tw__event *);
/* Converts seconds to nanoseconds, also in constants. */
#define NS(seconds) ((tw__ns)((seconds)*TW__NS_PER_S + ((seconds) < 0 ? -0.5 : 0.5)))

void add(struct fixture *, struct tw__event); /* appends to the record; an earlier date makes the event late */
void put(struct fixture *, struct tw__event *before, struct tw__event);
/* Events of a copy of 1000 bytes, and of room for 1000 bytes at an offset; dates in seconds. */
void add_transfer(struct fixture *, double from_date, double to_date, tw_data, tw_node from, tw_node to);
void add_room(struct fixture *, double date, tw_data, tw_node, uint64_t at);

#endif
