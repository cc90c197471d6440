/* The identity of a machine: the hardware on which kernel times depend. */
#ifndef TW__CALIBRATE_IDENTITY_H
#define TW__CALIBRATE_IDENTITY_H

#include "platform/platform.h"

/* The identity of a machine. `host`, its name, is for people only: containers change the name, so it is not
 * compared. */
struct tw__identity {
	char host[80], cpu[120];
	int cores;
	char gpus[400];    /* number and arch of the GPUs, as in "2 x nvidia-h200"; "": no GPUs */
	char emulate[200]; /* --emulate, which `gpus` follows from; "": not given */
};

/* Sets the identity of this machine. `machine`: the platform of this machine, with all its workers. */
void tw__identity_of(struct tw__identity *, const struct tw_platform *machine);
/* Whether kernel times that were measured on machine `a` are invalid on machine `b`. Then `how` gets the reason. */
bool tw__identity_differs(const struct tw__identity *a, const struct tw__identity *b, char *how, size_t room);
/* Whether two machines that differ differ in the accelerators that they emulate alone. */
bool tw__identity_emulates(const struct tw__identity *a, const struct tw__identity *b);

#endif
