/* The choice of victims: the eviction policy chooses among the copies that may be evicted. */
#ifndef TW__VICTIM_H
#define TW__VICTIM_H

#include "runtime/state/state.h"

/* Returns the kinds of copies (enum kind) that may be evicted, one bit each. `clean`: only copies that need no
 * write-back. `protect`: no copies that queued tasks have prefetched. */
unsigned tw__victim_kinds(bool clean, bool protect);
/* Returns the victim that the eviction policy chooses among the copies that the query allows; TW_NONE: none. */
tw_data tw__victim_choose(struct tw_sched *, tw_node, const struct tw_victim_query *);
/* Returns the victim that the eviction policy chooses among copies of these kinds; TW_NONE: none. `more`: a second call
 * with more kinds may follow. */
tw_data tw__victim(struct tw_sched *, tw_node, unsigned kinds, bool more);

#endif
