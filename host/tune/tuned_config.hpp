// The record of a tuning run: the configuration that was asked for, with what came of it under "x_tune_gemm".
#pragma once
#include "runtime/environment_record.hpp"
#include "tune/result.hpp"
#include "tune/tuner.hpp"

#include <tune_gemm/config.hpp>

#include <string>
#include <vector>

namespace tune_gemm::host {

/// How was measured, for the journal's header and the record: budget, band, lengths of batches, the clock,
/// ...
json::object protocol_json(const TuneSettings&, const TimingScope&);

/// A shape's result: outcome, winner with arithmetic class, workspace and the ids that share it, the
/// published median in whole ns (and exactly, as a hexadecimal real) with its interval, GFLOP/s, finalists,
/// equivalents, failures with the commands that repeat them, counts (dropped by reason, slow, not reached,
/// ...), and on how many entries it was validated.
json::object result_json(const ShapeResult&, std::size_t shape_index, std::uint64_t seed, std::int64_t limit,
                         std::string_view plugin_words);

/// The configuration as it was asked for; what other keys its "x_tune_gemm" had stay, beside "environment",
/// "explanation", "provenance", "protocol", "interrupted" and "results". `results` may end before the shapes
/// do, after an interruption.
GemmTuningConfig tuned_config(const GemmTuningConfig& asked, const std::vector<ShapeResult>& results,
                              const EnvironmentRecord&, const TuneSettings&, bool interrupted);

} // namespace tune_gemm::host
