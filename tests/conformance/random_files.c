#include "random_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "specs.h"

enum { MAX_CARDS = 9, MAX_HUBS = 2, MAX_DATA = 24, N_KERNELS = 4 };

static const char *const archs[] = {"c0", "c1", "g0", "g1"};

/* A node: main memory, CPU workers, and cards behind hubs. */
struct sketch {
	struct tw__random *r;
	FILE *file;
	unsigned with;
	int n_cards, n_hubs, n_cpu_archs;
	bool has_host;          /* a link behind all hubs */
	bool has_bridges;       /* hubs are wider for one transfer than for several */
	bool used[4];           /* archs that hosts have */
	bool duplex[MAX_CARDS]; /* of each card's link; the links of hubs: hub_duplex */
	bool hub_duplex[MAX_HUBS];
	int hub[MAX_CARDS];
	double least_bandwidth; /* of links that are drawn, bytes/s */
	double narrowest;       /* bandwidth of the narrowest link */
	double kernel_us;       /* the magnitude of kernel times */
	bool is_late;           /* kernels may take up to 1e8 s */
	bool moves_long;        /* transfers may take up to 1e7 s: few cases, since engines round their bytes */
};

/* --- links ------------------------------------------------------------------------------------------------------ */

static double draw_bandwidth(struct sketch *k)
{
	static const double odd[] = {1, 1e3, 1e6, 1e9, 1e18};
	switch (draw_below(k->r, 12)) {
	case 0:
		return DRAW_ONE(k->r, odd);
	case 1:
		return draw_magnitude(k->r, 1, 1e18);
	case 2:
	case 3:
	case 4:
	case 5:
		return draw_magnitude(k->r, 1e6, 2e10);
	default:
		return 1e9 * draw_from(k->r, 1, 20);
	}
}

static double draw_latency(struct sketch *k)
{
	static const double even[] = {0, 0, 1e-9, 1e-6, 1e-6, 1e-5, 1e-4};
	switch (draw_below(k->r, 20)) {
	case 0:
		return draw_below(k->r, 2) ? 1 : draw_magnitude(k->r, 1e-2, 1e2);
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
		return draw_magnitude(k->r, 1e-9, 1e-2);
	default:
		return DRAW_ONE(k->r, even);
	}
}

/* Writes a link. Returns whether its two directions are links of their own. */
static bool write_link(struct sketch *k, const char *name, int index)
{
	static const char *const policies[] = {"SHARED", "SHARED", "SPLITDUPLEX", "SPLITDUPLEX", "FATPIPE"};
	const char *policy = DRAW_ONE(k->r, policies);
	double bandwidth = fmax(k->least_bandwidth, draw_bandwidth(k));
	bool is_bridge = k->has_bridges && name[0] == 'h';
	if (is_bridge) { /* no route may pass more alone than what several get together */
		policy = "SHARED";
		bandwidth = 4e10;
	} else if (k->has_bridges) {
		bandwidth = fmin(bandwidth, 2e10);
	}
	k->narrowest = fmin(k->narrowest, bandwidth);
	fprintf(k->file, "<link id='%s%d' bandwidth='%.6gBps' latency='%.6gs' sharing_policy='%s'>", name, index,
	        bandwidth, draw_latency(k), policy);
	if (is_bridge)
		fprintf(k->file, "<prop id='shared_bandwidth' value='%.6gBps'/>", draw_between(k->r, 2e10, 4e10));
	if (draw_below(k->r, 4) == 0)
		fprintf(k->file,
		        "<prop id='predicted_bandwidth' value='%.6gBps'/><prop id='predicted_latency' value='%.6gs'/>",
		        draw_bandwidth(k), draw_latency(k));
	fputs("</link>\n", k->file);
	return policy[1] == 'P';
}

static void cross(struct sketch *k, const char *name, int index, bool duplex, bool down)
{
	fprintf(k->file, "<link_ctn id='%s%d'%s/>", name, index,
	        !duplex ? ""
	        : down  ? " direction='DOWN'"
	                : " direction='UP'");
}

static void write_links(struct sketch *k, bool *host_duplex)
{
	for (int h = 0; h < k->n_hubs; h++)
		k->hub_duplex[h] = write_link(k, "hub", h);
	*host_duplex = k->has_host && write_link(k, "host", 0);
	for (int c = 0; c < k->n_cards; c++) {
		k->duplex[c] = write_link(k, "p", c);
		k->hub[c] = k->n_hubs ? (int)draw_below(k->r, (uint32_t)k->n_hubs) : 0;
	}
}

/* Routes from main memory to each card; some pairs of cards have a link, or a route through their hubs. */
static void write_routes(struct sketch *k)
{
	bool host_duplex;
	write_links(k, &host_duplex);
	if (k->with & WITH_DISK)
		fprintf(k->file, "<route src='RAM' dst='DISK'><link_ctn id='sata0'%s/></route>\n",
		        write_link(k, "sata", 0) ? " direction='DOWN'" : "");
	for (int c = 0; c < k->n_cards; c++) {
		fprintf(k->file, "<route src='RAM' dst='GPU%d'>", c);
		cross(k, "p", c, k->duplex[c], true);
		if (k->n_hubs)
			cross(k, "hub", k->hub[c], k->hub_duplex[k->hub[c]], true);
		if (k->has_host)
			cross(k, "host", 0, host_duplex, true);
		fputs("</route>\n", k->file);
	}
	uint32_t rare = 2 + draw_below(k->r, 5);
	for (int a = 0; a < k->n_cards; a++)
		for (int b = a + 1; b < k->n_cards; b++) {
			uint32_t kind = draw_below(k->r, rare);
			if (kind > 1)
				continue;
			bool duplex = kind == 0 && write_link(k, "nv", a * MAX_CARDS + b);
			fprintf(k->file, "<route src='GPU%d' dst='GPU%d'>", a, b);
			if (kind == 0) {
				cross(k, "nv", a * MAX_CARDS + b, duplex, true);
			} else {
				cross(k, "p", a, k->duplex[a], false);
				if (k->n_hubs)
					cross(k, "hub", k->hub[a], k->hub_duplex[k->hub[a]], false);
				if (k->n_hubs)
					cross(k, "hub", k->hub[b], k->hub_duplex[k->hub[b]], true);
				cross(k, "p", b, k->duplex[b], true);
			}
			fputs("</route>\n", k->file);
		}
}

/* --- hosts and kernel times ------------------------------------------------------------------------------------- */

static const char *use_arch(struct sketch *k, int arch)
{
	k->used[arch] = true;
	return archs[arch];
}

static void write_hosts(struct sketch *k)
{
	for (int a = 0; a < k->n_cpu_archs; a++)
		fprintf(k->file, "<host id='CPU%d' speed='1Gf' core='%d'><prop id='arch' value='%s'/></host>\n", a,
		        draw_from(k->r, 1, 5), use_arch(k, a));
	for (int c = 0; c < k->n_cards; c++)
		fprintf(k->file,
		        "<host id='GPU%d' speed='1Gf'><prop id='arch' value='%s'/><prop id='memory' value='1EiB'/>"
		        "<prop id='peer' value='%s'/><prop id='driver' value='none'/></host>\n",
		        c, use_arch(k, 2 + (draw_below(k->r, 3) == 0)), draw_below(k->r, 5) ? "yes" : "no");
	fputs("<host id='RAM' speed='1f'><prop id='role' value='memory'/></host>\n", k->file);
	if (k->with & WITH_DISK)
		fputs("<host id='DISK' speed='1f'><prop id='role' value='disk'/></host>\n", k->file);
}

static double draw_kernel_us(struct sketch *k)
{
	static const double even[] = {1, 5, 10, 100};
	return draw_below(k->r, 3) ? k->kernel_us * draw_magnitude(k->r, 0.1, 10) : DRAW_ONE(k->r, even);
}

static void write_times(struct sketch *k)
{
	static const char *const names[] = {"ka", "kb", "kc", "kd"};
	fputs("kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note,origin\n", k->file);
	bool has_all = !(k->with & IN_CLUSTER);
	for (int a = 0; a < 4; a++) {
		if (!k->used[a])
			continue;
		for (int n = 0; n < N_KERNELS; n++)
			if (n == 0 || !has_all || draw_below(k->r, 6)) /* the first kernel runs everywhere */
				fprintf(k->file, "%s,%s,1,1,s,%.9g,0,10,,measured: x\n", names[n], archs[a],
				        draw_kernel_us(k));
		fprintf(k->file, "gemm,%s,1,960,s,%.9g,0,10,,measured: x\n", archs[a], draw_kernel_us(k));
		has_all = true;
	}
}

/* --- graphs ----------------------------------------------------------------------------------------------------- */

static void write_data(struct sketch *k, int n)
{
	/* The longest time of a transfer. */
	double most = fmin(1e12, fmax(1, (k->moves_long ? 1e7 : 10) * k->narrowest)),
	       low = fmin(most, draw_magnitude(k->r, 1, 1e9)), high = fmin(most, low * draw_magnitude(k->r, 1, 1e4));
	bool equal = draw_below(k->r, 3) == 0;
	fputs("\"data\":[", k->file);
	for (int d = 0; d < n; d++)
		fprintf(k->file, "%s%.0f", d ? "," : "", floor(equal ? low : draw_magnitude(k->r, low, high)));
	fputs("],\n", k->file);
}

static void write_accesses(struct sketch *k, int n_data, bool reduces)
{
	static const int modes[] = {1, 1, 1, 1, 2, 3, 3, 18, 19};
	bool used[MAX_DATA] = {false};
	for (int n = draw_from(k->r, 0, 5); n; n--) {
		int d = (int)draw_below(k->r, (uint32_t)n_data);
		if (used[d])
			continue;
		used[d] = true;
		fprintf(k->file, ",%d,%d", d, reduces && d % 3 == 0 && draw_below(k->r, 3) ? 8 : DRAW_ONE(k->r, modes));
	}
}

static void write_task(struct sketch *k, int t, int n_data, bool reduces, double seconds)
{
	fprintf(k->file, "%s[%d,%d", t ? ",\n" : "", (int)draw_below(k->r, N_KERNELS), draw_from(k->r, -4, 20));
	write_accesses(k, n_data, reduces);
	fputs(",{", k->file);
	if (t && draw_below(k->r, 4) == 0)
		fprintf(k->file, "\"after\":[%d]", (int)draw_below(k->r, (uint32_t)t));
	else
		fputs("\"after\":[]", k->file);
	if (seconds > 0 && draw_below(k->r, 2))
		fprintf(k->file, ",\"seconds\":%.9g", seconds * draw_magnitude(k->r, 0.1, 10));
	fputs("}]", k->file);
}

static void write_graph(struct sketch *k)
{
	static const char *const scopes[] = {"all", "sorting", "looking"};
	int n_data = draw_from(k->r, 1, MAX_DATA), n_tasks = draw_from(k->r, 1, 60);
	bool reduces = k->with & WITH_REDUCTIONS || (!(k->with & IN_CLUSTER) && draw_below(k->r, 5) == 0);
	double seconds = draw_below(k->r, 3)   ? 0
	                 : draw_below(k->r, 2) ? k->kernel_us * 1e-6
	                                       : draw_magnitude(k->r, 1e-9, k->is_late ? 1e8 : 1);
	fprintf(k->file, "{\"tilewright\":1,\"flops\":1e9,\"priorities\":\"%s\",\n\"kernels\":[",
	        DRAW_ONE(k->r, scopes));
	for (int n = 0; n < N_KERNELS; n++)
		fprintf(k->file, "%s{\"name\":\"k%c\",\"size\":\"1\",\"precision\":\"s\",\"flops\":1000}", n ? "," : "",
		        'a' + n);
	fputs("],\n", k->file);
	write_data(k, n_data);
	if (reduces) {
		fputs("\"reductions\":[", k->file);
		for (int d = 0; d < n_data; d += 3)
			fprintf(k->file, "%s[%d,0]", d ? "," : "", d);
		fputs("],\n", k->file);
	}
	fputs("\"tasks\":[\n", k->file);
	for (int t = 0; t < n_tasks; t++)
		write_task(k, t, n_data, reduces, seconds);
	fputs("]}\n", k->file);
}

/* --- files ------------------------------------------------------------------------------------------------------ */

static void write_platform(struct sketch *k)
{
	fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	      "<platform version='4.1'><zone id='z' routing='Full'>\n",
	      k->file);
	write_hosts(k);
	write_routes(k);
	fputs("</zone></platform>\n", k->file);
}

static bool write_file(struct sketch *k, const char *folder, const char *name, void (*write)(struct sketch *))
{
	char path[512];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	k->file = fopen(path, "w");
	if (!k->file)
		return false;
	write(k);
	return fclose(k->file) == 0;
}

bool random_files(const char *folder, struct tw__random *r, unsigned with)
{
	struct sketch k = {.r = r,
	                   .with = with,
	                   .narrowest = INFINITY,
	                   .is_late = draw_below(r, 4) == 0,
	                   .moves_long = draw_below(r, 200) == 0};
	/* Handles of other workloads have megabytes. */
	k.least_bandwidth = with & WITH_GRAPH || k.moves_long ? 1 : 1e6;
	k.n_cards = draw_from(r, 0, MAX_CARDS);
	k.n_hubs = draw_from(r, 0, MAX_HUBS);
	k.has_host = draw_below(r, 3) == 0;
	k.has_bridges = draw_below(r, 6) == 0;
	k.n_cpu_archs = k.n_cards ? draw_from(r, 0, 2) : draw_from(r, 1, 2);
	k.kernel_us = draw_below(r, 5) ? draw_magnitude(r, 1, 1e4) : draw_magnitude(r, 1e-3, k.is_late ? 1e13 : 1e6);
	return write_file(&k, folder, "platform.xml", write_platform) &&
	       write_file(&k, folder, "kernels.csv", write_times) &&
	       (!(with & WITH_GRAPH) || write_file(&k, folder, "graph.json", write_graph));
}
