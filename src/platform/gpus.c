#include "platform/gpus.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

void tw__gpus_arch(const struct tw__gpu *gpu, char *to, int room)
{
	tw__arch_name(to, (size_t)room, gpu->name);
	if (!*to || strncmp(to, "cpu", 3) == 0)
		snprintf(to, (size_t)room, "gpu-%d.%d", gpu->major, gpu->minor);
}

/* Returns the size of a GPU's arena: 90 % of its free memory, because kernels and their libraries need some, too. */
static uint64_t arena_bytes(const struct tw__gpu *gpu)
{
	const uint64_t unit = UINT64_C(1) << 20;
	return gpu->free_bytes / 10 * 9 / unit * unit;
}

static bool has_peer(const struct tw__gpus *gpus, int i)
{
	for (int other = 0; other < gpus->n; other++)
		if (gpus->gpu[i].to_peer[other] > 0)
			return true;
	return false;
}

const char *tw__main_name(char to[TW__MAIN_NAME], int main)
{
	strcpy(to, "RAM");
	if (main > 0)
		snprintf(to + strlen(to), TW__MAIN_NAME - strlen(to), "%d", main);
	return to;
}

void tw__gpus_write_hosts(FILE *f, const struct tw__gpus *gpus, int cores, const int *mains)
{
	for (int i = 0; i < gpus->n; i++) {
		char arch[80], main[TW__MAIN_NAME];
		tw__gpus_arch(&gpus->gpu[i], arch, sizeof arch);
		fprintf(f, "  <host id=\"GPU%d\" speed=\"1Gf\">\n    <prop id=\"arch\" value=\"%s\"/>\n", i, arch);
		fprintf(f, "    <prop id=\"memory\" value=\"%" PRIu64 "\"/>\n", arena_bytes(&gpus->gpu[i]));
		if (mains[i] > 0)
			fprintf(f, "    <prop id=\"main_memory\" value=\"%s\"/>\n", tw__main_name(main, mains[i]));
		if (has_peer(gpus, i))
			fputs("    <prop id=\"peer\" value=\"yes\"/>\n", f);
		if (gpus->n >= cores)
			fputs("    <prop id=\"driver\" value=\"none\"/>\n", f);
		fputs("  </host>\n", f);
	}
}

/* Writes a route in one direction, and a link that only this route uses. */
static void write_route(FILE *f, const char *from, const char *to, double bandwidth, double latency_s)
{
	fprintf(f, "  <link id=\"%s-%s\" bandwidth=\"%.17gBps\" latency=\"%.17gs\"/>\n", from, to, bandwidth,
	        latency_s);
	fprintf(f, "  <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\"><link_ctn id=\"%s-%s\"/></route>\n", from, to,
	        from, to);
}

void tw__gpus_write_links(FILE *f, const struct tw__gpus *gpus, int n_mains)
{
	for (int i = 0; i < gpus->n; i++) {
		const struct tw__gpu *gpu = &gpus->gpu[i];
		char name[16];
		snprintf(name, sizeof name, "GPU%d", i);
		for (int m = 0; m < n_mains; m++) {
			char main[TW__MAIN_NAME];
			tw__main_name(main, m);
			write_route(f, main, name, gpu->to_device, gpu->latency_s);
			write_route(f, name, main, gpu->to_host, gpu->latency_s);
		}
		for (int other = 0; other < gpus->n; other++) {
			char peer[16];
			snprintf(peer, sizeof peer, "GPU%d", other);
			if (gpu->to_peer[other] > 0)
				write_route(f, name, peer, gpu->to_peer[other], gpu->latency_s);
		}
	}
}

/* --- names of archs ----------------------------------------------------------------------------------------------- */

void tw__arch_name(char *to, size_t room, const char *model)
{
	size_t n = 0;
	for (; *model && n < room - 1; model++)
		if (isalnum((unsigned char)*model) || (*model == '.' && n))
			to[n++] = (char)tolower((unsigned char)*model);
		else if (n && to[n - 1] != '-')
			to[n++] = '-';
	while (n && to[n - 1] == '-')
		n--;
	to[n] = '\0';
}
