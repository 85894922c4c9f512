// The scalar blocked kernel against plain triple loops, and what the host costs per call.
//
//   bench_scalar [LARGEST]    cubes of side 64, 256, 1024 and 2048, up to LARGEST (default 2048)
//
// One thread, f64, row-major. Every contestant's C is compared bit for bit before anything is timed.
#include "loops.hpp"
#include "measure/in_turn.hpp"

#include <tune_gemm/buffer.hpp>
#include <tune_gemm/matrix.hpp>
#include <tune_gemm/prepared.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <string_view>

using namespace tune_gemm;
using namespace tune_gemm::bench;

namespace {

/// A product by the "bench" kernel, ready to run.
struct Blocked {
    PreparedGemm prepared;
    Buffer workspace;

    void run(const double* a, const double* b, double* c) {
        prepared.run({.a = a, .b = b, .c = c, .workspace = workspace.bytes()});
    }
};

Blocked prepare(const GemmShape& shape, const std::string& id, const Catalogue& catalogue) {
    auto prepared =
        PreparedGemm::make(problem_of(shape), parse_candidate_id(id), default_workspace_limit, catalogue);
    if (!prepared)
        throw_bad_input(prepared.refusal().reason);
    Buffer workspace(prepared.value().workspace_demand(), Buffer::Use::workspace);
    return {std::move(prepared.value()), std::move(workspace)};
}

void compare_with_loops(std::int64_t largest, const Catalogue& catalogue) {
    const std::string id = "64x256x256:4x4:bench:n_k_m:ab:workspace:compute";
    fmt::print("scalar blocked ({}) and plain triple loops, GFLOP/s and ratios of medians\n\n", id);
    fmt::print("{:>6} {:>9} {:>9} {:>9} {:>12} {:>12}\n", "cube", "blocked", "loop ijl", "loop ilj",
               "over ijl", "over ilj");
    const struct {
        std::int64_t side;
        int rounds;
        std::int64_t calls;
    } cubes[] = {{64, 31, 20}, {256, 15, 1}, {1024, 5, 1}, {2048, 3, 1}};
    for (const auto& [side, rounds, calls] : cubes) {
        if (side > largest)
            break;
        const GemmShape shape{.m = side, .n = side, .k = side};
        const auto a = reproducible_operand(1, shape, Operand::a),
                   b = reproducible_operand(2, shape, Operand::b);
        std::vector<double> by_blocks(a.size()), by_loop(a.size()), by_rows(a.size());
        Blocked blocked = prepare(shape, id, catalogue);
        // The warm-up call of each contestant leaves the C that is compared below.
        const auto ns = host::medians_in_turn(
            {[&] { blocked.run(a.data(), b.data(), by_blocks.data()); },
             [&, n = side] { triple_loop(n, a.data(), b.data(), by_loop.data()); },
             [&, n = side] { triple_loop_by_rows(n, a.data(), b.data(), by_rows.data()); }},
            rounds, calls);
        const std::size_t bytes = by_loop.size() * sizeof(double);
        if (std::memcmp(by_blocks.data(), by_loop.data(), bytes) != 0 ||
            std::memcmp(by_rows.data(), by_loop.data(), bytes) != 0)
            throw Error(ErrorKind::failed, fmt::format("The products of the cube of side {} differ.", side));
        const double flop =
            2.0 * static_cast<double>(side) * static_cast<double>(side) * static_cast<double>(side);
        fmt::print("{:>6} {:>9.2f} {:>9.2f} {:>9.2f} {:>12.2f} {:>12.2f}\n", side, flop / ns[0], flop / ns[1],
                   flop / ns[2], ns[1] / ns[0], ns[2] / ns[0]);
    }
}

/// The arguments with which the driver calls the tile for one 4x4x4 product.
tg_tile_args single_tile(const double* a, const double* b, double* c) {
    tg_tile_args args{};
    args.struct_size = sizeof args;
    args.m = args.n = args.k = 4;
    args.a = a;
    args.b = b;
    args.c = c;
    args.rs_a = args.rs_b = args.rs_c = 4;
    args.cs_a = args.cs_b = args.cs_c = 1;
    return args;
}

void cost_of_host(const Catalogue& catalogue) {
    const GemmShape shape{.m = 4, .n = 4, .k = 4};
    const auto a = reproducible_operand(1, shape, Operand::a), b = reproducible_operand(2, shape, Operand::b);
    std::vector<double> c(16);
    const tg_tile_args args = single_tile(a.data(), b.data(), c.data());
    const tg_kernel* kernel = portable_kernel();
    const std::string in_place_id = "4x4x4:4x4:bench:m_n_k:none:workspace:compute";
    const std::string packed_id = "4x4x4:4x4:bench:m_n_k:ab:workspace:compute";
    Blocked in_place = prepare(shape, in_place_id, catalogue), packed = prepare(shape, packed_id, catalogue);
    const auto ns = host::medians_in_turn(
        {[&] { kernel->tiles[0]->run(kernel, &args); }, [&] { in_place.run(a.data(), b.data(), c.data()); },
         [&] { packed.run(a.data(), b.data(), c.data()); }, [&] { prepare(shape, in_place_id, catalogue); }},
        31, 20000);
    fmt::print("\nthe host's cost per call at 4x4x4, nanoseconds (medians)\n\n");
    fmt::print("{:>8.1f}  the tile alone\n", ns[0]);
    fmt::print("{:>8.1f}  a prepared product, in place: {:.1f} for the host\n", ns[1], ns[1] - ns[0]);
    fmt::print("{:>8.1f}  a prepared product, A and B packed: {:.1f} for the host and packing\n", ns[2],
               ns[2] - ns[0]);
    fmt::print("{:>8.1f}  preparing it from the text of an id, workspace included\n", ns[3]);
}

} // namespace

int main(int count, char** arguments) {
    std::int64_t largest = 2048;
    if (count > 1) {
        const std::string_view text = arguments[1];
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), largest);
        if (fault != std::errc() || end != text.data() + text.size() || count > 2) {
            fmt::print(stderr, "bench_scalar: {} is not the side of a cube; usage: bench_scalar [LARGEST]\n",
                       text);
            return 2;
        }
    }
    try {
        Catalogue catalogue;
        catalogue.add(describe_kernel(portable_kernel()));
        compare_with_loops(largest, catalogue);
        cost_of_host(catalogue);
    } catch (const Error& error) {
        fmt::print(stderr, "bench_scalar: {}\n", error.what());
        return 1;
    }
    return 0;
}
