// usage: test_fast_kernels PLUGIN [options of doctest]
//
// Exits with 77, as Meson wants it for a skipped test, when the processor lacks what the plugin needs.
#define DOCTEST_CONFIG_IMPLEMENT
#include "subject.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: {} PLUGIN [options of doctest]\n", argv[0]);
        return 2;
    }
    try {
        tune_gemm::test::set_subject(argv[1]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    if (const std::string missing = tune_gemm::test::missing_feature(); !missing.empty()) {
        fmt::print("SKIPPED: {}\n", missing);
        return 77;
    }
    return doctest::Context(argc - 1, argv + 1).run();
}
