/* A file that replaces the one of its name as a whole, once it is complete: whoever reads meanwhile, or after a kill, has the old one. */
#ifndef TW__DRAFT_H
#define TW__DRAFT_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__draft {
	char path[4096], final[4096];
	FILE *f; /* to be written to */
};

/* `option`: where the folder's name comes from, "--output", for messages. TW_INVALID: it cannot be written to. */
int tw__draft_open(struct tw__draft *, const char *option, const char *folder, const char *name, struct tw_error *err);
/* The file has its name, and its content is on the disk. TW_FAILED: the old one is still there. */
int tw__draft_close(struct tw__draft *, struct tw_error *err);
/* Forgets it. */
void tw__draft_drop(struct tw__draft *);

/* Makes the folder, if need be, and finds out whether that file can be written there. TW_INVALID: it cannot. */
int tw__draft_folder(const char *option, const char *folder, const char *name, struct tw_error *err);

#endif
