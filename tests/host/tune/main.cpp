// The tests of measure/ and tune/. None of them judges a time: where times matter, they come from a table.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
