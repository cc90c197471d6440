/* The SimGrid engine as the library knows it, until a run loads the module. */
#include "base/module.h"
#include "engine/engine.h"

static const struct tw__engine_ops *engine_load(struct tw_error *err)
{
	return tw__module_open(TW__SIMGRID_BUILT, "tw__simgrid", "engine 'simgrid'", err);
}

const struct tw__engine_ops tw__engine_simgrid = {
	.name = TW__SIMGRID_NAME,
	.summary = TW__SIMGRID_SUMMARY,
	.caps = TW__SIMGRID_CAPS,
	.load = engine_load,
};
