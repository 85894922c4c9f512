#include "described.hpp"
#include "errors.hpp"

#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

#include <functional>

using namespace tune_gemm;
using test::check_words;
using test::Described;

TEST_CASE("a sound description is copied out field by field") {
    Described d;
    d.tile.kr = 2;
    d.tile.k_unroll = 4;
    d.tile.align_packed = 64;
    d.tile.mc = 96;
    d.tile.nc = 120;
    d.tile.kc = 256;
    d.kernel.cpu = d.features;
    d.kernel.flags = TG_SERIAL_ONLY;
    const KernelInfo info = describe_kernel(&d.kernel);
    CHECK(info.id == "test.tile");
    CHECK(info.summary == "A tile for tests");
    CHECK(to_text(info.arithmetic) == "f64 sequential fused");
    CHECK(info.rank == 7);
    CHECK(info.flags == TG_SERIAL_ONLY);
    CHECK(info.cpu == std::vector<std::string>{"avx2", "fma"});
    CHECK_FALSE(info.whole_gemm);
    CHECK(info.loop_identity.empty());
    CHECK(info.unusable.empty());
    CHECK(info.kernel == &d.kernel);
    REQUIRE(info.tiles.size() == 1);
    const TileInfo& tile = info.tiles[0];
    CHECK(tile.mr == 4);
    CHECK(tile.nr == 6);
    CHECK(tile.kr == 2);
    CHECK(tile.k_unroll == 4);
    CHECK(tile.align_packed == 64);
    CHECK(tile.mc == 96);
    CHECK(tile.nc == 120);
    CHECK(tile.kc == 256);
    CHECK(tile.access_a == 15);
    CHECK(tile.access_c == 14);
    CHECK(tile.tile == &d.tile);
    CHECK(info.find_tile(4, 6) == &tile);
    CHECK(info.find_tile(6, 4) == nullptr);
}

TEST_CASE("absent fields have their plain meaning") {
    Described d;
    d.tile.kr = d.tile.k_unroll = 0;
    d.kernel.summary = nullptr;
    const KernelInfo info = describe_kernel(&d.kernel);
    CHECK(info.tiles[0].kr == 1);
    CHECK(info.tiles[0].k_unroll == 1);
    CHECK(info.summary.empty());
    CHECK(info.cpu.empty());
}

TEST_CASE("a whole-gemm kernel, and reordered kernels are one class") {
    tg_kernel kernel = test::gemm_kernel("test.whole");
    kernel.flags = TG_OWN_MEMORY | TG_OWN_THREADS;
    kernel.muladd = TG_FUSED;
    const KernelInfo info = describe_kernel(&kernel);
    CHECK(info.whole_gemm);
    CHECK(info.tiles.empty());
    CHECK(info.arithmetic == ArithmeticClass{TG_F64, TG_REORDERED, 0});
}

TEST_CASE("types that the interface has and this host does not serve make a kernel unusable, not wrong") {
    Described d;
    d.kernel.type_a = d.kernel.type_b = TG_BF16;
    d.kernel.type_c = d.kernel.type_acc = TG_F32;
    check_words(describe_kernel(&d.kernel).unusable, {"bf16", "f32"});
    d.kernel.type_a = d.kernel.type_b = TG_F32;
    CHECK(describe_kernel(&d.kernel).unusable.empty());
    d.kernel.type_a = d.kernel.type_b = d.kernel.type_c = d.kernel.type_acc = TG_I32;
    check_words(describe_kernel(&d.kernel).unusable, {"i32"});
}

TEST_CASE("one loop under several names is recognised, and nothing else is") {
    Described d;
    const tg_kernel base = d.kernel;
    tg_kernel other_name = base, other_rank = base;
    other_name.microkernel_id = "another";
    other_rank.rank = 99;
    const tg_tile* same_list[2] = {&d.tile, nullptr};
    tg_kernel copied_list = base;
    copied_list.tiles = same_list;
    for (const tg_kernel* twin : {&other_name, &other_rank, &copied_list}) {
        const tg_kernel* const kernels[] = {&base, twin, nullptr};
        CHECK(first_same_loop(kernels, 0) == 0);
        CHECK(first_same_loop(kernels, 1) == 0);
    }
    const tg_tile second_tile = d.tile;
    const tg_tile* longer_list[3] = {&d.tile, &second_tile, nullptr};
    const std::function<void(tg_kernel&)> changes[] = {[](tg_kernel& k) { k.muladd = TG_TWO_ROUNDINGS; },
                                                       [](tg_kernel& k) { k.order = TG_REORDERED; },
                                                       [](tg_kernel& k) { k.type_acc = TG_F32; },
                                                       [](tg_kernel& k) { k.type_a = TG_F32; },
                                                       [&](tg_kernel& k) { k.user = &d; },
                                                       [](tg_kernel& k) { k.enter = test::idle_thread; },
                                                       [](tg_kernel& k) { k.leave = test::idle_thread; },
                                                       [](tg_kernel& k) { k.gemm = &test::idle_gemm; },
                                                       [&](tg_kernel& k) { k.tiles = longer_list; },
                                                       [](tg_kernel& k) { k.tiles = nullptr; },
                                                       [](tg_kernel& k) { k.struct_size = 4; }};
    for (const auto& change : changes) {
        tg_kernel changed = base;
        change(changed);
        const tg_kernel* const kernels[] = {&base, &changed, &base, nullptr};
        CHECK(first_same_loop(kernels, 1) == 1);
        CHECK(first_same_loop(kernels, 2) == 0);
    }
}
