/* Which row this is: a fingerprint of everything that its contents follow from. docs/reference/results.md tells what goes in. */
#ifndef TW__IDENTITY_H
#define TW__IDENTITY_H

#include "experiment/digest.h"
#include "experiment/experiment.h"

/* Raised whenever the same inputs give other results than before: models, policies, engine, the runtime. A test holds
 * makespans against it: tests/cases/identity.test. */
#define TW__MODELS_VERSION "15"

/* "0.1.0+1": the program's version and that of the models. */
const char *tw__results_version(void);

/* Reads each file once, however many requests name it. */
struct tw__identifier;

int tw__identifier_create(struct tw__identifier **, struct tw_error *err);
void tw__identifier_destroy(struct tw__identifier *);

/* TW_INVALID: a name that nothing has, a parameter that it does not know, a file that cannot be read. What only the scene
 * of the request can tell is not looked at. */
int tw__identify(struct tw__identifier *, const struct tw__request *, char text[TW__DIGEST_TEXT], struct tw_error *err);

#endif
