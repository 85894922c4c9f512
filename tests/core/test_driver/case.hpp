// One product to be carried out in many ways: operands, the reference's result, and where they lie.
#pragma once
#include "placed.hpp"

#include <tune_gemm/matrix.hpp>
#include <tune_gemm/prepared.hpp>
#include <tune_gemm/reference.hpp>

#include <fmt/format.h>

#include <string>
#include <type_traits>

namespace tune_gemm::test {

template <class T>
std::vector<T> entries_of(std::uint64_t seed, const GemmShape& shape, Operand operand) {
    auto values = reproducible_operand(seed, shape, operand);
    if constexpr (std::is_same_v<T, float>)
        return to_f32(values);
    else
        return values;
}

template <class T>
struct Case {
    GemmShape shape;
    double alpha = 1, beta = 0;
    std::vector<T> a, b, c, expected; ///< tight; c is what C holds before

    Case(const GemmShape& s, double alpha_, double beta_, std::uint64_t seed = 1)
        : shape(s), alpha(alpha_), beta(beta_), a(entries_of<T>(seed, s, Operand::a)),
          b(entries_of<T>(seed + 100, s, Operand::b)), c(entries_of<T>(seed + 200, s, Operand::c)) {
        refresh();
    }
    /// After a change of the operands.
    void refresh() {
        expected = c;
        gemm_reference_general<T>(shape, alpha, a, b, beta, expected, TG_TWO_ROUNDINGS);
    }
};

/// A case with all operands placed alike.
template <class T>
struct Layed {
    Placed<T> a, b, c, expected;
    GemmProblem problem;

    Layed(const Case<T>& given, Lay lay, Lay lay_c)
        : a(place<T>(given.shape, Operand::a, given.a, lay)),
          b(place<T>(given.shape, Operand::b, given.b, lay)),
          c(place<T>(given.shape, Operand::c, given.c, lay_c)),
          expected(place<T>(given.shape, Operand::c, given.expected, lay_c)), problem{.m = given.shape.m,
                                                                                      .n = given.shape.n,
                                                                                      .k = given.shape.k,
                                                                                      .batch =
                                                                                          given.shape.batch,
                                                                                      .a = a.strides,
                                                                                      .b = b.strides,
                                                                                      .c = c.strides,
                                                                                      .alpha = given.alpha,
                                                                                      .beta = given.beta} {}
};

inline constexpr std::int64_t no_limit = std::int64_t{1} << 40;

/// Carries the case out; "" when C came out bit for bit with its surroundings untouched, else what went
/// wrong. `workspace` grows as needed.
template <class T>
std::string run_case(const Layed<T>& layed, const GemmCandidate& candidate, const Catalogue& catalogue,
                     std::vector<std::byte>& workspace, AccessPlan* access = nullptr) {
    auto prepared = PreparedGemm::make(layed.problem, candidate, no_limit, catalogue);
    if (!prepared)
        return "refused: " + prepared.refusal().field + ": " + prepared.refusal().reason;
    if (access != nullptr)
        *access = prepared.value().resolution().access;
    const auto demand = static_cast<std::size_t>(prepared.value().workspace_demand());
    if (workspace.size() < demand)
        workspace.resize(demand);
    const bool ahead_a = prepacks_a(candidate.allocation_mode),
               ahead_b = prepacks_b(candidate.allocation_mode);
    PackedOperand packed_a, packed_b;
    if (ahead_a)
        packed_a = prepared.value().prepack(Operand::a, layed.a.data());
    if (ahead_b)
        packed_b = prepared.value().prepack(Operand::b, layed.b.data());
    Placed<T> c = layed.c;
    prepared.value().run({.a = ahead_a ? nullptr : layed.a.data(),
                          .b = ahead_b ? nullptr : layed.b.data(),
                          .c = c.data(),
                          .workspace = std::span(workspace).first(demand),
                          .packed_a = ahead_a ? &packed_a : nullptr,
                          .packed_b = ahead_b ? &packed_b : nullptr});
    return same_memory(c.memory, layed.expected.memory) ? ""
                                                        : "C differs from the reference, or its surroundings";
}

inline std::string case_text(const GemmShape& shape, const GemmCandidate& candidate, Lay lay) {
    return fmt::format("{} {} {} lay {}", shape_text(shape), layouts_text(shape), candidate_id(candidate),
                       static_cast<int>(lay));
}

inline constexpr Packing every_packing[] = {Packing::none, Packing::a, Packing::b, Packing::ab};
inline constexpr LoopOrder every_order[] = {LoopOrder::m_n_k, LoopOrder::n_k_m};

} // namespace tune_gemm::test
