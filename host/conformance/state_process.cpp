// state.process: what loading and calls change in the process, or print.
#include "conformance/load_record.hpp"
#include "conformance/process_state.hpp"
#include "conformance/state_sweep.hpp"

#include <fmt/format.h>

namespace tune_gemm::host {
namespace {

class ProcessWatch final : public CallWatch {
  public:
    explicit ProcessWatch(bool own_threads) : own_threads_(own_threads), start_(ProcessState::now()) {
        if (own_threads_)
            start_.forget_threads();
    }

    void after(const PluginCall& call) override {
        if (const std::string printed = output_.text(); !printed.empty())
            report(fmt::format("{} printed \"{}\"", to_text(call.function), printed));
        if (const std::string changed = start_.difference(ProcessState::now()); !changed.empty())
            report(fmt::format("{} changed {}", to_text(call.function), changed));
    }

  private:
    bool own_threads_;
    CaughtOutput output_; // first: its descriptors are part of the state
    ProcessState start_;
};

void judge_loading(const LoadRecord& record, bool own_threads) {
    if (!record.printed.empty())
        fail_check(fmt::format("Loading the plugin printed \"{}\".", record.printed));
    ProcessState before = record.before;
    if (own_threads)
        before.forget_threads();
    if (const std::string changed = before.difference(record.after); !changed.empty())
        fail_check(fmt::format("Loading the plugin changed {}.", changed));
}

} // namespace

void check_process(const CheckContext& context, Tally& tally) {
    // A kernel that says it owns threads may have started them when it was loaded.
    const bool own_threads = (context.kernel.flags & TG_OWN_THREADS) != 0;
    if (context.load != nullptr)
        judge_loading(*context.load, own_threads || (context.kernel.flags & TG_KEEP_LOADED) != 0);
    ProcessWatch watch(own_threads);
    StateSweep sweep;
    sweep.brief = true;
    sweep_state(context, tally, watch, sweep);
}

} // namespace tune_gemm::host
