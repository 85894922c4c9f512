// The journal: JSON lines, only ever appended to. It is the truth about what was measured; everything else
// can be made from it again. A kill at any moment loses at most the record in flight.
#pragma once
#include "store/journal_record.hpp"
#include "store/open_file.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tune_gemm::host {

class JournalWriter {
  public:
    enum class Sync {
        every_record, ///< fsync after each: survives a loss of power, at some milliseconds a record
        when_asked,   ///< fsync in sync() alone, e.g. once a candidate: records survive a kill all the same
    };

    /// Opens for appending, creating the file when there is none, and locks it against other writers. Cuts
    /// off a torn last line. Throws Error (bad_input) when it cannot be written, is being written by another
    /// run, or holds something else than a journal; then it is not touched.
    explicit JournalWriter(std::filesystem::path, Sync = Sync::when_asked);

    /// Adds one record with one write. Throws Error (failed) naming path and reason, for instance a full
    /// disk; then the journal ends after the record before it, and the writer can still be used.
    void append(const JournalRecord&);
    void sync();
    const std::filesystem::path& path() const noexcept { return file_.path(); }

  private:
    OpenFile file_;
    Sync sync_;
    bool regular_ = true; ///< not a device or pipe
};

struct JournalContents {
    std::vector<JournalRecord> records;
    std::int64_t whole_bytes = 0; ///< up to the end of the last whole record
    std::string torn;             ///< a sentence about a last line without an end; empty when there is none
};

/// Throws Error (bad_input): the file cannot be read, does not begin with a header, or a line before the last
/// is bad; names the line.
JournalContents read_journal(const std::filesystem::path&);
/// The same from text; `what` names it.
JournalContents parse_journal(std::string_view text, std::string_view what);

} // namespace tune_gemm::host
