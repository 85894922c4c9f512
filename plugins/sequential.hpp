// What the kernels of this project have in common. Constants only.
#pragma once
#include <tune_gemm/abi.h>

#include <cstdint>

namespace tune_gemm {

/// A kernel of tiles on one element type that sums in increasing l.
consteval tg_kernel sequential(const char* id, const char* summary, tg_dtype type, tg_muladd muladd,
                               std::uint32_t rank, const char* const* cpu, const tg_tile* const* tiles) {
    return {
        .struct_size = sizeof(tg_kernel),
        .flags = 0,
        .microkernel_id = id,
        .summary = summary,
        .type_a = type,
        .type_b = type,
        .type_c = type,
        .type_acc = type,
        .order = TG_SEQUENTIAL,
        .muladd = muladd,
        .rank = rank,
        .reserved = 0,
        .cpu = cpu,
        .tiles = tiles,
        .gemm = nullptr,
        .user = nullptr,
        .enter = nullptr,
        .leave = nullptr,
    };
}

} // namespace tune_gemm
