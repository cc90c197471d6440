#include <string.h>

#include <tilewright/base.h>

enum { MAX_EXPONENT = 100000 }; /* larger exponents change no result, because no line has that many digits */

bool tw_decimal(const char *text, size_t length, int decimals, int64_t *value)
{
	const char *point = memchr(text, '.', length);
	size_t whole = point ? (size_t)(point - text) : length;
	int64_t left = (int64_t)whole + decimals; /* digits to keep; the first digit behind them decides the rounding */
	uint64_t sum = 0;
	bool up = false;
	if (length == (point ? 1 : 0))
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = (unsigned)text[i] - '0';
		if (i == whole)
			continue;
		if (digit > 9)
			return false;
		if (left > 0 && sum > TW_DECIMAL_MAX / 10)
			return false;
		if (left > 0)
			sum = sum * 10 + digit;
		else if (left == 0)
			up = digit >= 5;
		left--;
	}
	for (; left > 0 && sum > 0; left--) {
		if (sum > TW_DECIMAL_MAX / 10)
			return false;
		sum *= 10;
	}
	sum += up;
	*value = (int64_t)sum;
	return sum <= TW_DECIMAL_MAX;
}

bool tw_decimal_scientific(const char *text, int decimals, int64_t *value)
{
	size_t mantissa = strcspn(text, "eE");
	int exponent = 0;
	if (text[mantissa]) {
		const char *digits = text + mantissa + 1;
		bool negative = *digits == '-';
		digits += *digits == '-' || *digits == '+';
		if (!*digits)
			return false;
		for (; *digits; digits++) {
			if (*digits < '0' || *digits > '9')
				return false;
			if (exponent < MAX_EXPONENT)
				exponent = exponent * 10 + (*digits - '0');
		}
		exponent = negative ? -exponent : exponent;
	}
	return tw_decimal(text, mantissa, decimals + exponent, value);
}
