// workspace.: what is declared is all that is needed, and all that is touched.
#include "conformance/product_sweep.hpp"
#include "conformance/subject.hpp"

namespace tune_gemm::host {
namespace {

void check_exact(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { sweep_workspace<decltype(zero)>(context, tally); });
}

void check_moved(const CheckContext& context, Tally& tally) {
    with_type(context, [&](auto zero) { sweep_moving_workspace<decltype(zero)>(context, tally); });
}

using std::chrono::seconds;

const Check workspace_table[] = {
    {"workspace.exact",
     "A workspace of exactly the bytes declared suffices, nothing outside it is touched, and what it holds "
     "before does not "
     "matter.",
     Severity::must, Scope::tile, seconds(20), check_exact},
    {"workspace.moved", "Nothing is kept in the workspace from one run to the next, nor at its address.",
     Severity::must, Scope::tile, seconds(20), check_moved},
};

} // namespace

std::span<const Check> workspace_checks() noexcept {
    return workspace_table;
}

} // namespace tune_gemm::host
