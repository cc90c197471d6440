/* Reads platforms that find.c has found: single nodes, and clusters, whose files name the platforms of their nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spec.h"
#include "platform/network.h"

void tw__node_kinds_finish(struct tw__node_kinds *k)
{
	for (int i = 0; i < k->n; i++) {
		tw__platform_destroy(k->of[i].platform);
		for (int f = 0; f < TW__PLATFORM_FILES; f++)
			free(k->of[i].files[f]);
		free(k->of[i].name);
	}
	free(k->of);
	free(k->of_rank);
	*k = (struct tw__node_kinds){0};
}

/* Returns the name with which tw__platform_files finds a node's platform; malloc'ed. Paths start at the file's
 * folder. */
static char *name_from_here(const struct tw__raw *raw, const char *word)
{
	const char *slash = strrchr(raw->file, '/');
	const size_t length = strlen(word);
	const bool is_path = strchr(word, '/') || (length > 4 && strcmp(word + length - 4, ".xml") == 0);
	if (!is_path || *word == '/')
		return tw_copy_text(word);
	return slash ? tw_format("%.*s/%s", (int)(slash - raw->file), raw->file, word) : tw_format("./%s", word);
}

/* Finds the platform of a word among `kinds`, or finds its files. */
static int find_kind(struct tw__node_kinds *k, const char *word, int line, int *found)
{
	char *name = name_from_here(k->raw, word);
	struct tw_error inner;
	for (*found = 0; *found < k->n; ++*found)
		if (strcmp(k->of[*found].name, name) == 0) {
			free(name);
			return TW_OK;
		}
	TW_RESERVE(k->of, k->capacity, (size_t)k->n + 1);
	struct tw__node_kind *kind = &k->of[k->n++];
	*kind = (struct tw__node_kind){.name = name};
	if (strcmp(name, TW__MACHINE_NAME) == 0)
		return tw__raw_fail(k->raw, line, k->err,
		                    "node '%s' has no file of its links, expected another platform", name);
	if (tw__platform_files(kind->files, name, &inner) < 0)
		return tw__raw_fail(k->raw, line, k->err, "node: %.300s", inner.message);
	return TW_OK;
}

/* Reads a word "NAME" or "NAME:COUNT". *count: TW_NONE without one. */
static void split_word(char *word, long *count)
{
	char *colon = strrchr(word, ':');
	*count = TW_NONE;
	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return;
	*colon = '\0';
	*count = strtol(colon + 1, NULL, 10);
}

/* Finds the platforms of the ranks from the prop `node` of the zone or cluster, as in "mirage:4,attila:2". */
static int find_all(struct tw__node_kinds *k, int n_ranks)
{
	const char *rest = k->raw->node;
	int status = TW_OK, next = 0;
	while (rest && status == TW_OK) {
		char *word = tw__next_word(&rest);
		const bool is_only = next == 0 && !rest;
		long count;
		int kind = 0;
		split_word(word, &count);
		if (count == TW_NONE && is_only)
			count = n_ranks;
		if (count < 1 || count > n_ranks - next || (!rest && count < n_ranks - next))
			status = tw__raw_fail(
				k->raw, k->raw->node_line, k->err,
				"node '%.80s': expected a platform, or numbers of nodes that sum up to %d, as "
				"in mirage:4,attila:2",
				k->raw->node, n_ranks);
		else
			status = find_kind(k, word, k->raw->node_line, &kind);
		for (long i = 0; i < count && status == TW_OK; i++)
			k->of_rank[next++] = kind;
		free(word);
	}
	return status;
}

/* The props `node` of hosts have precedence. */
int tw__node_kinds_find(struct tw__node_kinds *k, const struct tw__raw *raw, struct tw_error *err)
{
	const int n_ranks = raw->cluster ? raw->cluster->n_hosts : raw->n_hosts;
	*k = (struct tw__node_kinds){.raw = raw, .err = err};
	k->of_rank = tw_alloc((size_t)n_ranks, sizeof *k->of_rank);
	int status = k->raw->node ? find_all(k, n_ranks) : TW_OK;
	if (k->raw->cluster && !k->raw->node)
		return tw__raw_fail(k->raw, k->raw->cluster->line, k->err,
		                    "cluster '%.80s' without the prop node, expected the platform of its nodes, as in "
		                    "<prop id=\"node\" value=\"mirage\"/>",
		                    k->raw->cluster->id);
	for (int h = 0; h < k->raw->n_hosts && status == TW_OK; h++) {
		const struct tw__raw_host *host = &k->raw->hosts[h];
		if (host->node)
			status = find_kind(k, host->node, host->line, &k->of_rank[h]);
		else if (!k->raw->node)
			status =
				tw__raw_fail(k->raw, host->line, k->err,
			                     "host '%.80s' without the prop node, which other hosts have: expected the "
			                     "platform of this node",
			                     host->id);
	}
	return status;
}

static bool have_one_prefix(const char *a, const char *b)
{
	int length, other_length;
	const char *prefix = tw__cluster_prefix(a, &length), *other = tw__cluster_prefix(b, &other_length);
	return length == other_length && memcmp(prefix, other, (size_t)length) == 0;
}

static int read_kinds(struct tw__node_kinds *k)
{
	struct tw_error inner;
	for (int i = 0; i < k->n; i++) {
		struct tw__node_kind *kind = &k->of[i];
		for (int other = 0; other < i; other++)
			if (have_one_prefix(k->of[other].name, kind->name))
				return tw_fail(
					k->err, TW_INVALID,
					"%s: nodes '%.80s' and '%.80s': expected other names of the folders, which "
					"become names of archs",
					k->raw->file, k->of[other].name, kind->name);
		if (tw__platform_read(&kind->platform, kind->files[0], kind->name, &inner) < 0)
			return tw_fail(k->err, TW_INVALID, "%s: node: %.400s", k->raw->file, inner.message);
	}
	return TW_OK;
}

/* Says which platforms a cluster has, as in "9 nodes: 4 mirage, 5 attila"; malloc'ed. */
static char *describe(const struct tw__node_kinds *k, int n_ranks)
{
	char text[160];
	int used = snprintf(text, sizeof text, "%d node%s:", n_ranks, n_ranks == 1 ? "" : "s");
	for (int i = 0; i < k->n && used < (int)sizeof text; i++) {
		int n = 0, length;
		const char *name = tw__cluster_prefix(k->of[i].name, &length);
		for (int r = 0; r < n_ranks; r++)
			n += k->of_rank[r] == i;
		if (n)
			used += snprintf(text + used, sizeof text - (size_t)used, "%s %d %.*s", used > 12 ? "," : "", n,
			                 length, name);
	}
	return tw_copy_text(text);
}

static int join_kinds(struct tw__platform **platform, const struct tw__node_kinds *k, struct tw__network *network,
                      const char *name)
{
	const int n = network->n_ranks;
	const struct tw__platform **of_rank = tw_alloc((size_t)n, sizeof *of_rank);
	for (int r = 0; r < n; r++)
		of_rank[r] = k->of[k->of_rank[r]].platform;
	char *summary = k->raw->summary ? tw_copy_text(k->raw->summary) : describe(k, n);
	char *runtime_from = tw_format("%s:%d", k->raw->file, k->raw->runtime_line);
	struct tw_error inner;
	network->name = name;
	network->summary = summary;
	network->runtime = k->raw->runtime;
	network->runtime_from = runtime_from;
	int status = tw__cluster_join(platform, network, of_rank, &inner);
	if (status < 0)
		status = tw_fail(k->err, status, "%s: %.400s", k->raw->file, inner.message);
	free(summary);
	free(runtime_from);
	free(of_rank);
	return status;
}

/* Replaces *kernels_path, the cluster's own, by that of its nodes if it has none and they are of one platform. */
static int find_kernels(const struct tw__node_kinds *k, char **kernels_path)
{
	if (access(*kernels_path, F_OK) == 0)
		return TW_OK;
	if (k->n > 1)
		return tw_fail(
			k->err, TW_INVALID,
			"no %s, expected one, as the nodes are of several platforms: 'tilewright platform cluster' "
			"writes it",
			*kernels_path);
	free(*kernels_path);
	*kernels_path = tw_copy_text(k->of[0].files[1]);
	return TW_OK;
}

int tw__cluster_load(struct tw__platform **platform, struct tw__node_kinds *k, const struct tw__raw *raw,
                     const char *name, struct tw_error *err)
{
	struct tw__network network;
	*platform = NULL;
	*k = (struct tw__node_kinds){0};
	int status = tw__network_init(&network, raw, err);
	if (status < 0)
		return status;
	status = tw__node_kinds_find(k, raw, err);
	if (status == TW_OK)
		status = read_kinds(k);
	if (status == TW_OK)
		status = join_kinds(platform, k, &network, name);
	tw__network_finish(&network);
	return status;
}

static int load(struct tw__platform **platform, char **kernels_path, const struct tw__raw *raw, const char *name,
                struct tw_error *err)
{
	struct tw__node_kinds k;
	if (!tw__raw_is_cluster(raw))
		return tw__raw_build(platform, raw, name, err);
	int status = tw__cluster_load(platform, &k, raw, name, err);
	if (status == TW_OK)
		status = find_kernels(&k, kernels_path);
	tw__node_kinds_finish(&k);
	return status;
}

int tw__platform_find(struct tw__platform **platform, char **kernels_path, const char *name, struct tw_error *err)
{
	char *files[TW__PLATFORM_FILES];
	struct tw__raw raw = {0};
	*platform = NULL;
	int status = tw__platform_files(files, name, err);
	if (status == TW_OK)
		status = tw__raw_read(&raw, files[0], err);
	if (status == TW_OK)
		status = load(platform, &files[1], &raw, name, err);
	tw__raw_finish(&raw);
	if (status < 0) {
		tw__platform_destroy(*platform);
		*platform = NULL;
		free(files[1]);
	}
	*kernels_path = status == TW_OK ? files[1] : NULL;
	free(files[0]);
	free(files[2]);
	return status;
}

int tw__platform_node_files(char ***files, int *n, const char *xml_path, struct tw_error *err)
{
	struct tw__raw raw;
	struct tw__node_kinds k = {0};
	*files = NULL;
	*n = 0;
	int status = tw__raw_read(&raw, xml_path, err);
	if (status == TW_OK && tw__raw_is_cluster(&raw))
		status = tw__node_kinds_find(&k, &raw, err);
	if (status == TW_OK) {
		*files = tw_alloc((size_t)k.n * TW__PLATFORM_FILES, sizeof **files);
		for (int i = 0; i < k.n; i++)
			for (int f = 0; f < TW__PLATFORM_FILES; f++)
				(*files)[(*n)++] = tw_copy_text(k.of[i].files[f]);
	}
	tw__node_kinds_finish(&k);
	tw__raw_finish(&raw);
	return status;
}
