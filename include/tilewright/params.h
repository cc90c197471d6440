/* Parameters of plug-ins, as users write them: "cholesky:nt=20:nb=960", "eager", "file:PATH".
 *
 * A specification is NAME[:VALUE][:KEY=VALUE]...; `\:` is a colon inside a value. A plug-in declares its
 * parameters in a table that ends with {0}. The library checks the user's values against the table before the plug-in
 * sees them: known key, given once, right type, inside [min, max]. So the getters below cannot fail. */
#ifndef TILEWRIGHT_PARAMS_H
#define TILEWRIGHT_PARAMS_H

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tw_param_type {
	TW_PARAM_INT,    /* "20" */
	TW_PARAM_REAL,   /* "0.5" */
	TW_PARAM_BYTES,  /* "500MiB", "4GB", "1024" */
	TW_PARAM_TIME,   /* "10us", "1.5ms", "2" (seconds) */
	TW_PARAM_FLAG,   /* yes|no|true|false|on|off|1|0 */
	TW_PARAM_CHOICE, /* one of `choices`, "a|b|c" */
	TW_PARAM_TEXT    /* anything */
};

struct tw_param {
	const char *name;
	enum tw_param_type type;
	const char *fallback; /* the default; NULL: the user must give a value */
	double min, max;      /* inclusive limits of INT, REAL, BYTES (bytes) and TIME (seconds). Both 0: no limits;
	                       * max < min or INFINITY: no upper limit */
	const char *choices;  /* for CHOICE */
	const char *help;     /* one line, with the unit */
};

struct tw_args; /* the checked values of one specification */

/* `name` must be in the plug-in's table with the type of the getter (assert). */
int64_t tw_args_int(const struct tw_args *, const char *name);
double tw_args_real(const struct tw_args *, const char *name);
uint64_t tw_args_bytes(const struct tw_args *, const char *name);
double tw_args_seconds(const struct tw_args *, const char *name);
bool tw_args_flag(const struct tw_args *, const char *name);
const char *tw_args_text(const struct tw_args *, const char *name); /* TEXT and CHOICE */
bool tw_args_given(const struct tw_args *, const char *name);       /* true if the user gave a value */

#ifdef __cplusplus
}
#endif
#endif
