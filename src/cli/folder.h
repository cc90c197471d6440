/* The folder of a new platform: platform.xml and kernels.csv, both written whole or neither. */
#ifndef TW__FOLDER_H
#define TW__FOLDER_H

#include "base/new_file.h"

enum { FOLDER_PLATFORM, FOLDER_KERNELS, FOLDER_FILES };

struct folder {
	const char *path;
	bool is_new; /* whether folder_open created the folder */
	int n_open;
	struct tw__new_file files[FOLDER_FILES]; /* the first n_open are drafts */
};

/* Creates the folder if it does not exist, and opens a draft of each file. TW_INVALID: the folder or a draft cannot be
 * made, or a file with the rule TW__REFUSE exists. */
int folder_open(struct folder *, const char *path, const enum tw__new_file_rule rules[FOLDER_FILES],
                struct tw_error *err);
/* Gives up the draft of kernels.csv. */
void folder_without_kernels(struct folder *);
/* Writes what a draft has so far, which can then be read from `path`. */
int folder_flush(struct folder *, int file, char path[4096], struct tw_error *err);
/* Writes all drafts, and then gives them their final names. */
int folder_settle(struct folder *, struct tw_error *err);
/* Removes the drafts that are left, and the folder if folder_open created it and it is empty. */
void folder_finish(struct folder *);

#endif
