#include "described.hpp"
#include "errors.hpp"

#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

using namespace tune_gemm;
using test::check_words;
using test::Described;
using test::error_of;

TEST_CASE("every field that breaks the contract is named with its value") {
    struct Case {
        const char* words;
        std::function<void(Described&)> spoil;
    };
    static const tg_tile* const no_tiles[] = {nullptr};
    static const tg_tile* const null_and_more[65] = {};
    static const std::string endless(100000, 'x');
    static const std::vector<const char*> many_features(65, "avx");
    const Case cases[] = {
        {"struct_size = 0", [](Described& d) { d.kernel.struct_size = 0; }},
        {"struct_size = 3", [](Described& d) { d.kernel.struct_size = 3; }},
        {"struct_size = 103", [](Described& d) { d.kernel.struct_size = sizeof(tg_kernel) - 1; }},
        {"microkernel_id is a null pointer", [](Described& d) { d.kernel.microkernel_id = nullptr; }},
        {"microkernel_id \"\"", [](Described& d) { d.kernel.microkernel_id = ""; }},
        {"microkernel_id \"Fast\"", [](Described& d) { d.kernel.microkernel_id = "Fast"; }},
        {"microkernel_id \"a\\x0ab\"", [](Described& d) { d.kernel.microkernel_id = "a\nb"; }},
        {"microkernel_id \"\\xc3\\xa9\"", [](Described& d) { d.kernel.microkernel_id = "\xc3\xa9"; }},
        {"microkernel_id \"xxx", [](Described& d) { d.kernel.microkernel_id = endless.c_str(); }},
        {"microkernel_id auto", [](Described& d) { d.kernel.microkernel_id = "auto"; }},
        {"summary \"xxx", [](Described& d) { d.kernel.summary = endless.c_str(); }},
        {"summary \"a\\x09b\"", [](Described& d) { d.kernel.summary = "a\tb"; }},
        {"summary \"\\xff\"", [](Described& d) { d.kernel.summary = "\xff"; }},
        {"type_a = 0", [](Described& d) { d.kernel.type_a = 0; }},
        {"type_b = 8", [](Described& d) { d.kernel.type_b = 8; }},
        {"type_c = 4294967295", [](Described& d) { d.kernel.type_c = 0xffffffff; }},
        {"type_acc = 99", [](Described& d) { d.kernel.type_acc = 99; }},
        {"order = 0", [](Described& d) { d.kernel.order = 0; }},
        {"order = 3", [](Described& d) { d.kernel.order = 3; }},
        {"muladd = 0", [](Described& d) { d.kernel.muladd = 0; }},
        {"muladd = 3", [](Described& d) { d.kernel.muladd = 3; }},
        {"reserved = 1", [](Described& d) { d.kernel.reserved = 1; }},
        {"OWN_MEMORY", [](Described& d) { d.kernel.flags = TG_OWN_MEMORY; }},
        {"OWN_THREADS", [](Described& d) { d.kernel.flags = TG_OWN_THREADS; }},
        {"cpu has more than 64", [](Described& d) { d.kernel.cpu = many_features.data(); }},
        {"cpu[1] = \"AVX2\"", [](Described& d) { d.features[1] = "AVX2", d.kernel.cpu = d.features; }},
        {"both tiles and gemm", [](Described& d) { d.kernel.gemm = &d.gemm; }},
        {"neither tiles nor gemm", [](Described& d) { d.kernel.tiles = nullptr; }},
        {"tiles has no entry", [](Described& d) { d.kernel.tiles = no_tiles; }},
        {"tiles has no entry", [](Described& d) { d.kernel.tiles = null_and_more; }},
        {"tiles[0]: struct_size = 8", [](Described& d) { d.tile.struct_size = 8; }},
        {"mr = 0 with nr = 6", [](Described& d) { d.tile.mr = 0; }},
        {"mr = 4 with nr = 0", [](Described& d) { d.tile.nr = 0; }},
        {"mr = 4097", [](Described& d) { d.tile.mr = 4097; }},
        {"nr = 4294967295", [](Described& d) { d.tile.nr = 0xffffffff; }},
        {"max_mr = 4", [](Described& d) { d.tile.max_mr = 4; }},
        {"max_mr = 0", [](Described& d) { d.tile.mr = d.tile.nr = 0, d.tile.max_nr = 8; }},
        {"max_nr = 0", [](Described& d) { d.tile.mr = d.tile.nr = 0, d.tile.max_mr = 8; }},
        {"max_nr = 5000",
         [](Described& d) { d.tile.mr = d.tile.nr = 0, d.tile.max_mr = 8, d.tile.max_nr = 5000; }},
        {"kr = 65", [](Described& d) { d.tile.kr = 65; }},
        {"k_unroll = 65537", [](Described& d) { d.tile.k_unroll = 65537; }},
        {"access_a = 0x0", [](Described& d) { d.tile.access_a = 0; }},
        {"access_a = 0x10", [](Described& d) { d.tile.access_a = 16; }},
        {"access_b = 0xffffffff", [](Described& d) { d.tile.access_b = 0xffffffff; }},
        {"access_c = 0x1", [](Described& d) { d.tile.access_c = TG_PACKED; }},
        {"access_c = 0x0", [](Described& d) { d.tile.access_c = 0; }},
        {"align_packed = 48", [](Described& d) { d.tile.align_packed = 48; }},
        {"align_packed = 8192", [](Described& d) { d.tile.align_packed = 8192; }},
        {"mc = 16777217", [](Described& d) { d.tile.mc = (1u << 24) + 1; }},
        {"nc = 4294967295", [](Described& d) { d.tile.nc = 0xffffffff; }},
        {"kc = 2147483648", [](Described& d) { d.tile.kc = 1u << 31; }},
        {"mc = 6 is not a multiple of mr = 4", [](Described& d) { d.tile.mc = 6; }},
        {"nc = 7 is not a multiple of nr = 6", [](Described& d) { d.tile.nc = 7; }},
        {"kc = 3 is not a multiple of kr = 2", [](Described& d) { d.tile.kr = 2, d.tile.kc = 3; }},
        {"run is a null pointer", [](Described& d) { d.tile.run = nullptr; }},
        {"gemm's prepare",
         [](Described& d) { d.gemm.prepare = nullptr, d.kernel.tiles = nullptr, d.kernel.gemm = &d.gemm; }},
        {"gemm's run",
         [](Described& d) { d.gemm.run = nullptr, d.kernel.tiles = nullptr, d.kernel.gemm = &d.gemm; }},
        {"gemm's release",
         [](Described& d) { d.gemm.release = nullptr, d.kernel.tiles = nullptr, d.kernel.gemm = &d.gemm; }},
        {"struct_size = 4 of gemm",
         [](Described& d) { d.gemm.struct_size = 4, d.kernel.tiles = nullptr, d.kernel.gemm = &d.gemm; }},
    };
    for (const Case& tried : cases) {
        const auto& words = tried.words;
        const auto& spoil = tried.spoil;
        CAPTURE(words);
        Described d;
        spoil(d);
        check_words(error_of([&] { describe_kernel(&d.kernel); }, ErrorKind::failed), {words});
    }
    check_words(error_of([] { describe_kernel(nullptr); }, ErrorKind::failed), {"null pointer"});
}
