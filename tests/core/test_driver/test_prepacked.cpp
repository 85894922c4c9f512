// Whole operands packed ahead of their use.
#include "../test_core/errors.hpp"
#include "case.hpp"
#include "strict_kernel.hpp"

#include <doctest/doctest.h>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

constexpr AllocationMode modes[] = {AllocationMode::prepacked_a, AllocationMode::prepacked_b,
                                    AllocationMode::prepacked_ab};

/// Every mode, order and layout of a kernel on an odd shape; the first fault, or "". Counts products that
/// were swapped.
template <class T>
std::string run_ahead(const Catalogue& catalogue, GemmCandidate candidate, double alpha,
                      int* swapped = nullptr) {
    std::vector<std::byte> workspace;
    for (int layouts = 0; layouts < 8; ++layouts)
        for (const Lay lay : {Lay::tight, Lay::negative})
            for (const std::int64_t extent : {1, 11, 17}) {
                const Case<T> given(with_layouts({.m = extent, .n = 19, .k = 10, .batch = 2}, layouts), alpha,
                                    0.5);
                const Layed<T> layed(given, lay, lay);
                for (const AllocationMode mode : modes)
                    for (const LoopOrder order : every_order) {
                        candidate.allocation_mode = mode;
                        candidate.loop_order = order;
                        AccessPlan access;
                        const auto fault = run_case(layed, candidate, catalogue, workspace, &access);
                        if (!fault.empty())
                            return case_text(given.shape, candidate, lay) + ": " + fault;
                        if (swapped != nullptr)
                            *swapped += access.swapped;
                    }
            }
    return "";
}

} // namespace

TEST_CASE("prepacked: every mode gives the same bits, swapped and staged tiles included") {
    for (const double alpha : {1.0, 0.7}) {
        CHECK(run_ahead<double>(builtin_catalogue(),
                                parse_candidate_id("8x6x4:4x3:scalar:m_n_k:ab:workspace:compute"),
                                alpha) == "");
        for (const tg_access c : {TG_ROW_UNIT, TG_COL_UNIT}) {
            StrictKernel<double> kernel(
                {.mr = 4, .nr = 3, .kr = 2, .a = TG_PACKED, .b = TG_PACKED, .c = static_cast<tg_access>(c)});
            int swapped = 0;
            CHECK(run_ahead<double>(kernel.catalogue(),
                                    kernel.candidate("8x6x4:4x3", LoopOrder::m_n_k, Packing::ab), alpha,
                                    &swapped) == "");
            CHECK(kernel.breach == "");
            CHECK(swapped > 0);
        }
        StrictKernel<float> aligned(
            {.mr = 16, .nr = 4, .a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT, .align = 64});
        CHECK(run_ahead<float>(aligned.catalogue(),
                               aligned.candidate("16x16x5:16x4", LoopOrder::m_n_k, Packing::ab),
                               alpha) == "");
    }
}

TEST_CASE("prepacked: blocks lie one after the other and fill the operand exactly") {
    const auto candidate = parse_candidate_id("32x32x16:4x4:scalar:m_n_k:ab:prepacked_ab:compute");
    const Case<double> given({.m = 70, .n = 50, .k = 30, .batch = 2}, 1, 0);
    const auto prepared = PreparedGemm::make(problem_of(given.shape), candidate, no_limit);
    REQUIRE(prepared);
    const PackedOperand a = prepared.value().prepack(Operand::a, given.a.data());
    CHECK(a.elements() == 2 * 70 * 30);
    std::int64_t expected = 0;
    // Evened out: 70 rows in three blocks of at most 24, a depth of 30 in two of 15.
    for (std::int64_t batch = 0; batch < 2; ++batch)
        for (std::int64_t l = 0; l < 30; l += 15)
            for (std::int64_t i = 0; i < 70; i += 24) {
                CHECK(a.block_offset(batch, i, l) == expected);
                expected += std::min<std::int64_t>(24, 70 - i) * 15;
            }
    CHECK(expected == a.elements());
}

TEST_CASE(
    "prepacked: one made for something else is refused before C is touched, by the field that differs") {
    const GemmShape shape{.m = 20, .n = 20, .k = 20};
    const Case<double> given(shape, 1, 0);
    const auto prepare = [&](const std::string& id, const GemmShape& s, double alpha = 1) {
        auto prepared = PreparedGemm::make(problem_of(s, alpha), parse_candidate_id(id), no_limit);
        REQUIRE(prepared);
        return prepared.value();
    };
    const std::string id = "8x8x8:4x4:scalar:m_n_k:ab:workspace:compute";
    const PreparedGemm wanted = prepare(id, shape);
    std::vector<std::byte> workspace(static_cast<std::size_t>(wanted.workspace_demand()));
    std::vector<double> c(400, 7.0);
    const auto refusal = [&](const PackedOperand& packed) {
        const bool is_a = packed.operand == Operand::a;
        return error_of([&] {
            wanted.run({.a = given.a.data(),
                        .b = given.b.data(),
                        .c = c.data(),
                        .workspace = workspace,
                        .packed_a = is_a ? &packed : nullptr,
                        .packed_b = is_a ? nullptr : &packed});
        });
    };
    const auto packed = [&](const std::string& other_id, Operand operand, double alpha = 1) {
        return prepare(other_id, shape, alpha)
            .prepack(operand, operand == Operand::a ? given.a.data() : given.b.data());
    };
    check_words(refusal(packed("16x8x8:4x4:scalar:m_n_k:ab:workspace:compute", Operand::a)),
                {"strip block", "12", "8"});
    check_words(refusal(packed("8x8x16:4x4:scalar:m_n_k:ab:workspace:compute", Operand::b)),
                {"depth block", "10", "7"});
    check_words(refusal(packed("8x8x8:2x4:scalar:m_n_k:ab:workspace:compute", Operand::a)),
                {"panel width", "2"});
    check_words(refusal(packed(id, Operand::b, 0.5)), {"scaled by 0.5", "1"});
    const GemmShape deeper{.m = 20, .n = 20, .k = 19};
    check_words(refusal(prepare(id, deeper).prepack(Operand::a, given.a.data())), {"depth", "19", "20"});
    PackedOperand b = packed(id, Operand::b);
    b.operand = Operand::a;
    b.strips = 21;
    check_words(refusal(b), {"strips", "21"});
    PackedOperand as_f32 = packed(id, Operand::a);
    as_f32.dtype = TG_F32;
    check_words(refusal(as_f32), {"f32", "f64"});
    for (const double entry : c)
        CHECK(entry == 7.0);
}

TEST_CASE("prepacked: refused where the plan takes the operand in place") {
    const Case<double> given({.m = 20, .n = 20, .k = 20}, 1, 0);
    const auto in_place = PreparedGemm::make(
        problem_of(given.shape), parse_candidate_id("8x8x8:4x4:scalar:m_n_k:b:workspace:compute"), no_limit);
    REQUIRE(in_place);
    check_words(error_of([&] { in_place.value().prepack(Operand::a, given.a.data()); }),
                {"in place", "packing"});
    check_words(error_of([&] { in_place.value().prepack(Operand::c, given.c.data()); }), {"Operand c"});
    const auto packing = PreparedGemm::make(
        problem_of(given.shape), parse_candidate_id("8x8x8:4x4:scalar:m_n_k:a:workspace:compute"), no_limit);
    const PackedOperand a = packing.value().prepack(Operand::a, given.a.data());
    std::vector<std::byte> workspace(static_cast<std::size_t>(in_place.value().workspace_demand()));
    std::vector<double> c(400);
    check_words(error_of([&] {
                    in_place.value().run({.a = given.a.data(),
                                          .b = given.b.data(),
                                          .c = c.data(),
                                          .workspace = workspace,
                                          .packed_a = &a});
                }),
                {"in place"});
}

TEST_CASE("prepacked: nothing is read or held when alpha is 0") {
    const Case<double> given({.m = 20, .n = 20, .k = 20}, 0, 0.5);
    const auto prepared =
        PreparedGemm::make(problem_of(given.shape, 0, 0.5),
                           parse_candidate_id("8x8x8:4x4:scalar:m_n_k:ab:prepacked_ab:compute"), no_limit);
    REQUIRE(prepared);
    const PackedOperand a = prepared.value().prepack(Operand::a, nullptr);
    const PackedOperand b = prepared.value().prepack(Operand::b, nullptr);
    CHECK(a.data.bytes().empty());
    std::vector<std::byte> workspace(static_cast<std::size_t>(prepared.value().workspace_demand()));
    std::vector<double> c = given.c;
    prepared.value().run({.c = c.data(), .workspace = workspace, .packed_a = &a, .packed_b = &b});
    CHECK(same_memory(c, given.expected));
}
