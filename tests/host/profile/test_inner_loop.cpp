// Finding the loop that multiplies, and counting what is in it.
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
    const auto loop = find_inner_loop(lines, 0x1000);
    REQUIRE(loop);
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
                                      0x1000);
    REQUIRE(loop);
    CHECK(loop->fma == 0);
    CHECK(loop->multiplications == 1);
    CHECK(loop->additions == 1);
    CHECK(loop->register_bytes == 8);
    CHECK(loop->loads == 2);
}

TEST_CASE("a loop that holds another is not the inner one") {
    const auto loop = find_inner_loop(code({
                                          "mulpd  %xmm1,%xmm2",    // 1000: outer loop
                                          "mulpd  %xmm1,%xmm2",    // 1004
                                          "mulpd  %xmm1,%xmm3",    // 1008: inner loop
                                          "jne    1008 <run+0x8>", // 100c
                                          "jne    1000 <run>",     // 1010
                                          "ret",
                                      }),
                                      0x1000);
    REQUIRE(loop);
    CHECK(loop->lines.size() == 2);
    CHECK(loop->lines.front().address == 0x1008);
}

TEST_CASE("of several loops that are reached, the one that multiplies most in an iteration") {
    const std::vector<std::string> texts{
        "vmulpd %ymm1,%ymm2,%ymm3", // 1000: not reached
        "vmulpd %ymm1,%ymm2,%ymm3", // 1004
        "vmulpd %ymm1,%ymm2,%ymm3", // 1008
        "jne    1000 <other>",      // 100c
        "ret",                      // 1010
        "je     1024 <run+0x10>",   // 1014: run
        "mulsd  %xmm1,%xmm2",       // 1018
        "jne    1018 <run+0x4>",    // 101c
        "ret",                      // 1020
        "call   1034 <helper>",     // 1024
        "jmp    1018 <run+0x4>",    // 1028
        "ud2",                      // 102c
        "nop",                      // 1030
        "mulpd  %xmm1,%xmm2",       // 1034: helper
        "jb     1034 <helper>",     // 1038
        "ret",                      // 103c
    };
    const auto loop = find_inner_loop(code(texts), 0x1014);
    REQUIRE(loop);
    CHECK(loop->lines.front().address == 0x1034);
    SUBCASE("in all of the code where nothing that is reached multiplies") {
        const auto any = find_inner_loop(code(texts), 0x102c);
        REQUIRE(any);
        CHECK(any->lines.front().address == 0x1000);
    }
}

TEST_CASE("code that does not multiply, or is not understood, has no such loop") {
    CHECK(!find_inner_loop({}, 0));
    CHECK(!find_inner_loop(code({"addpd  %xmm1,%xmm0", "jne    1000 <run>"}), 0x1000));
    CHECK(!find_inner_loop(code({"mulpd  %xmm1,%xmm0", "jmp    *%rax"}), 0x1000));
    CHECK(!find_inner_loop(code({"fmla\tv0.2d, v1.2d, v2.d[0]", "b.ne\t1000 <run>"}), 0x1000));
}
