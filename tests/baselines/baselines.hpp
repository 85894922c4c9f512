// The built plugins, loaded into this process all together: libraries with functions of the same name stand
// side by side here, as they may in a program that uses several.
#pragma once
#include <tune_gemm/abi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::baselines_test {

struct Baseline {
    std::string id;
    const tg_kernel* kernel = nullptr;
    const tg_gemm* gemm = nullptr;

    bool is_f32() const noexcept { return kernel->type_acc == TG_F32; }
    /// The library of the kernel: its id without the type.
    std::string_view library() const noexcept { return std::string_view(id).substr(0, id.find('_')); }
};

/// Those in the files named by TUNE_GEMM_BASELINES (separated by ':'), usable on this processor. Loads them
/// at the first call; throws Error when one cannot be loaded or the variable is not set.
const std::vector<Baseline>& baselines();

/// A plan, or the reason why there is none.
class Plan {
  public:
    Plan(const Baseline&, const tg_problem&);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    tg_status status() const noexcept { return status_; }
    const std::string& sentence() const noexcept { return sentence_; }
    /// Only of an accepted problem. Gives run's status.
    tg_status run(const void* a, const void* b, void* c);

  private:
    const Baseline& baseline_;
    void* plan_ = nullptr;
    tg_status status_ = TG_INTERNAL;
    std::string sentence_;
};

} // namespace tune_gemm::baselines_test
