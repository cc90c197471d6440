/* A new platform's folder: platform.xml and kernels.csv, both written whole or neither. */
#ifndef TW__FOLDER_H
#define TW__FOLDER_H

#include <stdio.h>

#include <tilewright/base.h>

enum { FOLDER_PLATFORM, FOLDER_KERNELS, FOLDER_FILES };
/* What may happen to a file that is there: an error, it stays, or it is replaced. */
enum folder_rule { FOLDER_REFUSE, FOLDER_KEEP, FOLDER_REPLACE };

struct folder {
	const char *path;
	bool is_new; /* opening has made it */
	struct folder_file {
		enum folder_rule rule;
		char *path, *draft; /* draft: its name until it is whole; NULL: it is no more */
		FILE *file;
	} files[FOLDER_FILES];
};

/* Makes the folder if need be, and opens files in it to be written. TW_INVALID if it cannot be, or by the rules. */
int folder_open(struct folder *, const char *path, const enum folder_rule rules[FOLDER_FILES], struct tw_error *err);
/* Done with writing one of the files, which can be read from its draft now. */
int folder_close(struct folder *, int file, struct tw_error *err);
/* Closes what is open; then drafts become files. */
int folder_settle(struct folder *, struct tw_error *err);
/* What was not settled is removed, and the folder if it is new and empty; frees what opening took. */
void folder_finish(struct folder *);

#endif
