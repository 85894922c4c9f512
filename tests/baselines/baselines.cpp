#include "baselines.hpp"

#include "runtime/load.hpp"

#include <tune_gemm/error.hpp>

#include <array>
#include <cstdlib>
#include <sstream>

namespace tune_gemm::baselines_test {
namespace {

std::vector<Baseline> load_all() {
    const char* files = std::getenv("TUNE_GEMM_BASELINES");
    if (files == nullptr)
        throw_bad_input("TUNE_GEMM_BASELINES is not set; it names the plugins to test, separated by ':'.");
    std::vector<Baseline> all;
    std::istringstream list(files);
    for (std::string file; std::getline(list, file, ':');)
        for (KernelInfo kernel : host::load_plugin(file).kernels) {
            host::mark_unusable(kernel);
            if (kernel.unusable.empty())
                all.push_back({kernel.id, kernel.kernel, kernel.kernel->gemm});
        }
    return all;
}

} // namespace

const std::vector<Baseline>& baselines() {
    static const std::vector<Baseline> all = load_all();
    return all;
}

Plan::Plan(const Baseline& baseline, const tg_problem& problem) : baseline_(baseline) {
    std::array<char, 512> text{};
    tg_error error{sizeof(tg_error), static_cast<std::uint32_t>(text.size()), text.data()};
    std::uint64_t workspace = 0;
    status_ = baseline.gemm->prepare(baseline.kernel, &problem, &plan_, &workspace, &error);
    sentence_ = text.data();
    if (status_ == TG_OK && workspace != 0)
        throw Error(ErrorKind::failed, "A baseline asks for workspace; this test gives none.");
}

Plan::~Plan() {
    if (status_ == TG_OK)
        baseline_.gemm->release(baseline_.kernel, plan_);
}

tg_status Plan::run(const void* a, const void* b, void* c) {
    std::array<char, 512> text{};
    tg_error error{sizeof(tg_error), static_cast<std::uint32_t>(text.size()), text.data()};
    const tg_gemm_args args{sizeof(tg_gemm_args), 0, a, b, c, nullptr};
    const tg_status status = baseline_.gemm->run(baseline_.kernel, plan_, &args, &error);
    sentence_ = text.data();
    return status;
}

} // namespace tune_gemm::baselines_test
