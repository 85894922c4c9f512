// tune-gemm profile: where the time of a kernel goes, and what bounds it next.
#include "cli/command.hpp"
#include "cli/kernel_text.hpp"
#include "cli/options.hpp"
#include "cli/profile_report.hpp"
#include "cli/profile_tile.hpp"
#include "report/progress.hpp"
#include "runtime/caches.hpp"
#include "runtime/memory.hpp"
#include "tune/interrupt.hpp"

#include <tune_gemm/checked.hpp>
#include <tune_gemm/error.hpp>
#include <tune_gemm/model_candidate.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>

namespace tune_gemm::host {
namespace {

struct TileSize {
    std::uint32_t mr = 0, nr = 0;
};

/// "6x8"
TileSize parse_tile(const std::string& text) {
    TileSize size;
    const char* const end = text.data() + text.size();
    const auto rows = std::from_chars(text.data(), end, size.mr);
    const auto columns = rows.ec == std::errc() && rows.ptr != end && *rows.ptr == 'x'
                             ? std::from_chars(rows.ptr + 1, end, size.nr)
                             : rows;
    if (columns.ec != std::errc() || columns.ptr != end || size.mr == 0 || size.nr == 0)
        throw_bad_input(
            fmt::format("--tile \"{}\" is no tile; write its rows and columns, e.g. 6x8, or free.", text));
    return size;
}

bool has_tile(const KernelInfo& kernel, const std::string& text) {
    if (kernel.whole_gemm)
        return false;
    if (text == "free")
        return std::any_of(kernel.tiles.begin(), kernel.tiles.end(),
                           [](const TileInfo& tile) { return tile.is_free(); });
    const TileSize size = parse_tile(text);
    return kernel.find_tile(size.mr, size.nr) != nullptr;
}

/// The plugin, and those of its kernels that are profiled.
PluginInfo find_kernels(const ProfileOptions& options) {
    PluginInfo plugin;
    if (!names_a_file(options.what)) {
        Selected selected = select_kernel(open_registry(options.plugins.registry()), options.what);
        plugin = std::move(selected.plugin);
        plugin.kernels = {std::move(selected.kernel)};
    } else {
        plugin = inspect_file(options.what, options.plugins.registry());
    }
    std::vector<KernelInfo>& kernels = plugin.kernels;
    keep_kernel(kernels, options.kernel, options.what);
    const KernelInfo first = kernels.front();
    std::erase_if(kernels, [](const KernelInfo& kernel) { return !kernel.unusable.empty(); });
    if (kernels.empty())
        throw Error(ErrorKind::unavailable,
                    fmt::format("Kernel {} cannot be used here: {}", first.id, first.unusable));
    // Where one kernel of the file has the tile, the others are not asked for it.
    const auto lacks_tile = [&](const KernelInfo& kernel) { return !has_tile(kernel, options.tile); };
    if (!options.tile.empty() && !std::all_of(kernels.begin(), kernels.end(), lacks_tile))
        std::erase_if(kernels, lacks_tile);
    return plugin;
}

/// The kernel with each of its tiles, or the one that is asked for, alone; a free tile as 8x8 or nearest to
/// it.
std::vector<KernelInfo> one_tile_each(const KernelInfo& kernel, const ProfileOptions& options) {
    if (kernel.whole_gemm) {
        if (!options.tile.empty())
            throw_bad_input(
                fmt::format("--tile {} was asked for, but the kernel {} brings blocking of its own and "
                            "has no tiles; leave --tile out.",
                            options.tile, kernel.id));
        return {kernel};
    }
    std::vector<TileInfo> tiles = kernel.tiles;
    if (options.tile == "free")
        std::erase_if(tiles, [](const TileInfo& tile) { return !tile.is_free(); });
    if (tiles.empty())
        throw_bad_input(
            fmt::format("The kernel {} has no free tile; it has {}.", kernel.id, tiles_text(kernel)));
    for (TileInfo& tile : tiles)
        if (tile.is_free())
            tile.mr = std::min(8u, tile.max_mr), tile.nr = std::min(8u, tile.max_nr);
    if (!options.tile.empty() && options.tile != "free") {
        const TileSize size = parse_tile(options.tile);
        const TileInfo* const found = kernel.find_tile(size.mr, size.nr);
        if (found == nullptr)
            throw_bad_input(fmt::format("The kernel {} has no tile {}; it has {}.", kernel.id, options.tile,
                                        tiles_text(kernel)));
        tiles = {*found};
        tiles.front().mr = size.mr, tiles.front().nr = size.nr;
    }
    std::vector<KernelInfo> kernels;
    for (const TileInfo& tile : tiles) {
        kernels.push_back(kernel);
        kernels.back().tiles = {tile};
    }
    return kernels;
}

/// The tiles up to the first that something is wrong with, and what that is.
ProfiledKernel profile_kernel(const PluginInfo& plugin, const KernelInfo& kernel, const GemmShape& shape,
                              const ProfileOptions& options, std::optional<Error>& trouble) {
    ProfiledKernel found{kernel, plugin, shape, {}, {}, false};
    const std::vector<KernelInfo> each = one_tile_each(kernel, options);
    found.free_tile = !kernel.whole_gemm && each.size() == 1 &&
                      (options.tile.empty() || options.tile == "free") && kernel.tiles.front().is_free();
    Progress progress;
    for (std::size_t at = 0; at < each.size(); ++at) {
        const auto candidate = model_candidate(each[at], shape, cache_sizes(), options.workspace_limit);
        if (!candidate)
            throw_bad_input(fmt::format("The kernel {} cannot serve {}, layouts {}: {}", kernel.id,
                                        shape_text(shape), layouts_text(shape), candidate.refusal().reason));
        JobSpecification spec;
        spec.plugin = plugin.path, spec.sha256 = plugin.sha256;
        spec.candidate = candidate.value();
        spec.shape = shape;
        spec.seed = options.seed, spec.threads = options.threads;
        // The limit is a thread's.
        spec.limit = checked_multiply(options.workspace_limit, options.threads)
                         .value_or(std::numeric_limits<std::int64_t>::max());
        const std::string activity =
            fmt::format("profiling {}, tile {} of {}", kernel.id, at + 1, each.size());
        try {
            found.tiles.push_back({profile_tile(options, kernel, spec, progress, activity), {}});
        } catch (const Error& error) {
            trouble = error;
            break;
        }
    }
    progress.clear();
    if (kernel.whole_gemm)
        return found;
    const Code code = read_code(plugin.path);
    found.no_assembly = code.absent;
    for (ProfiledTile& tile : found.tiles)
        if (code.absent.empty())
            tile.inner = find_inner_loop(code.lines, tile.profile.alone->seen);
    return found;
}

int profile_command(const ProfileOptions& options) {
    const InterruptGuard guard;
    GemmShape shape = parse_shape(options.shape);
    if (!options.layouts.empty())
        parse_layouts(options.layouts, shape);
    const PluginInfo plugin = find_kernels(options);
    const double elements = static_cast<double>(matrix_length(shape, Operand::a)) +
                            static_cast<double>(matrix_length(shape, Operand::b)) +
                            3 * static_cast<double>(matrix_length(shape, Operand::c));
    require_memory(static_cast<std::int64_t>(std::min(2 * sizeof(double) * elements, 9e18)),
                   fmt::format("A, B, C, the reference of {} and what is packed", shape_text(shape)));
    print_warnings(plugin);
    json::array found;
    std::optional<Error> first_trouble;
    bool is_first = true;
    for (const KernelInfo& kernel : plugin.kernels) {
        std::optional<Error> trouble;
        const ProfiledKernel profiled = profile_kernel(plugin, kernel, shape, options, trouble);
        if (!profiled.tiles.empty()) {
            if (options.json)
                found.push_back(profiled_json(profiled, options.assembly));
            else
                fmt::print("{}{}", is_first ? "" : "\n", profile_text(profiled, options.assembly));
            is_first = false;
        }
        if (trouble && first_trouble)
            fmt::print(stderr, "tune-gemm: {}\n", trouble->what());
        else if (trouble)
            first_trouble = trouble;
        if (trouble && trouble->kind() != ErrorKind::failed)
            break;
    }
    if (options.json && (!found.empty() || !first_trouble))
        fmt::print("{}", json::write_report(json::object{{"kernels", std::move(found)}}));
    // What was measured is shown before what was not.
    if (first_trouble)
        throw *first_trouble;
    return 0;
}

} // namespace

void add_profile_command(CLI::App& app, int& exit_code) {
    const auto options = std::make_shared<ProfileOptions>();
    CLI::App* const command =
        app.add_subcommand("profile", "Find out where a kernel's time goes, and what bounds it next");
    command->footer(
        "Examples:\n"
        "  tune-gemm profile ./mine.so                 every tile: alone, in the driver, what is around it\n"
        "  tune-gemm profile avx2 --tile 6x8 --asm     one tile, with its inner loop\n"
        "  tune-gemm profile mine --shape 999x999x50   edges and packing at your own shape");
    command->add_option("file-or-id", options->what, "A file (./mine.so), or the id of a kernel")
        ->type_name("")
        ->required();
    command->add_option("--kernel", options->kernel, "Only this kernel of the file")->type_name("ID");
    command->add_option("--tile", options->tile, "Only this tile, e.g. 6x8, or free for a free one")
        ->type_name("TILE");
    command->add_option("--shape", options->shape, "Of the product; its blocks are those of the cache model")
        ->type_name("MxNxK[xBATCH]")
        ->capture_default_str();
    command->add_option("--layouts", options->layouts, "Of A, B and C: r (row-major) or c (column-major)")
        ->type_name("rrr");
    add_seconds_option(*command, "--seconds", options->seconds, 0.01, 3600, "To measure each tile for");
    add_count_option(*command, "--threads", options->threads, 1, 1024,
                     "Also the product on that many threads, beside one");
    command->add_flag("--asm", options->assembly, "Also the disassembly of the inner loop (needs objdump)");
    add_workspace_limit_option(*command, options->workspace_limit);
    add_seed_option(*command, options->seed);
    add_json_option(*command, options->json);
    add_plugin_options(*command, options->plugins);
    command->callback([options, &exit_code] { exit_code = profile_command(*options); });
}

} // namespace tune_gemm::host
