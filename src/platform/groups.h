/* Groups of cores, as --cpu-groups tells them: each is one worker, whose kernels run on all of its cores at once (Beaumont et
 * al. 2016, section IV-B, "10+10" to twenty times 1; parallel tasks in Augonnet 2011, section 4.2.2). */
#ifndef TW__GROUPS_H
#define TW__GROUPS_H

#include <tilewright/base.h>

/* "10+5+5" as three numbers, each of 1 to TW__MAX_WORKERS; malloc'ed, the caller's. */
int tw__groups_parse(int **cores, int *n, const char *text, struct tw_error *err);

#endif
