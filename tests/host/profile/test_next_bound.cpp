// What is named as the next thing to look at.
#include "measure/clock.hpp"
#include "measure/in_turn.hpp"
#include "profile/next_bound.hpp"
#include "profile/product_parts.hpp"

#include <tune_gemm/blocked.hpp>
#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

/// A 6x8 tile at 80 % of its peak in the driver, 100 GFLOP/s.
Profile sound_profile() {
    Profile profile;
    profile.resolution.candidate = parse_candidate_id("192x480x256:6x8:k:n_k_m:ab:workspace:compute");
    profile.judgement.correct = true;
    profile.peak = profile.processor_peak = {"AVX2", 100};
    profile.alone = {256, 99, {}};
    profile.tile_calls = 100;
    profile.product_gflops = 97;
    profile.shares = {.tile = 0.98, .edges = 0, .pack_a = 0.01, .pack_b = 0.01, .rest = 0};
    return profile;
}

/// A sound loop: 12 sums, 8 loads.
InnerLoop sound_loop() {
    InnerLoop loop;
    loop.lines.resize(24);
    loop.samples = 290, loop.all_samples = 300;
    loop.fma = 12, loop.loads = 8, loop.sums = 12, loop.register_bytes = 32;
    loop.arithmetic = "vfmadd231pd";
    return loop;
}

bool says(const std::string& sentence, const std::string& words) {
    INFO(sentence);
    return sentence.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("where nothing takes much, that is said, and what other instructions would give") {
    Profile profile = sound_profile();
    CHECK(
        says(next_bound(profile, nullptr), "Nothing takes much: the product reaches 97 % of the AVX2 peak."));
    profile.processor_peak = {"AVX-512", 200};
    CHECK(says(next_bound(profile, nullptr), "with AVX-512 this processor's is 2 times as high"));
}

TEST_CASE("the largest loss is named") {
    Profile profile = sound_profile();
    profile.product_gflops = 60;
    SUBCASE("packing, of the operand that is packed") {
        profile.shares = {.tile = 0.6, .edges = 0, .pack_a = 0.1, .pack_b = 0.3, .rest = 0};
        CHECK(says(next_bound(profile, nullptr), "Packing of B: 30 % of the time"));
        CHECK(says(next_bound(profile, nullptr), "a larger mc than 192"));
        profile.shares = {.tile = 0.6, .edges = 0, .pack_a = 0.3, .pack_b = 0.1, .rest = 0};
        CHECK(says(next_bound(profile, nullptr), "Packing of A: 30 % of the time"));
        CHECK(says(next_bound(profile, nullptr), "a larger nc than 480"));
        profile.resolution.access.swapped = true;
        CHECK(says(next_bound(profile, nullptr), "a larger mc than 192"));
    }
    SUBCASE("edges, beside what they compute") {
        profile.shares = {.tile = 0.5, .edges = 0.5, .pack_a = 0, .pack_b = 0, .rest = 0};
        profile.edge_work = 0.1;
        CHECK(says(next_bound(profile, nullptr), "Edges: 50 % of the time for 10 % of the work"));
        CHECK(!says(next_bound(profile, nullptr), "unsteady"));
        profile.spread.edges = 0.6;
        CHECK(says(next_bound(profile, nullptr), "That share is unsteady"));
    }
    SUBCASE("the loops around") {
        profile.shares = {.tile = 0.6, .edges = 0, .pack_a = 0, .pack_b = 0, .rest = 0.4};
        CHECK(says(next_bound(profile, nullptr), "The driver: 40 % of the time"));
        profile.resolution.access.staged_c = true;
        CHECK(says(next_bound(profile, nullptr), "which is staged"));
    }
    SUBCASE("memory, when the tile is slower in the driver than alone") {
        profile.shares = {.tile = 1, .edges = 0, .pack_a = 0, .pack_b = 0, .rest = 0};
        CHECK(says(next_bound(profile, nullptr),
                   "Memory: in the driver the tile reaches 61 % of its speed alone"));
    }
    SUBCASE("the tile, with the reason that its loop shows") {
        profile.alone->gflops = 61;
        profile.shares = {.tile = 1, .edges = 0, .pack_a = 0, .pack_b = 0, .rest = 0};
        InnerLoop loop = sound_loop();
        CHECK(says(next_bound(profile, nullptr), "The tile: alone it reaches 61 % of the AVX2 peak."));
        CHECK(says(next_bound(profile, &loop), "which is sound"));
        loop.loads = 24;
        CHECK(says(next_bound(profile, &loop), "has 2 loads for each fused multiply-add"));
        loop.loads = 8, loop.sums = 4;
        CHECK(says(next_bound(profile, &loop), "adds to 4 registers"));
        loop.stores = 3;
        CHECK(says(next_bound(profile, &loop), "stores 3 registers an iteration"));
        loop.stores = 0, loop.sums = 12, loop.lines.resize(50);
        CHECK(says(next_bound(profile, &loop), "50 instructions for 12 fused multiply-adds"));
        loop.fma = 0, loop.multiplications = 12, loop.arithmetic = "vmulpd";
        CHECK(says(next_bound(profile, &loop), "multiplies and adds in two instructions"));
        loop.register_bytes = 16;
        CHECK(says(next_bound(profile, &loop), "registers of 16 bytes (vmulpd), where AVX2 has 32"));
        loop.register_bytes = 8, loop.arithmetic = "mulsd";
        CHECK(says(next_bound(profile, &loop), "one entry at a time (mulsd)"));
        loop.multiplications = 0;
        CHECK(says(next_bound(profile, &loop), "in a loop that does not multiply"));
        loop.samples = 100;
        CHECK(says(next_bound(profile, &loop), "spread over several loops"));
    }
}

TEST_CASE("without a peak, and for whole products, what can be said is said") {
    Profile profile = sound_profile();
    profile.peak = profile.processor_peak = {};
    CHECK(says(next_bound(profile, nullptr), "the peak of this processor is not known here"));
    Profile whole = sound_profile();
    whole.alone.reset(), whole.shares.reset();
    CHECK(says(next_bound(whole, nullptr), "The whole product reaches 97 % of the AVX2 peak"));
}

TEST_CASE("shares of a product come from its times with parts left out, and sum to 1") {
    const GemmShape shape{.m = 10, .n = 9, .k = 20};
    const KernelInfo& kernel = *builtin_catalogue().find("scalar");
    const std::vector<double> a(200, 1.0), b(180, 1.0);
    const auto parts = [&](const char* id) {
        return ProductParts(plan_blocked(problem_of(shape, 1, 0), parse_candidate_id(id), kernel).value(),
                            a.data(), b.data(), 10 * 9 * sizeof(double));
    };
    const ProductParts packed = parts("8x8x16:4x4:scalar:n_k_m:ab:workspace:compute");
    CHECK(packed.edge_share_of_work() == doctest::Approx(1 - 8.0 / 10 * 8.0 / 9));
    CHECK(packed.tile_calls() == 3 * 3);
    const TimeShares shares = packed.shares(100, 90, 40, 25, 30);
    CHECK(shares.tile == doctest::Approx(0.5));
    CHECK(shares.edges == doctest::Approx(0.1));
    CHECK(shares.pack_a == doctest::Approx(0.15));
    CHECK(shares.pack_b == doctest::Approx(0.1));
    CHECK(shares.rest == doctest::Approx(0.15));
    SUBCASE("a part that is below the noise is 0, and the sum stays 1") {
        const TimeShares noisy = packed.shares(100, 101, 10, 11, 4);
        CHECK(noisy.edges == 0);
        CHECK(noisy.pack_a == 0);
        CHECK(noisy.tile + noisy.edges + noisy.pack_a + noisy.pack_b + noisy.rest == doctest::Approx(1));
    }
    SUBCASE("where whole tiles fill the shape, edges have no share, whatever the times say") {
        const ProductParts whole = parts("10x9x16:5x3:scalar:n_k_m:ab:workspace:compute");
        CHECK(whole.edge_share_of_work() == 0);
        CHECK(whole.shares(100, 60, 40, 25, 30).edges == 0);
        CHECK(whole.shares(100, 60, 40, 25, 30).tile == doctest::Approx(0.6));
    }
    SUBCASE("what is not packed has no share; what is narrower than the tile is all edges") {
        const ProductParts in_place = parts("16x16x20:16x16:scalar:n_k_m:none:workspace:compute");
        CHECK(in_place.edge_share_of_work() == 1);
        const TimeShares all = in_place.shares(100, 100, 10, 5, 5);
        CHECK(all.pack_a == 0);
        CHECK(all.pack_b == 0);
        CHECK(all.tile == 0);
        CHECK(all.edges == doctest::Approx(0.9));
    }
    SUBCASE("every way through the driver can be run") {
        packed.whole();
        packed.without_edges();
        packed.without_tiles();
        packed.without_tiles_nor_packing(Operand::a);
        packed.without_tiles_nor_packing(Operand::b);
    }
}

TEST_CASE("what is left out is not called, nor where the plan of a small product holds each call") {
    static int whole_tiles = 0, edges = 0;
    const tg_tile_run counts = [](const tg_kernel*, const tg_tile_args* args) noexcept {
        ++(args->m == 4 && args->n == 3 ? whole_tiles : edges);
    };
    const std::vector<double> a(1000, 1.0), b(1000, 1.0);
    for (const std::int64_t m : {10, 60}) { // 10: three times three calls, 60: more than a plan holds
        const GemmShape shape{.m = m, .n = 10, .k = 8};
        BlockedPlan plan = plan_blocked(problem_of(shape, 1, 0),
                                        parse_candidate_id("64x12x8:4x3:scalar:n_k_m:none:workspace:compute"),
                                        *builtin_catalogue().find("scalar"))
                               .value();
        CHECK((plan.direct.calls > 0) == (m == 10));
        plan.run = plan.selected[0] = plan.selected[1] = counts;
        for (int i = 0; i < plan.direct.calls; ++i)
            plan.direct.call[i].run = counts;
        const ProductParts parts(plan, a.data(), b.data(), m * shape.n * std::int64_t{sizeof(double)});
        const auto calls_of = [&](void (ProductParts::*run)() const) {
            whole_tiles = edges = 0;
            (parts.*run)();
            return std::pair{whole_tiles, edges};
        };
        // 10 rows are 4, 3 and 3; 10 columns are three times 3, and 1.
        CHECK(calls_of(&ProductParts::whole) == (m == 10 ? std::pair{3, 9} : std::pair{45, 15}));
        CHECK(calls_of(&ProductParts::without_edges) == std::pair{m == 10 ? 3 : 45, 0});
        CHECK(calls_of(&ProductParts::without_tiles) == std::pair{0, 0});
        CHECK(parts.edge_share_of_work() == doctest::Approx(m == 10 ? 1 - .4 * .9 : .1));
    }
}

TEST_CASE("a product of one call has no verdict but that") {
    Profile profile = sound_profile();
    profile.tile_calls = 1, profile.edge_work = 1, profile.product_ns = 120;
    profile.shares = {.tile = 0, .edges = 0.2, .pack_a = 0, .pack_b = 0, .rest = 0.8};
    CHECK(
        says(next_bound(profile, nullptr),
             "The call: the whole product is one call of the tile, and less than a whole one, in 120.0 ns."));
}

TEST_CASE("what is measured beside other programs has no verdict but that") {
    Profile profile = sound_profile();
    profile.product_gflops = 30; // as slow as if memory were far away
    profile.away = 0.7;
    CHECK(says(next_bound(profile, nullptr),
               "Other programs: they had the processor for 70 % of the product's time"));
    profile.away = 0.05;
    CHECK(says(next_bound(profile, nullptr), "Memory: "));
}

TEST_CASE("time without a processor is seen, and work is not taken for it") {
    const Contestant works = [] {
        for (const std::int64_t end = now_ns() + 1'000'000; now_ns() < end;) {
        }
    };
    const Contestant sleeps = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    const TimedSamples samples = samples_for({works, sleeps}, 0, 5);
    REQUIRE(samples.away[1].size() == 5);
    for (const double away : samples.away[1])
        CHECK(away > 0.5);
    for (const double away : samples.away[0])
        CHECK((away >= 0 && away <= 1));
}

TEST_CASE("a share is unsteady when the rounds disagree by more than it, and by half a hundredth") {
    CHECK(is_unsteady(0.01, 0.02));
    CHECK(!is_unsteady(0.01, 0.009));
    CHECK(!is_unsteady(0, 0.004));
}
