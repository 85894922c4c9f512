#include "tune/space.hpp"

#include <tune_gemm/grid.hpp>

#include <algorithm>
#include <set>

namespace tune_gemm::host {
namespace {

constexpr tg_access in_place = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;

/// The tile's packings in the order of preference: what is packed is contiguous, so both first.
std::vector<Packing> packings_of(const TileInfo& tile) {
    std::vector<Packing> packings;
    for (const Packing packing : {Packing::ab, Packing::b, Packing::a, Packing::none}) {
        const bool a = (tile.access_a & (packs_a(packing) ? tg_access{TG_PACKED} : in_place)) != 0;
        const bool b = (tile.access_b & (packs_b(packing) ? tg_access{TG_PACKED} : in_place)) != 0;
        if (a && b)
            packings.push_back(packing);
    }
    return packings;
}

/// The multiple of `unit` next to `about`, at least one unit.
std::int64_t near(std::int64_t about, std::int64_t unit) noexcept {
    return std::max<std::int64_t>((about + unit / 2) / unit, 1) * unit;
}

struct Blocks {
    std::int64_t mc, nc, kc;
    auto operator<=>(const Blocks&) const = default;
};

/// A tile with the register sizes that it is tried at.
struct Register {
    const TileInfo* tile;
    std::int64_t mr, nr;
};

std::vector<Register> registers_of(const KernelInfo& kernel) {
    std::vector<Register> registers;
    for (const TileInfo& tile : kernel.tiles) {
        if (!tile.is_free()) {
            registers.push_back({&tile, tile.mr, tile.nr});
            continue;
        }
        for (const std::int64_t mr : {2, 4, 8})
            for (const std::int64_t nr : {2, 4, 8})
                if (tile.takes(mr, nr))
                    registers.push_back({&tile, mr, nr});
        // A free tile smaller than all of these is tried at its largest.
        if (registers.empty() || registers.back().tile != &tile)
            registers.push_back({&tile, tile.max_mr, tile.max_nr});
    }
    return registers;
}

std::int64_t kr_of(const TileInfo& tile) noexcept {
    return std::max<std::int64_t>(tile.kr, 1);
}

std::set<Blocks> blocks_of(const Register& reg) {
    std::set<Blocks> blocks;
    for (const std::int64_t mc : {32, 64, 128})
        for (const std::int64_t nc : {32, 64, 128})
            for (const std::int64_t kc : {32, 64, 128, 256})
                blocks.insert({near(mc, reg.mr), near(nc, reg.nr), near(kc, kr_of(*reg.tile))});
    if (reg.tile->mc > 0 && reg.tile->nc > 0 && reg.tile->kc > 0)
        blocks.insert(
            {near(reg.tile->mc, reg.mr), near(reg.tile->nc, reg.nr), near(reg.tile->kc, kr_of(*reg.tile))});
    return blocks;
}

GemmCandidate whole_gemm_candidate(const std::string& id) {
    GemmCandidate candidate;
    candidate.mc = candidate.nc = candidate.kc = candidate.mr = candidate.nr = 1;
    candidate.packing = Packing::none;
    candidate.loop_order = LoopOrder::own;
    candidate.microkernel_id = id;
    return candidate;
}

} // namespace

bool has_default_grid(const KernelInfo& kernel) noexcept {
    return kernel.id == "scalar" || kernel.id == "scalar_f64" || kernel.id == "scalar_f32";
}

std::vector<GemmCandidate> space_of(const KernelInfo& kernel) {
    if (has_default_grid(kernel))
        return enumerate_gemm_candidates(kernel.arithmetic.dtype);
    if (kernel.whole_gemm)
        return {whole_gemm_candidate(kernel.id)};
    std::vector<GemmCandidate> candidates;
    for (const Register& reg : registers_of(kernel))
        for (const Blocks& blocks : blocks_of(reg))
            for (const Packing packing : packings_of(*reg.tile))
                for (const LoopOrder order : {LoopOrder::m_n_k, LoopOrder::n_k_m})
                    candidates.push_back({blocks.mc, blocks.nc, blocks.kc, reg.mr, reg.nr, packing, order,
                                          kernel.id, AllocationMode::workspace, TimingScope{}});
    return candidates;
}

} // namespace tune_gemm::host
