/* Turns names of devices, as drivers and hwloc report them, into names of archs. */
#ifndef TW__ARCH_NAME_H
#define TW__ARCH_NAME_H

#include <stddef.h>

/* Writes the name of an arch for a device's name: "Tesla V100-SXM2-16GB" -> "tesla-v100-sxm2-16gb". `room`: bytes at
 * `to`, at least 1. */
void tw__arch_name(char *to, size_t room, const char *model);

#endif
