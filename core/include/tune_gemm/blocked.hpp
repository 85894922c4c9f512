// The blocked driver: carries a register tile over cache blocks.
//
// For each batch, the loops over blocks of m, n and k run in the candidate's order. A block of A is packed
// when the loops reach one that is not in the buffer already; B likewise. In the innermost block, a sweep
// calls the tile for each mr x nr piece; the arguments are filled once a sweep. beta goes onto a block of C
// before its first k block, alpha into B as it is packed. So every entry of C is summed in increasing l,
// whatever the blocks.
//
// The tile may lack the form of an operand: then the driver works on C^T = B^T*A^T ("swapped", and mr, nr,
// mc, nc are the kernel's view: its m is the user's n), or copies pieces of C through the C part of the
// workspace ("staged"). The packing field names the user's operands.
//
// Blocks are evened out: 1025 rows in blocks of at most 192 become six of 176 or fewer, not five of 192 and
// one of 65. Several threads claim parts of a product while it runs: matrices of the batch, rows, columns;
// none shares the sum of an entry. In the order n_k_m they pack each block of B together, once, into one
// buffer.
#pragma once
#include <tune_gemm/candidate.hpp>
#include <tune_gemm/catalogue.hpp>
#include <tune_gemm/packing.hpp>
#include <tune_gemm/problem.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tune_gemm {

/// How a tile gets at its operands.
struct AccessPlan {
    bool swapped = false;  ///< the driver computes C^T = B^T*A^T
    bool packed_a = false; ///< of the kernel's A (the user's B when swapped)
    bool packed_b = false;
    bool staged_c = false;
};

/// Cache blocks evened out over the problem: at most the candidate's mc, nc and kc.
struct EvenBlocks {
    std::int64_t m = 0, n = 0, k = 0;
};

/// How several threads share a product. Each claims units, rectangles of whole tiles of C, until none is
/// left; so who is held up leaves more to the others.
struct Division {
    unsigned threads = 1;               ///< that take part at most
    bool shares_b = false;              ///< all pack each block of B together, else each packs its own
    std::int64_t rows = 0, columns = 0; ///< of a unit, multiples of mr and nr or all that there are
    std::int64_t least = 1;             ///< units that are worth a claim
    std::int64_t stripes = 1;           ///< so many times nc columns are in a shared block of B; each thread
                                        ///< begins with columns of its own when there are several
    bool operator==(const Division&) const = default;
};

/// Products in one block whose operands the tile takes as they lie: nothing is packed, staged or shared, so a
/// run is a sweep of tile calls and nothing else. For small ones the calls are written down.
struct DirectWay {
    /// A call of the tile, and where in each matrix it works, in elements.
    struct Call {
        tg_tile_run run = nullptr;
        std::int64_t m = 0, n = 0, a = 0, b = 0, c = 0;
    };
    static constexpr int most_calls = 32;

    bool is_open = false;
    bool hints = false;      ///< large enough to leave the second cache
    std::int64_t demand = 0; ///< workspace_demand
    int calls = 0;           ///< that make up a matrix, in order; 0: not written down
    Call call[most_calls];
};

/// Everything about a product that does not change from call to call. Plain data: made once, run many times,
/// by several threads at once when each brings its own C and workspace.
struct BlockedPlan {
    GemmProblem problem; ///< in the kernel's view
    GemmCandidate candidate;
    AccessPlan access;
    EvenBlocks block;
    Division division;
    DirectWay direct;
    PanelShape panel_a, panel_b;
    tg_dtype dtype = TG_F64;
    const tg_kernel* kernel = nullptr;
    std::int64_t align_packed = 0; ///< bytes; at least the element size
    tg_tile_run run = nullptr;     ///< serves every call
    /// What stays the same in a sweep: the strides of whole panels, of operands in place and of C (or of its
    /// stage); m and n of a whole tile, at most the problem's. Pointers are null.
    tg_tile_args typical{};
    /// What the kernel's `select` gave for calls with typical's m and n, without [0] and with [1]
    /// TG_ACCUMULATE; `run` where it gave nothing.
    tg_tile_run selected[2] = {nullptr, nullptr};
    void (*enter)(const tg_kernel*) noexcept = nullptr; ///< may be null
    void (*leave)(const tg_kernel*) noexcept = nullptr;
};

/// Chooses how the tile gets its operands, preferring what copies least: as is, swapped, staged, swapped and
/// staged. A matrix by columns times a vector goes swapped where that copies nothing. Refuses with the
/// candidate's or shape's field. Needs a candidate for which valid_candidate holds.
Outcome<AccessPlan> plan_access(const GemmProblem&, const GemmCandidate&, const TileInfo&);
/// `kernel` is loaded in this process (kernel.kernel is not null). Zero extents are allowed here. At most
/// `threads` take part, fewer where there is too little work for them.
Outcome<BlockedPlan> plan_blocked(const GemmProblem&, const GemmCandidate&, const KernelInfo&,
                                  unsigned threads = 1);

/// What run_blocked may use at most: workspace_bytes(candidate) for each thread that takes part, a packed
/// block of B counted as often as it is there (see Division::stripes); and besides, for tiles whose packed
/// panels want more alignment than their element, the declared slack of that alignment for each packed block.
std::int64_t workspace_demand(const BlockedPlan&) noexcept;

/// The caller's memory for one run. The packed operands may be null; those given replace packing.
struct BlockedOperands {
    const void* a = nullptr; ///< the user's A; null when empty or prepacked
    const void* b = nullptr;
    void* c = nullptr;
    std::span<std::byte> workspace{}; ///< at least workspace_demand, aligned to the element
    const PackedOperand* packed_a = nullptr;
    const PackedOperand* packed_b = nullptr;
};

/// Multiplies. Zero extents as in BLAS: m, n or batch = 0 does nothing; k = 0 or alpha = 0 gives beta*C
/// without reading A and B; beta = 0 writes C without reading it. Throws Error (bad_input) before touching C
/// when the workspace is too small or a packed operand was made for another plan. Allocates nothing. Several
/// threads can run plans at once; those that ask for helpers while another run has them work alone.
void run_blocked(const BlockedPlan&, const BlockedOperands&);

/// Packs the whole operand (a: the user's A) for this plan; with B goes alpha. Throws Error (bad_input) when
/// the plan takes that operand in place. Where run_blocked would not read the operand (alpha or k = 0),
/// nothing is read or held.
PackedOperand prepack(const BlockedPlan&, Operand, const void* data);
/// What prepack would make, without its data.
PackedOperand packed_description(const BlockedPlan&, Operand);
/// Its bytes. Throws Error on overflow.
std::int64_t packed_bytes(const BlockedPlan&, Operand);

} // namespace tune_gemm
