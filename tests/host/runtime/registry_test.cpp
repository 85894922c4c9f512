// Finding plugins in folders, and selecting a kernel among what was found.
#include "runtime/registry.hpp"
#include "scratch.hpp"

#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <sys/stat.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
namespace fs = std::filesystem;

namespace {

Registry registry_of(const std::vector<fs::path>& paths) {
    RegistryOptions options;
    options.plugin_paths = paths;
    options.probe_deadline = std::chrono::milliseconds(10'000);
    return open_registry(options);
}

const PluginEntry& entry_of(const Registry& registry, const fs::path& path) {
    const auto found = std::find_if(registry.entries.begin(), registry.entries.end(),
                                    [&](const PluginEntry& entry) { return entry.path == path; });
    REQUIRE(found != registry.entries.end());
    return *found;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

ErrorKind kind_of_selecting(const Registry& registry, const std::string& id, std::string& sentence) {
    try {
        select_kernel(registry, id);
    } catch (const Error& error) {
        sentence = error.what();
        return error.kind();
    }
    FAIL("selected: ", id);
    return ErrorKind::failed;
}

} // namespace

TEST_CASE("a plugin is found in a folder that is given, named in the environment, or the user's") {
    const Scratch scratch;
    scratch.plugin("sound", "given/sound.so");
    const Registry given = registry_of({scratch.path("given")});
    const Selected selected = select_kernel(given, "test.sound");
    CHECK(selected.kernel.id == "test.sound");
    CHECK(selected.plugin.path == scratch.path("given/sound.so"));
    CHECK(select_kernel(registry_of({scratch.path("given/sound.so")}), "test.sound_too").kernel.id ==
          "test.sound_too");
    CHECK(registry_of({}).catalogue.find("test.sound") == nullptr);
    {
        const ScopedVariable variable("TUNE_GEMM_PLUGIN_PATH",
                                      "/no/such/folder:" + scratch.path("given").string());
        const Registry registry = registry_of({});
        CHECK(registry.catalogue.find("test.sound") != nullptr);
        CHECK(contains(entry_of(registry, "/no/such/folder").refused, "No such file"));
    }
    scratch.plugin("sound", "data/tune_gemm/plugins/sound.so");
    CHECK(registry_of({}).catalogue.find("test.sound") != nullptr);
}

TEST_CASE("the current folder is not searched, and a relative folder in the environment is an error") {
    const Scratch scratch;
    scratch.plugin("sound", "here/sound.so");
    const fs::path before = fs::current_path();
    fs::current_path(scratch.path("here"));
    CHECK(registry_of({}).catalogue.find("test.sound") == nullptr);
    {
        const ScopedVariable variable("TUNE_GEMM_PLUGIN_PATH", ".");
        CHECK_THROWS_WITH_AS(registry_of({}), doctest::Contains("absolute"), Error);
    }
    CHECK(registry_of({"sound.so"}).catalogue.find("test.sound") !=
          nullptr); // named by the user: that is meant
    fs::current_path(before);
}

TEST_CASE("the plugins that were built with this program are found") {
    const Scratch scratch;
    CHECK(select_kernel(registry_of({}), "scalar").kernel.id == "scalar");
    CHECK(select_kernel(registry_of({}), "auto").kernel.arithmetic == ArithmeticClass{});
}

TEST_CASE("the baselines that were built with this program are found, each in a folder of its own") {
    const Scratch scratch;
    fs::path build = executable_folder();
    while (!fs::is_directory(build / "meson-private"))
        build = build.parent_path();
    const Registry registry = registry_of({});
    std::int64_t built = 0;
    std::error_code none; // where no library was found there is no such folder
    for (const fs::directory_entry& folder : fs::directory_iterator(build / "plugins/baselines", none)) {
        const fs::path file = folder.path() / (folder.path().filename().string() + ".so");
        if (!fs::is_regular_file(file))
            continue;
        ++built;
        CHECK_MESSAGE(std::any_of(registry.entries.begin(), registry.entries.end(),
                                  [&](const PluginEntry& entry) { return entry.path == file; }),
                      file.string() << " is not among what was found");
    }
    if (built == 0)
        MESSAGE("NOT RUN: no baseline was built.");
}

TEST_CASE("the fastest class is the sequential one whose kernel ranks highest, of the type asked for") {
    const auto named = [](const char* id, std::uint32_t rank, ArithmeticClass arithmetic) {
        KernelInfo kernel;
        kernel.id = id;
        kernel.rank = rank;
        kernel.arithmetic = arithmetic;
        return kernel;
    };
    const ArithmeticClass plain{TG_F64, TG_SEQUENTIAL, TG_TWO_ROUNDINGS},
        fused{TG_F64, TG_SEQUENTIAL, TG_FUSED};
    Registry registry;
    CHECK_THROWS_WITH_AS(fastest_class(registry, TG_F64), doctest::Contains("f64"), Error);
    registry.catalogue.add(named("library", 900, {TG_F64, TG_REORDERED, 0}));
    registry.catalogue.add(named("single", 800, {TG_F32, TG_SEQUENTIAL, TG_FUSED}));
    CHECK_THROWS_AS(fastest_class(registry, TG_F64), Error);
    registry.catalogue.add(named("b", 1, fused));
    registry.catalogue.add(named("a", 1, plain));
    CHECK(fastest_class(registry, TG_F64) == plain); // equal rank: the smaller id
    registry.catalogue.add(named("wide", 300, fused));
    CHECK(fastest_class(registry, TG_F64) == fused);
    KernelInfo broken = named("wider", 400, plain);
    broken.unusable = "this processor lacks avx9.";
    registry.catalogue.add(broken);
    CHECK(fastest_class(registry, TG_F64) == fused);
    CHECK(fastest_class(registry, TG_F32).dtype == TG_F32);
}

TEST_CASE("a path that is not there is bad input; a folder without plugins is told") {
    const Scratch scratch;
    CHECK_THROWS_WITH_AS(registry_of({scratch.path("absent")}), doctest::Contains("absent"), Error);
    fs::create_directory(scratch.path("empty"));
    const Registry registry = registry_of({scratch.path("empty")});
    CHECK(contains(entry_of(registry, scratch.path("empty")).refused, "holds no plugin"));
}

TEST_CASE("one bad file in a folder does not spoil the others") {
    const Scratch scratch;
    for (const char* plugin : {"abort_constructor", "exit_constructor", "no_symbol", "sound", "wrong_major"})
        scratch.plugin(plugin, std::string("in/") + plugin + ".so");
    REQUIRE(::mkfifo(scratch.path("in/fifo.so").c_str(), 0600) == 0);
    fs::create_symlink("nowhere", scratch.path("in/dangling.so"));
    scratch.file("in/notes.txt", "not looked at");
    const Registry registry = registry_of({scratch.path("in")});
    const auto refused = std::count_if(registry.entries.begin(), registry.entries.end(),
                                       [](const PluginEntry& entry) { return !entry.refused.empty(); });
    CHECK(refused == 6);
    for (const PluginEntry& entry : registry.entries)
        CHECK(entry.info.has_value() == entry.refused.empty());
    CHECK(select_kernel(registry, "test.sound").plugin.path == scratch.path("in/sound.so"));
}

TEST_CASE("a folder that others can write is refused as a whole") {
    const Scratch scratch;
    scratch.plugin("sound", "in/sound.so");
    REQUIRE(::chmod(scratch.path("in").c_str(), 0777) == 0);
    const Registry registry = registry_of({scratch.path("in")});
    CHECK(
        contains(entry_of(registry, scratch.path("in")).refused, "can be written by everybody (mode 0777)"));
    CHECK(registry.catalogue.find("test.sound") == nullptr);
    RegistryOptions options;
    options.plugin_paths = {scratch.path("in")};
    options.allow_unsafe_path = true;
    CHECK(open_registry(options).catalogue.find("test.sound") != nullptr);
}

TEST_CASE("two files with one microkernel_id are named both, and neither kernel is used") {
    const Scratch scratch;
    const fs::path one = scratch.plugin("sound", "one/sound.so"),
                   other = scratch.plugin("duplicate", "other/d.so");
    Registry registry;
    SUBCASE("both named on the command line") {
        registry = registry_of({scratch.path("one"), other});
    }
    SUBCASE("both found") {
        const ScopedVariable folders("TUNE_GEMM_PLUGIN_PATH",
                                     scratch.path("one").string() + ":" + scratch.path("other").string());
        registry = registry_of({});
    }
    for (const fs::path& file : {one, other}) {
        const std::string why = entry_of(registry, file).info->kernels[0].unusable;
        CHECK(contains(why, one.string()));
        CHECK(contains(why, other.string()));
        CHECK(contains(why, "test.sound"));
    }
    std::string sentence;
    CHECK(kind_of_selecting(registry, "test.sound", sentence) == ErrorKind::bad_input);
    CHECK(contains(sentence, one.string()));
    CHECK(contains(sentence, other.string()));
    CHECK(select_kernel(registry, "test.sound_too").plugin.path == one); // the rest of both files serves
    CHECK(select_kernel(registry, "test.own").plugin.path == other);
}

TEST_CASE("of two files with one microkernel_id the one on the command line is used") {
    const Scratch scratch;
    const fs::path found = scratch.plugin("sound", "found/sound.so"),
                   named = scratch.plugin("duplicate", "named/d.so");
    const ScopedVariable folders("TUNE_GEMM_PLUGIN_PATH", scratch.path("found").string());
    for (const fs::path& path : {named, named.parent_path()}) {
        const Registry registry = registry_of({path});
        CHECK(select_kernel(registry, "test.sound").plugin.path == named);
        const std::string why = entry_of(registry, found).info->kernels[0].unusable;
        CHECK(contains(why, "gives way to " + named.string()));
        CHECK(select_kernel(registry, "test.sound_too").plugin.path == found);
    }
}

TEST_CASE("a file that is named and refused is an error, whatever else is there") {
    const Scratch scratch;
    scratch.plugin("sound", "in/sound.so");
    const fs::path bad = scratch.file("in/bad.so", "no library");
    std::string sentence;
    CHECK(kind_of_selecting(registry_of({scratch.path("in"), bad}), "test.sound", sentence) ==
          ErrorKind::bad_input);
    CHECK(contains(sentence, bad.string() + ": "));
    CHECK(select_kernel(registry_of({scratch.path("in")}), "test.sound").kernel.id == "test.sound");
}

TEST_CASE("the same file under several names is one plugin") {
    const Scratch scratch;
    const fs::path file = scratch.plugin("sound", "in/a.so");
    fs::create_hard_link(file, scratch.path("in/b.so"));
    fs::create_symlink("a.so", scratch.path("in/c.so"));
    const Registry registry = registry_of({scratch.path("in"), file});
    const PluginEntry& entry = entry_of(registry, file);
    CHECK(entry.also_known_as == std::vector<fs::path>{scratch.path("in/b.so"), scratch.path("in/c.so")});
    CHECK(select_kernel(registry, "test.sound").plugin.path == file);
}

TEST_CASE("a kernel that needs what the processor lacks is listed, and not usable") {
    const Scratch scratch;
    const fs::path file = scratch.plugin("missing_feature");
    const Registry registry = registry_of({file});
    CHECK(contains(entry_of(registry, file).info->kernels.at(0).unusable, "flux_capacitor"));
    std::string sentence;
    CHECK(kind_of_selecting(registry, "test.missing_feature", sentence) == ErrorKind::unavailable);
    CHECK(contains(sentence, "flux_capacitor"));
}

TEST_CASE("an unknown id is bad input: the nearest is suggested, and refused files are told") {
    const Scratch scratch;
    std::string sentence;
    CHECK(kind_of_selecting(registry_of({}), "scaler", sentence) == ErrorKind::bad_input);
    CHECK(contains(sentence, "scaler"));
    CHECK(contains(sentence, "did you mean scalar?"));
    const Registry registry = registry_of({scratch.plugin("abort_constructor")});
    CHECK(kind_of_selecting(registry, "test.abort_constructor", sentence) == ErrorKind::bad_input);
    CHECK(contains(sentence, "SIGABRT"));
}

TEST_CASE("a class that no kernel has leaves auto without a kernel") {
    const Scratch scratch;
    RegistryOptions options;
    options.auto_class = {TG_I32, TG_REORDERED, 0};
    std::string sentence;
    CHECK(kind_of_selecting(open_registry(options), "auto", sentence) == ErrorKind::unavailable);
    CHECK(contains(sentence, "i32 reordered"));
}

TEST_CASE("locked: only what the lock file lists is loaded") {
    const Scratch scratch;
    const fs::path sound = scratch.plugin("sound", "in/sound.so"),
                   other = scratch.plugin("duplicate", "in/other.so");
    RegistryOptions options;
    const std::string sha256 = inspect_file(sound, options).sha256;
    options.plugin_paths = {scratch.path("in")};
    options.locked = true;
    CHECK_THROWS_WITH_AS(open_registry(options), doctest::Contains("no lock file"), Error);

    const auto lock = [&](const std::string& name, const std::string& entry) {
        return scratch.file(name, R"({"schema_version": "tune_gemm_lock_1", "plugins": [)" + entry + "]}");
    };
    const auto listed = [&] {
        const Registry registry = open_registry(options);
        CHECK(contains(entry_of(registry, other).refused, "--locked"));
        CHECK(contains(entry_of(registry, other).refused, "SHA-256"));
        return entry_of(registry, sound).info.has_value();
    };
    lock("data/tune_gemm/plugins/plugins.lock.json", R"({"sha256": ")" + sha256 + "\"}");
    CHECK(listed());
    options.lock_file =
        lock("l1.json", R"({"path": ")" + sound.string() + R"(", "sha256": ")" + sha256 + "\"}");
    CHECK(listed());
    CHECK_THROWS_WITH_AS(inspect_file(other, options), doctest::Contains("l1.json"), Error);
    options.lock_file = lock("l2.json", R"({"path": "/elsewhere.so", "sha256": ")" + sha256 + "\"}");
    CHECK(!listed());
    options.lock_file = lock("l3.json", "");
    CHECK(!listed());
}

TEST_CASE("a lock file that is wrong is bad input, naming the field") {
    const Scratch scratch;
    RegistryOptions options;
    options.locked = true;
    const auto error = [&](const std::string& text) {
        options.lock_file = scratch.file("lock.json", text);
        try {
            open_registry(options);
        } catch (const Error& error) {
            CHECK(error.kind() == ErrorKind::bad_input);
            CHECK(contains(error.what(), "lock.json"));
            return std::string(error.what());
        }
        FAIL("not refused: ", text);
        return std::string();
    };
    error("{");
    CHECK(contains(error(R"({"schema_version": "tune_gemm_lock_2", "plugins": []})"), "tune_gemm_lock_2"));
    CHECK(contains(error(R"({"schema_version": "tune_gemm_lock_1"})"), "plugins"));
    CHECK(contains(error(R"({"schema_version": "tune_gemm_lock_1", "plugins": [{"sha256": "abc"}]})"),
                   "plugins[0].sha256"));
    CHECK(contains(error(R"({"schema_version": "tune_gemm_lock_1", "plugins": [], "more": 1})"), "more"));
    const std::string digits(64, 'a');
    CHECK(contains(error(R"({"schema_version": "tune_gemm_lock_1", "plugins": [{"sha256": ")" + digits +
                         R"(", "path": "sound.so"}]})"),
                   "absolute"));
}

TEST_CASE("an argument names a file when it has a slash or ends in .so") {
    for (const char* file : {"./my.so", "/x/y", "my.so", "a/b"})
        CHECK(names_a_file(file));
    for (const char* id : {"scalar", "auto", "avx2.6x8", ""})
        CHECK(!names_a_file(id));
}
