// Kernels and tiles as people and as programs read them.
#pragma once
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

/// "4x4", "free up to 64x64".
std::string tile_text(const TileInfo&);
/// "4x4, 8x6", or "own blocking" for a whole-gemm kernel.
std::string tiles_text(const KernelInfo&);
/// "packed, rows in place": the forms in which an operand is taken.
std::string access_text(tg_access);
/// "one thread at a time, memory of its own", or "none".
std::string flags_text(tg_flags);
/// "avx2, fma", or "none beyond the architecture's baseline".
std::string features_text(const KernelInfo&);

/// Leaves the kernel of that id alone, or all when it is empty. Throws Error (bad_input) when `what`, a file
/// or an id, does not hold it.
void keep_kernel(std::vector<KernelInfo>&, const std::string& id, std::string_view what);

/// {"id", "summary", "class", "rank", "cpu", "flags", "whole_gemm", "tiles", "usable", "unusable_because"?},
/// forms and flags as lists of words.
json::object kernel_facts_json(const KernelInfo&);

} // namespace tune_gemm::host
