/* Modules: parts of Tilewright in shared objects of their own, opened when a command needs them. A module uses
 * functions of the library, which is in the process already. The libraries that it links with load with it; until
 * then they may be absent. */
#ifndef TW__MODULE_H
#define TW__MODULE_H

#include <tilewright/base.h>

#include "base/module_paths.h"

enum { TW__PATH_BYTES = 4096 };

/* The module's file: in the folder tilewright beside libtilewright.so, so that an installed tree may be moved; else
 * `built`, in the build tree. Returns `room`. */
const char *tw__module_path(char room[TW__PATH_BYTES], const char *built);

/* Opens the module for the rest of the process. Returns the address of an object that it exports; NULL: TW_INVALID,
 * with the message "FILE: no WHAT: reason", also if the module was built for another version. */
const void *tw__module_open(const char *built, const char *symbol, const char *what, struct tw_error *err);

#endif
