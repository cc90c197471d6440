/* Parsers of specification strings, "NAME[:VALUE][:KEY=VALUE]...", and of option values such as "500MiB" and "10us". */
#ifndef TW__SPEC_H
#define TW__SPEC_H

#include <tilewright/params.h>

struct tw__spec_item {
	char *key, *value; /* key NULL: `value` is the VALUE without a key that follows the name */
};

struct tw__spec {
	char *name; /* the NAME before the first colon of the specification */
	int n;
	struct tw__spec_item *items;
};

int tw__spec_parse(struct tw__spec *, const char *text, struct tw_error *err);
void tw__spec_finish(struct tw__spec *);

/* Checks a specification against a plug-in's table of parameters and adds the defaults. `what` names the plug-in in
 * messages, such as "workload 'cholesky'". A VALUE without a key belongs to the table's first parameter, if that is of
 * type TEXT; else it is an error. */
int tw__args_create(struct tw_args **, const char *what, const struct tw_param *, const struct tw__spec *,
                    struct tw_error *err);
void tw__args_destroy(struct tw_args *);
/* Checks only the values that the specification gives; mandatory parameters may be missing. */
int tw__args_check(const char *what, const struct tw_param *, const struct tw__spec *, struct tw_error *err);

/* Each function parses the whole text as one value. If it cannot, it returns TW_INVALID with "expected ...".
 * Sizes: B, KB MB GB TB PB EB (powers of 1000), KiB MiB GiB TiB PiB EiB (powers of 1024); no unit: bytes.
 * Times: s, ms, us, ns, ps; no unit: seconds.
 * Rates: [K|M|G|T|P|E][i] with Bps, bps (bits per second) or f (flops per second); no unit: bytes per second. */
int tw__parse_int(int64_t *, const char *text, struct tw_error *err);
int tw__parse_real(double *, const char *text, struct tw_error *err);
int tw__parse_bytes(uint64_t *, const char *text, struct tw_error *err);
/* Prints the least size that is at least `bytes` and has three digits or more in the unit of `like`, as "118MB". The
 * unit of `like` is the greatest that it is a whole number of. */
void tw__print_bytes_like(char *text, size_t room, uint64_t bytes, uint64_t like);
int tw__parse_seconds(double *, const char *text, struct tw_error *err);
int tw__parse_bandwidth(double *, const char *text, struct tw_error *err);
int tw__parse_flag(bool *, const char *text, struct tw_error *err);

#endif
