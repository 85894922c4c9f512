#include "report/progress.hpp"
#include "report/table.hpp"
#include "report/units.hpp"
#include "report/visible.hpp"
#include "report/xml.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>

using namespace tune_gemm::host;

TEST_CASE("amounts have one form each") {
    CHECK(bytes_text(0) == "0 B");
    CHECK(bytes_text(1023) == "1023 B");
    CHECK(bytes_text(1024) == "1 KiB");
    CHECK(bytes_text(1536) == "1.5 KiB");
    CHECK(bytes_text(262144) == "256 KiB");
    CHECK(bytes_text(std::int64_t{3} << 40) == "3 TiB");
    CHECK(bytes_text(std::numeric_limits<std::int64_t>::max()) == "8 EiB");
    CHECK(bytes_text(std::numeric_limits<std::int64_t>::min()) == "-8 EiB");

    CHECK(duration_text(0) == "0.000 ns");
    CHECK(duration_text(17.4) == "17.40 ns");
    CHECK(duration_text(999.94) == "999.9 ns");
    CHECK(duration_text(999.96) == "1.000 us");
    CHECK(duration_text(1.25e6) == "1.250 ms");
    CHECK(duration_text(2e9) == "2.000 s");
    CHECK(duration_text(1.5e12) == "1500 s");

    CHECK(wait_text(0) == "0 s");
    CHECK(wait_text(8.2) == "9 s");
    CHECK(wait_text(59.5) == "1 min 0 s");
    CHECK(wait_text(80) == "1 min 20 s");
    CHECK(wait_text(7500) == "2 h 5 min");
    CHECK(wait_text(1e300) == "99 h 0 min");
    CHECK(wait_text(std::nan("")) == "unknown");

    CHECK(rate_text(1.23449) == "1.234");
    CHECK(rate_text(9.9996) == "10.00");
    CHECK(rate_text(99.996) == "100.0");
    CHECK(rate_text(999.96) == "1000");
    CHECK(rate_text(45.678) == "45.68");
    CHECK(rate_text(1234.5) == "1234");
    CHECK(rate_text(std::nan("")) == "nan");
}

TEST_CASE("a table is aligned, with a rule below its titles and no blanks at the ends of lines") {
    Table table({{"id"}, {"GFLOP/s", Align::right}, {"why"}});
    CHECK(table.empty());
    table.add_row({"scalar", "1.234", ""});
    table.add_row({"a_longer_id", "12.34", "caf\xc3\xa9"});
    CHECK(table.text() == "id           GFLOP/s  why\n"
                          "-----------  -------  ----\n"
                          "scalar         1.234\n"
                          "a_longer_id    12.34  caf\xc3\xa9\n");
    CHECK_THROWS(table.add_row({"one cell"}));
}

TEST_CASE("control characters are shown and not obeyed") {
    CHECK(visible("one\ntwo caf\xc3\xa9") == "one\ntwo caf\xc3\xa9");
    CHECK(visible("\x1b[31m\r\t\x7f") == "\\x1b[31m\\x0d\\x09\\x7f");
    CHECK(visible("\xc2\x9b"
                  "31m \xc2\xa0") == "\\xc2\\x9b31m \xc2\xa0"); // CSI as one character
    FactList facts;
    facts.add("file", "a\x1b[2J");
    CHECK(facts.text() == "file  a\\x1b[2J\n");
}

TEST_CASE("facts stand below each other") {
    FactList facts;
    facts.add("kernel", "scalar");
    facts.add("id", "");
    CHECK(facts.text() == "kernel  scalar\nid\n");
}

namespace {

/// What a Progress writes to its file.
template <class Use>
std::string written(Use&& use) {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const file = open_memstream(&text, &size);
    use(file);
    std::fclose(file);
    const std::string copy(text, size);
    std::free(text);
    return copy;
}

const ProgressState state{"64x64x64 exploring", 12, 486, "3.210 GFLOP/s", 80};

} // namespace

TEST_CASE("progress is one line that is taken back, and nothing where there is no terminal") {
    CHECK(progress_text(state) == "64x64x64 exploring: 12 of 486, best 3.210 GFLOP/s, 1 min 20 s left");
    CHECK(progress_text({"loading", 3, 0, "", -1}) == "loading: 3");
    CHECK(written([](std::FILE* file) {
              Progress progress(file, true, 30);
              progress.show(state);
              progress.show(state); // too soon
          }) == "\r64x64x64 exploring: 12 of 486\x1b[K\r\x1b[K");
    CHECK(written([](std::FILE* file) {
              Progress progress(file, false, 30);
              progress.show(state);
              progress.clear();
          }).empty());
    CHECK(written([](std::FILE* file) { Progress(file, true, 30); }).empty());
    std::FILE* const null = std::fopen("/dev/null", "w");
    CHECK(!Progress(null).is_visible());
    std::fclose(null);
}

TEST_CASE("XML holds any text: markup escaped, what it cannot hold replaced") {
    CHECK(xml_text("plain") == "plain");
    CHECK(xml_text("a<b & \"c\">d") == "a&lt;b &amp; &quot;c&quot;&gt;d");
    CHECK(xml_text("two\nlines\tand a tab") == "two&#10;lines&#9;and a tab");
    const std::string unknown = "\xEF\xBF\xBD";
    CHECK(xml_text(std::string("\0\x01\x1B[0m\r", 7)) == unknown + unknown + unknown + "[0m" + unknown);
    CHECK(xml_text("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
    CHECK(xml_text("\xC3") == unknown);                             // cut short
    CHECK(xml_text("\xC0\x80") == unknown + unknown);               // longer than needed
    CHECK(xml_text("\xED\xA0\x80") == unknown + unknown + unknown); // half of a surrogate pair
    CHECK(xml_text("\xEF\xBF\xBF") == unknown + unknown + unknown); // U+FFFF
    CHECK(xml_text("\xFF"
                   "a") == unknown + "a");
}
