/* Parameters of plug-ins, as users write them: "cholesky:nt=20:nb=960", "eager", "file:PATH".
 *
 * A specification is NAME[:VALUE][:KEY=VALUE]...; `\:` is a colon inside a value. A plug-in declares its parameters in
 * a table that ends with {0}. Before the plug-in sees the user's values, the library checks them against the table:
 * known key, given once, right type, inside [min, max]. So the getters below cannot fail. */
#ifndef TILEWRIGHT_PARAMS_H
#define TILEWRIGHT_PARAMS_H

#include <tilewright/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tw_param_type {
	TW_PARAM_INT,    /* an integer: "20" */
	TW_PARAM_REAL,   /* a decimal number: "0.5" */
	TW_PARAM_BYTES,  /* a size: "500MiB", "4GB", "1024" (bytes) */
	TW_PARAM_TIME,   /* a duration: "10us", "1.5ms", "2" (seconds) */
	TW_PARAM_FLAG,   /* a switch: yes|no|true|false|on|off|1|0 */
	TW_PARAM_CHOICE, /* one of the words in `choices` */
	TW_PARAM_TEXT,   /* any text */
	TW_PARAM_POLICY  /* a policy with its parameters (compose.h): "heft", "dmda\\:beta=2"; "": none */
};

struct tw_param {
	const char *name;
	enum tw_param_type type;
	const char *fallback; /* the default value, as text; NULL: the user must give a value */
	double min, max;      /* inclusive limits of INT, REAL, BYTES (bytes) and TIME (seconds). Both 0: no limits; max
	                       * < min, or INFINITY: no upper limit */
	const char *choices;  /* the allowed words of a CHOICE: "a|b|c" */
	const char *help;     /* one line for listings, which says the parameter's unit */
};

struct tw_args; /* checked values of the parameters in a plug-in's specification, as cholesky:nt=20 */

/* Each getter returns the value of one parameter. `name` must be in the plug-in's table, with the type of the getter:
 * otherwise an error is logged that names it, and the process aborts. */
int64_t tw_args_int(const struct tw_args *, const char *name);
double tw_args_real(const struct tw_args *, const char *name);
uint64_t tw_args_bytes(const struct tw_args *, const char *name);
double tw_args_seconds(const struct tw_args *, const char *name);
bool tw_args_flag(const struct tw_args *, const char *name);
const char *tw_args_text(const struct tw_args *, const char *name); /* for TEXT, CHOICE and POLICY */
bool tw_args_given(const struct tw_args *, const char *name);       /* whether the user gave the parameter a value */

#ifdef __cplusplus
}
#endif
#endif
