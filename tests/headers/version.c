/* PROJECT: the version in meson.build. */
#include <tilewright/base.h>

_Static_assert(TW_VERSION == PROJECT, "TW_VERSION of tilewright/base.h: expected the version in meson.build");
