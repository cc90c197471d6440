/* Random nodes and task graphs, as files that a user may write. */
#ifndef RANDOM_FILES_H
#define RANDOM_FILES_H

#include <stdbool.h>

#include "base/random.h"

enum {
	WITH_GRAPH = 1,
	WITH_DISK = 2,
	IN_CLUSTER = 4,     /* some arch runs all kernels, and the graph has no reductions without the next */
	WITH_REDUCTIONS = 8 /* otherwise one graph in five of a single node has some */
};

/* Writes platform.xml and kernels.csv into the folder, and graph.json if wanted. Dates of runs are from 1 ns to about
 * 1e9 s. Returns false if a file cannot be written. */
bool random_files(const char *folder, struct tw__random *, unsigned with);

#endif
