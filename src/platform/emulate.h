/* Emulated accelerators, as --emulate describes them. Each is a thread with an arena of its own. A copy to or from the
 * arena takes as long as a link of a given bandwidth and latency would. */
#ifndef TW__EMULATE_H
#define TW__EMULATE_H

#include <stdio.h>

#include <tilewright/params.h>

enum { TW__MAX_EMULATED = 16, TW__MAX_EMULATED_ARCH = 64 };

struct tw__emulation {
	bool describes;          /* the user gave another key than gpus */
	int gpus;                /* accelerators, 1 to TW__MAX_EMULATED; 0: not given */
	uint64_t memory_bytes;   /* the arena of each */
	double bandwidth;        /* of a copy to an accelerator, or from one, bytes/s; 0: not given */
	double latency_s;        /* of a copy */
	double shared_bandwidth; /* of all copies from main memory, and of all copies to it, bytes/s; 0: no limit */
	bool peer;               /* accelerators copy to each other directly, over links of the same bandwidth */
	char arch[TW__MAX_EMULATED_ARCH]; /* of all of them; no CPU's */
};

/* Parses the value of --emulate, "gpus=2:mem=64MiB:bandwidth=2GB/s". All keys may be missing: a run on a platform file
 * takes accelerators from there. Unknown keys and bad values: TW_INVALID, with one line that names option and key. */
int tw__emulation_parse(struct tw__emulation *, const char *text, struct tw_error *err);

/* A platform without a file needs `gpus` and `bandwidth`. TW_INVALID, naming the key: one of them was not given. */
int tw__emulation_check(const struct tw__emulation *, struct tw_error *err);

/* The accelerators in a platform.xml: hosts "GPU0", "GPU1" ...; then, behind the host "RAM", their links and routes. */
void tw__emulation_write_hosts(FILE *, const struct tw__emulation *);
void tw__emulation_write_links(FILE *, const struct tw__emulation *);

#endif
