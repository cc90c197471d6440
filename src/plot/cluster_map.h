#ifndef TW__CLUSTER_MAP_H
#define TW__CLUSTER_MAP_H

#include "platform/platform.h"

/* Writes the script of a picture of a cluster, a struct tw__platform, for the program dot. TW_INVALID: too large. */
int tw__cluster_map_write(void *platform, FILE *script, struct tw_error *err);

#endif
