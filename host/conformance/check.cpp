#include "conformance/check.hpp"

#include "worker/crash_note.hpp"

#include <tune_gemm/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <vector>

namespace tune_gemm::host {
namespace {

constexpr std::array<std::string_view, 6> status_texts{"pass", "fail", "crash", "timeout", "skip", "warn"};

std::vector<Check> collect_checks() {
    std::vector<Check> checks;
    for (const auto group :
         {library_checks(), metadata_checks(), result_checks(), tail_checks(), workspace_checks(),
          plan_checks(), state_checks(), concurrency_checks(), errors_checks()})
        checks.insert(checks.end(), group.begin(), group.end());
    return checks;
}

/// What is to be said against a check that found no breach, or "".
std::string shortcoming(const Tally& tally) {
    if (tally.cases() == 0)
        return "Ran no case, so it proves nothing: the kernel refused or excluded everything that was asked "
               "of it.";
    for (const Coverage& coverage : tally.coverages()) {
        if (const auto missing = coverage.first_missing()) {
            return fmt::format("Left out {} of the {} classes of cases that it owes, {} among them.",
                               coverage.missing(), coverage.classes(), *missing);
        }
    }
    return {};
}

} // namespace

std::string_view to_text(CheckStatus status) noexcept {
    return status_texts[static_cast<std::size_t>(status)];
}

CheckStatus parse_check_status(std::string_view text) {
    const auto at = std::find(status_texts.begin(), status_texts.end(), text);
    if (at == status_texts.end())
        throw_bad_input(fmt::format(
            "\"{}\" is no status of a check; pass, fail, crash, timeout, skip and warn are.", text));
    return static_cast<CheckStatus>(at - status_texts.begin());
}

std::string_view group_of(const Check& check) noexcept {
    return check.id.substr(0, check.id.find('.'));
}

std::string page_of(const Check& check) {
    return fmt::format("docs/kernel-contract.md#{}", check.id);
}

std::span<const Check> all_checks() noexcept {
    static const std::vector<Check> checks = collect_checks();
    return checks;
}

const Check* find_check(std::string_view id) noexcept {
    const auto checks = all_checks();
    const auto at =
        std::find_if(checks.begin(), checks.end(), [&](const Check& check) { return check.id == id; });
    return at == checks.end() ? nullptr : &*at;
}

std::vector<const Check*> select_checks(std::string_view text) {
    const std::string_view group = text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
    std::vector<const Check*> selected;
    std::vector<std::string> known;
    for (const Check& check : all_checks()) {
        if (check.id == text || group_of(check) == group)
            selected.push_back(&check);
        known.emplace_back(check.id);
    }
    if (selected.empty()) {
        const std::string near = nearest_text(text, known);
        throw_bad_input(
            fmt::format("There is no check or group of checks \"{}\".{} `tune-gemm check --list` shows all.",
                        text, near.empty() ? "" : fmt::format(" Did you mean {}?", near)));
    }
    return selected;
}

CheckResult run_check(const Check& check, const CheckContext& context) {
    Tally tally;
    std::string breach;
    struct NoteEnds { // a note points to what the check had on its stack
        ~NoteEnds() { set_call_note({}); }
    } note_ends;
    try {
        check.run(context, tally);
        breach = shortcoming(tally);
    } catch (const CheckEnded& ended) {
        if (ended.skipped)
            return {CheckStatus::skip, ended.sentence, tally.cases()};
        breach = ended.sentence;
    } catch (const std::exception& error) { // an Error from the driver: the kernel reported a status, say
        breach = error.what();
    }
    if (breach.empty())
        return {CheckStatus::pass, {}, tally.cases()};
    return {check.severity == Severity::must ? CheckStatus::fail : CheckStatus::warn, breach, tally.cases()};
}

} // namespace tune_gemm::host
