// The sampler runs real kernels in this process; what it counts and judges is tested, never how long it
// takes.
#include "measure/operands.hpp"
#include "measure/output_judge.hpp"
#include "measure/sampler.hpp"

#include <tune_gemm/plugin.hpp>
#include <tune_gemm/prepared.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

constexpr std::int64_t limit = default_workspace_limit;
const GemmShape shape{13, 11, 9, 2};

/// A kernel that stops working once `calls_left` tile calls were made.
std::int64_t calls_left = 0;
void run_for_a_while(const tg_kernel*, const tg_tile_args* args) noexcept {
    if (calls_left > 0)
        plugin::portable_tile<double>(*args);
    --calls_left;
}
constexpr tg_tile tiring_tile = {.struct_size = sizeof(tg_tile),
                                 .mr = 4,
                                 .nr = 4,
                                 .max_mr = 0,
                                 .max_nr = 0,
                                 .kr = 1,
                                 .k_unroll = 1,
                                 .access_a = TG_PACKED | TG_ANY,
                                 .access_b = TG_PACKED | TG_ANY,
                                 .access_c = TG_ANY,
                                 .align_packed = 0,
                                 .mc = 0,
                                 .nc = 0,
                                 .kc = 0,
                                 .run = run_for_a_while,
                                 .select = nullptr};
constexpr const tg_tile* tiring_tiles[] = {&tiring_tile, nullptr};
constexpr tg_kernel tiring = {.struct_size = sizeof(tg_kernel),
                              .flags = 0,
                              .microkernel_id = "tiring",
                              .summary = "Stops working after a number of calls",
                              .type_a = TG_F64,
                              .type_b = TG_F64,
                              .type_c = TG_F64,
                              .type_acc = TG_F64,
                              .order = TG_SEQUENTIAL,
                              .muladd = TG_TWO_ROUNDINGS,
                              .rank = 0,
                              .reserved = 0,
                              .cpu = nullptr,
                              .tiles = tiring_tiles,
                              .gemm = nullptr,
                              .user = nullptr,
                              .enter = nullptr,
                              .leave = nullptr};

PreparedGemm prepare(const GemmCandidate& candidate, const GemmShape& at, const Catalogue& catalogue) {
    auto prepared = PreparedGemm::make(problem_of(at), candidate, limit, catalogue);
    if (!prepared)
        throw Error(ErrorKind::failed, prepared.refusal().reason);
    return prepared.value();
}

struct Sampled {
    Batch batch;
    Judgement judgement;
    int judged = 0;
};

Sampled sample(const std::string& id, std::int64_t min_ns, std::optional<std::int64_t> uses = {},
               const Catalogue& catalogue = builtin_catalogue(), std::size_t pairs = 3) {
    const GemmCandidate candidate = parse_candidate_id(id);
    Operands<double> operands(shape, 7);
    const PreparedGemm prepared = prepare(candidate, shape, catalogue);
    const std::vector<OperandPair> rotation(pairs, {operands.a().data(), operands.b().data()});
    OutputJudge<double> judge(operands, prepared.resolution().arithmetic, candidate);
    Sampler sampler(prepared, rotation, operands.c_length() * 8);
    Sampled sampled;
    sampled.batch = sampler.sample(
        min_ns,
        [&](std::span<const std::byte> c) {
            sampled.judgement = judge(c);
            ++sampled.judged;
        },
        uses);
    return sampled;
}

Catalogue tiring_catalogue() {
    Catalogue catalogue;
    catalogue.add(describe_kernel(&tiring));
    return catalogue;
}

} // namespace

TEST_CASE("every timing scope and allocation mode is sampled, and the output of the last use judged right") {
    for (const char* scope : {"compute", "steady_state", "end_to_end", "amortized_5"}) {
        for (const char* mode :
             {"fresh", "reuse_output", "workspace", "prepacked_a", "prepacked_b", "prepacked_ab"}) {
            const std::string id = std::string("8x8x4:4x4:scalar:m_n_k:ab:") + mode + ":" + scope;
            for (const std::int64_t uses : {1, 2, 3, 10}) {
                const Sampled sampled = sample(id, 1'000'000'000, uses);
                CHECK_MESSAGE(sampled.judgement.correct, id << " " << uses);
                CHECK(sampled.judged == 1);
                CHECK(sampled.judgement.compared == 13 * 11 * 2);
                CHECK(sampled.batch.elapsed_ns > 0);
                // A group of an amortized scope is five uses.
                const bool grouped = std::string(scope) == "amortized_5";
                CHECK(sampled.batch.uses == (grouped ? std::max<std::int64_t>(uses / 5, 1) * 5 : uses));
            }
        }
    }
}

TEST_CASE("pairs in turn: every pair is used, also where the buffers stay warm otherwise") {
    Operands<double> operands(shape, 7);
    const std::span<const double> a = operands.a(), b = operands.b();
    // Pairs with other values: of so many uses, each pair's product comes last as often as its turn does.
    std::vector<double> doubled(a.begin(), a.end());
    for (double& value : doubled)
        value *= 2;
    const OperandPair pairs[] = {{a.data(), b.data()}, {doubled.data(), b.data()}};
    for (const char* mode : {"workspace", "fresh"}) {
        for (const char* scope : {"compute", "steady_state"}) {
            const GemmCandidate candidate =
                parse_candidate_id(std::string("8x8x4:4x4:scalar:m_n_k:ab:") + mode + ":" + scope);
            OutputJudge<double> judge(operands, {}, candidate);
            for (const auto use : {Sampler::Pairs::first, Sampler::Pairs::in_turn}) {
                // A sample is one use to warm up and then so many: with three in all, the last is of either
                // pair by turns, with four always of the second.
                for (const std::int64_t uses : {2, 3}) {
                    Sampler sampler(prepare(candidate, shape, builtin_catalogue()), pairs,
                                    operands.c_length() * 8, poison, use);
                    std::int64_t of_first_pair = 0;
                    for (int i = 0; i < 4; ++i)
                        sampler.sample(
                            1'000'000'000,
                            [&](std::span<const std::byte> c) { of_first_pair += judge(c).correct ? 1 : 0; },
                            uses);
                    CHECK(of_first_pair == (use == Sampler::Pairs::first ? 4 : uses == 2 ? 2 : 0));
                }
            }
        }
    }
}

TEST_CASE("without a known number of uses the batch is calibrated") {
    const Sampled sampled = sample("8x8x4:4x4:scalar:m_n_k:ab:workspace:compute", 200'000);
    CHECK(sampled.judgement.correct);
    CHECK(sampled.batch.uses > 1);
    // Asked for no time at all, one use is its own sample.
    CHECK(sample("8x8x4:4x4:scalar:m_n_k:ab:workspace:compute", 0).batch.uses == 1);
}

TEST_CASE("a kernel that stops writing in the middle of a batch is caught in the last use") {
    const Catalogue catalogue = tiring_catalogue();
    // 13 x 11: 4 x 3 tiles in two batches, so 24 calls a use with one k block.
    constexpr std::int64_t calls_per_use = 24;
    for (const char* scope : {"compute", "steady_state", "end_to_end", "amortized_5"}) {
        for (const char* mode : {"workspace", "fresh"}) {
            const std::string id = std::string("16x16x16:4x4:tiring:m_n_k:ab:") + mode + ":" + scope;
            CAPTURE(id);
            calls_left = 1'000'000;
            CHECK(sample(id, 1'000'000'000, 10, catalogue, 1).judgement.correct);
            const std::int64_t needed = 1'000'000 - calls_left;
            CHECK(needed % calls_per_use == 0);
            calls_left = needed - 1; // all but the very last tile
            CHECK(!sample(id, 1'000'000'000, 10, catalogue, 1).judgement.correct);
            calls_left =
                needed - calls_per_use; // nothing in the last use, where C of the use before was right
            CHECK(!sample(id, 1'000'000'000, 10, catalogue, 1).judgement.correct);
        }
    }
}

TEST_CASE("poison is a NaN in both types") {
    std::vector<double> doubles(3, 1.0);
    poison(std::as_writable_bytes(std::span(doubles)));
    std::vector<float> floats(3, 1.0F);
    poison(std::as_writable_bytes(std::span(floats)));
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::isnan(doubles[i]));
        CHECK(std::isnan(floats[i]));
    }
    poison({});
}

TEST_CASE("times that cannot be are named: none, within the clock's grain, above any processor's rate") {
    const GemmShape cube{64, 64, 64}; // 524288 flop: 524.288 ns at 1000 flop/ns
    const ClockQuality clock{10, 20};
    CHECK(impossible_time({0, 1, {}}, cube, clock).find("0 ns") != std::string::npos);
    CHECK(!impossible_time({1000, 0, {}}, cube, clock).empty());
    CHECK(impossible_time({10, 1, {}}, {1, 1, 1}, clock).find("step of the clock") != std::string::npos);
    CHECK(impossible_time({524, 1, {}}, cube, clock).find("GFLOP/s") != std::string::npos);
    CHECK(impossible_time({525, 1, {}}, cube, clock).empty());
    CHECK(!impossible_time({524'288, 1000, {}}, cube, clock).empty());
    CHECK(impossible_time({1'000'000, 5, {}}, cube, clock).empty());
}

TEST_CASE("the clock goes forward in steps that can be seen") {
    CHECK(clock_quality().resolution_ns >= 1);
    CHECK(clock_quality().cost_ns > 0);
    const std::int64_t before = now_ns();
    CHECK(now_ns() >= before);
}
