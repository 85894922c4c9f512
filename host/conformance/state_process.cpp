// state.process: what loading and calls change in the process, or print.
#include "conformance/load_record.hpp"
#include "conformance/process_state.hpp"
#include "conformance/state_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tune_gemm::host {
namespace {

class ProcessWatch final : public CallWatch {
  public:
    ProcessWatch(bool own_threads, bool own_tiles) : start_(ProcessState::now()) {
        if (own_threads)
            start_.forget_threads();
        if (own_tiles)
            start_.forget_tiles();
    }

    void after(const PluginCall& call) override {
        if (const std::string printed = output_.text(); !printed.empty())
            report(fmt::format("{} printed \"{}\"", to_text(call.function), printed));
        if (const std::string changed = start_.difference(ProcessState::now()); !changed.empty())
            report(fmt::format("{} changed {}", to_text(call.function), changed));
    }

  private:
    CaughtOutput output_; // first: its descriptors are part of the state
    ProcessState start_;
};

/// A kernel that needs the tiles of AMX has to ask the system for them, once a process.
bool uses_tiles(const KernelInfo& kernel) {
    return std::any_of(kernel.cpu.begin(), kernel.cpu.end(),
                       [](const std::string& feature) { return feature.starts_with("amx"); });
}

void judge_loading(const LoadRecord& record, bool own_threads) {
    if (!record.printed.empty())
        fail_check(fmt::format("Loading the plugin printed \"{}\".", record.printed));
    ProcessState before = record.before;
    if (own_threads)
        before.forget_threads();
    if (std::any_of(record.plugin.kernels.begin(), record.plugin.kernels.end(), uses_tiles))
        before.forget_tiles();
    if (const std::string changed = before.difference(record.after); !changed.empty())
        fail_check(fmt::format("Loading the plugin changed {}.", changed));
}

} // namespace

void check_process(const CheckContext& context, Tally& tally) {
    // A kernel that says it owns threads may have started them when it was loaded.
    const bool own_threads = (context.kernel.flags & TG_OWN_THREADS) != 0;
    if (context.load != nullptr)
        judge_loading(*context.load, own_threads || (context.kernel.flags & TG_KEEP_LOADED) != 0);
    ProcessWatch watch(own_threads, uses_tiles(context.kernel));
    StateSweep sweep;
    sweep.brief = true;
    sweep_state(context, tally, watch, sweep);
}

} // namespace tune_gemm::host
