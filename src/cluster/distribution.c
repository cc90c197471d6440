#include "cluster/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/spec.h"
#include "cluster/kinds.h"

static const struct tw__distribution_kind *const kinds[] = {
	&tw__distribution_2dbc, &tw__distribution_rows,  &tw__distribution_columns,
	&tw__distribution_sbc,  &tw__distribution_metis, &tw__distribution_file,
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static const struct tw__distribution_kind *kind_named(const char *name)
{
	for (int i = 0; i < N_KINDS; i++)
		if (strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	return NULL;
}

const struct tw_param *tw__distribution_params(const char *name)
{
	const struct tw__distribution_kind *kind = kind_named(name);
	return kind ? kind->params : NULL;
}

/* Makes each handle's owner the rank of the first task that writes it; if none does, of the first that reads it. All
 * tasks have ranks. */
static void own_where_written(struct tw__distribution *d, const struct tw_graph *g)
{
	d->owner = tw_alloc((size_t)g->n_data, sizeof *d->owner);
	bool *is_written = tw_alloc((size_t)g->n_data, sizeof *is_written);
	for (tw_task t = g->n_tasks - 1; t >= 0; t--)
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			const tw_data h = tw__access_data(g->access[a]);
			const bool writes = g->access[a] & TW_W;
			if (writes || !is_written[h])
				d->owner[h] = d->rank[t];
			is_written[h] |= writes;
		}
	free(is_written);
}

static bool writes(const struct tw_graph *g, tw_task t)
{
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (g->access[a] & TW_W)
			return true;
	return false;
}

/* Block-cyclic distributions suit matrices with several rows and columns, and tasks that write tiles. In a matrix with
 * one column, tiles next to each other would have different owners. Tasks that only read might be on few nodes. */
static const struct tw__distribution_kind *default_kind(const struct tw_graph *g)
{
	bool is_of_tiles = true;
	struct tw__matrix_tile last = {0, 0};
	for (tw_data d = 0; d < g->n_data && is_of_tiles; d++) {
		is_of_tiles = tw__is_tile(g, d);
		last.row = is_of_tiles && g->tiles[d].row > last.row ? g->tiles[d].row : last.row;
		last.column = is_of_tiles && g->tiles[d].column > last.column ? g->tiles[d].column : last.column;
	}
	for (tw_task t = 0; t < g->n_tasks && is_of_tiles; t++)
		is_of_tiles = writes(g, t);
	return is_of_tiles && last.row && last.column ? &tw__distribution_2dbc : &tw__distribution_metis;
}

/* Finds the kind, and its arguments, which the caller destroys. */
static int parse(const struct tw__distribution_kind **kind, struct tw_args **args, const char *words,
                 struct tw_error *err)
{
	struct tw__spec spec;
	char what[80];
	*args = NULL;
	int status = tw__spec_parse(&spec, words, err);
	if (status < 0)
		return status;
	*kind = kind_named(spec.name);
	snprintf(what, sizeof what, "distribution '%.60s'", spec.name);
	if (!*kind)
		status = tw_fail(err, TW_INVALID, "%s: expected 2dbc, rows, columns, sbc, metis or file", what);
	else
		status = tw__args_create(args, what, (*kind)->params, &spec, err);
	tw__spec_finish(&spec);
	return status;
}

int tw__distribution_check(const char *words, struct tw_error *err)
{
	const struct tw__distribution_kind *kind;
	struct tw_args *args;
	int status = parse(&kind, &args, words, err);
	if (status == TW_OK)
		tw__args_destroy(args);
	return status;
}

static int choose(const struct tw__distribution_kind **kind, struct tw_args **args, const struct tw_graph *g,
                  const char *words, struct tw_error *err)
{
	*args = NULL;
	if (words)
		return parse(kind, args, words, err);
	*kind = default_kind(g);
	return TW_OK;
}

int tw__distribute(struct tw__distribution *d, const struct tw_graph *g, const char *words, int n_ranks,
                   struct tw_error *err)
{
	const struct tw__distribution_kind *kind;
	struct tw_args *args;
	*d = (struct tw__distribution){0};
	int status = choose(&kind, &args, g, words, err);
	if (status == TW_OK)
		status = kind->fill(d, g, args, n_ranks, err);
	if (status == TW_OK && !d->owner)
		own_where_written(d, g);
	tw__args_destroy(args);
	if (status < 0)
		tw__distribution_finish(d);
	return status;
}

double tw__distribution_sends(const struct tw_graph *g, const char *words, int n_ranks)
{
	const struct tw__distribution_kind *kind;
	struct tw_args *args;
	struct tw_error err;
	double sends = NAN;
	if (choose(&kind, &args, g, words, &err) == TW_OK && kind->sends)
		sends = kind->sends(args, n_ranks);
	tw__args_destroy(args);
	return sends;
}

void tw__distribution_finish(struct tw__distribution *d)
{
	free(d->owner);
	free(d->rank);
	*d = (struct tw__distribution){0};
}
