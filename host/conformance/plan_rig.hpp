// Runs one product in many ways and hands out the entries of C, so that their bits can be compared: what the
// checks of plans need. Nothing is judged here against an oracle.
#pragma once
#include "conformance/check.hpp"
#include "conformance/oracle.hpp"

#include <tune_gemm/prepared.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tune_gemm::host {

/// Where operands begin: bytes past a cache line (multiples of the element), and past the start of the memory
/// in pages.
struct OperandPlaces {
    std::array<std::int64_t, 4> offset{}; ///< of A, B, C and the workspace
    std::int64_t pages = 0;
};

template <class T>
class PlanRig {
  public:
    /// `tiles`: indices of the tiles that candidates may choose from; empty for a whole-gemm kernel.
    PlanRig(const CheckContext&, const std::vector<std::size_t>& tiles);

    /// Draws numbers for the product. Those of a reordered kernel have exact sums in any order.
    void set_problem(const GemmProblem&, std::uint64_t seed);
    /// The plan of another rig, with other numbers.
    void share_plan(const PlanRig& other, std::uint64_t seed);
    /// The same for one matrix of a batch: the numbers stay, the problem is that matrix alone.
    void take_matrix_alone(std::int64_t batch_index);
    const GemmProblem& problem() const noexcept { return problem_; }

    /// False when the kernel or the driver refuses the product.
    bool plan(const GemmCandidate&, unsigned threads = 1);
    /// Runs what was planned: the entries of C, matrix after matrix, row-major and tight. `filler` is what
    /// the workspace, and with beta = 0 the entries of C, hold before.
    std::vector<T> run(const OperandPlaces& places = {}, T filler = T(0)) {
        lay_out(places, filler);
        return run_again();
    }
    /// The two parts of run, of which the second can be repeated.
    void lay_out(const OperandPlaces&, T filler);
    std::vector<T> run_again();
    /// Which product, by which candidate, from which places, in the last run.
    const std::string& told() const noexcept { return told_; }

  private:
    std::string product_text() const;

    const CheckContext& context_;
    Catalogue catalogue_;
    GemmProblem problem_;
    std::vector<Numbers<T>> numbers_; ///< of each matrix
    std::shared_ptr<const PreparedGemm> prepared_;
    std::array<std::vector<std::byte>, 4> memory_; ///< of A, B, C and the workspace
    std::array<std::byte*, 4> at_{};               ///< where they begin
    T filler_ = T(0);
    std::string candidate_, told_;
};

/// Whether two results are the same: bit for bit, or for a reordered kernel as numbers. Ends the check when
/// they are not, quoting how each came about.
template <class T>
void require_same(const CheckContext&, const std::vector<T>& first, const std::string& first_told,
                  const std::vector<T>& second, const std::string& second_told, std::int64_t columns);

} // namespace tune_gemm::host
