// Reading what a plugin says about a kernel. Its fields may hold anything: nothing is followed, measured or
// believed before it has been judged, and every text is read to a bound.
#include "text.hpp"

#include <tune_gemm/catalogue.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <utility>

namespace tune_gemm {
namespace {

constexpr std::size_t most_tiles = 64, most_features = 64;
constexpr std::size_t longest_id = 64, longest_summary = 200;
constexpr std::uint32_t largest_tile = 4096;       // rows or columns: far above any register file
constexpr std::uint32_t largest_block = 1u << 24;  // elements: blocks of this size still multiply in 64 bits
constexpr std::uint32_t largest_alignment = 4096;  // bytes: one page
constexpr std::uint32_t largest_interleave = 64;   // kr
constexpr std::uint32_t largest_unroll = 1u << 16; // k_unroll
constexpr tg_access in_place = TG_ROW_UNIT | TG_COL_UNIT | TG_ANY;

/// What is judged, for the beginning of every sentence: a kernel, or one of its tiles.
class Subject {
  public:
    explicit Subject(std::string name) : name_(std::move(name)) {}

    template <class... Values>
    [[noreturn]] void fail(fmt::format_string<Values...> format, Values&&... values) const {
        throw Error(ErrorKind::failed,
                    fmt::format("{}: {}", name_, fmt::format(format, std::forward<Values>(values)...)));
    }
    /// value <= most, or a failure with the field's name.
    void at_most(std::string_view field, std::uint32_t value, std::uint32_t most) const {
        if (value > most)
            fail("{} = {} is larger than {}.", field, value, most);
    }
    Subject part(std::string_view name) const { return Subject(fmt::format("{}, {}", name_, name)); }

  private:
    std::string name_;
};

template <class T>
bool is_aligned(const T* address) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % alignof(T) == 0;
}

/// Copies min(struct_size, sizeof own) bytes into zeros; the rest stays zero, which means "absent". `least`
/// is the size of the struct in minor version 0; structs only grow, so none is smaller. False when it is not
/// to be read.
template <class T>
bool copy_struct(const T* source, std::size_t least, T& own) noexcept {
    std::uint32_t size = 0;
    if (!source || !is_aligned(source))
        return false;
    std::memcpy(&size, source, sizeof size);
    if (size < least)
        return false;
    own = T{};
    std::memcpy(&own, source, std::min<std::size_t>(size, sizeof own));
    return true;
}

// The sizes in minor version 0, on machines with 64-bit pointers.
constexpr std::size_t least_kernel = 104, least_tile = 72, least_gemm = 32;
static_assert(least_kernel <= sizeof(tg_kernel) && least_tile <= sizeof(tg_tile) &&
              least_gemm <= sizeof(tg_gemm));

template <class T>
T read_struct(const T* source, std::size_t least, const Subject& subject, std::string_view what) {
    T own{};
    if (copy_struct(source, least, own))
        return own;
    if (!source)
        subject.fail("{} is a null pointer.", what);
    if (!is_aligned(source))
        subject.fail("{} lies at an address that is not a multiple of {}.", what, alignof(T));
    std::uint32_t size = 0;
    std::memcpy(&size, source, sizeof size);
    subject.fail("struct_size = {} of {} is smaller than the {} bytes of the interface's first version.",
                 size, what, least);
}

/// The text up to its end, or up to `longest` + 1 bytes when it has no end before.
std::string_view bounded(const char* source, std::size_t longest) noexcept {
    return {source, source ? strnlen(source, longest + 1) : 0};
}

bool is_printable(std::string_view line) noexcept {
    return std::all_of(line.begin(), line.end(),
                       [](char character) { return character >= 0x20 && character <= 0x7e; });
}

/// Entries of a null-terminated array of pointers: at most `most`, and most + 1 when there are more.
template <class T>
std::size_t count_entries(const T* const* entries, std::size_t most) noexcept {
    std::size_t count = 0;
    while (count <= most && entries[count])
        ++count;
    return count;
}

std::string judge_id(const tg_kernel& kernel, const Subject& subject) {
    if (!kernel.microkernel_id)
        subject.fail("microkernel_id is a null pointer.");
    const std::string_view id = bounded(kernel.microkernel_id, longest_id);
    if (!text::is_id(id)) {
        subject.fail("microkernel_id {} is not 1 to {} of a-z, 0-9, _ and .", text::quoted(id), longest_id);
    }
    if (id == "auto")
        subject.fail("microkernel_id auto is the request for the best kernel; give the kernel another id.");
    return std::string(id);
}

std::string judge_summary(const tg_kernel& kernel, const Subject& subject) {
    const std::string_view summary = bounded(kernel.summary, longest_summary);
    if (summary.size() > longest_summary)
        subject.fail("summary {} is longer than {} bytes.", text::quoted(summary), longest_summary);
    if (!is_printable(summary))
        subject.fail("summary {} is not one line of printable ASCII.", text::quoted(summary));
    return std::string(summary);
}

std::vector<std::string> judge_features(const tg_kernel& kernel, const Subject& subject) {
    std::vector<std::string> features;
    if (!kernel.cpu)
        return features;
    if (!is_aligned(kernel.cpu))
        subject.fail("cpu lies at an address that is not a multiple of {}.", alignof(const char*));
    const std::size_t count = count_entries(kernel.cpu, most_features);
    if (count > most_features)
        subject.fail("cpu has more than {} entries; it ends with a null pointer.", most_features);
    for (std::size_t index = 0; index < count; ++index) {
        const std::string_view feature = bounded(kernel.cpu[index], longest_id);
        if (!text::is_id(feature)) {
            subject.fail("cpu[{}] = {} is not 1 to {} of a-z, 0-9, _ and .", index, text::quoted(feature),
                         longest_id);
        }
        features.emplace_back(feature);
    }
    return features;
}

/// The class, and why this host cannot run kernels of these types; a type that does not exist is a failure.
ArithmeticClass judge_arithmetic(const tg_kernel& kernel, const Subject& subject, std::string& unusable) {
    const std::pair<std::string_view, tg_dtype> types[] = {{"type_a", kernel.type_a},
                                                           {"type_b", kernel.type_b},
                                                           {"type_c", kernel.type_c},
                                                           {"type_acc", kernel.type_acc}};
    bool uniform = true;
    for (const auto& [field, dtype] : types) {
        if (element_size(dtype) == 0)
            subject.fail("{} = {} is not a type of the interface.", field, dtype);
        uniform = uniform && dtype == kernel.type_acc;
    }
    if (!uniform || (kernel.type_acc != TG_F32 && kernel.type_acc != TG_F64)) {
        unusable =
            fmt::format("it multiplies {} by {} into {}, summed in {}; served are f32 throughout and f64 "
                        "throughout.",
                        dtype_text(kernel.type_a), dtype_text(kernel.type_b), dtype_text(kernel.type_c),
                        dtype_text(kernel.type_acc));
    }
    if (kernel.order != TG_SEQUENTIAL && kernel.order != TG_REORDERED)
        subject.fail("order = {} is neither SEQUENTIAL (1) nor REORDERED (2).", kernel.order);
    if (kernel.muladd > TG_FUSED)
        subject.fail("muladd = {} is none of 0, TWO_ROUNDINGS (1) and FUSED (2).", kernel.muladd);
    if (kernel.order == TG_SEQUENTIAL && kernel.muladd == 0)
        subject.fail(
            "muladd = 0 with order SEQUENTIAL: a sequential kernel says TWO_ROUNDINGS (1) or FUSED (2).");
    // Reordered kernels are one class, whatever their multiply-add does.
    return {kernel.type_acc, kernel.order, kernel.order == TG_REORDERED ? 0 : kernel.muladd};
}

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

TileInfo describe_tile(const tg_tile* source, const Subject& subject) {
    const tg_tile tile = read_struct(source, least_tile, subject, "the tile");
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

std::vector<TileInfo> describe_tiles(const tg_kernel& kernel, const Subject& subject) {
    if (!is_aligned(kernel.tiles))
        subject.fail("tiles lies at an address that is not a multiple of {}.", alignof(const tg_tile*));
    const std::size_t count = count_entries(kernel.tiles, most_tiles);
    if (count == 0)
        subject.fail("tiles has no entry.");
    if (count > most_tiles)
        subject.fail("tiles has more than {} entries; it ends with a null pointer.", most_tiles);
    std::vector<TileInfo> tiles;
    for (std::size_t index = 0; index < count; ++index)
        tiles.push_back(describe_tile(kernel.tiles[index], subject.part(fmt::format("tiles[{}]", index))));
    return tiles;
}

void judge_gemm(const tg_kernel& kernel, const Subject& subject) {
    const tg_gemm gemm = read_struct(kernel.gemm, least_gemm, subject, "gemm");
    if (!gemm.prepare)
        subject.fail("gemm's prepare is a null pointer.");
    if (!gemm.run)
        subject.fail("gemm's run is a null pointer.");
    if (!gemm.release)
        subject.fail("gemm's release is a null pointer.");
}

} // namespace

KernelInfo describe_kernel(const tg_kernel* source) {
    const Subject unnamed("A kernel's description");
    const tg_kernel kernel = read_struct(source, least_kernel, unnamed, "the kernel");
    KernelInfo info;
    info.id = judge_id(kernel, unnamed);
    const Subject subject(fmt::format("The description of kernel {}", info.id));
    info.summary = judge_summary(kernel, subject);
    info.arithmetic = judge_arithmetic(kernel, subject, info.unusable);
    info.rank = kernel.rank;
    info.flags = kernel.flags;
    info.cpu = judge_features(kernel, subject);
    if (kernel.reserved != 0)
        subject.fail("reserved = {}; it is 0.", kernel.reserved);
    if (kernel.tiles && kernel.gemm)
        subject.fail("both tiles and gemm are set; a kernel is one or the other.");
    if (!kernel.tiles && !kernel.gemm)
        subject.fail("neither tiles nor gemm is set; a kernel is one of the two.");
    info.whole_gemm = kernel.gemm != nullptr;
    if (info.whole_gemm)
        judge_gemm(kernel, subject);
    else
        info.tiles = describe_tiles(kernel, subject);
    if (!info.whole_gemm && (kernel.flags & (TG_OWN_MEMORY | TG_OWN_THREADS)) != 0)
        subject.fail("flags = {:#x}: OWN_MEMORY (4) and OWN_THREADS (8) are for whole products only.",
                     kernel.flags);
    info.kernel = source;
    return info;
}

std::size_t first_same_loop(const tg_kernel* const* kernels, std::size_t index) {
    tg_kernel wanted{};
    if (!copy_struct(kernels[index], least_kernel, wanted))
        return index;
    const auto same_tiles = [](const tg_tile* const* left, const tg_tile* const* right) {
        if (left == right)
            return true;
        if (!left || !right || !is_aligned(left) || !is_aligned(right))
            return false;
        const std::size_t count = count_entries(left, most_tiles);
        return count <= most_tiles && count == count_entries(right, most_tiles) &&
               std::equal(left, left + count, right);
    };
    const auto loop_of = [](const tg_kernel& kernel) {
        return std::tuple(kernel.gemm, kernel.user, kernel.enter, kernel.leave, kernel.type_a, kernel.type_b,
                          kernel.type_c, kernel.type_acc, kernel.order, kernel.muladd);
    };
    for (std::size_t first = 0; first < index; ++first) {
        tg_kernel other{};
        if (copy_struct(kernels[first], least_kernel, other) && loop_of(other) == loop_of(wanted) &&
            same_tiles(other.tiles, wanted.tiles))
            return first;
    }
    return index;
}

} // namespace tune_gemm
