#include "errors.hpp"
#include "kernels.hpp"

#include <tune_gemm/packing.hpp>
#include <tune_gemm/validity.hpp>

#include <doctest/doctest.h>

#include <functional>

using namespace tune_gemm;
using test::check_words;

namespace {

/// Kernels of every kind beside the built-in ones.
struct Kernels {
    tg_tile fixed = test::fixed_tile(4, 6), wide = test::fixed_tile(8, 6), pairs = test::fixed_tile(4, 4);
    tg_tile packed_only = test::fixed_tile(4, 4), in_place_only = test::fixed_tile(4, 4),
            mixed = test::fixed_tile(4, 4);
    const tg_tile* fixed_list[3] = {&fixed, &wide, nullptr};
    const tg_tile* pairs_list[2] = {&pairs, nullptr};
    const tg_tile* packed_list[2] = {&packed_only, nullptr};
    const tg_tile* in_place_list[2] = {&in_place_only, nullptr};
    const tg_tile* mixed_list[2] = {&mixed, nullptr};
    tg_kernel kernels[7] = {
        test::tile_kernel("fixed", fixed_list),   test::tile_kernel("pairs", pairs_list),
        test::tile_kernel("packed", packed_list), test::tile_kernel("in_place", in_place_list),
        test::tile_kernel("mixed", mixed_list),   test::gemm_kernel("whole"),
        test::tile_kernel("single", fixed_list)};
    Catalogue catalogue = builtin_catalogue();

    Kernels() {
        pairs.kr = 2;
        packed_only.access_a = packed_only.access_b = TG_PACKED;
        in_place_only.access_a = in_place_only.access_b = TG_ANY;
        mixed.access_a = TG_PACKED;
        mixed.access_b = TG_ANY;
        tg_kernel& single = kernels[6];
        single.type_a = single.type_b = single.type_c = single.type_acc = TG_F32;
        for (const tg_kernel& kernel : kernels)
            catalogue.add(describe_kernel(&kernel));
        KernelInfo missing = describe_kernel(&kernels[0]);
        missing.id = "missing";
        missing.unusable = "the processor lacks avx9.";
        catalogue.add(missing);
    }
};

GemmCandidate parsed(const std::string& id) {
    return parse_candidate_id(id);
}

} // namespace

TEST_CASE("valid candidates of every kind of kernel") {
    const Kernels k;
    for (const char* id :
         {"64x64x32:4x4:scalar:m_n_k:ab:workspace:compute",
          "5x7x3:5x7:scalar_f64:n_k_m:none:fresh:end_to_end",
          "7x9x1:2x4:auto:m_n_k:a:prepacked_a:amortized_3",
          "64x64x32:64x64:scalar:m_n_k:b:prepacked_b:steady_state",
          "8x12x5:4x6:fixed:m_n_k:ab:prepacked_ab:compute",
          "8x12x5:8x6:fixed:n_k_m:none:reuse_output:compute", "4x4x6:4x4:pairs:m_n_k:ab:workspace:compute",
          "4x4x6:4x4:packed:m_n_k:ab:workspace:compute", "4x4x6:4x4:in_place:m_n_k:none:workspace:compute",
          "4x4x6:4x4:mixed:m_n_k:a:workspace:compute", "4x4x6:4x4:mixed:m_n_k:b:workspace:compute",
          "1x1x1:1x1:whole:own:none:workspace:compute"}) {
        CAPTURE(id);
        const Validity verdict = valid_candidate(parsed(id), default_workspace_limit, k.catalogue);
        CAPTURE(verdict.reason);
        CHECK(bool(verdict));
        CHECK(verdict.field.empty());
    }
}

TEST_CASE("an invalid candidate is refused with the field and its value") {
    const Kernels k;
    struct Case {
        const char* id;
        const char* field;
        const char* words;
    };
    for (const Case& tried :
         {Case{"0x64x32:4x4:scalar:m_n_k:ab:workspace:compute", "mc", "mc = 0"},
          {"64x0x32:4x4:scalar:m_n_k:ab:workspace:compute", "nc", "nc = 0"},
          {"64x64x0:4x4:scalar:m_n_k:ab:workspace:compute", "kc", "kc = 0"},
          {"64x64x32:0x4:scalar:m_n_k:ab:workspace:compute", "mr", "mr = 0"},
          {"64x64x32:4x0:scalar:m_n_k:ab:workspace:compute", "nr", "nr = 0"},
          {"4x64x32:8x4:scalar:m_n_k:ab:workspace:compute", "mr", "mr = 8 is larger than mc = 4"},
          {"64x4x32:4x8:scalar:m_n_k:ab:workspace:compute", "nr", "nr = 8 is larger than nc = 4"},
          {"64x64x32:4x4:scalr:m_n_k:ab:workspace:compute", "microkernel_id", "did you mean scalar?"},
          {"8x12x5:4x6:missing:m_n_k:ab:workspace:compute", "microkernel_id", "the processor lacks avx9."},
          {"64x64x32:4x4:scalar:own:ab:workspace:compute", "loop_order", "own"},
          {"80x80x32:65x4:scalar:m_n_k:ab:workspace:compute", "mr", "any up to 64x64"},
          {"80x80x32:4x65:scalar:m_n_k:ab:workspace:compute", "nr", "any up to 64x64"},
          {"8x12x5:6x6:fixed:m_n_k:ab:workspace:compute", "mr", "4x6, 8x6"},
          {"8x12x5:8x4:fixed:m_n_k:ab:workspace:compute", "nr", "4x6, 8x6"},
          {"10x12x5:4x6:fixed:m_n_k:ab:workspace:compute", "mc", "mc = 10 is not a multiple of mr = 4"},
          {"8x13x5:4x6:fixed:m_n_k:ab:workspace:compute", "nc", "nc = 13 is not a multiple of nr = 6"},
          {"4x4x5:4x4:pairs:m_n_k:ab:workspace:compute", "kc", "kc = 5 is not a multiple of 2"},
          {"4x4x6:4x4:packed:m_n_k:a:workspace:compute", "packing", "packing a"},
          {"4x4x6:4x4:packed:m_n_k:none:workspace:compute", "packing", "packed only"},
          {"4x4x6:4x4:in_place:m_n_k:ab:workspace:compute", "packing", "in place only"},
          {"4x4x6:4x4:mixed:m_n_k:ab:workspace:compute", "packing", "packing ab"},
          {"4x4x6:4x4:mixed:m_n_k:none:workspace:compute", "packing", "packing none"},
          {"64x64x32:4x4:scalar:m_n_k:b:prepacked_a:compute", "allocation_mode",
           "prepacked_a needs a packing that packs A"},
          {"64x64x32:4x4:scalar:m_n_k:a:prepacked_b:compute", "allocation_mode", "packs B"},
          {"64x64x32:4x4:scalar:m_n_k:a:prepacked_ab:compute", "allocation_mode", "packs B"},
          {"64x64x32:4x4:scalar:m_n_k:none:prepacked_ab:compute", "allocation_mode", "packs A and B"},
          {"2x1x1:1x1:whole:own:none:workspace:compute", "mc", "1x1x1:1x1"},
          {"1x1x1:1x1:whole:m_n_k:none:workspace:compute", "loop_order", "own"},
          {"1x1x1:1x1:whole:own:ab:workspace:compute", "packing", "packing ab"},
          {"1x1x1:1x1:whole:own:none:prepacked_a:compute", "allocation_mode", "prepacked_a"},
          {"1024x1024x1024:4x4:scalar:m_n_k:ab:workspace:compute", "workspace",
           "25165824 bytes, and the limit is 16777216"},
          {"3037000500x3037000500x1:4x4:scalar:m_n_k:ab:workspace:compute", "workspace", "64 bits"}}) {
        const auto& id = tried.id;
        const auto& field = tried.field;
        const auto& words = tried.words;
        CAPTURE(id);
        const Validity verdict = valid_candidate(parsed(id), default_workspace_limit, k.catalogue);
        CHECK_FALSE(bool(verdict));
        CHECK(verdict.field == field);
        check_words(verdict.reason, {words});
    }
}

TEST_CASE("fields that no id can hold are judged as well") {
    GemmCandidate c = parsed("64x64x32:4x4:scalar:m_n_k:ab:workspace:compute");
    c.mc = -64;
    check_words(valid_candidate(c, default_workspace_limit).reason, {"mc = -64"});
    c.mc = 64;
    for (const std::int64_t uses : {0, -1}) {
        c.timing_scope = {TimingScope::Kind::amortized, uses};
        CHECK(valid_candidate(c, default_workspace_limit).field == "timing_scope");
    }
    c.timing_scope = {TimingScope::Kind::compute, 5};
    CHECK(valid_candidate(c, default_workspace_limit).field == "timing_scope");
    c.timing_scope = {};
    c.microkernel_id = "\n";
    check_words(valid_candidate(c, default_workspace_limit).reason, {"\\x0a"});
}

TEST_CASE("the limit is hard, and counts elements of the kernel's type") {
    const Kernels k;
    const GemmCandidate c = parsed("128x128x64:8x8:scalar:m_n_k:ab:workspace:compute");
    CHECK(valid_candidate(c, 262144));
    check_words(valid_candidate(c, 262143).reason, {"262144", "262143"});
    CHECK_FALSE(bool(valid_candidate(c, 0)));
    CHECK_FALSE(bool(valid_candidate(c, -1)));
    const GemmCandidate single = parsed("8x12x5:4x6:single:m_n_k:ab:workspace:compute");
    const std::int64_t bytes = 4 * (8 * 5 + 5 * 12 + 8 * 12);
    CHECK(valid_candidate(single, bytes, k.catalogue));
    CHECK_FALSE(bool(valid_candidate(single, bytes - 1, k.catalogue)));
}

TEST_CASE("a shape must be positive and fit 64 bits") {
    const GemmCandidate c = parsed("64x64x32:4x4:scalar:m_n_k:ab:workspace:compute");
    const auto judged = [&](const GemmShape& shape) {
        return candidate_valid_for_shape(c, shape, default_workspace_limit);
    };
    CHECK(judged({.m = 1, .n = 1, .k = 1}));
    CHECK(judged({.m = 3,
                  .n = 500,
                  .k = 70,
                  .batch = 3,
                  .layout_a = Layout::column_major,
                  .layout_c = Layout::column_major}));
    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}}) {
        for (const auto& [field, member] : {std::pair{"m", &GemmShape::m},
                                            {"n", &GemmShape::n},
                                            {"k", &GemmShape::k},
                                            {"batch", &GemmShape::batch},
                                            {"reuse_count", &GemmShape::reuse_count}}) {
            GemmShape shape{.m = 4, .n = 4, .k = 4};
            shape.*member = bad;
            const Validity verdict = judged(shape);
            CHECK(verdict.field == field);
            check_words(verdict.reason, {std::string(field) + " = " + std::to_string(bad)});
        }
    }
    const std::int64_t side = std::int64_t{1} << 22;
    check_words(judged({.m = side, .n = side, .k = side}).reason, {"4194304*4194304*4194304"});
    // 2^61 elements are countable, their bytes are not.
    check_words(judged({.m = std::int64_t{1} << 61, .n = 1, .k = 1}).reason,
                {"2305843009213693952 elements of 8 bytes"});
}

TEST_CASE("at a shape, layouts that the tile cannot take are refused") {
    Kernels k;
    tg_tile rows = test::fixed_tile(4, 4);
    rows.access_a = TG_PACKED;
    rows.access_b = TG_ROW_UNIT;
    rows.access_c = TG_ROW_UNIT;
    const tg_tile* list[] = {&rows, nullptr};
    const tg_kernel kernel = test::tile_kernel("rows", list);
    k.catalogue.add(describe_kernel(&kernel));
    const GemmCandidate c = parsed("4x4x4:4x4:rows:m_n_k:a:workspace:compute");
    GemmShape shape{.m = 9, .n = 9, .k = 9};
    CHECK(candidate_valid_for_shape(c, shape, default_workspace_limit, k.catalogue));
    shape.layout_b = Layout::column_major;
    const Validity verdict = candidate_valid_for_shape(c, shape, default_workspace_limit, k.catalogue);
    CHECK_FALSE(bool(verdict));
    CHECK_FALSE(verdict.field.empty());
    // A kernel of whole products says itself what it takes.
    CHECK(candidate_valid_for_shape(parsed("1x1x1:1x1:whole:own:none:workspace:compute"), shape,
                                    default_workspace_limit, k.catalogue));
}

TEST_CASE("operands packed ahead count against the limit") {
    const GemmCandidate c = parsed("8x8x8:4x4:scalar:m_n_k:ab:prepacked_ab:compute");
    const GemmShape shape{.m = 20, .n = 30, .k = 40, .batch = 2};
    const std::int64_t ahead = prepacked_bytes(c, shape);
    CHECK(ahead >= 8 * 2 * (20 * 40 + 40 * 30));
    const std::int64_t together = workspace_bytes(c) + ahead;
    CHECK(candidate_valid_for_shape(c, shape, together));
    const Validity verdict = candidate_valid_for_shape(c, shape, together - 1);
    CHECK(verdict.field == "allocation_mode");
    check_words(verdict.reason, {std::to_string(ahead), std::to_string(together - 1)});
    CHECK(candidate_valid_for_shape(parsed("8x8x8:4x4:scalar:m_n_k:ab:workspace:compute"), shape,
                                    workspace_bytes(c)));
}
