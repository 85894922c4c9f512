// A tuning run: all the shapes of a configuration, one after the other, with their journal.
#pragma once
#include "runtime/environment_record.hpp"
#include "runtime/registry.hpp"
#include "store/journal.hpp"
#include "tune/measurer.hpp"
#include "tune/result.hpp"
#include "tune/tuner.hpp"

#include <tune_gemm/config.hpp>

#include <filesystem>
#include <functional>
#include <vector>

namespace tune_gemm::host {

struct TuneRequest {
    GemmTuningConfig config; ///< what to tune, with which candidates, limit, seed and numbers of samples
    TuneSettings settings;
    /// Of each shape: which of the candidates are tried at it; or empty, and all of them are.
    std::vector<std::vector<GemmCandidate>> candidates;
    /// settings.first_ids of each shape; or empty.
    std::vector<std::vector<std::string>> first_ids;
    std::filesystem::path out;     ///< the tuned configuration
    std::filesystem::path journal; ///< appended to
};

/// What was found out before anything is measured.
struct TunePlan {
    std::vector<Selection> selections; ///< one for each shape
    EnvironmentRecord environment;
    std::vector<PluginInfo> plugins; ///< those of the candidates, each once
};

/// Throws Error (bad_input) when there is nothing to do (no shapes, no candidates, none valid for any shape),
/// when the candidates are of more than one timing scope, when the operands of a shape do not fit into
/// memory, or when one of the files cannot be written. Touches nothing.
TunePlan plan_tuning(const TuneRequest&, const Registry&);

struct TuneRun {
    std::vector<ShapeResult> results; ///< of the shapes that were begun, in order
    bool interrupted = false;
    bool written = false; ///< the tuned configuration: as soon as a shape has a winner
};

/// Told when a shape begins and ends; the listener hears what happens between.
struct TuneRunHooks {
    std::function<TuneListener*(std::size_t shape_index, const Selection&)> begin_shape;
    std::function<void(std::size_t shape_index, const ShapeResult&)> end_shape;
};

/// Tunes the shapes, writes the journal as it goes, and after each shape the tuned configuration, so that a
/// run that is killed leaves the shapes before. Throws Error (failed) when the journal or the configuration
/// cannot be written.
TuneRun run_tuning(const TuneRequest&, const TunePlan&, Measurer&, const TuneRunHooks&);

/// "tuned.json" -> "tuned.journal.jsonl", beside it. Throws Error (bad_input) for a device, which has nothing
/// beside it.
std::filesystem::path journal_beside(const std::filesystem::path& out);

} // namespace tune_gemm::host
