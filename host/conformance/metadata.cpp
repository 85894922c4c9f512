// metadata.: what a kernel says of itself. Loading has refused what could not be read at all; here the
// contract is gone through field by field, from the plugin's own memory.
#include "conformance/check.hpp"
#include "conformance/descriptor.hpp"
#include "conformance/descriptor_memory.hpp"
#include "conformance/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tune_gemm::host {
namespace {

constexpr std::size_t longest_line = 200;

bool is_id(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    });
}

void require(bool holds, std::string sentence) {
    if (!holds)
        fail_check(std::move(sentence));
}

void require_line(const std::string& name, std::string_view text) {
    require(text.size() <= longest_line,
            fmt::format("{} is {} bytes long; at most {} are allowed.", name, text.size(), longest_line));
    require(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; }),
            fmt::format("{} is not one line of printable characters.", name));
}

void check_texts(const CheckContext& context, Tally& tally) {
    const tg_kernel kernel = read_descriptor(context.kernel.kernel);
    require(kernel.microkernel_id != nullptr && is_id(kernel.microkernel_id),
            fmt::format("microkernel_id is \"{}\"; 1 to 64 of a-z, 0-9, '_' and '.' are allowed.",
                        kernel.microkernel_id == nullptr ? "(null)" : kernel.microkernel_id));
    tally.ran();
    if (kernel.summary != nullptr)
        require_line("summary", kernel.summary);
    tally.ran();
    for (auto* feature = kernel.cpu; feature != nullptr && *feature != nullptr; ++feature) {
        require(is_id(*feature),
                fmt::format("The processor feature \"{}\" is not written as in /proc/cpuinfo.", *feature));
        tally.ran();
    }
    if (context.plugin != nullptr) {
        require(!context.plugin->name.empty(), "The plugin has no name.");
        require_line("name", context.plugin->name);
        require_line("version", context.plugin->version);
        require_line("vendor", context.plugin->vendor);
        require_line("license", context.plugin->license);
        tally.ran();
    }
}

void check_arithmetic(const CheckContext& context, Tally& tally) {
    const tg_kernel kernel = read_descriptor(context.kernel.kernel);
    for (const tg_dtype type : {kernel.type_a, kernel.type_b, kernel.type_c, kernel.type_acc}) {
        require(type >= TG_F32 && type <= TG_I32, fmt::format("Type {} is none of those of tg_dtype.", type));
        tally.ran();
    }
    require(kernel.order == TG_SEQUENTIAL || kernel.order == TG_REORDERED,
            fmt::format("order is {}; TG_SEQUENTIAL (1) or TG_REORDERED (2) is expected.", kernel.order));
    require(kernel.muladd <= TG_FUSED,
            fmt::format("muladd is {}; at most TG_FUSED (2) is expected.", kernel.muladd));
    require(kernel.order != TG_SEQUENTIAL || kernel.muladd != 0,
            "order is TG_SEQUENTIAL, but muladd does not say whether the multiply-add rounds once or twice.");
    tally.ran();
}

/// Of a plugin that was built for a later version: what it offers besides may be unknown here.
bool is_later(const CheckContext& context) noexcept {
    return context.plugin != nullptr && context.plugin->abi_minor > TG_ABI_MINOR;
}

void check_flags(const CheckContext& context, Tally& tally) {
    const tg_kernel kernel = read_descriptor(context.kernel.kernel);
    const tg_flags known = TG_SERIAL_ONLY | TG_KEEP_LOADED | TG_OWN_MEMORY | TG_OWN_THREADS |
                           (is_later(context) ? TG_OFFERS : 0);
    require(
        (kernel.flags & ~known) == 0,
        fmt::format("flags has the bits {:#x}, which mean nothing in this version.", kernel.flags & ~known));
    require(kernel.reserved == 0, fmt::format("reserved is {}, not 0.", kernel.reserved));
    require(kernel.gemm != nullptr || (kernel.flags & (TG_OWN_MEMORY | TG_OWN_THREADS)) == 0,
            "A tile kernel cannot have memory or threads of its own, as its flags say.");
    tally.ran();
}

void require_access(std::string_view name, tg_access access, bool packed_allowed, bool later) {
    const tg_access known = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY | (packed_allowed ? TG_PACKED : 0);
    require(later || (access & ~known) == 0,
            fmt::format("{} has the bits {:#x}, which mean nothing there.", name, access & ~known));
    require((access & known) != 0,
            fmt::format("{} is 0: the tile takes this operand in no form at all.", name));
}

void check_tile(const CheckContext& context, Tally& tally) {
    if (context.kernel.whole_gemm)
        skip_check("A whole-gemm kernel has no tiles.");
    const tg_tile tile = read_descriptor(context.tile->tile);
    const bool free = tile.mr == 0;
    require(free == (tile.nr == 0),
            fmt::format("mr is {} and nr is {}: both 0 (free) or both above 0.", tile.mr, tile.nr));
    require(
        free ? tile.max_mr > 0 && tile.max_nr > 0 : tile.max_mr == 0 && tile.max_nr == 0,
        fmt::format("max_mr is {} and max_nr is {}; they are above 0 for a free tile and 0 for a fixed one.",
                    tile.max_mr, tile.max_nr));
    const bool later = is_later(context);
    require_access("access_a", tile.access_a, true, later);
    require_access("access_b", tile.access_b, true, later);
    require_access("access_c", tile.access_c, false, later);
    const std::uint32_t align = tile.align_packed;
    require((align & (align - 1)) == 0, fmt::format("align_packed is {}, not a power of two.", align));
    require(tile.run != nullptr, "run is null.");
    tally.ran();
    const std::uint32_t kr = std::max(1u, tile.kr);
    require(free || tile.mc % tile.mr == 0,
            fmt::format("mc is {}, no multiple of mr = {}.", tile.mc, tile.mr));
    require(free || tile.nc % tile.nr == 0,
            fmt::format("nc is {}, no multiple of nr = {}.", tile.nc, tile.nr));
    require(tile.kc % kr == 0, fmt::format("kc is {}, no multiple of kr = {}.", tile.kc, kr));
    tally.ran();
}

void check_gemm(const CheckContext& context, Tally& tally) {
    if (!context.kernel.whole_gemm)
        skip_check("A tile kernel has no functions for whole products.");
    const tg_gemm gemm = read_descriptor(read_descriptor(context.kernel.kernel).gemm);
    require(gemm.prepare != nullptr && gemm.run != nullptr && gemm.release != nullptr,
            "prepare, run or release is null.");
    require(gemm.max_threads <= 4096,
            fmt::format("max_threads is {}; at most 4096 makes sense.", gemm.max_threads));
    tally.ran();
}

/// One call; whether its result is right is for other checks.
template <class T>
void use(Subject<T>& subject, const Numbers<T>& numbers, const Expectation<T>& expected, const Recipe& recipe,
         std::int64_t variation) {
    try {
        subject.run(numbers, expected, recipe, false, variation);
    } catch (const CheckEnded&) {
    }
}

/// Everything that the kernel publishes is copied, the kernel is put to use, and it is compared.
template <class T>
void run_constant(const CheckContext& context, Tally& tally) {
    CheckContext tile_context = context;
    if (!context.kernel.whole_gemm)
        tile_context.tile = &context.kernel.tiles.front();
    const auto before = copy_descriptor(context.kernel.kernel);
    Sizes sizes = edge_sizes(tile_context);
    const auto subject = make_subject<T>(tile_context, sizes);
    Numbers<T> numbers;
    Expectation<T> anything;
    for (const std::int64_t m : sizes.m) {
        numbers.resize(m, sizes.most_n(), sizes.most_k());
        const Recipe recipe{Family::integers, 0, 0, context.seed};
        fill(numbers, recipe);
        expect(anything, numbers, false, context.kernel.arithmetic, recipe.family);
        for (std::int64_t variation = 0; variation < subject->variations(); ++variation)
            use(*subject, numbers, anything, recipe, variation);
    }
    const auto after = copy_descriptor(context.kernel.kernel);
    require(before.size() == after.size(),
            "The descriptor has another number of parts after the kernel was used.");
    for (std::size_t at = 0; at < before.size(); ++at) {
        require(before[at].address == after[at].address && before[at].bytes == after[at].bytes,
                fmt::format("{} changed while the kernel was used.", before[at].name));
        tally.ran();
    }
}

void check_constant(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { run_constant<decltype(zero)>(context, tally); });
}

void check_read_only(const CheckContext& context, Tally& tally) {
    const auto writable = writable_mappings();
    if (writable.empty())
        skip_check("The system does not tell which memory can be written (/proc/self/maps).");
    for (const DescriptorPart& part : copy_descriptor(context.kernel.kernel)) {
        const auto address = reinterpret_cast<std::uintptr_t>(part.address);
        const bool found = std::any_of(writable.begin(), writable.end(), [&](const AddressRange& range) {
            return address >= range.first && address < range.last;
        });
        require(!found,
                fmt::format(
                    "{} lies in memory that can be written: declare it const (in C++, constinit const), and "
                    "link with -z relro -z now.",
                    part.name));
        tally.ran();
    }
}

using std::chrono::seconds;

const Check metadata_table[] = {
    {"metadata.texts",
     "The id is 1 to 64 of a-z, 0-9, '_' and '.'; other texts are one printable line of at most 200 bytes.",
     Severity::must, Scope::kernel, seconds(5), check_texts},
    {"metadata.arithmetic", "Types, summation order and rounding are known values that go together.",
     Severity::must, Scope::kernel, seconds(5), check_arithmetic},
    {"metadata.flags",
     "Flags have a meaning in this version, those of whole-gemm kernels stand there only, and reserved "
     "fields are 0.",
     Severity::must, Scope::kernel, seconds(5), check_flags},
    {"metadata.gemm", "A whole-gemm kernel has prepare, run and release.", Severity::must, Scope::kernel,
     seconds(5), check_gemm},
    {"metadata.tile", "Sizes, forms and default blocks of a tile go together.", Severity::must, Scope::tile,
     seconds(5), check_tile},
    {"metadata.constant", "What a plugin publishes does not change while it is used.", Severity::must,
     Scope::kernel, seconds(10), check_constant},
    {"metadata.read_only", "What a plugin publishes is constant data, in memory that cannot be written.",
     Severity::should, Scope::kernel, seconds(5), check_read_only},
};

} // namespace

std::span<const Check> metadata_checks() noexcept {
    return metadata_table;
}

} // namespace tune_gemm::host
