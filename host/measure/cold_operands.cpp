#include "measure/cold_operands.hpp"

#include <tune_gemm/checked.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace tune_gemm::host {
namespace {

/// "32768K" or "32M" as bytes; 0 for anything else.
std::int64_t parse_cache_size(std::istream& in) {
    std::int64_t number = 0;
    char unit = 0;
    if (!(in >> number) || number <= 0)
        return 0;
    in >> unit;
    return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : number;
}

std::int64_t read_last_level_cache() {
    std::int64_t bytes = 0;
    for (int index = 0; index < 8; ++index) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
        if (file)
            bytes = std::max(bytes, parse_cache_size(file));
    }
    return bytes > 0 ? bytes : std::int64_t{32} << 20;
}

std::byte* copied(std::span<const std::byte> source, std::byte* to) {
    if (!source.empty())
        std::memcpy(to, source.data(), source.size());
    return to;
}

} // namespace

std::int64_t last_level_cache_bytes() {
    static const std::int64_t bytes = read_last_level_cache();
    return bytes;
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
