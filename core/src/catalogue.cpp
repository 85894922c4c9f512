#include "text.hpp"

#include <tune_gemm/catalogue.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace tune_gemm {
namespace {

struct TypeName {
    tg_dtype dtype;
    std::string_view text;
    std::size_t bytes;
};
constexpr std::array type_names{TypeName{TG_F32, "f32", 4}, TypeName{TG_F64, "f64", 8},
                                TypeName{TG_F16, "f16", 2}, TypeName{TG_BF16, "bf16", 2},
                                TypeName{TG_I8, "i8", 1},   TypeName{TG_U8, "u8", 1},
                                TypeName{TG_I32, "i32", 4}};

const TypeName* find_type(tg_dtype dtype) noexcept {
    const auto found = std::find_if(type_names.begin(), type_names.end(),
                                    [dtype](const TypeName& known) { return known.dtype == dtype; });
    return found == type_names.end() ? nullptr : &*found;
}

std::size_t edit_distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> row(right.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < left.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < right.size(); ++j) {
            const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

std::string_view origin_text(const KernelInfo& kernel) noexcept {
    return kernel.origin.empty() ? std::string_view("the library itself") : std::string_view(kernel.origin);
}

} // namespace

std::string to_text(const ArithmeticClass& arithmetic) {
    std::string shown(dtype_text(arithmetic.dtype));
    if (arithmetic.order != TG_SEQUENTIAL)
        return shown + (arithmetic.order == TG_REORDERED ? " reordered" : " in an unknown order");
    return shown + (arithmetic.muladd == TG_FUSED ? " sequential fused" : " sequential two-roundings");
}

std::string_view dtype_text(tg_dtype dtype) noexcept {
    const TypeName* known = find_type(dtype);
    return known ? known->text : std::string_view("unknown type");
}

tg_dtype parse_dtype(std::string_view given) {
    std::string allowed;
    for (const TypeName& known : type_names) {
        if (given == known.text)
            return known.dtype;
        allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", known.text);
    }
    throw_bad_input(fmt::format("dtype {} is not known; it is one of {}.", text::quoted(given), allowed));
}

std::size_t element_size(tg_dtype dtype) noexcept {
    const TypeName* known = find_type(dtype);
    return known ? known->bytes : 0;
}

bool TileInfo::takes(std::int64_t rows, std::int64_t columns) const noexcept {
    if (is_free())
        return 1 <= rows && rows <= max_mr && 1 <= columns && columns <= max_nr;
    return rows == mr && columns == nr;
}

const TileInfo* KernelInfo::find_tile(std::int64_t mr, std::int64_t nr) const noexcept {
    const auto found =
        std::find_if(tiles.begin(), tiles.end(), [=](const TileInfo& tile) { return tile.takes(mr, nr); });
    return found == tiles.end() ? nullptr : &*found;
}

void Catalogue::add(KernelInfo kernel) {
    if (kernel.id == "auto") {
        throw Error(ErrorKind::failed,
                    fmt::format("{} has a kernel with the microkernel_id auto, which is the request "
                                "for the best kernel; give it another id.",
                                origin_text(kernel)));
    }
    if (const KernelInfo* other = find(kernel.id)) {
        throw Error(
            ErrorKind::failed,
            fmt::format("microkernel_id {} comes from {} and from {}; an id means one kernel: remove one of "
                        "the two or give it another id.",
                        kernel.id, origin_text(*other), origin_text(kernel)));
    }
    kernels_.push_back(std::move(kernel));
}

const KernelInfo* Catalogue::find(std::string_view id) const noexcept {
    const auto found = std::find_if(kernels_.begin(), kernels_.end(),
                                    [id](const KernelInfo& kernel) { return kernel.id == id; });
    return found == kernels_.end() ? nullptr : &*found;
}

Outcome<const KernelInfo*> Catalogue::resolve(std::string_view id) const {
    if (id == "auto") {
        const KernelInfo* best = nullptr;
        for (const KernelInfo& kernel : kernels_) {
            if (!kernel.unusable.empty() || kernel.arithmetic != auto_class)
                continue;
            if (!best || kernel.rank > best->rank || (kernel.rank == best->rank && kernel.id < best->id))
                best = &kernel;
        }
        if (best)
            return best;
        return Refusal{
            "microkernel_id",
            fmt::format("microkernel_id auto asks for a usable kernel of the class {}, and there is none; "
                        "name a kernel, or ask for another class.",
                        to_text(auto_class))};
    }
    const KernelInfo* kernel = find(id);
    if (!kernel) {
        const std::vector<std::string> known = supported_microkernels(*this);
        const std::string near = nearest_text(id, known);
        return Refusal{"microkernel_id",
                       fmt::format("microkernel_id {} is not known{}", text::quoted(id),
                                   near.empty() ? fmt::format("; known are {}.", fmt::join(known, ", "))
                                                : fmt::format("; did you mean {}?", near))};
    }
    if (!kernel->unusable.empty()) {
        return Refusal{"microkernel_id",
                       fmt::format("microkernel_id {} cannot run here: {}", kernel->id, kernel->unusable)};
    }
    return kernel;
}

std::vector<std::string> supported_microkernels(const Catalogue& catalogue) {
    std::vector<std::string> ids;
    for (const KernelInfo& kernel : catalogue.kernels())
        ids.push_back(kernel.id);
    ids.emplace_back("auto");
    return ids;
}

std::string nearest_text(std::string_view given, const std::vector<std::string>& known) {
    // A quarter of the letters may be wrong, and one more: "scaler" is near "scalar", "xyz" is near nothing.
    const std::size_t allowed = 1 + given.size() / 4;
    std::string_view nearest;
    std::size_t least = allowed + 1;
    for (const std::string& candidate : known) {
        const std::size_t longer = std::max(candidate.size(), given.size());
        const std::size_t shorter = std::min(candidate.size(), given.size());
        if (longer - shorter >= least)
            continue; // Also keeps an enormous text from costing its square.
        const std::size_t distance = edit_distance(given, candidate);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return std::string(nearest);
}

} // namespace tune_gemm
