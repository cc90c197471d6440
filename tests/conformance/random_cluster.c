#include "random_cluster.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "random_files.h"
#include "request/workload.h"
#include "specs.h"

enum { MOST_NODES = 16, MOST_KINDS = 3 };

static const char *const kinds[MOST_KINDS] = {"a", "b", "c"};

static const struct {
	int n_nodes;
	const char *attributes;
} topologies[] = {
	{4, "topology='FAT_TREE' topo_parameters='2;2,2;1,2;1,2'"},
	{8, "topology='FAT_TREE' topo_parameters='3;2,2,2;1,2,1;1,1,2'"},
	{16, "topology='FAT_TREE' topo_parameters='2;4,4;1,2;1,2'"},
	{8, "topology='DRAGONFLY' topo_parameters='2,1;1,1;2,1;2'"},
	{12, "topology='DRAGONFLY' topo_parameters='2,2;2,1;3,2;1'"},
	{6, "topology='TORUS' topo_parameters='3,2'"},
	{8, "topology='TORUS' topo_parameters='2,2,2'"},
	{16, "topology='TORUS' topo_parameters='4,4'"},
};

static void path_of(char path[RANDOM_WORDS], const char *folder, const char *kind, const char *name)
{
	snprintf(path, RANDOM_WORDS, "%s/%s/%s", folder, kind, name);
}

/* --- the network -------------------------------------------------------------------------------------------------- */

static double draw_bandwidth(struct tw__random *r)
{
	return draw_below(r, 3) ? 1e9 * draw_from(r, 1, 20) : draw_magnitude(r, 1e6, 1e12);
}

static double draw_latency(struct tw__random *r)
{
	static const double even[] = {0, 1e-9, 1e-6, 1e-6, 1e-4};
	return draw_below(r, 3) ? DRAW_ONE(r, even) : draw_magnitude(r, 1e-9, 1e-2);
}

static void write_cluster(FILE *f, struct tw__random *r, int n, const char *topology)
{
	static const char *const sharing[] = {"SPLITDUPLEX", "SHARED"};
	fprintf(f, "<cluster id='c' prefix='n' suffix='' radical='0-%d' speed='1Gf' bw='%.6gBps' lat='%.6gs' %s", n - 1,
	        draw_bandwidth(r), draw_latency(r), topology);
	fprintf(f, " sharing_policy='%s'", DRAW_ONE(r, sharing));
	if (!*topology && draw_below(r, 2))
		fprintf(f, " bb_bw='%.6gBps' bb_lat='%.6gs' bb_sharing_policy='%s'", draw_bandwidth(r), draw_latency(r),
		        draw_below(r, 2) ? "SHARED" : "FATPIPE");
	if (draw_below(r, 5) == 0)
		fprintf(f, " limiter_link='%.6gBps'", draw_bandwidth(r));
	fputs("/>\n", f);
}

/* Hosts with a link each, and links of their own between some. */
static void write_hosts(FILE *f, struct tw__random *r, int n)
{
	for (int i = 0; i < n; i++)
		fprintf(f, "<host id='n%d' speed='1Gf'/>\n", i);
	for (int i = 0; i < n; i++)
		fprintf(f, "<link id='l%d' bandwidth='%.6gBps' latency='%.6gs' sharing_policy='SPLITDUPLEX'/>\n", i,
		        draw_bandwidth(r), draw_latency(r));
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++) {
			const bool is_direct = draw_below(r, 4) == 0;
			if (is_direct)
				fprintf(f,
				        "<link id='d%d-%d' bandwidth='%.6gBps' latency='%.6gs' "
				        "sharing_policy='%s'/>\n",
				        i, j, draw_bandwidth(r), draw_latency(r),
				        draw_below(r, 2) ? "SHARED" : "FATPIPE");
			fprintf(f, "<route src='n%d' dst='n%d'>", i, j);
			if (is_direct)
				fprintf(f, "<link_ctn id='d%d-%d'/></route>\n", i, j);
			else
				fprintf(f,
				        "<link_ctn id='l%d' direction='UP'/><link_ctn id='l%d' direction='DOWN'/>"
				        "</route>\n",
				        i, j);
		}
}

/* --- the nodes ---------------------------------------------------------------------------------------------------- */

/* Adds the kernel times of a kind, with its name before those of archs. */
static bool add_times(FILE *to, const char *folder, const char *kind, bool first)
{
	char path[RANDOM_WORDS], line[256];
	path_of(path, folder, kind, "kernels.csv");
	FILE *from = fopen(path, "r");
	for (int i = 0; from && fgets(line, sizeof line, from); i++) {
		const int kernel = (int)strcspn(line, ",");
		if (i)
			fprintf(to, "%.*s,%s.%s", kernel, line, kind, line + kernel + 1);
		else if (first)
			fputs(line, to);
	}
	return from && fclose(from) == 0;
}

/* One platform has its own times; those of several are put together. */
static bool write_times(const char *folder, int n_kinds)
{
	char path[RANDOM_WORDS];
	path_of(path, folder, ".", "kernels.csv");
	if (n_kinds == 1)
		return unlink(path) == 0;
	FILE *f = fopen(path, "w");
	bool is_written = f;
	for (int k = 0; k < n_kinds && is_written; k++)
		is_written = add_times(f, folder, kinds[k], k == 0);
	return f && fclose(f) == 0 && is_written;
}

/* The graph is drawn with a node, whose own files are then replaced. */
static bool write_nodes(const char *folder, struct tw__random *r, int n_kinds, unsigned with)
{
	const unsigned parts = IN_CLUSTER | (with & WITH_DISK);
	bool is_written = random_files(folder, r, IN_CLUSTER | (with & (WITH_GRAPH | WITH_REDUCTIONS)));
	for (int k = 0; k < n_kinds && is_written; k++) {
		char path[RANDOM_WORDS];
		path_of(path, folder, kinds[k], "");
		mkdir(path, 0700);
		is_written = random_files(path, r, parts);
	}
	return is_written && write_times(folder, n_kinds);
}

int random_cluster(const char *folder, struct tw__random *r, unsigned with)
{
	const bool has_topology = draw_below(r, 4) == 0;
	const uint32_t t = draw_below(r, sizeof topologies / sizeof *topologies);
	const int n = has_topology       ? topologies[t].n_nodes
	              : draw_below(r, 2) ? draw_from(r, 1, 4)
	                                 : draw_from(r, 1, MOST_NODES),
		  n_kinds = draw_from(r, 1, n < MOST_KINDS ? n : MOST_KINDS);
	char path[RANDOM_WORDS];
	if (!write_nodes(folder, r, n_kinds, with))
		return 0;
	path_of(path, folder, ".", "platform.xml");
	FILE *f = fopen(path, "w");
	if (!f)
		return 0;
	fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	      "<platform version='4.1'><zone id='z' routing='Full'>\n<prop id='node' value='",
	      f);
	for (int k = 0, left = n; k < n_kinds; k++) {
		const int most = left - (n_kinds - 1 - k), of_kind = k == n_kinds - 1 ? left : draw_from(r, 1, most);
		fprintf(f, "%s./%s:%d", k ? "," : "", kinds[k], of_kind);
		left -= of_kind;
	}
	fputs("'/>\n", f);
	if (!has_topology && draw_below(r, 3) == 0)
		write_hosts(f, r, n);
	else
		write_cluster(f, r, n, has_topology ? topologies[t].attributes : "");
	fputs("</zone></platform>\n", f);
	return fclose(f) == 0 ? n : 0;
}

/* --- distributions ------------------------------------------------------------------------------------------------ */

static void write_owners(char words[RANDOM_WORDS], const char *folder, struct tw__random *r, const char *workload,
                         int n_nodes)
{
	char path[RANDOM_WORDS - 8];
	struct tw_graph *g;
	struct tw_error err;
	snprintf(path, sizeof path, "%s/nodes.csv", folder);
	FILE *f = fopen(path, "w");
	if (!f || tw__generate(&g, workload, &err) < 0)
		return;
	const bool by_task = draw_below(r, 2);
	fprintf(f, "%s,node\n", by_task ? "task" : "data");
	for (int i = 0; i < (by_task ? g->n_tasks : g->n_data); i++)
		fprintf(f, "%d,%d\n", i, (int)draw_below(r, (uint32_t)n_nodes));
	tw_graph_destroy(g);
	fclose(f);
	sprintf(words, "file:%s", path);
}

void random_distribution(char words[RANDOM_WORDS], const char *folder, struct tw__random *r, const char *workload,
                         int n_nodes)
{
	static const char *const of_tiles[] = {"", "2dbc", "rows", "columns", "2dbc:p=1", "metis"};
	static const char *const of_any[] = {"", "metis"};
	const bool is_file = strncmp(workload, "file:", 5) == 0;
	*words = '\0';
	if (is_file ? draw_below(r, 3) : draw_below(r, 3) == 0)
		write_owners(words, folder, r, workload, n_nodes);
	else
		strcpy(words, is_file ? DRAW_ONE(r, of_any) : DRAW_ONE(r, of_tiles));
	if (!is_file && !*words && (n_nodes == 3 || n_nodes == 6 || n_nodes == 10 || n_nodes == 15))
		strcpy(words, "sbc");
}
