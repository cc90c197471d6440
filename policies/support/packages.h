/* Packages of tasks, and which bytes they share: what tw_pack() starts from and merges. They have the numbers of the tasks to be
 * packed, from 0; two that merge keep the lower. */
#ifndef TILEWRIGHT_PACKAGES_H
#define TILEWRIGHT_PACKAGES_H

#include <tilewright/sharing.h>

struct tw__package {
	tw_task *tasks;
	int32_t n, split; /* its sub-packages: the tasks before `split`, the others; 0: it is a single task */
	tw_data *data;    /* in no order */
	int32_t n_data;
	uint64_t bytes;
};

struct tw__package_set {
	const struct tw_sharing *sh;
	struct tw__package *packages;
	int32_t n, n_alive;
	int32_t *parent; /* [packages] what it has merged into; itself: it is alive */
	/* The packages of each data, by numbers that they have or had; each once, as it was when last looked at. */
	int32_t *holders; /* of data d: from sh->first_task[d] on */
	int32_t *n_holders;
	/* The packages that share data with the one looked at last. */
	uint64_t *shared; /* [packages] bytes; 0 for all others */
	int32_t *sharing, n_sharing;
	int64_t *met, n_met; /* [packages] where it was met last */
};

/* Each task is a package. TW_NOMEM: finish it all the same. */
int tw__package_set_init(struct tw__package_set *, const struct tw_sharing *, const tw_task *tasks, int32_t n);
void tw__package_set_finish(struct tw__package_set *);

/* Fills `sharing` and `shared` for a package. */
void tw__package_set_look(struct tw__package_set *, int32_t p);

/* The tasks of i, then those of j, each reversed or not, become one package; returns its number. */
int32_t tw__package_set_merge(struct tw__package_set *, int32_t i, bool i_reversed, int32_t j, bool j_reversed);

#endif
