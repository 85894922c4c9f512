// The six allocation modes: what is allocated when.
#include "case.hpp"

#include <tune_gemm/operation.hpp>

#include <doctest/doctest.h>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

const GemmShape shape{.m = 30, .n = 20, .k = 10, .batch = 2};
constexpr std::int64_t c_bytes = 8 * 30 * 20 * 2;
constexpr std::int64_t workspace = 8 * 3 * 64;
constexpr std::int64_t packed_a = 8 * 2 * 30 * 10, packed_b = 8 * 2 * 10 * 20;

struct Expected {
    const char* mode;
    bool c_from_set_up;
    std::int64_t after_set_up, after_begin; ///< bytes of workspace and packed operands
};

bool is_right(Operation& operation, const Case<double>& given) {
    const auto* c = reinterpret_cast<const double*>(operation.c().data());
    return operation.c().size() == static_cast<std::size_t>(c_bytes) &&
           std::equal(given.expected.begin(), given.expected.end(), c);
}

} // namespace

TEST_CASE("operation: each mode holds what it says, when it says, and gives the same bits") {
    const Case<double> given(shape, 1, 0);
    for (const Expected& expected :
         {Expected{"fresh", false, 0, workspace}, Expected{"reuse_output", true, 0, workspace},
          Expected{"workspace", true, workspace, workspace},
          Expected{"prepacked_a", true, workspace + packed_a, workspace + packed_a},
          Expected{"prepacked_b", true, workspace + packed_b, workspace + packed_b},
          Expected{"prepacked_ab", true, workspace + packed_a + packed_b, workspace + packed_a + packed_b}}) {
        CAPTURE(expected.mode);
        const std::int64_t before = buffer_account().held;
        const auto held = [&] { return buffer_account().held - before; };
        auto prepared = PreparedGemm::make(
            problem_of(shape),
            parse_candidate_id(std::string("8x8x8:4x4:scalar:m_n_k:ab:") + expected.mode + ":compute"),
            no_limit);
        REQUIRE(prepared);
        Operation operation(prepared.value(), given.a.data(), given.b.data(), c_bytes);
        CHECK(held() == 0);
        operation.set_up();
        CHECK(held() == expected.after_set_up);
        CHECK(operation.c().empty() == !expected.c_from_set_up);
        CHECK(operation.allocates_per_use() == (expected.after_set_up != expected.after_begin));
        const std::byte* first_c = nullptr;
        for (int use = 0; use < 3; ++use) {
            operation.begin_use();
            CHECK(held() == expected.after_begin);
            operation.multiply();
            CHECK(is_right(operation, given));
            operation.end_use();
            CHECK(held() == expected.after_set_up);
            CHECK(is_right(operation, given)); // still there
            if (expected.c_from_set_up && use > 0)
                CHECK(operation.c().data() == first_c);
            first_c = operation.c().data();
        }
        operation.tear_down();
        CHECK(held() == 0);
        CHECK(operation.c().empty());
        // And a second series.
        operation.set_up();
        operation.begin_use();
        operation.multiply();
        CHECK(is_right(operation, given));
        operation.tear_down();
        CHECK(held() == 0);
    }
}

TEST_CASE("operation: packed operands replace the user's") {
    Case<double> given(shape, 1, 0);
    auto prepared = PreparedGemm::make(
        problem_of(shape), parse_candidate_id("8x8x8:4x4:scalar:m_n_k:ab:prepacked_ab:compute"), no_limit);
    REQUIRE(prepared);
    std::vector<double> a = given.a, b = given.b;
    Operation operation(prepared.value(), a.data(), b.data(), c_bytes);
    operation.set_up();
    std::fill(a.begin(), a.end(), 0.0);
    std::fill(b.begin(), b.end(), 0.0);
    operation.begin_use();
    operation.multiply();
    CHECK(is_right(operation, given));
}
