// What is remembered of a plugin, and loading one into this process.
#include "runtime/file_check.hpp"
#include "runtime/load.hpp"
#include "runtime/probe.hpp"
#include "runtime/probe_cache.hpp"
#include "runtime/sha256.hpp"
#include "scratch.hpp"

#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <sys/stat.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
namespace fs = std::filesystem;

TEST_CASE("SHA-256 has its published values") {
    CHECK(sha256_text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const Scratch scratch;
    const std::string bytes(1'000'000, 'a'); // more than one piece
    CHECK(sha256_file(scratch.file("a", bytes)) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    CHECK_THROWS_AS(sha256_file(scratch.path("absent")), Error);
    CHECK(is_sha256(sha256_text("")));
    CHECK(!is_sha256("E3B0"));
}

TEST_CASE("what a plugin said is remembered by the file's contents") {
    const Scratch scratch;
    const PluginInfo first = probe_plugin(scratch.plugin("sound"));
    {
        const ScopedVariable no_worker("TUNE_GEMM_WORKER", "/no/such/worker"); // so it is not asked again
        const PluginInfo again = probe_plugin(scratch.plugin("sound", "elsewhere/copy.so"));
        CHECK(again.path == scratch.path("elsewhere/copy.so"));
        CHECK(again.kernels.at(0).origin == again.path.string());
        CHECK(again.sha256 == first.sha256);
        CHECK_THROWS_AS(probe_plugin(scratch.plugin("duplicate")), Error); // and another is not taken for it
    }
    fs::path entry;
    for (const auto& found : fs::directory_iterator(probe_cache_folder()))
        entry = found.path();
    CHECK(entry.string().find(first.sha256) != std::string::npos);
    const std::string good = Scratch::read(entry);

    // Whatever the cache holds instead, the plugin is asked again, and the cache mended.
    std::string other_hash = good;
    other_hash.replace(other_hash.find(first.sha256), 4, "0000");
    for (const std::string& bad : {std::string(), std::string("{"), good.substr(0, good.size() / 2),
                                   std::string("[]"), other_hash, good + "x", std::string(100, '\0')}) {
        std::ofstream(entry) << bad;
        CHECK(probe_plugin(scratch.plugin("sound")).kernels.size() == 2);
        CHECK(Scratch::read(entry) == good);
    }
    fs::remove(entry);
    fs::create_directory(entry); // cannot be read nor replaced
    CHECK(probe_plugin(scratch.plugin("sound")).kernels.size() == 2);
    fs::remove(entry);
    REQUIRE(mkfifo(entry.c_str(), 0600) == 0); // whose other end nobody has
    CHECK(probe_plugin(scratch.plugin("sound")).kernels.size() == 2);
    fs::remove_all(scratch.path("cache"));
    scratch.file("cache", "a file where a folder belongs");
    CHECK(probe_plugin(scratch.plugin("sound")).kernels.size() == 2);
}

TEST_CASE("a plugin's description goes through JSON unchanged") {
    const Scratch scratch;
    const PluginInfo info = probe_plugin(scratch.plugin("sound"));
    const json::value written = plugin_json(info);
    CHECK(plugin_json(parse_plugin(json::Field(written, "test"))) == written);
    CHECK(json::write(written).find("test.sound_too") != std::string::npos);

    for (const char* field : {"path", "sha256", "abi_major", "kernels"}) {
        json::value without = written;
        without.as_object().erase(field);
        CHECK_THROWS_WITH_AS(parse_plugin(json::Field(without, "test")), doctest::Contains(field), Error);
    }
    json::value negative = written;
    negative.as_object()["kernels"].as_array()[0].as_object()["tiles"].as_array()[0].as_object()["mr"] = -1;
    CHECK_THROWS_WITH_AS(parse_plugin(json::Field(negative, "test")),
                         doctest::Contains("kernels[0].tiles[0].mr"), Error);
}

TEST_CASE("a plugin is loaded once a process, with its pointers") {
    const Scratch scratch;
    const fs::path file = scratch.plugin("sound");
    const PluginInfo& info = load_plugin(file);
    REQUIRE(info.kernels.size() == 2);
    for (const KernelInfo& kernel : info.kernels) {
        REQUIRE(kernel.kernel != nullptr);
        CHECK(kernel.kernel->microkernel_id == kernel.id);
        REQUIRE(kernel.tiles.size() == 1);
        REQUIRE(kernel.tiles[0].tile != nullptr);
        CHECK((kernel.tiles[0].tile->run != nullptr));
    }
    fs::create_hard_link(file, scratch.path("other_name.so"));
    CHECK(&load_plugin(file) == &info);
    CHECK(&load_plugin(scratch.path("other_name.so")) == &info);
    CHECK(&load_plugin(file, info.sha256) == &info);
    const Catalogue catalogue = loaded_catalogue(file, info.sha256);
    REQUIRE(catalogue.find("test.sound") != nullptr);
    CHECK(catalogue.find("test.sound")->kernel == info.kernels[0].kernel);
}

TEST_CASE("a kernel whose processor features are missing is loaded, but unusable") {
    const Scratch scratch;
    const Catalogue catalogue = loaded_catalogue(scratch.plugin("missing_feature"));
    REQUIRE(catalogue.find("test.missing_feature") != nullptr);
    CHECK(catalogue.find("test.missing_feature")->unusable.find("flux_capacitor") != std::string::npos);
}

TEST_CASE("a file that is not the expected one is not loaded, and one that has changed is noticed") {
    const Scratch scratch;
    const fs::path file = scratch.plugin("duplicate");
    CHECK_THROWS_WITH_AS(load_plugin(file, std::string(64, '0')), doctest::Contains("has changed"), Error);
    const std::string sha256 = load_plugin(file).sha256;
    CHECK_THROWS_WITH_AS(load_plugin(file, std::string(64, '0')), doctest::Contains(sha256.c_str()), Error);
    std::ofstream(file, std::ios::app) << "one more line";
    CHECK_THROWS_WITH_AS(load_plugin(file), doctest::Contains("changed"), Error);

    // Another file under the name of one that was loaded: the system's loader would give the old one for it.
    fs::remove(file);
    scratch.plugin("sound", "duplicate.so");
    CHECK_THROWS_WITH_AS(load_plugin(file, sha256), doctest::Contains("has changed"), Error);
    CHECK_THROWS_WITH_AS(load_plugin(file), doctest::Contains("has changed"), Error);

    const fs::path mended = scratch.plugin("wrong_magic", "mended.so");
    CHECK_THROWS_WITH_AS(load_plugin(mended), doctest::Contains("magic"), Error);
    CHECK_THROWS_WITH_AS(load_plugin(mended), doctest::Contains("magic"), Error);
    fs::remove(mended);
    scratch.plugin("sound", "mended.so");
    CHECK_THROWS_WITH_AS(load_plugin(mended), doctest::Contains("has changed"), Error);
}

TEST_CASE("a helper of one plugin is not taken for that of another with the same name") {
    const Scratch scratch;
    const auto stored_by = [&](const char* name) {
        const PluginInfo& info = load_plugin(scratch.plugin(name));
        double stored = 0;
        tg_tile_args args{};
        args.c = &stored;
        const KernelInfo& kernel = info.kernels.at(0);
        kernel.tiles.at(0).tile->run(kernel.kernel, &args);
        return stored;
    };
    CHECK(stored_by("helper_one") == 1);
    CHECK(stored_by("helper_two") == 2);
}

TEST_CASE("a plugin is never unloaded: it may be in use when all that was made from it is gone") {
    const Scratch scratch;
    const fs::path file = scratch.plugin("helper_one", "in_use.so");
    tg_tile_run run = nullptr;
    const tg_kernel* kernel = nullptr;
    {
        const Catalogue catalogue = loaded_catalogue(file);
        const KernelInfo& info = catalogue.kernels().front();
        kernel = info.kernel, run = info.tiles.at(0).tile->run;
    }
    std::atomic<bool> calling = false, done = false;
    double stored = 0;
    std::thread user([&] {
        tg_tile_args args{};
        args.c = &stored;
        do {
            run(kernel, &args);
            calling = true;
        } while (!done);
    });
    while (!calling)
        std::this_thread::yield();
    for (int round = 0; round < 3; ++round)
        CHECK(loaded_catalogue(file).kernels().front().kernel == kernel);
    done = true;
    user.join();
    CHECK(stored == 1);
    std::ifstream maps("/proc/self/maps");
    const std::string all((std::istreambuf_iterator<char>(maps)), std::istreambuf_iterator<char>());
    CHECK(all.find("in_use.so") != std::string::npos);
}
