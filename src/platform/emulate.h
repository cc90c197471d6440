/* Emulated accelerators, as option --emulate describes them. Each accelerator is a thread with an arena of its own. A
 * copy to or from the arena takes as long as on a link of the given bandwidth and latency. */
#ifndef TW__EMULATE_H
#define TW__EMULATE_H

#include <stdio.h>

#include <tilewright/params.h>

enum { TW__MAX_EMULATED = 16, TW__MAX_EMULATED_MEMORIES = 64, TW__MAX_EMULATED_ARCH = 64 };

struct tw__emulation {
	bool describes;        /* the user gave keys other than `gpus` and `memories` */
	int memories;          /* number of emulated main memories; 0: the user gave none */
	int gpus;              /* number of accelerators, 1 to TW__MAX_EMULATED; 0: the user gave none */
	uint64_t memory_bytes; /* size of each accelerator's arena */
	double bandwidth;      /* bandwidth of a copy to or from an accelerator, bytes/s; 0: the user gave none */
	double latency_s;      /* latency of a copy */
	/* Total bandwidth of all copies from main memory, and of all copies to main memory, bytes/s; 0: no limit. */
	double shared_bandwidth;
	bool peer;                        /* accelerators copy directly to each other, over links of `bandwidth` */
	char arch[TW__MAX_EMULATED_ARCH]; /* name of the arch of all accelerators; must differ from the archs of CPUs */
};

/* Parses the value of --emulate, as in "gpus=2:mem=64MiB:bandwidth=2GB/s". No key is required: a run on a platform file
 * takes the accelerators from the file. TW_INVALID: a key is unknown, or its value is not valid; the message names
 * option and key. */
int tw__emulation_parse(struct tw__emulation *, const char *text, struct tw_error *err);

/* Checks that the user gave `gpus` and `bandwidth`, which a run without a platform file needs, and not `memories`.
 * TW_INVALID: a key is missing, or too many; the message names it. */
int tw__emulation_check(const struct tw__emulation *, struct tw_error *err);

/* Write emulated accelerators to a platform.xml: first the hosts "GPU0", "GPU1" ..., then their links and routes. The
 * caller writes the host "RAM" between the two calls. */
void tw__emulation_write_hosts(FILE *, const struct tw__emulation *);
void tw__emulation_write_links(FILE *, const struct tw__emulation *);

#endif
