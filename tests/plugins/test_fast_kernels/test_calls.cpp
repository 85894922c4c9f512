// Calls of one tile, at every m and n: what they touch, and which exceptions they raise.
#include "awkward.hpp"
#include "subject.hpp"

#include "worker/guarded_memory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <string>
#include <vector>

namespace tune_gemm::test {
namespace {

using host::GuardedBlock;
using host::GuardedMemory;
using host::Placement;

template <class T>
T number(std::int64_t i, std::int64_t l) {
    return static_cast<T>((5 * i + 3 * l) % 11 - 4);
}

/// One call with A, B and C in place, each just before or just after an inaccessible page, with gaps between
/// their rows. Small integers: every sum is exact, so the expected C is simply known, and no exception is
/// due.
template <class T>
class Rig {
  public:
    explicit Rig(const KernelInfo& kernel) : kernel_(kernel) {}

    void call(tg_tile_run run, std::int64_t m, std::int64_t n, std::int64_t k, bool accumulate,
              Placement placement) {
        tg_tile_args args = arguments(m, n, k, accumulate);
        const GuardedBlock a = place(a_, m, k, args.rs_a, placement),
                           b = place(b_, k, n, args.rs_b, placement),
                           c = place(c_, m, n, args.rs_c, placement);
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t l = 0; l < k; ++l)
                at(a, i, l, args.rs_a) = number<T>(i, l);
        for (std::int64_t l = 0; l < k; ++l)
            for (std::int64_t j = 0; j < n; ++j)
                at(b, l, j, args.rs_b) = number<T>(j, l + 1);
        for (std::int64_t i = 0; accumulate && i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                at(c, i, j, args.rs_c) = number<T>(i, j);
        args.a = a.seen, args.b = b.seen, args.c = c.seen;

        std::feclearexcept(FE_ALL_EXCEPT);
        run(kernel_.kernel, &args);
        const int raised = std::fetestexcept(FE_ALL_EXCEPT);

        const std::string what = fmt::format("{} m {} n {} k {} accumulate {} placement {}", kernel_.id, m, n,
                                             k, accumulate, static_cast<int>(placement));
        REQUIRE_MESSAGE(raised == 0, what, " raised ", raised);
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                T sum = accumulate ? number<T>(i, j) : T(0);
                for (std::int64_t l = 0; l < k; ++l)
                    sum += number<T>(i, l) * number<T>(j, l + 1);
                REQUIRE_MESSAGE(at(c, i, j, args.rs_c) == sum, what, " at ", i, " ", j);
                c_.restore_at(c.own + (i * args.rs_c + j) * std::int64_t{sizeof(T)}, sizeof(T));
            }
        }
        REQUIRE_MESSAGE(!c_.disturbed(4096), what, " wrote outside C");
        a_.restore(), b_.restore();
    }

  private:
    static constexpr std::int64_t room = std::int64_t{1} << 18;

    static tg_tile_args arguments(std::int64_t m, std::int64_t n, std::int64_t k, bool accumulate) {
        tg_tile_args args{};
        args.struct_size = sizeof args;
        args.flags = accumulate ? TG_ACCUMULATE : 0;
        args.m = m, args.n = n, args.k = k;
        args.rs_a = k + 3, args.cs_a = 1;
        args.rs_b = n + 5, args.cs_b = 1;
        args.rs_c = n + 7, args.cs_c = 1;
        return args;
    }
    /// The block spans first to last entry: what follows the last row is not part of it.
    static GuardedBlock place(GuardedMemory& memory, std::int64_t rows, std::int64_t columns,
                              std::int64_t stride, Placement placement) {
        const std::int64_t entries = rows == 0 || columns == 0 ? 0 : (rows - 1) * stride + columns;
        return memory.place(entries * std::int64_t{sizeof(T)}, {placement, sizeof(T), 0, 0});
    }
    static T& at(const GuardedBlock& block, std::int64_t row, std::int64_t column, std::int64_t stride) {
        return reinterpret_cast<T*>(block.own)[row * stride + column];
    }

    const KernelInfo& kernel_;
    GuardedMemory a_{"A", room, GuardedMemory::Rights::read_only, sizeof(T)};
    GuardedMemory b_{"B", room, GuardedMemory::Rights::read_only, sizeof(T)};
    GuardedMemory c_{"C", room, GuardedMemory::Rights::read_write, sizeof(T)};
};

/// Fixed tiles up to their size, a free tile up to 6 x 10.
std::pair<std::int64_t, std::int64_t> reach(const TileInfo& tile) {
    return tile.is_free() ? std::pair<std::int64_t, std::int64_t>{6, 10}
                          : std::pair<std::int64_t, std::int64_t>{tile.mr, tile.nr};
}

TEST_CASE_TEMPLATE("a tile touches its operands and nothing else, and raises no exception without cause", T,
                   double, float) {
    for (const KernelInfo* kernel : kernels_of(sizeof(T) == 4 ? TG_F32 : TG_F64)) {
        Rig<T> rig(*kernel);
        for (const TileInfo& tile : kernel->tiles) {
            const auto [mr, nr] = reach(tile);
            for (std::int64_t m = 1; m <= mr; ++m) {
                for (std::int64_t n = 1; n <= nr; ++n) {
                    for (const std::int64_t k : {0, 1, 4}) {
                        for (const bool accumulate : {false, true}) {
                            const Placement placement =
                                (m + n + k) % 2 == 0 ? Placement::flush_end : Placement::flush_start;
                            rig.call(tile.tile->run, m, n, k, accumulate, placement);
                            tg_tile_args typical{};
                            typical.struct_size = sizeof typical;
                            typical.m = m, typical.n = n, typical.k = k;
                            if (tile.tile->select == nullptr)
                                continue;
                            const tg_tile_run selected = tile.tile->select(kernel->kernel, &typical);
                            REQUIRE((selected != nullptr));
                            rig.call(selected, m, n, k, accumulate, placement);
                        }
                    }
                }
            }
        }
    }
}

/// Pages that lie 2^43 bytes apart, at addresses that nobody uses.
class FarPages {
  public:
    static constexpr std::int64_t distance = std::int64_t{1} << 43;

    FarPages() : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
        void* all = ::mmap(nullptr, 2 * distance + page_, PROT_NONE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED)
            return;
        first_ = static_cast<std::byte*>(all);
        for (int i = 0; i < 3; ++i)
            REQUIRE(::mprotect(first_ + i * distance, page_, PROT_READ | PROT_WRITE) == 0);
    }
    ~FarPages() {
        if (first_ != nullptr)
            ::munmap(first_, 2 * distance + page_);
    }
    FarPages(const FarPages&) = delete;
    FarPages& operator=(const FarPages&) = delete;

    explicit operator bool() const { return first_ != nullptr; }
    template <class T>
    T* row(std::int64_t i) {
        return reinterpret_cast<T*>(first_ + i * distance);
    }

  private:
    std::size_t page_;
    std::byte* first_ = nullptr;
};

TEST_CASE_TEMPLATE("rows may lie 2^40 entries apart", T, double, float) {
    FarPages a, b, c;
    if (!a || !b || !c) {
        fmt::print("SKIPPED: the system does not give 48 TiB of addresses\n");
        return;
    }
    const std::int64_t stride = FarPages::distance / std::int64_t{sizeof(T)};
    REQUIRE(stride >= std::int64_t{1} << 40);
    for (const KernelInfo* kernel : kernels_of(sizeof(T) == 4 ? TG_F32 : TG_F64)) {
        for (const TileInfo& tile : kernel->tiles) {
            const auto [mr, nr] = reach(tile);
            tg_tile_args args{};
            args.struct_size = sizeof args;
            args.m = std::min<std::int64_t>(mr, 3), args.n = nr, args.k = 3;
            args.a = a.row<T>(0), args.b = b.row<T>(0), args.c = c.row<T>(0);
            args.rs_a = args.rs_b = args.rs_c = stride;
            args.cs_a = args.cs_b = args.cs_c = 1;
            for (std::int64_t i = 0; i < 3; ++i) {
                for (std::int64_t j = 0; j < nr; ++j) {
                    a.row<T>(i)[j] = number<T>(i, j);
                    b.row<T>(i)[j] = number<T>(j, i + 1);
                }
            }
            tile.tile->run(kernel->kernel, &args);
            for (std::int64_t i = 0; i < args.m; ++i) {
                for (std::int64_t j = 0; j < nr; ++j) {
                    T sum = 0;
                    for (std::int64_t l = 0; l < 3; ++l)
                        sum += number<T>(i, l) * number<T>(j, l + 1);
                    REQUIRE(c.row<T>(i)[j] == sum);
                }
            }
        }
    }
}

} // namespace
} // namespace tune_gemm::test
