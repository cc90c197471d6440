#include "packages.h"

#include <stdlib.h>

static int begin(struct tw__package_set *set, const tw_task *tasks)
{
	const struct tw_sharing *sh = set->sh;
	for (int32_t p = 0; p < set->n; p++) {
		struct tw__package *package = &set->packages[p];
		size_t first = sh->first_data[tasks[p]], end = sh->first_data[tasks[p] + 1];
		package->tasks = malloc(sizeof *package->tasks);
		package->data = malloc((end - first + 1) * sizeof *package->data);
		if (!package->tasks || !package->data)
			return TW_NOMEM;
		set->parent[p] = p;
		package->tasks[package->n++] = tasks[p];
		for (size_t i = first; i < end; i++) {
			tw_data d = sh->data[i];
			package->data[package->n_data++] = d;
			package->bytes += sh->bytes[d];
			set->holders[sh->first_task[d] + (size_t)set->n_holders[d]++] = p;
		}
	}
	return TW_OK;
}

int tw__package_set_init(struct tw__package_set *set, const struct tw_sharing *sh, const tw_task *tasks,
                         int32_t n_tasks)
{
	size_t n = (size_t)n_tasks + 1;
	*set = (struct tw__package_set){
		.sh = sh,
		.packages = calloc(n, sizeof *set->packages),
		.n = n_tasks,
		.n_alive = n_tasks,
		.parent = malloc(n * sizeof *set->parent),
		.holders = malloc((sh->first_task[sh->n_data] + 1) * sizeof *set->holders),
		.n_holders = calloc((size_t)sh->n_data + 1, sizeof *set->n_holders),
		.shared = calloc(n, sizeof *set->shared),
		.sharing = malloc(n * sizeof *set->sharing),
		.met = calloc(n, sizeof *set->met),
	};
	bool complete = set->packages && set->parent && set->holders && set->n_holders && set->shared && set->sharing &&
	                set->met;
	return complete ? begin(set, tasks) : TW_NOMEM;
}

static void empty(struct tw__package *p)
{
	free(p->tasks);
	free(p->data);
	*p = (struct tw__package){0};
}

void tw__package_set_finish(struct tw__package_set *set)
{
	for (int32_t p = 0; set->packages && p < set->n; p++)
		empty(&set->packages[p]);
	free(set->packages);
	free(set->parent);
	free(set->holders);
	free(set->n_holders);
	free(set->shared);
	free(set->sharing);
	free(set->met);
	*set = (struct tw__package_set){0};
}

static int32_t alive(struct tw__package_set *set, int32_t p)
{
	while (set->parent[p] != p)
		p = set->parent[p] = set->parent[set->parent[p]];
	return p;
}

/* Holders that are one package by now become one entry: the next look is shorter. */
void tw__package_set_look(struct tw__package_set *set, int32_t p)
{
	for (int32_t i = 0; i < set->n_sharing; i++)
		set->shared[set->sharing[i]] = 0;
	set->n_sharing = 0;
	for (int32_t i = 0; i < set->packages[p].n_data; i++) {
		tw_data d = set->packages[p].data[i];
		int32_t *holders = set->holders + set->sh->first_task[d], n = 0;
		set->n_met++;
		for (int32_t k = 0; k < set->n_holders[d]; k++) {
			int32_t q = alive(set, holders[k]);
			if (set->met[q] == set->n_met)
				continue;
			set->met[q] = set->n_met;
			holders[n++] = q;
			if (q == p)
				continue;
			if (set->shared[q] == 0)
				set->sharing[set->n_sharing++] = q;
			set->shared[q] += set->sh->bytes[d];
		}
		set->n_holders[d] = n;
	}
}

static void copy_tasks(tw_task *to, const struct tw__package *p, bool reversed)
{
	for (int32_t k = 0; k < p->n; k++)
		to[k] = p->tasks[reversed ? p->n - 1 - k : k];
}

/* The data of both, in the array of the package that has more. Fewer looks than at all of them: what the smaller one shares
 * with the other is found among the holders. */
static int unite_data(struct tw__package_set *set, struct tw__package *both, int32_t i, int32_t j)
{
	int32_t large = set->packages[i].n_data >= set->packages[j].n_data ? i : j, small = large == i ? j : i;
	struct tw__package *l = &set->packages[large], *s = &set->packages[small];
	tw_data *data = realloc(l->data, (size_t)(l->n_data + s->n_data + 1) * sizeof *data);
	if (!data)
		return TW_NOMEM;
	both->data = data;
	both->n_data = l->n_data;
	both->bytes = l->bytes;
	l->data = NULL;
	for (int32_t k = 0; k < s->n_data; k++) {
		const int32_t *holders = set->holders + set->sh->first_task[s->data[k]];
		int32_t n = set->n_holders[s->data[k]], h = 0;
		while (h < n && alive(set, holders[h]) != large)
			h++;
		if (h < n)
			continue;
		both->data[both->n_data++] = s->data[k];
		both->bytes += set->sh->bytes[s->data[k]];
	}
	return TW_OK;
}

int32_t tw__package_set_merge(struct tw__package_set *set, int32_t i, bool i_reversed, int32_t j, bool j_reversed)
{
	struct tw__package *pi = &set->packages[i], *pj = &set->packages[j];
	struct tw__package both = {
		.tasks = malloc((size_t)(pi->n + pj->n) * sizeof *both.tasks),
		.n = pi->n + pj->n,
		.split = pi->n,
	};
	if (!both.tasks || unite_data(set, &both, i, j)) {
		empty(&both);
		return TW_NOMEM;
	}
	copy_tasks(both.tasks, pi, i_reversed);
	copy_tasks(both.tasks + pi->n, pj, j_reversed);
	empty(pi);
	empty(pj);
	int32_t kept = i < j ? i : j, gone = i < j ? j : i;
	set->packages[kept] = both;
	set->parent[gone] = kept;
	set->n_alive--;
	return kept;
}
