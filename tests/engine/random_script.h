/* Random platforms and transfers, as scripts. */
#ifndef RANDOM_SCRIPT_H
#define RANDOM_SCRIPT_H

#include "script.h"

#include "base/random.h"

enum { MAX_LINKS = 41 };  /* of a random platform */
enum { SCENARIOS = 250 }; /* random scripts that one test plays */

/* Until the script has n transfers: of a few kilobytes to a few megabytes, that often begin at one date. */
void random_transfers(struct script *, struct tw__random *, int n);
void random_script(struct script *, int seed); /* platform and transfers */

#endif
