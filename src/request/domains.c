#include "request/domains.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spec.h"
#include "graph/parts.h"

/* --- the words of a specification --------------------------------------------------------------------------------- */

/* Returns the length of a domain's name at the begin of the text; 0: no name and '=' are there. */
static size_t name_length(const char *text)
{
	size_t n = 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return text[n] == '=' ? n : 0;
}

/* Whether a domain begins here: NAME=WORKERS:. */
static bool begins(const char *text)
{
	size_t n = name_length(text);
	return n > 0 && text[n + strcspn(text + n, "+:")] == ':';
}

/* Returns the '+' before the next NODES=POLICY, or the end of the text. */
static const char *next_nodes(const char *text)
{
	const char *at = strchr(text, '+');
	for (; at; at = strchr(at + 1, '+')) {
		const size_t n = strcspn(at + 1, "=:+()");
		if (n > 0 && at[1 + n] == '=')
			return at;
	}
	return text + strlen(text);
}

bool tw__has_several_policies(const char *text) { return begins(text) || *next_nodes(text); }

static int take(struct tw__domain_words *words, const char *text, size_t length, struct tw_error *err)
{
	size_t name = name_length(text), colon = strcspn(text, ":");
	if (!name || colon >= length || colon == name + 1 || colon + 1 == length)
		return tw_fail(err, TW_INVALID, "domain '%.*s': expected NAME=WORKERS:POLICY, as in gpus=gpu:dmdas",
		               (int)length, text);
	if (name >= TW__DOMAIN_NAME)
		return tw_fail(err, TW_INVALID, "domain '%.*s': its name has %zu letters: expected at most %d",
		               (int)length, text, name, TW__DOMAIN_NAME - 1);
	if (words->n == TW__MOST_DOMAINS)
		return tw_fail(err, TW_INVALID, "domain '%.*s': expected at most %d domains", (int)length, text,
		               TW__MOST_DOMAINS);
	struct tw__domain_word *w = &words->of[words->n];
	snprintf(w->name, sizeof w->name, "%.*s", (int)name, text);
	for (int i = 0; i < words->n; i++)
		if (strcmp(words->of[i].name, w->name) == 0)
			return tw_fail(err, TW_INVALID,
			               "domain '%s': a second domain of that name: expected another name", w->name);
	w->workers = tw_format("%.*s", (int)(colon - name - 1), text + name + 1);
	w->policy = tw_format("%.*s", (int)(length - colon - 1), text + colon + 1);
	words->n++;
	return TW_OK;
}

/* Takes a policy, and those of single nodes behind it. */
static int take_nodes(struct tw__domain_words *words, const char *text, struct tw_error *err)
{
	const char *end = next_nodes(text);
	words->of[words->n++].policy = tw_format("%.*s", (int)(end - text), text);
	while (*end) {
		const char *nodes = end + 1, *policy = strchr(nodes, '=') + 1;
		struct tw__domain_word *w = &words->of[words->n];
		end = next_nodes(policy);
		if (end == policy)
			return tw_fail(err, TW_INVALID,
			               "policy '%.100s': expected POLICY+NODES=POLICY, as in lws+1-3=dmdas", text);
		if (words->n == TW__MOST_DOMAINS)
			return tw_fail(err, TW_INVALID, "policy '%.100s': expected at most %d policies", text,
			               TW__MOST_DOMAINS);
		w->nodes = tw_format("%.*s", (int)(policy - 1 - nodes), nodes);
		w->policy = tw_format("%.*s", (int)(end - policy), policy);
		words->n++;
	}
	return TW_OK;
}

int tw__domain_words_init(struct tw__domain_words *words, const char *text, struct tw_error *err)
{
	*words = (struct tw__domain_words){0};
	if (!begins(text))
		return take_nodes(words, text, err);
	int status = TW_OK;
	for (const char *rest = text; status == TW_OK && *rest;) {
		size_t length = strcspn(rest, "+");
		while (rest[length] && !begins(rest + length + 1)) /* policies may have '+' in a parameter */
			length += 1 + strcspn(rest + length + 1, "+");
		status = take(words, rest, length, err);
		rest += length + (rest[length] == '+');
	}
	return status;
}

int tw__domain_check(const char *text, struct tw_error *err)
{
	struct tw__domain_words words = {0};
	int status = take(&words, text, strlen(text), err);
	const char *plus = status == TW_OK ? strchr(text, '+') : NULL;
	for (; plus && status == TW_OK; plus = strchr(plus + 1, '+'))
		if (begins(plus + 1))
			status = tw_fail(err, TW_INVALID, "domain '%.100s': expected one domain, not several", text);
	tw__domain_words_finish(&words);
	return status;
}

void tw__domain_words_finish(struct tw__domain_words *words)
{
	for (int i = 0; i < words->n; i++) {
		free(words->of[i].workers);
		free(words->of[i].policy);
		free(words->of[i].nodes);
	}
	words->n = 0;
}

/* --- workers ------------------------------------------------------------------------------------------------------ */

/* Parses "", "N" or "N-M" behind a kind of workers. */
static bool parse_range(const char *text, long *first, long *last)
{
	char *end;
	*first = 0;
	*last = INT_MAX;
	if (!*text)
		return true;
	if (!isdigit((unsigned char)*text))
		return false;
	*first = *last = strtol(text, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		*last = strtol(end + 1, &end, 10);
	return !*end && *first <= *last;
}

/* Adds the workers of that name or arch, or all; returns their number. */
static int add_named(bool *has, const char *item, const struct tw__platform *p)
{
	int n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		bool meant = !strcmp(item, "all") || !strcmp(item, p->workers[w].name) ||
		             !strcmp(item, p->archs[p->workers[w].arch].name);
		has[w] |= meant;
		n += meant;
	}
	return n;
}

/* Adds CPU workers or accelerators: cpu, gpu0, cpu0-3. */
static int add_range(bool *has, const char *item, const struct tw__platform *p)
{
	long first = 0, last = 0, number[2] = {0, 0};
	const bool gpus = !strncmp(item, "gpu", 3);
	int n = 0;
	if ((!gpus && strncmp(item, "cpu", 3) != 0) || !parse_range(item + 3, &first, &last))
		return 0;
	for (tw_worker w = 0; w < p->n_workers; w++) {
		const bool accelerator = p->archs[p->workers[w].arch].accelerator;
		const long place = number[accelerator]++;
		bool meant = accelerator == gpus && place >= first && place <= last;
		has[w] |= meant;
		n += meant;
	}
	return n;
}

static int find_workers(bool *has, const struct tw__domain_word *word, const struct tw__platform *p,
                        struct tw_error *err)
{
	for (const char *rest = word->workers; rest && *rest;) {
		char item[100];
		size_t length = strcspn(rest, "/");
		snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : sizeof item - 1), rest);
		if (!add_named(has, item, p) && !add_range(has, item, p))
			return tw_fail(err, TW_INVALID,
			               "domain '%s': platform '%.60s' has no worker '%s': expected all, cpu, gpu, "
			               "cpu0-3, an arch or a worker's name, with '/' between",
			               word->name, p->name, item);
		rest += length + (rest[length] == '/');
	}
	return TW_OK;
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

static int split(const char *word, char kernel[100], char domain[TW__DOMAIN_NAME], struct tw_error *err)
{
	const char *at = strrchr(word, '=');
	if (!at || at == word || at - word >= 100 || !at[1] || strlen(at + 1) >= TW__DOMAIN_NAME)
		return tw_fail(err, TW_INVALID, "--assign '%.100s': expected KERNEL=DOMAIN, as in gemm=gpus", word);
	snprintf(kernel, 100, "%.*s", (int)(at - word), word);
	snprintf(domain, TW__DOMAIN_NAME, "%s", at + 1);
	return TW_OK;
}

int tw__assign_check(const char *text, struct tw_error *err)
{
	int status = TW_OK;
	for (const char *rest = text; rest && status == TW_OK;) {
		char kernel[100], domain[TW__DOMAIN_NAME], *word = tw__next_word(&rest);
		status = split(word, kernel, domain, err);
		free(word);
	}
	return status;
}

static int find_domain(const struct tw__domain_words *words, const char *option, const char *name, struct tw_error *err)
{
	for (int i = 0; i < words->n; i++)
		if (strcmp(words->of[i].name, name) == 0)
			return i;
	return tw_fail(err, TW_INVALID, "%s: the run has no domain '%.100s': expected a name from --domain", option,
	               name);
}

/* Sets of_kernel[] for the kernels of that name, of all sizes. */
static int assign(uint8_t *of_kernel, const struct tw__domain_words *words, const char *word, const struct tw_graph *g,
                  struct tw_error *err)
{
	char kernel[100], domain[TW__DOMAIN_NAME];
	bool found = false;
	int status = split(word, kernel, domain, err);
	if (status == TW_OK)
		status = find_domain(words, "--assign", domain, err);
	for (tw_kernel k = 0; status >= 0 && k < g->n_kernels; k++)
		if (strcmp(tw_graph_kernel_name(g, k), kernel) == 0) {
			if (of_kernel[k] != UINT8_MAX)
				return tw_fail(err, TW_INVALID, "--assign: kernel '%s' twice: expected it once",
				               kernel);
			of_kernel[k] = (uint8_t)status;
			found = true;
		}
	if (status >= 0 && !found)
		return tw_fail(err, TW_INVALID, "--assign: the workload has no kernel '%s'", kernel);
	return status < 0 ? status : TW_OK;
}

static int assign_all(uint8_t *of_kernel, const struct tw__domain_words *words, const char *text,
                      const struct tw_graph *g, struct tw_error *err)
{
	int status = TW_OK;
	memset(of_kernel, UINT8_MAX, (size_t)g->n_kernels);
	for (const char *rest = text; rest && status == TW_OK;) {
		char *word = tw__next_word(&rest);
		status = assign(of_kernel, words, word, g, err);
		free(word);
	}
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		of_kernel[k] = of_kernel[k] == UINT8_MAX ? 0 : of_kernel[k];
	return status;
}

/* --- binding ------------------------------------------------------------------------------------------------------ */

static bool can_run(const struct tw__domain *domain, const struct tw__domain_scene *scene, tw_task t)
{
	const struct tw__platform *p = scene->platform;
	for (tw_worker w = 0; w < p->n_workers; w++)
		if (domain->workers[w] && tw__task_can_run(scene->belief, scene->graph, t, p->workers[w].arch))
			return true;
	return false;
}

/* Whether the domain can combine the accumulators of a reduction. */
static bool can_combine(const struct tw__domain *domain, const struct tw__domain_scene *scene, int32_t phase)
{
	const struct tw__platform *p = scene->platform;
	const double *mean = &scene->belief->mean[scene->graph->phases[phase].combine * scene->belief->n_archs];
	for (tw_worker w = 0; w < p->n_workers; w++)
		if (domain->workers[w] && !isnan(mean[p->workers[w].arch]))
			return true;
	return false;
}

/* Sets the domains of tasks, which those of their kernels give, or those of whole graphs. */
static int assign_tasks(uint8_t *domain_of, const uint8_t *of_kernel, const struct tw__domain_words *words,
                        const struct tw_graph *g, struct tw_error *err)
{
	for (tw_task t = 0; t < g->n_tasks; t++)
		domain_of[t] = of_kernel[g->kernel[t]];
	for (int i = 0; i < g->n_parts; i++) {
		int domain = g->parts[i].domain ? find_domain(words, "--with", g->parts[i].domain, err) : 0;
		if (domain < 0)
			return domain;
		if (g->parts[i].domain)
			memset(domain_of + g->parts[i].first, domain,
			       (size_t)(tw__graph_part_end(g, i) - g->parts[i].first));
	}
	return TW_OK;
}

/* Checks that all tasks can run in their domains. */
static int check_tasks(const struct tw__domain *domains, const uint8_t *domain_of, const struct tw__domain_scene *scene,
                       struct tw_error *err)
{
	const struct tw_graph *g = scene->graph;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		const struct tw__domain *domain = &domains[domain_of[t]];
		if (!can_run(domain, scene, t))
			return tw_fail(err, TW_INVALID,
			               "domain '%s': task %d (%s) has no time on any of its workers: expected --assign "
			               "with another domain for this kernel",
			               domain->name, (int)t, tw_graph_kernel_name(g, g->kernel[t]));
	}
	for (int32_t p = 0; p < g->n_phases; p++) {
		const struct tw__domain *domain = &domains[domain_of[g->phases[p].first]];
		if (!can_combine(domain, scene, p))
			return tw_fail(err, TW_INVALID,
			               "domain '%s': none of its workers can combine the accumulators of data %d: "
			               "expected --assign with another domain for the tasks that contribute",
			               domain->name, (int)g->phases[p].data);
	}
	return TW_OK;
}

/* Checks that a run without domains names none. */
static int check_unassigned(const struct tw_graph *g, const char *assign, struct tw_error *err)
{
	if (assign)
		return tw_fail(err, TW_INVALID, "--assign '%.100s': the run has no domains: expected --domain", assign);
	for (int i = 0; i < g->n_parts; i++)
		if (g->parts[i].domain)
			return tw_fail(err, TW_INVALID,
			               "graph %d of the workload is for domain '%.60s', and the run has none: expected "
			               "--domain",
			               i, g->parts[i].domain);
	return TW_OK;
}

int tw__domains_bind(struct tw__domain *domains, uint8_t **domain_of, const struct tw__domain_words *words,
                     const char *assign, const struct tw__domain_scene *scene, struct tw_error *err)
{
	if (!words->of->workers)
		return check_unassigned(scene->graph, assign, err);
	if (scene->platform->rank_names)
		return tw_fail(err, TW_INVALID,
		               "domain '%s': scheduling domains on a cluster: expected a policy, or policies of nodes, "
		               "as in lws+1-3=dmdas",
		               words->of->name);
	for (int i = 0; i < words->n; i++) {
		bool *has = tw_alloc((size_t)scene->platform->n_workers, sizeof *has);
		domains[i].name = words->of[i].name;
		domains[i].workers = has;
		int status = find_workers(has, &words->of[i], scene->platform, err);
		if (status < 0)
			return status;
	}
	uint8_t *of_kernel = tw_alloc((size_t)scene->graph->n_kernels, sizeof *of_kernel);
	*domain_of = tw_alloc((size_t)scene->graph->n_tasks, sizeof **domain_of);
	int status = assign_all(of_kernel, words, assign, scene->graph, err);
	if (status == TW_OK)
		status = assign_tasks(*domain_of, of_kernel, words, scene->graph, err);
	if (status == TW_OK)
		status = check_tasks(domains, *domain_of, scene, err);
	free(of_kernel);
	return status;
}

void tw__domains_unbind(struct tw__domain *domains, uint8_t **domain_of, const struct tw__domain_words *words)
{
	for (int i = 0; i < words->n; i++) {
		free(domains[i].workers);
		domains[i].workers = NULL;
	}
	free(*domain_of);
	*domain_of = NULL;
}
