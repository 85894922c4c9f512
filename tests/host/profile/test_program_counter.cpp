// Which of two loops runs, found by looking at the program counter of a real function.
#include "profile/inner_loop.hpp"
#include "profile/program_counter.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>

using namespace tune_gemm::host;

namespace {

std::array<volatile double, 64> left, right; // volatile: the compiler would find out what is in them
volatile double result;
volatile bool takes_the_other = false; ///< never, which the compiler cannot know

// Two versions of a loop; in two functions, so that their names tell which was found.
[[gnu::noinline]] double never_run() {
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); i += 2)
        sum += left[i] * right[i] + left[i + 1] * right[i + 1];
    return sum;
}
[[gnu::noinline]] double always_run() {
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
        sum += left[i] * right[i];
    return sum;
}
[[gnu::noinline]] void run() {
    result = takes_the_other ? never_run() : always_run();
}

} // namespace

TEST_CASE("samples lie in the function that runs, and its loop is found") {
    const CodeSamples samples = sample_code(
        [] {
            for (int call = 0; call < 1000; ++call)
                run();
        },
        reinterpret_cast<const void*>(&run));
    if (samples.taken == 0) {
        MESSAGE("skipped: no program counter is seen on this processor");
        return;
    }
    CHECK(2 * samples.taken_in_file() > samples.taken);
#if defined(__x86_64__)
    const Code code = read_code(std::filesystem::read_symlink("/proc/self/exe"));
    if (!code.absent.empty()) {
        MESSAGE("skipped: " << code.absent);
        return;
    }
    const FoundLoop found = find_inner_loop(code.lines, samples);
    REQUIRE_MESSAGE(found.loop, found.absent);
    INFO(found.loop->lines.front().function);
    CHECK(found.loop->lines.front().function.find("always_run") != std::string::npos);
#endif
}
