#include "experiment/machine.h"

#include <string.h>

#include "platform/machine.h"

bool tw__is_machine(const struct tw__request *q) { return strcmp(q->platform, TW__MACHINE_NAME) == 0; }

int tw__machine_load(struct tw_platform **platform, const struct tw__request *q, struct tw_error *err)
{
	struct tw__emulation emulation;
	struct tw_platform *all;
	int status = q->emulate ? tw__emulation_parse(&emulation, q->emulate, err) : TW_OK;
	if (status == TW_OK && q->emulate)
		status = tw__emulation_check(&emulation, err);
	if (status == TW_OK)
		status = tw__machine_platform(&all, q->emulate ? &emulation : NULL, err);
	if (status < 0)
		return status;
	if (!q->emulate && q->choice.gpus > 0)
		status = tw_fail(err, TW_INVALID,
		                 "%d GPUs of platform '" TW__MACHINE_NAME "': expected --emulate gpus=%d:bandwidth=... "
		                 "with it: this machine's own cannot be used yet",
		                 q->choice.gpus, q->choice.gpus);
	else
		status = tw__platform_select(platform, all, &q->choice, err);
	tw__platform_destroy(all);
	return status;
}
