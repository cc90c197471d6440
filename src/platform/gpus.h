/* The GPUs that this machine can compute on, as the library that drives them tells. */
#ifndef TW__GPUS_H
#define TW__GPUS_H

#include <stdint.h>
#include <stdio.h>

enum { TW__MOST_GPUS = 16 };

struct tw__gpu {
	char name[64];                     /* "NVIDIA H200" */
	char place[32];                    /* on the PCI bus, "0000:3b:00.0" */
	int major, minor;                  /* compute capability */
	uint64_t memory_bytes, free_bytes; /* of all; of what nobody uses */
	double to_device, to_host;         /* measured: bytes/s of a great copy */
	double latency_s;                  /* measured: of a small one */
	double to_peer[TW__MOST_GPUS];     /* bytes/s; 0: no direct copies */
};

struct tw__gpus {
	int n;
	struct tw__gpu gpu[TW__MOST_GPUS];
};

/* A GPU's arch: "nvidia-h200". Those of one name are of one arch. */
void tw__gpus_arch(const struct tw__gpu *, char *to, int room);

/* The GPUs in a platform.xml: hosts "GPU0", "GPU1" ...; then, behind the host "RAM", their links and routes. Their memory is most of what
 * is free. Each takes a core that drives it if there are `cores` enough to leave one. */
void tw__gpus_write_hosts(FILE *, const struct tw__gpus *, int cores);
void tw__gpus_write_links(FILE *, const struct tw__gpus *);

#endif
