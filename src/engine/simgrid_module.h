/* The SimGrid engine is a module (base/module.h): this is what the library knows of it without SimGrid. */
#ifndef TW__SIMGRID_MODULE_H
#define TW__SIMGRID_MODULE_H

#include "engine/engine.h"

#define TW__SIMGRID_MEMBERS                                                                                             \
	.name = "simgrid", .summary = "simulation: kernels and transfers on SimGrid",                                  \
	.caps = TW__ENGINE_FORKS | TW__ENGINE_CANCELS

/* What the module exports. */
extern const struct tw__engine_ops tw__simgrid;

#endif
