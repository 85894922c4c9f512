#include "runtime/plugin_info.hpp"

#include "runtime/sha256.hpp"

#include <tune_gemm/error.hpp>

#include <limits>
#include <utility>

namespace tune_gemm::host {
namespace {

constexpr std::uint32_t TileInfo::*const tile_numbers[] = {
    &TileInfo::mr,       &TileInfo::nr,           &TileInfo::max_mr,   &TileInfo::max_nr,
    &TileInfo::kr,       &TileInfo::k_unroll,     &TileInfo::access_a, &TileInfo::access_b,
    &TileInfo::access_c, &TileInfo::align_packed, &TileInfo::mc,       &TileInfo::nc,
    &TileInfo::kc};
constexpr std::string_view tile_names[] = {"mr",       "nr",       "max_mr",   "max_nr",   "kr",
                                           "k_unroll", "access_a", "access_b", "access_c", "align_packed",
                                           "mc",       "nc",       "kc"};
static_assert(std::size(tile_numbers) == std::size(tile_names));

std::uint32_t u32(const json::Field& field) {
    return static_cast<std::uint32_t>(field.integer(0, std::numeric_limits<std::uint32_t>::max()));
}

json::value tile_json(const TileInfo& tile) {
    json::object object;
    for (std::size_t i = 0; i < std::size(tile_names); ++i)
        object[tile_names[i]] = tile.*tile_numbers[i];
    return object;
}

TileInfo parse_tile(const json::Field& field) {
    TileInfo tile;
    for (std::size_t i = 0; i < std::size(tile_names); ++i)
        tile.*tile_numbers[i] = u32(field[tile_names[i]]);
    return tile;
}

json::value kernel_json(const KernelInfo& kernel) {
    json::array cpu(kernel.cpu.begin(), kernel.cpu.end());
    json::array tiles;
    for (const TileInfo& tile : kernel.tiles)
        tiles.push_back(tile_json(tile));
    return json::object{{"id", kernel.id},
                        {"summary", kernel.summary},
                        {"dtype", kernel.arithmetic.dtype},
                        {"order", kernel.arithmetic.order},
                        {"muladd", kernel.arithmetic.muladd},
                        {"rank", kernel.rank},
                        {"flags", kernel.flags},
                        {"cpu", std::move(cpu)},
                        {"whole_gemm", kernel.whole_gemm},
                        {"tiles", std::move(tiles)},
                        {"loop_identity", kernel.loop_identity},
                        {"unusable", kernel.unusable}};
}

KernelInfo parse_kernel(const json::Field& field) {
    KernelInfo kernel;
    kernel.id = field["id"].string();
    kernel.summary = field["summary"].string();
    kernel.arithmetic = {u32(field["dtype"]), u32(field["order"]), u32(field["muladd"])};
    kernel.rank = u32(field["rank"]);
    kernel.flags = u32(field["flags"]);
    const json::Field cpu = field["cpu"];
    for (std::size_t i = 0; i < cpu.size(); ++i)
        kernel.cpu.push_back(cpu[i].string());
    kernel.whole_gemm = field["whole_gemm"].boolean();
    const json::Field tiles = field["tiles"];
    for (std::size_t i = 0; i < tiles.size(); ++i)
        kernel.tiles.push_back(parse_tile(tiles[i]));
    kernel.loop_identity = field["loop_identity"].string();
    kernel.unusable = field["unusable"].string();
    if (kernel.whole_gemm != kernel.tiles.empty() && kernel.unusable.empty())
        tiles.fail("a kernel has tiles, or else it is whole_gemm");
    return kernel;
}

} // namespace

std::vector<std::string> warnings_of(const PluginInfo& info) {
    constexpr std::string_view mark = "warning: ";
    std::vector<std::string> warnings;
    for (const std::string& line : info.said)
        if (line.starts_with(mark))
            warnings.push_back(line.substr(mark.size()));
    return warnings;
}

json::value plugin_json(const PluginInfo& info) {
    json::array kernels;
    for (const KernelInfo& kernel : info.kernels)
        kernels.push_back(kernel_json(kernel));
    return json::object{{"path", info.path.string()},
                        {"sha256", info.sha256},
                        {"name", info.name},
                        {"version", info.version},
                        {"vendor", info.vendor},
                        {"license", info.license},
                        {"abi_major", info.abi_major},
                        {"abi_minor", info.abi_minor},
                        {"kernels", std::move(kernels)},
                        {"said", json::array(info.said.begin(), info.said.end())}};
}

PluginInfo parse_plugin(const json::Field& field) {
    PluginInfo info;
    info.path = field["path"].string();
    info.sha256 = field["sha256"].string();
    if (!is_sha256(info.sha256))
        field["sha256"].fail("expected 64 lower-case hexadecimal digits");
    info.name = field["name"].string();
    info.version = field["version"].string();
    info.vendor = field["vendor"].string();
    info.license = field["license"].string();
    info.abi_major = u32(field["abi_major"]);
    info.abi_minor = u32(field["abi_minor"]);
    const json::Field said = field["said"];
    for (std::size_t i = 0; i < said.size(); ++i)
        info.said.push_back(said[i].string());
    const json::Field kernels = field["kernels"];
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        info.kernels.push_back(parse_kernel(kernels[i]));
        info.kernels.back().origin = info.path.string();
    }
    return info;
}

} // namespace tune_gemm::host
