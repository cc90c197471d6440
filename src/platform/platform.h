/* A node: workers, memories and the links between them, read once from SimGrid XML (DTD 4.1).
 *
 * What the XML looks like is documented in docs/reference/platforms.md. Bandwidths are bytes/s, times seconds. */
#ifndef TW__PLATFORM_H
#define TW__PLATFORM_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__arch {
	char *name; /* "cpu", "k40m": what kernels.csv says in its column `arch` */
	bool accelerator;
	int cores; /* of each of its workers: groups of 10 and of 5 are two archs of one name; accelerators: 1 */
};

struct tw__worker {
	char *name; /* the host's id; of a group its first and last core's, "CPU0-CPU9" */
	tw_arch arch;
	tw_node node;                  /* the memory it computes in */
	double speed;                  /* flop/s of its SimGrid host; only a unit for the engine */
	int cores;                     /* as of its arch */
	bool undriven;                 /* an accelerator that takes no CPU core when it is used */
	double idle_watts, busy_watts; /* of all its cores; NAN: the platform does not tell */
};

struct tw__node {
	char *name;            /* "RAM", "GPU0", ... */
	uint64_t memory_bytes; /* of the card; 0: unbounded */
	uint64_t limit_bytes;  /* asked for by the user; 0: none */
	tw_node backing;       /* where last copies go; TW_NONE for the root */
	bool peer;             /* can exchange directly with other accelerators that can (where a route exists) */
};

enum tw__sharing { TW__SHARED, TW__FATPIPE };

struct tw__link {
	char *name;
	double bandwidth;        /* of a copy alone */
	double shared_bandwidth; /* of several together; at most that of one, at least what any route has alone */
	double latency;
	enum tw__sharing sharing;
};

/* From one memory node to another. A link may stand in a route more than once; it then counts as often. */
struct tw__route {
	int n_links;      /* 0: no route */
	int *links;       /* indices into the platform's links */
	double latency;   /* sum over the links: truth */
	double bandwidth; /* of one transfer alone: min over the links of bandwidth / times listed: truth */
	double predicted_latency, predicted_bandwidth; /* belief; equal to the truth unless the XML says otherwise */
};

struct tw_platform {
	char *name;         /* "mirage", or the path it was read from */
	char *summary;      /* one line; may be empty */
	char *runtime;      /* "KEY=VALUE:..." of runtime parameters that are this node's own; may be empty */
	char *runtime_from; /* "FILE:LINE" of that, for messages */
	int n_archs, n_workers, n_nodes, n_links;
	struct tw__arch *archs;
	struct tw__worker *workers; /* accelerators first, then in the file's order */
	struct tw__node *nodes;     /* node 0 is the main memory */
	struct tw__link *links;
	struct tw__route *routes; /* [from * n_nodes + to] */
	int n_cores;              /* CPU cores of the machine: accelerators take one each, but for undriven ones */
};

/* Reads `path`. `name` is what messages and results call it. */
int tw__platform_read(struct tw_platform **, const char *path, const char *name, struct tw_error *err);

/* The same from a stream; `path` is what messages call it. */
int tw__platform_read_stream(struct tw_platform **, FILE *, const char *path, const char *name, struct tw_error *err);

/* Finds a platform by name (a folder with platform.xml under $TILEWRIGHT_PLATFORMS, the source tree's or the
 * installed platforms/) or by path (a folder or an .xml file; anything with a '/' or ending in .xml), reads it, and tells
 * the path of the kernels.csv beside it (malloc'ed; the caller's). An unknown name: TW_INVALID, listing those that exist. */
int tw__platform_find(struct tw_platform **, char **kernels_path, const char *name, struct tw_error *err);

/* The files it is made of, malloc'ed: its XML, kernels.csv and samples.csv, whether they are there or not. */
enum { TW__PLATFORM_FILES = 3 };
int tw__platform_files(char *files[TW__PLATFORM_FILES], const char *name, struct tw_error *err);

/* Names of the platforms that tw__platform_find knows by name, sorted; a NULL-terminated malloc'ed array of malloc'ed strings. */
char **tw__platform_names(void);

/* How much of an arch's name its kind is: equal cards that were measured one by one, "m2070-0" and "m2070-1", are m2070. */
size_t tw__arch_kind_length(const char *name);

enum { TW__ALL_WORKERS = -1 };

/* What the command line may change. */
struct tw__platform_choice {
	int cpus, gpus; /* how many workers; TW__ALL_WORKERS: all there are (each accelerator used takes one core) */
	const char *cpu_groups; /* "10+5+5": cores of each CPU worker, of which `cpus` takes the first; NULL: 1 each */
	uint64_t gpu_mem_bytes; /* bound of every accelerator's memory; 0: the card's own */
	bool no_communication;  /* all workers compute in main memory, which is unbounded: nothing is ever moved */
	int n_bounds;           /* --mem NODE=SIZE */
	struct {
		const char *node;
		uint64_t bytes;
	} bounds[16];
};

/* A new platform with just those workers and the memories they (or a backing chain) need, limits set. More workers than
 * there are, groups of more cores or of unequal ones, an unknown node, bounds without communication, no worker at all: TW_INVALID. */
int tw__platform_select(struct tw_platform **, const struct tw_platform *, const struct tw__platform_choice *,
                        struct tw_error *err);

void tw__platform_destroy(struct tw_platform *);

/* How many of its workers are accelerators. */
int tw__platform_accelerators(const struct tw_platform *);

/* Its latency and bandwidth, of what its links have. `times`: [n_links], all 0, and again so afterwards. */
void tw__route_measure(const struct tw_platform *, struct tw__route *, int *times);

static inline int tw__times_listed(const struct tw__route *route, int link)
{
	int times = 0;
	for (int l = 0; l < route->n_links; l++)
		times += route->links[l] == link;
	return times;
}

/* Does the link that stands at this place of the route stand at none before? */
static inline bool tw__is_first_listed(const struct tw__route *route, int place)
{
	for (int l = 0; l < place; l++)
		if (route->links[l] == route->links[place])
			return false;
	return true;
}

static inline const struct tw__route *tw__route_of(const struct tw_platform *p, tw_node from, tw_node to)
{
	return &p->routes[from * p->n_nodes + to];
}

/* Writes the platform as the XML that the SimGrid engine loads: hosts of workers and memories, links with latency 0
 * (the engine waits for the route's latency itself) but for weights, one route per ordered pair of memories that has one. `unit`: of weights
 * (weights.h). */
int tw__platform_write_simgrid(const struct tw_platform *, double unit, int fd, struct tw_error *err);

/* Writes the platform as the XML that tw__platform_read reads, each worker a host of its own; `comment`, without two dashes in a row,
 * stands on top. What stream errors there are is the caller's to see. TW_NOMEM. */
int tw__platform_write_xml(const struct tw_platform *, const char *comment, FILE *, struct tw_error *err);

#endif
