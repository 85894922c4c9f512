// The mutation score: every wrong plugin is caught by the check that is meant to catch it, alone and as part
// of the whole table. Prints "mutation score: caught n of n, not run: ..." and fails below n of n.
#include "faults.hpp"

#include "conformance/runner.hpp"
#include "runtime/cpu.hpp"
#include "runtime/environment_record.hpp"
#include "runtime/registry.hpp"
#include "worker/process.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace tune_gemm;
using namespace tune_gemm::host;

namespace {

const PluginInfo& inspect(std::string_view name) {
    static std::map<std::string, PluginInfo, std::less<>> known;
    if (const auto at = known.find(name); at != known.end())
        return at->second;
    RegistryOptions options;
    options.allow_unsafe_path = true; // whatever the permissions of the build folder
    PluginInfo plugin = inspect_file(tests::built_plugin("faulty_plugins", name), options);
    return known.emplace(name, std::move(plugin)).first->second;
}

std::vector<CheckRecord> check(const tests::Fault& fault, std::vector<const Check*> checks) {
    RunnerOptions options;
    options.checks = std::move(checks);
    // Threads that are to meet need the processors for themselves.
    options.jobs =
        fault.check.starts_with("concurrency.") ? 1 : std::min(std::max(allowed_processors(), 1), 2);
    // Only a hang is worth waiting for: in one check until it is said where, in the many of the table not
    // long.
    if (fault.status == CheckStatus::timeout)
        options.limit = std::chrono::milliseconds(options.checks.size() == 1 ? 6000 : 1500);
    const PluginInfo& plugin = inspect(fault.plugin);
    return run_checks(plugin, plugin.kernels, options);
}

/// What became of the faults.
class Score {
  public:
    /// `words`: of the sentence; checks that have run before in the same worker may lead to others.
    void add(const tests::Fault& fault, const CheckResult& result, std::string_view words) {
        CAPTURE(fault.plugin);
        CAPTURE(fault.check);
        CAPTURE(result.sentence);
        if (!fault.needs.empty() && !missing_features(std::vector{std::string(fault.needs)}).empty()) {
            not_run_.push_back(fmt::format("{} (there is no {} here)", fault.plugin, fault.needs));
            return;
        }
        if (result.status == CheckStatus::skip && fault.may_be_skipped) {
            not_run_.push_back(fmt::format("{} ({})", fault.plugin, result.sentence));
            return;
        }
        ++run_;
        CHECK(to_text(result.status) == to_text(fault.status));
        CHECK(result.sentence.find(words) != std::string::npos);
        caught_ += result.status == fault.status ? 1 : 0;
    }

    void tell(std::string_view how) const {
        fmt::print("mutation score, {}: caught {} of {}, not run: {}\n", how, caught_, run_,
                   not_run_.empty() ? "none"
                                    : fmt::format("{}: {}", not_run_.size(), fmt::join(not_run_, "; ")));
        CHECK(caught_ == run_);
        CHECK(run_ + static_cast<int>(not_run_.size()) == static_cast<int>(tests::all_faults().size()));
    }

  private:
    int run_ = 0, caught_ = 0;
    std::vector<std::string> not_run_;
};

} // namespace

TEST_CASE("each wrong plugin is caught by its own check, run alone") {
    Score score;
    for (const tests::Fault& fault : tests::all_faults()) {
        CAPTURE(fault.plugin);
        const auto records = check(fault, select_checks(fault.check));
        REQUIRE(records.size() == 1);
        score.add(fault, records.front().result, fault.words);
    }
    score.tell("each by its own check alone");
}

TEST_CASE("each wrong plugin is caught by its own check, the whole table run") {
    if (address_space_limit_unusable()) {
        fmt::print(
            "SKIPPED: the whole table of each wrong plugin: takes many minutes in a build with sanitizers\n");
        return;
    }
    std::vector<const Check*> table;
    for (const Check& one : all_checks())
        table.push_back(&one);
    Score score;
    std::map<std::string_view, std::vector<CheckRecord>> seen; // some plugins stand for several faults
    for (const tests::Fault& fault : tests::all_faults()) {
        CAPTURE(fault.plugin);
        if (!seen.contains(fault.plugin))
            seen.emplace(fault.plugin, check(fault, table));
        const auto& records = seen.at(fault.plugin);
        const auto record = std::find_if(records.begin(), records.end(), [&](const CheckRecord& one) {
            return one.check->id == fault.check;
        });
        REQUIRE((record != records.end()));
        score.add(fault, record->result, "");
        if (is_failure(fault.status))
            CHECK(exit_code_of(totals_of(records)) == 1);
    }
    score.tell("each by its own check in the whole table");
}
