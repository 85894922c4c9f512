#include "errors.hpp"

#include <tune_gemm/candidate.hpp>

#include <doctest/doctest.h>

#include <random>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

TEST_CASE("an id is written as the contract says") {
    const GemmCandidate candidate{.mc = 64,
                                  .nc = 48,
                                  .kc = 32,
                                  .mr = 4,
                                  .nr = 6,
                                  .packing = Packing::b,
                                  .loop_order = LoopOrder::n_k_m,
                                  .microkernel_id = "avx2.v3",
                                  .allocation_mode = AllocationMode::prepacked_b,
                                  .timing_scope = {TimingScope::Kind::amortized, 100}};
    CHECK(candidate_id(candidate) == "64x48x32:4x6:avx2.v3:n_k_m:b:prepacked_b:amortized_100");
}

TEST_CASE("every candidate survives being written and parsed") {
    std::mt19937_64 random(1);
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    const char* ids[] = {"scalar", "auto", "a", "0", "x86.avx512_vnni.8x24", "_", "."};
    for (int round = 0; round < 2000; ++round) {
        const auto number = [&] { return static_cast<std::int64_t>(random() >> (1 + below(63))); };
        GemmCandidate candidate{.mc = number(),
                                .nc = number(),
                                .kc = number(),
                                .mr = number(),
                                .nr = number(),
                                .packing = static_cast<Packing>(below(4)),
                                .loop_order = static_cast<LoopOrder>(below(3)),
                                .microkernel_id = ids[below(std::size(ids))],
                                .allocation_mode = static_cast<AllocationMode>(below(6)),
                                .timing_scope = {static_cast<TimingScope::Kind>(below(4)), 0}};
        if (candidate.timing_scope.kind == TimingScope::Kind::amortized)
            candidate.timing_scope.uses = 1 + number() / 2;
        const std::string id = candidate_id(candidate);
        CAPTURE(id);
        CHECK(parse_candidate_id(id) == candidate);
    }
}

TEST_CASE("a text that is no id is refused with the bad field") {
    struct Case {
        std::string id;
        const char* field;
    };
    const std::string tail = ":scalar:m_n_k:ab:workspace:compute";
    for (const Case& tried :
         {Case{"", "mc "},
          {"64", "nc is missing"},
          {"64x64x32", "mr is missing"},
          {"x64x32:4x4" + tail, "mc is \"\""},
          {"-64x64x32:4x4" + tail, "mc is \"-64\""},
          {"+64x64x32:4x4" + tail, "mc is \"+64\""},
          {" 64x64x32:4x4" + tail, "mc is \" 64\""},
          {"064x64x32:4x4" + tail, "mc is \"064\""},
          {"0x40x64x32:4x4" + tail, "kc is \"64x32\""},
          {"64x6 4x32:4x4" + tail, "nc is \"6 4\""},
          {"64x64x9223372036854775808:4x4" + tail, "kc is \"9223372036854775808\""},
          {"64x64x32x1:4x4" + tail, "kc is \"32x1\""},
          {"64x64x32:4.0x4" + tail, "mr is \"4.0\""},
          {"64x64x32:4x4x4" + tail, "nr is \"4x4\""},
          {"64x64x32:4x" + tail, "nr is \"\""},
          {"64x64x32:4x4", "microkernel_id is missing"},
          {"64x64x32:4x4::m_n_k:ab:workspace:compute", "microkernel_id is \"\""},
          {"64x64x32:4x4:Scalar:m_n_k:ab:workspace:compute", "microkernel_id is \"Scalar\""},
          {"64x64x32:4x4:" + std::string(65, 'a') + ":m_n_k:ab:workspace:compute", "microkernel_id is"},
          {"64x64x32:4x4:a/b:m_n_k:ab:workspace:compute", "microkernel_id is \"a/b\""},
          {"64x64x32:4x4:scalar:k_m_n:ab:workspace:compute", "loop_order \"k_m_n\""},
          {"64x64x32:4x4:scalar", "loop_order is missing"},
          {"64x64x32:4x4:scalar:m_n_k:ba:workspace:compute", "packing \"ba\""},
          {"64x64x32:4x4:scalar:m_n_k:AB:workspace:compute", "packing \"AB\""},
          {"64x64x32:4x4:scalar:m_n_k:ab:heap:compute", "allocation_mode \"heap\""},
          {"64x64x32:4x4:scalar:m_n_k:ab:workspace", "timing_scope is missing"},
          {"64x64x32:4x4:scalar:m_n_k:ab:workspace:", "timing_scope \"\""},
          {"64x64x32:4x4" + tail + ":more", "timing_scope \"compute:more\""},
          {"64x64x32:4x4" + tail + " ", "timing_scope \"compute \""},
          {"64x64x32:4x4" + tail + "\n", "timing_scope \"compute\\x0a\""},
          {"64x64x32:4x4:scalar:m_n_k:ab:workspace:amortized_0", "timing_scope \"amortized_0\""},
          {"64x64x32:4x4:scalar:m_n_k:ab:workspace:amortized_-1", "timing_scope \"amortized_-1\""},
          {"64x64x32:4x4:scalar:m_n_k:ab:workspace:amortized_01", "timing_scope \"amortized_01\""},
          {"64x64x32:4x4:scalar:m_n_k:ab:workspace:amortized_", "timing_scope \"amortized_\""},
          {"64x64x32:4x4:scalar:m_n_k:ab:workspace:amortized_R", "timing_scope \"amortized_R\""}}) {
        const auto& id = tried.id;
        const auto& field = tried.field;
        CAPTURE(id);
        check_words(error_of([&] { parse_candidate_id(id); }), {field});
    }
}

TEST_CASE("the parsers of single fields name what is allowed") {
    check_words(error_of([] { parse_packing("abc"); }), {"packing \"abc\"", "none, a, b, ab"});
    check_words(error_of([] { parse_loop_order(""); }), {"loop_order \"\"", "m_n_k, n_k_m, own"});
    check_words(error_of([] { parse_allocation_mode("prepacked"); }),
                {"allocation_mode \"prepacked\"",
                 "fresh, reuse_output, workspace, prepacked_a, prepacked_b, prepacked_ab"});
    check_words(error_of([] { parse_timing_scope("warm"); }),
                {"timing_scope \"warm\"", "compute, end_to_end, amortized_R", "steady_state"});
    check_words(error_of([] { parse_packing(std::string(1000, 'x')); }), {"..."});
}

TEST_CASE("workspace: the formula, zero for no block, and overflow") {
    GemmCandidate c{.mc = 128, .nc = 128, .kc = 64};
    CHECK(workspace_bytes(c) == 262144);
    CHECK(workspace_bytes(c, 4) == 131072);
    c = {.mc = 2, .nc = 3, .kc = 5};
    CHECK(workspace_bytes(c) == 8 * (2 * 5 + 5 * 3 + 2 * 3));
    for (const auto field : {&GemmCandidate::mc, &GemmCandidate::nc, &GemmCandidate::kc}) {
        for (const std::int64_t size : {0, -1}) {
            GemmCandidate none = c;
            none.*field = size;
            CHECK(workspace_bytes(none) == 0);
        }
    }
    // Overflow in a product, in a sum, and only in the multiplication by the element's size.
    for (const std::int64_t side : {std::int64_t{1} << 32, std::int64_t{1753413057}, std::int64_t{1} << 30}) {
        c = {.mc = side, .nc = side, .kc = side};
        CAPTURE(side);
        check_words(error_of([&] { workspace_bytes(c); }), {"mc = ", "nc = ", "kc = ", "64 bits"});
    }
    c = {.mc = 1 << 29, .nc = 1 << 29, .kc = 1 << 29};
    CHECK(workspace_bytes(c) == std::int64_t{3} << 61);
}
