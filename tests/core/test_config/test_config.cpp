#include "test_core/errors.hpp"

#include <tune_gemm/config.hpp>
#include <tune_gemm/grid.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace tune_gemm;
using tune_gemm::test::check_words;
using tune_gemm::test::error_of;

namespace {

const std::string sample =
    R"({"schema_version":"mmkts_1","seed":"18446744073709551615","shapes":[{"m":64,"n":5,"k":75,"batch":3,)"
    R"("reuse_count":2,"layout_a":"row_major","layout_b":"column_major","layout_c":"row_major"}],"candidates":[{)"
    R"("id":"64x32x16:4x8:scalar:m_n_k:ab:workspace:amortized_10","mc":64,"nc":32,"kc":16,"mr":4,"nr":8,"packing":"ab",)"
    R"("loop_order":"m_n_k","microkernel":"scalar","allocation":"workspace","timing_scope":"amortized_10"}],)"
    R"("max_workspace_bytes":"262144","exploration_samples":1,"confirmation_samples":12})";

/// The sample with one piece replaced.
std::string with(const std::string& piece, const std::string& replacement) {
    std::string text = sample;
    const std::size_t at = text.find(piece);
    REQUIRE(at != std::string::npos);
    return text.replace(at, piece.size(), replacement);
}

std::string parsing(const std::string& text) {
    return error_of([&] { parse_config(text, "tune.json"); });
}

} // namespace

TEST_CASE("a configuration is read, and written to the same bytes") {
    const GemmTuningConfig config = parse_config(sample, "tune.json");
    CHECK(config.seed == std::numeric_limits<std::uint64_t>::max());
    REQUIRE(config.shapes.size() == 1);
    CHECK(config.shapes[0] ==
          GemmShape{64, 5, 75, 3, 2, Layout::row_major, Layout::column_major, Layout::row_major});
    REQUIRE(config.candidates.size() == 1);
    CHECK(config.candidates[0].timing_scope == TimingScope{TimingScope::Kind::amortized, 10});
    CHECK(config.max_workspace_bytes == 262144);
    CHECK(config.extra.is_null());
    CHECK(config_json(config) == sample);
}

TEST_CASE("keys may stand in any order, with blanks between them") {
    const std::string text = R"({ "confirmation_samples" : 12, "max_workspace_bytes":"5", "candidates":[],
        "exploration_samples":3, "shapes": [], "seed":"0", "schema_version":"mmkts_1" })";
    CHECK(config_json(parse_config(text, "x")) ==
          R"({"schema_version":"mmkts_1","seed":"0","shapes":[],"candidates":[],"max_workspace_bytes":"5",)"
          R"("exploration_samples":3,"confirmation_samples":12})");
}

TEST_CASE("extra fields are kept as they were read") {
    const std::string text =
        with("\"confirmation_samples\":12", "\"confirmation_samples\":12,\"x_tune_gemm\":"
                                            "{\"z\":[1,{\"y\":null}],\"a\":\"0x1.8p+0\"}");
    const GemmTuningConfig config = parse_config(text, "x");
    CHECK(config.extra.is_object());
    CHECK(config_json(config) == text);
}

TEST_CASE("every configuration survives a round trip") {
    GemmTuningConfig config;
    config.candidates = enumerate_gemm_candidates();
    const auto greatest = std::numeric_limits<std::int64_t>::max();
    for (const Layout a : {Layout::row_major, Layout::column_major})
        for (const Layout b : {Layout::row_major, Layout::column_major})
            for (const Layout c : {Layout::row_major, Layout::column_major})
                config.shapes.push_back({1, 2, 3, 4, greatest, a, b, c});
    config.shapes.push_back({1, 1, greatest, 1, 1});
    config.max_workspace_bytes = std::numeric_limits<std::uint64_t>::max();
    config.exploration_samples = 1;
    config.confirmation_samples = max_samples;
    const std::string text = config_json(config);
    CHECK(parse_config(text, "x") == config);
    CHECK(config_json(parse_config(text, "x")) == text);
}

TEST_CASE("bad configurations are refused with file, field and value") {
    struct Bad {
        std::string text;
        std::initializer_list<std::string_view> words;
    };
    const Bad corpus[] = {
        {with("mmkts_1", "mmkts_2"), {"schema_version: ", "mmkts_2", "mmkts_1"}},
        {with("\"schema_version\":\"mmkts_1\",", ""), {"schema_version: missing"}},
        {with("\"schema_version\":\"mmkts_1\"", "\"schema_version\":1"), {"schema_version: ", "string", "1"}},
        {"[]", {"object"}},
        {"7", {"object"}},
        {with("\"18446744073709551615\"", "18446744073709551616"), {"seed: ", "18446744073709551616"}},
        {with("18446744073709551615", "18446744073709551616"), {"seed: ", "18446744073709551616"}},
        {with("\"18446744073709551615\"", "42"), {"seed: ", "string", "42"}},
        {with("18446744073709551615", "-1"), {"seed: ", "-1"}},
        {with("18446744073709551615", "0x10"), {"seed: ", "0x10"}},
        {with("\"m\":64", "\"m\":0"), {"shapes[0].m: ", "at least 1", "0"}},
        {with("\"n\":5", "\"n\":-5"), {"shapes[0].n: ", "-5"}},
        {with("\"k\":75", "\"k\":\"75\""), {"shapes[0].k: ", "integer", "\"75\""}},
        {with("\"k\":75", "\"k\":75.0"), {"shapes[0].k: ", "75.0"}},
        {with("\"batch\":3", "\"batch\":0"), {"shapes[0].batch: "}},
        {with("\"batch\":3", "\"batch\":null"), {"shapes[0].batch: ", "null"}},
        {with("\"batch\":3,", ""), {"shapes[0].batch: missing"}},
        {with("\"reuse_count\":2", "\"reuse_count\":0"), {"shapes[0].reuse_count: "}},
        {with("\"m\":64,\"n\":5", "\"m\":4611686018427387904,\"n\":4611686018427387904"),
         {"shapes[0]: ", "4611686018427387904"}},
        {with("\"m\":64,\"n\":5,\"k\":75", "\"m\":2097152,\"n\":2097152,\"k\":2097152"), {"shapes[0]: "}},
        {with("column_major", "col_major"), {"shapes[0].layout_b: ", "col_major", "column_major"}},
        {with("\"layout_c\":\"row_major\"", "\"layout_c\":true"), {"shapes[0].layout_c: ", "true"}},
        {with("\"m\":64", "\"M\":64"), {"shapes[0]: ", "\"M\""}},
        {with("\"m\":64", "\"m\":64,\"m\":64"), {"shapes[0].m: ", "twice"}},
        {with("\"shapes\":[{", "\"shapes\":[3,{"), {"shapes[0]: ", "object", "3"}},
        {with("64x32x16:4x8", "64x32x16:4x4"), {"candidates[0].id: ", "4x4", "4x8"}},
        {with("64x32x16:4x8:scalar", "064x32x16:4x8:scalar"), {"candidates[0].id: "}},
        {with("\"nr\":8", "\"nr\":4"), {"candidates[0].id: ", "4x8", "4x4"}},
        {with("\"nr\":8", "\"nr\":-8"), {"candidates[0].nr: ", "-8"}},
        {with("\"mc\":64", "\"mc\":18446744073709551616"), {"candidates[0].mc: "}},
        {with("\"packing\":\"ab\"", "\"packing\":\"ba\""), {"candidates[0].packing: ", "ba"}},
        {with("\"loop_order\":\"m_n_k\"", "\"loop_order\":\"k_m_n\""),
         {"candidates[0].loop_order: ", "k_m_n"}},
        {with("\"allocation\":\"workspace\"", "\"allocation\":\"heap\""),
         {"candidates[0].allocation: ", "heap"}},
        {with("\"timing_scope\":\"amortized_10\"", "\"timing_scope\":\"amortized_\""),
         {"candidates[0].timing_scope: "}},
        {with("\"timing_scope\":\"amortized_10\"", "\"timing_scope\":\"cold\""),
         {"candidates[0].timing_scope: ", "cold"}},
        {with("\"microkernel\":\"scalar\"", "\"microkernel\":5"), {"candidates[0].microkernel: ", "5"}},
        {with("\"microkernel\":\"scalar\"", "\"microkernel\":\"other\""), {"candidates[0].id: ", "other"}},
        {with("\"nr\":8,", "\"nr\":8,\"threads\":2,"), {"candidates[0]: ", "threads"}},
        {with("\"262144\"", "\"0\""), {"max_workspace_bytes: ", "0"}},
        {with("\"262144\"", "\"-1\""), {"max_workspace_bytes: ", "-1"}},
        {with("\"262144\"", "\"64 KiB\""), {"max_workspace_bytes: ", "64 KiB"}},
        {with("\"262144\"", "262144"), {"max_workspace_bytes: ", "262144", "string"}},
        {with("\"exploration_samples\":1", "\"exploration_samples\":0"), {"exploration_samples: ", "0"}},
        {with("\"confirmation_samples\":12", "\"confirmation_samples\":1000001"),
         {"confirmation_samples: ", "1000001"}},
        {with("\"confirmation_samples\":12", "\"confirmation_samples\":12,\"note\":1"), {"note"}},
        {with("\"confirmation_samples\":12", "\"confirmation_samples\":12,\"x_tune_gemm\":1"),
         {"x_tune_gemm: ", "object"}},
        {sample + sample, {"nothing may follow"}},
    };
    for (const Bad& bad : corpus) {
        CAPTURE(bad.text);
        const std::string sentence = parsing(bad.text);
        check_words(sentence, {"tune.json: "});
        check_words(sentence, bad.words);
    }
}

TEST_CASE("configurations past the limits are refused") {
    check_words(parsing(with("\"confirmation_samples\":12",
                             "\"confirmation_samples\":12,\"x_tune_gemm\":{\"a\":" + std::string(40, '[') +
                                 std::string(40, ']') + "}")),
                {"x_tune_gemm.a", "32 levels"});
    check_words(parsing(std::string((std::size_t{16} << 20) + 1, ' ')), {"16777217 bytes"});
}

TEST_CASE("a configuration that is cut short anywhere is refused") {
    for (std::size_t length = 0; length < sample.size(); ++length) {
        CAPTURE(length);
        check_words(parsing(sample.substr(0, length)), {"tune.json: line 1"});
    }
}

TEST_CASE("a configuration with any byte changed is read or refused, never worse") {
    int refused = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        for (const char byte : {'\0', ' ', '"', '0', '9', '-', '{', '}', ',', 'x', '\xff'}) {
            std::string changed = sample;
            changed[i] = byte;
            try {
                const GemmTuningConfig config = parse_config(changed, "x");
                CHECK(parse_config(config_json(config), "x") == config);
            } catch (const Error&) {
                ++refused;
            }
        }
    }
    CHECK(refused > 1000);
}

TEST_CASE("shapes and candidates travel alone as well") {
    const GemmShape shape{3, 4, 5, 6, 7, Layout::column_major, Layout::row_major, Layout::column_major};
    const json::value shape_value = shape_json(shape);
    CHECK(parse_shape_json(json::Field(shape_value, "x")) == shape);
    for (const GemmCandidate& candidate : enumerate_gemm_candidates()) {
        const json::value value = candidate_json(candidate);
        REQUIRE(parse_candidate_json(json::Field(value, "x")) == candidate);
    }
}
