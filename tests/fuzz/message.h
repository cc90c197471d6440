/* A reader that refuses a file says why in one line, which begins with the file's name, and the number of a
 * line or a byte. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

static inline void require(bool holds, const char *what, const char *message)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, message);
	abort();
}

/* "PATH:LINE: ..." or "PATH: byte N: ..." */
static inline void require_message(int status, const struct tw_error *err, const char *path)
{
	const char *message = err->message;
	size_t length = strlen(path);
	require(status == TW_INVALID, "status", message);
	require(!strncmp(message, path, length) && message[length] == ':', "the message lacks the file's name",
	        message);
	length += strncmp(message + length, ": byte ", 7) ? 1 : 7;
	require(isdigit((unsigned char)message[length]), "the message lacks a line number", message);
	for (const char *c = message; *c; c++)
		require((unsigned char)*c >= 0x20 && *c != 0x7f, "the message is not one line of text", message);
}

#endif
