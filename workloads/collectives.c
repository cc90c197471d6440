/* Collective operations of the nodes of a cluster, as graphs of tasks: broadcast, reduce, allreduce and allgather. The
 * root is node 0. docs/reference/collectives.md has their costs.
 *
 * The handles of a node are the tiles of one row. A task reads a handle of another node and writes one of its own, so
 * with --distribution rows it waits for a message. Tasks `combine` add a handle to another; tasks `copy` take the least
 * time. Algorithms: Thakur, Rabenseifner and Gropp 2005, "Optimization of Collective Communication Operations in
 * MPICH"; the ring of allreduce: Patarasuk and Yuan 2009, "Bandwidth Optimal All-reduce Algorithms for Clusters of
 * Workstations". */
#include <math.h>
#include <string.h>

#include <tilewright/workload.h>

/* The least time of a task is the resolution of simulated time. */
static const double least_s = 1e-9;

/* Handles are below 2^63 bytes in sum. */
enum { MAX_NODES = 1024, MAX_SEGMENTS = 10000 };
#define MAX_BYTES 0x1p40

/* clang-format off */
#define NODES {"nodes", TW_PARAM_INT, NULL, 2, MAX_NODES, NULL, "nodes that take part"}
#define BYTES(whose) {"bytes", TW_PARAM_BYTES, NULL, 1, MAX_BYTES, NULL, "size of " whose}
#define COMBINE {"combine", TW_PARAM_TIME, "1ns", 1e-9, TW_MAX_SECONDS, NULL, "time to add two operands of this size"}
/* clang-format on */

static const struct tw_param broadcast_params[] = {
	NODES,
	BYTES("what the root sends"),
	{"algorithm", TW_PARAM_CHOICE, "binomial", 0, 0, "binomial|chain|flat",
         "binomial: a tree; chain: node by node; flat: from the root to all"},
	{"segments", TW_PARAM_INT, "16", 1, MAX_SEGMENTS, NULL, "pieces, of algorithm=chain alone"},
	{0},
};

static const struct tw_param reduce_params[] = {
	NODES,
	BYTES("each node's operand"),
	{"algorithm", TW_PARAM_CHOICE, "binomial", 0, 0, "binomial|flat",
         "binomial: a tree; flat: from all to the root"},
	COMBINE,
	{0},
};

static const struct tw_param allreduce_params[] = {
	NODES,
	BYTES("each node's operand"),
	{"algorithm", TW_PARAM_CHOICE, "ring", 0, 0, "ring|recursive_doubling|reduce_broadcast",
         "ring: piece by piece; recursive_doubling: in pairs; reduce_broadcast: binomial trees"},
	COMBINE,
	{0},
};

static const struct tw_param allgather_params[] = {
	NODES,
	BYTES("each node's block"),
	{"algorithm", TW_PARAM_CHOICE, "ring", 0, 0, "ring|recursive_doubling",
         "ring: block by block; recursive_doubling: in pairs, with twice as many blocks each time"},
	{0},
};

struct collective {
	struct tw_graph *graph;
	tw_kernel copy, combine;
	int n;                /* nodes */
	int columns;          /* handles of a node */
	uint64_t bytes;       /* the parameter */
	const char *workload; /* its name, for messages */
	const char *algorithm;
	double combine_s; /* time of a task `combine` */
};

/* --- handles and tasks -------------------------------------------------------------------------------------------- */

static tw_kernel add_kernel(struct tw_graph *g, const char *name)
{
	tw_kernel k = tw_graph_recorded_kernel(g, name, "1", "b", 0, "processors");
	tw_graph_restrict(g, k, "processors");
	return k;
}

static struct collective begin(const char *workload, struct tw_graph *g, const struct tw_args *args)
{
	return (struct collective){
		.graph = g,
		.n = (int)tw_args_int(args, "nodes"),
		.bytes = tw_args_bytes(args, "bytes"),
		.workload = workload,
		.algorithm = tw_args_text(args, "algorithm"),
	};
}

static void add_copy(struct collective *c) { c->copy = add_kernel(c->graph, "copy"); }

static void add_combine(struct collective *c, const struct tw_args *args)
{
	c->combine = add_kernel(c->graph, "combine");
	c->combine_s = tw_args_seconds(args, "combine");
}

static bool is(const struct collective *c, const char *algorithm) { return strcmp(c->algorithm, algorithm) == 0; }

/* Gives each node so many handles: the first of `bytes`, and each later one of `growth` times the bytes of the one
 * before. */
static void add_handles(struct collective *c, int columns, uint64_t bytes, uint64_t growth)
{
	c->columns = columns;
	for (int node = 0; node < c->n; node++) {
		uint64_t size = bytes;
		for (int column = 0; column < columns; column++, size *= growth)
			tw_graph_set_tile(c->graph, tw_graph_data(c->graph, size), node, column);
	}
}

static uint64_t piece(const struct collective *c, int pieces)
{
	return (c->bytes + (uint64_t)pieces - 1) / (uint64_t)pieces;
}

static struct tw_access tile(const struct collective *c, int node, int column, enum tw_mode mode)
{
	return (struct tw_access){node * c->columns + column, mode};
}

static void submit(const struct collective *c, tw_kernel k, double seconds, const struct tw_access *access, int n)
{
	tw_graph_set_seconds(c->graph, tw_graph_submit(c->graph, k, 0, access, n), seconds);
}

static void copy(const struct collective *c, int from, int from_column, int to, int to_column)
{
	submit(c, c->copy, least_s,
	       (struct tw_access[]){tile(c, from, from_column, TW_R), tile(c, to, to_column, TW_W)}, 2);
}

/* Adds what one node has in that column to what another one has. */
static void combine(const struct collective *c, int from, int to, int column)
{
	submit(c, c->combine, c->combine_s,
	       (struct tw_access[]){tile(c, from, column, TW_R), tile(c, to, column, TW_RW)}, 2);
}

/* Copies to another node by way of the sender's last handle. This buffer holds one message: it is filled again when the
 * message before has gone. So messages of a node leave one after the other. */
static void send(const struct collective *c, int from, int to, int column)
{
	copy(c, from, column, from, c->columns - 1);
	copy(c, from, c->columns - 1, to, column);
}

/* --- algorithms --------------------------------------------------------------------------------------------------- */

static void broadcast_binomial(const struct collective *c)
{
	for (int distance = 1; distance < c->n; distance *= 2)
		for (int node = 0; node < distance && node + distance < c->n; node++)
			send(c, node, node + distance, 0);
}

static void broadcast_chain(const struct collective *c, int segments)
{
	for (int segment = 0; segment < segments; segment++)
		for (int node = 0; node + 1 < c->n; node++)
			send(c, node, node + 1, segment);
}

static void broadcast_flat(const struct collective *c)
{
	for (int node = 1; node < c->n; node++)
		copy(c, 0, 0, node, 0);
}

static void reduce_binomial(const struct collective *c)
{
	for (int distance = 1; distance < c->n; distance *= 2)
		for (int node = 0; node + distance < c->n; node += 2 * distance)
			combine(c, node + distance, node, 0);
}

static void reduce_flat(const struct collective *c)
{
	for (int node = 1; node < c->n; node++)
		combine(c, node, 0, 0);
}

/* Each piece goes around the ring, from the node of its number, and grows to the sum at the last one. */
static void reduce_ring(const struct collective *c)
{
	for (int step = 0; step + 1 < c->n; step++)
		for (int node = 0; node < c->n; node++)
			combine(c, node, (node + 1) % c->n, (node + c->n - step) % c->n);
}

/* Each piece goes around the ring, from the node `before` its number. */
static void gather_ring(const struct collective *c, int before)
{
	for (int step = 0; step + 1 < c->n; step++)
		for (int node = 0; node < c->n; node++) {
			const int column = (node + before + c->n - step) % c->n;
			copy(c, node, column, (node + 1) % c->n, column);
		}
}

/* In each step all nodes exchange what they have in pairs. A node has the result of a step in a column of its own;
 * there are `columns`, which take turns. */
static void exchange(const struct collective *c, tw_kernel k, double seconds)
{
	for (int step = 0; 1 << step < c->n; step++)
		for (int node = 0; node < c->n; node++) {
			const int from = step % c->columns, to = (step + 1) % c->columns;
			submit(c, k, seconds,
			       (struct tw_access[]){tile(c, node, from, TW_R), tile(c, node ^ 1 << step, from, TW_R),
			                            tile(c, node, to, TW_W)},
			       3);
		}
}

static int check_pairs(const struct collective *c, struct tw_error *err)
{
	if ((c->n & (c->n - 1)) == 0)
		return TW_OK;
	return tw_fail(err, TW_INVALID,
	               "workload '%s': nodes=%d: expected a power of two with algorithm=recursive_doubling",
	               c->workload, c->n);
}

/* --- workloads ---------------------------------------------------------------------------------------------------- */

static int generate_broadcast(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct collective c = begin("broadcast", g, args);
	const int segments = is(&c, "chain") ? (int)tw_args_int(args, "segments") : 1;
	if (!is(&c, "chain") && tw_args_given(args, "segments"))
		return tw_fail(err, TW_INVALID, "workload 'broadcast': segments=%lld: expected algorithm=chain with it",
		               (long long)tw_args_int(args, "segments"));
	add_copy(&c);
	add_handles(&c, segments + !is(&c, "flat"), piece(&c, segments), 1);
	if (is(&c, "chain"))
		broadcast_chain(&c, segments);
	else if (is(&c, "flat"))
		broadcast_flat(&c);
	else
		broadcast_binomial(&c);
	return TW_OK;
}

static int generate_reduce(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	(void)err;
	struct collective c = begin("reduce", g, args);
	add_combine(&c, args);
	add_handles(&c, 1, c.bytes, 1);
	if (is(&c, "flat"))
		reduce_flat(&c);
	else
		reduce_binomial(&c);
	return TW_OK;
}

static int generate_allreduce(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct collective c = begin("allreduce", g, args);
	const bool in_pairs = is(&c, "recursive_doubling");
	add_combine(&c, args);
	if (in_pairs && check_pairs(&c, err) < 0)
		return TW_INVALID;
	if (!in_pairs)
		add_copy(&c);
	if (is(&c, "ring")) {
		c.combine_s = fmax(c.combine_s / c.n, least_s);
		add_handles(&c, c.n, piece(&c, c.n), 1);
		reduce_ring(&c);
		gather_ring(&c, 1);
		return TW_OK;
	}
	add_handles(&c, 2, c.bytes, 1);
	if (in_pairs) {
		exchange(&c, c.combine, c.combine_s);
	} else {
		reduce_binomial(&c);
		broadcast_binomial(&c);
	}
	return TW_OK;
}

static int generate_allgather(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct collective c = begin("allgather", g, args);
	add_copy(&c);
	if (is(&c, "ring")) {
		add_handles(&c, c.n, c.bytes, 1);
		gather_ring(&c, 0);
		return TW_OK;
	}
	if (check_pairs(&c, err) < 0)
		return TW_INVALID;
	int steps = 0;
	while (1 << steps < c.n)
		steps++;
	add_handles(&c, steps + 1, c.bytes, 2);
	exchange(&c, c.copy, least_s);
	return TW_OK;
}

const struct tw_workload tw_workload_broadcast = {
	.abi = TW_WORKLOAD_ABI,
	.name = "broadcast",
	.summary = "data of one node of a cluster go to all (copy)",
	.params = broadcast_params,
	.generate = generate_broadcast,
};

const struct tw_workload tw_workload_reduce = {
	.abi = TW_WORKLOAD_ABI,
	.name = "reduce",
	.summary = "operands on all nodes of a cluster are added on one (combine)",
	.params = reduce_params,
	.generate = generate_reduce,
};

const struct tw_workload tw_workload_allreduce = {
	.abi = TW_WORKLOAD_ABI,
	.name = "allreduce",
	.summary = "operands on all nodes of a cluster are added, and the sum goes to all (combine, copy)",
	.params = allreduce_params,
	.generate = generate_allreduce,
};

const struct tw_workload tw_workload_allgather = {
	.abi = TW_WORKLOAD_ABI,
	.name = "allgather",
	.summary = "blocks of all nodes of a cluster go to all (copy)",
	.params = allgather_params,
	.generate = generate_allgather,
};
