// What a library cannot do is refused with a sentence; what contradicts the contract is called invalid.
#include "product.hpp"

#include <doctest/doctest.h>

#include <sys/mman.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::baselines_test;

namespace {

/// Address space that costs memory only where it is touched.
class FarMemory {
  public:
    explicit FarMemory(std::size_t bytes)
        : bytes_(bytes), data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
    ~FarMemory() {
        if (data_ != MAP_FAILED)
            munmap(data_, bytes_);
    }
    FarMemory(const FarMemory&) = delete;
    FarMemory& operator=(const FarMemory&) = delete;
    template <class T>
    T* as() const {
        REQUIRE(data_ != MAP_FAILED);
        return static_cast<T*>(data_);
    }

  private:
    std::size_t bytes_;
    void* data_;
};

/// 3 x 3 by rows, `row` elements apart: C = A*B with A(i,l) = 10i+l, B the unit matrix.
template <class T>
void multiply_far(const Baseline& baseline, std::int64_t row) {
    const std::size_t bytes = (2 * static_cast<std::size_t>(row) + 3) * sizeof(T);
    const FarMemory a(bytes), b(bytes), c(bytes);
    for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 3; ++j) {
            a.as<T>()[i * row + j] = static_cast<T>(10 * i + j);
            b.as<T>()[i * row + j] = i == j ? T(1) : T(0);
        }
    Product p = product_of(3, 3, 3, 0, row - 3);
    const Problem<T> problem(p);
    Plan plan(baseline, problem.problem);
    CAPTURE(baseline.id);
    if (plan.status() != TG_OK) {
        CHECK(plan.status() == TG_UNSUPPORTED);
        CHECK(plan.sentence() != "");
        // Of these libraries only those that count in 32 bits may say no.
        CHECK((baseline.library() == "libxsmm" || (baseline.library() == "openblas" && row > INT32_MAX)));
        return;
    }
    REQUIRE(plan.run(a.as<T>(), b.as<T>(), c.as<T>()) == TG_OK);
    for (std::int64_t i = 0; i < 3; ++i)
        for (std::int64_t j = 0; j < 3; ++j)
            CHECK(c.as<T>()[i * row + j] == static_cast<T>(10 * i + j));
}

/// prepare's answer to a 4x4x4 product after `change`.
template <class T, class Change>
tg_status status_after(const Baseline& baseline, Change&& change) {
    Problem<T> problem(product_of(4, 4, 4, 0, 0));
    change(problem.problem);
    const Plan plan(baseline, problem.problem);
    CAPTURE(baseline.id);
    if (plan.status() != TG_OK)
        CHECK(plan.sentence() != "");
    return plan.status();
}

template <class T>
void check_invalid(const Baseline& baseline) {
    CHECK(status_after<T>(baseline, [](tg_problem&) {}) == TG_OK);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.m = -1; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.n = -1; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.k = -1; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.batch = -1; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.threads = 0; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.alpha = nullptr; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.beta = nullptr; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.struct_size = 32; }) == TG_INVALID);
    CHECK(status_after<T>(baseline, [](tg_problem& p) { p.struct_size += 64; }) == TG_OK);
}

} // namespace

TEST_CASE("neither rows nor columns next to each other: BLIS takes them, the others refuse") {
    for (const Baseline& baseline : baselines())
        for (int operand = 0; operand < 3; ++operand)
            for (const Strides strides : {Strides{2, 40, 400}, Strides{40, 3, 400}, Strides{-2, 40, 400},
                                          Strides{40, -2, -400}, Strides{-40, -2, 400}}) {
                Product p = product_of(9, 7, 5, 0, 0, 2);
                p.beta = 1;
                (operand == 0 ? p.a : operand == 1 ? p.b : p.c) = strides;
                const Verdict verdict = multiply(baseline, p);
                CAPTURE(baseline.id);
                CAPTURE(text_of(p));
                if (baseline.library() == "blis") {
                    CHECK(verdict.status == TG_OK);
                    CHECK(verdict.sentence == "");
                } else {
                    CHECK(verdict.status == TG_UNSUPPORTED);
                    CHECK(verdict.sentence != "");
                }
            }
}

TEST_CASE("a stride of -1 is refused: BLIS would take it for 1, the others have no such operand") {
    for (const Baseline& baseline : baselines())
        for (int operand = 0; operand < 3; ++operand)
            for (const Strides strides :
                 {Strides{-40, -1, 400}, Strides{-1, 40, 400}, Strides{40, -1, 400}}) {
                Product p = product_of(9, 7, 5, 0, 0, 2);
                (operand == 0 ? p.a : operand == 1 ? p.b : p.c) = strides;
                const Verdict verdict = multiply(baseline, p);
                CAPTURE(baseline.id);
                CAPTURE(text_of(p));
                CHECK(verdict.status == TG_UNSUPPORTED);
                CHECK(verdict.sentence != "");
            }
}

TEST_CASE("lines that overlap, and strides of 0, are refused") {
    for (const Baseline& baseline : baselines())
        for (const Strides strides : {Strides{0, 1, 0}, Strides{1, 0, 0}, Strides{0, 0, 0}, Strides{3, 1, 0},
                                      Strides{1, 1, 0}, Strides{4, 4, 0}, Strides{1, 2, 0}}) {
            Product p = product_of(9, 7, 5, 0, 0);
            p.a = strides;
            const Verdict verdict = multiply(baseline, p);
            CAPTURE(baseline.id);
            CAPTURE(text_of(p));
            CHECK(verdict.status == TG_UNSUPPORTED);
            CHECK(verdict.sentence != "");
        }
}

TEST_CASE("lines further apart than 32 bits count, in bytes and in elements") {
    for (const Baseline& baseline : baselines())
        for (const std::int64_t row :
             {(std::int64_t{1} << 28) + 1, (std::int64_t{1} << 31) + 8, (std::int64_t{1} << 32) + 3})
            baseline.is_f32() ? multiply_far<float>(baseline, 2 * row) : multiply_far<double>(baseline, row);
}

TEST_CASE("what contradicts the contract is invalid; a longer problem of a newer host is not") {
    for (const Baseline& baseline : baselines())
        baseline.is_f32() ? check_invalid<float>(baseline) : check_invalid<double>(baseline);
}

TEST_CASE("a product for many threads is right, and so is one for a single thread after it") {
    for (const Baseline& baseline : baselines())
        for (const unsigned threads : {2u, 3u, 1u, 2u, 4000u}) {
            // More than a library takes: it may use fewer. On two processors a few hundred threads only
            // cost.
            Product p = product_of(200, 150, 170, 4, 1);
            p.a = {1, 201, 0}, p.b = {1, 171, 0};
            p.threads = threads == 4000u && baseline.library() != "openblas" ? 4 : threads;
            const Verdict verdict = multiply(baseline, p);
            CAPTURE(baseline.id);
            CAPTURE(text_of(p));
            CHECK(verdict.status == TG_OK);
            CHECK(verdict.sentence == "");
        }
}

TEST_CASE("several threads prepare, run and release at once") {
    for (const Baseline& baseline : baselines()) {
        if ((baseline.kernel->flags & TG_SERIAL_ONLY) != 0)
            continue;
        std::array<std::string, 4> sentences;
        std::vector<std::thread> threads;
        for (std::size_t thread = 0; thread < sentences.size(); ++thread)
            threads.emplace_back([&, thread] {
                const auto extra = static_cast<std::int64_t>(thread); // to each its own shape
                for (int round = 0; round < 8 && sentences[thread].empty(); ++round)
                    sentences[thread] =
                        multiply(baseline, product_of(60 + extra, 70, 50 + extra, 0, 1)).sentence;
            });
        for (std::thread& thread : threads)
            thread.join();
        CAPTURE(baseline.id);
        for (const std::string& sentence : sentences)
            CHECK(sentence == "");
    }
}
