// What a journal holds: one record for each thing that was observed, went wrong or was decided.
//
// A record is one JSON object on one line, with its schema version and its type. Candidates are named by
// their full id, a shape by its index in the configuration of the last header before.
#pragma once
#include <tune_gemm/config.hpp>
#include <tune_gemm/environment.hpp>
#include <tune_gemm/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tune_gemm::host {

inline constexpr std::string_view journal_schema = "journal_1";

enum class Phase : std::uint8_t { validate, explore, confirm, final };
std::string_view to_text(Phase) noexcept;

/// Begins each run: everything that a repeat needs.
struct HeaderRecord {
    struct Plugin {
        std::string path, sha256;
        bool operator==(const Plugin&) const = default;
    };
    std::string run_id;
    std::string time; ///< UTC
    GemmEnvironment environment;
    json::object explanation; ///< what explains the environment and where it was, as texts; never compared
    GemmTuningConfig config;
    std::vector<Plugin> plugins;
    json::object protocol; ///< how was measured: budget, strategy, band, ...; the tuner's matter
    bool operator==(const HeaderRecord&) const = default;
};

/// A candidate was compared with the reference at `shape`, the tuned one or a neighbour of it.
struct ValidationRecord {
    std::string candidate;
    std::int64_t shape_index = 0;
    GemmShape shape;
    bool correct = false;
    bool sampled = false;                 ///< not every entry was compared
    std::int64_t compared = 0, wrong = 0; ///< entries
    double max_abs_error = 0, bound = 0;  ///< bound 0: bit for bit
    std::string sentence;                 ///< where it is wrong first; empty when correct
    bool operator==(const ValidationRecord&) const = default;
};

/// What else happened meanwhile.
struct DisturbanceCounts {
    std::int64_t involuntary_switches = 0, migrations = 0, minor_faults = 0, major_faults = 0;
    bool operator==(const DisturbanceCounts&) const = default;
};

/// One batch was timed: `uses` products in `ns` nanoseconds together.
struct ObservationRecord {
    std::string candidate;
    std::int64_t shape_index = 0;
    Phase phase = Phase::explore;
    std::int64_t ns = 0, uses = 0;
    std::int64_t block = 0; ///< round of exploring, or paired block of confirming, from 0
    DisturbanceCounts disturbance;
    bool operator==(const ObservationRecord&) const = default;
};

/// A candidate gave no time: invalid, wrong, crashed, timed out, ... Never counted as fast.
struct FailureRecord {
    std::string candidate;
    std::int64_t shape_index = 0;
    Phase phase = Phase::explore;
    std::string kind; ///< one word: "invalid", "wrong", "crashed", "exited", "timed_out", "garbled",
                      ///< "impossible", ...
    std::string sentence;
    std::string repeat; ///< the command that repeats it; may be empty
    bool operator==(const FailureRecord&) const = default;
};

/// What was concluded about a candidate, from the records before.
struct DecisionRecord {
    std::string candidate;
    std::int64_t shape_index = 0;
    Phase phase = Phase::explore;
    std::string verdict; ///< one word: "dropped", "kept", "faster", "slower", "equivalent", "undecided",
                         ///< "winner", ...
    std::string sentence;
    json::object detail; ///< figures, as integers and hexadecimal reals; may be empty
    bool operator==(const DecisionRecord&) const = default;
};

/// Ends a run that was not killed.
struct EndRecord {
    std::string time;    ///< UTC
    std::string outcome; ///< one word: "complete", "interrupted", "deadline", "failed"
    std::string sentence;
    bool operator==(const EndRecord&) const = default;
};

using JournalRecord =
    std::variant<HeaderRecord, ValidationRecord, ObservationRecord, FailureRecord, DecisionRecord, EndRecord>;

json::object journal_record_json(const JournalRecord&);
/// Throws Error naming the field: another schema version, an unknown type, a missing or unknown key.
JournalRecord parse_journal_record(const json::Field&);

} // namespace tune_gemm::host
