// What is known about kernels: a description of each, copied out of the plugin, keyed by microkernel_id.
//
// A description can be made in another process than the one that runs the kernel; `kernel` and `tile`
// are null where the plugin is not loaded. Two results have the same arithmetic class when types,
// summation order and rounding of the multiply-add are the same; within a sequential class they are equal
// bit for bit.
#pragma once
#include <tune_gemm/abi.h>
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/error.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm {

struct ArithmeticClass {
    tg_dtype dtype = TG_F64; ///< of the elements and of the accumulator
    tg_order order = TG_SEQUENTIAL;
    tg_muladd muladd = TG_TWO_ROUNDINGS;
    bool operator==(const ArithmeticClass&) const = default;
};
/// "f64 sequential two-roundings", "f64 sequential fused", "f64 reordered", and so for f32.
std::string to_text(const ArithmeticClass&);
/// "f64", "f32", ...; parse throws Error.
std::string_view dtype_text(tg_dtype) noexcept;
tg_dtype parse_dtype(std::string_view);
/// Bytes of an element; 0 for a type that is not known.
std::size_t element_size(tg_dtype) noexcept;

/// A register tile as its kernel describes it (see tg_tile for the fields).
struct TileInfo {
    std::uint32_t mr = 0, nr = 0, max_mr = 0, max_nr = 0, kr = 1, k_unroll = 1;
    tg_access access_a = 0, access_b = 0, access_c = 0;
    std::uint32_t align_packed = 0;
    std::uint32_t mc = 0, nc = 0, kc = 0;
    const tg_tile* tile = nullptr; ///< in this process, or null

    bool is_free() const noexcept { return mr == 0; }
    bool takes(std::int64_t mr, std::int64_t nr) const noexcept;
};

struct KernelInfo {
    std::string id, summary;
    ArithmeticClass arithmetic;
    std::uint32_t rank = 0;
    tg_flags flags = 0;
    std::vector<std::string> cpu; ///< processor features that it needs
    std::vector<TileInfo> tiles;  ///< kind 1, best first; empty for kind 2
    bool whole_gemm = false;      ///< kind 2
    /// The same text for kernels that are one loop under several names: they are measured once.
    std::string loop_identity;
    std::string origin;                ///< the file it comes from; empty for a built-in
    std::string unusable;              ///< why it cannot run here; empty when it can
    const tg_kernel* kernel = nullptr; ///< in this process, or null

    /// The first tile that serves mr x nr, or null.
    const TileInfo* find_tile(std::int64_t mr, std::int64_t nr) const noexcept;
};

/// Copies a descriptor out, reading min(struct_size, sizeof own) of every struct, and judges each field.
/// Throws Error (kind failed) with the field and its value when the descriptor breaks the contract: id,
/// types, order and muladd, exactly one of tiles and gemm, sizes, access forms, callbacks that are null.
/// `loop_identity` is left empty: it takes a view of the whole plugin.
/// `abi_minor`: the minor version that the plugin was built for. In one later than ours, what we do not know
/// is no mistake: new access forms are passed over, and a kernel that cannot do without is unusable.
KernelInfo describe_kernel(const tg_kernel*, std::uint32_t abi_minor = TG_ABI_MINOR);

/// The same loop under several names has the same number here: the index of the first kernel in the list that
/// has the same tiles (or gemm), user, enter, leave, types, order and muladd.
std::size_t first_same_loop(const tg_kernel* const* kernels, std::size_t index);

class Catalogue {
  public:
    /// What `auto` asks for.
    ArithmeticClass auto_class;

    /// Throws Error naming both origins when the id is taken.
    void add(KernelInfo);
    const KernelInfo* find(std::string_view id) const noexcept;
    const std::vector<KernelInfo>& kernels() const noexcept { return kernels_; }

    /// The kernel that an id means: itself, or for "auto" the usable one of auto_class with the highest rank
    /// (equal rank: the smaller id). Refuses (field "microkernel_id") an unknown id, suggesting the nearest
    /// known one, and a kernel that is unusable here, saying why.
    Outcome<const KernelInfo*> resolve(std::string_view id) const;

  private:
    std::vector<KernelInfo> kernels_;
};

/// Knows `scalar` and `scalar_f64`, two names of the portable loop with free tiles up to 64 x 64, built into
/// core and runnable in process; so `auto` is `scalar`. For f32 it knows `scalar_f32`, the same loop on
/// floats, and `auto` is that. Throws Error for another type.
const Catalogue& builtin_catalogue(tg_dtype);
/// The one for f64.
const Catalogue& builtin_catalogue();
/// Every id that can be asked for: those of the catalogue in its order, then "auto".
std::vector<std::string> supported_microkernels(const Catalogue& = builtin_catalogue());
/// The known text nearest to `text` by edit distance, or "" when none is near.
std::string nearest_text(std::string_view text, const std::vector<std::string>& known);

} // namespace tune_gemm
