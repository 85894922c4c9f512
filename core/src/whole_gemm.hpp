// A product by a kernel that brings its own blocking (kind 2): its plan, owned.
#pragma once
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tune_gemm {

/// Between `prepare` and `release` of a tg_gemm. Immutable; runs on several threads at once as the kernel's
/// flags allow. Movable, not copyable.
class WholeGemm {
  public:
    /// Refuses (field "microkernel_id") with the kernel's sentence what its `prepare` refuses. `kernel` is
    /// loaded in this process. Products without a single entry of C are never shown to the kernel.
    static Outcome<WholeGemm> make(const GemmProblem&, const KernelInfo& kernel, unsigned threads);
    ~WholeGemm();
    WholeGemm(WholeGemm&&) noexcept;
    WholeGemm& operator=(WholeGemm&&) = delete;

    /// Bytes that run needs, aligned to 64.
    std::int64_t workspace_demand() const noexcept { return workspace_; }
    /// All matrices of the batch. Throws Error: bad_input when the workspace is too small or misaligned or an
    /// operand that is read or written is null, failed when the kernel reports anything but TG_OK.
    void run(const void* a, const void* b, void* c, std::span<std::byte> workspace) const;

  private:
    WholeGemm() = default;

    const tg_kernel* kernel_ = nullptr;
    tg_gemm gemm_{};
    void* plan_ = nullptr;
    bool owns_plan_ = false;
    bool reads_ = true; ///< A and B; not when alpha or k is 0
    std::int64_t workspace_ = 0;
};

} // namespace tune_gemm
