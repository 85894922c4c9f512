// What a tuning run has found, to be used afterwards.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/environment.hpp>
#include <tune_gemm/shape.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace tune_gemm::host {

class TunedResults {
  public:
    TunedResults() = default;
    /// Reads what tune-gemm tune has written. Throws Error for a file that cannot be read, is no such
    /// configuration, or contradicts itself, naming file, entry, value and what was expected.
    explicit TunedResults(const std::filesystem::path&);

    /// The winners for this shape in these layouts: as a rule one, or one for each time that the shape was
    /// asked for.
    std::vector<GemmCandidate> winners(const GemmShape&) const;
    /// Those of the nine fields in which the run's environment differs from `here`, as a sentence's end;
    /// empty when the results hold here. The hash of the plugin counts as well.
    std::string difference(const GemmEnvironment& here) const;

  private:
    struct Winner {
        GemmShape shape;
        GemmCandidate candidate;
    };
    std::vector<Winner> winners_;
    GemmEnvironment environment_;
};

} // namespace tune_gemm::host
