// What `tune-gemm tune` shows: how far it is, the table at the end, and what else a reader must know.
#pragma once
#include "report/progress.hpp"
#include "tune/result.hpp"
#include "tune/tuner.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// Draws the tuner's progress as one line on a terminal.
class TuneProgressLine final : public TuneListener {
  public:
    /// `title`: "[2/6] 64x64x64".
    TuneProgressLine(Progress& line, std::string title, const GemmShape&);
    void progress(const TuneProgress&) override;

  private:
    Progress& line_;
    std::string title_;
    GemmShape shape_;
};

/// "edge_4_9_9 (4x9x9x10000 ccc)", or without a name "64x64x64 rrr".
std::string shape_title(const GemmShape&, const std::string& name);
/// One row a shape: GFLOP/s, interval, distance to the second, workspace, on what it was validated, winner.
std::string result_table(const std::vector<ShapeResult>&, const std::vector<std::string>& names);
/// What the table does not say of a shape: candidates that are not valid, failed (with the command that
/// repeats the first), were slow or not reached, and equivalents. Every line ended; begins with the shape's
/// title.
std::string result_notes(const ShapeResult&, const std::string& name, std::uint64_t seed, std::int64_t limit,
                         double budget_seconds, std::string_view plugin_words);
/// "12.3 GFLOP/s ±0.8 %, ID", or why there is none.
std::string result_sentence(const ShapeResult&);

} // namespace tune_gemm::host
