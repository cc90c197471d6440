/* What the building of a graph needs and a finished graph does not. */
#ifndef TW__BUILD_H
#define TW__BUILD_H

#include "graph/graph.h"

struct tw__graph_build *tw__graph_build_create(void);
void tw__graph_build_destroy(struct tw__graph_build *);

#endif
