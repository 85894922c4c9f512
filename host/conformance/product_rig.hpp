// Carries out whole products on guarded operands and with a guarded workspace of exactly the size declared.
#pragma once
#include "conformance/call_arguments.hpp"
#include "conformance/check.hpp"
#include "conformance/product_case.hpp"
#include "conformance/strided.hpp"

#include <tune_gemm/prepared.hpp>

#include <optional>
#include <span>
#include <string>

namespace tune_gemm::host {

/// How much memory the products of one check take, in elements and bytes; strides and batches counted.
struct ProductRoom {
    std::int64_t a = 0, b = 0, c = 0; ///< elements
    std::int64_t workspace = 0;       ///< bytes, at most
};

/// Bytes of workspace that a whole-gemm kernel may ask for in the small products of the checks.
inline constexpr std::int64_t most_own_workspace = std::int64_t{32} << 20;

template <class T>
class ProductRig {
  public:
    ProductRig(const CheckContext&, const ProductRoom&);
    ~ProductRig();
    ProductRig(const ProductRig&) = delete;
    ProductRig& operator=(const ProductRig&) = delete;

    /// Plans the product; false when it is refused, and `refusal` says why. Ends the check when a whole-gemm
    /// kernel's prepare reports a status other than OK and UNSUPPORTED.
    bool plan(const ProductCase&);
    const std::string& refusal() const noexcept { return refusal_; }
    /// Bytes that the plan's workspace takes.
    std::int64_t workspace_bytes() const noexcept { return demand_; }

    /// Runs what was planned, with one set of numbers and one expectation for each matrix of the batch, and
    /// judges as TileRig does; besides, nothing around the workspace may have been written.
    void run(const ProductCase&, std::span<const Numbers<T>>, std::span<const Expectation<T>>);
    /// At the end of a check: nothing was written far from C.
    void finish() const;

  private:
    void drop_plan() noexcept;
    bool plan_own(const ProductCase&);
    void call(const ProductCase&, const T* a, const T* b, T* c, const GuardedBlock& workspace);
    GuardedBlock place_workspace(const ProductCase&);

    const KernelInfo& kernel_;
    tg_kernel descriptor_;
    tg_gemm gemm_{};      ///< of a whole-gemm kernel
    Catalogue catalogue_; ///< this kernel with this tile alone
    CallWatch* watch_;    ///< of a whole-gemm kernel's calls
    int poison_width_;
    GuardedMemory a_, b_, c_;
    CallArguments<tg_problem> asked_{"the problem"};
    CallArguments<tg_gemm_args> args_{"the arguments"};
    std::optional<GuardedMemory> workspace_; ///< as large as a plan has asked for so far
    std::int64_t most_workspace_;
    std::optional<PreparedGemm> prepared_;
    void* own_plan_ = nullptr;
    std::int64_t demand_ = 0;
    std::string refusal_;
};

} // namespace tune_gemm::host
