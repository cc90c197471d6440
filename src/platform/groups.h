/* Groups of cores, from option --cpu-groups. Each group is one worker, whose kernels run on all cores of the group at
 * once. Beaumont et al. 2016, section IV-B, divide 20 cores into groups, from "10+10" to twenty of one core. Augonnet
 * 2011, section 4.2.2, describes such parallel tasks. */
#ifndef TW__GROUPS_H
#define TW__GROUPS_H

#include <tilewright/base.h>

/* Parses a list of groups such as "10+5+5" into the numbers of cores of its groups, each from 1 to TW__MAX_WORKERS. *n:
 * the number of groups. The caller frees *cores. */
int tw__groups_parse(int **cores, int *n, const char *text, struct tw_error *err);

#endif
