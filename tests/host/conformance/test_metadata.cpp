// Each rule about descriptors, broken one at a time in a kernel made for it.
#include "conformance/check.hpp"
#include "conformance/descriptor_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

void run_tile(const tg_kernel*, const tg_tile_args*) noexcept {}
tg_status prepare(const tg_kernel*, const tg_problem*, void**, std::uint64_t*, tg_error*) noexcept {
    return TG_UNSUPPORTED;
}
tg_status run_gemm(const tg_kernel*, const void*, const tg_gemm_args*, tg_error*) noexcept {
    return TG_OK;
}
void release(const tg_kernel*, void*) noexcept {}

/// A right descriptor of either kind, to be spoilt.
struct Made {
    tg_tile tile{};
    const tg_tile* tiles[2] = {&tile, nullptr};
    tg_gemm gemm{};
    tg_kernel kernel{};
    PluginInfo plugin;

    explicit Made(bool whole_gemm = false) {
        tile.struct_size = sizeof tile;
        tile.mr = 4, tile.nr = 6;
        tile.mc = 8, tile.nc = 12, tile.kc = 16;
        tile.access_a = tile.access_b = TG_PACKED;
        tile.access_c = TG_ROW_UNIT;
        tile.run = run_tile;
        gemm.struct_size = sizeof gemm;
        gemm.prepare = prepare, gemm.run = run_gemm, gemm.release = release;
        kernel.struct_size = sizeof kernel;
        kernel.microkernel_id = "made.up";
        kernel.summary = "made up";
        kernel.type_a = kernel.type_b = kernel.type_c = kernel.type_acc = TG_F64;
        kernel.order = TG_SEQUENTIAL, kernel.muladd = TG_FUSED;
        kernel.tiles = whole_gemm ? nullptr : tiles;
        kernel.gemm = whole_gemm ? &gemm : nullptr;
        plugin.name = "made_up", plugin.version = "1", plugin.vendor = "tests", plugin.license = "MIT";
    }
    CheckResult check(std::string_view id) const {
        KernelInfo info;
        info.id = "made.up";
        info.whole_gemm = kernel.gemm != nullptr;
        info.kernel = &kernel;
        TileInfo tile_info;
        tile_info.tile = &tile;
        return run_check(*find_check(id), {&plugin, info, info.whole_gemm ? nullptr : &tile_info, 1});
    }
};

/// A right descriptor passes the check; spoilt, it fails, and the sentence has the words.
template <class Spoil>
void breaks(std::string_view check, std::string_view words, Spoil spoil, bool whole_gemm = false) {
    Made made(whole_gemm);
    CAPTURE(words);
    REQUIRE(made.check(check).status == CheckStatus::pass);
    spoil(made);
    const CheckResult result = made.check(check);
    CAPTURE(result.sentence);
    CHECK(result.status == CheckStatus::fail);
    CHECK(result.sentence.find(words) != std::string::npos);
}

} // namespace

TEST_CASE("metadata.texts") {
    const std::string long_line(201, 'x'), long_id(65, 'x');
    static const char* const upper[] = {"AVX2", nullptr};
    breaks("metadata.texts", "Capital", [](Made& m) { m.kernel.microkernel_id = "Capital"; });
    breaks("metadata.texts", "xxx", [&](Made& m) { m.kernel.microkernel_id = long_id.c_str(); });
    breaks("metadata.texts", "\"\"", [](Made& m) { m.kernel.microkernel_id = ""; });
    breaks("metadata.texts", "(null)", [](Made& m) { m.kernel.microkernel_id = nullptr; });
    breaks("metadata.texts", "one line", [](Made& m) { m.kernel.summary = "two\nlines"; });
    breaks("metadata.texts", "201 bytes", [&](Made& m) { m.kernel.summary = long_line.c_str(); });
    breaks("metadata.texts", "AVX2", [](Made& m) { m.kernel.cpu = upper; });
    breaks("metadata.texts", "license", [](Made& m) { m.plugin.license = "MIT\n"; });
    breaks("metadata.texts", "no name", [](Made& m) { m.plugin.name.clear(); });
}

TEST_CASE("metadata.arithmetic") {
    breaks("metadata.arithmetic", "Type 99", [](Made& m) { m.kernel.type_b = 99; });
    breaks("metadata.arithmetic", "order is 3", [](Made& m) { m.kernel.order = 3; });
    breaks("metadata.arithmetic", "muladd is 3", [](Made& m) { m.kernel.muladd = 3; });
    breaks("metadata.arithmetic", "once or twice", [](Made& m) { m.kernel.muladd = 0; });
}

TEST_CASE("metadata.flags") {
    breaks("metadata.flags", "0x10", [](Made& m) { m.kernel.flags = 16; });
    breaks("metadata.flags", "reserved is 7", [](Made& m) { m.kernel.reserved = 7; });
    breaks("metadata.flags", "memory or threads", [](Made& m) { m.kernel.flags = TG_OWN_MEMORY; });
}

TEST_CASE("metadata.tile") {
    breaks("metadata.tile", "mr is 0 and nr is 6", [](Made& m) { m.tile.mr = 0; });
    breaks("metadata.tile", "max_mr is 4", [](Made& m) { m.tile.max_mr = 4; });
    breaks("metadata.tile", "max_nr is 0", [](Made& m) { m.tile.mr = m.tile.nr = 0, m.tile.max_mr = 4; });
    breaks("metadata.tile", "access_a is 0", [](Made& m) { m.tile.access_a = 0; });
    breaks("metadata.tile", "access_b has the bits 0x10", [](Made& m) { m.tile.access_b |= 16; });
    breaks("metadata.tile", "access_c has the bits 0x1", [](Made& m) { m.tile.access_c |= TG_PACKED; });
    breaks("metadata.tile", "align_packed is 48", [](Made& m) { m.tile.align_packed = 48; });
    breaks("metadata.tile", "run is null", [](Made& m) { m.tile.run = nullptr; });
    breaks("metadata.tile", "mc is 9", [](Made& m) { m.tile.mc = 9; });
    breaks("metadata.tile", "nc is 13", [](Made& m) { m.tile.nc = 13; });
    breaks("metadata.tile", "kc is 16, no multiple of kr = 3", [](Made& m) { m.tile.kr = 3; });
}

TEST_CASE("metadata.gemm") {
    breaks(
        "metadata.gemm", "null", [](Made& m) { m.gemm.prepare = nullptr; }, true);
    breaks(
        "metadata.gemm", "null", [](Made& m) { m.gemm.run = nullptr; }, true);
    breaks(
        "metadata.gemm", "null", [](Made& m) { m.gemm.release = nullptr; }, true);
    breaks(
        "metadata.gemm", "max_threads is 5000", [](Made& m) { m.gemm.max_threads = 5000; }, true);
    CHECK(Made(false).check("metadata.gemm").status == CheckStatus::skip);
    CHECK(Made(true).check("metadata.tile").status == CheckStatus::skip);
}

TEST_CASE("every part of a descriptor is looked at") {
    const Made made;
    const auto parts = copy_descriptor(&made.kernel);
    for (const char* name : {"tg_kernel", "microkernel_id", "summary", "tiles", "tiles[0]"}) {
        CHECK_MESSAGE(
            std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.name == name; }),
            name);
    }
}
