#include "descriptor.hpp"
#include "text.hpp"

#include <tuple>

namespace tune_gemm {
namespace {

using namespace descriptor;

constexpr std::size_t most_tiles = 64, most_features = 64;
constexpr std::size_t longest_id = 64, longest_summary = 200;

bool is_printable(std::string_view line) noexcept {
    return std::all_of(line.begin(), line.end(),
                       [](char character) { return character >= 0x20 && character <= 0x7e; });
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

std::vector<TileInfo> describe_tiles(const tg_kernel& kernel, bool later, const Subject& subject) {
    if (!is_aligned(kernel.tiles))
        subject.fail("tiles lies at an address that is not a multiple of {}.", alignof(const tg_tile*));
    const std::size_t count = count_entries(kernel.tiles, most_tiles);
    if (count == 0)
        subject.fail("tiles has no entry.");
    if (count > most_tiles)
        subject.fail("tiles has more than {} entries; it ends with a null pointer.", most_tiles);
    std::vector<TileInfo> tiles;
    for (std::size_t index = 0; index < count; ++index)
        tiles.push_back(
            describe_tile(kernel.tiles[index], later, subject.part(fmt::format("tiles[{}]", index))));
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

void judge_flags(const tg_kernel& kernel, const Subject& subject) {
    constexpr tg_flags known = TG_SERIAL_ONLY | TG_KEEP_LOADED | TG_OWN_MEMORY | TG_OWN_THREADS;
    const tg_flags unknown = kernel.flags & ~(known | TG_OFFERS);
    if (unknown != 0)
        subject.fail("flags = {:#x}: {:#x} asks for something that is not known.", kernel.flags, unknown);
    if (!kernel.gemm && (kernel.flags & (TG_OWN_MEMORY | TG_OWN_THREADS)) != 0)
        subject.fail("flags = {:#x}: OWN_MEMORY (4) and OWN_THREADS (8) are for whole products only.",
                     kernel.flags);
}

/// What the kernel does, and how it is to be called.
void describe_work(const tg_kernel& kernel, bool later, const Subject& subject, KernelInfo& info) {
    info.arithmetic = judge_arithmetic(kernel, subject, info.unusable);
    judge_flags(kernel, subject);
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
        info.tiles = describe_tiles(kernel, later, subject);
}

} // namespace

KernelInfo describe_kernel(const tg_kernel* source, std::uint32_t abi_minor) {
    const Subject unnamed("A kernel's description");
    const tg_kernel kernel = read_struct(source, least_kernel, unnamed, "the kernel");
    KernelInfo info;
    info.id = judge_id(kernel, unnamed);
    const Subject subject(fmt::format("The description of kernel {}", info.id));
    info.summary = judge_summary(kernel, subject);
    info.arithmetic = {kernel.type_acc, kernel.order, kernel.muladd};
    info.rank = kernel.rank;
    info.flags = kernel.flags;
    info.cpu = judge_features(kernel, subject);
    info.kernel = source;
    const bool later = abi_minor > TG_ABI_MINOR;
    try {
        describe_work(kernel, later, subject, info);
    } catch (const Error& error) {
        if (!later)
            throw;
        info.unusable =
            fmt::format("it is built for version {}.{} of the interface, and this program knows {}.{}. {}",
                        TG_ABI_MAJOR, abi_minor, TG_ABI_MAJOR, TG_ABI_MINOR, error.what());
    }
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
