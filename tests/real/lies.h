/* Faults that are no job's: an engine or a graph that lies to the run. */
#ifndef LIES_H
#define LIES_H

#include "scene.h"

extern void (*const lies[])(struct scene *); /* each changes a scene that has not run */
extern const int n_lies;

#endif
