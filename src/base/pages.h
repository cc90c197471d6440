/* Asks the kernel for huge pages for large blocks, because translating addresses in many small pages takes long. Blocks
 * below 4 MiB keep small pages, and so do all blocks on a system without huge pages. */
#ifndef TW__PAGES_H
#define TW__PAGES_H

#include <stddef.h>

/* Moves a block to huge pages, after its bytes have been written. */
void tw__pages_collapse(void *block, size_t bytes);
/* Gives huge pages to all anonymous memory of the process that is first written after this call. */
void tw__pages_advise_all(void);
/* From now on, large blocks have pages of their own. The system has these back when a block is freed. A block of zeros
 * takes no memory before it is written. Changes the allocator, so the process must be ours. */
void tw__pages_set_apart(void);
/* Gives memory that was freed back to the system, after blocks of so many bytes. Few bytes are kept. */
void tw__pages_give_back(size_t bytes);

#endif
