/* A script's transfers, played on shares.c alone, by callers of several manners. */
#ifndef PLAYER_H
#define PLAYER_H

#include "script.h"

#include "links/shares.h"

struct tw__shares *shares_of(const struct tw__platform *, enum tw__link_shares);
void shares_free(struct tw__shares *);

/* How the caller asks for ends: each at its date; at dates between, too; once, after all transfers have begun. */
enum manner { PROMPT, CURIOUS, LATE, MANNERS };

struct play {
	struct tw__shares *shares;
	struct tw__share flows[MAX_ACTIONS];
	double end[MAX_ACTIONS]; /* NAN: not told */
	double last;             /* the last end told */
	int last_told, n_told;
};

struct play *play_new(const struct tw__platform *, enum tw__link_shares);
void play_free(struct play *);

/* Notes an end and asserts that it may come now. */
void play_tell(struct play *, struct tw__share *, double now);
void play_tell_all(struct play *, double now); /* all ends until now */

/* The whole script. The platform may be another one than the script's. */
struct play *play(const struct script *, const struct tw__platform *, enum manner);

#endif
