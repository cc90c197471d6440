/* Emulated accelerators, as described by --emulate. Each is a thread with an arena of its own. A copy to or from the
 * arena takes as long as on a link of the given bandwidth and latency. */
#ifndef TW__EMULATE_H
#define TW__EMULATE_H

#include <stdio.h>

#include <tilewright/params.h>

enum { TW__MAX_EMULATED = 16, TW__MAX_EMULATED_ARCH = 64 };

struct tw__emulation {
	bool describes;        /* the user gave keys other than gpus */
	int gpus;              /* accelerators, 1 to TW__MAX_EMULATED; 0: not given */
	uint64_t memory_bytes; /* the arena of each */
	double bandwidth;      /* of a copy to or from an accelerator, bytes/s; 0: not given */
	double latency_s;      /* of a copy */
	/* Total of all copies from main memory, and of all copies to it, bytes/s; 0: no limit. */
	double shared_bandwidth;
	bool peer; /* accelerators copy directly to each other, over links of the same bandwidth */
	char arch[TW__MAX_EMULATED_ARCH]; /* of all accelerators; must differ from the archs of CPUs */
};

/* Parses the value of --emulate, as in "gpus=2:mem=64MiB:bandwidth=2GB/s". All keys are optional here: a run on a
 * platform file takes the accelerators from the file. Unknown keys and bad values: TW_INVALID, with a line that names
 * option and key. */
int tw__emulation_parse(struct tw__emulation *, const char *text, struct tw_error *err);

/* Without a platform file, `gpus` and `bandwidth` are required. TW_INVALID, naming the key: one is missing. */
int tw__emulation_check(const struct tw__emulation *, struct tw_error *err);

/* Write the accelerators to a platform.xml: hosts "GPU0", "GPU1" ..., and after the host "RAM" their links and
 * routes. */
void tw__emulation_write_hosts(FILE *, const struct tw__emulation *);
void tw__emulation_write_links(FILE *, const struct tw__emulation *);

#endif
