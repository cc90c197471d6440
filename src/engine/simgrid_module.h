/* The SimGrid engine is a module (base/module.h). This file has the part of the engine that the library knows without
 * loading SimGrid. */
#ifndef TW__SIMGRID_MODULE_H
#define TW__SIMGRID_MODULE_H

#include "engine/engine.h"

#define TW__SIMGRID_NAME "simgrid"
#define TW__SIMGRID_SUMMARY "simulation: kernels and transfers on SimGrid"
enum { TW__SIMGRID_CAPS = TW__ENGINE_FORKS | TW__ENGINE_CANCELS | TW__ENGINE_ROUNDS };

/* The engine with all operations, which the module exports. */
extern const struct tw__engine_ops tw__simgrid;

#endif
