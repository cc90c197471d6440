/* The identity of a row: a fingerprint of all inputs of its run. docs/reference/results.md lists them. */
#ifndef TW__IDENTITY_H
#define TW__IDENTITY_H

#include "experiment/digest.h"
#include "experiment/experiment.h"

/* Raise this whenever the same inputs give other results: models, policies, engine, runtime. The test
 * tests/cases/identity.test compares makespans. */
#define TW__MODELS_VERSION "15"

/* "0.1.0+1": versions of the program and of the models. */
const char *tw__results_version(void);

/* Reads each file once, however many requests name it. */
struct tw__identifier;

int tw__identifier_create(struct tw__identifier **, struct tw_error *err);
void tw__identifier_destroy(struct tw__identifier *);

/* TW_INVALID: an unknown name, an unknown parameter, or a file that cannot be read. Checks that need the request's
 * scene are not made here. */
int tw__identify(struct tw__identifier *, const struct tw__request *, char text[TW__DIGEST_TEXT], struct tw_error *err);

#endif
