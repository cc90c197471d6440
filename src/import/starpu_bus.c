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
 * Main memory is the first NUMA node. */
static int place(const struct matrix *m, const struct tw__platform *p, tw_node node)
{
	const char *name = node == 0 ? "NUMA0" : p->nodes[node].name;
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

static int predict(struct tw__platform *p, tw_node from, tw_node to, const struct matrix *bandwidth,
                   const struct matrix *latency, struct tw_error *err)
{
	struct tw__route *route = &p->routes[from * p->n_nodes + to];
	if (route->n_links == 0 || from == to)
		return TW_OK;
	for (const struct matrix *m = bandwidth; m; m = m == bandwidth ? latency : NULL) {
		int row = place(m, p, from), column = place(m, p, to);
		if (row >= m->n || column >= m->n)
			return tw_fail(err, TW_INVALID, "%s: %d rows and columns: expected one for '%s'", m->path, m->n,
			               p->nodes[row > column ? from : to].name);
	}
	int i = place(bandwidth, p, from), j = place(bandwidth, p, to);
	double mb_per_s = 0, us = 0;
	int status = take(bandwidth, i, j, "MB/s", 1e-6, 1e12, &mb_per_s, err);
	if (status == TW_OK)
		status = take(latency, place(latency, p, from), place(latency, p, to), "us", 0, 1e9, &us, err);
	if (status < 0)
		return status;
	route->predicted_bandwidth = mb_per_s * 1e6;
	route->predicted_latency = us / 1e6;
	return TW_OK;
}

/* Whether StarPU has measured copies to and from the memory: main memory and those of accelerators. */
static bool is_measured(const struct tw__platform *p, tw_node node)
{
	return node == TW_RAM || p->nodes[node].backing == TW_RAM;
}

static int read_both(struct tw__platform *p, const char *bandwidths, const char *latencies, struct tw_error *err)
{
	struct matrix *m = tw_alloc(2, sizeof *m);
	int status = read_matrix(&m[0], bandwidths, "bandwidth", err);
	if (status == TW_OK)
		status = read_matrix(&m[1], latencies, "latency", err);
	for (tw_node from = 0; from < p->n_nodes; from++)
		for (tw_node to = 0; to < p->n_nodes && status == TW_OK; to++)
			if (is_measured(p, from) && is_measured(p, to))
				status = predict(p, from, to, &m[0], &m[1], err);
	free(m);
	return status;
}

int tw__starpu_bus_read(struct tw__platform *p, const char *folder, const char *host, bool *found, struct tw_error *err)
{
	char *bandwidths = tw_format("%s/bus/%s.bandwidth", folder, host);
	char *latencies = tw_format("%s/bus/%s.latency", folder, host);
	int status = TW_OK;
	*found = access(bandwidths, F_OK) == 0 && access(latencies, F_OK) == 0;
	if (*found)
		status = read_both(p, bandwidths, latencies, err);
	free(bandwidths);
	free(latencies);
	return status;
}
