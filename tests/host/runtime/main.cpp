// The tests of worker/ and runtime/. They start the worker beside them, whose jobs misbehave.
#define DOCTEST_CONFIG_IMPLEMENT
#include "worker/process.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
    ::setenv("TUNE_GEMM_WORKER", (tune_gemm::host::executable_folder() / "test_worker").c_str(), 1);
    return doctest::Context(argc, argv).run();
}
