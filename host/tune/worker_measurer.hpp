// Measures in worker processes: one for each plugin file, kept from call to call, replaced when it dies.
#pragma once
#include "runtime/registry.hpp"
#include "tune/measurer.hpp"
#include "worker/process.hpp"

#include <tune_gemm/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tune_gemm::host {

/// Enough for a busy machine to start a worker and load a plugin.
inline constexpr std::int64_t default_patience_ns = 10'000'000'000;

struct WorkerMeasurerOptions {
    std::uint64_t seed = 42; ///< of the operands
    std::int64_t limit = default_workspace_limit;
    WorkerLimits limits;
    std::int64_t patience_ns = default_patience_ns; ///< see call_patience_ns
    std::function<bool()> interrupted = [] { return false; };
};

class WorkerMeasurer final : public Measurer {
  public:
    /// The registry outlives the measurer.
    WorkerMeasurer(const Registry&, WorkerMeasurerOptions);

    Measured<Judgement> validate(const GemmCandidate&, const GemmShape&, std::int64_t deadline_ns) override;
    Measured<Sample> sample(const GemmCandidate&, const GemmShape&, std::int64_t min_ns,
                            std::int64_t deadline_ns) override;
    std::int64_t now_ns() override;
    bool interrupted() override { return options_.interrupted(); }
    /// Workers that died and were replaced.
    std::int64_t restarts() const noexcept { return restarts_; }

  private:
    Measured<json::value> call(std::string_view job, const GemmCandidate&, const json::object& request,
                               std::int64_t patience_ns, std::int64_t deadline_ns);
    json::object specification(const GemmCandidate&, const GemmShape&) const;
    const PluginInfo& plugin_of(const GemmCandidate&) const;

    const Registry& registry_;
    WorkerMeasurerOptions options_;
    std::map<std::string, Worker> workers_; ///< by the plugin's SHA-256
    std::map<std::string, double>
        fastest_;               ///< ns per use of each candidate, so that none is calibrated twice
    std::string fastest_shape_; ///< of that shape
    std::int64_t restarts_ = 0;
};

/// How long a call may take before it is said to hang: `patience_ns`, the time that is spent on samples, and
/// so many products at a rate that the plainest loop without optimisation exceeds.
std::int64_t call_patience_ns(const GemmShape&, double products, std::int64_t timed_ns,
                              std::int64_t patience_ns = default_patience_ns);

/// The memory that a worker may take beyond what it holds at start, to measure at this shape: operands,
/// results, references and copies with room to spare.
std::int64_t worker_memory_bytes(const GemmShape&, std::size_t element_size);

} // namespace tune_gemm::host
