#include "described.hpp"
#include "errors.hpp"
#include "flush_bytes.hpp"

#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace tune_gemm;
using test::check_words;
using test::Described;
using test::error_of;
using test::FlushBytes;

TEST_CASE("64 tiles are taken, 65 are not") {
    Described d;
    std::vector<const tg_tile*> tiles(64, &d.tile);
    tiles.push_back(nullptr);
    d.kernel.tiles = tiles.data();
    CHECK(describe_kernel(&d.kernel).tiles.size() == 64);
    tiles[64] = &d.tile; // and no end: nothing past the 65th is read
    const FlushBytes flush(tiles.data(), 65 * sizeof(tiles[0]));
    d.kernel.tiles = reinterpret_cast<const tg_tile* const*>(flush.data());
    check_words(error_of([&] { describe_kernel(&d.kernel); }, ErrorKind::failed), {"more than 64"});
}

TEST_CASE("nothing is read past a struct or past the longest text that is allowed") {
    Described d;
    const std::string id(64, 'i'), summary(200, 's');
    const FlushBytes id_end(id.c_str(), 65), summary_end(summary.c_str(), 201);
    d.kernel.microkernel_id = id_end.data();
    d.kernel.summary = summary_end.data();
    const FlushBytes tile_end(&d.tile, sizeof d.tile);
    d.tiles[0] = reinterpret_cast<const tg_tile*>(tile_end.data());
    const FlushBytes kernel_end(&d.kernel, sizeof d.kernel);
    const auto* kernel = reinterpret_cast<const tg_kernel*>(kernel_end.data());
    CHECK(describe_kernel(kernel).id == id);

    const std::string endless(201, 'e');
    const FlushBytes id_without_end(endless.data(), 65), summary_without_end(endless.data(), 201);
    d.kernel.microkernel_id = id_without_end.data();
    check_words(error_of([&] { describe_kernel(&d.kernel); }, ErrorKind::failed), {"microkernel_id"});
    d.kernel.microkernel_id = "fine";
    d.kernel.summary = summary_without_end.data();
    check_words(error_of([&] { describe_kernel(&d.kernel); }, ErrorKind::failed), {"summary"});

    // Of a struct that says it is tiny, only the size is there.
    const std::uint32_t tiny = 4;
    alignas(8) char bytes[8];
    std::memcpy(bytes, &tiny, sizeof tiny);
    const FlushBytes small(bytes, sizeof bytes);
    check_words(error_of([&] { describe_kernel(reinterpret_cast<const tg_kernel*>(small.data())); },
                         ErrorKind::failed),
                {"struct_size = 4"});
}

TEST_CASE("larger structs of a later version are read as far as they are known") {
    Described d;
    struct LaterTile {
        tg_tile known;
        std::uint64_t later[4];
    } tile{d.tile, {~0ull, ~0ull, ~0ull, ~0ull}};
    tile.known.struct_size = sizeof tile;
    d.tiles[0] = &tile.known;
    struct LaterKernel {
        tg_kernel known;
        std::uint64_t later[4];
    } kernel{d.kernel, {~0ull, ~0ull, ~0ull, ~0ull}};
    kernel.known.struct_size = sizeof kernel;
    CHECK(describe_kernel(&kernel.known).tiles[0].nr == 6);
    kernel.known.struct_size = 0xffffffff;
    CHECK(describe_kernel(&kernel.known).id == "test.tile");
}

TEST_CASE("misaligned descriptors are refused, not read through") {
    Described d;
    alignas(8) char bytes[sizeof(tg_kernel) + 4];
    std::memcpy(bytes + 4, &d.kernel, sizeof d.kernel);
    const void* misplaced = bytes + 4;
    check_words(
        error_of([&] { describe_kernel(static_cast<const tg_kernel*>(misplaced)); }, ErrorKind::failed),
        {"multiple of 8"});
}

TEST_CASE("whatever numbers a description holds, it is described within the limits or refused") {
    std::mt19937_64 random(7);
    int described = 0, refused = 0;
    for (int round = 0; round < 20000; ++round) {
        Described d;
        std::uint32_t* numbers[] = {&d.kernel.struct_size,
                                    &d.kernel.flags,
                                    &d.kernel.type_a,
                                    &d.kernel.type_acc,
                                    &d.kernel.order,
                                    &d.kernel.muladd,
                                    &d.kernel.rank,
                                    &d.kernel.reserved,
                                    &d.tile.struct_size,
                                    &d.tile.mr,
                                    &d.tile.nr,
                                    &d.tile.max_mr,
                                    &d.tile.max_nr,
                                    &d.tile.kr,
                                    &d.tile.k_unroll,
                                    &d.tile.access_a,
                                    &d.tile.access_b,
                                    &d.tile.access_c,
                                    &d.tile.align_packed,
                                    &d.tile.mc,
                                    &d.tile.nc,
                                    &d.tile.kc};
        for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes)
            *numbers[random() % std::size(numbers)] =
                static_cast<std::uint32_t>(random() >> (32 + random() % 32));
        try {
            const KernelInfo info = describe_kernel(&d.kernel);
            ++described;
            for (const TileInfo& tile : info.tiles) {
                CHECK((tile.mr == 0) == (tile.nr == 0));
                CHECK(std::max({tile.mr, tile.nr, tile.max_mr, tile.max_nr, tile.align_packed}) <= 4096);
                CHECK(std::min(tile.kr, tile.k_unroll) >= 1);
                CHECK(std::max({tile.mc, tile.nc, tile.kc}) <= 1u << 24);
                CHECK((tile.access_a != 0 && tile.access_b != 0 && tile.access_c != 0));
            }
        } catch (const Error& error) {
            ++refused;
            CHECK(error.kind() == ErrorKind::failed);
        }
    }
    CHECK(described > 500);
    CHECK(refused > 500);
}
