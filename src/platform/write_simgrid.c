/* Writes a platform as XML for the SimGrid engine, which finds objects by their ids: W0 for worker 0, M0 for memory
 * node 0, L0 for link 0. So ids that users choose cannot clash with SimGrid's own names. */
#include "platform/weights.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Writes the additional link that sets the weight of a route's flows. The link also replaces the route's FATPIPE links,
 * because SimGrid applies weights on them, too. Its bandwidth is the least of theirs. */
static void write_weight_of(FILE *out, const struct tw__platform *p, int route, const struct tw__weights *weights)
{
	double most = 1e18;
	for (int l = 0; l < p->routes[route].n_links; l++) {
		const struct tw__link *link = &p->links[p->routes[route].links[l]];
		if (link->sharing == TW__FATPIPE)
			most = fmin(most, link->bandwidth);
	}
	fprintf(out, "<link id=\"R%d\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" sharing_policy=\"FATPIPE\"/>\n", route,
	        most, tw__weight_latency(weights, p, &p->routes[route]));
}

static void write_platform(FILE *out, const struct tw__platform *p, const struct tw__weights *weights)
{
	fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	      "<platform version=\"4.1\">\n<zone id=\"node\" routing=\"Full\">\n",
	      out);
	for (int i = 0; i < p->n_workers; i++)
		fprintf(out, "<host id=\"W%d\" speed=\"%.17gf\"/>\n", i, p->workers[i].speed);
	for (int i = 0; i < p->n_nodes; i++)
		fprintf(out, "<host id=\"M%d\" speed=\"1f\"/>\n", i);
	for (int i = 0; i < p->n_links; i++)
		fprintf(out, "<link id=\"L%d\" bandwidth=\"%.17gBps\" latency=\"0s\" sharing_policy=\"%s\"/>\n", i,
		        p->links[i].bandwidth, p->links[i].sharing == TW__FATPIPE ? "FATPIPE" : "SHARED");
	for (int i = 0; i < p->n_nodes * p->n_nodes; i++)
		if (p->routes[i].n_links && weights->unit)
			write_weight_of(out, p, i, weights);
	for (int i = 0; i < p->n_nodes * p->n_nodes; i++) {
		const struct tw__route *route = &p->routes[i];
		if (!route->n_links)
			continue;
		fprintf(out, "<route src=\"M%d\" dst=\"M%d\" symmetrical=\"NO\">", i / p->n_nodes, i % p->n_nodes);
		for (int j = 0; j < route->n_links; j++)
			if (!weights->unit || p->links[route->links[j]].sharing == TW__SHARED)
				fprintf(out, "<link_ctn id=\"L%d\"/>", route->links[j]);
		if (weights->unit)
			fprintf(out, "<link_ctn id=\"R%d\"/>", i);
		fputs("</route>\n", out);
	}
	fputs("</zone>\n</platform>\n", out);
}

int tw__platform_write_simgrid(const struct tw__platform *p, const struct tw__weights *weights, int fd,
                               struct tw_error *err)
{
	int own = dup(fd);
	FILE *out = own < 0 ? NULL : fdopen(own, "w");
	if (!out) {
		int cause = errno;
		if (own >= 0)
			close(own);
		return tw_fail(err, TW_FAILED, "platform for SimGrid: %s, expected a file to write to",
		               strerror(cause));
	}
	write_platform(out, p, weights);
	bool failed = ferror(out);
	errno = 0;
	if (fclose(out) != 0 || failed)
		return tw_fail(err, TW_FAILED, "platform for SimGrid: %s, expected room to write it",
		               strerror(errno ? errno : EIO));
	return TW_OK;
}
