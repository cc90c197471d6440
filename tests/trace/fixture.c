#include "fixture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

static char *text(const char *s)
{
	char *copy = strdup(s);
	assert(copy);
	return copy;
}

static void make_platform(struct fixture *f)
{
	f->archs[ON_CPU] = (struct tw__arch){text("cpu"), false, 1};
	f->archs[ON_GPU] = (struct tw__arch){text("gpu"), true, 1};
	f->workers[GPU0] = (struct tw__worker){text("CUDA0"), ON_GPU, MEM0, 1e9, 1};
	f->workers[GPU1] = (struct tw__worker){text("CUDA1"), ON_GPU, MEM1, 1e9, 1};
	f->workers[CPU] = (struct tw__worker){text("CPU0"), ON_CPU, RAM, 1e9, 1};
	f->nodes[RAM] = (struct tw__node){text("RAM"), 0, 0, TW_NONE, false};
	f->nodes[MEM0] = (struct tw__node){text("GPU0"), 2000, 0, RAM, RAM, false};
	f->nodes[MEM1] = (struct tw__node){text("GPU1"), 3000, 0, RAM, RAM, false};
	for (int gpu = MEM0; gpu <= MEM1; gpu++) {
		f->links[gpu - 1] = (struct tw__link){text(gpu == MEM0 ? "bus0" : "bus1"), 1000, 1000, 0.5, TW__SHARED};
		f->route_links[gpu - 1] = gpu - 1;
		struct tw__route route = {1, f->route_links, 0.5, 1000, 0.5, 1000};
		f->routes[RAM * N_NODES + gpu] = f->routes[gpu * N_NODES + RAM] = route;
	}
	f->platform = (struct tw__platform){
		.name = text("two \"GPUs\""),
		.summary = text(""),
		.n_archs = 2,
		.n_workers = N_WORKERS,
		.n_nodes = N_NODES,
		.n_links = 2,
		.archs = f->archs,
		.workers = f->workers,
		.nodes = f->nodes,
		.links = f->links,
		.routes = f->routes,
		.n_cores = 3,
	};
	f->mean_s[WORK * 2 + ON_CPU] = 4;
	f->mean_s[WORK * 2 + ON_GPU] = 2;
	f->mean_s[MAKE * 2 + ON_CPU] = 3;
	f->mean_s[MAKE * 2 + ON_GPU] = 1;
	f->times = (struct tw__times){
		.n_kernels = 2, .n_archs = 2, .mean = f->mean_s, .stddev = f->stddev_s, .recorded = f->recorded};
	f->capacity[RAM] = UINT64_MAX;
	f->capacity[MEM0] = 2000;
	f->capacity[MEM1] = 3000;
}

static void make_graph(struct fixture *f)
{
	struct tw_graph *g = tw_graph_create();
	assert(g);
	for (int i = 0; i < 3; i++)
		tw_graph_data(g, 1000);
	tw_graph_kernel(g, "work", "10", "d", 1);
	tw_graph_kernel(g, "make", "10", "d", 1);
	tw_graph_submit(g, WORK, 0, (struct tw_access[]){{A, TW_RW}}, 1);
	tw_graph_submit(g, MAKE, 0, (struct tw_access[]){{B, TW_W}}, 1);
	tw_graph_submit(g, WORK, 0, (struct tw_access[]){{A, TW_R}, {C, TW_RW}}, 2);
	tw_graph_submit(g, WORK, 0, (struct tw_access[]){{A, TW_R}}, 1);
	tw_graph_submit(g, WORK, 0, (struct tw_access[]){{B, TW_R}, {A, TW_RW}}, 2);
	tw_graph_submit(g, MAKE, 0, NULL, 0);
	struct tw_error err;
	int status = tw_graph_finish(g, &err);
	assert(status == TW_OK);
	(void)status;
	f->graph = g;
}

#define SUBMITTED(task_)                                             \
	{                                                            \
		.kind = TW__SUBMIT, .task = task_, .worker = TW_NONE \
	}
#define READY(date_, task_, by)                                                   \
	{                                                                         \
		.date = NS(date_), .kind = TW__READY, .task = task_, .worker = by \
	}
#define TASK(kind_, date_, task_, worker_, node_)                                                 \
	{                                                                                         \
		.date = NS(date_), .kind = kind_, .task = task_, .worker = worker_, .node = node_ \
	}
#define MOVE(kind_, date_, id, data_, from_, to, cause_)                                                   \
	{                                                                                                  \
		.date = NS(date_), .kind = kind_, .data = data_, .from = from_, .node = to, .bytes = 1000, \
		.offset = id, .cause = cause_                                                              \
	}
#define ROOM(kind_, date_, data_, node_, at, cause_)                                                         \
	{                                                                                                    \
		.date = NS(date_), .kind = kind_, .data = data_, .node = node_, .bytes = 1000, .offset = at, \
		.cause = cause_                                                                              \
	}
#define COPY(kind_, date_, data_, node_)                                       \
	{                                                                      \
		.date = NS(date_), .kind = kind_, .data = data_, .node = node_ \
	}

/* In the order of recording: starts of kernels are next to their ends. */
static const struct tw__event good[] = {
	SUBMITTED(0),
	READY(0, 0, TW_NONE),
	SUBMITTED(1),
	READY(0, 1, TW_NONE),
	SUBMITTED(2),
	SUBMITTED(3),
	SUBMITTED(4),
	SUBMITTED(5),
	READY(0, 5, TW_NONE),
	TASK(TW__ASSIGN, 0, 0, GPU0, MEM0),
	ROOM(TW__ALLOC, 0, A, MEM0, 0, TW__DEMAND),
	MOVE(TW__TRANSFER_START, 0, 100, A, RAM, MEM0, TW__DEMAND),
	TASK(TW__ASSIGN, 0, 1, GPU1, MEM1),
	ROOM(TW__ALLOC, 0, B, MEM1, 0, TW__DEMAND),
	TASK(TW__ASSIGN, 0, 5, GPU1, MEM1),
	TASK(TW__START, 0, 1, GPU1, MEM1),
	TASK(TW__END, 1, 1, GPU1, MEM1),
	COPY(TW__VALID, 1, B, MEM1),
	COPY(TW__INVALID, 1, B, RAM),
	TASK(TW__RELEASE, 1, 1, GPU1, MEM1),
	MOVE(TW__TRANSFER_END, 1.5, 100, A, RAM, MEM0, TW__DEMAND),
	COPY(TW__VALID, 1.5, A, MEM0),
	ROOM(TW__ALLOC, 1.5, C, MEM0, 1000, TW__PREFETCH),
	MOVE(TW__TRANSFER_START, 1.5, 101, C, RAM, MEM0, TW__PREFETCH),
	TASK(TW__START, 1, 5, GPU1, MEM1),
	TASK(TW__END, 2, 5, GPU1, MEM1),
	TASK(TW__RELEASE, 2, 5, GPU1, MEM1),
	/* A prefetch for writing: the ownership moves before the task starts. */
	MOVE(TW__TRANSFER_END, 3, 101, C, RAM, MEM0, TW__PREFETCH),
	COPY(TW__VALID, 3, C, MEM0),
	COPY(TW__INVALID, 3, C, RAM),
	TASK(TW__START, 1.5, 0, GPU0, MEM0),
	TASK(TW__END, 3.5, 0, GPU0, MEM0),
	TASK(TW__RELEASE, 3.5, 0, GPU0, MEM0),
	COPY(TW__INVALID, 3.5, A, RAM),
	READY(3.5, 2, GPU0),
	READY(3.5, 3, GPU0),
	TASK(TW__ASSIGN, 3.5, 2, GPU0, MEM0),
	TASK(TW__ASSIGN, 3.5, 3, CPU, RAM),
	MOVE(TW__TRANSFER_START, 3.5, 102, A, MEM0, RAM, TW__DEMAND),
	MOVE(TW__TRANSFER_END, 5, 102, A, MEM0, RAM, TW__DEMAND),
	COPY(TW__VALID, 5, A, RAM),
	TASK(TW__START, 3.5, 2, GPU0, MEM0),
	TASK(TW__END, 5.5, 2, GPU0, MEM0),
	TASK(TW__RELEASE, 5.6, 2, GPU0, MEM0),
	COPY(TW__INVALID, 5.6, A, MEM0),
	ROOM(TW__FREE, 5.6, A, MEM0, 0, TW__EVICTION),
	MOVE(TW__TRANSFER_START, 6, 103, C, MEM0, RAM, TW__IDLE),
	MOVE(TW__TRANSFER_END, 7.5, 103, C, MEM0, RAM, TW__IDLE),
	COPY(TW__VALID, 7.5, C, RAM),
	COPY(TW__INVALID, 8, C, MEM0),
	ROOM(TW__FREE, 8, C, MEM0, 1000, TW__EVICTION),
	TASK(TW__START, 5, 3, CPU, RAM),
	TASK(TW__END, 9, 3, CPU, RAM),
	TASK(TW__RELEASE, 9, 3, CPU, RAM),
	READY(9, 4, CPU),
	TASK(TW__ASSIGN, 9, 4, GPU1, MEM1),
	ROOM(TW__ALLOC, 9, A, MEM1, 1000, TW__DEMAND),
	MOVE(TW__TRANSFER_START, 9, 104, A, RAM, MEM1, TW__DEMAND),
	MOVE(TW__TRANSFER_END, 10.5, 104, A, RAM, MEM1, TW__DEMAND),
	COPY(TW__VALID, 10.5, A, MEM1),
	TASK(TW__START, 10.5, 4, GPU1, MEM1),
	TASK(TW__END, 12.5, 4, GPU1, MEM1),
	COPY(TW__INVALID, 12.5, A, RAM),
	TASK(TW__RELEASE, 12.5, 4, GPU1, MEM1),
};

static const bool first_has[N_WORKERS] = {[GPU0] = true, [CPU] = true}, second_has[N_WORKERS] = {[GPU1] = true};
const struct tw__run_domains fixture_domains = {2, (const char *const[]){"first", "second"},
                                                (const bool *const[]){first_has, second_has},
                                                (const uint8_t[]){0, 1, 0, 0, 1, 1}};

void fixture_init(struct fixture *f)
{
	memset(f, 0, sizeof *f);
	make_platform(f);
	make_graph(f);
	tw__record_init(&f->record);
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		tw__record_add(&f->record, &good[i]);
	f->record.makespan = NS(12.5);
	f->input = (struct tw__validation_input){&f->platform, f->graph, &f->times, f->capacity, {RAM, 1}};
	f->traced = (struct tw__traced){&f->platform, f->graph, &f->record, "six:n=6", "by \"hand\"", f->capacity};
}

void fixture_finish(struct fixture *f)
{
	for (int i = 0; i < 2; i++) {
		free(f->archs[i].name);
		free(f->links[i].name);
	}
	for (int i = 0; i < N_WORKERS; i++)
		free(f->workers[i].name);
	for (int i = 0; i < N_NODES; i++)
		free(f->nodes[i].name);
	free(f->platform.name);
	free(f->platform.summary);
	tw_graph_destroy(f->graph);
	tw__record_finish(&f->record);
}

struct tw__event *task_event(struct fixture *f, enum tw__event_kind kind, tw_task task)
{
	for (size_t i = 0; i < f->record.n; i++)
		if (f->record.events[i].kind == kind && f->record.events[i].task == task)
			return &f->record.events[i];
	assert(!"no such event");
	return NULL;
}

struct tw__event *data_event(struct fixture *f, enum tw__event_kind kind, tw_data data, tw_node node)
{
	for (size_t i = 0; i < f->record.n; i++)
		if (f->record.events[i].kind == kind && f->record.events[i].data == data &&
		    f->record.events[i].node == node)
			return &f->record.events[i];
	assert(!"no such event");
	return NULL;
}

void drop(struct fixture *f, struct tw__event *e)
{
	size_t index = (size_t)(e - f->record.events);
	memmove(e, e + 1, (--f->record.n - index) * sizeof *e);
}

void add(struct fixture *f, struct tw__event e) { tw__record_add(&f->record, &e); }

void put(struct fixture *f, struct tw__event *before, struct tw__event e)
{
	size_t index = (size_t)(before - f->record.events);
	tw__record_add(&f->record, &e);
	memmove(&f->record.events[index + 1], &f->record.events[index], (f->record.n - 1 - index) * sizeof e);
	f->record.events[index] = e;
}

void add_transfer(struct fixture *f, double from_date, double to_date, tw_data d, tw_node from, tw_node to)
{
	struct tw__event e = {.date = NS(from_date),
	                      .kind = TW__TRANSFER_START,
	                      .data = d,
	                      .from = (int16_t)from,
	                      .node = (int16_t)to,
	                      .bytes = 1000,
	                      .offset = 200};
	put(f, f->record.events, e);
	e.kind = TW__TRANSFER_END;
	e.date = NS(to_date);
	add(f, e);
}

void add_room(struct fixture *f, double date, tw_data d, tw_node n, uint64_t at)
{
	put(f, f->record.events,
	    (struct tw__event){
		    .date = NS(date), .kind = TW__ALLOC, .data = d, .node = (int16_t)n, .bytes = 1000, .offset = at});
}
