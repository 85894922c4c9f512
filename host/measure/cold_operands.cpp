#include "measure/cold_operands.hpp"

#include "runtime/cpu.hpp"

#include <tune_gemm/checked.hpp>

#include <algorithm>
#include <cstring>

namespace tune_gemm::host {
namespace {

std::byte* copied(std::span<const std::byte> source, std::byte* to) {
    if (!source.empty())
        std::memcpy(to, source.data(), source.size());
    return to;
}

} // namespace

std::int64_t displaced_cache_bytes() {
    const std::int64_t known = last_level_cache_bytes();
    return known > 0 ? known : std::int64_t{32} << 20;
}

ColdOperands::ColdOperands(std::span<const std::byte> a, std::span<const std::byte> b,
                           std::int64_t cache_bytes) {
    const std::int64_t room_a = round_up(static_cast<std::int64_t>(a.size()), 64);
    const std::int64_t room_b = round_up(static_cast<std::int64_t>(b.size()), 64);
    const std::int64_t pair = std::max<std::int64_t>(room_a + room_b, 64);
    // One more than fills the span, so that the pair in use is not among those that displace it.
    const std::int64_t count = std::min(ceil_div(2 * cache_bytes, pair) + 1, max_pairs);
    copies_ = Buffer(count * pair, Buffer::Use::result);
    pairs_.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        std::byte* at = copies_.bytes().data() + i * pair;
        const std::byte* copy_a = copied(a, at);
        pairs_.push_back({copy_a, copied(b, at + room_a)});
    }
}

} // namespace tune_gemm::host
