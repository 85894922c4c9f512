// What `tune-gemm check` found, in the forms in which it is told.
#pragma once
#include "cli/options.hpp"
#include "conformance/runner.hpp"
#include "runtime/plugin_info.hpp"

#include <tune_gemm/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tune_gemm::host {

struct CheckReport {
    std::string what; ///< as it was given: a file or an id
    PluginOptions options;
    std::uint64_t seed = 0;
    double time_limit = 0; ///< seconds; 0: each check's own
    PluginInfo plugin;
    std::vector<KernelInfo> kernels; ///< those that were checked
    std::vector<CheckRecord> records;
};

/// One record that needs words: the sentence, the contract, where it is explained, and the command again.
std::string finding_text(const CheckReport&, const CheckRecord&);
/// "57 passed, 1 failed, 12 skipped: the kernel breaks the contract."
std::string summary_line(const CheckTotals&);

/// The command that runs the record's check alone, with the same seed.
std::string repeat_command(const CheckReport&, const CheckRecord&);

/// For people: a table, then the findings that need words.
std::string report_text(const CheckReport&);
/// The same in a few lines, for the next run follows: the sum, and of the failures the first.
std::string short_report_text(const CheckReport&);
json::value report_json(const CheckReport&);
/// The XML that JUnit made usual: a suite for each tile, a case for each check.
std::string report_junit(const CheckReport&);
/// Test Anything Protocol, version 14.
std::string report_tap(const CheckReport&);

} // namespace tune_gemm::host
