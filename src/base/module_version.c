/* The version that a module was built for, linked into each module. module.c compares it with the library's version. */
#include "base/version.h"

extern const char tw__module_version[];
const char tw__module_version[] = TW__VERSION;
