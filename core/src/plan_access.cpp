// Which of the four ways (as is, swapped, staged, both) gives the tile its operands in forms that it takes.
#include <tune_gemm/blocked.hpp>

#include "access_form.hpp"

#include <fmt/format.h>

#include <optional>

namespace tune_gemm {
namespace {

std::string forms_text(tg_access access) {
    std::string text;
    const std::pair<tg_access, const char*> forms[] = {{TG_PACKED, "packed"},
                                                       {TG_ROW_UNIT, "in place with column stride 1"},
                                                       {TG_COL_UNIT, "in place with row stride 1"},
                                                       {TG_ANY, "in place with any strides"}};
    for (const auto& [bit, name] : forms) {
        if ((access & bit) != 0)
            text += (text.empty() ? "" : " or ") + std::string(name);
    }
    return text;
}

/// One input as the user has it, and what becomes of it in the kernel's view.
struct Input {
    Operand user;      ///< whose it is
    bool asked_packed; ///< by the candidate's packing
    bool scaled;       ///< alpha goes into it
    std::int64_t strips, depth;
    std::int64_t strip_stride, depth_stride;
};

/// Whether the input is packed in a view where the tile takes this side as `access`; or why it cannot be
/// served.
Outcome<bool> pack_input(const Input& input, tg_access access, bool left, Packing packing) {
    const std::string letter = input.user == Operand::a ? "A" : "B";
    if (input.asked_packed) {
        if ((access & TG_PACKED) != 0)
            return true;
        return Refusal{"packing",
                       fmt::format("Packing {} packs {}, which the tile takes only {}. Use a packing that "
                                   "leaves {} in place.",
                                   to_text(packing), letter, forms_text(access), letter)};
    }
    if (input.scaled && ((access & TG_PACKED) != 0 || takes_copy(access, left)))
        return true;
    if (!input.scaled) {
        const bool fits = left ? form_in_place(access, input.strips, input.depth, input.strip_stride,
                                               input.depth_stride) != Form::none
                               : form_in_place(access, input.depth, input.strips, input.depth_stride,
                                               input.strip_stride) != Form::none;
        if (fits)
            return false;
    }
    if (input.scaled)
        return Refusal{
            "alpha", fmt::format("alpha is not 1, so {} is copied before use, and the tile takes it only {}. "
                                 "Use alpha = 1 or another kernel.",
                                 letter, forms_text(access))};
    if ((access & ~tg_access{TG_PACKED}) == 0)
        return Refusal{"packing",
                       fmt::format("Packing {} leaves {} in place, which the tile takes only packed. Use a "
                                   "packing that packs {}.",
                                   to_text(packing), letter, letter)};
    return Refusal{
        input.user == Operand::a ? "layout_a" : "layout_b",
        fmt::format("{} has stride {} along the tile and {} along k, which the tile takes only {}. Use "
                    "another layout of {}{}.",
                    letter, input.strip_stride, input.depth_stride, forms_text(access), letter,
                    (access & TG_PACKED) != 0 ? ", or pack it" : "")};
}

Outcome<AccessPlan> plan_view(const GemmProblem& user, const GemmCandidate& candidate, const TileInfo& tile,
                              bool swap) {
    const Input a{Operand::a, packs_a(candidate.packing), false, user.m, user.k, user.a.row, user.a.column};
    const bool is_scaled = user.alpha != 1 && user.alpha != 0; // alpha = 0: B is not even read
    const Input b{Operand::b, packs_b(candidate.packing), is_scaled, user.n, user.k, user.b.column,
                  user.b.row};
    const auto packed_left = pack_input(swap ? b : a, tile.access_a, true, candidate.packing);
    if (!packed_left)
        return packed_left.refusal();
    const auto packed_right = pack_input(swap ? a : b, tile.access_b, false, candidate.packing);
    if (!packed_right)
        return packed_right.refusal();
    const GemmProblem view = swap ? swapped(user) : user;
    const bool staged = form_in_place(tile.access_c, view.m, view.n, view.c.row, view.c.column) == Form::none;
    return AccessPlan{swap, packed_left.value(), packed_right.value(), staged};
}

bool takes_all_in_place(const AccessPlan& access) {
    return !access.packed_a && !access.packed_b && !access.staged_c;
}

/// A matrix by columns times a vector, both as they lie. Exchanged, the columns are rows of B, which tiles
/// read along, and not strides of A.
bool is_sum_of_columns(const GemmProblem& problem, const AccessPlan& access) {
    return problem.n == 1 && problem.m > 1 && problem.a.row == 1 && problem.a.column != 1 &&
           takes_all_in_place(access);
}

} // namespace

Outcome<AccessPlan> plan_access(const GemmProblem& problem, const GemmCandidate& candidate,
                                const TileInfo& tile) {
    if ((tile.access_c & (TG_ROW_UNIT | TG_COL_UNIT | TG_ANY)) == 0)
        return Refusal{"microkernel_id", "The tile takes C in no form at all."};
    auto as_is = plan_view(problem, candidate, tile, false);
    const bool serves_as_is = as_is && !as_is.value().staged_c;
    if (serves_as_is && !is_sum_of_columns(problem, as_is.value()))
        return as_is;
    auto exchanged = plan_view(problem, candidate, tile, true);
    if (serves_as_is)
        return exchanged && takes_all_in_place(exchanged.value()) ? exchanged : as_is;
    if (exchanged && (!as_is || !exchanged.value().staged_c))
        return exchanged;
    return as_is;
}

} // namespace tune_gemm
