// The report as other programs read it: JUnit XML and TAP.
#include "cli/check_report.hpp"
#include "report/xml.hpp"

#include <fmt/format.h>

namespace tune_gemm::host {
namespace {

std::string subject_text(const CheckRecord& record) {
    std::string text = record.kernel.empty() ? "the library" : record.kernel;
    if (!record.tile_text.empty())
        text += ", tile " + record.tile_text;
    return text;
}

/// Sentence, page and command.
std::string details_text(const CheckReport& report, const CheckRecord& record) {
    return fmt::format("{}\ncontract: {}\nsee: {}\nrepeat: {}", record.result.sentence,
                       record.check->contract, page_of(*record.check), repeat_command(report, record));
}

double seconds_of(std::int64_t ns) noexcept {
    return static_cast<double>(ns) * 1e-9;
}

std::string junit_case(const CheckReport& report, const CheckRecord& record) {
    const std::string sentence = xml_text(record.result.sentence);
    std::string inside;
    switch (record.result.status) {
    case CheckStatus::pass:
        if (record.cached)
            inside = "      <system-out>of an earlier run</system-out>\n";
        break;
    case CheckStatus::skip:
        inside = fmt::format("      <skipped message=\"{}\"/>\n", sentence);
        break;
    case CheckStatus::warn:
        inside = fmt::format("      <system-out>warning: {}</system-out>\n",
                             xml_text(details_text(report, record)));
        break;
    case CheckStatus::fail:
        inside = fmt::format("      <failure type=\"fail\" message=\"{}\">{}</failure>\n", sentence,
                             xml_text(details_text(report, record)));
        break;
    case CheckStatus::crash:
    case CheckStatus::timeout:
        inside = fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n",
                             to_text(record.result.status), sentence, xml_text(details_text(report, record)));
        break;
    }
    const std::string head =
        fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.6f}\"", record.check->id,
                    xml_text(subject_text(record)), seconds_of(record.ns));
    return inside.empty() ? head + "/>\n" : fmt::format("{}>\n{}    </testcase>\n", head, inside);
}

/// The attributes that count the cases of a suite.
struct SuiteCounts {
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    std::int64_t ns = 0;

    void add(const CheckRecord& record) noexcept {
        const CheckStatus status = record.result.status;
        ++tests;
        failures += status == CheckStatus::fail ? 1 : 0;
        errors += status == CheckStatus::crash || status == CheckStatus::timeout ? 1 : 0;
        skipped += status == CheckStatus::skip ? 1 : 0;
        ns += record.ns;
    }
    std::string text() const {
        return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"", tests,
                           failures, errors, skipped, seconds_of(ns));
    }
};

/// A status as one YAML value: JSON's strings are YAML's double-quoted ones.
std::string yaml_string(std::string_view text) {
    return json::write(json::value(text));
}

/// "#" begins a directive, "\" escapes.
std::string tap_description(const std::string& text) {
    std::string written;
    for (const char c : text) {
        if (c == '#' || c == '\\')
            written += '\\';
        written += c == '\n' ? ' ' : c;
    }
    return written;
}

} // namespace

std::string report_junit(const CheckReport& report) {
    SuiteCounts all;
    std::string suites;
    for (auto from = report.records.begin(); from != report.records.end();) {
        SuiteCounts counts;
        std::string cases;
        auto at = from;
        for (; at != report.records.end() && at->kernel == from->kernel && at->tile == from->tile; ++at) {
            counts.add(*at);
            all.add(*at);
            cases += junit_case(report, *at);
        }
        suites +=
            fmt::format("  <testsuite name=\"{}\" {}>\n"
                        "    <properties>\n"
                        "      <property name=\"file\" value=\"{}\"/>\n"
                        "      <property name=\"sha256\" value=\"{}\"/>\n"
                        "      <property name=\"seed\" value=\"{}\"/>\n"
                        "    </properties>\n{}  </testsuite>\n",
                        xml_text(subject_text(*from)), counts.text(), xml_text(report.plugin.path.string()),
                        report.plugin.sha256, report.seed, cases);
        from = at;
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n{}</testsuites>\n",
        xml_text(report.plugin.name), all.text(), suites);
}

std::string report_tap(const CheckReport& report) {
    std::string text =
        fmt::format("TAP version 14\n1..{}\n# {} (SHA-256 {}), seed {}\n", report.records.size(),
                    report.plugin.path.string(), report.plugin.sha256, report.seed);
    std::size_t number = 0;
    for (const CheckRecord& record : report.records) {
        const CheckStatus status = record.result.status;
        text += fmt::format("{} {} - {}", is_failure(status) ? "not ok" : "ok", ++number,
                            tap_description(fmt::format("{} of {}", record.check->id, subject_text(record))));
        if (record.cached && status != CheckStatus::skip)
            text += " (cached)";
        if (status == CheckStatus::skip)
            text += " # SKIP " + tap_description(record.result.sentence);
        text += '\n';
        if (!is_failure(status) && status != CheckStatus::warn)
            continue;
        text += fmt::format(
            "  ---\n  severity: {}\n  message: {}\n  contract: {}\n  see: {}\n  repeat: {}\n  ...\n",
            to_text(status), yaml_string(record.result.sentence), yaml_string(record.check->contract),
            page_of(*record.check), yaml_string(repeat_command(report, record)));
    }
    return text;
}

} // namespace tune_gemm::host
