// One configuration of a product: cache blocks, register tile, kernel, packing, and how it is to be timed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tune_gemm {

/// Which of the user's operands are packed, block by block, into micro-panels.
enum class Packing : std::uint8_t { none, a, b, ab };
/// m_n_k: blocks of m outermost, k innermost. n_k_m: Goto's order, a kc x nc panel of B outermost, then
/// mc x kc blocks of A. own: a whole-gemm kernel's own loops.
enum class LoopOrder : std::uint8_t { m_n_k, n_k_m, own };
/// fresh: C and buffers are allocated in each operation. reuse_output: C is the caller's, buffers are
/// allocated. workspace: both are the caller's. prepacked_*: besides, whole operands were packed before.
enum class AllocationMode : std::uint8_t {
    fresh,
    reuse_output,
    workspace,
    prepacked_a,
    prepacked_b,
    prepacked_ab
};

/// What the clock spans. compute: the multiplication alone, packing of blocks included. end_to_end: set-up
/// and allocation too. amortized: set-up spread over `uses` operations. steady_state: repeated calls on warm
/// buffers. Times of different scopes are never ranked against each other.
struct TimingScope {
    enum class Kind : std::uint8_t { compute, end_to_end, amortized, steady_state };
    Kind kind = Kind::compute;
    std::int64_t uses = 0; ///< R of amortized_R; 0 for the other kinds
    bool operator==(const TimingScope&) const = default;
};

struct GemmCandidate {
    std::int64_t mc = 0, nc = 0, kc = 0; ///< cache block, in elements
    std::int64_t mr = 0, nr = 0;         ///< register tile, in elements
    Packing packing = Packing::ab;
    LoopOrder loop_order = LoopOrder::m_n_k;
    std::string microkernel_id{};
    AllocationMode allocation_mode = AllocationMode::workspace;
    TimingScope timing_scope{};
    bool operator==(const GemmCandidate&) const = default;
};

std::string_view to_text(Packing) noexcept;
std::string_view to_text(LoopOrder) noexcept;
std::string_view to_text(AllocationMode) noexcept;
std::string to_text(const TimingScope&);
/// The parsers throw Error naming the field, the text and what is allowed.
Packing parse_packing(std::string_view);
LoopOrder parse_loop_order(std::string_view);
AllocationMode parse_allocation_mode(std::string_view);
TimingScope parse_timing_scope(std::string_view);

constexpr bool packs_a(Packing p) noexcept {
    return p == Packing::a || p == Packing::ab;
}
constexpr bool packs_b(Packing p) noexcept {
    return p == Packing::b || p == Packing::ab;
}
constexpr bool prepacks_a(AllocationMode m) noexcept {
    return m == AllocationMode::prepacked_a || m == AllocationMode::prepacked_ab;
}
constexpr bool prepacks_b(AllocationMode m) noexcept {
    return m == AllocationMode::prepacked_b || m == AllocationMode::prepacked_ab;
}

/// "mcxncxkc:mrxnr:microkernel_id:loop_order:packing:allocation:timing", e.g.
/// "64x64x32:4x4:scalar:m_n_k:ab:workspace:compute".
std::string candidate_id(const GemmCandidate&);
/// The candidate that candidate_id wrote. Throws Error naming the bad field. Only the text is judged here;
/// whether the candidate can run is valid_candidate's matter. Numbers are canonical: no sign, no leading 0.
GemmCandidate parse_candidate_id(std::string_view);

/// element_size * (mc*kc + kc*nc + mc*nc) bytes: the packed block of A, the packed panel of B and the staging
/// of C. 0 when a block size is not positive. Throws Error when it does not fit 64 bits.
std::int64_t workspace_bytes(const GemmCandidate&, std::size_t element_size = sizeof(double));

/// The hard limit where none is given: 16 MiB a thread.
inline constexpr std::int64_t default_workspace_limit = std::int64_t{16} << 20;
/// The limit of the default grid: its largest block, 128x128x64, needs exactly this.
inline constexpr std::int64_t default_grid_limit = 262144;

} // namespace tune_gemm
