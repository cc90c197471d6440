/* Describes this machine as a platform file, with hwloc's data. Assumes values where hwloc knows nothing. */
#ifndef TW__DETECT_H
#define TW__DETECT_H

#include <stdio.h>

#include "platform/emulate.h"
#include "platform/gpus.h"
#include "platform/raw.h"

/* Writes a platform.xml to `out`, which must be a file with a descriptor, because a child process writes to it. `name`:
 * the name of the platform; NULL: the name of the host. `hwloc_xml`: the path of a topology that hwloc exported, which
 * is read instead of this machine. If `hwloc_xml` is NULL, reads $HWLOC_XMLFILE or $HWLOC_SYNTHETIC if set, otherwise
 * this machine. `numa`: whether each NUMA node becomes a main memory. TW_INVALID: hwloc cannot read the file, or
 * crashes on it; the message names the file. */
int tw__detect(FILE *out, const char *name, const char *hwloc_xml, bool numa, struct tw_error *err);

/* The rest of this header is for detect.c alone. Limits: numbers of runs of cores and of GPUs, bytes of a text. */
enum { TW__MAX_MAINS = 64, TW__MAX_RUNS = 256, TW__MAX_GPUS = 254, TW__MAX_TEXT = 120 };

/* A run of cores: consecutive cores of one package, one main memory and one arch. */
struct tw__machine_cores {
	int package, cores;
	int main; /* the main memory of the cores */
	char arch[TW__MAX_TEXT];
	char kind[TW__MAX_TEXT]; /* attributes of this kind of core, if the machine has several */
};

/* A PCI bridge with several GPUs below it. */
struct tw__machine_bridge {
	const void *object; /* hwloc's object for the bridge */
	char place[32];     /* PCI address of the bridge; for a host bridge, the PCI buses below it */
	double bandwidth;   /* bandwidth of the bridge's link, bytes/s in each direction; 0: unknown */
	int parent;         /* index of the next bridge above that has more GPUs below it; TW_NONE: none */
};

struct tw__machine_gpu {
	char arch[TW__MAX_TEXT], model[TW__MAX_TEXT], place[32];
	int vendor;            /* the GPU's PCI vendor id; 0: PCI does not show the GPU */
	int package;           /* the nearest package of cores; TW_NONE: unknown */
	int main;              /* the nearest main memory; TW_NONE: unknown */
	uint64_t memory_bytes; /* size of the GPU's memory; 0: unknown */
	/* memory size that the GPU's name contains, if memory_bytes is 0; 0: the name has none */
	uint64_t named_memory_bytes;
	/* bandwidth of the PCI links that no other GPU shares, bytes/s in each direction; 0: unknown */
	double bandwidth;
	int bridge;       /* index of the next bridge above that other GPUs share; TW_NONE: none */
	double to_switch; /* bandwidth to the switches that join GPUs, bytes/s in each direction; 0: none */
};

struct tw__machine {
	/* version: of hwloc's programming interface */
	char host[TW__MAX_TEXT], cpu[TW__MAX_TEXT], version[TW__MAX_TEXT];
	/* list of display devices that cannot compute */
	char passed_over[4 * TW__MAX_TEXT];
	int n_passed_over;
	int n_packages, n_numa_nodes, n_cores, n_pus;
	uint64_t memory_bytes; /* size of main memory; 0: unknown */
	int n_mains;           /* number of main memories; at most 1 unless a NUMA node each was asked for */
	struct tw__machine_main {
		unsigned os_index; /* of the NUMA node */
		uint64_t bytes;    /* its size */
	} mains[TW__MAX_MAINS];
	int n_runs, n_gpus, n_bridges;
	struct tw__machine_cores runs[TW__MAX_RUNS];
	struct tw__machine_gpu gpus[TW__MAX_GPUS];
	struct tw__machine_bridge bridges[TW__MAX_GPUS];
	/* bandwidth of links that join two GPUs alone, from one to the other, bytes/s; 0: none */
	double direct[TW__MAX_GPUS][TW__MAX_GPUS];
	bool links_to_packages; /* whether some GPU has such links to a package of cores; they are not used */
	bool cores_only;        /* only cores and main memory were read, no GPUs */
	/* Accelerators that the platform file gets in addition to hwloc's GPUs; NULL: none. */
	const struct tw__emulation *emulated;
	const struct tw__gpus *found;
	int found_main[TW__MOST_GPUS]; /* the nearest main memory of each; if unknown, the first one */
};

/* The source of the topology: an XML file read into memory, a synthetic description, or this machine. */
struct tw__topology_source {
	const char *what; /* the name of the file or the description, for messages; NULL: this machine */
	char *xml;
	size_t length;
	const char *synthetic;
	bool cores_only; /* only cores and main memory are wanted, no devices */
	bool numa;       /* each NUMA node near cores is a main memory; else all are one */
	const struct tw__emulation *emulated;
	const struct tw__gpus *found;
};

/* The function of the module with hwloc (machine_topology.c) that detect.c calls. Reads the machine. TW_INVALID: hwloc
 * cannot read the source, or the topology has no cores, or too many cores or GPUs. */
struct tw__machine_reader {
	int (*read)(struct tw__machine *, const struct tw__topology_source *, struct tw_error *err);
};

struct hwloc_topology;
/* Fills in the machine from a loaded hwloc topology. TW_INVALID: the topology has no cores, or too many cores or
 * GPUs. */
int tw__machine_read(struct tw__machine *, struct hwloc_topology *, bool numa, struct tw_error *err);

/* Reads NVLinks and the like from hwloc's matrices of bandwidths. `objects`, [n_gpus]: hwloc's object of each GPU. */
struct hwloc_obj;
void tw__machine_read_links(struct tw__machine *, struct hwloc_topology *, struct hwloc_obj *const *objects);

/* Writes a machine as platform.xml; `name` is the name of the platform. The caller checks ferror() for write errors. */
void tw__machine_write(FILE *, const struct tw__machine *, const char *name);

#endif
