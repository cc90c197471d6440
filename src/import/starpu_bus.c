#include "import/starpu_import.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_NODES = 256 };

struct matrix {
	int n, n_names; /* numbers of rows and columns, and of names */
	/* the memories of rows and columns, such as "CUDA0" and "NUMA1", if the first line names them; else empty */
	char name[MAX_NODES][16];
	int line[MAX_NODES];
	const char *path;
	double of[MAX_NODES][MAX_NODES];
};

/* Reads the names of memories from the first line, "# to NUMA 0<tab>to CUDA 0...", which StarPU writes since 1.4. */
static void read_names(struct matrix *m, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[1 << 14] = "", *rest, *cell;
	if (file && !fgets(line, sizeof line, file))
		*line = '\0';
	if (file)
		fclose(file);
	m->n_names = 0;
	for (cell = strtok_r(line, "\t\n", &rest); cell && *line == '#'; cell = strtok_r(NULL, "\t\n", &rest)) {
		char kind[9];
		int number;
		const char *to = strstr(cell, "to ");
		if (m->n_names < MAX_NODES && to && sscanf(to, "to %8[A-Za-z_] %4d", kind, &number) == 2)
			snprintf(m->name[m->n_names++], sizeof m->name[0], "%s%d", kind, number);
	}
}

static int read_matrix(struct matrix *m, const char *path, const char *what, struct tw_error *err)
{
	struct tw__starpu_lines l;
	int status = tw__starpu_lines_open(&l, path, err);
	m->n = 0;
	m->path = path;
	read_names(m, path);
	for (int row = 0; status == TW_OK; row++) {
		status = tw__starpu_lines_next(&l);
		if (status == TW_OK && l.n == 0)
			status =
				tw__starpu_lines_fail(&l, "the file ends after %d rows: expected a square matrix", row);
		if (status < 0)
			break;
		m->n = row == 0 ? l.n : m->n;
		if (row < MAX_NODES)
			m->line[row] = l.line;
		if (l.n != m->n || row == m->n || m->n > MAX_NODES)
			status = tw__starpu_lines_fail(
				&l, "%d values in row %d: expected a square matrix of at most %d rows", l.n, row,
				MAX_NODES);
		for (int column = 0; column < l.n && status == TW_OK; column++)
			status = tw__starpu_lines_real(&l, column, what, &m->of[row][column]);
		if (status == TW_OK && row == m->n - 1) {
			status = tw__starpu_lines_next(&l);
			if (status == TW_OK && l.n > 0)
				status = tw__starpu_lines_fail(
					&l, "more than the %d rows of a square matrix: expected its end", m->n);
			break;
		}
	}
	tw__starpu_lines_close(&l);
	return status;
}

/* Returns the row and column of a memory in a matrix. Without names: 0 for main memory, then the devices by number.
 * Main memories are NUMA nodes. */
static int place(const struct matrix *m, const struct tw__platform *p, tw_node node)
{
	char numa[16];
	const char *name = tw__is_main(p, node) ? numa : p->nodes[node].name;
	snprintf(numa, sizeof numa, "NUMA%d", (int)node);
	for (int i = 0; i < m->n_names; i++)
		if (strcmp(m->name[i], name) == 0)
			return i;
	return m->n_names ? m->n : node == 0 ? 0 : 1 + atoi(name + strcspn(name, "0123456789"));
}

/* Takes the value from memory i to memory j out of a matrix. TW_INVALID: the value is out of bounds, so the platform
 * would not be valid. */
static int take(const struct matrix *m, int i, int j, const char *unit, double least, double most, double *value,
                struct tw_error *err)
{
	*value = m->of[i][j];
	if (*value >= least && *value <= most)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "%s:%d: %g %s from memory %d to %d: expected %g to %g", m->path, m->line[i],
	               *value, unit, i, j, least, most);
}

/* Whether StarPU has measured copies to and from the memory: main memories and those of accelerators. */
static bool is_measured(const struct tw__platform *p, tw_node node)
{
	return tw__is_main(p, node) || tw__is_card(p, node);
}

/* Returns the number of NUMA nodes that the matrix names, from 0 on; at least 1. */
static int count_numa(const struct matrix *m)
{
	char name[16];
	int n = 1, i;
	do {
		snprintf(name, sizeof name, "NUMA%d", n);
		for (i = 0; i < m->n_names && strcmp(m->name[i], name) != 0;)
			i++;
	} while (i < m->n_names && ++n);
	return n;
}

/* Takes the values of one pair of memories out of both matrices, in bytes/s and seconds. */
static int take_pair(const struct tw__platform *p, tw_node from, tw_node to, const struct matrix m[2], double value[2],
                     struct tw_error *err)
{
	int status = TW_OK;
	for (int k = 0; k < 2 && status == TW_OK; k++) {
		int i = place(&m[k], p, from), j = place(&m[k], p, to);
		if (i >= m[k].n || j >= m[k].n)
			return tw_fail(err, TW_INVALID, "%s: %d rows and columns: expected one for '%s'", m[k].path,
			               m[k].n, p->nodes[i > j ? from : to].name);
		status = k == 0 ? take(&m[k], i, j, "MB/s", 1e-6, 1e12, &value[k], err)
		                : take(&m[k], i, j, "us", 0, 1e9, &value[k], err);
	}
	value[0] *= 1e6;
	value[1] /= 1e6;
	return status;
}

/* Makes a main memory of each NUMA node, if there are several. */
static int add_numa(struct tw__platform *p, const struct matrix m[2], struct tw_error *err)
{
	const int n_mains = count_numa(&m[0]);
	if (count_numa(&m[1]) != n_mains)
		return tw_fail(err, TW_INVALID, "%s: %d NUMA nodes, expected %d as in '%s'", m[1].path,
		               count_numa(&m[1]), n_mains, m[0].path);
	int status = n_mains > 1 ? tw__starpu_add_mains(p, n_mains, err) : TW_OK;
	if (n_mains == 1 || status < 0)
		return status;
	const size_t n = (size_t)p->n_nodes;
	double *bandwidth = tw_alloc(n * n, sizeof *bandwidth), *latency = tw_alloc(n * n, sizeof *latency), pair[2];
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes && status == TW_OK; to++) {
			const bool mains = from < n_mains || to < n_mains;
			if (from == to || !mains || !is_measured(p, from) || !is_measured(p, to))
				continue;
			status = take_pair(p, from, to, m, pair, err);
			bandwidth[from * p->n_nodes + to] = pair[0];
			latency[from * p->n_nodes + to] = pair[1];
		}
	if (status == TW_OK)
		tw__starpu_join_mains(p, n_mains, bandwidth, latency);
	free(bandwidth);
	free(latency);
	return status;
}

static int predict(struct tw__platform *p, tw_node from, tw_node to, const struct matrix m[2], struct tw_error *err)
{
	struct tw__route *route = &p->routes[from * p->n_nodes + to];
	double pair[2];
	if (route->n_links == 0 || from == to)
		return TW_OK;
	int status = take_pair(p, from, to, m, pair, err);
	if (status < 0)
		return status;
	route->predicted_bandwidth = pair[0];
	route->predicted_latency = pair[1];
	return TW_OK;
}

static int read_both(struct tw__platform *p, const char *bandwidths, const char *latencies, bool numa,
                     struct tw_error *err)
{
	struct matrix *m = tw_alloc(2, sizeof *m);
	int status = read_matrix(&m[0], bandwidths, "bandwidth", err);
	if (status == TW_OK)
		status = read_matrix(&m[1], latencies, "latency", err);
	if (status == TW_OK && numa)
		status = add_numa(p, m, err);
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes && status == TW_OK; to++)
			if (is_measured(p, from) && is_measured(p, to))
				status = predict(p, from, to, m, err);
	free(m);
	return status;
}

int tw__starpu_bus_read(struct tw__platform *p, const char *folder, const char *host, bool numa, bool *found,
                        struct tw_error *err)
{
	char *bandwidths = tw_format("%s/bus/%s.bandwidth", folder, host);
	char *latencies = tw_format("%s/bus/%s.latency", folder, host);
	int status = TW_OK;
	*found = access(bandwidths, F_OK) == 0 && access(latencies, F_OK) == 0;
	if (*found)
		status = read_both(p, bandwidths, latencies, numa, err);
	free(bandwidths);
	free(latencies);
	return status;
}
