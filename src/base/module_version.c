/* A part of each module: the version that it was built for. module.c compares. */
#include "base/version.h"

extern const char tw__module_version[];
const char tw__module_version[] = TW__VERSION;
