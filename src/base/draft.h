/* Replaces a file atomically: the new content is written to a temporary file, which gets the name when it is complete.
 * Until then, and after a kill, readers see the old file. */
#ifndef TW__DRAFT_H
#define TW__DRAFT_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__draft {
	char path[4096], final[4096];
	FILE *f; /* the caller writes the new content here */
};

/* `option`: the option that names the folder, such as "--output", for messages. TW_INVALID: the folder is not
 * writable. */
int tw__draft_open(struct tw__draft *, const char *option, const char *folder, const char *name, struct tw_error *err);
/* Syncs the content to the disk and gives the file its name. TW_FAILED: the old file is unchanged. */
int tw__draft_close(struct tw__draft *, struct tw_error *err);
/* Deletes the new file; the old one is unchanged. */
void tw__draft_drop(struct tw__draft *);

/* Creates the folder if it does not exist, and checks that the file can be written there. TW_INVALID: it cannot. */
int tw__draft_folder(const char *option, const char *folder, const char *name, struct tw_error *err);

#endif
