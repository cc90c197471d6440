/* A copy of baton.c that pauses at random before each of its atomic operations, so that orders of events that are rare
 * become frequent. Each operation names its memory order: a place to put a pause. */
#include <stdatomic.h>

#include "pauses.h"

#define memory_order_relaxed (pause_at_random(), __ATOMIC_RELAXED)
#define memory_order_acquire (pause_at_random(), __ATOMIC_ACQUIRE)
#define memory_order_release (pause_at_random(), __ATOMIC_RELEASE)
#define memory_order_acq_rel (pause_at_random(), __ATOMIC_ACQ_REL)
#define memory_order_seq_cst (pause_at_random(), __ATOMIC_SEQ_CST)
#include "../../src/engine/baton.c"
