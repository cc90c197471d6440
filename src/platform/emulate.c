/* Parses the value of option --emulate: keys and values like a plug-in's, but without a plug-in's name before them. */
#include "platform/emulate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"

static const char option[] = "--emulate";

/* Limits of bandwidths, bytes/s. The lower limit is 1 MB/s, because a user who writes bandwidth=2 means 2GB/s, not 2
 * B/s. */
static const double least_rate = 1e6, most_rate = 1e18;

static const struct tw_param params[] = {
	{"gpus", TW_PARAM_INT, "1", 1, TW__MAX_EMULATED, .help = "number of emulated accelerators; required"},
	{"memories", TW_PARAM_INT, "1", 1, TW__MAX_EMULATED_MEMORIES,
         .help = "number of emulated main memories, for a platform file with several"},
	{"mem", TW_PARAM_BYTES, "256MiB", 1, 0x1p46, .help = "memory of each accelerator"},
	{"bandwidth", TW_PARAM_TEXT, "",
         .help = "of each accelerator's link, in each direction, such as 2GB/s; required"},
	{"latency", TW_PARAM_TIME, "10us", 0, 1000, .help = "of each copy"},
	{"shared", TW_PARAM_TEXT, "",
         .help = "total bandwidth of all copies from main memory, and of all copies to it; default: no limit"},
	{"peer", TW_PARAM_FLAG, "no", .help = "direct copies between accelerators, over links of the same bandwidth"},
	{"arch", TW_PARAM_TEXT, "emulated", .help = "arch of the accelerators, as in kernels.csv"},
	{0},
};

/* Reports that the value of a key of --emulate is not valid. Returns TW_INVALID. */
static int bad_value(const char *key, const char *text, const char *expected, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "%s: %s=%.200s: expected %s", option, key, text, expected);
}

/* Reads a bandwidth in bytes/s, which users write as "2GB/s" or, as in platform.xml, "2GBps". A missing key gives 0. */
static int read_rate(double *rate, const struct tw_args *args, const char *key, struct tw_error *err)
{
	const char *text = tw_args_text(args, key);
	size_t length = strlen(text);
	*rate = 0;
	if (!tw_args_given(args, key))
		return TW_OK;

	char per_second[64] = "";
	struct tw_error inner;
	if (length < sizeof per_second)
		memcpy(per_second, text, length + 1);
	if (length >= 2 && length < sizeof per_second && strcmp(text + length - 2, "/s") == 0)
		memcpy(per_second + length - 2, "ps", 2);
	/* tw__parse_bandwidth also accepts flop/s, with the unit "f" */
	bool is_speed = length && text[length - 1] == 'f';
	if (is_speed || tw__parse_bandwidth(rate, per_second, &inner) < 0 || !(*rate >= least_rate) ||
	    *rate > most_rate)
		return bad_value(key, text, "a bandwidth from 1MB/s to 1e18B/s, such as 2GB/s", err);
	return TW_OK;
}

/* Reads the name of the arch. The name goes into an XML file and a column of kernels.csv, and must differ from the
 * archs of CPU cores. */
static int read_arch(char *arch, const struct tw_args *args, struct tw_error *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	const char *text = tw_args_text(args, "arch");
	size_t length = strlen(text);
	if (length == 0 || length >= TW__MAX_EMULATED_ARCH || text[strspn(text, letters)])
		return bad_value("arch", text, "1 to 63 letters, digits and '.', '_', '-'", err);
	if (strncmp(text, "cpu", 3) == 0)
		return bad_value("arch", text, "a name that does not start with 'cpu', as those of CPUs do", err);
	memcpy(arch, text, length + 1);
	return TW_OK;
}

static int fill(struct tw__emulation *e, const struct tw_args *args, struct tw_error *err)
{
	for (int i = 0; params[i].name; i++)
		e->describes |= strcmp(params[i].name, "gpus") != 0 && strcmp(params[i].name, "memories") != 0 &&
		                tw_args_given(args, params[i].name);
	e->memories = tw_args_given(args, "memories") ? (int)tw_args_int(args, "memories") : 0;
	e->gpus = tw_args_given(args, "gpus") ? (int)tw_args_int(args, "gpus") : 0;
	e->memory_bytes = tw_args_bytes(args, "mem");
	e->latency_s = tw_args_seconds(args, "latency");
	e->peer = tw_args_flag(args, "peer");
	int status = read_rate(&e->bandwidth, args, "bandwidth", err);
	if (status == TW_OK)
		status = read_rate(&e->shared_bandwidth, args, "shared", err);
	return status == TW_OK ? read_arch(e->arch, args, err) : status;
}

/* Splits the value of --emulate into keys and values. tw__spec_parse expects a plug-in's name first, so this function
 * puts a name in front. */
static int split(struct tw__spec *spec, const char *text, struct tw_error *err)
{
	char *named = tw_format(*text ? "emulate:%s" : "emulate%s", text);
	int status = tw__spec_parse(spec, named, err);
	free(named);
	if (status == TW_INVALID) /* replaces the parser's message, which contains the name put in front */
		return tw_fail(err, status,
		               "%s '%.200s': expected KEY=VALUE:KEY=VALUE..., such as gpus=2:bandwidth=2GB/s", option,
		               text);
	return status;
}

int tw__emulation_parse(struct tw__emulation *e, const char *text, struct tw_error *err)
{
	struct tw__spec spec;
	struct tw_args *args = NULL;
	*e = (struct tw__emulation){0};
	int status = split(&spec, text, err);
	if (status < 0)
		return status;
	status = tw__args_create(&args, option, params, &spec, err);
	if (status == TW_OK)
		status = fill(e, args, err);
	tw__args_destroy(args);
	tw__spec_finish(&spec);
	return status;
}

int tw__emulation_check(const struct tw__emulation *e, struct tw_error *err)
{
	if (e->memories)
		return tw_fail(err, TW_INVALID, "%s: memories=%d: expected a platform file with several main memories",
		               option, e->memories);
	if (e->gpus && e->bandwidth > 0)
		return TW_OK;
	const char *key = e->gpus ? "bandwidth" : "gpus";
	return tw_fail(err, TW_INVALID, "%s: parameter '%s' is missing: expected it, such as %s", option, key,
	               e->gpus ? "bandwidth=2GB/s" : "gpus=2");
}

/* --- platform.xml ------------------------------------------------------------------------------------------------- */

/* Writes a SPLITDUPLEX link. Its numbers have 17 digits, enough to read back exactly the same double. */
static void write_link(FILE *f, const char *id, double bandwidth, double latency_s)
{
	fprintf(f, "  <link id=\"%s\" bandwidth=\"%.17gBps\" latency=\"%.17gs\" sharing_policy=\"SPLITDUPLEX\"/>\n", id,
	        bandwidth, latency_s);
}

void tw__emulation_write_hosts(FILE *f, const struct tw__emulation *e)
{
	for (int i = 0; i < e->gpus; i++) {
		fprintf(f, "  <host id=\"GPU%d\" speed=\"1Gf\">\n    <prop id=\"arch\" value=\"%s\"/>\n", i, e->arch);
		fprintf(f, "    <prop id=\"memory\" value=\"%" PRIu64 "\"/>\n", e->memory_bytes);
		if (e->peer)
			fputs("    <prop id=\"peer\" value=\"yes\"/>\n", f);
		fputs("    <prop id=\"driver\" value=\"none\"/>\n  </host>\n", f);
	}
}

static void write_peers(FILE *f, const struct tw__emulation *e)
{
	char id[32];
	for (int a = 0; a < e->gpus; a++)
		for (int b = a + 1; b < e->gpus; b++) {
			snprintf(id, sizeof id, "peer%d-%d", a, b);
			write_link(f, id, e->bandwidth, e->latency_s);
			fprintf(f,
			        "  <route src=\"GPU%d\" dst=\"GPU%d\"><link_ctn id=\"%s\" direction=\"UP\"/></route>\n",
			        a, b, id);
		}
}

void tw__emulation_write_links(FILE *f, const struct tw__emulation *e)
{
	char id[32];
	if (e->shared_bandwidth > 0)
		write_link(f, "shared", e->shared_bandwidth, 0);
	for (int i = 0; i < e->gpus; i++) {
		snprintf(id, sizeof id, "emulated%d", i);
		write_link(f, id, e->bandwidth, e->latency_s);
		fprintf(f, "  <route src=\"RAM\" dst=\"GPU%d\">%s<link_ctn id=\"%s\" direction=\"DOWN\"/></route>\n", i,
		        e->shared_bandwidth > 0 ? "<link_ctn id=\"shared\" direction=\"DOWN\"/>" : "", id);
	}
	if (e->peer)
		write_peers(f, e);
}
