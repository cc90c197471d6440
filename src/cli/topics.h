/* Topics of `tilewright help`: short pages, which the build makes from docs/topics/. */
#ifndef TW__TOPICS_H
#define TW__TOPICS_H

struct topic {
	const char *name, *title;
	const char *text; /* lines of at most 80 characters; the first one is the title */
};
extern const struct topic topics[]; /* in the order of their names; ends with {0} */

#endif
