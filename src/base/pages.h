/* Huge pages for large blocks, because translating addresses in many small pages takes long. Blocks below 4 MiB stay as
 * they are, and so do all blocks on a system without huge pages. */
#ifndef TW__PAGES_H
#define TW__PAGES_H

#include <stddef.h>

/* For a block that is written already. */
void tw__pages_collapse(void *block, size_t bytes);
/* For all anonymous memory of the process: parts that are written later get huge pages. */
void tw__pages_advise_all(void);

#endif
