// state.stack: how much stack a call takes.
#include "conformance/state_sweep.hpp"
#include "conformance/state_watch.hpp"
#include "worker/guarded_memory.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tune_gemm::host {
namespace {

// A thread's stack may be as small as 128 KiB (musl), and its caller needs some of it, too. Planning, which
// may generate code, has more.
constexpr std::int64_t product_limit = 64 << 10, planning_limit = 512 << 10;
constexpr std::int64_t stack_room = planning_limit + (64 << 10);
constexpr std::int64_t top = 256; // bytes above the call: what stands for its caller's frame

/// Makes each call on a stack of its own that holds canaries, below which lies memory that cannot be touched.
class StackWatch final : public StateWatch {
  public:
    StackWatch() { block_ = memory_.place(stack_room, {Placement::flush_start, 64}); }

  private:
    void set(const PluginCall&, TrampolineFrame& frame) override {
        frame.stack = reinterpret_cast<std::uintptr_t>(block_.seen + stack_room - top);
    }
    void judge(const PluginCall& call, const TrampolineFrame&) override {
        const std::int64_t deepest = lowest_changed(), used = stack_room - top - deepest;
        memory_.restore_at(block_.own + deepest, static_cast<std::size_t>(stack_room - deepest));
        const bool product = call.function == PluginFunction::tile || call.function == PluginFunction::gemm;
        const std::int64_t limit = product ? product_limit : planning_limit;
        if (used > limit)
            report_of(call, fmt::format("used {} bytes of stack, more than the {} that it may count on,",
                                        used, limit));
    }

    /// The first byte that does not hold its canary, found page by page, for most are untouched.
    std::int64_t lowest_changed() const {
        constexpr std::int64_t page = 4096;
        std::int64_t at = 0;
        while (at + page <= stack_room - top && std::memcmp(block_.own + at, block_.canary + at, page) == 0)
            at += page;
        while (at < stack_room - top && block_.own[at] == block_.canary[at])
            ++at;
        return at;
    }

    GuardedMemory memory_{"the stack", stack_room, GuardedMemory::Rights::read_write, 8,
                          std::int64_t{64} << 20};
    GuardedBlock block_;
};

} // namespace

void check_stack(const CheckContext& context, Tally& tally) {
    need_trampoline();
    StackWatch watch;
    StateSweep sweep;
    sweep.brief = true;
    sweep_state(context, tally, watch, sweep);
}

} // namespace tune_gemm::host
