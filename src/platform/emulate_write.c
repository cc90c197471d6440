/* Writes emulated accelerators to platform.xml. Each accelerator has a SPLITDUPLEX link to main memory. Its copies in
 * one direction share the bandwidth of this link. With key `shared`, all copies to and from main memory also cross one
 * common link. With key `peer`, each pair of accelerators has a link of its own. */
#include "platform/emulate.h"

#include <inttypes.h>

/* Writes a SPLITDUPLEX link. Its numbers have 17 digits, enough to read back exactly the same double. */
static void write_link(FILE *f, const char *id, double bandwidth, double latency_s)
{
	fprintf(f, "  <link id=\"%s\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" sharing_policy=\"SPLITDUPLEX\"/>\n", id,
	        bandwidth, latency_s);
}

void tw__emulation_write_hosts(FILE *f, const struct tw__emulation *e)
{
	for (int i = 0; i < e->gpus; i++) {
		fprintf(f, "  <host id=\"GPU%d\" speed=\"1Gf\">\n    <prop id=\"arch\" value=\"%s\"/>\n", i, e->arch);
		fprintf(f, "    <prop id=\"memory\" value=\"%" PRIu64 "\"/>\n", e->memory_bytes);
		if (e->peer)
			fputs("    <prop id=\"peer\" value=\"yes\"/>\n", f);
		fputs("    <prop id=\"driver\" value=\"none\"/>\n  </host>\n", f);
	}
}

static void write_peers(FILE *f, const struct tw__emulation *e)
{
	char id[32];
	for (int a = 0; a < e->gpus; a++)
		for (int b = a + 1; b < e->gpus; b++) {
			snprintf(id, sizeof id, "peer%d-%d", a, b);
			write_link(f, id, e->bandwidth, e->latency_s);
			fprintf(f,
			        "  <route src=\"GPU%d\" dst=\"GPU%d\"><link_ctn id=\"%s\" direction=\"UP\"/></route>\n",
			        a, b, id);
		}
}

void tw__emulation_write_links(FILE *f, const struct tw__emulation *e)
{
	char id[32];
	if (e->shared_bandwidth > 0)
		write_link(f, "shared", e->shared_bandwidth, 0);
	for (int i = 0; i < e->gpus; i++) {
		snprintf(id, sizeof id, "emulated%d", i);
		write_link(f, id, e->bandwidth, e->latency_s);
		fprintf(f, "  <route src=\"RAM\" dst=\"GPU%d\">%s<link_ctn id=\"%s\" direction=\"DOWN\"/></route>\n", i,
		        e->shared_bandwidth > 0 ? "<link_ctn id=\"shared\" direction=\"DOWN\"/>" : "", id);
	}
	if (e->peer)
		write_peers(f, e);
}
