/* Specification strings and option values: "NAME[:VALUE][:KEY=VALUE]...", "500MiB", "10us". */
#ifndef TW__SPEC_H
#define TW__SPEC_H

#include <tilewright/params.h>

struct tw__spec_item {
	char *key, *value; /* key NULL: the one bare VALUE, right after the name */
};

struct tw__spec {
	char *name; /* before the first colon */
	int n;
	struct tw__spec_item *items;
};

int tw__spec_parse(struct tw__spec *, const char *text, struct tw_error *err);
void tw__spec_finish(struct tw__spec *);

/* Checks a specification against a table; `what` is the word for messages: "workload 'cholesky'". A bare value is the
 * value of the first parameter of the table if that is of type TEXT, and an error otherwise. */
int tw__args_create(struct tw_args **, const char *what, const struct tw_param *, const struct tw__spec *,
                    struct tw_error *err);
void tw__args_destroy(struct tw_args *);
/* The same of what the specification gives; it may lack what has no default. */
int tw__args_check(const char *what, const struct tw_param *, const struct tw__spec *, struct tw_error *err);

/* One value each; the whole text must be used. TW_INVALID with "expected ..." else. Units: bytes B, KB MB GB TB (10^3),
 * KiB MiB GiB TiB (2^10), none = bytes; time s, ms, us, ns, none = seconds; bandwidth [K|M|G|T][i]Bps, bytes/s;
 * [K|M|G|T]f. */
int tw__parse_int(int64_t *, const char *text, struct tw_error *err);
int tw__parse_real(double *, const char *text, struct tw_error *err);
int tw__parse_bytes(uint64_t *, const char *text, struct tw_error *err);
int tw__parse_seconds(double *, const char *text, struct tw_error *err);
int tw__parse_bandwidth(double *, const char *text, struct tw_error *err);
int tw__parse_flag(bool *, const char *text, struct tw_error *err);

#endif
