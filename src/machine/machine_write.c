/* Writes platform.xml from hwloc's data. Values that hwloc does not know are assumed, and comments in the file list
 * them.
 *
 * Each GPU has a PCI link of its own. Each PCI bridge that several GPUs share is also a link, if its bandwidth is
 * known. Copies to and from main memory cross the links between the GPU and main memory. A PCI link has its full
 * bandwidth in both directions at once, so links are SPLITDUPLEX. */
#include <inttypes.h>
#include <string.h>

#include "base/spec.h"
#include "machine/detect.h"

/* Values for what hwloc does not know. Bandwidth: of 16 lanes of PCIe 3, bytes/s. Latency: as StarPU measured it on the
 * machine mirage. Memory: the size of a GPU's memory. */
static const double assumed_bandwidth = 12e9;
static const char assumed_latency[] = "10us";
/* The link of each main memory to the others: bytes/s, and latency. */
static const char assumed_numa_link[] = "bandwidth=\"20GBps\" latency=\"500ns\"";
static const uint64_t assumed_memory_bytes = UINT64_C(8) << 30;

/* Writes text so that it is safe in an XML comment or attribute: without markup, control characters and "--". */
static void write_text(FILE *f, const char *text)
{
	for (char last = 0; *text; text++) {
		char c = (unsigned char)*text < ' ' || (unsigned char)*text > '~' || strchr("<>&\"'", *text) ? ' '
		                                                                                             : *text;
		if (c == '-' && last == '-')
			continue;
		fputc(c, f);
		last = c;
	}
}

/* Writes the name of a main memory. */
static void write_main(FILE *f, int main)
{
	char name[TW__MAIN_NAME];
	fputs(tw__main_name(name, main), f);
}

/* Says in which main memory a host's cores compute, or to which one it is near, unless it is the first one. */
static void write_near(FILE *f, int main)
{
	if (main <= 0)
		return;
	fputs("<prop id=\"main_memory\" value=\"", f);
	write_main(f, main);
	fputs("\"/>", f);
}

static const char *plural(int n) { return n == 1 ? "" : "s"; }

/* Returns the number of GPUs with the same arch as GPU i; 0: a GPU before GPU i has this arch, too. */
static int count_like(const struct tw__machine *m, int i)
{
	int n = 0;
	for (int j = 0; j < m->n_gpus; j++) {
		bool same = strcmp(m->gpus[j].arch, m->gpus[i].arch) == 0;
		if (same && j < i)
			return 0;
		n += same;
	}
	return n;
}

static void write_gpu_counts(FILE *f, const struct tw__machine *m)
{
	for (int i = 0; i < m->n_gpus; i++) {
		int n = count_like(m, i);
		if (!n)
			continue;
		fprintf(f, ", %d GPU%s (", n, plural(n));
		write_text(f, m->gpus[i].arch);
		fputc(')', f);
	}
	const struct tw__emulation *e = m->emulated;
	if (e)
		fprintf(f, ", %d emulated GPU%s (%s)", e->gpus, plural(e->gpus), e->arch);
	if (m->found)
		fprintf(f, ", %d GPU%s", m->found->n, plural(m->found->n));
}

/* Whether GPUs `a` and `b` may copy directly: they are of one vendor and below one PCI bridge. Sets `*common` to this
 * bridge. */
static bool are_peers(const struct tw__machine *m, int a, int b, int *common)
{
	if (a == b || !m->gpus[a].vendor || m->gpus[a].vendor != m->gpus[b].vendor)
		return false;
	for (int up = m->gpus[a].bridge; up != TW_NONE; up = m->bridges[up].parent)
		for (int other = m->gpus[b].bridge; other != TW_NONE; other = m->bridges[other].parent)
			if (up == other) {
				*common = up;
				return true;
			}
	return false;
}

/* Whether a link joins the two GPUs alone. */
static bool are_joined(const struct tw__machine *m, int a, int b) { return m->direct[a][b] > 0 && m->direct[b][a] > 0; }

/* Whether switches join the two GPUs. */
static bool are_switched(const struct tw__machine *m, int a, int b)
{
	return a != b && m->gpus[a].to_switch > 0 && m->gpus[b].to_switch > 0;
}

static bool has_peer(const struct tw__machine *m, int gpu)
{
	int common;
	for (int other = 0; other < m->n_gpus; other++)
		if (are_joined(m, gpu, other) || are_switched(m, gpu, other) || are_peers(m, gpu, other, &common))
			return true;
	return false;
}

static void write_header(FILE *f, const struct tw__machine *m, const char *name)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- ", f);
	write_text(f, name);
	fprintf(f, ": %d core%s (%d hardware thread%s), %d package%s, %d NUMA node%s", m->n_cores, plural(m->n_cores),
	        m->n_pus, plural(m->n_pus), m->n_packages, plural(m->n_packages), m->n_numa_nodes,
	        plural(m->n_numa_nodes));
	write_gpu_counts(f, m);
	fputs(".\n\n     Made by tilewright platform detect, with hwloc (interface ", f);
	write_text(f, m->version);
	fputs("), on ", f);
	write_text(f, *m->host ? m->host : "this node");
	if (*m->cpu) {
		fputs(", processors: ", f);
		write_text(f, m->cpu);
	}
	fputs(". Cores that this process\n     may not use are left out. One worker per physical core, even with "
	      "several threads",
	      f);
	fputs(m->n_mains > 1
	              ? "; each NUMA node near cores is a main memory.\n     Assumed: bandwidth and latency between "
	                "main memories, as hwloc does not know them. Copies between a GPU and a far\n     main "
	                "memory cross the same links.\n"
	              : "; all NUMA nodes are one main memory.\n",
	      f);
	if (m->n_passed_over) {
		fprintf(f, "     Ignored: %d display device%s that cannot compute: ", m->n_passed_over,
		        plural(m->n_passed_over));
		write_text(f, m->passed_over);
		fputs(".\n", f);
	}
	if (m->n_gpus)
		fprintf(f,
		        "\n     Bandwidths of PCI links follow from their lanes, not from measurements: copies "
		        "reach about 80 to 90 %% of them,\n     and an idle GPU may run its link below full speed. "
		        "Assumed, as hwloc does not know: a latency of %s of each GPU's link;\n     direct copies "
		        "between GPUs of one vendor below one PCI bridge, and copies through main memory between "
		        "others.\n     NVLink, XGMI and Xe Link come before PCI where hwloc has their bandwidths.%s "
		        "Comments below name further assumptions.\n",
		        assumed_latency,
		        m->links_to_packages ? " Those between GPUs and packages are\n     not used." : "");
	if (m->n_gpus && m->n_gpus >= m->n_cores)
		fputs("     No core drives a GPU, as there are not more cores than GPUs.\n", f);
	fputs("-->\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
	      "version=\"4.1\">\n<zone id=\"",
	      f);
	write_text(f, name);
	fprintf(f, "\" routing=\"Full\">\n  <prop id=\"summary\" value=\"%d core%s on %d package%s", m->n_cores,
	        plural(m->n_cores), m->n_packages, plural(m->n_packages));
	write_gpu_counts(f, m);
	fprintf(f, "%s\"/>\n\n", m->cores_only ? "" : "; detected, no kernel times");
}

static void write_cores(FILE *f, const struct tw__machine *m)
{
	for (int i = 0; i < m->n_runs; i++) {
		const struct tw__machine_cores *run = &m->runs[i];
		fputs("  <host id=\"CPU", f);
		if (m->n_runs > 1)
			fprintf(f, "%d", i);
		fprintf(f, "\" speed=\"1Gf\" core=\"%d\"><prop id=\"arch\" value=\"", run->cores);
		write_text(f, run->arch);
		fputs("\"/>", f);
		write_near(f, run->main);
		fputs("</host>", f);
		if (run->package != TW_NONE || *run->kind)
			fputs(" <!-- ", f);
		if (run->package != TW_NONE)
			fprintf(f, "package %d%s", run->package, *run->kind ? ", " : "");
		write_text(f, run->kind);
		fputs(run->package != TW_NONE || *run->kind ? " -->\n" : "\n", f);
	}
}

static void write_gpu(FILE *f, const struct tw__machine *m, int i)
{
	const struct tw__machine_gpu *gpu = &m->gpus[i];
	fprintf(f, "  <!-- ");
	write_text(f, *gpu->model ? gpu->model : "a GPU without a name");
	if (*gpu->place)
		fprintf(f, ", PCI %s", gpu->place);
	else
		fputs(", not seen on PCI", f);
	if (gpu->package != TW_NONE)
		fprintf(f, ", near package %d", gpu->package);
	if (gpu->main == TW_NONE)
		fputs("; near several main memories, assumed: the first one", f);
	if (!gpu->memory_bytes)
		fprintf(f, "; assumed: its memory, %s", gpu->named_memory_bytes ? "from its name" : "unknown to hwloc");
	fprintf(f, " -->\n  <host id=\"GPU%d\" speed=\"1Gf\">\n    <prop id=\"arch\" value=\"", i);
	write_text(f, gpu->arch);
	fputs("\"/>\n    <prop id=\"memory\" value=\"", f);
	uint64_t bytes = gpu->memory_bytes ? gpu->memory_bytes : gpu->named_memory_bytes;
	fprintf(f, "%" PRIu64, bytes ? bytes : assumed_memory_bytes);
	fputs("\"/>\n", f);
	fputs(gpu->main > 0 ? "    " : "", f);
	write_near(f, gpu->main);
	fprintf(f, "%s%s%s  </host>\n", gpu->main > 0 ? "\n" : "",
	        has_peer(m, i) ? "    <prop id=\"peer\" value=\"yes\"/>\n" : "",
	        m->n_gpus >= m->n_cores ? "    <prop id=\"driver\" value=\"none\"/>\n" : "");
}

/* Writes main memories if there are several; like a single one, they are unbounded. */
static void write_mains(FILE *f, const struct tw__machine *m)
{
	for (int i = 0; i < m->n_mains && m->n_mains > 1; i++) {
		char size[32];
		fputs("  <host id=\"", f);
		write_main(f, i);
		fprintf(f, "\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host> <!-- NUMA node %u, %s -->\n",
		        m->mains[i].os_index, tw__size_text(size, sizeof size, m->mains[i].bytes));
	}
}

static void write_hosts(FILE *f, const struct tw__machine *m)
{
	write_cores(f, m);
	for (int i = 0; i < m->n_gpus; i++)
		write_gpu(f, m, i);
	if (m->emulated)
		tw__emulation_write_hosts(f, m->emulated);
	if (m->found)
		tw__gpus_write_hosts(f, m->found, m->n_cores, m->found_main);
	write_mains(f, m);
	if (m->n_mains > 1)
		return;
	fputs("  <host id=\"RAM\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host>", f);
	/* Main memory has no bound in the XML: a bound would need a disk to evict to, and hwloc knows no bandwidth of a
	 * disk. */
	char size[32];
	if (m->memory_bytes)
		fprintf(f, " <!-- %s; modelled as unbounded, as a bound needs a disk -->\n",
		        tw__size_text(size, sizeof size, m->memory_bytes));
	else
		fputs(" <!-- size unknown to hwloc -->\n", f);
}

static void write_links(FILE *f, const struct tw__machine *m)
{
	fputs(m->n_gpus ? "\n" : "", f);
	for (int i = 0; i < m->n_mains && m->n_mains > 1; i++)
		fprintf(f, "  <link id=\"numa%d\" %s sharing_policy=\"SPLITDUPLEX\"/> <!-- assumed -->\n", i,
		        assumed_numa_link);
	for (int i = 0; i < m->n_bridges; i++)
		if (m->bridges[i].bandwidth > 0)
			fprintf(f,
			        "  <link id=\"bridge%d\" bandwidth=\"%.6gGBps\" latency=\"0s\" "
			        "sharing_policy=\"SPLITDUPLEX\"/> <!-- PCI %s -->\n",
			        i, m->bridges[i].bandwidth / 1e9, m->bridges[i].place);
		else
			fprintf(f, "  <!-- PCI %s: speed unknown to hwloc; assumed to be no bottleneck -->\n",
			        m->bridges[i].place);
	for (int i = 0; i < m->n_gpus; i++) {
		double known = m->gpus[i].bandwidth;
		fprintf(f,
		        "  <link id=\"pci%d\" bandwidth=\"%.6gGBps\" latency=\"%s\" sharing_policy=\"SPLITDUPLEX\"/> "
		        "<!-- assumed: latency%s -->\n",
		        i, (known > 0 ? known : assumed_bandwidth) / 1e9, assumed_latency,
		        known > 0 ? "" : " and bandwidth");
	}
}

/* Writes the links that join GPUs apart from PCI. */
static void write_direct_links(FILE *f, const struct tw__machine *m)
{
	for (int a = 0; a < m->n_gpus; a++) {
		if (m->gpus[a].to_switch > 0)
			fprintf(f,
			        "  <link id=\"switch%d\" bandwidth=\"%.6gGBps\" latency=\"%s\" "
			        "sharing_policy=\"SPLITDUPLEX\"/> <!-- assumed: latency -->\n",
			        a, m->gpus[a].to_switch / 1e9, assumed_latency);
		for (int b = 0; b < m->n_gpus; b++)
			if (are_joined(m, a, b))
				fprintf(f,
				        "  <link id=\"GPU%d-GPU%d\" bandwidth=\"%.6gGBps\" latency=\"%s\"/> "
				        "<!-- assumed: latency -->\n",
				        a, b, m->direct[a][b] / 1e9, assumed_latency);
	}
}

static void write_link_ctn(FILE *f, const char *link, int i, bool down)
{
	fprintf(f, "<link_ctn id=\"%s%d\" direction=\"%s\"/>", link, i, down ? "DOWN" : "UP");
}

/* Writes the part of a route that crosses the bridges above a GPU: their links, from `bridge` up to but without `end`
 * (TW_NONE: up to the root). `down`: in the opposite order, for copies to the GPU. */
static void write_bridges(FILE *f, const struct tw__machine *m, int bridge, int end, bool down)
{
	if (bridge == end)
		return;
	if (down)
		write_bridges(f, m, m->bridges[bridge].parent, end, down);
	if (m->bridges[bridge].bandwidth > 0)
		write_link_ctn(f, "bridge", bridge, down);
	if (!down)
		write_bridges(f, m, m->bridges[bridge].parent, end, down);
}

/* Writes the route between two GPUs, if there is one. */
static void write_gpu_route(FILE *f, const struct tw__machine *m, int a, int b)
{
	int common = TW_NONE;
	if (are_joined(m, a, b)) {
		static const char route[] = "\n  <route src=\"GPU%d\" dst=\"GPU%d\" symmetrical=\"NO\">"
					    "<link_ctn id=\"GPU%d-GPU%d\"/></route>";
		fprintf(f, route, a, b, a, b);
		fprintf(f, route, b, a, b, a);
		return;
	}
	if (!are_switched(m, a, b) && !are_peers(m, a, b, &common))
		return;
	fprintf(f, "\n  <route src=\"GPU%d\" dst=\"GPU%d\">", a, b);
	if (are_switched(m, a, b)) {
		write_link_ctn(f, "switch", a, false);
		write_link_ctn(f, "switch", b, true);
	} else {
		write_link_ctn(f, "pci", a, false);
		write_bridges(f, m, m->gpus[a].bridge, common, false);
		write_bridges(f, m, m->gpus[b].bridge, common, true);
		write_link_ctn(f, "pci", b, true);
	}
	fputs("</route>", f);
}

/* Writes the part of a route between two main memories. */
static void write_crossing(FILE *f, int from, int to)
{
	for (int end = 0; end < 2 && from != to; end++)
		write_link_ctn(f, "numa", end ? to : from, end);
}

static void write_main_routes(FILE *f, const struct tw__machine *m)
{
	for (int a = 0; a < m->n_mains; a++)
		for (int b = a + 1; b < m->n_mains; b++) {
			fputs("\n  <route src=\"", f);
			write_main(f, a);
			fputs("\" dst=\"", f);
			write_main(f, b);
			fputs("\">", f);
			write_crossing(f, a, b);
			fputs("</route>", f);
		}
}

static void write_routes(FILE *f, const struct tw__machine *m)
{
	const int n_mains = m->n_mains > 1 ? m->n_mains : 1;
	write_main_routes(f, m);
	for (int i = 0; i < m->n_gpus * n_mains; i++) {
		const int main = i % n_mains, gpu = i / n_mains, near = m->gpus[gpu].main;
		fputs("\n  <route src=\"", f);
		write_main(f, main);
		fprintf(f, "\" dst=\"GPU%d\">", gpu);
		write_crossing(f, main, near == TW_NONE ? 0 : near);
		write_bridges(f, m, m->gpus[gpu].bridge, TW_NONE, true);
		write_link_ctn(f, "pci", gpu, true);
		fputs("</route>", f);
	}
	for (int a = 0; a < m->n_gpus; a++)
		for (int b = a + 1; b < m->n_gpus; b++)
			write_gpu_route(f, m, a, b);
}

void tw__machine_write(FILE *f, const struct tw__machine *m, const char *name)
{
	write_header(f, m, name);
	write_hosts(f, m);
	write_links(f, m);
	write_direct_links(f, m);
	write_routes(f, m);
	if (m->emulated || m->found)
		fputs(m->n_gpus ? "\n\n" : "\n", f);
	if (m->emulated)
		tw__emulation_write_links(f, m->emulated);
	if (m->found)
		tw__gpus_write_links(f, m->found, m->n_mains);
	fprintf(f, "%s</zone>\n</platform>\n", m->n_gpus || m->n_mains > 1 ? "\n" : "");
}
