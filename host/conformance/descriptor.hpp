// Reading a plugin's structs as they lie in its memory, which may be shorter than ours.
#pragma once
#include <tune_gemm/abi.h>

#include <algorithm>
#include <cstring>

namespace tune_gemm::host {

/// The struct with zeros for the fields that its plugin does not know. Not for tg_plugin, which begins with
/// its magic.
template <class Struct>
Struct read_descriptor(const Struct* from) noexcept {
    Struct whole{};
    std::memcpy(&whole, from, std::min<std::size_t>(from->struct_size, sizeof whole));
    return whole;
}

} // namespace tune_gemm::host
