#include "test_core/errors.hpp"

#include <tune_gemm/environment.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tune_gemm;
using tune_gemm::test::check_words;
using tune_gemm::test::error_of;

namespace {

const std::vector<std::pair<std::string, std::string GemmEnvironment::*>> fields{
    {"target", &GemmEnvironment::target},
    {"toolchain", &GemmEnvironment::toolchain},
    {"compiler_flags", &GemmEnvironment::compiler_flags},
    {"dtype_abi", &GemmEnvironment::dtype_abi},
    {"runtime", &GemmEnvironment::runtime},
    {"cpu", &GemmEnvironment::cpu},
    {"gc", &GemmEnvironment::gc},
    {"concurrency", &GemmEnvironment::concurrency},
    {"clock", &GemmEnvironment::clock},
};

GemmEnvironment sample() {
    GemmEnvironment environment;
    for (const auto& [name, member] : fields)
        environment.*member = "some " + name;
    return environment;
}

} // namespace

TEST_CASE(
    "an environment is compatible with an equal one, and a difference in any of the nine fields is named") {
    CHECK(environment_compatible(sample(), sample()));
    CHECK(environment_differences(sample(), sample()).empty());
    for (const auto& field : fields) {
        const std::string name = field.first; // clang 14 captures no structured bindings
        const auto member = field.second;
        CAPTURE(name);
        GemmEnvironment other = sample();
        other.*member += "!";
        CHECK(!environment_compatible(sample(), other));
        const auto differences = environment_differences(sample(), other);
        REQUIRE(differences.size() == 1);
        CHECK(differences[0].field == name);
        CHECK(differences[0].left == "some " + name);
        CHECK(differences[0].right == "some " + name + "!");
    }
}

TEST_CASE("an environment survives a round trip, and each field is demanded") {
    const json::value whole = environment_json(sample());
    CHECK(whole.as_object().size() == 9);
    CHECK(parse_environment(json::Field(whole, "x")) == sample());
    for (const auto& field : fields) {
        const std::string& name = field.first;
        json::value changed = whole;
        changed.as_object()[name] = 5;
        check_words(error_of([&] { parse_environment(json::Field(changed, "env.json")); }),
                    {"env.json: " + name, "5"});
        changed.as_object().erase(name);
        check_words(error_of([&] { parse_environment(json::Field(changed, "env.json")); }),
                    {name, "missing"});
    }
    json::value more = whole;
    more.as_object()["frequency"] = "3 GHz";
    check_words(error_of([&] { parse_environment(json::Field(more, "env.json")); }), {"frequency"});
}
