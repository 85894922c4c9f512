#include "cli/kernel_text.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>
#include <string_view>
#include <vector>

namespace tune_gemm::host {
namespace {

/// A bit, its name in JSON, and in words.
struct BitName {
    std::uint32_t bit;
    std::string_view name, words;
};
constexpr BitName access_names[] = {{TG_PACKED, "packed", "packed"},
                                    {TG_ROW_UNIT, "row_unit", "in place with contiguous rows"},
                                    {TG_COL_UNIT, "column_unit", "in place with contiguous columns"},
                                    {TG_ANY, "any", "in place with any strides"}};
constexpr BitName flag_names[] = {{TG_SERIAL_ONLY, "serial_only", "one thread at a time"},
                                  {TG_KEEP_LOADED, "keep_loaded", "must stay loaded"},
                                  {TG_OWN_MEMORY, "own_memory", "allocates memory of its own"},
                                  {TG_OWN_THREADS, "own_threads", "starts threads of its own"}};

std::string words_of(std::uint32_t bits, std::span<const BitName> names) {
    std::vector<std::string_view> words;
    for (const BitName& one : names)
        if (bits & one.bit)
            words.push_back(one.words);
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

json::array names_of(std::uint32_t bits, std::span<const BitName> names) {
    json::array found;
    for (const BitName& one : names)
        if (bits & one.bit)
            found.push_back(json::value(one.name));
    return found;
}

json::value tile_facts_json(const TileInfo& tile) {
    json::object facts;
    if (tile.is_free())
        facts = {{"max_mr", tile.max_mr}, {"max_nr", tile.max_nr}};
    else
        facts = {{"mr", tile.mr}, {"nr", tile.nr}};
    facts["kr"] = tile.kr;
    facts["k_unroll"] = tile.k_unroll;
    facts["access_a"] = names_of(tile.access_a, access_names);
    facts["access_b"] = names_of(tile.access_b, access_names);
    facts["access_c"] = names_of(tile.access_c, access_names);
    facts["align_packed"] = tile.align_packed;
    facts["mc"] = tile.mc;
    facts["nc"] = tile.nc;
    facts["kc"] = tile.kc;
    return facts;
}

} // namespace

std::string tile_text(const TileInfo& tile) {
    return tile.is_free() ? fmt::format("free up to {}x{}", tile.max_mr, tile.max_nr)
                          : fmt::format("{}x{}", tile.mr, tile.nr);
}

std::string tiles_text(const KernelInfo& kernel) {
    if (kernel.whole_gemm)
        return "own blocking";
    std::string text;
    for (const TileInfo& tile : kernel.tiles)
        text += (text.empty() ? "" : ", ") + tile_text(tile);
    return text;
}

std::string access_text(tg_access access) {
    if (access & TG_ANY) // which takes in the two forms with a contiguous direction
        access &= ~tg_access{TG_ROW_UNIT | TG_COL_UNIT};
    return words_of(access, access_names);
}
std::string flags_text(tg_flags flags) {
    return words_of(flags, flag_names);
}

std::string features_text(const KernelInfo& kernel) {
    return kernel.cpu.empty() ? "none beyond the architecture's baseline"
                              : fmt::format("{}", fmt::join(kernel.cpu, ", "));
}

void keep_kernel(std::vector<KernelInfo>& kernels, const std::string& id, std::string_view what) {
    if (id.empty())
        return;
    std::vector<std::string> known;
    for (const KernelInfo& kernel : kernels)
        known.push_back(kernel.id);
    std::erase_if(kernels, [&](const KernelInfo& kernel) { return kernel.id != id; });
    if (kernels.empty())
        throw_bad_input(
            fmt::format("{} holds no kernel \"{}\"; it holds {}.", what, id, fmt::join(known, ", ")));
}

json::object kernel_facts_json(const KernelInfo& kernel) {
    json::array tiles;
    for (const TileInfo& tile : kernel.tiles)
        tiles.push_back(tile_facts_json(tile));
    json::object facts{{"id", kernel.id},
                       {"summary", kernel.summary},
                       {"class", to_text(kernel.arithmetic)},
                       {"rank", kernel.rank},
                       {"cpu", json::array(kernel.cpu.begin(), kernel.cpu.end())},
                       {"flags", names_of(kernel.flags, flag_names)},
                       {"whole_gemm", kernel.whole_gemm},
                       {"tiles", std::move(tiles)},
                       {"usable", kernel.unusable.empty()}};
    if (!kernel.unusable.empty())
        facts["unusable_because"] = kernel.unusable;
    return facts;
}

} // namespace tune_gemm::host
