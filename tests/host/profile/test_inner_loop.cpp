// Finding the loop that runs, and counting what is in it.
#include "profile/inner_loop.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tune_gemm::host;

namespace {

/// Instructions four bytes apart from 0x1000 on.
std::vector<CodeLine> code(const std::vector<std::string>& texts) {
    std::vector<CodeLine> lines;
    for (const std::string& text : texts)
        lines.push_back({0x1000 + 4 * lines.size(), text, "run"});
    return lines;
}

/// Samples at these addresses, one at each.
CodeSamples at(const std::vector<std::uint64_t>& addresses) {
    CodeSamples samples;
    for (const std::uint64_t address : addresses)
        ++samples.taken, ++samples.in_file[address];
    return samples;
}

} // namespace

TEST_CASE("loads, stores, sums and multiply-adds of an iteration are counted") {
    const auto lines = code({
        "push   %rbx",                               // 1000
        "vmovupd (%rdx),%ymm4",                      // 1004: the loop
        "vbroadcastsd (%rsi),%ymm5",                 // 1008
        "vfmadd231pd %ymm4,%ymm5,%ymm0",             // 100c
        "vfmadd231pd 0x20(%rdx,%rcx,8),%ymm5,%ymm1", // 1010
        "vfmadd231pd (%rdx){1to4},%ymm5,%ymm1{%k1}", // 1014
        "vmovapd %ymm1,0x40(%rsp)",                  // 1018
        "lea    0x20(%rdx),%rdx",                    // 101c
        "cmp    0x8(%rdi),%rsi",                     // 1020
        "prefetcht0 (%rax)",                         // 1024
        "jne    1004 <run+0x4>",                     // 1028
        "ret",                                       // 102c
    });
    const auto loop = find_inner_loop(lines, at({0x1008, 0x1010, 0x1000})).loop;
    REQUIRE(loop);
    CHECK(loop->samples == 2);
    CHECK(loop->all_samples == 3);
    CHECK(loop->lines.front().address == 0x1004);
    CHECK(loop->lines.back().address == 0x1028);
    CHECK(loop->fma == 3);
    CHECK(loop->multiplications == 0);
    CHECK(loop->loads == 5); // two moves, two operands of multiply-adds, one of the comparison
    CHECK(loop->stores == 1);
    CHECK(loop->sums == 2);
    CHECK(loop->register_bytes == 32);
    CHECK(loop->arithmetic == "vfmadd231pd");
}

TEST_CASE("two instructions for a multiply-add, on entries or vectors") {
    const auto loop = find_inner_loop(code({"movsd  (%rsi),%xmm1", "mulsd  (%rdx),%xmm1",
                                            "addsd  %xmm1,%xmm0", "jne    1000 <run>", "ret"}),
                                      at({0x1004}))
                          .loop;
    REQUIRE(loop);
    CHECK(loop->fma == 0);
    CHECK(loop->multiplications == 1);
    CHECK(loop->additions == 1);
    CHECK(loop->register_bytes == 8);
    CHECK(loop->loads == 2);
}

TEST_CASE("of the loops that a compiler makes of one, the one that runs, however little it multiplies") {
    const auto lines = code({
        "je     1014 <run+0x14>", // 1000: are the rows next to each other?
        "mulpd  %xmm1,%xmm2",     // 1004: then two entries at a time
        "mulpd  %xmm1,%xmm3",     // 1008
        "jne    1004 <run+0x4>",  // 100c
        "ret",                    // 1010
        "mulsd  %xmm1,%xmm2",     // 1014: else one
        "jne    1014 <run+0x14>", // 1018
        "ret",                    // 101c
    });
    const auto loop = find_inner_loop(lines, at({0x1000, 0x1014, 0x1018, 0x1018})).loop;
    REQUIRE(loop);
    CHECK(loop->lines.front().address == 0x1014);
    CHECK(loop->arithmetic == "mulsd");
    CHECK(loop->is_most());
    CHECK(find_inner_loop(lines, at({0x1004, 0x1008, 0x1018})).loop->arithmetic == "mulpd");
}

TEST_CASE("a sample counts for the smallest loop around it") {
    const auto lines = code({
        "mulpd  %xmm1,%xmm2",    // 1000: outer loop
        "mulpd  %xmm1,%xmm2",    // 1004
        "mulpd  %xmm1,%xmm3",    // 1008: inner loop
        "jne    1008 <run+0x8>", // 100c
        "jne    1000 <run>",     // 1010
        "ret",
    });
    CHECK(find_inner_loop(lines, at({0x1008, 0x100c, 0x1000})).loop->lines.size() == 2);
    CHECK(find_inner_loop(lines, at({0x1008, 0x1000, 0x1010})).loop->lines.size() == 5);
}

TEST_CASE("what jumps back without going round is no loop") {
    const auto lines = code({
        "mulpd  %xmm1,%xmm2",     // 1000
        "je     1014 <run+0x14>", // 1004: moved out of the way
        "mulpd  %xmm1,%xmm3",     // 1008
        "jne    1000 <run>",      // 100c
        "ret",                    // 1010
        "mulpd  %xmm1,%xmm4",     // 1014
        "jmp    1008 <run+0x8>",  // 1018
    });
    const auto loop = find_inner_loop(lines, at({0x1008, 0x1000})).loop;
    REQUIRE(loop);
    CHECK(loop->lines.front().address == 0x1000);
    CHECK(loop->samples == 2);
}

TEST_CASE("what lies within a jump back but not on the way round is not of the loop") {
    const auto lines = code({
        "jmp    1014 <run+0x14>", // 1000: moved away from 1014
        "mulpd  %xmm1,%xmm2",     // 1004: another function
        "jne    1004 <other>",    // 1008
        "mulpd  %xmm1,%xmm2",     // 100c
        "ret",                    // 1010
        "jne    1000 <run.cold>", // 1014
        "ret",                    // 1018
    });
    CHECK(find_inner_loop(lines, at({0x1004})).loop->lines.size() == 2);
    CHECK(!find_inner_loop(lines, at({0x100c})).loop);
}

TEST_CASE("where no loop is known, it is said why") {
    const auto lines = code({"mulpd  %xmm1,%xmm0", "jne    1000 <run>", "ret"});
    const auto why = [&](const CodeSamples& samples) {
        const FoundLoop found = find_inner_loop(lines, samples);
        CHECK(!found.loop);
        return found.absent;
    };
    CHECK(why({}) == "not known: the program counter could not be looked at.");
    CHECK(why({.taken = 10, .in_file = {{0x1000, 2}}}) ==
          "8 of 10 samples of the program counter lie outside of the file, in a library or in code that is "
          "made while it runs.");
    CHECK(why({.taken = 10, .in_file = {{0x1000, 3}, {0x1008, 7}}}) ==
          "7 of 10 samples of the program counter lie in the file but in no loop (jumps of x86-64 are looked "
          "for).");
    CHECK(find_inner_loop({}, at({0x1000})).absent != "");
}
