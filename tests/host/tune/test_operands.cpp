#include "measure/cold_operands.hpp"
#include "measure/operands.hpp"
#include "measure/output_judge.hpp"

#include <tune_gemm/matrix.hpp>
#include <tune_gemm/reference.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

const GemmShape shape{7, 5, 9, 3, 1, Layout::row_major, Layout::column_major, Layout::column_major};

template <class T>
std::vector<T> values(std::span<const T> span) {
    return {span.begin(), span.end()};
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& v) {
    return std::as_bytes(std::span(v));
}

} // namespace

TEST_CASE("a spot check finds what is wrong among its entries, and judges as the whole does") {
    const GemmShape shape{40, 30, 20};
    const GemmCandidate candidate = parse_candidate_id("8x8x4:4x4:scalar:m_n_k:ab:workspace:compute");
    for (const ArithmeticClass& arithmetic :
         {ArithmeticClass{}, ArithmeticClass{TG_F64, TG_SEQUENTIAL, TG_FUSED},
          ArithmeticClass{TG_F64, TG_REORDERED, 0}}) {
        Operands<double> operands(shape, 3);
        const auto reference =
            operands.reference(arithmetic.muladd == TG_FUSED ? TG_FUSED : TG_TWO_ROUNDINGS);
        std::vector<double> c(reference.begin(), reference.end());
        OutputJudge<double> judge(operands, arithmetic, candidate);
        const auto spot = [&](std::int64_t entries) {
            return judge.spot(std::as_bytes(std::span(c)), entries);
        };
        CHECK(spot(64).correct);
        CHECK(spot(64).sampled);
        CHECK(spot(64).compared == 64);
        c.back() += 1; // the last entry is always among them
        CHECK(spot(64).wrong >= 1);
        CHECK_FALSE(spot(1).correct);
        std::fill(c.begin(), c.end(), std::nan(""));
        CHECK(spot(64).wrong == 64);
        c.pop_back();
        CHECK_FALSE(spot(64).correct);
    }
}

TEST_CASE("operands are the reproducible ones: A from the seed, B from seed + batch") {
    Operands<double> operands(shape, 42);
    CHECK(values(operands.a()) == reproducible_operand(42, shape, Operand::a));
    CHECK(values(operands.b()) == reproducible_operand(45, shape, Operand::b));
    CHECK(values(operands.reference(TG_TWO_ROUNDINGS)) ==
          gemm_reference(shape, reproducible_operand(42, shape, Operand::a),
                         reproducible_operand(45, shape, Operand::b)));
    Operands<float> rounded(shape, 42);
    CHECK(values(rounded.a()) == to_f32(reproducible_operand(42, shape, Operand::a)));
}

TEST_CASE("the cache keeps what fits, drops what was used longest ago, and always holds what is asked for") {
    const auto shape_of = [](std::int64_t k) { return GemmShape{8, 8, k}; };
    OperandCache<double> cache(40'000); // 8 x 8 x 100 takes 13312 bytes with its C
    for (const std::int64_t k : {98, 99, 98, 100})
        CHECK(cache.get(shape_of(k), 1).shape().k == k);
    CHECK(cache.size() == 3);
    const double* kept = cache.get(shape_of(98), 1).a().data();
    cache.get(shape_of(101), 1);
    CHECK(cache.bytes() <= 40'000);
    CHECK(cache.get(shape_of(98), 1).a().data() == kept);  // 99 went instead
    CHECK(cache.get(shape_of(98), 2).seed() == 2);         // another seed is another entry
    CHECK(cache.get(shape_of(5000), 1).shape().k == 5000); // larger than the cache
    CHECK(cache.size() == 1);
}

TEST_CASE("copies for cold scopes hold the same values in different places, and fill twice the cache") {
    const std::vector<double> a(100, 1.5), b(50, 2.5);
    const ColdOperands cold(bytes_of(a), bytes_of(b), 1 << 16);
    REQUIRE(cold.pairs().size() > (2 << 16) / 1280);
    CHECK(static_cast<std::int64_t>(cold.pairs().size()) <= ColdOperands::max_pairs);
    for (const OperandPair& pair : cold.pairs()) {
        CHECK(std::memcmp(pair.a, a.data(), 800) == 0);
        CHECK(std::memcmp(pair.b, b.data(), 400) == 0);
    }
    CHECK(cold.pairs()[0].a != cold.pairs()[1].a);
    // Many small operands: bounded.
    CHECK(static_cast<std::int64_t>(
              ColdOperands(bytes_of(std::vector<double>{1}), bytes_of(std::vector<double>{1}), 1 << 30)
                  .pairs()
                  .size()) == ColdOperands::max_pairs);
}

TEST_CASE("an output with alpha and beta is judged entry by entry, and one wrong bit is found") {
    Operands<double> operands(shape, 3);
    const std::vector<double> c = reproducible_operand(9, shape, Operand::c);
    std::vector<double> computed = c;
    gemm_reference_general<double>(shape, -0.5, operands.a(), operands.b(), 0.25, computed, TG_FUSED);
    const GemmCandidate candidate = parse_candidate_id("8x8x4:4x4:any:m_n_k:ab:workspace:compute");
    OutputJudge<double> judge(operands, {TG_F64, TG_SEQUENTIAL, TG_FUSED}, candidate, -0.5, 0.25, c);
    const Judgement right = judge(bytes_of(computed));
    CHECK(right.correct);
    CHECK(right.compared == 7 * 5 * 3);
    CHECK(right.bound == 0);

    // Batch 1, i = 2, j = 4 in column-major order.
    double& entry = computed[35 + 4 * 7 + 2];
    const double good = entry;
    entry = std::nextafter(entry, 10.0);
    const Judgement wrong = judge(bytes_of(computed));
    CHECK(!wrong.correct);
    CHECK(wrong.wrong == 1);
    REQUIRE(wrong.first);
    CHECK(wrong.first->batch == 1);
    CHECK(wrong.first->i == 2);
    CHECK(wrong.first->j == 4);
    // A reordered class allows as much, but neither a NaN nor an error past the bound.
    OutputJudge<double> bounded(operands, {TG_F64, TG_REORDERED, 0}, candidate, -0.5, 0.25, c);
    const Judgement near = bounded(bytes_of(computed));
    CHECK(near.correct);
    CHECK(near.bound > 0);
    entry = good + 1e-9;
    CHECK(!bounded(bytes_of(computed)).correct);
    entry = std::numeric_limits<double>::quiet_NaN();
    CHECK(!bounded(bytes_of(computed)).correct);
    CHECK(!judge(bytes_of(computed)).correct);
    // An output of the wrong length is not right, whatever it holds.
    computed.resize(computed.size() - 1);
    CHECK(!judge(bytes_of(computed)).correct);
}

TEST_CASE("a large product with alpha and beta is judged by a sample that includes the last entry") {
    const GemmShape large{600, 500, 500}; // above full_comparison_limit
    Operands<float> operands(large, 3);
    CHECK(operands.reference(TG_TWO_ROUNDINGS).empty());
    const GemmCandidate candidate = parse_candidate_id("64x64x64:4x4:any:m_n_k:ab:workspace:compute");
    std::vector<float> c(600 * 500, 1.0F);
    // alpha = 0: C := beta*C, cheap to compute here.
    OutputJudge<float> judge(operands, {TG_F32, TG_SEQUENTIAL, TG_TWO_ROUNDINGS}, candidate, 0, 0.5, c);
    std::vector<float> computed(600 * 500, 0.5F);
    const Judgement right = judge(bytes_of(computed));
    CHECK(right.correct);
    CHECK(right.sampled);
    CHECK(right.compared == 512);
    computed.back() = 0.25F;
    CHECK(!judge(bytes_of(computed)).correct);
}
