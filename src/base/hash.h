/* Hash tables: uthash, with memory that never is NULL (memory.h). By default it would end the process. */
#ifndef TW__HASH_H
#define TW__HASH_H

#include <tilewright/base.h>

#define uthash_malloc(bytes) tw_resize(NULL, bytes, 1)
#define uthash_fatal(message) __builtin_unreachable()
#include <uthash.h>

#endif
