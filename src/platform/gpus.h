/* The GPUs that this machine can compute on, as reported by their driver library. */
#ifndef TW__GPUS_H
#define TW__GPUS_H

#include <stdint.h>
#include <stdio.h>

enum { TW__MOST_GPUS = 16 };

struct tw__gpu {
	char name[64];                     /* "NVIDIA H200" */
	char place[32];                    /* PCI address, "0000:3b:00.0" */
	int major, minor;                  /* compute capability */
	uint64_t memory_bytes, free_bytes; /* in total; free */
	double to_device, to_host;         /* measured bandwidth of a large copy, bytes/s */
	double latency_s;                  /* measured latency of a small copy */
	double to_peer[TW__MOST_GPUS];     /* bytes/s; 0: no direct copies */
};

struct tw__gpus {
	int n;
	struct tw__gpu gpu[TW__MOST_GPUS];
};

/* A GPU's arch: "nvidia-h200". GPUs with the same name have the same arch. */
void tw__gpus_arch(const struct tw__gpu *, char *to, int room);

/* Write the GPUs to a platform.xml: hosts "GPU0", "GPU1" ..., and after the host "RAM" their links and routes. The
 * memory of each is most of the free memory. Each takes a core that drives it, if there are enough `cores` to leave
 * one for CPU workers. */
void tw__gpus_write_hosts(FILE *, const struct tw__gpus *, int cores);
void tw__gpus_write_links(FILE *, const struct tw__gpus *);

#endif
