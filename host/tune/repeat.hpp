// How a person repeats what went wrong.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/shape.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tune_gemm::host {

/// The command that makes one product again: "tune-gemm run --shape 63x64x64 --candidate ID --seed 42".
/// Layouts and limit are named where they are not the usual ones. plugin_words: the options that say where
/// plugins are, each with a blank before it.
std::string repeat_command(const GemmCandidate&, const GemmShape&, std::uint64_t seed, std::int64_t limit,
                           std::string_view plugin_words = {});

} // namespace tune_gemm::host
