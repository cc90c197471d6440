/* Why a run took as long as it did, from its record alone.
 *
 * Three questions are answered. Where did the time of each kind of worker go? What did the makespan hang on, from its
 * end back to its start? Which memories loaded handles again, and what had evicted them? docs/reference/explain.md
 * defines each cause. */
#ifndef TW__EXPLAIN_SCHEDULE_H
#define TW__EXPLAIN_SCHEDULE_H

#include <jansson.h>
#include <stdio.h>

#include "bounds/bounds.h"
#include "graph/parts.h"
#include "platform/platform.h"
#include "trace/domains.h"
#include "trace/schedule.h"

/* Causes of time. A worker's time has all of them but BUSY and SLOW; the makespan has all but KERNELS and NOTHING. */
enum tw__why {
	TW__WHY_KERNELS,      /* the worker computes */
	TW__WHY_BUSY,         /* makespan: kernels for whose worker another task of the chain waited */
	TW__WHY_SLOW,         /* makespan: kernels, as far as a faster worker that was free would have saved time */
	TW__WHY_DEPENDENCIES, /* no task is ready; makespan: kernels that the next part of the chain needs */
	TW__WHY_DATA,         /* transfers of handles to where a task needs them */
	TW__WHY_MEMORY,       /* room in a memory: evictions, write-backs for them, and handles loaded again */
	TW__WHY_POLICY,       /* tasks are ready and the worker is free, but the policy gives it none */
	TW__WHY_RUNTIME,      /* the costs of the runtime system */
	TW__WHY_SUBMISSION,   /* tasks are not submitted yet */
	TW__WHY_CANCELLED,    /* kernels that were cancelled */
	TW__WHY_NOTHING,      /* no task is left that the worker could run */
	TW__WHY_TEAM,         /* the worker waits for other workers of a parallel task */
	TW__WHY_NETWORK,      /* messages between nodes of a cluster */
	TW__N_WHY
};
extern const char *const tw__why_names[TW__N_WHY]; /* "kernels", "busy workers", ... */

struct tw__explained_run {
	const struct tw__platform *platform;
	const struct tw_graph *graph;
	const struct tw_graph
		*program; /* for comparisons: on a cluster, the graph before it was divided; else `graph` */
	const struct tw__times *times;
	const uint64_t *capacity;    /* [n_nodes] usable bytes of each memory; UINT64_MAX: unbounded */
	struct tw__homes homes;      /* the memory where handles are valid at the start */
	enum tw__link_shares shares; /* how transfers share links in the run's model */
	struct tw__run_domains domains;
	tw__ns patience; /* how long a worker may wait for a ready task before the policy is blamed */
	bool with_spans; /* also list the spans in which workers compute nothing */
	/* For comparisons: leave out the gaps to the bounds, saturated links, and the domains of kinds of workers. */
	bool briefly;
	/* Also make this schedule of the run, but for the names of workload and policy. NULL: do not; otherwise the
	 * caller finishes it. The same pass over the record serves both. */
	struct tw__schedule *schedule;
	struct tw__record *record; /* its numbers are within range (tw__run_section_check); it will be sorted */
};

/* The time of all workers of one kind. Their archs differ at most in a number at the end, as m2070-0 and m2070-1 do.
 * They are in the same domains. */
struct tw__kind_time {
	char name[64];
	tw_arch arch; /* one of its archs */
	tw__domain_set domains;
	int rank; /* of the first of them */
	int n_workers;
	tw__ns of[TW__N_WHY]; /* the sum is n_workers times the makespan */
};

/* A part of the chain that the makespan hangs on. */
struct tw__chain_link {
	enum tw__why why;
	tw__ns start, end;
	tw_task task;     /* whose kernel it is, or which waits; TW_NONE: a transfer */
	tw_worker worker; /* of the task */
	tw_data data;     /* that is transferred; TW_NONE: a task */
	tw_node from, to;
	bool computes; /* in the task's kernel; false: a wait or a transfer */
};

/* A time in which a worker computed nothing. */
struct tw__idle_span {
	tw_worker worker;
	enum tw__why why;
	tw__ns start, end;
};

/* A handle that was loaded again into a memory after its eviction. */
struct tw__reloaded {
	tw_data data;
	tw_node node;
	int64_t times;
	tw_data evictor; /* the handle that got its room at the last eviction; TW_NONE: unknown */
};

struct tw__memory_use {
	int64_t loads, reloads; /* transfers into the memory; of handles that had been evicted with the same content */
	uint64_t reloaded_bytes;
	int64_t evictions;
};

enum { TW__MOST_RELOADED = 5 };

/* A time in which a link was saturated. It goes on over gaps of less than a hundredth of the makespan, as long as the
 * link is saturated for three quarters of it. */
struct tw__saturated_span {
	tw__ns start, end;
	tw__ns saturated; /* without the gaps */
};

enum { TW__MOST_SATURATED_SPANS = 3 };

struct tw__saturated_link {
	int link;         /* of the platform */
	tw__ns saturated; /* the sum over all spans */
	tw__ns on_chain;  /* the part of it in which the chain is in a transfer over the link, or waits for one */
	struct tw__saturated_span spans[TW__MOST_SATURATED_SPANS]; /* those saturated longest, in the order of time */
	int n_spans, n_other_spans;
};

/* One of several graphs. */
struct tw__graph_time {
	tw__ns end;      /* of its last task */
	tw__ns on_chain; /* time of the chain in its kernels */
};

/* A node of a cluster. */
struct tw__rank_use {
	int n_workers;
	tw__ns of[TW__N_WHY]; /* time of its workers */
	tw__ns on_chain;      /* time of the chain on it, without messages to it */
	int64_t tasks;        /* that it started */
	int64_t sent, received;
	uint64_t sent_bytes, received_bytes;
};

struct tw__explanation {
	tw__ns makespan;
	struct tw__graph_time graphs[TW__MOST_PARTS];
	int n_kinds;
	struct tw__kind_time *kinds; /* [n_kinds] in the order of their first archs */
	int n_ranks;                 /* nodes of a cluster; 0: one node */
	struct tw__rank_use *ranks;  /* [n_ranks] */
	tw__ns chain[TW__N_WHY];     /* the sum is the makespan */
	tw__ns chain_ran[2];         /* time of the chain in kernels: on cores, on accelerators */
	struct tw__chain_link *links;
	size_t n_links;              /* in the order of time; together they are the makespan without gaps */
	struct tw__idle_span *spans; /* if they are wanted; those of each worker are in the order of time */
	size_t n_spans, spans_capacity;
	int n_nodes;
	struct tw__memory_use *memories; /* [n_nodes] */
	struct tw__reloaded reloaded[TW__MOST_RELOADED];
	int n_reloaded;                       /* the handles loaded again most often come first */
	struct tw__saturated_link *saturated; /* [n_saturated] those saturated longest come first */
	int n_saturated;
	tw__ns chain_saturated; /* time of the chain in transfers over any saturated link, or waits for one */

	/* Gaps to the bounds, in seconds; NAN: the bound is unknown. The gap to the critical path is split in
	 * proportion to the parts of the chain. The gap to the area bound is split exactly, by the prices of the linear
	 * program. KERNELS there means kernels on workers that suit them less than the bound's do. */
	double path_s, area_s;
	double path_gap[TW__N_WHY], area_gap[TW__N_WHY];
};

/* Prints a table of the graphs, or returns it as JSON if `f` is NULL. Returns NULL if the run has one graph. */
json_t *tw__graph_times_table(const struct tw__explanation *, const struct tw_graph *, FILE *f);

/* The same for the nodes of a cluster: NULL if there is one node. */
json_t *tw__ranks_table(const struct tw__explanation *, const struct tw__platform *, FILE *f);

/* TW_INVALID: the makespan is too long to add up that of all workers. On success the caller finishes the
 * explanation. */
int tw__explain_schedule(struct tw__explanation *, const struct tw__explained_run *, struct tw_error *err);
void tw__explanation_finish(struct tw__explanation *);

/* Writes the name of a kind, with its domains if there are any: "gpu", or "gpu in linear+other". Returns the text. */
enum { TW__KIND_TEXT = TW__DOMAINS_TEXT + 68 };
const char *tw__kind_text(char text[TW__KIND_TEXT], const struct tw__kind_time *, const struct tw__run_domains *);

/* Fills `order` with the causes that have time, the greatest first; returns their number. */
int tw__why_order(const double *amount, enum tw__why order[TW__N_WHY]);

/* --- printing: docs/reference/explain.md ------------------------------------------------------------------------ */

/* The names of the run, for the first line. */
struct tw__explained_name {
	const char *trace; /* path, or NULL */
	const char *platform, *workload, *policy;
};

/* Lines of text. `with_chain`: with each link of the chain. */
void tw__explanation_print(FILE *, const struct tw__explanation *, const struct tw__explained_run *,
                           const struct tw__explained_name *, bool with_chain);
/* An object of JSON; the caller releases it. It has the longest links of the chain, or all if `whole_chain`. */
json_t *tw__explanation_json(const struct tw__explanation *, const struct tw__explained_run *,
                             const struct tw__explained_name *, bool whole_chain);

/* Writes two or three sentences in plain words about the makespan. */
void tw__explain_sentences(char *text, size_t size, const struct tw__explanation *, const struct tw__explained_run *);

#endif
