/* Modules: parts of Tilewright in separate shared objects, which are opened when a command needs them. A module uses
 * functions of the library, which is already in the process. The libraries that a module links with are loaded with it;
 * other commands run without them. */
#ifndef TW__MODULE_H
#define TW__MODULE_H

#include <tilewright/base.h>

#include "base/module_paths.h"

enum { TW__PATH_BYTES = 4096 };

/* Writes the path of the module's file to `room` and returns it. The file is in the folder tilewright beside
 * libtilewright.so, so that an installed tree can be moved; else it is `built`, in the build tree. */
const char *tw__module_path(char room[TW__PATH_BYTES], const char *built);

/* Opens the module for the rest of the process. Returns the address of an object that it exports. NULL: the error is
 * TW_INVALID with the message "FILE: no WHAT: reason", also if the module was built for another
 * version. */
const void *tw__module_open(const char *built, const char *symbol, const char *what, struct tw_error *err);

#endif
