#include <tune_gemm/environment.hpp>

#include <array>
#include <utility>

namespace tune_gemm {
namespace {

using Member = std::pair<const char*, std::string GemmEnvironment::*>;

constexpr std::array<Member, 9> members{{
    {"target", &GemmEnvironment::target},
    {"toolchain", &GemmEnvironment::toolchain},
    {"compiler_flags", &GemmEnvironment::compiler_flags},
    {"dtype_abi", &GemmEnvironment::dtype_abi},
    {"runtime", &GemmEnvironment::runtime},
    {"cpu", &GemmEnvironment::cpu},
    {"gc", &GemmEnvironment::gc},
    {"concurrency", &GemmEnvironment::concurrency},
    {"clock", &GemmEnvironment::clock},
}};

} // namespace

bool environment_compatible(const GemmEnvironment& left, const GemmEnvironment& right) noexcept {
    return left == right;
}

std::vector<EnvironmentDifference> environment_differences(const GemmEnvironment& left,
                                                           const GemmEnvironment& right) {
    std::vector<EnvironmentDifference> differences;
    for (const auto& [name, member] : members) {
        if (left.*member != right.*member)
            differences.push_back({name, left.*member, right.*member});
    }
    return differences;
}

json::value environment_json(const GemmEnvironment& environment) {
    json::object object;
    for (const auto& [name, member] : members)
        object[name] = environment.*member;
    return object;
}

GemmEnvironment parse_environment(const json::Field& field) {
    field.only({"target", "toolchain", "compiler_flags", "dtype_abi", "runtime", "cpu", "gc", "concurrency",
                "clock"});
    GemmEnvironment environment;
    for (const auto& [name, member] : members)
        environment.*member = field[name].string();
    return environment;
}

} // namespace tune_gemm
