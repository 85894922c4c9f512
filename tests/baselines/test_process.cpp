// What loading the libraries and using them with one thread leaves behind in the process: nothing. Run in a
// process of its own, since whatever was loaded before would hide it.
#include "product.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <sched.h>
#include <string>
#include <unistd.h>

using namespace tune_gemm;
using namespace tune_gemm::baselines_test;

extern char** environ;

namespace {

std::string environment() {
    std::string lines;
    for (char** line = environ; *line != nullptr; ++line)
        lines += std::string(*line) + '\n';
    return lines;
}

/// Where each descriptor leads.
std::string descriptors() {
    std::string all;
    for (int descriptor = 0; descriptor < 256; ++descriptor) {
        std::array<char, 256> target{};
        const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
        if (readlink(link.c_str(), target.data(), target.size() - 1) > 0)
            all += std::to_string(descriptor) + " " + target.data() + '\n';
    }
    return all;
}

std::size_t threads() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

std::string processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    REQUIRE(sched_getaffinity(0, sizeof set, &set) == 0);
    std::string all;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &set))
            all += std::to_string(processor) + ' ';
    return all;
}

/// Those that are not the default, by number.
std::string signal_handlers() {
    std::string all;
    for (int signal = 1; signal < NSIG; ++signal) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL)
            all += std::to_string(signal) + ' ';
    }
    return all;
}

} // namespace

TEST_CASE("loading, and products with one thread, leave the process as it was") {
    const auto environment_before = environment(), descriptors_before = descriptors();
    const auto processors_before = processors();
    const auto handlers_before = signal_handlers();
    const std::size_t threads_before = threads();
    for (const Baseline& baseline : baselines())
        for (const std::int64_t size : {8, 300})
            CHECK(multiply(baseline, product_of(size, size, size, 0, 0)).sentence == "");
    CHECK(environment() == environment_before);
    CHECK(descriptors() == descriptors_before);
    CHECK(processors() == processors_before);
    CHECK(signal_handlers() == handlers_before);
    CHECK(threads() == threads_before);
}
