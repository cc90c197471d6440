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

/* The value of a parameter of type POLICY. Its owner is the struct tw_args, which destroys `args`, too. */
struct tw_policy;
struct tw__args_policy {
	const char *param;              /* name of the parameter */
	const char *text;               /* its value; "": none */
	const struct tw_policy *policy; /* NULL: not found yet, or none */
	struct tw_args *args;           /* of that policy */
};
/* Returns the value of the first such parameter, from the *i-th of the table on, and sets *i behind it. NULL: there is
 * no other. `args` may be NULL. */
struct tw__args_policy *tw__args_next_policy(const struct tw_args *args, int *i);
/* Writes the limits of a parameter to `text`, as "from 0 to 1 s" or ">= 1"; "" if it has none. Returns `text`. */
enum { TW__RANGE_BYTES = 80 };
const char *tw__param_range(const struct tw_param *, char *text, size_t room);
/* Checks only the values that the specification gives; mandatory parameters may be missing. */
int tw__args_check(const char *what, const struct tw_param *, const struct tw__spec *, struct tw_error *err);

/* Each function parses the whole text as one value. If it cannot, it returns TW_INVALID with "expected ...".
 * Sizes: B, KB MB GB TB PB EB (powers of 1000), KiB MiB GiB TiB PiB EiB (powers of 1024); no unit: bytes. A blank may
 * stand before the unit, B may be missing, and letters may be small: "2 GB", "2G", "2gb".
 * Times: s, ms, us, ns, ps; no unit: seconds.
 * Rates: [K|M|G|T|P|E][i] with Bps, bps (bits per second) or f (flops per second); no unit: bytes per second. */
int tw__parse_int(int64_t *, const char *text, struct tw_error *err);
int tw__parse_real(double *, const char *text, struct tw_error *err);
int tw__parse_bytes(uint64_t *, const char *text, struct tw_error *err);
/* Prints the least size that is at least `bytes` and has three digits or more in the unit of `like`, as "118MB". The
 * unit of `like` is the greatest that it is a whole number of. Sizes of more than four digits take a greater unit. */
void tw__print_bytes_like(char *text, size_t room, uint64_t bytes, uint64_t like);

/* Returns a malloc'ed copy of the next word of a list with commas between; `\,` is a comma of a word.
 * `*text` moves behind the word's comma; NULL after the last word. */
char *tw__next_word(const char **text);

/* Sizes for people.
 * tw__size_text writes a size that somebody chose, such as that of a memory, in the unit in which it is round:
 * 2000000000 as "2 GB", 524288000 as "500 MiB". In this unit it has the fewest digits, at most four. A size that is
 * round in no unit is written as an amount.
 *
 * tw__amount_text writes bytes that moved or were counted, as in "5.559 GB": with four digits and units of 1000.
 * tw__size_beside writes a size as tw__size_text does. If `other` has the same four digits, it writes bytes.
 * All return `text`. */
const char *tw__size_text(char *text, size_t room, uint64_t bytes);
const char *tw__amount_text(char *text, size_t room, double bytes);
const char *tw__size_beside(char *text, size_t room, uint64_t bytes, uint64_t other);

/* Writes a duration with four significant digits, in the greatest unit in which it is at least 1: "12.5 ms", "0 s". A
 * difference has its sign: "+12.5 ms", "-3 us", "0 s". Both return `text`. */
enum { TW__DURATION_TEXT = 32 };
const char *tw__duration_text(char text[TW__DURATION_TEXT], double seconds);
const char *tw__difference_text(char text[TW__DURATION_TEXT], double seconds);
/* The greatest of s, ms, us and ns in which a duration is at least 1, in seconds; *name: its name. */
double tw__duration_unit(double seconds, const char **name);

/* The unit of an axis. */
struct tw__unit {
	double bytes;
	const char *name;
};
/* Returns the unit of an axis of sizes. If most of the round ones are round in units of 1024, it is MiB, or GiB from
 * 8 GiB on. Else it is MB, or GB from 4 GB on. Skips NANs. */
struct tw__unit tw__size_unit(const double *sizes, int n);
/* Returns the unit of an axis of amounts up to `most`: MB or GB. */
struct tw__unit tw__amount_unit(double most);
/* Returns the unit of an axis of bytes in use, up to `most`: the greatest of which `most` has at least two. */
struct tw__unit tw__used_unit(double most, bool is_binary);
/* Whether most of the round sizes are round in units of 1024. Skips NANs and 0. */
bool tw__are_sizes_binary(const double *sizes, int n);

int tw__parse_seconds(double *, const char *text, struct tw_error *err);
int tw__parse_bandwidth(double *, const char *text, struct tw_error *err);
int tw__parse_flag(bool *, const char *text, struct tw_error *err);

#endif
