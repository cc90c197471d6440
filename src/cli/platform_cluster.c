#include "cli/platform_cluster.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/print.h"
#include "cli/cli.h"
#include "cli/folder.h"
#include "perf/rows.h"
#include "platform/network.h"
#include "platform/xml_put.h"

/* --- the network -------------------------------------------------------------------------------------------------- */

static const struct {
	const char *word, *topology; /* the option's word, and SimGrid's */
} shapes[] = {{"fat-tree:", "FAT_TREE"}, {"dragonfly:", "DRAGONFLY"}, {"torus:", "TORUS"}};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static int count_nodes(const struct cluster_options *o)
{
	int n = 0;
	for (int i = 0; i < o->n_nodes; i++)
		n += o->nodes[i].count;
	return n;
}

/* Writes a <cluster> with the numbers of the options. */
static int write_tag(FILE *f, const struct cluster_options *o, struct tw_error *err)
{
	int shape = 0;
	while (o->topology && shape < N_SHAPES &&
	       strncmp(o->topology, shapes[shape].word, strlen(shapes[shape].word)) != 0)
		shape++;
	if (shape == N_SHAPES)
		return tw_fail(err, TW_INVALID,
		               "--topology '%.80s': expected fat-tree:, dragonfly: or torus: and its parameters, as in "
		               "torus:3,2,2",
		               o->topology);
	fprintf(f, "<platform version=\"4.1\"><cluster id=\"cluster\" prefix=\"node\" suffix=\"\" radical=\"0-%d\"",
	        count_nodes(o) - 1);
	fprintf(f, " speed=\"1Gf\" bw=\"%s\" lat=\"%s\"", o->bandwidth, o->latency);
	if (o->backbone)
		fprintf(f, " bb_bw=\"%s\" bb_lat=\"0s\"", o->backbone);
	if (o->topology) {
		fprintf(f, " topology=\"%s\"", shapes[shape].topology);
		tw__put_name(f, " topo_parameters=\"", o->topology + strlen(shapes[shape].word), "\"");
	}
	fputs("/></platform>\n", f);
	return TW_OK;
}

/* Reads the contents of a file from its text. */
static int read_text(struct tw__raw *raw, const char *text, size_t bytes, const char *path, struct tw_error *err)
{
	FILE *f = fmemopen((char *)text, bytes, "r");
	if (!f)
		return tw_fail(err, TW_FAILED, "%s: %s", path, strerror(errno));
	int status = tw__raw_read_stream(raw, f, path, err);
	fclose(f);
	return status;
}

static int make_network(struct tw__raw *raw, const struct cluster_options *o, struct tw_error *err)
{
	char *text;
	size_t bytes;
	FILE *f = tw__text_open(&text, &bytes);
	int status = write_tag(f, o, err);
	tw__text_close(f);
	if (status == TW_OK)
		status = read_text(raw, text, bytes, "platform cluster", err);
	free(text);
	return status;
}

/* Reads the network of a file, which has no nodes of its own. */
static int take_network(struct tw__raw *raw, const struct cluster_options *o, struct tw_error *err)
{
	int status = tw__raw_read(raw, o->network, err);
	if (status < 0)
		return status;
	bool has_nodes = raw->node;
	for (int h = 0; h < raw->n_hosts; h++)
		has_nodes |= raw->hosts[h].node != NULL;
	const int n = raw->cluster ? raw->cluster->n_hosts : raw->n_hosts;
	if (has_nodes)
		status = tw_fail(err, TW_INVALID,
		                 "--network '%.200s': its hosts have props node, expected none: use the "
		                 "file as it is",
		                 o->network);
	else if ((o->n_nodes > 1 || o->nodes[0].count) && count_nodes(o) != n)
		status = tw_fail(err, TW_INVALID,
		                 "--network '%.200s' has %d hosts, but --count %d nodes: expected equal "
		                 "numbers",
		                 o->network, n, count_nodes(o));
	return status;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

/* Writes the prop `node`, as in "mirage:4,attila:2". Paths become absolute ones, since those in a file start there. */
static int write_nodes(FILE *f, const struct cluster_options *o, int n_hosts, struct tw_error *err)
{
	for (int i = 0; i < o->n_nodes; i++) {
		const char *name = o->nodes[i].name, *end = name + strlen(name);
		const bool is_path = strchr(name, '/') || (end - name > 4 && strcmp(end - 4, ".xml") == 0);
		char *path = is_path ? realpath(name, NULL) : tw_copy_text(name);
		if (!path)
			return tw_fail(err, TW_INVALID, "--node '%.200s': %s", name, strerror(errno));
		fputs(i ? "," : "", f);
		for (const char *c = path; *c; c++)
			fprintf(f, *c == ',' || *c == '\\' ? "\\%c" : "%c", *c);
		fprintf(f, ":%d", o->nodes[i].count ? o->nodes[i].count : n_hosts);
		free(path);
	}
	return TW_OK;
}

/* Makes the text of platform.xml. */
static int make_text(char **text, size_t *bytes, const struct cluster_options *o, struct tw_error *err)
{
	struct tw__raw raw = {0};
	int status = o->network ? take_network(&raw, o, err) : make_network(&raw, o, err);
	char *nodes;
	size_t n;
	FILE *f = tw__text_open(&nodes, &n);
	if (status == TW_OK)
		status = write_nodes(f, o, raw.cluster ? raw.cluster->n_hosts : raw.n_hosts, err);
	tw__text_close(f);
	f = tw__text_open(text, bytes);
	if (status == TW_OK)
		tw__cluster_write(&raw, nodes, "Made by tilewright platform cluster", f);
	tw__text_close(f);
	free(nodes);
	tw__raw_finish(&raw);
	return status;
}

/* --- kernels.csv -------------------------------------------------------------------------------------------------- */

static void write_row(FILE *f, const struct tw__row *row, const char *arch)
{
	tw__table_put_names(f, row->kernel, arch, row->cores, row->size, row->precision);
	fprintf(f, "%.17g,%.17g,%" PRId64 ",", row->mean_us, row->stddev_us, row->samples);
	char *note = tw_format("%s%s", *row->caution ? "caution: " : "", row->caution);
	const char *kind = row->origin == TW__UNKNOWN_ORIGIN ? "" : tw__origin_names[row->origin];
	char *origin = tw_format("%s%s%s", kind, *row->source ? ": " : "", row->source);
	tw__csv_put(f, note);
	fputc(',', f);
	tw__csv_put(f, origin);
	fputc('\n', f);
	free(note);
	free(origin);
}

/* Writes the kernel times of all nodes' platforms, with the archs' names in the cluster. */
static int write_kernels(FILE *f, const struct tw__node_kinds *kinds, struct tw_error *err)
{
	int status = TW_OK;
	fprintf(f, "# Made by tilewright platform cluster\n%s,origin\n", tw__kernels_header);
	for (int k = 0; k < kinds->n && status == TW_OK; k++) {
		const struct tw__node_kind *kind = &kinds->of[k];
		struct tw__models *models = NULL;
		int length;
		const char *prefix = tw__cluster_prefix(kind->name, &length);
		if (access(kind->files[1], F_OK) < 0 && errno == ENOENT)
			continue;
		status = tw__models_read(&models, kind->files[1], kind->platform, err);
		for (int i = 0; status == TW_OK && i < models->n_rows; i++) {
			char *arch = tw_format("%.*s.%s", length, prefix, models->rows[i].arch);
			write_row(f, &models->rows[i], arch);
			free(arch);
		}
		tw__models_destroy(models);
	}
	return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int write_folder(const char *path, bool force, const char *text, const struct tw__node_kinds *kinds,
                        const char *summary, struct tw_error *err)
{
	const bool has_kernels = kinds->n > 1;
	const enum tw__new_file_rule rule = force ? TW__REPLACE : TW__REFUSE;
	const enum tw__new_file_rule rules[] = {rule, has_kernels ? rule : TW__KEEP};
	struct folder folder;
	int status = folder_open(&folder, path, rules, err);
	if (status == TW_OK) {
		if (has_kernels)
			status = write_kernels(folder.files[FOLDER_KERNELS].f, kinds, err);
		else
			folder_without_kernels(&folder);
	}
	if (status == TW_OK) {
		fputs(text, folder.files[FOLDER_PLATFORM].f);
		status = folder_settle(&folder, err);
	}
	if (status == TW_OK)
		printf("%s: %s\n", folder.files[FOLDER_PLATFORM].final, summary);
	folder_finish(&folder);
	return status;
}

static int check(const struct cluster_options *o)
{
	if (!o->n_nodes)
		return cli_fail(EXIT_BAD_INPUT,
		                "platform cluster: option --node is missing: expected it, as in --node mirage");
	for (int i = 0; i < o->n_nodes; i++)
		if (!o->nodes[i].count && (o->n_nodes > 1 || !o->network))
			return cli_fail(EXIT_BAD_INPUT, "--node '%.80s': expected --count behind it", o->nodes[i].name);
	if (o->network && (o->bandwidth || o->latency || o->backbone || o->topology))
		return cli_fail(EXIT_BAD_INPUT,
		                "--network: expected no other option of the network, which the file has");
	if (!o->network && (!o->bandwidth || !o->latency))
		return cli_fail(
			EXIT_BAD_INPUT,
			"platform cluster: option --%s is missing: expected it, as in --bandwidth 4GBps --latency 1us",
			o->bandwidth ? "latency" : "bandwidth");
	return 0;
}

int platform_cluster(const struct cluster_options *o, const char *folder, bool force)
{
	struct tw_error err;
	struct tw__raw raw = {0};
	struct tw__node_kinds kinds = {0};
	struct tw__platform *p = NULL;
	char *text = NULL, *path = NULL;
	size_t bytes = 0;
	int exit_status = check(o);
	if (exit_status)
		return exit_status;
	int status = make_text(&text, &bytes, o, &err);
	path = tw_format("%s/platform.xml", folder);
	if (status == TW_OK)
		status = read_text(&raw, text, bytes, path, &err);
	if (status == TW_OK)
		status = tw__cluster_load(&p, &kinds, &raw, folder, &err);
	if (status == TW_OK)
		status = write_folder(folder, force, text, &kinds, p->summary, &err);
	tw__platform_destroy(p);
	tw__node_kinds_finish(&kinds);
	tw__raw_finish(&raw);
	free(text);
	free(path);
	return status < 0 ? cli_error(status, &err) : 0;
}
