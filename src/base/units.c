/* Parsers of numbers with units, as users and platform files write them. Each parser reads the whole text or fails with
 * "expected ..."; the caller adds the parameter's name and the place in the file. */
#include "base/door.h"
#include "base/spec.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Parses a number of at most 15 digits without sign and exponent, as most are. Returns its end; NULL: strtod must parse
 * it. Digits and divisor are exact as doubles, so their quotient is rounded as strtod rounds. */
static const char *scan_short_real(double *value, const char *text)
{
	static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
	const char *c = text, *point = NULL;
	int64_t digits = 0;
	for (; (is_digit(*c) || (*c == '.' && !point)) && c - text < 15; c++)
		if (*c == '.')
			point = c;
		else
			digits = 10 * digits + (*c - '0');
	*value = (double)digits / powers[point ? c - point - 1 : 0];
	return c == text || is_digit(*c) || *c == '.' || *c == 'e' || *c == 'E' ? NULL : c;
}

/* Parses a finite decimal number at the start of `text`: [+-]digits[.digits][e[+-]digits]. Unlike strtod, it refuses
 * "nan", "inf", hexadecimal numbers and leading blanks. Returns the end of the number; NULL: no number, or an
 * overflow. */
static const char *scan_real(double *value, const char *text)
{
	const char *c = text;
	if (*c == '+' || *c == '-')
		c++;
	bool is_hex = *c == '0' && (c[1] == 'x' || c[1] == 'X');
	if (is_hex || (!is_digit(*c) && !(*c == '.' && is_digit(c[1]))))
		return NULL;
	const char *short_end = scan_short_real(value, text);
	if (short_end)
		return short_end;
	char *end;
	*value = strtod_l(text, &end, tw__c_locale()); /* the decimal point is '.', whatever the thread's locale is */
	return isfinite(*value) ? end : NULL;
}

int tw__parse_int(int64_t *value, const char *text, struct tw_error *err)
{
	const bool negative = *text == '-';
	const char *first = negative || *text == '+' ? text + 1 : text, *c = first;
	int64_t number = 0;
	while (is_digit(*c) && !__builtin_mul_overflow(number, 10, &number) &&
	       !__builtin_add_overflow(number, negative ? '0' - *c : *c - '0', &number))
		c++; /* stops at a digit that does not fit */
	if (c == first || *c)
		return tw_fail(err, TW_INVALID, "expected an integer");
	*value = number;
	return TW_OK;
}

int tw__parse_real(double *value, const char *text, struct tw_error *err)
{
	double number;
	const char *end = scan_real(&number, text);
	if (!end || *end)
		return tw_fail(err, TW_INVALID, "expected a number");
	*value = number;
	return TW_OK;
}

/* Skips a unit's prefix and returns its factor: 1000^i for the i-th letter of "kMGTPE" (or "K"), 1024^i if an "i"
 * follows; 1: there is no prefix. */
static double scan_prefix(const char **unit)
{
	static const char prefixes[] = "kMGTPE";
	const char letter = **unit == 'K' ? 'k' : **unit;
	const char *found = letter ? strchr(prefixes, letter) : NULL;
	if (!found)
		return 1;
	int power = (int)(found - prefixes) + 1;
	++*unit;
	if (**unit == 'i') {
		++*unit;
		return ldexp(1, 10 * power);
	}
	double factor = 1;
	while (power--)
		factor *= 1000;
	return factor;
}

/* Skips a unit of bytes, which ends the text, and returns its factor; 0: it is none. Letters may be small: "2g" is 2GB.
 * "Mb" is none, as it could mean bits. */
static double scan_unit_of_bytes(const char *unit)
{
	char prefix[3] = "";
	double factor = 1;
	unit += unit[0] == ' ' && unit[1];
	const char first = *unit;
	if (first == 'e') /* "1e" is half a number */
		return 0;
	if (first && first != 'B') {
		prefix[0] = (char)toupper((unsigned char)first);
		prefix[1] = tolower((unsigned char)unit[1]) == 'i' ? 'i' : '\0';
		const char *at = prefix;
		factor = scan_prefix(&at);
		if (*at || at == prefix)
			return 0;
		unit += strlen(prefix);
	}
	if (*unit == 'B' || (*unit == 'b' && islower((unsigned char)first)))
		unit++;
	return *unit ? 0 : factor;
}

int tw__parse_bytes(uint64_t *value, const char *text, struct tw_error *err)
{
	/* Sizes must be below 2^63 bytes, so that sums of two sizes do not overflow. Whole numbers are read exactly. */
	const char *expected = "expected a size in bytes, such as 1024, 500MiB or 4GB";
	double number;
	const char *unit = scan_real(&number, text);
	if (!unit || signbit(number))
		return tw_fail(err, TW_INVALID, "%s", expected);

	char *digits_end;
	errno = 0;
	unsigned long long whole = is_digit(*text) ? strtoull(text, &digits_end, 10) : 0;
	bool is_whole = is_digit(*text) && digits_end == unit && errno == 0;

	double factor = scan_unit_of_bytes(unit);
	if (factor < 1)
		return tw_fail(err, TW_INVALID, "%s", expected);
	uint64_t multiple = (uint64_t)factor;
	if (is_whole ? whole > INT64_MAX / multiple : number * factor >= 0x1p63)
		return tw_fail(err, TW_INVALID, "expected a size below 8EiB");
	*value = is_whole ? whole * multiple : (uint64_t)round(number * factor);
	return TW_OK;
}

static const char prefixes_of_size[] = " KMGTPE";

enum { MOST_UNITS = 9999, N_PREFIXES = 6 };

static uint64_t unit_at(int power, bool is_binary)
{
	uint64_t unit = 1;
	for (int i = 0; i < power; i++)
		unit *= is_binary ? 1024 : 1000;
	return unit;
}

/* Finds the unit of which `bytes` is the smallest whole number. */
static void find_unit(uint64_t bytes, int *power, bool *is_binary)
{
	*power = 0;
	*is_binary = false;
	for (int binary = 0; binary < 2; binary++)
		for (int p = 1; p <= N_PREFIXES; p++)
			if (bytes % unit_at(p, binary) == 0 && unit_at(p, binary) > unit_at(*power, *is_binary)) {
				*power = p;
				*is_binary = binary;
			}
}

void tw__print_bytes_like(char *text, size_t room, uint64_t bytes, uint64_t like)
{
	int power = 0;
	bool is_binary = false;
	if (like)
		find_unit(like, &power, &is_binary);
	while (bytes / unit_at(power, is_binary) > MOST_UNITS && power < N_PREFIXES)
		power++;
	char unit_name[4];
	const uint64_t unit = unit_at(power, is_binary);
	snprintf(unit_name, sizeof unit_name, "%.*s%sB", power > 0, prefixes_of_size + power, is_binary ? "i" : "");
	uint64_t parts = 1; /* of a unit: 1, 10 or 100 */
	while (parts < 100 && unit > 1 && bytes / unit < 100 / parts)
		parts *= 10;
	/* Rounded up; the whole part apart, so that no product overflows. */
	uint64_t whole = bytes / unit, rest = bytes % unit, part = 0;
	while (part < parts && (double)part / (double)parts * (double)unit < (double)rest)
		part++;
	whole += part / parts;
	part %= parts;
	const int digits = parts == 1 ? 0 : parts == 10 ? 1 : 2;
	if (part == 0)
		snprintf(text, room, "%" PRIu64 "%s", whole, unit_name);
	else
		snprintf(text, room, "%" PRIu64 ".%0*" PRIu64 "%s", whole, digits, part, unit_name);
}

/* --- sizes for people --------------------------------------------------------------------------------------------- */

enum { MOST_DIGITS = 4, MOST_DECIMALS = 3 };

/* Returns the number of digits that the size has in a unit; MOST_DIGITS + 1: more, or the size is below the unit. */
static int digits_in(uint64_t bytes, uint64_t unit, int *decimals)
{
	uint64_t whole = bytes / unit, rest = bytes % unit;
	int digits = 0;
	for (uint64_t n = whole; n > 0 && digits <= MOST_DIGITS; n /= 10)
		digits++;
	for (*decimals = 0; rest > 0 && *decimals < MOST_DECIMALS; ++*decimals)
		rest = rest * 10 % unit;
	return whole == 0 || rest > 0 ? MOST_DIGITS + 1 : digits + *decimals;
}

/* Finds the unit in which a size has the fewest digits, and the number of decimals then: units of 1000 before those of
 * 1024, and large before small ones. Returns the number of digits. */
static int roundest(uint64_t bytes, int *power, bool *is_binary, int *decimals)
{
	int fewest = MOST_DIGITS + 1;
	for (int binary = 0; binary < 2; binary++)
		for (int p = N_PREFIXES; p > 0; p--) {
			int d, digits = digits_in(bytes, unit_at(p, binary), &d);
			if (digits >= fewest)
				continue;
			fewest = digits;
			*power = p;
			*is_binary = binary;
			*decimals = d;
		}
	return fewest;
}

const char *tw__size_text(char *text, size_t room, uint64_t bytes)
{
	int power = 0, decimals = 0;
	bool is_binary = false;
	if (bytes < 1000)
		snprintf(text, room, "%" PRIu64 " B", bytes);
	else if (roundest(bytes, &power, &is_binary, &decimals) <= MOST_DIGITS)
		snprintf(text, room, "%.*f %c%sB", decimals, (double)bytes / (double)unit_at(power, is_binary),
		         prefixes_of_size[power], is_binary ? "i" : "");
	else
		return tw__amount_text(text, room, (double)bytes);
	return text;
}

const char *tw__size_beside(char *text, size_t room, uint64_t bytes, uint64_t other)
{
	char amount[32], other_amount[32];
	tw__amount_text(amount, sizeof amount, (double)bytes);
	tw__amount_text(other_amount, sizeof other_amount, (double)other);
	if (bytes == other || strcmp(amount, other_amount) != 0)
		return tw__size_text(text, room, bytes);
	snprintf(text, room, "%" PRIu64 " bytes", bytes);
	return text;
}

const char *tw__amount_text(char *text, size_t room, double bytes)
{
	int power = 0;
	while (bytes >= 999.95 && power < N_PREFIXES) {
		bytes /= 1000;
		power++;
	}
	if (power == 0)
		snprintf(text, room, "%.4g B", bytes);
	else
		snprintf(text, room, "%.*f %cB",
		         bytes < 9.9995   ? 3
		         : bytes < 99.995 ? 2
		                          : 1,
		         bytes, prefixes_of_size[power]);
	return text;
}

double tw__duration_unit(double seconds, const char **name)
{
	static const struct {
		double seconds, least;
		const char *name;
	} units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {1e-9, 0, "ns"}};
	size_t u = 0;
	while (fabs(seconds) < units[u].least * (1 - 5e-5)) /* rounded to four digits, the value is below 1 */
		u++;
	*name = units[u].name;
	return units[u].seconds;
}

/* Dates are whole nanoseconds. A shorter duration than this is what rounding has left of a difference. */
static const double least_duration_s = 1e-14;

static const char *put_duration(char *text, double s, const char *format)
{
	const char *name;
	double unit = tw__duration_unit(s, &name);
	if (fabs(s) >= least_duration_s) {
		int n = snprintf(text, TW__DURATION_TEXT, format, s / unit);
		snprintf(text + n, TW__DURATION_TEXT - (size_t)n, " %s", name);
	} else {
		snprintf(text, TW__DURATION_TEXT, "0 s");
	}
	return text;
}

const char *tw__duration_text(char text[TW__DURATION_TEXT], double seconds)
{
	return put_duration(text, seconds, "%.4g");
}

const char *tw__difference_text(char text[TW__DURATION_TEXT], double seconds)
{
	return put_duration(text, seconds, "%+.4g");
}

bool tw__are_sizes_binary(const double *sizes, int n)
{
	int votes = 0; /* of sizes that are round in units of 1024, less those that are in units of 1000 */
	for (int i = 0; i < n; i++) {
		int power, decimals;
		bool is_binary = false;
		if (sizes[i] >= 1 && sizes[i] < 0x1p63 &&
		    roundest((uint64_t)sizes[i], &power, &is_binary, &decimals) <= MOST_DIGITS)
			votes += is_binary ? 1 : -1;
	}
	return votes > 0;
}

struct tw__unit tw__size_unit(const double *sizes, int n)
{
	double most = 0;
	for (int i = 0; i < n; i++)
		if (sizes[i] >= 1 && sizes[i] < 0x1p63)
			most = fmax(most, sizes[i]);
	const struct tw__unit mega = {0x1p20, "MiB"}, giga = {0x1p30, "GiB"};
	return !tw__are_sizes_binary(sizes, n) ? tw__amount_unit(most) : most >= 8 * giga.bytes ? giga : mega;
}

struct tw__unit tw__amount_unit(double most)
{
	const struct tw__unit mega = {1e6, "MB"}, giga = {1e9, "GB"};
	return most >= 4 * giga.bytes ? giga : mega;
}

struct tw__unit tw__used_unit(double most, bool is_binary)
{
	static const struct tw__unit units[][2] = {
		{{1e9, "GB"}, {0x1p30, "GiB"}}, {{1e6, "MB"}, {0x1p20, "MiB"}}, {{1e3, "KB"}, {0x1p10, "KiB"}}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (most >= 2 * units[i][is_binary].bytes)
			return units[i][is_binary];
	return (struct tw__unit){1, "B"};
}

int tw__parse_seconds(double *value, const char *text, struct tw_error *err)
{
	/* The number is divided, which is more exact: 10 / 1e6 is the double nearest to 10us, and 10 * 1e-6 is not. */
	static const struct {
		const char *unit;
		double per_second;
	} units[] = {
		{"", 1}, {"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}, {"ps", 1e12},
	};
	double number;
	const char *unit = scan_real(&number, text);
	if (unit && number >= 0)
		for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
			if (strcmp(unit, units[i].unit) == 0) {
				*value = fabs(number) / units[i].per_second;
				return TW_OK;
			}
	return tw_fail(err, TW_INVALID, "expected a time in seconds, or with its unit: 1.5ms, 10us, 20ns");
}

int tw__parse_bandwidth(double *value, const char *text, struct tw_error *err)
{
	double number;
	const char *unit = scan_real(&number, text);
	if (unit && number >= 0) {
		bool bare = !*unit;
		double factor = scan_prefix(&unit);
		if (strcmp(unit, "bps") == 0)
			factor /= 8;
		bool known = bare || strcmp(unit, "Bps") == 0 || strcmp(unit, "bps") == 0 || strcmp(unit, "f") == 0;
		if (known && isfinite(number * factor)) {
			*value = fabs(number * factor);
			return TW_OK;
		}
	}
	return tw_fail(err, TW_INVALID, "expected a rate, such as 6GBps or 515Gf");
}

int tw__parse_flag(bool *value, const char *text, struct tw_error *err)
{
	static const char *const words[2][4] = {{"no", "false", "off", "0"}, {"yes", "true", "on", "1"}};
	for (int flag = 0; flag < 2; flag++)
		for (int i = 0; i < 4; i++)
			if (strcmp(text, words[flag][i]) == 0) {
				*value = flag;
				return TW_OK;
			}
	return tw_fail(err, TW_INVALID, "expected yes or no");
}
