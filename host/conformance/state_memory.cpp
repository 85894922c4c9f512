// state.memory: what a call allocates, and whether all of it is given back.
#include "conformance/allocation.hpp"
#include "conformance/state_sweep.hpp"

#include <fmt/format.h>

#include <optional>

namespace tune_gemm::host {
namespace {

constexpr int rounds = 20; // the first half may fill what a kernel keeps for good

class MemoryWatch final : public CallWatch {
  public:
    explicit MemoryWatch(bool may_allocate) : may_allocate_(may_allocate) {}

    void before(const PluginCall&) override { watch_.emplace(); }
    void after(const PluginCall& call) override {
        const Allocations seen = watch_->so_far();
        watch_.reset();
        blocks_ += seen.blocks;
        bytes_ += seen.bytes;
        const bool product = call.function == PluginFunction::tile || call.function == PluginFunction::gemm;
        if (product && seen.calls != 0 && !may_allocate_)
            report(fmt::format("{} allocated memory ({} times) without the flag that allows it",
                               to_text(call.function), seen.calls));
    }
    void end_round() override {
        ++round_;
        if (round_ == rounds / 2)
            half_blocks_ = blocks_, half_bytes_ = bytes_;
        if (round_ == rounds && (blocks_ > half_blocks_ || bytes_ > half_bytes_))
            report(fmt::format("Keeps {} bytes in {} blocks more after each {} rounds of the same calls",
                               bytes_ - half_bytes_, blocks_ - half_blocks_, rounds - rounds / 2));
    }

  private:
    bool may_allocate_;
    std::optional<AllocationWatch> watch_;
    int round_ = 0;
    std::int64_t blocks_ = 0, bytes_ = 0, half_blocks_ = 0, half_bytes_ = 0;
};

} // namespace

void check_memory(const CheckContext& context, Tally& tally) {
    if (const char* reason = no_allocation_count())
        skip_check(reason);
    const tg_flags flags = context.kernel.flags;
    MemoryWatch watch((flags & TG_OWN_MEMORY) != 0);
    StateSweep sweep;
    sweep.brief = true;
    sweep.rounds = rounds;
    sweep_state(context, tally, watch, sweep);
}

} // namespace tune_gemm::host
