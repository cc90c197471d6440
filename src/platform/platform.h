/* A node: workers, memories and the links between them, read once from SimGrid XML (DTD 4.1).
 *
 * docs/reference/platforms.md documents the XML. Bandwidths are bytes/s, times seconds. */
#ifndef TW__PLATFORM_H
#define TW__PLATFORM_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__arch {
	char *name; /* "cpu", "k40m": as in the column `arch` of kernels.csv */
	bool accelerator;
	int cores; /* of each of its workers; groups of 10 and of 5 cores are two archs of one name; accelerators: 1 */
};

struct tw__worker {
	char *name; /* the host's id; for a group, its first and last core's: "CPU0-CPU9" */
	tw_arch arch;
	tw_node node;                  /* the memory that it computes in */
	double speed;                  /* flop/s of its SimGrid host; the engine only uses it as a unit */
	int cores;                     /* same as its arch's */
	bool undriven;                 /* an accelerator that needs no CPU core to drive it */
	double idle_watts, busy_watts; /* of all its cores; NAN: unknown */
};

struct tw__node {
	char *name;            /* "RAM", "GPU0", ... */
	uint64_t memory_bytes; /* of the card; 0: unbounded */
	uint64_t limit_bytes;  /* requested by the user; 0: none */
	tw_node backing;       /* where victims go; TW_NONE for the root */
	bool peer;             /* can copy directly to other accelerators with this flag, where a route exists */
};

enum tw__sharing { TW__SHARED, TW__FATPIPE };

struct tw__link {
	char *name;
	double bandwidth;        /* for a single copy */
	double shared_bandwidth; /* total for several copies; at most `bandwidth`, at least that of any route over it */
	double latency;
	enum tw__sharing sharing;
};

/* A route from one memory node to another. If it lists a link more than once, each counts. */
struct tw__route {
	int n_links;      /* 0: no route */
	int *links;       /* indices into the platform's links */
	double latency;   /* sum over the links: truth */
	double bandwidth; /* truth for a single transfer: min over the links of bandwidth / times listed */
	double predicted_latency, predicted_bandwidth; /* belief; equal to the truth unless the XML says otherwise */
};

struct tw_platform {
	char *name;         /* "mirage", or the path of its file */
	char *summary;      /* one line; may be empty */
	char *runtime;      /* runtime parameters of this node, "KEY=VALUE:..."; may be empty */
	char *runtime_from; /* "FILE:LINE" where they were set, for messages */
	int n_archs, n_workers, n_nodes, n_links;
	struct tw__arch *archs;
	struct tw__worker *workers; /* accelerators first, then in the file's order */
	struct tw__node *nodes;     /* node 0 is the main memory */
	struct tw__link *links;
	struct tw__route *routes; /* [from * n_nodes + to] */
	int n_cores;              /* CPU cores of the machine; each accelerator takes one, except undriven ones */
};

/* Reads `path`. `name` is used in messages and results. */
int tw__platform_read(struct tw_platform **, const char *path, const char *name, struct tw_error *err);

/* The same from a stream; messages call it `path`. */
int tw__platform_read_stream(struct tw_platform **, FILE *, const char *path, const char *name, struct tw_error *err);

/* Finds and reads a platform, by name or by path. A name is that of a folder with platform.xml under
 * $TILEWRIGHT_PLATFORMS, the source tree's or the installed platforms/. A path contains a '/' or ends in .xml; it is
 * a folder or an .xml file. Also returns the path of the kernels.csv beside it (malloc'ed; the caller's). An unknown
 * name: TW_INVALID; the message lists the known ones. */
int tw__platform_find(struct tw_platform **, char **kernels_path, const char *name, struct tw_error *err);

/* The paths of a platform's files, malloc'ed: its XML, kernels.csv and samples.csv. The files need not exist. */
enum { TW__PLATFORM_FILES = 3 };
int tw__platform_files(char *files[TW__PLATFORM_FILES], const char *name, struct tw_error *err);

/* The platforms that tw__platform_find knows by name, sorted: a NULL-terminated malloc'ed array of malloc'ed
 * strings. */
char **tw__platform_names(void);

/* The length of the part of an arch's name that names its kind. Equal cards that were measured separately, "m2070-0"
 * and "m2070-1", are both of the kind m2070. */
size_t tw__arch_kind_length(const char *name);

enum { TW__ALL_WORKERS = -1, TW__MOST_BOUNDS = 16 };

/* Changes that the command line may make. */
struct tw__platform_choice {
	int cpus, gpus;         /* numbers of workers; TW__ALL_WORKERS: all (each accelerator used takes one core) */
	const char *cpu_groups; /* "10+5+5": cores of each CPU worker; `cpus` selects the first ones; NULL: 1 each */
	uint64_t gpu_mem_bytes; /* bound on every accelerator's memory; 0: the card's own size */
	bool no_communication;  /* all workers compute in main memory, which is unbounded: there are no transfers */
	int n_bounds;           /* --mem NODE=SIZE */
	struct {
		const char *node;
		uint64_t bytes;
	} bounds[TW__MOST_BOUNDS];
};

/* A new platform with just those workers, the memories that they (or a backing chain) need, and the limits.
 * TW_INVALID: more workers than there are, groups of more cores or of unequal ones, an unknown node, bounds without
 * transfers, or no worker at all. */
int tw__platform_select(struct tw_platform **, const struct tw_platform *, const struct tw__platform_choice *,
                        struct tw_error *err);

void tw__platform_destroy(struct tw_platform *);

/* The number of its workers that are accelerators. */
int tw__platform_accelerators(const struct tw_platform *);

/* Computes a route's latency and bandwidth from its links. `times` is [n_links], all 0 before and after the call. */
void tw__route_measure(const struct tw_platform *, struct tw__route *, int *times);

static inline int tw__times_listed(const struct tw__route *route, int link)
{
	int times = 0;
	for (int l = 0; l < route->n_links; l++)
		times += route->links[l] == link;
	return times;
}

/* Whether this is the first place in the route that lists its link. */
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

/* Writes the platform as the XML for the SimGrid engine: hosts for workers and memories, and one route per ordered
 * pair of memories that has one. Links have latency 0 (the engine itself waits for the route's latency), except for
 * weights. `unit` is for weights (weights.h). */
int tw__platform_write_simgrid(const struct tw_platform *, double unit, int fd, struct tw_error *err);

/* Writes the platform as XML that tw__platform_read reads, with one host per worker. `comment` goes to the top; it
 * may not contain "--". The caller checks the stream for errors. TW_NOMEM. */
int tw__platform_write_xml(const struct tw_platform *, const char *comment, FILE *, struct tw_error *err);

#endif
