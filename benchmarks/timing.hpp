// Medians of samples that are taken in turn, so that a disturbance meets every contestant.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace tune_gemm::bench {

/// Nanoseconds per call of each contestant: the median over `rounds`, in each of which every contestant is
/// called `calls` times in a row. One call of each warms up.
inline std::vector<double> medians(const std::vector<std::function<void()>>& contestants, int rounds,
                                   std::int64_t calls) {
    std::vector<std::vector<double>> samples(contestants.size());
    for (const auto& contestant : contestants)
        contestant();
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t x = 0; x < contestants.size(); ++x) {
            const auto start = std::chrono::steady_clock::now();
            for (std::int64_t call = 0; call < calls; ++call)
                contestants[x]();
            const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
            samples[x].push_back(elapsed.count() / static_cast<double>(calls));
        }
    }
    std::vector<double> result;
    for (auto& sample : samples) {
        std::sort(sample.begin(), sample.end());
        const std::size_t half = sample.size() / 2;
        result.push_back(sample.size() % 2 != 0 ? sample[half] : (sample[half - 1] + sample[half]) / 2);
    }
    return result;
}

} // namespace tune_gemm::bench
