/* The folder of a new platform: platform.xml and kernels.csv, both written whole or neither. */
#ifndef TW__FOLDER_H
#define TW__FOLDER_H

#include <stdio.h>

#include <tilewright/base.h>

enum { FOLDER_PLATFORM, FOLDER_KERNELS, FOLDER_FILES };
/* The treatment of a file that exists already: fail, keep it, or replace it. */
enum folder_rule { FOLDER_REFUSE, FOLDER_KEEP, FOLDER_REPLACE };

struct folder {
	const char *path;
	bool is_new; /* whether folder_open created the folder */
	struct folder_file {
		enum folder_rule rule;
		char *path, *draft; /* `draft`: temporary name until the file is complete; NULL: no draft is left */
		FILE *file;
	} files[FOLDER_FILES];
};

/* Creates the folder if it does not exist, and opens a draft of each file. TW_INVALID: the folder or a draft cannot be
 * made, or a file with the rule FOLDER_REFUSE exists. */
int folder_open(struct folder *, const char *path, const enum folder_rule rules[FOLDER_FILES], struct tw_error *err);
/* Ends the writing of one of the files. Then the file's draft can be read. */
int folder_close(struct folder *, int file, struct tw_error *err);
/* Closes all open files, then gives the drafts their final names. */
int folder_settle(struct folder *, struct tw_error *err);
/* Removes the drafts that are left, and the folder if folder_open created it and it is empty. Frees all memory. */
void folder_finish(struct folder *);

#endif
