// alpha, beta, zero extents, and what is never read.
#include "case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace tune_gemm;
using namespace tune_gemm::test;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Runs the case through every packing and order of a small scalar candidate; the first fault, or "".
std::string run_everywhere(const Case<double>& given, Lay lay = Lay::odd) {
    std::vector<std::byte> workspace;
    const Layed<double> layed(given, lay, lay);
    for (const Packing packing : every_packing)
        for (const LoopOrder order : every_order) {
            GemmCandidate candidate = parse_candidate_id("6x5x4:2x3:scalar:m_n_k:ab:workspace:compute");
            candidate.packing = packing;
            candidate.loop_order = order;
            if (const auto fault = run_case(layed, candidate, builtin_catalogue(), workspace); !fault.empty())
                return case_text(given.shape, candidate, lay) + ": " + fault;
        }
    return "";
}

void fill(std::vector<double>& values, double value) {
    std::fill(values.begin(), values.end(), value);
}

} // namespace

TEST_CASE("general: alpha and beta as in the reference, across blocks of k") {
    for (const double alpha : {1.0, -1.0, 0.7, 0x1p-30, 0x1p30, 0.0, -0.0})
        for (const double beta : {0.0, -0.0, 1.0, -1.0, 0.3, 0x1p30})
            for (const int layouts : {0, 3, 6})
                for (const std::int64_t k : {1, 4, 5, 9}) {
                    const Case<double> given(with_layouts({.m = 7, .n = 11, .k = k, .batch = 2}, layouts),
                                             alpha, beta);
                    CHECK(run_everywhere(given) == "");
                }
}

TEST_CASE("general: NaN and infinity in what is read are where the reference has them") {
    for (const double plant : {nan_value, infinity, -infinity})
        for (const double alpha : {1.0, 0.5})
            for (const double beta : {0.0, 1.0, 0.5}) {
                Case<double> given({.m = 7, .n = 8, .k = 9}, alpha, beta);
                given.a[3 * 9 + 5] = plant;
                given.b[4 * 8 + 6] = plant;
                given.b[2 * 8 + 1] = 0;
                given.c[6 * 8 + 7] = plant;
                given.refresh();
                CHECK(run_everywhere(given) == "");
            }
    Case<double> nan_alpha({.m = 7, .n = 8, .k = 9}, nan_value, 0.5);
    CHECK(run_everywhere(nan_alpha) == "");
    Case<double> nan_beta({.m = 7, .n = 8, .k = 9}, 0.5, nan_value);
    CHECK(run_everywhere(nan_beta) == "");
}

TEST_CASE("general: beta = 0 does not read C, alpha = 0 reads neither A nor B") {
    for (const double filling : {nan_value, infinity}) {
        for (const double beta : {0.0, -0.0}) {
            Case<double> given({.m = 7, .n = 8, .k = 9}, 0.7, beta);
            fill(given.c, filling);
            given.refresh();
            REQUIRE(given.expected[0] == given.expected[0]);
            CHECK(run_everywhere(given) == "");
        }
        for (const double beta : {0.0, 1.0, 0.5}) {
            Case<double> given({.m = 7, .n = 8, .k = 9}, 0.0, beta);
            fill(given.a, filling);
            fill(given.b, filling);
            given.refresh();
            CHECK(run_everywhere(given) == "");
        }
    }
}

TEST_CASE("general: alpha = 0 and k = 0 give beta*C with A and B absent") {
    for (const auto& [alpha, k] : {std::pair<double, std::int64_t>{0, 9}, {0.7, 0}}) {
        for (const double beta : {0.0, 1.0, 0.5}) {
            const Case<double> given({.m = 7, .n = 8, .k = k, .batch = 2}, alpha, beta);
            const auto candidate = parse_candidate_id("6x5x4:2x3:scalar:m_n_k:ab:workspace:compute");
            const auto prepared =
                PreparedGemm::make(problem_of(given.shape, alpha, beta), candidate, no_limit);
            REQUIRE(prepared);
            std::vector<std::byte> workspace(static_cast<std::size_t>(prepared.value().workspace_demand()));
            std::vector<double> c = given.c;
            prepared.value().run({.c = c.data(), .workspace = workspace});
            CHECK(same_memory(c, given.expected));
        }
    }
}

TEST_CASE("general: zero extents") {
    for (const std::int64_t m : {0, 5})
        for (const std::int64_t n : {0, 7})
            for (const std::int64_t k : {0, 9})
                for (const std::int64_t batch : {0, 2})
                    for (const double beta : {0.0, 1.0, 0.5}) {
                        const Case<double> given({.m = m, .n = n, .k = k, .batch = batch}, 0.7, beta);
                        CHECK(run_everywhere(given) == "");
                        CHECK(run_everywhere(given, Lay::tight) == "");
                    }
    // Nothing to do: nothing is touched, not even null.
    const auto candidate = parse_candidate_id("6x5x4:2x3:scalar:m_n_k:ab:workspace:compute");
    const auto prepared = PreparedGemm::make(problem_of({.m = 0, .n = 8, .k = 9}), candidate, no_limit);
    REQUIRE(prepared);
    std::vector<std::byte> workspace(static_cast<std::size_t>(prepared.value().workspace_demand()));
    CHECK_NOTHROW(prepared.value().run({.workspace = workspace}));
}

TEST_CASE("general: an A or B shared by the whole batch, or whose rows are one row") {
    const Case<double> given({.m = 7, .n = 8, .k = 9, .batch = 3}, 1, 0);
    Case<double> same = given;
    for (std::size_t batch = 1; batch < 3; ++batch) {
        std::copy_n(same.a.begin(), 7 * 9, same.a.begin() + static_cast<std::ptrdiff_t>(batch * 7 * 9));
        std::copy_n(same.b.begin(), 9 * 8, same.b.begin() + static_cast<std::ptrdiff_t>(batch * 9 * 8));
    }
    for (std::size_t i = 0; i < same.a.size(); ++i)
        same.a[i] = same.a[i % 9];
    same.refresh();
    Layed<double> layed(same, Lay::tight, Lay::tight);
    layed.problem.a = {0, 1, 0};
    layed.problem.b.batch = 0;
    std::vector<std::byte> workspace;
    for (const Packing packing : every_packing)
        for (const LoopOrder order : every_order) {
            GemmCandidate candidate = parse_candidate_id("6x5x4:2x3:scalar:m_n_k:ab:workspace:compute");
            candidate.packing = packing;
            candidate.loop_order = order;
            CHECK(run_case(layed, candidate, builtin_catalogue(), workspace) == "");
        }
}

TEST_CASE("general: extents and strides beyond 64 bits are refused by name") {
    const auto candidate = parse_candidate_id("6x5x4:2x3:scalar:m_n_k:ab:workspace:compute");
    const auto field_of = [&](const GemmProblem& problem) {
        const auto prepared = PreparedGemm::make(problem, candidate, no_limit);
        REQUIRE(!prepared);
        return prepared.refusal().field;
    };
    GemmProblem problem = problem_of({.m = 7, .n = 8, .k = 9});
    problem.m = -1;
    CHECK(field_of(problem) == "m");
    problem = problem_of({.m = 7, .n = 8, .k = 9});
    problem.b.row = std::int64_t{1} << 61;
    CHECK(field_of(problem) == "b");
    problem = problem_of({.m = 7, .n = 8, .k = 9});
    problem.c.column = std::numeric_limits<std::int64_t>::min();
    CHECK(field_of(problem) == "c");
}
