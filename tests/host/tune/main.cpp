// The tests of measure/ and tune/. None of them judges a time: where times matter, they come from a table.
#define DOCTEST_CONFIG_IMPLEMENT
#include "built.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
    ::setenv("TUNE_GEMM_WORKER", tune_gemm::host::test::built("host/cli/tune-gemm-worker").c_str(), 1);
    ::unsetenv("TUNE_GEMM_PLUGIN_PATH");
    ::setenv("XDG_DATA_HOME", "/nonexistent", 1);
    return doctest::Context(argc, argv).run();
}
