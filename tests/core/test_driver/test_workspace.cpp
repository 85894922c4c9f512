// Workspace is a promise: exactly what the candidate says, and no byte more.
#include "../test_core/errors.hpp"
#include "case.hpp"
#include "counted_new.hpp"
#include "strict_kernel.hpp"

#include <tune_gemm/operation.hpp>

#include <doctest/doctest.h>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

constexpr std::byte canary{0xa5};

/// Runs with a workspace of exactly `demand` bytes between two strips of canaries; the fault, or "".
template <class T>
std::string run_between_canaries(const Case<T>& given, const GemmCandidate& candidate,
                                 const Catalogue& catalogue, std::int64_t expected_demand) {
    const auto prepared =
        PreparedGemm::make(problem_of(given.shape, given.alpha, given.beta), candidate, no_limit, catalogue);
    if (!prepared)
        return prepared.refusal().reason;
    const std::int64_t demand = prepared.value().workspace_demand();
    if (demand != expected_demand)
        return fmt::format("demand is {}, expected {}", demand, expected_demand);
    constexpr std::size_t margin = 256;
    std::vector<std::byte> memory(2 * margin + static_cast<std::size_t>(demand), canary);
    // No more than the element's alignment, and poisoned with NaN in between.
    const std::span<std::byte> workspace =
        std::span(memory).subspan(margin + 8, static_cast<std::size_t>(demand));
    std::fill(workspace.begin(), workspace.end(), std::byte{0xff});
    std::vector<T> c = given.c;
    prepared.value().run({.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace});
    if (!same_memory(c, given.expected))
        return "C differs";
    for (std::size_t x = 0; x < memory.size(); ++x) {
        const bool inside = x >= margin + 8 && x < margin + 8 + workspace.size();
        if (!inside && memory[x] != canary)
            return fmt::format("byte {} was written, the workspace is [{}, {})", x, margin + 8,
                               margin + 8 + workspace.size());
    }
    return "";
}

} // namespace

TEST_CASE("workspace: exactly the formula's bytes, used and not overrun, for every kind of tile") {
    const Case<double> given(with_layouts({.m = 33, .n = 37, .k = 29}, 0), 0.7, 0.5);
    for (const LoopOrder order : every_order) {
        GemmCandidate scalar = parse_candidate_id("13x11x7:4x3:scalar:m_n_k:ab:workspace:compute");
        scalar.loop_order = order;
        CHECK(run_between_canaries(given, scalar, builtin_catalogue(), 8 * (13 * 7 + 7 * 11 + 13 * 11)) ==
              "");
        for (const tg_access c : {TG_ROW_UNIT, TG_COL_UNIT}) {
            StrictKernel<double> fixed(
                {.mr = 4, .nr = 8, .kr = 2, .a = TG_PACKED, .b = TG_PACKED, .c = static_cast<tg_access>(c)});
            CHECK(run_between_canaries(given, fixed.candidate("12x16x6:4x8", order, Packing::ab),
                                       fixed.catalogue(), 8 * (12 * 6 + 6 * 16 + 12 * 16)) == "");
            Case<double> spread = given; // C in a form that the tile lacks: staged, unless swapped
            spread.shape.layout_c = Layout::column_major;
            spread.refresh();
            CHECK(run_between_canaries(spread, fixed.candidate("12x16x6:4x8", order, Packing::ab),
                                       fixed.catalogue(), 8 * (12 * 6 + 6 * 16 + 12 * 16)) == "");
        }
        // A by rows in place, B packed, C of the other layout: staged.
        StrictKernel<double> staged({.a = TG_ROW_UNIT, .b = TG_PACKED, .c = TG_COL_UNIT});
        CHECK(run_between_canaries(given, staged.candidate("12x16x6:4x8", order, Packing::b),
                                   staged.catalogue(), 8 * (12 * 6 + 6 * 16 + 12 * 16)) == "");
        StrictKernel<double> copied({.mr = 4, .nr = 8, .a = TG_COL_UNIT, .b = TG_ROW_UNIT, .c = TG_ROW_UNIT});
        Case<double> columns = given;
        columns.shape.layout_a = Layout::column_major;
        columns.refresh();
        CHECK(run_between_canaries(columns, copied.candidate("12x16x6:4x8", order, Packing::none),
                                   copied.catalogue(), 8 * (12 * 6 + 6 * 16 + 12 * 16)) == "");
    }
    const Case<float> single({.m = 33, .n = 37, .k = 29}, 1, 0);
    StrictKernel<float> f32({.a = TG_PACKED, .b = TG_PACKED, .c = TG_COL_UNIT});
    CHECK(run_between_canaries(single, f32.candidate("13x11x7:4x3", LoopOrder::m_n_k, Packing::ab),
                               f32.catalogue(), 4 * (13 * 7 + 7 * 11 + 13 * 11)) == "");
    // Aligned panels: the declared slack, twice the alignment.
    StrictKernel<double> aligned(
        {.mr = 8, .nr = 8, .a = TG_PACKED, .b = TG_PACKED, .c = TG_ROW_UNIT, .align = 64});
    CHECK(run_between_canaries(given, aligned.candidate("16x16x7:8x8", LoopOrder::m_n_k, Packing::ab),
                               aligned.catalogue(), 8 * (16 * 7 + 7 * 16 + 16 * 16) + 128) == "");
    CHECK(aligned.breach == "");
}

TEST_CASE("workspace: one byte too few, or misaligned, is refused before C is touched") {
    const Case<double> given({.m = 20, .n = 20, .k = 20}, 1, 0);
    const auto prepared = PreparedGemm::make(
        problem_of(given.shape), parse_candidate_id("8x8x8:4x4:scalar:m_n_k:ab:workspace:compute"), no_limit);
    REQUIRE(prepared);
    CHECK(prepared.value().workspace_demand() == 1536);
    std::vector<std::byte> memory(1544);
    std::vector<double> c(400, 7.0);
    const auto run_with = [&](std::span<std::byte> workspace) {
        prepared.value().run(
            {.a = given.a.data(), .b = given.b.data(), .c = c.data(), .workspace = workspace});
    };
    check_words(error_of([&] { run_with(std::span(memory).first(1535)); }), {"1535", "1536"});
    check_words(error_of([&] { run_with(std::span(memory).subspan(4, 1536)); }), {"aligned"});
    check_words(error_of([&] {
                    prepared.value().run(
                        {.b = given.b.data(), .c = c.data(), .workspace = std::span(memory)});
                }),
                {"Operand a", "null"});
    CHECK(c == std::vector<double>(400, 7.0));
    run_with(std::span(memory).first(1536));
    CHECK(c == given.expected);
}

TEST_CASE("workspace limit 64 KiB never holds more: counted by the buffers and by operator new") {
    constexpr std::int64_t limit = 64 << 10;
    const GemmShape shape{.m = 100, .n = 90, .k = 80, .layout_b = Layout::column_major};
    const Case<double> given(shape, 1, 0);
    const std::int64_t c_bytes = 8 * 100 * 90;
    int ran = 0, refused = 0;
    for (const char* mode :
         {"fresh", "reuse_output", "workspace", "prepacked_a", "prepacked_b", "prepacked_ab"})
        for (const char* blocks :
             {"64x64x32:8x8", "32x32x32:4x4", "4x4x4:2x2", "64x64x33:8x8", "128x128x64:8x8"}) {
            const auto candidate =
                parse_candidate_id(std::string(blocks) + ":scalar:n_k_m:ab:" + mode + ":compute");
            CAPTURE(candidate_id(candidate));
            reset_buffer_peak();
            const std::int64_t held_before = buffer_account().held;
            auto prepared = PreparedGemm::make(problem_of(shape), candidate, limit);
            const std::int64_t demand = workspace_bytes(candidate) + prepacked_bytes(candidate, shape);
            REQUIRE(static_cast<bool>(prepared) == (demand <= limit));
            if (!prepared) {
                ++refused;
                CHECK(prepared.refusal().field == "workspace");
                continue;
            }
            ++ran;
            const NewAccount before = new_account();
            reset_new_peak();
            Operation operation(prepared.value(), given.a.data(), given.b.data(), c_bytes);
            operation.set_up();
            for (int use = 0; use < 2; ++use) {
                operation.begin_use();
                const std::int64_t calls = new_account().calls;
                operation.multiply();
                CHECK(new_account().calls == calls); // a run allocates nothing
                const auto* c = reinterpret_cast<const double*>(operation.c().data());
                CHECK(std::equal(given.expected.begin(), given.expected.end(), c));
                operation.end_use();
            }
            operation.tear_down();
            // Exactly what was announced, and beyond it C alone.
            CHECK(buffer_account().peak - held_before == demand);
            CHECK(new_account().peak - before.held == demand + c_bytes);
            CHECK(buffer_account().peak - held_before <= limit);
            CHECK(buffer_account().held == held_before);
            CHECK(new_account().held == before.held);
        }
    CHECK(ran > 10);
    CHECK(refused > 6);
}

TEST_CASE("workspace: threads each need their own") {
    const auto candidate = parse_candidate_id("64x64x32:8x8:scalar:m_n_k:ab:workspace:compute");
    const GemmProblem problem = problem_of({.m = 100, .n = 90, .k = 80});
    const auto field = [&](std::int64_t limit, unsigned threads) {
        const auto prepared = PreparedGemm::make(problem, candidate, limit, builtin_catalogue(), threads);
        return prepared ? std::string() : prepared.refusal().field;
    };
    CHECK(field(65536, 1) == "");
    CHECK(field(65536, 2) == "workspace");
    CHECK(field(131072, 2) == "");
    CHECK_THROWS_AS(PreparedGemm::make(problem, candidate, 65536, builtin_catalogue(), 0), Error);
}

TEST_CASE("buffers: counted by use, movable, and too large ones are refused with their size") {
    reset_buffer_peak();
    const BufferAccount before = buffer_account();
    {
        Buffer workspace(1000, Buffer::Use::workspace);
        Buffer result(5000, Buffer::Use::result);
        Buffer prepacked(300, Buffer::Use::prepacked, 4096);
        CHECK(reinterpret_cast<std::uintptr_t>(workspace.bytes().data()) % 64 == 0);
        CHECK(reinterpret_cast<std::uintptr_t>(prepacked.bytes().data()) % 4096 == 0);
        CHECK(buffer_account().held == before.held + 1300);
        Buffer moved = std::move(workspace);
        CHECK(moved.bytes().size() == 1000);
        CHECK(workspace.bytes().empty());
        moved = std::move(prepacked);
        CHECK(buffer_account().held == before.held + 300);
        CHECK(buffer_account().peak == before.held + 1300);
    }
    CHECK(buffer_account().held == before.held);
    reset_buffer_peak();
    CHECK(buffer_account().peak == before.held);
    CHECK(Buffer(0, Buffer::Use::workspace).bytes().empty());
    check_words(error_of([] { Buffer(std::int64_t{1} << 62, Buffer::Use::workspace); }),
                {"4611686018427387904"});
    check_words(error_of([] { Buffer(-1, Buffer::Use::workspace); }), {"-1"});
    CHECK(buffer_account().held == before.held);
}
