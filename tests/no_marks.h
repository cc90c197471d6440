/* Included first in all tests. Check notes the place of each assertion that holds, for its message about a crash. With
 * millions of assertions, these notes take most of the time, above all with the address sanitizer. A debugger and the
 * sanitizers tell the place of a crash, too. */
#ifndef TESTS_NO_MARKS_H
#define TESTS_NO_MARKS_H

#include <check.h>

#define _mark_point(file, line) ((void)0)

#endif
