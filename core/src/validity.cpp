#include <tune_gemm/blocked.hpp>
#include <tune_gemm/checked.hpp>
#include <tune_gemm/packing.hpp>
#include <tune_gemm/problem.hpp>
#include <tune_gemm/validity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace tune_gemm {
namespace {

constexpr tg_access in_place = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;

template <class... Values>
Validity refuse(std::string_view field, fmt::format_string<Values...> format, Values&&... values) {
    return {std::string(field), fmt::format(format, std::forward<Values>(values)...)};
}

Validity positive(std::initializer_list<std::pair<std::string_view, std::int64_t>> fields) {
    for (const auto& [field, value] : fields) {
        if (value <= 0)
            return refuse(field, "{} = {} is not positive.", field, value);
    }
    return {};
}

Validity judge_blocks(const GemmCandidate& c) {
    if (Validity no = positive({{"mc", c.mc}, {"nc", c.nc}, {"kc", c.kc}, {"mr", c.mr}, {"nr", c.nr}}); !no)
        return no;
    if (c.mr > c.mc)
        return refuse("mr", "mr = {} is larger than mc = {}; a register tile lies inside its cache block.",
                      c.mr, c.mc);
    if (c.nr > c.nc)
        return refuse("nr", "nr = {} is larger than nc = {}; a register tile lies inside its cache block.",
                      c.nr, c.nc);
    return {};
}

Validity judge_request(const GemmCandidate& c) {
    const bool amortized = c.timing_scope.kind == TimingScope::Kind::amortized;
    if (amortized && c.timing_scope.uses <= 0) {
        return refuse("timing_scope", "timing_scope {} has {} uses; R is positive.", to_text(c.timing_scope),
                      c.timing_scope.uses);
    }
    if (!amortized && c.timing_scope.uses != 0) {
        return refuse("timing_scope", "timing_scope {} carries {} uses; only amortized_R has uses.",
                      to_text(c.timing_scope), c.timing_scope.uses);
    }
    const bool lacks_a = prepacks_a(c.allocation_mode) && !packs_a(c.packing);
    const bool lacks_b = prepacks_b(c.allocation_mode) && !packs_b(c.packing);
    if (lacks_a || lacks_b) {
        return refuse("allocation_mode",
                      "allocation_mode {} needs a packing that packs {}, and packing is {}.",
                      to_text(c.allocation_mode),
                      lacks_a && lacks_b ? "A and B"
                      : lacks_a          ? "A"
                                         : "B",
                      to_text(c.packing));
    }
    return {};
}

std::string tiles_text(const KernelInfo& kernel) {
    std::string shown;
    for (const TileInfo& tile : kernel.tiles) {
        shown += shown.empty() ? "" : ", ";
        shown += tile.is_free() ? fmt::format("any up to {}x{}", tile.max_mr, tile.max_nr)
                                : fmt::format("{}x{}", tile.mr, tile.nr);
    }
    return shown;
}

Validity judge_packing(const GemmCandidate& c, const KernelInfo& kernel, const TileInfo& tile) {
    // The driver may exchange the operands, so either way round will do here; a shape's layouts may then
    // allow one only.
    const auto takes = [](tg_access access, bool packed) {
        return (access & (packed ? tg_access{TG_PACKED} : in_place)) != 0;
    };
    const bool a = packs_a(c.packing), b = packs_b(c.packing);
    if ((takes(tile.access_a, a) && takes(tile.access_b, b)) ||
        (takes(tile.access_a, b) && takes(tile.access_b, a)))
        return {};
    const auto forms = [](tg_access access) {
        return (access & in_place) == 0    ? "packed only"
               : (access & TG_PACKED) == 0 ? "in place only"
                                           : "both ways";
    };
    return refuse("packing",
                  "packing {} does not suit the tile {}x{} of {}, which takes its A {} and its B {}.",
                  to_text(c.packing), c.mr, c.nr, kernel.id, forms(tile.access_a), forms(tile.access_b));
}

Validity judge_tile(const GemmCandidate& c, const KernelInfo& kernel) {
    if (c.loop_order == LoopOrder::own) {
        return refuse("loop_order",
                      "loop_order own is for kernels of whole products; {} is a tile, in m_n_k or n_k_m.",
                      kernel.id);
    }
    const TileInfo* tile = kernel.find_tile(c.mr, c.nr);
    if (!tile) {
        const bool rows = std::any_of(kernel.tiles.begin(), kernel.tiles.end(), [&c](const TileInfo& known) {
            return known.is_free() ? c.mr <= known.max_mr : c.mr == known.mr;
        });
        return refuse(rows ? "nr" : "mr", "mr = {}, nr = {} is no tile of {}, which has {}.", c.mr, c.nr,
                      kernel.id, tiles_text(kernel));
    }
    if (!tile->is_free() && c.mc % c.mr != 0)
        return refuse("mc", "mc = {} is not a multiple of mr = {}, a fixed tile of {}.", c.mc, c.mr,
                      kernel.id);
    if (!tile->is_free() && c.nc % c.nr != 0)
        return refuse("nc", "nc = {} is not a multiple of nr = {}, a fixed tile of {}.", c.nc, c.nr,
                      kernel.id);
    if (c.kc % tile->kr != 0) {
        return refuse("kc", "kc = {} is not a multiple of {}, the interleaving (kr) of the tile of {}.", c.kc,
                      tile->kr, kernel.id);
    }
    return judge_packing(c, kernel, *tile);
}

Validity judge_whole(const GemmCandidate& c, const KernelInfo& kernel) {
    const std::string_view why =
        "it blocks for itself, so its one candidate is 1x1x1:1x1 with loop order own and "
        "packing none";
    for (const auto& [field, value] : {std::pair<std::string_view, std::int64_t>{"mc", c.mc},
                                       {"nc", c.nc},
                                       {"kc", c.kc},
                                       {"mr", c.mr},
                                       {"nr", c.nr}}) {
        if (value != 1)
            return refuse(field, "{} = {} does not suit {}: {}.", field, value, kernel.id, why);
    }
    if (c.loop_order != LoopOrder::own)
        return refuse("loop_order", "loop_order {} does not suit {}: {}.", to_text(c.loop_order), kernel.id,
                      why);
    if (c.packing != Packing::none)
        return refuse("packing", "packing {} does not suit {}: {}.", to_text(c.packing), kernel.id, why);
    return {};
}

Validity judge_workspace(const GemmCandidate& c, const KernelInfo& kernel, std::int64_t limit) {
    try {
        const std::int64_t bytes = workspace_bytes(c, element_size(kernel.arithmetic.dtype));
        if (bytes <= limit)
            return {};
        return refuse("workspace", "The workspace of {}x{}x{} takes {} bytes, and the limit is {}.", c.mc,
                      c.nc, c.kc, bytes, limit);
    } catch (const Error& overflow) {
        return {"workspace", overflow.what()};
    }
}

Validity judge_extents(const GemmShape& shape, std::size_t element) {
    if (Validity no = positive({{"m", shape.m},
                                {"n", shape.n},
                                {"k", shape.k},
                                {"batch", shape.batch},
                                {"reuse_count", shape.reuse_count}});
        !no)
        return no;
    try {
        multiply_adds(shape);
        for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
            const std::int64_t length = matrix_length(shape, operand);
            if (!checked_multiply(length, static_cast<std::int64_t>(element))) {
                return refuse("shape",
                              "Operand {} of shape {} has {} elements of {} bytes, more bytes than 64 bits "
                              "can count.",
                              "ABC"[static_cast<int>(operand)], shape_text(shape), length, element);
            }
        }
    } catch (const Error& overflow) {
        return {"shape", overflow.what()};
    }
    return {};
}

} // namespace

Validity valid_candidate(const GemmCandidate& candidate, std::int64_t limit, const Catalogue& catalogue) {
    if (Validity no = judge_blocks(candidate); !no)
        return no;
    const auto resolved = catalogue.resolve(candidate.microkernel_id);
    if (!resolved)
        return {resolved.refusal().field, resolved.refusal().reason};
    const KernelInfo& kernel = *resolved.value();
    if (Validity no = judge_request(candidate); !no)
        return no;
    if (Validity no = kernel.whole_gemm ? judge_whole(candidate, kernel) : judge_tile(candidate, kernel); !no)
        return no;
    return judge_workspace(candidate, kernel, limit);
}

Validity candidate_valid_for_shape(const GemmCandidate& candidate, const GemmShape& shape, std::int64_t limit,
                                   const Catalogue& catalogue) {
    if (Validity no = valid_candidate(candidate, limit, catalogue); !no)
        return no;
    const KernelInfo& kernel = *catalogue.resolve(candidate.microkernel_id).value();
    const std::size_t element = element_size(kernel.arithmetic.dtype);
    if (Validity no = judge_extents(shape, element); !no)
        return no;
    if (kernel.whole_gemm)
        return {};
    const auto access =
        plan_access(problem_of(shape), candidate, *kernel.find_tile(candidate.mr, candidate.nr));
    if (!access)
        return {access.refusal().field, access.refusal().reason};
    try {
        const std::int64_t blocks = workspace_bytes(candidate, element);
        const std::int64_t ahead = prepacked_bytes(candidate, shape, catalogue);
        const auto together = checked_add(blocks, ahead);
        if (!together || *together > limit) {
            return refuse(
                "allocation_mode",
                "allocation_mode {} holds {} bytes packed ahead besides a workspace of {}, and the limit is "
                "{} bytes.",
                to_text(candidate.allocation_mode), ahead, blocks, limit);
        }
    } catch (const Error& overflow) {
        return {"allocation_mode", overflow.what()};
    }
    return {};
}

} // namespace tune_gemm
