/* Where plug-ins of the real engine are. */
#ifndef TW__PLUGIN_PATH_H
#define TW__PLUGIN_PATH_H

enum { TW__PATH_BYTES = 4096 };

/* In the folder tilewright beside libtilewright.so, so that an installed tree may be moved; else it is `built`, in the build tree.
 * Returns `room`. */
const char *tw__plugin_path(char room[TW__PATH_BYTES], const char *built);

#endif
