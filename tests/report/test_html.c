/* Text and numbers in HTML. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/parts.h"

static char *text;
static size_t size;

static FILE *begin(void)
{
	FILE *f = open_memstream(&text, &size);
	ck_assert_ptr_nonnull(f);
	return f;
}

static void expect(FILE *f, const char *wanted)
{
	fclose(f);
	ck_assert_str_eq(text, wanted);
	free(text);
}

START_TEST(text_is_no_markup)
{
	FILE *f = begin();
	tw__html_text(f, "<a href=\"x\">'&\x01\xff</a>");
	expect(f, "&lt;a href=&quot;x&quot;&gt;&#39;&amp; ?&lt;/a&gt;");
	f = begin();
	tw__html_text(f, "a\xe2\x80\xae"
	                 "b\xe2\x81\xa9");
	expect(f, "a?b?");
	f = begin();
	tw__html_brief(f, "a<b>c", 3);
	expect(f, "a&lt;b…");
	f = begin();
	tw__html_json(f, "</script>\"\\\n\xc3\xa9");
	expect(f, "\"\\u003c/script\\u003e\\u0022\\u005c\\u000a\xc3\xa9\"");
}
END_TEST

START_TEST(numbers_have_so_many_digits)
{
	static const struct {
		double value;
		int digits;
		const char *text;
	} cases[] = {{0, 4, "0"},
	             {1.45, 4, "1.45"},
	             {1234.5678, 6, "1234.57"},
	             {12345.6, 4, "12 346"},
	             {-0.00123456, 3, "−0.00123"},
	             {1e-9, 3, "1e-09"},
	             {5072899276, 4, "5 072 899 276"},
	             {1e300, 2, "1e+300"},
	             {NAN, 3, ""},
	             {INFINITY, 3, "∞"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		FILE *f = begin();
		tw__html_number(f, cases[i].value, cases[i].digits);
		expect(f, cases[i].text);
	}
}
END_TEST

START_TEST(means_have_the_digits_of_their_intervals)
{
	static const struct {
		double mean, half;
		const char *text;
	} cases[] = {{0.14949, 0.01623, "0.149 <span class=\"ci\">± 0.016</span>"},
	             {1036.4, 54.2, "1036 <span class=\"ci\">± 54</span>"},
	             {123456.7, 1234, "123 457 <span class=\"ci\">± 1234</span>"},
	             {3.5, 0, "3.5 <span class=\"ci\">± 0</span>"},
	             {1.23456, NAN, "1.235"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		FILE *f = begin();
		tw__html_mean(f, cases[i].mean, cases[i].half);
		expect(f, cases[i].text);
	}
}
END_TEST

START_TEST(cells_keep_whole_values)
{
	static const char *const cases[][2] = {{"12", "<td>12</td>"},
	                                       {"", "<td></td>"},
	                                       {"104857600", "<td data-v=\"104857600\">104 857 600</td>"},
	                                       {"0.14949123456789", "<td data-v=\"0.14949123456789\">0.149491</td>"},
	                                       {"<b>", "<td>&lt;b&gt;</td>"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		FILE *f = begin();
		tw__html_cell(f, cases[i][0], 1);
		expect(f, cases[i][1]);
	}
}
END_TEST

static int inline_svg(const char *svg, FILE *f)
{
	struct tw_error err;
	FILE *file = fmemopen((char *)(uintptr_t)svg, strlen(svg), "r");
	char first[] = "first", second[] = "second, <b>\nline", *texts[] = {first, second};
	const struct tw__tips tips = {.of = texts, .n = 2};
	int status = tw__svg_inline(f, file, "p-", "a \"figure\"", &tips, &err);
	fclose(file);
	return status;
}

START_TEST(points_have_their_texts)
{
	FILE *f = begin();
	ck_assert_int_eq(
		inline_svg(
			"<svg><g onmousemove=\"gnuplot_svg.showHypertext(evt,'1')\" onmouseout='x()'><title> </title>"
			"<use xlink:href='#a'/></g>"
			"<g onmousemove=\"gnuplot_svg.showHypertext(evt,'2')\"><use/></g>"
			"<g onmousemove=\"gnuplot_svg.showHypertext(evt,'0);x(')\"><use/></g>"
			"<g title=\"gnuplot_svg.showHypertext(evt,'0')\"><use/></g></svg>",
			f),
		TW_OK);
	expect(f, "<svg role=\"img\" aria-label=\"a &quot;figure&quot;\"><g class=\"point\">"
	          "<title>second, &lt;b&gt;\nline</title><use href=\"#p-a\"></use></g>"
	          "<g><use></use></g><g><use></use></g><g><use></use></g></svg>");
}
END_TEST

START_TEST(figures_bring_only_what_draws)
{
	FILE *f = begin();
	ck_assert_int_eq(
		inline_svg("<?xml version='1.0'?><svg viewBox='0 0 1 1' onload='x()'><title>Gnuplot</title>"
	                   "<script>x()</script><style>*{}</style><g id='e'><g></g></g>"
	                   "<g fill='red'><path id='a' d='M0,0'/>"
	                   "<use xlink:href='#a' fill='url(x)'/><image href='http://x/'/><use href='http://x/'/>"
	                   "<a href='javascript:x()'><text>y</text></a><text x='1'> &lt;b&gt; </text></g></svg>",
	                   f),
		TW_OK);
	expect(f, "<svg role=\"img\" aria-label=\"a &quot;figure&quot;\" viewBox=\"0 0 1 1\"><g fill=\"red\">"
	          "<path id=\"p-a\" d=\"M0,0\"></path><use href=\"#p-a\"></use><use></use>"
	          "<text x=\"1\"> &lt;b&gt; </text></g></svg>");
	f = begin();
	ck_assert_int_eq(inline_svg("<svg><g><text>half", f), TW_FAILED);
	expect(f, "");
}
END_TEST

int main(void)
{
	TCase *tests = tcase_create("html");
	Suite *suite = suite_create("html");
	tcase_add_test(tests, text_is_no_markup);
	tcase_add_test(tests, numbers_have_so_many_digits);
	tcase_add_test(tests, means_have_the_digits_of_their_intervals);
	tcase_add_test(tests, cells_keep_whole_values);
	tcase_add_test(tests, points_have_their_texts);
	tcase_add_test(tests, figures_bring_only_what_draws);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
