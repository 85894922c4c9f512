// The scalar kernel gives the reference's bits for every layout, packing, loop order and tail.
#include "case.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

/// 1 and every extent around a tile, a block, and a block and a tile: -1, 0, +1.
std::set<std::int64_t> tails(std::int64_t tile, std::int64_t block) {
    std::set<std::int64_t> extents;
    for (const std::int64_t centre :
         {std::int64_t{1}, tile, 2 * tile, block - tile, block, block + tile, 2 * block})
        for (const std::int64_t extent : {centre - 1, centre, centre + 1})
            if (extent > 0)
                extents.insert(extent);
    return extents;
}

struct Run {
    std::int64_t done = 0, wrong = 0;
    std::string first; ///< what went wrong first
};

/// The built-in loop for T.
template <class T>
constexpr const char* scalar_id = sizeof(T) == sizeof(float) ? "scalar_f32" : "scalar";
template <class T>
const Catalogue& built_in() {
    return builtin_catalogue(sizeof(T) == sizeof(float) ? TG_F32 : TG_F64);
}

/// Every packing and loop order of a shape in every layout.
template <class T>
void run_all(const GemmShape& shape, const std::string& blocks, Lay lay, Run& run,
             std::vector<std::byte>& workspace) {
    for (int layouts = 0; layouts < 8; ++layouts) {
        const Case<T> given(with_layouts(shape, layouts), 1, 0);
        const Layed<T> layed(given, lay, lay);
        for (const Packing packing : every_packing) {
            for (const LoopOrder order : every_order) {
                GemmCandidate candidate = parse_candidate_id(blocks + ":auto:m_n_k:ab:workspace:compute");
                candidate.microkernel_id = scalar_id<T>;
                candidate.packing = packing;
                candidate.loop_order = order;
                const std::string fault = run_case(layed, candidate, built_in<T>(), workspace);
                ++run.done;
                if (!fault.empty() && run.wrong++ == 0)
                    run.first = case_text(given.shape, candidate, lay) + ": " + fault;
            }
        }
    }
}

} // namespace

TEST_CASE("bitwise: all tails in m, n and k, batch 1 and 3, tight and odd leading dimensions") {
    Run run;
    std::vector<std::byte> workspace;
    for (const std::int64_t m : tails(2, 5)) {
        for (const std::int64_t n : tails(3, 7)) {
            for (const std::int64_t k : tails(1, 4)) {
                for (const std::int64_t batch : {1, 3})
                    for (const Lay lay : {Lay::tight, Lay::odd})
                        run_all<double>({.m = m, .n = n, .k = k, .batch = batch}, "5x7x4:2x3", lay, run,
                                        workspace);
            }
        }
    }
    INFO(run.first);
    CHECK(run.wrong == 0);
    CHECK(run.done > 100000);
}

TEST_CASE_TEMPLATE("bitwise: tails of larger blocks and tiles, and lays without a unit stride or backwards",
                   T, double, float) {
    Run run;
    std::vector<std::byte> workspace;
    for (const std::int64_t m : {7, 8, 15, 16, 17, 24, 25, 33})
        for (const std::int64_t n : {3, 4, 5, 16, 21})
            for (const std::int64_t k : {1, 9, 16, 20})
                for (const Lay lay : {Lay::spread, Lay::negative})
                    run_all<T>({.m = m, .n = n, .k = k}, "16x16x9:8x4", lay, run, workspace);
    INFO(run.first);
    CHECK(run.wrong == 0);
    CHECK(run.done == 8 * 5 * 4 * 2 * 64);
}

TEST_CASE_TEMPLATE("bitwise: every candidate of a grid with blocks above, at and below the shape", T, double,
                   float) {
    Run run;
    std::vector<std::byte> workspace;
    const Case<T> given(with_layouts({.m = 37, .n = 41, .k = 43}, 5), 1, 0);
    const Layed<T> layed(given, Lay::tight, Lay::tight);
    for (const std::int64_t mc : {8, 37, 64})
        for (const std::int64_t nc : {8, 41, 64})
            for (const std::int64_t kc : {1, 43, 64})
                for (const std::int64_t mr : {1, 3, 8})
                    for (const std::int64_t nr : {1, 5, 8})
                        for (const LoopOrder order : every_order)
                            for (const Packing packing : every_packing) {
                                GemmCandidate candidate{.mc = mc, .nc = nc, .kc = kc, .mr = mr, .nr = nr};
                                candidate.packing = packing;
                                candidate.loop_order = order;
                                candidate.microkernel_id = scalar_id<T>;
                                const std::string fault =
                                    run_case(layed, candidate, built_in<T>(), workspace);
                                ++run.done;
                                if (!fault.empty() && run.wrong++ == 0)
                                    run.first = case_text(given.shape, candidate, Lay::tight) + ": " + fault;
                            }
    INFO(run.first);
    CHECK(run.wrong == 0);
    CHECK(run.done == 3 * 3 * 3 * 3 * 3 * 8);
}
