/* Why the system refused memory, a process or a thread: its error, and the limit of the shell that is in the way. */
#ifndef TW__REFUSED_H
#define TW__REFUSED_H

#include <stdbool.h>
#include <stdint.h>

enum { TW__REFUSED_TEXT = 160 };

/* Whether a limit of this process, `ulimit -v`, lets it map no further `bytes`. */
bool tw__is_short_of_memory(uint64_t bytes);
/* Writes as in "Resource temporarily unavailable (ulimit -u allows 4 processes and threads)". `reason`: an errno.
 * Returns `text`. */
const char *tw__refused(char text[TW__REFUSED_TEXT], int reason);

#endif
