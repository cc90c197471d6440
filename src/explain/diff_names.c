/* Workers, kinds of workers and memories of two platforms, matched by their names. */
#include <stdlib.h>
#include <string.h>

#include "explain/diff.h"

static int find(const struct tw__diff_names *names, const char *name)
{
	int i = 0;
	while (i < names->n && strcmp(names->list[i], name) != 0)
		i++;
	return i;
}

bool tw__diff_names_init(struct tw__diff_names *names, const int n[2], const char *(*name)(const void *run, int),
                         const void *const run[2])
{
	size_t most = (size_t)n[0] + (size_t)n[1] + 1;
	*names = (struct tw__diff_names){.list = calloc(most, sizeof *names->list)};
	bool ok = names->list;
	for (int side = 0; side < 2; side++) {
		names->in[side] = malloc(most * sizeof *names->in[side]);
		names->number[side] = malloc(most * sizeof *names->number[side]);
		ok = ok && names->in[side] && names->number[side];
	}
	for (int side = 0; ok && side < 2; side++)
		for (int i = 0; i < n[side]; i++) {
			int at = find(names, name(run[side], i));
			if (at == names->n) {
				names->list[names->n++] = name(run[side], i);
				names->in[0][at] = names->in[1][at] = TW_NONE;
			}
			names->in[side][at] = i;
			names->number[side][i] = at;
		}
	return ok;
}

void tw__diff_names_finish(struct tw__diff_names *names)
{
	free(names->list);
	for (int side = 0; side < 2; side++) {
		free(names->in[side]);
		free(names->number[side]);
	}
	*names = (struct tw__diff_names){0};
}
