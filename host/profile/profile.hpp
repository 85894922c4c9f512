// Where the time of one tile, or of a kernel with blocking of its own, goes at a shape.
#pragma once
#include "measure/answers.hpp"
#include "profile/program_counter.hpp"

#include <tune_gemm/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tune_gemm::host {

/// GFLOP/s of fused multiply-adds on registers, one thread.
struct Peak {
    std::string instructions; ///< "AVX-512", "AVX2"; empty where no loop for this processor is known
    double gflops = 0;

    bool is_known() const noexcept { return gflops > 0; }
    double share_of(double rate) const noexcept { return rate / gflops; }
};

/// The tile called on packed operands that stay in the nearest cache.
struct TileAlone {
    std::int64_t k = 0;
    double gflops = 0;
    CodeSamples seen; ///< of its calls, in the plugin's file
};

/// Shares of the time of a product, together 1. A and B are the user's.
struct TimeShares {
    double tile = 0;  ///< calls on whole tiles
    double edges = 0; ///< calls on less than a whole tile
    double pack_a = 0, pack_b = 0;
    double rest = 0; ///< loops, beta, staging
};

/// The product on several threads.
struct Threaded {
    std::int64_t threads = 1;
    double gflops = 0;
};

struct Profile {
    Resolution resolution;
    Judgement judgement;       ///< of a product; what is wrong is not timed, and the rest is empty
    std::string wrong;         ///< what the tile alone computed wrong; empty when it did not
    Peak peak;                 ///< with the instructions that the kernel declares, or else the processor's
    Peak processor_peak;       ///< with the widest that the processor has
    double product_gflops = 0; ///< of the whole product in the driver
    std::optional<TileAlone> alone;   ///< of a tile
    std::optional<TimeShares> shares; ///< of a tile
    TimeShares spread;                ///< half the interval of each share's median over the rounds
    std::optional<Threaded> threaded; ///< where more than one thread was asked for
    double product_ns = 0;            ///< of the whole product, one thread
    std::int64_t tile_calls = 0;      ///< in a product with one matrix and one block in k
    double edge_work = 0;             ///< the part of the multiply-adds that falls to edges
    double away = 0; ///< the part of the product's time in which other programs had the processor

    bool is_correct() const noexcept { return judgement.correct && wrong.empty(); }
    /// GFLOP/s of the tile in the driver: the calls of the tile, edges included, without what is around them.
    double in_driver_gflops() const noexcept { return product_gflops / (shares->tile + shares->edges); }
};

/// Whether the rounds disagree by more than the share, and by more than can be passed over.
bool is_unsteady(double share, double spread) noexcept;

/// Whether so much of the time was other programs' that rates and shares are not the kernel's.
bool is_disturbed(double away) noexcept;

/// "4.2 %", "63 %"
std::string share_text(double share);

json::object profile_json(const Profile&);
Profile parse_profile(const json::Field&);

} // namespace tune_gemm::host
