/* Groups of cores, from --cpu-groups. Each group is one worker, whose kernels run on all its cores at once. (Beaumont
 * et al. 2016, section IV-B, from "10+10" to twenty times 1; parallel tasks in Augonnet 2011, section 4.2.2.) */
#ifndef TW__GROUPS_H
#define TW__GROUPS_H

#include <tilewright/base.h>

/* Parses "10+5+5" into three numbers, each from 1 to TW__MAX_WORKERS. The caller frees the array. */
int tw__groups_parse(int **cores, int *n, const char *text, struct tw_error *err);

#endif
