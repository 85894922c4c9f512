// What a check has run: how many cases, and of which classes.
//
// A tail test that silently leaves out a residue proves nothing, so a check announces the classes that it
// owes, marks each as it runs, and fails when one was left out.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

/// A cross product of classes, such as (m mod 8) x (n mod 24) x (k mod 4).
class Coverage {
  public:
    /// One factor: its values are 0..size-1, told as "NAME VALUE", or by the texts given.
    struct Axis {
        std::string name;
        std::int64_t size = 0;
        std::vector<std::string> texts{};
    };
    explicit Coverage(std::vector<Axis>);

    /// Marks the class with these coordinates, one for each axis.
    void ran(std::initializer_list<std::int64_t> at) noexcept;
    std::int64_t classes() const noexcept { return static_cast<std::int64_t>(seen_.size()); }
    std::int64_t missing() const noexcept;
    /// A class that was left out, as in "m mod 8 = 3, n mod 24 = 0"; nothing when all ran.
    std::optional<std::string> first_missing() const;

  private:
    std::vector<Axis> axes_;
    std::vector<bool> seen_;
};

class Tally {
  public:
    /// One case ran to its end and was judged.
    void ran() noexcept { ++cases_; }
    std::int64_t cases() const noexcept { return cases_; }
    /// Announces classes that this check owes. The reference holds as long as the tally.
    Coverage& owes(std::vector<Coverage::Axis>);
    const std::deque<Coverage>& coverages() const noexcept { return coverages_; }

  private:
    std::int64_t cases_ = 0;
    std::deque<Coverage> coverages_;
};

/// How a check ends early. Caught by run_check.
struct CheckEnded {
    bool skipped;
    std::string sentence;
};
/// The contract is broken; the sentence says by which call and how.
[[noreturn]] void fail_check(std::string sentence);
/// The check does not apply to this kernel, for this reason.
[[noreturn]] void skip_check(std::string reason);

} // namespace tune_gemm::host
