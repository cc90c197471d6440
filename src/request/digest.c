#include "request/digest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

__extension__ typedef unsigned __int128 product128;

/* The start value is the offset basis of FNV-1a with 128 bits. */
struct tw__digest tw__digest_start(void) { return (struct tw__digest){0x6c62272e07bb0142u, 0x62b821756295c58du}; }

/* The prime of FNV-1a with 128 bits is 2^88 + 0x13b, so a shift makes a part of the product. */
void tw__digest_bytes(struct tw__digest *d, const void *from, size_t bytes)
{
	const unsigned char *at = from;
	uint64_t high = d->high, low = d->low;
	for (size_t i = 0; i < bytes; i++) {
		low ^= at[i];
		product128 product = (product128)low * 0x13b;
		high = high * 0x13b + (low << 24) + (uint64_t)(product >> 64);
		low = (uint64_t)product;
	}
	*d = (struct tw__digest){high, low};
}

void tw__digest_word(struct tw__digest *d, const char *text)
{
	const bool given = text;
	tw__digest_bytes(d, &given, 1);
	if (text)
		tw__digest_bytes(d, text, strlen(text) + 1);
}

void tw__digest_print(const struct tw__digest *d, char text[TW__DIGEST_TEXT])
{
	snprintf(text, TW__DIGEST_TEXT, "%016llx%016llx", (unsigned long long)d->high, (unsigned long long)d->low);
}

static int cannot_read(const char *path, struct tw_error *err)
{
	return tw_fail(err, tw_status_of_errno(errno), "'%.300s': %s: expected a file that can be read", path,
	               strerror(errno));
}

static int add_plain_file(struct tw__digest *d, const char *path, struct tw_error *err)
{
	char some[65536];
	ssize_t n = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, some, sizeof some)) > 0)
		tw__digest_bytes(d, some, (size_t)n);
	int status = n < 0 ? cannot_read(path, err) : TW_OK;
	if (fd >= 0)
		close(fd);
	return status;
}

static int add_folder(struct tw__digest *d, const char *path, struct tw_error *err)
{
	struct dirent **entries;
	int status = TW_OK, n = scandir(path, &entries, NULL, alphasort);
	if (n < 0)
		return cannot_read(path, err);
	for (int i = 0; i < n; i++) {
		char *inside = tw_format("%s/%s", path, entries[i]->d_name);
		struct stat about;
		if (status == TW_OK && stat(inside, &about) == 0 && S_ISREG(about.st_mode)) {
			tw__digest_word(d, entries[i]->d_name);
			status = add_plain_file(d, inside, err);
		}
		free(inside);
		free(entries[i]);
	}
	free(entries);
	return status;
}

int tw__digest_file(struct tw__digest *d, const char *path, struct tw_error *err)
{
	struct stat about;
	if (stat(path, &about) < 0)
		return cannot_read(path, err);
	return S_ISDIR(about.st_mode) ? add_folder(d, path, err) : add_plain_file(d, path, err);
}
