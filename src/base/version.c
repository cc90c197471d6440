#include <tilewright/base.h>

#include "base/version.h"

const char *tw_version(void) { return TW__VERSION; }
