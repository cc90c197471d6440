/* The identity of a row of results: a fingerprint of all inputs of its run. docs/reference/results.md lists these
 * inputs. */
#ifndef TW__IDENTITY_H
#define TW__IDENTITY_H

#include "request/digest.h"
#include "request/request.h"

/* Version of the models, policies, engines and the runtime. Raise it whenever a change gives other results, or another
 * identity, for the same inputs. The test tests/cases/identity.test fails when makespans change. */
#define TW__MODELS_VERSION "19"

/* Returns the versions of the program and of the models, as in "0.1.0+1". */
const char *tw__results_version(void);

/* Computes identities of requests. It reads each file once, however many requests name the file. {0}: none yet. */
struct tw__identifier {
	size_t n, capacity;
	struct tw__known_input *known; /* [n] */
};

void tw__identifier_finish(struct tw__identifier *);

/* Computes the identity of a request as hexadecimal text. TW_INVALID: an unknown name, an unknown parameter, or a file
 * that cannot be read. Checks that need the platform or the graph are not made here. */
int tw__identify(struct tw__identifier *, const struct tw__request *, char text[TW__DIGEST_TEXT], struct tw_error *err);

/* The inputs that a run takes from files, without the plug-ins. A trace keeps their digests, so that it can tell later
 * that one has changed. */
enum tw__input {
	TW__INPUT_PLATFORM, /* the platform's XML file; nothing for the platform `machine` */
	TW__INPUT_TIMES,    /* the platform's kernels.csv and samples.csv; nothing for the platform `machine` */
	TW__INPUT_WORKLOAD, /* the files that the workload's parameters name, and its shared object */
	TW__N_INPUTS
};
const char *tw__input_name(enum tw__input); /* "platform", "times", "workload" */

/* Computes the digest of one input, with the user's words for it. TW_INVALID: it is not there, or cannot be read. */
int tw__identify_input(enum tw__input, const struct tw__request *, char text[TW__DIGEST_TEXT], struct tw_error *err);

#endif
