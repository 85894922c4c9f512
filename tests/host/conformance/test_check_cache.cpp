// Results that need not be found again, and what makes them worthless.
#include "faults.hpp"

#include "conformance/check_cache.hpp"
#include "conformance/runner.hpp"
#include "runtime/registry.hpp"
#include "store/text_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

using namespace tune_gemm;
using namespace tune_gemm::host;
namespace fs = std::filesystem;

namespace {

class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "tune_gemm_cache_XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path_); }
    const fs::path& path() const noexcept { return path_; }
    std::vector<fs::path> files() const {
        std::vector<fs::path> found;
        if (fs::exists(path_ / "checks"))
            for (const auto& entry : fs::directory_iterator(path_ / "checks"))
                found.push_back(entry.path());
        return found;
    }

  private:
    fs::path path_;
};

struct Run {
    std::vector<CheckRecord> records;
    std::vector<std::string> warnings;
    std::int64_t cached() const {
        return std::count_if(records.begin(), records.end(),
                             [](const CheckRecord& one) { return one.cached; });
    }
};

Run run(const Folder& folder, const PluginInfo& plugin, std::vector<const Check*> checks,
        std::uint64_t seed = 1) {
    CheckCache cache(folder.path() / "checks", plugin, seed);
    RunnerOptions options;
    options.checks = std::move(checks);
    options.seed = seed;
    options.cache = &cache;
    Run made;
    made.records = run_checks(plugin, plugin.kernels, options);
    made.warnings = cache.warnings();
    return made;
}

PluginInfo inspect(std::string_view folder, std::string_view name) {
    RegistryOptions options;
    options.allow_unsafe_path = true; // whatever the permissions of the build folder
    return inspect_file(tests::built_plugin(folder, name), options);
}

std::vector<const Check*> some_checks() {
    return {find_check("library.exports"), find_check("metadata.texts"), find_check("metadata.tile"),
            find_check("result.empty_sum")};
}

} // namespace

TEST_CASE("what passed is not run again, and is said to be cached") {
    const Folder folder;
    const PluginInfo plugin = inspect("sound_plugins", "sound_gemm");
    const Run first = run(folder, plugin, some_checks()), second = run(folder, plugin, some_checks());
    CHECK(first.cached() == 0);
    CHECK(second.cached() == static_cast<std::int64_t>(second.records.size()));
    CHECK(second.warnings.empty());
    for (std::size_t i = 0; i < first.records.size(); ++i) {
        CHECK(first.records[i].result.status == second.records[i].result.status);
        CHECK(first.records[i].result.sentence == second.records[i].result.sentence);
        CHECK(first.records[i].result.cases == second.records[i].result.cases);
    }
}

TEST_CASE("other seeds, other files and other checks have results of their own") {
    const Folder folder;
    const PluginInfo plugin = inspect("sound_plugins", "sound_gemm");
    run(folder, plugin, some_checks(), 1);
    CHECK(run(folder, plugin, some_checks(), 2).cached() == 0);
    PluginInfo other = plugin;
    other.sha256[0] = other.sha256[0] == '0' ? '1' : '0';
    const CheckUnit unit{Scope::plugin, "", -1};
    const std::vector<const Check*> exports{find_check("library.exports")};
    CHECK(CheckCache(folder.path() / "checks", plugin, 1).find(unit, exports).has_value());
    CHECK_FALSE(CheckCache(folder.path() / "checks", other, 1).find(unit, exports).has_value());
    // A table that has grown is another table.
    const std::vector<const Check*> more{find_check("library.exports"), find_check("library.unique")};
    CHECK_FALSE(CheckCache(folder.path() / "checks", plugin, 1).find(unit, more).has_value());
}

TEST_CASE("failures are found anew each time") {
    const Folder folder;
    const PluginInfo plugin = inspect("faulty_plugins", "all_nan");
    const std::vector<const Check*> checks{find_check("metadata.texts"), find_check("metadata.tile"),
                                           find_check("result.integers")};
    for (int turn = 0; turn < 2; ++turn) {
        const Run made = run(folder, plugin, checks);
        REQUIRE(made.records.size() == 3);
        CHECK(made.records[2].result.status == CheckStatus::fail);
        CHECK_FALSE(made.records[2].cached);
        CHECK_FALSE(made.records[1].cached); // of the same tile: all or nothing
        CHECK(made.records[0].cached == (turn == 1));
    }
}

TEST_CASE("a damaged file is ignored with a warning and written anew, whatever the damage") {
    const Folder folder;
    const PluginInfo plugin = inspect("faulty_plugins", "all_nan");
    const std::vector<const Check*> checks{find_check("metadata.texts")};
    run(folder, plugin, checks);
    REQUIRE(folder.files().size() == 1);
    const fs::path file = folder.files().front();
    const std::string good = read_file(file);
    const auto replaced = [&](const std::string& what, const std::string& by) {
        std::string text = good;
        REQUIRE(text.find(what) != std::string::npos);
        return text.replace(text.find(what), what.size(), by);
    };
    for (const std::string& bad :
         {std::string(), std::string("{"), good.substr(0, good.size() / 2), good + "x", std::string("[]"),
          std::string(100, '\0'), replaced("\"pass\"", "\"warn\""), replaced("\"pass\"", "\"fail\""),
          replaced("\"cases\": ", "\"cases\": 1"), replaced("\"seed\": \"1\"", "\"seed\": \"2\""),
          replaced("metadata.texts", "metadata.flags")}) {
        CAPTURE(bad);
        std::ofstream(file) << bad;
        const Run made = run(folder, plugin, checks);
        CHECK(made.cached() == 0);
        REQUIRE(made.warnings.size() == 1);
        CHECK(made.warnings.front().find("is ignored") != std::string::npos);
        CHECK(read_file(file) == good);
    }
    fs::remove(file);
    const auto is_run_without = [&] {
        const Run made = run(folder, plugin, checks);
        CHECK(made.cached() == 0);
        CHECK(made.records.front().result.status == CheckStatus::pass);
        fs::remove(file);
    };
    fs::create_directory(file); // can neither be read nor replaced
    is_run_without();
    REQUIRE(mkfifo(file.c_str(), 0600) == 0); // whose other end nobody has
    is_run_without();
}

TEST_CASE("a cache that cannot be written is as good as none") {
    const Folder folder;
    const PluginInfo plugin = inspect("faulty_plugins", "all_nan");
    std::ofstream(folder.path() / "checks") << "a file where a folder belongs";
    const Run made = run(folder, plugin, {find_check("metadata.texts")});
    CHECK(made.records.front().result.status == CheckStatus::pass);
}
