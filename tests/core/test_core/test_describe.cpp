#include "errors.hpp"
#include "kernels.hpp"

#include <tune_gemm/catalogue.hpp>

#include <doctest/doctest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <random>

using namespace tune_gemm;
using test::check_words;
using test::error_of;

namespace {

/// One kernel with one tile, sound until a test changes it.
struct Described {
    tg_tile tile = test::fixed_tile();
    const tg_tile* tiles[2] = {&tile, nullptr};
    tg_gemm gemm = test::idle_gemm;
    const char* features[3] = {"avx2", "fma", nullptr};
    tg_kernel kernel = test::tile_kernel("test.tile", tiles);
};

/// Bytes that end where memory ends: one byte further is a segmentation fault.
class FlushBytes {
  public:
    FlushBytes(const void* bytes, std::size_t count)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
        map_ = static_cast<char*>(
            mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(map_ != MAP_FAILED);
        REQUIRE(mprotect(map_ + page_, page_, PROT_NONE) == 0);
        start_ = map_ + page_ - count;
        std::memcpy(start_, bytes, count);
    }
    ~FlushBytes() { munmap(map_, 2 * page_); }
    FlushBytes(const FlushBytes&) = delete;
    FlushBytes& operator=(const FlushBytes&) = delete;
    const char* data() const { return start_; }

  private:
    std::size_t page_;
    char* map_;
    char* start_;
};

} // namespace

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
