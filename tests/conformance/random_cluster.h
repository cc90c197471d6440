/* Random clusters, as files that a user may write. */
#ifndef RANDOM_CLUSTER_H
#define RANDOM_CLUSTER_H

#include <stdbool.h>

#include "base/random.h"

enum { RANDOM_WORDS = 512 };

/* Writes a cluster of 1 to 16 nodes into the folder, and graph.json if wanted. One to three random nodes, with a disk
 * if wanted, are in folders of their own. `with`: see random_files.h. Returns the number of nodes; 0: a file cannot be
 * written. */
int random_cluster(const char *folder, struct tw__random *, unsigned with);

/* Writes the words of a random distribution of the workload over n nodes; "": the default. Some are in a file in the
 * folder. */
void random_distribution(char words[RANDOM_WORDS], const char *folder, struct tw__random *, const char *workload,
                         int n_nodes);

#endif
