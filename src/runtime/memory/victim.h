/* The choice of victims: the eviction policy chooses among the copies that may leave. */
#ifndef TW__VICTIM_H
#define TW__VICTIM_H

#include "runtime/state/state.h"

/* The kinds of copies that may leave, as bits. `clean`: only clean ones. `protect`: none that queued tasks
 * prefetched. */
unsigned tw__victim_kinds(bool clean, bool protect);
/* The eviction policy's choice among those that the query allows. */
tw_data tw__victim_choose(struct tw_sched *, tw_node, const struct tw_victim_query *);
/* The same among copies of these kinds. `more`: a second call with more kinds may follow. */
tw_data tw__victim(struct tw_sched *, tw_node, unsigned kinds, bool more);

#endif
