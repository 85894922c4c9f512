// Whole operations on vectors, and refusals instead of anything that looks like a fast, empty product.
#include "../test_core/errors.hpp"
#include "case.hpp"
#include "strict_kernel.hpp"

#include <tune_gemm/execute.hpp>
#include <tune_gemm/grid.hpp>

#include <doctest/doctest.h>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

const std::string small_id = "8x8x8:4x4:scalar:m_n_k:ab:workspace:compute";

} // namespace

TEST_CASE("execute: every allocation mode and both names give the reference's bits") {
    const Case<double> given(with_layouts({.m = 21, .n = 13, .k = 17, .batch = 2}, 6), 1, 0);
    for (const char* id : {"scalar", "scalar_f64", "auto"})
        for (const char* mode :
             {"fresh", "reuse_output", "workspace", "prepacked_a", "prepacked_b", "prepacked_ab"}) {
            const auto candidate =
                parse_candidate_id(std::string("8x8x8:4x4:") + id + ":m_n_k:ab:" + mode + ":compute");
            const auto executed = execute_candidate(given.shape, given.a, given.b, candidate, 65536);
            REQUIRE(executed);
            CHECK(same_memory(executed.value().c, given.expected));
            CHECK(executed.value().resolution.candidate.microkernel_id ==
                  (std::string(id) == "scalar_f64" ? "scalar_f64" : "scalar"));
            CHECK(same_memory(gemm_blocked(given.shape, given.a, given.b, candidate), given.expected));
        }
}

TEST_CASE("execute: f32 in every allocation mode, by both names") {
    const Case<float> given(with_layouts({.m = 21, .n = 13, .k = 17, .batch = 2}, 3), 1, 0);
    for (const char* id : {"scalar_f32", "auto"})
        for (const char* mode :
             {"fresh", "reuse_output", "workspace", "prepacked_a", "prepacked_b", "prepacked_ab"}) {
            const auto candidate =
                parse_candidate_id(std::string("8x8x8:4x4:") + id + ":n_k_m:ab:" + mode + ":compute");
            const auto executed = execute_candidate_f32(given.shape, given.a, given.b, candidate, 65536);
            REQUIRE(executed);
            CHECK(same_memory(executed.value().c, given.expected));
            CHECK(executed.value().resolution.candidate.microkernel_id == "scalar_f32");
            CHECK(to_text(executed.value().resolution.arithmetic) == "f32 sequential two-roundings");
            CHECK(same_memory(gemm_blocked_f32(given.shape, given.a, given.b, candidate), given.expected));
            const auto judged = gemm_is_correct(given.shape, candidate, 65536, 7, builtin_catalogue(TG_F32));
            REQUIRE(judged);
            CHECK(judged.value().correct);
        }
}

TEST_CASE("execute: f32 workspace is half of f64's, operands of f64 kernels are refused") {
    const Case<float> given({.m = 21, .n = 13, .k = 17}, 1, 0);
    const auto candidate = parse_candidate_id("8x8x8:4x4:scalar_f32:m_n_k:ab:workspace:compute");
    CHECK(execute_candidate_f32(given.shape, given.a, given.b, candidate, 768));
    CHECK(execute_candidate_f32(given.shape, given.a, given.b, candidate, 767).refusal().field ==
          "workspace");
    CHECK(execute_candidate_f32(given.shape, std::span(given.a).first(3), given.b, candidate, 768)
              .refusal()
              .field == "a");
    const auto f64 = parse_candidate_id(small_id);
    const auto refused =
        execute_candidate_f32(given.shape, given.a, given.b, f64, 65536, builtin_catalogue());
    REQUIRE(!refused);
    check_words(refused.refusal().reason, {"f64", "f32"});
    check_words(error_of([&] { gemm_blocked_f32(given.shape, given.a, given.b, f64, builtin_catalogue()); }),
                {"f64", "f32"});
}

TEST_CASE("execute: refuses, with the reason, what it cannot carry out") {
    const Case<double> given({.m = 21, .n = 13, .k = 17}, 1, 0);
    const auto candidate = parse_candidate_id(small_id);
    const auto field = [&](const GemmShape& shape, std::span<const double> a, std::span<const double> b,
                           const GemmCandidate& c, std::int64_t limit) {
        const auto executed = execute_candidate(shape, a, b, c, limit);
        REQUIRE(!executed);
        CHECK(!executed.refusal().reason.empty());
        return executed.refusal().field;
    };
    for (const char* extent : {"m", "n", "k", "batch"}) {
        GemmShape empty = given.shape;
        (std::string(extent) == "m"   ? empty.m
         : std::string(extent) == "n" ? empty.n
         : std::string(extent) == "k" ? empty.k
                                      : empty.batch) = 0;
        CHECK(field(empty, {}, {}, candidate, 65536) == extent);
    }
    CHECK(field(given.shape, std::span(given.a).first(3), given.b, candidate, 65536) == "a");
    CHECK(field(given.shape, given.a, {}, candidate, 65536) == "b");
    CHECK(field(given.shape, given.a, given.b, candidate, 1535) == "workspace");
    GemmCandidate unknown = candidate;
    unknown.microkernel_id = "scalr";
    CHECK(field(given.shape, given.a, given.b, unknown, 65536) == "microkernel_id");
    GemmCandidate wide = candidate;
    wide.mr = 9;
    CHECK(field(given.shape, given.a, given.b, wide, 65536) == "mr");

    StrictKernel<float> f32({.a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT});
    const auto executed =
        execute_candidate(given.shape, given.a, given.b,
                          f32.candidate("8x8x8:4x4", LoopOrder::m_n_k, Packing::ab), 65536, f32.catalogue());
    REQUIRE(!executed);
    check_words(executed.refusal().reason, {"f32", "f64"});
}

TEST_CASE("execute: gemm_blocked takes zero extents, and throws on what is invalid") {
    const auto candidate = parse_candidate_id(small_id);
    CHECK(gemm_blocked({.m = 0, .n = 3, .k = 4}, {}, std::vector<double>(12), candidate).empty());
    CHECK(gemm_blocked({.m = 2, .n = 3, .k = 0}, {}, {}, candidate) == std::vector<double>(6, 0.0));
    check_words(error_of([&] { gemm_blocked({.m = 2, .n = 3, .k = 4}, {}, {}, candidate); }), {"8"});
    GemmCandidate wide = candidate;
    wide.mr = 9;
    check_words(error_of([&] {
                    gemm_blocked({.m = 2, .n = 3, .k = 4}, std::vector<double>(8), std::vector<double>(12),
                                 wide);
                }),
                {"mr", "9"});
}

TEST_CASE("execute: a wrong kernel is found wrong, a right one right, in f64 and f32") {
    const GemmShape shape{.m = 21, .n = 13, .k = 17, .layout_b = Layout::column_major};
    const auto right = gemm_is_correct(shape, parse_candidate_id(small_id), 65536, 7);
    REQUIRE(right);
    CHECK(right.value().correct);
    CHECK(right.value().compared == 21 * 13);

    StrictKernel<float> f32({.a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT});
    const auto single = gemm_is_correct(shape, f32.candidate("8x8x8:4x4", LoopOrder::n_k_m, Packing::ab),
                                        65536, 7, f32.catalogue());
    REQUIRE(single);
    CHECK(single.value().correct);

    // Skips the last of its columns.
    static const tg_tile lazy_tile = {
        .struct_size = sizeof(tg_tile),
        .mr = 0,
        .nr = 0,
        .max_mr = 64,
        .max_nr = 64,
        .kr = 1,
        .k_unroll = 1,
        .access_a = TG_ANY,
        .access_b = TG_ANY,
        .access_c = TG_ANY,
        .align_packed = 0,
        .mc = 0,
        .nc = 0,
        .kc = 0,
        .run =
            [](const tg_kernel*, const tg_tile_args* args) noexcept {
                const auto* a = static_cast<const double*>(args->a);
                const auto* b = static_cast<const double*>(args->b);
                for (std::int64_t i = 0; i < args->m; ++i)
                    for (std::int64_t j = 0; j < args->n; ++j) {
                        double& c = static_cast<double*>(args->c)[i * args->rs_c + j * args->cs_c];
                        double sum = (args->flags & TG_ACCUMULATE) != 0 ? c : 0.0;
                        for (std::int64_t l = 0; l < args->k && j + 1 < args->n; ++l)
                            sum += a[i * args->rs_a + l * args->cs_a] * b[l * args->rs_b + j * args->cs_b];
                        c = sum;
                    }
            },
        .select = nullptr};
    static const tg_tile* const lazy_tiles[] = {&lazy_tile, nullptr};
    static const tg_kernel lazy = [] {
        tg_kernel kernel{};
        kernel.struct_size = sizeof kernel;
        kernel.microkernel_id = "lazy";
        kernel.summary = "Wrong on purpose";
        kernel.type_a = kernel.type_b = kernel.type_c = kernel.type_acc = TG_F64;
        kernel.order = TG_SEQUENTIAL;
        kernel.muladd = TG_TWO_ROUNDINGS;
        kernel.tiles = lazy_tiles;
        return kernel;
    }();
    Catalogue catalogue;
    catalogue.add(describe_kernel(&lazy));
    const auto wrong = gemm_is_correct(
        shape, parse_candidate_id("8x8x8:4x4:lazy:m_n_k:none:workspace:compute"), 65536, 7, catalogue);
    REQUIRE(wrong);
    CHECK(!wrong.value().correct);
    CHECK(wrong.value().wrong > 0);

    const auto refused = gemm_is_correct({.m = 0, .n = 1, .k = 1}, parse_candidate_id(small_id), 65536, 7);
    REQUIRE(!refused);
    CHECK(refused.refusal().field == "m");
}

TEST_CASE("execute: every candidate of the default grid is right on an odd shape") {
    const Case<double> given({.m = 67, .n = 35, .k = 65, .layout_a = Layout::column_major}, 1, 0);
    int wrong = 0;
    for (const GemmCandidate& candidate : enumerate_gemm_candidates())
        wrong += !same_memory(gemm_blocked(given.shape, given.a, given.b, candidate), given.expected);
    CHECK(wrong == 0);
}
