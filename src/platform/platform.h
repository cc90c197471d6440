/* A platform: the workers and memories of a node, and the links between the memories, read once from SimGrid XML (DTD
 * 4.1).
 *
 * docs/reference/platforms.md documents the XML. Bandwidths in this header are in bytes/s, times in seconds. */
#ifndef TW__PLATFORM_H
#define TW__PLATFORM_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__arch {
	char *name; /* "cpu", "k40m": the name in the column `arch` of kernels.csv */
	bool accelerator;
	/* CPU cores of each worker of this arch; 1 for accelerators. Groups of 10 and of 5 cores are two archs with one
	 * name. */
	int cores;
	/* Archs of 2 to most_cores workers of this arch that run a parallel task together: `wide`, `wide` + 1, ... They
	 * have no workers. most_cores = 1: there are none. */
	tw_arch wide;
	int most_cores;
	/* the time of a kernel of this arch, relative to the one in kernels.csv, as several workers share a card
	 * (--gpu-workers); 0: it is the one in kernels.csv */
	double slowdown;
};

struct tw__worker {
	/* the id of the worker's host; for a group of cores, the ids of its first and last core: "CPU0-CPU9" */
	char *name;
	tw_arch arch;
	tw_node node; /* the memory node where the worker's tasks access their handles */
	/* flop/s of the worker's SimGrid host; the SimGrid engine uses it only as a unit of work */
	double speed;
	int cores;                     /* CPU cores of the worker, as in its arch */
	int rank;                      /* number of the cluster's node; 0 without a cluster */
	int socket;                    /* of a core; 0 if the platform states none */
	int stream;                    /* number of the worker among those of its card; 0: the first, or the only one */
	bool undriven;                 /* whether the worker is an accelerator that needs no CPU core to drive it */
	double idle_watts, busy_watts; /* power of all cores of the worker, idle and busy; NAN: unknown */
};

struct tw__node {
	char *name;            /* name of the memory node: "RAM", "GPU0", ... */
	uint64_t memory_bytes; /* size of the memory; 0: unbounded */
	uint64_t limit_bytes;  /* the user's bound on the memory; 0: none */
	tw_node backing;       /* the memory node where victims of this node go; TW_NONE: none */
	/* the main memory through which transfers go where memories have no route; for a main memory: itself */
	tw_node main;
	int number; /* of a main memory: its number among those of the file, from 0 (topology.h) */
	int rank;   /* number of the cluster's node; 0 without a cluster */
	/* whether the accelerator can copy directly to others with this flag, where a route exists */
	bool peer;
};

enum tw__sharing { TW__SHARED, TW__FATPIPE };

/* The numbers of a link. */
enum tw__link_number { TW__LINK_BANDWIDTH, TW__LINK_SHARED_BANDWIDTH, TW__LINK_LATENCY, TW__N_LINK_NUMBERS };

struct tw__link {
	char *name;
	double bandwidth; /* bandwidth that a single copy gets */
	/* total bandwidth of several copies; at most `bandwidth`, at least the bandwidth of each route over the link */
	double shared_bandwidth;
	double latency;
	enum tw__sharing sharing;
	/* where each number comes from, "KIND" or "KIND: SOURCE", as in "measured: the node mirage"; NULL: not said */
	char *origins[TW__N_LINK_NUMBERS];
};

/* A route from one memory node to another. A link that the route lists several times counts several times. */
struct tw__route {
	int n_links;    /* number of links; 0: there is no route */
	int *links;     /* indices into the platform's links, in the order in which copies cross them */
	double latency; /* true latency of a copy: the sum over the links */
	/* true bandwidth of a single copy: the least over the links of bandwidth / times listed (FATPIPE links: of
	 * bandwidth) */
	double bandwidth;
	/* values with which schedulers predict the times of copies; the true ones unless the XML says otherwise */
	double predicted_latency, predicted_bandwidth;
};

struct tw__platform {
	char *name;         /* name such as "mirage", or the path of the platform's file */
	char *summary;      /* description of the platform in one line; may be empty */
	char *runtime;      /* parameters of the runtime model for this platform, "KEY=VALUE:..."; may be empty */
	char *runtime_from; /* "FILE:LINE" where `runtime` was set, for messages */
	int n_archs, n_workers, n_nodes, n_links, n_ignored_archs;
	struct tw__arch *archs;
	/* archs of the hosts that the file says to ignore: kernels.csv may have their times, too */
	char **ignored_archs;
	struct tw__worker *workers; /* accelerators first, then CPU workers, each in the file's order */
	struct tw__node *nodes;     /* main memories, then those of accelerators, then the disk */
	struct tw__link *links;
	struct tw__route *routes; /* [from * n_nodes + to]: the route between two memory nodes */
	/* number of CPU cores of the machine; each accelerator takes one of them, except undriven ones */
	int n_cores;
	/* Of a cluster (cluster.h). A node of the cluster is a "rank" here, as a "node" is a memory. */
	int n_ranks;                 /* number of the cluster's nodes; 1: this is a single node */
	char **rank_names;           /* [n_ranks] names of the cluster's nodes; NULL: a single node */
	int n_kinds;                 /* number of different platforms of the cluster's nodes; 0: a single node */
	struct tw__platform **kinds; /* [n_kinds] these platforms, in the order of their first ranks */
	int *kind_of;                /* [n_ranks] the platform of each node, an index into `kinds` */
	int n_network_links;         /* links between the cluster's nodes: the last ones of `links` */
};

/* Whether the node is a main memory, where cores compute; node 0 is. */
static inline bool tw__is_main(const struct tw__platform *p, tw_node n) { return p->nodes[n].main == n; }
/* Returns the number of main memories. They are the first nodes. */
static inline int tw__n_mains(const struct tw__platform *p)
{
	int n = 1;
	while (n < p->n_nodes && tw__is_main(p, n))
		n++;
	return n;
}
/* Returns the number in the file of the node's main memory. */
static inline int tw__main_number(const struct tw__platform *p, tw_node n) { return p->nodes[p->nodes[n].main].number; }
/* Whether the node is the memory of accelerators. */
static inline bool tw__is_card(const struct tw__platform *p, tw_node n)
{
	return !tw__is_main(p, n) && p->nodes[n].backing != TW_NONE;
}

/* Memories where handles are at the start of a run. Handle d is in memory first + d % n; n = 0 means 1. */
struct tw__homes {
	tw_node first;
	int n;
	/* Handles are valid in each of the n memories until a worker touches them; then they are in its one alone. */
	bool first_touch;
	/* [n_said] 1 + the memory that the graph says for a handle, 0: none. If this is a main memory with a bound, the
	 * handle is in its backing memory: the first one, or the disk. */
	const uint16_t *said;
	tw_data n_said;
	const uint64_t *capacity;
	const struct tw__node *nodes; /* of the platform */
	int n_mains;
};
static inline bool tw__home_is_said(struct tw__homes homes, tw_data d) { return d < homes.n_said && homes.said[d]; }
/* Returns the memory where the handle is at the start; if its first touch decides, the first of several. */
static inline tw_node tw__home_of(struct tw__homes homes, tw_data d)
{
	if (tw__home_is_said(homes, d)) {
		const tw_node said = homes.said[d] - 1;
		const bool is_bounded = said < homes.n_mains && homes.capacity[said] != UINT64_MAX;
		return is_bounded && homes.nodes[said].backing != TW_NONE ? homes.nodes[said].backing : said;
	}
	return homes.n > 1 && !homes.first_touch ? homes.first + d % homes.n : homes.first;
}
/* Whether the first touch decides where the handle is. */
static inline bool tw__touch_decides(struct tw__homes homes, tw_data d)
{
	return homes.first_touch && !tw__home_is_said(homes, d);
}
/* Returns the memory where a handle is whose first touch is for a memory whose main memory is `main`. */
static inline tw_node tw__touched_home(struct tw__homes homes, tw_node main)
{
	return main < homes.n ? main : homes.first;
}

/* Reads a platform from the XML file `path`. `name`: the name of the platform in messages and results. */
int tw__platform_read(struct tw__platform **, const char *path, const char *name, struct tw_error *err);

/* Reads a platform from a stream of XML. `path`: the name of the stream in messages; `name`: the name of the
 * platform. */
int tw__platform_read_stream(struct tw__platform **, FILE *, const char *path, const char *name, struct tw_error *err);

/* Finds and reads a platform. `name` is a path if it contains a '/' or ends in .xml: the path of a folder or of an .xml
 * file. Otherwise it is the name of a folder with a platform.xml, in $TILEWRIGHT_PLATFORMS, the source tree's
 * platforms/ or the installed one. *kernels_path becomes the path of the kernels.csv in the same folder, malloc'ed; the
 * caller frees it. For a cluster without a kernels.csv it is that of its nodes, if they are of one platform.
 * TW_INVALID: no platform has this name; the message lists the known ones. */
int tw__platform_find(struct tw__platform **, char **kernels_path, const char *name, struct tw_error *err);

/* Sets `files` to the paths of a platform's XML file, kernels.csv and samples.csv, malloc'ed. The files need not
 * exist. */
enum { TW__PLATFORM_FILES = 3 };
int tw__platform_files(char *files[TW__PLATFORM_FILES], const char *name, struct tw_error *err);

/* Sets `files` to the files of the platforms of a cluster's nodes: TW__PLATFORM_FILES for each different platform. The
 * caller frees them all. n = 0: `xml_path` is the file of a single node. */
int tw__platform_node_files(char ***files, int *n, const char *xml_path, struct tw_error *err);

/* Returns the names of the platforms that tw__platform_find knows by name, sorted: a NULL-terminated malloc'ed array of
 * malloc'ed strings. */
char **tw__platform_names(void);

/* Returns the length of the part of an arch's name that names its kind: all before a final "-NUMBER". Equal cards that
 * were measured separately, "m2070-0" and "m2070-1", are both of the kind m2070. */
size_t tw__arch_kind_length(const char *name);

enum { TW__ALL_WORKERS = -1 };

/* The workers and the bounds on memories that a run uses, as options of the command line choose them. */
struct tw__platform_choice {
	/* numbers of CPU workers and of accelerators; TW__ALL_WORKERS: all. Each accelerator that is not undriven takes
	 * a CPU core. */
	int cpus, gpus;
	/* cores of each CPU worker, as in "10+5+5"; `cpus` selects the first groups; NULL: one core each */
	const char *cpu_groups;
	const char *gpu_workers; /* workers of each accelerator, as in "4:slowdown=2.5"; NULL: one */
	int max_parallelism;     /* the most cores of a parallel task; 0 or 1: there are none */
	uint64_t gpu_mem_bytes;  /* bound on the memory of each accelerator; 0: the card's own size */
	bool no_communication;   /* all workers compute in main memory, which is unbounded: there are no transfers */
	const char *mem;         /* bounds on single memories, as in "RAM=16GiB,GPU0=1GiB"; NULL: none */
};

/* Makes a new platform with only the chosen workers, the memories that they need, the backing memories of those, and
 * the chosen bounds. In a cluster the choice is that of each node; `mem` may also name a memory of one node, as in
 * "node3.RAM=16GiB". TW_INVALID: more workers or cores than there are, a group with cores of different archs, an
 * unknown memory, bounds without transfers, or no worker at all. */
int tw__platform_select(struct tw__platform **, const struct tw__platform *, const struct tw__platform_choice *,
                        struct tw_error *err);

/* Adds an arch for each number of workers of one arch and memory, up to max_parallelism, that can run a parallel task
 * together. `archs` has room for one more arch per worker. */
void tw__platform_widen(struct tw__platform *, int max_parallelism);

/* Returns a copy of a single node. */
struct tw__platform *tw__platform_copy(const struct tw__platform *);
/* Returns a copy of a route, whose links have the numbers here plus `shift`. The caller frees its links. */
struct tw__route tw__route_copy(const struct tw__route *, int shift);

void tw__platform_destroy(struct tw__platform *);

/* Replaces the texts of a link by copies, which tw__platform_destroy frees. */
void tw__link_own_texts(struct tw__link *);

/* Whether the link has this number: a latency of 0 and a shared bandwidth that is the bandwidth are none. */
bool tw__link_has(const struct tw__link *, enum tw__link_number);

/* The ids of the properties that say where the numbers of a link come from. */
extern const char *const tw__link_origin_ids[TW__N_LINK_NUMBERS];

/* The name of the platform of this machine: machine/machine.h. */
#define TW__MACHINE_NAME "machine"

/* Returns the number of the platform's accelerators. Several workers of one card count once. */
int tw__platform_accelerators(const struct tw__platform *);
/* Returns the number of the platform's CPU workers. */
int tw__platform_processors(const struct tw__platform *);

/* Computes a route's latency and bandwidth from its links. `times`, [n_links]: memory for the computation, all 0 before
 * and after the call. */
void tw__route_measure(const struct tw__platform *, struct tw__route *, int *times);

static inline int tw__times_listed(const struct tw__route *route, int link)
{
	int times = 0;
	for (int l = 0; l < route->n_links; l++)
		times += route->links[l] == link;
	return times;
}

/* Whether no index before `place` of the route lists the same link as `place`. */
static inline bool tw__is_first_listed(const struct tw__route *route, int place)
{
	for (int l = 0; l < place; l++)
		if (route->links[l] == route->links[place])
			return false;
	return true;
}

/* Returns the first shared link of a route; TW_NONE: it lists none. */
int tw__first_shared(const struct tw__platform *, const struct tw__route *);

/* Returns the group of each link: routes that list shared links of one group share links, directly or through others.
 * The number of a group is that of one of its links. The caller frees the array. */
int *tw__link_groups(const struct tw__platform *);

static inline const struct tw__route *tw__route_of(const struct tw__platform *p, tw_node from, tw_node to)
{
	return &p->routes[from * p->n_nodes + to];
}

enum tw__link_shares { TW__SHARES_EQUAL, TW__SHARES_BY_LATENCY }; /* how copies share a link (weights.h) */
struct tw__weights;

/* Writes a platform as XML for the SimGrid engine: a host for each worker and each memory, and all routes between
 * memories. Links have latency 0, because the engine itself waits for the latency of a route. With weights,
 * each route also has a link that sets the weight of its flows. */
int tw__platform_write_simgrid(const struct tw__platform *, const struct tw__weights *, int fd, struct tw_error *err);

/* Writes a platform as XML that tw__platform_read reads, with one host per worker. `comment` becomes an XML comment at
 * the top, so it may not contain "--". The caller checks the stream for errors. */
void tw__platform_write_xml(const struct tw__platform *, const char *comment, FILE *);

#endif
