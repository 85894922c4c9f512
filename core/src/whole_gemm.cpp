#include "whole_gemm.hpp"

#include "abi_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace tune_gemm {
namespace {

constexpr std::uintptr_t workspace_alignment = 64;

/// Room for a kernel's sentence.
class Sentence {
  public:
    tg_error* error() noexcept { return &error_; }
    /// What the kernel wrote, read to a bound, or that it wrote nothing.
    std::string text() {
        message_[sizeof message_ - 1] = '\0';
        return message_[0] != '\0' ? message_ : "(the kernel gives no reason)";
    }

  private:
    char message_[512] = "";
    tg_error error_{sizeof(tg_error), sizeof message_, message_};
};

std::string status_text(tg_status status) {
    switch (status) {
    case TG_UNSUPPORTED:
        return "does not serve this product";
    case TG_INVALID:
        return "calls the request invalid";
    case TG_NO_WORKSPACE:
        return "could not get memory";
    case TG_INTERNAL:
        return "failed";
    default:
        return fmt::format("returned the unknown status {}", status);
    }
}

} // namespace

Outcome<WholeGemm> WholeGemm::make(const GemmProblem& problem, const KernelInfo& kernel, unsigned threads) {
    const auto refuse = [&](const std::string& why) {
        return Refusal{"microkernel_id", fmt::format("Kernel {} {}", kernel.id, why)};
    };
    if (kernel.kernel == nullptr)
        return refuse("is not loaded in this process.");
    const tg_dtype dtype = kernel.arithmetic.dtype;
    if (dtype != TG_F64 && dtype != TG_F32)
        return refuse(fmt::format("computes in {}; expected f64 or f32.", dtype_text(dtype)));
    if (auto fault = problem_fault(problem))
        return *fault;

    WholeGemm whole;
    whole.kernel_ = kernel.kernel;
    whole.gemm_ = read_struct(read_struct(kernel.kernel).gemm);
    whole.reads_ = problem.k != 0 && problem.alpha != 0;
    if (problem.m == 0 || problem.n == 0 || problem.batch == 0)
        return whole;

    const float alpha_f32 = static_cast<float>(problem.alpha), beta_f32 = static_cast<float>(problem.beta);
    const bool is_f32 = dtype == TG_F32;
    if (is_f32)
        whole.reads_ = problem.k != 0 && alpha_f32 != 0;
    const tg_problem request = {
        .struct_size = sizeof(tg_problem),
        .threads = std::max(1u, std::min(threads, std::max(1u, whole.gemm_.max_threads))),
        .m = problem.m,
        .n = problem.n,
        .k = problem.k,
        .batch = problem.batch,
        .rs_a = problem.a.row,
        .cs_a = problem.a.column,
        .bs_a = problem.a.batch,
        .rs_b = problem.b.row,
        .cs_b = problem.b.column,
        .bs_b = problem.b.batch,
        .rs_c = problem.c.row,
        .cs_c = problem.c.column,
        .bs_c = problem.c.batch,
        .alpha = is_f32 ? static_cast<const void*>(&alpha_f32) : &problem.alpha,
        .beta = is_f32 ? static_cast<const void*>(&beta_f32) : &problem.beta,
    };
    Sentence sentence;
    std::uint64_t bytes = 0;
    const tg_status status =
        whole.gemm_.prepare(whole.kernel_, &request, &whole.plan_, &bytes, sentence.error());
    if (status != TG_OK)
        return refuse(fmt::format("{}: {}", status_text(status), sentence.text()));
    whole.owns_plan_ = true;
    if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return refuse(fmt::format("asks for a workspace of {} bytes; expected fewer than 2^63.", bytes));
    whole.workspace_ = static_cast<std::int64_t>(bytes);
    return whole;
}

WholeGemm::~WholeGemm() {
    if (owns_plan_)
        gemm_.release(kernel_, plan_);
}

WholeGemm::WholeGemm(WholeGemm&& other) noexcept
    : kernel_(other.kernel_), gemm_(other.gemm_), plan_(std::exchange(other.plan_, nullptr)),
      owns_plan_(std::exchange(other.owns_plan_, false)), reads_(other.reads_), workspace_(other.workspace_) {
}

void WholeGemm::run(const void* a, const void* b, void* c, std::span<std::byte> workspace) const {
    if (!owns_plan_)
        return; // no entry of C
    const std::pair<const char*, bool> missing[] = {
        {"a", reads_ && a == nullptr}, {"b", reads_ && b == nullptr}, {"c", c == nullptr}};
    for (const auto& [name, is_missing] : missing) {
        if (is_missing)
            throw_bad_input(
                fmt::format("Operand {} is null; expected the product's matrices in memory.", name));
    }
    if (static_cast<std::int64_t>(workspace.size()) < workspace_)
        throw_bad_input(fmt::format("The workspace has {} bytes; the kernel asked for {}.", workspace.size(),
                                    workspace_));
    if (reinterpret_cast<std::uintptr_t>(workspace.data()) % workspace_alignment != 0)
        throw_bad_input(fmt::format("The workspace at {} is not aligned to {} bytes.",
                                    fmt::ptr(workspace.data()), workspace_alignment));
    tg_gemm_args args{};
    args.struct_size = sizeof args;
    args.a = a;
    args.b = b;
    args.c = c;
    args.workspace = workspace_ != 0 ? workspace.data() : nullptr;
    Sentence sentence;
    const tg_status status = gemm_.run(kernel_, plan_, &args, sentence.error());
    if (status != TG_OK)
        throw Error(ErrorKind::failed, fmt::format("Kernel {} {}: {}", read_struct(kernel_).microkernel_id,
                                                   status_text(status), sentence.text()));
}

} // namespace tune_gemm
