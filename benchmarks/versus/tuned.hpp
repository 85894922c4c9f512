// Candidates that a tuning run has found, to be taken instead of the model's.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/environment.hpp>
#include <tune_gemm/shape.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tune_gemm::bench {

class TunedCandidates {
  public:
    TunedCandidates() = default;
    /// Reads what tune-gemm tune has written. Throws Error for a file that cannot be read or is no such
    /// configuration.
    explicit TunedCandidates(const std::filesystem::path&);

    /// The winner for this shape by this kernel; nothing when there is none.
    std::optional<GemmCandidate> find(const GemmShape&, const std::string& kernel_id) const;
    /// Those of the nine fields in which the run's environment differs from `here`, as a sentence; empty when
    /// the results hold here. The hash of the plugin counts as well.
    std::string difference(const GemmEnvironment& here) const;
    bool empty() const noexcept { return winners_.empty(); }

  private:
    std::map<std::string, GemmCandidate> winners_; ///< by shape, layouts and kernel
    GemmEnvironment environment_;
};

} // namespace tune_gemm::bench
