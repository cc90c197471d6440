/* The policies of a cluster's nodes, if these differ. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "request/domains.h"

/* Parses a node's number, or a range of them. */
static bool parse_range(const char *item, long *first, long *last)
{
	char *end;
	if (!isdigit((unsigned char)*item))
		return false;
	*first = *last = strtol(item, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		*last = strtol(end + 1, &end, 10);
	return !*end && *first <= *last;
}

/* Whether the item means the node: its number, its name or its platform's. */
static bool is_meant(const char *item, const struct tw__platform *p, int rank)
{
	long first, last;
	if (!strcmp(item, p->rank_names[rank]) || !strcmp(item, p->kinds[p->kind_of[rank]]->name))
		return true;
	return parse_range(item, &first, &last) && first <= rank && rank <= last && last < p->n_ranks;
}

static int bind_item(uint8_t *policy_of, int word, const char *item, const struct tw__platform *p, struct tw_error *err)
{
	bool any = false;
	for (int rank = 0; rank < p->n_ranks; rank++) {
		if (!is_meant(item, p, rank))
			continue;
		if (policy_of[rank] && policy_of[rank] != word)
			return tw_fail(err, TW_INVALID,
			               "policy: node '%.60s' has two policies of its own: expected at most one",
			               p->rank_names[rank]);
		policy_of[rank] = (uint8_t)word;
		any = true;
	}
	return any ? TW_OK
	           : tw_fail(err, TW_INVALID,
	                     "policy: platform '%.60s' has no node '%.60s': expected numbers from 0 to %d, as in 2 or "
	                     "1-3, names of nodes or of their platforms, with '/' between",
	                     p->name, item, p->n_ranks - 1);
}

int tw__node_policies_bind(uint8_t **policy_of, const struct tw__domain_words *words, const struct tw__platform *p,
                           struct tw_error *err)
{
	int status = TW_OK;
	*policy_of = NULL;
	if (words->n < 2 || !words->of[1].nodes)
		return TW_OK;
	if (!p->rank_names)
		return tw_fail(err, TW_INVALID,
		               "policy: a policy of node '%.60s': platform '%.60s' is one node, no cluster",
		               words->of[1].nodes, p->name);
	*policy_of = tw_alloc((size_t)p->n_ranks, sizeof **policy_of);
	for (int i = 1; i < words->n; i++)
		for (const char *rest = words->of[i].nodes; *rest && status == TW_OK;) {
			const size_t length = strcspn(rest, "/");
			char *item = tw_format("%.*s", (int)length, rest);
			status = bind_item(*policy_of, i, item, p, err);
			free(item);
			rest += length + (rest[length] == '/');
		}
	return status;
}
