/* Finds the points of a sweep that its file has no rows of. */
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

struct tw__candidate {
	char identity[TW__DIGEST_TEXT];
	int64_t point;
};

static int by_identity(const void *a, const void *b)
{
	const struct tw__candidate *left = a, *right = b;
	int order = strcmp(left->identity, right->identity);
	return order ? order : (left->point > right->point) - (left->point < right->point);
}

static int by_number(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
	return (left > right) - (left < right);
}

/* Computes the identities of all points of the shard. */
static int identify(struct tw__agenda *agenda, const struct tw__sweep *sweep, struct tw_error *err)
{
	int status = TW_OK;
	const int64_t all = tw__inputs_points(sweep->inputs);
	for (int64_t i = sweep->shard - 1; status == TW_OK && i < all; i += sweep->n_shards) {
		struct tw__request request;
		struct tw__candidate *candidate = &agenda->candidates[agenda->n_candidates++];
		tw__inputs_point(sweep->inputs, i, &request);
		candidate->point = i;
		status = tw__identify(&agenda->identifier, &request, candidate->identity, err);
	}
	return status;
}

int tw__agenda_init(struct tw__agenda *agenda, const struct tw__sweep *sweep, struct tw_error *err)
{
	*agenda = (struct tw__agenda){0};
	size_t most = (size_t)(tw__inputs_points(sweep->inputs) / sweep->n_shards) + 1;
	agenda->candidates = tw_alloc(most, sizeof *agenda->candidates);
	agenda->missing = tw_alloc(most, sizeof *agenda->missing);
	int status = identify(agenda, sweep, err);
	if (status < 0)
		tw__agenda_finish(agenda);
	return status;
}

/* Points with the same identity run once, for example `--eviction lru` and no --eviction for a policy whose default is
 * lru. */
void tw__agenda_compare(struct tw__agenda *agenda, const struct tw__kept *rows, bool retry)
{
	const struct tw__candidate *candidates = agenda->candidates;
	qsort(agenda->candidates, agenda->n_candidates, sizeof *agenda->candidates, by_identity);
	for (size_t i = 0; i < agenda->n_candidates; i++) {
		if (i > 0 && strcmp(candidates[i].identity, candidates[i - 1].identity) == 0)
			continue;
		const struct tw__row_key *row = tw__kept_find(rows, candidates[i].identity);
		bool counts = row && !(row->failed && retry);
		agenda->points++;
		agenda->there += counts;
		agenda->there_failed += counts && row->failed;
		if (!counts)
			agenda->missing[agenda->n++] = candidates[i].point;
	}
	if (agenda->n > 0)
		qsort(agenda->missing, (size_t)agenda->n, sizeof *agenda->missing, by_number);
	free(agenda->candidates);
	agenda->candidates = NULL;
}

void tw__agenda_finish(struct tw__agenda *agenda)
{
	tw__identifier_finish(&agenda->identifier);
	free(agenda->candidates);
	free(agenda->missing);
	*agenda = (struct tw__agenda){0};
}
