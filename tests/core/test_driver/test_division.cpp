// How threads share a product: units, claims, blocks, and which division a shape gets.
#include "claims.hpp"
#include "division.hpp"

#include <tune_gemm/blocked.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace tune_gemm;

TEST_CASE("threads: units cover a part once, whatever is claimed at a time") {
    const Part whole{{1, 4}, {0, 21}, {10, 31}};
    for (const std::int64_t rows : {4, 8, 21, 50})
        for (const std::int64_t columns : {3, 6, 21})
            for (const std::int64_t at_once : {1, 2, 5, 17, -1, -2, -5, -17, 1000}) {
                const Along along = at_once > 0 ? Along::rows : Along::columns;
                const Units units(whole, rows, columns, along);
                std::vector<int> seen(std::size_t{3} * 21 * 21);
                const std::int64_t size = std::abs(at_once);
                for (std::int64_t begin = 0; begin < units.count(); begin += size) {
                    Range claimed{begin, std::min(begin + size, units.count())};
                    while (claimed.length() > 0) {
                        const Part part = units.take(claimed);
                        CHECK((part.m.begin % rows == 0 && (part.n.begin - 10) % columns == 0));
                        for (std::int64_t batch = part.batch.begin; batch < part.batch.end; ++batch)
                            for (std::int64_t i = part.m.begin; i < part.m.end; ++i)
                                for (std::int64_t j = part.n.begin; j < part.n.end; ++j)
                                    ++seen[static_cast<std::size_t>(((batch - 1) * 21 + i) * 21 + j - 10)];
                    }
                }
                CHECK(std::count(seen.begin(), seen.end(), 1) == std::ssize(seen));
            }
}

TEST_CASE(
    "threads: of claims nothing is left out, pieces become smaller, and a phase waits for the one before") {
    Heaps heaps;
    Claims alone(heaps, 2, 1, 0);
    std::vector<std::int64_t> sizes;
    std::int64_t first = -1;
    alone.work(100, 3, [&](const Range& piece) {
        sizes.push_back(piece.length());
        first = first < 0 ? piece.begin : first;
    });
    CHECK(first == 50); // its own half before that of the other
    CHECK(sizes == std::vector<std::int64_t>{25, 12, 6, 3, 3, 1, 25, 12, 6, 3, 3, 1});
    alone.wait();

    Claims late(heaps, 2, 0, 0); // has done nothing in the first phase, and need not
    late.work(100, 1, [&](const Range&) { CHECK(false); });
    late.wait();
    std::vector<int> seen(7);
    late.work(7, 1, [&](const Range& piece) {
        for (std::int64_t unit = piece.begin; unit < piece.end; ++unit)
            ++seen[static_cast<std::size_t>(unit)];
    });
    CHECK(seen == std::vector<int>(7, 1));
    CHECK(heaps.done.load() == 107);

    constexpr int threads = 4, phases = 50, units = 30;
    Heaps shared;
    std::atomic<int> done{0}, early{0};
    const auto work = [&](unsigned member) {
        Claims claims(shared, threads, member, 10);
        for (int phase = 0; phase < phases; ++phase) {
            claims.work(units, 1, [&](const Range& piece) {
                early += done.load() < phase * units;
                done += static_cast<int>(piece.length());
            });
            claims.wait();
        }
    };
    {
        std::vector<std::jthread> all_threads;
        for (unsigned t = 0; t < threads; ++t)
            all_threads.emplace_back(work, t);
    }
    CHECK(done == phases * units);
    CHECK(early == 0);
}

TEST_CASE("threads: blocks are evened out, as few as before and no larger") {
    CHECK(even_block(1025, 192, 8) == 176);
    CHECK(even_block(192, 192, 8) == 192);
    CHECK(even_block(5, 192, 8) == 192);
    CHECK(even_block(257, 256, 1) == 129);
    CHECK(even_block(16, 11, 4) == 8);
    CHECK(even_block(21, 11, 4) == 11); // a free tile's block that is no multiple
    for (std::int64_t extent = 1; extent < 200; ++extent)
        for (const std::int64_t most : {8, 24, 40}) {
            const std::int64_t size = even_block(extent, most, 8);
            CHECK(size <= most);
            CHECK(size % 8 == 0);
            CHECK((extent + size - 1) / size == (extent + most - 1) / most);
        }
}

TEST_CASE("threads: the division follows the shape, and little work stays with one thread") {
    const auto divided = [](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                            unsigned threads, const char* loops = "n_k_m:ab") {
        const auto id = std::string("64x48x64:8x8:scalar:") + loops + ":workspace:compute";
        const auto plan =
            plan_blocked(problem_of({.m = m, .n = n, .k = k, .batch = batch}), parse_candidate_id(id),
                         *builtin_catalogue().resolve("scalar").value(), threads);
        REQUIRE(plan);
        return plan.value().division;
    };
    CHECK(divided(512, 512, 512, 1, 1) == Division{});
    CHECK(divided(16, 16, 16, 1, 7) == Division{});
    CHECK(divided(0, 16, 16, 1, 7) == Division{});
    CHECK(divided(512, 512, 512, 1, 2) == Division{2, true, 16, 48, 1, 2}); // in stripes
    CHECK(divided(512, 512, 512, 1, 16) == Division{16, true, 16, 32, 1, 16});
    CHECK(divided(512, 512, 512, 1, 17) == Division{17, true, 16, 24, 1}); // they would be too narrow
    CHECK(divided(512, 512, 512, 1, 2, "n_k_m:a") == Division{2, false, 64, 64, 1});
    CHECK(divided(512, 512, 512, 1, 2, "m_n_k:ab") == Division{2, false, 64, 512, 1});
    CHECK(divided(64, 56, 1024, 1, 2) == Division{2, true, 16, 8, 1}); // few tiles
    CHECK(divided(64, 64, 1024, 1, 2) == Division{2, true, 8, 32, 1, 2});
    CHECK(divided(8, 4096, 4096, 1, 2) == Division{2, true, 8, 8, 1, 2});
    CHECK(divided(4096, 8, 4096, 1, 2) == Division{2, true, 64, 8, 1});
    CHECK(divided(64, 8, 4096, 1, 2) == Division{2, true, 8, 8, 1});
    // Few rows, and a B in place: pieces are as tall as C, for each reads a part of B that no other reads.
    CHECK(divided(40, 512, 512, 1, 2, "n_k_m:a") == Division{2, false, 40, 32, 1});
    CHECK(divided(40, 2048, 512, 1, 3, "m_n_k:none") == Division{3, false, 40, 88, 1});
    CHECK(divided(40, 96, 2048, 1, 2, "n_k_m:a") == Division{2, false, 16, 8, 1}); // too few columns
    CHECK(divided(64, 4096, 1, 1, 2) == Division{});
    CHECK(divided(16, 16, 16, 10000, 7) == Division{7, false, 16, 16, 8});
}
