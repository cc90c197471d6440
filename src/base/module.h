/* Modules: parts of Tilewright in separate shared objects, which a command opens when it needs them. A module calls
 * functions of the private library, or of libtilewright.so in a program that has it. The external libraries that a
 * module links with are loaded with the module; commands without it do not load them. */
#ifndef TW__MODULE_H
#define TW__MODULE_H

#include <tilewright/base.h>

#include "base/module_paths.h"

enum { TW__PATH_BYTES = 4096 };

/* Writes the path of the module's file to `room` and returns it. The file is beside the private library,
 * in the folder tilewright beside libtilewright.so, so that an installed tree can be moved. If there is no such file,
 * the path is `built`, a path in the build tree. */
const char *tw__module_path(char room[TW__PATH_BYTES], const char *built);

/* Opens the module for the rest of the process. Returns the address of the object `symbol` that it exports. Returns
 * NULL, with the error "FILE: no WHAT: reason", if it cannot be opened or was built for another version. */
const void *tw__module_open(const char *built, const char *symbol, const char *what, struct tw_error *err);

/* As dlopen and dlclose. Between the last two no thread is in them, so that a thread can fork. Otherwise the child
 * would wait for ever for a lock of the C library that the loader held. */
void *tw__library_open(const char *path, int flags);
void tw__library_close(void *library);
void tw__loading_lock(void);
void tw__loading_unlock(void);

#endif
