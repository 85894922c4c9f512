// The problem sets in docs/shapes are configurations that this reader takes, and every candidate in them can
// run.
#include <tune_gemm/config.hpp>
#include <tune_gemm/validity.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace tune_gemm;

TEST_CASE("every problem set is a valid configuration, with a name and a source for each shape") {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(TUNE_GEMM_SHAPES_FOLDER)) {
        if (entry.path().extension() != ".json")
            continue;
        CAPTURE(entry.path().string());
        found.insert(entry.path().stem().string());
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const GemmTuningConfig config = parse_config(text, entry.path().filename().string());
        CHECK(parse_config(config_json(config), "again") == config);

        CHECK(!config.shapes.empty());
        const json::Field names = json::Field(config.extra, "x_tune_gemm")["shapes"];
        REQUIRE(names.size() == config.shapes.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            CHECK(!names[i]["name"].string().empty());
            CHECK(!names[i]["source"].string().empty());
        }
        CHECK(!config.candidates.empty());
        for (const GemmCandidate& candidate : config.candidates)
            for (const GemmShape& shape : config.shapes) {
                const Validity validity = candidate_valid_for_shape(
                    candidate, shape, static_cast<std::int64_t>(config.max_workspace_bytes));
                CAPTURE(validity.reason);
                REQUIRE(validity);
            }
    }
    CHECK(found == std::set<std::string>{"quick", "training", "convolution", "transformer", "decode", "small",
                                         "tall", "deep", "cube"});
}
