// Samples that are taken in turn, so that a disturbance meets every contestant.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace tune_gemm::host {

using Contestant = std::function<void()>;

/// Nanoseconds per call of each contestant in each of `rounds`, in which every contestant is called `calls`
/// times in a row. One call of each warms up.
std::vector<std::vector<double>> samples_in_turn(const std::vector<Contestant>&, int rounds,
                                                 std::int64_t calls = 1);
struct TimedSamples {
    std::vector<std::vector<double>> ns; ///< of each contestant in each round
    /// The part of each in which the calling thread had no processor.
    std::vector<std::vector<double>> away;
};
/// One call a sample, in at least `least_rounds`, and in more of them until `seconds` have passed.
TimedSamples samples_for(const std::vector<Contestant>&, double seconds, int least_rounds);
/// The median over the rounds of each.
std::vector<double> medians_in_turn(const std::vector<Contestant>&, int rounds, std::int64_t calls = 1);

/// How many calls of the contestant take about `sample_ns`; at least 1.
std::int64_t calls_per_sample(const Contestant&, double sample_ns);
/// The contestant called that often.
Contestant repeated(Contestant, std::int64_t calls);

} // namespace tune_gemm::host
