// Tile kernels for the tests: plain sums over whatever forms they declare, that besides hold the driver to
// its side of the interface and count every breach.
#pragma once
#include <tune_gemm/catalogue.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace tune_gemm::test {

struct TileOptions {
    std::uint32_t mr = 0, nr = 0; ///< 0: free, up to 64
    std::uint32_t kr = 1;
    tg_access a = TG_PACKED, b = TG_PACKED, c = TG_ROW_UNIT;
    std::uint32_t align = 0; ///< bytes
    bool selects = false;    ///< brings an entry that serves only what it was selected for
};

/// One kernel with one tile, alive as long as the object. For one thread.
template <class T>
class StrictKernel {
  public:
    explicit StrictKernel(const TileOptions& options) : options_(options) {
        tile_.struct_size = sizeof tile_;
        tile_.mr = options.mr;
        tile_.nr = options.nr;
        tile_.max_mr = options.mr == 0 ? 64 : 0;
        tile_.max_nr = options.nr == 0 ? 64 : 0;
        tile_.kr = options.kr;
        tile_.access_a = options.a;
        tile_.access_b = options.b;
        tile_.access_c = options.c;
        tile_.align_packed = options.align;
        tile_.run = run;
        tile_.select = options.selects ? select : nullptr;
        kernel_.struct_size = sizeof kernel_;
        kernel_.microkernel_id = "strict";
        kernel_.summary = "A kernel of the tests";
        kernel_.type_a = kernel_.type_b = kernel_.type_c = kernel_.type_acc =
            sizeof(T) == 4 ? TG_F32 : TG_F64;
        kernel_.order = TG_SEQUENTIAL;
        kernel_.muladd = TG_TWO_ROUNDINGS;
        kernel_.tiles = tiles_;
        kernel_.user = this;
        kernel_.enter = [](const tg_kernel* k) noexcept { ++self(k).inside; };
        kernel_.leave = [](const tg_kernel* k) noexcept { --self(k).inside, ++self(k).visits; };
        catalogue_.add(describe_kernel(&kernel_));
    }
    StrictKernel(const StrictKernel&) = delete;
    StrictKernel& operator=(const StrictKernel&) = delete;

    const Catalogue& catalogue() const { return catalogue_; }
    /// A candidate of this kernel: "mcxncxkc:mrxnr:strict:ORDER:PACKING:workspace:compute".
    static GemmCandidate candidate(const std::string& blocks_and_tile, LoopOrder order, Packing packing) {
        GemmCandidate c = parse_candidate_id(blocks_and_tile + ":strict:m_n_k:ab:workspace:compute");
        c.loop_order = order;
        c.packing = packing;
        return c;
    }

    // What happened since the last reset.
    std::int64_t calls = 0, selected_calls = 0, selections = 0, visits = 0, inside = 0;
    std::function<void(const tg_tile_args&)> on_call; ///< before each tile
    std::string breach; ///< the first thing that the driver did wrong; empty when nothing

  private:
    static StrictKernel& self(const tg_kernel* kernel) {
        return *const_cast<StrictKernel*>(static_cast<const StrictKernel*>(kernel->user));
    }

    void require(bool holds, const char* what) {
        if (!holds && breach.empty())
            breach = what;
    }

    /// Element (strip s, depth l) of a packed panel of this width.
    std::int64_t packed_index(std::int64_t s, std::int64_t l, std::int64_t width) const {
        const std::int64_t kr = options_.kr;
        return (l / kr) * width * kr + s * kr + l % kr;
    }

    void check_panel(const T* panel, std::int64_t strips, std::int64_t depth, std::int64_t tile_width,
                     std::int64_t width) {
        const bool is_free = options_.mr == 0;
        require(width == (is_free ? strips : tile_width), "stride of a packed panel");
        const std::int64_t padded_depth = (depth + options_.kr - 1) / options_.kr * options_.kr;
        for (std::int64_t s = 0; s < width; ++s)
            for (std::int64_t l = 0; l < padded_depth; ++l)
                if (s >= strips || l >= depth)
                    require(panel[packed_index(s, l, width)] == T(0), "padding of a packed panel is zero");
        if (options_.align != 0)
            require(reinterpret_cast<std::uintptr_t>(panel) % options_.align == 0,
                    "alignment of a packed panel");
    }

    /// In place with one form only: the stride along it is 1.
    void check_unit(tg_access access, std::int64_t rs, std::int64_t cs, const char* what) {
        if (access == TG_ROW_UNIT)
            require(cs == 1, what);
        if (access == TG_COL_UNIT)
            require(rs == 1, what);
        if (access == (TG_ROW_UNIT | TG_COL_UNIT))
            require(rs == 1 || cs == 1, what);
    }

    void check(const tg_tile_args& args) {
        require(inside == 1, "tiles run between enter and leave");
        require(args.struct_size == sizeof args, "struct_size of the arguments");
        require(args.m >= 1 && args.m <= (options_.mr == 0 ? 64 : options_.mr), "m within the tile");
        require(args.n >= 1 && args.n <= (options_.nr == 0 ? 64 : options_.nr), "n within the tile");
        require(args.k >= 1, "k of a tile call");
        if (options_.a == TG_PACKED)
            check_panel(static_cast<const T*>(args.a), args.m, args.k, options_.mr, args.cs_a);
        if (options_.b == TG_PACKED)
            check_panel(static_cast<const T*>(args.b), args.n, args.k, options_.nr, args.rs_b);
        check_unit(options_.a, args.rs_a, args.cs_a, "unit stride of A");
        check_unit(options_.b, args.rs_b, args.cs_b, "unit stride of B");
        check_unit(options_.c, args.rs_c, args.cs_c, "unit stride of C");
        require(hinted_a_ == nullptr || hinted_a_ == args.a, "next_a named the next tile's A");
        require(hinted_b_ == nullptr || hinted_b_ == args.b, "next_b named the next tile's B");
        require(hinted_c_ == nullptr || hinted_c_ == args.c, "next_c named the next tile's C");
        hinted_a_ = args.next_a;
        hinted_b_ = args.next_b;
        hinted_c_ = args.next_c;
    }

    void multiply(const tg_tile_args& args) {
        ++calls;
        ran_ = true;
        check(args);
        if (on_call)
            on_call(args);
        const T* a = static_cast<const T*>(args.a);
        const T* b = static_cast<const T*>(args.b);
        T* c = static_cast<T*>(args.c);
        for (std::int64_t i = 0; i < args.m; ++i) {
            for (std::int64_t j = 0; j < args.n; ++j) {
                T& entry = c[i * args.rs_c + j * args.cs_c];
                T sum = (args.flags & TG_ACCUMULATE) != 0 ? entry : T(0);
                for (std::int64_t l = 0; l < args.k; ++l) {
                    const T x = options_.a == TG_PACKED ? a[packed_index(i, l, args.cs_a)]
                                                        : a[i * args.rs_a + l * args.cs_a];
                    const T y = options_.b == TG_PACKED ? b[packed_index(j, l, args.rs_b)]
                                                        : b[l * args.rs_b + j * args.cs_b];
                    sum += x * y;
                }
                entry = sum;
            }
        }
    }

    static void run(const tg_kernel* kernel, const tg_tile_args* args) noexcept {
        self(kernel).multiply(*args);
    }

    template <bool accumulates>
    static void run_selected(const tg_kernel* kernel, const tg_tile_args* args) noexcept {
        StrictKernel& own = self(kernel);
        ++own.selected_calls;
        const auto is_like = [&](const tg_tile_args& typical) {
            return args->m == typical.m && args->n == typical.n && args->flags == typical.flags &&
                   args->rs_a == typical.rs_a && args->cs_a == typical.cs_a && args->rs_b == typical.rs_b &&
                   args->cs_b == typical.cs_b && args->rs_c == typical.rs_c && args->cs_c == typical.cs_c;
        };
        own.require(std::ranges::any_of(own.selected_[accumulates], is_like),
                    "a selected entry serves calls like the one it was selected for");
        own.multiply(*args);
    }

    static tg_tile_run select(const tg_kernel* kernel, const tg_tile_args* typical) noexcept {
        StrictKernel& own = self(kernel);
        ++own.selections;
        own.require(typical->m >= 1 && typical->n >= 1, "typical m and n are those of a tile");
        if (own.ran_) // a new plan
            own.selected_[0].clear(), own.selected_[1].clear();
        own.ran_ = false;
        const bool accumulates = (typical->flags & TG_ACCUMULATE) != 0;
        own.selected_[accumulates].push_back(*typical);
        return accumulates ? run_selected<true> : run_selected<false>;
    }

    TileOptions options_;
    tg_tile tile_{};
    const tg_tile* tiles_[2] = {&tile_, nullptr};
    tg_kernel kernel_{};
    Catalogue catalogue_;
    std::vector<tg_tile_args> selected_[2]; ///< of the last plan
    bool ran_ = false;
    const void* hinted_a_ = nullptr;
    const void* hinted_b_ = nullptr;
    const void* hinted_c_ = nullptr;
};

} // namespace tune_gemm::test
