/* Turns model names into names of archs. */
#ifndef TW__ARCH_NAME_H
#define TW__ARCH_NAME_H

#include <stddef.h>

/* "Tesla V100-SXM2-16GB" -> "tesla-v100-sxm2-16gb". `room`: bytes, at least 1. */
void tw__arch_name(char *to, size_t room, const char *model);

#endif
