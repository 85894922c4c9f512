// From samples to what is printed: medians, ratios, geometric means.
#pragma once
#include "contest.hpp"

#include <tune_gemm/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tune_gemm::bench {

/// Medians of one shape, warm or cold. NaN where there are no times.
struct Standing {
    std::vector<double> gflops; ///< of each contestant
    /// For contestant `ours`: its rate over that of contestant `other`; NaN when one of the two is absent.
    double ratio(std::size_t ours, std::size_t other) const;
    /// The baseline with the highest rate; nothing when there is none.
    std::optional<std::size_t> best_baseline(const std::vector<Contestant>&) const;
};
Standing standing_of(const Outcomes&, bool cold);

/// Shapes of one run with what came of them.
struct Report {
    std::vector<Contestant> contestants;
    ContestSettings settings;
    tg_dtype dtype = TG_F64;
    std::vector<Outcomes> shapes;

    bool any_wrong() const;
};

/// One line a shape and kernel of ours: rate, share of its peak (or of the read bandwidth), with scaling the
/// ratio to its own rate with one thread, ratio to each baseline and to the best of them.
std::string table_text(const Report&);
/// For each kernel of ours the geometric mean and the least of the ratios to each baseline and to the best.
std::string means_text(const Report&);
/// How many times as fast as with one thread each kernel of ours is, and beside it the FMA peak: geometric
/// mean and least. Empty unless scaling was asked for.
std::string scaling_text(const Report&);
/// Why contestants are absent, one sentence a line, alike ones once.
std::string absences_text(const Report&);
/// Everything: candidates, every sample, the environment.
json::object report_json(const Report&);

} // namespace tune_gemm::bench
