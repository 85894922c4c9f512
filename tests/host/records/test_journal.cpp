#include "records/child.hpp"
#include "records/temp_folder.hpp"
#include "records/traced_child.hpp"
#include "store/atomic_file.hpp"
#include "store/journal.hpp"
#include "store/text_file.hpp"
#include "test_core/errors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <thread>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::test;
namespace fs = std::filesystem;

namespace {

HeaderRecord header() {
    HeaderRecord record;
    record.run_id = "0123456789abcdef";
    record.time = "2024-05-17T09:30:00Z";
    record.environment.target = "linux x86_64";
    record.explanation = {{"kernel", "Linux 6.1"}};
    record.config.shapes.push_back({4, 5, 6});
    record.config.extra = json::object{{"name", "quick"}};
    record.plugins.push_back({"/lib/scalar.so", "ab12"});
    record.protocol = {{"budget_s", 10}};
    return record;
}

ObservationRecord observation(std::int64_t block) {
    return {"64x64x32:4x4:scalar:m_n_k:ab:workspace:compute",
            0,
            Phase::confirm,
            5'000'000,
            17,
            block,
            {1, 2, 3, 4}};
}

const std::vector<JournalRecord> one_of_each{
    header(),
    ValidationRecord{"c", 1, {7, 8, 9}, false, true, 512, 3, 0.1, 1e-300, "C(3,5) is wrong"},
    observation(5),
    FailureRecord{"c", 2, Phase::validate, "crashed", "crashed with SIGSEGV\nand \xff garbage",
                  "tune-gemm check x"},
    DecisionRecord{"c", 2, Phase::final, "winner", "", {{"median_ns", "0x1.8p+20"}}},
    EndRecord{"2024-05-17T09:31:00Z", "complete", ""},
};

std::string journal_text(const std::vector<JournalRecord>& records) {
    std::string text;
    for (const JournalRecord& record : records)
        text += json::write(journal_record_json(record)) + '\n';
    return text;
}

void append_raw(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

} // namespace

TEST_CASE("every kind of record is written on one line and read back") {
    const TempFolder folder;
    {
        JournalWriter journal(folder / "j", JournalWriter::Sync::every_record);
        for (const JournalRecord& record : one_of_each)
            journal.append(record);
        journal.sync();
    }
    const std::string text = read_file(folder / "j");
    CHECK(std::count(text.begin(), text.end(), '\n') == 6);
    const JournalContents contents = read_journal(folder / "j");
    CHECK(contents.torn.empty());
    CHECK(contents.whole_bytes == static_cast<std::int64_t>(text.size()));
    REQUIRE(contents.records.size() == one_of_each.size());
    for (std::size_t i = 0; i < one_of_each.size(); ++i) {
        CAPTURE(i);
        if (const auto* failure = std::get_if<FailureRecord>(&contents.records[i]))
            CHECK(failure->sentence ==
                  "crashed with SIGSEGV\nand \xEF\xBF\xBD garbage"); // what a kernel printed is repaired
        else
            CHECK(contents.records[i] == one_of_each[i]);
    }
    for (std::string_view line = text; !line.empty(); line.remove_prefix(line.find('\n') + 1))
        CHECK(line.starts_with(R"({"schema_version":"journal_1","type":")"));
}

TEST_CASE("a record is one write, synced at once or when asked") {
    const TempFolder folder;
    const auto calls = [&](JournalWriter::Sync sync) {
        return durable_calls([&] {
            JournalWriter journal(folder / "j", sync); // syncs the folder
            journal.append(header());
            journal.append(header());
            journal.sync();
            return 0;
        });
    };
    CHECK(calls(JournalWriter::Sync::every_record) == "swswss");
    CHECK(calls(JournalWriter::Sync::when_asked) == "swws");
}

TEST_CASE("a journal that is cut anywhere gives its whole records, and says that a line is torn") {
    const std::string text = journal_text(one_of_each);
    for (std::size_t length = 0; length < text.size(); ++length) {
        const std::string cut = text.substr(0, length);
        const JournalContents contents = parse_journal(cut, "run.jsonl");
        const auto lines = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n'));
        REQUIRE(contents.records.size() == lines);
        const bool whole = cut.empty() || cut.back() == '\n';
        REQUIRE(contents.torn.empty() == whole);
        if (!whole)
            check_words(contents.torn, {"run.jsonl: line " + std::to_string(lines + 1)});
        REQUIRE(contents.whole_bytes == static_cast<std::int64_t>(cut.rfind('\n') + 1)); // npos + 1 is 0
    }
}

TEST_CASE("a bad line before the last is an error with its number") {
    const auto reading = [](const std::string& text) {
        return error_of([&] { parse_journal(text, "run.jsonl"); });
    };
    const std::string good = journal_text(one_of_each);
    const std::string first = good.substr(0, good.find('\n') + 1);
    check_words(reading(first + "{\"schema_version\":\"journ\n" + good),
                {"run.jsonl: line 2, column", "ends too early"});
    check_words(reading(first + "\n" + good), {"run.jsonl: line 2", "empty"});
    check_words(reading(first +
                        R"({"schema_version":"journal_1","type":"end","time":"","outcome":"complete"})" +
                        "\n"),
                {"run.jsonl: line 2: sentence: missing"});
    check_words(reading(first + R"({"schema_version":"journal_2","type":"end"})" + "\n"),
                {"line 2: schema_version: ", "journal_2", "journal_1"});
    check_words(reading(first + R"({"schema_version":"journal_1","type":"note"})" + "\n"),
                {"line 2: type: ", "note", "decision"});
    check_words(reading(good.substr(first.size())), {"line 1", "header"});
    const auto changed = [&](const std::string& piece, const std::string& other) {
        std::string text = journal_text({header(), observation(0)});
        return reading(text.replace(text.rfind(piece), piece.size(), other));
    };
    check_words(changed("\"ns\":5000000", "\"ns\":0"), {"line 2: ns: ", "0"});
    check_words(changed("\"ns\":5000000", "\"ns\":5000000.5"), {"line 2, column", "ns: ", "5000000.5"});
    check_words(changed("\"uses\":17", "\"uses\":-1"), {"line 2: uses: ", "-1"});
    check_words(changed("\"phase\":\"confirm\"", "\"phase\":\"guess\""),
                {"line 2: phase: ", "guess", "explore"});
    check_words(changed("\"block\":0", "\"block\":0,\"extra\":0"), {"line 2: ", "extra"});
}

TEST_CASE("appending to a journal cuts off a torn line and goes on") {
    const TempFolder folder;
    JournalWriter(folder / "j").append(header());
    append_raw(folder / "j", R"({"schema_version":"journal_1","type":"observ)");
    CHECK(!read_journal(folder / "j").torn.empty());
    JournalWriter(folder / "j").append(observation(1));
    const JournalContents contents = read_journal(folder / "j");
    CHECK(contents.torn.empty());
    REQUIRE(contents.records.size() == 2);
    CHECK(contents.records[1] == JournalRecord(observation(1)));
    // A kill during the first record of all leaves a part of it.
    append_raw(folder / "first", R"({"schema_version":"jour)");
    JournalWriter(folder / "first").append(header());
    CHECK(read_journal(folder / "first").records.size() == 1);
}

TEST_CASE("a file that is no journal is refused and not touched") {
    const TempFolder folder;
    for (const std::string text : {"precious", "precious\n", "{}\n", "{\"schema_version\":\"mmkts_1\"}\nx"}) {
        CAPTURE(text);
        write_atomically(folder / "file", text);
        check_words(error_of([&] { JournalWriter(folder / "file"); }), {"file: line 1", "left as it is"});
        CHECK(read_file(folder / "file") == text);
    }
    const std::string bad_middle = journal_text({header()}) + "garbage\n" + journal_text({observation(0)});
    write_atomically(folder / "file", bad_middle);
    check_words(error_of([&] { JournalWriter(folder / "file"); }), {"line 2", "left as it is"});
    CHECK(read_file(folder / "file") == bad_middle);
    check_words(error_of([&] { JournalWriter(folder / "gone" / "j"); }), {"gone/j", "No such file"});
    check_words(error_of([&] { JournalWriter{folder.path()}; }), {folder.path().string()});
}

TEST_CASE("two runs cannot write one journal at once") {
    const TempFolder folder;
    const JournalWriter journal(folder / "j");
    check_words(error_of([&] { JournalWriter(folder / "j"); }), {"being written by another run"});
}

TEST_CASE("a disk that fills up loses the record in flight and no other") {
    const TempFolder folder;
    const fs::path path = folder / "j";
    const auto record_bytes = static_cast<rlim_t>(journal_text({observation(0)}).size());
    CHECK(in_child([&] {
              JournalWriter journal(path);
              journal.append(header());
              limit_file_size(static_cast<rlim_t>(fs::file_size(path)) + record_bytes * 3 / 2);
              journal.append(observation(0));
              const std::string sentence =
                  error_of([&] { journal.append(observation(1)); }, ErrorKind::failed);
              return has_words(sentence, {path.string(), "errno 27", "those before it are whole"}) ? 0 : 1;
          }) == 0);
    const JournalContents contents = read_journal(path);
    CHECK(contents.torn.empty());
    CHECK(contents.records.size() == 2);

    JournalWriter full("/dev/full");
    check_words(error_of([&] { full.append(observation(0)); }, ErrorKind::failed),
                {"/dev/full", "No space left on device", "errno 28"});
}

TEST_CASE("kill -9 while records are written loses at most the one in flight") {
    const TempFolder folder;
    for (int round = 0; round < 10; ++round) {
        const fs::path path = folder / ("j" + std::to_string(round));
        const pid_t pid = start_child([&] {
            JournalWriter journal(path);
            journal.append(header());
            for (std::int64_t block = 0;; ++block)
                journal.append(observation(block));
            return 0;
        });
        const auto wanted = static_cast<std::uintmax_t>(10000 + 7777 * round);
        std::error_code error;
        while (fs::file_size(path, error) < wanted || error)
            std::this_thread::yield();
        kill(pid, SIGKILL);
        wait_for(pid);

        const JournalContents contents = read_journal(path);
        REQUIRE(contents.records.size() > 10);
        for (std::size_t i = 1; i < contents.records.size(); ++i)
            REQUIRE(std::get<ObservationRecord>(contents.records[i]).block ==
                    static_cast<std::int64_t>(i - 1));
        const std::size_t before = contents.records.size();
        JournalWriter(path).append(EndRecord{"", "interrupted", ""}); // the lock died with its holder
        CHECK(read_journal(path).records.size() == before + 1);
    }
}
