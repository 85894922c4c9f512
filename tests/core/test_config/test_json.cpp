#include "test_core/errors.hpp"

#include <tune_gemm/json.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

using namespace tune_gemm;
using tune_gemm::test::check_words;
using tune_gemm::test::error_of;

namespace {

std::string reading(const std::string& text, const json::Limits& limits = {}) {
    return error_of([&] { json::read(text, "input.json", limits); });
}

} // namespace

TEST_CASE("what is read is written again, byte for byte") {
    for (const std::string text :
         {"null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "\"\"", "[]",
          "{}", R"({"z":1,"a":[1,2,{"b":null}],"":"x"})", R"("tab\t quote\" backslash\\ nul\u0000")",
          "\"\xc3\xa9\xf0\x9f\x98\x80\""}) {
        CAPTURE(text);
        CHECK(json::write(json::read(text, "x")) == text);
    }
    CHECK(json::write(json::read(" {\"a\" :\n[ 1 , 2 ] }\n", "x")) == R"({"a":[1,2]})");
    CHECK(json::write(json::read(R"("\u00e9\ud83d\ude00")", "x")) == "\"\xc3\xa9\xf0\x9f\x98\x80\"");
}

TEST_CASE("the reader refuses what is no strict JSON, with the place") {
    struct Bad {
        std::string text;
        std::initializer_list<std::string_view> words;
    };
    const Bad corpus[] = {
        {"", {"line 1, column 1", "empty"}},
        {" \n\t ", {"empty"}},
        {"{\"a\":1,\"a\":2}", {"line 1, column 9", "a: ", "twice"}},
        {"{\"a\":\n [{}, {\"b\":1,\n  \"\\u0062\":2}]}", {"line 3", "a[1].b: ", "twice"}},
        {"18446744073709551616", {"line 1, column 1", "18446744073709551616", "decimal string"}},
        {"{\"seed\":18446744073709551615}", {"column 9", "seed: ", "18446744073709551615", "decimal string"}},
        {"9223372036854775808", {"9223372036854775808"}},
        {"-9223372036854775809", {"-9223372036854775809"}},
        {"123456789012345678901234567890123456789012345678901234567890123456789", {"does not fit", "..."}},
        {"[1, 1.0]", {"line 1, column 5", "[1]: ", "1.0", "text"}},
        {"1e2", {"1e2"}},
        {"1E400", {"1E400"}},
        {"1e99999999999", {"column"}},
        {"0.1", {"0.1"}},
        {"-0", {"-0"}},
        {"01", {"column 2", "nothing may follow"}},
        {"-", {"ends too early"}},
        {"+1", {"'+'"}},
        {".5", {"'.'"}},
        {"NaN", {"'N'"}},
        {"Infinity", {"'I'"}},
        {"[1,]", {"column 4", "']'"}},
        {"[1 2]", {"column 4"}},
        {"{\"a\" 1}", {"column 6"}},
        {"{a:1}", {"column 2", "'a'"}},
        {"{'a':1}", {"column 2"}},
        {"{} {}", {"column 4", "nothing may follow"}},
        {"{}\nx", {"line 2, column 1", "nothing may follow"}},
        {"[1", {"ends too early"}},
        {"tru", {"ends too early"}},
        {"// a\n{}", {"comment"}},
        {"{\"a\":1 /* b */}", {"column 8", "comment"}},
        {"\xEF\xBB\xBF{}", {"byte order mark"}},
        {"\"\xff\"", {"column 2", "0xff"}},
        {"\"\xc0\x80\"", {"0xc0"}},
        {"\"\xed\xa0\x80\"", {"0xed"}},
        {"\"a\nb\"", {"control character 0x0a"}},
        {std::string("\"a\0b\"", 5), {"control character 0x00"}},
        {"\"\\ud800\"", {"column"}},
        {"\"\\x41\"", {"column"}},
        {"\"\xc3\xa9\" x", {"column 5"}}, // columns are characters
    };
    for (const Bad& bad : corpus) {
        CAPTURE(bad.text);
        const std::string sentence = reading(bad.text);
        check_words(sentence, {"input.json: line "});
        check_words(sentence, bad.words);
    }
}

TEST_CASE("the reader's limits on depth and size") {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK_NOTHROW(json::read(nested(32), "x"));
    check_words(reading(nested(33)), {"32 levels"});
    check_words(reading(std::string(1'000'000, '[')), {"32 levels"});
    std::string objects;
    for (int i = 0; i < 40; ++i)
        objects += "{\"k\":";
    check_words(reading(objects), {"32 levels"});
    check_words(reading("[1]", {.bytes = 2}), {"3 bytes", "2"});
    CHECK_NOTHROW(json::read("[1]", "x", {.bytes = 3}));
    check_words(reading("x", {.first_line = 7}), {"line 7, column 1"});
}

TEST_CASE("a text cut anywhere, or with any byte changed, is read or refused, never worse") {
    const std::string text = R"({"a":[1,-2,"x\u00e9\n"],"b":{"c":true,"d":null},"e":"123"})";
    for (std::size_t length = 0; length < text.size(); ++length) {
        CAPTURE(length);
        CHECK(!reading(text.substr(0, length)).empty());
    }
    int refused = 0, read = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string changed = text;
            changed[i] = static_cast<char>(byte);
            try {
                const std::string written = json::write(json::read(changed, "x"));
                CHECK(json::write(json::read(written, "x")) == written);
                ++read;
            } catch (const Error&) {
                ++refused;
            }
        }
    }
    CHECK(refused > 1000);
    CHECK(read > 1000);
}

TEST_CASE("the writer repairs text that is no UTF-8, and refuses numbers that could not be read back") {
    CHECK(json::write("a\xff\xc3(\xed\xa0\x80") ==
          "\"a\xEF\xBF\xBD\xEF\xBF\xBD(\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
    CHECK_NOTHROW(json::read(json::write("\xf0\x9f\x98"), "x"));
    CHECK(json::write(json::object{{"\xff", 1}}) == "{\"\xEF\xBF\xBD\":1}");
    check_words(error_of([] { json::write(0.5); }, ErrorKind::failed), {"text"});
    check_words(error_of([] { json::write(json::array{std::uint64_t{1} << 63}); }, ErrorKind::failed),
                {"9223372036854775808"});
    CHECK(json::write(std::uint64_t{7}) == "7");
}

TEST_CASE("indented writing") {
    CHECK(json::write_indented(json::read(R"({"a":[1,{}],"b":[]})", "x")) ==
          "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}\n");
}

TEST_CASE("reals travel as text without losing a bit") {
    CHECK(json::real(1.5) == "0x1.8p+0");
    CHECK(json::real(-0.0) == "-0x0p+0");
    const auto back = [](const json::value& v) { return json::Field(v, "x").real(); };
    std::uint64_t state = 1;
    for (int i = 0; i < 10000; ++i) {
        state = 6364136223846793005u * state + 1442695040888963407u;
        const auto number = std::bit_cast<double>(state);
        if (std::isnan(number))
            continue;
        REQUIRE(std::bit_cast<std::uint64_t>(back(json::value(json::real(number)))) == state);
    }
    for (const double number :
         {0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
          std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
        CHECK(std::bit_cast<std::uint64_t>(back(json::value(json::real(number)))) ==
              std::bit_cast<std::uint64_t>(number));
    CHECK(std::isnan(back(json::value(json::real(std::nan(""))))));
    for (const std::string text : {"", "1.5", "0x", "0x1", "0x1.8p+0 ", " 0x1.8p+0", "0X1.8P+0", "0x1,8p+0",
                                   "infinity", "-nan", "--0x1p+0", "0x1.80p+0", "0x1p+99999"}) {
        CAPTURE(text);
        check_words(error_of([&] { back(json::value(text)); }), {"0x1.8p+0"});
    }
}

TEST_CASE("a field names its path, what was expected and what was found") {
    const json::value root = json::read(
        R"({"n":5,"s":"x","b":true,"list":[1,"two"],"o":{"inner":null},"big":"18446744073709551615"})", "f");
    const json::Field field(root, "f.json");
    CHECK(field["n"].integer(1, 5) == 5);
    CHECK(field["s"].string() == "x");
    CHECK(field["b"].boolean());
    CHECK(field["list"].size() == 2);
    CHECK(field["big"].decimal_u64() == std::numeric_limits<std::uint64_t>::max());
    CHECK(field["o"]["inner"].path() == "o.inner");

    check_words(error_of([&] { field["n"].integer(1, 4); }), {"f.json: n: ", "from 1 to 4", "5"});
    check_words(error_of([&] { field["n"].integer(6, std::numeric_limits<std::int64_t>::max()); }),
                {"at least 6"});
    check_words(error_of([&] { field["s"].integer(0, 9); }), {"f.json: s: ", "integer", "the string \"x\""});
    check_words(error_of([&] { field["n"].string(); }), {"f.json: n: ", "string", "the number 5"});
    check_words(error_of([&] { field["n"].boolean(); }), {"true or false"});
    check_words(error_of([&] { field["list"][1].integer(0, 9); }), {"f.json: list[1]: ", "\"two\""});
    check_words(error_of([&] { field["list"][2]; }), {"f.json: list: ", "3"});
    check_words(error_of([&] { field["o"]["gone"]; }), {"f.json: o.gone: missing"});
    check_words(error_of([&] { field["s"]["x"]; }), {"f.json: s: ", "object"});
    check_words(error_of([&] { field["o"].size(); }), {"f.json: o: ", "array"});
    check_words(error_of([&] {
                    field.only({"n", "s", "b", "list", "o"});
                }),
                {"unknown key \"big\"", "n, s, b"});
    CHECK_NOTHROW(field.only({"n", "s", "b", "list", "o", "big"}));
    CHECK(error_of([&] {
              json::Field(json::value("\n\x1b[31m" + std::string(500, 'x')), "f").integer(0, 1);
          }).size() < 200);
}

TEST_CASE("64-bit values are decimal strings and nothing else") {
    for (const std::string text : {"", "-1", "+1", " 1", "1 ", "01", "00", "0x10", "1e3", "1.0",
                                   "18446744073709551616", "99999999999999999999999", "1,000"}) {
        CAPTURE(text);
        const json::value value(text);
        check_words(error_of([&] { json::Field(value, "f").decimal_u64(); }), {"f: expected"});
    }
    check_words(error_of([] { json::Field(json::value("18446744073709551616"), "f").decimal_u64(); }),
                {"from 0 to 18446744073709551615"});
    check_words(error_of([] { json::Field(json::value(42), "f").decimal_u64(); }),
                {"string", "the number 42"});
    CHECK(json::Field(json::value("0"), "f").decimal_u64() == 0);
}
