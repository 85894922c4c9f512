// Instructions as objdump prints them, and what they need.
#include "conformance/instruction_set.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace tune_gemm::host;

namespace {

std::string_view needs(std::string_view bytes, std::string_view text) {
    return feature_of({"1000", bytes, text});
}

} // namespace

TEST_CASE("what every x86-64 processor has needs nothing") {
    CHECK(needs("c3", "ret") == "");
    CHECK(needs("f2 0f 59 c1", "mulsd  %xmm1,%xmm0") == "");
    CHECK(needs("66 0f ef c0", "pxor   %xmm0,%xmm0") == "");
    CHECK(needs("48 0f bd c7", "bsr    %rdi,%rax") == "");
    CHECK(needs("64 48 8b 04 25 28 00 00 00", "mov    %fs:0x28,%rax") == "");
}

TEST_CASE("legacy extensions are told by their mnemonic") {
    CHECK(needs("66 0f 38 00 c1", "pshufb %xmm1,%xmm0") == "ssse3");
    CHECK(needs("66 0f 3a 0b c0 0b", "roundsd $0xb,%xmm0,%xmm0") == "sse4_1");
    CHECK(needs("66 0f 38 37 c1", "pcmpgtq %xmm1,%xmm0") == "sse4_2");
    CHECK(needs("f3 48 0f b8 c7", "popcnt %rdi,%rax") == "popcnt");
    CHECK(needs("f3 48 0f bd c7", "lzcnt  %rdi,%rax") == "abm");
    CHECK(needs("f2 0f 7c c1", "haddps %xmm1,%xmm0") == "pni");
}

TEST_CASE("AVX, AVX2, FMA and their companions are told apart") {
    CHECK(needs("c5 f8 57 c0", "vxorps %xmm0,%xmm0,%xmm0") == "avx");
    CHECK(needs("c5 fd 58 c1", "vaddpd %ymm1,%ymm0,%ymm0") == "avx");
    CHECK(needs("c4 e2 7d 17 c0", "vptest %ymm0,%ymm0") == "avx");
    CHECK(needs("c5 fd fe c1", "vpaddd %ymm1,%ymm0,%ymm0") == "avx2");
    CHECK(needs("c5 f9 fe c1", "vpaddd %xmm1,%xmm0,%xmm0") == "avx");
    CHECK(needs("c4 e3 fd 00 c0 4e", "vpermq $0x4e,%ymm0,%ymm0") == "avx2");
    CHECK(needs("c4 e2 7d 19 07", "vbroadcastsd (%rdi),%ymm0") == "avx");
    CHECK(needs("c4 e2 7d 19 c0", "vbroadcastsd %xmm0,%ymm0") == "avx2");
    CHECK(needs("c4 e2 f5 b8 c2", "vfmadd231pd %ymm2,%ymm1,%ymm0") == "fma");
    CHECK(needs("c4 e2 7d 13 c0", "vcvtph2ps %xmm0,%ymm0") == "f16c");
    CHECK(needs("c4 e2 f9 f7 c7", "shlx   %rax,%rdi,%rax") == "bmi2");
    CHECK(needs("c4 e2 f8 f2 c7", "andn   %rdi,%rax,%rax") == "bmi1");
}

TEST_CASE("AVX-512 is told by its encoding, whatever the registers") {
    CHECK(needs("62 f1 fd 48 58 c1", "vaddpd %zmm1,%zmm0,%zmm0") == "avx512f");
    CHECK(needs("62 a1 fd 28 58 c1", "vaddpd %ymm17,%ymm0,%ymm16") == "avx512vl");
    CHECK(needs("62 a1 ff 08 58 c1", "vaddsd %xmm17,%xmm0,%xmm16") == "avx512f");
    CHECK(needs("62 f1 fd 48 57 c1", "vxorpd %zmm1,%zmm0,%zmm0") == "avx512dq");
    CHECK(needs("c5 f8 92 c8", "kmovw  %eax,%k1") == "avx512f");
    CHECK(needs("c4 e1 fb 92 c8", "kmovq  %rax,%k1") == "avx512bw");
    CHECK(needs("64 62 f1 fd 48 58 00", "vaddpd %fs:(%rax),%zmm0,%zmm0") == "avx512f");
}

TEST_CASE("a feature comes with those that it builds on, and with no others") {
    const auto with = [](std::vector<std::string> declared) { return with_implied(declared); };
    CHECK(with({"avx2"}).contains("avx"));
    CHECK(with({"avx2"}).contains("ssse3"));
    CHECK_FALSE(with({"avx2"}).contains("fma"));
    CHECK_FALSE(with({"avx2"}).contains("bmi2"));
    CHECK(with({"avx512dq"}).contains("avx2"));
    CHECK_FALSE(with({"avx512f"}).contains("avx512vl"));
    CHECK(with({}).empty());
}
