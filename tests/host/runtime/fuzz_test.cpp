// Damaged files and descriptors: whatever they hold, the answer is a description or an Error, never a crash.
#include "runtime/entry.hpp"
#include "runtime/file_check.hpp"
#include "runtime/library.hpp"
#include "scratch.hpp"

#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>

#include <link.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
namespace fs = std::filesystem;

namespace {

class Dice {
  public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t limit) { return static_cast<std::size_t>(engine_() % limit); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    /// Mostly numbers near an edge of something.
    std::uint64_t number() {
        constexpr std::uint64_t edges[] = {
            0,  1,   2,   3,    4,    7,          8,          15,         16,        24,
            31, 63,  64,  65,   128,  255,        256,        4096,       65535,     65536,
            96, 104, 112, 1000, 4097, 0x7fffffff, 0x80000000, 0xffffffff, ~0ull - 7, ~0ull};
        return one_in(4) ? engine_() : edges[below(std::size(edges))];
    }

  private:
    std::mt19937_64 engine_;
};

template <class T>
void change(Dice& dice, T& field) {
    if (dice.one_in(60))
        field = static_cast<T>(dice.number());
}

/// Makes one of the alternatives of a pointer: those that are there, or null. (A wild pointer no reader can
/// survive.)
template <class T, std::size_t count>
void choose(Dice& dice, T& field, const std::array<std::type_identity_t<T>, count>& alternatives) {
    if (dice.one_in(25))
        field = alternatives[dice.below(count)];
}

void run(const tg_kernel*, const tg_tile_args*) noexcept {}
tg_status prepare(const tg_kernel*, const tg_problem*, void**, std::uint64_t*, tg_error*) noexcept {
    return TG_OK;
}
tg_status run_gemm(const tg_kernel*, const void*, const tg_gemm_args*, tg_error*) noexcept {
    return TG_OK;
}
void release(const tg_kernel*, void*) noexcept {}

/// A plugin in memory whose every part may be odd.
struct OddPlugin {
    std::array<char, 2000> text{}, other_text{};
    std::array<char, 8> strange_text{};
    std::array<const char*, 80> cpu{};
    tg_tile tile{};
    std::array<const tg_tile*, 80> tiles{};
    tg_gemm gemm{};
    tg_kernel kernel{};
    std::array<const tg_kernel*, 300> kernels{};
    tg_plugin plugin{};

    explicit OddPlugin(Dice& dice) {
        for (auto* letters : {&text, &other_text})
            for (std::size_t i = 0, length = dice.one_in(20) ? letters->size() - 1 : dice.below(70);
                 i < length; ++i)
                (*letters)[i] =
                    dice.one_in(500) ? static_cast<char>(1 + dice.below(255)) : "abc_.019"[dice.below(8)];
        for (std::size_t i = 0, length = dice.one_in(8) ? cpu.size() - 1 : dice.below(3); i < length; ++i)
            cpu[i] = dice.one_in(5) ? text.data() : "avx2";
        tile = {sizeof tile, 4, 4, 0, 0, 1, 1, TG_PACKED, TG_PACKED, TG_ANY, 0, 0, 0, 0, run, nullptr};
        if (dice.one_in(3)) {
            tile.mr = tile.nr = 0;
            tile.max_mr = tile.max_nr = 8;
        }
        for (std::uint32_t* field : {&tile.struct_size, &tile.mr, &tile.nr, &tile.max_mr, &tile.max_nr,
                                     &tile.kr, &tile.k_unroll, &tile.access_a, &tile.access_b, &tile.access_c,
                                     &tile.align_packed, &tile.mc, &tile.nc, &tile.kc})
            change(dice, *field);
        choose(dice, tile.run, std::array<tg_tile_run, 1>{nullptr});
        for (std::size_t i = 0, length = dice.one_in(8) ? tiles.size() - 1 : dice.below(3); i < length; ++i)
            tiles[i] = &tile;

        gemm = {sizeof gemm, 0, prepare, run_gemm, release};
        change(dice, gemm.struct_size);
        change(dice, gemm.max_threads);
        if (dice.one_in(8))
            gemm.release = nullptr;

        kernel = {};
        kernel.struct_size = sizeof kernel;
        kernel.microkernel_id = dice.one_in(3) ? text.data() : "test.odd";
        kernel.summary = dice.one_in(3) ? other_text.data() : "odd";
        kernel.type_a = kernel.type_b = kernel.type_c = kernel.type_acc = TG_F64;
        kernel.order = TG_SEQUENTIAL;
        kernel.muladd = TG_FUSED;
        kernel.tiles = tiles.data();
        for (std::uint32_t* field : {&kernel.struct_size, &kernel.flags, &kernel.type_a, &kernel.type_acc,
                                     &kernel.order, &kernel.muladd, &kernel.rank, &kernel.reserved})
            change(dice, *field);
        choose(dice, kernel.microkernel_id, std::array<const char*, 2>{nullptr, ""});
        choose(dice, kernel.summary, std::array<const char*, 2>{nullptr, ""});
        choose(dice, kernel.cpu, std::array<const char* const*, 2>{nullptr, cpu.data()});
        choose(dice, kernel.tiles, std::array<const tg_tile* const*, 1>{nullptr});
        choose(dice, kernel.gemm, std::array<const tg_gemm*, 1>{&gemm});

        for (std::size_t i = 0, length = dice.one_in(20) ? kernels.size() - 1 : dice.below(3); i < length;
             ++i)
            kernels[i] = &kernel;
        plugin = {TG_MAGIC, sizeof plugin, TG_ABI_MAJOR,   TG_ABI_MINOR, "odd",  "1",
                  "nobody", "MIT",         kernels.data(), nullptr,      nullptr};
        for (std::uint32_t* field : {&plugin.struct_size, &plugin.abi_major, &plugin.abi_minor})
            if (dice.one_in(60))
                *field = static_cast<std::uint32_t>(dice.number());
        for (std::size_t i = 0; i + 1 < strange_text.size(); ++i)
            strange_text[i] = static_cast<char>(1 + dice.below(255));
        if (dice.one_in(5))
            plugin.vendor = strange_text.data();
        choose(dice, plugin.name, std::array<const char*, 3>{nullptr, text.data(), other_text.data()});
        choose(dice, plugin.kernels, std::array<const tg_kernel* const*, 1>{nullptr});
    }
};

} // namespace

TEST_CASE("odd descriptors are described or refused with a sentence") {
    int described = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < 100'000; ++seed) {
        Dice dice(seed);
        const OddPlugin odd(dice);
        try {
            const PluginInfo info =
                describe_plugin(read_entry(&odd.plugin, "/odd.so"), "/odd.so", std::string(64, '0'));
            // What was taken goes through the strict reader and back.
            const json::value written = plugin_json(info);
            REQUIRE(json::read(json::write(written), "test") == written);
            REQUIRE(plugin_json(parse_plugin(json::Field(written, "test"))) == written);
            ++described;
        } catch (const Error& error) {
            const std::string sentence = error.what();
            CAPTURE(seed);
            REQUIRE(sentence.starts_with("/odd.so: "));
            REQUIRE(sentence.back() == '.');
            ++refused;
        }
    }
    // Both ends of the road were reached often enough to mean something.
    CHECK(described > 2500);
    CHECK(refused > 25'000);
    CHECK(described + refused == 100'000);
}

TEST_CASE("a list of kernels has at most 256 entries") {
    const tg_tile tile = {sizeof tile, 4,      4, 0, 0, 1, 1,   TG_PACKED,
                          TG_PACKED,   TG_ANY, 0, 0, 0, 0, run, nullptr};
    const tg_tile* const tiles[] = {&tile, nullptr};
    std::array<std::string, 257> ids;
    std::array<tg_kernel, 257> kernels{};
    std::array<const tg_kernel*, 258> list{};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        ids[i] = "test.k" + std::to_string(i);
        kernels[i].struct_size = sizeof(tg_kernel);
        kernels[i].microkernel_id = ids[i].c_str();
        kernels[i].summary = "";
        kernels[i].type_a = kernels[i].type_b = kernels[i].type_c = kernels[i].type_acc = TG_F64;
        kernels[i].order = TG_SEQUENTIAL;
        kernels[i].muladd = TG_FUSED;
        kernels[i].tiles = tiles;
        list[i] = &kernels[i];
    }
    const tg_plugin plugin = {TG_MAGIC, sizeof plugin, TG_ABI_MAJOR, TG_ABI_MINOR, "many", "1",
                              "nobody", "MIT",         list.data(),  nullptr,      nullptr};
    CHECK_THROWS_WITH_AS(describe_plugin(plugin, "/many.so", ""), doctest::Contains("more than 256"), Error);
    list[256] = nullptr;
    CHECK(describe_plugin(plugin, "/many.so", "").kernels.size() == 256);
}

TEST_CASE("a section that is said to be larger than the file is seen before the symbols are read") {
    const Scratch scratch;
    const std::string whole = Scratch::read(scratch.plugin("sound"));
    ElfW(Ehdr) header;
    std::memcpy(&header, whole.data(), sizeof header);
    int tried = 0;
    for (std::size_t i = 1; i < header.e_shnum; ++i) {
        ElfW(Shdr) section;
        std::string damaged = whole;
        char* const at = damaged.data() + header.e_shoff + i * sizeof section;
        std::memcpy(&section, at, sizeof section);
        if (section.sh_type == SHT_NOBITS)
            continue;
        section.sh_size = std::size_t{1} << (i % 2 == 0 ? 40 : 63);
        std::memcpy(at, &section, sizeof section);
        CHECK_THROWS_WITH_AS(check_library_file(scratch.file("damaged.so", damaged)),
                             doctest::Contains("truncated or damaged"), Error);
        ++tried;
    }
    CHECK(tried > 10);
}

TEST_CASE("damaged tables of a library are read or refused") {
    const Scratch scratch;
    const std::string whole = Scratch::read(scratch.plugin("sound"));
    ElfW(Ehdr) header;
    std::memcpy(&header, whole.data(), sizeof header);
    struct Region {
        std::size_t start, size;
    };
    const Region regions[] = {{0, sizeof header},
                              {header.e_phoff, header.e_phnum * sizeof(ElfW(Phdr))},
                              {header.e_shoff, header.e_shnum * sizeof(ElfW(Shdr))}};
    int read = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        Dice dice(seed);
        std::string damaged = whole;
        const Region region = regions[seed % std::size(regions)];
        for (std::size_t hits = 1 + dice.below(4); hits > 0; --hits) {
            const std::uint64_t number = dice.number();
            const std::size_t width = std::size_t{1} << dice.below(4);
            const std::size_t at = region.start + dice.below(region.size - width);
            std::memcpy(damaged.data() + at / width * width, &number, width);
        }
        const fs::path file = scratch.file("damaged.so", damaged);
        try {
            check_library_file(file);
            read += exported_symbols(file).empty() ? 0 : 1;
        } catch (const Error&) {
            ++refused;
        }
    }
    CHECK(read > 50);
    CHECK(refused > 200);
}
