// The wrong plugins of tests/faulty_plugins, and what has to catch each.
#pragma once
#include "conformance/check.hpp"

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tests {

struct Fault {
    std::string_view plugin;
    std::string_view check;
    tune_gemm::host::CheckStatus status;
    std::string_view words; ///< to be found in the sentence
    /// The check may be skipped where what it needs is not there, with its reason. Never counted as caught.
    bool may_be_skipped = false;
    /// A feature of processor and system without which the fault is none.
    std::string_view needs = {};
};
std::span<const Fault> all_faults();

/// The folder that a plugin of that name was built in.
std::filesystem::path built_plugin(std::string_view folder, std::string_view name);

} // namespace tests
