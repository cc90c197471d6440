/* This machine as a platform file: what hwloc sees of it, and what has to be assumed on top. */
#ifndef TW__DETECT_H
#define TW__DETECT_H

#include <stdio.h>

#include "platform/emulate.h"
#include "platform/gpus.h"
#include "platform/raw.h"

/* Writes a platform.xml to `out`, whose descriptor must be a file's (another process writes to it). `name`: of the platform; NULL:
 * the host's. `hwloc_xml`: a topology that hwloc exported, to take instead of this machine; NULL: $HWLOC_XMLFILE or
 * $HWLOC_SYNTHETIC if set, else this machine. TW_INVALID, naming the file, if hwloc cannot make sense of it, even if it ends in a
 * crash of hwloc's. */
int tw__detect(FILE *out, const char *name, const char *hwloc_xml, struct tw_error *err);

/* The same of cores and main memory alone, without GPUs that hwloc sees, but with these accelerators; NULL: none. */
int tw__detect_cores(FILE *out, const char *name, const struct tw__emulation *emulated, const struct tw__gpus *found,
                     struct tw_error *err);

/* The parts of tw__detect: what hwloc tells ... */
enum { TW__MAX_RUNS = 256, TW__MAX_GPUS = 254, TW__MAX_TEXT = 120 };

/* Cores that follow each other, of one package and kind. */
struct tw__machine_cores {
	int package, cores;
	char arch[TW__MAX_TEXT];
};

/* A PCI bridge that several GPUs hang below. */
struct tw__machine_bridge {
	const void *object; /* hwloc's */
	char place[32];     /* on the PCI bus; of a host bridge the buses below it */
	double bandwidth;   /* bytes/s each way; 0: hwloc does not tell */
	int parent;         /* the next such bridge above; TW_NONE: there is none */
};

struct tw__machine_gpu {
	char arch[TW__MAX_TEXT], model[TW__MAX_TEXT], place[32];
	int vendor;                  /* of PCI; 0: it is not seen there */
	int package;                 /* it is near; TW_NONE: hwloc does not tell */
	uint64_t memory_bytes;       /* 0: hwloc does not tell */
	uint64_t named_memory_bytes; /* then: what its name says; 0: nothing */
	double bandwidth;            /* of what no other GPU shares, bytes/s each way; 0: hwloc does not tell */
	int bridge;                  /* the next shared one above; TW_NONE: there is none */
};

struct tw__machine {
	char host[TW__MAX_TEXT], cpu[TW__MAX_TEXT], version[TW__MAX_TEXT]; /* version: of hwloc's interface */
	char passed_over[4 * TW__MAX_TEXT]; /* display devices that are no GPUs to compute on */
	int n_passed_over;
	int n_packages, n_numa_nodes, n_cores, n_pus;
	uint64_t memory_bytes; /* of main memory; 0: hwloc does not tell */
	int n_runs, n_gpus, n_bridges;
	struct tw__machine_cores runs[TW__MAX_RUNS];
	struct tw__machine_gpu gpus[TW__MAX_GPUS];
	struct tw__machine_bridge bridges[TW__MAX_GPUS];
	bool cores_only; /* nobody looked for GPUs */
	/* Accelerators that the file has as well, or NULL. */
	const struct tw__emulation *emulated;
	const struct tw__gpus *found;
};

struct hwloc_topology;
int tw__machine_read(struct tw__machine *, struct hwloc_topology *, struct tw_error *err);

/* ... and platform.xml made of it. What cannot be written shows in ferror(). */
void tw__machine_write(FILE *, const struct tw__machine *, const char *name);

#endif
