// Every wrong plugin is caught by the check that is meant to catch it, and right ones raise nothing.
#include "faults.hpp"

#include "conformance/runner.hpp"
#include "runtime/registry.hpp"

#include <tune_gemm/error.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

PluginInfo inspect(const std::filesystem::path& path) {
    RegistryOptions options;
    options.allow_unsafe_path = true; // whatever the permissions of the build folder
    return inspect_file(path, options);
}

std::vector<CheckRecord> check(const PluginInfo& plugin, std::vector<const Check*> checks, int limit_ms = 0) {
    RunnerOptions options;
    options.checks = std::move(checks);
    if (limit_ms != 0)
        options.limit = std::chrono::milliseconds(limit_ms);
    return run_checks(plugin, plugin.kernels, options);
}

std::vector<const Check*> everything() {
    std::vector<const Check*> checks;
    for (const Check& one : all_checks())
        checks.push_back(&one);
    return checks;
}

/// No failure and no warning, and at least one pass; prints what is not so.
void require_clean(const PluginInfo& plugin) {
    const auto records = check(plugin, everything());
    for (const CheckRecord& record : records) {
        const bool clean =
            record.result.status == CheckStatus::pass || record.result.status == CheckStatus::skip;
        CHECK_MESSAGE(clean,
                      fmt::format("{} of {} {}: {}: {}", record.check->id, record.kernel, record.tile_text,
                                  to_text(record.result.status), record.result.sentence));
    }
    CHECK(exit_code_of(totals_of(records)) == 0);
}

} // namespace

TEST_CASE("no wrong plugin is left out of the table") {
    std::set<std::string> known;
    for (const tests::Fault& fault : tests::all_faults())
        known.emplace(fault.plugin);
    int found = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(tests::built_plugin("faulty_plugins", "crash").parent_path())) {
        // Libraries are what plugins are linked with.
        if (entry.path().extension() != ".so" || entry.path().filename().string().starts_with("lib"))
            continue;
        ++found;
        CHECK_MESSAGE(known.contains(entry.path().stem().string()), entry.path().string());
    }
    CHECK(found == static_cast<int>(known.size()));
}

TEST_CASE("the scalar plugin passes everything") {
    require_clean(inspect(SCALAR_PLUGIN));
}
TEST_CASE("unusual but right tiles pass everything") {
    require_clean(inspect(tests::built_plugin("sound_plugins", "sound_tiles")));
}
TEST_CASE("right kernels that do what few do pass everything") {
    require_clean(inspect(tests::built_plugin("sound_plugins", "sound_odd")));
}
TEST_CASE("a right plugin in C passes everything") {
    require_clean(inspect(tests::built_plugin("sound_plugins", "sound_in_c")));
}
TEST_CASE("right whole-gemm kernels pass everything") {
    require_clean(inspect(tests::built_plugin("sound_plugins", "sound_gemm")));
}

TEST_CASE("a kernel that keeps hanging is not waited for at every check") {
    const PluginInfo plugin = inspect(tests::built_plugin("faulty_plugins", "hang"));
    const Check* nonfinite = find_check("result.nonfinite");
    const Check* texts = find_check("metadata.texts");
    const auto records = check(plugin, {texts, nonfinite, nonfinite, find_check("result.integers")}, 1500);
    REQUIRE(records.size() == 4);
    CHECK(records[0].result.status == CheckStatus::pass);
    CHECK(records[1].result.status == CheckStatus::timeout);
    CHECK(records[2].result.status == CheckStatus::timeout);
    CHECK(records[3].result.status == CheckStatus::skip);
    CHECK(records[3].result.sentence.find("timed out") != std::string::npos);
    CHECK(exit_code_of(totals_of(records)) == 1);
}

TEST_CASE("after a crash the next check runs in a new worker") {
    const PluginInfo plugin = inspect(tests::built_plugin("faulty_plugins", "crash"));
    const auto records = check(plugin, {find_check("tail.residues"), find_check("metadata.tile")});
    REQUIRE(records.size() == 2);
    CHECK(records[0].result.status == CheckStatus::crash);
    CHECK(records[0].result.sentence.find("SIGSEGV") != std::string::npos);
    CHECK(records[1].result.status == CheckStatus::pass);
}

TEST_CASE("what a kernel does only once is found after other checks, too") {
    const PluginInfo plugin = inspect(tests::built_plugin("faulty_plugins", "starts_thread"));
    const auto records = check(plugin, {find_check("result.integers"), find_check("state.process")});
    REQUIRE(records.size() == 2);
    CHECK(records[0].result.status == CheckStatus::pass);
    CHECK(records[1].result.status == CheckStatus::fail);
}

TEST_CASE("a failure is repeated by its seed, word for word") {
    const PluginInfo plugin = inspect(tests::built_plugin("faulty_plugins", "two_accumulators"));
    RunnerOptions options;
    options.checks = {find_check("result.rounding")};
    options.seed = 987654321;
    const auto first = run_checks(plugin, plugin.kernels, options),
               second = run_checks(plugin, plugin.kernels, options);
    CHECK(first.front().result.status == CheckStatus::fail);
    CHECK(first.front().result.sentence == second.front().result.sentence);
    options.seed = 1;
    CHECK(run_checks(plugin, plugin.kernels, options).front().result.sentence !=
          first.front().result.sentence);
}

TEST_CASE("kernels that are one loop under several names are called once, and say so") {
    const PluginInfo plugin = inspect(SCALAR_PLUGIN);
    const auto records = check(plugin, {find_check("metadata.texts"), find_check("result.empty_sum")});
    REQUIRE(records.size() == 6); // scalar, scalar_f64, scalar_f32
    CHECK(records[1].result.status == CheckStatus::pass);
    CHECK(records[2].result.status == CheckStatus::pass); // texts of the second kernel
    CHECK(records[3].result.status == CheckStatus::skip);
    CHECK(records[3].result.sentence == "The same loop as kernel scalar, whose result holds.");
    CHECK(records[5].result.status == CheckStatus::pass); // f32 is another loop
}

TEST_CASE("several checks at once give the same records, in the same order") {
    const PluginInfo plugin = inspect(tests::built_plugin("sound_plugins", "sound_tiles"));
    RunnerOptions options;
    options.checks = select_checks("metadata");
    for (const char* id : {"result.integers", "result.empty_sum", "tail.free"})
        options.checks.push_back(find_check(id));
    const auto one = run_checks(plugin, plugin.kernels, options);
    options.jobs = 5;
    std::size_t told = 0;
    const auto five = run_checks(plugin, plugin.kernels, options, [&](const CheckRecord&) { ++told; });
    REQUIRE(one.size() == five.size());
    CHECK(told == five.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].check == five[i].check);
        CHECK(one[i].kernel == five[i].kernel);
        CHECK(one[i].tile == five[i].tile);
        CHECK(one[i].result.status == five[i].result.status);
        CHECK(one[i].result.sentence == five[i].result.sentence);
        CHECK(one[i].result.cases == five[i].result.cases);
    }
}

TEST_CASE("crashes of checks that run at once do not touch each other") {
    const PluginInfo plugin = inspect(tests::built_plugin("faulty_plugins", "crash"));
    RunnerOptions options;
    const Check *crashing = find_check("tail.residues"), *sound = find_check("metadata.tile");
    options.checks = {crashing, sound, crashing, sound, crashing, sound};
    options.jobs = 3;
    const auto records = run_checks(plugin, plugin.kernels, options);
    REQUIRE(records.size() == 6);
    for (std::size_t i = 0; i < records.size(); ++i)
        CHECK(records[i].result.status == (i % 2 == 0 ? CheckStatus::crash : CheckStatus::pass));
}

TEST_CASE("an error in one of several jobs reaches the caller") {
    PluginInfo plugin = inspect(tests::built_plugin("sound_plugins", "sound_tiles"));
    plugin.sha256 = std::string(64, '0'); // so that no worker loads it
    RunnerOptions options;
    options.checks = select_checks("result");
    options.jobs = 4;
    CHECK_THROWS_WITH_AS(run_checks(plugin, plugin.kernels, options), doctest::Contains("has changed"),
                         Error);
}
