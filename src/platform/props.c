/* Reads values of XML attributes, and the properties (<prop>) of platform.xml. */
#include "platform/read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/one_line.h"
#include "base/spec.h"

/* The properties (<prop>) that platform.xml may have. */
enum prop {
	ARCH,
	MODEL,
	MAIN_MEMORY,
	ROLE,
	MEMORY,
	PEER,
	DRIVER,
	SOCKET,
	WATTAGE,
	SHARED_BANDWIDTH,
	PREDICTED_BANDWIDTH,
	PREDICTED_LATENCY,
	BANDWIDTH_ORIGIN,
	SHARED_BANDWIDTH_ORIGIN,
	LATENCY_ORIGIN,
	SUMMARY,
	RUNTIME,
	NODE
};

/* Limits of rates (bytes/s or flop/s), latencies and powers. Beyond them, copies would take no time or would not end,
 * and simulated dates would lose their microseconds. */
static const double least_rate = 1, most_rate = 1e18, most_latency_s = 1000, most_watts = 1e6;

static const long most_socket = 65535;

int tw__reader_fail(struct tw__reader *r, const char *format, ...)
{
	char text[sizeof r->err->message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	return tw__raw_fail(&r->raw, r->line, r->err, "%s", text);
}

int tw__reader_bad_value(struct tw__reader *r, const char *what, const char *text)
{
	struct tw_error inner = *r->err;
	return tw__reader_fail(r, "%s '%.80s': %.200s", what, text, inner.message);
}

int tw__reader_rate(struct tw__reader *r, double *rate, const char *what, const char *text, const char *unit,
                    const char *example)
{
	size_t length = strlen(text), unit_length = strlen(unit);
	bool has_letter = length && (text[length - 1] < '0' || text[length - 1] > '9') && text[length - 1] != '.';
	bool right_unit = length > unit_length && strcmp(text + length - unit_length, unit) == 0;
	struct tw_error inner;
	if ((has_letter && !right_unit) || tw__parse_bandwidth(rate, text, &inner) < 0 || *rate <= 0)
		return tw__reader_fail(r, "%s '%.80s': expected a number above 0, such as %s", what, text, example);
	if (*rate < least_rate || *rate > most_rate)
		return tw__reader_fail(r, "%s '%.80s': expected a number from %g to %g, such as %s", what, text,
		                       least_rate, most_rate, example);
	return TW_OK;
}

int tw__reader_seconds(struct tw__reader *r, double *seconds, const char *what, const char *text)
{
	if (tw__parse_seconds(seconds, text, r->err) < 0)
		return tw__reader_bad_value(r, what, text);
	if (*seconds > most_latency_s)
		return tw__reader_fail(r, "%s '%.80s': expected at most %gs", what, text, most_latency_s);
	return TW_OK;
}

static int copy_text(struct tw__reader *r, char **to, const char *what, const char *text)
{
	size_t length = strlen(text);
	if (length == 0 || length > TW__MAX_NAME)
		return tw__reader_fail(r, "%s of %zu bytes, expected 1 to %d", what, length, TW__MAX_NAME);
	if (!tw__is_text(text))
		return tw__reader_fail(r, "%s '%.80s': expected text without control characters", what, text);
	*to = tw_copy_text(text); /* *to is still NULL, as an element sets each property at most once */
	return TW_OK;
}

/* Fails if the element has set this property before; otherwise records it as set. */
static int once(struct tw__reader *r, const char *id, enum prop prop)
{
	unsigned *seen = &r->props[r->depth - 1];
	if (*seen & 1u << prop)
		return tw__reader_fail(r, "property '%s' is set twice, expected once", id);
	*seen |= 1u << prop;
	return TW_OK;
}

/* Warns about an unknown property of an element. Properties of other tools are harmless, but the property may be a
 * misspelt one of ours. */
static int unknown_prop(struct tw__reader *r, const char *of, const char *id)
{
	if (r->n_unknown++ < TW__MOST_UNKNOWN)
		tw_log(TW_LOG_WARNING, "%s:%d: property '%.80s' of a %s is unknown and has no effect", r->raw.file,
		       r->line, id, of);
	return TW_OK;
}

static int read_role(struct tw__reader *r, enum tw__role *role, const char *text)
{
	static const struct {
		const char *name;
		enum tw__role role;
	} roles[] = {
		{"memory", TW__ROLE_MEMORY},
		{"disk", TW__ROLE_DISK},
		{"ignored", TW__ROLE_IGNORED},
	};
	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
		if (strcmp(text, roles[i].name) == 0) {
			*role = roles[i].role;
			return TW_OK;
		}
	return tw__reader_fail(r, "role '%.80s': expected memory, disk or ignored", text);
}

static int read_memory(struct tw__reader *r, uint64_t *bytes, const char *id, const char *value)
{
	if (tw__parse_bytes(bytes, value, r->err) < 0)
		return tw__reader_bad_value(r, id, value);
	return *bytes ? TW_OK : tw__reader_fail(r, "%s '%.80s': expected a size above 0", id, value);
}

static int read_peer(struct tw__reader *r, int *peer, const char *id, const char *value)
{
	bool flag;
	if (tw__parse_flag(&flag, value, r->err) < 0)
		return tw__reader_bad_value(r, id, value);
	*peer = flag;
	return TW_OK;
}

static int read_driver(struct tw__reader *r, enum tw__driver *driver, const char *value)
{
	if (strcmp(value, "core") != 0 && strcmp(value, "none") != 0)
		return tw__reader_fail(r, "driver '%.80s': expected core or none", value);
	*driver = *value == 'c' ? TW__DRIVER_CORE : TW__DRIVER_NONE;
	return TW_OK;
}

static int read_socket(struct tw__reader *r, int *socket, const char *value)
{
	char *end;
	const long number = strtol(value, &end, 10);
	if (end == value || *end || number < 0 || number > most_socket || *value < '0')
		return tw__reader_fail(r, "socket '%.80s': expected a whole number from 0 to %ld", value, most_socket);
	*socket = (int)number;
	return TW_OK;
}

/* Reads the power of a host with all its cores, in watts, as SimGrid's energy plug-in defines it: "IDLE:EPSILON:ALL" or
 * "IDLE:ALL". IDLE: no core works; ALL: all cores work. EPSILON, for a host under hardly any load, is ignored. If there
 * are several states, separated by commas, the first counts. */
static int read_wattage(struct tw__reader *r, struct tw__raw_host *host, const char *id, const char *value)
{
	double watts[3];
	int n = 0;
	const char *at = value;
	for (char *end; n < 3; at = end + 1) {
		watts[n] = strtod(at, &end);
		bool number = end > at && isfinite(watts[n]) && watts[n] >= 0 && watts[n] <= most_watts;
		if (!number || (*end && *end != ':' && *end != ','))
			return tw__reader_fail(r, "%s '%.80s': expected IDLE:EPSILON:ALL, watts from 0 to %g", id,
			                       value, most_watts);
		n++;
		if (*end != ':') {
			at = end;
			break;
		}
	}
	if (n < 2 || (*at && *at != ',') || watts[n - 1] < watts[0])
		return tw__reader_fail(
			r, "%s '%.80s': expected IDLE:EPSILON:ALL, watts, of which ALL are not less than IDLE", id,
			value);
	host->idle_watts = watts[0];
	host->busy_watts = watts[n - 1];
	return TW_OK;
}

static int host_prop(struct tw__reader *r, enum prop prop, const char *id, const char *value)
{
	struct tw__raw_host *host = &r->raw.hosts[r->raw.n_hosts - 1];
	switch (prop) {
	case ARCH:
		return copy_text(r, &host->arch, id, value);
	case MODEL: /* StarPU writes an empty one where it does not know the model */
		return *value ? copy_text(r, &host->model, id, value) : TW_OK;
	case MAIN_MEMORY:
		return copy_text(r, &host->main_memory, id, value);
	case ROLE:
		return read_role(r, &host->role, value);
	case WATTAGE:
		return read_wattage(r, host, id, value);
	case DRIVER:
		return read_driver(r, &host->driver, value);
	case SOCKET:
		return read_socket(r, &host->socket, value);
	case NODE:
		return copy_text(r, &host->node, id, value);
	case MEMORY:
		return read_memory(r, &host->memory_bytes, id, value);
	default:
		return read_peer(r, &host->peer, id, value);
	}
}

/* Reads where a number of links comes from. */
static int read_origin(struct tw__reader *r, char **origin, const char *id, const char *value)
{
	static const char *const kinds[] = {"measured", "paper", "derived", "assumed"};
	size_t length = strcspn(value, ":");
	bool known = false;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		known |= strlen(kinds[i]) == length && strncmp(value, kinds[i], length) == 0;
	if (!known)
		return tw__reader_fail(r,
		                       "%s '%.80s': expected measured, paper, derived or assumed, and perhaps "
		                       "': SOURCE' behind it",
		                       id, value);
	return copy_text(r, origin, id, value);
}

static int link_prop(struct tw__reader *r, enum prop prop, const char *id, const char *value)
{
	double number = 0;
	int status = TW_OK;
	if (prop >= BANDWIDTH_ORIGIN && prop <= LATENCY_ORIGIN) {
		for (int i = r->first_link; i < r->raw.n_links && status == TW_OK; i++)
			status = read_origin(r, &r->raw.links[i].origins[prop - BANDWIDTH_ORIGIN], id, value);
		return status;
	}
	status = prop == PREDICTED_LATENCY ? tw__reader_seconds(r, &number, id, value)
	                                   : tw__reader_rate(r, &number, id, value, "ps", "6GBps");
	if (status < 0)
		return status;
	for (int i = r->first_link; i < r->raw.n_links; i++) {
		struct tw__raw_link *link = &r->raw.links[i];
		if (prop == SHARED_BANDWIDTH && (link->sharing == TW__FATPIPE || number > link->bandwidth))
			return tw__reader_fail(r, "%s '%.80s': expected %s", id, value,
			                       link->sharing == TW__FATPIPE ? "a link that is shared"
			                                                    : "at most the link's bandwidth");
		*(prop == SHARED_BANDWIDTH      ? &link->shared_bandwidth
		  : prop == PREDICTED_BANDWIDTH ? &link->predicted_bandwidth
		                                : &link->predicted_latency) = number;
	}
	return TW_OK;
}

static int zone_prop(struct tw__reader *r, enum prop prop, const char *id, const char *value)
{
	if (prop >= BANDWIDTH_ORIGIN && prop <= LATENCY_ORIGIN)
		return read_origin(r, &r->raw.origins[prop - BANDWIDTH_ORIGIN], id, value);
	char **text = prop == RUNTIME ? &r->raw.runtime : prop == NODE ? &r->raw.node : &r->raw.summary;
	if (*text) /* both the zone and its cluster may have it */
		return tw__reader_fail(r, "property '%s' is set twice, expected once", id);
	if (prop == RUNTIME)
		r->raw.runtime_line = r->line;
	if (prop == NODE)
		r->raw.node_line = r->line;
	return copy_text(r, text, id, value);
}

int tw__reader_prop(struct tw__reader *r, const char *const *values)
{
	/* The ids of properties, each with its element. `memsize`, `memcpy_peer` and `model` are ids in StarPU's
	 * files. */
	static const struct {
		const char *id;
		unsigned of;
		enum prop prop;
	} props[] = {
		{"arch", TW__IN_HOST, ARCH},
		{"model", TW__IN_HOST, MODEL},
		{"role", TW__IN_HOST, ROLE},
		{"memory", TW__IN_HOST, MEMORY},
		{"memsize", TW__IN_HOST, MEMORY},
		{"main_memory", TW__IN_HOST, MAIN_MEMORY},
		{"peer", TW__IN_HOST, PEER},
		{"memcpy_peer", TW__IN_HOST, PEER},
		{"driver", TW__IN_HOST, DRIVER},
		{"socket", TW__IN_HOST, SOCKET},
		{"wattage_per_state", TW__IN_HOST, WATTAGE},
		{"shared_bandwidth", TW__IN_LINK, SHARED_BANDWIDTH},
		{"predicted_bandwidth", TW__IN_LINK, PREDICTED_BANDWIDTH},
		{"predicted_latency", TW__IN_LINK, PREDICTED_LATENCY},
		{"bandwidth_origin", TW__IN_LINK | TW__IN_ZONE, BANDWIDTH_ORIGIN},
		{"shared_bandwidth_origin", TW__IN_LINK | TW__IN_ZONE, SHARED_BANDWIDTH_ORIGIN},
		{"latency_origin", TW__IN_LINK | TW__IN_ZONE, LATENCY_ORIGIN},
		{"summary", TW__IN_ZONE | TW__IN_CLUSTER, SUMMARY},
		{"runtime", TW__IN_ZONE | TW__IN_CLUSTER, RUNTIME},
		{"node", TW__IN_ZONE | TW__IN_CLUSTER | TW__IN_HOST, NODE},
	};
	unsigned of = r->stack[r->depth - 1];
	const char *id = values[0], *value = values[1];
	if (of == TW__IN_CONFIG) /* properties of <config> are options of SimGrid itself; the engine sets its own */
		return TW_OK;
	for (size_t i = 0; i < sizeof props / sizeof props[0]; i++) {
		if (!(props[i].of & of) || !tw__same_word(props[i].id, id))
			continue;
		int status = once(r, id, props[i].prop);
		if (status < 0)
			return status;
		return of == TW__IN_HOST   ? host_prop(r, props[i].prop, id, value)
		       : of == TW__IN_LINK ? link_prop(r, props[i].prop, id, value)
		                           : zone_prop(r, props[i].prop, id, value);
	}
	return unknown_prop(r,
	                    of == TW__IN_HOST      ? "host"
	                    : of == TW__IN_LINK    ? "link"
	                    : of == TW__IN_CLUSTER ? "cluster"
	                                           : "zone",
	                    id);
}
