// One sample: enough uses of a candidate, one after the other, that the clock sees a batch of a few
// milliseconds.
//
// What lies between start and stop is what the candidate's timing scope names:
//   compute      the multiplications; everything exists and has been touched before
//   steady_state a use as its allocation mode has it (begin_use to end_use), repeated on warm buffers
//   end_to_end   set-up, use and tear-down, every time, on operands that the caches have forgotten
//   amortized_R  set-up, R uses and tear-down, on such operands; the time of one use is the whole divided by
//   R
// Not the plan: a candidate is planned once for all its uses.
//
// C is filled with NaN before the first use, and once more, with the clock stopped, before the last; so what
// is judged after the stop stamp was computed in that very last use and is not left over from an earlier one.
// Where C is allocated inside the clock, the memory that the use before it gave back is what is filled. (A
// product with beta not 0 reads C: then it is filled with that instead.)
#pragma once
#include "measure/clock.hpp"
#include "measure/disturbance.hpp"

#include <tune_gemm/operation.hpp>
#include <tune_gemm/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tune_gemm::host {

inline constexpr std::int64_t explore_min_ns = 5'000'000;
inline constexpr std::int64_t confirm_min_ns = 10'000'000;
/// A single use this many times as long as the batch asked for needs no use before it to warm up.
inline constexpr std::int64_t own_warm_up = 20;

struct Batch {
    std::int64_t elapsed_ns = 0; ///< of all uses together
    std::int64_t uses = 0;       ///< products of the whole shape, its batch included
    Disturbance disturbance;

    double ns() const noexcept { return static_cast<double>(elapsed_ns) / static_cast<double>(uses); }
};

/// A rate that no processor reaches with one thread: 10^12 flop/s.
inline constexpr double impossible_flop_per_ns = 1000;
/// Why a time cannot be the time of `uses` products of the shape: none at all, within the grain of the clock,
/// or at or below the time that impossible_flop_per_ns would take. Empty when it can.
std::string impossible_time(const Batch&, const GemmShape&, const ClockQuality& = clock_quality());

/// Operands as a sampler rotates through them: every pair has the same contents.
struct OperandPair {
    const void* a;
    const void* b;
};

/// NaN bits for any element type of floating point, everywhere.
void poison(std::span<std::byte>) noexcept;

class Sampler {
  public:
    /// Writes the C that a use begins with. The span may be empty, where C is not there yet.
    using Fill = std::function<void(std::span<std::byte> c)>;
    /// Which pairs a scope that repeats on warm buffers uses: the first only, or all in turn, with one C and
    /// one workspace. (Scopes that want cold operands use all in any case.)
    enum class Pairs : std::uint8_t { first, in_turn };
    /// The operands outlive the sampler. Pairs in turn are not for operands packed ahead.
    Sampler(const PreparedGemm&, std::span<const OperandPair>, std::int64_t c_bytes, Fill fill = poison,
            Pairs = Pairs::first);

    /// Called with the clock stopped, with the C of the last use.
    using Judge = std::function<void(std::span<const std::byte> c)>;
    /// Warms up, calibrates, unless `known_uses` of an earlier sample says how many uses fill min_ns, then
    /// times one batch.
    Batch sample(std::int64_t min_ns, const Judge&, std::optional<std::int64_t> known_uses = std::nullopt);

    /// True for scopes whose operands should come from memory: end_to_end and amortized.
    static bool wants_cold_operands(const TimingScope&) noexcept;

  private:
    /// What is done at a halt of the clock, with the C of the use that has just ended.
    using Halt = std::function<void(std::span<std::byte>)>;
    /// Times `groups` groups of uses. Halts to fill C before the last one, and for `judge` after it.
    Batch time_batch(std::int64_t groups,
                     const std::function<void(std::span<std::byte>, const Stopwatch&)>& judge);
    /// The number of groups that take min_ns, when one took about `first_ns`; tries growing batches.
    std::int64_t calibrate(std::int64_t first_ns, std::int64_t min_ns);
    void run_plain(std::int64_t groups, Stopwatch&);
    void run_group(Operation&, Stopwatch&, const Halt* halt);
    Operation& next_operation();

    TimingScope scope_;
    std::int64_t uses_per_group_;
    std::vector<Operation> operations_;
    std::vector<OperandPair> in_turn_; ///< for the one operation; empty when its operands stay
    std::size_t next_ = 0;
    Fill fill_;
};

} // namespace tune_gemm::host
