/* The GPUs on which this machine can compute, as reported by their driver library. */
#ifndef TW__GPUS_H
#define TW__GPUS_H

#include <stdint.h>
#include <stdio.h>
#include <stddef.h>

enum { TW__MOST_GPUS = 16 };

struct tw__gpu {
	char name[64];                     /* name of the model, as in "NVIDIA H200" */
	char place[32];                    /* PCI address, as in "0000:3b:00.0" */
	int major, minor;                  /* CUDA compute capability, major.minor */
	uint64_t memory_bytes, free_bytes; /* size of the GPU's memory, and the free part of it */
	double to_device, to_host;         /* measured bandwidths of large copies from and to main memory, bytes/s */
	double latency_s;                  /* measured latency of a small copy from or to main memory */
	/* bandwidth of direct copies to each other GPU, bytes/s; 0: no direct copies */
	double to_peer[TW__MOST_GPUS];
};

struct tw__gpus {
	int n;
	struct tw__gpu gpu[TW__MOST_GPUS];
};

/* Writes the name of a GPU's arch, as in "nvidia-h200". GPUs with the same name have the same arch. `room`: bytes at
 * `to`. */
void tw__gpus_arch(const struct tw__gpu *, char *to, int room);

/* Write GPUs to a platform.xml: first the hosts "GPU0", "GPU1" ..., then their links and routes. The caller writes the
 * main memories "RAM", "RAM1" ... between the two calls. The memory of each host is most of the GPU's free memory. If
 * there are more `cores` than GPUs, each GPU takes a core, which drives it. `mains`, [n]: the main memory near each
 * GPU. Copies with each of the `n_mains` get the bandwidth that was measured with one. */
void tw__gpus_write_hosts(FILE *, const struct tw__gpus *, int cores, const int *mains);
void tw__gpus_write_links(FILE *, const struct tw__gpus *, int n_mains);

/* Writes the name of a main memory, "RAM" or "RAM1" ...; returns `to`. */
enum { TW__MAIN_NAME = 16 };
const char *tw__main_name(char to[TW__MAIN_NAME], int main);

/* Writes the name of an arch for a device's name: "Tesla V100-SXM2-16GB" -> "tesla-v100-sxm2-16gb". `room`: bytes at
 * `to`, at least 1. */
void tw__arch_name(char *to, size_t room, const char *model);

#endif
