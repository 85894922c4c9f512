#include "store/journal.hpp"

#include "store/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tune_gemm::host {
namespace fs = std::filesystem;
namespace {

// A header holds a whole configuration inside one line, deeper by two levels.
constexpr json::Limits line_limits{.bytes = std::size_t{64} << 20, .depth = 40};
constexpr std::string_view beginning = R"({"schema_version":"journal_)";

void lock(const OpenFile& file) {
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0)
        return;
    if (errno == EWOULDBLOCK)
        throw_bad_input(
            fmt::format("{}: is being written by another run; name another journal, or wait for it to end",
                        file.path().string()));
    throw_bad_input(system_sentence(file.path(), "locked", errno));
}

/// Bytes of whole records in a file that is about to be appended to.
std::int64_t whole_bytes(const fs::path& path) {
    try {
        return read_journal(path).whole_bytes;
    } catch (const Error& error) {
        throw_bad_input(
            fmt::format("{}. The file is left as it is: name another journal to write", error.what()));
    }
}

} // namespace

JournalWriter::JournalWriter(fs::path path, Sync sync)
    : file_(std::move(path), O_RDWR | O_CREAT | O_APPEND), sync_(sync) {
    std::error_code error;
    regular_ = fs::is_regular_file(file_.path(), error);
    if (!regular_)
        return;
    lock(file_);
    const std::int64_t whole = whole_bytes(file_.path());
    if (whole != file_.size() && ftruncate(file_.get(), whole) != 0)
        throw_bad_input(system_sentence(file_.path(), "shortened to its last whole record", errno));
    const fs::path folder = file_.path().has_parent_path() ? file_.path().parent_path() : fs::path(".");
    OpenFile(folder, O_RDONLY | O_DIRECTORY).sync(); // the name of a new file must survive as well
}

void JournalWriter::append(const JournalRecord& record) {
    const std::string line = json::write(journal_record_json(record)) + '\n';
    const std::int64_t before = regular_ ? file_.size() : 0;
    try {
        file_.write_all(line); // one write(2), unless the system takes less than all of it
    } catch (const Error& error) {
        const bool restored = !regular_ || ftruncate(file_.get(), before) == 0;
        throw Error(ErrorKind::failed, fmt::format("{}; the record is lost, {}", error.what(),
                                                   restored ? "those before it are whole"
                                                            : "and its first part could not be removed"));
    }
    if (sync_ == Sync::every_record)
        file_.sync();
}

void JournalWriter::sync() {
    file_.sync();
}

JournalContents read_journal(const fs::path& path) {
    return parse_journal(read_file(path), path.string());
}

JournalContents parse_journal(std::string_view text, std::string_view what) {
    JournalContents contents;
    std::size_t line_number = 1, begin = 0;
    for (; begin < text.size(); ++line_number) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string_view::npos) {
            // A kill during the very first record leaves only a part of it; anything else is somebody's file.
            const std::string_view start = text.substr(0, std::min(text.size(), beginning.size()));
            if (!beginning.starts_with(start))
                throw_bad_input(
                    fmt::format("{}: line 1: this is no journal, which begins with {}", what, beginning));
            contents.torn =
                fmt::format("{}: line {} has no end ({} bytes): the run was killed while it was written; the "
                            "{} records before it are whole",
                            what, line_number, text.size() - begin, contents.records.size());
            break;
        }
        json::Limits limits = line_limits;
        limits.first_line = line_number;
        const json::value value = json::read(text.substr(begin, end - begin), what, limits);
        contents.records.push_back(
            parse_journal_record(json::Field(value, fmt::format("{}: line {}", what, line_number))));
        if (contents.records.size() == 1 && !std::holds_alternative<HeaderRecord>(contents.records.front()))
            throw_bad_input(fmt::format("{}: line 1: a journal begins with a header", what));
        begin = end + 1;
    }
    contents.whole_bytes = static_cast<std::int64_t>(begin);
    return contents;
}

} // namespace tune_gemm::host
