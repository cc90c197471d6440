/* This machine as a platform file: hwloc's data, and assumptions where hwloc knows nothing. */
#ifndef TW__DETECT_H
#define TW__DETECT_H

#include <stdio.h>

#include "platform/emulate.h"
#include "platform/gpus.h"
#include "platform/raw.h"

/* Writes a platform.xml to `out`. Its descriptor must be that of a file, because another process writes to it. NULL
 * as `name` stands for the host's. An exported topology in `hwloc_xml` is read instead of this machine. If it is
 * NULL: $HWLOC_XMLFILE or $HWLOC_SYNTHETIC if set, otherwise this machine. TW_INVALID, naming the file, if hwloc
 * cannot read it or crashes on it. */
int tw__detect(FILE *out, const char *name, const char *hwloc_xml, struct tw_error *err);

/* The same with only cores and main memory, and with these accelerators instead of the GPUs that hwloc finds; NULL:
 * none. */
int tw__detect_cores(FILE *out, const char *name, const struct tw__emulation *emulated, const struct tw__gpus *found,
                     struct tw_error *err);

/* Used by tw__detect: hwloc's data ... */
enum { TW__MAX_RUNS = 256, TW__MAX_GPUS = 254, TW__MAX_TEXT = 120 };

/* Consecutive cores of one package and kind. */
struct tw__machine_cores {
	int package, cores;
	char arch[TW__MAX_TEXT];
};

/* A PCI bridge with several GPUs below it. */
struct tw__machine_bridge {
	const void *object; /* hwloc's object */
	char place[32];     /* PCI address; for a host bridge, the buses below it */
	double bandwidth;   /* bytes/s in each direction; 0: unknown */
	int parent;         /* the next such bridge above; TW_NONE: none */
};

struct tw__machine_gpu {
	char arch[TW__MAX_TEXT], model[TW__MAX_TEXT], place[32];
	int vendor;                  /* PCI vendor; 0: not seen on PCI */
	int package;                 /* the nearest; TW_NONE: unknown */
	uint64_t memory_bytes;       /* 0: unknown */
	uint64_t named_memory_bytes; /* if unknown: from its name; 0: not there either */
	double bandwidth;            /* of the links that no other GPU shares, bytes/s in each direction; 0: unknown */
	int bridge;                  /* the next shared one above; TW_NONE: none */
};

struct tw__machine {
	char host[TW__MAX_TEXT], cpu[TW__MAX_TEXT], version[TW__MAX_TEXT]; /* version: of hwloc's interface */
	char passed_over[4 * TW__MAX_TEXT];                                /* display devices that cannot compute */
	int n_passed_over;
	int n_packages, n_numa_nodes, n_cores, n_pus;
	uint64_t memory_bytes; /* of main memory; 0: unknown */
	int n_runs, n_gpus, n_bridges;
	struct tw__machine_cores runs[TW__MAX_RUNS];
	struct tw__machine_gpu gpus[TW__MAX_GPUS];
	struct tw__machine_bridge bridges[TW__MAX_GPUS];
	bool cores_only; /* GPUs were not searched for */
	/* Further accelerators for the file, or NULL. */
	const struct tw__emulation *emulated;
	const struct tw__gpus *found;
};

struct hwloc_topology;
int tw__machine_read(struct tw__machine *, struct hwloc_topology *, struct tw_error *err);

/* ... and the platform.xml made from it. Write errors show in ferror(). */
void tw__machine_write(FILE *, const struct tw__machine *, const char *name);

#endif
