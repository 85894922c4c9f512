// tune-gemm tune as a whole: what it leaves behind when it ends, is interrupted, or is killed.
#include "built.hpp"
#include "store/journal.hpp"
#include "store/text_file.hpp"

#include <tune_gemm/config.hpp>
#include <tune_gemm/environment.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>

using namespace tune_gemm;
using namespace tune_gemm::host;
using namespace tune_gemm::host::test;

namespace {

struct Tuning {
    TemporaryFolder folder;
    std::filesystem::path out = folder / "tuned.json", journal = folder / "tuned.journal.jsonl";

    std::vector<std::string> arguments(const std::vector<std::string>& more) const {
        std::vector<std::string> all{
            "tune",  "--plugin-path", built("plugins/scalar/scalar.so").string(), "--allow-unsafe-path",
            "--out", out.string()};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::string printed() const { return read_file(folder / "printed"); }
    Program start(const std::vector<std::string>& more) {
        return {built("host/cli/tune-gemm"), arguments(more), folder / "printed"};
    }
};

const std::vector<std::string> two_candidates{"--candidate", "32x32x32:4x4:scalar:m_n_k:ab:workspace:compute",
                                              "--candidate",
                                              "32x32x32:8x8:scalar:m_n_k:ab:workspace:compute"};

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

template <class Record>
std::int64_t count(const JournalContents& contents) {
    return std::count_if(contents.records.begin(), contents.records.end(),
                         [](const JournalRecord& record) { return std::holds_alternative<Record>(record); });
}

/// Waits until the journal holds that many bytes more than its header.
void wait_for_journal(const std::filesystem::path& journal, std::uintmax_t bytes) {
    using namespace std::chrono_literals;
    std::error_code error;
    for (int i = 0; i < 6000; ++i) {
        const auto size = std::filesystem::file_size(journal, error);
        if (!error && size > bytes)
            return;
        std::this_thread::sleep_for(10ms);
    }
    FAIL("the journal does not grow");
}

/// Enough to be kept busy until it is ended: the header of the grid is about 110 kB.
const std::vector<std::string> long_run{"--shape",   "64x64x64", "--kernel", "scalar",
                                        "--explore", "1000",     "--budget", "600"};
constexpr std::uintmax_t well_begun = 200'000;

} // namespace

TEST_CASE("a whole run leaves a tuned configuration with its environment and a journal of everything") {
    Tuning tuning;
    const auto arguments = joined(
        {"--shape", "12x10x8x2", "--layouts", "rcr", "--confirm", "3", "--budget", "60"}, two_candidates);
    CHECK(tuning.start(arguments).wait() == 0);
    CAPTURE(tuning.printed());
    CHECK(tuning.printed().find("1 of 1 shapes tuned") != std::string::npos);

    const GemmTuningConfig config = parse_config(read_file(tuning.out), "tuned.json");
    REQUIRE(config.shapes.size() == 1);
    CHECK(shape_text(config.shapes[0]) == "12x10x8x2");
    CHECK(layouts_text(config.shapes[0]) == "rcr");
    CHECK(config.candidates.size() == 2);
    CHECK(config.confirmation_samples == 3);
    const json::Field extra(config.extra, "x_tune_gemm");
    CHECK(parse_environment(extra["environment"]).gc == "none");
    const json::Field result = extra["results"][0];
    CHECK(result["outcome"].string() == "tuned");
    const std::string winner = result["winner"]["id"].string();
    CHECK(result["winner"]["arithmetic"].string() == "f64 sequential two-roundings");
    CHECK(result["winner"]["validated"].string() == "all");
    CHECK(result["published"]["median_ns"].integer(1, 1'000'000'000) > 0);
    CHECK(result["published"]["samples"].integer(3, 3) == 3);
    CHECK(result["counts"]["distinct"].integer(2, 2) == 2);

    const JournalContents journal = read_journal(tuning.journal);
    CHECK(journal.torn.empty());
    CHECK(count<HeaderRecord>(journal) == 1);
    CHECK(count<ValidationRecord>(journal) == 2 * 10);
    // Each explored once, both confirmed (unless one was twice as slow), the winner published.
    CHECK(count<ObservationRecord>(journal) >= 2 + 3);
    const auto& end = std::get<EndRecord>(journal.records.back());
    CHECK(end.outcome == "complete");
    std::int64_t final_observations = 0;
    for (const JournalRecord& record : journal.records)
        if (const auto* seen = std::get_if<ObservationRecord>(&record); seen && seen->phase == Phase::final) {
            CHECK(seen->candidate == winner);
            ++final_observations;
        }
    CHECK(final_observations == 3);

    // What was written is a configuration to tune from, and a second run appends to the journal.
    Tuning again;
    CHECK(
        again.start({"--config", tuning.out.string(), "--journal", tuning.journal.string(), "--budget", "60"})
            .wait() == 0);
    CHECK(count<HeaderRecord>(read_journal(tuning.journal)) == 2);
}

TEST_CASE("kill -9 during tune leaves a journal that reads back, with at most the record in flight lost") {
    Tuning tuning;
    Program program = tuning.start(long_run);
    wait_for_journal(tuning.journal, well_begun);
    program.signal(SIGKILL);
    CHECK(program.wait() == -SIGKILL);
    const JournalContents journal = read_journal(tuning.journal);
    CHECK(count<HeaderRecord>(journal) == 1);
    CHECK(count<ObservationRecord>(journal) > 5);
    CHECK(count<EndRecord>(journal) == 0);
    // All whole records are there: what is torn is at most one line at the end.
    CHECK(journal.whole_bytes + 4096 > static_cast<std::int64_t>(std::filesystem::file_size(tuning.journal)));
    // And the next run goes on writing behind them.
    const auto more = joined({"--shape", "8x8x8", "--confirm", "1", "--budget", "60"}, two_candidates);
    CHECK(tuning.start(more).wait() == 0);
    const JournalContents after = read_journal(tuning.journal);
    CHECK(count<HeaderRecord>(after) == 2);
    CHECK(after.records.size() > journal.records.size());
}

TEST_CASE("Ctrl-C ends with what was measured, a whole journal, and exit code 130") {
    Tuning tuning;
    Program program = tuning.start(long_run);
    wait_for_journal(tuning.journal, well_begun);
    program.signal(SIGINT);
    CHECK(program.wait() == 130);
    CAPTURE(tuning.printed());
    CHECK(tuning.printed().find("interrupted") != std::string::npos);
    const JournalContents journal = read_journal(tuning.journal);
    CHECK(journal.torn.empty());
    CHECK(std::get<EndRecord>(journal.records.back()).outcome == "interrupted");
    const GemmTuningConfig config = parse_config(read_file(tuning.out), "tuned.json");
    const json::Field result = json::Field(config.extra, "x_tune_gemm")["results"][0];
    CHECK(result["outcome"].string() == "unconfirmed");
    CHECK(!result.has("published"));
    CHECK(result["counts"]["not_reached"].integer(1, 162) > 0);
}

TEST_CASE("a second Ctrl-C ends at once, and the journal reads back all the same") {
    Tuning tuning;
    Program program = tuning.start(long_run);
    wait_for_journal(tuning.journal, well_begun);
    program.signal(SIGTERM);
    program.signal(SIGINT);
    CHECK(program.wait() == 130);
    CHECK(count<ObservationRecord>(read_journal(tuning.journal)) > 5);
}

TEST_CASE("bad input touches nothing: neither output nor journal") {
    Tuning tuning;
    CHECK(tuning.start({"--shape", "64x64x64", "--workspace-limit", "64"}).wait() == 2);
    CHECK(tuning.printed().find("workspace") != std::string::npos);
    CHECK(!std::filesystem::exists(tuning.out));
    CHECK(!std::filesystem::exists(tuning.journal));
}
