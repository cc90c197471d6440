/* Identity of a machine, as far as kernel times depend on it. */
#ifndef TW__CALIBRATE_IDENTITY_H
#define TW__CALIBRATE_IDENTITY_H

#include "platform/platform.h"

/* The host's name is for people only: containers change it, so it is not compared. */
struct tw__identity {
	char host[80], cpu[120];
	int cores;
	char gpus[400]; /* "2 x nvidia-h200"; "": none */
};

/* Identity of the platform `machine` with all its workers. */
void tw__identity_of(struct tw__identity *, const struct tw_platform *machine);
/* Whether times of `a` are invalid on `b`; `how` then has the reason. */
bool tw__identity_differs(const struct tw__identity *a, const struct tw__identity *b, char *how, size_t room);

#endif
