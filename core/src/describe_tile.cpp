// One register tile as its kernel describes it, every field judged.
#include "descriptor.hpp"

#include <bit>

namespace tune_gemm::descriptor {
namespace {

constexpr std::uint32_t largest_tile = 4096;       // rows or columns: far above any register file
constexpr std::uint32_t largest_block = 1u << 24;  // elements: blocks of this size still multiply in 64 bits
constexpr std::uint32_t largest_alignment = 4096;  // bytes: one page
constexpr std::uint32_t largest_interleave = 64;   // kr
constexpr std::uint32_t largest_unroll = 1u << 16; // k_unroll
constexpr tg_access in_place = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;

void judge_extents(const tg_tile& tile, const Subject& subject) {
    if ((tile.mr == 0) != (tile.nr == 0))
        subject.fail("mr = {} with nr = {}: both are positive (a fixed tile) or both 0 (free).", tile.mr,
                     tile.nr);
    subject.at_most("mr", tile.mr, largest_tile);
    subject.at_most("nr", tile.nr, largest_tile);
    if (tile.mr == 0) {
        if (tile.max_mr == 0 || tile.max_nr == 0) {
            subject.fail("max_mr = {}, max_nr = {} of a free tile; both are positive.", tile.max_mr,
                         tile.max_nr);
        }
        subject.at_most("max_mr", tile.max_mr, largest_tile);
        subject.at_most("max_nr", tile.max_nr, largest_tile);
    } else if (tile.max_mr != 0 || tile.max_nr != 0) {
        subject.fail("max_mr = {}, max_nr = {} of a fixed tile; both are 0.", tile.max_mr, tile.max_nr);
    }
    subject.at_most("kr", tile.kr, largest_interleave);
    subject.at_most("k_unroll", tile.k_unroll, largest_unroll);
}

void judge_access(const tg_tile& tile, const Subject& subject) {
    const std::pair<std::string_view, tg_access> operands[] = {{"access_a", tile.access_a},
                                                               {"access_b", tile.access_b}};
    for (const auto& [field, access] : operands) {
        if (access == 0 || (access & ~(TG_PACKED | in_place)) != 0)
            subject.fail("{} = {:#x} is no set of PACKED (1), ROW_UNIT (2), COL_UNIT (4) and ANY (8).", field,
                         access);
    }
    if (tile.access_c == 0 || (tile.access_c & ~in_place) != 0) {
        subject.fail("access_c = {:#x} is no set of ROW_UNIT (2), COL_UNIT (4) and ANY (8).", tile.access_c);
    }
}

void judge_blocks(const tg_tile& tile, const Subject& subject) {
    struct Block {
        std::string_view field;
        std::uint32_t value;
        std::string_view unit_name;
        std::uint32_t unit;
    };
    const Block blocks[] = {
        {"mc", tile.mc, "mr", tile.mr}, {"nc", tile.nc, "nr", tile.nr}, {"kc", tile.kc, "kr", tile.kr}};
    for (const auto& [field, value, unit_name, unit] : blocks) {
        subject.at_most(field, value, largest_block);
        if (unit > 1 && value % unit != 0)
            subject.fail("{} = {} is not a multiple of {} = {}.", field, value, unit_name, unit);
    }
    if (tile.align_packed != 0 && !std::has_single_bit(tile.align_packed))
        subject.fail("align_packed = {} is not a power of two.", tile.align_packed);
    subject.at_most("align_packed", tile.align_packed, largest_alignment);
}

} // namespace

TileInfo describe_tile(const tg_tile* source, bool later, const Subject& subject) {
    tg_tile tile = read_struct(source, least_tile, subject, "the tile");
    if (later) {
        for (tg_access* access : {&tile.access_a, &tile.access_b, &tile.access_c})
            *access &= TG_PACKED | in_place;
    }
    judge_extents(tile, subject);
    judge_access(tile, subject);
    judge_blocks(tile, subject);
    if (!tile.run)
        subject.fail("run is a null pointer.");
    return {.mr = tile.mr,
            .nr = tile.nr,
            .max_mr = tile.max_mr,
            .max_nr = tile.max_nr,
            .kr = std::max(tile.kr, 1u),
            .k_unroll = std::max(tile.k_unroll, 1u),
            .access_a = tile.access_a,
            .access_b = tile.access_b,
            .access_c = tile.access_c,
            .align_packed = tile.align_packed,
            .mc = tile.mc,
            .nc = tile.nc,
            .kc = tile.kc,
            .tile = source};
}

} // namespace tune_gemm::descriptor
