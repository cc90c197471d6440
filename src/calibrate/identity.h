/* Which machine is it? */
#ifndef TW__CALIBRATE_IDENTITY_H
#define TW__CALIBRATE_IDENTITY_H

#include "platform/platform.h"

/* As far as it matters to kernel times. The host's name is for people: it does not tell machines apart, as containers change theirs. */
struct tw__identity {
	char host[80], cpu[120];
	int cores;
	char gpus[400]; /* "2 x nvidia-h200"; "": none */
};

/* Of the platform `machine`, with all its workers. */
void tw__identity_of(struct tw__identity *, const struct tw_platform *machine);
/* Whether times of `a` do not hold for `b`; then `how` tells why. */
bool tw__identity_differs(const struct tw__identity *a, const struct tw__identity *b, char *how, size_t room);

#endif
