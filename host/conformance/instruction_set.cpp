#include "conformance/instruction_set.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace tune_gemm::host {
namespace {

using Names = std::span<const std::string_view>;

bool is_one_of(std::string_view name, Names names) noexcept {
    return std::find(names.begin(), names.end(), name) != names.end();
}
bool starts_with_one_of(std::string_view name, Names prefixes) noexcept {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); });
}
bool has(std::string_view text, std::string_view part) noexcept {
    return text.find(part) != std::string_view::npos;
}

constexpr std::array<std::string_view, 4> fma_prefixes{"vfmadd", "vfmsub", "vfnmadd", "vfnmsub"};
constexpr std::array<std::string_view, 2> f16c_names{"vcvtph2ps", "vcvtps2ph"};
constexpr std::array<std::string_view, 6> bmi1_names{"andn", "bextr", "blsi", "blsr", "blsmsk", "tzcnt"};
constexpr std::array<std::string_view, 8> bmi2_names{"bzhi", "pdep", "pext", "mulx",
                                                     "rorx", "sarx", "shlx", "shrx"};
constexpr std::array<std::string_view, 4> amx_prefixes{"ldtilecfg", "sttilecfg", "tile", "tdp"};
constexpr std::array<std::string_view, 1> vnni_prefixes{"vpdp"};
constexpr std::array<std::string_view, 4> avx512_vnni_names{"vpdpbusd", "vpdpbusds", "vpdpwssd", "vpdpwssds"};
constexpr std::array<std::string_view, 3> avx512_bf16_names{"vcvtneps2bf16", "vcvtne2ps2bf16", "vdpbf16ps"};

/// Of VEX-encoded ones with any width of register.
constexpr std::array<std::string_view, 16> avx2_prefixes{
    "vpermq",       "vpermpd",     "vpermd",         "vpermps",    "vperm2i128", "vpsllv",
    "vpsrlv",       "vpsrav",      "vpgather",       "vgather",    "vpblendd",   "vpmaskmov",
    "vextracti128", "vinserti128", "vbroadcasti128", "vpbroadcast"};
/// Integer instructions on 256 bits are of AVX2, but for these.
constexpr std::array<std::string_view, 3> avx_integer_prefixes{"vptest", "vpermil", "vperm2f"};

constexpr std::array<std::string_view, 6> avx512dq_prefixes{"vpmullq", "vfpclass", "vrange",
                                                            "vreduce", "vpmovm2d", "vpmovm2q"};
constexpr std::array<std::string_view, 8> avx512dq_names{"vandps", "vandpd", "vandnps", "vandnpd",
                                                         "vorps",  "vorpd",  "vxorps",  "vxorpd"};
constexpr std::array<std::string_view, 24> avx512bw_names{
    "vmovdqu8", "vmovdqu16",  "vpaddb",    "vpaddw",    "vpsubb",    "vpsubw",    "vpmullw",    "vpmulhw",
    "vpmaddwd", "vpmaddubsw", "vpshufb",   "vpackssdw", "vpackusdw", "vpacksswb", "vpackuswb",  "vpermw",
    "vpsllvw",  "vpsrlvw",    "vpblendmb", "vpblendmw", "vpcmpeqb",  "vpcmpeqw",  "vpunpcklbw", "vpunpckhbw"};

constexpr std::array<std::string_view, 10> sse3_names{"addsubps", "addsubpd", "haddps",  "haddpd",
                                                      "hsubps",   "hsubpd",   "movddup", "movshdup",
                                                      "movsldup", "lddqu"};
constexpr std::array<std::string_view, 8> ssse3_prefixes{"pshufb",    "palignr",  "phadd", "phsub",
                                                         "pmaddubsw", "pmulhrsw", "pabs",  "psign"};
constexpr std::array<std::string_view, 33> sse41_prefixes{
    "blendp", "blendvp", "pblendw", "pblendvb", "dpps",    "dppd",    "extractps", "insertps", "pinsrb",
    "pinsrd", "pinsrq",  "pextrb",  "pextrd",   "pextrq",  "roundps", "roundpd",   "roundss",  "roundsd",
    "ptest",  "pmovsx",  "pmovzx",  "pmulld",   "pmuldq",  "pminsb",  "pminsd",    "pminuw",   "pminud",
    "pmaxsb", "pmaxsd",  "pmaxuw",  "pmaxud",   "pcmpeqq", "packusdw"};
constexpr std::array<std::string_view, 4> sse42_prefixes{"pcmpistr", "pcmpestr", "pcmpgtq", "crc32"};

struct Known {
    std::string_view mnemonic, feature;
};
constexpr std::array<Known, 13> legacy_names{{{"popcnt", "popcnt"},
                                              {"lzcnt", "abm"},
                                              {"tzcnt", "bmi1"},
                                              {"movbe", "movbe"},
                                              {"adcx", "adx"},
                                              {"adox", "adx"},
                                              {"pclmulqdq", "pclmulqdq"},
                                              {"rdrand", "rdrand"},
                                              {"rdseed", "rdseed"},
                                              {"mpsadbw", "sse4_1"},
                                              {"phminposuw", "sse4_1"},
                                              {"movntdqa", "sse4_1"},
                                              {"aesenc", "aes"}}};

std::string_view evex_feature(std::string_view mnemonic, std::string_view operands, unsigned map,
                              unsigned length) noexcept {
    if (map == 5 || map == 6)
        return "avx512_fp16";
    if (is_one_of(mnemonic, avx512_vnni_names))
        return "avx512_vnni";
    if (is_one_of(mnemonic, avx512_bf16_names))
        return "avx512_bf16";
    if (length == 1 && has(operands, "%ymm") && !has(operands, "%zmm"))
        return "avx512vl"; // 256 bits; 128 bits cannot be told from scalar ones so easily
    if (is_one_of(mnemonic, avx512bw_names))
        return "avx512bw";
    if (is_one_of(mnemonic, avx512dq_names) || starts_with_one_of(mnemonic, avx512dq_prefixes))
        return "avx512dq";
    return "avx512f";
}

std::string_view vex_feature(std::string_view mnemonic, std::string_view operands) noexcept {
    if (is_one_of(mnemonic, bmi1_names))
        return "bmi1";
    if (is_one_of(mnemonic, bmi2_names))
        return "bmi2";
    if (starts_with_one_of(mnemonic, amx_prefixes))
        return "amx_tile";
    if (mnemonic.starts_with('k')) // masks: kmovw, kandb, kortestq, ...
        return mnemonic.ends_with('w') ? "avx512f" : mnemonic.ends_with('b') ? "avx512dq" : "avx512bw";
    if (starts_with_one_of(mnemonic, fma_prefixes))
        return "fma";
    if (is_one_of(mnemonic, f16c_names))
        return "f16c";
    if (starts_with_one_of(mnemonic, vnni_prefixes))
        return "avx_vnni";
    if (starts_with_one_of(mnemonic, avx2_prefixes))
        return "avx2";
    const bool broadcast_of_register =
        (mnemonic == "vbroadcastss" || mnemonic == "vbroadcastsd") && operands.starts_with('%');
    const bool wide_integer = mnemonic.starts_with("vp") && has(operands, "%ymm") &&
                              !starts_with_one_of(mnemonic, avx_integer_prefixes);
    return broadcast_of_register || wide_integer ? "avx2" : "avx";
}

std::string_view legacy_feature(std::string_view mnemonic) noexcept {
    for (const Known& known : legacy_names)
        if (mnemonic.starts_with(known.mnemonic))
            return known.feature;
    if (starts_with_one_of(mnemonic, sse42_prefixes))
        return "sse4_2";
    if (starts_with_one_of(mnemonic, sse41_prefixes))
        return "sse4_1";
    if (starts_with_one_of(mnemonic, ssse3_prefixes))
        return "ssse3";
    return is_one_of(mnemonic, sse3_names) ? "pni" : "";
}

unsigned hexadecimal(std::string_view pair) noexcept {
    const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
    return pair.size() < 2 ? 0 : digit(pair[0]) * 16 + digit(pair[1]);
}

} // namespace

std::string_view feature_of(const Instruction& instruction) noexcept {
    std::string_view bytes = instruction.bytes, text = instruction.text;
    // Before VEX and EVEX only a segment and an address size may stand.
    constexpr std::array<std::string_view, 7> prefixes{"26", "2e", "36", "3e", "64", "65", "67"};
    while (bytes.size() > 3 && is_one_of(bytes.substr(0, 2), prefixes))
        bytes.remove_prefix(3);
    if (const std::size_t words = text.find("{vex} "); words == 0)
        text.remove_prefix(6);
    const std::size_t end = text.find(' ');
    const std::string_view mnemonic = text.substr(0, end);
    std::string_view operands = end == std::string_view::npos ? std::string_view() : text.substr(end);
    operands.remove_prefix(std::min(operands.find_first_not_of(' '), operands.size()));
    const std::string_view first = bytes.substr(0, 2);
    if (first == "62") {
        if (bytes.size() < 11)
            return "avx512f";
        return evex_feature(mnemonic, operands, hexadecimal(bytes.substr(3)) & 7,
                            hexadecimal(bytes.substr(9)) >> 5 & 3);
    }
    if (first == "c4" || first == "c5")
        return vex_feature(mnemonic, operands);
    return legacy_feature(mnemonic);
}

std::set<std::string, std::less<>> with_implied(std::span<const std::string> declared) {
    constexpr std::array<std::array<std::string_view, 2>, 19> implications{{{"avx512_fp16", "avx512bw"},
                                                                            {"avx512_bf16", "avx512bw"},
                                                                            {"avx512_vnni", "avx512f"},
                                                                            {"avx512bw", "avx512f"},
                                                                            {"avx512dq", "avx512f"},
                                                                            {"avx512vl", "avx512f"},
                                                                            {"avx512cd", "avx512f"},
                                                                            {"avx512f", "avx2"},
                                                                            {"avx_vnni", "avx2"},
                                                                            {"avx2", "avx"},
                                                                            {"fma", "avx"},
                                                                            {"f16c", "avx"},
                                                                            {"avx", "sse4_2"},
                                                                            {"sse4_2", "sse4_1"},
                                                                            {"sse4_2", "popcnt"},
                                                                            {"sse4_1", "ssse3"},
                                                                            {"ssse3", "pni"},
                                                                            {"amx_int8", "amx_tile"},
                                                                            {"amx_bf16", "amx_tile"}}};
    std::set<std::string, std::less<>> all(declared.begin(), declared.end());
    for (const auto& [feature, implied] : implications) // each stands before those that it leads to
        if (all.contains(feature))
            all.emplace(implied);
    return all;
}

} // namespace tune_gemm::host
