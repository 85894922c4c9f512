// What to look at next: the one thing that costs most, in a sentence.
#pragma once
#include "profile/inner_loop.hpp"
#include "profile/profile.hpp"

#include <string>

namespace tune_gemm::host {

/// What each part of a product costs beside one that runs at the peak throughout, as shares of its time.
/// Together with the share of the peak that the product reaches they are 1, or more where a part is faster in
/// the driver than alone. Without a known peak `tile` is 0.
struct Losses {
    double tile = 0;   ///< alone, it is slower than the peak
    double memory = 0; ///< in the driver, it is slower than alone
    double edges = 0, pack_a = 0, pack_b = 0, rest = 0;
};
/// Of a profile with `alone` and `shares`.
Losses losses_of(const Profile&) noexcept;

/// "The tile: 61 % of the AVX2 peak. Its inner loop has 1.5 loads for each fused multiply-add; ...". `loop`
/// may be null.
std::string next_bound(const Profile&, const InnerLoop* loop);

} // namespace tune_gemm::host
